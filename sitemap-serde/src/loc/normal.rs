//! Finding URLs that are the same, but written differently.

use sitemap_values::url::Parts;

use super::encode_reference;

/// Returns `true` if two URLs are the same once they are percent-encoded and normalised: scheme and host, and the digits of triplets, in
/// one case, and `/` as the empty path (RFC 3986 sections 6.2.2.1 and 6.2.3).
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    one == other || normal(one) == normal(other)
}

/// The normal form of a URL for the comparison in [`is_same`].
pub(crate) fn normal(url: &str) -> String {
    let url = encode_reference(url);
    let Some(parts) = Parts::of(&url) else {
        return url;
    };
    let site = format!(
        "{}://{}{}",
        parts.scheme.to_ascii_lowercase(),
        parts.user(),
        parts.host_and_port().to_ascii_lowercase()
    );
    let rest = url.get(parts.rest..).unwrap_or_default();
    let slash = if rest.starts_with('/') { "" } else { "/" };
    let mut pieces = rest.split('%');
    let first = pieces.next().unwrap_or_default();
    let mut normal = [&site, slash, first].concat();
    for piece in pieces {
        let digits = piece.get(..2).unwrap_or(piece);
        normal.extend(["%", &digits.to_ascii_uppercase(), &piece[digits.len()..]]);
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::is_same;

    #[test]
    fn spellings_of_one_url() {
        for (one, other, expected) in [
            ("https://example.com/é x", "https://example.com/%C3%A9%20x", true),
            ("https://example.com/%c3%a9", "https://example.com/%C3%A9", true),
            ("HTTPS://Example.COM/a", "https://example.com/a", true),
            ("https://example.com", "https://example.com/", true),
            ("https://example.com?a", "https://example.com/?a", true),
            ("https://u@Example.com:80/", "https://u@example.com:80/", true),
            (" https://example.com/ ", "https://example.com/", true),
            ("https://example.com/a", "https://example.com/A", false),
            ("https://example.com/a", "https://example.com/a/", false),
            ("https://U@example.com/", "https://u@example.com/", false),
            ("http://example.com/", "https://example.com/", false),
            ("https://example.com/%", "https://example.com/%25", true),
            ("/a", "/a", true),
            ("/a b", "/a%20b", true),
            ("/a", "/b", false),
        ] {
            assert_eq!(is_same(one, other), expected, "{one} {other}");
        }
    }
}
