//! The ways to read an entry, and to write one, must not differ: `Reader::entries`, serde with the crate's own type, serde
//! with a user's struct of the crate's types, and `EntryReader`; `Writer::write` and `Writer::serialize`.
//!
//! One entry has every element and attribute of every extension. Each of them is left out, emptied, repeated, misplaced and given
//! every text of a list; then two of these at once. Value, message, rule and position must be the same every way.

use serde::Deserialize;
use sitemap_serde::{
    Alternate, ChangeFreq, EntryReader, FromSitemapEntry, Image, News, Priority, Reader, UrlEntry, Video,
    W3cDateTime, Writer, pagemap::PageMap,
};
use sitemap_tests::{Problem, Random, drain, reads_all, rounds, sample};

use crate::extensions::changed::{Element, FULL, apply, changes, document, tree};

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

/// The extensions that an `EntryReader` reads.
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

fn written(result: sitemap_serde::Result<Vec<u8>>) -> Result<String, String> {
    match result {
        Ok(bytes) => Ok(String::from_utf8(bytes).unwrap()),
        Err(error) => Err(format!("{error} {:?}", error.rule())),
    }
}

/// Differences between the ways to read a document, and between the ways to write its entry.
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
    // A user's `String` is not checked as a loc.
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
    let typed = written(writer.write(&entry).and_then(|_| writer.finish()));
    let mut writer = Writer::from_writer(Vec::new());
    let serde = written(writer.serialize(&entry).and_then(|()| writer.finish()));
    if typed != serde {
        return Some(format!("write: {typed:?}\nserialize: {serde:?}"));
    }
    if let Ok(xml) = typed {
        // URLs are encoded when written, so the written form is read back.
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
        // The loc and that child, because the others do not matter.
        let mut small = Element {
            children: entry.children[..1].to_vec(),
            ..Element::new(&entry.name, "")
        };
        if child.name != "loc" {
            small.children.push(child.clone());
        }
        for (path, change) in sample(changes(&small)) {
            let mut changed = small.clone();
            let name = changed.at(&path).unwrap().name.clone();
            apply(&mut changed, &path, &change);
            count += 1;
            if let Some(difference) = difference(&document(&changed)) {
                differences.push(format!("{name} {change:?}\n{difference}\n"));
            }
        }
    }
    assert!(count > if reads_all() { 7_000 } else { 1_000 }, "{count}");
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
    for _ in 0..rounds(375) {
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
