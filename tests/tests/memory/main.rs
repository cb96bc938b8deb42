//! The heap that reading and writing need.

mod derive;
mod editor;
mod entries;
mod lint;
mod reader;
mod writer;
