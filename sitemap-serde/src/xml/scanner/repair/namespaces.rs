//! Namespaces that are read although their URIs are misspelt, and missing ones (P-NS).
//!
//! Strict reading accepts them too, so that a well-formed document means the same in both modes. Lenient reading notes each once: a writer
//! declares the right ones, and crawlers may compare URIs character by character.

use sitemap_values::Rule;
use sitemap_values::quote::quote;
use sitemap_values::suggest::nearest;

use crate::diagnostic::Problem;
use crate::error::{Defect, Error, Message, Suggestion};
use crate::schema::Spelling;
use crate::xml::names::{self, CORE, Namespace};
use crate::xml::reference::unescape;
use crate::xml::source::Window;

use super::super::{Scanner, Span};

impl<S: Window> Scanner<S> {
    /// Notes the misspelt namespaces that the last start tag declares. Called if one of its declarations is new to the document.
    #[cold]
    pub(in crate::xml::scanner) fn note_odd_namespaces(&mut self) {
        for (name, raw) in self.raw_attributes.clone() {
            let (prefix, local) = names::split(self.text(name));
            if !matches!((prefix, local), ("", "xmlns") | ("xmlns", _)) {
                continue;
            }
            let text = self.text(raw.clone()).to_owned();
            let uri = unescape(text.trim());
            let Some((namespace, Spelling::Legacy)) = names::of_uri(&uri) else {
                continue;
            };
            let known = self.repairs.as_mut().map(|repairs| &mut repairs.odd_uris);
            if known.is_some_and(|known| known.insert(&uri))
                && let Some(meant) = namespace.uri()
            {
                let message = Message::new(format!(
                    "{} is not the namespace of {}, although some readers take it for `{meant}`: URIs are compared character by \
                     character",
                    quote(&uri),
                    shown(namespace)
                ));
                let message = message.advice(format!("write `{meant}`"));
                self.note_spelling(message, &raw, meant);
            }
        }
    }

    /// Notes that the root, whose start tag was the last token, is in no namespace.
    #[cold]
    pub(crate) fn note_no_namespace(&mut self) {
        let misspelt = self.raw_attributes.iter().find(|(name, raw)| {
            let is_uri = || names::of_uri(self.text(raw.clone()).trim());
            is_misspelt_xmlns(self.text(name.clone()))
                && is_uri().is_some_and(|(namespace, _)| namespace == Namespace::Core)
        });
        if let Some((name, _)) = misspelt.cloned() {
            let message = Message::new(format!(
                "the attribute {} declares no namespace, so that the root is in none",
                quote(self.text(name.clone()))
            ));
            self.note_spelling(message.advice("write `xmlns`"), &name, "xmlns");
            return;
        }
        let message = Message::new("the root is in no namespace");
        let message = message.advice(format!("declare it: `xmlns=\"{CORE}\"`"));
        let name = self.start + 1..self.start + 1;
        self.note_spelling(message, &name, "");
    }

    /// Notes a misspelling at `span`, which is to be `meant`.
    fn note_spelling(&mut self, message: Message, span: &Span, meant: &str) {
        let found = self.text(span.clone()).to_owned();
        let message = if meant.is_empty() {
            message
        } else {
            message.suggestion(Suggestion::certain(meant.to_owned()))
        };
        let error = Error::data(message)
            .breaks(Rule::Ns)
            .with_defect(Defect::Spelling)
            .at(self.position(span.start));
        self.note_problem(Problem::new(error).len(found.len()).in_text(&found));
    }
}

/// Returns `true` if the name of an attribute is most likely a misspelt `xmlns`.
pub(crate) fn is_misspelt_xmlns(name: &str) -> bool {
    name != "xmlns" && nearest(name, ["xmlns"]).is_some()
}

/// The noun for a namespace in messages.
fn shown(namespace: Namespace) -> &'static str {
    match namespace.prefix() {
        Some("image") => "images",
        Some("video") => "videos",
        Some("news") => "news",
        Some("xhtml") => "XHTML",
        Some("mobile") => "`mobile:mobile`",
        Some("pagemap") => "PageMaps",
        _ => "sitemaps",
    }
}
