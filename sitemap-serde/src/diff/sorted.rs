//! Comparing sides that are sorted by loc: both are read in parallel.

use std::cmp::Ordering;

use crate::error::Result;

use super::{Change, Cursor, Diff, Documents, Entry, Summary};

/// Whether the locs are strictly ascending.
pub(super) fn is_sorted(documents: &mut Documents<'_>) -> Result<bool> {
    let mut cursor = documents.read();
    let mut last = String::new();
    while cursor.advance()? {
        let loc = cursor.record.loc();
        if loc <= last.as_str() {
            return Ok(false);
        }
        loc.clone_into(&mut last);
    }
    Ok(true)
}

pub(super) fn run(
    diff: &Diff,
    old: &mut Documents<'_>,
    new: &mut Documents<'_>,
    report: &mut dyn FnMut(Change) -> Result<()>,
) -> Result<Summary> {
    let (mut old, mut new) = (old.read(), new.read());
    let mut summary = Summary::default();
    let (mut has_old, mut has_new) = (old.advance()?, new.advance()?);
    while has_old || has_new {
        let order = match (has_old, has_new) {
            (true, true) => old.record.loc().cmp(new.record.loc()),
            (true, false) => Ordering::Less,
            _ => Ordering::Greater,
        };
        let loc = |side: &Cursor<'_, '_>| side.record.loc().to_owned();
        match order {
            Ordering::Less => {
                summary.removed += 1;
                report(Change::Removed { loc: loc(&old) })?;
            }
            Ordering::Greater => {
                summary.added += 1;
                report(Change::Added { loc: loc(&new) })?;
            }
            Ordering::Equal => {
                let before = Entry::of(&old.record, diff);
                match before.compare(&Entry::of(&new.record, diff), old.record.loc()) {
                    Some(change) => {
                        summary.changed += 1;
                        report(change)?;
                    }
                    None => summary.same += 1,
                }
            }
        }
        if order != Ordering::Greater {
            has_old = old.advance()?;
        }
        if order != Ordering::Less {
            has_new = new.advance()?;
        }
    }
    summary.unread = old.unread + new.unread;
    summary.indexes = old.indexes + new.indexes;
    Ok(summary)
}
