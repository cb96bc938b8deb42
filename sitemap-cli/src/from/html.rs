//! A web page that lists the pages of a site.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use sitemap_pages::{Folder, Page};

use crate::html::text;

/// The placeholder for the list in a template.
const PLACE: &str = "<!-- sitemap -->";

/// Stands before the list, so that later runs replace the page.
const MARK: &str = "<!-- list of pages by `sitemap from` -->\n";

const PAGE: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Sitemap</title>\n</head>\n<body>\n<main>\n\
    <h1>Sitemap</h1>\n<!-- sitemap -->\n</main>\n</body>\n</html>\n";

/// The page around the list.
pub(super) struct Template(String);

/// Returns the named template, or the default one.
pub(super) fn template(path: Option<&Path>) -> Result<Template> {
    let Some(path) = path else {
        return Ok(Template(PAGE.to_owned()));
    };
    let shown = path.display();
    let template = fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    match template.matches(PLACE).count() {
        1 => Ok(Template(template)),
        0 => bail!("{shown}: has no `{PLACE}`, where the list goes"),
        count => bail!("{shown}: has `{PLACE}` {count} times, and the list goes to one place"),
    }
}

/// The pages and folders in a folder of the site.
#[derive(Default)]
struct Level<'f> {
    pages: Vec<&'f Page>,
    folders: BTreeMap<&'f str, Level<'f>>,
}

impl Template {
    /// Returns the page with its list of links.
    pub(super) fn page(&self, folder: &Folder, location: &str) -> String {
        let base = location.trim_end_matches('/').len();
        let mut top = Level::default();
        for page in folder.pages() {
            let path = page.url().get(base..).unwrap_or_default().trim_start_matches('/');
            let mut names: Vec<&str> = path.split('/').collect();
            names.pop();
            let mut level = &mut top;
            for name in names {
                level = level.folders.entry(name).or_default();
            }
            level.pages.push(page);
        }
        let mut list = MARK.to_owned();
        top.write(None, &shared_end(folder.pages()), 0, &mut list);
        self.0.replacen(PLACE, list.trim_end(), 1)
    }
}

impl Level<'_> {
    /// Writes the list of this folder. `heading` is the URL of the page that heads the list.
    fn write(&self, heading: Option<&str>, end: &str, depth: usize, out: &mut String) {
        let indent = "  ".repeat(depth);
        let folders: Vec<(&str, &Level<'_>, Option<&Page>)> = self
            .folders
            .iter()
            .map(|(name, level)| (*name, level, level.own().or_else(|| self.named(name))))
            .collect();
        let is_heading = |page: &Page| {
            let mut headings = folders.iter().filter_map(|(_, _, page)| *page).map(Page::url);
            heading == Some(page.url()) || headings.any(|url| url == page.url())
        };
        let _ = writeln!(out, "{indent}<ul>");
        for page in self.pages.iter().filter(|page| !is_heading(page)) {
            let _ = writeln!(out, "{indent}<li>{}</li>", link(page, end));
        }
        for (name, level, page) in &folders {
            let title = page.map_or_else(|| text(name), |page| link(page, end));
            let _ = write!(out, "{indent}<li>{title}");
            let own = page.map(Page::url);
            let is_alone = level.folders.is_empty() && level.pages.iter().all(|page| Some(page.url()) == own);
            if !is_alone {
                out.push('\n');
                level.write(own, end, depth + 1, out);
                *out += &indent;
            }
            *out += "</li>\n";
        }
        let _ = writeln!(out, "{indent}</ul>");
    }

    /// Returns the folder's own page: `/blog/`.
    fn own(&self) -> Option<&Page> {
        self.pages.iter().find(|page| page.url().ends_with('/')).copied()
    }

    /// Returns the page next to a folder with its name: `/blog` or `/blog.html`.
    fn named(&self, name: &str) -> Option<&Page> {
        let is_named = |page: &&&Page| {
            let last = page.url().rsplit('/').next().unwrap_or_default();
            last == name || last.strip_suffix(".html") == Some(name)
        };
        self.pages.iter().find(is_named).copied()
    }
}

fn link(page: &Page, end: &str) -> String {
    let title = page.title().map(|title| title.strip_suffix(end).unwrap_or(title));
    let title = title.filter(|title| !title.is_empty()).unwrap_or(page.url());
    format!("<a href=\"{}\">{}</a>", text(page.url()), text(title))
}

/// Returns the ending, from a separator on, of at least three titles, with at most one exception: the home page's. Example: ` | Things`.
fn shared_end(pages: &[Page]) -> String {
    let titles: Vec<&str> = pages.iter().filter_map(Page::title).collect();
    let Some((first, _)) = titles.split_first() else {
        return String::new();
    };
    let candidates = titles.iter().take(2).chain([first]).filter_map(|title| {
        let separators = [" | ", " - ", " – ", " — ", " · ", " :: "];
        let start = separators
            .iter()
            .filter_map(|separator| title.rfind(separator))
            .max()?;
        title.get(start..)
    });
    let is_shared = |end: &&str| {
        let count = titles.iter().filter(|title| title.ends_with(*end)).count();
        count >= 3 && count + 1 >= titles.len()
    };
    candidates
        .into_iter()
        .find(is_shared)
        .unwrap_or_default()
        .to_owned()
}

/// Returns `true` if a file is a page that an earlier run has written.
pub(super) fn is_own(path: &Path) -> bool {
    fs::read(path).is_ok_and(|page| page.windows(MARK.len()).any(|part| part == MARK.as_bytes()))
}

/// Returns the pattern of a file in the folder, if it exists.
pub(super) fn pattern(folder: &Path, file: &Path) -> Option<String> {
    let (folder, file) = (folder.canonicalize().ok()?, file.canonicalize().ok()?);
    let below = file.strip_prefix(folder).ok()?.to_str()?.replace('\\', "/");
    // Escapes the signs of patterns in the name.
    let special = |c: char| "*?[]{}!\\".contains(c);
    let quoted: String = below
        .chars()
        .flat_map(|c| special(c).then_some('\\').into_iter().chain([c]))
        .collect();
    Some(format!("/{quoted}"))
}
