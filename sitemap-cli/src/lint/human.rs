//! Excerpts in the style of rustc, and a table of the rules.

use std::fmt::Write as _;
use std::io::Write;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use anyhow::Result;
use sitemap_serde::Suggestion;
use sitemap_serde::{Diagnostic, lint::Severity};

use crate::input::{Input, counted, grouped};
use crate::malformed::{fix_command, is_repairable, repair, repair_command};
use crate::message::{escaped, is_quiet};

use super::excerpt::{Excerpt, Shown};
use super::{Found, Reporter, Totals};

/// Writes the first diagnostics of each rule, document by document.
#[derive(Debug)]
pub(super) struct Human {
    renderer: Renderer,
    places: u64,
    shown: Shown,
}

impl Human {
    pub(super) fn new(is_styled: bool, places: u64) -> Self {
        let renderer = if is_styled {
            Renderer::styled().decor_style(DecorStyle::Unicode)
        } else {
            Renderer::plain()
        };
        Human {
            renderer,
            places,
            shown: Shown::new(places),
        }
    }
}

impl Reporter for Human {
    fn found(&mut self, _: &mut dyn Write, found: &Found<'_>) -> Result<()> {
        if !is_quiet() || found.diagnostic.severity() > Severity::Note {
            self.shown.push(found);
        }
        Ok(())
    }

    fn document_ends(&mut self, out: &mut dyn Write, _: &Input) -> Result<()> {
        for (input, diagnostic, excerpt) in self.shown.take() {
            writeln!(out, "{}\n", self.rendered(&input, &diagnostic, excerpt.as_ref()))?;
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write, totals: &Totals) -> Result<()> {
        if is_quiet() {
            if let Some(text) = left_out(totals) {
                print_message!("{text}");
            }
            return Ok(());
        }
        for ((severity, rule), count) in totals.counts.iter().rev() {
            let hidden = count.saturating_sub(self.places);
            let more = if hidden > 0 {
                format!(" ({} not shown)", grouped(hidden))
            } else {
                String::new()
            };
            let (severity, rule, summary) = (severity.as_str(), rule.as_str(), rule.summary());
            writeln!(
                out,
                "{:>9} {severity:<8} {rule:<18} {summary}{more}",
                grouped(*count)
            )?;
        }
        if !totals.counts.is_empty() {
            writeln!(out)?;
        }
        writeln!(out, "{}", sum(totals))?;
        if let Some(text) = fixable(totals) {
            writeln!(out, "{}", escaped(&text))?;
        }
        Ok(())
    }
}

impl Human {
    fn rendered(&self, input: &Input, diagnostic: &Diagnostic, excerpt: Option<&Excerpt>) -> String {
        let level = match diagnostic.severity() {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            _ => Level::NOTE,
        };
        // The renderer escapes only the excerpt.
        let (name, problem) = (escaped(&input.name), escaped(diagnostic.problem()));
        let mut group = level
            .primary_title(&*problem)
            .id(diagnostic.rule().as_str())
            .elements(None::<Snippet<'_, annotate_snippets::Annotation<'_>>>);
        if excerpt.is_none_or(|excerpt| !excerpt.is_from_start) {
            // The column in the excerpt differs from the column in the line.
            let mut origin = Origin::path(&*name);
            if let Some(position) = diagnostic.position() {
                let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
                origin = origin
                    .line(number(position.line()))
                    .char_column(number(position.column()));
            }
            group = group.element(origin);
        }
        if let Some(excerpt) = excerpt {
            let mut annotation = AnnotationKind::Primary.span(excerpt.span.clone());
            if let Some(path) = diagnostic.path() {
                annotation = annotation.label(path);
            }
            let mut snippet = Snippet::source(&*excerpt.text)
                .line_start(excerpt.line)
                .annotation(annotation);
            if excerpt.is_from_start {
                snippet = snippet.path(&*name);
            }
            group = group.element(snippet);
        }
        let mut help = help(diagnostic);
        if is_repairable(diagnostic.kind(), Some(diagnostic.rule())) {
            help.push(repair(&input.name));
        }
        for help in &help {
            group = group.element(Level::HELP.message(escaped(help)));
        }
        let rendered = self.renderer.render(&[group]);
        let lines = rendered.lines().filter(|line| !is_mark(line));
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// Returns `true` if a line contains only the renderer's mark for the excerpt of another file, which it prints without a path.
fn is_mark(line: &str) -> bool {
    // Strips colours.
    let parts = line.split('\u{1b}').enumerate();
    let shown = parts.map(|(i, part)| match part.split_once('m') {
        Some((_, shown)) if i > 0 => shown,
        _ => part,
    });
    matches!(shown.collect::<String>().trim(), ":::" | "⸬")
}

/// Returns the advice, and the suggestion if the advice does not contain it.
pub(super) fn help(diagnostic: &Diagnostic) -> Vec<String> {
    let advice = diagnostic.advice().map(str::to_owned);
    let suggestion = diagnostic.suggestion().map(Suggestion::value);
    let suggestion = suggestion.filter(|value| {
        let is_said = advice.iter().any(|advice| advice.contains(*value));
        !is_said && !diagnostic.problem().contains(&format!("write `{value}`"))
    });
    advice
        .into_iter()
        .chain(suggestion.map(|value| format!("write `{value}`")))
        .collect()
}

/// Summarizes in one line how much was read and found.
pub(super) fn sum(totals: &Totals) -> String {
    let sitemaps = match totals.sitemaps {
        0 => String::new(),
        sitemaps => format!(", {}", counted(sitemaps, "listed sitemap")),
    };
    let mut text = format!(
        "{}, {}{sitemaps}: {}, {}, {}",
        counted(totals.documents, "file"),
        counted(totals.entries, "URL"),
        counted(totals.count(Severity::Error), "error"),
        counted(totals.count(Severity::Warning), "warning"),
        counted(totals.count(Severity::Note), "note"),
    );
    if totals.baselined > 0 {
        let _ = write!(text, ", {} of the baseline", grouped(totals.baselined));
    }
    if !totals.unread.is_empty() {
        let _ = write!(
            text,
            "; {} not read to the end",
            counted(totals.unread.len() as u64, "file")
        );
    }
    if let Some(left_out) = left_out(totals) {
        let _ = write!(text, "; {left_out}");
    }
    text
}

/// Prints the summary and the number of fixable problems after a report in another format.
pub(super) fn print_end(totals: &Totals) {
    print_note!("{}", sum(totals));
    if let Some(text) = fixable(totals) {
        print_note!("{text}");
    }
}

/// Counts the fixable problems and names the command that fixes them, if there are any.
pub(super) fn fixable(totals: &Totals) -> Option<String> {
    let all = grouped(totals.counts.values().sum());
    let fix = fix_command(totals.to_fix.as_deref().unwrap_or("FILES"));
    let repair = repair_command(totals.to_repair.as_deref().unwrap_or("FILE"));
    let mut ways = Vec::new();
    if totals.fixable > 0 {
        let count = grouped(totals.fixable);
        ways.push(format!("{count} of {all} can be fixed by `{fix}`"));
    }
    if totals.repairable > 0 {
        let count = grouped(totals.repairable);
        ways.push(match totals.fixable {
            0 => format!("{count} of {all} can be fixed by `{repair}`"),
            _ => format!("{count} by `{repair}`"),
        });
    }
    let mut parts = Vec::new();
    if !ways.is_empty() {
        parts.push(ways.join(", and "));
    }
    if totals.malformed > 0 {
        let verb = if totals.malformed == 1 { "is" } else { "are" };
        let malformed = counted(totals.malformed, "file");
        parts.push(format!(
            "{malformed} {verb} malformed: `{repair}` reads what can be read"
        ));
    } else if totals.has_invalid {
        parts.push(format!(
            "`{repair}` fixes or leaves out other invalid parts, and reports each"
        ));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Counts the unreported problems, if there are any.
pub(super) fn left_out(totals: &Totals) -> Option<String> {
    (totals.dropped > 0).then(|| {
        format!(
            "{} not reported: too many in one entry, or too many possible duplicates",
            counted(totals.dropped, "more problem")
        )
    })
}
