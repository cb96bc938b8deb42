//! Rows: entries that serde reads from another format. A row has no text, so the source of their document is empty.

use serde_core::Deserializer;

use crate::error::Result;
use crate::model::Kind;
use crate::record::{FillState, Table, TableFill};
use crate::schema;
use crate::xml::source::Window;

use super::{DocumentReader, State};

/// The loc of every row, distinct from every other URL of an entry. The caller has the row's own, which a writer may complete.
const PLACEHOLDER: &str = "https://placeholder.invalid/";

impl<S: Window> DocumentReader<S> {
    /// Reads rows instead of a document's text.
    pub(crate) fn be_of_rows(&mut self) {
        self.kind = Some(Kind::UrlSet);
        self.state = State::Open(Kind::UrlSet);
    }

    /// Clears the table for the next row.
    pub(crate) fn begin_row(&mut self) -> &mut Table {
        self.table.clear();
        self.table.reset_names();
        self.table.take_any_case(self.is_lenient());
        &mut self.table
    }

    /// Fills the table with a row, a map without the loc.
    pub(crate) fn fill_row<'de, D: Deserializer<'de>>(
        &mut self,
        state: &mut FillState,
        row: D,
    ) -> std::result::Result<(), D::Error> {
        self.begin_row();
        let mut fill = TableFill {
            table: &mut self.table,
            known: self.scanner.known(),
            state,
            most: self.limits.entry_bytes,
        };
        fill.read(row)
    }

    /// Returns the text of an element of the row.
    pub(crate) fn row_text(&self, name: &str) -> Option<&str> {
        let mut children = self.table.children();
        let (_, node) = children.find(|(_, node)| node.name.as_static() == Some(name))?;
        Some(self.table.text(node, ""))
    }

    /// Completes the URLs of the row's extensions that are paths with the URL of the site.
    ///
    /// # Errors
    /// The row is then too large.
    pub(crate) fn complete_row(&mut self, state: &mut FillState, base: &str) -> Result<()> {
        let base = base.trim_end_matches('/');
        for index in 0..self.table.nodes().len() {
            if let Some(node) = self.table.nodes().get(index)
                && node.name.is_link()
                && let text = self.table.text(node, "")
                && text.starts_with('/')
                && !text.starts_with("//")
            {
                let url = format!("{base}{text}");
                state.add(base.len(), self.limits.entry_bytes)?;
                self.table.replace_text(index, &url);
            }
        }
        Ok(())
    }

    /// Checks the row in the table; a lenient reading repairs it. Returns `true` if it can be used.
    pub(crate) fn finish_row(&mut self, state: FillState, has_loc: bool) -> Result<bool> {
        self.count_entry(Kind::UrlSet)?;
        if has_loc {
            let value = self.table.resolved_value(PLACEHOLDER, 0);
            self.table.push(schema::LOC, value, 0..0);
        }
        if !self.is_lenient() {
            return match state.problems.into_iter().next() {
                Some(error) => Err(self.in_record(error)),
                None => self.check_entry::<false>(Kind::UrlSet),
            };
        }
        for error in state.problems {
            self.report_error(error, None);
        }
        if let Some(lenient) = &mut self.lenient {
            lenient.skip_diagnostics(state.more);
        }
        self.check_entry::<true>(Kind::UrlSet)
    }
}
