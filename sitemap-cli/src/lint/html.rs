//! A report as a web page: findings by rule and by document, and the changes since an earlier report.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;

use anyhow::Result;
use serde_json::{Value, json};
use sitemap_serde::lint::Severity;
use sitemap_serde::{Diagnostic, Rule};

use crate::html;
use crate::input::{Input, counted, grouped};

use super::excerpt::{Excerpt, Shown};
use super::{Found, Reporter, Totals, human};

/// The maximum number of findings of a rule, and of documents, to show; the rest are counted.
const MOST: u64 = 100;

pub(super) struct Html {
    /// The data of the earlier report.
    since: Option<Value>,
    shown: Shown,
    /// The findings of each rule, as HTML.
    findings: BTreeMap<(Severity, Rule), String>,
    /// The number of violations of each rule in each document.
    documents: BTreeMap<String, BTreeMap<(Severity, Rule), u64>>,
}

impl Html {
    pub(super) fn new(since: Option<Value>) -> Self {
        Html {
            since,
            shown: Shown::new(MOST),
            findings: BTreeMap::new(),
            documents: BTreeMap::new(),
        }
    }

    /// Returns the count of a rule and severity in the earlier report, if there is one.
    fn before(&self, severity: Severity, rule: Rule) -> Option<u64> {
        let rules = self.since.as_ref()?.get("rules")?;
        let count = rules
            .get(severity.as_str())
            .and_then(|rules| rules.get(rule.as_str()));
        Some(count.and_then(Value::as_u64).unwrap_or(0))
    }

    fn number_before(&self, name: &str) -> Option<u64> {
        self.since.as_ref()?.get(name)?.as_u64()
    }

    fn rules(&self, out: &mut String, totals: &Totals) {
        let _ = writeln!(out, "<h2>Findings by rule</h2>");
        for (key @ (severity, rule), count) in totals.counts.iter().rev() {
            let _ = writeln!(
                out,
                "<details><summary><span class=\"{severity}\">{severity}</span> <b>{}</b> {} \
                 <span class=\"soft\">{rule}</span> {}</summary>\n{}",
                grouped(*count),
                html::prose(rule.summary()),
                html::change(*count, self.before(*severity, *rule)),
                html::paragraphs(rule.explanation())
            );
            let _ = writeln!(
                out,
                "<p class=\"soft\">Source: {}</p>\n<ol>\n{}</ol>",
                html::text(rule.source()),
                self.findings.get(key).map_or("", String::as_str)
            );
            let hidden = count.saturating_sub(MOST);
            if hidden > 0 {
                let _ = writeln!(out, "<p class=\"soft\">{} more</p>", grouped(hidden));
            }
            let _ = writeln!(out, "</details>");
        }
        self.gone(out, totals);
    }

    /// Writes the rules that were violated only in the earlier report.
    fn gone(&self, out: &mut String, totals: &Totals) {
        for severity in [Severity::Error, Severity::Warning, Severity::Note] {
            let is_gone = |rule: &&Rule| !totals.counts.contains_key(&(severity, **rule));
            for rule in Rule::ALL.iter().filter(is_gone) {
                if let Some(before @ 1..) = self.before(severity, *rule) {
                    let _ = writeln!(
                        out,
                        "<p>No more: <span class=\"{severity}\">{severity}</span> {} <span class=\"soft\">{rule}</span> {}</p>",
                        html::prose(rule.summary()),
                        html::change(0, Some(before))
                    );
                }
            }
        }
    }

    fn documents(&self, out: &mut String) {
        if self.documents.is_empty() {
            return;
        }
        let _ = writeln!(out, "<h2>Findings by file</h2>");
        let count = |rules: &BTreeMap<_, u64>| rules.values().sum::<u64>();
        let mut documents: Vec<_> = self.documents.iter().collect();
        // Worst first. Files with equal findings keep their order.
        documents.sort_by_key(|(_, rules)| {
            let worst = rules.keys().map(|(severity, _)| *severity).max();
            std::cmp::Reverse((worst, count(rules)))
        });
        let most = usize::try_from(MOST).unwrap_or(usize::MAX);
        for (name, rules) in documents.iter().take(most) {
            let before = self.since.as_ref().map(|since| {
                let files = since.get("files").and_then(|files| files.get(name.as_str()));
                files.and_then(Value::as_u64).unwrap_or(0)
            });
            let _ = writeln!(
                out,
                "<details><summary><code>{}</code> <span class=\"soft\">{}</span> {}</summary>\n<table>",
                html::text(name),
                counted(count(rules), "finding"),
                html::change(count(rules), before)
            );
            for ((severity, rule), count) in rules.iter().rev() {
                let _ = writeln!(
                    out,
                    "<tr><td class=\"{severity}\">{severity}</td><td class=\"number\">{}</td><td>{}</td><td class=\"soft\">{rule}</td></tr>",
                    grouped(*count),
                    html::prose(rule.summary())
                );
            }
            let _ = writeln!(out, "</table></details>");
        }
        if documents.len() > most {
            let more = counted((documents.len() - most) as u64, "more file");
            let _ = writeln!(out, "<p class=\"soft\">{more}</p>");
        }
    }

    fn body(&self, totals: &Totals) -> String {
        let mut out = String::from(
            "<p>A sitemap tells search engines which pages a site has. An error makes them reject a file or a page of it; a warning \
             makes them ignore something; a note is advice.</p>\n<div class=\"figures\">\n",
        );
        for (number, unit, name) in figures(totals) {
            html::figure(&mut out, number, unit, self.number_before(name));
        }
        out.push_str("</div>\n");
        if totals.baselined > 0 {
            let text = format!(
                "{} of the baseline are not shown.",
                counted(totals.baselined, "finding")
            );
            let _ = writeln!(out, "<p>{text}</p>");
        }
        for why in &totals.unread {
            let _ = writeln!(out, "<p class=\"error\">{}</p>", html::text(why));
        }
        if let Some(text) = human::left_out(totals) {
            let _ = writeln!(out, "<p>{}</p>", html::text(&text));
        }
        if let Some(text) = human::fixable(totals) {
            let _ = writeln!(out, "<p>{}.</p>", html::prose(&text));
        }
        if totals.counts.is_empty() {
            out.push_str("<p><b>Nothing was found.</b></p>\n");
        }
        self.rules(&mut out, totals);
        self.documents(&mut out);
        out
    }
}

/// Returns the numbers at the top, with their units, and their names in the data.
fn figures(totals: &Totals) -> [(u64, &'static str, &'static str); 6] {
    [
        (totals.documents, "file", "documents"),
        (totals.entries, "page", "entries"),
        (totals.bytes, "byte", "bytes"),
        (totals.count(Severity::Error), "error", "errors"),
        (totals.count(Severity::Warning), "warning", "warnings"),
        (totals.count(Severity::Note), "note", "notes"),
    ]
}

/// Returns a finding as a list item.
fn item(input: &Input, diagnostic: &Diagnostic, excerpt: Option<&Excerpt>) -> String {
    let mut out = format!("<li>{}", html::prose(diagnostic.problem()));
    let mut place = input.name.clone();
    if let Some(position) = diagnostic.position() {
        let _ = write!(place, ", line {}", grouped(position.line()));
    }
    if let Some(path) = diagnostic.path() {
        let _ = write!(place, ", {path}");
    }
    let _ = write!(out, "<br><span class=\"soft\">{}</span>", html::text(&place));
    if let Some(excerpt) = excerpt {
        let range = &excerpt.span;
        let part = |range| html::text(excerpt.text.get(range).unwrap_or_default());
        let _ = write!(
            out,
            "<pre>{}<mark>{}</mark>{}</pre>",
            part(0..range.start),
            part(range.clone()),
            part(range.end..excerpt.text.len())
        );
    }
    for help in human::help(diagnostic) {
        let _ = write!(out, "<div>{}</div>", html::prose(&help));
    }
    out.push_str("</li>\n");
    out
}

impl Reporter for Html {
    fn found(&mut self, _: &mut dyn Write, found: &Found<'_>) -> Result<()> {
        let key = (found.diagnostic.severity(), found.diagnostic.rule());
        let rules = self.documents.entry(found.input.name.clone()).or_default();
        *rules.entry(key).or_default() += 1;
        self.shown.push(found);
        Ok(())
    }

    fn document_ends(&mut self, _: &mut dyn Write, _: &Input) -> Result<()> {
        for (input, diagnostic, excerpt) in self.shown.take() {
            let key = (diagnostic.severity(), diagnostic.rule());
            let items = self.findings.entry(key).or_default();
            items.push_str(&item(&input, &diagnostic, excerpt.as_ref()));
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write, totals: &Totals) -> Result<()> {
        let mut data = json!({ "kind": "lint", "rules": {}, "files": {} });
        for (number, _, name) in figures(totals) {
            data[name] = number.into();
        }
        for ((severity, rule), count) in &totals.counts {
            data["rules"][severity.as_str()][rule.as_str()] = (*count).into();
        }
        for (name, rules) in &self.documents {
            data["files"][name.as_str()] = rules.values().sum::<u64>().into();
        }
        write!(out, "{}", html::page("Sitemap report", &data, &self.body(totals)))?;
        human::print_end(totals);
        Ok(())
    }
}
