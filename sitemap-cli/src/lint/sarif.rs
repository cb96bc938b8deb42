//! SARIF 2.1.0, written as a stream.

use std::fs;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::{Value, json};
use sitemap_serde::Suggestion;
use sitemap_serde::{Rule, lint::Severity};

use crate::input::{Input, url_path};

use crate::message::json_text;
use crate::replace::folder_of;

use super::json::applicability;
use super::{Found, Reporter, Totals, baseline, human};

#[derive(Debug)]
pub(super) struct Sarif {
    /// The absolute base directory of the documents' URIs; `None` if it cannot be determined.
    project: Option<PathBuf>,
    /// `true` once a result has been written.
    has_results: bool,
}

/// The name of the project's directory in URIs, as in SARIF's own examples.
const PROJECT: &str = "%SRCROOT%";

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "note",
    }
}

fn rules() -> Vec<Value> {
    Rule::ALL
        .iter()
        .map(|rule| {
            let mut object = json!({
                "id": rule.as_str(),
                "shortDescription": { "text": rule.summary() },
                "fullDescription": { "text": rule.explanation() },
                "help": { "text": rule.explanation(), "markdown": rule.explanation() },
                "defaultConfiguration": { "level": level(rule.severity()) },
                "properties": { "source": rule.source() },
            });
            if !rule.search_console().is_empty() {
                object["properties"]["searchConsole"] = json!(rule.search_console());
            }
            let exceptions = rule.exceptions();
            let exceptions: Vec<_> = exceptions
                .map(|(severity, when)| json!({ "level": level(severity), "when": when }))
                .collect();
            if !exceptions.is_empty() {
                object["properties"]["otherLevels"] = exceptions.into();
            }
            object
        })
        .collect()
}

/// Returns the absolute path of a file. Resolves links in its directory, but not the file itself.
fn absolute(path: &Path) -> Option<PathBuf> {
    let folder = fs::canonicalize(folder_of(path)).ok()?;
    Some(folder.join(path.file_name()?))
}

/// Returns the URI of an absolute path (RFC 8089).
fn file_uri(path: &Path) -> String {
    let path = url_path(path);
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{}", path.trim_end_matches('/'))
}

/// Returns whether all documents were read, the reasons why some were not, and the number of unreported problems.
fn invocation(totals: &Totals) -> Value {
    let notification = |level: &str, text: &str| json!({ "level": level, "message": { "text": text } });
    let unread = totals.unread.iter().map(|why| notification("error", why));
    let left_out = human::left_out(totals).map(|text| notification("warning", &text));
    let notifications: Vec<_> = unread.chain(left_out).collect();
    let mut invocation = json!({ "executionSuccessful": totals.unread.is_empty() });
    if !notifications.is_empty() {
        invocation["toolExecutionNotifications"] = notifications.into();
    }
    invocation
}

impl Sarif {
    pub(super) fn new(project: &Path) -> Self {
        Sarif {
            project: fs::canonicalize(project).ok(),
            has_results: false,
        }
    }

    /// Returns the URI of a document: relative inside the project, absolute outside.
    fn artifact(&self, input: &Input) -> Value {
        let Some(path) = input.path() else {
            return json!({ "uri": input.url().unwrap_or("stdin") });
        };
        let Some(absolute) = absolute(path) else {
            return json!({ "uri": url_path(path) });
        };
        match self
            .project
            .as_ref()
            .and_then(|project| absolute.strip_prefix(project).ok())
        {
            Some(relative) => json!({ "uri": url_path(relative), "uriBaseId": PROJECT }),
            None => json!({ "uri": file_uri(&absolute) }),
        }
    }

    /// Returns the fix that applies a suggestion.
    fn fix(&self, input: &Input, suggestion: &Suggestion, Range { start, end }: Range<u64>) -> Value {
        let text = match suggestion.value() {
            "" => "Remove it".to_owned(),
            value => format!("Write `{value}`"),
        };
        json!({
            "description": { "text": text },
            "artifactChanges": [{
                "artifactLocation": self.artifact(input),
                "replacements": [{
                    "deletedRegion": { "byteOffset": start, "byteLength": end - start },
                    "insertedContent": { "text": suggestion.new_text() },
                }],
            }],
            "properties": { "applicability": applicability(suggestion) },
        })
    }

    fn begin(&mut self, out: &mut dyn Write) -> Result<()> {
        if !std::mem::replace(&mut self.has_results, true) {
            let tool = json!({
                "driver": {
                    "name": "sitemap",
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": rules(),
                }
            });
            write!(
                out,
                "{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{tool},\
                 \"columnKind\":\"unicodeCodePoints\","
            )?;
            if let Some(project) = &self.project {
                let bases = json!({ PROJECT: { "uri": format!("{}/", file_uri(project)) } });
                write!(out, "\"originalUriBaseIds\":{bases},")?;
            }
            write!(out, "\"results\":[")?;
            return Ok(());
        }
        Ok(write!(out, ",")?)
    }
}

impl Reporter for Sarif {
    fn found(&mut self, out: &mut dyn Write, found: &Found<'_>) -> Result<()> {
        self.begin(out)?;
        let diagnostic = found.diagnostic;
        let rule = diagnostic.rule();
        let mut place = json!({ "artifactLocation": self.artifact(found.input) });
        if let (Some(position), Some(bytes)) = (diagnostic.position(), diagnostic.byte_range()) {
            place["region"] = json!({
                "startLine": position.line(),
                "startColumn": position.column(),
                "byteOffset": bytes.start,
                "byteLength": bytes.end - bytes.start,
            });
        }
        let document = place["artifactLocation"]["uri"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let mut location = json!({ "physicalLocation": place });
        if let Some(path) = diagnostic.path() {
            location["logicalLocations"] = json!([{ "fullyQualifiedName": path }]);
        }
        let mut result = json!({
            "ruleId": rule.as_str(),
            "ruleIndex": Rule::ALL.iter().position(|other| *other == rule),
            "level": level(diagnostic.severity()),
            "message": { "text": diagnostic.message() },
            "locations": [location],
            "partialFingerprints": { "sitemapLint/v1": baseline::fingerprint(&document, diagnostic) },
        });
        let suggestion = diagnostic.suggestion();
        if let Some((suggestion, range)) = suggestion.and_then(|found| Some((found, found.byte_range()?))) {
            result["fixes"] = json!([self.fix(found.input, suggestion, range)]);
        }
        if let Some(name) = diagnostic.search_console() {
            result["properties"] = json!({ "searchConsole": name });
        }
        Ok(write!(out, "{}", json_text(&result))?)
    }

    fn finish(&mut self, out: &mut dyn Write, totals: &Totals) -> Result<()> {
        if !self.has_results {
            self.begin(out)?;
        }
        writeln!(out, "],\"invocations\":[{}]}}]}}", invocation(totals))?;
        human::print_end(totals);
        Ok(())
    }
}
