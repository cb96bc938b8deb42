//! Google Search Console's name for each finding. It depends on the finding, because Search Console reports violations of one rule
//! differently, or not at all.

use std::collections::BTreeSet;

use sitemap_serde::Rule;
use sitemap_serde::robots::Robots;

use crate::lint::{HEAD, INDEX, ROOT, entry, index, linter, page, urlset};

/// A rule, and the name in Search Console.
pub(crate) type Named = (Rule, Option<&'static str>);

/// Documents and their findings.
#[rustfmt::skip]
pub(crate) fn cases() -> Vec<(Vec<u8>, Vec<Named>)> {
    const VIDEO: &str = "<video:thumbnail_loc>https://example.com/t</video:thumbnail_loc><video:title>T</video:title>\
        <video:description>D</video:description><video:content_loc>https://example.com/v</video:content_loc>";
    const NEWS: &str = "<news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>\
        <news:publication_date>2026-05-10</news:publication_date><news:title>T</news:title>";
    let video = |parts: &str| page(&format!("<video:video>{parts}</video:video>"));
    let more = |parts: &str| video(&format!("{VIDEO}{parts}"));
    let news = |parts: &str| page(&format!("<news:news>{parts}</news:news>"));
    let locs = |locs: &[&str]| {
        urlset(&locs.iter().map(|loc| entry(loc)).collect::<String>())
    };
    let numbered = |most: usize| {
        (0..=most).map(|i| format!("https://example.com/{i}")).collect::<Vec<_>>()
    };
    let link = |attributes: &str| page(&format!("<xhtml:link rel=\"alternate\" {attributes}/>"));
    let all = |entry: &str, most: usize| numbered(most).iter().map(|loc| entry.replace('#', loc)).collect::<String>();
    let mut cases = vec![
        // The document.
        (page("").replace(HEAD, ""), vec![(Rule::Decl, None)]),
        (page("").replace(" encoding=\"UTF-8\"", ""), vec![(Rule::Decl, None)]),
        (format!("\u{FEFF}{}", page("")), vec![(Rule::Decl, None)]),
        (format!("\n{}", page("")), vec![(Rule::Decl, Some("Leading whitespace"))]),
        (page("").replace("version", "vision"), vec![(Rule::Decl, Some("Parsing error"))]),
        (page("").replace("UTF-8", "iso-8859-1"), vec![(Rule::Utf8, None)]),
        (format!("{HEAD}<urlset><url><loc>https://example.com/</loc></url></urlset>"), vec![(Rule::Ns, Some("Incorrect namespace"))]),
        (format!("{HEAD}<urlset xmlns=\"urn:x\"/>"), vec![(Rule::Ns, Some("Incorrect namespace"))]),
        (format!("{HEAD}<pages/>"), vec![(Rule::Ns, Some("Unsupported format"))]),
        (format!("{HEAD}<html/>"), vec![(Rule::Ns, Some("Unsupported format"))]),
        (page("<link>x</link>"), vec![(Rule::Ns, None)]),
        (format!("{HEAD}{INDEX}<url><loc>https://example.com/</loc></url></sitemapindex>"), vec![(Rule::Ns, Some("Unsupported format"))]),
        (format!("{HEAD}{ROOT}<url><loc>https://example.com/</loc></url>"), vec![(Rule::Xml, Some("Parsing error"))]),
        (page("").replace("com/<", "com/?a&b<"), vec![(Rule::Esc, Some("Parsing error"))]),
        (page("").replace("com/<", "com/it's<"), vec![(Rule::Esc, None)]),
        (page("").replace("com/<", "com/?a&amp;amp;b<"), vec![(Rule::Esc, None)]),
        (String::new(), vec![(Rule::Ns, Some("Parsing error"))]),
        (urlset(""), vec![(Rule::Empty, Some("Empty sitemap"))]),
        (urlset(&all("<url><loc>#</loc></url>", 50_000)), vec![(Rule::Count, Some("Too many URLs"))]),
        (index(&all("<sitemap><loc>#</loc></sitemap>", 50_000)), vec![(Rule::Count, Some("Too many sitemaps"))]),
        (all("#\n", 50_000), vec![(Rule::Txt2, Some("Too many URLs"))]),
        ("https://example.com/\nabout\n".to_owned(), vec![(Rule::Txt1, Some("Invalid URL"))]),
        // Entries.
        (urlset("<url><lastmod>2026-05-01</lastmod></url>"), vec![(Rule::Dup, Some("Missing XML tag"))]),
        (page("<lastmod>2026-05-01</lastmod><lastmod>2026-05-02</lastmod>"), vec![(Rule::Dup, Some("Invalid XML: too many tags"))]),
        (page("<loc>https://example.com/</loc>"), vec![(Rule::Dup, Some("Invalid XML: too many tags"))]),
        (index("<sitemap><loc>https://example.com/1.xml</loc><priority>1</priority></sitemap>"), vec![(Rule::IndexTags, None)]),
        (locs(&["/about"]), vec![(Rule::Loc, Some("Incomplete URL"))]),
        (locs(&["ftp://example.com/"]), vec![(Rule::Loc, Some("Invalid URL"))]),
        (format!("{HEAD}<rss><channel><item/></channel></rss>"), vec![(Rule::Loc, Some("Missing XML tag"))]),
        (locs(&[&format!("https://example.com/{}", "x".repeat(2048))]), vec![(Rule::LocLen, Some("Invalid URL"))]),
        (locs(&["https://example.com/a b"]), vec![(Rule::LocEnc, Some("Invalid URL"))]),
        (locs(&["https://bücher.example/"]), vec![(Rule::Idn, Some("Invalid URL"))]),
        (locs(&["https://example.com/", "https://example.org/"]), vec![(Rule::Host, Some("URL not allowed"))]),
        (locs(&["https://example.com/", "http://example.com/"]), vec![(Rule::Http, Some("URL not allowed"))]),
        (locs(&["https://example.com/", "https://www.example.com/"]), vec![(Rule::Www, Some("Path mismatch: Missing www"))]),
        (locs(&["https://www.example.com/", "https://example.com/"]), vec![(Rule::Www, Some("Path mismatch: Includes www"))]),
        (locs(&["https://example.com/", "https://example.com/blocked"]), vec![(Rule::Robots, Some("URL blocked by robots.txt"))]),
        (page("<lastmod>01.05.2026</lastmod>"), vec![(Rule::Lastmod, Some("Invalid date"))]),
        (page("<lastmod>2027-05-01</lastmod>"), vec![(Rule::Future, None)]),
        (page("<changefreq>often</changefreq>"), vec![(Rule::Freq, Some("Invalid tag value"))]),
        (page("<priority>2</priority>"), vec![(Rule::Prio, Some("Invalid tag value"))]),
        // Images and links.
        (page(&"<image:image><image:loc>https://example.com/i</image:loc></image:image>".repeat(1001)), vec![(Rule::Img1, Some("Invalid XML: too many tags"))]),
        (page("<image:image/>"), vec![(Rule::Img2, Some("Missing XML tag"))]),
        (page(&format!("<image:image>{}</image:image>", "<image:loc>https://example.com/i</image:loc>".repeat(2))), vec![(Rule::Img2, Some("Invalid XML: too many tags"))]),
        (page("<image:image><image:loc>i.png</image:loc></image:image>"), vec![(Rule::Img2, Some("Invalid URL"))]),
        (page("<image:image><image:loc>https://example.com/i</image:loc><image:alt>x</image:alt></image:image>"), vec![(Rule::Img2, None)]),
        (link("hreflang=\"en\""), vec![(Rule::Alt1, Some("Missing XML attribute"))]),
        (link("hreflang=\"en\" href=\"/\""), vec![(Rule::Alt2, Some("Invalid URL"))]),
        (link("hreflang=\"en-UK\" href=\"https://example.com/\""), vec![(Rule::Alt5, Some("Invalid XML attribute value"))]),
        // News.
        (news("<news:publication_date>2026-05-10</news:publication_date><news:title>T</news:title>"), vec![(Rule::News1, Some("Missing publication"))]),
        (news(&NEWS.replace("<news:title>T</news:title>", "")), vec![(Rule::News1, Some("Missing XML tag"))]),
        (news(&NEWS.replace(">en<", ">English<")), vec![(Rule::News2, Some("Invalid tag value"))]),
        (news(&NEWS.replace("2026-05-10", "10 May")), vec![(Rule::News3, Some("Invalid date"))]),
        (page(&format!("<news:news>{NEWS}</news:news>").repeat(2)), vec![(Rule::News4, Some("Invalid XML: too many tags"))]),
        (urlset(&all(&format!("<url><loc>#</loc><news:news>{NEWS}</news:news></url>"), 1000)), vec![(Rule::News4, Some("Too many News URLs"))]),
        (news(&format!("{NEWS}<news:genres>Gossip</news:genres>")), vec![(Rule::NewsXsd, Some("Invalid tag value"))]),
        (news(&format!("{NEWS}{}", "<news:keywords>k</news:keywords>".repeat(2))), vec![(Rule::NewsXsd, Some("Invalid XML: too many tags"))]),
        // Videos.
        (more(&"<video:live>yes</video:live>".repeat(2)), vec![(Rule::VideoXsd, Some("Invalid XML: too many tags"))]),
        (video(&VIDEO.replace("<video:title>T</video:title>", "")), vec![(Rule::Vid1, Some("Missing video title"))]),
        (video(VIDEO.split_once("</video:thumbnail_loc>").unwrap().1), vec![(Rule::Vid1, Some("Missing thumbnail URL"))]),
        (video(VIDEO.split_once("<video:content_loc>").unwrap().0), vec![(Rule::Vid1, Some("Missing XML tag"))]),
        (video(&VIDEO.replace("https://example.com/t", "t.png")), vec![(Rule::Vid1, Some("Invalid URL"))]),
        (video(&VIDEO.replace(">T<", &format!(">{}<", "T".repeat(101)))), vec![(Rule::Vid1, Some("Invalid tag value"))]),
        (video(&VIDEO.replace("com/v<", "com/<")), vec![(Rule::Vid2, Some("Video location and play page location are the same"))]),
        (more("<video:duration>0</video:duration>"), vec![(Rule::Vid3, Some("Invalid tag value"))]),
        (more("<video:publication_date>May</video:publication_date>"), vec![(Rule::Vid4, Some("Invalid date"))]),
        (more("<video:rating>6</video:rating>"), vec![(Rule::Vid5, Some("Invalid tag value"))]),
        (more("<video:live>maybe</video:live>"), vec![(Rule::Vid6, Some("Invalid tag value"))]),
        (more("<video:restriction>DE</video:restriction>"), vec![(Rule::Vid7, Some("Missing XML attribute"))]),
        (more("<video:restriction relationship=\"yes\">DE</video:restriction>"), vec![(Rule::Vid7, Some("Invalid XML attribute value"))]),
        (more("<video:restriction relationship=\"deny\">UK</video:restriction>"), vec![(Rule::Vid7, Some("Invalid tag value"))]),
        (more("<video:platform>web</video:platform>"), vec![(Rule::Vid8, Some("Missing XML attribute"))]),
        (more("<video:platform relationship=\"yes\">web</video:platform>"), vec![(Rule::Vid8, Some("Invalid XML attribute value"))]),
        (more("<video:platform relationship=\"deny\">desk</video:platform>"), vec![(Rule::Vid8, Some("Invalid tag value"))]),
        (more(&format!("<video:uploader>{}</video:uploader>", "U".repeat(256))), vec![(Rule::Vid9, Some("Invalid tag value"))]),
        (more("<video:uploader info=\"https://example.org/\">U</video:uploader>"), vec![(Rule::Vid9, Some("Invalid XML attribute value"))]),
        (more(&"<video:tag>t</video:tag>".repeat(33)), vec![(Rule::Vid10, Some("Invalid XML: too many tags"))]),
        (more("<video:category/><video:price currency=\"euro\">1</video:price>"), vec![(Rule::VideoXsd, Some("Invalid XML attribute value"))]),
        (more(&format!("<video:category>{}</video:category>", "c".repeat(257))), vec![(Rule::VideoXsd, Some("Invalid tag value"))]),
        (more("<video:price>1</video:price>"), vec![(Rule::VideoXsd, Some("Missing XML attribute"))]),
        (more("<video:tvshow/>"), vec![(Rule::VideoXsd, Some("Missing XML tag"))]),
        (more("<video:own>t</video:own>"), vec![(Rule::VideoXsd, None)]),
    ]
    .into_iter()
    .map(|(text, found)| (text.into_bytes(), found))
    .collect::<Vec<_>>();
    cases.push((b"\x1F\x8B\x08".to_vec(), vec![(Rule::Gzip, Some("Compression error"))]));
    cases.push((page("").replace("com/", "com/\u{1}").into_bytes(), vec![(Rule::Xml, Some("Parsing error"))]));
    cases.push((page("<!--\u{e9}-->").replace('\u{e9}', "\u{1}").into_bytes(), vec![(Rule::Xml, Some("Parsing error"))]));
    let odd = [page("<!--").as_bytes(), b"\xE9 -->"].concat();
    cases.push((odd, vec![(Rule::Utf8, Some("Parsing error"))]));
    cases
}

/// The rules that need a location, or the site's pages. Their findings have one name.
const OF_ADDRESSES: [(Rule, &str); 5] = [
    (Rule::Path, "URL not allowed"),
    (Rule::Idx1, "URL not allowed"),
    (Rule::Idx2, "URL not allowed"),
    (Rule::Nest, "Nested sitemap indexes"),
    (Rule::Missing, "URLs not accessible"),
];

#[test]
fn findings_have_the_names_of_search_console() {
    let mut linter = linter();
    linter.robots(
        "https://example.com/robots.txt",
        Robots::parse(b"User-agent: *\nDisallow: /blocked"),
        "Googlebot",
    );
    for rule in [Rule::Alt3, Rule::DupLoc, Rule::Deprecated] {
        linter.level(rule, None);
    }
    let mut reached: BTreeSet<(Rule, &str)> = OF_ADDRESSES.into();
    // Only a large document exceeds the limit.
    reached.extend([Rule::Size, Rule::Txt2].map(|rule| (rule, "Sitemap file size error")));
    let mut wrong = Vec::new();
    for (document, expected) in cases() {
        let found: Vec<_> = linter
            .check(&document)
            .iter()
            .map(|found| (found.rule(), found.search_console()))
            .collect();
        if !expected.iter().all(|expected| found.contains(expected)) {
            let start = String::from_utf8_lossy(&document[..document.len().min(600)]).into_owned();
            wrong.push((expected, found.clone(), start));
        }
        reached.extend(found.into_iter().filter_map(|(rule, name)| Some((rule, name?))));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let listed: BTreeSet<_> = Rule::ALL
        .iter()
        .copied()
        .flat_map(|page| page.search_console().iter().map(move |name| (page, *name)))
        .collect();
    let unlisted: Vec<_> = reached.difference(&listed).collect();
    let unreached: Vec<_> = listed.difference(&reached).collect();
    assert!(
        unlisted.is_empty() && unreached.is_empty(),
        "{unlisted:?} {unreached:?}"
    );
}
