//! Reading: documents as others read them, in whatever pieces they come, and all that a reader says.

mod api;
mod corpus;
mod diagnostics;
mod errors;
mod filter;
mod mutated_entries;
mod other_formats;
mod text_lines;
mod xml_differential;
mod xml_suite;
