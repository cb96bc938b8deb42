//! The pages of a section as a list of links, for people.

use std::borrow::Cow;
use std::sync::Arc;

use percent_encoding::percent_decode_str;
use tokio::time::timeout;
use tracing::error;

use super::{Html, escaped};
use crate::serve::links::{Link, Links};
use crate::serve::refusal::Refusal;
use crate::serve::rendered::Rendered;
use crate::serve::section::Section;
use crate::serve::unrendered::Unrendered;
use crate::serve::{Inner, PartId};
use crate::source::{Span, WrongKey};

impl Inner {
    /// The list of the pages above a key. It is rendered for each request that no cache answers, with one query of a few rows.
    pub(in crate::serve) async fn links_page(&self, id: &PartId) -> Result<Arc<Rendered>, Refusal> {
        let (Some(html), Some(section)) = (&self.html, self.sections.get(id.0)) else {
            return Err(Refusal::NO_SUCH_ADDRESS);
        };
        let place = self.turns.enter(id.0, false).ok_or(Refusal::BUSY)?;
        let read = async {
            let _turn = place.turn().await;
            section.links(&id.1).await
        };
        let links = match timeout(self.time_limit, read).await {
            Ok(Ok(links)) => links,
            Ok(Err(Unrendered::Source(error))) if error.is::<WrongKey>() => {
                return Err(Refusal::NO_SUCH_ADDRESS);
            }
            Ok(Err(failure)) => {
                if let Some(skipped) = section.failures.allows() {
                    error!(
                        "the list of the pages of `{}` cannot be made: {failure}{skipped}",
                        section.name
                    );
                }
                return Err(Refusal::Internal("the pages of this list cannot be read"));
            }
            Err(_) => return Err(Refusal::LATE),
        };
        let document = self.list(html, section, &id.1, &links);
        let rendered = Rendered::of_document(document.as_bytes(), 0);
        rendered
            .map(Arc::new)
            .map_err(|error| Refusal::index_not_written(&error))
    }

    fn list(&self, html: &Html, section: &Section, span: &Span, links: &Links) -> String {
        let name = &section.name;
        let mut content = format!(
            "<h1>{name}</h1>\n<nav aria-label=\"Sitemap\"><a href=\"sitemap.html\">All sections</a></nav>\n"
        );
        if links.pages.is_empty() {
            content.push_str("<p>There are no pages here.</p>\n");
        } else {
            content.push_str("<ul class=\"pages\">\n");
            for Link { loc, title } in &links.pages {
                let title = title
                    .as_ref()
                    .map(|title| title.trim())
                    .filter(|title| !title.is_empty());
                let text = title.map_or_else(|| self.readable(loc), str::to_owned);
                for part in ["<li><a href=\"", &escaped(loc), "\">", &escaped(&text), "</a>\n"] {
                    content.push_str(part);
                }
            }
            content.push_str("</ul>\n");
        }
        let first = span.after.is_some().then_some((Span::ALL, "First pages"));
        let next = links.last.clone().map(|last| (span.above(last), "More pages"));
        if first.is_some() || next.is_some() {
            content.push_str("<nav aria-label=\"Pages of this section\">\n");
            for (span, text) in [first, next].into_iter().flatten() {
                let address = section.list_name(&span);
                for part in ["<a href=\"", &address, "\">", text, "</a>\n"] {
                    content.push_str(part);
                }
            }
            content.push_str("</nav>\n");
        }
        html.document(&format!("{name}: pages of {}", self.base), &content)
    }

    /// The URL of a page without the site's scheme and host, percent-decoded where that is text.
    fn readable(&self, loc: &str) -> String {
        let path = loc
            .strip_prefix(&self.base)
            .filter(|path| path.len() > 1)
            .unwrap_or(loc);
        let text = percent_decode_str(path).decode_utf8().ok();
        text.filter(|text| !text.contains(char::is_control))
            .map_or_else(|| path.to_owned(), Cow::into_owned)
    }
}
