//! "Did you mean" for field names: finds the field of an entry that an unknown name probably means.

use sitemap_values::suggest::distance;

use super::Element;
use super::entry::UrlEntry;

/// Other common names of an entry's fields.
const SYNONYMS: &[(&str, &[&str])] = &[
    (
        "loc",
        &[
            "url",
            "uri",
            "href",
            "link",
            "location",
            "address",
            "permalink",
            "path",
            "log",
            "lok",
        ],
    ),
    (
        "lastmod",
        &[
            "modified",
            "modifiedat",
            "lastmodified",
            "modification",
            "updated",
            "updatedat",
            "lastupdated",
            "lastupdate",
            "lastchange",
            "lastchanged",
            "changed",
            "changedat",
            "date",
        ],
    ),
    ("changefreq", &["changefrequency", "frequency", "freq"]),
    ("priority", &["prio"]),
    (
        "image:image",
        &["images", "picture", "pictures", "photo", "photos"],
    ),
    ("video:video", &["videos"]),
    ("news:news", &["article"]),
    (
        "xhtml:link",
        &[
            "links",
            "alternate",
            "alternates",
            "languages",
            "hreflang",
            "translations",
        ],
    ),
];

/// The field of an entry that the unknown `name` most likely means; `None` if it is a field, or resembles none.
pub(crate) fn field_meant(name: &str) -> Option<&'static str> {
    let fields = UrlEntry::FIELDS;
    // All fields are shorter, and comparing long texts is slow.
    if name.len() > 32 || fields.contains(&name) {
        return None;
    }
    let folded = fold(name);
    let local = |field: &&'static str| fold(field.rsplit(':').next().unwrap_or_default());
    let exact = fields.iter().find(|field| local(field) == folded);
    let synonym = || {
        let of = SYNONYMS.iter().find(|(_, synonyms)| synonyms.contains(&&*folded));
        of.map(|(field, _)| field)
    };
    let near = || {
        fields.iter().find(|field| {
            let field = local(field);
            field.len() > 3 && distance(&folded, &field) <= field.len() / 4
        })
    };
    exact.or_else(synonym).or_else(near).copied()
}

/// Makes `lastMod`, `last_mod` and `LASTMOD` equal.
fn fold(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-' | '@' | ':' | ' '))
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_field_that_a_name_means() {
        for (name, meant) in [
            ("url", "loc"),
            ("Loc", "loc"),
            ("lastMod", "lastmod"),
            ("last_modified", "lastmod"),
            ("lastmode", "lastmod"),
            ("change_freq", "changefreq"),
            ("changeFrequency", "changefreq"),
            ("Priority", "priority"),
            ("prioritty", "priority"),
            ("image", "image:image"),
            ("images", "image:image"),
            ("video", "video:video"),
            ("news", "news:news"),
            ("pageMap", "pagemap:PageMap"),
        ] {
            assert_eq!(field_meant(name), Some(meant), "{name}");
        }
        for name in [
            "",
            "loc",
            "image:image",
            "title",
            "price",
            "id",
            "slug",
            &"url".repeat(1_000),
        ] {
            assert_eq!(field_meant(name), None, "{name}");
        }
        // All synonyms are for existing fields.
        for (field, _) in SYNONYMS {
            assert!(UrlEntry::FIELDS.contains(field), "{field}");
        }
    }
}
