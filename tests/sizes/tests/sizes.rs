//! A million rows, and files of the maximum size.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::time::SystemTime;

use sitemap_serde::{EntryWriter, Result, SitemapEntry, UrlEntry};
use sitemap_site::{CommitSummary, Key, PartList, SitemapSet};

const BASE: &str = "https://example.com";
/// P-COUNT.
const MOST_ENTRIES: u64 = 50_000;
/// P-SIZE.
const MOST_BYTES: u64 = 52_428_800;

/// In memory if there is such a file system, because commits wait for the disk.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}

struct Page(i64);

impl SitemapEntry for Page {
    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.loc_template(|loc| {
            loc.literal("/p/")?;
            loc.simple("id", self.0)
        })
    }
}

/// `true` if rows have keys; otherwise their locs are compared.
type HasKeys = bool;

fn write(set: &SitemapSet, ids: impl Iterator<Item = i64>, has_keys: HasKeys) -> PartList {
    let mut writer = set.task_writer("p", "all").unwrap();
    for id in ids {
        let key = Key::from(id);
        writer.write(has_keys.then_some(key), &Page(id)).unwrap();
    }
    writer.finish().unwrap()
}

/// The inode, time and size of each public file.
fn states(folder: &Path) -> BTreeMap<String, (u64, SystemTime, u64)> {
    let files = fs::read_dir(folder).unwrap().map(io::Result::unwrap);
    files
        .map(|file| {
            let found = file.metadata().unwrap();
            #[cfg(unix)]
            let inode = std::os::unix::fs::MetadataExt::ino(&found);
            #[cfg(not(unix))]
            let inode = 0;
            let name = file.file_name().into_string().unwrap();
            (name, (inode, found.modified().unwrap(), found.len()))
        })
        .collect()
}

type States = BTreeMap<String, (u64, SystemTime, u64)>;

fn changed(before: &States, after: &States) -> BTreeSet<String> {
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let changed = names
        .into_iter()
        .filter(|name| before.get(*name) != after.get(*name));
    changed.cloned().collect()
}

fn counts(list: &PartList) -> Vec<u64> {
    list.parts().map(|part| part.entries).collect()
}

/// Row 17 is inserted into 1,000,000, and deleted again.
fn open(root: &Path, gzip: bool) -> SitemapSet {
    let mut set = SitemapSet::directory(root, BASE);
    if gzip {
        set.gzip(1);
    }
    set.open().unwrap()
}

#[test]
fn row_17_of_a_million() {
    const ROWS: i64 = 1_000_000;
    for (has_keys, gzip) in [(true, false), (false, true)] {
        let folder = folder();
        let root = folder.path().join("set");
        let open = || open(&root, gzip);
        // Every other id, so that one can be inserted.
        let rows = || (1..=ROWS).map(|row| row * 2);
        let with_17 = || rows().take(16).chain([33]).chain(rows().skip(16));
        let commit = |ids: &mut dyn Iterator<Item = i64>| -> (CommitSummary, States) {
            let set = open();
            let list = write(&set, ids, has_keys);
            (set.commit(&[list]).unwrap(), states(&root.join("current")))
        };
        let extension = if gzip { ".xml.gz" } else { ".xml" };
        let file = |number: u32| format!("sitemap-p-{number}{extension}");

        let (summary, first) = commit(&mut rows());
        assert_eq!((summary.files, summary.written), (21, 21));
        // Nothing has changed: no file, and not the index.
        let (summary, same) = commit(&mut rows());
        assert_eq!((summary.written, summary.kept), (0, 21));
        assert_eq!(changed(&first, &same), BTreeSet::new());

        let (summary, inserted) = commit(&mut with_17());
        assert_eq!((summary.entries, summary.files), (1_000_001, 22));
        assert_eq!(
            changed(&same, &inserted),
            [file(1), file(21), "sitemap.xml".to_owned()].into(),
            "the part of row 17, and a new one for the row that it has no room for"
        );
        let (summary, deleted) = commit(&mut rows());
        assert_eq!(summary.entries, 1_000_000);
        let changed_by_delete = changed(&inserted, &deleted);
        assert!(
            changed_by_delete.len() <= 3 && changed_by_delete.contains("sitemap.xml"),
            "{changed_by_delete:?}"
        );
        // The entries read are the entries written, in order.
        let listed = open().entries().unwrap().map(|entry| entry.unwrap().loc);
        let mut expected = rows().map(|id| format!("{BASE}/p/{id}"));
        assert!(
            listed
                .zip(expected.by_ref())
                .all(|(listed, expected)| listed == expected)
        );
        assert_eq!(expected.next(), None);
        // The last row of a part is removed. Numbers are ordered, so the part ends before the next row. The order of locs is unknown, so
        // the part takes one more.
        let end = 2 * 2 * i64::try_from(MOST_ENTRIES).unwrap();
        let (_, cut) = commit(&mut rows().filter(|id| *id != end));
        let mut expected: BTreeSet<_> = [file(2), "sitemap.xml".to_owned()].into();
        if !has_keys {
            expected.insert(file(3));
        }
        assert_eq!(changed(&deleted, &cut), expected);
    }
}

/// Entries whose urlset has exactly this size, with images or without.
fn entries_of(bytes: u64, has_images: bool) -> impl Iterator<Item = UrlEntry> {
    const ROOT: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                        <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"></urlset>";
    const IMAGES: &str = " xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"";
    const URL: &str = "<url><loc>https://example.com/12345678</loc></url>";
    const IMAGE: &str = "<image:image><image:loc>https://example.com/i</image:loc>\
                         <image:caption></image:caption></image:image>";
    let (root, fixed) = if has_images {
        (ROOT.len() + IMAGES.len(), URL.len() + IMAGE.len())
    } else {
        (ROOT.len(), URL.len())
    };
    // So long that about 49,500 of them fill a file: its size ends it, not its count.
    let typical = 1_060;
    let mut rest = bytes - root as u64;
    let mut number = 10_000_000;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let fixed = fixed as u64;
        // The last two share the rest.
        let len = match rest {
            rest if rest >= 2 * typical => typical - fixed,
            rest if rest > typical => rest / 2 - fixed,
            rest => rest - fixed,
        };
        rest -= fixed + len;
        number += 1;
        let text = "x".repeat(usize::try_from(len).unwrap());
        Some(if has_images {
            let mut image = sitemap_serde::Image::new("https://example.com/i");
            image.caption = Some(text);
            let mut entry = UrlEntry::new(format!("{BASE}/{number}"));
            entry.images.push(image);
            entry
        } else {
            UrlEntry::new(format!("{BASE}/{number}{text}"))
        })
    })
}

/// The length and the end of a file's text.
fn end_of(path: &Path) -> (u64, Vec<u8>) {
    let file = File::open(path).unwrap();
    let mut text: Box<dyn Read> = if path.extension().is_some_and(|extension| extension == "gz") {
        Box::new(flate2::read::GzDecoder::new(file))
    } else {
        Box::new(file)
    };
    let (mut length, mut end, mut block) = (0, Vec::new(), vec![0; 1 << 16]);
    loop {
        let read = text.read(&mut block).unwrap();
        if read == 0 {
            return (length, end);
        }
        length += read as u64;
        end.extend_from_slice(&block[..read]);
        end.drain(..end.len().saturating_sub(15));
    }
}

#[test]
fn a_file_has_52_428_800_bytes_and_not_one_more() {
    for bytes in [MOST_BYTES - 1, MOST_BYTES, MOST_BYTES + 1] {
        for has_images in [false, true] {
            for gzip in [false, true] {
                let what = format!("{bytes} bytes, images: {has_images}, gzip: {gzip}");
                let folder = folder();
                let root = folder.path().join("set");
                let set = open(&root, gzip);
                let mut writer = set.task_writer("p", "all").unwrap();
                let mut entries = 0;
                for entry in entries_of(bytes, has_images) {
                    writer.write(None, &entry).unwrap();
                    entries += 1;
                }
                assert!((49_000..MOST_ENTRIES).contains(&entries), "{what}: {entries}");
                let list = writer.finish().unwrap();
                let sizes: Vec<u64> = list.parts().map(|part| part.bytes).collect();
                let expected = if bytes <= MOST_BYTES {
                    vec![entries]
                } else {
                    vec![entries - 1, 1]
                };
                assert_eq!(counts(&list), expected, "{what}");
                set.commit(&[list]).unwrap();
                let current = root.join("current");
                let first = match (sizes.len(), gzip) {
                    (1, _) => current.join("sitemap.xml"),
                    (_, false) => current.join("sitemap-p-1.xml"),
                    (_, true) => current.join("sitemap-p-1.xml.gz"),
                };
                let (length, end) = end_of(&first);
                assert_eq!(
                    (length, end.as_slice()),
                    (sizes[0], b"</url></urlset>".as_slice()),
                    "{what}"
                );
                if bytes <= MOST_BYTES {
                    assert_eq!(length, bytes, "{what}");
                }
            }
        }
    }
}
