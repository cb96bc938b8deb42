//! `lint --fix`: applies the unambiguous suggestions of diagnostics with the editor, which keeps every other byte.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufReader, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use flate2::bufread::MultiGzDecoder;
use sitemap_serde::Suggestion;
use sitemap_serde::format::Format;
use sitemap_serde::lint::{self, Linter, Severity};
use sitemap_serde::{Diagnostic, Editor, ErrorKind, Mode, ReaderBuilder, Rule};

use crate::input::{Input, counted, grouped};
use crate::malformed::{pointer, repair_command};
use crate::message::Printer;
use crate::replace::{is_gzip_name, write_to};
use crate::unified::write_diff;

/// The unambiguous corrections of a document, by the number of their entry; 0 is the part before the root.
type Fixes = BTreeMap<u64, Vec<Fix>>;

/// A correction of a value.
struct Fix {
    rule: Rule,
    /// The entry and the field.
    path: Option<String>,
    old: String,
    /// The new value; empty if the element is removed.
    new: String,
    /// `None` if the document is not XML, or the value is in several pieces.
    suggestion: Suggestion,
}

/// Prints the changes of [`fix`] as a unified diff. The exit status is 1 if there are any, and 2 if a file cannot be fixed.
pub(super) fn diff(linter: &Linter, inputs: &[Input]) -> Result<ExitCode> {
    let mut out = Printer::stdout();
    let (mut is_changed, mut is_fixable) = (false, true);
    for input in inputs {
        match fixes(linter, input).and_then(|fixes| fixed_text(fixes, input)) {
            Ok(None) => {}
            Ok(Some((old, new))) => {
                is_changed |= old != new;
                write_diff(&mut out, &input.name, &old, &new)?;
            }
            Err(error) => {
                is_fixable = false;
                print_unfixed(input, &error);
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::from(if is_fixable { u8::from(is_changed) } else { 2 }))
}

fn print_unfixed(input: &Input, error: &anyhow::Error) {
    let pointer = error.downcast_ref().map(|error| pointer(&input.name, error));
    print_message!(
        "not fixed: {}: {error:#}{}",
        input.name,
        pointer.unwrap_or_default()
    );
}

/// Fixes files and reports each fix on standard error: up to `places` per rule, then a count. Returns `true` if every fixable file could be
/// read and written.
pub(super) fn fix(linter: &Linter, inputs: &[Input], places: u64) -> Result<bool> {
    let mut report = Report {
        places,
        counts: BTreeMap::new(),
    };
    let (mut files, mut is_fixed) = (0_u64, true);
    for input in inputs {
        if let Some(problem) = input.problem() {
            is_fixed = false;
            print_unfixed(input, &anyhow!("{problem}"));
            continue;
        }
        let Some(path) = input
            .path()
            .filter(|path| fs::metadata(path).is_ok_and(|found| found.is_file()))
        else {
            bail!("--fix works on files only, not on {}", input.name);
        };
        match fixes(linter, input).and_then(|fixes| apply(path, fixes, input)) {
            Ok(applied) => {
                files += u64::from(!applied.is_empty());
                for fix in &applied {
                    report.fixed(input, fix);
                }
            }
            Err(error) => {
                is_fixed = false;
                print_unfixed(input, &error);
            }
        }
    }
    for (rule, count) in &report.counts {
        let hidden = count.saturating_sub(places);
        if hidden > 0 {
            print_note!("fixed: {} more by {rule}", grouped(hidden));
        }
    }
    let fixed = report.counts.values().sum();
    print_note!("fixed: {} in {}", counted(fixed, "value"), counted(files, "file"));
    Ok(is_fixed)
}

fn fixes(linter: &Linter, input: &Input) -> Result<Fixes> {
    let (mut fixes, mut unreadable) = (Fixes::new(), None);
    let mut lint = linter.start(|_, found| {
        if let Some(fix) = Fix::of(&found) {
            fixes.entry(found.entry().unwrap_or(0)).or_default().push(fix);
        } else if found.severity() == Severity::Error && found.rule() != Rule::Empty {
            unreadable.get_or_insert(found);
        }
    });
    lint.document(lint::Input::new(input.name.clone(), || input.open()))?;
    let summary = lint.finish()?;
    match unreadable {
        Some(found) if summary.entries + summary.sitemaps == 0 => bail!("{}", found.message()),
        _ => Ok(fixes),
    }
}

impl Fix {
    /// Returns the correction of a diagnostic; `None` if it has no unambiguous one.
    fn of(found: &Diagnostic) -> Option<Self> {
        let suggestion = found.suggestion()?;
        suggestion.is_certain().then_some(())?;
        Some(Fix {
            rule: found.rule(),
            path: found.path().map(str::to_owned),
            old: found.found().unwrap_or_default().to_owned(),
            new: suggestion.value().to_owned(),
            suggestion: suggestion.clone(),
        })
    }
}

struct Report {
    places: u64,
    counts: BTreeMap<Rule, u64>,
}

impl Report {
    fn fixed(&mut self, input: &Input, fix: &Fix) {
        let count = self.counts.entry(fix.rule).or_default();
        *count += 1;
        if *count <= self.places {
            let new = if fix.new.is_empty() {
                "removed".to_owned()
            } else {
                format!("`{}`", fix.new.escape_debug())
            };
            let path = fix
                .path
                .as_ref()
                .map_or(String::new(), |path| format!("{path}: "));
            print_note!(
                "fixed: {}: {path}`{}` -> {new} ({})",
                input.name,
                fix.old.escape_debug(),
                fix.rule
            );
        }
    }
}

/// Rewrites the file if it is fixable, and returns the applied fixes.
fn apply(path: &Path, fixes: Fixes, input: &Input) -> Result<Vec<Fix>> {
    if fixes.is_empty() {
        return Ok(Vec::new());
    }
    check_format(input)?;
    let is_compressed = is_compressed(input)? || is_gzip_name(path);
    let mut applied = Vec::new();
    write_to(path, is_compressed, |file| {
        applied = edit(input.open()?, file, fixes)?;
        Ok(!applied.is_empty())
    })?;
    Ok(applied)
}

/// Returns an error if the document is not XML.
fn check_format(input: &Input) -> Result<()> {
    let format = ReaderBuilder::new()
        .mode(Mode::Lenient)
        .from_reader(input.open()?)
        .format()?;
    if format == Format::Text || format.is_feed() {
        bail!(
            "it is a sitemap as {format}, and --fix changes only XML: `{}` reads it",
            repair_command(&input.name)
        );
    }
    Ok(())
}

fn is_compressed(input: &Input) -> Result<bool> {
    let mut start = Vec::new();
    input.open()?.take(2).read_to_end(&mut start)?;
    Ok(start == [0x1F, 0x8B])
}

/// Returns the document before and after its fixes, decompressed. `None` if there are none. The editor's limits bound both sizes.
fn fixed_text(fixes: Fixes, input: &Input) -> Result<Option<(Vec<u8>, Vec<u8>)>> {
    if fixes.is_empty() {
        return Ok(None);
    }
    check_format(input)?;
    let (mut old, mut new) = (Vec::new(), Vec::new());
    edit(input.open()?, &mut new, fixes)?;
    if is_compressed(input)? {
        MultiGzDecoder::new(BufReader::new(input.open()?)).read_to_end(&mut old)?;
    } else {
        input.open()?.read_to_end(&mut old)?;
    }
    Ok(Some((old, new)))
}

/// Copies a document with its fixes, and returns the applied ones.
fn edit(from: Box<dyn Read>, to: &mut dyn Write, mut fixes: Fixes) -> Result<Vec<Fix>> {
    let mut editor = Editor::new(from, to);
    let mut applied = Vec::new();
    for fix in fixes.remove(&0).unwrap_or_default() {
        if editor.replace(&fix.suggestion)? {
            applied.push(fix);
        }
    }
    loop {
        match editor.next_entry() {
            Ok(Some(mut entry)) => {
                let mut of_entry = fixes.remove(&entry.record().number()).unwrap_or_default();
                of_entry.retain(|fix| entry.replace(&fix.suggestion));
                applied.append(&mut of_entry);
            }
            Ok(None) => break,
            // The entry is copied unchanged.
            Err(error) if error.kind() == ErrorKind::Data && !error.ends_reading() => {}
            Err(error) => return Err(error.into()),
        }
    }
    editor.finish().context("it cannot be written to its end")?;
    Ok(applied)
}
