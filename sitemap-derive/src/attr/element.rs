//! Names of elements in user namespaces.

use sitemap_values::schema::NAMESPACES;

use super::Key;

/// Checks a prefix that a type declares. The error is a message.
pub(super) fn check_prefix(prefix: &str) -> Result<(), String> {
    if NAMESPACES.iter().any(|(own, _)| *own == prefix) {
        return Err(format!(
            "`{prefix}` is the prefix of an extension: its elements have keys of their own, and a namespace of your own needs another prefix"
        ));
    }
    if prefix.to_ascii_lowercase().starts_with("xml") {
        return Err(format!(
            "`{prefix}` is no prefix of a namespace of your own: those that begin with `xml` are reserved"
        ));
    }
    Ok(())
}

/// Checks the URI of a namespace that a type declares. The error is a message.
pub(super) fn check_uri(uri: &str) -> Result<(), String> {
    if let Some((prefix, _)) = NAMESPACES.iter().find(|(_, own)| *own == uri) {
        return Err(format!(
            "this namespace is that of the extension `{prefix}`, whose elements have keys of their own"
        ));
    }
    if uri.is_empty() || uri.contains(|c: char| c.is_control() || c.is_whitespace()) {
        return Err(
            "the URI of a namespace is like `https://example.com/ns/shop`, without spaces".to_owned(),
        );
    }
    if uri.starts_with("http://www.sitemaps.org/schemas/sitemap/")
        || uri == "http://www.w3.org/XML/1998/namespace"
        || uri == "http://www.w3.org/2000/xmlns/"
    {
        return Err("this namespace is that of the sitemap schema or of XML itself".to_owned());
    }
    Ok(())
}

/// Checks the name of an element, which has a prefix. The error is a message.
pub(super) fn check(name: &str) -> Result<(), String> {
    if let Some(key) = Key::of_element(name) {
        return Err(format!(
            "`{name}` has a key of its own: write `#[sitemap({})]`",
            key.name()
        ));
    }
    let example = "as in `element = \"shop:price\"`";
    if let Some((uri, local)) = name.strip_prefix('{').and_then(|rest| rest.rsplit_once('}')) {
        return Err(format!(
            "`{name}` has its namespace in braces: declare it on the type, `#[sitemap(namespace(shop = \"{uri}\"))]`, and write \
             `element = \"shop:{local}\"`"
        ));
    }
    let Some((prefix, local)) = name.split_once(':') else {
        return Err(format!(
            "`{name}` has no prefix: an element of a namespace of your own is `prefix:name`, {example}, and the prefix is declared on the \
             type, as in `#[sitemap(namespace(shop = \"https://example.com/ns/shop\"))]`"
        ));
    };
    if prefix.is_empty() || !is_name(prefix) || prefix.to_ascii_lowercase().starts_with("xml") {
        return Err(format!(
            "`{prefix}` is no prefix of a namespace of your own: write one, {example}"
        ));
    }
    if is_name(local) {
        return Ok(());
    }
    Err(format!(
        "`{local}` is not a valid name of an XML element (XML 1.0 section 2.3): write one, {example}"
    ))
}

/// Returns `true` if a text is a name without colons. Accepts all letters and digits; the writer checks the details of
/// XML's rule.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || "-._\u{b7}".contains(c))
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn names() {
        for name in ["shop:price", "a:b", "mobile:mobile", "s_1:p-2.3", "店:値段"] {
            assert_eq!(check(name), Ok(()), "{name}");
        }
        for name in [
            "",
            "price",
            ":price",
            "shop:",
            "shop:a:b",
            "1:a",
            "a:1",
            "xml:lang",
            "xmlns:a",
            "{urn:shop}price",
            "{}a",
            "{a",
            "a b:c",
            "image:image",
        ] {
            assert!(check(name).is_err(), "{name}");
        }
    }
}
