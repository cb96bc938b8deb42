//! The baseline: known problems, which are not reported again.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use sitemap_serde::Diagnostic;

use crate::input::Input;

/// For each fingerprint, how often the problem is in the baseline, and how often it was found now.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    known: BTreeMap<String, u64>,
    found: BTreeMap<String, u64>,
}

/// Identifies a diagnostic independently of its line: a hash of its rule, document, field and message. The hash is 64-bit FNV-1a,
/// which is the same on every system.
pub(super) fn fingerprint(input: &Input, diagnostic: &Diagnostic) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let field = diagnostic
        .path()
        .and_then(|path| path.split_once(" · "))
        .map_or("", |(_, field)| field);
    for part in [
        diagnostic.rule().as_str(),
        &input.name,
        field,
        diagnostic.message(),
    ] {
        for byte in part.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

impl Baseline {
    pub(super) fn read(path: Option<&Path>) -> Result<Self> {
        let mut baseline = Baseline::default();
        let Some(path) = path else { return Ok(baseline) };
        let shown = path.display();
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
        let value: Value =
            serde_json::from_str(&text).with_context(|| format!("{shown} is not a baseline"))?;
        let Some(found) = value.get("found").and_then(Value::as_object) else {
            bail!("{shown} is not a baseline: write one with --write-baseline");
        };
        for (fingerprint, count) in found {
            baseline
                .known
                .insert(fingerprint.clone(), count.as_u64().unwrap_or(1));
        }
        Ok(baseline)
    }

    /// Whether the baseline contains the diagnostic; further occurrences do not count as known.
    pub(super) fn takes(&mut self, input: &Input, diagnostic: &Diagnostic) -> bool {
        let fingerprint = fingerprint(input, diagnostic);
        let known = match self.known.get_mut(&fingerprint) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        };
        *self.found.entry(fingerprint).or_default() += 1;
        known
    }

    pub(super) fn write(&self, path: &Path) -> Result<()> {
        let value = json!({ "version": 1, "found": self.found });
        let text = format!("{value:#}\n");
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    }
}
