//! The limits of files, reached exactly.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, Mutex};

use sitemap_serde::engine::Engine;
use sitemap_serde::{EntryWriter, Image, News, OnInvalid, Rule, SitemapEntry, UrlEntry, news::Publication};
use sitemap_site::{ErrorKind, FileAction, SitemapSet};

use crate::sets::pages::{BASE, folder, ids, page, parts, public, small, write};

/// P-SIZE.
const MOST: usize = 52_428_800;

/// Entries whose urlset has exactly this size, reached by their locs or by captions of images.
fn entries_of(bytes: usize, images: bool) -> Vec<UrlEntry> {
    const ROOT: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                        <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"></urlset>";
    const IMAGES: &str = " xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"";
    const URL: &str = "<url><loc>https://example.com/12345678</loc></url>";
    const IMAGE: &str = "<image:image><image:loc>https://example.com/i</image:loc>\
                         <image:caption></image:caption></image:image>";
    let (mut rest, fixed, most) = if images {
        (
            bytes - ROOT.len() - IMAGES.len(),
            URL.len() + IMAGE.len(),
            500_000,
        )
    } else {
        (bytes - ROOT.len(), URL.len(), 2048 - 28)
    };
    let mut entries = Vec::new();
    while rest > 0 {
        // The last two share the rest.
        let len = match rest {
            rest if rest >= 2 * (fixed + most) => most,
            rest if rest > fixed + most => rest / 2 - fixed,
            rest => rest - fixed,
        };
        rest -= fixed + len;
        let text = "x".repeat(len);
        let number = entries.len() + 10_000_000;
        if images {
            let mut image = Image::new("https://example.com/i");
            image.caption = Some(text);
            let mut entry = UrlEntry::new(format!("{BASE}/{number}"));
            entry.images.push(image);
            entries.push(entry);
        } else {
            entries.push(UrlEntry::new(format!("{BASE}/{number}{text}")));
        }
    }
    entries
}

/// Writes entries of this size into files of at most `most` bytes, and checks the published files.
fn check_size(bytes: usize, most: usize, images: bool, gzip: bool) {
    let entries = entries_of(bytes, images);
    let folder = folder();
    let root = folder.path().join("set");
    let mut set = SitemapSet::directory(&root, BASE);
    set.max_bytes(most as u64);
    if gzip {
        // The test is about sizes, not about good compression.
        set.gzip(1);
    }
    let set = set.open().unwrap();
    let mut writer = set.task_writer("p", "all").unwrap();
    for entry in &entries {
        writer.write(None, entry).unwrap();
    }
    let list = writer.finish().unwrap();
    let sizes: Vec<u64> = list.parts().map(|part| part.bytes).collect();
    let counts: Vec<u64> = list.parts().map(|part| part.entries).collect();
    set.commit(&[list]).unwrap();
    let current = root.join("current");
    if bytes <= most {
        assert_eq!(sizes, [bytes as u64]);
        assert_eq!(
            fs::metadata(current.join("sitemap.xml")).unwrap().len(),
            bytes as u64
        );
        return;
    }
    assert_eq!(counts, [entries.len() as u64 - 1, 1], "{sizes:?}");
    let name = if gzip {
        "sitemap-p-1.xml.gz"
    } else {
        "sitemap-p-1.xml"
    };
    let mut xml = Vec::new();
    let mut file = fs::File::open(current.join(name)).unwrap();
    if gzip {
        flate2::read::GzDecoder::new(file).read_to_end(&mut xml).unwrap();
    } else {
        file.read_to_end(&mut xml).unwrap();
    }
    assert_eq!(xml.len() as u64, sizes[0]);
    assert!(xml.ends_with(b"</url></urlset>"));
}

#[test]
fn the_largest_file_is_exactly_so_large() {
    for bytes in [MOST - 1, MOST, MOST + 1] {
        for gzip in [false, true] {
            check_size(bytes, MOST, true, gzip);
            // Entries with only a loc are many, and slow to check without optimizations.
            check_size(bytes + 1_000_000 - MOST, 1_000_000, false, gzip);
        }
    }
}

#[test]
fn the_count_is_hit_exactly() {
    let folder = folder();
    let root = folder.path().join("set");
    let set = SitemapSet::directory(&root, BASE).open().unwrap();
    for (rows, expected) in [(50_000, vec![50_000]), (50_001, vec![50_000, 1])] {
        let list = write(&set, "p", "all", 1..=rows);
        assert_eq!(
            list.parts().map(|part| part.entries).collect::<Vec<_>>(),
            expected
        );
        drop(list);
    }
}

#[test]
fn an_index_has_its_limits_too() {
    let folder = folder();
    let root = folder.path().join("set");
    let set = SitemapSet::directory(&root, BASE).max_entries(1).open().unwrap();
    let mut writer = set.task_writer("p", "all").unwrap();
    writer.write(1, &page(1)).unwrap();
    writer.write(2, &page(2)).unwrap();
    let list = serde_json::to_value(writer.finish().unwrap()).unwrap();
    // 50,001 parts, without writing their files: only their names are read before the index is built.
    let mut many = list.clone();
    let part = &list["parts"][0];
    many["parts"] = (0..50_001).map(|_| part.clone()).collect();
    let error = set.plan(&[serde_json::from_value(many).unwrap()]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert_eq!(
        error.to_string(),
        "the set has 50001 parts, and its index has room for 50000: the document is full: it has 50,000 `sitemap` entries, and \
         50,000 are allowed (P-COUNT); finish it and write this entry to the next one, entry 50001; an index of indexes is not \
         allowed (P-NEST), so make several sets, each in a directory of its own, and list their indexes in robots.txt"
    );
}

/// Fewer than 50,000 parts, with addresses so long that their index would exceed the maximum file size.
#[test]
fn an_index_has_a_size_too() {
    let folder = folder();
    let long = format!("{BASE}/{}", "x".repeat(1_900));
    let open = || {
        SitemapSet::directory(folder.path().join("set"), BASE)
            .files_url(&long)
            .writer(|writer| writer.cross_submission(true))
            .max_entries(1)
            .open()
            .unwrap()
    };
    let set = open();
    let list = serde_json::to_value(write(&set, "p", "all", 1..=2)).unwrap();
    let plan = |parts: usize| {
        let mut many = list.clone();
        many["parts"] = (0..parts).map(|_| list["parts"][0].clone()).collect();
        set.plan(&[serde_json::from_value(many).unwrap()])
    };
    // `<sitemap><loc>` and so on, the address with a number of five digits, and the time of the commit.
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                <sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"></sitemapindex>";
    let entry = |number: usize| {
        let loc = format!("{long}/sitemap-p-{number}.xml");
        format!("<sitemap><loc>{loc}</loc><lastmod>2026-01-01T00:00:00Z</lastmod></sitemap>").len()
    };
    let mut room = MOST - head.len();
    let fits = (1..).take_while(|number| {
        let taken = room.checked_sub(entry(*number));
        room = taken.unwrap_or(room);
        taken.is_some()
    });
    let fits = fits.count();
    assert_eq!(plan(fits).unwrap().files.len(), fits + 1);
    let error = plan(fits + 1).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    let text = error.to_string();
    assert!(
        text.starts_with(&format!(
            "the set has {} parts, and its index has room for {fits}: the document is full: with this entry it would have 52,42",
            fits + 1
        )) && text.contains("bytes, and 52,428,800 are allowed (P-SIZE)"),
        "{text}"
    );
}

#[test]
fn a_row_that_breaks_a_rule() {
    let folder = folder();
    let root = folder.path().join("set");
    let set = small(&root).open().unwrap();
    let mut writer = set.task_writer("p", "all").unwrap();
    writer.write(1, &page(1)).unwrap();
    let error = writer
        .write((2, "b"), &UrlEntry::new("https://example.org/"))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Entry);
    assert_eq!(error.entry_error().unwrap().rule(), Some(Rule::Host));
    assert!(
        error
            .to_string()
            .starts_with("section p, row 2,b: `https://example.org/` is "),
        "{error}"
    );
    assert_eq!(writer.finish().unwrap().skipped(), 0);

    let told = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&told);
    let set = small(&root)
        .on_invalid(OnInvalid::SkipEntry)
        .on_problem(move |problem| seen.lock().unwrap().push((problem.kind(), problem.to_string())))
        .open()
        .unwrap();
    let mut writer = set.task_writer("p", "all").unwrap();
    writer.write(1, &page(1)).unwrap();
    for id in 3..30 {
        assert_eq!(writer.write(id, &UrlEntry::new("ftp://x/")).unwrap(), 0);
    }
    writer.skip("row 31 has no slug");
    let summary = set.commit(&[writer.finish().unwrap()]).unwrap();
    assert_eq!(
        (summary.entries, summary.skipped, summary.problems.len()),
        (1, 28, 20)
    );
    assert!(
        summary.problems[0].starts_with("section p, row 3: "),
        "{summary:?}"
    );
    assert!(summary.to_string().ends_with("; 28 rows skipped"), "{summary}");
    let told = told.lock().unwrap();
    assert_eq!(told.len(), 28);
    assert!(
        told.iter()
            .map(|(_, message)| message)
            .take(20)
            .eq(&summary.problems)
    );
    assert_eq!(told[27], (ErrorKind::Source, "row 31 has no slug".to_owned()));
}

/// An error has the number of its row over all parts of a task. Earlier rows count too: a row that ended a full part, unlisted
/// rows, and refused rows.
#[test]
fn rows_are_numbered_through() {
    struct Rated(u64, f32);
    impl SitemapEntry for Rated {
        fn is_listed(&self) -> bool {
            !self.0.is_multiple_of(4)
        }
        fn write_entry(&self, entry: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
            entry.loc(format!("/p/{}", self.0))?;
            entry.priority(self.1)
        }
    }
    for text in [false, true] {
        let folder = folder();
        let set = small(&folder.path().join("set")).text(text).open().unwrap();
        let mut writer = set.task_writer("p", "all").unwrap();
        let mut refused = 0;
        for number in 1..=100_u64 {
            let row = Rated(number, if number % 3 == 0 { 1.5 } else { 0.5 });
            let written = writer.write(None, &row);
            if number % 4 == 0 {
                assert_eq!(written.unwrap(), 0);
            } else if number % 3 == 0 {
                let error = written.unwrap_err();
                assert_eq!(
                    error.to_string(),
                    format!(
                        "section p: `1.5` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that \
                         range, or leave the field out, entry {number} · priority, loc `https://example.com/p/{number}`"
                    )
                );
                let of_entry = error.entry_error().unwrap();
                assert_eq!(
                    (of_entry.entry(), of_entry.field()),
                    (Some(number), Some("priority"))
                );
                refused += 1;
            } else {
                assert_eq!(written.unwrap(), 1);
            }
        }
        assert_eq!(refused, 25);
        let list = writer.finish().unwrap();
        assert_eq!(list.parts().map(|part| part.entries).collect::<Vec<_>>(), [10; 5]);
    }

    let folder = folder();
    let set = news_set(&folder.path().join("set"));
    let mut writer = set.task_writer("news", "all").unwrap();
    writer.write(None, &news(1, "2026-01-01")).unwrap();
    let mut bad = news(2, "2026-01-01");
    bad.priority = None;
    bad.images.push(Image::new("nowhere"));
    let error = writer.write(None, &bad).unwrap_err();
    assert_eq!(
        error.to_string(),
        "section news: `nowhere` is not an absolute URL: write it with its scheme and host, or begin it with `/` (P-IMG2), \
         entry 2 · image:image[0] · image:loc, loc `https://example.com/p/2`"
    );
}

fn news_set(root: &Path) -> SitemapSet {
    let set = SitemapSet::directory(root, BASE).news("news", None).open();
    set.unwrap()
}

fn news(id: u32, date: &str) -> UrlEntry {
    let mut entry = UrlEntry::new(format!("/p/{id}"));
    entry.news = Some(Box::new(News::new(
        Publication::new("Daily", "en"),
        date.parse().unwrap(),
        format!("News {id}"),
    )));
    entry
}

#[test]
fn news_are_ordered_and_fresh() {
    let folder = folder();
    let root = folder.path().join("set");
    let now = "2026-05-10T12:00:00Z".parse().unwrap();
    let set = SitemapSet::directory(&root, BASE)
        .news("news", Some(now))
        .open()
        .unwrap();
    let mut writer = set.task_writer("news", "all").unwrap();
    let dates = [
        "2026-05-08T12:00:00Z",
        "2026-05-10T11:59:59Z",
        "2026-05-08T11:59:59Z",
        "2026-05-09",
        "2026-05-10T20:00:00+09:00",
    ];
    for (id, date) in (1..).zip(dates) {
        writer.write(None, &news(id, date)).unwrap();
    }
    let error = writer.write(None, &page(9)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "section news: https://example.com/p/9 has no `news:news`, and the section is one of news"
    );
    struct Draft;
    impl SitemapEntry for Draft {
        fn is_listed(&self) -> bool {
            false
        }
        fn write_entry(&self, entry: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
            entry.loc("/draft")
        }
    }
    assert_eq!(writer.write(None, &Draft).unwrap(), 0);
    let summary = set.commit(&[writer.finish().unwrap()]).unwrap();
    // An article that is too old, and a draft.
    assert_eq!((summary.entries, summary.not_listed), (4, 2));
    assert_eq!(ids(&public(&root.join("current"))["sitemap.xml"]), [2, 5, 4, 1]);

    let set = news_set(&root);
    let mut writer = set.task_writer("news", "all").unwrap();
    for id in 1..=2_001 {
        writer
            .write(None, &news(id, &format!("2026-01-{:02}", id % 28 + 1)))
            .unwrap();
    }
    set.commit(&[writer.finish().unwrap()]).unwrap();
    let lengths: Vec<_> = parts(&root.join("current")).values().map(Vec::len).collect();
    assert_eq!(lengths, [1_000, 1_000, 1]);
}

/// News wait in memory until all are known.
#[test]
fn news_that_wait_are_bounded() {
    /// A row of a thousand articles.
    struct Articles<'a>(&'a UrlEntry);
    impl SitemapEntry for Articles<'_> {
        fn write_entry(&self, entry: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
            entry.each(0..1_000, |_, entry| self.0.write_entry(entry))
        }
    }
    let folder = folder();
    let set = news_set(&folder.path().join("set"));
    let mut writer = set.task_writer("news", "all").unwrap();
    let article = news(1, "2026-05-10");
    for _ in 0..100 {
        writer.write(None, &Articles(&article)).unwrap();
    }
    let error = writer.write(None, &article).unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (
            ErrorKind::Limit,
            "section news: more than 100000 news wait to be ordered: give those of the last two days (P-NEWS5)"
        )
    );
}

#[test]
fn text_is_one_url_a_line() {
    for gzip in [false, true] {
        let folder = folder();
        let root = folder.path().join("set");
        let set = small(&root).gzip(gzip.then_some(6)).text(true).open().unwrap();
        let mut writer = set.task_writer("p", "all").unwrap();
        let locs = (1..=15).map(|id| format!("/p/é?id={id}&<x>'\""));
        for loc in locs {
            writer.write(None, &UrlEntry::new(loc)).unwrap();
        }
        set.commit(&[writer.finish().unwrap()]).unwrap();
        let files = public(&root.join("current"));
        let line = |id: u32| format!("{BASE}/p/%C3%A9?id={id}&%3Cx%3E'%22\n");
        let extension = if gzip { ".txt.gz" } else { ".txt" };
        assert_eq!(
            files[&format!("sitemap-p-1{extension}")],
            (1..=10).map(line).collect::<String>()
        );
        assert_eq!(
            files[&format!("sitemap-p-2{extension}")],
            (11..=15).map(line).collect::<String>()
        );
        let read: Vec<String> = set.entries().unwrap().map(|entry| entry.unwrap().loc).collect();
        assert_eq!(read.len(), 15);
        assert_eq!(format!("{}\n", read[14]), line(15));
    }
    // A byte limit counts the written bytes.
    let folder = folder();
    let root = folder.path().join("bytes");
    let set = SitemapSet::directory(&root, BASE)
        .text(true)
        .max_bytes(52)
        .open()
        .unwrap();
    let mut writer = set.task_writer("p", "all").unwrap();
    for id in 1..=3 {
        assert_eq!(writer.write(None, &page(id)).unwrap(), 1);
    }
    set.commit(writer.finish().unwrap()).unwrap();
    assert_eq!(
        fs::read_to_string(root.join("current/sitemap-p-1.txt")).unwrap(),
        "https://example.com/p/1\nhttps://example.com/p/2\n"
    );
}

/// A row of three entries.
struct InThreeLanguages(i64);

impl SitemapEntry for InThreeLanguages {
    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
        entry.each([1, 2, 3], |language, entry| {
            entry.loc(format!("/p/{}", self.0 * 10 + language))
        })
    }
}

#[test]
fn the_entries_of_a_row_stand_in_one_part() {
    let folder = folder();
    let root = folder.path().join("set");
    let set = small(&root).open().unwrap();
    let mut writer = set.task_writer("p", "all").unwrap();
    for id in 1..=7 {
        assert_eq!(writer.write(id, &InThreeLanguages(id)).unwrap(), 3);
    }
    set.commit(&[writer.finish().unwrap()]).unwrap();
    let parts: Vec<Vec<i64>> = parts(&root.join("current")).into_values().collect();
    let row = |id: i64| [id * 10 + 1, id * 10 + 2, id * 10 + 3];
    assert_eq!(
        parts,
        [
            [1, 2, 3].map(row).concat(),
            [4, 5, 6].map(row).concat(),
            row(7).to_vec()
        ]
    );

    let set = SitemapSet::directory(folder.path().join("other"), BASE)
        .max_entries(2)
        .open()
        .unwrap();
    let mut writer = set.task_writer("p", "all").unwrap();
    let error = writer.write(1, &InThreeLanguages(1)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(
        error
            .to_string()
            .starts_with("section p, row 1: the row is too large: "),
        "{error}"
    );
}

#[test]
fn progress_is_told() {
    let folder = folder();
    let seen: Arc<Mutex<Vec<(u64, u64)>>> = Arc::default();
    let tell = Arc::clone(&seen);
    let set = small(&folder.path().join("set"))
        .max_entries(1_000)
        .progress(move |progress| {
            assert_eq!((progress.section, progress.task), ("p", "all"));
            tell.lock().unwrap().push((progress.entries, progress.parts));
        })
        .open()
        .unwrap();
    let list = write(&set, "p", "all", 1..=2_100);
    assert_eq!(
        *seen.lock().unwrap(),
        [
            (1_000, 1),
            (1_023, 1),
            (2_000, 2),
            (2_047, 2),
            (2_100, 3),
            (2_100, 3)
        ]
    );
    let plan = set.plan_update(&[list]).unwrap();
    assert_eq!(plan.entries, 2_100);
    assert_eq!(
        plan.files
            .iter()
            .filter(|file| file.action == FileAction::Add)
            .count(),
        4
    );
    assert!(plan.refusal.is_none() && plan.removed_files.is_empty());
}

/// A set for an engine has only parts and pages that the engine reads, whatever the other limits are.
#[test]
fn parts_are_as_large_as_the_strictest_engine_reads() {
    const MOST: usize = 10_485_760;
    for max_bytes in [MOST, 52_428_800] {
        let folder = folder();
        let set = SitemapSet::directory(folder.path().join("set"), BASE)
            .writer(|writer| writer.engine(Engine::Google).engine(Engine::Baidu))
            .max_bytes(max_bytes as u64)
            .open()
            .unwrap();
        let mut writer = set.task_writer("p", "all").unwrap();
        for entry in entries_of(2 * MOST, true) {
            writer.write(None, &entry).unwrap();
        }
        let long = UrlEntry::new(format!("{BASE}/{}", "a".repeat(256)));
        let error = writer.write(None, &long).unwrap_err().to_string();
        assert!(
            error.contains("has 276 bytes: Baidu reads at most 256 (L-ENGINE)"),
            "{error}"
        );
        let list = writer.finish().unwrap();
        let sizes: Vec<u64> = list.parts().map(|part| part.bytes).collect();
        assert_eq!(sizes.len(), 3, "{sizes:?}");
        assert!(sizes.iter().all(|size| *size <= MOST as u64), "{sizes:?}");
    }
}

/// The error for a row that fits into no text part names the rule and its engine.
#[test]
fn rows_that_are_too_large_for_a_text() {
    struct Pages(usize);
    impl SitemapEntry for Pages {
        fn write_entry(&self, entry: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
            let path = format!("/{}", "a".repeat(255 - BASE.len() - 1));
            entry.each(0..self.0, |_, entry| entry.loc(&path))
        }
    }
    let folder = folder();
    let (all, few) = (50_000, 20_000);
    let baidu = "L-ENGINE: Baidu reads at most 10,485,760 bytes";
    for (engine, max_entries, max_bytes, pages, most, rule) in [
        (None, all, 52_428_800, 50_001, 52_428_800, "P-TXT2"),
        (None, all, 1_000, 40_961, 1_000, "P-TXT2"),
        (Some(Engine::Baidu), all, 52_428_800, 40_961, 10_485_760, baidu),
        (Some(Engine::Baidu), all, 1_000, 40_961, 1_000, "P-TXT2"),
        (Some(Engine::Baidu), few, 52_428_800, 20_001, 10_485_760, "P-TXT2"),
    ] {
        let mut set = SitemapSet::directory(folder.path(), BASE);
        set.text(true)
            .max_entries(max_entries)
            .max_bytes(max_bytes)
            .writer(|writer| match engine {
                Some(engine) => writer.engine(engine),
                None => writer,
            });
        let mut part = set.open().unwrap().task_writer("p", "all").unwrap();
        let error = part.write(None, &Pages(pages)).unwrap_err();
        let bytes = 256 * pages;
        assert_eq!(
            error.to_string(),
            format!(
                "section p: the row is too large: it makes {pages} URLs and {bytes} bytes, and a part has at most {max_entries} and {most} ({rule}); \
                 leave it out, or make several rows of it"
            )
        );
    }
}
