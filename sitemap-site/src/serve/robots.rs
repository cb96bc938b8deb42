//! `robots.txt`, next to the sitemap.

use std::fmt::Write;

use sitemap_serde::robots::Robots;

/// The `robots.txt` of a site, which [`SiteBuilder::robots_txt`](super::SiteBuilder::robots_txt) serves: rules for all crawlers, and the lines that name the
/// sitemap.
///
/// ```
/// use sitemap_site::{RobotsTxt, SiteBuilder};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let site = SiteBuilder::new("https://example.com")
///     .section("pages", ["/", "/account/help"].map(sitemap_serde::UrlEntry::new))
///     .robots_txt(RobotsTxt::new().disallow("/account/").allow("/account/help"))
///     .build()?;
/// # let response = site.respond(&http::Request::get("/robots.txt").body(())?).await;
/// # assert_eq!(response.status(), 200);
/// // GET /robots.txt:
/// // User-agent: *
/// // Disallow: /account/
/// // Allow: /account/help
/// //
/// // Sitemap: https://example.com/sitemap.xml
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct RobotsTxt {
    /// Each path, with `true` to allow it.
    rules: Vec<(bool, String)>,
    is_staging: bool,
}

impl RobotsTxt {
    /// Makes a `robots.txt` that allows everything, and names the sitemap.
    pub fn new() -> Self {
        RobotsTxt::default()
    }

    /// Makes the `robots.txt` of a host for no search engine, such as a staging system: everything is disallowed, and no sitemap
    /// is named. The sitemap itself is still served.
    pub fn staging() -> Self {
        RobotsTxt {
            is_staging: true,
            ..RobotsTxt::new().disallow("/")
        }
    }

    /// Allows the paths that begin with `path`, with the wildcards `*` and `$` (RFC 9309). If an `allow` and a `disallow` match a
    /// page, the longer one counts.
    #[must_use]
    pub fn allow(mut self, path: impl Into<String>) -> Self {
        self.rules.push((true, path.into()));
        self
    }

    /// Disallows the paths that begin with `path`, with the wildcards `*` and `$` (RFC 9309).
    #[must_use]
    pub fn disallow(mut self, path: impl Into<String>) -> Self {
        self.rules.push((false, path.into()));
        self
    }

    /// The problem of a path, as the end of a sentence about it.
    pub(super) fn mistake(&self) -> Option<String> {
        let is_path = |path: &str| {
            path.starts_with(['/', '*'])
                && !path.contains(|c: char| c.is_whitespace() || c.is_control() || c == '#')
        };
        let (allows, path) = self.rules.iter().find(|(_, path)| !is_path(path))?;
        let setting = if *allows { "allow" } else { "disallow" };
        Some(format!(
            "`RobotsTxt::{setting}` has the path `{}`: a path begins with `/` or `*`, and has no white space and no `#`; percent-encode them",
            path.escape_debug()
        ))
    }

    /// The whole text; `sitemaps` are the lines with the URLs of the sitemap.
    pub(super) fn text(&self, sitemaps: &str) -> String {
        let mut text = String::from("User-agent: *\n");
        for (allows, path) in &self.rules {
            let key = if *allows { "Allow" } else { "Disallow" };
            // Writing to a `String` does not fail.
            let _ = writeln!(text, "{key}: {path}");
        }
        if self.rules.is_empty() {
            text.push_str("Allow: /\n");
        }
        if !self.is_staging {
            let _ = writeln!(text, "\n{sitemaps}");
        }
        text
    }

    /// The rules for checking listed pages; `None` if any page may be listed, since nothing is disallowed, or the host is a
    /// staging host.
    pub(super) fn blocks(&self) -> Option<Robots> {
        let has_blocks = self.rules.iter().any(|(allows, _)| !allows);
        (has_blocks && !self.is_staging).then(|| Robots::parse(self.text("").as_bytes()))
    }
}

/// The URL of a page, if search engines may not read it. Its loc is escaped for XML.
pub(super) fn blocked(robots: &Robots, loc: &str) -> Option<String> {
    let url = loc.replace("&apos;", "'").replace("&amp;", "&");
    (!robots.allows("*", &url)).then_some(url)
}
