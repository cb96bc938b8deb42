//! Lenient reading of entries like earlier ones, and of mutations of them.

use sitemap_serde::{Diagnostic, Limits, Mode, ReaderBuilder, Rule};
use sitemap_tests::{Chunks, Problem, Random, drain, rounds, sample};

use super::generator::{NAMESPACES, document_and_limits};
use super::{assert_same, read};

/// Lenient reading also takes the fast path, and repairs on the general one: for any pieces of input, a document gives the same records,
/// entries and diagnostics. For a document that strict reading accepts, it gives the same result without repairs. It only reports text that
/// is escaped twice, text between elements that strict reading ignores, a document without entries in the namespace, and mistaken namespaces.
#[test]
fn candidates_do_not_change_what_is_repaired() {
    let mut random = Random::new(1974);
    let (mut repairs, mut good) = (0, 0);
    for round in 0..rounds(750) {
        let (document, mut builder) = document_and_limits(&mut random, round);
        let shown = || String::from_utf8_lossy(&document).into_owned();
        let strict = read(&mut builder.from_reader(Chunks::new(&document, 1)));
        let strict_entries = drain(builder.from_slice(&document).entries());
        builder.mode(Mode::Lenient);
        let mut reader = builder.from_reader(Chunks::new(&document, 1));
        let general = read(&mut reader);
        let told = reader.take_diagnostics();
        let size = 16 + random.below(400);
        let mut slice = builder.from_slice(&document);
        assert_same(&read(&mut slice), &general, &document);
        assert_same(slice.diagnostics(), &told, &document);
        let mut pieces = builder.from_reader(Chunks::new(&document, size));
        assert_same(&read(&mut pieces), &general, &document);
        assert_same(pieces.diagnostics(), &told, &document);
        // Lenient reading treats an entry within an element as the next entry, and the element's end tag as missing.
        let has_inner_entry = document.windows(6).any(|text| text == b"<url/>");
        if !has_inner_entry && strict.iter().all(Result::is_ok) {
            good += 1;
            assert_same(&general, &strict, &document);
            assert!(
                told.iter().all(
                    |told| told.rule() == Rule::Esc && told.message().contains("escaped twice")
                        || told.rule() == Rule::SitemapXsd && told.is_loss()
                        || told.rule() == Rule::Ns
                            && (strict.is_empty() || told.message().contains("is not the namespace of"))
                ),
                "{}: {told:?}",
                shown()
            );
        }
        repairs += told.len();

        let mut reader = builder.from_reader(Chunks::new(&document, 1));
        let general = drain(reader.entries());
        let mut slice = builder.from_slice(&document);
        assert_same(&drain(slice.entries()), &general, &document);
        assert_same(slice.diagnostics(), reader.diagnostics(), &document);
        if !has_inner_entry && strict_entries.iter().all(Result::is_ok) {
            assert_same(&general, &strict_entries, &document);
        }
    }
    println!("{repairs} repairs, {good} good documents");
    assert!(
        repairs > rounds(1_000) && good > rounds(100),
        "{repairs} repairs, {good} good documents"
    );
}

/// The result of lenient reading of a document, for any pieces of input.
fn read_in_pieces(
    builder: &mut ReaderBuilder,
    document: &str,
) -> (Vec<Result<String, Problem>>, Vec<Diagnostic>) {
    builder.mode(Mode::Lenient).namespace("shop", "urn:shop");
    let mut slice = builder.from_str(document);
    let found = read(&mut slice);
    for size in [1, 7, 50] {
        let mut pieces = builder.from_reader(Chunks::new(document.as_bytes(), size));
        assert_same(&read(&mut pieces), &found, document.as_bytes());
        assert_same(pieces.diagnostics(), slice.diagnostics(), document.as_bytes());
    }
    (found, slice.take_diagnostics())
}

/// A tag that is known from another entry ends the loc around it, with any text between the two.
#[test]
fn an_entry_after_a_start_tag_whose_name_is_not_qualified() {
    for name in ["shop:", ":loc", "shop:a", "shop:a:b", "o:", "o:1"] {
        let entry = |loc: &str| format!("<url>{loc}<loc>http://e.com/1</loc></url>");
        let document = format!(
            "<urlset {NAMESPACES}>{}{}{}</urlset>",
            entry(""),
            entry(&format!("<loc><{name}>")),
            entry(&format!("<loc>http://e.com/0<{name}>"))
        );
        let (found, told) = read_in_pieces(&mut ReaderBuilder::new(), &document);
        let locs: Vec<_> = found
            .iter()
            .map(|record| {
                record
                    .as_ref()
                    .unwrap()
                    .split("loc=")
                    .nth(1)
                    .unwrap()
                    .split('@')
                    .next()
            })
            .collect();
        let [first, zeroth] = [Some("\"http://e.com/1\""), Some("\"http://e.com/0\"")];
        assert_eq!(locs, [first, first, zeroth, first], "{name}");
        assert!(told.len() >= 4, "{name}: {told:#?}");
    }
}

/// An entry with many custom names has them in each of the entries that its element contains.
#[test]
fn the_names_of_several_entries_in_one_element() {
    let names: Vec<_> = (0..70).map(|i| format!("<shop:n{i} a{i}='1'/>")).collect();
    let names = names.concat();
    let entry = format!("<url><loc>http://e.com/1</loc>{names}<loc>http://e.com/2</loc>{names}</url>");
    let document = format!("<urlset {NAMESPACES}>{entry}{entry}</urlset>");
    let (found, _) = read_in_pieces(&mut ReaderBuilder::new(), &document);
    assert_eq!(found.len(), 4);
    for record in found {
        let record = record.unwrap();
        let (_, fields) = record.split_once("\" loc=").unwrap();
        for i in 0..70 {
            let field = format!("shop:n{i}=\"\"@");
            let attribute = format!("(@a{i}=\"1\"@");
            assert!(
                fields.contains(&field) && fields.contains(&attribute),
                "{i}: {fields}"
            );
        }
    }
}

/// A document that is too large fails at the same byte, with the same diagnostics, for any damage there.
#[test]
fn a_broken_document_is_too_large_at_the_same_byte() {
    const ENTRIES: [&str; 10] = [
        "<url></url></x>    \n    \n",
        "<url><loc>http://e.com/<b></loc ></url >\n",
        "<url><loc>http://e.com/</loc><lastmod>2024</url>\n",
        "<url><loc>http://e.com/</loc></x></URL>\n",
        "<url><loc>http://e.com/?a&b</loc x></url x>\n",
        "<url><loc>http://e.com/</loc><<<</url>&\n",
        "<url><loc>http://e.com/</loc><!-- -- --></url><!-- -- -->\n",
        "<url><loc>http://e.com/</loc><loc>http://e.com/1</loc></url></url>\n",
        "<url><loc>http://e.com/</loc><o:z><url/></o:z><shop:></url><o:z><loc>x</o:z>\n",
        "<url><loc>http://e.com/</loc><url><loc>http://e.com/1</loc>\n",
    ];
    for entry in ENTRIES {
        let document = format!("<urlset {NAMESPACES}>{}</urlset>\n", entry.repeat(3));
        for bytes in sample(NAMESPACES.len()..=document.len()) {
            let mut builder = ReaderBuilder::new();
            builder.limits(Limits::reading().with_bytes(bytes as u64));
            read_in_pieces(&mut builder, &document);
        }
    }
}
