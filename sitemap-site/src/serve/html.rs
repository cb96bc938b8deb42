//! The index as an HTML page, which is made from the table of parts and cached; `list` has the pages of a section.

mod list;

use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use sitemap_serde::__internal::grouped;

use super::Inner;
use super::refusal::Refusal;
use super::rendered::Rendered;
use super::section::Section;

/// Makes a document of its title and content.
pub(super) type Layout = Arc<dyn Fn(&str, &str) -> String + Send + Sync>;

pub(super) struct Html {
    pub(super) layout: Option<Layout>,
    page: Mutex<Option<Page>>,
}

impl Html {
    pub(super) fn new(layout: Option<Layout>) -> Self {
        Html {
            layout,
            page: Mutex::default(),
        }
    }

    /// The document with a title, which is text, and the content of its `main`.
    pub(super) fn document(&self, title: &str, content: &str) -> String {
        match &self.layout {
            Some(layout) => layout(title, content),
            None => format!(
                "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
                 <meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"robots\" content=\"noindex\">\n\
                 <style>\n{STYLE}</style>\n<main>\n{content}</main>\n</html>\n",
                title = escaped(title),
            ),
        }
    }
}

#[derive(Debug)]
struct Page {
    /// The generation of each section's table.
    generations: Vec<u64>,
    written: Instant,
    rendered: Arc<Rendered>,
}

const STYLE: &str = "\
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 0 auto; padding: 1rem }
h1 { font-size: 1.5rem }
h2 { font-size: 1.2rem }
h1, h2 { line-height: 1.2; overflow-wrap: anywhere }
ul { padding: 0; display: flex; flex-wrap: wrap; gap: .3rem 1rem; list-style: none }
ul.pages { display: block }
ul.pages li { padding: .2rem 0; overflow-wrap: anywhere }
nav a { display: inline-block; padding: .2rem 0; margin-inline-end: 1rem }
caption { text-align: start; padding: .4rem .6rem }
table { width: 100%; border-collapse: collapse }
th, td { padding: .4rem .6rem; text-align: start }
tr { border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent) }
td:first-child { width: 100%; overflow-wrap: anywhere }
.n { text-align: end; font-variant-numeric: tabular-nums }
th, .n, time { white-space: nowrap }
@media (max-width: 40rem) {
  th, td { padding: .2rem 0 }
  table, tbody, caption { display: block }
  caption { padding: .2rem 0 }
  tr { display: flex; flex-wrap: wrap; justify-content: space-between }
  th:first-child { display: none }
}
";

impl Inner {
    /// The page of the current table, with numbers of pages that are at most [`max_age`](super::SiteBuilder::max_age) old.
    pub(super) fn html_page(&self) -> Result<Arc<Rendered>, Refusal> {
        let Some(html) = &self.html else {
            return Err(Refusal::NO_SUCH_ADDRESS);
        };
        let generations = self.generations();
        let lock = || html.page.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(page) = &*lock()
            && page.generations == generations
            && page.written.elapsed() < self.lifetime.max_age
        {
            return Ok(Arc::clone(&page.rendered));
        }
        let rendered = Rendered::of_document(page(self, html).as_bytes(), 0)
            .map_err(|error| Refusal::index_not_written(&error))?;
        let rendered = Arc::new(rendered);
        *lock() = Some(Page {
            generations,
            written: Instant::now(),
            rendered: Arc::clone(&rendered),
        });
        Ok(rendered)
    }
}

/// A table of the parts of each section: links, counts, dates. Links are relative, so that they also work on a test server.
fn page(site: &Inner, html: &Html) -> String {
    let (mut links, mut tables) = (String::new(), String::new());
    let (mut parts, mut pages) = (0_u64, 0_u64);
    for section in &site.sections {
        let table = Table::of(section);
        if table.parts == 0 {
            continue;
        }
        parts += table.parts;
        pages = pages.saturating_add(table.pages);
        // Writing to a `String` does not fail. Only the base can contain characters with a meaning in HTML.
        let name = &section.name;
        let _ = writeln!(
            links,
            "<li><a href=\"sitemap-{name}.html\">{name}</a> ({})",
            grouped(table.pages)
        );
        let _ = writeln!(
            tables,
            "<h2 id=\"{name}\">{name}</h2>\n<table>\n<caption>Sitemaps for search engines</caption>\n<tr><th scope=\"col\">Sitemap<th scope=\"col\" class=\"n\">Pages<th scope=\"col\">Last changed\n{}</table>",
            table.rows
        );
    }
    let content = format!(
        "<h1>Sitemap of {base}</h1>\n<p>{parts} {noun}, {pages} pages: <a href=\"sitemap.xml\">sitemap.xml</a></p>\n\
         <nav aria-label=\"Sections\">\n<ul>\n{links}</ul>\n</nav>\n{tables}",
        base = escaped(&site.base),
        parts = grouped(parts),
        noun = if parts == 1 { "sitemap" } else { "sitemaps" },
        pages = grouped(pages),
    );
    html.document(&format!("Sitemap of {}", site.base), &content)
}

/// The rows of one section's parts.
#[derive(Default)]
struct Table {
    rows: String,
    parts: u64,
    pages: u64,
}

impl Table {
    fn of(section: &Section) -> Self {
        let mut table = Table::default();
        for (span, row) in section.table.lock().listed() {
            let name = section.part_name(&span);
            // The number of rows, until the part has been rendered.
            let entries = row.entries.unwrap_or(row.rows);
            table.parts += 1;
            table.pages = table.pages.saturating_add(entries);
            let count = grouped(entries);
            let _ = write!(
                table.rows,
                "<tr><td><a href=\"{name}\">{}</a><td class=\"n\">{count}<td>",
                breakable(&name)
            );
            if let Some(date) = row.lastmod() {
                let date = date.to_string();
                let day = date.get(..10).unwrap_or(&date);
                let _ = write!(
                    table.rows,
                    "<time datetime=\"{date}\" title=\"{date}\">{day}</time>"
                );
            }
            table.rows.push('\n');
        }
        table
    }
}

/// A name that may be broken between its parts.
fn breakable(name: &str) -> String {
    name.replace('.', ".<wbr>").replace('~', "~<wbr>")
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
