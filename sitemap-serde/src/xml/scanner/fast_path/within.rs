//! Elements within one that may only contain text: an error that need not be read token by token.

use crate::xml::reference::Mode;
use crate::xml::scanner::KnownTag;

use super::{Content, FastPath};

impl FastPath<'_> {
    /// Reads from `from`, after the start tag `tag`, to its end tag, without moving on, if all elements in between are known and
    /// have only text. Returns where the first of them begins, and where the end tag ends. `None` for other content and if there is no
    /// element.
    ///
    /// `known` finds the known tag at an offset.
    pub(crate) fn elements_within<'k>(
        &mut self,
        tag: &KnownTag,
        from: usize,
        mut known: impl FnMut(&Self, usize) -> Option<&'k KnownTag>,
    ) -> Option<(usize, usize)> {
        // In a lenient reading the text is used.
        if self.is_lenient || tag.declared != 0 || self.open.len() + 1 >= self.limits.depth {
            return None;
        }
        let (mut at, mut first) = (from, None);
        loop {
            let next = self.bits.next_tag(self.bytes, at)?;
            let text = at..next;
            if !self.can_have(text.len()) || !self.bits.is_plain(self.bytes, &text, Mode::Text) {
                return None;
            }
            if let Some(end) = self.end_of(tag, next) {
                return Some((first?, end));
            }
            let inner = known(self, next)?;
            let start = self.start(inner, next)?;
            at = if start.is_empty {
                start.end
            } else {
                match self.content(inner, start.end) {
                    Content::Text { end, .. } => end,
                    Content::Element | Content::Other => return None,
                }
            };
            first.get_or_insert(next);
        }
    }
}
