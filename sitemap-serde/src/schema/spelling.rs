//! The URIs of the namespaces, in all the spellings that are read.

use super::Namespace;

/// The namespaces of the schema.
fn namespaces() -> impl Iterator<Item = (Namespace, &'static str)> {
    std::iter::once(Namespace::Core)
        .chain(Namespace::extensions())
        .filter_map(|namespace| Some((namespace, namespace.uri()?)))
}

/// Older URIs of the core namespace, and wrong ones in real files.
const OLDER: [&str; 5] = [
    "http://www.google.com/schemas/sitemap/0.84",
    "http://www.google.com/schemas/sitemap/0.9",
    "http://www.google.com/schemas/sitemap/0.90",
    "http://www.sitemaps.org/schemas/sitemap/0.84",
    "http://www.sitemaps.org/schemas/sitemap/0.90",
];

/// A document's spelling of a namespace URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    Canonical,
    /// Older or mistaken. It is read, and for a lint to report.
    Legacy,
}

/// The namespace of a sitemap for a URI in any spelling.
///
/// XML compares URIs character by character. Real files have `https:` instead of `http:`, a slash at the end, or no `www.`;
/// they mean the same namespace, and without this leniency all their content would be skipped.
pub(crate) fn of_uri(uri: &str) -> Option<(Namespace, Spelling)> {
    if let Some((namespace, _)) = namespaces().find(|(_, canonical)| *canonical == uri) {
        return Some((namespace, Spelling::Canonical));
    }
    let wanted = without_variants(uri)?;
    let is_meant = |known: &str| without_variants(known) == Some(wanted);
    let of_older = OLDER
        .iter()
        .any(|older| is_meant(older))
        .then_some(Namespace::Core);
    namespaces()
        .find(|(_, canonical)| is_meant(canonical))
        .map(|(namespace, _)| namespace)
        .or(of_older)
        .map(|namespace| (namespace, Spelling::Legacy))
}

/// A URI without the variable parts of a namespace's spellings.
fn without_variants(uri: &str) -> Option<&str> {
    let rest = uri
        .strip_prefix("http://")
        .or_else(|| uri.strip_prefix("https://"))?;
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    Some(rest.strip_suffix('/').unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_of_every_uri_is_read() {
        let core = OLDER.map(|older| (Namespace::Core, older));
        for (namespace, uri) in namespaces().chain(core) {
            let rest = uri.strip_prefix("http://www.").unwrap();
            for scheme in ["http", "https"] {
                for www in ["www.", ""] {
                    for slash in ["", "/"] {
                        let variant = format!("{scheme}://{www}{rest}{slash}");
                        let is_canonical = namespaces().any(|known| known == (namespace, variant.as_str()));
                        let spelling = if is_canonical {
                            Spelling::Canonical
                        } else {
                            Spelling::Legacy
                        };
                        assert_eq!(of_uri(&variant), Some((namespace, spelling)), "{variant}");
                    }
                }
            }
        }
    }

    #[test]
    fn other_uris_mean_other_namespaces() {
        for uri in [
            "",
            "/",
            "http://",
            "https://www./",
            "ftp://www.sitemaps.org/schemas/sitemap/0.9",
            "HTTP://www.sitemaps.org/schemas/sitemap/0.9",
            "http://www.sitemaps.org/schemas/sitemap/0.9//",
            "http://www.sitemaps.org/schemas/sitemap/1.0",
            " http://www.sitemaps.org/schemas/sitemap/0.9",
            "www.sitemaps.org/schemas/sitemap/0.9",
            "http://www.google.com/schemas/sitemap-image/1.0",
            "http://www.w3.org/XML/1998/namespace",
        ] {
            assert_eq!(of_uri(uri), None, "{uri}");
        }
    }
}
