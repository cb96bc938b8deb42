//! The contents of a document according to quick-xml, and the rules that its entries break, written down from the rules, without the
//! library.

use std::collections::BTreeSet;

use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::ResolveResult;
use quick_xml::reader::NsReader;
use xml_rs::reader::{ParserConfig, XmlEvent};

use sitemap_tests::NAMESPACES;

/// An element with its content.
#[derive(Clone, Debug, Default)]
pub(crate) struct Element {
    /// Its namespace; empty if it has none.
    pub(crate) namespace: String,
    /// Its name without the prefix.
    pub(crate) local: String,
    /// Its attributes, without namespace declarations.
    pub(crate) attributes: Vec<(String, String)>,
    /// Its own text.
    pub(crate) text: String,
    /// The elements in it.
    pub(crate) children: Vec<Element>,
}

impl Element {
    fn new(namespace: &ResolveResult<'_>, tag: &BytesStart<'_>) -> Option<Self> {
        let namespace = match namespace {
            ResolveResult::Bound(namespace) => namespace.as_ref().to_owned(),
            _ => String::new(),
        };
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute.ok()?;
            let key = attribute.key.as_ref();
            if !key.starts_with("xmlns") {
                attributes.push((key.to_owned(), unescape(&attribute.value).ok()?.into_owned()));
            }
        }
        Some(Element {
            namespace,
            local: tag.local_name().as_ref().to_owned(),
            attributes,
            ..Element::default()
        })
    }

    /// Its children with a name, in the namespace of an extension (see [`NAMESPACES`]).
    pub(crate) fn all<'e>(&'e self, extension: usize, local: &'e str) -> impl Iterator<Item = &'e Element> {
        self.children
            .iter()
            .filter(move |child| child.namespace == NAMESPACES[extension] && child.local == local)
    }

    /// The trimmed text of its first child with a name in its own namespace. Empty without one.
    fn text_of(&self, local: &str) -> &str {
        let mut children = self.children.iter();
        let child = children.find(|child| child.namespace == self.namespace && child.local == local);
        child.map_or("", |child| child.text.trim())
    }

    fn attribute(&self, name: &str) -> &str {
        let found = self.attributes.iter().find(|(key, _)| key == name);
        found.map_or("", |(_, value)| value.trim())
    }
}

/// The root of a document. `None` if quick-xml cannot read it.
pub(crate) fn root(bytes: &[u8]) -> Option<Element> {
    let mut reader = NsReader::from_reader(bytes);
    reader.config_mut().expand_empty_elements = true;
    let mut open = vec![Element::default()];
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let (namespace, event) = reader.read_resolved_event_into(&mut buffer).ok()?;
        let text = match event {
            Event::Start(tag) => {
                open.push(Element::new(&namespace, &tag)?);
                continue;
            }
            Event::End(_) => {
                let element = open.pop()?;
                open.last_mut()?.children.push(element);
                continue;
            }
            Event::Text(text) => (*text).to_owned(),
            Event::CData(text) => (*text).to_owned(),
            Event::GeneralRef(name) => unescape(&format!("&{};", &*name)).ok()?.into_owned(),
            Event::Eof => return open.pop()?.children.pop(),
            _ => continue,
        };
        open.last_mut()?.text.push_str(&text);
    }
}

/// The number of elements of each extension in an entry.
pub(crate) fn counts(entry: &Element) -> [usize; 6] {
    let locals = ["image", "video", "news", "link", "mobile", "PageMap"];
    std::array::from_fn(|extension| entry.all(extension, locals[extension]).count())
}

fn is_web(url: &str) -> bool {
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"));
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric()))
}

fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host)
}

/// Returns `true` if an entry is inside an element.
fn has_entry(element: &Element, namespace: &str) -> bool {
    element.children.iter().any(|child| {
        let is_entry = child.namespace == namespace && matches!(child.local.as_str(), "url" | "sitemap");
        is_entry || has_entry(child, namespace)
    })
}

/// The rules that an entry breaks, among the rules that published entries break.
pub(crate) fn broken(entry: &Element) -> BTreeSet<&'static str> {
    let [image, video, news, xhtml] = [0, 1, 2, 3];
    let mut broken = BTreeSet::new();
    let mut check = |rule, holds: bool| {
        if !holds {
            broken.insert(rule);
        }
    };
    let loc = entry.text_of("loc");
    check("P-NS", !has_entry(entry, &entry.namespace));
    check("P-LOC", is_web(loc));
    for image in entry.all(image, "image") {
        check("P-IMG2", is_web(image.text_of("loc")));
    }
    for link in entry.all(xhtml, "link") {
        check("P-ALT2", is_web(link.attribute("href")));
    }
    for article in entry.all(news, "news") {
        for part in ["publication_date", "title"] {
            check("P-NEWS1", !article.text_of(part).is_empty());
        }
        for publication in article.all(news, "publication") {
            check("P-NEWS1", !publication.text_of("name").is_empty());
            check("P-NEWS1", !publication.text_of("language").is_empty());
        }
    }
    for clip in entry.all(video, "video") {
        for part in ["thumbnail_loc", "title", "description"] {
            check("P-VID1", !clip.text_of(part).is_empty());
        }
        let has_address = !(clip.text_of("content_loc").is_empty() && clip.text_of("player_loc").is_empty());
        check("P-VID1", has_address);
        let is_page = |part| !loc.is_empty() && clip.text_of(part) == loc;
        check("P-VID2", !is_page("content_loc") && !is_page("player_loc"));
        for platform in clip.all(video, "platform") {
            check("P-VID8", !platform.attribute("relationship").is_empty());
        }
        for price in clip.all(video, "price") {
            let is_decimal = price.text.trim().chars().all(|c| c.is_ascii_digit() || c == '.');
            check("sitemap-video.xsd", is_decimal);
        }
        for uploader in clip.all(video, "uploader") {
            let (page, own) = (host(loc), host(uploader.attribute("info")));
            let below = |a: &str, b: &str| a == b || a.ends_with(&format!(".{b}"));
            check("P-VID9", own.is_empty() || below(page, own) || below(own, page));
        }
    }
    broken
}

/// Returns `true` if xml-rs finds that a document is not a sitemap: not well-formed, or with another root.
pub(crate) fn is_no_sitemap(bytes: &[u8]) -> bool {
    let config = ParserConfig::new().allow_multiple_root_elements(false);
    let mut is_sitemap = None;
    for event in config.create_reader(bytes) {
        match event {
            Ok(XmlEvent::StartElement { name, .. }) if is_sitemap.is_none() => {
                let namespace = name.namespace.unwrap_or_default();
                is_sitemap = Some(
                    matches!(name.local_name.as_str(), "urlset" | "sitemapindex")
                        && (namespace.is_empty() || namespace.contains("/schemas/sitemap/0.")),
                );
            }
            Ok(_) => {}
            Err(_) => return true,
        }
    }
    is_sitemap != Some(true)
}
