//! One entry on its way out, checked value by value.

use std::borrow::Cow;
use std::fmt;

use crate::datetime::{Precision, W3cDateTime};
use crate::error::{Error, Result, Words};
#[cfg(feature = "derive")]
use crate::loc::LocOverrides;
use crate::loc::{CurrentRules, LocRules, MountedRules, TemplateUrl};
use crate::model::{ChangeFreq, Kind, Priority};
use crate::rule::Rule;

use crate::xml::escape::unescaped_url;
use crate::xml::names::{Known, NamespaceSet};

use super::elements::Elements;
use super::extension::AgainstLoc;
use super::omit::{Omits, Omitted};
use super::{RecordBuffer, Slot};

/// What entries are written with; reused from entry to entry.
#[derive(Debug)]
pub(crate) struct RecordState {
    pub(crate) buffer: RecordBuffer,
    /// What is not the core's.
    pub(crate) elements: Elements,
    pub(super) against_loc: AgainstLoc,
    pub(crate) known: Known,
    pub(super) rules: MountedRules,
    /// The kind of the document that the last entry is in, or asks for.
    pub(crate) kind: Kind,
    /// Whether the entry may say which kind that is.
    may_decide: bool,
    /// Whether alternates are held against their entry, in every one.
    pub(crate) check_alternates: bool,
    /// What is left out where a value is wrong.
    pub(crate) omits: Omits,
    pub(crate) omitted: Omitted,
    /// How exact a lastmod is written at most.
    pub(crate) precision: Precision,
    /// Whether a part of the entry was refused.
    failed: bool,
    /// The entry's lastmod.
    pub(crate) lastmod: Option<W3cDateTime>,
    /// Room for a template's URL.
    template: Vec<u8>,
    /// Room for a URL that is not what it was given as.
    pub(super) url: Vec<u8>,
    /// Room for a value that is text only once it is displayed.
    pub(super) scratch: String,
}

impl RecordState {
    pub(crate) fn new(pretty: bool, rules: LocRules, known: Known) -> Self {
        RecordState {
            buffer: RecordBuffer::new(pretty),
            elements: Elements::new(pretty),
            against_loc: AgainstLoc::default(),
            known,
            rules: MountedRules::new(rules),
            kind: Kind::UrlSet,
            may_decide: false,
            check_alternates: false,
            omits: Omits::Nothing,
            omitted: Omitted::default(),
            precision: Precision::Fraction,
            failed: false,
            lastmod: None,
            template: Vec::new(),
            url: Vec::new(),
            scratch: String::new(),
        }
    }

    /// Begins an entry of the type that the last one was of.
    fn clear(&mut self) {
        self.buffer.clear();
        self.elements.begin();
        self.against_loc.clear();
        self.against_loc.alternates = self.check_alternates;
        self.failed = false;
        self.lastmod = None;
    }

    /// Whether no value was given yet.
    pub(crate) fn is_blank(&self) -> bool {
        self.buffer.is_empty() && self.elements.is_empty() && !self.failed
    }

    /// The entry's loc, resolved and encoded; empty if there is none so far.
    pub(crate) fn loc(&self) -> Cow<'_, str> {
        unescaped_url(self.buffer.loc())
    }

    /// Whether locs can be written by the rules at all.
    pub(crate) fn check_rules(&self) -> Result<()> {
        self.rules.check()
    }

    /// The entry's last check: it has a loc.
    pub(crate) fn check_complete(&mut self, kind: Kind) -> Result<()> {
        if self.buffer.has(Slot::Loc) {
            return self.check_elements();
        }
        Err(Error::data(
            Words::new(format!("no `loc`: every `{}` has exactly one", kind.entry()))
                .advice("give the entry its URL"),
        )
        .breaks(Rule::Dup)
        .within(Slot::Loc.name()))
    }

    /// The last check of what is not the core's.
    #[inline]
    fn check_elements(&mut self) -> Result<()> {
        if self.failed || !self.elements.at_entry() {
            return Err(Error::custom(
                "a part of the entry could not be written, as an error before this one says; return that error",
            ));
        }
        if self.elements.is_empty() {
            return Ok(());
        }
        self.check_against_loc()
    }
}

/// Takes the entries of a row, one after the other.
pub(crate) trait Row: fmt::Debug {
    /// Whether another entry may come.
    fn begin(&mut self) -> Result<()>;

    /// Takes the entry that was given to the record.
    fn end(&mut self, record: &mut RecordState) -> Result<()>;
}

/// Takes the values of one entry. An error leaves out the value that it is about.
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

    /// Lets the entry say which kind of document it is for, as the first one may where nobody else has.
    pub(crate) fn may_decide(self) -> Self {
        self.state.may_decide = true;
        self
    }

    /// Says that the entry is one of that kind of document, before any of its values.
    ///
    /// # Errors
    /// If it is in the other kind (P-NS).
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

    /// Notes that a part of the entry was refused: it is not written, even if whoever gives its values goes on.
    #[cold]
    pub(crate) fn fail(&mut self) {
        self.state.failed = true;
    }

    /// Begins the next entry of a row. What the row's type says of its URLs still holds.
    pub(crate) fn begin_next(&mut self, rules: CurrentRules) {
        self.state.clear();
        self.state.rules.restore(rules);
    }

    /// The rules of URLs that hold now.
    pub(crate) fn rules(&self) -> CurrentRules {
        self.state.rules.current()
    }

    /// Whether no value was given yet.
    pub(crate) fn is_blank(&self) -> bool {
        self.state.is_blank()
    }

    /// Gives the entry, if it is complete, to the row that it is of.
    pub(crate) fn end(&mut self, row: &mut dyn Row) -> Result<()> {
        self.state.check_complete(self.state.kind)?;
        row.end(self.state)?;
        let RecordState { omitted, buffer, .. } = &mut *self.state;
        omitted.end_entry(|| unescaped_url(buffer.loc()).into_owned());
        // The document has its kind now.
        self.state.may_decide = false;
        Ok(())
    }

    /// For somebody else to give values through.
    pub(crate) fn reborrow(&mut self) -> RecordWriter<'_> {
        RecordWriter {
            kind: self.kind,
            state: self.state,
        }
    }

    /// One for an entry of a document whose root declares these namespaces.
    pub(crate) fn below(state: &'a mut RecordState, kind: Kind, declared: NamespaceSet) -> Self {
        state.elements.root_declares(declared);
        RecordWriter::new(state, kind)
    }

    /// What the entry's type says of its URLs holds from here on.
    #[cfg(feature = "derive")]
    pub(crate) fn mount(&mut self, overrides: LocOverrides) {
        self.state.rules.mount(overrides);
    }

    pub(crate) fn loc(&mut self, loc: &str) -> Result<()> {
        self.admit(Slot::Loc)?;
        let state = &mut *self.state;
        let url = state.rules.get().apply(loc, self.kind, &mut state.url);
        state.buffer.push_url(url.map_err(within_loc)?);
        Ok(())
    }

    /// Writes the loc whose parts `build` gives to the template.
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
        state.buffer.push_url(url.map_err(within_loc)?);
        Ok(())
    }

    /// Puts the URL of an element of that name together of the parts that `build` gives, for `write` to write.
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

    /// Holds the alternates of this entry against it (P-ALT3).
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

    /// Whether a lastmod may have to be written less exact than it is.
    #[inline]
    pub(super) fn cuts_lastmod(&self) -> bool {
        self.state.precision < Precision::Fraction
    }

    /// Notes the lastmod of the entry, for whoever asks for it when the entry is written.
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

    /// Writes a value that is right by its type.
    #[inline]
    pub(super) fn right(&mut self, slot: Slot, write: impl FnOnce(&mut Vec<u8>)) -> Result<()> {
        self.admit(slot)?;
        self.state.buffer.push_plain(slot, write);
        Ok(())
    }

    /// Writes a value given as text, checked by the rule of its element. An empty text is an absent value, but in `loc`.
    pub(crate) fn text(&mut self, slot: Slot, text: &str) -> Result<()> {
        let text = crate::xml::trim(text);
        if slot == Slot::Loc {
            return self.loc(text);
        }
        if text.is_empty() {
            return Ok(());
        }
        if slot == Slot::Lastmod
            && self.cuts_lastmod()
            && let Some(lastmod) = W3cDateTime::parse(text)
        {
            return self.lastmod(&lastmod);
        }
        self.admit(slot)?;
        let valid = match slot {
            Slot::Loc => Ok(()),
            Slot::Lastmod => W3cDateTime::parse(text)
                .map(drop)
                .ok_or_else(|| W3cDateTime::explain(text)),
            Slot::Changefreq => ChangeFreq::parse(text)
                .map(drop)
                .ok_or_else(|| ChangeFreq::explain(text)),
            Slot::Priority => Priority::parse(text)
                .map(drop)
                .ok_or_else(|| Priority::explain(text)),
        };
        valid.map_err(|error| error.within(slot.name()))?;
        self.state
            .buffer
            .push_plain(slot, |out| out.extend_from_slice(text.as_bytes()));
        if slot == Slot::Lastmod {
            self.state.lastmod = text.parse().ok();
        }
        Ok(())
    }

    /// Writes a value that has been checked before.
    pub(crate) fn checked_text(&mut self, slot: Slot, text: &str) -> Result<()> {
        if slot == Slot::Lastmod && self.cuts_lastmod() {
            return self.text(slot, text);
        }
        self.right(slot, |out| out.extend_from_slice(text.as_bytes()))
    }

    /// Lends the scratch text, for a value that has to be put together before it is checked.
    pub(crate) fn scratch(&mut self) -> &mut String {
        &mut self.state.scratch
    }

    /// P-DUP, P-INDEXTAGS: whether the child may come.
    fn admit(&self, slot: Slot) -> Result<()> {
        if self.state.buffer.has(slot) {
            return Err(second(slot));
        }
        if self.kind == Kind::SitemapIndex && slot > Slot::Lastmod {
            let name = slot.name();
            return Err(Error::data(
                Words::new(format!(
                    "a `{name}` in an index: a `sitemap` entry has a loc and a lastmod, nothing else"
                ))
                .advice(NOT_IN_INDEX),
            )
            .breaks(Rule::IndexTags)
            .within(name));
        }
        Ok(())
    }
}

/// What to do with what only a page has.
pub(super) const NOT_IN_INDEX: &str = "leave it out, or list the page in a urlset";

/// The error for a value that is given twice.
#[cold]
fn second(slot: Slot) -> Error {
    let name = slot.name();
    Error::data(
        Words::new(format!("a second `{name}`: an entry has at most one"))
            .advice("write the one that counts"),
    )
    .breaks(Rule::Dup)
    .within(name)
}

/// The error for an entry of the one kind in a document of the other.
#[cold]
fn other_kind(entry: Kind, document: Kind) -> Error {
    Error::data(
        Words::new(format!(
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
