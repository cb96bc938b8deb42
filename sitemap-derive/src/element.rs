//! Names of elements in user namespaces.

use sitemap_values::schema::entry;

/// The elements that have a key, and the keys.
const WITH_KEY: [(&str, &str); 8] = [
    (entry::LOC, "loc"),
    (entry::LASTMOD, "lastmod"),
    (entry::CHANGEFREQ, "changefreq"),
    (entry::PRIORITY, "priority"),
    (entry::IMAGE, "image"),
    (entry::VIDEO, "video"),
    (entry::NEWS, "news"),
    (entry::ALTERNATE, "alternate"),
];

/// Checks the name of an element: with a prefix, or with its namespace in braces. The error is a message.
pub(crate) fn check(name: &str) -> Result<(), String> {
    if let Some((_, key)) = WITH_KEY.iter().find(|(element, _)| *element == name) {
        return Err(format!(
            "`{name}` has a key of its own: write `#[sitemap({key})]`"
        ));
    }
    let example = "as in `element = \"shop:price\"`";
    let local = match name.strip_prefix('{').map(|rest| rest.rsplit_once('}')) {
        Some(Some((uri, local))) if !uri.is_empty() => local,
        Some(_) => {
            return Err(format!(
                "`{name}` is not a name with its namespace in braces: it is like `{{urn:shop}}price`"
            ));
        }
        None => {
            let Some((prefix, local)) = name.split_once(':') else {
                return Err(format!(
                    "`{name}` has no prefix: an element of a namespace of your own is `prefix:name`, {example}, and the prefix is made \
                     known with `WriterBuilder::namespace` and `ReaderBuilder::namespace`"
                ));
            };
            if prefix.is_empty() || !is_name(prefix) || prefix.to_ascii_lowercase().starts_with("xml") {
                return Err(format!(
                    "`{prefix}` is not a prefix of your own namespace: write one, {example}"
                ));
            }
            local
        }
    };
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
        for name in [
            "shop:price",
            "a:b",
            "mobile:mobile",
            "s_1:p-2.3",
            "店:値段",
            "{urn:shop}price",
            "{a}b}c",
        ] {
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
            "{}a",
            "{a",
            "a b:c",
            "image:image",
        ] {
            assert!(check(name).is_err(), "{name}");
        }
    }
}
