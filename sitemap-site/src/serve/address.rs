//! The names of a site's resources.
//!
//! **A part is a range of keys, and its address contains both ends**, so that instances need not share state. The table of parts only
//! determines which ranges are listed; the last one has no end. An end whose key has a long address is a hash: parts seldom end so, and
//! only a table that has the part knows its range. Work on a section's table is serial (`Section::upkeep`), and after a
//! failure it resumes from there.

use std::borrow::Cow;
use std::sync::Arc;

use super::key_address::{from_address, is_hashed, to_address, to_end};
use super::opaque::Opaque;
use crate::key::Key;
use crate::source::Span;

/// The longest name of a part, in bytes.
pub(crate) const MAX_NAME: usize = 200;

/// The form of the key range's ends in a part's name: readable, or an encrypted token.
#[derive(Clone, Debug, Default)]
pub(crate) struct Addresses(Option<Arc<Opaque>>);

impl Addresses {
    pub(crate) fn opaque(secret: &[u8]) -> Self {
        Addresses(Some(Arc::new(Opaque::new(secret))))
    }

    /// The name of the part of a range. An opaque name is `sitemap-products.TOKEN.xml`; the part with all rows always has a readable name.
    pub(crate) fn part_name(&self, section: &str, span: &Span) -> String {
        match &self.0 {
            Some(opaque) if *span != Span::ALL => {
                format!(
                    "sitemap-{section}.{}.xml",
                    opaque.seal(section, &range(span, to_end))
                )
            }
            _ => part_name(section, span),
        }
    }

    /// The name of the list of the rows after a key, for people. Its key is in no table, and never hashed.
    pub(crate) fn list_name(&self, section: &str, span: &Span) -> String {
        match &self.0 {
            Some(opaque) if *span != Span::ALL => {
                format!(
                    "sitemap-{section}.{}.html",
                    opaque.seal(section, &range(span, to_address))
                )
            }
            _ => list_name(section, span),
        }
    }

    /// Parses a name as section and range; `None` if it is not a name of that range. `resolve` returns the key of a hashed end of a section.
    pub(crate) fn parse<'n>(
        &self,
        name: &'n str,
        resolve: impl Fn(&str, &str) -> Option<Key>,
    ) -> Option<(&'n str, Parsed)> {
        if name.len() > MAX_NAME {
            return None;
        }
        let part = name.strip_prefix("sitemap-")?.strip_suffix(".xml")?;
        let Some((section, range)) = part.split_once('.') else {
            return Some((part, Parsed::Span(Span::ALL)));
        };
        let opened = match &self.0 {
            Some(opaque) => &opaque.open(section, range)?,
            None => range,
        };
        Some((section, parse_range(opened, |end| resolve(section, end))?))
    }
}

/// The range of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Parsed {
    Span(Span),
    /// An end is the hash of an unknown key.
    Unknown,
}

/// `sitemap-products.xml` has all rows, `sitemap-products.~10000.xml` the rows up to 10000, `sitemap-products.10000~20000.xml` those above
/// 10000 up to 20000, `sitemap-products.20000~.xml` those above 20000.
pub(crate) fn part_name(section: &str, span: &Span) -> String {
    match (&span.after, &span.to) {
        (None, None) => format!("sitemap-{section}.xml"),
        _ => format!("sitemap-{section}.{}.xml", range(span, to_end)),
    }
}

/// The name of the list of the rows after a key, which is in no table: never a hash.
pub(crate) fn list_name(section: &str, span: &Span) -> String {
    match &span.after {
        None => format!("sitemap-{section}.html"),
        Some(_) => format!("sitemap-{section}.{}.html", range(span, to_address)),
    }
}

/// `10000~20000`
fn range(span: &Span, address: fn(&Key) -> String) -> String {
    let bound = |key: Option<&Key>| key.map(address).unwrap_or_default();
    format!("{}~{}", bound(span.after.as_ref()), bound(span.to.as_ref()))
}

/// Each end has one address, or two if it is long: one as a page of links for people may have it, and a hash.
fn parse_range(range: &str, resolve: impl Fn(&str) -> Option<Key>) -> Option<Parsed> {
    let (after, to) = range.split_once('~')?;
    let mut is_known = true;
    let mut bound = |text: &str| match text {
        "" => Some(None),
        hash if is_hashed(hash) => {
            let key = resolve(hash);
            is_known &= key.is_some();
            Some(key)
        }
        key => from_address(key).map(Some),
    };
    let (after, to) = (bound(after)?, bound(to)?);
    if !is_known {
        return Some(Parsed::Unknown);
    }
    let span = Span { after, to };
    // `sitemap-products.xml` is the name of all rows.
    (span != Span::ALL).then_some(Parsed::Span(span))
}

/// Decodes the characters that mean the same with and without percent-encoding (RFC 3986 section 6.2.2.2): `%7E` is `~`.
pub(super) fn decode_unreserved(name: &str) -> Cow<'_, str> {
    let Some((before, mut rest)) = name.split_once('%') else {
        return Cow::Borrowed(name);
    };
    let mut decoded = before.to_owned();
    loop {
        let character = rest
            .get(..2)
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match character.filter(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(byte)) {
            Some(byte) => {
                decoded.push(char::from(byte));
                rest = rest.get(2..).unwrap_or_default();
            }
            None => decoded.push('%'),
        }
        let Some((before, after)) = rest.split_once('%') else {
            decoded.push_str(rest);
            return Cow::Owned(decoded);
        };
        decoded.push_str(before);
        rest = after;
    }
}

/// Returns `true` if a section's name is valid: 1 to 60 letters, digits, `-` or `_`.
pub(crate) fn is_section_name(name: &str) -> bool {
    (1..=60).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreserved_characters_need_no_percent_encoding() {
        for (name, decoded) in [
            ("a~b", "a~b"),
            ("a%7Eb", "a~b"),
            ("%7e%2D%2e%5F%41", "~-._A"),
            // Others change the path: a slash, a percent sign, an invalid character.
            ("a%2Fb%257E%", "a%2Fb%257E%"),
            ("%7", "%7"),
            ("%+7%é", "%+7%é"),
        ] {
            assert_eq!(decode_unreserved(name), decoded, "{name}");
        }
    }

    fn parse(name: &str) -> Option<(&str, Parsed)> {
        Addresses::default().parse(name, |_, _| None)
    }

    #[test]
    fn a_hashed_end_is_resolved() {
        let long = Key::from("ж".repeat(50));
        for addresses in [Addresses::default(), Addresses::opaque(b"a secret of the site")] {
            for span in [
                Span::new(long.clone(), None),
                Span::new(Key::from(7), long.clone()),
            ] {
                let name = addresses.part_name("a", &span);
                assert!(name.len() <= MAX_NAME, "{name}");
                let resolve =
                    |section: &str, end: &str| (section == "a" && end == to_end(&long)).then(|| long.clone());
                assert_eq!(addresses.parse(&name, resolve), Some(("a", Parsed::Span(span))));
                assert_eq!(addresses.parse(&name, |_, _| None), Some(("a", Parsed::Unknown)));
            }
        }
    }

    #[test]
    fn names_say_both_ends() {
        let span = |after: Option<Key>, to: Option<Key>| Span { after, to };
        for (span, name) in [
            (Span::ALL, "sitemap-a-b.xml"),
            (span(None, Some(10_000.into())), "sitemap-a-b.~10000.xml"),
            (span(Some((-5).into()), Some(7.into())), "sitemap-a-b.-5~7.xml"),
            (span(Some(20_000.into()), None), "sitemap-a-b.20000~.xml"),
            (
                span(Some(("de", 1).into()), Some(("de", "x~y.z").into())),
                "sitemap-a-b.de.1~de.x_7Ey_2Ez.xml",
            ),
        ] {
            assert_eq!(part_name("a-b", &span), name);
            assert_eq!(parse(name), Some(("a-b", Parsed::Span(span))), "{name}");
        }
    }

    #[test]
    fn opaque_names_say_nothing_and_are_the_only_ones() {
        let addresses = Addresses::opaque(b"a secret of the site");
        let span = Span::new(Key::from(("alice@example.com", 7)), None);
        let name = addresses.part_name("users", &span);
        assert!(!name.contains("alice") && name.len() <= MAX_NAME, "{name}");
        let parse = |name: &str| {
            let (section, parsed) = addresses.parse(name, |_, _| None)?;
            Some((section.to_owned(), parsed))
        };
        assert_eq!(
            parse(&name),
            Some(("users".to_owned(), Parsed::Span(span.clone())))
        );
        assert_eq!(
            parse(&part_name("users", &span)),
            None,
            "a readable name is not accepted"
        );
        assert_eq!(parse(&name.replace("users", "pages")), None);
        assert_eq!(Addresses::default().parse(&name, |_, _| None), None);
        assert_eq!(addresses.part_name("users", &Span::ALL), "sitemap-users.xml");
        assert_eq!(
            parse("sitemap-users.xml"),
            Some(("users".to_owned(), Parsed::Span(Span::ALL)))
        );
    }

    #[test]
    fn every_other_spelling_is_no_name() {
        for name in [
            "",
            "sitemap.xml",
            "sitemap-a",
            "sitemap-a.xml.gz",
            "Sitemap-a.xml",
            "sitemap-a.~.xml",
            "sitemap-a..xml",
            "sitemap-a.1.xml",
            "sitemap-a.1~2~3.xml",
            "sitemap-a.1~02_.xml",
            "sitemap-a.+1~2.xml",
            "sitemap-a.%31~2.xml",
            "sitemap-a._41~B.xml",
        ] {
            assert_eq!(parse(name), None, "{name}");
        }
        let of_length = |length: usize| format!("sitemap-{}.xml", "a".repeat(length - "sitemap-.xml".len()));
        assert!(parse(&of_length(MAX_NAME)).is_some());
        assert_eq!(parse(&of_length(MAX_NAME + 1)), None);
    }
}
