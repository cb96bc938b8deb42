//! Rules about the response that a document came with.
//!
//! **Facts from the HTTP response** are a `lint::Response`, passed with the document, so the rules (`lint/response`) do no I/O. The
//! command makes it from the responses that its loader saw, and reads the robots.txt of the named sites
//! (`sitemap-cli/src/lint/robots`). L-UNNAMED is reported at the end, because only then are all listed sitemaps known.

use std::time::Duration;

use sitemap_values::Rule;
use sitemap_values::number::grouped;
use sitemap_values::quote::quote;

use crate::error::{Error, Message};
use crate::robots::Robots;

/// The maximum time for loading a sitemap (L-SLOW).
const SLOW: Duration = Duration::from_secs(10);

/// The content types of sitemaps; types that end with `+xml` are allowed too.
const TYPES: [&str; 7] = [
    "application/xml",
    "text/xml",
    "text/plain",
    "application/gzip",
    "application/x-gzip",
    "application/octet-stream",
    "binary/octet-stream",
];

/// The HTTP response of a document; see [`Input::response`](super::Input::response).
///
/// ```
/// use std::time::Duration;
///
/// use sitemap_serde::lint::{Input, Linter, Response};
///
/// let mut response = Response::new(1000, Duration::from_millis(50));
/// response.content_type = Some("text/html; charset=utf-8".to_owned());
/// response.has_validator = true;
/// let mut found = Vec::new();
/// let mut lint = Linter::new().start(|_, diagnostic| found.push(diagnostic.message().to_owned()));
/// lint.document(Input::from_slice("pages.txt", b"https://example.com/\n").response(response))?;
/// lint.finish()?;
/// assert_eq!(
///     found,
///     ["the sitemap is served as `text/html` (L-TYPE); serve it as `application/xml`, or compressed as `application/gzip`"]
/// );
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Response {
    /// The address after its redirects, if any (L-MOVED).
    pub redirected_to: Option<String>,
    /// The value of `Content-Type` (L-TYPE).
    pub content_type: Option<String>,
    /// `true` if there was an `ETag` or a `Last-Modified` (L-VALIDATOR).
    pub has_validator: bool,
    /// `true` if an index lists the document, so that robots.txt need not name it (L-UNNAMED); the lint also knows the indexes among its
    /// documents.
    pub is_in_index: bool,
    /// `true` if the response is that of another document of the lint, to which this address is redirected: only L-MOVED is checked, and
    /// the document is not read again.
    pub is_of_other: bool,
    /// `true` if it was compressed by gzip twice, apart from its `Content-Encoding` (P-GZIP). The document to lint is compressed once at
    /// most.
    pub is_compressed_twice: bool,
    /// The size of its body, as sent.
    pub bytes: u64,
    /// The time for the whole response, including its body (L-SLOW).
    pub time: Duration,
}

impl Response {
    /// A response without headers.
    pub fn new(bytes: u64, time: Duration) -> Self {
        Response {
            bytes,
            time,
            ..Response::default()
        }
    }

    /// The problems of the response.
    pub(super) fn errors(&self) -> impl Iterator<Item = Error> {
        if self.is_of_other {
            return [self.moved(), None, None, None, None].into_iter().flatten();
        }
        let errors = [
            self.moved(),
            self.odd_type(),
            self.slow(),
            self.without_validator(),
            self.compressed_twice(),
        ];
        errors.into_iter().flatten()
    }

    fn moved(&self) -> Option<Error> {
        let target = quote(self.redirected_to.as_deref()?);
        let message = Message::new(format!("the sitemap is redirected to {target}"));
        Some(Error::data(message.advice("use that address in robots.txt and in indexes")).breaks(Rule::Moved))
    }

    fn odd_type(&self) -> Option<Error> {
        let problem = match &self.content_type {
            None => "the sitemap is served without a content type".to_owned(),
            Some(value) => {
                let name = value
                    .split(';')
                    .next()
                    .unwrap_or_default()
                    .trim()
                    .to_ascii_lowercase();
                if TYPES.contains(&&*name) || name.ends_with("+xml") {
                    return None;
                }
                format!("the sitemap is served as {}", quote(&name))
            }
        };
        let advice = "serve it as `application/xml`, or compressed as `application/gzip`";
        Some(Error::data(Message::new(problem).advice(advice)).breaks(Rule::ContentType))
    }

    fn slow(&self) -> Option<Error> {
        (self.time > SLOW).then(|| {
            let message = Message::new(format!(
                "loading the sitemap took {} s for {} bytes",
                grouped(self.time.as_secs()),
                grouped(self.bytes)
            ));
            Error::data(message.advice("serve a file, or split the sitemap")).breaks(Rule::Slow)
        })
    }

    fn compressed_twice(&self) -> Option<Error> {
        self.is_compressed_twice.then(|| {
            let message =
                Message::new("the sitemap is compressed twice by gzip, so that other readers see no sitemap");
            Error::data(message.advice("compress it once")).breaks(Rule::Gzip)
        })
    }

    fn without_validator(&self) -> Option<Error> {
        (!self.has_validator).then(|| {
            let message = Message::new(
                "the response has no `ETag` and no `Last-Modified` header, so that crawlers load an unchanged sitemap again",
            );
            Error::data(message.advice("send one of them")).breaks(Rule::Validator)
        })
    }
}

/// The error for a document at this location that the site's robots.txt forbids to a crawler.
pub(super) fn forbidden(location: &str, robots: &Robots, agent: &str) -> Option<Error> {
    let rule = robots.blocking(agent, location)?;
    let message = Message::new(format!(
        "the sitemap is blocked for `{agent}` by line {} of robots.txt, {}",
        rule.number,
        quote(&rule.text)
    ));
    Some(Error::data(message.advice("allow it")).breaks(Rule::Forbidden))
}

/// The error for a document at this location that neither the site's robots.txt nor an index names. Naming the address that it redirects to
/// is enough.
pub(super) fn unnamed(response: &Response, location: &str, robots: &Robots) -> Option<Error> {
    let addresses = [Some(location), response.redirected_to.as_deref()];
    let is_named = addresses.iter().flatten().any(|url| robots.names(url));
    (!response.is_in_index && !response.is_of_other && !is_named).then(|| {
        let line = quote(&format!("Sitemap: {location}")).to_string();
        let advice = format!("add the line {line}, or list it in an index that is named");
        Error::data(Message::new("robots.txt does not name the sitemap").advice(advice)).breaks(Rule::Unnamed)
    })
}

/// The errors for a `robots.txt` in UTF-16, and for lines `Sitemap:` that name no URL, or an `llms.txt`; each with its URL.
pub(super) fn misnamed(robots: &Robots) -> impl Iterator<Item = (&str, Error)> {
    let wide = robots.is_utf16().then(|| {
        let message =
            Message::new("robots.txt is in UTF-16, so that crawlers find no rules and no sitemaps in it");
        ("", message.advice("save it in UTF-8"))
    });
    let lines = robots.sitemap_lines().filter_map(|(number, url, problem)| {
        let line = quote(&format!("Sitemap: {url}")).to_string();
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let file = path.rsplit('/').next().unwrap_or_default();
        if matches!(&*file.to_ascii_lowercase(), "llms.txt" | "llms-full.txt") {
            let problem = format!(
                "robots.txt names {} as a sitemap, and an `llms.txt` is none",
                quote(url)
            );
            return Some((
                url,
                Message::new(problem).advice(format!("remove the line {line}")),
            ));
        }
        let problem = problem?;
        let message = Message::new(format!("line {number} of robots.txt, {line}, {problem}"));
        Some((
            url,
            message.advice("write the whole URL of the sitemap, such as `https://example.com/sitemap.xml`"),
        ))
    });
    let found = wide.into_iter().chain(lines);
    found.map(|(url, message)| (url, Error::data(message).breaks(Rule::Unnamed)))
}
