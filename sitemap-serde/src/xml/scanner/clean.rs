//! Text in which there is nothing to resolve or to refuse.

use crate::xml::chars::find_special;

use super::Span;

/// How far ahead text is looked through at once.
const AHEAD: usize = 4096;

/// A piece of the window that is known to hold nothing special (see [`find_special`]): what was looked through is remembered,
/// so that in a clean document it is one pass, in large steps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clean {
    start: usize,
    end: usize,
}

impl Clean {
    /// Whether a piece of the window can be taken as it stands.
    #[inline]
    pub(super) fn covers(&mut self, window: &[u8], span: Span) -> bool {
        if self.start > span.start || span.end > self.end {
            *self = Clean::look_ahead(window, span.start, span.end);
        }
        span.end <= self.end
    }

    #[inline(never)]
    fn look_ahead(window: &[u8], start: usize, end: usize) -> Self {
        let to = end.max(start + AHEAD).min(window.len());
        let clean = window.get(start..to).map_or(0, find_special);
        Clean {
            start,
            end: start + clean,
        }
    }

    /// The window has begun by so many bytes earlier.
    pub(super) fn move_on(&mut self, by: usize) {
        (self.start, self.end) = (self.start + by, self.end + by);
    }

    /// The window begins by so many bytes later.
    pub(super) fn move_back(&mut self, by: usize) {
        (self.start, self.end) = (self.start.saturating_sub(by), self.end.saturating_sub(by));
    }
}
