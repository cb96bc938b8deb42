//! Rows and their published pages.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::time::SystemTime;

use sitemap_serde::{EntryWriter, Result, SitemapEntry, W3cDateTime};
use sitemap_site::{PartList, SetBuilder, SitemapSet};

pub(crate) const BASE: &str = "https://example.com";

/// A temporary folder, in memory if there is such a file system, because commits wait for the disk.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}

/// A row with only an address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Page {
    pub(crate) id: i64,
    /// Changes the entry.
    pub(crate) day: Option<u8>,
}

impl SitemapEntry for Page {
    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.loc_template(|loc| {
            loc.literal("/p/")?;
            loc.simple("id", self.id)
        })?;
        let lastmod = self
            .day
            .map(|day| W3cDateTime::from_ymd(2026, 1, day))
            .transpose()?;
        entry.lastmod(lastmod)
    }
}

pub(crate) fn page(id: i64) -> Page {
    Page { id, day: None }
}

/// A set of small parts in a folder.
pub(crate) fn small(root: &Path) -> SetBuilder {
    small_set(root, false)
}

/// A set in place, or with generations.
pub(crate) fn small_set(root: &Path, in_place: bool) -> SetBuilder {
    let new = if in_place {
        SitemapSet::in_place
    } else {
        SitemapSet::directory
    };
    new(root, BASE).max_entries(10).allow_shrinking(true).clone()
}

/// Writes the pages by key as one task.
pub(crate) fn write(
    set: &SitemapSet,
    section: &str,
    task: &str,
    ids: impl IntoIterator<Item = i64>,
) -> PartList {
    let mut writer = set.task_writer(section, task).unwrap();
    for id in ids {
        writer.write(id, &page(id)).unwrap();
    }
    writer.finish().unwrap()
}

/// The public files: name and content, decompressed.
pub(crate) fn public(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            continue;
        }
        let content = fs::read(entry.path()).unwrap();
        let mut text = String::new();
        if name.rsplit('.').next() == Some("gz") {
            flate2::read::GzDecoder::new(content.as_slice())
                .read_to_string(&mut text)
                .unwrap();
        } else {
            text = String::from_utf8(content).unwrap();
        }
        files.insert(name, text);
    }
    files
}

/// A web server's view of a file: its time, and its inode, which distinguishes a copy from the original.
pub(crate) fn state(path: &Path) -> (SystemTime, u64) {
    let found = fs::metadata(path).unwrap();
    #[cfg(unix)]
    let inode = std::os::unix::fs::MetadataExt::ino(&found);
    #[cfg(not(unix))]
    let inode = 0;
    (found.modified().unwrap(), inode)
}

/// The ids of the pages in a file, in order.
pub(crate) fn ids(xml: &str) -> Vec<i64> {
    xml.split("<loc>https://example.com/p/")
        .skip(1)
        .map(|rest| rest.split('<').next().unwrap().parse().unwrap())
        .collect()
}

/// The ids of each part, by its name.
pub(crate) fn parts(folder: &Path) -> BTreeMap<String, Vec<i64>> {
    public(folder)
        .into_iter()
        .filter(|(name, _)| name != "sitemap.xml")
        .map(|(name, xml)| (name, ids(&xml)))
        .collect()
}

/// All paths in a folder.
pub(crate) fn tree(root: &Path) -> Vec<String> {
    fn walk(folder: &Path, before: &str, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{before}{}", entry.file_name().to_string_lossy());
            if entry.file_type().unwrap().is_dir() {
                walk(&entry.path(), &format!("{name}/"), found);
            } else {
                found.push(name);
            }
        }
    }
    let mut found = Vec::new();
    walk(root, "", &mut found);
    found.sort();
    found
}

/// A list as another process receives it.
pub(crate) fn sent(list: &PartList) -> PartList {
    let json = serde_json::to_vec(list).unwrap();
    serde_json::from_slice(&json).unwrap()
}
