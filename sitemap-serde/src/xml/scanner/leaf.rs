//! The fast path: the elements that a sitemap is made of, `<name>text</name>`, in one step.

use crate::xml::chars::{find_special, is_space};
use crate::xml::names::Namespace;
use crate::xml::source::Window;

use super::{Scanner, Span, State};

/// How far ahead text is looked through at once.
const AHEAD: usize = 4096;

/// An element `<name>text</name>` in its plainest form.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) name: Span,
    pub(crate) namespace: Namespace,
    pub(crate) text: Span,
}

/// The first bytes of a text, to be compared as numbers: fewer than sixteen, the others do not count.
#[derive(Clone, Copy, Debug, Default)]
struct Pattern {
    bytes: [u64; 2],
    mask: [u64; 2],
    len: usize,
}

impl Pattern {
    /// `None` if the text is too long for it.
    fn new(text: &str) -> Option<Self> {
        let mut padded = [0; 16];
        let mut mask = [0; 16];
        padded.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        mask[..text.len()].fill(0xFF);
        let halves = |bytes: [u8; 16]| {
            let (halves, _) = bytes.as_chunks::<8>();
            [u64::from_le_bytes(halves[0]), u64::from_le_bytes(halves[1])]
        };
        Some(Pattern {
            bytes: halves(padded),
            mask: halves(mask),
            len: text.len(),
        })
    }

    /// Whether the bytes begin with it; not if there are too few bytes to tell.
    #[inline]
    fn starts(&self, bytes: &[u8]) -> bool {
        let Some((low, rest)) = bytes.split_first_chunk::<8>() else {
            return false;
        };
        let Some(high) = rest.first_chunk::<8>() else {
            return false;
        };
        let differs = ((u64::from_le_bytes(*low) ^ self.bytes[0]) & self.mask[0])
            | ((u64::from_le_bytes(*high) ^ self.bytes[1]) & self.mask[1]);
        differs == 0
    }
}

/// The tags of an element that was met before, and the white space in front of it: what is expected where they stood.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    name: String,
    gap: Pattern,
    open: Pattern,
    close: Pattern,
}

impl Expected {
    /// `None` if the name or the white space is too long to be compared, or the latter is none.
    pub(crate) fn new(gap: &str, name: &str) -> Option<Self> {
        if !gap.bytes().all(is_space) {
            return None;
        }
        Some(Expected {
            name: name.to_owned(),
            gap: Pattern::new(gap)?,
            open: Pattern::new(&format!("<{name}>"))?,
            close: Pattern::new(&format!("</{name}>"))?,
        })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

/// The place of the first `<`. In a sitemap it is near, which a general search is not made for.
#[inline]
fn find_tag(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
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

    /// The bytes after the white space that is expected here.
    #[inline]
    fn after_gap(&self, expected: &Expected) -> Option<&[u8]> {
        let bytes = self.source.window().as_bytes().get(self.pos..)?;
        if expected.gap.starts(bytes) {
            bytes.get(expected.gap.len..)
        } else {
            None
        }
    }

    /// As [`leaf`](Self::leaf), if the element is the expected one, whose tags were found to be in order before, in the same
    /// scope. Returns the text.
    #[inline]
    pub(crate) fn expected_leaf(&mut self, expected: &Expected) -> Option<Span> {
        let bytes = self.after_gap(expected)?;
        if !expected.open.starts(bytes) {
            return None;
        }
        let text = find_tag(bytes.get(expected.open.len..)?)?;
        if !expected.close.starts(bytes.get(expected.open.len + text..)?) {
            return None;
        }
        let before = self.pos;
        self.pos += expected.gap.len;
        let leaf = self.take_leaf(expected.name.len(), text);
        if leaf.is_none() {
            self.pos = before;
        }
        leaf
    }

    /// Reads the expected start tag, if it comes next, in the scope in which it was met before.
    #[inline]
    pub(crate) fn expected_start(&mut self, expected: &Expected) -> bool {
        let comes = self
            .after_gap(expected)
            .is_some_and(|bytes| expected.open.starts(bytes));
        if !comes || self.state != State::Content || self.open.len() >= self.limits.depth {
            return false;
        }
        self.start = self.pos + expected.gap.len;
        self.pos = self.start + expected.open.len;
        self.attributes.clear();
        self.open.push(self.open_names.len());
        self.open_names.push_str(&expected.name);
        true
    }

    /// Reads the expected end tag, if it comes next: that of the element that is open.
    #[inline]
    pub(crate) fn expected_end(&mut self, expected: &Expected) -> bool {
        let comes = self
            .after_gap(expected)
            .is_some_and(|bytes| expected.close.starts(bytes));
        let Some(&open) = self.open.last() else {
            return false;
        };
        if !comes
            || self.state != State::Content
            || self.open_names.get(open..) != Some(expected.name.as_str())
        {
            return false;
        }
        let end = self.pos + expected.gap.len + expected.close.len;
        if self
            .anchor
            .is_some_and(|anchor| end - anchor > self.limits.entry_bytes)
        {
            return false;
        }
        self.start = self.pos + expected.gap.len;
        self.pos = end;
        self.close();
        true
    }

    /// Reads the element whose start tag is `<`, a name of `len` bytes, and, if it is a leaf, `>`.
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
        self.take_leaf(len, text)
    }

    /// Takes a leaf whose name has `name` bytes and whose text has `text`, if it is within the limits and plain.
    #[inline]
    fn take_leaf(&mut self, name: usize, text: usize) -> Option<Span> {
        let start = self.pos + name + 2;
        let text = start..start + text;
        let end = text.end + name + 3;
        let fits = self.state == State::Content
            && name <= self.limits.name
            && text.len().max(name + 3) <= self.limits.token
            && self.open.len() < self.limits.depth
            && self
                .anchor
                .is_none_or(|anchor| end - anchor <= self.limits.entry_bytes);
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
    fn is_clean(&mut self, span: Span) -> bool {
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

    #[test]
    fn patterns_are_compared_whole() {
        let tag = Pattern::new("<changefreq>").unwrap();
        assert!(tag.starts(b"<changefreq>weekly<"));
        assert!(!tag.starts(b"<changefrec>weekly<"));
        assert!(!tag.starts(b"<changefreq weekly<"));
        assert!(!tag.starts(b"<changefreq>wee"), "too short to tell");
        assert!(Pattern::new("").unwrap().starts(b"0123456789abcdef"));
        assert!(
            Pattern::new("0123456789abcdef")
                .unwrap()
                .starts(b"0123456789abcdef")
        );
        assert!(
            !Pattern::new("0123456789abcdef")
                .unwrap()
                .starts(b"0123456789abcdeF")
        );
        assert!(Pattern::new("0123456789abcdefg").is_none());
    }
}
