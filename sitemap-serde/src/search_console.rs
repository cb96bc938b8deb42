//! Google Search Console's names for problems. The file of a rule has the rule's names; this module knows what each means.

use sitemap_values::Rule;

use crate::error::{Defect, Error, ErrorKind};

pub(crate) const INCLUDES_WWW: &str = "Path mismatch: Includes www";
pub(crate) const MISSING_WWW: &str = "Path mismatch: Missing www";
pub(crate) const INCORRECT_NAMESPACE: &str = "Incorrect namespace";
pub(crate) const TOO_LARGE: &str = "Sitemap file size error";
pub(crate) const TOO_MANY_SITEMAPS: &str = "Too many sitemaps";

/// Returns Search Console's most specific name for an error that breaks `rule`. `None` if Search Console does not report it.
pub(crate) fn name(error: &Error, rule: Rule) -> Option<&'static str> {
    let names = rule.search_console();
    let named = names
        .iter()
        .filter_map(|name| Some((specificity(name, error)?, *name)));
    named.min_by_key(|(rank, _)| *rank).map(|(_, name)| name)
}

/// Returns how specific a name is to an error, from 0 on. `None` if the name does not apply.
fn specificity(name: &str, error: &Error) -> Option<u8> {
    let field = error.field().unwrap_or_default();
    let (defect, is_attribute) = (error.defect(), field.starts_with('@'));
    let is_value = matches!(defect, Defect::Value | Defect::Incomplete | Defect::Refused);
    let (rank, is_named) = match name {
        INCORRECT_NAMESPACE => (
            0,
            error.kind() == ErrorKind::Data && matches!(defect, Defect::Namespace | Defect::Spelling),
        ),
        "Unsupported format" => (0, error.kind() == ErrorKind::Data && defect == Defect::Root),
        "Leading whitespace" => (0, defect == Defect::Unknown),
        "Nested sitemap indexes" => (2, defect != Defect::Root),
        "Incomplete URL" => (0, defect == Defect::Incomplete),
        "Missing publication" => (0, defect == Defect::Missing && field == "news:publication"),
        "Missing thumbnail URL" => (0, defect == Defect::Missing && field == "video:thumbnail_loc"),
        "Missing video title" => (0, defect == Defect::Missing && field == "video:title"),
        "Missing XML attribute" => (1, defect == Defect::Missing && is_attribute),
        "Missing XML tag" => (1, defect == Defect::Missing && !is_attribute),
        "Invalid XML: too many tags" => (1, defect == Defect::Excess && !is_attribute),
        "Invalid XML attribute value" => (1, is_value && is_attribute),
        "Invalid tag value" => (1, is_value && !is_attribute && !field.ends_with("loc")),
        "Too many News URLs" => (1, defect == Defect::Value),
        // XML requires escaping for only two of the five characters, and documents in other encodings are read if they declare
        // them.
        "Parsing error" => (2, error.kind() != ErrorKind::Data),
        "Invalid URL" => (2, is_value && (field.ends_with("loc") || !field.contains(':'))),
        "Invalid date" => (2, is_value),
        // The check decides which.
        INCLUDES_WWW | MISSING_WWW | TOO_MANY_SITEMAPS => (2, false),
        // The rule's only problem.
        _ => (2, true),
    };
    is_named.then_some(rank)
}
