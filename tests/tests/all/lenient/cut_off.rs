//! Truncated documents: an element whose end tag has begun is complete, any other is dropped.

use sitemap_serde::{Mode, ReaderBuilder};
use sitemap_tests::{CORE, Chunks, urlset};

use super::{case, texts};

#[rustfmt::skip]
#[test]
fn the_last_entry_of_a_document_that_ends_within_an_end_tag() {
    for end in ["</", "</l", "</LO", "</loc", "</loc \n", "</ur", "</url"] {
        case(
            &format!("<urlset xmlns=\"{CORE}\"><url><loc>http://e.com/{end}"),
            "the document ends inside a tag that begins here: it is truncated, or its `>` was never written; get a complete copy, at line 1, column 84 (byte 83), entry 1",
            Ok(&["http://e.com/"]),
            &["error[XML]: the document ends inside a tag that begins here: it is truncated, or its `>` was never written; get a complete copy, at line 1, column 84 (byte 83), entry 1"],
        );
    }
    // A CDATA section may begin here, and another element's end tag does not end the text.
    for (end, strict) in [
        ("<", "the document ends inside `loc`: it is truncated, or its end was never written; get a complete copy, at line 1, column 85 (byte 84), entry 1"),
        ("</p", "the document ends inside a tag that begins here: it is truncated, or its `>` was never written; get a complete copy, at line 1, column 84 (byte 83), entry 1"),
        ("</l:", "the document ends inside a tag that begins here: it is truncated, or its `>` was never written; get a complete copy, at line 1, column 84 (byte 83), entry 1"),
    ] {
        case(
            &format!("<urlset xmlns=\"{CORE}\"><url><loc>http://e.com/{end}"),
            strict,
            Ok(&[]),
            &[&format!("error[XML]: {strict}"), "error[P-DUP]: no `loc`: every `url` has exactly one (P-DUP); add it, or remove the entry, at line 1, column 61 (byte 60), entry 1 · loc"],
        );
    }
    // A feed's item.
    case(
        "<rss><channel><item><link>http://e.com/</lin",
        "the root is `rss`, and a sitemap's is `urlset` or `sitemapindex` (P-NS); this document is not a sitemap, at line 1, column 1 (byte 0)",
        Ok(&["http://e.com/"]),
        &["error[XML]: the document ends inside a tag that begins here: it is truncated, or its `>` was never written; get a complete copy, at line 1, column 40 (byte 39), entry 1"],
    );
}

#[test]
fn every_element_is_complete_as_soon_as_its_end_tag_begins() {
    let document = urlset(
        "<url><loc>https://example.com/0</loc></url>\n<url><loc>https://example.com/1?a&amp;b</loc><lastmod>2024-05-06</lastmod>\
         <changefreq>daily</changefreq><priority>0.5</priority>\
         <image:image><image:loc>https://example.com/1.png</image:loc><image:title><![CDATA[A & B]]></image:title></image:image>\
         <news:news><news:publication><news:name>Name</news:name><news:language>en</news:language></news:publication>\
         <news:publication_date>2024-05-06</news:publication_date><news:title>Title &lt;1&gt;</news:title></news:news>\
         <video:video><video:uploader info='https://example.com/'>Uploader</video:uploader></video:video>\
         <shop:stock unit='t'>5</shop:stock></url>",
    )
    .replacen(
        '>',
        " xmlns:image='http://www.google.com/schemas/sitemap-image/1.1' \
         xmlns:news='http://www.google.com/schemas/sitemap-news/0.9' \
         xmlns:video='http://www.google.com/schemas/sitemap-video/1.1' xmlns:shop='urn:shop'>",
        1,
    );
    let mut builder = ReaderBuilder::new();
    builder.mode(Mode::Lenient).namespace("shop", "urn:shop");
    let read = |end: usize| {
        let document = &document.as_bytes()[..end];
        let found = texts(&mut builder.from_slice(document));
        for size in [1, 2, 7] {
            let pieces = texts(&mut builder.from_reader(Chunks::new(document, size)));
            assert_eq!(found, pieces, "{end}, {size} bytes at a time");
        }
        found
    };
    let whole = read(document.len());
    let (mut open, mut leaves) = (Vec::new(), 0);
    for (at, _) in document.match_indices('<') {
        let tag = document[at + 1..].split('>').next().unwrap();
        let Some(name) = tag.strip_prefix('/') else {
            open.extend((!tag.starts_with('!')).then_some(at));
            continue;
        };
        let start = open.pop().unwrap();
        if open.len() < 2 {
            continue;
        }
        leaves += 1;
        // Up to the start tag, in it, in the text, and before the construct after `<` is known.
        let dropped = read(start);
        for end in start..at + 2 {
            assert_eq!(read(end), dropped, "{}", &document[start..end]);
        }
        // An incomplete element has no parts, complete or not.
        let kept = read(at + 2);
        assert_eq!(kept, whole[..kept.len()], "{name}");
        if open.len() == 2 {
            assert_eq!(kept[dropped.len()].0, name);
        } else {
            assert_eq!(kept, dropped);
        }
        for end in at + 2..=at + 2 + name.len() {
            assert_eq!(read(end), kept, "{}", &document[start..end]);
        }
    }
    assert_eq!(leaves, 17);
}
