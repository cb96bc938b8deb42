//! Sets written and sitemaps read by a scheduler and two executors, in one process and in several.

mod pages;
mod processes;
mod reading;
mod writing;
