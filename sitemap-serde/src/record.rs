//! Records: a `url` or `sitemap` element without a Rust type, read or to be written.

mod against_loc;
mod check;
mod element_name;
mod elements;
mod extension;
mod invalid;
mod read;
mod slot;
mod table;
mod write;

#[cfg(feature = "derive")]
pub(crate) use against_loc::twice;
pub(crate) use check::{check, check_names, check_with_problems, no_loc, second_core};
pub(crate) use element_name::{ElementName, name_prefix, no_prefix};
pub use invalid::OnInvalid;
pub(crate) use invalid::Report;
pub(crate) use read::{EntryStart, RecordReader, note_stray_text, skip, skip_well_formed};
pub(crate) use slot::{Layout, Slot};
pub(crate) use table::{Node, RecordView, SplitEntries, StrayText, Table, Value, narrow};
pub(crate) use write::{RecordState, RecordWriter, RowReceiver};
