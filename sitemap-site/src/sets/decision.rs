//! The decision of a commit: the new set, made from the previous set and the lists of the workers.
//!
//! **A commit is decided before it is carried out.** `decision` does no I/O: it assigns numbers and names, finds unchanged parts, and
//! builds the index. A directory and a storage carry it out by different means: a directory has links and renames, and names files by
//! number; a storage has neither, so it names objects by content, and one conditional put of the index publishes the set.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::SystemTime;

use sitemap_serde::__internal::Advice;
use sitemap_serde::{IndexEntry, Kind, W3cDateTime, WriterBuilder};

use crate::error::{Error, ErrorKind, Result};
use crate::hash::ContentHash;
use crate::time::{LAST_SECOND, after_1970, later_than, since_1970};

use super::list::{PartList, Problems, StagedPart, one_for_each_task};
use super::manifest::{FileState, Manifest, ManifestPart, Top};
use super::name::TOP_FILE;
use super::settings::Settings;

/// The set that a commit will publish.
#[derive(Debug)]
pub(crate) struct Decision {
    pub(crate) generation: u64,
    pub(crate) committed: u64,
    /// The parts, in the order of the index.
    pub(crate) parts: Vec<DecidedPart>,
    pub(crate) top: Top,
    /// The index, if that is the top file.
    pub(crate) index: Vec<u8>,
    /// `true` if the top file has the entries of all parts, instead of an index.
    pub(crate) is_flat: bool,
    pub(crate) next_number: BTreeMap<String, u64>,
    /// The names of previous parts that are no longer listed.
    pub(crate) removed: Vec<String>,
    pub(crate) not_listed: u64,
    pub(crate) problems: Problems,
    pub(crate) warning: Option<String>,
}

/// When a commit is made.
struct Times {
    /// Later than the previous commit's time, in seconds since 1970.
    committed: u64,
    /// The date of changed parts.
    changed: W3cDateTime,
    warning: Option<String>,
}

#[derive(Debug)]
pub(crate) struct DecidedPart {
    pub(crate) part: ManifestPart,
    pub(crate) source: PartOrigin,
    /// `true` if the previous set had the part, with any content.
    pub(crate) replaces: bool,
    /// The part that a worker has written, used or not.
    pub(crate) staged: Option<StagedPart>,
}

/// The origin of a part's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartOrigin {
    /// A worker has written it.
    Staged,
    /// It is in the previous set, in a file with the same name.
    Kept,
    /// It is in the previous set, in a file with another name: it is or was the top file.
    Renamed,
}

/// The differences between a directory and a storage for deciding a commit.
pub(crate) trait Place {
    /// The name of a part's file.
    fn name(&self, section: &str, number: u64, hash: ContentHash, extension: &str) -> String;

    /// Returns `true` if a published file exists, with its recorded size and time.
    fn is_intact(&self, part: &ManifestPart, top: Top) -> Result<bool>;
}

/// A request to publish lists, given the previous set.
#[derive(Clone, Copy)]
pub(crate) struct Proposal<'a> {
    pub(crate) before: Option<&'a Manifest>,
    pub(crate) lists: &'a [PartList],
    /// `true` if the new set has only the parts of the lists; `false` to keep the parts of other tasks.
    pub(crate) whole: bool,
    pub(crate) settings: &'a Settings,
    pub(crate) place: &'a dyn Place,
    pub(crate) now: SystemTime,
}

impl Proposal<'_> {
    /// The set to publish; an error if it has shrunk too much.
    pub(crate) fn approve(&self) -> Result<Decision> {
        let decision = self.decide()?;
        check_shrinking(self.before, &decision, self.settings)?;
        Ok(decision)
    }

    /// Builds the new set.
    pub(super) fn decide(&self) -> Result<Decision> {
        let Proposal { before, settings, .. } = *self;
        let lists = one_for_each_task(self.lists)?;
        let Times {
            committed,
            changed,
            warning,
        } = self.times()?;
        let known = Known::new(before);
        let mut numbers = Numbers::new(before);
        let mut parts = match (self.whole, before) {
            (false, Some(before)) => self.other_tasks(before, &lists, &mut numbers)?,
            _ => Vec::new(),
        };
        // First reserve the numbers that are in use, so that new parts get other numbers.
        let mut wanted = Vec::new();
        let staged = listed(&lists, &parts);
        // The section of an empty part of another task has news again.
        parts.retain(|DecidedPart { part, .. }| {
            part.facts.entries > 0 || !staged.iter().any(|(list, _)| list.section == part.section)
        });
        for (list, staged) in &staged {
            let number = match staged.number {
                Some(number) => known.by_number(&list.section, number),
                // If a list is committed again, its parts are found by their content.
                None => known.by_content(list, staged.facts.hash),
            };
            let number = number.map(|part| part.number);
            wanted.push(number.filter(|&number| numbers.take(&list.section, number)));
        }
        let mut wanted = wanted.into_iter();
        let (mut not_listed, mut problems) = (0, Problems::default());
        for list in &lists {
            not_listed = list.not_listed.saturating_add(not_listed);
            problems.add(&list.problems);
        }
        for (list, staged) in staged {
            let number = match wanted.next().flatten() {
                Some(number) => number,
                None => numbers.next(&list.section)?,
            };
            parts.push(self.new_part(list, staged, number, &known, changed)?);
        }
        for decided in &mut parts {
            // Not even unchanged parts keep a date of a clock that was ahead.
            decided.part.changed = decided.part.changed.min(changed);
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
            is_flat: settings.flat && top == Top::Index,
            next_number: numbers.next,
            removed,
            not_listed,
            problems,
            warning,
        })
    }

    /// The later of two commits within a second still gets a later time. Parts are not dated by a wrong clock.
    fn times(&self) -> Result<Times> {
        let now = since_1970(self.now).as_secs().min(LAST_SECOND - 1);
        let before = self.before.map(|before| before.committed);
        let committed = before.map_or(now, |before| now.max(before + 1).min(LAST_SECOND - 1));
        let time = later_than(before, now);
        let changed = after_1970(time)?;
        let warning = match before {
            Some(before) if time < committed => Some(format!(
                "the commit before is dated {}, and it is {changed} now: a clock was wrong, then or now; the parts are dated by the \
                 present one",
                after_1970(before)?
            )),
            _ => None,
        };
        Ok(Times {
            committed,
            changed,
            warning,
        })
    }

    /// The unchanged parts of tasks without a list.
    fn other_tasks(
        &self,
        before: &Manifest,
        lists: &[&PartList],
        numbers: &mut Numbers,
    ) -> Result<Vec<DecidedPart>> {
        let given: BTreeSet<(&str, &str)> = lists.iter().map(|list| (list.section(), list.task())).collect();
        let mut parts = Vec::new();
        for part in &before.parts {
            if given.contains(&(part.section.as_str(), part.task.as_str())) {
                continue;
            }
            if !self.place.is_intact(part, before.top)? {
                return Err(Error::new(
                    ErrorKind::Damaged,
                    format!(
                        "`{}` of task `{}` is gone or was changed by another program since it was published: commit the lists of \
                         all tasks, which writes it anew",
                        part.file_name(before.top),
                        part.task
                    ),
                ));
            }
            numbers.take(&part.section, part.number);
            parts.push(DecidedPart {
                part: part.clone(),
                source: PartOrigin::Kept,
                replaces: true,
                staged: None,
            });
        }
        Ok(parts)
    }

    fn new_part(
        &self,
        list: &PartList,
        staged: &StagedPart,
        number: u64,
        known: &Known<'_>,
        changed: W3cDateTime,
    ) -> Result<DecidedPart> {
        let extension = self.settings.extension(staged.gzip, staged.text);
        let hash = staged.facts.hash;
        let mut part = ManifestPart {
            section: list.section.clone(),
            task: list.task.clone(),
            number,
            name: self.place.name(&list.section, number, hash, extension),
            facts: staged.facts.clone(),
            last_loc: staged.last_loc.clone(),
            changed,
            file: FileState::default(),
        };
        let mut source = PartOrigin::Staged;
        let replaced = known.by_number(&list.section, number);
        // A name made from the content may also be another part's.
        let same_file = known.names.get(part.name.as_str()).copied();
        if let Some(same) = same_file
            .or(replaced)
            .filter(|same| same.facts.hash == part.facts.hash)
        {
            part.changed = same.changed;
        }
        if let (Some(same), Some(before)) = (same_file, self.before)
            && same.facts.hash == part.facts.hash
            && self.place.is_intact(same, before.top)?
        {
            part.file = same.file;
            source = PartOrigin::Kept;
        }
        Ok(DecidedPart {
            part,
            source,
            replaces: replaced.is_some(),
            staged: Some(staged.clone()),
        })
    }
}

/// The parts of the previous set, by number, content and name.
struct Known<'a> {
    numbers: HashMap<(&'a str, u64), &'a ManifestPart>,
    contents: HashMap<(&'a str, &'a str, ContentHash), &'a ManifestPart>,
    names: HashMap<&'a str, &'a ManifestPart>,
}

impl<'a> Known<'a> {
    fn new(before: Option<&'a Manifest>) -> Self {
        let parts = || before.iter().flat_map(|before| &before.parts).rev();
        // The first of several equal parts must be found, so it is inserted last.
        Known {
            numbers: parts()
                .map(|part| ((part.section.as_str(), part.number), part))
                .collect(),
            contents: parts()
                .map(|part| ((part.section.as_str(), part.task.as_str(), part.facts.hash), part))
                .collect(),
            names: parts().map(|part| (part.name.as_str(), part)).collect(),
        }
    }

    fn by_number(&self, section: &str, number: u64) -> Option<&'a ManifestPart> {
        self.numbers.get(&(section, number)).copied()
    }

    fn by_content(&self, list: &PartList, hash: ContentHash) -> Option<&'a ManifestPart> {
        self.contents
            .get(&(list.section.as_str(), list.task.as_str(), hash))
            .copied()
    }
}

/// Sorts the parts in the order of the index. Returns the kind of the top file, and the files that are no longer listed.
fn arrange(parts: &mut [DecidedPart], before: Option<&Manifest>) -> (Top, Vec<String>) {
    parts.sort_by(|a, b| (&a.part.section, &a.part.task).cmp(&(&b.part.section, &b.part.task)));

    let top = Top::of(parts.iter().map(|decided| decided.part.name.as_str()));
    if let Some(before) = before {
        for decided in parts.iter_mut() {
            if decided.source == PartOrigin::Kept && before.top != top {
                decided.source = PartOrigin::Renamed;
            }
        }
    }
    let names: BTreeSet<&str> = match top {
        Top::Index => parts.iter().map(|decided| decided.part.name.as_str()).collect(),
        Top::Part => BTreeSet::new(),
    };
    let removed = match before {
        Some(before) => before
            .part_files()
            .filter(|name| !names.contains(name))
            .map(str::to_owned)
            .collect(),
        None => Vec::new(),
    };
    (top, removed)
}

/// The published parts of the lists: all parts with entries. A section without entries (its tasks have no news) gets one empty
/// part, preferably one that replaces a part.
fn listed<'a>(lists: &[&'a PartList], others: &[DecidedPart]) -> Vec<(&'a PartList, &'a StagedPart)> {
    let staged = || {
        let of_list = |list: &&'a PartList| {
            list.parts
                .iter()
                .map(|staged| (*list, staged))
                .collect::<Vec<_>>()
        };
        lists.iter().flat_map(of_list)
    };
    let others = others.iter().map(|decided| decided.part.section.as_str());
    let mut has_part: BTreeSet<&str> = others.collect();
    has_part.extend(
        staged()
            .filter(|(_, staged)| staged.facts.entries > 0)
            .map(|(list, _)| list.section()),
    );
    let mut empty: BTreeMap<&str, &StagedPart> = BTreeMap::new();
    for (list, part) in staged().filter(|(list, _)| !has_part.contains(list.section())) {
        let kept = empty.entry(list.section()).or_insert(part);
        if kept.number.is_none() && part.number.is_some() {
            *kept = part;
        }
    }
    let is_listed = |(list, part): &(&'a PartList, &'a StagedPart)| {
        part.facts.entries > 0
            || empty
                .get(list.section())
                .is_some_and(|kept| std::ptr::eq(*kept, *part))
    };
    staged().filter(is_listed).collect()
}

/// The used numbers of each section.
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

    /// Takes a number. Returns `false` if it is in use.
    fn take(&mut self, section: &str, number: u64) -> bool {
        self.taken.insert((section.to_owned(), number))
    }

    /// Takes a number that was never used, so that an address keeps its meaning.
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

/// The index of the parts, each with the time when it changed (P-IDX3). A file that two parts share is listed once.
fn index(parts: &[DecidedPart], settings: &Settings) -> Result<Vec<u8>> {
    let mut writer = index_writer(settings).from_writer(Vec::new());
    let mut listed = BTreeSet::new();
    for decided in parts {
        if !listed.insert(&decided.part.name) {
            continue;
        }
        let mut entry = IndexEntry::new(settings.address(&decided.part.name));
        entry.lastmod = Some(decided.part.changed);
        writer.write(&entry).map_err(|error| match error.kind() {
            sitemap_serde::ErrorKind::Limit => Error::new(
                ErrorKind::Limit,
                format!(
                    "the set has {} parts, and its index has room for {}: {error}; an index of indexes is not allowed (P-NEST), so \
                     make several sets, each in a directory of its own, and list their indexes in robots.txt",
                    parts.len(),
                    writer.summary().entries
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

/// Refuses a set that is empty, or has too few entries compared with the previous one.
pub(super) fn check_shrinking(
    before: Option<&Manifest>,
    decision: &Decision,
    settings: &Settings,
) -> Result<()> {
    if settings.allow_shrinking {
        return Ok(());
    }
    // The number of news varies: some days have none.
    let is_counted = |part: &&ManifestPart| !settings.news.contains_key(&part.section);
    let entries = |parts: &mut dyn Iterator<Item = &ManifestPart>| -> u64 {
        parts.filter(is_counted).map(|part| part.facts.entries).sum()
    };
    let parts = || decision.parts.iter().map(|decided| &decided.part);
    let has_news = !parts().all(|part| is_counted(&part));
    let before = before.map_or(0, |before| entries(&mut before.parts.iter()));
    let entries = entries(&mut parts());
    let allow = Advice::of_api(
        "SetBuilder::allow_shrinking",
        "allow it with `SetBuilder::allow_shrinking(true)`",
    );
    let advice = format!("if this is intended, {allow}; nothing was changed");
    if entries == 0 && !has_news {
        let lost = match before {
            0 => String::new(),
            1 => ", and the published one has 1 entry".to_owned(),
            _ => format!(", and the published one has {before} entries"),
        };
        return Err(Error::new(
            ErrorKind::Shrunk,
            format!("the set would be empty{lost}: {advice}"),
        ));
    }
    if entries < before.div_ceil(2) {
        return Err(Error::new(
            ErrorKind::Shrunk,
            format!(
                "the set would have {entries} entries, less than half of the {before} published ones: {advice}"
            ),
        ));
    }
    Ok(())
}
