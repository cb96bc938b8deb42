//! IndexNow: the bodies of requests that notify search engines of changes.

use std::fmt::Write as _;

use sitemap_serde::__internal::{check, encode_reference, host, path_of, quote};

use crate::error::{Error, Result};

/// The most URLs of one request.
const MOST: usize = 10_000;

/// Builds the bodies of [IndexNow](https://www.indexnow.org/documentation) requests: JSON with at most 10,000 URLs of one host.
/// Removed pages should be included. The program sends each body itself: a POST to
/// [`Submission::ENDPOINT`](crate::Submission::ENDPOINT) with `Content-Type: application/json; charset=utf-8` reaches all
/// participating engines. A [`Submission`](crate::Submission) also takes pages of several hosts, schedules the requests and
/// interprets the responses.
///
/// ```
/// use sitemap_submit::IndexNow;
///
/// let mut requests = IndexNow::new("example.com", "0123456789abcdef")?;
/// assert_eq!(requests.push("https://example.com/a")?, None); // there is room for more
/// assert_eq!(
///     requests.finish().unwrap(),
///     r#"{"host":"example.com","key":"0123456789abcdef","urlList":["https://example.com/a"]}"#
/// );
/// # Ok::<(), sitemap_submit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct IndexNow {
    host: String,
    /// The body up to the list of URLs.
    head: String,
    /// The path of the key's directory.
    directory: String,
    list: String,
    count: usize,
}

impl IndexNow {
    /// Starts a list of pages of a host. The key must be served as a text file at `/{key}.txt`.
    ///
    /// # Errors
    /// If the key does not have 8 to 128 letters, digits and hyphens, or the host is
    /// invalid.
    pub fn new(host: &str, key: &str) -> Result<Self> {
        let is_key =
            (8..=128).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if !is_key {
            return Err(Error::new(format!(
                "{} is not an IndexNow key: a key has 8 to 128 letters, digits and hyphens; generate another one",
                quote(key)
            )));
        }
        let page = format!("https://{host}/");
        if check(&page).is_err() || self::host(&page) != Some(host) {
            return Err(Error::new(format!(
                "{} is not a host: write only the host name, such as `example.com`",
                quote(host)
            )));
        }
        let page = encode_reference(&page);
        let host = self::host(&page).unwrap_or(host);
        Ok(IndexNow {
            host: host.to_ascii_lowercase(),
            head: format!("{{\"host\":{},\"key\":{}", json(host), json(key)),
            directory: "/".to_owned(),
            list: String::new(),
            count: 0,
        })
    }

    /// Sets the URL of the key file, if it is not `/{key}.txt`. The key is then valid for URLs in that directory and below.
    ///
    /// # Errors
    /// If the URL is not on the host.
    pub fn key_location(mut self, location: &str) -> Result<Self> {
        let location = encode_reference(location);
        let path = self.path(&location)?;
        let end = path.split(['?', '#']).next().unwrap_or_default();
        let end = end.rfind('/').map_or(0, |slash| slash + 1);
        path.get(..end).unwrap_or("/").clone_into(&mut self.directory);
        let _ = write!(self.head, ",\"keyLocation\":{}", json(&location));
        Ok(self)
    }

    /// The part of a URL after the host, if it is this host.
    fn path<'u>(&self, url: &'u str) -> Result<&'u str> {
        let is_web = ["http://", "https://"].iter().any(|scheme| {
            url.get(..scheme.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        });
        let is_here = host(url).is_some_and(|host| host.eq_ignore_ascii_case(&self.host));
        match path_of(url) {
            Some(path) if is_web && is_here => Ok(path),
            _ => Err(Error::new(format!(
                "{} is not a URL of `{}`: an IndexNow request is about one host; make one for each host",
                quote(url),
                self.host
            ))),
        }
    }

    /// The URL for a request: percent-encoded in UTF-8.
    ///
    /// ```
    /// use sitemap_submit::IndexNow;
    ///
    /// let requests = IndexNow::new("example.com", "0123456789abcdef")?;
    /// assert_eq!(requests.url("https://example.com/café")?, "https://example.com/caf%C3%A9");
    /// assert!(requests.url("https://www.example.com/").is_err());
    /// # Ok::<(), sitemap_submit::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the URL is not on the host, or outside the key's directory.
    pub fn url(&self, url: &str) -> Result<String> {
        let url = encode_reference(url);
        let path = self.path(&url)?;
        if !path.starts_with(&self.directory) {
            return Err(Error::new(format!(
                "{} is not below `{}`, the directory of the key: a key is valid for its directory only; serve the key higher up",
                quote(&url),
                self.directory
            )));
        }
        Ok(url)
    }

    /// Adds a [URL](Self::url). Returns a complete body with every 10,000th URL.
    ///
    /// # Errors
    /// As [`url`](Self::url). The URL is then not added.
    pub fn push(&mut self, url: &str) -> Result<Option<String>> {
        let url = self.url(url)?;
        if self.count > 0 {
            self.list.push(',');
        }
        self.list.push_str(&json(&url));
        self.count += 1;
        Ok(if self.count == MOST { self.take() } else { None })
    }

    /// Returns the body with the remaining URLs; `None` if there are none.
    pub fn finish(mut self) -> Option<String> {
        self.take()
    }

    fn take(&mut self) -> Option<String> {
        if self.count == 0 {
            return None;
        }
        let body = format!("{},\"urlList\":[{}]}}", self.head, self.list);
        self.list.clear();
        self.count = 0;
        Some(body)
    }
}

/// A text as a JSON string.
fn json(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn texts_of_json() {
        assert_eq!(super::json("é\"\\\n\u{1f}/"), "\"é\\\"\\\\\\u000a\\u001f/\"");
    }
}
