//! A whole document: the root, its entries, their number and size.
//!
//! | file | content |
//! |---|---|
//! | `sniff` | which format a document has, by its first bytes |
//! | `read` | reads a document in any format, entry by entry; `lenient` in it repairs |
//! | `write` | writes one, and keeps within the limits |
//! | `stylesheet` | the instruction that names a stylesheet, to be written |

mod read;
pub(crate) mod sniff;
mod stylesheet;
mod write;

pub(crate) use read::{Callback, DocumentReader, Leniency, Reports, StyleInstruction};
pub(crate) use stylesheet::Stylesheet;
pub(crate) use write::{DocumentSettings, DocumentWriter};
