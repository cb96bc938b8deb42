//! Joins the XML of several parts into one urlset, for a sitemap without an index.

use sitemap_serde::__internal::grouped;

const START: &str = "<urlset";
const END: &str = "</urlset>";

/// Why parts cannot be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotFlat {
    /// They have too many entries for a document: their number, and the maximum.
    Entries(u64, u64),
    /// They have too many bytes for a document: their number, and the maximum.
    Bytes(u64, u64),
    /// Two of them use one prefix for different namespaces.
    Prefixes,
}

impl std::fmt::Display for NotFlat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotFlat::Entries(entries, most) => {
                let (entries, most) = (grouped(*entries), grouped(*most));
                write!(f, "{entries} entries, and one sitemap has at most {most}")
            }
            NotFlat::Bytes(bytes, most) => {
                let (bytes, most) = (grouped(*bytes), grouped(*most));
                write!(f, "{bytes} bytes, and one sitemap has at most {most}")
            }
            NotFlat::Prefixes => f.write_str(
                "parts that use one prefix for different namespaces, so that no root can declare both",
            ),
        }
    }
}

/// Joins the entries of all documents, in order. The documents are urlsets of our own writer.
pub(crate) fn join<'a>(documents: impl Iterator<Item = &'a str>, most_bytes: u64) -> Result<String, NotFlat> {
    let mut head = "";
    let mut declared: Vec<(&str, &str)> = Vec::new();
    let mut bodies: Vec<&str> = Vec::new();
    let mut tail = "";
    for document in documents {
        let Some(parts) = Parts::of(document) else {
            continue;
        };
        for (prefix, uri) in attributes(parts.attributes) {
            match declared.iter().find(|(known, _)| *known == prefix) {
                Some((_, known)) if *known != uri => return Err(NotFlat::Prefixes),
                Some(_) => {}
                None => declared.push((prefix, uri)),
            }
        }
        if head.is_empty() {
            head = parts.head;
        }
        tail = parts.tail;
        bodies.push(parts.body);
    }
    let mut joined = String::from(head);
    joined.push_str(START);
    for (prefix, uri) in declared {
        for part in [" ", prefix, "=\"", uri, "\""] {
            joined.push_str(part);
        }
    }
    joined.push('>');
    for (at, body) in bodies.iter().enumerate() {
        let is_last = at + 1 == bodies.len();
        joined.push_str(if is_last { body } else { body.trim_end() });
    }
    joined.push_str(END);
    joined.push_str(tail);
    match joined.len() as u64 {
        bytes if bytes > most_bytes => Err(NotFlat::Bytes(bytes, most_bytes)),
        _ => Ok(joined),
    }
}

/// A document, cut at its root.
struct Parts<'a> {
    /// The text before the root.
    head: &'a str,
    attributes: &'a str,
    body: &'a str,
    /// The text after the root.
    tail: &'a str,
}

impl<'a> Parts<'a> {
    fn of(document: &'a str) -> Option<Self> {
        let (head, rest) = document.split_once(START)?;
        let mut is_quoted = false;
        let end = rest.find(|character| {
            is_quoted ^= character == '"';
            character == '>' && !is_quoted
        })?;
        let (attributes, rest) = rest.split_at_checked(end)?;
        let (body, tail) = rest.strip_prefix('>')?.rsplit_once(END)?;
        Some(Parts {
            head,
            attributes,
            body,
            tail,
        })
    }
}

/// The attributes of a root, as our writer writes them: `"` is escaped in values.
fn attributes(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (name, after) = rest.split_once("=\"")?;
        let (value, after) = after.split_once('"')?;
        rest = after;
        Some((name.trim_start(), value))
    })
}

#[cfg(test)]
mod tests {
    use sitemap_serde::{Image, Reader, UrlEntry, WriterBuilder};

    use super::*;

    fn document(pages: &[UrlEntry], pretty: bool) -> String {
        let mut writer = WriterBuilder::new()
            .pretty(pretty)
            .stylesheet("/a>b.css")
            .from_writer(Vec::new());
        for page in pages {
            writer.write(page).unwrap();
        }
        String::from_utf8(writer.finish().unwrap()).unwrap()
    }

    /// The joined document equals a writer's document of all entries, except for the order of the namespaces.
    #[test]
    fn a_joined_document_is_that_of_all_entries() {
        let plain = |id: u32| UrlEntry::new(format!("https://example.com/{id}"));
        let lamp = plain(7).with_images([Image::new("https://example.com/7.jpg")]);
        let pages = [lamp, plain(1), plain(2), plain(3)];
        for pretty in [false, true] {
            let whole = document(&pages, pretty);
            for cut in 1..4 {
                let (first, second) = pages.split_at(cut);
                let parts = [document(first, pretty), document(second, pretty)];
                assert_eq!(join(parts.iter().map(String::as_str), 1 << 20), Ok(whole.clone()));
            }
            // The namespace comes from the second part.
            let parts = [document(&pages[1..], pretty), document(&pages[..1], pretty)];
            let joined = join(parts.iter().map(String::as_str), 1 << 20).unwrap();
            let read: Vec<UrlEntry> = Reader::from_slice(joined.as_bytes())
                .deserialize()
                .collect::<Result<_, _>>()
                .unwrap();
            let mut expected = pages.to_vec();
            expected.rotate_left(1);
            assert_eq!(read, expected);
            let most = whole.len() as u64 - 1;
            assert_eq!(
                join([whole.as_str()].into_iter(), most),
                Err(NotFlat::Bytes(most + 1, most))
            );
        }
    }

    #[test]
    fn a_prefix_has_one_namespace() {
        let document =
            |uri: &str| format!("<urlset xmlns=\"urn:c\" xmlns:ns1=\"{uri}\"><url><ns1:x/></url></urlset>");
        let documents = [document("urn:a"), document("urn:b")];
        assert_eq!(
            join(documents.iter().map(String::as_str), 1 << 20),
            Err(NotFlat::Prefixes)
        );
    }
}
