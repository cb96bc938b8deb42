//! Sets on a simulated disk.
//!
//! **Crash tests on a simulated disk.** `memory` replaces `directory/os`: a disk in memory that stops after every operation, and loses what
//! was not synced: all of it, half of it, names without contents, or some of each. After each crash every file that the index lists is
//! complete, and the next commit leaves no stray files (`replay`). Killed processes, full disks and two writers are tested on the real disk.

mod announcements;
mod commits;
mod edited_manifests;
pub(super) mod memory;
mod races;
#[cfg(feature = "gzip")]
mod replay;
mod sync_threads;
