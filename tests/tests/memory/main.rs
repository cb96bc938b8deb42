//! What reading and writing need of the heap.

mod derive;
mod editor;
mod entries;
mod lint;
mod reader;
mod writer;
