//! Sitemaps from folders of built pages, with true dates.
//!
//! Most sites are built: by mdBook, Zola, Hugo, Sphinx, Docusaurus, or a program of one's own. This crate reads the pages of such a
//! folder and makes their sitemap. Each page that allows it is listed with its canonical address, its languages, and the date when
//! its content last changed. This date is never the time of the build.
//!
//! ```
//! use sitemap_pages::{FolderBuilder, Ledger};
//!
//! # let project = tempfile::tempdir()?;
//! # let (public, ledger) = (project.path().join("public"), project.path().join("sitemap-ledger"));
//! # std::fs::create_dir(&public)?;
//! std::fs::write(public.join("index.html"), "<h1>Lamps</h1>")?;
//! std::fs::write(public.join("404.html"), "<h1>There is nothing here</h1>")?;
//!
//! let mut builder = FolderBuilder::new("https://example.com");
//! builder.ledger(Ledger::load(&ledger)?);
//! let folder = builder.read(&public)?;
//! for skipped in folder.skipped() {
//!     println!("{skipped}"); // 404.html: a page for errors
//! }
//! folder.write_file(public.join("sitemap.xml"))?;
//! folder.ledger().save(&ledger)?;
//! # assert_eq!((folder.pages().len(), folder.skipped().len()), (1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | you have | you want | use |
//! |---|---|---|
//! | a folder of pages | its sitemap | [`FolderBuilder`], [`Folder::write_file`], [`Folder::write_set`] |
//! | a folder of pages | its pages, as entries of your own sitemap | [`Folder::pages`] |
//! | pages that are rebuilt again and again | the dates when they changed | [`Ledger`] |
//! | a page with a surprising date | the reason | [`Folder::explain`], [`KeptTexts`] |
//! | a page of a live site | a verdict from its response: list it or not | [`PageResponse`] |
//! | a page that was removed | the target in `_redirects` | [`Redirects`] |
//! | a sitemap that another program wrote | the differences from its pages | [`FolderPages`] |
//!
//! The [guide] explains each with complete programs, and states [the rule of the dates](guide::dates).

mod address;
mod alternates;
mod beginning;
mod block;
mod dates;
mod error;
mod excerpt;
mod explanation;
mod facts;
mod finding;
mod folder;
pub mod guide;
mod host;
mod html;
mod images;
mod leads;
mod ledger;
mod listing;
mod lists;
mod one_file;
mod output;
mod page;
mod patterns;
mod reason;
mod renames;
mod response;
mod selector;
mod site_pages;
mod slot;
mod texts;
mod threads;
mod walk;

pub use address::UrlStyle;
pub use error::{Error, ErrorKind, Result};
pub use explanation::{ExplainedBlock, Explanation, Standing};
pub use finding::{Finding, FindingKind};
pub use folder::{Folder, FolderBuilder, ReadingProgress};
pub use host::{Redirection, Redirects};
pub use ledger::Ledger;
pub use page::{DateChange, DateSource, Page};
pub use reason::{Reason, SkippedPage};
pub use response::PageResponse;
pub use site_pages::FolderPages;
pub use texts::{KeptTexts, TextChange};

/// Runs the README's program as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
