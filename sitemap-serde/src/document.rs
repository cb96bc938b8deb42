//! A whole document: the root, its entries, their number and size.

mod read;
pub(crate) mod sniff;
mod stylesheet;
mod write;

pub(crate) use read::{Callback, DocumentReader, Leniency, Reports, StyleInstruction};
pub(crate) use stylesheet::Stylesheet;
pub(crate) use write::{DocumentSettings, DocumentWriter};
