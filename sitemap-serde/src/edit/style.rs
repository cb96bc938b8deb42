//! The layout of a document's entries, imitated for added ones.

use crate::model::Kind;
use crate::reader::Record;
use crate::record::{Layout, RecordState};
use crate::xml::element::ElementText;
use crate::xml::fragment::declared_prefix;

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
        let own = ElementText::new(text);
        // A prefix that the entry itself declares is not in scope for other entries.
        let own = own.filter(|own| {
            let prefix = own.prefix().trim_end_matches(':');
            own.attributes().all(|name| declared_prefix(name) != Some(prefix))
        });
        let before = |at: usize| element::last_space(text.get(..at).unwrap_or_default()).to_owned();
        let child = record.fields().map(|field| before(place(record, &field).start));
        // Prefer white space with a line break, if any child has it.
        let child = child.reduce(|one, other| if one.contains(['\n', '\r']) { one } else { other });
        Style {
            prefix: own.map_or(root, |own| own.prefix()).to_owned(),
            entry: element::from_line_break(space).to_owned(),
            child: child.unwrap_or_default(),
            close: before(text.rfind("</").unwrap_or(text.len())),
        }
    }

    /// The style of a document without entries, from its root's prefix, and the white space before its end tag.
    pub(super) fn of_root(root: &str, space: &str) -> Self {
        let prefix = root.to_owned();
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

    /// The layout of an entry's elements.
    pub(super) fn layout(&self) -> Layout {
        Layout {
            child: self.child.clone(),
            unit: self.child.strip_prefix(&self.entry).unwrap_or("  ").to_owned(),
            prefix: self.prefix.clone(),
        }
    }

    /// Appends the entry in `values`, which were written in this style's [layout](Self::layout).
    pub(super) fn write(&self, kind: Kind, values: &mut RecordState, out: &mut String) {
        let (prefix, name) = (self.prefix.as_str(), kind.entry());
        for part in [
            &self.entry,
            "<",
            prefix,
            name,
            ">",
            values.elements.ordered_text(),
            &self.close,
            "</",
            prefix,
            name,
            ">",
        ] {
            out.push_str(part);
        }
    }
}
