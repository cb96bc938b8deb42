//! Repairs of a completed entry: several locs, repeated elements, text that is escaped twice, relative URLs.

use sitemap_values::quote::{is_invisible, quote};
use sitemap_values::{Rule, W3cDateTime};

use std::collections::HashMap;

use crate::diagnostic::{Problem, Severity};
use crate::document::sniff::is_url;
use crate::error::{Defect, Error, Message, Result};
use crate::loc;
use crate::model::Kind;
use crate::record::{self, Node, RecordView, Repairs, StrayText, Table, narrow};
use crate::schema::{self, Name, ValueKind};
use crate::xml::reference::{has_reference, is_escaped, unescape_fully};
use crate::xml::source::{SourceText, Window};

use super::Lenient;
use crate::document::read::DocumentReader;

impl<S: Window> DocumentReader<S> {
    /// Repairs the entry that was read, and reports the scanner's notes about it. Returns `true` if it has a loc.
    #[cold]
    pub(super) fn mend_all(&mut self, kind: Kind) -> Result<bool> {
        let is_repaired = self.scanner.has_notes();
        self.note_stray_text();
        self.gather_notes(true);
        if is_repaired {
            self.report_misplaced();
        }
        if let Some(name) = self.table.other_case() {
            let error = Error::data(
                Message::new(format!(
                    "`{}` in another case: names are case-sensitive",
                    name.shown()
                ))
                .advice("write it in lower case"),
            );
            let error = error.breaks(Rule::Ns).within(name.shown()).at_offset(0);
            self.report_error(error, None);
        }
        if let Err(error) = record::check_names(&self.table, kind.entry()) {
            self.report_error(error, None);
        }
        self.mend(kind)
    }

    /// Notes the first text directly in the entry, unless it is its loc.
    fn note_stray_text(&mut self) {
        if self.own_loc().is_none()
            && let Some(stray) = self.table.stray_text()
        {
            record::note_stray_text(&mut self.scanner, stray);
        }
    }

    /// Reports the misplaced elements and texts of an entry whose tags were repaired: they are ignored.
    fn report_misplaced(&mut self) {
        let span = self.entry_span();
        let Some((table, mut reports)) = self.reports() else {
            return;
        };
        if reports.lenient.settings.leaves_extensions {
            return;
        }
        let entry = reports.scanner.text(span);
        // The end of the last element that was reported, with all that is in it.
        let mut end = 0;
        table.walk(|i, node, path| {
            let is_looked_at = i >= end && path.is_of_schema() && !is_empty(table, entry, i);
            let Some(row) = node.name.row().filter(|_| is_looked_at) else {
                return;
            };
            let text = table.text(node, entry);
            let is_group = node.name.group().is_some_and(|group| group.text.is_none());
            let error = if path.parent() != row.parent {
                end = node.next();
                let parent = path.parent().map_or_else(
                    || "the entry".to_owned(),
                    |parent| format!("`{}`", table.name(parent)),
                );
                let message = Message::new(format!("`{}` in {parent}, which has no such element", row.name));
                let advice = "add the tag that is missing before it";
                path.locate_omitted(node, Error::data(message.advice(advice)))
            } else if is_group && !text.is_empty() {
                let message = Message::new(format!(
                    "the text {} in `{}`, which has elements only",
                    quote(text),
                    row.name
                ));
                let advice = "remove it, or add the tag that is missing before it";
                path.locate(node, Error::data(message.advice(advice)).losing())
            } else {
                return;
            };
            let error = error.breaks(Rule::Xml).with_defect(Defect::Unknown);
            reports.report(Problem::new(error).severity(Severity::Error).in_text(text));
        });
    }

    /// The text directly in the entry, if it is the URL of an entry without a loc: some have no `loc` around it.
    fn own_loc(&self) -> Option<&StrayText> {
        let own = self.table.stray_text()?;
        let is_loc = is_url(&own.text) && !own.text.contains(char::is_whitespace);
        (is_loc && self.table.loc().is_none()).then_some(own)
    }

    /// Repairs the values of the entry. Returns `true` if it has a loc.
    #[cold]
    pub(in crate::document::read) fn mend(&mut self, kind: Kind) -> Result<bool> {
        self.settle_locs(kind);
        self.correct_values(kind);
        self.settle_doubles(kind);
        self.settle_escapes();
        self.settle_links();
        let has_loc = self.resolve_loc(kind)?;
        if has_loc && self.corrects_values() {
            self.settle_spelling(kind);
        }
        Ok(has_loc)
    }

    /// Percent-encodes URLs, and writes their hosts as punycode, as a writer does.
    fn settle_spelling(&mut self, kind: Kind) {
        self.repair_values(&|_, node, text| {
            // An index has no other values.
            let row = match kind {
                _ if node.name == schema::LOC => node.name.row()?,
                Kind::UrlSet => node.name.link()?,
                Kind::SitemapIndex => return None,
            };
            let written = loc::written(text).filter(|_| row.check_value(text).is_ok())?;
            Some((loc::misspelt(text).next()?, Repair::Replace(written)))
        });
    }

    /// Removes repeated equal locs. A different loc begins another entry.
    fn settle_locs(&mut self, kind: Kind) {
        let span = self.entry_span();
        let Some((table, mut reports)) = self.reports() else {
            return;
        };
        let entry = reports.scanner.text(span);
        let is_empty = |node| table.text(node, entry).is_empty();
        let first = {
            let mut children = table.children();
            children.find(|(_, node)| node.name == schema::LOC && !is_empty(node))
        };
        let Some(first) = first.or_else(|| table.loc()) else {
            return;
        };
        let text = table.text(first.1, entry);
        let (mut equal, mut other) = (Vec::new(), None);
        for (i, node) in table.children() {
            if node.name != schema::LOC || i == first.0 {
                continue;
            }
            if is_empty(node) || loc::is_same(table.text(node, entry), text) {
                equal.push(narrow(i));
                let error = record::second_core(node.name, kind.entry()).within("loc");
                reports.report(Problem::new(error.at_offset(node.at())).severity(Severity::Error));
            } else {
                other = Some(i);
                let message = Message::new(format!(
                    "a second `loc`, which differs from the first: a `{}` has one",
                    kind.entry()
                ));
                let error = Error::data(message.advice("give it its own entry, as it was read"));
                let error = error.breaks(Rule::Dup).with_defect(Defect::Excess);
                let error = error.within("loc").at_offset(node.at());
                reports.report(Problem::new(error).severity(Severity::Error));
                break;
            }
        }
        if let Some(at) = other {
            let rest = table.split_off(at);
            // If the last entry's element has more entries, they include this one.
            reports.lenient.rest.get_or_insert(rest);
        }
        table.leave_out(&equal);
    }

    /// If requested, replaces invalid values whose intent is unambiguous, and leaves out the URLs of the extensions with a placeholder that
    /// was not filled in, since they would be encoded.
    fn correct_values(&mut self, kind: Kind) {
        if !self.corrects_values() {
            return;
        }
        self.repair_values(&|_, node, text| {
            // An index has no other values.
            let may_occur = kind == Kind::UrlSet || node.name == schema::LASTMOD;
            let (error, meant) = may_occur.then(|| correction(node, text)).flatten()?;
            Some((error, Repair::Replace(meant)))
        });
        self.repair_values(&|_, node, text| Some((node.name.unfilled(text)?, Repair::Drop)));
    }

    /// Reports each value of the schema that `repair` returns an error for, and repairs it.
    fn repair_values(&mut self, repair: &dyn Fn(&Lenient, &Node, &str) -> Option<Invalid>) {
        let span = self.entry_span();
        let Some((table, mut reports)) = self.reports() else {
            return;
        };
        let entry = reports.scanner.text(span);
        let is_invalid = |node| repair(reports.lenient, node, table.text(node, entry)).is_some();
        if !table.nodes().iter().any(is_invalid) {
            return;
        }
        let mut repairs = Repairs::default();
        table.walk(|i, node, path| {
            let text = table.text(node, entry);
            let repair = path.is_of_schema().then(|| repair(reports.lenient, node, text));
            let Some((error, repair)) = repair.flatten() else {
                return;
            };
            let error = match repair {
                Repair::Drop => path.locate_omitted(node, error),
                Repair::Keep | Repair::Replace(_) => path.locate(node, error),
            };
            reports.report(Problem::new(error).severity(Severity::Warning).in_text(text));
            match repair {
                Repair::Drop => repairs.drop(i),
                Repair::Replace(text) => repairs.replace(i, text),
                Repair::Keep => {}
            }
        });
        repairs.apply(table);
    }

    /// Keeps the first valid element if an element that may occur once is repeated. A repeated element with the same value is no loss.
    fn settle_doubles(&mut self, kind: Kind) {
        if !self.table.has_doubles() {
            return;
        }
        let span = self.entry_span();
        let Some((table, mut reports)) = self.reports() else {
            return;
        };
        let entry = reports.scanner.text(span);
        let keeps = reports.lenient.settings.leaves_extensions;
        let text = SourceText::Transient(entry);
        let problem_of = |i| record::first_problem(RecordView { text, table }, i);
        let mut left_out = Vec::new();
        // For the next repeated element: the index of the occurrence that counts.
        let mut counts = HashMap::new();
        // The values of repeated elements.
        let mut values = HashMap::new();
        table.walk(|i, node, path| {
            let is_core = node.name.is_core();
            let Some(row) = node
                .name
                .row()
                .filter(|row| !row.is_repeated() && (is_core || !keeps) && path.is_of_schema())
            else {
                return;
            };
            let chosen = if node.first {
                let mut chain = std::iter::successors(Some(i), |i| table.nodes().get(*i)?.same());
                let is_valid = |i: &usize| {
                    row.shape() == schema::Shape::Flag
                        || !is_empty(table, entry, *i) && problem_of(*i).is_none()
                };
                node.same().map(|_| chain.find(is_valid).unwrap_or(i))
            } else {
                counts.remove(&i)
            };
            let Some(chosen) = chosen else { return };
            counts.extend(node.same().map(|next| (next, chosen)));
            if chosen == i {
                return;
            }
            left_out.push(narrow(i));
            let text = table.text(node, entry);
            let is_before = i < chosen && !is_empty(table, entry, i);
            let problem = is_before.then(|| problem_of(i)).flatten();
            let (error, severity) = match problem {
                Some(error) => (error, Severity::Warning),
                None if is_core => (record::second_core(node.name, kind.entry()), Severity::Error),
                None => (schema::second(node.name, "remove one"), Severity::Warning),
            };
            let values_of = |i| {
                let mut values = String::new();
                push_values(table, entry, i, &mut values);
                values
            };
            let is_lost = !is_empty(table, entry, i)
                && (has_unknown(table, i)
                    || *values.entry(chosen).or_insert_with(|| values_of(chosen)) != values_of(i));
            let error = if is_lost {
                path.locate_omitted(node, error)
            } else {
                path.locate(node, error)
            };
            reports.report(Problem::new(error).severity(severity).in_text(text));
        });
        table.leave_out(&left_out);
    }

    /// Reports text that was escaped twice, or more often, and if requested resolves all its references.
    fn settle_escapes(&mut self) {
        if !has_reference(self.table.resolved()) {
            return;
        }
        let is_corrected = self.corrects_values();
        self.repair_values(&|_, node, text| {
            // In a URL a `<` is not HTML.
            let is_url = node.name == schema::LOC || node.name.is_link();
            let is_escaped = if is_url { has_reference } else { is_escaped };
            if !node.is_resolved() || !is_escaped(text) {
                return None;
            }
            let message = Message::new(format!("{} is escaped twice", quote(text)));
            let error = Error::data(message.advice("escape it once")).breaks(Rule::Esc);
            let repair = if is_corrected {
                Repair::Replace(unescape_fully(text))
            } else {
                Repair::Keep
            };
            Some((error, repair))
        });
    }

    /// Removes invisible characters around the loc, and resolves a relative loc if the document's location is known. Returns `true` if
    /// there is a loc.
    pub(in crate::document::read) fn resolve_loc(&mut self, kind: Kind) -> Result<bool> {
        let entry = self.scanner.text(self.entry_span());
        let Some((i, node)) = self.table.loc() else {
            let error = record::no_loc(kind.entry());
            let Some(own) = self.own_loc().cloned() else {
                self.report_error(error.omitting_entry(), None);
                return Ok(false);
            };
            self.report_error(error, Some(&own.text));
            self.table.push_loc(&own.text, own.start);
            return Ok(true);
        };
        let text = self.table.text(node, entry);
        let at = node.at();
        if text.is_empty() {
            if let Err(error) = loc::check(text) {
                let error = error.within("loc").at_offset(at).omitting_entry();
                self.report_error(error, None);
            }
            return Ok(false);
        }
        let visible = text.trim_matches(is_invisible);
        if visible.len() < text.len() {
            let (found, visible) = (text.to_owned(), visible.to_owned());
            if let Err(error) = loc::check(&found) {
                let error = error.within("loc").at_offset(at);
                let error = if visible.is_empty() {
                    error.omitting_entry()
                } else {
                    error
                };
                self.report_error(error, Some(&found));
            }
            self.table.replace_text(i, &visible);
            return if visible.is_empty() {
                Ok(false)
            } else {
                self.resolve_loc(kind)
            };
        }
        if let Some(error) = self.unfilled(text) {
            let error = error.within("loc").at_offset(at).omitting_entry();
            let found = text.to_owned();
            self.report_error(error, Some(&found));
            return Ok(false);
        }
        if let Some(url) = self.location().and_then(|location| location.resolve(text)) {
            let found = text.to_owned();
            self.table.replace_text(i, &url);
            let error = relative(&found, &url).breaks(Rule::Loc);
            self.report_error(error.within("loc").at_offset(at), Some(&found));
        }
        Ok(true)
    }

    /// The error for a loc with a placeholder that was not filled in, where the loc would be changed: resolved, or, as other values are
    /// corrected, encoded.
    fn unfilled(&self, loc: &str) -> Option<Error> {
        if self.location().is_some() && loc::is_template(loc) {
            let message = Message::new(format!(
                "{} is not an absolute URL: its placeholder was not filled in",
                quote(loc)
            ));
            return Some(Error::data(message.advice("fill it in, or remove the entry")).breaks(Rule::Loc));
        }
        loc::unfilled(loc).filter(|_| self.corrects_values())
    }

    /// Returns `true` if every entry's values are looked at.
    fn corrects_values(&self) -> bool {
        let lenient = self.lenient.as_ref();
        lenient.is_some_and(|lenient| lenient.corrects_values())
    }

    /// Resolves the relative URLs of the extensions, if the document's location is known.
    fn settle_links(&mut self) {
        if self.location().is_none() {
            return;
        }
        self.repair_values(&|lenient, node, text| {
            let row = node.name.link()?;
            let url = lenient.location.as_ref()?.resolve(text)?;
            Some((row.under_rule(relative(text, &url)), Repair::Replace(url)))
        });
    }
}

/// The error of an invalid value, and its repair.
type Invalid = (Error, Repair);

/// The repair of an invalid value.
enum Repair {
    Keep,
    Drop,
    Replace(String),
}

/// The error for a URL that was resolved against the document's location.
fn relative(found: &str, url: &str) -> Error {
    let message = Message::new(format!(
        "{} is not an absolute URL: relative to the document's location it is {}",
        quote(found),
        quote(url)
    ));
    Error::data(message.advice("write the absolute URL"))
}

/// The error of an invalid value, with the certainly intended value; for a time without a zone, whose time is lost, the day. `None` for a
/// loc, which the writer encodes.
fn correction(node: &Node, text: &str) -> Option<(Error, String)> {
    let name = match node.name.group() {
        Some(group) => group.text?,
        None => node.name,
    };
    if name == schema::LOC || text.is_empty() {
        return None;
    }
    let row = name.row()?;
    let error = row.check_value(text).err()?;
    let suggestion = error.message().into_owned().suggestion?;
    if suggestion.is_certain() {
        return Some((error, suggestion.value().to_owned()));
    }
    let is_date = matches!(row.kind, ValueKind::DateTime | ValueKind::Day);
    let day = is_date.then(|| W3cDateTime::repair(text)).flatten()?.to_string();
    (day == suggestion.value()).then(|| (error.losing(), day))
}

/// Returns `true` if an element has neither attributes nor children nor text.
fn is_empty(table: &Table, entry: &str, i: usize) -> bool {
    let node = table.nodes().get(i);
    node.is_some_and(|node| node.next() == i + 1 && table.text(node, entry).is_empty())
}

/// Returns `true` if an element has elements or attributes that the schema does not have.
fn has_unknown(table: &Table, i: usize) -> bool {
    let nodes = table.nodes();
    let end = nodes.get(i).map_or(i, Node::next);
    let mut within = (i + 1..end).filter_map(|at| nodes.get(at));
    within.any(|node| node.name.row().is_none())
}

/// Writes the values of an element so that the results for two elements are equal only if their values are: texts, attributes and children
/// of the schema, each as it is read. The marks are characters that XML cannot hold.
fn push_values(table: &Table, entry: &str, i: usize, out: &mut String) {
    let Some(node) = table.nodes().get(i).filter(|node| node.name.row().is_some()) else {
        return;
    };
    let text = table.text(node, entry);
    let row = node.name.group().map_or(Some(node.name), |group| group.text);
    out.extend([table.name(node.name), "\u{1}"]);
    match row.and_then(Name::row) {
        Some(row) if matches!(row.kind, ValueKind::Loc | ValueKind::Url) => {
            out.push_str(&loc::normal_form(text));
        }
        Some(row) => out.push_str(&schema::normal(row, text)),
        None => out.push_str(text),
    }
    out.push('\u{2}');
    for part in table.parts(i) {
        push_values(table, entry, part, out);
    }
    out.push('\u{3}');
}
