//! One `url` or `sitemap`.

mod buffer;
mod elements;
mod extension;
mod known;
mod read;
mod table;
mod write;

pub(crate) use buffer::{RecordBuffer, Slot};
pub(crate) use extension::ElementName;
#[cfg(feature = "derive")]
pub(crate) use extension::twice;
pub(crate) use read::{RecordReader, check, check_with_doubts, skip};
pub(crate) use table::{Node, RecordView, Table};
pub(crate) use write::{RecordState, RecordWriter, Row};
