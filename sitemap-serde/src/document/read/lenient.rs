//! A document that is read whatever is wrong in it: where its root is, what its entries are, and what is told of it.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Severity};
use crate::error::{Category, Error, Result, Words};
use crate::loc::{self, Address};
use crate::model::Kind;
use crate::quote::{is_invisible, quote};
use crate::record::{self, Rest, Slot};
use crate::rule::Rule;
use crate::schema;
use crate::xml::names;
use crate::xml::reference::{has_reference, is_escaped, unescape};
use crate::xml::scanner::Token;
use crate::xml::sniff::is_url;
use crate::xml::source::Window;

use super::{DocumentReader, EntryStart, State, enter};

/// How a lenient reading is set up.
#[derive(Clone, Debug)]
pub(crate) struct Leniency {
    /// The document's own address.
    pub(crate) location: Option<String>,
    /// Whether what is escaped twice is resolved twice.
    pub(crate) unescapes_twice: bool,
    /// Whether what stands twice in an extension is left as it is.
    pub(crate) keeps_doubles: bool,
    /// How many diagnostics are kept until somebody takes them.
    pub(crate) kept: usize,
    pub(crate) callback: Option<Callback>,
}

impl Leniency {
    /// The most diagnostics that are kept unless said otherwise.
    const KEPT: usize = 1000;
}

impl Default for Leniency {
    fn default() -> Self {
        Leniency {
            location: None,
            unescapes_twice: false,
            keeps_doubles: false,
            kept: Self::KEPT,
            callback: None,
        }
    }
}

/// What is called with each diagnostic.
#[derive(Clone)]
pub(crate) struct Callback(pub(crate) Arc<dyn Fn(&Diagnostic) + Send + Sync>);

impl fmt::Debug for Callback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Callback")
    }
}

/// What a lenient reading knows.
#[derive(Debug)]
pub(super) struct Lenient {
    settings: Leniency,
    pub(super) address: Option<Address>,
    diagnostics: Vec<Diagnostic>,
    /// Diagnostics for which there was no room.
    left_out: u64,
    /// Further entries in the element of the last one.
    rest: Option<Rest>,
    /// The length of the last entry's text, if that is a part of its element.
    part_len: Option<usize>,
    /// Whether the last token is the start tag of the first entry, for which there is no root.
    begins_in_entry: bool,
}

/// How far the next entry is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begun {
    /// Nothing was tried.
    Nothing,
    /// It does not begin as those before it did.
    OtherThanBefore,
    /// Its beginning was [read](DocumentReader::read_known), perhaps all of it.
    Entry { is_whole: bool },
}

impl Lenient {
    /// Whether there is an entry that was met already.
    #[inline]
    pub(super) fn is_pending(&self) -> bool {
        self.rest.is_some() || self.begins_in_entry
    }
}

impl<S: Window> DocumentReader<S> {
    /// Reads on whatever is wrong, and notes it.
    pub(crate) fn be_lenient(&mut self, settings: Leniency) {
        self.scanner.be_lenient();
        self.lenient = Some(Box::new(Lenient {
            settings,
            address: None,
            diagnostics: Vec::new(),
            left_out: 0,
            rest: None,
            part_len: None,
            begins_in_entry: false,
        }));
    }

    pub(crate) fn is_lenient(&self) -> bool {
        self.lenient.is_some()
    }

    /// What was wrong and read all the same.
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        self.lenient.as_ref().map_or(&[], |lenient| &lenient.diagnostics)
    }

    pub(crate) fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        self.lenient
            .as_mut()
            .map_or_else(Vec::new, |lenient| std::mem::take(&mut lenient.diagnostics))
    }

    pub(crate) fn diagnostics_left_out(&self) -> u64 {
        self.lenient.as_ref().map_or(0, |lenient| lenient.left_out)
    }

    /// Tells what is wrong, and keeps it, if there are not too many of it.
    pub(crate) fn keep_diagnostic(&mut self, diagnostic: Diagnostic) {
        let Some(lenient) = &mut self.lenient else { return };
        if let Some(callback) = &lenient.settings.callback {
            callback.0(&diagnostic);
        }
        if lenient.diagnostics.len() < lenient.settings.kept {
            lenient.diagnostics.push(diagnostic);
        } else {
            lenient.left_out += 1;
        }
    }

    /// Tells more of what is wrong, and takes all that is kept, with it.
    pub(crate) fn tell_all(&mut self, more: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let Some(lenient) = &mut self.lenient else {
            return more;
        };
        if let Some(callback) = &lenient.settings.callback {
            for diagnostic in &more {
                callback.0(diagnostic);
            }
        }
        let mut all = std::mem::take(&mut lenient.diagnostics);
        all.extend(more);
        all
    }

    /// Makes diagnostics of what the scanner has noted, in the last entry or around it.
    #[cold]
    pub(super) fn gather_notes(&mut self, in_entry: bool) {
        let (notes, left_out) = self.scanner.take_notes();
        if let Some(lenient) = &mut self.lenient {
            lenient.left_out += left_out;
        }
        let start = self.scanner.offset_of(self.scanner.held());
        for note in notes {
            let is_in_entry = in_entry && note.position().is_some_and(|position| position.byte() >= start);
            let note = if is_in_entry && note.entry().is_none() {
                note.in_entry(self.entries)
            } else {
                note
            };
            self.keep_diagnostic(Diagnostic::of(&note, Rule::Xml, Severity::Error, 0));
        }
    }

    /// Tells that there were bytes that are not UTF-8, and where they began.
    pub(super) fn note_odd_bytes(&mut self) {
        if let Some((position, encoding)) = self.scanner.odd_bytes() {
            let (taken_as, advice) = match encoding {
                "UTF-8" => (
                    "windows-1252",
                    "convert the file to UTF-8, or declare the encoding that it is in",
                ),
                _ => ("U+FFFD", "convert the file to UTF-8, or correct its declaration"),
            };
            let words = Words::new(format!(
                "bytes that are not {encoding}, from here on: they are read as {taken_as}"
            ));
            let error = Error::syntax(words.advice(advice));
            self.scanner.note(error.breaks(Rule::Utf8).at(position));
        }
    }

    /// Where the last entry is in the window.
    #[inline]
    pub(super) fn entry_span(&self) -> Range<usize> {
        let start = self.scanner.held();
        match self.lenient.as_ref().and_then(|lenient| lenient.part_len) {
            Some(len) => start..start + len,
            None => start..self.scanner.token().end,
        }
    }

    /// The document's own address.
    pub(super) fn address(&self) -> Option<&Address> {
        self.lenient.as_ref().and_then(|lenient| lenient.address.as_ref())
    }

    /// Tells what is wrong in the last entry.
    #[cold]
    pub(super) fn tell(&mut self, error: Error, severity: Severity, found: Option<&str>) {
        let diagnostic = Diagnostic::of(&self.in_record(error), Rule::Dup, severity, 0);
        self.keep_diagnostic(match found {
            Some(found) => diagnostic.with_found(found),
            None => diagnostic,
        });
    }

    /// Finds the root of a sitemap, in whatever it stands.
    #[cold]
    pub(super) fn open_lenient(&mut self) -> Result<Kind> {
        self.scanner.known().check()?;
        if let Some(lenient) = &mut self.lenient
            && let Some(location) = &lenient.settings.location
        {
            lenient.address = Some(Address::parse(location)?);
        }
        if self.is_list()? {
            return Ok(Kind::UrlSet);
        }
        let mut other = None;
        // Whether all that came before is what is left of an entry.
        let mut is_headless = true;
        loop {
            let token = match self.scanner.next() {
                Ok(Token::Eof) => Err(Error::eof("the document has no root")),
                token => token,
            };
            let (name, namespace) = match (token, &other) {
                (Ok(Token::Start { name, namespace }), _) => (name, namespace),
                (Ok(_), _) => continue,
                (Err(_), Some(_)) => {
                    return Err(other.unwrap_or_else(|| Error::eof("the document has no root")));
                }
                (Err(error), None) => return Err(error),
            };
            let name = self.scanner.text(name).to_owned();
            let (_, local) = names::split(&name);
            let kind = [Kind::UrlSet, Kind::SitemapIndex]
                .into_iter()
                .find(|kind| kind.root().eq_ignore_ascii_case(local));
            let entry = [Kind::UrlSet, Kind::SitemapIndex]
                .into_iter()
                .find(|kind| kind.entry().eq_ignore_ascii_case(local));
            if let Some(kind) = entry.filter(|_| is_headless) {
                let error = self.other_root(&name);
                self.scanner.note(other.unwrap_or(error));
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
                    self.root_depth = self.scanner.depth();
                    return Ok(kind);
                }
                Some(_) if !namespace.is_core() => self.wrong_namespace(&name),
                Some(kind) => self.wrong_root(Words::new(format!(
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

    /// The next entry that has a loc, whatever stands around it, and what was read of it already.
    pub(super) fn next_repaired(&mut self, begun: Begun) -> Result<bool> {
        let before = self.entries - u64::from(matches!(begun, Begun::Entry { .. }));
        let found = self.try_next_repaired(begun);
        if self.scanner.has_notes() {
            self.gather_notes(self.entries > before);
        }
        found
    }

    fn try_next_repaired(&mut self, mut begun: Begun) -> Result<bool> {
        if self.state == State::New {
            self.kind()?;
        }
        let State::Open(kind) = self.state else {
            return Ok(false);
        };
        if self.is_list {
            return self.next_line(kind);
        }
        if self.feed.is_some() {
            return self.next_item(kind);
        }
        if self.lenient.as_ref().is_some_and(|lenient| lenient.is_pending()) && self.next_pending(kind)? {
            return Ok(true);
        }
        loop {
            if begun == Begun::Nothing {
                self.scanner.release();
                let read = self.read_known();
                begun = read.map_or(Begun::OtherThanBefore, |is_whole| Begun::Entry { is_whole });
            }
            if let Begun::Entry { is_whole } = std::mem::replace(&mut begun, Begun::Nothing) {
                if !is_whole {
                    self.read_on_repairing()?;
                }
                self.check_end()?;
                if self.check_repaired(kind)? {
                    return Ok(true);
                }
                continue;
            }
            self.scanner.release();
            if let Some(known) = &mut self.start
                && self.scanner.ahead(|ahead| enter(ahead, known)) == Some(true)
            {
                self.scanner.check_size()?;
                if self.record_repaired(kind)? {
                    return Ok(true);
                }
                continue;
            }
            self.scanner.skip_space()?;
            let outer = self.scanner.scope();
            match self.scanner.next()? {
                Token::Start { name, namespace } => {
                    let (_, local) = names::split(self.scanner.text(name.clone()));
                    let found = [Kind::UrlSet, Kind::SitemapIndex]
                        .into_iter()
                        .find(|kind| kind.entry().eq_ignore_ascii_case(local));
                    let is_right = local == kind.entry();
                    match found.filter(|_| namespace.is_core()) {
                        Some(found) => {
                            if is_right {
                                let known = self.scanner.known_tag(outer, &name).map(EntryStart::new);
                                self.start = known.or(self.start.take());
                            } else if found == kind {
                                let error = self.unknown_here(kind);
                                self.scanner.note(error);
                            } else {
                                let error = self.misplaced_here(kind);
                                self.scanner.note(error);
                            }
                            if self.record_repaired(kind)? {
                                return Ok(true);
                            }
                        }
                        // What is in it is looked through: nothing says that it ends.
                        None if namespace.is_core() && !local.eq_ignore_ascii_case(kind.root()) => {
                            let error = self.unknown_here(kind);
                            self.scanner.note(error);
                        }
                        None => {}
                    }
                }
                Token::Eof => {
                    self.end_reading();
                    return Ok(false);
                }
                Token::Text { span, plain } if self.scanner.depth() == self.root_depth => {
                    if let Err(error) = self.check_between_entries(&span, plain, kind) {
                        self.scanner.note(error);
                    }
                }
                Token::Text { .. } | Token::End | Token::Aside => {}
            }
        }
    }

    /// Reads the entry whose start tag was the last token. Whether it has a loc.
    fn record_repaired(&mut self, kind: Kind) -> Result<bool> {
        self.scanner.set_entry(self.scanner.depth());
        let read = self.read_record(kind);
        self.scanner.set_entry(0);
        read?;
        self.check_repaired(kind)
    }

    /// Reads on to the end of an entry whose beginning was [read](Self::read_known).
    #[cold]
    fn read_on_repairing(&mut self) -> Result<()> {
        self.table.take_any_case(true);
        self.scanner.set_entry(self.scanner.depth() - self.reader.depth());
        let read = self.reader.read_on(&mut self.scanner, &mut self.table);
        self.scanner.set_entry(0);
        read
    }

    /// Mends the entry that was read, if there is anything to be mended in it. Whether it has a loc.
    fn check_repaired(&mut self, kind: Kind) -> Result<bool> {
        match record::check(&self.table, kind.entry()) {
            Ok(()) if self.is_usual() => Ok(true),
            Err(error) if error.category() != Category::Data => Err(error),
            _ => self.mend_all(kind),
        }
    }

    /// Makes the entry that was read last one that is right. Whether it has a loc.
    #[cold]
    fn mend_all(&mut self, kind: Kind) -> Result<bool> {
        self.gather_notes(true);
        if let Some(name) = self.table.other_case() {
            let error = Error::data(
                Words::new(format!(
                    "`{}` in another case: names are case-sensitive",
                    name.shown()
                ))
                .advice("write it in small letters"),
            );
            let error = error.breaks(Rule::Ns).within(name.shown()).at_offset(0);
            self.tell(error, Severity::Error, None);
        }
        if let Err(error) = record::check_names(&self.table, kind.entry()) {
            self.tell(error, Severity::Error, None);
        }
        self.mend(kind)
    }

    /// Whether there is nothing to be mended in the entry that was read, as in nearly all: it has a loc that begins and ends as nearly
    /// all do, each element once, and nothing that may be escaped twice.
    #[inline]
    pub(super) fn is_usual(&self) -> bool {
        let window = self.scanner.source().window().as_bytes();
        let entry = window.get(self.scanner.held()..).unwrap_or_default();
        record::is_right(&self.table)
            && !self.table.has_doubles()
            && self.table.other_case().is_none()
            && !self.table.may_be_escaped()
            && is_usual_loc(self.table.loc_bytes(entry))
            && (self.address().is_none() || self.table.links(entry).all(is_web))
    }

    /// The next entry that was met already, if there is one that has a loc.
    #[cold]
    fn next_pending(&mut self, kind: Kind) -> Result<bool> {
        while self
            .lenient
            .as_ref()
            .is_some_and(|lenient| lenient.rest.is_some())
        {
            if self.next_of_rest(kind)? {
                return Ok(true);
            }
        }
        let begins = self
            .lenient
            .as_mut()
            .is_some_and(|lenient| std::mem::take(&mut lenient.begins_in_entry));
        if begins {
            self.record_repaired(kind)
        } else {
            Ok(false)
        }
    }

    /// The next of the entries that stand in the element of the last one, if there is one that has a loc.
    fn next_of_rest(&mut self, kind: Kind) -> Result<bool> {
        let Some(mut rest) = self.lenient.as_mut().and_then(|lenient| lenient.rest.take()) else {
            return Ok(false);
        };
        let entry = self.scanner.text(self.scanner.held()..self.scanner.token().end);
        let part = rest.take(entry, &mut self.table);
        if let Some(lenient) = &mut self.lenient {
            lenient.part_len = part.as_ref().map(ExactSizeIterator::len);
        }
        let Some(part) = part else { return Ok(false) };
        self.scanner.hold_behind(part.start);
        if let Some(lenient) = &mut self.lenient {
            lenient.rest = Some(rest);
        }
        self.count_entry(kind)?;
        self.mend(kind)
    }

    /// Makes the entry one that has one loc, and nothing twice. Whether it has a loc.
    #[cold]
    pub(super) fn mend(&mut self, kind: Kind) -> Result<bool> {
        self.settle_locs(kind);
        self.settle_doubles(kind);
        self.settle_escapes();
        self.settle_links();
        self.settle_address(kind)
    }

    /// Leaves out what is no other loc, and begins another entry at one that is.
    fn settle_locs(&mut self, kind: Kind) {
        let entry = self.scanner.text(self.entry_span());
        let is_empty = |node| self.table.text(node, entry).is_empty();
        let first = {
            let mut children = self.table.children();
            children.find(|(_, node)| node.name == schema::LOC && !is_empty(node))
        };
        let Some(first) = first.or_else(|| self.table.loc()) else {
            return;
        };
        let text = self.table.text(first.1, entry);
        let (mut equal, mut other) = (Vec::new(), None);
        let mut errors = Vec::new();
        for (i, node) in self.table.children() {
            if node.name != schema::LOC || i == first.0 {
                continue;
            }
            let second = record::second_core(node.name, kind.entry()).at_offset(node.at());
            if is_empty(node) || self.table.text(node, entry) == text {
                equal.push(i);
                errors.push(second);
            } else {
                other = Some(i);
                let words = Words::new(format!(
                    "a second `loc`, which differs from the first: a `{}` has one",
                    kind.entry()
                ));
                let error = Error::data(words.advice("give it an entry of its own, as which it was read"));
                errors.push(error.breaks(Rule::Dup).within("loc").at_offset(node.at()));
                break;
            }
        }
        if let Some(at) = other {
            let rest = self.table.split_off(at);
            // What was left of the last entry is read by now.
            if let Some(lenient) = &mut self.lenient
                && lenient.rest.is_none()
            {
                lenient.rest = Some(rest);
            }
        }
        self.table.leave_out(&equal);
        for error in errors {
            self.tell(error, Severity::Error, None);
        }
    }

    /// Of what stands twice and there can be one of, leaves all out but the first that is right.
    fn settle_doubles(&mut self, kind: Kind) {
        if !self.table.has_doubles() {
            return;
        }
        let entry = self.scanner.text(self.entry_span());
        let table = &self.table;
        let keeps = self
            .lenient
            .as_ref()
            .is_some_and(|lenient| lenient.settings.keeps_doubles);
        let (mut left_out, mut errors) = (Vec::new(), Vec::new());
        // Of each element that stands twice, the index of the one that counts.
        let mut counts = std::collections::HashMap::new();
        table.walk(|i, node, path| {
            let is_core = node.name.index() < schema::Name::CORE;
            let Some(row) = node
                .name
                .row()
                .filter(|row| !row.is_repeated() && (is_core || !keeps))
            else {
                return;
            };
            if node.first && node.same().is_some() {
                let chain = std::iter::successors(Some(i), |i| table.nodes().get(*i)?.same());
                let is_right = |i: &usize| {
                    table.nodes().get(*i).is_some_and(|node| {
                        let text = table.text(node, entry);
                        let is_empty = text.is_empty() && node.next() == i + 1;
                        row.shape() == schema::Shape::Flag || !is_empty && row.takes(text)
                    })
                };
                let chosen = chain.clone().find(is_right).unwrap_or(i);
                counts.extend(chain.map(|i| (i, chosen)));
            }
            let Some(&chosen) = counts.get(&i).filter(|chosen| **chosen != i) else {
                return;
            };
            left_out.push(i);
            let text = table.text(node, entry);
            let is_leaf = node.name.group().is_none() && row.shape() != schema::Shape::Flag;
            if is_leaf && text.is_empty() {
                return;
            }
            let (error, severity) = match row.check_value(text) {
                Err(error) if i < chosen => (path.locate(node, error), Severity::Warning),
                _ if is_core => {
                    let error = record::second_core(node.name, kind.entry());
                    (error.at_offset(node.at()), Severity::Error)
                }
                _ => (
                    path.locate(node, schema::second(node.name, "remove one")),
                    Severity::Warning,
                ),
            };
            let found = (!text.is_empty()).then(|| text.to_owned());
            errors.push((error, severity, found));
        });
        self.table.leave_out(&left_out);
        for (error, severity, found) in errors {
            self.tell(error, severity, found.as_deref());
        }
    }

    /// Tells what is escaped twice, and resolves it the second time, if that was asked for.
    fn settle_escapes(&mut self) {
        if !has_reference(self.table.resolved()) {
            return;
        }
        let undo = self
            .lenient
            .as_ref()
            .is_some_and(|lenient| lenient.settings.unescapes_twice);
        let (mut texts, mut errors) = (Vec::new(), Vec::new());
        let table = &self.table;
        table.walk(|i, node, path| {
            // What is resolved is in the table's own text.
            let text = table.text(node, "");
            if !node.is_resolved() || !is_escaped(text) {
                return;
            }
            let error =
                Error::data(Words::new(format!("{} is escaped twice", quote(text))).advice("escape it once"));
            errors.push((path.locate(node, error.breaks(Rule::Esc)), text.to_owned()));
            if undo {
                texts.push((i, unescape(text)));
            }
        });
        for (i, text) in texts {
            self.table.replace_text(i, &text);
        }
        for (error, found) in errors {
            self.tell(error, Severity::Warning, Some(&found));
        }
    }

    /// Takes from a loc what cannot be seen around it, and resolves it if it is relative and the document's address is known.
    /// Whether there is a loc.
    pub(super) fn settle_address(&mut self, kind: Kind) -> Result<bool> {
        let entry = self.scanner.text(self.entry_span());
        let Some((i, node)) = self.table.loc() else {
            let own = own_text(entry).map(|(at, text)| (at, unescape(text)));
            let found = own.as_ref().map(|(_, text)| text.as_str());
            self.tell(record::no_loc(kind.entry()), Severity::Error, found);
            if let Some((at, text)) = &own {
                self.table.push_loc(text, *at);
            }
            return Ok(own.is_some());
        };
        let text = self.table.text(node, entry);
        let at = node.at();
        if text.is_empty() {
            if let Err(error) = loc::check(text) {
                self.tell(error.within("loc").at_offset(at), Severity::Error, None);
            }
            return Ok(false);
        }
        let visible = text.trim_matches(is_invisible);
        if visible.len() < text.len() {
            let (found, visible) = (text.to_owned(), visible.to_owned());
            if let Err(error) = loc::check(&found) {
                let error = error.within("loc").at_offset(at);
                self.tell(error, Severity::Error, Some(&found));
            }
            self.table.replace_text(i, &visible);
            return if visible.is_empty() {
                Ok(false)
            } else {
                self.settle_address(kind)
            };
        }
        if let Some(url) = self.address().and_then(|address| address.resolve(text)) {
            let found = text.to_owned();
            self.table.replace_text(i, &url);
            let error = relative(&found, &url).breaks(Rule::Loc);
            self.tell(error.within("loc").at_offset(at), Severity::Error, Some(&found));
        }
        Ok(true)
    }

    /// Resolves the relative URLs of the extensions, if the document's address is known.
    fn settle_links(&mut self) {
        let Some(address) = self.address() else { return };
        let entry = self.scanner.text(self.entry_span());
        let (mut urls, mut errors) = (Vec::new(), Vec::new());
        let table = &self.table;
        table.walk(|i, node, path| {
            let Some(row) = node.name.link() else { return };
            let text = table.text(node, entry);
            if let Some(url) = address.resolve(text) {
                let error = path.locate(node, row.under_rule(relative(text, &url)));
                errors.push((error, text.to_owned()));
                urls.push((i, url));
            }
        });
        for (i, url) in urls {
            self.table.replace_text(i, &url);
        }
        for (error, found) in errors {
            self.tell(error, Severity::Warning, Some(&found));
        }
    }
}

/// Whether a loc is absolute, and begins and ends with what can be seen.
#[inline]
fn is_usual_loc(loc: &[u8]) -> bool {
    is_web(loc) && matches!(loc.last(), Some(b'!'..=b'~'))
}

/// Whether a URL begins as those of web pages.
#[inline]
fn is_web(url: &[u8]) -> bool {
    match url.first_chunk() {
        Some(b"https://") => true,
        Some([b'h', b't', b't', b'p', b':', b'/', b'/', _]) => true,
        _ => false,
    }
}

/// The error for a URL that was resolved against the document's address.
fn relative(found: &str, url: &str) -> Error {
    let words = Words::new(format!(
        "{} is no absolute URL: at the document's address it is {}",
        quote(found),
        quote(url)
    ));
    Error::data(words.advice("write it whole"))
}

/// The text of an entry itself, before its first element, if that is a URL: some have no `loc` around it.
fn own_text(entry: &str) -> Option<(usize, &str)> {
    let open = entry.find('>')? + 1;
    let text = entry.get(open..)?.split('<').next()?;
    let at = open + text.len() - text.trim_start().len();
    let text = text.trim();
    (is_url(text) && !text.contains(char::is_whitespace)).then_some((at, text))
}
