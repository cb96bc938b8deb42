//! Checked writing of one entry, value by value.
//!
//! **Writing checks first.** An entry is built in a buffer: each value is checked, then the entry's size, and only then is it added to the
//! document. After an error nothing of it remains. Full blocks are written before an entry is added, never after, so a failing writer never
//! leaves half an entry in doubt.

use std::fmt;

use sitemap_values::{ChangeFreq, Precision, Priority, Rule, W3cDateTime};

use crate::error::{Defect, Error, Message, Result, Suggestion};
#[cfg(feature = "derive")]
use crate::loc::LocOverrides;
use crate::loc::{CurrentRules, LocRules, MountedRules, TemplateUrl, UrlBuffer};
use crate::model::Kind;

use crate::xml::names::{KnownNamespaces, NamespaceSet};

use super::against_loc::AgainstLoc;
use super::elements::Elements;
use super::invalid::{Omitted, OnInvalid};
use super::languages::KnownLanguages;
use super::slot::{Layout, Slot};

/// Buffers and settings for writing entries, reused from entry to entry.
#[derive(Debug)]
pub(crate) struct RecordState {
    pub(crate) elements: Elements,
    pub(super) against_loc: AgainstLoc,
    pub(crate) known: KnownNamespaces,
    pub(super) rules: MountedRules,
    /// The kind of document that the last entry belongs in.
    pub(crate) kind: Kind,
    /// `true` if the entry may determine the document's kind.
    may_decide: bool,
    /// `true` if the alternates of every entry are checked against its loc.
    pub(crate) check_alternates: bool,
    pub(crate) on_invalid: OnInvalid,
    pub(crate) omitted: Omitted,
    /// The precision of lastmods.
    pub(crate) precision: Precision,
    /// `true` if a part of the entry was refused.
    pub(super) failed: bool,
    /// The entry's lastmod.
    pub(crate) lastmod: Option<W3cDateTime>,
    /// Buffer for a template's URL.
    template: Vec<u8>,
    /// Buffer for a URL that had to be changed.
    pub(super) url: UrlBuffer,
    /// Buffer for a value's `Display` text.
    pub(super) scratch: String,
    /// The languages of earlier links.
    pub(super) languages: KnownLanguages,
}

impl RecordState {
    pub(crate) fn new(pretty: bool, rules: LocRules, known: KnownNamespaces) -> Self {
        RecordState::in_layout(pretty.then(Layout::pretty), rules, known)
    }

    pub(crate) fn in_layout(layout: Option<Layout>, rules: LocRules, known: KnownNamespaces) -> Self {
        RecordState {
            elements: Elements::new(layout),
            against_loc: AgainstLoc::default(),
            known,
            rules: MountedRules::new(rules),
            kind: Kind::UrlSet,
            may_decide: false,
            check_alternates: false,
            on_invalid: OnInvalid::Fail,
            omitted: Omitted::default(),
            precision: Precision::Fraction,
            failed: false,
            lastmod: None,
            template: Vec::new(),
            url: UrlBuffer::default(),
            scratch: String::new(),
            languages: KnownLanguages::default(),
        }
    }

    /// Clears the state for the next entry of the same type.
    fn clear(&mut self) {
        self.elements.begin();
        self.against_loc.clear();
        self.against_loc.alternates = self.check_alternates;
        self.against_loc.at_once = self.drops_values();
        self.failed = false;
        self.lastmod = None;
    }

    /// Returns `true` if the entry has no values so far.
    pub(crate) fn is_blank(&self) -> bool {
        self.elements.is_empty() && !self.failed
    }

    /// The entry's loc, resolved and encoded; empty if there is none so far.
    pub(crate) fn loc(&self) -> &str {
        self.elements.url()
    }

    /// Returns an error if the settings for locs are invalid.
    pub(crate) fn check_rules(&self) -> Result<()> {
        self.rules.check()
    }

    /// Checks a complete entry: it has a loc, and valid elements.
    pub(crate) fn check_complete(&mut self, kind: Kind) -> Result<()> {
        if self.elements.has(Slot::Loc) {
            return self.check_elements();
        }
        Err(Error::data(
            Message::new(format!("no `loc`: every `{}` has exactly one", kind.entry()))
                .advice("add the entry's URL"),
        )
        .breaks(Rule::Dup)
        .within(Slot::Loc.name()))
    }

    /// Checks the elements of a complete entry.
    #[inline]
    fn check_elements(&mut self) -> Result<()> {
        if self.failed || !self.elements.at_entry() {
            return Err(Error::custom(
                "a part of the entry could not be written, as an error before this one says; return that error",
            ));
        }
        if self.against_loc.is_empty() {
            return Ok(());
        }
        self.check_against_loc()
    }
}

/// Receives the entries of a row.
pub(crate) trait RowReceiver {
    /// Returns an error if another entry does not fit.
    fn begin(&mut self) -> Result<()>;

    /// Receives the entry in the record state.
    fn end(&mut self, record: &mut RecordState) -> Result<()>;
}

/// As a supertrait, `Debug` would link the whole writer's implementation into every program.
impl fmt::Debug for dyn RowReceiver + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RowReceiver")
    }
}

/// Writes the values of one entry. After an error, the value is not in the entry.
#[derive(Debug)]
pub(crate) struct RecordWriter<'a> {
    pub(super) state: &'a mut RecordState,
    pub(super) kind: Kind,
}

impl<'a> RecordWriter<'a> {
    pub(crate) fn new(state: &'a mut RecordState, kind: Kind) -> Self {
        state.clear();
        state.omitted.clear();
        state.rules.reset();
        state.kind = kind;
        state.may_decide = false;
        RecordWriter { state, kind }
    }

    /// Allows the entry to determine the document's kind, as the first entry does if the builder did not.
    pub(crate) fn may_decide(self) -> Self {
        self.state.may_decide = true;
        self
    }

    /// Sets the kind of document that the entry belongs in. Called before any value.
    ///
    /// # Errors
    /// If the document is of the other kind (P-NS).
    pub(crate) fn expect(&mut self, kind: Kind) -> Result<()> {
        if self.kind == kind {
            return Ok(());
        }
        if self.state.may_decide {
            self.kind = kind;
            self.state.kind = kind;
            return Ok(());
        }
        Err(other_kind(kind, self.kind))
    }

    /// Marks the entry as failed: it is not written even if the caller ignores the error.
    #[cold]
    pub(crate) fn fail(&mut self) {
        self.state.failed = true;
    }

    /// Begins the next entry of a row. The loc overrides of the row's type still apply.
    pub(crate) fn begin_next(&mut self, rules: CurrentRules) {
        self.state.clear();
        self.state.rules.restore(rules);
    }

    /// The URL rules that apply now.
    pub(crate) fn rules(&self) -> CurrentRules {
        self.state.rules.current()
    }

    /// Returns `true` if the entry has no values so far.
    pub(crate) fn is_blank(&self) -> bool {
        self.state.is_blank()
    }

    /// Checks that the entry is complete, and gives it to its row.
    pub(crate) fn end(&mut self, row: &mut dyn RowReceiver) -> Result<()> {
        self.state.check_complete(self.state.kind)?;
        row.end(self.state)?;
        let RecordState {
            omitted, elements, ..
        } = &mut *self.state;
        omitted.end_entry(|| elements.url().to_owned());
        // The document's kind is determined now.
        self.state.may_decide = false;
        Ok(())
    }

    /// Reborrows the writer, to pass it to a function.
    pub(crate) fn reborrow(&mut self) -> RecordWriter<'_> {
        RecordWriter {
            kind: self.kind,
            state: self.state,
        }
    }

    /// Makes a writer for an entry of a document whose root declares these namespaces.
    pub(crate) fn below(state: &'a mut RecordState, kind: Kind, declared: NamespaceSet) -> Self {
        state.elements.scopes.root_declares(declared);
        RecordWriter::new(state, kind)
    }

    /// Applies the loc overrides of the entry's type from here on.
    #[cfg(feature = "derive")]
    pub(crate) fn mount(&mut self, overrides: LocOverrides) {
        self.state.rules.mount(overrides);
    }

    pub(crate) fn loc(&mut self, loc: &str) -> Result<()> {
        self.admit(Slot::Loc)?;
        let state = &mut *self.state;
        let url = state.rules.get().apply(loc, self.kind, &mut state.url);
        state.elements.loc(url.map_err(within_loc)?);
        Ok(())
    }

    /// Writes a loc built from a template's literals and values, which `build` gives.
    pub(crate) fn loc_template(
        &mut self,
        build: impl for<'t> FnOnce(TemplateUrl<'t>) -> Result<TemplateUrl<'t>>,
    ) -> Result<()> {
        self.admit(Slot::Loc)?;
        let state = &mut *self.state;
        let url = state
            .rules
            .get()
            .apply_template(self.kind, &mut state.template, &mut state.url, build);
        state.elements.loc(url.map_err(within_loc)?);
        Ok(())
    }

    /// Builds the URL of an element from a template's literals and values, which `build` gives, checks it, and passes it to
    /// `write`.
    #[cfg(feature = "derive")]
    pub(crate) fn link_template(
        &mut self,
        name: &'static str,
        build: impl for<'t> FnOnce(TemplateUrl<'t>) -> Result<TemplateUrl<'t>>,
        write: impl FnOnce(&mut Self, &str) -> Result<()>,
    ) -> Result<()> {
        let mut template = std::mem::take(&mut self.state.template);
        let mut encoded = std::mem::take(&mut self.state.url);
        let url = self
            .state
            .rules
            .get()
            .apply_link_template(&mut template, &mut encoded, build);
        let url = url.map_err(|error| error.within(name));
        let written = url.and_then(|url| write(self, url));
        (self.state.template, self.state.url) = (template, encoded);
        written
    }

    /// Checks the alternates of this entry against its loc once it is complete (P-ALT3).
    #[cfg(feature = "derive")]
    pub(crate) fn check_alternates(&mut self) {
        self.state.against_loc.alternates = true;
    }

    pub(crate) fn lastmod(&mut self, lastmod: &W3cDateTime) -> Result<()> {
        let mut lastmod = *lastmod;
        if self.cuts_lastmod() {
            lastmod = lastmod.truncated_to(self.state.precision);
        }
        self.right(Slot::Lastmod, |out| lastmod.push_to(out))?;
        self.note_lastmod(Some(lastmod));
        Ok(())
    }

    /// Returns `true` if lastmods may need truncation.
    #[inline]
    pub(super) fn cuts_lastmod(&self) -> bool {
        self.state.precision < Precision::Fraction
    }

    /// Keeps the entry's lastmod for the document's newest date.
    #[inline]
    pub(super) fn note_lastmod(&mut self, lastmod: Option<W3cDateTime>) {
        if lastmod.is_some() {
            self.state.lastmod = lastmod;
        }
    }

    pub(crate) fn changefreq(&mut self, changefreq: ChangeFreq) -> Result<()> {
        self.right(Slot::Changefreq, |out| {
            out.extend_from_slice(changefreq.as_str().as_bytes());
        })
    }

    pub(crate) fn priority(&mut self, priority: Priority) -> Result<()> {
        self.right(Slot::Priority, |out| priority.push_to(out))
    }

    /// Writes a value whose type guarantees that it is valid.
    #[inline]
    pub(super) fn right(&mut self, slot: Slot, write: impl FnOnce(&mut Vec<u8>)) -> Result<()> {
        self.admit(slot)?;
        self.state.elements.core(slot, write);
        Ok(())
    }

    /// Writes a value given as text, checked by its element's rule. An empty text is an absent value, except for `loc`.
    pub(crate) fn text(&mut self, slot: Slot, text: &str) -> Result<()> {
        let text = crate::xml::trim(text);
        if slot == Slot::Loc {
            return self.loc(text);
        }
        if text.is_empty() {
            return Ok(());
        }
        self.admit(slot)?;
        let valid = match slot {
            Slot::Loc => Ok(()),
            Slot::Lastmod => match W3cDateTime::parse_serialized(text) {
                Some(lastmod) if self.cuts_lastmod() => return self.lastmod(&lastmod),
                Some(lastmod) => {
                    self.note_lastmod(Some(lastmod));
                    Ok(())
                }
                None => Err(W3cDateTime::explain(text)),
            },
            Slot::Changefreq => ChangeFreq::parse(text)
                .map(drop)
                .ok_or_else(|| ChangeFreq::explain(text)),
            Slot::Priority => Priority::parse(text)
                .map(drop)
                .ok_or_else(|| Priority::explain(text)),
        };
        valid.map_err(|error| Error::from(error).within(slot.name()))?;
        self.state
            .elements
            .core(slot, |out| out.extend_from_slice(text.as_bytes()));
        Ok(())
    }

    /// Writes a value that is already checked. It does not call [`text`](Self::text), so that programs with only such values
    /// are built without the checks of all values.
    pub(crate) fn checked_text(&mut self, slot: Slot, text: &str) -> Result<()> {
        let lastmod = match slot {
            Slot::Lastmod => W3cDateTime::parse(text),
            _ => None,
        };
        match lastmod {
            Some(lastmod) if self.cuts_lastmod() => return self.lastmod(&lastmod),
            lastmod => self.note_lastmod(lastmod),
        }
        self.right(slot, |out| out.extend_from_slice(text.as_bytes()))
    }

    /// Lends the scratch buffer, to build a value before it is checked.
    pub(crate) fn scratch(&mut self) -> &mut String {
        &mut self.state.scratch
    }

    /// Returns an error if the entry may not have this element, or has it already (P-DUP, P-INDEXTAGS).
    fn admit(&self, slot: Slot) -> Result<()> {
        if self.state.elements.has(slot) {
            return Err(second(slot));
        }
        if self.kind == Kind::SitemapIndex && slot > Slot::Lastmod {
            let name = slot.name();
            return Err(Error::data(
                Message::new(format!(
                    "a `{name}` in an index: a `sitemap` entry has a loc and a lastmod, nothing else"
                ))
                .advice(NOT_IN_INDEX)
                .suggestion(Suggestion::certain("")),
            )
            .breaks(Rule::IndexTags)
            .within(name));
        }
        Ok(())
    }
}

/// The advice for elements of a page in an index.
pub(super) const NOT_IN_INDEX: &str = "leave it out, or list the page in a urlset";

/// The error for a repeated value.
#[cold]
fn second(slot: Slot) -> Error {
    let name = slot.name();
    Error::data(Message::new(format!("a second `{name}`: an entry has at most one")).advice("write only one"))
        .breaks(Rule::Dup)
        .with_defect(Defect::Excess)
        .within(name)
}

/// The error for an entry of one kind in a document of the other.
#[cold]
fn other_kind(entry: Kind, document: Kind) -> Error {
    Error::data(
        Message::new(format!(
            "a `{}` entry in a {document}: a {document} lists `{}` entries",
            entry.entry(),
            document.entry()
        ))
        .advice(format!(
            "write it to a {entry}, with `Kind::{entry:?}` or the type `{entry:?}`"
        )),
    )
    .breaks(Rule::Ns)
}

#[cold]
fn within_loc(error: Error) -> Error {
    error.within(Slot::Loc.name())
}
