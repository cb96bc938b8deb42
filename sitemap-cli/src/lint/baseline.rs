//! The baseline: known problems, which are not reported again.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use sitemap_serde::Diagnostic;

use crate::input::{Input, url_path};
use crate::replace::{place, write_to};

/// The version of the format.
const VERSION: u64 = 1;

/// For each fingerprint, how often the problem is in the baseline, and how often it was found now.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    known: BTreeMap<String, u64>,
    /// The folder of the baseline that was read.
    folder: PathBuf,
    found: BTreeMap<String, u64>,
    /// The folder of the baseline that will be written.
    next_folder: PathBuf,
}

/// The name of a document in a baseline: the path from the baseline's folder, so that it does not depend on the working directory, nor on
/// how the document was named.
fn document(input: &Input, folder: &Path) -> String {
    let Some(path) = input.path().map(place) else {
        return input.name.clone();
    };
    let common = folder
        .components()
        .zip(path.components())
        .take_while(|(a, b)| a == b)
        .count();
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    let below: PathBuf = up.chain(path.components().skip(common)).collect();
    url_path(&below)
}

/// Identifies a diagnostic independently of lines: a hash of its rule, document, field and message. The hash is 64-bit FNV-1a,
/// which is the same on every system.
pub(super) fn fingerprint(document: &str, diagnostic: &Diagnostic) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let field = diagnostic
        .path()
        .and_then(|path| path.split_once(" · "))
        .map_or("", |(_, field)| field);
    let message = without_places(diagnostic.message());
    for part in [diagnostic.rule().as_str(), document, field, &message] {
        for byte in part.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

/// A message without the place of another problem, which it may name: a line, an entry, and a document as it was named in this run.
fn without_places(message: &str) -> String {
    let message = message.split(", as entry ").next().unwrap_or_default();
    let mut out = String::with_capacity(message.len());
    let mut is_number = false;
    for c in message.chars() {
        let is_of_place = is_number || out.ends_with("line ") || out.ends_with("entry ");
        is_number = c.is_ascii_digit() && is_of_place;
        if !is_number {
            out.push(c);
        }
    }
    out
}

impl Baseline {
    /// Reads a baseline. The next one will be written to another path, if there is one.
    pub(super) fn read(path: Option<&Path>, next: Option<&Path>) -> Result<Self> {
        // The folder of the file, also if the path is a link to it.
        let folder = |path: &Path| {
            let file = path.canonicalize().unwrap_or_else(|_| place(path));
            file.parent().map(Path::to_owned).unwrap_or_default()
        };
        let mut baseline = Baseline {
            folder: path.map(folder).unwrap_or_default(),
            next_folder: next.or(path).map(folder).unwrap_or_default(),
            ..Baseline::default()
        };
        let Some(path) = path else { return Ok(baseline) };
        let shown = path.display();
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
        let value: Value =
            serde_json::from_str(&text).with_context(|| format!("{shown} is not a baseline"))?;
        let Some(found) = value.get("found").and_then(Value::as_object) else {
            bail!("{shown} is not a baseline: write one with --write-baseline");
        };
        let version = value.get("version").unwrap_or(&Value::Null);
        if *version != VERSION {
            bail!(
                "{shown} is a baseline of version {version}, and this program reads version {VERSION}: write one with --write-baseline"
            );
        }
        for (fingerprint, count) in found {
            baseline
                .known
                .insert(fingerprint.clone(), count.as_u64().unwrap_or(1));
        }
        Ok(baseline)
    }

    /// Whether the baseline contains the diagnostic; further occurrences do not count as known.
    pub(super) fn takes(&mut self, input: &Input, diagnostic: &Diagnostic) -> bool {
        if self.folder.as_os_str().is_empty() && self.next_folder.as_os_str().is_empty() {
            return false;
        }
        let known = fingerprint(&document(input, &self.folder), diagnostic);
        let found = fingerprint(&document(input, &self.next_folder), diagnostic);
        let known = match self.known.get_mut(&known) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        };
        *self.found.entry(found).or_default() += 1;
        known
    }

    pub(super) fn write(&self, path: &Path) -> Result<()> {
        let value = json!({ "version": VERSION, "found": self.found });
        let notes = write_to(path, |file| {
            writeln!(file, "{value:#}").with_context(|| format!("cannot write {}", path.display()))?;
            Ok(true)
        })?;
        for note in notes {
            print_note!("note: {note}");
        }
        Ok(())
    }
}
