//! What the response for a page's address says of the page.

use sitemap_serde::lint::PageStatus;

use crate::address::{SiteAddress, percent_decode};
use crate::host::tag_is_noindex;
use crate::html::{Document, Note, Reading};

/// The response for the address of a page on a live site: whether the page should be listed there.
///
/// ```
/// use sitemap_pages::PageResponse;
/// use sitemap_serde::lint::PageStatus;
///
/// let mut response = PageResponse::new("https://example.com/draft", 200);
/// response.body = b"<!doctype html>\n<meta name=robots content=noindex>";
/// assert_eq!(response.page_status(), PageStatus::NoIndex("line 2: `noindex`".to_owned()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageResponse<'r> {
    /// The absolute URL that was requested.
    pub url: &'r str,
    /// The status.
    pub status: u16,
    /// The value of `Location`.
    pub location: Option<&'r str>,
    /// The value of `Content-Type`. Without one, the body is read as HTML.
    pub content_type: Option<&'r str>,
    /// The values of `X-Robots-Tag`.
    pub robots_tags: Vec<&'r str>,
    /// The body, or its beginning up to the end of the page's head.
    pub body: &'r [u8],
}

impl<'r> PageResponse<'r> {
    /// A response without headers and body.
    pub fn new(url: &'r str, status: u16) -> Self {
        PageResponse {
            url,
            status,
            location: None,
            content_type: None,
            robots_tags: Vec::new(),
            body: b"",
        }
    }

    /// What is wrong with listing the page, by its status, its headers and its head; [`PageStatus::Unknown`] if nothing is. The statuses 304,
    /// 408, 429 and 5xx say nothing of a page.
    pub fn page_status(&self) -> PageStatus {
        match self.status {
            200..300 => self
                .by_headers()
                .or_else(|| self.by_head())
                .unwrap_or(PageStatus::Unknown),
            304 | 408 | 429 => PageStatus::Unknown,
            300..400 => match self.location {
                Some(location) => PageStatus::Redirect(format!("status {}, to `{location}`", self.status)),
                None => PageStatus::Missing(format!("status {}", self.status)),
            },
            400..500 => PageStatus::Missing(format!("status {}", self.status)),
            _ => PageStatus::Unknown,
        }
    }

    fn by_headers(&self) -> Option<PageStatus> {
        let tag = self.robots_tags.iter().find(|tag| tag_is_noindex(tag))?;
        Some(PageStatus::NoIndex(format!("`X-Robots-Tag: {tag}`")))
    }

    fn by_head(&self) -> Option<PageStatus> {
        let is_html = self
            .content_type
            .is_none_or(|name| name.to_ascii_lowercase().contains("html"));
        if !is_html {
            return None;
        }
        let reading = Reading {
            ignored: &[],
            has_images: false,
            keeps_text: false,
        };
        let head = Document::read(self.body, reading).head;
        if let Some(Note { text, line }) = &head.robots {
            return Some(PageStatus::NoIndex(format!("line {line}: `{text}`")));
        }
        let elsewhere = |note: &Note| {
            let to = self.absolute(&note.text, head.base.as_deref())?;
            (percent_decode(&to) != percent_decode(without_fragment(self.url)))
                .then(|| format!("line {}: `{to}`", note.line))
        };
        let refresh = head
            .refresh
            .as_ref()
            .and_then(elsewhere)
            .map(PageStatus::Redirect);
        refresh.or_else(|| {
            head.canonical
                .as_ref()
                .and_then(elsewhere)
                .map(PageStatus::NotCanonical)
        })
    }

    /// The absolute address of a link on the page.
    fn absolute(&self, href: &str, base_href: Option<&str>) -> Option<String> {
        let url = without_fragment(self.url);
        let start = url.find("://")? + 3;
        let end = url[start..].find(['/', '?']).map_or(url.len(), |end| start + end);
        let site = SiteAddress::parse(&url[..end]).ok()?;
        let page = url[end..].split('?').next().unwrap_or_default();
        let found = site.absolute(href, page.trim_start_matches('/'), base_href)?;
        // A site without a path is its root.
        Some(if found.len() == end && url.starts_with(&found) {
            format!("{found}/")
        } else {
            found
        })
    }
}

fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(url: &'static str, body: &'static str) -> PageStatus {
        let mut response = PageResponse::new(url, 200);
        response.body = body.as_bytes();
        response.page_status()
    }

    #[test]
    fn heads_of_pages() {
        let canonical = |to: &str| PageStatus::NotCanonical(format!("line 1: `{to}`"));
        for (url, body, status) in [
            ("https://example.com/a", "<p>A page", PageStatus::Unknown),
            (
                "https://example.com/a",
                "<meta name=robots content='index'>",
                PageStatus::Unknown,
            ),
            (
                "https://example.com/a",
                "\n<meta name=googlebot content='none'>",
                PageStatus::NoIndex("line 2: `none`".into()),
            ),
            (
                "https://example.com/a",
                "<link rel=canonical href='/a'>",
                PageStatus::Unknown,
            ),
            (
                "https://example.com/a#b",
                "<link rel=canonical href='https://example.com/a'>",
                PageStatus::Unknown,
            ),
            (
                "https://example.com/",
                "<link rel=canonical href='https://example.com'>",
                PageStatus::Unknown,
            ),
            (
                "https://example.com/a?b=c",
                "<link rel=canonical href='?b=c'>",
                PageStatus::Unknown,
            ),
            (
                "https://example.com/caf%C3%A9",
                "<link rel=canonical href='/caf\u{e9}'>",
                PageStatus::Unknown,
            ),
            (
                "https://example.com/a?b=c",
                "<link rel=canonical href='/a'>",
                canonical("https://example.com/a"),
            ),
            (
                "https://example.com/a/b",
                "<base href='/c/'><link rel=canonical href=d>",
                canonical("https://example.com/c/d"),
            ),
            (
                "https://example.com/a",
                "<link rel=canonical href='https://www.example.com/a'>",
                canonical("https://www.example.com/a"),
            ),
            (
                "https://example.com/a",
                "<meta http-equiv=refresh content='0;url=/b'>",
                PageStatus::Redirect("line 1: `https://example.com/b`".into()),
            ),
            (
                "https://example.com/a",
                "<meta http-equiv=refresh content='30;url=/a'>",
                PageStatus::Unknown,
            ),
        ] {
            assert_eq!(page(url, body), status, "{url} {body}");
        }
    }

    #[test]
    fn statuses_and_headers() {
        for status in 100..600 {
            let mut response = PageResponse::new("https://example.com/", status);
            let text = format!("status {status}");
            let expected = match status {
                304 | 408 | 429 => PageStatus::Unknown,
                300..500 => PageStatus::Missing(text.clone()),
                _ => PageStatus::Unknown,
            };
            assert_eq!(response.page_status(), expected);
            response.location = Some("/b");
            if (300..400).contains(&status) && status != 304 {
                assert_eq!(
                    response.page_status(),
                    PageStatus::Redirect(format!("{text}, to `/b`"))
                );
            }
        }
        let mut response = PageResponse::new("https://example.com/", 200);
        response.robots_tags = vec!["nofollow", "googlebot: noindex"];
        let expected = PageStatus::NoIndex("`X-Robots-Tag: googlebot: noindex`".into());
        assert_eq!(response.page_status(), expected);
        response.robots_tags = vec!["otherbot: noindex"];
        response.body = b"<meta name=robots content=noindex>";
        response.content_type = Some("application/pdf");
        assert_eq!(response.page_status(), PageStatus::Unknown);
        response.content_type = Some("Text/HTML; charset=utf-8");
        assert_eq!(
            response.page_status(),
            PageStatus::NoIndex("line 1: `noindex`".into())
        );
    }
}
