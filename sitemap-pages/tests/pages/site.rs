//! A folder of pages in a temporary folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use sitemap_pages::{FindingKind, Folder, FolderBuilder, Ledger};

pub(crate) struct Site {
    folder: tempfile::TempDir,
}

impl Site {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let site = Site {
            folder: tempfile::tempdir().unwrap(),
        };
        for (name, content) in files {
            site.write(name, content);
        }
        site
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("public")
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Replaces all pages of the site, and leaves the files that stay the same.
    pub(crate) fn replace(&self, old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) {
        for name in old.keys().filter(|name| !new.contains_key(*name)) {
            self.remove(name);
            // Only an empty folder is removed.
            let _ = fs::remove_dir(self.path().join(name).parent().unwrap());
        }
        for (name, page) in new.iter().filter(|(name, page)| old.get(*name) != Some(*page)) {
            self.write(name, page);
        }
    }

    pub(crate) fn remove(&self, name: &str) {
        fs::remove_file(self.path().join(name)).unwrap();
    }

    pub(crate) fn ledger(&self) -> PathBuf {
        self.folder.path().join("sitemap-ledger")
    }

    pub(crate) fn read(&self) -> Folder {
        builder().read(self.path()).unwrap()
    }

    /// Runs with the ledger, and saves it. Returns the files of the pages with this run's date.
    pub(crate) fn moved(&self, now: &str) -> Vec<String> {
        self.moved_with(now, &mut builder())
    }

    /// Runs with the ledger, and saves it. Returns the paths of the pages with their dates.
    pub(crate) fn run(&self, now: &str) -> Vec<(String, String)> {
        let mut builder = builder();
        builder
            .now(now.parse().unwrap())
            .ledger(Ledger::load(self.ledger()).unwrap());
        let folder = builder.read(self.path()).unwrap();
        folder.ledger().save(self.ledger()).unwrap();
        let pages = folder.pages().iter();
        let date =
            |page: &sitemap_pages::Page| page.lastmod().map_or("none".to_owned(), |date| date.to_string());
        pages
            .map(|page| (page.url()["https://example.com".len()..].to_owned(), date(page)))
            .collect()
    }

    pub(crate) fn moved_with(&self, now: &str, builder: &mut FolderBuilder) -> Vec<String> {
        builder
            .now(now.parse().unwrap())
            .ledger(Ledger::load(self.ledger()).unwrap());
        let folder = builder.read(self.path()).unwrap();
        folder.ledger().save(self.ledger()).unwrap();
        let mut moved: Vec<String> = folder
            .pages()
            .iter()
            .filter(|page| page.lastmod() == Some(now.parse().unwrap()))
            .map(|page| page.file().to_owned())
            .collect();
        moved.sort();
        moved
    }
}

pub(crate) fn builder() -> FolderBuilder {
    FolderBuilder::new("https://example.com")
}

/// Returns the paths of the listed pages.
pub(crate) fn listed(folder: &Folder) -> Vec<&str> {
    folder
        .pages()
        .iter()
        .map(|page| &page.url()["https://example.com".len()..])
        .collect()
}

pub(crate) fn left_out(folder: &Folder) -> Vec<String> {
    folder.skipped().iter().map(ToString::to_string).collect()
}

/// Returns the findings, except of unlinked pages: most of these tests need no links.
pub(crate) fn findings(folder: &Folder) -> Vec<String> {
    let others = folder.findings().iter();
    others
        .filter(|finding| finding.kind != FindingKind::Unlinked)
        .map(ToString::to_string)
        .collect()
}

pub(crate) fn all_findings(folder: &Folder) -> Vec<String> {
    folder.findings().iter().map(ToString::to_string).collect()
}
