//! Writing: what is written, where to, in which encoding, and what is left out.

mod charsets;
mod engines;
mod field_sets;
mod files;
mod omitted;
mod output;
mod readers;
mod rows;
mod sinks;
mod urls;
