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

/// Pages and schemas that real files declare instead of the namespace of XHTML, as its variants are compared.
const XHTML: [&str; 3] = [
    "w3.org/TR/xhtml11/xhtml11_schema.html",
    "w3.org/2002/08/xhtml/xhtml1-strict.xsd",
    "w3.org/TR/xhtml1",
];

/// A document's spelling of a namespace URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    Canonical,
    /// Older or mistaken. It is read, and lenient reading reports it.
    Legacy,
}

/// The namespace of a sitemap for a URI in any spelling.
///
/// XML compares URIs character by character. Real files have `https:` instead of `http:`, a slash at the end, no `www.`, the file of
/// the schema, or another version of an extension. They mean the same namespace, and without this leniency all their content would be
/// skipped.
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
        .or_else(|| extension(wanted))
        .map(|namespace| (namespace, Spelling::Legacy))
}

/// The extension for a URI in another version, or for a page or schema that is declared instead.
fn extension(uri: &str) -> Option<Namespace> {
    if XHTML.contains(&uri) {
        return Namespace::of_prefix("xhtml");
    }
    let wanted = without_version(uri)?;
    Namespace::extensions().find(|extension| {
        let canonical = extension.uri().and_then(without_variants);
        canonical.and_then(without_version) == Some(wanted)
    })
}

/// A URI without the version at its end; `None` if it has none.
fn without_version(uri: &str) -> Option<&str> {
    let (before, version) = uri.rsplit_once('/')?;
    let is_version = version.contains('.') && version.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    is_version.then_some(before)
}

/// A URI without the variable parts of a namespace's spellings.
fn without_variants(uri: &str) -> Option<&str> {
    let rest = uri
        .strip_prefix("http://")
        .or_else(|| uri.strip_prefix("https://"))?;
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    // The file of a schema, in the folder that its namespace is.
    Some(match rest.rsplit_once('/') {
        Some((namespace, file)) if file.starts_with("sitemap") && file.strip_suffix(".xsd").is_some() => {
            namespace
        }
        _ => rest,
    })
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
    fn versions_and_schemas_of_extensions_are_read() {
        for (prefix, uri) in [
            ("image", "http://www.google.com/schemas/sitemap-image/1.0"),
            (
                "image",
                "https://www.google.com/schemas/sitemap-image/1.1/sitemap-image.xsd",
            ),
            ("video", "http://www.google.com/schemas/sitemap-video/1.0/"),
            (
                "news",
                "http://www.google.com/schemas/sitemap-news/0.9/sitemap-news.xsd",
            ),
            ("xhtml", "http://www.w3.org/TR/xhtml11/xhtml11_schema.html"),
            ("xhtml", "https://www.w3.org/2002/08/xhtml/xhtml1-strict.xsd"),
        ] {
            let meant = Namespace::of_prefix(prefix).unwrap();
            assert_eq!(of_uri(uri), Some((meant, Spelling::Legacy)), "{uri}");
        }
        let core = "http://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd";
        assert_eq!(of_uri(core), Some((Namespace::Core, Spelling::Legacy)));
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
            "http://www.google.com/schemas/sitemap-image/",
            "http://www.google.com/schemas/sitemap-image/one",
            "http://www.google.com/schemas/sitemap-other/1.1",
            "http://www.w3.org/1999/xhtml/1.1",
            "http://www.w3.org/XML/1998/namespace",
        ] {
            assert_eq!(of_uri(uri), None, "{uri}");
        }
    }
}
