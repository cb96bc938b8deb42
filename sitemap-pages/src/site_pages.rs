//! The pages of a folder, for a lint of the site's sitemaps.

use std::collections::HashMap;
use std::sync::Arc;

use sitemap_serde::lint::{PageStatus, SitePage, SitePages};

use crate::address::{Form, SiteAddress, Target, candidates, percent_decode, percent_encode};
use crate::folder::Folder;
use crate::host::Effect;
use crate::reason::{Reason, SkippedPage};

/// The pages of a folder, which a lint compares with the entries of sitemaps.
///
/// ```
/// use sitemap_pages::{FolderBuilder, FolderPages};
/// use sitemap_serde::Rule;
/// use sitemap_serde::lint::Linter;
///
/// # let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("index.html"), "<p>Home")?;
/// std::fs::write(folder.path().join("draft.html"), "<meta name=robots content=noindex><p>Draft")?;
/// let read = FolderBuilder::new("https://example.com").read(folder.path())?;
///
/// let found = Linter::new().pages(FolderPages::from(read)).check(b"https://example.com/draft.html\n");
/// assert_eq!((found[0].rule(), found[1].rule()), (Rule::NoIndex, Rule::Unlisted));
/// assert_eq!(
///     found[0].problem(),
///     "`https://example.com/draft.html` is listed, and may not be indexed: draft.html:1: `noindex`"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FolderPages {
    folder: Folder,
    /// Keys are the percent-encoded paths of the files.
    files: HashMap<String, Place>,
}

/// The place of a file in the folder's results.
#[derive(Clone, Copy, Debug)]
enum Place {
    Listed(usize),
    LeftOut(usize),
}

impl From<Folder> for FolderPages {
    fn from(folder: Folder) -> Self {
        let listed = folder.pages().iter().map(|page| page.file().to_owned());
        let left_out = folder.skipped().iter().map(|page| page.file.clone());
        let listed = listed.zip((0..).map(Place::Listed));
        let files = listed.chain(left_out.zip((0..).map(Place::LeftOut))).collect();
        FolderPages { folder, files }
    }
}

impl SitePages for FolderPages {
    fn status(&self, url: &str) -> PageStatus {
        let Target::Inside { path, has_query } = self.address().resolve(url, "", None) else {
            return PageStatus::Unknown;
        };
        if has_query {
            return PageStatus::Unknown;
        }
        let encoded = percent_encode(&path);
        let on_host = format!("{}{encoded}", self.address().base());
        let place =
            candidates(&path).find_map(|(file, form)| Some((*self.files.get(&percent_encode(&file))?, form)));
        let is_file = place.is_some() || self.folder.has_file(&path);
        match self.folder.host.redirect(self.address(), &on_host, is_file) {
            Some((by, Effect::To(to))) => return PageStatus::Redirect(format!("to `{to}` by {by}")),
            Some((by, Effect::Gone(status))) => {
                return PageStatus::Missing(format!("answered with {status} by {by}"));
            }
            None => {}
        }
        match place {
            Some((Place::Listed(number), form)) => self.listed(number, form, url),
            Some((Place::LeftOut(number), _)) => status_of(&self.folder.skipped()[number]),
            None if is_file => PageStatus::Unknown,
            None => PageStatus::Missing("no file of the folder answers at this address".to_owned()),
        }
    }

    fn urls(&self) -> Vec<String> {
        let pages = self.folder.pages().iter();
        pages.map(|page| page.url().to_owned()).collect()
    }
}

impl FolderPages {
    fn address(&self) -> &SiteAddress {
        &self.folder.address
    }

    /// Returns the status of a listed page. `form` is the file's form in the URL.
    fn listed(&self, number: usize, form: Form, url: &str) -> PageStatus {
        let page = &self.folder.pages()[number];
        // The same address may be encoded in another way. A page that names no canonical address accepts several.
        let is_own = percent_decode(page.url()) == percent_decode(url)
            || !page.is_canonical && matches!(form, Form::File | Form::Clean);
        let address = if is_own { url } else { page.url() };
        let mut found = SitePage::new(number, address);
        found.lastmod = page.lastmod();
        found.alternates = Arc::clone(&page.alternates);
        PageStatus::Listed(found)
    }
}

fn status_of(page: &SkippedPage) -> PageStatus {
    let text = page.to_string();
    match &page.reason {
        Reason::NoIndex { .. } | Reason::Unavailable { .. } | Reason::Header { .. } => {
            PageStatus::NoIndex(text)
        }
        Reason::Redirect { .. } | Reason::Refresh { .. } => PageStatus::Redirect(text),
        Reason::Canonical { .. } | Reason::CanonicalHeader { .. } | Reason::Duplicate { .. } => {
            PageStatus::NotCanonical(text)
        }
        Reason::Robots => PageStatus::Blocked(text),
        Reason::ErrorPage | Reason::Verification | Reason::Fragment | Reason::Gone { .. } => {
            PageStatus::Missing(text)
        }
        // The first comes from a setting; reading has reported the others as findings.
        Reason::Excluded | Reason::NotHtml | Reason::Refused { .. } | Reason::Unreadable { .. } => {
            PageStatus::Unknown
        }
    }
}
