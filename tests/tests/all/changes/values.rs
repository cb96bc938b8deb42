//! Values are compared, not texts: an entry with another spelling is unchanged, and an entry with another value is changed.

use sitemap_serde::diff::{Change, Diff, FieldChange, Input, Summary};
use sitemap_tests::{Random, rounds};

/// The values of an element or attribute, each with the texts that mean it; the empty text is no element as well.
type Values = &'static [&'static [&'static str]];

const TEXT: Values = &[
    &[
        "a &amp; b",
        "<![CDATA[a & b]]>",
        "a &#38; b",
        " a &amp;<!-- --> b\n",
    ],
    &["a &amp;amp; b"],
    &["A &amp; B"],
    &["1.0"],
    &["1"],
];
const OPTIONAL: Values = &[&[""], &["x"], &["x y"], &["xy"]];
const URL: Values = &[&["https://example.com/1.jpg"], &["https://example.com/2.jpg"]];
const DATE: Values = &[
    &[""],
    &[
        "2026-05-01T10:00:00Z",
        "2026-05-01T10:00Z",
        "2026-05-01T12:00:00+02:00",
        "2026-05-01T10:00:00.000Z",
    ],
    &["2026-05-01T10:00:01Z"],
    &["2026-05-01"],
    &["2026-05"],
];
const PRIORITY: Values = &[
    &[""],
    &["1.0", "1", "+1.00", "01."],
    &["0.8", "0.80", ".8"],
    &["0.08"],
];
const RATING: Values = &[&[""], &["4.5", "4.50"], &["4.05"], &["5"]];
const COUNT: Values = &[&[""], &["60", "060", "+60"], &["600"]];
const YES_NO: Values = &[&[""], &["yes", "Yes", "YES"], &["no", "NO"]];
const FREQUENCY: Values = &[&[""], &["daily"], &["weekly"]];

/// An element with its attributes, text and children. Its values are numbered in the order of creation.
struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, Slot)>,
    text: Option<Slot>,
    children: Vec<Element>,
}

/// One value of an entry: its number, and its possible forms.
#[derive(Clone, Copy)]
struct Slot {
    number: usize,
    values: Values,
}

#[derive(Default)]
struct Maker {
    /// For each slot, the number of its values and its field.
    slots: Vec<(usize, &'static str)>,
    field: &'static str,
}

impl Maker {
    fn slot(&mut self, values: Values) -> Slot {
        self.slots.push((values.len(), self.field));
        Slot {
            number: self.slots.len() - 1,
            values,
        }
    }

    fn element(
        &mut self,
        name: &'static str,
        attributes: &[(&'static str, Values)],
        text: Option<Values>,
        children: Vec<Element>,
    ) -> Element {
        Element {
            name,
            attributes: attributes
                .iter()
                .map(|(name, values)| (*name, self.slot(values)))
                .collect(),
            text: text.map(|values| self.slot(values)),
            children,
        }
    }

    fn leaves(&mut self, leaves: &[(&'static str, Values)]) -> Vec<Element> {
        leaves
            .iter()
            .map(|(name, values)| self.element(name, &[], Some(values), Vec::new()))
            .collect()
    }
}

/// An entry with every kind of value.
fn entry() -> (Vec<Element>, Maker) {
    let mut maker = Maker::default();
    let mut fields = Vec::new();
    for (name, values) in [
        ("lastmod", DATE),
        ("changefreq", FREQUENCY),
        ("priority", PRIORITY),
    ] {
        maker.field = name;
        fields.push(maker.element(name, &[], Some(values), Vec::new()));
    }
    maker.field = "image:image";
    for _ in 0..2 {
        let children = maker.leaves(&[
            ("image:loc", URL),
            ("image:title", TEXT),
            ("image:caption", OPTIONAL),
        ]);
        fields.push(maker.element("image:image", &[], None, children));
    }
    maker.field = "video:video";
    let mut children = maker.leaves(&[
        ("video:thumbnail_loc", URL),
        ("video:title", TEXT),
        ("video:description", TEXT),
        ("video:content_loc", URL),
        ("video:duration", COUNT),
        ("video:expiration_date", DATE),
        ("video:rating", RATING),
        ("video:view_count", COUNT),
        ("video:tag", TEXT),
        ("video:tag", TEXT),
        ("video:category", OPTIONAL),
        ("video:family_friendly", YES_NO),
        ("video:live", YES_NO),
    ]);
    children.push(maker.element(
        "video:restriction",
        &[("relationship", &[&["allow"], &["deny"]])],
        Some(&[&["GB IE", "GB  IE"], &["IE"]]),
        Vec::new(),
    ));
    children.push(maker.element(
        "video:price",
        &[
            ("currency", &[&["EUR"], &["USD"]]),
            ("type", &[&["rent", "RENT"], &["purchase"]]),
            ("resolution", &[&["HD", "hd"], &["SD", "sd"]]),
        ],
        Some(&[&["9.99", "9.990"], &["9.9"]]),
        Vec::new(),
    ));
    let show = maker.leaves(&[
        ("video:show_title", TEXT),
        ("video:video_type", &[&["full"], &["clip"]]),
        ("video:season_number", COUNT),
        ("video:premier_date", DATE),
    ]);
    children.push(maker.element("video:tvshow", &[], None, show));
    fields.push(maker.element("video:video", &[], None, children));
    maker.field = "news:news";
    let publication = maker.leaves(&[("news:name", TEXT), ("news:language", &[&["en"], &["de"]])]);
    let mut children = maker.leaves(&[
        ("news:publication_date", DATE),
        ("news:title", TEXT),
        ("news:keywords", OPTIONAL),
        (
            "news:genres",
            &[&[""], &["Blog,Opinion", "Blog, Opinion"], &["Blog"]],
        ),
        (
            "news:stock_tickers",
            &[&[""], &["NASDAQ:A,NYSE:B", "NASDAQ:A, NYSE:B"], &["NYSE:B"]],
        ),
    ]);
    children.push(maker.element("news:publication", &[], None, publication));
    fields.push(maker.element("news:news", &[], None, children));
    maker.field = "xhtml:link";
    let link: [(&'static str, Values); 3] = [
        ("rel", &[&["alternate"], &["canonical"]]),
        ("hreflang", &[&["en-GB", "en-gb"], &["en-US"], &["en"]]),
        ("href", URL),
    ];
    fields.push(maker.element("xhtml:link", &link, None, Vec::new()));
    (fields, maker)
}

/// Another order that keeps elements of one name in order.
fn shuffled<'a, T>(items: &'a [T], name: impl Fn(&T) -> &str, random: &mut Random) -> Vec<&'a T> {
    let mut order: Vec<&T> = items.iter().collect();
    for i in (1..order.len()).rev() {
        order.swap(i, random.below(i + 1));
    }
    let mut taken = vec![false; items.len()];
    let mut next_of = |of: &str| {
        let next = (0..items.len())
            .find(|&i| !taken[i] && name(&items[i]) == of)
            .unwrap();
        taken[next] = true;
        &items[next]
    };
    order.into_iter().map(|item| next_of(name(item))).collect()
}

/// One way of writing entries.
struct Style<'r> {
    /// The values of the slots.
    chosen: &'r [usize],
    random: &'r mut Random,
    /// Returns `true` if prefixes are the documented ones.
    is_usual: bool,
}

impl Style<'_> {
    fn form(&mut self, slot: Slot) -> &'static str {
        let forms = slot.values[self.chosen[slot.number]];
        forms[self.random.below(forms.len())]
    }

    fn space(&mut self) -> &'static str {
        ["", "\n  ", "<!-- <loc> -->", "\r\n"][self.random.below(4)]
    }

    fn name(&self, name: &str) -> String {
        match name.split_once(':') {
            Some((prefix, local)) if !self.is_usual => format!("my{prefix}:{local}"),
            _ => name.to_owned(),
        }
    }

    fn element(&mut self, element: &Element) -> String {
        let text = element.text.map_or("", |slot| self.form(slot));
        let is_absent = element.text.is_some() && text.is_empty() && element.attributes.is_empty();
        if is_absent && self.random.below(2) == 0 {
            return String::new();
        }
        let name = self.name(element.name);
        let mut tag = vec![name.clone()];
        for (attribute, slot) in shuffled(&element.attributes, |(name, _)| name, self.random) {
            let quote = ["'", "\""][self.random.below(2)];
            tag.push(format!("{attribute}={quote}{}{quote}", self.form(*slot)));
        }
        let tag = tag.join(" ");
        if text.is_empty() && element.children.is_empty() && self.random.below(2) == 0 {
            return format!("<{tag}/>");
        }
        let children = self.elements(&element.children);
        format!("<{tag}>{text}{children}</{name}>")
    }

    fn elements(&mut self, elements: &[Element]) -> String {
        let mut text = String::new();
        for element in shuffled(elements, |element| element.name, self.random) {
            text += self.space();
            text += &self.element(element);
        }
        text
    }

    fn document(&mut self, fields: &[Element]) -> String {
        let namespaces = [
            ("image", "http://www.google.com/schemas/sitemap-image/1.1"),
            ("video", "http://www.google.com/schemas/sitemap-video/1.1"),
            ("news", "http://www.google.com/schemas/sitemap-news/0.9"),
            ("xhtml", "http://www.w3.org/1999/xhtml"),
        ];
        let declared = namespaces.map(|(prefix, uri)| {
            let prefix = self.name(&format!("{prefix}:"));
            format!(" xmlns:{}='{uri}'", prefix.trim_end_matches(':'))
        });
        let declared = declared.concat();
        let fields = self.elements(fields);
        format!(
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'{declared}>\
             <url><loc>https://example.com/</loc>{fields}</url></urlset>"
        )
    }
}

fn compare(old: &str, new: &str, exact: bool) -> (Summary, Vec<Change>) {
    let mut changes = Vec::new();
    let summary = Diff::new()
        .exact(exact)
        .run(
            &mut [Input::from_slice("old.xml", old.as_bytes())],
            &mut [Input::from_slice("new.xml", new.as_bytes())],
            |change| {
                changes.push(change);
                Ok(())
            },
        )
        .unwrap();
    (summary, changes)
}

#[test]
fn another_way_of_writing_is_no_change_and_another_value_is_one() {
    let (fields, maker) = entry();
    let mut told_apart = 0;
    let pages = rounds(300) as u64;
    for seed in 0..pages {
        let random = &mut Random::new(seed);
        let mut chosen: Vec<usize> = maker
            .slots
            .iter()
            .map(|(values, _)| random.below(*values))
            .collect();
        let write = |chosen: &[usize], random: &mut Random| {
            let is_usual = random.below(2) == 0;
            let mut style = Style {
                chosen,
                random,
                is_usual,
            };
            style.document(&fields)
        };
        let old = write(&chosen, random);
        let new = write(&chosen, random);
        let (summary, changes) = compare(&old, &new, false);
        assert_eq!((changes.as_slice(), summary.same), (&[][..], 1), "{old}\n{new}");
        assert_eq!(compare(&old, &old, true).0.same, 1, "{old}");
        told_apart += u64::from(!compare(&old, &new, true).0.is_empty());

        // Each value of an entry in turn.
        let slot = usize::try_from(seed).unwrap() % maker.slots.len();
        let (values, field) = maker.slots[slot];
        chosen[slot] = (chosen[slot] + 1 + random.below(values - 1)) % values;
        let new = write(&chosen, random);
        for exact in [false, true] {
            let (_, changes) = compare(&old, &new, exact);
            let [Change::Changed { fields, .. }] = changes.as_slice() else {
                panic!("{field} {changes:?}\n{old}\n{new}");
            };
            assert!(
                fields.iter().any(|change| change.name == field),
                "{field} {fields:?}"
            );
            assert!(exact || fields.len() == 1, "{field} {fields:?}\n{old}\n{new}");
        }
    }
    assert!(pages > maker.slots.len() as u64);
    // Nearly every other way gives another text.
    assert!(told_apart > pages - pages / 25, "{told_apart}");
}

const IMAGE: [&str; 3] = [
    "<image:image><image:loc>https://example.com/1.jpg</image:loc><image:title>T</image:title></image:image>",
    "<image:image><image:title>T</image:title><image:loc>https://example.com/1.jpg</image:loc></image:image>",
    "<image:image><image:title>t</image:title><image:loc>https://example.com/1.jpg</image:loc></image:image>",
];

/// The fields before and after, and the reports: by values, and by texts.
const REPORTS: [[&str; 4]; 11] = [
    [
        "<priority>1.0</priority>",
        "<priority>1</priority>",
        "",
        "priority: 1.0 -> 1",
    ],
    [
        "<priority>0.80</priority>",
        "<priority>0.8</priority>",
        "",
        "priority: 0.80 -> 0.8",
    ],
    [
        "<lastmod>2026-05-01T10:00:00Z</lastmod>",
        "<lastmod>2026-05-01T12:00:00+02:00</lastmod>",
        "",
        "lastmod: 2026-05-01T10:00:00Z -> 2026-05-01T12:00:00+02:00",
    ],
    [
        "<lastmod>2026-05-01</lastmod>",
        "<lastmod>2026-05-01T00:00:00Z</lastmod>",
        "lastmod: 2026-05-01 -> 2026-05-01T00:00:00Z",
        "lastmod: 2026-05-01 -> 2026-05-01T00:00:00Z",
    ],
    ["<priority/>", "", "", "priority:  -> (none)"],
    [
        "<news:news><news:title>T</news:title><news:keywords/></news:news>",
        "<news:news><news:title>T</news:title></news:news>",
        "",
        "news:news: {news:title=T news:keywords=} -> {news:title=T}",
    ],
    [
        IMAGE[0],
        IMAGE[1],
        "",
        "image:image: {image:loc=https://example.com/1.jpg image:title=T} -> {image:title=T image:loc=https://example.com/1.jpg}",
    ],
    // By values, the children are in the schema's order.
    [
        IMAGE[0],
        IMAGE[2],
        "image:image: {image:loc=https://example.com/1.jpg image:title=T} -> {image:loc=https://example.com/1.jpg image:title=t}",
        "image:image: {image:loc=https://example.com/1.jpg image:title=T} -> {image:title=t image:loc=https://example.com/1.jpg}",
    ],
    // A flag has no text.
    [
        "<mobile:mobile/>",
        "",
        "mobile:mobile:  -> (none)",
        "mobile:mobile:  -> (none)",
    ],
    // Two tags differ from one tag with both texts, although they look alike.
    [
        "<video:video><video:tag>a</video:tag><video:tag>b</video:tag></video:video>",
        "<video:video><video:tag>a video:tag=b</video:tag></video:video>",
        "video:video: {video:tag=a video:tag=b} -> {video:tag=a video:tag=b}",
        "video:video: {video:tag=a video:tag=b} -> {video:tag=a video:tag=b}",
    ],
    // Invalid values are compared as text.
    [
        "<priority>high</priority>",
        "<priority>HIGH</priority>",
        "priority: high -> HIGH",
        "priority: high -> HIGH",
    ],
];

#[test]
fn what_is_unchanged_and_what_is_not() {
    let page = |fields: &str| {
        format!(
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' \
             xmlns:image='http://www.google.com/schemas/sitemap-image/1.1' \
             xmlns:video='http://www.google.com/schemas/sitemap-video/1.1' xmlns:mobile='http://www.google.com/schemas/sitemap-mobile/1.0' \
             xmlns:news='http://www.google.com/schemas/sitemap-news/0.9'><url><loc>https://example.com/</loc>{fields}</url></urlset>"
        )
    };
    for [old, new, by_value, by_text] in REPORTS {
        for (exact, expected) in [(false, by_value), (true, by_text)] {
            let (_, changes) = compare(&page(old), &page(new), exact);
            let lines: Vec<String> = changes.iter().map(Change::to_string).collect();
            let expected = (!expected.is_empty()).then(|| format!("~ https://example.com/ {expected}"));
            assert_eq!(lines, Vec::from_iter(expected), "{exact} {old} {new}");
        }
    }
    let (_, changes) = compare(&page("<priority>1.0</priority>"), &page(""), false);
    let Change::Changed { fields, .. } = &changes[0] else {
        panic!()
    };
    let [FieldChange { before, after, .. }] = fields.as_slice() else {
        panic!()
    };
    assert_eq!((before.as_deref(), after.as_deref()), (Some("1.0"), None));
}

/// Only pages are compared. A side without pages is an error.
#[test]
fn the_entries_of_an_index_are_not_pages() {
    let urlset = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://example.com/a</loc></url></urlset>";
    let index = "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><sitemap><loc>https://example.com/1.xml</loc></sitemap></sitemapindex>";
    let side = |texts: &[&'static str]| {
        let texts = texts.iter().enumerate();
        let inputs = texts.map(|(i, text)| Input::from_slice(format!("{i}.xml"), text.as_bytes()));
        inputs.collect::<Vec<_>>()
    };
    // Sorted and unsorted.
    for last in ["https://example.com/b\n", "https://example.com/0\n"] {
        let mut locs = Vec::new();
        let summary = Diff::new()
            .run(
                &mut side(&[index, urlset]),
                &mut side(&[urlset, index, last, index]),
                |change| {
                    locs.push(change.to_string());
                    Ok(())
                },
            )
            .unwrap();
        assert_eq!(locs, [format!("+ {}", last.trim_end())]);
        assert_eq!((summary.added, summary.same, summary.indexes), (1, 1, 3));
    }
    for (old, new) in [([index], [urlset]), ([urlset], [index])] {
        let error = Diff::new()
            .run(&mut side(&old), &mut side(&new), |_| Ok(()))
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "0.xml is an index, which lists sitemaps and no pages: compare the sitemaps that it lists"
        );
    }
    assert!(
        Diff::new()
            .run(&mut side(&[]), &mut side(&[]), |_| Ok(()))
            .unwrap()
            .is_empty()
    );
}
