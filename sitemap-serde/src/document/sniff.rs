//! Detecting the format of a document by its first bytes.

pub(crate) mod csv;

use std::fmt;

use crate::xml::chars::name_len;
use crate::xml::encoding::{self, Detected};
use crate::xml::names;

/// The number of bytes that are examined.
pub(crate) const HEAD: usize = 8 << 10;

/// The format of a document; see [`sniff`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// XML with the root `urlset`.
    #[default]
    UrlSet,
    /// XML with the root `sitemapindex`.
    SitemapIndex,
    /// RSS 2.0 or an earlier 0.9x, with the root `rss`.
    Rss,
    /// RSS 1.0 or 0.90, with the root `rdf:RDF`.
    Rdf,
    /// Atom 1.0 or 0.3, with the root `feed`.
    Atom,
    /// Text with one URL a line (P-TXT1).
    Text,
    /// A table in CSV: lines with a URL and other values each. It is not a sitemap.
    Csv,
    /// An HTML page.
    Html,
    /// XML with another root.
    Xml,
    /// Compressed by gzip; the format of the decompressed document is not known.
    Gzip,
    /// Empty, or only white space.
    Nothing,
    /// None of these.
    Unknown,
}

impl Format {
    /// The format's name: `urlset`, `sitemapindex`, `RSS`, `RDF`, `Atom`, `text`, `CSV`, `HTML`, `XML`, `gzip`, `nothing` or `unknown`.
    #[doc(hidden)]
    pub const fn as_str(self) -> &'static str {
        match self {
            Format::UrlSet => "urlset",
            Format::SitemapIndex => "sitemapindex",
            Format::Rss => "RSS",
            Format::Rdf => "RDF",
            Format::Atom => "Atom",
            Format::Text => "text",
            Format::Csv => "CSV",
            Format::Html => "HTML",
            Format::Xml => "XML",
            Format::Gzip => "gzip",
            Format::Nothing => "nothing",
            Format::Unknown => "unknown",
        }
    }

    /// Returns `true` if it is a feed: RSS of any version, or Atom.
    #[doc(hidden)]
    pub const fn is_feed(self) -> bool {
        matches!(self, Format::Rss | Format::Rdf | Format::Atom)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Detects the format of a document by its first 8 KiB. File names and `Content-Type` are not considered, since neither is reliable.
///
/// XML is recognized by its root, after a byte order mark, white space, comments, a DOCTYPE, or a warning printed by a program. A text is a
/// sitemap if its first line that is a URL or begins with `<` is a URL of http or https. A text whose lines are all URLs is a text sitemap,
/// since URLs may contain commas and semicolons. Other texts are [`Csv`](Format::Csv) if in at least three of four lines, or all but one, a
/// date, a change frequency or a URL follows the URL after a `,` or `;`, or if these lines contain only values of a sitemap. Cells that are
/// all empty or whole numbers count as parts of the URLs, unless a header line comes first.
///
/// ```
/// use sitemap_serde::format::{Format, sniff};
///
/// assert_eq!(sniff(b"<?xml version=\"1.0\"?>\n<!-- made by hand --><urlset>"), Format::UrlSet);
/// assert_eq!(sniff(b"https://example.com/\nhttps://example.com/about\n"), Format::Text);
/// assert_eq!(sniff(b"page,date\nhttps://example.com/,2026-05-01\n"), Format::Csv);
/// assert_eq!(sniff(b"<rss version=\"2.0\"><channel>"), Format::Rss);
/// assert_eq!(sniff(b"<!doctype html><title>Not found</title>"), Format::Html);
/// assert_eq!(sniff(&[0x1F, 0x8B, 8]), Format::Gzip);
/// assert_eq!(sniff(b" \n"), Format::Nothing);
/// ```
pub fn sniff(document: &[u8]) -> Format {
    let head = document.get(..HEAD).unwrap_or(document);
    if head.starts_with(&[0x1F, 0x8B]) {
        return Format::Gzip;
    }
    // Of UTF-16, the ASCII characters are enough to recognize a root or a URL.
    let wide = matches!(
        head,
        [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] | [0, b'<', ..] | [b'<', 0, ..]
    );
    let text = if wide {
        head.iter()
            .filter(|b| matches!(**b, 1..=0x7F))
            .map(|b| char::from(*b))
            .collect()
    } else {
        String::from_utf8_lossy(head).into_owned()
    };
    let text = text.trim_start_matches('\u{FEFF}');
    if text.trim().is_empty() {
        return if document.len() > HEAD {
            Format::Unknown
        } else {
            Format::Nothing
        };
    }
    if is_list(text) {
        return if csv::cells(text).is_some() {
            Format::Csv
        } else {
            Format::Text
        };
    }
    root(text).unwrap_or(Format::Unknown)
}

/// Returns `true` if a text sitemap begins like this whose lines would be rows of a table if a line above them named the columns.
#[doc(hidden)]
pub fn has_rows(start: &[u8]) -> bool {
    sniff(start) == Format::Text && sniff(&[b"loc\n", start].concat()) == Format::Csv
}

/// Returns `true` if a document that begins like this, in up to 1,024 bytes, is read as UTF-8.
#[doc(hidden)]
pub fn is_utf8(start: &[u8]) -> bool {
    matches!(encoding::detect(start), Detected::Utf8 { .. })
}

/// Returns `true` if a text that begins like this is a text sitemap.
pub(crate) fn is_list(head: &str) -> bool {
    let mut lines = head.lines().map(str::trim_start);
    let first = lines.find(|line| line.starts_with('<') || is_url(line));
    // A URL may also be part of a program's output before an XML sitemap.
    first.is_some_and(is_url) && !head.contains("<urlset") && !head.contains("<sitemapindex")
}

/// Returns `true` if a line begins with `http://` or `https://`.
pub(crate) fn is_url(line: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| {
        let start = line.as_bytes().get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme.as_bytes()))
    })
}

/// The format by the first tag that is the root of a known format, or else by the first tag.
fn root(head: &str) -> Option<Format> {
    let (mut rest, mut first) = (head, None);
    // An end that was not found is not searched for again, so that the time stays linear.
    let (mut comments, mut instructions, mut declarations) = (true, true, true);
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        let skipped = if let Some(comment) = rest.strip_prefix("<!--") {
            seek(&mut comments, || comment.find("-->")).map(|end| end + 7)
        } else if rest.starts_with("<?") {
            seek(&mut instructions, || rest.find("?>")).map(|end| end + 2)
        } else if let Some(declaration) = rest.strip_prefix("<!") {
            let is_doctype = declaration
                .get(..7)
                .is_some_and(|word| word.eq_ignore_ascii_case("doctype"));
            let name = declaration.get(7..).unwrap_or_default().trim_start();
            if is_doctype
                && name
                    .get(..4)
                    .is_some_and(|name| name.eq_ignore_ascii_case("html"))
            {
                first.get_or_insert(Format::Html);
            }
            seek(&mut declarations, || doctype_len(rest))
        } else {
            let name = &rest[1..][..name_len(&rest[1..])];
            if !name.is_empty() {
                let format = of_root(name, rest);
                if !matches!(format, Format::Xml | Format::Html) {
                    return Some(format);
                }
                if *first.get_or_insert(format) == Format::Xml {
                    // A sitemap's root within another element is not the document's root.
                    return first;
                }
            }
            Some(1)
        };
        // A construct that does not end within the head is skipped.
        rest = rest.get(skipped.unwrap_or(1)..).unwrap_or_default();
    }
    first
}

/// Searches for an end, unless an earlier search has failed, and remembers a failure.
fn seek(is_there: &mut bool, find: impl FnOnce() -> Option<usize>) -> Option<usize> {
    let found = is_there.then(find).flatten();
    *is_there = found.is_some();
    found
}

/// The length of the declaration that begins here, including an internal subset in brackets.
fn doctype_len(rest: &str) -> Option<usize> {
    let end = rest.find(['[', '>'])?;
    if rest.as_bytes().get(end) == Some(&b'>') {
        return Some(end + 1);
    }
    let close = end + rest[end..].find(']')?;
    Some(close + rest[close..].find('>')? + 1)
}

/// The format of a document with this root.
fn of_root(name: &str, tag: &str) -> Format {
    let (_, local) = names::split(name);
    let is = |other: &str| local.eq_ignore_ascii_case(other);
    if is("urlset") || is("url") {
        Format::UrlSet
    } else if is("sitemapindex") || is("sitemap") {
        Format::SitemapIndex
    } else if is("rss") {
        Format::Rss
    } else if is("feed") {
        Format::Atom
    } else if is("RDF") {
        let tag = &tag[..tag.find('>').unwrap_or(tag.len())];
        if is_like_rdf(tag) {
            Format::Rdf
        } else {
            Format::Xml
        }
    } else if HTML.iter().any(|name| is(name)) {
        Format::Html
    } else {
        Format::Xml
    }
}

/// The namespaces of RSS 1.0 and 0.90.
pub(crate) const RDF: [&str; 2] = [
    "http://purl.org/rss/1.0/",
    "http://my.netscape.com/rdf/simple/0.9/",
];
/// Returns `true` if a text names a namespace of RSS 1.0 or 0.90, with another scheme or in another case.
pub(crate) fn is_like_rdf(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    RDF.iter().any(|uri| {
        let host = uri.strip_prefix("http://").unwrap_or(uri);
        text.contains(host.trim_end_matches('/'))
    })
}

/// The namespaces of Atom 1.0 and 0.3.
pub(crate) const ATOM: [&str; 2] = ["http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#"];
/// The first elements of HTML pages: the tags of `html` and `head` may be omitted (HTML section 13.1.2.4).
pub(crate) const HTML: [&str; 7] = ["html", "head", "title", "meta", "script", "style", "body"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_content() {
        for (document, expected) in [
            ("<urlset>", Format::UrlSet),
            ("\u{FEFF}\n<?xml version='1.0'?><sm:urlset ", Format::UrlSet),
            ("PHP Warning: <b>x</b>\n<urlset>", Format::Xml),
            ("PHP Warning: x < 3\n<urlset>", Format::UrlSet),
            ("<!DOCTYPE urlset [<!ENTITY a '<b>'>]><urlset>", Format::UrlSet),
            (
                "<!DOCTYPE urlset [<!ENTITY a '<b>'>] \n ><urlset>",
                Format::UrlSet,
            ),
            ("<!DOCTYPE html><html><body><urlset>", Format::UrlSet),
            ("<url><loc>", Format::UrlSet),
            ("<!-- <urlset> --><sitemapindex>", Format::SitemapIndex),
            ("<rss version=\"0.91\">", Format::Rss),
            (
                "<?xml-stylesheet href='<'?><feed xmlns=\"http://www.w3.org/2005/Atom\">",
                Format::Atom,
            ),
            ("<rdf:RDF xmlns=\"http://purl.org/rss/1.0/\">", Format::Rdf),
            ("<rdf:RDF xmlns:foaf=\"http://xmlns.com/foaf/0.1/\">", Format::Xml),
            ("<!doctype HTML>", Format::Html),
            ("<HTML lang=de>", Format::Html),
            ("<title>Not found</title>", Format::Html),
            ("<other><urlset/></other>", Format::Xml),
            ("https://example.com/", Format::Text),
            ("\u{FEFF}  HTTP://example.com/<x>\n", Format::Text),
            ("# all pages\n\nhttps://example.com/", Format::Text),
            (
                "https://example.com/sitemap.xml\n<?xml version='1.0'?><urlset>",
                Format::UrlSet,
            ),
            ("{\"url\":\"https://example.com/\"}", Format::Unknown),
            ("User-agent: *\nSitemap: https://example.com/", Format::Unknown),
            ("< urlset>", Format::Unknown),
            ("", Format::Nothing),
            (" \r\n\t", Format::Nothing),
            ("\u{1F}", Format::Unknown),
            ("<", Format::Unknown),
            ("<!--", Format::Unknown),
            ("<!DOCTYPE [", Format::Unknown),
        ] {
            assert_eq!(sniff(document.as_bytes()), expected, "{document}");
        }
    }

    #[test]
    fn of_other_encodings_and_of_a_head_alone() {
        let wide: Vec<u8> = "\u{FEFF}<?xml version='1.0'?><urlset>"
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect();
        assert_eq!(sniff(&wide), Format::UrlSet);
        let wide: Vec<u8> = "<rss>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(sniff(&wide), Format::Rss);
        assert_eq!(sniff(b"<urlset>\xFF\xE9"), Format::UrlSet);
        assert_eq!(sniff(&[b' '; HEAD + 1]), Format::Unknown);
        let late = format!("{}<urlset>", " ".repeat(HEAD));
        assert_eq!(sniff(late.as_bytes()), Format::Unknown);
    }

    /// Every prefix of a document gives the same result as the whole, or no result yet. Anything may follow more white space than the
    /// function examines.
    #[test]
    fn of_white_space() {
        assert_eq!(sniff(&[b' '; HEAD]), Format::Nothing);
        assert_eq!(sniff(&[b' '; HEAD + 1]), Format::Unknown);
    }

    #[test]
    fn of_every_beginning() {
        let document =
            "<?xml version='1.0'?><!-- é --><!DOCTYPE feed [ ]><feed xmlns='http://www.w3.org/2005/Atom'/>";
        for end in 0..document.len() {
            let format = sniff(&document.as_bytes()[..end]);
            assert!(
                matches!(
                    format,
                    Format::Atom | Format::Unknown | Format::Nothing | Format::Xml
                ),
                "{end}: {format}"
            );
        }
    }

    #[test]
    fn names_are_those_of_messages() {
        let names = [
            (Format::UrlSet, "urlset"),
            (Format::SitemapIndex, "sitemapindex"),
            (Format::Rss, "RSS"),
            (Format::Rdf, "RDF"),
            (Format::Atom, "Atom"),
            (Format::Text, "text"),
            (Format::Csv, "CSV"),
            (Format::Html, "HTML"),
            (Format::Xml, "XML"),
            (Format::Gzip, "gzip"),
            (Format::Nothing, "nothing"),
            (Format::Unknown, "unknown"),
        ];
        for (format, name) in names {
            assert_eq!(format.as_str(), name);
        }
        assert_eq!(sniff(&[0x1F, 0x8B, 8, 0]), Format::Gzip);
    }
}
