//! The ways to read an entry, and to write one, must not differ: `Reader::entries`, serde with the crate's own type, serde
//! with a user's struct of the crate's types, and `EntryReader`; `Writer::write` and `Writer::serialize`.
//!
//! One entry has every element and attribute of every extension. Each of them is left out, emptied, repeated, misplaced and
//! given every text of a list; then two of these at once. Value, message, rule and position have to be the same every way.

use std::fmt::Write as _;

use serde::Deserialize;
use sitemap_serde::{
    Alternate, ChangeFreq, FromSitemapEntry, Image, News, Priority, Reader, UrlEntry, Video, W3cDateTime,
    Writer, convert::EntryReader, pagemap::PageMap,
};
use sitemap_tests::{Problem, Random, drain, rounds};
use xml_rs::reader::XmlEvent;

/// Everything that the schemas have.
const FULL: &str = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
  xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
  xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"
  xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"
  xmlns:xhtml="http://www.w3.org/1999/xhtml"
  xmlns:mobile="http://www.google.com/schemas/sitemap-mobile/1.0"
  xmlns:pagemap="http://www.google.com/schemas/sitemap-pagemap/1.0" xmlns:other="urn:other">
<url><loc>https://example.com/page</loc><lastmod>2024-05-06</lastmod><changefreq>daily</changefreq><priority>0.5</priority>
<image:image><image:loc>https://cdn.example.net/1.jpg</image:loc><image:caption>Caption</image:caption>
  <image:geo_location>Limerick, Ireland</image:geo_location><image:title>Title</image:title>
  <image:license>https://example.com/license</image:license></image:image>
<image:image><image:loc>https://cdn.example.net/2.jpg</image:loc></image:image>
<video:video><video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc><video:title>Title</video:title>
  <video:description>Description</video:description><video:content_loc>https://example.com/v.mp4</video:content_loc>
  <video:player_loc allow_embed="yes" autoplay="ap=1">https://example.com/player</video:player_loc>
  <video:duration>600</video:duration><video:expiration_date>2030-01-01</video:expiration_date>
  <video:rating>4.2</video:rating>
  <video:content_segment_loc duration="60">https://example.com/1.mp4</video:content_segment_loc>
  <video:content_segment_loc>https://example.com/2.mp4</video:content_segment_loc>
  <video:view_count>12345</video:view_count><video:publication_date>2024-05-06T07:08:09Z</video:publication_date>
  <video:tag>steak</video:tag><video:tag>meat</video:tag><video:category>Cooking</video:category>
  <video:family_friendly>yes</video:family_friendly>
  <video:restriction relationship="allow">IE GB US</video:restriction>
  <video:gallery_loc title="All">https://example.com/gallery</video:gallery_loc>
  <video:price currency="EUR" type="rent" resolution="HD">1.99</video:price><video:price type="purchase"/>
  <video:requires_subscription>no</video:requires_subscription>
  <video:uploader info="https://example.com/users/grilly">Grilly</video:uploader>
  <video:tvshow><video:show_title>Show</video:show_title><video:video_type>clip</video:video_type>
    <video:episode_title>Episode</video:episode_title><video:season_number>1</video:season_number>
    <video:episode_number>2</video:episode_number><video:premier_date>2020-01-01</video:premier_date></video:tvshow>
  <video:platform relationship="deny">web tv</video:platform><video:live>no</video:live>
  <video:id type="tms:series">SH1</video:id></video:video>
<news:news><news:publication><news:name>The Times</news:name><news:language>en</news:language></news:publication>
  <news:access>Registration</news:access><news:genres>Blog, Satire</news:genres>
  <news:publication_date>2024-05-06</news:publication_date><news:title>Title</news:title>
  <news:keywords>business, merger</news:keywords><news:stock_tickers>NASDAQ:A, NYSE:B</news:stock_tickers></news:news>
<xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/>
<xhtml:link rel="alternate" media="only screen and (max-width: 640px)" href="https://m.example.com/"/>
<mobile:mobile/>
<pagemap:PageMap><pagemap:Template src="https://example.com/template"/>
  <pagemap:DataObject type="document" id="d1"><pagemap:Attribute name="title" value="A title"/>
    <pagemap:Attribute name="pages">4</pagemap:Attribute></pagemap:DataObject></pagemap:PageMap>
</url></urlset>"#;

/// Right and wrong for one element or another, most of them at a limit or next to it.
const TEXTS: &str = "| |\u{a0}|x|yes|YES|no|true|0|1|+5|-1|1.5|5.0|5.01|.5|1e3|NaN|1,99|28800|28801|4294967295|4294967296|\
    18446744073709551615|18446744073709551616|https://example.com/page|https://other.example/|http://example.com/a&b'c|/relative|\
    ftp://example.com/x|javascript:alert(1)|http://|https://exa mple.com/|https://example.com/a b|2024|2024-05-06|\
    2024-05-06T07:08|2024-05-06T07:08Z|2024-02-30|GB  IE|UK|gb|Utopia|allow|Allow|web  tv|tablet|EUR|eur|RENT|8k|full|\
    tms:series|en|EN|eng|zh-cn|en-GB|en-UK|es-419|x-default|Subscription|Blog,,Satire|Blog ,Satire|NASDAQ:AMAT|\
    A:B,C:D,E:F,G:H,I:J,K:L|alternate nofollow|daily|Daily|a<b>\"c\"";

fn texts() -> Vec<String> {
    let mut texts: Vec<String> = TEXTS.split('|').map(str::to_owned).collect();
    for limit in [100, 255, 256, 2048] {
        texts.extend(["é".repeat(limit), "é".repeat(limit + 1)]);
    }
    texts.extend([2048, 2049].map(|len| format!("https://example.com/{}", "a".repeat(len - 20))));
    texts
}

/// An element as it is written.
#[derive(Clone, Debug, Default)]
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    children: Vec<Element>,
}

impl Element {
    fn new(name: &str, text: &str) -> Self {
        Element {
            name: name.to_owned(),
            text: text.to_owned(),
            ..Element::default()
        }
    }

    fn write(&self, out: &mut String) {
        let _ = write!(out, "<{}", self.name);
        for (name, value) in &self.attributes {
            let _ = write!(out, " {name}=\"{}\"", escaped(value));
        }
        let _ = write!(out, ">{}", escaped(&self.text));
        for child in &self.children {
            out.push('\n');
            child.write(out);
        }
        let _ = write!(out, "</{}>", self.name);
    }

    /// The element at a path of indices.
    fn at(&mut self, path: &[usize]) -> Option<&mut Element> {
        path.iter()
            .try_fold(self, |element, &index| element.children.get_mut(index))
    }

    /// The paths of all elements below it.
    fn paths(&self, prefix: &[usize], found: &mut Vec<Vec<usize>>) {
        for (i, child) in self.children.iter().enumerate() {
            let path = [prefix, &[i]].concat();
            found.push(path.clone());
            child.paths(&path, found);
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

/// The entry of a document as a tree, by xml-rs.
fn tree(document: &str) -> Element {
    let mut open = vec![Element::default()];
    let qualified = |name: xml_rs::name::OwnedName| match name.prefix {
        Some(prefix) => format!("{prefix}:{}", name.local_name),
        None => name.local_name,
    };
    for event in xml_rs::EventReader::new(document.as_bytes()) {
        match event.unwrap() {
            XmlEvent::StartElement { name, attributes, .. } => open.push(Element {
                name: qualified(name),
                attributes: attributes
                    .into_iter()
                    .map(|attribute| (qualified(attribute.name), attribute.value))
                    .collect(),
                ..Element::default()
            }),
            XmlEvent::Characters(text) => open.last_mut().unwrap().text.push_str(text.trim()),
            XmlEvent::EndElement { .. } => {
                let element = open.pop().unwrap();
                open.last_mut().unwrap().children.push(element);
            }
            _ => {}
        }
    }
    open.remove(0).children.remove(0).children.remove(0)
}

/// One change of an entry, by the path of the element that it is made to.
#[derive(Clone, Debug)]
enum Change {
    Remove,
    Empty,
    Text(String),
    Repeat,
    RepeatLast,
    Attribute(usize, Option<String>),
    AddAttribute(&'static str),
    AddChild(&'static str, &'static str),
    Reverse,
}

fn apply(entry: &mut Element, path: &[usize], change: &Change) {
    let (index, parent) = path.split_last().expect("an element within the entry");
    match change {
        Change::Remove | Change::Repeat | Change::RepeatLast => {
            let Some(parent) = entry.at(parent) else { return };
            let Some(element) = parent.children.get(*index).cloned() else {
                return;
            };
            match change {
                Change::Remove => drop(parent.children.remove(*index)),
                Change::Repeat => parent.children.insert(*index, element),
                _ => parent.children.push(element),
            }
            return;
        }
        _ => {}
    }
    let Some(element) = entry.at(path) else { return };
    match change {
        Change::Empty => *element = Element::new(&element.name, ""),
        Change::Text(text) => text.clone_into(&mut element.text),
        Change::Attribute(i, None) if *i < element.attributes.len() => drop(element.attributes.remove(*i)),
        Change::Attribute(i, Some(text)) => {
            if let Some((_, value)) = element.attributes.get_mut(*i) {
                text.clone_into(value);
            }
        }
        Change::AddAttribute(name) if element.attributes.iter().all(|(known, _)| known != name) => {
            element
                .attributes
                .push(((*name).to_owned(), "https://example.com/x".to_owned()));
        }
        Change::AddChild(name, text) => element.children.insert(0, Element::new(name, text)),
        Change::Reverse => element.children.reverse(),
        _ => {}
    }
}

/// Every change of every element.
fn changes(entry: &Element) -> Vec<(Vec<usize>, Change)> {
    let mut paths = Vec::new();
    entry.paths(&[], &mut paths);
    let mut changes = Vec::new();
    let mut entry = entry.clone();
    for path in paths {
        let element = entry.at(&path).unwrap().clone();
        let mut add = |change| changes.push((path.clone(), change));
        add(Change::Remove);
        add(Change::Empty);
        add(Change::Repeat);
        add(Change::RepeatLast);
        add(Change::Reverse);
        for name in ["type", "title", "unknown", "other:type", "duration", "href"] {
            add(Change::AddAttribute(name));
        }
        // The four of the core hold nothing but text.
        if !element.name.chars().all(|c| c.is_ascii_lowercase()) {
            for (name, text) in [
                ("other:x", "x"),
                ("image:loc", "https://example.com/x.jpg"),
                ("video:title", ""),
                ("video:unknown", "x"),
                ("loc", "https://example.com/x"),
            ] {
                add(Change::AddChild(name, text));
            }
        }
        for text in texts() {
            add(Change::Text(text.clone()));
            for i in 0..element.attributes.len() {
                add(Change::Attribute(i, Some(text.clone())));
            }
        }
        for i in 0..element.attributes.len() {
            add(Change::Attribute(i, None));
        }
    }
    changes
}

/// The crate's types in a user's struct.
#[derive(Debug, Deserialize)]
struct Own {
    loc: String,
    #[serde(default)]
    lastmod: Option<W3cDateTime>,
    #[serde(default)]
    changefreq: Option<ChangeFreq>,
    #[serde(default)]
    priority: Option<Priority>,
    #[serde(default, rename = "image:image")]
    images: Vec<Image>,
    #[serde(default, rename = "video:video")]
    videos: Vec<Video>,
    #[serde(default, rename = "news:news")]
    news: Option<News>,
    #[serde(default, rename = "xhtml:link")]
    alternates: Vec<Alternate>,
    #[serde(default, rename = "mobile:mobile")]
    mobile: bool,
    #[serde(default, rename = "pagemap:PageMap")]
    page_map: Option<PageMap>,
}

impl From<Own> for UrlEntry {
    fn from(own: Own) -> Self {
        let mut entry = UrlEntry::new(own.loc);
        entry.lastmod = own.lastmod;
        entry.changefreq = own.changefreq;
        entry.priority = own.priority;
        entry.images = own.images;
        entry.videos = own.videos;
        entry.news = own.news.map(Box::new);
        entry.alternates = own.alternates;
        entry.mobile = own.mobile;
        entry.page_map = own.page_map.map(Box::new);
        entry
    }
}

/// What an `EntryReader` gives of the extensions.
#[derive(Debug, PartialEq)]
struct Parts(Vec<Image>, Vec<Video>, Option<News>, Vec<Alternate>);

impl FromSitemapEntry for Parts {
    fn from_entry(entry: &EntryReader<'_>) -> sitemap_serde::Result<Self> {
        Ok(Parts(
            entry.images()?,
            entry.videos()?,
            entry.news()?,
            entry.alternates()?,
        ))
    }
}

fn document(entry: &Element) -> String {
    let (head, _) = FULL.split_once("\n<url>").unwrap();
    let mut document = head.to_owned();
    document.push('\n');
    entry.write(&mut document);
    document.push_str("</urlset>");
    document
}

fn written(result: sitemap_serde::Result<Vec<u8>>) -> Result<String, String> {
    match result {
        Ok(bytes) => Ok(String::from_utf8(bytes).unwrap()),
        Err(error) => Err(format!("{error} {:?}", error.rule())),
    }
}

/// How the ways to read a document differ, and the ways to write its entry.
fn difference(document: &str) -> Option<String> {
    let of = |entries: Vec<Result<UrlEntry, Problem>>| {
        assert_eq!(entries.len(), 1, "{document}");
        entries.into_iter().next().unwrap()
    };
    let typed = of(drain(Reader::from_str(document).entries()));
    let serde = of(drain(Reader::from_str(document).deserialize::<UrlEntry>()));
    if serde != typed {
        return Some(format!("entries: {typed:?}\nserde: {serde:?}"));
    }
    let own = drain(Reader::from_reader(document.as_bytes()).deserialize::<Own>());
    let own = own.into_iter().next().unwrap().map(UrlEntry::from);
    // A user's `String` is no loc that is checked.
    if own != typed
        && !typed
            .as_ref()
            .is_err_and(|problem| problem.path.as_deref() == Some("entry 1 · loc"))
    {
        return Some(format!("entries: {typed:?}\na struct: {own:?}"));
    }
    let parts = drain(Reader::from_str(document).read::<Parts>()).remove(0);
    match (&typed, &parts) {
        (Ok(entry), Ok(Parts(images, videos, news, alternates))) => {
            assert_eq!(
                (
                    &entry.images,
                    &entry.videos,
                    entry.news.as_deref(),
                    &entry.alternates
                ),
                (images, videos, news.as_ref(), alternates)
            );
        }
        (Ok(_), Err(problem)) => return Some(format!("EntryReader refuses it: {problem:?}")),
        _ => {}
    }
    let entry = typed.ok()?;
    let mut writer = Writer::from_writer(Vec::new());
    let typed = written(writer.write(&entry).and_then(|()| writer.finish()));
    let mut writer = Writer::from_writer(Vec::new());
    let serde = written(writer.serialize(&entry).and_then(|()| writer.finish()));
    if typed != serde {
        return Some(format!("write: {typed:?}\nserialize: {serde:?}"));
    }
    if let Ok(xml) = typed {
        // URLs are encoded on the way out, so it is what was written that comes back.
        let again = sitemap_serde::from_str::<Vec<UrlEntry>>(&xml).unwrap();
        assert_eq!(sitemap_serde::to_string(&again).unwrap(), xml, "{document}");
    }
    None
}

#[test]
fn all_ways_agree_after_one_change() {
    let entry = tree(FULL);
    assert_eq!(difference(&document(&entry)), None);
    let (mut differences, mut count) = (Vec::new(), 0);
    for child in &entry.children {
        // The loc and that child, since the others say nothing of it.
        let mut small = Element {
            children: entry.children[..1].to_vec(),
            ..Element::new(&entry.name, "")
        };
        if child.name != "loc" {
            small.children.push(child.clone());
        }
        for (path, change) in changes(&small) {
            let mut changed = small.clone();
            let name = changed.at(&path).unwrap().name.clone();
            apply(&mut changed, &path, &change);
            count += 1;
            if let Some(difference) = difference(&document(&changed)) {
                differences.push(format!("{name} {change:?}\n{difference}\n"));
            }
        }
    }
    assert!(count > 7_000, "{count}");
    assert!(
        differences.is_empty(),
        "{} of {count}\n{}",
        differences.len(),
        differences.join("\n")
    );
}

#[test]
fn all_ways_agree_after_two_changes() {
    let entry = tree(FULL);
    let changes = changes(&entry);
    let mut random = Random::new(11);
    for _ in 0..rounds(750) {
        let mut changed = entry.clone();
        let mut pick = || &changes[random.below(changes.len())];
        let two = [pick(), pick()];
        for (path, change) in two {
            apply(&mut changed, path, change);
        }
        if let Some(difference) = difference(&document(&changed)) {
            panic!("{two:?}\n{difference}");
        }
    }
}
