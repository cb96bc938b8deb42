//! Workflow commands of GitHub Actions, which show a diagnostic next to its line.

use std::io::Write;

use anyhow::Result;
use sitemap_serde::lint::Severity;

use crate::message;

use super::{Found, Reporter, Totals, human};

#[derive(Debug)]
pub(super) struct Github;

/// Escapes the text of a workflow command.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escaped_property(text: &str) -> String {
    escaped(&message::escaped(text))
        .replace(':', "%3A")
        .replace(',', "%2C")
}

impl Reporter for Github {
    fn found(&mut self, out: &mut dyn Write, found: &Found<'_>) -> Result<()> {
        let diagnostic = found.diagnostic;
        let command = match diagnostic.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
            _ => "notice",
        };
        write!(out, "::{command} file={}", escaped_property(&found.input.name))?;
        if let Some(position) = diagnostic.position() {
            write!(out, ",line={},col={}", position.line(), position.column())?;
        }
        let title = escaped_property(diagnostic.rule().as_str());
        Ok(writeln!(
            out,
            ",title={title}::{}",
            escaped(diagnostic.message())
        )?)
    }

    fn finish(&mut self, out: &mut dyn Write, totals: &Totals) -> Result<()> {
        if let Some(text) = human::left_out(totals) {
            writeln!(out, "::warning::{}", escaped(&text))?;
        }
        print_message!("{}", human::sum(totals));
        Ok(())
    }
}
