//! `lint --fix`: corrects unambiguous values with the editor, which keeps every other byte.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufReader, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use sitemap_serde::format::Format;
use sitemap_serde::lint::{Document, Linter};
use sitemap_serde::{
    Diagnostic, Editor, Mode, ReaderBuilder, Rule, UrlEntry, W3cDateTime, WriterBuilder, edit::EntryEditor,
};

use crate::input::{Input, counted, grouped};
use crate::replace::write_to;

/// The rules with values that can be fixed.
const RULES: [Rule; 6] = [
    Rule::LocEnc,
    Rule::Idn,
    Rule::Lastmod,
    Rule::Freq,
    Rule::Prio,
    Rule::IndexTags,
];

/// The broken rules of a document that may be fixed, by the number of the entry.
type Wanted = BTreeMap<u64, BTreeSet<Rule>>;

/// Fixes files and reports each fix on standard error, up to `places` per rule, and the number of further ones. Returns whether each
/// file with something to fix could be read and written.
pub(super) fn fix(linter: &Linter, inputs: &[Input], places: u64) -> Result<bool> {
    let mut report = Report {
        places,
        counts: BTreeMap::new(),
    };
    let (mut files, mut is_fixed) = (0_u64, true);
    for input in inputs {
        let Some(path) = input
            .path()
            .filter(|path| fs::metadata(path).is_ok_and(|found| found.is_file()))
        else {
            bail!("--fix works on files only, not on {}", input.name);
        };
        match wanted(linter, input).and_then(|wanted| mend(path, &wanted, input)) {
            Ok(mended) => {
                files += u64::from(!mended.is_empty());
                for mended in &mended {
                    report.value(input, mended);
                }
            }
            Err(error) => {
                is_fixed = false;
                print_message!("not fixed: {}: {error:#}", input.name);
            }
        }
    }
    for (rule, count) in &report.counts {
        let hidden = count.saturating_sub(places);
        if hidden > 0 {
            print_message!("fixed: {} more by {rule}", grouped(hidden));
        }
    }
    let fixed = report.counts.values().sum();
    print_message!("fixed: {} in {}", counted(fixed, "value"), counted(files, "file"));
    Ok(is_fixed)
}

fn wanted(linter: &Linter, input: &Input) -> Result<Wanted> {
    let mut wanted = Wanted::new();
    let mut note = |_: usize, diagnostic: Diagnostic| {
        if let Some(entry) = diagnostic.entry()
            && RULES.contains(&diagnostic.rule())
        {
            wanted.entry(entry).or_default().insert(diagnostic.rule());
        }
    };
    let mut lint = linter.start(&mut note);
    lint.document(Document::new(input.name.clone(), || input.open()))?;
    lint.finish()?;
    Ok(wanted)
}

struct Report {
    places: u64,
    counts: BTreeMap<Rule, u64>,
}

impl Report {
    fn value(&mut self, input: &Input, mended: &Mended) {
        let Mended {
            entry,
            field,
            rule,
            old,
            new,
        } = mended;
        let count = self.counts.entry(*rule).or_default();
        *count += 1;
        if *count <= self.places {
            let new = if new.is_empty() {
                "removed".to_owned()
            } else {
                format!("`{}`", new.escape_debug())
            };
            print_message!(
                "fixed: {}: entry {entry} · {field}: `{}` -> {new} ({rule})",
                input.name,
                old.escape_debug()
            );
        }
    }
}

/// Rewrites the file if anything can be fixed, and returns the fixes.
fn mend(path: &Path, wanted: &Wanted, input: &Input) -> Result<Vec<Mended>> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let format = ReaderBuilder::new()
        .mode(Mode::Lenient)
        .from_reader(input.open()?)
        .format()?;
    if format == Format::Text || format.is_feed() {
        bail!("it is a sitemap as {format}, and --fix mends XML alone: `sitemap repair` reads it");
    }
    let mut start = Vec::new();
    input.open()?.take(2).read_to_end(&mut start)?;
    let mut mended = Vec::new();
    let notes = write_to(path, |file| {
        let from = BufReader::new(input.open()?);
        if start == [0x1F, 0x8B] {
            let mut encoder = GzEncoder::new(file, Compression::default());
            mended = entries(from, &mut encoder, wanted)?;
            encoder.finish()?;
        } else {
            mended = entries(from, file, wanted)?;
        }
        Ok(!mended.is_empty())
    })?;
    for note in notes {
        print_message!("note: {note}");
    }
    Ok(mended)
}

fn entries(from: impl Read, to: &mut dyn Write, wanted: &Wanted) -> Result<Vec<Mended>> {
    let mut editor = Editor::new(from, to);
    let mut mended = Vec::new();
    loop {
        match editor.next_entry() {
            Ok(Some(mut entry)) => {
                let rules = wanted.get(&entry.record().number()).into_iter().flatten();
                for rule in rules {
                    mended.extend(values(&mut entry, *rule).into_iter().flatten());
                }
            }
            Ok(None) => break,
            // The entry is copied unchanged.
            Err(error) if error.is_data() && !error.ends_reading() => {}
            Err(error) => return Err(error.into()),
        }
    }
    editor.finish().context("it cannot be written to its end")?;
    Ok(mended)
}

/// A fixed value.
struct Mended {
    entry: u64,
    field: &'static str,
    rule: Rule,
    old: String,
    /// The new value; empty if the element was removed.
    new: String,
}

/// Fixes the value that breaks a rule; `None` if the value is ambiguous.
fn values(entry: &mut EntryEditor<'_>, rule: Rule) -> Option<Vec<Mended>> {
    let number = entry.record().number();
    let mended = |field, old, new| Mended {
        entry: number,
        field,
        rule,
        old,
        new,
    };
    let field = match rule {
        Rule::LocEnc | Rule::Idn => "loc",
        Rule::Lastmod => "lastmod",
        Rule::Freq => "changefreq",
        Rule::Prio => "priority",
        Rule::IndexTags => {
            let removed = ["changefreq", "priority"].into_iter().filter_map(|field| {
                let old = entry.get(field)?.to_owned();
                entry.remove(field).ok()?;
                Some(mended(field, old, String::new()))
            });
            return Some(removed.collect());
        }
        _ => return None,
    };
    let old = entry.get(field)?.to_owned();
    let new = match rule {
        Rule::Lastmod => W3cDateTime::repair(&old)?.to_string(),
        Rule::Freq => old.trim().to_lowercase(),
        Rule::Prio => old.trim().replacen(',', ".", 1),
        // The same form as the editor writes.
        _ => {
            let written = WriterBuilder::new().to_entries(&UrlEntry::new(&old)).ok()?;
            written.into_iter().next()?.loc
        }
    };
    if new == old {
        return None;
    }
    entry.set(field, &new).ok()?;
    Some(vec![mended(field, old, new)])
}
