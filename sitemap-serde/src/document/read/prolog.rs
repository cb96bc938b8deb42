//! The part before the root: instructions that name stylesheets.

use crate::error::Position;
use crate::xml::source::Window;

use super::DocumentReader;

/// An `xml-stylesheet` instruction before the root.
#[derive(Debug)]
pub(crate) struct StyleInstruction {
    pub(crate) position: Position,
    /// From `<?` to `?>`.
    pub(crate) text: String,
}

/// The maximum number of recorded stylesheets: browsers apply the first one that they support, and documents usually
/// have one.
const MOST: usize = 16;

impl<S: Window> DocumentReader<S> {
    /// Records the last token if it is a stylesheet.
    pub(super) fn note_stylesheet(&mut self) {
        let token = self.scanner.token();
        let text = self.scanner.text(token.clone());
        let is_stylesheet = text
            .strip_prefix("<?xml-stylesheet")
            .is_some_and(|rest| rest.starts_with([' ', '\t', '\r', '\n']));
        if is_stylesheet && self.stylesheets.len() < MOST {
            self.stylesheets.push(StyleInstruction {
                position: self.scanner.position(token.start),
                text: text.to_owned(),
            });
        }
    }

    /// Removes and returns the stylesheets before the root, after that was read.
    pub(crate) fn take_stylesheets(&mut self) -> Vec<StyleInstruction> {
        std::mem::take(&mut self.stylesheets)
    }
}
