//! Sets of files: the published bytes.

mod announced;
mod committed;
mod directory;
mod invalid;
mod limits;
mod pages;
mod processes;
mod read;
mod readers;
mod roots;
mod settings;
mod shape;
mod storage;
