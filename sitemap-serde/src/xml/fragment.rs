//! XML fragments: elements as text, with declarations of all namespaces that they use, so that they can be inserted into another
//! document.
//!
//! **Unknown elements are kept as text**. A `RawXml` consists of the element's bytes in the document, with declarations added for the
//! prefixes that are declared outside of the element. Which prefixes these are is known at the element's end: then the outer scope is
//! current again, and a prefix with the same meaning in it was declared outside. So the text can be inserted into any document; this is
//! checked before it is written.

use sitemap_values::quote::quote;

use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::schema::Name;

use super::chars::is_space;
use super::escape::push_escaped_attribute;
use super::names::{KnownNamespaces, Namespace, split};
use super::scanner::{Scanner, Token};
use super::source::{SliceSource, Window};
use super::vocabulary::Vocabulary;

/// The name of a record's field with fragments.
pub(crate) const OTHER: &str = "$other";

/// The default namespace around a fragment while it is checked: a marker for names without a declared namespace.
const UNDECLARED: &str = "urn:sitemap-serde:undeclared";

/// Skips the element whose start tag is the scanner's last token, and appends its text to `text`, with
/// declarations added for the namespaces that are declared outside of it.
pub(crate) fn cut<S: Window>(scanner: &mut Scanner<S>, text: &mut String) -> Result<()> {
    let own = scanner.all_attributes().iter().map(|(name, _)| name.clone());
    let declared: Vec<String> = own
        .filter_map(|name| declared_prefix(scanner.text(name)).map(str::to_owned))
        .collect();
    // The prefixes that are used, and their namespaces.
    let mut used = Vec::new();
    note_used(scanner, &mut used);
    match scanner.strictly(|scanner| cut_on(scanner, text, &declared, used.clone())) {
        Some(()) => Ok(()),
        None => cut_on(scanner, text, &declared, used),
    }
}

fn cut_on<S: Window>(
    scanner: &mut Scanner<S>,
    text: &mut String,
    declared: &[String],
    mut used: Vec<UsedPrefix>,
) -> Result<()> {
    let held = scanner.held();
    let start = scanner.token().start - held;
    let depth = scanner.depth();
    let name_len = scanner.open_name(depth.saturating_sub(1)).map_or(0, str::len);
    while scanner.depth() >= depth {
        if let Token::Start { .. } = scanner.next()? {
            note_used(scanner, &mut used);
        }
    }
    let held = scanner.held();
    let raw = scanner.text(start + held..scanner.token().end);
    text.clear();
    let (name, rest) = raw.split_at_checked("<".len() + name_len).unwrap_or_default();
    text.push_str(name);
    for (prefix, uri) in &used {
        // The scope is the same as before the element.
        let is_from_around = scanner.uri(prefix).map(str::to_owned) == *uri;
        if is_from_around && !declared.contains(prefix) && prefix != "xml" {
            text.push_str(if prefix.is_empty() { " xmlns" } else { " xmlns:" });
            text.push_str(prefix);
            text.push_str("=\"");
            // The URI was read from a document, so it can be written.
            let _ = push_escaped_attribute(text, uri.as_deref().unwrap_or_default());
            text.push('"');
        }
    }
    text.push_str(rest);
    Ok(())
}

/// A prefix that is used in a fragment, and its namespace.
type UsedPrefix = (String, Option<String>);

/// Records the prefixes of the name and the attributes of the last token, a start tag, with their namespaces.
fn note_used<S: Window>(scanner: &Scanner<S>, used: &mut Vec<UsedPrefix>) {
    let element = scanner
        .open_name(scanner.depth().saturating_sub(1))
        .unwrap_or_default();
    let attributes = scanner.all_attributes().iter();
    let attributes = attributes
        .map(|(name, _)| scanner.text(name.clone()))
        .filter(|name| declared_prefix(name).is_none());
    let prefixes = attributes
        .map(|name| split(name).0)
        .filter(|prefix| !prefix.is_empty());
    for prefix in std::iter::once(split(element).0).chain(prefixes) {
        let uri = scanner.uri(prefix);
        if !used
            .iter()
            .any(|(known, known_uri)| known == prefix && known_uri.as_deref() == uri)
        {
            used.push((prefix.to_owned(), uri.map(str::to_owned)));
        }
    }
}

/// The prefix that an attribute with this name declares; empty for the default namespace.
pub(crate) fn declared_prefix(attribute: &str) -> Option<&str> {
    match attribute {
        "xmlns" => Some(""),
        _ => attribute.strip_prefix("xmlns:"),
    }
}

/// Checks that a text consists of elements that can be inserted into any document: they are well-formed, declare all namespaces that
/// they use, and are not in a namespace with its own fields.
///
/// # Errors
/// If it does not.
pub(crate) fn check(text: &str) -> Result<()> {
    let document = format!("<r xmlns=\"{UNDECLARED}\">{text}</r>");
    let end = document.len() as u64;
    // The limits are the writer's, and checked with the whole entry.
    let limits = Limits::trusted().with_bytes(end).with_entry_bytes(usize::MAX);
    let mut scanner = Scanner::new(
        SliceSource::from_slice(document.as_bytes()),
        limits,
        KnownNamespaces::default(),
        Vocabulary::XML,
    );
    let mut is_root = true;
    loop {
        let token = scanner.next().map_err(|error| {
            let says = error.without_place();
            refused(text, &format!("it is not well-formed: {says}"))
        })?;
        match token {
            Token::Start { .. } if is_root => is_root = false,
            Token::Start { name, namespace } => {
                let name = scanner.text(name);
                if split(name).0.is_empty() && scanner.uri("") == Some(UNDECLARED) {
                    return Err(refused(
                        text,
                        &format!(
                            "the namespace of {} is not declared in it; declare it with `xmlns=\"…\"`, which may be empty",
                            quote(name)
                        ),
                    ));
                }
                if scanner.depth() == 2 && !is_other(namespace, split(name).1) {
                    return Err(refused(
                        text,
                        &format!("{} has its own field; write it to that field", quote(name)),
                    ));
                }
            }
            Token::Text { span, plain } if scanner.depth() == 1 => {
                let found = if plain {
                    scanner.text(span)
                } else {
                    scanner.resolved()
                };
                if !found.bytes().all(is_space) {
                    return Err(refused(
                        text,
                        &format!("the text {} is not in an element; remove it", quote(found.trim())),
                    ));
                }
            }
            Token::End if scanner.depth() == 0 => {
                if scanner.offset_of(scanner.token().end) == end {
                    return Ok(());
                }
                return Err(refused(text, "it has an end tag without a start tag; remove it"));
            }
            Token::Text { .. } | Token::End | Token::Aside => {}
            Token::Eof => return Err(refused(text, "it is incomplete; add what is missing")),
        }
    }
}

/// Returns `true` if an element is not in the schema, and is not an error among the elements of an entry.
pub(crate) fn is_other(namespace: Namespace, local: &str) -> bool {
    const CORE: [&str; 6] = ["url", "sitemap", "loc", "lastmod", "changefreq", "priority"];
    let is_misspelt = || CORE.iter().any(|known| local.eq_ignore_ascii_case(known));
    match namespace {
        Namespace::User(_) => false,
        _ if Name::element(namespace, local).is_some() => false,
        namespace => !(namespace.is_core() && is_misspelt()),
    }
}

#[cold]
fn refused(text: &str, why: &str) -> Error {
    Error::data(format!(
        "{} is not XML that can be inserted into a document: {why}",
        quote(text.trim())
    ))
}
