//! The names of a site's resources.

use super::key_address::{from_address, to_address};
use crate::key::Key;
use crate::source::Span;

/// The longest name of a part, in bytes.
pub(crate) const MAX_NAME: usize = 200;

/// `sitemap-products.xml` has every row, `sitemap-products.~10000.xml` those up to 10000, `sitemap-products.10000~20000.xml` those above
/// 10000 and up to 20000, `sitemap-products.20000~.xml` those above 20000.
pub(crate) fn part_name(section: &str, span: &Span) -> String {
    match (&span.after, &span.to) {
        (None, None) => format!("sitemap-{section}.xml"),
        (after, to) => {
            let bound = |key: Option<&Key>| key.map(to_address).unwrap_or_default();
            format!(
                "sitemap-{section}.{}~{}.xml",
                bound(after.as_ref()),
                bound(to.as_ref())
            )
        }
    }
}

/// The section and range that a name says; `None` for every other spelling of it.
pub(crate) fn parse_part_name(name: &str) -> Option<(&str, Span)> {
    if name.len() > MAX_NAME {
        return None;
    }
    let part = name.strip_prefix("sitemap-")?.strip_suffix(".xml")?;
    let Some((section, range)) = part.split_once('.') else {
        return Some((part, Span::ALL));
    };
    let (after, to) = range.split_once('~')?;
    let bound = |text: &str| match text {
        "" => Some(None),
        key => from_address(key).map(Some),
    };
    let span = Span {
        after: bound(after)?,
        to: bound(to)?,
    };
    (part_name(section, &span) == name).then_some((section, span))
}

/// Whether a section may be called so: letters, digits, `-` and `_`, at most 60 of them.
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
            assert_eq!(parse_part_name(name), Some(("a-b", span)), "{name}");
        }
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
            assert_eq!(parse_part_name(name), None, "{name}");
        }
        assert_eq!(parse_part_name(&format!("sitemap-{}.xml", "a".repeat(200))), None);
    }
}
