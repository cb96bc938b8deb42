//! Rules about the document as a whole: XML, encoding, size, and the elements of entries.

use sitemap_values::Rule;
use sitemap_values::number::grouped;
use sitemap_values::quote::quote;

use crate::diagnostic::Severity::{Error as Bad, Note, Warning};
use crate::document::sniff::Format;
use crate::error::{Defect, Error, Message};
use crate::model::Kind;
use crate::xml::names::CORE;

use super::table::RuleDoc;

pub(super) const DOCS: &[RuleDoc] = &[
    RuleDoc {
        rule: Rule::Xml,
        severity: Bad,
        search_console: &["Parsing error"],
        explanation: "A sitemap is well-formed XML 1.0 with namespaces. A crawler stops at the first syntax error and loses \
            the rest, or rejects the whole document.\n\nUsual causes are text that is not escaped, a document that was \
            truncated while it was written or sent, and two documents in one file. Write sitemaps with a program that \
            escapes text, write to a temporary name, and rename the file when it is complete.",
    },
    RuleDoc {
        rule: Rule::Ns,
        severity: Bad,
        search_console: &["Incorrect namespace", "Unsupported format", "Parsing error"],
        explanation: "The root is `urlset` or `sitemapindex` in the namespace `http://www.sitemaps.org/schemas/sitemap/0.9`, \
            and so are its entries. Crawlers compare namespaces character by character: with `https:`, with a slash at the \
            end, or without a namespace the document may be rejected.\n\nElements that are not in the schema are ignored, \
            and their content is lost.",
    },
    RuleDoc {
        rule: Rule::Decl,
        severity: Note,
        search_console: &["Leading whitespace", "Parsing error"],
        explanation: "The first bytes of the document are `<?xml version=\"1.0\" encoding=\"UTF-8\"?>`. White space, a blank \
            line or a PHP warning before the declaration makes the document malformed, and crawlers reject it: that is an \
            error.\n\n\
            XML without a declaration, or without an encoding in it, is in UTF-8 too, but the protocol asks for both.",
    },
    RuleDoc {
        rule: Rule::Utf8,
        severity: Bad,
        search_console: &["Parsing error"],
        explanation: "A sitemap is in UTF-8. Some crawlers read other encodings if they are declared, others reject them; bytes \
            that are invalid in the declared encoding are rejected by all.\n\nConvert the file, and change the encoding in \
            its XML declaration.",
    },
    RuleDoc {
        rule: Rule::Esc,
        severity: Note,
        search_console: &["Parsing error"],
        explanation: "The protocol asks for five characters to be written as entities in values: `&amp;`, `&apos;`, `&quot;`, \
            `&lt;` and `&gt;`. XML itself asks for `&` and `<` only, and a document without those two escaped is not \
            well-formed.\n\nEvery XML parser reads an unescaped `>` or quote in a loc, but programs without an XML parser may \
            not.",
    },
    RuleDoc {
        rule: Rule::Empty,
        severity: Bad,
        search_console: &["Empty sitemap"],
        explanation: "The schema requires at least one `url` or `sitemap`, and Google reports a document without entries. It is \
            often a sign of a failed query.\n\nDo not publish an empty sitemap; leave it out of the index.",
    },
    RuleDoc {
        rule: Rule::Count,
        severity: Bad,
        search_console: &["Too many URLs", "Too many sitemaps"],
        explanation: "A urlset lists at most 50,000 pages, an index at most 50,000 sitemaps. Further entries are ignored, or \
            the whole document is rejected.\n\nSplit the document, and list the parts in an index.",
    },
    RuleDoc {
        rule: Rule::Size,
        severity: Bad,
        search_console: &["Sitemap file size error"],
        explanation: "A document has at most 50 MB, which is 52,428,800 bytes, before it is compressed. Compression makes the \
            transfer shorter, not the document.\n\nSplit the document, and list the parts in an index.",
    },
    RuleDoc {
        rule: Rule::Gzip,
        severity: Bad,
        search_console: &["Compression error"],
        explanation: "Gzip is the only compression for sitemaps. A truncated file, or one with a wrong checksum, cannot be \
            decompressed completely.\n\nServe a file whose name ends in `.gz` with the type `application/gzip` and \
            without `Content-Encoding`, or clients will decompress it twice. A server goes by the name: leave `.gz` out of that of a \
            file that is not compressed, and add it to that of one that is.",
    },
    RuleDoc {
        rule: Rule::Order,
        severity: Note,
        search_console: &[],
        explanation: "The schema has the children of an entry in the order loc, lastmod, changefreq, priority, extensions. \
            Crawlers accept any order, so only validation against the schema fails.",
    },
    RuleDoc {
        rule: Rule::Dup,
        severity: Bad,
        search_console: &["Invalid XML: too many tags", "Missing XML tag"],
        explanation: "An entry has exactly one `loc`, and each of `lastmod`, `changefreq` and `priority` at most once. If a \
            value is repeated, it is undefined which one counts, and an entry without a loc has no page.\n\nGive each page \
            its own `url`.",
    },
    RuleDoc {
        rule: Rule::SitemapXsd,
        severity: Warning,
        search_console: &[],
        explanation: "The elements of a sitemap have no attributes, and between the elements of an entry there is no text: crawlers \
            ignore both, so something is lost, and validation against the schema fails.\n\nA DOCTYPE defines a document by other \
            means than the schema. Some crawlers refuse a document with one, since its entities can be an attack.",
    },
    RuleDoc {
        rule: Rule::Nest,
        severity: Bad,
        search_console: &["Nested sitemap indexes"],
        explanation: "An index lists sitemaps, never another index: Google does not follow the second one. List the sitemaps of \
            both in one index, of up to 50,000, or submit the indexes one by one.",
    },
    RuleDoc {
        rule: Rule::IndexTags,
        severity: Warning,
        search_console: &[],
        explanation: "An entry of an index has a `loc` and a `lastmod`. Elements that describe pages, such as `changefreq`, \
            `priority` and extensions, are ignored there.",
    },
    RuleDoc {
        rule: Rule::Txt1,
        severity: Bad,
        search_console: &["Invalid URL"],
        explanation: "A text sitemap is a UTF-8 file with one absolute URL per line, and nothing else: no header, no comments, \
            no other columns. Other lines are not crawled.",
    },
    RuleDoc {
        rule: Rule::Txt2,
        severity: Bad,
        search_console: &["Too many URLs", "Sitemap file size error"],
        explanation: "A text sitemap has at most 50,000 lines and 52,428,800 bytes before it is compressed. Split it, and list \
            the parts in an index.",
    },
];

/// The error for a root in a namespace that readers accept in place of the schema's.
pub(super) fn odd_namespace(uri: Option<&str>) -> Option<Error> {
    match uri {
        Some(CORE) => None,
        None | Some("") => Some(Error::data(
            Message::new(format!("the root is in no namespace: it is in `{CORE}`"))
                .advice("declare it with `xmlns`"),
        )),
        Some(uri) => Some(Error::data(
            Message::new(format!(
                "the root is in the namespace {}, which some readers take for `{CORE}`",
                quote(uri)
            ))
            .advice("write that"),
        )),
    }
    .map(|error| error.breaks(Rule::Ns).with_defect(Defect::Namespace))
}

pub(super) fn too_many(kind: Kind, format: Format, most: u64) -> Error {
    if format == Format::Text {
        let message = Message::new(format!(
            "line {} of the document: a text sitemap has at most {}",
            grouped(most + 1),
            grouped(most)
        ));
        return Error::data(message.advice("split it, and list the parts in an index")).breaks(Rule::Txt2);
    }
    Error::data(
        Message::new(format!(
            "entry {} of the document: a {kind} has at most {} `{}` entries",
            grouped(most + 1),
            grouped(most),
            kind.entry()
        ))
        .advice("split it, and list the parts in an index"),
    )
    .breaks(Rule::Count)
}

pub(super) fn too_much_news() -> Error {
    let most = crate::schema::MOST_NEWS;
    Error::data(
        Message::new(format!(
            "the document has more than {} `news:news`, which is the limit",
            grouped(most)
        ))
        .advice("split it, and list the parts in an index"),
    )
    .breaks(Rule::News4)
}

pub(super) fn too_large(format: Format, most: u64) -> Error {
    let rule = if format == Format::Text {
        Rule::Txt2
    } else {
        Rule::Size
    };
    Error::data(
        Message::new(format!(
            "the document has more than {} bytes, which is the limit",
            grouped(most)
        ))
        .advice("split it, and list the parts in an index"),
    )
    .breaks(rule)
}

pub(super) fn empty(kind: Kind) -> Error {
    Error::data(
        Message::new(format!("the document has no entries: a {kind} has at least one"))
            .advice("leave it out of the index until it has some"),
    )
    .breaks(Rule::Empty)
}
