//! Start tags that were read before, prepared for fast comparison.

use crate::schema::Name;
use crate::xml::chars::is_space;
use crate::xml::names;
use crate::xml::scanner::{Cursor, Scanner, Span};
use crate::xml::source::Window;

use super::pattern::Pattern;
use super::quote::find_quote;

/// The text of a start tag around its attribute values, in a namespace scope.
///
/// Its names have been checked, and have the same meaning anywhere in that scope. Attributes in another order, and with other white
/// space or quotes, are another tag.
#[derive(Debug)]
pub(super) struct KnownTag {
    /// Its text, with a zero for each value.
    text: Box<str>,
    /// The number of the namespace scope around it.
    pub(super) scope: u64,
    pub(super) name: Box<str>,
    /// The element's name; `None` in an unknown namespace.
    pub(super) element: Option<Name>,
    /// `true` if the element is in the core namespace but not in the schema.
    pub(super) is_unknown: bool,
    /// The text up to the first value, or to the end.
    pub(super) beginning: Pattern,
    pub(super) values: Box<[KnownValue]>,
    /// The prefixes that it declares, and their URIs, which are part of the text.
    pub(super) declarations: Box<[(Box<str>, Box<str>)]>,
    pub(super) is_empty: bool,
    /// The end tag in its last form.
    pub(super) end: Pattern,
    /// `</name`
    close: Pattern,
}

/// The value of an attribute in a known tag.
#[derive(Debug)]
pub(super) struct KnownValue {
    /// The attribute's name; `None` if it is not read.
    pub(super) name: Option<Name>,
    pub(super) quote: u8,
    /// The text up to the next value, or to the end of the tag.
    pub(super) after: Pattern,
}

impl KnownTag {
    /// The maximum number of values of a tag.
    const MOST: usize = 24;

    /// The start tag that was the scanner's last token, with its name at `name`, in the scope `outer` around it. `None` if it must be
    /// read token by token. `attribute` finds the name of an attribute.
    pub(super) fn new<S: Window>(
        scanner: &Scanner<S>,
        outer: u64,
        name: &Span,
        mut attribute: impl FnMut(&str) -> Option<Name>,
    ) -> Option<Self> {
        let (mut values, mut declarations, mut pieces) = (Vec::new(), Vec::new(), Vec::new());
        let Span { mut start, end } = scanner.token();
        for (name, value) in scanner.known_attributes(name)? {
            let (prefix, local) = names::split(scanner.text(name.clone()));
            let declared = match (prefix, local) {
                ("", "xmlns") => "",
                ("xmlns", local) => local,
                ("" | "xml", _) => {
                    let quote = *scanner.text(value.end..value.end + 1).as_bytes().first()?;
                    values.push((attribute(scanner.text(name.clone())), quote));
                    pieces.push(scanner.text(start..value.start));
                    start = value.end;
                    continue;
                }
                _ => return None,
            };
            let uri = scanner.text(value.clone());
            // URIs that need resolving are left to the scanner.
            if !uri.bytes().all(|b| b > b' ' && b != b'&') {
                return None;
            }
            declarations.push((declared.into(), uri.into()));
        }
        pieces.push(scanner.text(start..end));
        if values.len() > Self::MOST {
            return None;
        }
        let name = scanner.text(name.clone());
        let mut patterns = pieces.iter().map(|piece| Pattern::new(piece.as_bytes()));
        Some(KnownTag {
            text: pieces.join("\0").into(),
            scope: outer,
            name: name.into(),
            element: None,
            is_unknown: false,
            beginning: patterns.next()?,
            values: values
                .into_iter()
                .zip(patterns)
                .map(|((name, quote), after)| KnownValue { name, quote, after })
                .collect(),
            declarations: declarations.into(),
            is_empty: pieces.last()?.ends_with("/>"),
            end: Pattern::new(format!("</{name}>").as_bytes()),
            close: Pattern::new(format!("</{name}").as_bytes()),
        })
    }

    /// Returns `true` if it is the same text in the same scope.
    pub(super) fn is_like(&self, other: &KnownTag) -> bool {
        self.scope == other.scope && self.text == other.text
    }

    /// Returns `true` if it has neither attributes nor declarations, and is not an empty-element tag.
    pub(super) fn is_bare(&self) -> bool {
        self.values.is_empty() && self.declarations.is_empty() && !self.is_empty
    }

    /// Returns `true` if it means the same here, if its text comes next, and one more element may be open.
    #[inline]
    pub(super) fn can_be_here(&self, cursor: &Cursor<'_>) -> bool {
        self.scope == cursor.scope() && cursor.can_open()
    }

    /// Returns `true` if a tag begins like it at offset `at`, and means the same.
    #[inline]
    pub(super) fn begins_at(&self, cursor: &Cursor<'_>, at: usize) -> bool {
        self.beginning.starts(cursor.from(at)) && self.can_be_here(cursor)
    }

    /// The end of its end tag at offset `at`; `None` if that is something else.
    #[inline]
    pub(super) fn end_at(&self, cursor: &Cursor<'_>, at: usize) -> Option<usize> {
        if self.end.starts(cursor.from(at)) {
            return Some(at + self.end.len());
        }
        self.other_end_at(cursor, at)
    }

    #[inline(never)]
    fn other_end_at(&self, cursor: &Cursor<'_>, at: usize) -> Option<usize> {
        let rest = cursor.from(at);
        if !self.close.starts(rest) {
            return None;
        }
        let rest = rest.get(self.close.len()..)?;
        let space = rest.iter().take_while(|b| is_space(**b)).count();
        let len = self.close.len() + space;
        (rest.get(space) == Some(&b'>') && len <= cursor.most()).then_some(at + len + 1)
    }
}

impl KnownTag {
    /// Reads the attribute values of the tag, whose text up to `from` was compared. Calls `push` with each attribute's name, its range,
    /// and `true` if it may need resolving. Returns the end of the tag; `None` if its text differs, or `push` gives up.
    #[inline(always)]
    pub(super) fn read_values(
        &self,
        cursor: &Cursor<'_>,
        from: usize,
        mut push: impl FnMut(Option<Name>, Span, bool) -> Option<()>,
    ) -> Option<usize> {
        let mut at = from;
        for value in &self.values {
            let (len, is_special) = find_quote(cursor.from(at), value.quote)?;
            let end = at + len;
            if !value.after.starts(cursor.from(end)) {
                return None;
            }
            push(value.name, at..end, is_special)?;
            at = end + value.after.len();
        }
        Some(at)
    }
}
