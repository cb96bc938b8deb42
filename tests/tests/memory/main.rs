//! What reading and writing need of the heap.

mod derive;
mod entries;
mod lint;
mod reader;
mod writer;
