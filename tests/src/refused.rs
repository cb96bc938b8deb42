//! Documents with refused entries, each for one reason, and the same entries in an accepted form.
//!
//! The benchmark is a separate crate that includes this file. It thus times the same documents whose instructions the tests count.

use std::fmt::Write;

/// A document whose entries have one problem.
#[derive(Clone, Copy, Debug)]
pub struct Refused {
    /// Name of the problem.
    pub name: &'static str,
    /// The part of an entry to replace, and its replacement.
    replaced: (&'static str, &'static str),
}

const LOC: &str = "<loc>https://www.example.com/catalog/#</loc>";

/// The children of an accepted entry.
const TAKEN: &str = "<loc>https://www.example.com/catalog/#</loc>\n    <lastmod>2024-05-06T12:30:15+00:00</lastmod>\n    \
                     <changefreq>weekly</changefreq>\n    <priority>0.8</priority>";

const fn refused(name: &'static str, part: &'static str, by: &'static str) -> Refused {
    Refused {
        name,
        replaced: (part, by),
    }
}

/// Entries that are not records; the first are accepted.
pub const RECORDS: [Refused; 5] = [
    refused("records: taken", "", ""),
    refused("records: no loc", LOC, "<x>#</x>"),
    refused(
        "records: two lastmods",
        "<changefreq>weekly</changefreq>",
        "<lastmod>2024-05-06</lastmod>",
    ),
    refused(
        "records: an element in the loc",
        "catalog/#</loc>",
        "<b>#</b></loc>",
    ),
    refused("records: Loc for loc", LOC, "<Loc>#</Loc>"),
];

/// Entries that are records, but have an invalid value; the first are accepted.
pub const ENTRIES: [Refused; 7] = [
    refused("entries: taken", "", ""),
    refused("entries: no loc", LOC, "<x>#</x>"),
    refused(
        "entries: a relative loc",
        "https://www.example.com/catalog/#",
        "/catalog/#",
    ),
    refused("entries: no such day", "2024-05-06T12:30:15+00:00", "2024-02-30"),
    refused(
        "entries: a date and time without its T",
        "2024-05-06T12:30:15+00:00",
        "2024-05-06 12:30:15",
    ),
    refused("entries: an unknown changefreq", "weekly", "wekly"),
    refused("entries: a priority above 1", "0.8", "8"),
];

const PRIORITY: &str = "<priority>0.8</priority>";

/// The same for entries with an image; the first are accepted.
pub const IMAGES: [Refused; 3] = [
    refused(
        "images: taken",
        PRIORITY,
        "<image:image><image:loc>https://www.example.com/#</image:loc></image:image>",
    ),
    refused(
        "images: no loc",
        PRIORITY,
        "<image:image><image:title>#</image:title></image:image>",
    ),
    refused(
        "images: a relative loc",
        PRIORITY,
        "<image:image><image:loc>#</image:loc></image:image>",
    ),
];

impl Refused {
    /// Returns a document with this number of entries.
    pub fn document(&self, entries: usize) -> String {
        let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                       <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
                       xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\n"
            .to_owned();
        let children = match self.replaced {
            ("", _) => TAKEN.to_owned(),
            (part, by) => TAKEN.replace(part, by),
        };
        for i in 0..entries {
            let number = format!("category-{}/product-{i}", i % 97);
            let children = children.replace('#', &number);
            let _ = writeln!(xml, "  <url>\n    {children}\n  </url>");
        }
        xml.push_str("</urlset>\n");
        xml
    }
}
