//! One `url` or `sitemap`.

mod buffer;
mod elements;
mod extension;
mod guess;
mod name;
mod read;
mod table;
pub(crate) mod values;
mod write;

pub(crate) use buffer::{RecordBuffer, Slot};
pub(crate) use extension::{ElementName, missing};
pub(crate) use name::{Name, Shape};
pub(crate) use read::{RecordReader, check, skip};
pub(crate) use table::{Node, RecordView, Table};
pub(crate) use write::{RecordState, RecordWriter, Row};
