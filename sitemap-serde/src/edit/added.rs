//! Formatting the entries of a row that is added to an edited document.

use sitemap_values::Rule;
use sitemap_values::number::grouped;

use crate::error::{Error, Message, Result};
use crate::limits::Limits;
use crate::model::Kind;
use crate::record::{RecordState, RowReceiver};
use crate::schema::MOST_NEWS;
use crate::xml::readable;

use super::style::Style;

/// Counts of the document, and the row that is being added.
#[derive(Debug)]
pub(super) struct Added<'a> {
    pub(super) kind: Kind,
    pub(super) style: &'a Style,
    pub(super) limits: &'a Limits,
    pub(super) entries: u64,
    pub(super) news: u64,
    /// Bytes of the document without the row.
    pub(super) bytes: u64,
    /// The formatted entries of the row.
    pub(super) text: String,
}

impl RowReceiver for Added<'_> {
    fn begin(&mut self) -> Result<()> {
        let (entries, most) = (self.entries, self.limits.entries);
        if entries >= most {
            let what = format!(
                "it has {} `{}` entries, and {} are allowed",
                grouped(entries),
                self.kind.entry(),
                grouped(most)
            );
            return Err(full(&what, Rule::Count));
        }
        Ok(())
    }

    fn end(&mut self, record: &mut RecordState) -> Result<()> {
        let is_news = record.elements.is_news();
        if is_news && self.news >= MOST_NEWS {
            let (news, most) = (grouped(self.news), grouped(MOST_NEWS));
            let what = format!("it has {news} `news:news`, and {most} are allowed");
            return Err(full(&what, Rule::News4));
        }
        let start = self.text.len();
        self.style.write(self.kind, record, &mut self.text);
        let entry = self.text.get(start..).unwrap_or_default();
        if entry.len() > self.limits.unchecked_bytes() || record.elements.may_exceed_structure() {
            readable::check_entry(entry, self.limits)?;
        }
        let (bytes, most) = (self.bytes + self.text.len() as u64, self.limits.bytes);
        if bytes > most {
            let (bytes, most) = (grouped(bytes), grouped(most));
            let what = format!("with this entry it would have {bytes} bytes, and {most} are allowed");
            return Err(full(&what, Rule::Size));
        }
        self.entries += 1;
        self.news += u64::from(is_news);
        Ok(())
    }
}

#[cold]
fn full(what: &str, rule: Rule) -> Error {
    Error::limit(
        Message::new(format!("the document is full: {what}")).advice("write this entry to another one"),
    )
    .breaks(rule)
}
