//! How a document lays out its entries, for one more.

use crate::model::Kind;
use crate::reader::Record;
use crate::record::RecordState;

use super::changes::place;
use super::element;

/// White space and prefix of the entries.
#[derive(Debug, Default)]
pub(super) struct Style {
    /// The core's prefix, with its colon; empty if it has none.
    prefix: String,
    /// Before an entry, before each of its children, and before its end tag.
    entry: String,
    child: String,
    close: String,
}

impl Style {
    /// That of an entry, which `space` stands before, in a root with that prefix.
    pub(super) fn of_entry(record: &Record, space: &str, root: &str) -> Self {
        let text = record.source();
        // A prefix that the entry declares itself is not another one's.
        let prefix = if element::declares(text) {
            root
        } else {
            element::prefix(text)
        };
        let before = |at: usize| element::last_space(text.get(..at).unwrap_or_default()).to_owned();
        let child = record.fields().map(|field| before(place(record, &field).start));
        // The one that most elements of the schema stand on, if there is one: a line of its own.
        let child = child.reduce(|one, other| if one.contains(['\n', '\r']) { one } else { other });
        Style {
            prefix: prefix.to_owned(),
            entry: element::from_line_break(space).to_owned(),
            child: child.unwrap_or_default(),
            close: before(text.rfind("</").unwrap_or(text.len())),
        }
    }

    /// That of a document without entries, by its root's last tag and the white space before it.
    pub(super) fn of_root(tag: &str, space: &str) -> Self {
        let prefix = element::prefix(tag).to_owned();
        let line = element::from_line_break(space);
        if !line.starts_with(['\n', '\r']) {
            return Style {
                prefix,
                ..Style::default()
            };
        }
        Style {
            prefix,
            entry: format!("{line}  "),
            child: format!("{line}    "),
            close: format!("{line}  "),
        }
    }

    /// Whether each child is on a line of its own.
    pub(super) fn is_pretty(&self) -> bool {
        self.child.starts_with(['\n', '\r'])
    }

    /// The entry that was given to `values`, which are pretty if the style is.
    pub(super) fn write(&self, kind: Kind, values: &mut RecordState) -> String {
        let (prefix, name) = (self.prefix.as_str(), kind.entry());
        let mut out = [&self.entry, "<", prefix, name, ">"].concat();
        for (slot, text) in values.buffer.texts() {
            let name = slot.name();
            for part in [&self.child, "<", prefix, name, ">", text, "</", prefix, name, ">"] {
                out.push_str(part);
            }
        }
        self.indent(values.elements.ordered(), &mut out);
        for part in [&self.close, "</", prefix, name, ">"] {
            out.push_str(part);
        }
        out
    }

    /// Appends elements that are indented by two spaces a level, those of the entry by four.
    fn indent(&self, elements: &str, out: &mut String) {
        let mut lines = elements.split('\n');
        out.push_str(lines.next().unwrap_or_default());
        let unit = self.child.strip_prefix(&self.entry).unwrap_or("  ");
        for line in lines {
            let text = line.trim_start_matches(' ');
            // A line within a text begins with no tag.
            match (line.len() - text.len()).checked_sub(4) {
                Some(deeper) if text.starts_with('<') => {
                    out.push_str(&self.child);
                    (0..deeper / 2).for_each(|_| out.push_str(unit));
                    out.push_str(text);
                }
                _ => {
                    out.push('\n');
                    out.push_str(line);
                }
            }
        }
    }
}
