//! Judges a page by the response for its address.

use sitemap_serde::W3cDateTime;
use sitemap_serde::lint::PageStatus;

use crate::address::{SiteAddress, percent_decode};
use crate::host::{canonical_link, tag_is_noindex};
use crate::html::{Document, Note, Reading, is_past, refresh_target, unavailable_after};

/// The response for the address of a page on a live site. It decides whether the page should be listed there.
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
    /// The values of `Link`.
    pub links: Vec<&'r str>,
    /// The value of `Refresh`.
    pub refresh: Option<&'r str>,
    /// The current time, to evaluate `unavailable_after`.
    pub now: Option<W3cDateTime>,
    /// The body, at least up to the end of the page's head.
    pub body: &'r [u8],
}

impl<'r> PageResponse<'r> {
    /// Makes a response without headers and body.
    pub fn new(url: &'r str, status: u16) -> Self {
        PageResponse {
            url,
            status,
            location: None,
            content_type: None,
            robots_tags: Vec::new(),
            links: Vec::new(),
            refresh: None,
            now: None,
            body: b"",
        }
    }

    /// Returns the reason if the page should not be listed, by its status, its headers and its head; [`PageStatus::Unknown`] if
    /// there is none. The statuses 304, 401, 403, 407, 408, 425, 429, 451 and 5xx are inconclusive: other clients may get the page.
    pub fn page_status(&self) -> PageStatus {
        match self.status {
            200..300 => self
                .by_headers()
                .or_else(|| self.by_head())
                .unwrap_or(PageStatus::Unknown),
            304 | 401 | 403 | 407 | 408 | 425 | 429 | 451 => PageStatus::Unknown,
            300..400 => match self.location {
                Some(location) => PageStatus::Redirect(format!("status {}, to `{location}`", self.status)),
                None => PageStatus::Missing(format!("status {}", self.status)),
            },
            400..500 => PageStatus::Missing(format!("status {}", self.status)),
            _ => PageStatus::Unknown,
        }
    }

    fn by_headers(&self) -> Option<PageStatus> {
        let is_noindex = |tag: &&&str| {
            tag_is_noindex(tag) || unavailable_after(tag).is_some_and(|date| self.is_past(date))
        };
        if let Some(tag) = self.robots_tags.iter().find(is_noindex) {
            return Some(PageStatus::NoIndex(format!("`X-Robots-Tag: {tag}`")));
        }
        let elsewhere = |target: &str| self.elsewhere(target, None);
        if let Some(target) = self.refresh.and_then(refresh_target).and_then(elsewhere) {
            return Some(PageStatus::Redirect(format!("`Refresh`, to `{target}`")));
        }
        let target = self.links.iter().find_map(|value| canonical_link(value))?;
        let target = elsewhere(target)?;
        Some(PageStatus::NotCanonical(format!("`Link`: `{target}`")))
    }

    /// Returns `true` if a date of `unavailable_after` is past.
    fn is_past(&self, date: &str) -> bool {
        self.now.is_some_and(|now| is_past(date, now))
    }

    /// Returns the address of a link on the page, unless it is the page's own.
    fn elsewhere(&self, href: &str, base_href: Option<&str>) -> Option<String> {
        let to = self.absolute(href, base_href)?;
        (percent_decode(&to) != percent_decode(without_fragment(self.url))).then_some(to)
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
            has_title: false,
            events: &[],
            own: None,
            keeps_text: false,
            is_xml: self
                .content_type
                .is_some_and(|name| name.to_ascii_lowercase().contains("xhtml")),
        };
        let charset = self.content_type.and_then(charset);
        let head = Document::read_as(self.body, charset, reading).head;
        if let Some(Note { text, line }) = &head.robots {
            return Some(PageStatus::NoIndex(format!("line {line}: `{text}`")));
        }
        if let Some(Note { text, line }) = head.unavailable.as_ref().filter(|note| self.is_past(&note.text)) {
            return Some(PageStatus::NoIndex(format!(
                "line {line}: `unavailable_after: {text}`"
            )));
        }
        let elsewhere = |note: &Note| {
            let to = self.elsewhere(&note.text, head.base.as_deref())?;
            Some(format!("line {}: `{to}`", note.line))
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

    /// Returns the absolute address of a link on the page.
    fn absolute(&self, href: &str, base_href: Option<&str>) -> Option<String> {
        let url = without_fragment(self.url);
        let start = url.find("://")? + 3;
        let end = url[start..].find(['/', '?']).map_or(url.len(), |end| start + end);
        let site = SiteAddress::parse(&url[..end]).ok()?;
        let page = url[end..].split('?').next().unwrap_or_default();
        let found = site.absolute(href, page.trim_start_matches('/'), base_href)?;
        // A URL without a path is the site's root.
        Some(if found.len() == end && url.starts_with(&found) {
            format!("{found}/")
        } else {
            found
        })
    }
}

/// Returns the encoding in a `Content-Type`.
fn charset(content_type: &str) -> Option<&str> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let is_charset = name.trim().eq_ignore_ascii_case("charset");
        is_charset.then(|| value.trim().trim_matches('"'))
    })
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

    fn no_index(text: &str) -> PageStatus {
        PageStatus::NoIndex(text.to_owned())
    }

    fn canonical(text: &str) -> PageStatus {
        PageStatus::NotCanonical(text.to_owned())
    }

    /// Returns the page at /a, with a current time.
    fn page_now() -> PageResponse<'static> {
        let mut page = PageResponse::new("https://example.com/a", 200);
        page.now = Some("2026-05-10T00:00:00Z".parse().unwrap());
        page
    }

    #[test]
    fn headers_of_pages() {
        let to_b = canonical("`Link`: `https://example.com/b`");
        for (links, expected) in [
            (&["</b>; rel=\"canonical\""][..], &to_b),
            (&["<https://example.com/a>; rel=canonical"], &PageStatus::Unknown),
            (
                &["</s.css>; rel=preload, </b>; title=\"x\"; REL=\"next Canonical\""],
                &to_b,
            ),
            (&["</s.css>; rel=preload", "<b>;rel=canonical"], &to_b),
            (&["</b>; rel=preload; as=canonical"], &PageStatus::Unknown),
            (
                &["", "/b; rel=canonical", "<", "<>; rel=canonical"],
                &PageStatus::Unknown,
            ),
        ] {
            let mut page = page_now();
            page.links = links.to_vec();
            assert_eq!(page.page_status(), *expected, "{links:?}");
        }
        let to_b = PageStatus::Redirect("`Refresh`, to `https://example.com/b`".to_owned());
        for (refresh, expected) in [
            ("0; url=/b", &to_b),
            ("30", &PageStatus::Unknown),
            ("5; url=https://example.com/a", &PageStatus::Unknown),
        ] {
            let mut page = page_now();
            page.refresh = Some(refresh);
            assert_eq!(page.page_status(), *expected, "{refresh}");
        }
        for (date, is_past) in [
            ("25 Jun 2025 15:00:00 PST", true),
            ("25 Jun 2027 15:00:00 PST", false),
            ("2026-05-01", true),
            ("2026-05-10T00:00:01+00:00", false),
            ("some day", false),
            ("", false),
        ] {
            let tag = format!("unavailable_after: {date}");
            let mut page = page_now();
            page.robots_tags = vec![&tag];
            let expected = if is_past {
                no_index(&format!("`X-Robots-Tag: {tag}`"))
            } else {
                PageStatus::Unknown
            };
            assert_eq!(page.page_status(), expected, "{date}");
        }
    }

    /// Bodies with facts in places where they do not count, or in another encoding than the response's.
    #[test]
    fn bodies_of_pages() {
        let past = "Wed, 25 Jun 2025 15:00:00 GMT";
        let past_page = format!("<meta name=robots content='unavailable_after: {past}'>");
        for (content_type, body, expected) in [
            ("text/html", past_page.as_bytes(), no_index(&format!("line 1: `unavailable_after: {past}`"))),
            ("text/html", b"<meta name=robots content='unavailable_after: 2030-01-01'>", PageStatus::Unknown),
            ("text/html", b"<body><link rel=canonical href=/b>", PageStatus::Unknown),
            ("text/html", b"<title>a</title><p>b<link rel=canonical href=/b>", PageStatus::Unknown),
            (
                "text/html",
                b"<html><head><script>1</script><noscript><img></noscript></head>\n<link rel=canonical href=/b><body>",
                canonical("line 2: `https://example.com/b`"),
            ),
            // The byte E9 is another letter in each of these.
            (
                "text/html; charset=windows-1251",
                b"<meta charset=utf-8><link rel=canonical href=/\xE9>",
                canonical("line 1: `https://example.com/\u{439}`"),
            ),
            (
                "text/html; Charset=\"windows-1252\"",
                b"<meta charset=windows-1251><link rel=canonical href=/\xE9>",
                canonical("line 1: `https://example.com/\u{e9}`"),
            ),
            (
                "text/html; charset=no-such",
                b"<meta charset=windows-1251><link rel=canonical href=/\xE9>",
                canonical("line 1: `https://example.com/\u{439}`"),
            ),
        ] {
            let mut page = page_now();
            page.content_type = Some(content_type);
            page.body = body;
            let found = match page.page_status() {
                PageStatus::NotCanonical(text) => canonical(&String::from_utf8_lossy(&percent_decode(&text))),
                found => found,
            };
            assert_eq!(found, expected, "{content_type} {}", body.escape_ascii());
        }
    }

    #[test]
    fn statuses_and_headers() {
        for status in 100..600 {
            let mut response = PageResponse::new("https://example.com/", status);
            let text = format!("status {status}");
            let expected = match status {
                304 | 401 | 403 | 407 | 408 | 425 | 429 | 451 => PageStatus::Unknown,
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
