//! The baseline: known problems, which are not reported again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use sitemap_serde::Diagnostic;

use crate::input::{Input, url_path};
use crate::replace::{place, write_to};

/// The version of the format.
const VERSION: u64 = 1;

/// For each fingerprint, the number of problems in the baseline, and the number found in this run.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    known: BTreeMap<String, u64>,
    /// The folder of the baseline that was read.
    folder: PathBuf,
    found: BTreeMap<String, u64>,
    /// The folder of the baseline to write.
    next_folder: PathBuf,
}

/// Returns the name of a document in a baseline: its path from the baseline's folder. It depends neither on the working directory nor on
/// the document's name in the arguments.
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

/// Identifies a diagnostic independently of lines, by a hash of its rule, document, field and message. The hash is 64-bit FNV-1a, which is
/// the same on every system.
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

/// Removes the place of another problem from a message: a line, an entry, and a document as named in this run.
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
    /// Reads a baseline. `next` is the path of the next one, if it differs.
    pub(super) fn read(path: Option<&Path>, next: Option<&Path>) -> Result<Self> {
        // The folder of the file itself, with links resolved.
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

    /// Returns `true` if the baseline contains the diagnostic. Occurrences beyond its count are not known.
    pub(super) fn takes(&mut self, input: &Input, diagnostic: &Diagnostic) -> bool {
        if self.folder.as_os_str().is_empty() && self.next_folder.as_os_str().is_empty() {
            return false;
        }
        let known = fingerprint(&document(input, &self.folder), diagnostic);
        let found = if self.next_folder == self.folder {
            known.clone()
        } else {
            fingerprint(&document(input, &self.next_folder), diagnostic)
        };
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
        write_to(path, false, |file| {
            writeln!(file, "{value:#}").with_context(|| format!("cannot write {}", path.display()))?;
            Ok(true)
        })
    }
}

/// Returns `true` if a file is a baseline, of any version.
pub(super) fn is_baseline(path: &Path) -> bool {
    let value = fs::read(path)
        .ok()
        .and_then(|text| serde_json::from_slice::<Value>(&text).ok());
    value.is_some_and(|value| value["found"].is_object() && value["version"].is_u64())
}
