//! A document to lint.

use std::fmt;
use std::io::{self, Read};

use sitemap_values::W3cDateTime;

use crate::error::Result;
use crate::model::Kind;

use super::{Response, set};

type Open<'a> = Box<dyn FnMut() -> io::Result<Box<dyn Read + 'a>> + Send + 'a>;

/// A document to lint or to compare: its name in messages, a function that opens it (twice, if necessary), and its location, if known.
pub struct Input<'a> {
    pub(crate) name: String,
    pub(crate) open: Open<'a>,
    pub(super) location: Option<String>,
    pub(super) modified: Option<W3cDateTime>,
    pub(super) response: Option<Response>,
    /// The addresses of the indexes above it.
    pub(super) listers: Vec<String>,
    pub(super) kind: Option<Kind>,
    /// A loc of the site that most of its locs are on, if they are on several and its location is unknown.
    pub(super) usual_site: Option<String>,
    /// `true` if it could not be opened or read, so that it is not opened again.
    pub(super) is_unreadable: bool,
    /// `true` if part of it could not be read.
    pub(super) is_damaged: bool,
    pub(super) is_feed: bool,
}

impl<'a> Input<'a> {
    /// A document that can be opened from its start each time, perhaps in [another thread](super::Lint::documents).
    ///
    /// ```no_run
    /// use std::fs::File;
    ///
    /// use sitemap_serde::lint::Input;
    ///
    /// let document = Input::new("sitemap.xml", || File::open("sitemap.xml"));
    /// ```
    pub fn new<R: Read + 'a>(
        name: impl Into<String>,
        mut open: impl FnMut() -> io::Result<R> + Send + 'a,
    ) -> Self {
        Input {
            name: name.into(),
            open: Box::new(move || Ok(Box::new(open()?))),
            location: None,
            modified: None,
            response: None,
            listers: Vec::new(),
            kind: None,
            usual_site: None,
            is_unreadable: false,
            is_damaged: false,
            is_feed: false,
        }
    }

    /// A document in memory.
    pub fn from_slice(name: impl Into<String>, bytes: &'a [u8]) -> Self {
        Input::new(name, move || Ok(bytes))
    }

    /// The document's own location, an absolute URL: its locs are compared with it (P-HOST, P-PATH, P-IDX1, P-IDX2), and an index that
    /// lists the document names it by this location (P-NEST, P-IDX3).
    #[must_use]
    pub fn location(mut self, location: impl Into<String>) -> Self {
        self.location = Some(location.into());
        self
    }

    /// The time of the document's last change, according to its file or response (L-NEWER, P-IDX3).
    #[must_use]
    pub fn last_modified(mut self, modified: W3cDateTime) -> Self {
        self.modified = Some(modified);
        self
    }

    /// The response that the document came with: L-MOVED, L-TYPE, L-SLOW, L-VALIDATOR, and if its [location](Self::location) and
    /// the [`robots.txt`](super::Linter::robots) of its site are known, L-UNNAMED and L-FORBIDDEN.
    #[must_use]
    pub fn response(mut self, response: Response) -> Self {
        self.response = Some(response);
        self
    }

    /// The addresses of the indexes that list the document, and of the indexes that list these. If the
    /// [`robots.txt`](super::Linter::robots) of a site names one of these addresses, or the document itself, the document may list any URL
    /// of that site (P-HOST, P-PATH, P-IDX1, P-IDX2).
    #[must_use]
    pub fn indexes<T: Into<String>>(mut self, indexes: impl IntoIterator<Item = T>) -> Self {
        self.listers.extend(indexes.into_iter().map(Into::into));
        self
    }

    /// Returns `true` if it is redirected to another document of the lint.
    pub(super) fn is_of_other(&self) -> bool {
        self.response
            .as_ref()
            .is_some_and(|response| response.is_of_other)
    }

    /// Returns `true` if it is or may be an index that was not read whole.
    pub(super) fn may_list_more(&self) -> bool {
        self.is_unreadable || self.is_damaged && self.kind == Some(Kind::SitemapIndex)
    }

    /// The document's addresses, and the addresses of the indexes above it.
    pub(super) fn addresses(&self) -> Vec<String> {
        let target = self
            .response
            .as_ref()
            .and_then(|response| response.redirected_to.clone());
        let own = self.location.clone().into_iter().chain(target);
        own.chain(self.listers.iter().cloned()).collect()
    }

    pub(super) fn reopen(&mut self) -> Result<Box<dyn Read + 'a>> {
        (self.open)().map_err(|error| set::gone(&self.name, error))
    }
}

impl fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input")
            .field("name", &self.name)
            .field("location", &self.location)
            .field("modified", &self.modified)
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}
