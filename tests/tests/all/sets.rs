//! Sets of files: what is published, byte for byte.

mod directory;
mod limits;
mod pages;
mod processes;
mod read;
mod readers;
mod settings;
mod shape;
mod storage;
