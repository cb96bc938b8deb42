//! An entry with every element and attribute of every extension, and changes of it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use sitemap_serde::UrlEntry;
use xml_rs::reader::XmlEvent;

/// Everything in the schemas.
pub(crate) const FULL: &str = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
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

/// The fields of structs in `{:#?}`, as `Image.title`: those with a value, and those without.
fn fields(shown: &str) -> [BTreeSet<String>; 2] {
    let (mut structs, mut found) = (Vec::new(), [const { BTreeSet::new() }; 2]);
    for line in shown.lines().map(str::trim) {
        let (field, value) = line.split_once(": ").unwrap_or(("", line));
        if let Some(name) = structs.last().filter(|_| !field.is_empty()) {
            let is_empty = matches!(value, "None," | "[]," | "false,");
            found[usize::from(is_empty)].insert(format!("{name}.{field}"));
        }
        if let Some(name) = value.strip_suffix(" {") {
            structs.push(name);
        } else if line.starts_with('}') {
            structs.pop();
        }
    }
    found
}

#[test]
fn the_full_entry_has_a_value_in_every_field() {
    let entries: Vec<UrlEntry> = sitemap_serde::from_str(FULL).unwrap();
    let [with, without] = fields(&format!("{entries:#?}"));
    let missing: Vec<_> = without.difference(&with).collect();
    assert_eq!(missing, [""; 0]);
    assert!(with.contains("Image.license") && without.contains("Image.license"));
}

/// Valid or invalid for some element, mostly at or near a limit.
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

/// An element as written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) text: String,
    pub(crate) children: Vec<Element>,
}

impl Element {
    pub(crate) fn new(name: &str, text: &str) -> Self {
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
    pub(crate) fn at(&mut self, path: &[usize]) -> Option<&mut Element> {
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
pub(crate) fn tree(document: &str) -> Element {
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

/// One change of an entry, at the path of an element.
#[derive(Clone, Debug)]
pub(crate) enum Change {
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

pub(crate) fn apply(entry: &mut Element, path: &[usize], change: &Change) {
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
pub(crate) fn changes(entry: &Element) -> Vec<(Vec<usize>, Change)> {
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
        // The four core elements hold only text.
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

pub(crate) fn document(entry: &Element) -> String {
    let (head, _) = FULL.split_once("\n<url>").unwrap();
    let mut document = head.to_owned();
    document.push('\n');
    entry.write(&mut document);
    document.push_str("</urlset>");
    document
}
