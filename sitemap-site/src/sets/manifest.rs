//! The manifest: the state that a set keeps from one commit to the next.

mod check;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sitemap_serde::W3cDateTime;

use super::name::TOP_FILE;
use crate::error::{Error, ErrorKind, Result, replace_damaged};
use crate::hash::ContentHash;
use crate::part::PartFacts;

/// The version of the manifest's format; other versions are not read.
const VERSION: u32 = 2;

/// The private file with the state of a published set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    pub(crate) version: u32,
    /// Counts the commits, from 1.
    pub(crate) generation: u64,
    /// Time of the commit, in seconds since 1970; always later than the previous commit's.
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
    /// The hash of everything else; only while the manifest is read.
    #[serde(default, skip_serializing)]
    pub(crate) checksum: Option<ContentHash>,
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

    /// The files of the parts, without repetition; none if the only part is the top file.
    pub(crate) fn part_files(&self) -> impl Iterator<Item = &str> {
        let parts = self.parts.iter().filter(|_| self.top == Top::Index);
        let names: std::collections::BTreeSet<&str> = parts.map(|part| part.name.as_str()).collect();
        names.into_iter()
    }

    /// The manifest as text, with its checksum.
    pub(crate) fn to_json(&self) -> Vec<u8> {
        #[derive(Serialize)]
        struct Checked<'a> {
            #[serde(flatten)]
            manifest: &'a Manifest,
            checksum: ContentHash,
        }
        let checked = Checked {
            manifest: self,
            checksum: self.content_hash(),
        };
        let mut json = serde_json::to_vec_pretty(&checked).unwrap_or_default();
        json.push(b'\n');
        json
    }

    /// Reads the text of a manifest, and checks what the next commit relies on.
    pub(crate) fn from_json(json: &[u8], name: &str) -> Result<Self> {
        let damaged = |why: String| {
            Error::new(
                ErrorKind::Damaged,
                format!("the manifest {name} cannot be read: {why}; {}", replace_damaged()),
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
        let mut manifest: Manifest =
            serde_json::from_slice(json).map_err(|error| damaged(error.to_string()))?;
        match manifest.mistake() {
            Some(mistake) => Err(damaged(mistake)),
            None => {
                manifest.checksum = None;
                Ok(manifest)
            }
        }
    }

    /// The hash of everything except the checksum, however the text is laid out.
    fn content_hash(&self) -> ContentHash {
        ContentHash::of(&serde_json::to_vec(self).unwrap_or_default())
    }
}

impl ManifestPart {
    /// The name of its file.
    pub(crate) fn file_name(&self, top: Top) -> &str {
        match top {
            Top::Index => &self.name,
            Top::Part => TOP_FILE,
        }
    }
}

impl Top {
    /// The only part is the top file, unless it is a text, which cannot be `sitemap.xml`.
    pub(crate) fn of<'a>(mut files: impl Iterator<Item = &'a str>) -> Self {
        match (files.next(), files.next()) {
            (Some(only), None) if !only.contains(".txt") => Top::Part,
            _ => Top::Index,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Top::Index => "index",
            Top::Part => "part",
        }
    }
}
