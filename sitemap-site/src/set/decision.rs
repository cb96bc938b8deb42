//! What a commit makes of the set before and the lists of the workers.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use sitemap_serde::{Category, IndexEntry, Kind, W3cDateTime, WriterBuilder};

use crate::error::{Error, ErrorKind, Result};
use crate::hash::ContentHash;
use crate::manifest::{FileState, Manifest, ManifestPart, Top, after_1970, since_1970};

use super::Settings;
use super::list::{LeftOut, PartList, StagedPart, one_for_each_task};

/// The set that a commit publishes, before any of it is done.
#[derive(Debug)]
pub(crate) struct Decision {
    pub(crate) generation: u64,
    pub(crate) committed: u64,
    /// In the order of the index.
    pub(crate) parts: Vec<DecidedPart>,
    pub(crate) top: Top,
    /// The index, if that is the top file.
    pub(crate) index: Vec<u8>,
    pub(crate) next_number: BTreeMap<String, u64>,
    /// The names of the parts of the set before that are listed no more.
    pub(crate) removed: Vec<String>,
    pub(crate) not_listed: u64,
    pub(crate) left_out: LeftOut,
}

#[derive(Debug)]
pub(crate) struct DecidedPart {
    pub(crate) part: ManifestPart,
    pub(crate) source: Source,
    /// Whether the set before had the part, with whatever content.
    pub(crate) replaces: bool,
    /// What a worker has written for it, kept or not.
    pub(crate) staged: Option<StagedPart>,
}

/// Where a part's file comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A worker has written it.
    Staged,
    /// It is in the set before, in a file of the same name.
    Kept,
    /// It is in the set before, in a file of another name: it is or was the top file.
    Renamed,
}

/// What differs between a directory and a storage.
pub(crate) trait Place {
    /// The name of a part's file.
    fn name(&self, section: &str, number: u64, hash: ContentHash, extension: &str) -> String;

    /// Whether a published file is there, and looks as it did when it was published.
    fn is_intact(&self, part: &ManifestPart, top: Top) -> Result<bool>;
}

pub(crate) const TOP_FILE: &str = "sitemap.xml";

/// Puts the new set together. With `whole` it has the lists' parts alone, otherwise the other tasks' as well.
pub(crate) fn decide(
    before: Option<&Manifest>,
    lists: &[PartList],
    whole: bool,
    settings: &Settings,
    place: &dyn Place,
    now: SystemTime,
) -> Result<Decision> {
    let lists = one_for_each_task(lists)?;
    // Of two commits within a second the later one is later all the same.
    let committed = since_1970(now)
        .as_secs()
        .max(before.map_or(0, |before| before.committed + 1));
    let changed = after_1970(committed)?;
    let mut numbers = Numbers::new(before);
    let mut parts = Vec::new();
    let given: BTreeSet<(&str, &str)> = lists.iter().map(|list| (list.section(), list.task())).collect();
    if let (false, Some(before)) = (whole, before) {
        for part in &before.parts {
            if given.contains(&(part.section.as_str(), part.task.as_str())) {
                continue;
            }
            if !place.is_intact(part, before.top)? {
                return Err(Error::new(
                    ErrorKind::Damaged,
                    format!(
                        "`{}` of task `{}` is gone or was changed by another program since it was published: commit the lists of \
                         all tasks, which writes it anew",
                        file_of(part, before.top),
                        part.task
                    ),
                ));
            }
            numbers.take(&part.section, part.number);
            parts.push(DecidedPart {
                part: part.clone(),
                source: Source::Kept,
                replaces: true,
                staged: None,
            });
        }
    }
    let known = |section: &str, number: u64| {
        let parts = before.map(|before| before.parts.as_slice()).unwrap_or_default();
        parts
            .iter()
            .find(|part| part.section == section && part.number == number)
    };
    // Numbers that are somebody's first, so that a new part does not get one of those.
    let mut wanted = Vec::new();
    for list in &lists {
        for staged in &list.parts {
            // A list that is committed again finds its parts by their content.
            let same = |part: &&ManifestPart| {
                part.section == list.section && part.task == list.task && part.facts.hash == staged.facts.hash
            };
            let number = match staged.number {
                Some(number) => known(&list.section, number),
                None => before.and_then(|before| before.parts.iter().find(same)),
            };
            let number = number.map(|part| part.number);
            wanted.push(number.filter(|&number| numbers.take(&list.section, number)));
        }
    }
    let mut wanted = wanted.into_iter();
    let (mut not_listed, mut left_out) = (0, LeftOut::default());
    for list in &lists {
        not_listed += list.not_listed;
        left_out.add(&list.left_out);
        for staged in &list.parts {
            let number = match wanted.next().flatten() {
                Some(number) => number,
                None => numbers.next(&list.section)?,
            };
            let replaced = known(&list.section, number);
            parts.push(new_part(
                list, staged, number, replaced, before, changed, settings, place,
            )?);
        }
    }
    let (top, removed) = arrange(&mut parts, before);
    let index = match top {
        Top::Index => index(&parts, settings)?,
        Top::Part => Vec::new(),
    };
    Ok(Decision {
        generation: before.map_or(0, |before| before.generation) + 1,
        committed,
        parts,
        top,
        index,
        next_number: numbers.next,
        removed,
        not_listed,
        left_out,
    })
}

/// Puts the parts into the order of the index, and returns what the top file is and which files are listed no more.
fn arrange(parts: &mut [DecidedPart], before: Option<&Manifest>) -> (Top, Vec<String>) {
    parts.sort_by(|a, b| (&a.part.section, &a.part.task).cmp(&(&b.part.section, &b.part.task)));

    let top = match &*parts {
        // An index lists what is no XML.
        [only] if !only.part.name.contains(".txt") => Top::Part,
        _ => Top::Index,
    };
    if let Some(before) = before {
        for decided in parts.iter_mut() {
            if decided.source == Source::Kept && before.top != top {
                decided.source = Source::Renamed;
            }
        }
    }
    let names: BTreeSet<&str> = match top {
        Top::Index => parts.iter().map(|decided| decided.part.name.as_str()).collect(),
        Top::Part => BTreeSet::new(),
    };
    let removed = match before {
        Some(before) if before.top == Top::Index => before
            .parts
            .iter()
            .map(|part| part.name.clone())
            .filter(|name| !names.contains(name.as_str()))
            .collect(),
        _ => Vec::new(),
    };
    (top, removed)
}

/// The file that a part is in.
pub(crate) fn file_of(part: &ManifestPart, top: Top) -> &str {
    match top {
        Top::Index => &part.name,
        Top::Part => TOP_FILE,
    }
}

#[expect(clippy::too_many_arguments, reason = "called once, to keep the loop short")]
fn new_part(
    list: &PartList,
    staged: &StagedPart,
    number: u64,
    replaced: Option<&ManifestPart>,
    before: Option<&Manifest>,
    changed: W3cDateTime,
    settings: &Settings,
    place: &dyn Place,
) -> Result<DecidedPart> {
    let extension = settings.extension(staged.gzip, staged.text);
    let name = place.name(&list.section, number, staged.facts.hash, extension);
    let mut part = ManifestPart {
        section: list.section.clone(),
        task: list.task.clone(),
        number,
        name,
        facts: staged.facts.clone(),
        last_loc: staged.last_loc.clone(),
        changed,
        file: FileState::default(),
    };
    let mut source = Source::Staged;
    if let (Some(replaced), Some(before)) = (replaced, before)
        && replaced.facts.hash == part.facts.hash
    {
        part.changed = replaced.changed;
        if replaced.name == part.name && place.is_intact(replaced, before.top)? {
            part.file = replaced.file;
            source = Source::Kept;
        }
    }
    Ok(DecidedPart {
        part,
        source,
        replaces: replaced.is_some(),
        staged: Some(staged.clone()),
    })
}

/// Which numbers of each section are taken.
struct Numbers {
    next: BTreeMap<String, u64>,
    taken: BTreeSet<(String, u64)>,
}

impl Numbers {
    fn new(before: Option<&Manifest>) -> Self {
        Numbers {
            next: before
                .map(|before| before.next_number.clone())
                .unwrap_or_default(),
            taken: BTreeSet::new(),
        }
    }

    /// False if somebody has it.
    fn take(&mut self, section: &str, number: u64) -> bool {
        self.taken.insert((section.to_owned(), number))
    }

    /// One that nobody ever had, so that what is known of an address by its name stays true.
    fn next(&mut self, section: &str) -> Result<u64> {
        let next = self.next.entry(section.to_owned()).or_insert(1);
        let number = *next;
        *next = number.checked_add(1).ok_or_else(|| {
            Error::new(
                ErrorKind::Damaged,
                format!(
                    "section `{section}` has used all numbers of parts: the manifest was changed by hand"
                ),
            )
        })?;
        Ok(number)
    }
}

/// The index of the parts, each with the time when it changed (P-IDX3).
fn index(parts: &[DecidedPart], settings: &Settings) -> Result<Vec<u8>> {
    let mut writer = index_writer(settings).from_writer(Vec::new());
    for decided in parts {
        let mut entry = IndexEntry::new(settings.address(&decided.part.name));
        entry.lastmod = Some(decided.part.changed);
        writer.write(&entry).map_err(|error| match error.category() {
            Category::Limit => Error::new(
                ErrorKind::Limit,
                format!(
                    "the set has {} parts, and its index has room for {}: {error}; an index of indexes is not allowed (P-NEST), so \
                     make several sets, each in a directory of its own, and list their indexes in robots.txt",
                    parts.len(),
                    writer.len()
                ),
            ),
            _ => error.into(),
        })?;
    }
    Ok(writer.finish()?)
}

pub(crate) fn index_writer(settings: &Settings) -> WriterBuilder {
    let mut writer = WriterBuilder::new();
    writer
        .kind(Kind::SitemapIndex)
        .location(settings.address(TOP_FILE));
    if let Some(stylesheet) = settings.stylesheet {
        writer.stylesheet(stylesheet.name);
    }
    writer
}

/// Refuses a set that is empty, or has less than the allowed part of the entries of the one before.
pub(crate) fn check_shrinking(
    before: Option<&Manifest>,
    decision: &Decision,
    settings: &Settings,
) -> Result<()> {
    if settings.allow_shrinking {
        return Ok(());
    }
    let entries: u64 = decision
        .parts
        .iter()
        .map(|decided| decided.part.facts.entries)
        .sum();
    let before = before.map_or(0, Manifest::entries);
    let advice = "if that is meant, allow it with `SetBuilder::allow_shrinking(true)`; nothing was changed";
    if entries == 0 {
        return Err(Error::new(
            ErrorKind::Shrunk,
            format!("the set would be empty, and the one before has {before} entries: {advice}"),
        ));
    }
    if entries < before.div_ceil(2) {
        return Err(Error::new(
            ErrorKind::Shrunk,
            format!(
                "the set would have {entries} entries, less than half of the {before} of the one before: {advice}"
            ),
        ));
    }
    Ok(())
}
