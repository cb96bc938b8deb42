//! Addresses of pages, derived from files and links.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str};
use sitemap_serde::__internal::normal_form;

use crate::error::{Error, ErrorKind, Result};

/// The form of addresses, except of `index.html`.
///
/// ```
/// use sitemap_pages::{UrlStyle, FolderBuilder};
///
/// # let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("about.html"), "<p>About us")?;
/// let mut builder = FolderBuilder::new("https://example.com");
/// builder.style(UrlStyle::Clean);
/// assert_eq!(builder.read(folder.path())?.pages()[0].url(), "https://example.com/about");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UrlStyle {
    /// With the name of the file: `/about.html`.
    Html,
    /// Without its extension: `/about`.
    Clean,
}

/// The base: the URL of the folder.
#[derive(Clone, Debug)]
pub(crate) struct SiteAddress {
    /// `https://example.com`
    origin: String,
    /// The normal form of the origin, with a slash at its end.
    normal_origin: String,
    /// The path of the folder, with a slash at its end.
    base: String,
}

/// A page, to detect its links to itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnPage<'a> {
    pub(crate) address: &'a SiteAddress,
    /// The path of its file.
    pub(crate) file: &'a [u8],
    /// The same, percent-encoded.
    pub(crate) name: &'a str,
}

impl OwnPage<'_> {
    /// Returns `true` if a link leads to the page itself.
    pub(crate) fn is_at(&self, href: &str, base_href: Option<&str>) -> bool {
        self.may_be_at(href)
            && match self.address.resolve(href, self.name, base_href) {
                Target::Inside { path, has_query } => {
                    !has_query && candidates(&path).any(|(file, _)| file == self.file)
                }
                Target::Outside | Target::NoPage => false,
            }
    }

    /// Returns `true` if the last word of the address can be the page's. This cheap test rules out most links.
    fn may_be_at(&self, href: &str) -> bool {
        let path = href.split(['?', '#']).next().unwrap_or_default();
        let is_slash = |c| c == '/' || c == '\\';
        let last = path
            .trim_end_matches(is_slash)
            .rsplit(is_slash)
            .next()
            .unwrap_or_default();
        let mut names = self.name.rsplit('/');
        let name = names.next().unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        let folder = names.next();
        last.contains('%')
            || last.trim_start_matches('.').is_empty()
            || last == name
            || last == stem
            || folder.map_or(is_index(name.as_bytes()), |folder| folder == last)
    }
}

/// The target of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A path below the folder, decoded, without a slash at its beginning.
    Inside { path: Vec<u8>, has_query: bool },
    /// Another site, or another folder of this one.
    Outside,
    /// Not a page: `mailto:`, `javascript:`, …
    NoPage,
}

impl SiteAddress {
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let refused = |problem: &str| {
            Err(Error::new(
                ErrorKind::Setting,
                format!("the base `{text}` {problem}"),
            ))
        };
        let trimmed = text.trim();
        let Some(start) = scheme_len(trimmed) else {
            return refused(
                "is not that of a site: write it with its scheme, such as `https://example.com/`",
            );
        };
        if trimmed.contains(['?', '#']) {
            return refused("has a query or a fragment: write the URL of the folder alone");
        }
        let path = trimmed[start..]
            .find('/')
            .map_or(trimmed.len(), |slash| start + slash);
        let mut base = trimmed[path..].to_owned();
        if !base.ends_with('/') {
            base.push('/');
        }
        let origin = without_default_port(&trimmed[..path]);
        if trimmed[start..path].contains('@') {
            return refused("has a user: write the URL that everybody uses");
        }
        let address = SiteAddress {
            origin: origin.to_owned(),
            normal_origin: normal_origin(origin),
            base,
        };
        let entry = sitemap_serde::UrlEntry::new(address.of_path(""));
        match sitemap_serde::to_string(&[entry]) {
            Ok(_) => Ok(address),
            Err(error) => refused(&format!("is not that of a site: {error}")),
        }
    }

    /// Returns the address of a percent-encoded path below the folder.
    pub(crate) fn of_path(&self, path: &str) -> String {
        format!("{}{}{path}", self.origin, self.base)
    }

    /// Returns the path below the base. [`of_path`](Self::of_path) must have made the URL.
    pub(crate) fn path_of<'u>(&self, url: &'u str) -> &'u str {
        url.strip_prefix(&self.origin)
            .and_then(|path| path.strip_prefix(&self.base))
            .unwrap_or(url)
    }

    pub(crate) fn origin(&self) -> &str {
        &self.origin
    }

    /// Returns the normal form of scheme and host.
    pub(crate) fn normal_origin(&self) -> &str {
        self.normal_origin.trim_end_matches('/')
    }

    pub(crate) fn scheme(&self) -> &str {
        self.origin.split_once("://").map_or("", |(scheme, _)| scheme)
    }

    pub(crate) fn host(&self) -> &str {
        let (_, host) = self.origin.split_once("//").unwrap_or(("", &self.origin));
        host
    }

    /// The path of the folder on its host.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// Finds the target of a link. `page` is the percent-encoded path of its page below the folder.
    pub(crate) fn resolve(&self, href: &str, page: &str, base_href: Option<&str>) -> Target {
        let href = &*as_read(href);
        let (href, _) = href.split_once('#').unwrap_or((href, ""));
        let (reference, query) = match href.split_once('?') {
            Some((reference, query)) => (reference, Some(query)),
            None => (href, None),
        };
        let has_query = query.is_some_and(|query| !query.is_empty());
        let Some(path) = self.path_on_host(reference, page, base_href) else {
            return if scheme_len(reference).is_some() || reference.starts_with("//") {
                Target::Outside
            } else {
                Target::NoPage
            };
        };
        let path = without_dots(&path);
        let decoded = percent_decode(&path);
        match decoded.strip_prefix(&*percent_decode(&self.base)) {
            Some(inside) => Target::Inside {
                path: inside.to_vec(),
                has_query,
            },
            // The folder itself, without its slash.
            None if self.base.trim_end_matches('/') == path => Target::Inside {
                path: Vec::new(),
                has_query,
            },
            None => Target::Outside,
        }
    }

    /// Returns the absolute address of a file, on any site, without a fragment. `None` for schemes other than http and https.
    pub(crate) fn absolute(&self, href: &str, page: &str, base_href: Option<&str>) -> Option<String> {
        let href = &*as_read(href);
        let (href, _) = href.split_once('#').unwrap_or((href, ""));
        if scheme_len(href).is_some() {
            return Some(href.to_owned());
        }
        if href.starts_with("//") {
            let (scheme, _) = self.origin.split_once("//")?;
            return Some(format!("{scheme}{href}"));
        }
        if href.is_empty() || has_scheme(href) {
            return None;
        }
        let path = href.find('?').unwrap_or(href.len());
        let (reference, query) = href.split_at(path);
        if let Some(path) = self.path_on_host(reference, page, base_href) {
            return Some(format!("{}{}{query}", self.origin, without_dots(&path)));
        }
        let base = self.absolute(base_href?, page, None)?;
        SiteAddress::of_other(&base)?.absolute(href, "", None)
    }

    /// Returns the folder's address for a file of another site.
    fn of_other(url: &str) -> Option<Self> {
        let (url, _) = url.split_once('?').unwrap_or((url, ""));
        let path =
            scheme_len(url).map(|start| url[start..].find('/').map_or(url.len(), |slash| start + slash))?;
        let (origin, path) = url.split_at(path);
        let folder = path.rfind('/').map_or("/", |slash| &path[..=slash]);
        Some(SiteAddress {
            origin: origin.to_owned(),
            normal_origin: normal_origin(origin),
            base: folder.to_owned(),
        })
    }

    /// Returns the absolute path on this site's host; `None` on another host, or with another scheme.
    fn path_on_host<'a>(
        &self,
        reference: &'a str,
        page: &str,
        base_href: Option<&str>,
    ) -> Option<Cow<'a, str>> {
        if let Some(path) = self.after_origin(reference) {
            return Some(if path.is_empty() { "/" } else { path }.into());
        }
        if reference.starts_with("//") || has_scheme(reference) {
            return None;
        }
        let base = match base_href {
            Some(base) => {
                let base = as_read(base);
                let (base, _) = base.split_once(['?', '#']).unwrap_or((&base, ""));
                Some(self.path_on_host(base, page, None)?.into_owned())
            }
            None => None,
        };
        if reference.starts_with('/') {
            return Some(reference.into());
        }
        let from = base.unwrap_or_else(|| format!("{}{page}", self.base));
        if reference.is_empty() {
            return Some(from.into());
        }
        let folder = from.rfind('/').map_or(0, |slash| slash + 1);
        Some(format!("{}{reference}", &from[..folder]).into())
    }

    /// Returns the rest after scheme and host, if they are this site's in any spelling.
    fn after_origin<'a>(&self, reference: &'a str) -> Option<&'a str> {
        let start = match reference.strip_prefix("//") {
            Some(_) => 2,
            None => scheme_len(reference)?,
        };
        let end = reference[start..]
            .find(['/', '?', '#'])
            .map_or(reference.len(), |end| start + end);
        let (origin, rest) = reference.split_at(end);
        let scheme = if start == 2 { self.scheme() } else { "" };
        let colon = if start == 2 { ":" } else { "" };
        let is_own = origin.eq_ignore_ascii_case(&self.origin)
            || normal_origin(&format!("{scheme}{colon}{origin}")) == self.normal_origin;
        is_own.then_some(rest)
    }
}

fn normal_origin(origin: &str) -> String {
    normal_form(&format!("{origin}/")).into_owned()
}

/// Returns an address as browsers read it: without line breaks and tabs, and with slashes for backslashes, except after `?` and `#` and
/// in other schemes than http and https.
fn as_read(href: &str) -> Cow<'_, str> {
    let href = href.trim();
    let is_break = |c| matches!(c, '\t' | '\n' | '\r');
    if !href.contains(is_break) && !href.contains('\\') {
        return href.into();
    }
    let href = href.replace(is_break, "");
    let end = href.find(['?', '#']).unwrap_or(href.len());
    if has_other_scheme(&href) {
        return href.into();
    }
    let (path, rest) = href.split_at(end);
    format!("{}{rest}", path.replace('\\', "/")).into()
}

/// Returns the default port of http or https, with its colon.
fn default_port(origin: &str) -> Option<&'static str> {
    let is = |scheme: &str| {
        origin
            .get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    match () {
        () if is("https://") => Some(":443"),
        () if is("http://") => Some(":80"),
        () => None,
    }
}

/// Returns the scheme and host of an absolute URL in their normal form.
pub(crate) fn origin_of(url: &str) -> Option<String> {
    let start = scheme_len(url)?;
    let end = url[start..]
        .find(['/', '?', '#'])
        .map_or(url.len(), |end| start + end);
    Some(normal_origin(&url[..end]).trim_end_matches('/').to_owned())
}

fn without_default_port(origin: &str) -> &str {
    default_port(origin)
        .and_then(|port| origin.strip_suffix(port))
        .unwrap_or(origin)
}

/// Returns the length of `http://` or `https://`, in any case, if a host follows.
fn scheme_len(text: &str) -> Option<usize> {
    let len = ["http://", "https://"].into_iter().find_map(|scheme| {
        let start = text.get(..scheme.len())?;
        start.eq_ignore_ascii_case(scheme).then_some(scheme.len())
    })?;
    (!text[len..].is_empty() && !text[len..].starts_with('/')).then_some(len)
}

/// Returns `true` if an address has a scheme other than http and https: `javascript:`, `mailto:`.
pub(crate) fn has_other_scheme(reference: &str) -> bool {
    has_scheme(reference) && scheme_len(&reference.replace('\\', "/")).is_none()
}

fn has_scheme(reference: &str) -> bool {
    let end = reference.find([':', '/', '?', '#']);
    end.is_some_and(|end| {
        reference[end..].starts_with(':')
            && reference.starts_with(|c: char| c.is_ascii_alphabetic())
            && reference[..end]
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
    })
}

/// Resolves the segments `.` and `..` of a path.
fn without_dots(path: &str) -> Cow<'_, str> {
    if !path.contains("/.") && !path.contains("/%2") {
        return path.into();
    }
    let mut segments: Vec<&str> = Vec::new();
    let mut rest = path.strip_prefix('/').unwrap_or(path).split('/').peekable();
    while let Some(segment) = rest.next() {
        let is_last = rest.peek().is_none();
        match segment.to_ascii_lowercase().replace("%2e", ".").as_str() {
            "." => {}
            ".." => {
                segments.pop();
            }
            _ => {
                segments.push(segment);
                continue;
            }
        }
        if is_last {
            segments.push("");
        }
    }
    format!("/{}", segments.join("/")).into()
}

/// The bytes of a path to percent-encode: everything except letters, digits, slashes and the signs that a path may have.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@');

/// Percent-encodes a path.
pub(crate) fn percent_encode(path: &[u8]) -> String {
    percent_encoding::percent_encode(path, ENCODED).to_string()
}

/// The path of a percent-encoded text.
pub(crate) fn percent_decode(text: &str) -> Cow<'_, [u8]> {
    percent_decode_str(text).into()
}

/// The form of a link to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The file: `/about.html`.
    File,
    /// The file without its extension: `/about`.
    Clean,
    /// The index file of a folder: `/blog/index.html`.
    IndexFile,
    /// The folder: `/blog/`.
    Folder,
    /// The folder, without its slash: `/blog`.
    Slashless,
}

impl Form {
    pub(crate) const ALL: [Form; 5] = [
        Form::File,
        Form::Clean,
        Form::IndexFile,
        Form::Folder,
        Form::Slashless,
    ];
}

/// Iterates over files that may answer a request for a path, likeliest first, each with the form of the link.
pub(crate) fn candidates(path: &[u8]) -> impl Iterator<Item = (Vec<u8>, Form)> + '_ {
    let with = move |end: &str| [path, end.as_bytes()].concat();
    let stem = path.strip_suffix(b"/").unwrap_or(path);
    let is_folder = path.is_empty() || path.ends_with(b"/");
    let own = if is_index(path) {
        Form::IndexFile
    } else {
        Form::File
    };
    let file = std::iter::once_with(move || (path.to_vec(), own)).filter(move |_| !is_folder);
    let others = (0..3).map(move |i| match (i, is_folder) {
        (0, false) => (with(".html"), Form::Clean),
        (1, false) => (with("/index.html"), Form::Slashless),
        (_, false) => (with("/index.htm"), Form::Slashless),
        (0, true) => (with("index.html"), Form::Folder),
        (1, true) => (with("index.htm"), Form::Folder),
        (_, true) => ([stem, b".html"].concat(), Form::Folder),
    });
    file.chain(others)
}

/// Returns `true` if the file is its folder's page.
pub(crate) fn is_index(path: &[u8]) -> bool {
    let name = path.rsplit(|b| *b == b'/').next().unwrap_or_default();
    name == b"index.html" || name == b"index.htm"
}

/// Returns the path of a file's page in this form, percent-encoded.
pub(crate) fn path_in(file: &[u8], form: Form) -> String {
    let folder = file.iter().rposition(|b| *b == b'/').map_or(0, |slash| slash + 1);
    let stem = file.strip_suffix(b".html").filter(|stem| stem.len() > folder);
    match form {
        Form::File | Form::IndexFile => percent_encode(file),
        Form::Clean => percent_encode(stem.unwrap_or(file)),
        Form::Folder if is_index(file) => percent_encode(&file[..folder]),
        Form::Folder => percent_encode(stem.unwrap_or(file)) + "/",
        Form::Slashless => percent_encode(&file[..folder.saturating_sub(1)]),
    }
}

#[cfg(test)]
mod tests {
    use super::{Form, SiteAddress, Target, is_index, path_in};

    fn inside(path: &str) -> Target {
        Target::Inside {
            path: path.as_bytes().to_vec(),
            has_query: false,
        }
    }

    #[test]
    fn links_lead_somewhere() {
        let site = SiteAddress::parse("https://user.example/repo").unwrap();
        for (href, target) in [
            ("b.html", inside("blog/b.html")),
            ("./b.html#top", inside("blog/b.html")),
            ("../b.html", inside("b.html")),
            ("../../b.html", Target::Outside),
            ("", inside("blog/a.html")),
            ("#top", inside("blog/a.html")),
            ("..", inside("")),
            (".", inside("blog/")),
            ("%2e%2E/x%20y", inside("x y")),
            ("/repo/c", inside("c")),
            ("/repo", inside("")),
            ("/repository", Target::Outside),
            ("/other", Target::Outside),
            ("HTTPS://USER.example/repo/c", inside("c")),
            ("//user.example/repo/c", inside("c")),
            ("http://user.example/repo/c", Target::Outside),
            ("https://user.example:443/repo/c", inside("c")),
            ("//user.example:443/repo/c", inside("c")),
            ("https://user.example:80/repo/c", Target::Outside),
            ("https://user.example:4430/repo/c", Target::Outside),
            ("https://user.example.org/repo/c", Target::Outside),
            ("//cdn.example/x", Target::Outside),
            ("mailto:a@example.com", Target::NoPage),
            ("javascript:void(0)", Target::NoPage),
            ("a/b:c", inside("blog/a/b:c")),
            ("r%C3%A9sum%C3%A9", inside("blog/résumé")),
            ("100%", inside("blog/100%")),
        ] {
            assert_eq!(site.resolve(href, "blog/a.html", None), target, "{href}");
        }
        let has_query = Target::Inside {
            path: b"blog/b".to_vec(),
            has_query: true,
        };
        assert_eq!(site.resolve("b?page=2#x", "blog/a.html", None), has_query);
        for (base, target) in [
            ("/repo/docs/", inside("docs/b")),
            ("../", inside("b")),
            ("https://user.example/repo/x", inside("b")),
            ("https://cdn.example/", Target::NoPage),
        ] {
            assert_eq!(site.resolve("b", "blog/a.html", Some(base)), target, "{base}");
        }
    }

    #[test]
    fn absolute_addresses() {
        let site = SiteAddress::parse("https://user.example/repo").unwrap();
        for (href, base, address) in [
            ("a.jpg", None, Some("https://user.example/repo/blog/a.jpg")),
            (
                "../a b.jpg?w=1#x",
                None,
                Some("https://user.example/repo/a b.jpg?w=1"),
            ),
            ("/a.jpg", None, Some("https://user.example/a.jpg")),
            ("?w=1", None, Some("https://user.example/repo/blog/a.html?w=1")),
            ("//cdn.example/a.jpg", None, Some("https://cdn.example/a.jpg")),
            (
                "http://cdn.example/a,b.jpg",
                None,
                Some("http://cdn.example/a,b.jpg"),
            ),
            ("a.jpg", Some("/img/"), Some("https://user.example/img/a.jpg")),
            (
                "a.jpg",
                Some("https://cdn.example/x/y?z"),
                Some("https://cdn.example/x/a.jpg"),
            ),
            ("/a.jpg", Some("//cdn.example"), Some("https://cdn.example/a.jpg")),
            (
                "../../a.jpg",
                Some("https://cdn.example/x/"),
                Some("https://cdn.example/a.jpg"),
            ),
            ("a.jpg", Some("data:x"), None),
            ("blob:https://user.example/1", None, None),
            ("javascript:void(0)", None, None),
            ("https://", None, None),
            ("", None, None),
        ] {
            let found = site.absolute(href, "blog/a.html", base);
            assert_eq!(found.as_deref(), address, "{href} {base:?}");
        }
    }

    #[test]
    fn addresses_of_files() {
        let path_of =
            |file: &[u8], form: Form| path_in(file, if is_index(file) { Form::Folder } else { form });
        for (file, html, clean) in [
            ("index.html", "", ""),
            ("blog/index.html", "blog/", "blog/"),
            ("blog/index.htm", "blog/", "blog/"),
            ("about.html", "about.html", "about"),
            ("about.htm", "about.htm", "about.htm"),
            (".html", ".html", ".html"),
            (
                "a b/100%?#é.html",
                "a%20b/100%25%3F%23%C3%A9.html",
                "a%20b/100%25%3F%23%C3%A9",
            ),
            ("a/(b)+c&d.html", "a/(b)+c&d.html", "a/(b)+c&d"),
        ] {
            assert_eq!(path_of(file.as_bytes(), Form::File), html);
            assert_eq!(path_of(file.as_bytes(), Form::Clean), clean);
        }
        assert_eq!(path_of(b"\xFFx.html", Form::File), "%FFx.html");
    }

    #[test]
    fn a_default_port_says_nothing() {
        for (base, address) in [
            ("https://example.com:443/a", "https://example.com/a/"),
            ("http://example.com:80", "http://example.com/"),
            ("https://example.com:80/", "https://example.com:80/"),
        ] {
            assert_eq!(SiteAddress::parse(base).unwrap().of_path(""), address);
        }
    }

    #[test]
    fn what_is_no_address_is_an_error() {
        for (address, message) in [
            (
                "",
                "the base `` is not that of a site: write it with its scheme, such as `https://example.com/`",
            ),
            (
                "ftp://example.com",
                "the base `ftp://example.com` is not that of a site: write it with its scheme, such as `https://example.com/`",
            ),
            (
                "https:///x",
                "the base `https:///x` is not that of a site: write it with its scheme, such as `https://example.com/`",
            ),
            (
                "https://user:pw@example.com/",
                "the base `https://user:pw@example.com/` has a user: write the URL that everybody uses",
            ),
            (
                "https://example.com/?a",
                "the base `https://example.com/?a` has a query or a fragment: write the URL of the folder alone",
            ),
        ] {
            assert_eq!(SiteAddress::parse(address).unwrap_err().to_string(), message);
        }
        let error = SiteAddress::parse("https://exa mple.com")
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("the base `https://exa mple.com` is not that of a site: "),
            "{error}"
        );
    }
}
