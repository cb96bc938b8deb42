//! Google Search Console's names for problems.

use sitemap_values::Rule;

use crate::error::{Defect, Error, ErrorKind};

pub(crate) const INCLUDES_WWW: &str = "Path mismatch: Includes www";
pub(crate) const MISSING_WWW: &str = "Path mismatch: Missing www";
pub(crate) const TOO_LARGE: &str = "Sitemap file size error";
pub(crate) const TOO_MANY_SITEMAPS: &str = "Too many sitemaps";

/// The name of the problem that an error is about, which breaks `rule`; `None` if Search Console does not report it.
pub(crate) fn name(error: &Error, rule: Rule) -> Option<&'static str> {
    let name = match rule {
        Rule::Ns if error.kind() == ErrorKind::Data => return of_root(error.defect()),
        Rule::Decl if error.defect() == Defect::Unknown => "Leading whitespace",
        // XML itself asks for two of the five characters only, and other encodings are read if they are declared.
        Rule::Xml | Rule::Ns | Rule::Decl | Rule::Esc | Rule::Utf8 => {
            return (error.kind() != ErrorKind::Data).then_some("Parsing error");
        }
        Rule::Empty => "Empty sitemap",
        Rule::Count | Rule::Txt2 => "Too many URLs",
        Rule::Size => TOO_LARGE,
        Rule::Gzip => "Compression error",
        Rule::Nest => "Nested sitemap indexes",
        Rule::Loc if error.defect() == Defect::Incomplete => "Incomplete URL",
        Rule::Loc if error.defect() == Defect::Missing => "Missing XML tag",
        Rule::Loc | Rule::LocLen | Rule::LocEnc | Rule::Idn | Rule::Txt1 => "Invalid URL",
        Rule::Host | Rule::Path | Rule::Idx1 | Rule::Idx2 | Rule::Http => "URL not allowed",
        Rule::Robots => "URL blocked by robots.txt",
        Rule::Missing => "URLs not accessible",
        Rule::Lastmod => "Invalid date",
        Rule::News4 if error.defect() == Defect::Value => "Too many News URLs",
        Rule::Vid2 => "Video location and play page location are the same",
        Rule::Dup
        | Rule::Freq
        | Rule::Prio
        | Rule::Img1
        | Rule::Img2
        | Rule::News1
        | Rule::News2
        | Rule::News3
        | Rule::News4
        | Rule::NewsXsd
        | Rule::Vid1
        | Rule::Vid3
        | Rule::Vid4
        | Rule::Vid5
        | Rule::Vid6
        | Rule::Vid7
        | Rule::Vid8
        | Rule::Vid9
        | Rule::Vid10
        | Rule::VideoXsd
        | Rule::Alt1
        | Rule::Alt2
        | Rule::Alt5 => return of_element(error, rule),
        _ => return None,
    };
    Some(name)
}

fn of_root(defect: Defect) -> Option<&'static str> {
    match defect {
        Defect::Namespace => Some("Incorrect namespace"),
        Defect::Root => Some("Unsupported format"),
        _ => None,
    }
}

/// The name of a problem of an element or attribute.
fn of_element(error: &Error, rule: Rule) -> Option<&'static str> {
    let field = error.field().unwrap_or_default();
    let is_attribute = field.starts_with('@');
    match error.defect() {
        Defect::Missing => Some(match field {
            "news:publication" => "Missing publication",
            "video:thumbnail_loc" => "Missing thumbnail URL",
            "video:title" => "Missing video title",
            _ if is_attribute => "Missing XML attribute",
            _ => "Missing XML tag",
        }),
        Defect::Excess => (!is_attribute).then_some("Invalid XML: too many tags"),
        Defect::Value | Defect::Incomplete | Defect::Refused => Some(match rule {
            Rule::News3 | Rule::Vid4 => "Invalid date",
            Rule::Alt2 => "Invalid URL",
            _ if is_attribute => "Invalid XML attribute value",
            _ if field.ends_with("loc") => "Invalid URL",
            _ => "Invalid tag value",
        }),
        Defect::Unknown | Defect::Root | Defect::Namespace | Defect::Prefix | Defect::NothingMissing => None,
    }
}
