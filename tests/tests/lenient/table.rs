//! One small document for each cause.

use super::case;

#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table")]
#[test]
fn what_is_around_and_within_entries() {
    case(
        " \n<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset>",
        "an XML declaration that is not at the start of the document (XML 1.0 section 2.8); remove what is before it (P-DECL), at line 2, column 1 (byte 2)",
        Ok(&["https://example.com/1"]),
        &["error[P-DECL]: an XML declaration that is not at the start of the document (XML 1.0 section 2.8); remove what is before it (P-DECL), at line 2, column 1 (byte 2)"],
    );
    case(
        "PHP Warning: x\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset>",
        "`PHP Warning: x` before the root: this is text, not XML; a sitemap begins with `<?xml` or its root (P-DECL), at line 1, column 1 (byte 0)",
        Ok(&["https://example.com/1"]),
        &["error[P-DECL]: `PHP Warning: x` before the root: this is text, not XML; a sitemap begins with `<?xml` or its root (P-DECL), at line 1, column 1 (byte 0)"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/?a&b=&eacute;&amp;amp;</loc></url></urlset>",
        "a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 1, column 93 (byte 92), entry 1",
        Ok(&["https://example.com/?a&b=é&amp;"]),
        &["error[P-ESC]: a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 1, column 93 (byte 92), entry 1", "error[P-ESC]: the entity `&eacute;` is not declared: XML itself has only `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&apos;` (P-ESC); write the character itself, at line 1, column 96 (byte 95), entry 1", "warning[P-ESC]: `https://example.com/?a&b=é&amp;` is escaped twice (P-ESC); escape it once, at line 1, column 71 (byte 70), entry 1 · loc"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc><image:image><image:loc>https://example.com/a.jpg</image:loc></image:image></url></urlset>",
        "the prefix `image` of `image:image` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:image=\"…\"`, at line 1, column 99 (byte 98), entry 1",
        Ok(&["https://example.com/1"]),
        &["error[XML]: the prefix `image` of `image:image` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:image=\"…\"`, at line 1, column 99 (byte 98), entry 1", "error[XML]: the prefix `image` of `image:loc` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:image=\"…\"`, at line 1, column 112 (byte 111), entry 1"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1<lastmod>2024</lastmod></url><url><loc>https://example.com/2</loc></url></urlset>",
        "the end tag `</url>` where `</loc>` is expected: the element that began last ends first, at line 1, column 115 (byte 114), entry 1",
        Ok(&["https://example.com/1", "https://example.com/2"]),
        &["error[XML]: `lastmod` begins before the end tag of `loc`; add the end tag, at line 1, column 92 (byte 91), entry 1"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc><url><loc>https://example.com/2</loc></url></urlset>",
        "the end tag `</urlset>` where `</url>` is expected: the element that began last ends first, at line 1, column 141 (byte 140), entry 1",
        Ok(&["https://example.com/1", "https://example.com/2"]),
        &["error[XML]: `url` begins before the end tag of `url`; add the end tag, at line 1, column 98 (byte 97), entry 1"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</lok></url><url><loc>https://example.com/2</loc></url></urlset>",
        "the end tag `</lok>` where `</loc>` is expected: the element that began last ends first, at line 1, column 92 (byte 91), entry 1",
        Ok(&["https://example.com/1", "https://example.com/2"]),
        &["error[XML]: the end tag `</lok>` where `</loc>` is expected: the element that began last ends first, at line 1, column 92 (byte 91), entry 1", "error[XML]: the end tag `</url>` where `</loc>` is expected: the element that began last ends first, at line 1, column 98 (byte 97), entry 1"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></url><url><loc>https://example.com/2</loc></url></urlset>",
        "the end tag `</url>` where `</urlset>` is expected: the element that began last ends first, at line 1, column 104 (byte 103)",
        Ok(&["https://example.com/1", "https://example.com/2"]),
        &["error[XML]: the end tag `</url>` where `</urlset>` is expected: the element that began last ends first, at line 1, column 104 (byte 103)"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc><lastmod>2024</url><url><loc>https://example.com/2</loc></url></urlset>",
        "the end tag `</url>` where `</lastmod>` is expected: the element that began last ends first, at line 1, column 111 (byte 110), entry 1",
        Ok(&["https://example.com/1", "https://example.com/2"]),
        &["error[XML]: the end tag `</url>` where `</lastmod>` is expected: the element that began last ends first, at line 1, column 111 (byte 110), entry 1"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url><url><loc>https://example.com/2</loc><lastmod>20",
        "the document ends inside `lastmod`: it is truncated, or its end was never written; get a complete copy, at line 1, column 152 (byte 151), entry 2",
        Ok(&["https://example.com/1", "https://example.com/2"]),
        &["error[XML]: the document ends inside `lastmod`: it is truncated, or its end was never written; get a complete copy, at line 1, column 152 (byte 151), entry 2"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url><url><loc>https://example.com/2</lo",
        "the document ends inside a tag that begins here: it is truncated, or its `>` was never written; get a complete copy, at line 1, column 135 (byte 134), entry 2",
        Ok(&["https://example.com/1", "https://example.com/2"]),
        &["error[XML]: the document ends inside a tag that begins here: it is truncated, or its `>` was never written; get a complete copy, at line 1, column 135 (byte 134), entry 2"],
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
        "the root `urlset` is in the wrong namespace: a sitemap's is `http://www.sitemaps.org/schemas/sitemap/0.9` (P-NS); correct its `xmlns`, at line 1, column 1 (byte 0)",
        Ok(&["https://example.com/1"]),
        &["error[P-NS]: the root `urlset` is in the wrong namespace: a sitemap's is `http://www.sitemaps.org/schemas/sitemap/0.9` (P-NS); correct its `xmlns`, at line 1, column 1 (byte 0)"],
    );
    case(
        "<URLSET xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><URL><LOC>https://example.com/1</LOC></URL></URLSET>",
        "the root is `URLSET`, and a sitemap's is `urlset` or `sitemapindex` (P-NS); this document is not a sitemap, at line 1, column 1 (byte 0)",
        Ok(&["https://example.com/1"]),
        &["error[P-NS]: the root is `URLSET`: names are case-sensitive, and it is `urlset` (P-NS), at line 1, column 1 (byte 0)", "error[P-NS]: `URL` is not an element of a urlset, whose entries are `url` elements (P-NS); did you mean `url`?, at line 1, column 61 (byte 60), entry 1", "error[P-NS]: `loc` in another case: names are case-sensitive (P-NS); write it in lower case, at line 1, column 61 (byte 60), entry 1 · loc"],
    );
    case(
        "<html><head><title>x</title></head><body><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset></body></html>",
        "this is an HTML page with the title `x`, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, column 1 (byte 0)",
        Ok(&["https://example.com/1"]),
        &["error[P-NS]: this is an HTML page with the title `x`, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, column 1 (byte 0)"],
    );
    case(
        "<html><head><title>x</title></head><body><p>x<br></body></html>",
        "this is an HTML page with the title `x`, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, column 1 (byte 0)",
        Err("this is an HTML page with the title `x`, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, column 1 (byte 0)"),
        &[],
    );
    case(
        "<!doctype html><html><body></body></html>",
        "this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, column 1 (byte 0)",
        Err("this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, column 16 (byte 15)"),
        &[],
    );
}

#[rustfmt::skip]
#[test]
fn roots_and_the_rest() {
    case(
        "<!doctype html><html><body><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset></body></html>",
        "this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, column 1 (byte 0)",
        Ok(&["https://example.com/1"]),
        &["error[P-NS]: this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, column 1 (byte 0)", "error[P-NS]: this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, column 16 (byte 15)"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/?a=1&b=2</loc><lastmod>2024</lastmod></url></urlset>",
        "a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 1, column 95 (byte 94), entry 1",
        Ok(&["https://example.com/?a=1&b=2"]),
        &["error[P-ESC]: a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 1, column 95 (byte 94), entry 1"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><Loc>https://example.com/1</Loc></url></urlset>",
        "`Loc` is not an element of a `url`: names are case-sensitive (P-NS); did you mean `loc`?, at line 1, column 66 (byte 65), entry 1",
        Ok(&["https://example.com/1"]),
        &["error[P-NS]: `loc` in another case: names are case-sensitive (P-NS); write it in lower case, at line 1, column 61 (byte 60), entry 1 · loc"],
    );
    case(
        "<?xml version=\"1.0\" encoding=\"UTF-8\">\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset>",
        "the XML declaration begins here and does not end, so that the rest of the document is part of it (P-DECL); close it with its `?>`, at line 1, column 1 (byte 0)",
        Ok(&["https://example.com/1"]),
        &["error[XML]: the document ends inside the XML declaration that begins here: it is truncated, or its `?>` was never written; get a complete copy, at line 1, column 1 (byte 0)"],
    );
    case(
        "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1<![CDATA[&a</loc></url><url><loc>https://example.com/1</loc></url></urlset>",
        "a CDATA section begins here and does not end, so that the rest of the document is part of it; close it with its `]]>`, at line 1, column 113 (byte 112), entry 1",
        Ok(&["https://example.com/1", "https://example.com/1"]),
        &["error[XML]: the document ends inside a CDATA section that begins here: it is truncated, or its `]]>` was never written; get a complete copy, at line 1, column 113 (byte 112), entry 1", "error[XML]: the end tag `</url>` where `</loc>` is expected: the element that began last ends first, at line 1, column 130 (byte 129), entry 1"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><x:y><x:z><url><loc>https://example.com/1</loc></url></urlset>",
        "the prefix `x` of `x:y` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:x=\"…\"`, at line 1, column 62 (byte 61)",
        Ok(&["https://example.com/1"]),
        &["error[XML]: the prefix `x` of `x:y` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:x=\"…\"`, at line 1, column 62 (byte 61)", "error[XML]: the prefix `x` of `x:z` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:x=\"…\"`, at line 1, column 67 (byte 66)", "error[XML]: the end tag `</urlset>` where `</x:z>` is expected: the element that began last ends first, at line 1, column 114 (byte 113)"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><!-- a <url><loc>https://example.com/1</loc></url><!-- b <url><loc>https://example.com/1</loc></url></urlset>",
        "`--` inside a comment (XML 1.0 section 2.5); write `- -`, at line 1, column 113 (byte 112)",
        Ok(&["https://example.com/1", "https://example.com/1"]),
        &["error[XML]: `--` inside a comment (XML 1.0 section 2.5); write `- -`, at line 1, column 113 (byte 112), entry 1", "error[XML]: the document ends inside a comment that begins here: it is truncated, or its `-->` was never written; get a complete copy, at line 1, column 111 (byte 110)"],
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
        "a second `loc`: a `url` has at most one (P-DUP); remove one of them, at line 1, column 103 (byte 102), entry 1 · loc",
        Ok(&["https://example.com/1", "https://example.com/2"]),
        &["error[P-DUP]: a second `loc`, which differs from the first: a `url` has one (P-DUP); give it its own entry, as it was read, at line 1, column 103 (byte 102), entry 1 · loc", "warning[P-PRIO]: `x` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field out, at line 1, column 140 (byte 139), entry 2 · priority"],
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

#[rustfmt::skip]
#[test]
fn locs_and_values() {
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc><![CDATA[https://example.com/?a=1&amp;b=2]]></loc></url><url><loc><![CDATA[https://example.com/?a=1&amp;b=2]]></loc></url></urlset>",
        "",
        Ok(&["https://example.com/?a=1&amp;b=2", "https://example.com/?a=1&amp;b=2"]),
        &["warning[P-ESC]: `https://example.com/?a=1&amp;b=2` is escaped twice (P-ESC); escape it once, at line 1, column 80 (byte 79), entry 1 · loc", "warning[P-ESC]: `https://example.com/?a=1&amp;b=2` is escaped twice (P-ESC); escape it once, at line 1, column 146 (byte 145), entry 2 · loc"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/?a=1&amp;amp;b=2</loc><image:image xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"><image:loc>https://example.com/1.png</image:loc><image:title>a &amp;lt; b</image:title><image:caption>&lt;p&gt;HTML&amp;nbsp;&amp;amp;&lt;/p&gt;</image:caption></image:image></url></urlset>",
        "",
        Ok(&["https://example.com/?a=1&amp;b=2"]),
        &["warning[P-ESC]: `https://example.com/?a=1&amp;b=2` is escaped twice (P-ESC); escape it once, at line 1, column 71 (byte 70), entry 1 · loc", "warning[P-ESC]: `a &lt; b` is escaped twice (P-ESC); escape it once, at line 1, column 249 (byte 248), entry 1 · image:image[0] · image:title"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><lastmod>2024</lastmod><loc>https://example.com/1</loc><loc>https://example.com/1</loc><loc/><loc>https://example.com/2?a=1&amp;b</loc><loc>https://example.com/2?a=1&amp;b</loc><loc>https://example.com/3</loc></url></urlset>",
        "a second `loc`: a `url` has at most one (P-DUP); remove one of them, at line 1, column 126 (byte 125), entry 1 · loc",
        Ok(&["https://example.com/1", "https://example.com/2?a=1&b", "https://example.com/3"]),
        &["error[P-DUP]: a second `loc`: a `url` has at most one (P-DUP); remove one of them, at line 1, column 126 (byte 125), entry 1 · loc", "error[P-DUP]: a second `loc`: a `url` has at most one (P-DUP); remove one of them, at line 1, column 159 (byte 158), entry 1 · loc", "error[P-DUP]: a second `loc`, which differs from the first: a `url` has one (P-DUP); give it its own entry, as it was read, at line 1, column 164 (byte 163), entry 1 · loc", "error[P-DUP]: a second `loc`: a `url` has at most one (P-DUP); remove one of them, at line 1, column 206 (byte 205), entry 2 · loc"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc/></url><url><loc> </loc><loc>https://example.com/2</loc></url></urlset>",
        "the loc is empty: it is an absolute URL (P-LOC); write the address of the page, at line 1, column 72 (byte 71), entry 1 · loc",
        Ok(&["https://example.com/2"]),
        &["error[P-LOC]: the loc is empty: it is an absolute URL (P-LOC); write the address of the page, at line 1, column 72 (byte 71), entry 1 · loc", "error[P-DUP]: a second `loc`: a `url` has at most one (P-DUP); remove one of them, at line 1, column 88 (byte 87), entry 2 · loc"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc><lastmod>gestern</lastmod><lastmod/><lastmod>2024</lastmod><lastmod>2025</lastmod></url></urlset>",
        "a second `lastmod`: a `url` has at most one (P-DUP); remove one of them, at line 1, column 134 (byte 133), entry 1 · lastmod",
        Ok(&["https://example.com/1"]),
        &["warning[P-LASTMOD]: `gestern` is not a W3C Datetime: it is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm[:ss[.s]]` and a zone, `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write it like that, or leave the field out, at line 1, column 107 (byte 106), entry 1 · lastmod", "error[P-DUP]: a second `lastmod`: a `url` has at most one (P-DUP); remove one of them, at line 1, column 134 (byte 133), entry 1 · lastmod", "error[P-DUP]: a second `lastmod`: a `url` has at most one (P-DUP); remove one of them, at line 1, column 166 (byte 165), entry 1 · lastmod"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:n=\"http://www.google.com/schemas/sitemap-news/0.9\"><url><loc>https://example.com/1</loc><n:news><n:title>a</n:title><n:title>b</n:title></n:news><n:news/></url></urlset>",
        "a second `news:news`: an entry has at most one (P-NEWS4); remove one, at line 1, column 221 (byte 220), entry 1 · news:news",
        Ok(&["https://example.com/1"]),
        &["warning[P-DUP]: a second `news:title`: a `news:news` has at most one; remove one, at line 1, column 192 (byte 191), entry 1 · news:news · news:title", "warning[P-NEWS4]: a second `news:news`: an entry has at most one (P-NEWS4); remove one, at line 1, column 221 (byte 220), entry 1 · news:news", "warning[P-NEWS1]: no `news:publication`: every `news:news` has one (P-NEWS1); add it, or leave the `news:news` out, at line 1, column 163 (byte 162), entry 1 · news:news · news:publication"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>/1</loc></url><url><loc>javascript:x</loc></url></urlset>",
        "`/1` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` (P-LOC); write the absolute URL, or read it into a `String` and resolve it, at line 1, column 71 (byte 70), entry 1 · loc",
        Ok(&["/1", "javascript:x"]),
        &["error[P-LOC]: `/1` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` (P-LOC); write the absolute URL, or read it into a `String` and resolve it, at line 1, column 71 (byte 70), entry 1 · loc", "error[P-LOC]: `javascript:x` has no host: a loc is an absolute URL with scheme and host (P-LOC); write the address of a page, at line 1, column 95 (byte 94), entry 2 · loc"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/<b>1</b></loc></url></urlset>",
        "an element within `loc`, which contains text only (P-ESC); remove it, or write its `<` as `&lt;` if it is text, at line 1, column 91 (byte 90), entry 1 · loc",
        Ok(&["https://example.com/"]),
        &["error[XML]: `b` begins before the end tag of `loc`; add the end tag, at line 1, column 91 (byte 90), entry 1", "error[XML]: the end tag `</loc>` where `</url>` is expected: the element that began last ends first, at line 1, column 99 (byte 98), entry 1"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc><other><url><loc>https://example.com/2</loc></url></other></url></urlset>",
        "an entry within a `url`: entries are children of the root (P-NS); move it to the root, at line 1, column 105 (byte 104), entry 1",
        Ok(&["https://example.com/1", "https://example.com/2"]),
        &["error[XML]: `url` begins before the end tag of `other`; add the end tag, at line 1, column 105 (byte 104), entry 1", "error[XML]: the end tag `</other>` where `</urlset>` is expected: the element that began last ends first, at line 1, column 148 (byte 147)", "error[XML]: the end tag `</url>` where `</urlset>` is expected: the element that began last ends first, at line 1, column 156 (byte 155)"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc><priority>0,5</priority><image:image xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"><image:title>x</image:title></image:image></url></urlset>",
        "`0,5` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO); write `0.5`, at line 1, column 108 (byte 107), entry 1 · priority",
        Ok(&["https://example.com/1"]),
        &["warning[P-PRIO]: `0,5` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO); write `0.5`, at line 1, column 108 (byte 107), entry 1 · priority", "warning[P-IMG2]: no `image:loc`: every `image:image` has one (P-IMG2); add it, or leave the `image:image` out, at line 1, column 197 (byte 196), entry 1 · image:image[0] · image:loc"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc> https://example.com/1\n</loc></url><url><loc>&nbsp;https://example.com/2</loc></url></urlset>",
        "the entity `&nbsp;` is not declared: XML itself has only `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&apos;` (P-ESC); write the character itself, at line 2, column 23 (byte 115), entry 2",
        Ok(&["https://example.com/1", "https://example.com/2"]),
        &["error[P-ESC]: the entity `&nbsp;` is not declared: XML itself has only `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&apos;` (P-ESC); write the character itself, at line 2, column 23 (byte 115), entry 2", "error[P-LOC]: `\\u{a0}https://example.com/2` begins or ends with U+00A0, a character that cannot be seen and is no part of the URL (P-LOC); remove it, at line 2, column 23 (byte 115), entry 2 · loc"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url><![CDATA[ <url><loc>https://example.com/2</loc></url></urlset>",
        "a CDATA section begins here and does not end, so that the rest of the document is part of it; close it with its `]]>`, at line 1, column 104 (byte 103)",
        Ok(&["https://example.com/1", "https://example.com/2"]),
        &["error[XML]: the document ends inside a CDATA section that begins here: it is truncated, or its `]]>` was never written; get a complete copy, at line 1, column 104 (byte 103)"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1<lastmod>2024</url><url><loc>https://example.com/2</loc></url></urlset>",
        "the end tag `</url>` where `</lastmod>` is expected: the element that began last ends first, at line 1, column 105 (byte 104), entry 1",
        Ok(&["https://example.com/1", "https://example.com/2"]),
        &["error[XML]: `lastmod` begins before the end tag of `loc`; add the end tag, at line 1, column 92 (byte 91), entry 1", "error[XML]: the end tag `</url>` where `</lastmod>` is expected: the element that began last ends first, at line 1, column 105 (byte 104), entry 1"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc</url><url><loc>https://example.com/2</loc></url></urlset>",
        "found `<` inside a tag: the tag before it has no `>`, or `<` in a value is not written `&lt;` (XML 1.0 section 3.1), at line 1, column 97 (byte 96), entry 1",
        Ok(&["https://example.com/1", "https://example.com/2"]),
        &["error[XML]: found `<` inside a tag: the tag before it has no `>`, or `<` in a value is not written `&lt;` (XML 1.0 section 3.1), at line 1, column 97 (byte 96), entry 1"],
    );
}

/// The further locs of an entry begin entries whichever of them can be used: what is read is never the text of another entry.
#[rustfmt::skip]
#[test]
fn several_locs_of_which_some_cannot_be_used() {
    let next = "<url><loc>https://example.com/9</loc><lastmod>2024</lastmod></url>";
    let urlset = |locs: &str| sitemap_tests::urlset(&format!("<url>{locs}</url>{next}"));
    for locs in [
        "<loc>&#160;</loc><loc>https://example.com/1</loc>",
        "<loc>&#160;</loc><loc>&#8203;</loc><loc>https://example.com/1</loc><priority>0.5</priority>",
        "<loc>&#160;</loc><loc></loc><loc>https://example.com/1</loc>",
        "<loc></loc><loc>&#160;</loc><loc>https://example.com/1</loc><loc>&#160;</loc>",
        "<loc>&#160;</loc><loc>https://example.com/1</loc><loc/><loc>https://example.com/1</loc><loc/>",
    ] {
        let (read, _) = super::lenient(urlset(locs).as_bytes());
        assert_eq!(read.unwrap(), ["https://example.com/1", "https://example.com/9"], "{locs}");
    }
    // An empty one among those that begin entries is no entry, and nothing is told of it for itself.
    let locs = "<loc>https://example.com/0</loc><loc>https://example.com/1</loc><loc/>";
    let (read, told) = super::lenient(urlset(locs).as_bytes());
    let expected = ["https://example.com/0", "https://example.com/1", "https://example.com/9"];
    assert_eq!((read.unwrap(), told.len()), (expected.map(str::to_owned).to_vec(), 2), "{told:#?}");
}

#[rustfmt::skip]
#[test]
fn what_is_no_sitemap_and_what_is_one_all_the_same() {
    case(
        "<html><head><title> Not\nfound &ndash; Example</title></head><body><p>x<br></body></html>",
        "this is an HTML page with the title `Not found – Example`, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, column 1 (byte 0)",
        Err("this is an HTML page with the title `Not found – Example`, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, column 1 (byte 0)"),
        &[],
    );
    case(
        "<!doctype html><html><head><title lang=\"de\">Nicht gefunden</title></head><body></body></html>",
        "this is an HTML page with the title `Nicht gefunden`, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, column 1 (byte 0)",
        Err("this is an HTML page with the title `Nicht gefunden`, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, column 16 (byte 15)"),
        &[],
    );
    case(
        "<!DOCTYPE html><html><head><title>Not found</title><meta charset=\"utf-8\"></head><body></body></html>",
        "this is an HTML page with the title `Not found`, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, column 16 (byte 15)",
        Err("this is an HTML page with the title `Not found`, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, column 16 (byte 15)"),
        &[],
    );
    case(
        "<!DOCTYPE html><html><head><title>x</title><meta charset=\"utf-8\"></head><body><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset></body></html>",
        "this is an HTML page with the title `x`, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, column 16 (byte 15)",
        Ok(&["https://example.com/1"]),
        &["error[XML]: the end tag `</head>` where `</meta>` is expected: the element that began last ends first, at line 1, column 66 (byte 65)", "error[P-NS]: this is an HTML page with the title `x`, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, column 16 (byte 15)"],
    );
    case(
        "<!DOCTYPE urlset PUBLIC \"a>\" 'b\"c'><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/?a&b</loc></url></urlset>",
        "Unexpected token: > (in a document with a DOCTYPE; a sitemap needs none), at line 1, column 27 (byte 26)",
        Ok(&["https://example.com/?a&b"]),
        &["error[P-ESC]: a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 1, column 128 (byte 127), entry 1"],
    );
    // A DOCTYPE that declares no entities is passed over.
    case(
        "<!DOCTYPE urlset SYSTEM 's' [<!ELEMENT urlset ANY> <!-- ]> ' <!ENTITY x 'y'> --> <?a ]> <!ENTITY ?> <!ATTLIST a b CDATA ']>'>] ><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/?a&b</loc></url><url><loc>https://example.com/2</url></urlset>",
        "Unexpected token inside entity: </ (in a document with a DOCTYPE; a sitemap needs none), at line 1, column 223 (byte 222), entry 1",
        Ok(&["https://example.com/?a&b", "https://example.com/2"]),
        &["error[P-ESC]: a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 1, column 221 (byte 220), entry 1", "error[XML]: the end tag `</url>` where `</loc>` is expected: the element that began last ends first, at line 1, column 266 (byte 265), entry 2"],
    );
    case(
        "<!DOCTYPE urlset []><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/&x;</loc></url></urlset>",
        "Unexpected entity: x (in a document with a DOCTYPE; a sitemap needs none), at line 1, column 113 (byte 112), entry 1",
        Ok(&["https://example.com/&x;"]),
        &["error[P-ESC]: the entity `&x;` is not declared: XML itself has only `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&apos;` (P-ESC); write the character itself, at line 1, column 111 (byte 110), entry 1"],
    );
    case(
        "<!DOCTYPE urlset [<!ENTITY x \"y\">]><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/&x;</loc></url><url><loc>https://example.com/?a&b</loc></url></urlset>",
        "Unexpected token inside entity: </ (in a document with a DOCTYPE; a sitemap needs none), at line 1, column 175 (byte 174), entry 2",
        Ok(&["https://example.com/y"]),
        &["error[XML]: Unexpected token inside entity: </ (in a document with a DOCTYPE; a sitemap needs none), at line 1, column 175 (byte 174), entry 2", "error[P-DUP]: no `loc`: every `url` has exactly one (P-DUP); add it, or remove the entry, at line 1, column 141 (byte 140), entry 2 · loc"],
    );
    case(
        "<urlset xmlns=\" http://www.sitemaps.org/schemas/sitemap/0.9\n\"><url><loc>https://example.com/1</loc></url></urlset>",
        "the root `urlset` is in the wrong namespace: a sitemap's is `http://www.sitemaps.org/schemas/sitemap/0.9` (P-NS); correct its `xmlns`, at line 1, column 1 (byte 0)",
        Ok(&["https://example.com/1"]),
        &["error[P-NS]: the root `urlset` is in the wrong namespace: a sitemap's is `http://www.sitemaps.org/schemas/sitemap/0.9` (P-NS); correct its `xmlns`, at line 1, column 1 (byte 0)"],
    );
    case(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns=\"https://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset>",
        "the attribute `xmlns` twice on one element (XML 1.0 section 3.1); keep one, at line 1, column 61 (byte 60)",
        Ok(&["https://example.com/1"]),
        &["error[XML]: the attribute `xmlns` twice on one element (XML 1.0 section 3.1); keep one, at line 1, column 61 (byte 60)"],
    );
    case(
        "<urlset><url><loc>https://example.com/1</loc></url></urlset>",
        "",
        Ok(&["https://example.com/1"]),
        &[],
    );
    case(
        "<url><loc>https://example.com/1</loc></url><url><loc>https://example.com/2</loc></url>",
        "the root is `url`, and a sitemap's is `urlset` or `sitemapindex` (P-NS); this document is not a sitemap, at line 1, column 1 (byte 0)",
        Ok(&["https://example.com/1", "https://example.com/2"]),
        &["error[P-NS]: the root is `url`, and a sitemap's is `urlset` or `sitemapindex` (P-NS); this document is not a sitemap, at line 1, column 1 (byte 0), entry 1", "error[XML]: a second root `url`: a document has one (XML 1.0 section 2.1); remove it, at line 1, column 44 (byte 43), entry 2", "error[XML]: the document ends inside `urlset`: it is truncated, or its end was never written; get a complete copy, at line 1, column 87 (byte 86)"],
    );
    case(
        "c>https://example.com/0</loc><lastmod>2024</lastmod></url><url><loc>https://example.com/1</loc></url><url><loc>https://example.com/2</loc></url></urlset>",
        "`c>https://example.com/0` before the root: this is text, not XML; a sitemap begins with `<?xml` or its root (P-DECL), at line 1, column 1 (byte 0)",
        Ok(&["https://example.com/1", "https://example.com/2"]),
        &["error[P-DECL]: `c>https://example.com/0` before the root: this is text, not XML; a sitemap begins with `<?xml` or its root (P-DECL), at line 1, column 1 (byte 0)", "error[XML]: the end tag `loc` has no start tag, at line 1, column 24 (byte 23)", "error[XML]: the end tag `url` has no start tag, at line 1, column 53 (byte 52)", "error[XML]: a second root `url`: a document has one (XML 1.0 section 2.1); remove it, at line 1, column 59 (byte 58), entry 1", "error[P-NS]: the root is `lastmod`, and a sitemap's is `urlset` or `sitemapindex` (P-NS); this document is not a sitemap, at line 1, column 30 (byte 29)"],
    );
    case(
        "<feed2><image><url>https://example.com/x</url></image></feed2>",
        "the root is `feed2`, and a sitemap's is `urlset` or `sitemapindex` (P-NS); this document is not a sitemap, at line 1, column 1 (byte 0)",
        Err("the root is `feed2`, and a sitemap's is `urlset` or `sitemapindex` (P-NS); this document is not a sitemap, at line 1, column 1 (byte 0)"),
        &[],
    );
}
