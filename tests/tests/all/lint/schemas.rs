//! The lint compared to the published schemas: it finds a problem in every document that xmllint rejects.

use sitemap_serde::Rule;
use sitemap_serde::lint::Linter;
use sitemap_tests::{Schemas, rounds};

/// A valid document with every element and no findings.
const GOOD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:video="http://www.google.com/schemas/sitemap-video/1.1" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:mobile="http://www.google.com/schemas/sitemap-mobile/1.0" xmlns:pagemap="http://www.google.com/schemas/sitemap-pagemap/1.0">
<url><loc>https://example.com/1</loc><lastmod>2026-05-01</lastmod><changefreq>daily</changefreq><priority>0.5</priority><image:image><image:loc>https://example.com/i</image:loc><image:title>T</image:title></image:image><xhtml:link rel="alternate" hreflang="en" href="https://example.com/1"></xhtml:link><mobile:mobile></mobile:mobile></url>
<url><loc>https://example.com/2</loc><lastmod>2026-05-01T10:00:00Z</lastmod><news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication><news:access>Subscription</news:access><news:genres>Blog, Satire</news:genres><news:publication_date>2026-05-01</news:publication_date><news:title>T</news:title><news:keywords>a, b</news:keywords><news:stock_tickers>NASDAQ:A</news:stock_tickers></news:news></url>
<url><loc>https://example.com/3</loc><video:video><video:thumbnail_loc>https://example.com/t</video:thumbnail_loc><video:title>T</video:title><video:description>D</video:description><video:content_loc>https://example.com/v</video:content_loc><video:player_loc allow_embed="yes" autoplay="a=1">https://example.com/p</video:player_loc><video:duration>10</video:duration><video:expiration_date>2030-01-01</video:expiration_date><video:rating>4.5</video:rating><video:content_segment_loc duration="5">https://example.com/s</video:content_segment_loc><video:view_count>7</video:view_count><video:publication_date>2026-01-01</video:publication_date><video:tag>a</video:tag><video:tag>b</video:tag><video:category>C</video:category><video:family_friendly>yes</video:family_friendly><video:restriction relationship="allow">DE GB</video:restriction><video:gallery_loc title="G">https://example.com/g</video:gallery_loc><video:price currency="EUR" type="rent" resolution="HD">1.99</video:price><video:requires_subscription>no</video:requires_subscription><video:uploader info="https://example.com/u">U</video:uploader><video:tvshow><video:show_title>S</video:show_title><video:video_type>full</video:video_type><video:episode_title>E</video:episode_title><video:season_number>1</video:season_number><video:episode_number>2</video:episode_number><video:premier_date>2026-01-01</video:premier_date></video:tvshow><video:platform relationship="deny">tv mobile</video:platform><video:live>no</video:live><video:id type="url">https://example.com/id</video:id></video:video></url>
<url><loc>https://example.com/4</loc><pagemap:PageMap><pagemap:DataObject type="document" id="d"><pagemap:Attribute name="title">T</pagemap:Attribute><pagemap:Attribute name="n" value="v"></pagemap:Attribute></pagemap:DataObject></pagemap:PageMap></url>
</urlset>
"#;

/// Tags and texts of a document.
fn tokens(document: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for part in document.split_inclusive('>') {
        let (text, tag) = part.split_at(part.find('<').unwrap_or(part.len()));
        tokens.push(text.to_owned());
        tokens.push(tag.to_owned());
    }
    tokens
}

/// Deterministic random numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most
    }
}

/// The index after the element that begins at `start`.
fn end_of(tokens: &[String], start: usize) -> usize {
    let mut depth = 0_usize;
    for (i, token) in tokens.iter().enumerate().skip(start) {
        match token.as_bytes() {
            [b'<', b'/', ..] => depth -= 1,
            [b'<', ..] => depth += 1,
            _ => {}
        }
        if depth == 0 {
            return i + 1;
        }
    }
    tokens.len()
}

/// Changes one thing in a document, and keeps it well-formed.
fn changed(numbers: &mut Numbers) -> String {
    let mut tokens = tokens(GOOD);
    let starts: Vec<usize> = (0..tokens.len())
        .filter(|i| {
            tokens[*i].starts_with('<') && !tokens[*i].starts_with("</") && !tokens[*i].starts_with("<?")
        })
        .collect();
    // The root stays.
    let start = starts[1 + numbers.below(starts.len() - 1)];
    let end = end_of(&tokens, start);
    // These have no published schema: any order and more attributes are allowed.
    let is_unpublished = tokens[start].starts_with("<image:") || tokens[start].starts_with("<xhtml:");
    match numbers.below(9) {
        0 => drop(tokens.drain(start..end)),
        1 => {
            let element = tokens[start..end].to_vec();
            tokens.splice(end..end, element);
        }
        // After its next sibling.
        2 if !is_unpublished && tokens.get(end + 1).is_some_and(|next| !next.starts_with("</")) => {
            let behind = end_of(&tokens, end + 1);
            tokens[start..behind].rotate_left(end - start);
        }
        3 if !is_unpublished => tokens[start] = tokens[start].replacen('>', " odd=\"1\">", 1),
        4 => tokens[start + 1] = String::new(),
        5 => "?".clone_into(&mut tokens[start + 1]),
        6 => tokens[end - 1].push_str(" text "),
        7 => {
            for i in [start, end - 1] {
                let name_end = tokens[i].find([' ', '>']).unwrap();
                tokens[i].insert_str(name_end, "Odd");
            }
        }
        _ => {
            let at = starts[numbers.below(2)];
            tokens[at] = tokens[at].replacen('>', " odd=\"1\">", 1);
        }
    }
    tokens.concat()
}

#[test]
#[cfg_attr(
    not(shared_files),
    ignore = "SITEMAP_SHARED is not set: there are no files to test with"
)]
fn what_the_schemas_refuse_has_a_finding() {
    let Some(schemas) = Schemas::of("what_the_schemas_refuse_has_a_finding") else {
        return;
    };
    let mut linter = Linter::new();
    for rule in [Rule::Ignored, Rule::XDefault, Rule::Deprecated] {
        linter.level(rule, None);
    }
    assert_eq!(linter.check(GOOD.as_bytes()), []);
    assert_eq!(schemas.refused(&[GOOD.to_owned()]), [false]);
    let mut numbers = Numbers(7);
    let documents: Vec<String> = (0..rounds(2000)).map(|_| changed(&mut numbers)).collect();
    let refused = schemas.refused(&documents);
    let count = refused.iter().filter(|refused| **refused).count();
    assert!(
        count > documents.len() / 2,
        "{count} of {} are refused",
        documents.len()
    );
    let unfound: Vec<_> = documents
        .iter()
        .zip(&refused)
        .filter(|(document, refused)| **refused && linter.check(document.as_bytes()).is_empty())
        .map(|(document, _)| first_difference(document))
        .collect();
    let mut unfound = unfound;
    unfound.sort();
    unfound.dedup();
    assert!(unfound.is_empty(), "{unfound:#?}");
}

/// The difference between a document and the valid one, with its context.
fn first_difference(document: &str) -> String {
    let at = document
        .bytes()
        .zip(GOOD.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let from = at.saturating_sub(40);
    document[from..document.len().min(at + 60)].to_owned()
}
