//! The two documents in the format's own guide: read, written compact and pretty, and read again.

use serde::{Deserialize, Serialize};
use sitemap_serde::{
    ChangeFreq, Document, Kind, Priority, Reader, SitemapEntry, UrlEntry, UrlSet, W3cDateTime, Writer,
    WriterBuilder,
};
use sitemap_tests::{entries, finished, read};

/// One page, as in a guide: indented by three spaces.
const ONE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
   <url>
      <loc>http://www.example.com/</loc>
      <lastmod>2005-01-01</lastmod>
      <changefreq>monthly</changefreq>
      <priority>0.8</priority>
   </url>
</urlset>"#;

const ONE_COMPACT: &str = concat!(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
    "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">",
    "<url><loc>http://www.example.com/</loc><lastmod>2005-01-01</lastmod>",
    "<changefreq>monthly</changefreq><priority>0.8</priority></url>",
    "</urlset>"
);

const ONE_PRETTY: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url>
    <loc>http://www.example.com/</loc>
    <lastmod>2005-01-01</lastmod>
    <changefreq>monthly</changefreq>
    <priority>0.8</priority>
  </url>
</urlset>
"#;

/// Five pages, including a query with its ampersand.
const FIVE_COMPACT: &str = concat!(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
    "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">",
    "<url><loc>http://www.example.com/</loc><lastmod>2005-01-01</lastmod>",
    "<changefreq>monthly</changefreq><priority>0.8</priority></url>",
    "<url><loc>http://www.example.com/catalog?item=12&amp;desc=vacation_hawaii</loc>",
    "<changefreq>weekly</changefreq></url>",
    "<url><loc>http://www.example.com/catalog?item=73&amp;desc=vacation_new_zealand</loc>",
    "<lastmod>2004-12-23</lastmod><changefreq>weekly</changefreq></url>",
    "<url><loc>http://www.example.com/catalog?item=74&amp;desc=vacation_newfoundland</loc>",
    "<lastmod>2004-12-23T18:00:15+00:00</lastmod><priority>0.3</priority></url>",
    "<url><loc>http://www.example.com/catalog?item=83&amp;desc=vacation_usa</loc>",
    "<lastmod>2004-11-23</lastmod></url>",
    "</urlset>"
);

const FIVE_PRETTY: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url>
    <loc>http://www.example.com/</loc>
    <lastmod>2005-01-01</lastmod>
    <changefreq>monthly</changefreq>
    <priority>0.8</priority>
  </url>
  <url>
    <loc>http://www.example.com/catalog?item=12&amp;desc=vacation_hawaii</loc>
    <changefreq>weekly</changefreq>
  </url>
  <url>
    <loc>http://www.example.com/catalog?item=73&amp;desc=vacation_new_zealand</loc>
    <lastmod>2004-12-23</lastmod>
    <changefreq>weekly</changefreq>
  </url>
  <url>
    <loc>http://www.example.com/catalog?item=74&amp;desc=vacation_newfoundland</loc>
    <lastmod>2004-12-23T18:00:15+00:00</lastmod>
    <priority>0.3</priority>
  </url>
  <url>
    <loc>http://www.example.com/catalog?item=83&amp;desc=vacation_usa</loc>
    <lastmod>2004-11-23</lastmod>
  </url>
</urlset>
"#;

/// Loc, lastmod, changefreq, priority.
type Values = (
    &'static str,
    Option<&'static str>,
    Option<&'static str>,
    Option<f32>,
);

/// The values of the five pages. The single page is the first of them.
const VALUES: [Values; 5] = [
    (
        "http://www.example.com/",
        Some("2005-01-01"),
        Some("monthly"),
        Some(0.8),
    ),
    (
        "http://www.example.com/catalog?item=12&desc=vacation_hawaii",
        None,
        Some("weekly"),
        None,
    ),
    (
        "http://www.example.com/catalog?item=73&desc=vacation_new_zealand",
        Some("2004-12-23"),
        Some("weekly"),
        None,
    ),
    (
        "http://www.example.com/catalog?item=74&desc=vacation_newfoundland",
        Some("2004-12-23T18:00:15+00:00"),
        None,
        Some(0.3),
    ),
    (
        "http://www.example.com/catalog?item=83&desc=vacation_usa",
        Some("2004-11-23"),
        None,
        None,
    ),
];

/// Each document, its compact and pretty output, and its number of pages.
const DOCUMENTS: [(&str, &str, &str, usize); 2] = [
    (ONE, ONE_COMPACT, ONE_PRETTY, 1),
    (FIVE_PRETTY, FIVE_COMPACT, FIVE_PRETTY, 5),
];

/// A page as a program might define it, with its own order of fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Page {
    priority: Option<f32>,
    lastmod: Option<String>,
    loc: String,
    changefreq: Option<String>,
}

fn pages(count: usize) -> Vec<Page> {
    VALUES[..count]
        .iter()
        .map(|&(loc, lastmod, changefreq, priority)| Page {
            priority,
            lastmod: lastmod.map(str::to_owned),
            loc: loc.to_owned(),
            changefreq: changefreq.map(str::to_owned),
        })
        .collect()
}

fn url_entries(count: usize) -> Vec<UrlEntry> {
    VALUES[..count]
        .iter()
        .map(|&(loc, lastmod, changefreq, priority)| {
            let mut entry = UrlEntry::new(loc);
            entry.lastmod = lastmod.map(|lastmod| lastmod.parse().unwrap());
            entry.changefreq = changefreq.map(|changefreq| changefreq.parse().unwrap());
            entry.priority = priority.map(|priority| Priority::new(priority).unwrap());
            entry
        })
        .collect()
}

/// Writes `entries` in every way, and compares the whole text.
fn assert_written<T: Serialize>(entries: &[T], compact: &str, pretty: &str) {
    assert_eq!(sitemap_serde::to_string(entries).unwrap(), compact);
    assert_eq!(sitemap_serde::to_vec(entries).unwrap(), compact.as_bytes());
    assert_eq!(sitemap_serde::to_string_pretty(entries).unwrap(), pretty);
    assert_eq!(sitemap_serde::to_vec_pretty(entries).unwrap(), pretty.as_bytes());

    let mut written = Vec::new();
    sitemap_serde::to_writer(&mut written, entries).unwrap();
    assert_eq!(written, compact.as_bytes());
    written.clear();
    sitemap_serde::to_writer_pretty(&mut written, entries).unwrap();
    assert_eq!(written, pretty.as_bytes());

    for (indent, expected) in [(false, compact), (true, pretty)] {
        let mut writer = WriterBuilder::new().pretty(indent).from_writer(Vec::new());
        for entry in entries {
            writer.serialize(entry).unwrap();
        }
        assert_eq!(writer.summary().entries, entries.len() as u64);
        assert_eq!(finished(writer), expected);
    }
}

#[test]
fn url_entries_there_and_back() {
    for (document, compact, pretty, count) in DOCUMENTS {
        let expected = url_entries(count);
        for document in [document, compact, pretty] {
            let read: Vec<UrlEntry> = entries(document);
            assert_eq!(read, expected);
            let checked: Vec<UrlEntry> = Reader::from_str(document)
                .entries()
                .collect::<Result<_, _>>()
                .unwrap();
            assert_eq!(checked, expected);
            assert_written(&read, compact, pretty);
        }
    }
}

#[test]
fn serde_structs_there_and_back() {
    for (document, compact, pretty, count) in DOCUMENTS {
        let expected = pages(count);
        for document in [document, compact, pretty] {
            let read: Vec<Page> = entries(document);
            assert_eq!(read, expected);
            assert_written(&read, compact, pretty);
        }
    }
}

#[test]
fn whole_documents_there_and_back() {
    for (document, compact, pretty, count) in DOCUMENTS {
        let set = read::<UrlSet>(document).unwrap();
        assert_eq!(set, UrlSet::from(url_entries(count)));
        assert_eq!(sitemap_serde::to_string(&set).unwrap(), compact);
        assert_eq!(sitemap_serde::to_string_pretty(&set).unwrap(), pretty);

        let either = read::<Document>(document).unwrap();
        assert_eq!(either, Document::UrlSet(set));
        assert_eq!(either.kind(), Kind::UrlSet);
        assert_eq!(sitemap_serde::to_string(&either).unwrap(), compact);
        assert_eq!(sitemap_serde::to_string_pretty(&either).unwrap(), pretty);
    }
}

#[test]
fn values_are_what_the_guide_says() {
    let five: Vec<UrlEntry> = entries(FIVE_PRETTY);
    assert_eq!(
        five[1].loc,
        "http://www.example.com/catalog?item=12&desc=vacation_hawaii"
    );
    assert_eq!(five[0].lastmod.unwrap().to_string(), "2005-01-01");
    assert_eq!(five[0].changefreq, Some(ChangeFreq::Monthly));
    assert_eq!(five[0].priority.unwrap().to_string(), "0.8");
    assert_eq!(five[3].lastmod.unwrap().to_string(), "2004-12-23T18:00:15+00:00");
    assert_eq!(five[3].priority.unwrap().to_string(), "0.3");
    assert_eq!(five[1].lastmod, None);
    assert_eq!(five[4].changefreq, None);
    assert_eq!(five[4].priority, None);
}

#[test]
fn a_file_on_disk_there_and_back() {
    let path = std::env::temp_dir().join(format!("sitemap-serde-mission-{}.xml", std::process::id()));
    let mut writer = Writer::from_path(&path).unwrap();
    for entry in url_entries(5) {
        writer.serialize(&entry).unwrap();
    }
    writer.finish().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let read: Vec<UrlEntry> = Reader::from_path(&path)
        .unwrap()
        .entries()
        .collect::<Result<_, _>>()
        .unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(text, FIVE_COMPACT);
    assert_eq!(read, url_entries(5));
}

// ---- Written from a struct that derives `SitemapEntry`. ----

/// A page in the program's database: its path and its columns.
#[derive(SitemapEntry)]
#[sitemap(loc = "/{+path?}")]
struct Row {
    #[expect(dead_code, reason = "a column that a sitemap does not have")]
    id: i64,
    path: &'static str,
    #[sitemap(lastmod)]
    changed: Option<W3cDateTime>,
    #[sitemap(changefreq)]
    often: Option<ChangeFreq>,
    #[sitemap(priority)]
    rank: Option<f32>,
}

/// The same, with a whole URL in a field as the loc and literals as hints.
#[derive(SitemapEntry)]
#[sitemap(changefreq = "monthly", priority = 0.8)]
struct Home {
    #[sitemap(lastmod)]
    changed: &'static str,
    #[sitemap(loc)]
    url: &'static str,
}

fn rows(count: usize) -> Vec<Row> {
    (0..)
        .zip(&VALUES[..count])
        .map(|(id, &(loc, lastmod, changefreq, priority))| Row {
            id,
            path: loc.strip_prefix("http://www.example.com/").unwrap(),
            changed: lastmod.map(|lastmod| lastmod.parse().unwrap()),
            often: changefreq.map(|changefreq| changefreq.parse().unwrap()),
            rank: priority,
        })
        .collect()
}

#[test]
fn derived_structs_are_written() {
    for (_, compact, pretty, count) in DOCUMENTS {
        for (indent, expected) in [(false, compact), (true, pretty)] {
            let mut builder = WriterBuilder::new();
            builder.base("http://www.example.com").pretty(indent);
            let mut writer = builder.from_writer(Vec::new());
            for row in rows(count) {
                writer.write(&row).unwrap();
            }
            assert_eq!(finished(writer), expected);

            assert_eq!(builder.entries_to_string(rows(count)).unwrap(), expected);
        }
    }
    let home = [Home {
        changed: "2005-01-01",
        url: "http://www.example.com/",
    }];
    assert_eq!(sitemap_serde::entries_to_string(&home).unwrap(), ONE_COMPACT);
    assert_eq!(
        WriterBuilder::new()
            .pretty(true)
            .entries_to_string(&home)
            .unwrap(),
        ONE_PRETTY
    );
}
