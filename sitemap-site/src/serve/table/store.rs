//! Stores for the table of parts, which outlive the process.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::future::Future;
use std::io::{self, Write};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sitemap_serde::Limits;

use super::PartRow;
use crate::hash::ContentHash;
use crate::sets::storage::Version;
use crate::source::BoxError;

/// A store for the table of parts, so that it survives restarts and can be shared by several instances: a file, a row in a database,
/// a key in a cache.
///
/// The table is a text of about 200 bytes per part. Parts have a `Last-Modified` only with a store, which records when a part's content
/// changed. An instance loads the table at most every `max_age`, and combines it with its own before it saves. It waits four seconds
/// for the first table. If the store takes longer, the rows are counted meanwhile.
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// use sitemap_site::source::BoxError;
/// use sitemap_site::storage::Version;
/// use sitemap_site::{SiteBuilder, TableStore};
///
/// /// The table, and how often it was saved.
/// #[derive(Clone, Default)]
/// struct InMemory(Arc<Mutex<Option<(String, u64)>>>);
///
/// impl TableStore for InMemory {
///     async fn load(&self) -> Result<Option<(String, Version)>, BoxError> {
///         let stored = self.0.lock().unwrap().clone();
///         Ok(stored.map(|(table, number)| (table, Version::new(number.to_string()))))
///     }
///
///     // In SQL: `UPDATE sitemap SET parts = ?, version = version + 1 WHERE version = ?`, and whether it has changed a row.
///     async fn save(&self, table: String, replaces: Option<Version>) -> Result<bool, BoxError> {
///         let mut stored = self.0.lock().unwrap();
///         let number = stored.as_ref().map(|(_, number)| *number);
///         if number.map(|number| Version::new(number.to_string())) != replaces {
///             return Ok(false);
///         }
///         *stored = Some((table, number.unwrap_or(0) + 1));
///         Ok(true)
///     }
/// }
///
/// let site = SiteBuilder::new("https://example.com").table_store(InMemory::default()).build()?;
/// # Ok::<(), sitemap_site::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot save the table of parts",
    label = "does not implement `TableStore`",
    note = "in a file it is saved by `FileStore::new(path)`; implement it for a row of your database, with a condition on its version"
)]
pub trait TableStore: Send + Sync + 'static {
    /// Returns the saved table and its version; `None` if there is none.
    ///
    /// # Errors
    /// An error is logged, and the table is built from the rows.
    fn load(&self) -> impl Future<Output = Result<Option<(String, Version)>, BoxError>> + Send;

    /// Saves the table atomically, if the stored one still has the version `replaces`, or with `None`, if there is none. Returns
    /// `true` if it was saved. Otherwise another instance has saved its table, which is loaded and combined with this one.
    ///
    /// # Errors
    /// An error is logged, and saving is tried again later.
    fn save(
        &self,
        table: String,
        replaces: Option<Version>,
    ) -> impl Future<Output = Result<bool, BoxError>> + Send;
}

type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, BoxError>> + Send + 'a>>;

/// A type-erased [`TableStore`].
pub(crate) trait AnyStore: Send + Sync {
    fn load(&self) -> BoxFuture<'_, Option<(String, Version)>>;
    fn save(&self, table: String, replaces: Option<Version>) -> BoxFuture<'_, bool>;
}

impl<S: TableStore> AnyStore for S {
    fn load(&self) -> BoxFuture<'_, Option<(String, Version)>> {
        Box::pin(TableStore::load(self))
    }

    fn save(&self, table: String, replaces: Option<Version>) -> BoxFuture<'_, bool> {
        Box::pin(TableStore::save(self, table, replaces))
    }
}

/// A file as the store, replaced atomically. Next to it is a file with the suffix `.lock`, which is locked while a table is
/// saved.
#[derive(Clone, Debug)]
pub struct FileStore(Arc<Path>);

impl FileStore {
    /// A store in the file `path`. Its directory must exist.
    pub fn new(path: impl AsRef<Path>) -> Self {
        FileStore(path.as_ref().into())
    }
}

impl TableStore for FileStore {
    async fn load(&self) -> Result<Option<(String, Version)>, BoxError> {
        let path = Arc::clone(&self.0);
        let read = tokio::task::spawn_blocking(move || read(&path)).await??;
        Ok(read.map(|table| {
            let version = version(&table);
            (table, version)
        }))
    }

    async fn save(&self, table: String, replaces: Option<Version>) -> Result<bool, BoxError> {
        let path = Arc::clone(&self.0);
        Ok(tokio::task::spawn_blocking(move || replace(&path, &table, replaces.as_ref())).await??)
    }
}

fn version(table: &str) -> Version {
    Version::new(ContentHash::of(table.as_bytes()).to_string())
}

fn read(path: &Path) -> io::Result<Option<String>> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => Ok(Some(read?)),
    }
}

/// Replaces the table, if it still has this version and nobody else is saving one.
fn replace(path: &Path, table: &str, replaces: Option<&Version>) -> io::Result<bool> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let lock = fs::OpenOptions::new().create(true).append(true).open(name)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(fs::TryLockError::WouldBlock) => return Ok(false),
        Err(fs::TryLockError::Error(error)) => return Err(error),
    }
    let is_same = read(path).map(|stored| stored.as_deref().map(version).as_ref() == replaces);
    let saved = is_same.and_then(|is_same| {
        if is_same {
            write(path, table)?;
        }
        Ok(is_same)
    });
    // Closing the file would not release the lock while a child process that is being started has it open too.
    lock.unlock()?;
    saved
}

/// Each save has its own temporary file: two programs in different containers may have the same process id.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    let mut beside = tempfile::Builder::new();
    beside.prefix(&name).suffix(".new");
    // Readable by other users, as far as the umask allows: other instances may run as other users, and the table is not secret.
    #[cfg(unix)]
    beside.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut beside = beside.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    beside.write_all(text.as_bytes())?;
    beside.as_file().sync_all()?;
    beside.persist(path)?;
    Ok(())
}

/// The stored table.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct StoredTable {
    /// [`FORMAT`]; other formats are not read.
    format: u32,
    #[serde(default)]
    pub(crate) index: Option<StoredIndex>,
    #[serde(default)]
    pub(crate) sections: BTreeMap<String, StoredParts>,
}

/// The stored parts of a section.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct StoredParts {
    #[serde(default)]
    pub(crate) counted: Counted,
    pub(crate) parts: Vec<PartRow>,
}

/// When the rows of a table were counted, in seconds since 1970. The table with the later times is the better one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Counted {
    /// When the count of all rows began.
    pub(crate) all: u64,
    /// When the rows after the last full part were counted.
    pub(crate) last: u64,
}

/// When the index changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredIndex {
    pub(crate) hash: ContentHash,
    pub(crate) changed: u64,
}

/// The version of the format.
const FORMAT: u32 = 2;

/// More rows than any table has; sums of smaller numbers do not overflow.
const MOST_ROWS: u64 = 1 << 40;

/// The error for a text that is not a stored table.
#[derive(Debug)]
pub(crate) enum NotATable {
    Json(serde_json::Error),
    Format(u32),
    /// A part that is not the last has no end, or two have the same.
    Parts(String),
    /// A part has more rows or entries than there can be.
    Count(String),
}

impl fmt::Display for NotATable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotATable::Json(error) => write!(f, "the stored text is not a table of parts: {error}"),
            NotATable::Format(found) => {
                let replaced = if self.is_newer() {
                    ", and does not replace newer ones"
                } else {
                    ""
                };
                write!(
                    f,
                    "the stored table has format {found}; this version reads {FORMAT}{replaced}"
                )
            }
            NotATable::Count(section) => write!(
                f,
                "a stored part of the section `{section}` has more rows or entries than a part can have"
            ),
            NotATable::Parts(section) => write!(
                f,
                "the stored parts of the section `{section}` do not follow each other: each but the last has an end of its own"
            ),
        }
    }
}

impl std::error::Error for NotATable {}

impl NotATable {
    /// Returns `true` if a newer version, which other instances run, wrote the table.
    pub(crate) fn is_newer(&self) -> bool {
        matches!(self, NotATable::Format(found) if *found > FORMAT)
    }
}

/// The fields of every version of the format.
#[derive(Deserialize)]
struct AnyFormat {
    format: u32,
}

impl StoredTable {
    pub(crate) fn new(index: Option<StoredIndex>, sections: BTreeMap<String, StoredParts>) -> Self {
        StoredTable {
            format: FORMAT,
            index,
            sections,
        }
    }

    pub(crate) fn parse(text: &str) -> Result<Self, NotATable> {
        let AnyFormat { format } = serde_json::from_str(text).map_err(NotATable::Json)?;
        if format != FORMAT {
            return Err(NotATable::Format(format));
        }
        let mut table: StoredTable = serde_json::from_str(text).map_err(NotATable::Json)?;
        for (name, stored) in &mut table.sections {
            let rows = &mut stored.parts;
            let mut ends = std::collections::HashSet::new();
            let before_last = rows.len().saturating_sub(1);
            let ended = rows.iter().take(before_last).all(|row| row.to.is_some());
            if !ended || !rows.iter().all(|row| ends.insert(row.to.clone())) {
                return Err(NotATable::Parts(name.clone()));
            }
            for row in rows {
                if row.rows > MOST_ROWS || row.entries.is_some_and(|entries| entries > Limits::ENTRIES) {
                    return Err(NotATable::Count(name.clone()));
                }
                row.stored = row.changed;
            }
        }
        Ok(table)
    }

    pub(crate) fn to_text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(to: &str, rows: u64, entries: u64) -> String {
        format!(r#"{{"to":{to},"rows":{rows},"entries":{entries},"newest":"unknown"}}"#)
    }

    fn table(parts: &[String]) -> String {
        format!(
            r#"{{"format":2,"sections":{{"pages":{{"parts":[{}]}}}}}}"#,
            parts.join(",")
        )
    }

    const SEVEN: &str = r#"[{"i":7}]"#;

    #[test]
    fn what_is_not_a_table_is_named() {
        let order = "the stored parts of the section `pages` do not follow each other: each but the last has an end of its own";
        let count = "a stored part of the section `pages` has more rows or entries than a part can have";
        for (text, is_newer, message) in [
            (
                String::new(),
                false,
                "the stored text is not a table of parts: EOF while parsing a value at line 1 column 0",
            ),
            (
                r#"{"format":1}"#.to_owned(),
                false,
                "the stored table has format 1; this version reads 2",
            ),
            (
                r#"{"format":3}"#.to_owned(),
                true,
                "the stored table has format 3; this version reads 2, and does not replace newer ones",
            ),
            (table(&[part("null", 1, 1), part(SEVEN, 1, 1)]), false, order),
            (table(&[part(SEVEN, 1, 1), part(SEVEN, 1, 1)]), false, order),
            (table(&[part("null", 1, 1), part("null", 1, 1)]), false, order),
            (table(&[part("null", MOST_ROWS + 1, 1)]), false, count),
            (table(&[part("null", 1, Limits::ENTRIES + 1)]), false, count),
        ] {
            let error = StoredTable::parse(&text).unwrap_err();
            assert_eq!(
                (error.is_newer(), error.to_string().as_str()),
                (is_newer, message)
            );
        }
    }

    #[test]
    fn parts_may_be_full() {
        let text = table(&[part(SEVEN, MOST_ROWS, Limits::ENTRIES), part("null", 1, 0)]);
        let table = StoredTable::parse(&text).unwrap();
        assert_eq!(table.sections["pages"].parts.len(), 2);
    }
}
