//! Records: a `url` or `sitemap` element without a Rust type, read or to be written.
//!
//! | file | content |
//! |---|---|
//! | `table` | a record that was read: nodes, which are ranges of the source, and their names; `mend` changes it |
//! | `read`, `fill` | bytes ─► table, in four ways; values of another format of serde ─► table |
//! | `check`, `problems` | of a table: the structure that every type requires; invalid values, and the repairs |
//! | `write` | a record to be written, value by value: core elements itself, others by `extension` and `element_name` |
//! | `elements` | the bytes written so far, in the schema's order; `slot` has the core elements and the layout |
//! | `link`, `languages` | a link to an alternate page, written at once; its language, checked once a document |
//! | `invalid`, `against_loc` | dropping what the writer refuses; URLs that must fit the loc |
//!
//! **Where the time goes**, in instructions for an entry of the shapes `plain` (217 bytes, four leaves) and `images` (646 bytes, some 2.5
//! images with titles) of `benches -- shapes`; by `valgrind --tool=callgrind`, 500 entries three times less once:
//!
//! | | plain | images |
//! |---|---|---|
//! | `Reader::read_record`, and all values looked at | 2,400 | 6,460 |
//! | `Reader::entries` into a `Vec` | 3,560 | 11,050 |
//! | `from_str` into structs | 4,010 | 10,330 |
//!
//! A plain record takes 800 instructions to read the four leaves, 290 to look for `<` and special characters, and 350 to look at the
//! values. The rest is for the entry and the document: tags, limits, and copying the text. `tests/instructions` checks that each shape
//! costs at most 2.1 times as many instructions per byte as a plain record.

mod against_loc;
mod check;
mod element_name;
mod elements;
mod extension;
mod fill;
mod invalid;
mod languages;
mod link;
mod problems;
mod read;
mod slot;
mod table;
mod write;

#[cfg(feature = "derive")]
pub(crate) use against_loc::twice;
pub(crate) use check::{check, check_names, check_with_problems, no_loc, second_core};
pub(crate) use element_name::{ElementName, name_prefix, no_prefix, unknown_prefix};
pub(crate) use fill::{FillState, TableFill};
pub use invalid::OnInvalid;
pub(crate) use invalid::Report;
pub(crate) use problems::{Repairs, find_problems, first_problem};
pub(crate) use read::{EntryStart, RecordReader, note_stray_text, skip, skip_well_formed};
pub(crate) use slot::{Layout, Slot};
pub(crate) use table::{Node, RecordView, SplitEntries, StrayText, Table, Value, narrow};
pub(crate) use write::{RecordState, RecordWriter, RowReceiver};
