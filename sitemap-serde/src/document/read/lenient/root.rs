//! Finding a sitemap's root in a lenient reading: among other text, in other elements, or missing.

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::error::{Defect, Error, Message, Result};
use crate::loc::Address;
use crate::model::Kind;
use crate::record::Slot;
use crate::xml::names::{self, Namespace};
use crate::xml::scanner::Token;
use crate::xml::source::Window;

use crate::document::read::{Body, DocumentReader};

impl<S: Window> DocumentReader<S> {
    /// The error of a document that ends before its root, and was perhaps truncated.
    fn no_root(&mut self) -> Error {
        let (notes, _) = self.scanner.take_notes();
        let mut errors = notes.into_iter().map(|note| note.error);
        errors
            .find(|error| error.rule() == Some(Rule::Gzip))
            .unwrap_or_else(|| Error::eof("the document has no root"))
    }

    /// Finds the root of a sitemap, and its kind, which its entries decide.
    #[cold]
    pub(in crate::document::read) fn open_lenient(&mut self) -> Result<Kind> {
        let kind = self.find_lenient_root()?;
        let begins_in_entry = self
            .lenient
            .as_ref()
            .is_some_and(|lenient| lenient.begins_in_entry);
        if begins_in_entry || !matches!(self.body, Body::Sitemap) {
            return Ok(kind);
        }
        let (other, problem) = match kind {
            Kind::UrlSet => (
                Kind::SitemapIndex,
                "the root is `urlset`, and its entries are `sitemap`: sitemaps belong in a `sitemapindex`",
            ),
            Kind::SitemapIndex => (
                Kind::UrlSet,
                "the root is `sitemapindex`, and its entries are `url`: pages belong in a `urlset`",
            ),
        };
        if !self.scanner.has_only(other.entry(), kind.entry()) {
            return Ok(kind);
        }
        let message = Message::new(problem).advice(format!("write `{}`", other.root()));
        let error = self.wrong_root(message).with_defect(Defect::Root);
        self.scanner.note(error);
        Ok(other)
    }

    /// Finds the root of a sitemap inside any other markup.
    fn find_lenient_root(&mut self) -> Result<Kind> {
        self.limits.check()?;
        self.scanner.known().check()?;
        if let Some(lenient) = &mut self.lenient
            && let Some(location) = &lenient.settings.location
        {
            lenient.location = Some(Address::parse(location)?);
        }
        if self.is_list()? {
            return Ok(Kind::UrlSet);
        }
        self.scanner.skip_text_before_declaration();
        let mut other = None;
        // `true` if the tokens so far can be the rest of an entry whose beginning is missing.
        let mut is_headless = true;
        loop {
            let token = match self.scanner.next() {
                Ok(Token::Eof) => Err(self.no_root()),
                token => token,
            };
            let (name, namespace) = match (token, &other) {
                (Ok(Token::Start { name, namespace }), _) => (name, namespace),
                (Ok(Token::Aside), None) => {
                    self.note_stylesheet();
                    continue;
                }
                (Ok(_), _) => continue,
                (Err(_), Some(_)) => {
                    return Err(other.unwrap_or_else(|| Error::eof("the document has no root")));
                }
                (Err(error), None) => return Err(error),
            };
            let name = self.scanner.text(name).to_owned();
            let (_, local) = names::split(&name);
            let kind = Kind::ALL
                .into_iter()
                .find(|kind| kind.root().eq_ignore_ascii_case(local));
            let entry = Kind::ALL
                .into_iter()
                .find(|kind| kind.entry().eq_ignore_ascii_case(local));
            if let Some(kind) = entry.filter(|_| is_headless) {
                // The text before it is the rest of an entry.
                let is_cut = other.is_some() || self.scanner.has_note_of_markup();
                let error = other.unwrap_or_else(|| self.other_root(&name));
                self.scanner.note(if is_cut { error.losing() } else { error });
                let (prefix, _) = names::split(&name);
                self.scanner.take_for_core(prefix);
                self.root_depth = self.scanner.depth() - 1;
                if let Some(lenient) = &mut self.lenient {
                    lenient.begins_in_entry = true;
                }
                return Ok(kind);
            }
            if other.is_none() && self.is_feed(&name) {
                return Ok(Kind::UrlSet);
            }
            is_headless &= Slot::from_name(&local.to_ascii_lowercase()).is_some();
            let error = match kind {
                Some(kind) if kind.root() == local && namespace.is_core() && other.is_none() => {
                    if namespace == Namespace::None {
                        self.scanner.note_no_namespace();
                    }
                    self.root_depth = self.scanner.depth();
                    return Ok(kind);
                }
                Some(_) if !namespace.is_core() => self.wrong_namespace(&name),
                Some(kind) => self.wrong_root(Message::new(format!(
                    "the root is {}: names are case-sensitive, and it is `{}`",
                    quote(&name),
                    kind.root()
                ))),
                None => self.other_root(&name),
            };
            match kind {
                Some(kind) => {
                    self.scanner.note(other.unwrap_or(error));
                    let (prefix, _) = names::split(&name);
                    self.scanner.take_for_core(prefix);
                    self.root_depth = self.scanner.depth();
                    return Ok(kind);
                }
                None => {
                    other.get_or_insert(error);
                }
            }
        }
    }
}
