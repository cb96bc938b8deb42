//! The fast path: the elements that a sitemap is made of, `<name>text</name>`, in one step.

use crate::xml::chars::{find_special, is_space};
use crate::xml::names::Namespace;
use crate::xml::source::Window;

use super::{Scanner, Span, State};

/// Each byte of a word.
pub(super) const ONES: u64 = u64::from_le_bytes([1; 8]);
/// The high bit of each byte of a word.
pub(super) const HIGH: u64 = u64::from_le_bytes([0x80; 8]);

/// How far ahead text is looked through at once.
const AHEAD: usize = 4096;

/// An element `<name>text</name>` in its plainest form.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) name: Span,
    pub(crate) namespace: Namespace,
    pub(crate) text: Span,
}

/// The place of the first `<`. In a sitemap it is near, which a general search is not made for.
#[inline]
pub(super) fn find_tag(bytes: &[u8]) -> Option<usize> {
    let (words, _) = bytes.as_chunks::<8>();
    for (i, word) in words.iter().take(12).enumerate() {
        // The lowest byte that is zero here is where a `<` is.
        let differs = u64::from_le_bytes(*word) ^ (ONES * u64::from(b'<'));
        let zero = differs.wrapping_sub(ONES) & !differs & HIGH;
        if zero != 0 {
            return Some(i * 8 + zero.trailing_zeros() as usize / 8);
        }
    }
    let near = words.len().min(12) * 8;
    memchr::memchr(b'<', &bytes[near..]).map(|far| near + far)
}

impl<S: Window> Scanner<S> {
    /// Reads an element whole, if it is `<name>text</name>` with nothing to resolve, and all of it is in the window. Else
    /// nothing is read, and [`next`](Self::next) gives its parts.
    pub(crate) fn leaf(&mut self) -> Option<Leaf> {
        let tag = self.source.window().as_bytes().get(self.pos + 1..)?;
        let len = tag
            .iter()
            .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b':')))?;
        let name = tag.get(..len)?;
        let (prefix, local) = match memchr::memchr(b':', name) {
            Some(colon) => (&name[..colon], &name[colon + 1..]),
            None => (&name[..0], name),
        };
        // What is not a qualified name, or not declared, is for `next` to report.
        if !name.first()?.is_ascii_alphabetic()
            || !local.first()?.is_ascii_alphabetic()
            || local.contains(&b':')
        {
            return None;
        }
        let namespace = match prefix {
            [] => self.scope.default_namespace(),
            prefix => self.scope.namespace(std::str::from_utf8(prefix).ok()?)?,
        };
        let text = self.leaf_text(len)?;
        Some(Leaf {
            name: self.start + 1..self.start + 1 + len,
            namespace,
            text,
        })
    }

    /// Reads the element whose start tag is `<`, a name of `len` bytes, and, if it is a leaf, `>`, if it is within the limits
    /// and its text is plain.
    fn leaf_text(&mut self, len: usize) -> Option<Span> {
        let bytes = self.source.window().as_bytes().get(self.pos..)?;
        let name = bytes.get(1..=len)?;
        let after = bytes.get(len + 2..)?;
        if bytes[0] != b'<' || bytes[len + 1] != b'>' {
            return None;
        }
        let text = find_tag(after)?;
        let close = after.get(text..text + len + 3)?;
        if close[1] != b'/' || close[len + 2] != b'>' || &close[2..len + 2] != name {
            return None;
        }
        let start = self.pos + len + 2;
        let text = start..start + text;
        let end = text.end + len + 3;
        let fits = self.state == State::Content
            && len <= self.limits.name
            && text.len().max(len + 3) <= self.limits.token
            && self.open.len() < self.limits.depth
            && self.entry_may_end(end);
        if !fits || !self.is_clean(text.clone()) {
            return None;
        }
        self.start = self.pos;
        self.pos = end;
        Some(text)
    }

    /// Whether a piece of the window can be taken as it stands (see [`find_special`]). What was looked through is remembered,
    /// so that in a clean document it is one pass, in large steps.
    #[inline]
    pub(super) fn is_clean(&mut self, span: Span) -> bool {
        if self.clean.start <= span.start && span.end <= self.clean.end {
            return true;
        }
        self.look_ahead(span)
    }

    #[inline(never)]
    fn look_ahead(&mut self, span: Span) -> bool {
        let window = self.source.window().as_bytes();
        let to = span.end.max(span.start + AHEAD).min(window.len());
        let clean = window.get(span.start..to).map_or(0, find_special);
        self.clean = span.start..span.start + clean;
        span.end <= self.clean.end
    }

    /// Passes over the white space that is in the window. `false` if there may be more.
    #[inline]
    pub(super) fn skip_space_in_window(&mut self) -> bool {
        let bytes = self.source.window().as_bytes();
        let mut pos = self.pos;
        while let Some(&b) = bytes.get(pos) {
            if !is_space(b) {
                self.pos = pos;
                return true;
            }
            pos += 1;
        }
        self.pos = pos;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_tag_is_found() {
        for len in 0..130 {
            assert_eq!(find_tag(&vec![b'x'; len]), None);
            for at in 0..len {
                let mut text: Vec<u8> = (0..len).map(|i| if i % 2 == 0 { b'=' } else { 0xBC }).collect();
                text[at] = b'<';
                assert_eq!(find_tag(&text), Some(at), "{at} of {len}");
                text[len - 1] = b'<';
                assert_eq!(find_tag(&text), Some(at), "{at} of {len}");
            }
        }
    }
}
