//! The layout of a document's entries, imitated for added ones.

use crate::model::Kind;
use crate::reader::Record;
use crate::record::RecordState;

use super::changes::place;
use super::element;

/// White space and prefix of a document's entries.
#[derive(Debug, Default)]
pub(super) struct Style {
    /// The prefix of core elements, with its colon; empty if there is none.
    prefix: String,
    /// White space before an entry, before each of its children, and before its end tag.
    entry: String,
    child: String,
    close: String,
}

impl Style {
    /// The style of an entry with white space `space` before it, in a root with prefix `root`.
    pub(super) fn of_entry(record: &Record, space: &str, root: &str) -> Self {
        let text = record.source();
        // A prefix that the entry itself declares is not in scope for other entries.
        let prefix = if element::declares(text) {
            root
        } else {
            element::prefix(text)
        };
        let before = |at: usize| element::last_space(text.get(..at).unwrap_or_default()).to_owned();
        let child = record.fields().map(|field| before(place(record, &field).start));
        // Prefer white space with a line break, if any child has it.
        let child = child.reduce(|one, other| if one.contains(['\n', '\r']) { one } else { other });
        Style {
            prefix: prefix.to_owned(),
            entry: element::from_line_break(space).to_owned(),
            child: child.unwrap_or_default(),
            close: before(text.rfind("</").unwrap_or(text.len())),
        }
    }

    /// The style of a document without entries, from its root's last tag and the white space before that.
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

    /// Formats the entry in `values`, which were written with indentation if the style is pretty.
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

    /// Appends elements, which are indented by two spaces a level from four on, with the style's indentation.
    fn indent(&self, elements: &str, out: &mut String) {
        let mut lines = elements.split('\n');
        out.push_str(lines.next().unwrap_or_default());
        let unit = self.child.strip_prefix(&self.entry).unwrap_or("  ");
        for line in lines {
            let text = line.trim_start_matches(' ');
            // A line that does not begin with a tag is within a text, and keeps its white space.
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
