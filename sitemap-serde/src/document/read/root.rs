//! The root of a document: its kind, and the errors for documents that are not sitemaps.

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::document::sniff::HTML;
use crate::error::{Defect, Error, Message, Result};
use crate::model::Kind;
use crate::record::Table;
use crate::xml::names;
use crate::xml::scanner::Token;
use crate::xml::source::Window;

use super::feed::Feed;
use super::{Body, DocumentReader, State, text};

impl<S: Window> DocumentReader<S> {
    /// Returns `true` before the root is read.
    pub(crate) fn is_new(&self) -> bool {
        self.state == State::New
    }

    /// Makes a namespace known that a type declares. Only before the root is read.
    pub(crate) fn know(&mut self, prefix: &str, uri: &str) -> Result<()> {
        let known = self.scanner.known_mut();
        match known.add_of_type(prefix, uri) {
            Ok(()) => {
                self.table = Table::new(known);
                Ok(())
            }
            Err(error) => {
                self.state = State::Done;
                Err(error.ending_reading())
            }
        }
    }

    /// The document's kind. Reads up to the root if it was not read before.
    pub(crate) fn kind(&mut self) -> Result<Kind> {
        if self.state == State::New {
            match self.open() {
                Ok(kind) => {
                    self.kind = Some(kind);
                    self.state = State::Open(kind);
                    if self.keeps_end && self.scanner.text(self.scanner.token()).ends_with("/>") {
                        self.mark_end();
                    }
                }
                Err(error) => {
                    self.state = State::Done;
                    return Err(error.ending_reading());
                }
            }
        }
        self.kind.ok_or_else(|| {
            Error::custom("the document's root could not be read, as an error before this one says")
        })
    }

    fn open(&mut self) -> Result<Kind> {
        if self.is_lenient() {
            return self.open_lenient();
        }
        self.limits.check()?;
        if let Some([name, reading, advice]) = self.useless_setting {
            return Err(Error::settings(
                Message::new(format!("the setting `{name}` does nothing in {reading}")).advice(advice),
            ));
        }
        self.scanner.known().check()?;
        if self.is_list()? {
            return Ok(Kind::UrlSet);
        }
        self.find_root()
            .map_err(|error| self.scanner.explain_first_token(error))
    }

    fn find_root(&mut self) -> Result<Kind> {
        loop {
            match self.scanner.next()? {
                Token::Start { name, namespace } => {
                    let name = self.scanner.text(name).to_owned();
                    let (_, local) = names::split(&name);
                    let kind = Kind::ALL.into_iter().find(|kind| kind.root() == local);
                    let known = namespace.is_core();
                    return match kind {
                        Some(kind) if known => Ok(kind),
                        Some(_) => Err(self.wrong_namespace(&name)),
                        None if self.is_feed(&name) => Ok(Kind::UrlSet),
                        None => Err(self.other_root(&name)),
                    };
                }
                Token::Eof => return Err(Error::eof("the document has no root")),
                Token::Aside => self.note_stylesheet(),
                Token::End | Token::Text { .. } => {}
            }
        }
    }

    /// Returns `true` if the document is a text sitemap. Always `false` unless [other formats](Self::take_formats)
    /// are read.
    pub(super) fn is_list(&mut self) -> Result<bool> {
        let is_list = self.takes_formats && text::is_list(&mut self.scanner)?;
        if is_list {
            self.body = Body::Lines;
        }
        Ok(is_list)
    }

    /// Returns `true` if the root whose start tag was the last token is a feed's. Always `false` unless [other
    /// formats](Self::take_formats) are read.
    pub(super) fn is_feed(&mut self, name: &str) -> bool {
        if !self.takes_formats {
            return false;
        }
        let Some(feed) = Feed::of_root(&self.scanner, name, self.location()) else {
            return false;
        };
        let oddity = feed.oddity(name, self.scanner.uri("").unwrap_or_default());
        self.scanner.set_vocabulary(feed.vocabulary());
        self.body = Body::Feed(feed);
        if let Some(message) = oddity {
            let error = self.wrong_root(message);
            self.scanner.note(error);
        }
        true
    }

    /// The start tag of the root. Available only until the first record is read.
    pub(crate) fn root_tag(&self) -> &str {
        self.scanner.text(self.scanner.token())
    }

    /// The byte offset of the root in the document. Available only until the first record is read.
    pub(crate) fn root_start(&self) -> u64 {
        self.scanner.offset_of(self.scanner.token().start)
    }

    /// The name of the root. Available only until the first record is read.
    pub(crate) fn root_name(&self) -> &str {
        let root = self.scanner.depth().checked_sub(1);
        root.and_then(|root| self.scanner.open_name(root))
            .unwrap_or_default()
    }

    /// Returns an error if the document is not of the expected kind.
    pub(crate) fn expect(&mut self, expected: Kind) -> Result<()> {
        let kind = self.kind()?;
        if kind == expected {
            return Ok(());
        }
        self.stop();
        let (list, other) = match kind {
            Kind::UrlSet => ("pages", "`UrlSet` or `Document`"),
            Kind::SitemapIndex => (
                "sitemaps",
                "`SitemapIndex` or `Document`, and then the sitemaps that it lists",
            ),
        };
        let error = self.wrong_root(
            Message::new(format!(
                "this is a {kind}, which lists {list}, and a {expected} was asked for"
            ))
            .advice(format!("read it as {other}")),
        );
        Err(error.ending_reading())
    }

    /// The error for a `urlset` or `sitemapindex` in a namespace that is not a sitemap's.
    #[cold]
    pub(super) fn wrong_namespace(&self, name: &str) -> Error {
        self.wrong_root(
            Message::new(format!(
                "the root {} is in the wrong namespace: a sitemap's is `{}`",
                quote(name),
                names::CORE
            ))
            .advice("correct its `xmlns`"),
        )
        .with_defect(Defect::Namespace)
    }

    /// The error for a root that is neither `urlset` nor `sitemapindex`.
    #[cold]
    pub(super) fn other_root(&mut self, name: &str) -> Error {
        let (_, local) = names::split(name);
        if HTML.iter().any(|name| name.eq_ignore_ascii_case(local)) {
            return self.scanner.html_page();
        }
        let message = Message::new(format!(
            "the root is {}, and a sitemap's is `urlset` or `sitemapindex`",
            quote(name)
        ));
        let message = if local == "schemalist" {
            message.advice(
                "this document is a schema map, which lists structured data; name it by `Schemamap:` in robots.txt, not by `Sitemap:`",
            )
        } else {
            message.advice("this document is not a sitemap")
        };
        self.wrong_root(message).with_defect(Defect::Root)
    }

    #[cold]
    pub(super) fn wrong_root(&self, message: Message) -> Error {
        Error::data(message)
            .breaks(Rule::Ns)
            .at(self.scanner.position(self.scanner.token().start))
    }
}
