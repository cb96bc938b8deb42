//! JSON: one object per line.

use std::io::Write;

use anyhow::Result;
use serde_json::{Value, json};
use sitemap_serde::lint::Severity;
use sitemap_serde::{Diagnostic, Suggestion};

use crate::message::json_text;

use super::{Found, Reporter, Totals};

#[derive(Debug)]
pub(super) struct Json;

/// Returns a diagnostic as a JSON object with the given `type`.
pub(crate) fn diagnostic_object(kind: &str, file: &str, diagnostic: &Diagnostic) -> Value {
    let position = diagnostic.position();
    json!({
        "type": kind,
        "file": file,
        "rule": diagnostic.rule().as_str(),
        "severity": diagnostic.severity().as_str(),
        "line": position.map(|position| position.line()),
        "column": position.map(|position| position.column()),
        "byte": position.map(|position| position.byte()),
        "length": diagnostic.byte_range().map_or(0, |range| range.end - range.start),
        "entry": diagnostic.entry(),
        "path": diagnostic.path(),
        "message": diagnostic.message(),
        "suggestion": suggestion(diagnostic),
        "searchConsole": diagnostic.search_console(),
    })
}

/// Returns the certainty of a suggestion, in rustc's words.
pub(super) fn applicability(suggestion: &Suggestion) -> &'static str {
    if suggestion.is_certain() {
        "MachineApplicable"
    } else {
        "MaybeIncorrect"
    }
}

/// Returns the suggested text and the bytes of the document that it replaces, which are null if unknown.
fn suggestion(diagnostic: &Diagnostic) -> Option<Value> {
    let suggestion = diagnostic.suggestion()?;
    let range = suggestion.byte_range();
    Some(json!({
        "value": suggestion.value(),
        "applicability": applicability(suggestion),
        "byte": range.as_ref().map(|range| range.start),
        "length": range.map(|range| range.end - range.start),
        "text": suggestion.new_text(),
    }))
}

impl Reporter for Json {
    fn found(&mut self, out: &mut dyn Write, found: &Found<'_>) -> Result<()> {
        let object = diagnostic_object("diagnostic", &found.input.name, found.diagnostic);
        Ok(writeln!(out, "{}", json_text(&object))?)
    }

    fn finish(&mut self, out: &mut dyn Write, totals: &Totals) -> Result<()> {
        let rules: Vec<_> = totals
            .counts
            .iter()
            .map(|((severity, rule), count)| {
                json!({ "rule": rule.as_str(), "severity": severity.as_str(), "count": count })
            })
            .collect();
        let object = json!({
            "type": "summary",
            "documents": totals.documents,
            "entries": totals.entries,
            "sitemaps": totals.sitemaps,
            "bytes": totals.bytes,
            "errors": totals.count(Severity::Error),
            "warnings": totals.count(Severity::Warning),
            "notes": totals.count(Severity::Note),
            "fixable": totals.fixable,
            "repairable": totals.repairable,
            "malformed": totals.malformed,
            "baselined": totals.baselined,
            "dropped": totals.dropped,
            "unread": totals.unread,
            "rules": rules,
        });
        Ok(writeln!(out, "{}", json_text(&object))?)
    }
}
