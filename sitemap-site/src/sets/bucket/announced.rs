//! The objects of the set that was announced last: a list of their names, which protects them from being deleted.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Bucket;
use crate::error::{Error, ErrorKind, Result};
use crate::sets::backend::{Snapshot, no_snapshot};
use crate::sets::manifest::Top;
use crate::sets::name::is_plain;
use crate::sets::storage::PutOptions;

/// The object with the names.
const RECORD: &str = ".sitemap/announced.json";
/// The folder of the only part of a set, which is its top file: its name does not identify its content.
const TOPS: &str = ".sitemap/";

#[derive(Serialize, Deserialize)]
struct Record {
    name: String,
    documents: Vec<String>,
}

impl Bucket {
    fn record(&self) -> Result<Option<Record>> {
        let Some(object) = self.get(RECORD)? else {
            return Ok(None);
        };
        let record: Option<Record> = serde_json::from_slice(&object.content).ok();
        let is_own = |record: &Record| {
            let mut names = record
                .documents
                .iter()
                .map(|name| name.strip_prefix(TOPS).unwrap_or(name));
            Snapshot::is_name(&record.name) && names.all(is_plain)
        };
        match record.filter(is_own) {
            Some(record) => Ok(Some(record)),
            None => Err(no_snapshot(RECORD, "the record is damaged")),
        }
    }

    /// The names of the parts that a commit must not delete.
    pub(super) fn announced_names(&self) -> Result<BTreeSet<String>> {
        Ok(self
            .record()?
            .map(|record| record.documents.into_iter().collect())
            .unwrap_or_default())
    }

    fn open_snapshot(&self, Record { name, documents }: Record) -> Snapshot {
        let bucket = self.clone();
        Snapshot {
            name,
            documents,
            open: Arc::new(move |name| match bucket.get(name)? {
                Some(object) => Ok(Box::new(Cursor::new(object.content))),
                None => Err(no_snapshot(RECORD, &format!("there is no {name}"))),
            }),
        }
    }

    /// The published set.
    pub(super) fn keep_snapshot(&self) -> Result<Snapshot> {
        let Some((Some(manifest), top)) = self.load(false)?.into_parts() else {
            return Err(Error::new(
                ErrorKind::Io,
                "nothing is published: there is no sitemap.xml with a manifest",
            ));
        };
        let name = Snapshot::name_of(&manifest);
        let documents = match manifest.top {
            Top::Index => Snapshot::files_of(&manifest),
            Top::Part => {
                let kept = format!("{TOPS}{name}.xml");
                self.put(&kept, top, &PutOptions::private())?;
                vec![kept]
            }
        };
        let announced = self.announced_names()?;
        for old in self.list(&format!("{TOPS}announced-"))? {
            if !documents.contains(&old.name) && !announced.contains(&old.name) {
                self.delete(&old.name)?;
            }
        }
        Ok(self.open_snapshot(Record { name, documents }))
    }

    /// The set that was announced last; `None` if there is none.
    pub(super) fn announced_snapshot(&self) -> Result<Option<Snapshot>> {
        Ok(self.record()?.map(|record| self.open_snapshot(record)))
    }

    /// Records a snapshot as announced.
    pub(super) fn record_announced(&self, name: &str, documents: &[String]) -> Result<()> {
        let before = self.record()?;
        let listed = self.listed()?;
        for name in documents {
            if name.starts_with(TOPS) && self.get(name)?.is_none() {
                return Err(Error::new(
                    ErrorKind::Conflict,
                    "another program has compared or announced another set in the meantime: compare and announce again",
                ));
            }
            if !name.starts_with(TOPS) && !listed.contains_key(name) {
                return Err(Error::new(
                    ErrorKind::Conflict,
                    "later commits have deleted parts of the set that was compared: compare and announce again",
                ));
            }
        }
        let record = Record {
            name: name.to_owned(),
            documents: documents.to_vec(),
        };
        let json = serde_json::to_vec(&record).unwrap_or_default();
        self.put(RECORD, json, &PutOptions::private())?;
        for old in before.into_iter().flat_map(|before| before.documents) {
            if old.starts_with(TOPS) && !documents.contains(&old) {
                self.delete(&old)?;
            }
        }
        Ok(())
    }
}
