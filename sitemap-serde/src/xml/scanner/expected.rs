//! The fast path of tags that were met before: they are compared whole, as they stood, with the white space in front of them.

use crate::xml::chars::is_space;
use crate::xml::source::Window;

use super::leaf::{HIGH, ONES, find_tag};
use super::{Scanner, Span, State};

/// The first bytes of a text, to be compared as numbers: sixteen, of which those behind a shorter text do not count, and
/// the rest of a longer one.
#[derive(Clone, Debug)]
struct Pattern {
    head: [u64; 2],
    mask: [u64; 2],
    tail: Box<[u8]>,
    len: usize,
}

impl Pattern {
    fn new(text: &str) -> Self {
        let (head, tail) = text.as_bytes().split_at(text.len().min(16));
        let mut padded = [0; 16];
        let mut mask = [0; 16];
        padded[..head.len()].copy_from_slice(head);
        mask[..head.len()].fill(0xFF);
        let halves = |bytes: [u8; 16]| {
            let (halves, _) = bytes.as_chunks::<8>();
            [u64::from_le_bytes(halves[0]), u64::from_le_bytes(halves[1])]
        };
        Pattern {
            head: halves(padded),
            mask: halves(mask),
            tail: tail.into(),
            len: text.len(),
        }
    }

    /// Whether the bytes begin with it; not if there are too few bytes to tell.
    #[inline]
    fn starts(&self, bytes: &[u8]) -> bool {
        let Some((head, rest)) = bytes.split_first_chunk::<16>() else {
            return false;
        };
        let (halves, _) = head.as_chunks::<8>();
        let differs = ((u64::from_le_bytes(halves[0]) ^ self.head[0]) & self.mask[0])
            | ((u64::from_le_bytes(halves[1]) ^ self.head[1]) & self.mask[1]);
        differs == 0 && (self.tail.is_empty() || rest.starts_with(&self.tail))
    }
}

/// A leaf `<name>text</name>` that is expected, with white space in front of it.
#[derive(Clone, Debug)]
pub(crate) struct ExpectedLeaf {
    gap: usize,
    open: Pattern,
    close: Pattern,
}

impl ExpectedLeaf {
    /// `None` if the gap is not all white space.
    pub(crate) fn new(gap: &str, name: &str) -> Option<Self> {
        gap.bytes().all(is_space).then(|| ExpectedLeaf {
            gap: gap.len(),
            open: Pattern::new(&format!("{gap}<{name}>")),
            close: Pattern::new(&format!("</{name}>")),
        })
    }
}

/// A start tag, or the tag of an empty element, that is expected: everything in it but the values of its attributes.
#[derive(Clone, Debug)]
pub(crate) struct ExpectedStart {
    name: Box<str>,
    gap: usize,
    open: Pattern,
    /// For each attribute the quote that its value ends with, and what follows the value.
    attributes: Box<[(u8, Pattern)]>,
    empty: bool,
}

impl ExpectedStart {
    /// Of a tag that has no prefixed attributes and declares no namespaces, and the places of its values. `None` if that is
    /// not a tag with white space in front of it.
    pub(crate) fn new(gap: &str, tag: &str, values: &[Span]) -> Option<Self> {
        let name = tag.strip_prefix('<')?;
        let end = name.find(|c: char| matches!(c, '>' | '/') || c.is_ascii_whitespace())?;
        let mut pieces = Vec::new();
        let mut from = 0;
        for value in values {
            pieces.push(tag.get(from..value.start)?);
            from = value.end;
        }
        pieces.push(tag.get(from..)?);
        let (first, rest) = pieces.split_first()?;
        let attributes = rest
            .iter()
            .map(|piece| Some((*piece.as_bytes().first()?, Pattern::new(piece))))
            .collect::<Option<_>>()?;
        gap.bytes().all(is_space).then(|| ExpectedStart {
            name: name[..end].into(),
            gap: gap.len(),
            open: Pattern::new(&[gap, first].concat()),
            attributes,
            empty: tag.ends_with("/>"),
        })
    }

    /// Whether it is an empty element's, which ends with it.
    pub(crate) fn is_empty(&self) -> bool {
        self.empty
    }
}

/// An end tag that is expected, with white space in front of it.
#[derive(Clone, Debug)]
pub(crate) struct ExpectedEnd {
    name: Box<str>,
    gap: usize,
    tag: Pattern,
}

impl ExpectedEnd {
    /// `None` if it is anything but white space, `</`, a name and `>`.
    pub(crate) fn new(gap: &str, tag: &str) -> Option<Self> {
        let name = tag.strip_prefix("</")?.strip_suffix('>')?;
        (gap.bytes().all(is_space) && !name.bytes().any(is_space)).then(|| ExpectedEnd {
            name: name.into(),
            gap: gap.len(),
            tag: Pattern::new(&[gap, tag].concat()),
        })
    }
}

/// How long a value is that ends with the quote. `None` if a `<` or a control character comes first, or there are too few
/// bytes to tell.
#[inline]
fn value_len(bytes: &[u8], quote: u8) -> Option<usize> {
    let (words, _) = bytes.as_chunks::<8>();
    for (i, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // The lowest byte whose high bit is set in one of these is the first of its kind.
        let zero = |differs: u64| differs.wrapping_sub(ONES) & !differs;
        let quotes = zero(word ^ (ONES * u64::from(quote)));
        let tags = zero(word ^ (ONES * u64::from(b'<')));
        let controls = word.wrapping_sub(ONES * u64::from(b' ')) & !word;
        let found = (quotes | tags | controls) & HIGH;
        if found != 0 {
            let len = i * 8 + found.trailing_zeros() as usize / 8;
            return (bytes.get(len) == Some(&quote)).then_some(len);
        }
    }
    None
}

/// All of it was found to be in order when it was met, in the same scope of namespaces; what is left to be checked is what
/// differs from time to time. Where that is not as plain as it can be, nothing is read.
impl<S: Window> Scanner<S> {
    #[inline]
    fn ahead(&self, at: usize) -> &[u8] {
        self.source.window().as_bytes().get(at..).unwrap_or_default()
    }

    /// Whether what is held of the entry may reach to `end`.
    #[inline]
    pub(super) fn entry_may_end(&self, end: usize) -> bool {
        self.anchor
            .is_none_or(|anchor| end - anchor <= self.limits.entry_bytes)
    }

    /// Reads the expected leaf, if it comes next. Returns the text.
    #[inline]
    pub(crate) fn expected_leaf(&mut self, expected: &ExpectedLeaf) -> Option<Span> {
        let bytes = self.ahead(self.pos);
        if !expected.open.starts(bytes) {
            return None;
        }
        let len = find_tag(bytes.get(expected.open.len..)?)?;
        if !expected.close.starts(bytes.get(expected.open.len + len..)?) {
            return None;
        }
        let start = self.pos + expected.open.len;
        let text = start..start + len;
        let end = text.end + expected.close.len;
        let fits = self.state == State::Content
            && len <= self.limits.token
            && self.open.len() < self.limits.depth
            && self.entry_may_end(end);
        if !fits || !self.is_clean(text.clone()) {
            return None;
        }
        self.start = self.pos + expected.gap;
        self.pos = end;
        Some(text)
    }

    /// Reads the expected start tag, if it comes next; its attributes' values are then in [`values`](Self::values). An
    /// empty element is read whole: its end is no token of its own.
    #[inline]
    pub(crate) fn expected_start(&mut self, expected: &ExpectedStart) -> bool {
        if !expected.open.starts(self.ahead(self.pos))
            || self.state != State::Content
            || self.open.len() >= self.limits.depth
        {
            return false;
        }
        self.values.clear();
        let mut end = self.pos + expected.open.len;
        for (quote, after) in &expected.attributes {
            let bytes = self.ahead(end);
            let Some(len) = value_len(bytes, *quote) else {
                return false;
            };
            let value = end..end + len;
            if !after.starts(bytes.get(len..).unwrap_or_default()) || !self.is_clean(value.clone()) {
                return false;
            }
            end = value.end + after.len;
            self.values.push(value);
        }
        let start = self.pos + expected.gap;
        if end - start > self.limits.token || !self.entry_may_end(end) {
            return false;
        }
        self.start = start;
        self.pos = end;
        self.attributes.clear();
        if !expected.empty {
            self.open.push(self.open_names.len());
            self.open_names.push_str(&expected.name);
        }
        true
    }

    /// Where the values of the attributes are of the start tag that was expected and read last.
    pub(crate) fn values(&self) -> &[Span] {
        &self.values
    }

    /// Reads the expected end tag, if it comes next: that of the element that is open.
    #[inline]
    pub(crate) fn expected_end(&mut self, expected: &ExpectedEnd) -> bool {
        if !expected.tag.starts(self.ahead(self.pos)) {
            return false;
        }
        let Some(&open) = self.open.last() else {
            return false;
        };
        let end = self.pos + expected.tag.len;
        if self.state != State::Content
            || self.open_names.get(open..) != Some(&*expected.name)
            || !self.entry_may_end(end)
        {
            return false;
        }
        self.start = self.pos + expected.gap;
        self.pos = end;
        self.close();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_compared_whole() {
        let tag = Pattern::new("<changefreq>");
        assert!(tag.starts(b"<changefreq>weekly<"));
        assert!(!tag.starts(b"<changefrec>weekly<"));
        assert!(!tag.starts(b"<changefreq weekly<"));
        assert!(!tag.starts(b"<changefreq>wee"), "too short to tell");
        assert!(Pattern::new("").starts(b"0123456789abcdef"));
        let text = "0123456789abcdefghijklmnopqrstuvwxyz";
        for len in 0..text.len() {
            let pattern = Pattern::new(&text[..len]);
            assert!(pattern.starts(text.as_bytes()), "{len}");
            for at in 0..text.len() {
                let mut other = text.as_bytes().to_vec();
                other[at] ^= 0x40;
                assert_eq!(pattern.starts(&other), at >= len, "{at} of {len}");
                assert_eq!(
                    pattern.starts(&text.as_bytes()[..at]),
                    at >= len.max(16),
                    "{len} of {at}"
                );
            }
        }
    }

    #[test]
    fn a_value_ends_where_it_ends() {
        for len in 0..40 {
            for at in 0..len {
                for b in 0..=255u8 {
                    let mut text = vec![b'x'; len + 8];
                    (text[at], text[len]) = (b, b'"');
                    let expected = match b {
                        b'"' => Some(at),
                        b'<' | 0..0x20 => None,
                        _ => Some(len),
                    };
                    assert_eq!(value_len(&text, b'"'), expected, "{b} at {at} of {len}");
                }
            }
        }
        assert_eq!(value_len(b"1234567\"", b'"'), Some(7));
        assert_eq!(value_len(b"123456\"", b'"'), None, "too short to tell");
    }
}
