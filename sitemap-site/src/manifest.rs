//! The manifest: the state that a set keeps from one commit to the next.

use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use sitemap_serde::{Limits, W3cDateTime, convert::Precision};

use crate::error::{Error, ErrorKind, Result};
use crate::hash::ContentHash;
use crate::part::PartFacts;

/// The version of the manifest's format; other versions are not read.
const VERSION: u32 = 1;
/// 9999-12-31T23:59:59Z, which no lastmod is after.
const LAST_SECOND: u64 = 253_402_300_799;
/// More than any generation, number of a part or file size; sums of smaller numbers do not overflow.
const MOST: u64 = 1 << 40;

/// The private file with the state of a published set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    pub(crate) version: u32,
    /// Counts the commits, from 1.
    pub(crate) generation: u64,
    /// Time of the commit, in seconds since 1970; always later than that of the previous commit.
    pub(crate) committed: u64,
    pub(crate) top: Top,
    /// The hash of the top file.
    pub(crate) top_hash: ContentHash,
    /// Each section's next free number, by the section's name.
    pub(crate) next_number: std::collections::BTreeMap<String, u64>,
    /// The parts, in the order of the index.
    pub(crate) parts: Vec<ManifestPart>,
    /// Other public files: the stylesheet.
    pub(crate) others: Vec<OtherFile>,
    /// Files that are no longer listed, but not yet deleted.
    pub(crate) dropped: Vec<Dropped>,
    /// Files that the next commit deletes, and that must not be listed again; only in a storage.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) condemned: Vec<String>,
}

/// What `sitemap.xml` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Top {
    /// The index of all parts.
    Index,
    /// The only part.
    Part,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ManifestPart {
    pub(crate) section: String,
    pub(crate) task: String,
    pub(crate) number: u64,
    /// The name of the part's file, unless it is the top file.
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) facts: PartFacts,
    /// The loc of its last entry, if its last row has no key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) last_loc: Option<String>,
    /// When its content changed (P-IDX3).
    pub(crate) changed: W3cDateTime,
    pub(crate) file: FileState,
}

/// Size and time of a file. If they differ, another program has changed the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileState {
    /// Size of the file in bytes, after compression.
    pub(crate) size: u64,
    /// Modification time since 1970; zero if times are not recorded.
    pub(crate) modified: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OtherFile {
    pub(crate) name: String,
    pub(crate) hash: ContentHash,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Dropped {
    pub(crate) name: String,
    /// Time in seconds since 1970.
    pub(crate) since: u64,
}

impl Manifest {
    pub(crate) const VERSION: u32 = VERSION;

    pub(crate) fn entries(&self) -> u64 {
        self.parts.iter().map(|part| part.facts.entries).sum()
    }

    /// The files of the parts, without repetition; none if the only part is the top file.
    pub(crate) fn part_files(&self) -> impl Iterator<Item = &str> {
        let parts = self.parts.iter().filter(|_| self.top == Top::Index);
        let names: std::collections::BTreeSet<&str> = parts.map(|part| part.name.as_str()).collect();
        names.into_iter()
    }

    pub(crate) fn to_json(&self) -> Vec<u8> {
        let mut json = serde_json::to_vec_pretty(self).unwrap_or_default();
        json.push(b'\n');
        json
    }

    pub(crate) fn from_json(json: &[u8], name: &str) -> Result<Self> {
        let damaged = |why: String| {
            Error::new(
                ErrorKind::Damaged,
                format!(
                    "the manifest {name} cannot be read: {why}; publish the whole set with `SetBuilder::forget(true)`, which \
                     goes on without it"
                ),
            )
        };
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let Versioned { version } =
            serde_json::from_slice(json).map_err(|error| damaged(error.to_string()))?;
        if version != VERSION {
            return Err(damaged(format!(
                "it has version {version}, but this program supports only version {VERSION}"
            )));
        }
        let manifest: Manifest = serde_json::from_slice(json).map_err(|error| damaged(error.to_string()))?;
        if let Some((what, number)) = manifest.impossible_number() {
            return Err(damaged(format!(
                "its {what} is {number}, which no program has written"
            )));
        }
        if let Some(name) = manifest.unsafe_name() {
            return Err(damaged(format!(
                "it names the file {name:?}, and a set has only files with plain names, such as `sitemap-pages-1.xml`"
            )));
        }
        Ok(manifest)
    }

    /// The first file name that may lead out of the set's directory.
    fn unsafe_name(&self) -> Option<&str> {
        let parts = self.parts.iter().map(|part| &part.name);
        let others = self.others.iter().map(|other| &other.name);
        let dropped = self.dropped.iter().map(|dropped| &dropped.name);
        let mut names = parts.chain(others).chain(dropped).chain(&self.condemned);
        names.find(|name| !is_plain(name)).map(String::as_str)
    }

    /// The first number that no commit writes, with its field's name.
    fn impossible_number(&self) -> Option<(&'static str, u64)> {
        let of_set = [
            ("generation", self.generation, MOST),
            ("committed", self.committed, LAST_SECOND - 1),
        ];
        let of_parts = self.parts.iter().flat_map(|part| {
            [
                ("number", part.number, MOST),
                ("entries", part.facts.entries, Limits::ENTRIES),
                ("bytes", part.facts.bytes, Limits::BYTES),
                ("dated", part.facts.dated, Limits::ENTRIES),
                ("size", part.file.size, MOST),
                ("modified", part.file.modified.as_secs(), LAST_SECOND),
            ]
        });
        let next = self.next_number.values().map(|next| ("next_number", *next, MOST));
        let since = self
            .dropped
            .iter()
            .map(|dropped| ("since", dropped.since, LAST_SECOND));
        let mut all = of_set.into_iter().chain(of_parts).chain(next).chain(since);
        let beyond = all.find(|(_, number, most)| number > most);
        beyond.map(|(what, number, _)| (what, number))
    }
}

/// Whether a name is a plain file name, without directories.
pub(crate) fn is_plain(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (1..=255).contains(&name.len()) && !name.starts_with('.') && name.bytes().all(allowed)
}

/// Time since 1970; zero for earlier times.
pub(crate) fn since_1970(time: SystemTime) -> Duration {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

/// The time that is `seconds` after 1970.
pub(crate) fn after_1970(seconds: u64) -> Result<W3cDateTime> {
    to_lastmod(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds.min(LAST_SECOND)))
}

/// The time to the second, in UTC.
pub(crate) fn to_lastmod(time: SystemTime) -> Result<W3cDateTime> {
    Ok(W3cDateTime::try_from(time)?.truncated_to(Precision::Second))
}
