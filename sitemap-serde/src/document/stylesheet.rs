//! The stylesheet of a document: its `xml-stylesheet` instruction.

use sitemap_values::quote::quote;

use crate::error::{Error, Message, Result};
use crate::loc;
use crate::xml::escape::push_escaped_url;

/// The URL of a stylesheet, as given to the builder.
#[derive(Clone, Debug)]
pub(crate) struct Stylesheet(String);

impl Stylesheet {
    pub(crate) fn new(url: String) -> Self {
        Stylesheet(url)
    }

    /// Checks that a browser could load a stylesheet from the URL: a web address, or a reference relative to the
    /// document.
    pub(super) fn check(&self) -> Result<()> {
        let url = self.0.trim();
        let message = if url.is_empty() {
            Message::new("the stylesheet's URL is empty")
                .advice("write the URL of a CSS or XSLT file, or set none")
        } else if let Some(scheme) = scheme(url).filter(|scheme| !is_web(scheme)) {
            Message::new(format!(
                "{} cannot be used as a stylesheet: its scheme is {}, and browsers load stylesheets from http and https only",
                quote(url),
                quote(scheme)
            ))
            .advice("write its web address, or a path such as `/sitemap.css`")
        } else {
            return Ok(());
        };
        Err(Error::settings(message))
    }

    /// The content of the instruction.
    pub(super) fn pseudo_attributes(&self) -> String {
        let url = loc::encode_reference(&self.0);
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let is_xslt = [".xsl", ".xslt"]
            .iter()
            .any(|end| path.to_ascii_lowercase().ends_with(end));
        let kind = if is_xslt { "text/xsl" } else { "text/css" };
        let mut escaped = Vec::new();
        push_escaped_url(&mut escaped, url.as_bytes());
        format!("type=\"{kind}\" href=\"{}\"", String::from_utf8_lossy(&escaped))
    }
}

/// The scheme of a URL (RFC 3986 section 3.1); `None` if it is relative.
fn scheme(url: &str) -> Option<&str> {
    let (scheme, _) = url.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    is_scheme.then_some(scheme)
}

fn is_web(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes() {
        for (url, expected) in [
            ("https://example.com/sitemap.xsl", Some("https")),
            ("a+b-c.1:x", Some("a+b-c.1")),
            ("sitemap.xsl", None),
            ("1a:x", None),
            ("a/b:x", None),
            ("/sitemap.xsl?a:b", None),
            (":x", None),
        ] {
            assert_eq!(scheme(url), expected, "{url}");
        }
    }
}
