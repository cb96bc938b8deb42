//! The fast path: the elements that a sitemap is made of, `<name>text</name>`, in one step.

use crate::xml::chars::is_space;
use crate::xml::names::Namespace;
use crate::xml::source::Window;

use super::{Scanner, Span, State};

/// How many bytes are looked at together.
pub(super) const BLOCK: usize = 16;

/// Each byte of a word.
const ONES: u64 = u64::from_le_bytes([1; 8]);
/// The high bit of each byte of a word.
const HIGH: u64 = u64::from_le_bytes([0x80; 8]);

/// An element `<name>text</name>` in its plainest form.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) name: Span,
    pub(crate) namespace: Namespace,
    pub(crate) text: Span,
}

/// Marks the bytes of a word that are `b` with their high bit; right up to the first.
#[inline]
pub(super) fn equal(word: u64, b: u8) -> u64 {
    let differs = word ^ (ONES * u64::from(b));
    differs.wrapping_sub(ONES) & !differs & HIGH
}

/// Marks the bytes of a word that are below `b`, which is in ASCII, in the same way.
#[inline]
pub(super) fn below(word: u64, b: u8) -> u64 {
    word.wrapping_sub(ONES * u64::from(b)) & !word & HIGH
}

/// The place of the first byte of a block that is marked.
#[inline]
pub(super) fn first_of(block: &[u8; BLOCK], marks: impl Fn(u64) -> u64) -> usize {
    let (words, _) = block.as_chunks::<8>();
    let marks = words.iter().rev().fold(0, |all, word| {
        (all << 64) | u128::from(marks(u64::from_le_bytes(*word)))
    });
    marks.trailing_zeros() as usize / 8
}

/// The place of the first `<`. In a sitemap it is near, which a general search is not made for.
#[inline]
pub(super) fn find_tag(bytes: &[u8]) -> Option<usize> {
    /// How many blocks are near.
    const NEAR: usize = 8;
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    for (i, block) in blocks.iter().take(NEAR).enumerate() {
        // Written so that it becomes vector instructions.
        if block.iter().fold(0, |found, &b| found | u8::from(b == b'<')) != 0 {
            return Some(i * BLOCK + first_of(block, |word| equal(word, b'<')));
        }
    }
    let near = blocks.len().min(NEAR) * BLOCK;
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
        if !fits || !self.clean.covers(self.source.window().as_bytes(), text.clone()) {
            return None;
        }
        self.start = self.pos;
        self.pos = end;
        Some(text)
    }

    /// Whether what is held of the entry may reach to `end`.
    fn entry_may_end(&self, end: usize) -> bool {
        self.anchor
            .is_none_or(|anchor| end - anchor <= self.limits.entry_bytes)
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
