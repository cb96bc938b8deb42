//! Records: a `url` or `sitemap` element without a Rust type, as it is read or written.

mod elements;
mod extension;
mod known;
mod omit;
mod read;
mod slot;
mod table;
mod write;

#[cfg(feature = "derive")]
pub(crate) use extension::twice;
pub(crate) use extension::{ElementName, no_prefix};
pub(crate) use omit::{Omits, Report};
pub(crate) use read::{RecordReader, check, check_names, check_with_doubts, no_loc, second_core, skip};
pub(crate) use slot::{Layout, Slot};
pub(crate) use table::{Node, RecordView, Rest, Table};
pub(crate) use write::{RecordState, RecordWriter, Row};
