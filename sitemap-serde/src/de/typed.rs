//! The crate's own entries, straight from a record.

use crate::datetime::W3cDateTime;
use crate::error::{Error, Result};
use crate::loc;
use crate::model::{ChangeFreq, Priority, UrlEntry};
use crate::record::{Name, Node, RecordView};

use super::extension::extension;

/// Makes a page of a record, its values checked.
pub(crate) fn url_entry(record: RecordView<'_, '_>) -> Result<UrlEntry> {
    let mut entry = UrlEntry::new(String::new());
    fill(&mut entry, record)?;
    Ok(entry)
}

/// Puts the values of a record into a page that has none yet: an entry is large, and moving it takes time.
pub(crate) fn fill(entry: &mut UrlEntry, record: RecordView<'_, '_>) -> Result<()> {
    for_each(record, |i, name, node, text| {
        match name {
            Name::LOC => entry.loc = loc(record, node, text)?,
            Name::LASTMOD => entry.lastmod = Some(lastmod(record, node, text)?),
            Name::CHANGEFREQ => {
                let value = ChangeFreq::parse(text)
                    .ok_or_else(|| in_field(record, node, ChangeFreq::explain(text)))?;
                entry.changefreq = Some(value);
            }
            Name::PRIORITY => {
                let value =
                    Priority::parse(text).ok_or_else(|| in_field(record, node, Priority::explain(text)))?;
                entry.priority = Some(value);
            }
            _ => extension(&record, i, node, text, entry)?,
        }
        Ok(())
    })
}

/// Calls `take` with every element of the entry that says something, by its index; and with the loc, and what is not the
/// core's, even if it does not.
#[inline]
fn for_each<'de: 'r, 'r>(
    record: RecordView<'de, 'r>,
    mut take: impl FnMut(usize, Name, &'r Node, &'r str) -> Result<()>,
) -> Result<()> {
    let mut i = 0;
    while let Some(node) = record.node(i) {
        let text = record.value(node).get();
        if !text.is_empty() || node.name == Name::LOC || node.name.index() >= Name::CORE {
            take(i, node.name, node, text)?;
        }
        i = node.next();
    }
    Ok(())
}

fn loc(record: RecordView<'_, '_>, node: &Node, text: &str) -> Result<String> {
    loc::check(text).map_err(|error| in_field(record, node, error))?;
    Ok(text.to_owned())
}

fn lastmod(record: RecordView<'_, '_>, node: &Node, text: &str) -> Result<W3cDateTime> {
    W3cDateTime::parse(text).ok_or_else(|| in_field(record, node, W3cDateTime::explain(text)))
}

#[cold]
fn in_field(record: RecordView<'_, '_>, node: &Node, error: Error) -> Error {
    error.within(record.step(node)).at_offset(node.at())
}
