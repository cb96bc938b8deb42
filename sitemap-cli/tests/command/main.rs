//! The command `sitemap`, as it is used: whole outputs, exit statuses, and the files that it leaves.

mod edit;
mod folder;
mod formats;
mod generated;
mod lint;
mod repair;
mod sets;
mod streams;
