//! Folders of pages, and their sitemaps.

mod bad_input;
mod hosts;
mod images;
mod lint;
mod listing;
mod lists;
mod markup;
mod mutations;
mod oracle;
mod output;
mod site;
mod statements;
mod truth;
