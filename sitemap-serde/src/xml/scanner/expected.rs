//! The fast path of tags that were met before: they are compared whole, as they stood, with the white space in front of them.

use crate::limits::Limits;
use crate::xml::chars::is_space;
use crate::xml::names::Scope;
use crate::xml::source::Window;

use super::clean::Clean;
use super::leaf::{BLOCK, below, equal, find_tag, first_of};
use super::open::OpenNames;
use super::{Scanner, Span, State};

/// A text to be compared as numbers: its first sixteen bytes, of which those behind a shorter text do not count, and its
/// last sixteen, if it has more.
#[derive(Clone, Debug)]
struct Pattern {
    first: u128,
    mask: u128,
    last: u128,
    /// What is between them.
    middle: Box<[u8]>,
    len: usize,
}

impl Pattern {
    const STEP: usize = 16;

    fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut first = [0; Self::STEP];
        let mut mask = [0; Self::STEP];
        for (i, &b) in bytes.iter().take(Self::STEP).enumerate() {
            (first[i], mask[i]) = (b, 0xFF);
        }
        let last = bytes.last_chunk().copied().unwrap_or_default();
        let middle = Self::STEP..bytes.len().saturating_sub(Self::STEP);
        Pattern {
            first: u128::from_le_bytes(first),
            mask: u128::from_le_bytes(mask),
            last: u128::from_le_bytes(last),
            middle: bytes.get(middle).unwrap_or_default().into(),
            len: bytes.len(),
        }
    }

    /// Whether the bytes begin with it; not if there are too few bytes to tell.
    #[inline]
    fn starts(&self, bytes: &[u8]) -> bool {
        bytes
            .first_chunk()
            .is_some_and(|first| (u128::from_le_bytes(*first) ^ self.first) & self.mask == 0)
            && (self.len <= Self::STEP || self.ends(bytes))
    }

    /// The same for what is behind the first sixteen bytes.
    #[inline]
    fn ends(&self, bytes: &[u8]) -> bool {
        let last = bytes.get(..self.len).and_then(<[u8]>::last_chunk);
        last.is_some_and(|last| u128::from_le_bytes(*last) == self.last)
            && (self.middle.is_empty() || bytes[Self::STEP..].starts_with(&self.middle))
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
    let ends = |b| u8::from(b == quote) | u8::from(b == b'<') | u8::from(b < b' ');
    let marks = |word| equal(word, quote) | equal(word, b'<') | below(word, b' ');
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    for (i, block) in blocks.iter().enumerate() {
        if block.iter().fold(0, |found, &b| found | ends(b)) != 0 {
            let len = i * BLOCK + first_of(block, marks);
            return (bytes.get(len) == Some(&quote)).then_some(len);
        }
    }
    None
}

/// The window from the held text on, in which what is expected is read; all places are counted from there.
///
/// All of that was found to be in order when it was met, in the same scope of namespaces; what is left to be checked is what
/// differs from time to time. Where that is not as plain as it can be, nothing is read.
#[derive(Debug)]
pub(crate) struct Ahead<'s> {
    /// No more of it than the entry may have.
    text: &'s [u8],
    /// Where the last token starts, and where the next one does.
    start: usize,
    pos: usize,
    clean: Clean,
    limits: &'s Limits,
    open: &'s mut OpenNames,
    scope: &'s mut Scope,
    /// Where the values of the attributes are of the start tag that was read last.
    values: &'s mut Vec<Span>,
}

impl<S: Window> Scanner<S> {
    /// Reads what is expected. `None` where elements cannot be.
    #[inline]
    pub(crate) fn ahead<R>(&mut self, read: impl FnOnce(&mut Ahead<'_>) -> R) -> Option<R> {
        if self.state != State::Content {
            return None;
        }
        let held = self.held();
        let window = self.source.window().as_bytes();
        let end = held.saturating_add(self.limits.entry_bytes).min(window.len());
        let mut clean = self.clean;
        clean.move_back(held);
        let mut ahead = Ahead {
            text: window.get(held..end)?,
            start: self.start.checked_sub(held)?,
            pos: self.pos.checked_sub(held)?,
            clean,
            limits: &self.limits,
            open: &mut self.open,
            scope: &mut self.scope,
            values: &mut self.values,
        };
        let found = read(&mut ahead);
        let Ahead {
            start, pos, clean, ..
        } = ahead;
        self.start = held + start;
        self.pos = held + pos;
        self.clean = clean;
        self.clean.move_on(held);
        Some(found)
    }
}

impl<'s> Ahead<'s> {
    #[inline]
    fn from(&self, at: usize) -> &[u8] {
        self.text.get(at..).unwrap_or_default()
    }

    /// A piece of the text.
    #[inline]
    pub(crate) fn text(&self, span: Span) -> &[u8] {
        self.text.get(span).unwrap_or_default()
    }

    /// Where the last token is.
    #[inline]
    pub(crate) fn token(&self) -> Span {
        self.start..self.pos
    }

    /// Reads the expected leaf, if it comes next. Returns where its text starts, and the text.
    #[inline]
    pub(crate) fn leaf(&mut self, expected: &ExpectedLeaf) -> Option<(usize, &'s [u8])> {
        let bytes = self.text.get(self.pos..)?;
        if !expected.open.starts(bytes) {
            return None;
        }
        let bytes = bytes.get(expected.open.len..)?;
        let (text, rest) = bytes.split_at_checked(find_tag(bytes)?)?;
        if !expected.close.starts(rest) {
            return None;
        }
        let start = self.pos + expected.open.len;
        let end = start + text.len();
        let fits = text.len() <= self.limits.token && self.open.len() < self.limits.depth;
        if !fits || !self.clean.covers(self.text, start..end) {
            return None;
        }
        self.start = self.pos + expected.gap;
        self.pos = end + expected.close.len;
        Some((start, text))
    }

    /// Reads the expected start tag, if it comes next; its attributes' values are then in [`values`](Self::values). An
    /// empty element is read whole: its end is no token of its own.
    #[inline]
    pub(crate) fn start(&mut self, expected: &ExpectedStart) -> bool {
        if !expected.open.starts(self.from(self.pos)) || self.open.len() >= self.limits.depth {
            return false;
        }
        self.values.clear();
        let mut end = self.pos + expected.open.len;
        for (quote, after) in &expected.attributes {
            let bytes = self.from(end);
            let Some(len) = value_len(bytes, *quote) else {
                return false;
            };
            let value = end..end + len;
            if !after.starts(bytes.get(len..).unwrap_or_default())
                || !self.clean.covers(self.text, value.clone())
            {
                return false;
            }
            end = value.end + after.len;
            self.values.push(value);
        }
        let start = self.pos + expected.gap;
        if end - start > self.limits.token {
            return false;
        }
        self.start = start;
        self.pos = end;
        if !expected.empty {
            self.open.push(&expected.name);
        }
        true
    }

    /// Where the values of the attributes are of the start tag that was read last.
    #[inline]
    pub(crate) fn values(&self) -> &[Span] {
        self.values
    }

    /// Reads the expected end tag, if it comes next: that of the element that is open, which is not the root.
    #[inline]
    pub(crate) fn end(&mut self, expected: &ExpectedEnd) -> bool {
        if !expected.tag.starts(self.from(self.pos))
            || self.open.last() != Some(&*expected.name)
            || self.open.len() == 1
        {
            return false;
        }
        self.start = self.pos + expected.gap;
        self.pos += expected.tag.len;
        self.scope.leave(self.open.len());
        self.open.pop();
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::xml::names::Known;
    use crate::xml::source::SliceSource;

    use super::super::Token;
    use super::*;

    /// Reads with a scanner that has just read the last of the start tags, the first of which are the root's and the
    /// entry's, and says where it then stands in the rest.
    fn read<R>(
        tags: &[&str],
        rest: &str,
        limits: &Limits,
        read: impl FnOnce(&mut Ahead<'_>) -> R,
    ) -> (R, usize) {
        let tags_text = tags.concat();
        let xml = format!("{tags_text}{rest}{:64}", "");
        let mut scanner = Scanner::new(SliceSource::from_str(&xml), limits.clone(), Known::default());
        for i in 0..tags.len() {
            let token = scanner.next().expect("a start tag");
            assert!(matches!(token, Token::Start { .. }));
            if i == 1 {
                scanner.hold();
            }
        }
        let found = scanner.ahead(read).expect("elements can be here");
        (found, scanner.place() - tags_text.len())
    }

    const ENTRY: [&str; 2] = ["<r>", "<u>"];

    #[test]
    fn a_leaf_is_as_expected_or_not_read() {
        let leaf = ExpectedLeaf::new("\n ", "loc").unwrap();
        let read = |rest: &str, limits: &Limits| {
            let read_leaf = |ahead: &mut Ahead<'_>| {
                let (start, text) = ahead.leaf(&leaf)?;
                assert_eq!((start, ahead.token().start), (10, 5), "from the entry's start");
                Some(String::from_utf8(text.to_vec()).unwrap())
            };
            let (text, place) = read(&ENTRY, rest, limits, read_leaf);
            assert_eq!(place, if text.is_some() { rest.len() } else { 0 }, "{rest}");
            text
        };
        let limits = Limits::reading();
        for (value, is_read) in [
            ("x", true),
            ("", true),
            (" x\n\té ", true),
            ("a&amp;b", false),
            ("]", false),
            ("\u{1}", false),
            ("\r", false),
            ("\u{FFFF}", false),
            ("<b/>", false),
            ("</loc", false),
        ] {
            let text = read(&format!("\n <loc>{value}</loc>"), &limits);
            assert_eq!(text.as_deref(), is_read.then_some(value), "{value}");
        }
        for other in [
            "\n  <loc>x</loc>",
            "\n <log>x</loc>",
            "\n <loc>x</log>",
            "\n <loc>x</loc >",
        ] {
            assert_eq!(read(other, &limits), None, "{other}");
        }
        let rest = "\n <loc>12345</loc>";
        assert!(read(rest, &limits.clone().token_bytes(5)).is_some());
        assert!(read(rest, &limits.clone().token_bytes(4)).is_none());
        assert!(read(rest, &limits.clone().depth(3)).is_some());
        assert!(read(rest, &limits.clone().depth(2)).is_none());
        let end = "<u>".len() + rest.len();
        assert!(read(rest, &limits.clone().entry_bytes(end + 16)).is_some());
        assert!(read(rest, &limits.clone().entry_bytes(end - 1)).is_none());
    }

    #[test]
    fn a_start_tag_is_as_expected_or_not_read() {
        let tag = |x: &str, y: &str| format!("<a x=\"{x}\" y='{y}'/>");
        let start = ExpectedStart::new(" ", &tag("1", "2"), &[6..7, 12..13]).unwrap();
        let read = |rest: &str, limits: &Limits| {
            let read_start = |ahead: &mut Ahead<'_>| {
                ahead.start(&start).then(|| {
                    let value = |span: &Span| String::from_utf8(ahead.text(span.clone()).to_vec()).unwrap();
                    ahead.values().iter().map(value).collect::<Vec<_>>()
                })
            };
            let (values, place) = read(&ENTRY, rest, limits, read_start);
            assert_eq!(place, if values.is_some() { rest.len() } else { 0 }, "{rest}");
            values
        };
        let limits = Limits::reading();
        for (value, is_read) in [
            ("", true),
            ("é", true),
            (">", true),
            ("<", false),
            ("\u{1}", false),
            ("\n", false),
            ("\t", false),
            ("&lt;", false),
            ("\u{FFFF}", false),
        ] {
            for (x, y) in [(value, "y"), ("x", value)] {
                let values = read(&format!(" {}", tag(x, y)), &limits);
                let expected = is_read.then(|| vec![x.to_owned(), y.to_owned()]);
                assert_eq!(values, expected, "{x} {y}");
            }
        }
        for other in [
            "  <a x=\"1\" y='2'/>",
            " <b x=\"1\" y='2'/>",
            " <a y='2' x=\"1\"/>",
            " <a x=\"1\" x='2'/>",
            " <a x=\"1\" y=\"2\"/>",
            " <a x=\"1\"  y='2'/>",
            " <a x=\"1\" y='2'></a>",
        ] {
            assert_eq!(read(other, &limits), None, "{other}");
        }
        let rest = " <a x=\"1\" y='2'/>";
        let len = rest.len() - 1;
        assert!(read(rest, &limits.clone().token_bytes(len)).is_some());
        assert!(read(rest, &limits.clone().token_bytes(len - 1)).is_none());
        assert!(read(rest, &limits.clone().depth(3)).is_some());
        assert!(read(rest, &limits.clone().depth(2)).is_none());
        let end = "<u>".len() + rest.len();
        assert!(read(rest, &limits.clone().entry_bytes(end + 16)).is_some());
        assert!(read(rest, &limits.clone().entry_bytes(end - 1)).is_none());
    }

    #[test]
    fn an_end_tag_is_as_expected_or_not_read() {
        let end = ExpectedEnd::new("\n", "</u>").unwrap();
        let is_read = |tags: &[&str], rest: &str, limits: &Limits| {
            let (is_read, place) = read(tags, rest, limits, |ahead| ahead.end(&end));
            assert_eq!(place, if is_read { rest.len() } else { 0 }, "{rest}");
            is_read
        };
        let limits = Limits::reading();
        assert!(is_read(&ENTRY, "\n</u>", &limits));
        assert!(!is_read(&ENTRY, "\n</v>", &limits), "another's");
        assert!(!is_read(&ENTRY, "\n</u >", &limits));
        assert!(!is_read(&ENTRY, "</u>", &limits));
        assert!(
            !is_read(&["<r>", "<u>", "<v>"], "\n</u>", &limits),
            "not the open one's"
        );
        assert!(!is_read(&["<r>", "<u>", "<uu>"], "\n</u>", &limits));
        assert!(!is_read(&["<u>"], "\n</u>", &limits), "the root's");
        assert!(is_read(&ENTRY, "\n</u>", &limits.clone().entry_bytes(8 + 16)));
        assert!(!is_read(&ENTRY, "\n</u>", &limits.clone().entry_bytes(7)));
    }

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
                    let mut text = vec![b'x'; len + BLOCK];
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
        assert_eq!(value_len(b"123456789012345\"", b'"'), Some(15));
        assert_eq!(value_len(b"12345678901234\"", b'"'), None, "too short to tell");
    }
}
