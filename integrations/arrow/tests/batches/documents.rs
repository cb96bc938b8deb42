//! Documents with every element and attribute, and with all that may be wrong with them.

use sitemap_tests::Random;

/// The root's declarations.
pub(crate) const ROOT: &str = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"
 xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"
 xmlns:mobile="http://www.google.com/schemas/sitemap-mobile/1.0" xmlns:pagemap="http://www.google.com/schemas/sitemap-pagemap/1.0">"#;

/// An entry that has everything.
pub(crate) const WHOLE: &str = r#"
<url>
 <loc>https://example.com/?a=1&amp;b=2</loc><lastmod>2026-05-01T10:20:30.5+02:00</lastmod><changefreq>weekly</changefreq><priority>0.8</priority>
 <image:image><image:loc>https://example.com/1.jpg</image:loc><image:caption>A &lt;caption&gt;</image:caption>
  <image:geo_location>Limerick, Ireland</image:geo_location><image:title>A title</image:title><image:license>https://example.com/l</image:license></image:image>
 <image:image><image:loc>https://example.com/2.jpg</image:loc></image:image>
 <video:video><video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc><video:title>Grilling</video:title>
  <video:description>How to <![CDATA[grill & serve]]></video:description><video:content_loc>https://example.com/v.mp4</video:content_loc>
  <video:player_loc allow_embed="yes" autoplay="ap=1">https://example.com/p?v=1</video:player_loc><video:duration>600</video:duration>
  <video:expiration_date>2027-01</video:expiration_date><video:rating>4.20</video:rating>
  <video:content_segment_loc duration="300">https://example.com/s1.mp4</video:content_segment_loc><video:content_segment_loc>https://example.com/s2.mp4</video:content_segment_loc>
  <video:view_count>18446744073709551615</video:view_count><video:publication_date>2026-05-01T10:20Z</video:publication_date>
  <video:tag>steak</video:tag><video:tag>fire</video:tag><video:category>Food</video:category><video:family_friendly>yes</video:family_friendly>
  <video:restriction relationship="allow">IE GB US</video:restriction><video:gallery_loc title="Videos">https://example.com/g</video:gallery_loc>
  <video:price currency="EUR" type="rent" resolution="HD">1.99</video:price><video:price currency="USD">2</video:price>
  <video:requires_subscription>no</video:requires_subscription><video:uploader info="https://example.com/u">Cook</video:uploader>
  <video:tvshow><video:show_title>The show</video:show_title><video:video_type>full</video:video_type><video:episode_title>First</video:episode_title>
   <video:season_number>1</video:season_number><video:episode_number>2</video:episode_number><video:premier_date>2026</video:premier_date></video:tvshow>
  <video:platform relationship="deny">web tv</video:platform><video:live>no</video:live><video:id type="url">https://example.com/id</video:id></video:video>
 <news:news><news:publication><news:name>The Times</news:name><news:language>en</news:language></news:publication><news:access>Subscription</news:access>
  <news:genres>Blog, Opinion</news:genres><news:publication_date>2026-05-01</news:publication_date><news:title>Steaks</news:title>
  <news:keywords>meat, fire</news:keywords><news:stock_tickers>NASDAQ:A, NASDAQ:B</news:stock_tickers></news:news>
 <xhtml:link rel="alternate" hreflang="de-CH" href="https://example.com/de?x=1&amp;y=2"/><xhtml:link rel="alternate" media="only screen" href="https://m.example.com/"/>
 <mobile:mobile/>
 <pagemap:PageMap><pagemap:Template src="https://example.com/t"/><pagemap:DataObject type="recipe" id="r1">
  <pagemap:Attribute name="serves" value="4"/><pagemap:Attribute name="time">1 h</pagemap:Attribute></pagemap:DataObject></pagemap:PageMap>
</url>"#;

/// Texts that are right somewhere and wrong elsewhere.
const TEXTS: [&str; 30] = [
    "",
    " ",
    "yes",
    "No",
    "maybe",
    "high",
    "0",
    "1",
    "-1",
    "1.5",
    "+4",
    ".5",
    "5.",
    "99999999999999999999",
    "2026",
    "2026-05-01T10:20:30.123456789Z",
    "1969-12-31T23:59:59.9999999Z",
    "0000-01-01",
    "yesterday",
    "\u{a0}2026-05-01",
    "Weekly",
    "https://example.com/",
    "/relative",
    "https://exa mple.com/",
    "RENT",
    "hd",
    "Blog,Opinion",
    "IE  GB",
    "a&amp;b<!-- c -->d",
    "<![CDATA[<x>]]>",
];

/// The ranges of the texts in elements that have only text, of all elements (tags included), and of attribute values.
struct Places {
    texts: Vec<(usize, usize)>,
    elements: Vec<(usize, usize)>,
    values: Vec<(usize, usize)>,
    attributes: Vec<(usize, usize)>,
}

fn places(entry: &str) -> Places {
    let mut found = Places {
        texts: Vec::new(),
        elements: Vec::new(),
        values: Vec::new(),
        attributes: Vec::new(),
    };
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some(start) = entry[at..].find('<').map(|i| at + i) {
        let rest = &entry[start..];
        if let Some(skipped) = ["<!--", "<![CDATA["].iter().find(|mark| rest.starts_with(**mark)) {
            let end = if *skipped == "<!--" { "-->" } else { "]]>" };
            at = start + rest.find(end).unwrap() + 3;
            continue;
        }
        let end = start + rest.find('>').unwrap() + 1;
        let tag = &entry[start..end];
        if tag.starts_with("</") {
            let begun = open.pop().unwrap();
            found.elements.push((begun, end));
            let text = begun + entry[begun..].find('>').unwrap() + 1;
            if !entry[text..start].contains("</") {
                found.texts.push((text, start));
            }
        } else {
            let mut from = 0;
            while let Some(equals) = tag[from..].find("=\"").map(|i| from + i) {
                let close = equals + 2 + tag[equals + 2..].find('"').unwrap();
                let name = tag[..equals].rfind(' ').unwrap();
                found.values.push((start + equals + 2, start + close));
                found.attributes.push((start + name, start + close + 1));
                from = close + 1;
            }
            if tag.ends_with("/>") {
                found.elements.push((start, end));
            } else {
                open.push(start);
            }
        }
        at = end;
    }
    // The `url` itself stays.
    found
        .elements
        .retain(|(start, _)| !entry[*start..].starts_with("<url>"));
    found
}

/// A complete entry with a few changes.
pub(crate) fn changed(random: &mut Random, changes: usize) -> String {
    let mut entry = WHOLE.to_owned();
    for _ in 0..changes {
        let places = places(&entry);
        let pick = |random: &mut Random, from: &[(usize, usize)]| from[random.below(from.len())];
        match random.below(6) {
            0 | 1 if !places.texts.is_empty() => {
                let (start, end) = pick(random, &places.texts);
                entry.replace_range(start..end, TEXTS[random.below(TEXTS.len())]);
            }
            2 if !places.values.is_empty() => {
                let (start, end) = pick(random, &places.values);
                let text = TEXTS[random.below(TEXTS.len() - 2)];
                entry.replace_range(start..end, text);
            }
            3 if !places.attributes.is_empty() => {
                let (start, end) = pick(random, &places.attributes);
                entry.replace_range(start..end, "");
            }
            4 if !places.elements.is_empty() => {
                let (start, end) = pick(random, &places.elements);
                entry.replace_range(start..end, "");
            }
            _ if !places.elements.is_empty() => {
                let (start, end) = pick(random, &places.elements);
                let copy = entry[start..end].to_owned();
                entry.insert_str(end, &copy);
            }
            _ => {}
        }
    }
    entry
}

/// A document of such entries.
pub(crate) fn document(random: &mut Random, entries: usize) -> String {
    let mut document = ROOT.to_owned();
    for _ in 0..entries {
        let changes = random.below(4);
        document.push_str(&changed(random, changes));
    }
    document.push_str("\n</urlset>");
    document
}
