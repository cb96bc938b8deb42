//! The list of a worker's parts, which is sent to the process that commits them.
//!
//! **Lists own their files**. The staged parts of a list are removed with its last copy, so that a failing program leaves
//! nothing, wherever it fails. Serializing a list hands the files over to its reader, which a marker in the session's folder
//! records. Each new session removes the files of killed programs.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use sitemap_serde::Limits;

use crate::error::{Error, ErrorKind};
use crate::part::PartFacts;

use super::name::check_name;
use super::session::Session;

/// Larger than any file; the sum of all sizes cannot overflow.
const MOST_STORED: u64 = 1 << 40;

/// The written, but unpublished parts of one task. [`TaskWriter::finish`](crate::TaskWriter::finish) returns it; with serde it can be sent from
/// the worker to the process that [commits](crate::SitemapSet::commit).
///
/// When the last copy of a list is dropped, its unpublished parts are removed from the directory, so that a failed program leaves
/// nothing. The parts of a serialized list stay for a day, however the program ends.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[must_use = "parts are published by `SitemapSet::commit` or `SitemapSet::update`"]
pub struct PartList {
    pub(crate) section: String,
    pub(crate) task: String,
    pub(crate) parts: StagedParts,
    pub(crate) not_listed: u64,
    pub(crate) problems: Problems,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct StagedPart {
    /// Its path in the staging directory, or the name of an object.
    pub(crate) staged: String,
    /// The number of the previous part that it replaces; `None` for a new part.
    pub(crate) number: Option<u64>,
    pub(crate) facts: PartFacts,
    pub(crate) last_loc: Option<String>,
    /// The size of its file in bytes, after compression.
    pub(crate) size: u64,
    pub(crate) gzip: bool,
    pub(crate) text: bool,
}

/// The written parts of a task, whose files are removed with the last copy, unless it was sent to another process.
#[derive(Clone, Debug)]
pub(crate) struct StagedParts {
    parts: Vec<StagedPart>,
    /// `None` if another process has written them.
    owner: Option<Arc<Owner>>,
}

#[derive(Debug)]
struct Owner {
    session: Arc<dyn Session>,
    is_sent: AtomicBool,
}

impl StagedParts {
    pub(super) fn new(session: &Arc<dyn Session>) -> Self {
        StagedParts {
            parts: Vec::new(),
            owner: Some(Arc::new(Owner {
                session: Arc::clone(session),
                is_sent: AtomicBool::new(false),
            })),
        }
    }

    pub(super) fn push(&mut self, part: StagedPart) {
        self.parts.push(part);
    }
}

impl Deref for StagedParts {
    type Target = [StagedPart];

    fn deref(&self) -> &[StagedPart] {
        &self.parts
    }
}

impl Drop for StagedParts {
    fn drop(&mut self) {
        let Some(owner) = self.owner.take().and_then(Arc::into_inner) else {
            return;
        };
        if !owner.is_sent.into_inner() {
            for part in &self.parts {
                owner.session.discard(&part.staged);
            }
        }
    }
}

impl Serialize for StagedParts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(owner) = &self.owner
            && !owner.is_sent.swap(true, Ordering::Relaxed)
        {
            owner.session.leave();
        }
        self.parts.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for StagedParts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = Vec::deserialize(deserializer)?;
        Ok(StagedParts { parts, owner: None })
    }
}

/// The invalid rows and values of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Problems {
    pub(crate) skipped: u64,
    pub(crate) dropped: u64,
    /// The messages of the first [`MAX_MESSAGES`](Self::MAX_MESSAGES).
    pub(crate) messages: Vec<String>,
}

impl Problems {
    pub(crate) const MAX_MESSAGES: usize = 20;

    pub(crate) fn push(&mut self, message: impl FnOnce() -> String) {
        if self.messages.len() < Self::MAX_MESSAGES {
            self.messages.push(message());
        }
    }

    pub(crate) fn add(&mut self, other: &Problems) {
        self.skipped = self.skipped.saturating_add(other.skipped);
        self.dropped = self.dropped.saturating_add(other.dropped);
        self.messages.extend_from_slice(&other.messages);
    }
}

/// Lists to commit: one [`PartList`], or a slice, array or `Vec` of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of finished parts",
    label = "not what `TaskWriter::finish` returns",
    note = "finish the writer of each task, and commit what it returns: `set.commit(writer.finish()?)`, or of several tasks \
            `set.commit([pages.finish()?, products.finish()?])`"
)]
pub trait PartLists: AsRef<[PartList]> {}

#[diagnostic::do_not_recommend]
impl<T: AsRef<[PartList]>> PartLists for T {}

impl AsRef<[PartList]> for PartList {
    fn as_ref(&self) -> &[PartList] {
        std::slice::from_ref(self)
    }
}

impl PartList {
    /// The section of its entries.
    pub fn section(&self) -> &str {
        &self.section
    }

    /// The task that wrote it.
    pub fn task(&self) -> &str {
        &self.task
    }

    /// Facts about its parts, in order.
    #[doc(hidden)]
    pub fn parts(&self) -> impl ExactSizeIterator<Item = &PartFacts> {
        self.parts.iter().map(|part| &part.facts)
    }

    /// The total number of entries of its parts.
    pub fn entries(&self) -> u64 {
        let counts = self.parts.iter().map(|part| part.facts.entries);
        // A list may have been changed in transit.
        counts.fold(0, u64::saturating_add)
    }

    /// The number of rows that are [not listed](sitemap_serde::SitemapEntry::is_listed).
    pub fn not_listed(&self) -> u64 {
        self.not_listed
    }

    /// The number of rows that were skipped because they are [invalid](crate::SetBuilder::on_invalid).
    pub fn skipped(&self) -> u64 {
        self.problems.skipped
    }

    /// The number of [invalid](crate::SetBuilder::on_invalid) values that were dropped.
    pub fn dropped(&self) -> u64 {
        self.problems.dropped
    }

    /// The messages of the first 20 problems: of rows that were skipped, and of values that were dropped.
    pub fn problems(&self) -> &[String] {
        &self.problems.messages
    }

    /// Returns `true` if it equals another list of the same task, which was run twice.
    fn same_content(&self, other: &PartList) -> bool {
        let contents = |list: &PartList| -> Vec<_> {
            list.parts
                .iter()
                .map(|part| (part.facts.hash, part.gzip, part.text))
                .collect()
        };
        contents(self) == contents(other)
    }
}

/// One list for each task, in the order of sections and tasks.
pub(crate) fn one_for_each_task(lists: &[PartList]) -> crate::Result<Vec<&PartList>> {
    let mut sorted: Vec<&PartList> = lists.iter().collect();
    sorted.sort_by(|a, b| (&a.section, &a.task).cmp(&(&b.section, &b.task)));
    let mut unique: Vec<&PartList> = Vec::with_capacity(sorted.len());
    for list in sorted {
        check_name("section", &list.section)?;
        // A list may have been changed in transit.
        let too_large = |part: &&StagedPart| {
            part.facts.entries > Limits::ENTRIES
                || part.facts.bytes > Limits::BYTES
                || part.size > MOST_STORED
        };
        if let Some(part) = list.parts.iter().find(too_large) {
            return Err(Error::new(
                ErrorKind::Damaged,
                format!(
                    "the list of task `{}` says that a part has {} entries and {} bytes, {} as it is stored, which no writer makes: run \
                     the task again",
                    list.task, part.facts.entries, part.facts.bytes, part.size
                ),
            ));
        }
        match unique.last() {
            Some(last) if (&last.section, &last.task) == (&list.section, &list.task) => {
                if !last.same_content(list) {
                    return Err(Error::new(
                        ErrorKind::Conflict,
                        format!(
                            "two lists of task `{}` of section `{}` differ, one with {} entries and one with {}: a task must write the \
                             same rows each time it runs; give each task its own name, or commit one of the lists",
                            list.task,
                            list.section,
                            last.entries(),
                            list.entries()
                        ),
                    ));
                }
            }
            _ => unique.push(list),
        }
    }
    Ok(unique)
}
