//! The document as a whole: XML, its head, its size, and which elements an entry has.

use crate::diagnostic::Severity::{Error as Bad, Note, Warning};
use crate::rule::Rule;

use super::table::Page;

pub(super) const PAGES: &[Page] = &[
    Page {
        rule: Rule::Xml,
        severity: Bad,
        search_console: &["Parsing error"],
        explanation: "A sitemap is well-formed XML 1.0 with namespaces. A crawler stops at the first place where it is not, and \
            what follows is lost, or the whole document is.\n\nUsual causes are text that was put between tags without \
            escaping it, a document that was cut off while it was written or sent, and two documents in one file. Write \
            sitemaps with a program that escapes what it writes, to another name, and rename the file when it is whole.",
    },
    Page {
        rule: Rule::Ns,
        severity: Bad,
        search_console: &["Incorrect namespace", "Unsupported format"],
        explanation: "The root is `urlset` or `sitemapindex` in the namespace `http://www.sitemaps.org/schemas/sitemap/0.9`, \
            and so are its entries. Crawlers match namespaces letter by letter: `https:`, a slash at the end, or no \
            namespace at all are other namespaces, which some accept and others do not.\n\nElements that the schema does \
            not have are passed over; what they were meant to say is lost.",
    },
    Page {
        rule: Rule::Decl,
        severity: Warning,
        search_console: &["Leading whitespace", "Unsupported format"],
        explanation: "The first bytes of the document are `<?xml version=\"1.0\" encoding=\"UTF-8\"?>`. White space, a blank \
            line or a warning of PHP before the declaration makes the document ill-formed, and a crawler refuses it.\n\n\
            Without a declaration XML means UTF-8 too, but the protocol asks for one.",
    },
    Page {
        rule: Rule::Utf8,
        severity: Bad,
        search_console: &["Parsing error"],
        explanation: "A sitemap is in UTF-8. Another encoding may be read by some crawlers if it is declared, and is refused by \
            others; bytes that are not in the encoding that is declared are refused by all.\n\nConvert the file, and the \
            name in its declaration with it.",
    },
    Page {
        rule: Rule::Esc,
        severity: Note,
        search_console: &["Parsing error"],
        explanation: "The protocol asks for five characters to be written as entities in values: `&amp;`, `&apos;`, `&quot;`, \
            `&lt;` and `&gt;`. XML itself asks for `&` and `<` only, and a document without those two escaped is not \
            well-formed.\n\nA bare `>` or quote in a loc is read by every XML parser, and by programs that are none it may \
            not be.",
    },
    Page {
        rule: Rule::Empty,
        severity: Bad,
        search_console: &["Empty sitemap"],
        explanation: "A document has at least one `url` or `sitemap`: the schema says so, and Google reports one without. It is \
            often the sign of a query that found nothing where it should have.\n\nLeave an empty sitemap out of the index, \
            rather than publish it.",
    },
    Page {
        rule: Rule::Count,
        severity: Bad,
        search_console: &["Too many URLs", "Too many sitemaps"],
        explanation: "A urlset lists at most 50,000 pages, an index at most 50,000 sitemaps. What comes after them is not read, \
            or the whole document is refused.\n\nSplit the document, and list the parts in an index.",
    },
    Page {
        rule: Rule::Size,
        severity: Bad,
        search_console: &["Sitemap file size error"],
        explanation: "A document has at most 50 MB, which is 52,428,800 bytes, before it is compressed. Compression makes the \
            transfer shorter, not the document.\n\nSplit the document, and list the parts in an index.",
    },
    Page {
        rule: Rule::Gzip,
        severity: Bad,
        search_console: &["Compression error"],
        explanation: "A sitemap may be compressed by gzip, and by nothing else. A file that was cut off, or whose checksum is \
            wrong, cannot be decompressed whole.\n\nA name that ends in `.gz` is served with the type `application/gzip` \
            and without `Content-Encoding`, or else clients decompress it twice.",
    },
    Page {
        rule: Rule::Order,
        severity: Note,
        search_console: &[],
        explanation: "The schema has the children of an entry in the order loc, lastmod, changefreq, priority, extensions. \
            Crawlers take them in any order, so only validation against the schema fails.",
    },
    Page {
        rule: Rule::Dup,
        severity: Bad,
        search_console: &["Invalid XML: too many tags", "Missing XML tag"],
        explanation: "An entry has exactly one `loc`, and each of `lastmod`, `changefreq` and `priority` at most once. Of two \
            values nobody knows which one counts, and an entry without a loc is about no page.\n\nTwo pages in one `url` \
            are two entries.",
    },
    Page {
        rule: Rule::Nest,
        severity: Bad,
        search_console: &["Nested sitemap indexes"],
        explanation: "An index lists sitemaps, never another index: Google does not follow the second one. List the sitemaps of \
            both in one index, of up to 50,000, or submit the indexes one by one.",
    },
    Page {
        rule: Rule::IndexTags,
        severity: Warning,
        search_console: &["Invalid XML: too many tags"],
        explanation: "An entry of an index has a `loc` and a `lastmod`. What belongs to pages, such as `changefreq`, `priority` \
            and extensions, says nothing there and is ignored.",
    },
    Page {
        rule: Rule::Txt1,
        severity: Bad,
        search_console: &["Invalid URL"],
        explanation: "A text sitemap is one absolute URL a line in UTF-8, and nothing else: no header, no comment, no list of \
            values. Lines that are anything else are not crawled.",
    },
    Page {
        rule: Rule::Txt2,
        severity: Bad,
        search_console: &["Too many URLs", "Sitemap file size error"],
        explanation: "A text sitemap has at most 50,000 lines and 52,428,800 bytes before it is compressed. Split it, and list \
            the parts in an index.",
    },
];
