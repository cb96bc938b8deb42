//! Reading: documents in any form and any pieces of input, and everything that a reader returns.

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
