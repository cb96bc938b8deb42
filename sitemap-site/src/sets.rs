//! Sets of files: publishing.
//!
//! From the bottom up; each module uses only those above it in this table.
//!
//! | module | content |
//! |---|---|
//! | `name`, `storage`, `session`, `gzip`, `threads`, `settings` | names of files; the traits of object stores and of unpublished files; small parts |
//! | `manifest` | the state of a set between commits; `check` verifies it before a commit relies on it |
//! | `list` | the parts of one task, sent by workers |
//! | `decision` | the new set, from the previous one and the lists, for directories and storages alike |
//! | `publication`, `summary`, `plan` | manifest, summary and dry run of a commit |
//! | `backend` | the trait of the place of a set |
//! | `directory/`, `bucket/` | its implementations: generations or in place on a disk, and an object store |
//! | `set/` | [`SitemapSet`]: `builder`, `writer` (the parts of one task), `output` (compressed on all cores), `shape` (the ends of parts), `read`, `announced` |

pub(crate) mod backend;
mod bucket;
mod decision;
mod directory;
mod gzip;
mod list;
pub(crate) mod manifest;
pub(crate) mod name;
mod plan;
mod publication;
mod session;
mod set;
mod settings;
pub mod storage;
mod summary;
mod threads;

pub use list::{PartList, PartLists};
pub use plan::{CommitPlan, FileAction, PlannedFile};
#[cfg(feature = "serve")]
pub(crate) use set::check_writer;
pub use set::{SetBuilder, SetFiles, SitemapSet, TaskWriter, Unannounced};
#[cfg(feature = "serve")]
pub(crate) use settings::OnProblem;
pub use settings::Progress;
pub use summary::CommitSummary;
