//! The summary of a commit, and lists that are committed again.

use std::collections::BTreeMap;
use std::time::Duration;

use sitemap_site::{CommitSummary, ErrorKind, SitemapSet};

use crate::sets::pages::{folder, public, small_set, write};

/// A copy of the public files, maintained only by the names in the summaries, like an upload.
#[test]
fn an_upload_of_the_written_files_is_the_set() {
    for (in_place, gzip) in [(false, false), (false, true), (true, false), (true, true)] {
        let folder = folder();
        let root = folder.path().join("set");
        let set = small_set(&root, in_place)
            .gzip(gzip.then_some(6))
            .default_stylesheet(true)
            .grace(Duration::ZERO)
            .open()
            .unwrap();
        let files = if in_place {
            root.clone()
        } else {
            root.join("current")
        };
        let mut copy = BTreeMap::new();
        // One part, several, the same again, fewer, others, one part again.
        for ids in [1..=5, 1..=25, 1..=25, 1..=12, 30..=70, 1..=4, 1..=4] {
            let shown = format!("in place: {in_place}, gzip: {gzip}, {ids:?}");
            let CommitSummary {
                written,
                removed,
                written_files,
                removed_files,
                ..
            } = set.commit(write(&set, "p", "all", ids)).unwrap();
            let published = public(&files);
            for name in &written_files {
                copy.insert(name.clone(), published[name].clone());
            }
            for name in &removed_files {
                assert!(copy.remove(name).is_some(), "{shown}: {name}");
            }
            assert_eq!(copy, published, "{shown}");
            // The index only lists existing files.
            let top = written_files.iter().position(|name| name == "sitemap.xml");
            assert!(top.is_none_or(|top| top + 1 == written_files.len()), "{shown}");
            let counted = written_files.iter().filter(|name| *name != "sitemap.css").count();
            assert_eq!(
                (written, removed),
                (counted as u64, removed_files.len() as u64),
                "{shown}"
            );
        }
    }
}

#[test]
fn a_list_is_committed_again() {
    for in_place in [false, true] {
        for count in [5, 25] {
            let folder = folder();
            let root = folder.path().join("set");
            let set = small_set(&root, in_place).open().unwrap();
            let list = write(&set, "p", "all", 1..=count);
            let first = set.commit(&list).unwrap();
            let shown = format!("in place: {in_place}, {count} pages");
            // Nothing has changed.
            for _ in 0..2 {
                let again = set.commit(&list).unwrap();
                assert_eq!((again.written, again.kept), (0, first.written), "{shown}");
                assert_eq!(set.plan(&list).unwrap().entries, first.entries, "{shown}");
            }
            set.commit(write(&set, "p", "all", 2..=count + 1)).unwrap();
            let staging = root
                .join(if in_place { ".sitemap" } else { "state" })
                .join("staging");
            let error = set.commit(&list).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Damaged, "{shown}");
            let text = error.to_string();
            let (path, said) = text.split_once(" of task `all` ").unwrap();
            assert!(path.starts_with(staging.to_str().unwrap()), "{shown}: {path}");
            assert_eq!(
                said,
                "is gone, because a commit has published it already, or because it is older than a day: lists are committed once, and \
                 within a day; run the task again",
                "{shown}"
            );
            // The set is unchanged.
            let entries = SitemapSet::entries(&set).unwrap().count();
            assert_eq!(i64::try_from(entries), Ok(count), "{shown}");
        }
    }
}
