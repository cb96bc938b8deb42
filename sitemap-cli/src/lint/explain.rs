//! A rule's documentation: why it exists, and how search engines react to violations.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use sitemap_serde::Rule;
use sitemap_serde::engine::Engine;

use super::settings;

/// Prints the documentation of a rule, or lists all rules for `all`.
pub(super) fn explain(rule: &str) -> Result<ExitCode> {
    let mut out = io::stdout().lock();
    if rule == "all" {
        for rule in Rule::ALL {
            let severity = rule.severity().as_str();
            writeln!(out, "{:<20} {severity:<8} {}", rule.as_str(), rule.summary())?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let rule = settings::rule(rule)?;
    writeln!(out, "{rule}: {}\n", rule.summary())?;
    writeln!(out, "{}\n", wrapped(rule.explanation(), 90))?;
    writeln!(out, "Severity: {}", rule.severity())?;
    for (severity, when) in rule.exceptions() {
        writeln!(out, "          {severity} {when}")?;
    }
    if !rule.search_console().is_empty() {
        writeln!(
            out,
            "Google Search Console: {}",
            rule.search_console().join(" · ")
        )?;
    }
    writeln!(out, "Source: {}\n", rule.source())?;
    for engine in Engine::ALL {
        let stance = engine.on(rule);
        match engine.source(rule) {
            None => writeln!(out, "{engine:<7} {stance}")?,
            Some(source) => writeln!(out, "{engine:<7} {stance:<8} {source}")?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Wraps paragraphs to lines of at most `width` characters.
fn wrapped(text: &str, width: usize) -> String {
    let paragraphs: Vec<String> = text
        .split("\n\n")
        .map(|paragraph| {
            let (mut lines, mut line) = (Vec::new(), String::new());
            for word in paragraph.split_whitespace() {
                if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
                    lines.push(std::mem::take(&mut line));
                }
                if !line.is_empty() {
                    line.push(' ');
                }
                line.push_str(word);
            }
            lines.push(line);
            lines.join("\n")
        })
        .collect();
    paragraphs.join("\n\n")
}
