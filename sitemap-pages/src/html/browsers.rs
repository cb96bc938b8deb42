//! Compares what is read of a page with the tree of html5ever, which builds it as browsers do: the same text, links and `noindex`.

use std::collections::BTreeSet;

use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, QualName, ns, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use super::element::{Name, Role};
use super::{Document, Reading};

/// What matters of a page.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    /// Letters and digits of its text.
    text: String,
    links: BTreeSet<String>,
    is_noindex: bool,
    /// `true` if SVG or MathML is in an element without a meaning in HTML. In html5ever, the end tag of such an element also ends
    /// `foreignObject`, unlike in the standard.
    is_in_unknown: bool,
}

fn ours(html: &[u8]) -> Seen {
    let reading = Reading {
        ignored: &[],
        has_images: false,
        has_title: true,
        events: &[],
        own: None,
        keeps_text: true,
        is_xml: false,
    };
    let document = Document::read(html, reading);
    let texts = &document.texts;
    let text = texts.explained.iter().flatten().map(|block| block.text.as_str());
    Seen {
        // A block without letters is a picture, a film or the order of a list.
        text: letters(
            &text
                .filter(|text| !text.starts_with([' ', '\u{1}']))
                .collect::<Vec<_>>()
                .concat(),
        ),
        links: texts
            .links
            .iter()
            .map(|link| texts.href(link).to_owned())
            .collect(),
        is_noindex: document.head.robots.is_some(),
        is_in_unknown: false,
    }
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

fn theirs(html: &str) -> Seen {
    let dom = parse_document(RcDom::default(), ParseOpts::default()).one(html);
    let mut seen = Seen::default();
    see(&dom.document, false, &mut seen);
    seen.text = letters(&seen.text);
    seen
}

fn see(node: &Handle, is_in_unknown: bool, seen: &mut Seen) {
    let mut is_in_unknown = is_in_unknown;
    const HIDDEN: [&str; 12] = [
        "script", "style", "template", "noscript", "title", "iframe", "object", "audio", "video", "canvas",
        "noframes", "noembed",
    ];
    const HIDDEN_IN_SVG: [&str; 5] = ["style", "script", "defs", "symbol", "metadata"];
    match &node.data {
        NodeData::Text { contents } => seen.text.push_str(&contents.borrow()),
        NodeData::Element { name, attrs, .. } => {
            let attribute = |wanted: &str| {
                let attrs = attrs.borrow();
                let found = attrs.iter().find(|attribute| written(&attribute.name) == wanted);
                found.map(|attribute| attribute.value.to_string())
            };
            let local = &*name.local;
            if name.ns == ns!(html) && HIDDEN.contains(&local)
                || name.ns == ns!(svg) && HIDDEN_IN_SVG.contains(&local)
            {
                return;
            }
            let (_, role) = Name::of(local.as_bytes());
            if name.ns == ns!(html) {
                is_in_unknown |= role == Role::Inline;
            } else {
                seen.is_in_unknown |= is_in_unknown;
            }
            let link = match local {
                "a" if name.ns == ns!(html) => attribute("href"),
                "a" if name.ns == ns!(svg) => attribute("href").or(attribute("xlink:href")),
                "area" => attribute("href"),
                _ => None,
            };
            seen.links.extend(link);
            seen.is_noindex |= local == "meta"
                && attribute("name").as_deref() == Some("robots")
                && attribute("content").as_deref() == Some("noindex");
        }
        _ => {}
    }
    for child in node.children.borrow().iter() {
        see(child, is_in_unknown, seen);
    }
}

/// Returns the name of an attribute as written, in lower case.
fn written(name: &QualName) -> String {
    let prefix = name
        .prefix
        .as_ref()
        .map_or_else(String::new, |prefix| format!("{prefix}:"));
    format!("{prefix}{}", name.local).to_ascii_lowercase()
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) >> 33).unwrap() % end
    }
}

/// Elements of pages, SVG and MathML, whose tags are written in any order.
const NAMES: [&str; 42] = [
    "svg",
    "svg",
    "svg",
    "math",
    "math",
    "g",
    "title",
    "style",
    "script",
    "desc",
    "foreignObject",
    "text",
    "path",
    "defs",
    "symbol",
    "a",
    "mi",
    "mtext",
    "mglyph",
    "annotation-xml",
    "annotation",
    "div",
    "p",
    "main",
    "article",
    "section",
    "h1",
    "b",
    "i",
    "span",
    "meta",
    "font",
    "textarea",
    "iframe",
    "noframes",
    "noscript",
    "template",
    "br",
    "img",
    "ul",
    "td",
    "em",
];

fn page(random: &mut Random) -> String {
    let mut page = String::from("<!doctype html><html><head></head><body>");
    for number in 0..random.below(40) {
        let name = NAMES[random.below(NAMES.len())];
        let piece = match random.below(12) {
            0..=7 if name == "td" => ["<table><tr><td>", "</table>"][random.below(2)].to_owned(),
            0..=3 => match name {
                "a" => format!("<a href=/{number}>"),
                "meta" => "<meta name=robots content=noindex>".to_owned(),
                "annotation-xml" if random.below(2) == 0 => "<annotation-xml encoding=text/html>".to_owned(),
                "font" if random.below(2) == 0 => "<font color=red>".to_owned(),
                _ => format!("<{name}>"),
            },
            4 => format!("<{name}/>"),
            5..=7 => format!("</{name}>"),
            8 => format!("<![CDATA[c{number}<b>]]>"),
            _ => format!(" w{number} "),
        };
        page.push_str(&piece);
    }
    page
}

/// Pages that are not read as html5ever reads them: an end tag within SVG that closes an unknown element of HTML around it, and a
/// `template` that ends itself within SVG.
const READ_OTHERWISE: [u64; 2] = [11_367, 33_889];

#[test]
fn random_pages() {
    let rounds = std::env::var("SITEMAP_ROUNDS")
        .ok()
        .and_then(|rounds| rounds.parse().ok())
        .unwrap_or(1);
    let (mut wrong, mut skipped) = (Vec::new(), 0);
    for seed in 0..10_000 * rounds {
        let page = page(&mut Random(seed));
        let (ours, theirs) = (ours(page.as_bytes()), theirs(&page));
        if theirs.is_in_unknown {
            skipped += 1;
        } else if ours != theirs && !READ_OTHERWISE.contains(&seed) {
            wrong.push((
                page.len(),
                format!("seed {seed}: {page}\n  {ours:?}\n  {theirs:?}"),
            ));
        }
    }
    wrong.sort();
    let all = wrong.len();
    let shown: Vec<_> = wrong.iter().take(8).map(|(_, text)| text.as_str()).collect();
    assert!(all == 0, "{all} of {}:\n{}", 10_000 * rounds, shown.join("\n"));
    assert!(skipped < 3_000 * rounds, "{skipped}");
}
