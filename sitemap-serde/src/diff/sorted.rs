//! Comparing sides that are sorted by the normal forms of their locs: both are read in parallel.

use std::cmp::Ordering;

use crate::error::Result;
use crate::lint::Input;
use crate::loc::normal_form;

use super::{Change, Diff, Entry, Summary, documents};

/// The number of entries that cannot be read, if the normalized locs of the others are strictly ascending.
pub(super) fn unread_of_sorted(documents: &mut [Input<'_>]) -> Result<Option<u64>> {
    let mut cursor = documents::read(documents, false, None);
    let mut last = String::new();
    while cursor.advance()? {
        let loc = normal_form(cursor.record.loc());
        if *loc <= *last {
            return Ok(None);
        }
        last.clear();
        last.push_str(&loc);
    }
    Ok(Some(cursor.unread))
}

pub(super) fn run(
    diff: &Diff,
    old: &mut [Input<'_>],
    new: &mut [Input<'_>],
    unread_new: u64,
    report: &mut dyn FnMut(Change) -> Result<()>,
) -> Result<Summary> {
    let (mut old, mut new) = (
        documents::read(old, diff.exact, diff.filter.as_ref()),
        documents::read(new, diff.exact, diff.filter.as_ref()),
    );
    let mut summary = Summary {
        unread_new,
        ..Summary::default()
    };
    let (mut has_old, mut has_new) = (old.advance()?, new.advance()?);
    while has_old || has_new {
        let order = match (has_old, has_new) {
            (true, true) => normal_form(old.record.loc()).cmp(&normal_form(new.record.loc())),
            (true, false) => Ordering::Less,
            _ => Ordering::Greater,
        };
        match order {
            Ordering::Less => {
                report(summary.only_old(old.record.loc()))?;
            }
            Ordering::Greater => {
                summary.added += 1;
                report(Entry::of(&new.record, diff).added())?;
            }
            Ordering::Equal => {
                let change = Entry::of(&old.record, diff).compare(&Entry::of(&new.record, diff));
                summary.both(change.as_ref());
                change.map_or(Ok(()), &mut *report)?;
            }
        }
        if order != Ordering::Greater {
            has_old = old.advance()?;
        }
        if order != Ordering::Less {
            has_new = new.advance()?;
        }
    }
    summary.unread_old = old.unread;
    summary.indexes = old.indexes + new.indexes;
    Ok(summary)
}
