//! The command `sitemap` as users run it: complete outputs, exit statuses, and written files.

mod action;
mod advice;
mod cat_fields;
mod convert_tables;
#[cfg(all(feature = "http", unix))]
mod deploy;
#[cfg(feature = "http")]
mod diff_damaged;
mod edges;
mod edit;
mod every_format;
#[cfg(feature = "http")]
mod every_input;
mod filters;
mod folder;
#[cfg(unix)]
mod folders;
mod formats;
mod from;
mod gate;
mod generated;
mod html;
mod index_add;
mod json_lines;
mod lint;
mod lint_damaged;
mod lint_fix;
mod lint_folder;
mod lint_jobs;
#[cfg(feature = "http")]
mod lint_live;
mod lint_pages;
mod lint_project;
mod lint_ways;
#[cfg(feature = "http")]
mod live;
#[cfg(feature = "http")]
mod live_again;
#[cfg(feature = "http")]
mod live_damaged;
#[cfg(feature = "http")]
mod live_habits;
#[cfg(feature = "http")]
mod live_readers;
#[cfg(feature = "http")]
mod live_wire;
mod losses;
mod on_invalid;
mod other_formats;
mod outputs;
mod pointers;
#[cfg(feature = "http")]
mod recipes;
mod repair;
mod repair_fixed;
#[cfg(feature = "http")]
mod requests;
mod rows_and_lines;
mod safety;
#[cfg(feature = "http")]
mod server;
mod sets;
mod shown;
mod statuses;
mod streams;
#[cfg(feature = "http")]
mod submit;
mod twice;
mod unknown_names;
mod unread;
mod values;
#[cfg(feature = "http")]
mod walk_report;
mod wrong_use;
