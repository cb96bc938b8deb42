//! The end of a document, where entries are added.

use std::io::{Read, Write};

use crate::error::Result;
use crate::loc::LocRules;
use crate::record::RecordState;

use super::style::Style;
use super::{Editor, unreadable};

/// The style of added entries, and the state to write them with.
#[derive(Debug)]
pub(super) struct Tail {
    pub(super) style: Style,
    pub(super) values: RecordState,
    /// The end tag to add if the root was an empty-element tag.
    pub(super) close: String,
}

impl Tail {
    /// Copies the document up to the end of its entries, and determines their style.
    pub(super) fn find<R: Read, W: Write>(editor: &mut Editor<R, W>) -> Result<Self> {
        let end = editor.document.root_end().ok_or_else(unreadable)?;
        let source = editor.document.source_mut().ok_or_else(unreadable)?;
        let mut space = String::new();
        source.space_before(end.start, &mut space);
        source.copy(end.start - space.len() as u64)?;
        let (kept, window) = source.pending(end.end);
        let tag = [kept, window].concat();
        let tag = tag.get(space.len()..).unwrap_or_default();
        let open = tag.strip_suffix("/>");
        let root = editor.root_name.as_str();
        let prefix = root.find(':').map_or("", |colon| &root[..=colon]);
        let style = if editor.record.source().is_empty() {
            Style::of_root(prefix, if open.is_none() { &space } else { "" })
        } else {
            Style::of_entry(&editor.record, &editor.space, prefix)
        };
        let mut close = String::new();
        if let Some(open) = open {
            close = ["</", root, ">"].concat();
            let open = open.trim_end_matches([' ', '\t', '\n', '\r']);
            source.copy(end.start)?;
            source.put(open)?;
            source.put(">")?;
            source.skip(end.end);
        }
        let mut values = RecordState::in_layout(
            Some(style.layout()),
            LocRules::new(&editor.loc),
            editor.known.clone(),
        );
        values.elements.most_bytes = editor.limits.token_bytes;
        Ok(Tail { style, values, close })
    }

    pub(super) fn close(&self) -> &str {
        &self.close
    }
}
