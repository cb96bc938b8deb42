//! Matching a loc with a template: finds the values of the placeholders.
//!
//! **Reading templates**. A loc is split by a template without backtracking. The value of a `{name}` holds no reserved character, so a text
//! with one, such as a `/`, divides the template into groups. The order and the direction of the search for the texts between placeholders
//! are known at compile time: first the groups, then the placeholders of each group, which numbers keep apart. One placeholder may be a
//! `{+name}`. An ambiguous template does not compile. Number types are recognised by name, since a macro sees only tokens. The variants of
//! an enum are tried in order; only if the loc does not match is the next variant tried.

use std::borrow::Cow;
use std::fmt::Display;

use sitemap_values::quote::quote;

use crate::entry::EntryReader;
use crate::error::{Error, Mismatch, Result};

/// A template that the derive has found to be unambiguous.
#[derive(Clone, Copy, Debug)]
pub struct Template<'t> {
    /// The template as written in the attribute.
    pub text: &'t str,
    /// The literal before the first placeholder.
    pub start: &'t str,
    /// The placeholders.
    pub values: &'t [TemplateValue<'t>],
    /// The literals between the placeholders, in the order of the search.
    pub cuts: &'t [Cut],
}

/// A step of splitting a loc: finds the literal between two placeholders in the rest of the loc.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// The index of the placeholder before the literal.
    pub after: usize,
    /// `true` if its last occurrence counts, not its first.
    pub last: bool,
}

/// A placeholder.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, which the derive writes as a constant"
)]
pub struct TemplateValue<'t> {
    /// The placeholder as written in the attribute, braces included.
    pub written: &'t str,
    /// `true` if it may contain any character of a URL: `{+name}`.
    pub reserved: bool,
    /// `true` if its value may be empty: `{name?}`.
    pub optional: bool,
    /// `true` if it is a whole segment of the path that may not be empty.
    pub filled: bool,
    /// `true` if it is a signed number, which may begin with `-`, although a `-` ends it.
    pub signed: bool,
    /// The literal after the placeholder.
    pub then: &'t str,
    /// The origin of its value.
    pub of: ValueOf,
}

/// The origin of a placeholder's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueOf {
    /// The row: the value is the same in all of its entries.
    Row,
    /// The entry's language.
    Language,
    /// The value paired with the entry's language.
    Translation,
}

impl Template<'_> {
    /// The values of the `N` placeholders, percent-encoded as in the loc.
    pub fn find<'r, const N: usize>(&self, entry: &EntryReader<'r>) -> Result<[&'r str; N]> {
        let loc = entry.checked_loc()?;
        match self.find_in(entry, loc)? {
            Ok(values) => Ok(values),
            Err(what) => Err(entry.mismatch(format_args!(
                "{} does not match the template `{}`: {what}; an enum with a variant for each kind of page reads them all",
                quote(loc),
                self.text
            ))),
        }
    }

    /// Splits like [`split`](Self::split), but another URL; the inner error explains the mismatch.
    pub(super) fn find_in<'r, const N: usize>(
        &self,
        entry: &EntryReader<'_>,
        url: &'r str,
    ) -> Result<Result<[&'r str; N], String>> {
        let mut values = [""; N];
        let found = if self.is_absolute() {
            self.split_encoded(entry, "it", url, &mut values)
        } else {
            match (entry.path_in(url)?, entry.own_base()) {
                (Some(path), _) => self.split_encoded(entry, "its path", path, &mut values),
                (None, Some(base)) => Err(format!("it is not under the type's base, `{base}`")),
                (None, None) => Err("it is not under the reader's base".to_owned()),
            }
        };
        Ok(found.map(|()| values))
    }

    /// Like [`split`](Self::split), with the template's text in the encoding of the server's URLs.
    fn split_encoded<'r>(
        &self,
        entry: &EntryReader<'_>,
        what: &str,
        text: &'r str,
        values: &mut [&'r str],
    ) -> Result<(), String> {
        let Some(rules) = entry.own_encoding().filter(|_| !self.text.is_ascii()) else {
            return self.split(what, text, values);
        };
        let encoded = |text| rules.encoded(text).map_or(Cow::Borrowed(text), Cow::Owned);
        let start = encoded(self.start);
        let then: Vec<Cow<'_, str>> = self.values.iter().map(|slot| encoded(slot.then)).collect();
        let slots = self.values.iter().zip(&then);
        let slots: Vec<TemplateValue<'_>> = slots
            .map(|(slot, then)| TemplateValue { then, ..*slot })
            .collect();
        let encoded = Template {
            start: &start,
            values: &slots,
            ..*self
        };
        if encoded.split(what, text, values).is_ok() {
            return Ok(());
        }
        // Unencoded characters are unencoded in the template too, so the error quotes the template.
        self.split(what, text, values).and_then(|()| {
            if text.is_ascii() {
                let encoding = rules.encoding();
                return Err(format!(
                    "{what} is percent-encoded as UTF-8, and the server's encoding is {encoding}"
                ));
            }
            Ok(())
        })
    }

    /// Returns `true` if the template is an absolute URL, not a path.
    fn is_absolute(&self) -> bool {
        self.start.starts_with("http") || (self.start.is_empty() && !self.values.is_empty())
    }

    /// Finds the values, or returns what does not match. `what` is the name of the text in messages.
    fn split<'r>(&self, what: &str, text: &'r str, values: &mut [&'r str]) -> Result<(), String> {
        let start = strip_start(text, self.start);
        let Some(last) = self.values.last() else {
            return match start {
                Some("") => Ok(()),
                _ => Err(format!("{what} is {}", quote(text))),
            };
        };
        let rest = start.ok_or_else(|| format!("{what} does not begin with {}", quote(self.start)))?;
        let rest = strip_end(rest, last.then)
            .ok_or_else(|| format!("{what} does not end with {}", quote(last.then)))?;
        let missing = |slot: &TemplateValue<'_>, rest: &str| {
            let (then, rest) = (quote(slot.then), quote(rest));
            format!("{then} must come after `{}`, and {rest} has none", slot.written)
        };
        if let Some(first) = values.first_mut() {
            *first = rest;
        }
        for (i, &Cut { after, last }) in self.cuts.iter().enumerate() {
            // The placeholders that have not been cut from this one are in its text.
            let starts = self.cuts.iter().take(i).map(|cut| cut.after + 1);
            let first = starts.filter(|start| *start <= after).max().unwrap_or(0);
            let (Some(slot), Some(text)) = (self.values.get(after), values.get(first).copied()) else {
                continue;
            };
            let sign = usize::from(slot.signed && first == after && text.starts_with('-'));
            let mut found = places(text, slot.then).filter(|&(start, _)| start >= sign);
            let found = if last { found.last() } else { found.next() };
            let (start, end) = found.ok_or_else(|| missing(slot, text))?;
            if let Some(value) = values.get_mut(first) {
                *value = text.get(..start).unwrap_or_default();
            }
            if let Some(value) = values.get_mut(after + 1) {
                *value = text.get(end..).unwrap_or_default();
            }
        }
        for (slot, value) in self.values.iter().zip(&*values) {
            if slot.filled && value.is_empty() && !is_after_path(text, value) {
                return Err(format!("`{}` is empty in it", slot.written));
            }
            if let (false, Some(c)) = (slot.reserved, value.find(['/', '?', '#'])) {
                let (written, c, value) = (slot.written, &value[c..=c], quote(value));
                return Err(format!("`{written}` holds no `{c}`, and {value} does"));
            }
        }
        Ok(())
    }
}

/// The error for a text that does not fit its placeholder.
#[cold]
pub(super) fn no_value(entry: &EntryReader<'_>, written: &str, text: &str, why: &dyn Display) -> Error {
    let error = Error::custom(format_args!(
        "{} is not a value of `{written}`: {why}",
        quote(text)
    ));
    entry.in_field(crate::schema::LOC, error.mismatch(Mismatch::Value))
}

/// Returns `true` if a part of a URL is in its query or fragment, where an empty segment is no other page: the value of a `{+name}` before it
/// may have begun one.
fn is_after_path(url: &str, part: &str) -> bool {
    let at = (part.as_ptr() as usize).checked_sub(url.as_ptr() as usize);
    let before = at.and_then(|at| url.get(..at));
    before.is_some_and(|before| before.contains(['?', '#']))
}

/// The part of `text` after `start`; scheme and host match in any case (RFC 3986 section 6.2.2.1).
fn strip_start<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    let host = start.find("://").map_or(0, |scheme| {
        let host = scheme + 3;
        start[host..]
            .find(['/', '?', '#'])
            .map_or(start.len(), |end| host + end)
    });
    let (front, rest) = text.split_at_checked(host)?;
    if !front.eq_ignore_ascii_case(&start[..host]) {
        return None;
    }
    rest.get(literal_at(rest, &start[host..])?..)
}

fn strip_end<'a>(text: &'a str, end: &str) -> Option<&'a str> {
    let before = units(text).count().checked_sub(units(end).count())?;
    let at = units(text).nth(before).map_or(text.len(), |unit| unit.at);
    let (rest, last) = text.split_at_checked(at)?;
    (literal_at(last, end)? == last.len()).then_some(rest)
}

/// All occurrences of `literal`, as ranges.
fn places(text: &str, literal: &str) -> impl Iterator<Item = (usize, usize)> {
    units(text).filter_map(move |unit| {
        let rest = text.get(unit.at..)?;
        Some((unit.at, unit.at + literal_at(rest, literal)?))
    })
}

/// The length of `literal` at the beginning of `text`, if it is there.
fn literal_at(text: &str, literal: &str) -> Option<usize> {
    let mut found = units(text);
    for expected in units(literal) {
        if !found.next()?.is(&expected) {
            return None;
        }
    }
    Some(found.next().map_or(text.len(), |next| next.at))
}

/// A byte of a URL, written as a character or as a triplet.
struct Unit {
    byte: u8,
    /// A triplet of a reserved character such as `/`, which differs from the character itself (RFC 3986 section 2.2).
    kept: bool,
    /// Where it begins.
    at: usize,
}

impl Unit {
    /// Returns `true` if both are equivalent: `%41` is `A` and `%c3` is `%C3`, but `%2F` is not `/` (RFC 3986 section
    /// 6.2.2).
    fn is(&self, other: &Unit) -> bool {
        self.byte == other.byte && self.kept == other.kept
    }
}

fn units(text: &str) -> impl Iterator<Item = Unit> {
    let bytes = text.as_bytes();
    let mut next = 0;
    std::iter::from_fn(move || {
        let at = next;
        let triplet = match bytes.get(at..)? {
            [b'%', high, low, ..] => hex(*high).zip(hex(*low)),
            _ => None,
        };
        let byte = *bytes.get(at)?;
        let (length, byte, kept) = match triplet {
            None => (1, byte, false),
            Some((high, low)) => {
                let byte = high << 4 | low;
                (3, byte, b":/?#@!$&'()*+,;=%".contains(&byte))
            }
        };
        next += length;
        Some(Unit { byte, kept, at })
    })
}

fn hex(digit: u8) -> Option<u8> {
    let digit = char::from(digit).to_digit(16)?;
    u8::try_from(digit).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn slot(written: &'static str, then: &'static str) -> TemplateValue<'static> {
        TemplateValue {
            written,
            reserved: false,
            optional: false,
            filled: false,
            signed: false,
            then,
            of: ValueOf::Row,
        }
    }

    fn split<'r, const N: usize>(
        start: &'static str,
        slots: &'static [TemplateValue<'static>],
        cuts: &'static [Cut],
        text: &'r str,
    ) -> Result<[&'r str; N], String> {
        let template = Template {
            text: "",
            start,
            values: slots,
            cuts,
        };
        let mut values = [""; N];
        template.split("it", text, &mut values).map(|()| values)
    }

    #[test]
    fn text_matches_as_urls_do() {
        for (text, start, rest) in [
            ("/a/b", "/a/", Some("b")),
            ("/a", "/a/", None),
            ("/%61/b", "/a/", Some("b")),
            ("/a/b", "/%61/", Some("b")),
            ("/a%2Fb", "/a/", None),
            ("/a/b", "/a%2Fb", None),
            ("/a%2fb", "/a%2Fb", Some("")),
            ("/%E3%82%b5x", "/サ", Some("x")),
            ("/サx", "/%e3%82%B5", Some("x")),
            ("/サx", "/サ", Some("x")),
            ("/[x]", "/%5Bx%5D", Some("")),
            ("/100%", "/100%", Some("")),
            ("HTTPS://Example.com/A", "https://example.com/A", Some("")),
            ("https://example.com/A", "https://example.com/a", None),
            ("https://example.com", "https://example.com/", None),
            ("é", "https://", None),
        ] {
            assert_eq!(strip_start(text, start), rest, "{text} {start}");
        }
        assert_eq!(strip_end("a%2Fb", "Fb"), None);
        assert_eq!(strip_end("a%2Fb", "b"), Some("a%2F"));
        assert_eq!(strip_end("サイト", "イト"), Some("サ"));
        assert_eq!(strip_end("b", "ab"), None);
        assert_eq!(places("a%2F2Fb2F", "2F").collect::<Vec<_>>(), [(4, 6), (7, 9)]);
        assert_eq!(places("aサa", "a").collect::<Vec<_>>(), [(0, 1), (4, 5)]);
    }

    #[test]
    fn placeholders_end_where_they_must() {
        const FIRST: Cut = Cut {
            after: 0,
            last: false,
        };
        const BACKWARDS: &[Cut] = &[Cut { after: 1, last: true }, Cut { after: 0, last: true }];
        const PAIR: &[TemplateValue<'_>] = &[slot("{a}", "/"), slot("{b}", ".html")];
        const PATH: &[TemplateValue<'_>] = &[
            TemplateValue {
                reserved: true,
                ..slot("{+a}", "/")
            },
            slot("{b}", "?p="),
            slot("{c}", ""),
        ];
        const NUMBER: &[TemplateValue<'_>] = &[
            TemplateValue {
                signed: true,
                ..slot("{a}", "-")
            },
            slot("{b}", ""),
        ];

        assert_eq!(split("/", PAIR, &[FIRST], "/x/y.html"), Ok(["x", "y"]));
        assert_eq!(split("/", PAIR, &[FIRST], "//.html"), Ok(["", ""]));
        assert_eq!(split("/", PAIR, &[FIRST], "/x/y.html.html"), Ok(["x", "y.html"]));
        let refused = |text| split::<2>("/a/", PAIR, &[FIRST], text).unwrap_err();
        assert_eq!(refused("/b/x/y.html"), "it does not begin with `/a/`");
        assert_eq!(refused("/a/x/y"), "it does not end with `.html`");
        assert_eq!(
            refused("/a/x.html"),
            "`/` must come after `{a}`, and `x` has none"
        );
        assert_eq!(refused("/a/x/y/z.html"), "`{b}` holds no `/`, and `y/z` does");

        assert_eq!(split("/", PATH, BACKWARDS, "/x/y/z?p=1"), Ok(["x/y", "z", "1"]));
        assert_eq!(
            split("/", PATH, BACKWARDS, "/x?p=1/z?p=2"),
            Ok(["x?p=1", "z", "2"])
        );

        assert_eq!(split("/", NUMBER, &[FIRST], "/5-x-y"), Ok(["5", "x-y"]));
        assert_eq!(split("/", NUMBER, &[FIRST], "/-5--x"), Ok(["-5", "-x"]));
        assert!(split::<2>("/", NUMBER, &[FIRST], "/-").is_err());
    }

    #[test]
    fn a_template_without_placeholders() {
        assert_eq!(split::<0>("/about", &[], &[], "/about"), Ok([]));
        assert_eq!(
            split::<0>("/about", &[], &[], "/about/us"),
            Err("it is `/about/us`".to_owned())
        );
    }
}
