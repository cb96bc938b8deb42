//! Workflow commands of GitHub Actions, which show a diagnostic next to its line.

use std::fmt::Write as _;
use std::io::{self, Write};

use anyhow::Result;
use sitemap_serde::lint::Severity;

use crate::message;

use super::{Found, Reporter, Totals, human};

#[derive(Debug)]
pub(super) struct Github;

/// Writes a workflow command. The place is a file and line as properties, or empty.
pub(crate) fn write_command(
    out: &mut dyn Write,
    command: &str,
    place: &str,
    title: &str,
    message: &str,
) -> io::Result<()> {
    let comma = if place.is_empty() { "" } else { "," };
    let title = escaped_property(title);
    writeln!(
        out,
        "::{command} {place}{comma}title={title}::{}",
        escaped(&message::escaped(message))
    )
}

/// Escapes the text of a workflow command.
fn escaped(text: &str) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    message::escaped(&text).into_owned()
}

fn escaped_property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

impl Reporter for Github {
    fn found(&mut self, out: &mut dyn Write, found: &Found<'_>) -> Result<()> {
        let diagnostic = found.diagnostic;
        let command = match diagnostic.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
            _ => "notice",
        };
        let mut place = format!("file={}", escaped_property(&found.input.name));
        if let Some(position) = diagnostic.position() {
            // Writing to a string cannot fail.
            let _ = write!(place, ",line={},col={}", position.line(), position.column());
        }
        let title = diagnostic.rule().as_str();
        Ok(write_command(out, command, &place, title, diagnostic.message())?)
    }

    fn finish(&mut self, out: &mut dyn Write, totals: &Totals) -> Result<()> {
        if let Some(text) = human::left_out(totals) {
            writeln!(out, "::warning::{}", escaped(&text))?;
        }
        human::print_end(totals);
        Ok(())
    }
}
