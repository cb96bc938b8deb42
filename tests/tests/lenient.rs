//! Documents that are broken, read all the same: what strict reading says, what is read, and what is told.

use sitemap_serde::{IndexEntry, Mode, ReaderBuilder};
use sitemap_tests::{CORE, Random, Trickle, corpus, files, urlset};

/// What is read of a document, and what is told of it, in whatever pieces it comes.
fn lenient(document: &[u8]) -> (Result<Vec<String>, String>, Vec<String>) {
    let mut builder = ReaderBuilder::new();
    builder.mode(Mode::Lenient);
    let mut slice = builder.from_slice(document);
    let read = slice
        .entries()
        .map(|entry| entry.map(|entry| entry.loc).map_err(|error| error.to_string()))
        .collect();
    let told: Vec<String> = slice.diagnostics().iter().map(ToString::to_string).collect();
    let mut stream = builder.from_reader(Trickle::new(document));
    let again = stream
        .entries()
        .map(|entry| entry.map(|entry| entry.loc).map_err(|error| error.to_string()))
        .collect();
    assert_eq!(read, again, "{}", String::from_utf8_lossy(document));
    let again: Vec<String> = stream.diagnostics().iter().map(ToString::to_string).collect();
    assert_eq!(told, again, "{}", String::from_utf8_lossy(document));
    (read, told)
}

fn strict(document: &[u8]) -> Option<String> {
    ReaderBuilder::new()
        .from_slice(document)
        .entries()
        .find_map(|entry| entry.err().map(|error| error.to_string()))
}

/// What strict reading says of a document, what lenient reading gives of it, and what it tells.
#[track_caller]
fn case(document: &str, refused: &str, read: Result<&[&str], &str>, told: &[&str]) {
    assert_eq!(
        strict(document.as_bytes()).unwrap_or_default(),
        refused,
        "{document}"
    );
    let (found, diagnostics) = lenient(document.as_bytes());
    match (found, read) {
        (Ok(found), Ok(read)) => assert_eq!(found, read, "{document}"),
        (Err(found), Err(read)) => assert_eq!(found, read, "{document}"),
        (found, read) => panic!("{document}: {found:?}, {read:?}"),
    }
    assert_eq!(diagnostics, told, "{document}");
}

#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table")]
#[test]
fn what_is_around_and_within_entries() {
    case(
        " \n<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset>",
        "an XML declaration that is not at the very start of the document (XML 1.0 section 2.8); remove what is before it (P-DECL), at line 2, column 1 (byte 2)",
        Ok(&["https://example.com/1"]),
        &["error[P-DECL]: an XML declaration that is not at the very start of the document (XML 1.0 section 2.8); remove what is before it (P-DECL), at line 2, column 1 (byte 2)"],
    );
    case(
        "PHP Warning: x\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset>",
        "`PHP Warning: x` before the root: this is text, not XML; a sitemap begins with `<?xml` or its root (P-DECL), at line 1, column 1 (byte 0)",
        Ok(&["https://example.com/1"]),
        &["error[P-DECL]: `PHP Warning: x` before the root: this is text, not XML; a sitemap begins with `<?xml` or its root (P-DECL), at line 1, column 1 (byte 0)"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/?a&b=&eacute;&amp;amp;</loc></url></urlset>",
        "a `&` that begins no reference: in a value it is written `&amp;` (P-ESC), at line 1, column 93 (byte 92), entry 1",
        Ok(&["https://example.com/?a&b=é&amp;"]),
        &["error[P-ESC]: a `&` that begins no reference: in a value it is written `&amp;` (P-ESC), at line 1, column 93 (byte 92), entry 1"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc><image:image><image:loc>https://example.com/a.jpg</image:loc></image:image></url></urlset>",
        "the prefix `image` of `image:image` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:image=\"…\"`, at line 1, column 99 (byte 98), entry 1",
        Ok(&["https://example.com/1"]),
        &["error[XML]: the prefix `image` of `image:image` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:image=\"…\"`, at line 1, column 99 (byte 98), entry 1", "error[XML]: the prefix `image` of `image:loc` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:image=\"…\"`, at line 1, column 112 (byte 111), entry 1"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1<lastmod>2024</lastmod></url><url><loc>https://example.com/2</loc></url></urlset>",
        "the end tag `</url>` where `</loc>` is expected: elements end in the order in which they began, at line 1, column 115 (byte 114), entry 1",
        Ok(&["https://example.com/1", "https://example.com/2"]),
        &["error[XML]: `lastmod` begins, and `loc` before it has no end tag; write it, at line 1, column 92 (byte 91), entry 1"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc><url><loc>https://example.com/2</loc></url></urlset>",
        "the end tag `</urlset>` where `</url>` is expected: elements end in the order in which they began, at line 1, column 141 (byte 140), entry 1",
        Ok(&["https://example.com/1", "https://example.com/2"]),
        &["error[XML]: `url` begins, and `url` before it has no end tag; write it, at line 1, column 98 (byte 97), entry 1"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</lok></url><url><loc>https://example.com/2</loc></url></urlset>",
        "the end tag `</lok>` where `</loc>` is expected: elements end in the order in which they began, at line 1, column 92 (byte 91), entry 1",
        Ok(&["https://example.com/1", "https://example.com/2"]),
        &["error[XML]: the end tag `</lok>` where `</loc>` is expected: elements end in the order in which they began, at line 1, column 92 (byte 91), entry 1", "error[XML]: the end tag `</url>` where `</loc>` is expected: elements end in the order in which they began, at line 1, column 98 (byte 97), entry 1"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></url><url><loc>https://example.com/2</loc></url></urlset>",
        "the end tag `</url>` where `</urlset>` is expected: elements end in the order in which they began, at line 1, column 104 (byte 103)",
        Ok(&["https://example.com/1", "https://example.com/2"]),
        &["error[XML]: the end tag `</url>` where `</urlset>` is expected: elements end in the order in which they began, at line 1, column 104 (byte 103)"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc><lastmod>2024</url><url><loc>https://example.com/2</loc></url></urlset>",
        "the end tag `</url>` where `</lastmod>` is expected: elements end in the order in which they began, at line 1, column 111 (byte 110), entry 1",
        Ok(&["https://example.com/1", "https://example.com/2"]),
        &["error[XML]: the end tag `</url>` where `</lastmod>` is expected: elements end in the order in which they began, at line 1, column 111 (byte 110), entry 1"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url><url><loc>https://example.com/2</loc><lastmod>20",
        "the document ends inside `lastmod`: it was cut off, or its end was never written; get it whole, at line 1, column 152 (byte 151), entry 2",
        Ok(&["https://example.com/1", "https://example.com/2"]),
        &["error[XML]: the document ends inside `lastmod`: it was cut off, or its end was never written; get it whole, at line 1, column 152 (byte 151), entry 2"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url><url><loc>https://example.com/2</lo",
        "the document ends inside a tag that begins here: it was cut off, or its `>` was never written; get it whole, at line 1, column 135 (byte 134), entry 2",
        Ok(&["https://example.com/1"]),
        &["error[XML]: the document ends inside a tag that begins here: it was cut off, or its `>` was never written; get it whole, at line 1, column 135 (byte 134)", "error[P-DUP]: no `loc`: every `url` has exactly one (P-DUP); give it its URL, or remove it, at line 1, column 104 (byte 103), entry 2 · loc"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset>",
        "a second root `urlset`: a document has one (XML 1.0 section 2.1); remove it, at line 1, column 113 (byte 112)",
        Ok(&["https://example.com/1", "https://example.com/1"]),
        &["error[XML]: a second root `urlset`: a document has one (XML 1.0 section 2.1); remove it, at line 1, column 113 (byte 112)"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset>junk",
        "`junk` after the end of the root: a document ends with its root; remove it, at line 1, column 113 (byte 112)",
        Ok(&["https://example.com/1"]),
        &["error[XML]: `junk` after the end of the root: a document ends with its root; remove it, at line 1, column 113 (byte 112)"],
    );
    case(
        "<urlset xmlns=\"urn:x\"><url><loc>https://example.com/1</loc></url></urlset>",
        "the root `urlset` is in a namespace that is no sitemap's: it is `http://www.sitemaps.org/schemas/sitemap/0.9` (P-NS); correct its `xmlns`, at line 1, column 1 (byte 0)",
        Ok(&["https://example.com/1"]),
        &["error[P-NS]: the root `urlset` is in a namespace that is no sitemap's: it is `http://www.sitemaps.org/schemas/sitemap/0.9` (P-NS); correct its `xmlns`, at line 1, column 1 (byte 0)"],
    );
    case(
        "<URLSET xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><URL><LOC>https://example.com/1</LOC></URL></URLSET>",
        "the root is `URLSET`, and a sitemap's is `urlset` or `sitemapindex` (P-NS); read this document with something else, at line 1, column 1 (byte 0)",
        Ok(&["https://example.com/1"]),
        &["error[P-NS]: the root is `URLSET`: names are case-sensitive, and it is `urlset` (P-NS), at line 1, column 1 (byte 0)", "error[P-NS]: `URL` is no element of a urlset, whose entries are `url` elements (P-NS); did you mean `url`?, at line 1, column 61 (byte 60), entry 1", "error[P-NS]: `loc` in another case: names are case-sensitive (P-NS); write it in small letters, at line 1, column 61 (byte 60), entry 1 · loc"],
    );
    case(
        "<html><head><title>x</title></head><body><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset></body></html>",
        "this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); look at what the address gave, an error page perhaps, at line 1, column 1 (byte 0)",
        Ok(&["https://example.com/1"]),
        &["error[P-NS]: this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); look at what the address gave, an error page perhaps, at line 1, column 1 (byte 0)"],
    );
    case(
        "<html><head><title>x</title></head><body><p>x<br></body></html>",
        "this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); look at what the address gave, an error page perhaps, at line 1, column 1 (byte 0)",
        Err("this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); look at what the address gave, an error page perhaps, at line 1, column 1 (byte 0)"),
        &[],
    );
    case(
        "<!doctype html><html><body></body></html>",
        "this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); look at what the address gave, an error page perhaps, at line 1, column 1 (byte 0)",
        Err("this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); look at what the address gave, an error page perhaps, at line 1, column 16 (byte 15)"),
        &[],
    );
}

#[rustfmt::skip]
#[test]
fn roots_and_the_rest() {
    case(
        "<!doctype html><html><body><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset></body></html>",
        "this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); look at what the address gave, an error page perhaps, at line 1, column 1 (byte 0)",
        Ok(&["https://example.com/1"]),
        &["error[P-NS]: this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); look at what the address gave, an error page perhaps, at line 1, column 1 (byte 0)", "error[P-NS]: this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); look at what the address gave, an error page perhaps, at line 1, column 16 (byte 15)"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/?a=1&b=2</loc><lastmod>2024</lastmod></url></urlset>",
        "a `&` that begins no reference: in a value it is written `&amp;` (P-ESC), at line 1, column 95 (byte 94), entry 1",
        Ok(&["https://example.com/?a=1&b=2"]),
        &["error[P-ESC]: a `&` that begins no reference: in a value it is written `&amp;` (P-ESC), at line 1, column 95 (byte 94), entry 1"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><Loc>https://example.com/1</Loc></url></urlset>",
        "`Loc` is no element of a `url`: names are case-sensitive (P-NS); did you mean `loc`?, at line 1, column 66 (byte 65), entry 1",
        Ok(&["https://example.com/1"]),
        &["error[P-NS]: `loc` in another case: names are case-sensitive (P-NS); write it in small letters, at line 1, column 61 (byte 60), entry 1 · loc"],
    );
    case(
        "<?xml version=\"1.0\" encoding=\"UTF-8\">\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset>",
        "the XML declaration that begins here and does not end, so that all that follows is part of it (P-DECL); close it with its `?>`, at line 1, column 1 (byte 0)",
        Ok(&["https://example.com/1"]),
        &["error[XML]: the document ends inside the XML declaration that begins here: it was cut off, or its `?>` was never written; get it whole, at line 1, column 1 (byte 0)"],
    );
    case(
        "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1<![CDATA[&a</loc></url><url><loc>https://example.com/1</loc></url></urlset>",
        "a CDATA section that begins here and does not end, so that all that follows is part of it; close it with its `]]>`, at line 1, column 113 (byte 112), entry 1",
        Ok(&["https://example.com/1", "https://example.com/1"]),
        &["error[XML]: the document ends inside a CDATA section that begins here: it was cut off, or its `]]>` was never written; get it whole, at line 1, column 113 (byte 112), entry 1", "error[XML]: the end tag `</url>` where `</loc>` is expected: elements end in the order in which they began, at line 1, column 130 (byte 129), entry 1"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><x:y><x:z><url><loc>https://example.com/1</loc></url></urlset>",
        "the prefix `x` of `x:y` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:x=\"…\"`, at line 1, column 62 (byte 61)",
        Ok(&["https://example.com/1"]),
        &["error[XML]: the prefix `x` of `x:y` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:x=\"…\"`, at line 1, column 62 (byte 61)", "error[XML]: the prefix `x` of `x:z` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:x=\"…\"`, at line 1, column 67 (byte 66)", "error[XML]: the end tag `</urlset>` where `</x:z>` is expected: elements end in the order in which they began, at line 1, column 114 (byte 113)"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><!-- a <url><loc>https://example.com/1</loc></url><!-- b <url><loc>https://example.com/1</loc></url></urlset>",
        "`--` inside a comment (XML 1.0 section 2.5); write `- -`, at line 1, column 113 (byte 112)",
        Ok(&["https://example.com/1", "https://example.com/1"]),
        &["error[XML]: `--` inside a comment (XML 1.0 section 2.5); write `- -`, at line 1, column 113 (byte 112), entry 1", "error[XML]: the document ends inside a comment that begins here: it was cut off, or its `-->` was never written; get it whole, at line 1, column 111 (byte 110)"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><<<<<<< HEAD\n<url><loc>https://example.com/1</loc></url>\n=======\n<url><loc>https://example.com/1</loc></url>>>>>>>> x</urlset>",
        "found `<` where the name of an element begins (XML 1.0 section 2.3); if it is text, `<` is written `&lt;`, at line 1, column 62 (byte 61)",
        Ok(&["https://example.com/1", "https://example.com/1"]),
        &["error[XML]: found `<` where the name of an element begins (XML 1.0 section 2.3); if it is text, `<` is written `&lt;`, at line 1, column 62 (byte 61)", "error[P-NS]: the text `<<<<<<< HEAD` between entries: a urlset holds `url` elements (P-NS); remove it, or put it in a comment, at line 1, column 61 (byte 60)", "error[P-NS]: the text `=======` between entries: a urlset holds `url` elements (P-NS); remove it, or put it in a comment, at line 3, column 1 (byte 117)", "error[P-NS]: the text `>>>>>>> x` between entries: a urlset holds `url` elements (P-NS); remove it, or put it in a comment, at line 4, column 44 (byte 168)"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/\x001</loc></url></urlset>",
        "the character U+0000 cannot be in an XML document (XML 1.0 section 2.2); remove it, at line 1, column 91 (byte 90), entry 1",
        Ok(&["https://example.com/1"]),
        &["error[XML]: the character U+0000 cannot be in an XML document (XML 1.0 section 2.2); remove it, at line 1, column 91 (byte 90), entry 1"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc a=b c='d>https://example.com/1</loc></url></urlset>",
        "the attribute `a` has no value in quotes (XML 1.0 section 3.1); write it `name=\"value\"`, at line 1, column 73 (byte 72), entry 1",
        Ok(&["https://example.com/1"]),
        &["error[XML]: the attribute `a` has no value in quotes (XML 1.0 section 3.1); write it `name=\"value\"`, at line 1, column 73 (byte 72), entry 1"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><sitemap><loc>https://example.com/1</loc></sitemap></urlset>",
        "a `sitemap` in a urlset: a urlset lists pages, `url` entries only (P-NS); move it to a document of its own, at line 1, column 61 (byte 60), entry 1",
        Ok(&["https://example.com/1"]),
        &["error[P-NS]: a `sitemap` in a urlset: a urlset lists pages, `url` entries only (P-NS); move it to a document of its own, at line 1, column 61 (byte 60), entry 1"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc><loc>https://example.com/2</loc><priority>x</priority></url></urlset>",
        "a second `loc`: a `url` has at most one (P-DUP); remove the one that does not count, at line 1, column 103 (byte 102), entry 1 · loc",
        Ok(&["https://example.com/1"]),
        &["error[P-DUP]: a second `loc`: a `url` has at most one (P-DUP); remove the one that does not count, at line 1, column 103 (byte 102), entry 1 · loc", "warning[P-PRIO]: `x` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field out, at line 1, column 140 (byte 139), entry 1 · priority"],
    );
    case(
        "",
        "the document is empty: a sitemap is an XML document with the root `urlset` or `sitemapindex` (P-NS), at line 1, column 1 (byte 0)",
        Err("the document is empty: a sitemap is an XML document with the root `urlset` or `sitemapindex` (P-NS), at line 1, column 1 (byte 0)"),
        &[],
    );
    case(
        "junk",
        "`junk` before the root: this is text, not XML; a sitemap begins with `<?xml` or its root (P-DECL), at line 1, column 1 (byte 0)",
        Err("`junk` before the root: this is text, not XML; a sitemap begins with `<?xml` or its root (P-DECL), at line 1, column 1 (byte 0)"),
        &[],
    );
}

#[test]
fn bytes_that_are_not_utf8() {
    let document = urlset("<url><loc>https://example.com/@</loc></url>");
    let (before, after) = document.split_once('@').unwrap();
    for (bytes, text) in [
        (&b"\xE9"[..], "é"),
        (b"\x80\x93\xFF", "€“ÿ"),
        (b"\xC3(", "Ã("),
        ("é\u{FFFD}".as_bytes(), "é\u{FFFD}"),
    ] {
        let document = [before.as_bytes(), bytes, after.as_bytes()].concat();
        let (read, told) = lenient(&document);
        assert_eq!(read.unwrap(), [format!("https://example.com/{text}")]);
        let place = before.len();
        let expected = format!(
            "error[P-UTF8]: bytes that are not UTF-8, from here on: they are read as windows-1252 (P-UTF8); convert the file to \
             UTF-8, or declare the encoding that it is in, at line 1, column {} (byte {place})",
            place + 1
        );
        let expected = if std::str::from_utf8(bytes).is_ok() {
            vec![]
        } else {
            vec![expected]
        };
        assert_eq!(told, expected);
    }
}

/// What is right is read as strictly, and nothing is told of it.
#[test]
fn published_documents() {
    let Some(folder) = files("lenient") else { return };
    let mut same = 0;
    for (name, bytes) in corpus(&folder) {
        let strict: Result<Vec<_>, _> = ReaderBuilder::new().from_slice(&bytes).entries().collect();
        let Ok(strict) = strict else { continue };
        let mut builder = ReaderBuilder::new();
        let mut reader = builder.mode(Mode::Lenient).from_slice(&bytes);
        let lenient: Vec<_> = reader.entries().collect::<Result<_, _>>().unwrap();
        assert!(strict == lenient, "{name}");
        assert!(
            reader.diagnostics().is_empty(),
            "{name}: {:?}",
            reader.diagnostics()
        );
        same += 1;
    }
    assert!(same > 100, "{same}");
}

/// At least as many entries as the best of the other readers finds in what is broken.
#[test]
fn published_documents_that_are_broken() {
    let Some(folder) = files("lenient") else { return };
    let oracle = std::fs::read_to_string(folder.join("corpus/ORACLE.tsv")).unwrap();
    let mut files = 0;
    for line in oracle.lines().filter(|line| line.starts_with("broken/")) {
        let cells: Vec<&str> = line.split('\t').collect();
        let count = |i: usize| {
            let count = cells.get(i).and_then(|count| count.parse::<usize>().ok());
            count.unwrap_or(0)
        };
        let best = [5, 7, 8, 10].into_iter().map(count).max().unwrap_or(0);
        let bytes = std::fs::read(folder.join("corpus").join(cells[0])).unwrap();
        let mut builder = ReaderBuilder::new();
        let mut reader = builder.mode(Mode::Lenient).from_slice(&bytes);
        let found = reader.deserialize::<IndexEntry>().flatten().count();
        assert!(found >= best, "{}: {found} of {best}", cells[0]);
        assert!(!reader.diagnostics().is_empty(), "{}", cells[0]);
        files += 1;
    }
    assert!(files > 15, "{files}");
}

/// Whatever is done to one entry, those that are not beside it are read.
#[test]
fn damage_costs_its_neighbours_at_most() {
    const ENTRIES: usize = 12;
    const SNIPPETS: [&str; 12] = [
        "<",
        ">",
        "&",
        "</loc>",
        "<loc>",
        "</url>",
        "<url>",
        "</x>",
        "<x y=",
        "&nbsp;",
        "<image:image>",
        "/>",
    ];
    let mut random = Random::new(0x6c65_6e69);
    let loc = |i: usize| {
        format!(
            "https://example.com/{i}{}",
            "abcdefghijkl".chars().nth(i).unwrap()
        )
    };
    for round in 0..3000 {
        let entries: Vec<String> = (0..ENTRIES)
            .map(|i| {
                let day = i % 9 + 1;
                format!(
                    "<url><loc>{}</loc><lastmod>2024-05-0{day}</lastmod></url>\n",
                    loc(i)
                )
            })
            .collect();
        let at = random.below(ENTRIES);
        let mut damaged = entries[at].clone();
        for _ in 0..=random.below(3) {
            let from = random.below(damaged.len() + 1);
            let to = from + random.below(damaged.len() - from + 1).min(12);
            match random.below(4) {
                0 => damaged.replace_range(from..to, ""),
                1 => damaged.insert_str(from, SNIPPETS[random.below(SNIPPETS.len())]),
                2 => damaged = damaged[from..to].repeat(2) + &damaged,
                _ => {
                    let other: String = "#&/ <".chars().cycle().take(to - from).collect();
                    damaged.replace_range(from..to, &other);
                }
            }
        }
        let document = urlset(
            &[
                entries[..at].concat(),
                damaged.clone(),
                entries[at + 1..].concat(),
            ]
            .concat(),
        );
        let (read, _) = lenient(document.as_bytes());
        let read = read.unwrap();
        for i in (0..ENTRIES).filter(|i| i.abs_diff(at) > 1) {
            assert!(
                read.contains(&loc(i)),
                "round {round}: {i} is lost: {damaged:?}: {read:?}"
            );
        }
    }
}

/// Time grows with the length, whatever does not end in the document.
#[test]
fn what_never_ends_is_sought_once() {
    for piece in [
        "<!-- ",
        "<![CDATA[",
        "<?x ",
        "<x ",
        "<x y='",
        "&",
        "</y>",
        "<url>",
        "<loc>",
    ] {
        let document = format!("<urlset xmlns=\"{CORE}\">{}", piece.repeat(40_000 / piece.len()));
        let mut builder = ReaderBuilder::new();
        builder.mode(Mode::Lenient);
        let mut slice = builder.from_slice(document.as_bytes());
        assert_eq!(slice.entries().flatten().count(), 0, "{piece}");
        let mut stream = builder.from_reader(document.as_bytes());
        assert_eq!(stream.entries().flatten().count(), 0, "{piece}");
    }
}
