//! Misplaced parts between the entries of a document: text, elements that are not entries, and entries of the other kind.
//!
//! **Lost data is an error.** Unknown elements of the core namespace below the root, text between entries, an entry within an entry, and
//! core names in upper case are errors: a reader that ignored them would return an empty list for a file full of pages. Elements of other
//! namespaces, and unknown core elements within an entry, are ignored.

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::error::{Error, Facts, Message, Result};
use crate::model::Kind;
use crate::record;
use crate::xml::chars::{is_space, name_len};
use crate::xml::names::{self, Namespace};
use crate::xml::scanner::Span;
use crate::xml::source::Window;
use crate::xml::trim;

use super::{DocumentReader, SITEMAP};

impl<S: Window> DocumentReader<S> {
    /// Handles an element that is not an entry of the document; its start tag was the last token. An element of another namespace is
    /// skipped; another element of the core namespace is an error. A lenient reading searches it for entries. Returns `true` if the
    /// table has an entry.
    pub(super) fn other_element<const LENIENT: bool>(
        &mut self,
        kind: Kind,
        name: &Span,
        namespace: Namespace,
    ) -> Result<bool> {
        if LENIENT {
            return self.other_element_repaired(kind, name, namespace);
        }
        if !namespace.is_core() {
            return record::skip(&mut self.scanner).map(|()| false);
        }
        let (_, local) = names::split(self.scanner.text(name.clone()));
        let error = if matches!(local, "url" | "sitemap") {
            // An entry, but not of this document.
            self.entries += 1;
            self.misplaced(kind)
        } else {
            self.unknown(kind)
        };
        record::skip(&mut self.scanner)?;
        Err(error)
    }

    /// The error for an element of the core namespace that is not an entry; its start tag was the last token.
    #[cold]
    pub(super) fn unknown(&self, kind: Kind) -> Error {
        let start = self.scanner.token().start;
        let position = self.scanner.position(start);
        let tag = self.scanner.text(self.scanner.token());
        let name = tag.get(1..).unwrap_or_default();
        let name = name.get(..name_len(name)).unwrap_or_default();
        let finding = Facts::new(name).names([kind.root(), kind.entry()]);
        Error::found(finding, unknown_element)
            .breaks(Rule::Ns)
            .at(position)
    }

    /// The error for a `sitemap` in a urlset or a `url` in a sitemapindex, whose start tag was the last token.
    #[cold]
    pub(super) fn misplaced(&self, kind: Kind) -> Error {
        let position = self.scanner.position(self.scanner.token().start);
        let message = Message::new(match kind {
            Kind::UrlSet => "a `sitemap` in a urlset: a urlset lists pages, `url` entries only",
            Kind::SitemapIndex => {
                "a `url` in a sitemapindex: a sitemapindex lists sitemaps, `sitemap` entries only"
            }
        });
        Error::data(message.advice("move it to a document of its own"))
            .breaks(Rule::Ns)
            .at(position)
    }

    /// Checks text outside of entries. A lenient reading reports it, if it is in the root, and its element was not.
    pub(super) fn text_between_entries<const LENIENT: bool>(
        &mut self,
        span: &Span,
        plain: bool,
        kind: Kind,
    ) -> Result<()> {
        if LENIENT && !self.is_text_of_root() {
            return Ok(());
        }
        match self.check_between_entries(span, plain, kind) {
            Err(error) if LENIENT => {
                self.scanner.note(error.losing());
                Ok(())
            }
            checked => checked,
        }
    }

    /// Returns `true` if text at the scanner's place is in the root, and in no element that was reported as lost.
    #[cold]
    fn is_text_of_root(&self) -> bool {
        let depth = self.scanner.depth();
        let lost_depth = self.lenient.as_ref().and_then(|lenient| lenient.lost_depth);
        let root = self
            .root_depth
            .checked_sub(1)
            .and_then(|index| self.scanner.open_name(index));
        // The root may have ended within another element.
        let is_root = |name| SITEMAP.is_root(names::split(name).1);
        depth >= self.root_depth && lost_depth.is_none_or(|lost| depth < lost) && root.is_none_or(is_root)
    }

    /// Returns an error if there is more than white space: text between entries would be lost.
    fn check_between_entries(&self, span: &Span, plain: bool, kind: Kind) -> Result<()> {
        let text = if plain {
            self.scanner.text(span.clone())
        } else {
            self.scanner.resolved()
        };
        let found = trim(text);
        if found.is_empty() {
            return Ok(());
        }
        let raw = self.scanner.text(span.clone());
        let before = raw.bytes().take_while(|&b| is_space(b)).count();
        let between = |found: &Facts| {
            let [root, entry] = found.names;
            Message::new(format!(
                "the text {} between entries: a {root} holds `{entry}` elements",
                quote(found.text())
            ))
            .advice("remove it, or put it in a comment")
        };
        let finding = Facts::new(found).names([kind.root(), kind.entry()]);
        Err(Error::found(finding, between)
            .breaks(Rule::Ns)
            .at(self.scanner.position(span.start + before)))
    }
}

/// The message for an element of the core namespace that no root has.
fn unknown_element(found: &Facts) -> Message {
    let [root, entry] = found.names;
    let (_, local) = names::split(found.text());
    let message = Message::new(format!(
        "{} is not an element of a {root}, whose entries are `{entry}` elements",
        quote(found.text())
    ));
    if local.eq_ignore_ascii_case(entry) {
        message.advice(format!("did you mean `{entry}`?"))
    } else if matches!(local, "loc" | "lastmod" | "changefreq" | "priority") {
        message.advice(format!("put it into a `{entry}`"))
    } else {
        message.advice("remove it, or give it a namespace of its own")
    }
}
