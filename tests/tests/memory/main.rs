//! What reading and writing need of the heap.

mod derive;
mod reader;
mod writer;
