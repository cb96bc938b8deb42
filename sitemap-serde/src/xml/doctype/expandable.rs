//! The input of the scanner: a source, which a DOCTYPE turns into expanded text.

use crate::error::{Position, Result};
use crate::limits::Limits;
use crate::xml::source::{DocumentSource, SourceText, Window};

use super::Expanded;

/// A source, or its expanded text from a DOCTYPE on.
#[derive(Debug)]
pub(crate) enum Expandable<S> {
    Plain(S),
    Expanded(Box<Expanded<S>>),
    /// Placeholder during the change from plain to expanded.
    Moving,
}

impl<S: Window> Expandable<S> {
    #[inline]
    pub(crate) fn window(&self) -> &str {
        match self {
            Expandable::Plain(source) => source.window(),
            Expandable::Expanded(expanded) => &expanded.text,
            Expandable::Moving => "",
        }
    }

    /// The original source.
    pub(crate) fn origin(&self) -> &S {
        match self {
            Expandable::Plain(source) => source,
            Expandable::Expanded(expanded) => &expanded.events.source().source,
            Expandable::Moving => unreachable!("it moves only within `expand`"),
        }
    }

    pub(crate) fn origin_mut(&mut self) -> &mut S {
        match self {
            Expandable::Plain(source) => source,
            Expandable::Expanded(expanded) => &mut expanded.events.source_mut().source,
            Expandable::Moving => unreachable!("it moves only within `expand`"),
        }
    }

    pub(crate) fn into_origin(self) -> S {
        match self {
            Expandable::Plain(source) => source,
            Expandable::Expanded(expanded) => expanded.events.into_inner().source,
            Expandable::Moving => unreachable!("it moves only within `expand`"),
        }
    }

    pub(crate) fn let_go(&mut self, done: usize) -> usize {
        match self {
            Expandable::Plain(source) => source.let_go(done),
            Expandable::Expanded(expanded) => expanded.let_go(done),
            Expandable::Moving => 0,
        }
    }

    pub(crate) fn more(&mut self) -> Result<bool> {
        match self {
            Expandable::Plain(source) => source.more(),
            Expandable::Expanded(expanded) => expanded.more(),
            Expandable::Moving => Ok(false),
        }
    }

    /// The position of the byte at offset `at`, which is not before `mark`. Later calls ask for few positions before that.
    pub(crate) fn position(&self, mark: usize, at: usize) -> Position {
        match self {
            Expandable::Plain(source) => source.position(mark, at),
            Expandable::Expanded(expanded) => expanded.position(at),
            Expandable::Moving => Position::new(1, 1, 0),
        }
    }

    /// The byte offset in the document of offset `at` of the window.
    pub(crate) fn byte(&self, at: usize) -> u64 {
        match self {
            Expandable::Plain(source) => source.offset() + at as u64,
            _ => self.position(at, at).byte(),
        }
    }

    /// Checks that the encoding label in the XML declaration fits the encoding that the document is in.
    pub(crate) fn check_declared(&self, label: &str) -> Result<()> {
        match self {
            Expandable::Plain(source) => source.check_declared(label),
            _ => Ok(()),
        }
    }

    /// The text in the window, with the longest lifetime that the source can give.
    pub(crate) fn window_text<'de>(&self) -> SourceText<'de, '_>
    where
        S: DocumentSource<'de>,
    {
        match self {
            Expandable::Plain(source) => source.window_text(),
            other => SourceText::Transient(other.window()),
        }
    }

    /// Switches to expanded text at offset `at` of the window, where a DOCTYPE begins. The window is empty afterwards.
    pub(crate) fn expand(&mut self, at: usize, limits: &Limits) {
        match std::mem::replace(self, Expandable::Moving) {
            Expandable::Plain(source) => {
                *self = Expandable::Expanded(Box::new(Expanded::new(source, at, limits)));
            }
            other => *self = other,
        }
    }
}
