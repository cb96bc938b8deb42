//! Changing entries of a sitemap and keeping everything else.
//!
//! An [`Editor`](crate::Editor) copies a document and applies your changes on the way. Comments, indentation, prefixes and unknown elements
//! are copied byte for byte. Memory use is constant.
//!
//! ```
//! use sitemap_serde::{UrlEntry, WriterBuilder};
//!
//! let xml = r#"<?xml version="1.0" encoding="UTF-8"?>
//! <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!   <url>
//!     <loc>https://example.com/</loc>
//!     <lastmod>2025-01-01</lastmod> <!-- by hand -->
//!   </url>
//!   <url>
//!     <loc>https://example.com/old</loc>
//!   </url>
//! </urlset>
//! "#;
//! let mut editor = WriterBuilder::new().base("https://example.com").editor(xml.as_bytes(), Vec::new());
//! while let Some(mut entry) = editor.next_entry()? {
//!     match entry.loc() {
//!         "https://example.com/" => {
//!             entry.set("lastmod", "2026-05-01")?;
//!             entry.set("priority", "1.0")?;
//!         }
//!         _ => entry.delete(),
//!     }
//! }
//! editor.add(&UrlEntry::new("/new"))?;
//! assert_eq!(
//!     String::from_utf8(editor.finish()?).unwrap(),
//!     r#"<?xml version="1.0" encoding="UTF-8"?>
//! <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!   <url>
//!     <loc>https://example.com/</loc>
//!     <lastmod>2026-05-01</lastmod> <!-- by hand -->
//!     <priority>1.0</priority>
//!   </url>
//!   <url>
//!     <loc>https://example.com/new</loc>
//!   </url>
//! </urlset>
//! "#
//! );
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! # What can be changed
//!
//! | function | changes |
//! |---|---|
//! | [`set`](crate::edit::EntryEditor::set), with a typed date or number [`set_lastmod`](crate::edit::EntryEditor::set_lastmod) and [`set_priority`](crate::edit::EntryEditor::set_priority) | a value; a missing element is inserted in the schema's order, with the indentation of its neighbours |
//! | [`remove`](crate::edit::EntryEditor::remove) | removes all elements with a name, such as `image:image`, and their lines |
//! | [`rebase`](crate::edit::EntryEditor::rebase) | changes the URLs that begin with one base to another base, such as to another host |
//! | [`delete`](crate::edit::EntryEditor::delete) | removes the entry |
//! | [`Editor::add`](crate::Editor::add) | adds an entry at the end, formatted like the last one |
//!
//! New values are checked as a [`Writer`](crate::Writer) checks them; existing values are not. If an entry cannot be read,
//! [`next_entry`](crate::Editor::next_entry) returns an error and copies the entry unchanged; the next call continues after it.
//!
//! # Another host
//!
//! A [`Rebase`](crate::edit::Rebase) has an old and a new base. It changes the locs, alternates, images, videos and page maps of a document
//! whose site moves, or that a staging host has made. In each URL it replaces the bytes of the old base, and no other byte:
//!
//! ```
//! use sitemap_serde::Editor;
//! use sitemap_serde::edit::Rebase;
//!
//! let xml = "<urlset>
//!   <url><loc>https://staging.example.com/?a=1&#38;b=2</loc></url>
//!   <url><loc>https://blog.example.com/</loc></url>
//! </urlset>";
//! let mut rebase = Rebase::new("https://staging.example.com", "https://example.com")?;
//! let mut editor = Editor::new(xml.as_bytes(), Vec::new());
//! while let Some(mut entry) = editor.next_entry()? {
//!     entry.rebase(&mut rebase)?;
//! }
//! assert_eq!(editor.finish()?, xml.replace("staging.", "").as_bytes());
//! assert_eq!((rebase.moved(), rebase.kept(), rebase.first_kept()), (1, 1, Some("https://blog.example.com/")));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! URLs in comments, in elements of other namespaces, and in texts such as a title stay. So do the entries that cannot be read, which
//! [`next_entry`](crate::Editor::next_entry) reports.
//!
//! # The new file
//!
//! The output is complete after [`finish`](crate::Editor::finish). If the editor is dropped or its input is truncated, the output has no
//! end tag. Write to a new file, therefore, and rename it after `finish`:
//!
//! ```no_run
//! use std::fs::{self, File};
//!
//! use sitemap_serde::Editor;
//!
//! let mut editor = Editor::new(File::open("sitemap.xml")?, File::create("sitemap.xml.new")?);
//! while let Some(mut entry) = editor.next_entry()? {
//!     entry.remove("priority")?;
//! }
//! editor.finish()?.sync_all()?;
//! fs::rename("sitemap.xml.new", "sitemap.xml")?;
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! The document must be in UTF-8 and have no DOCTYPE; otherwise the editor returns an error before it writes anything:
//!
//! ```
//! use sitemap_serde::{ErrorKind, Editor};
//!
//! let xml = "<!DOCTYPE urlset><urlset><url><loc>https://example.com/</loc></url></urlset>";
//! let mut editor = Editor::new(xml.as_bytes(), Vec::new());
//! assert_eq!(editor.next_entry().unwrap_err().kind(), ErrorKind::Syntax);
//! assert!(editor.get_ref().is_empty());
//! ```
//!
//! # A compressed file
//!
//! With the feature `gzip` the editor reads a compressed document, and writes its text uncompressed. To replace a `.gz` file, let it write to
//! an encoder:
//!
//! ```
//! # #[cfg(feature = "gzip")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::fs::{self, File};
//!
//! use flate2::Compression;
//! use flate2::write::GzEncoder;
//! use sitemap_serde::{Editor, UrlEntry};
//! # let folder = std::env::temp_dir().join(format!("sitemap-editing-{}", std::process::id()));
//! # fs::create_dir_all(&folder)?;
//! # let (old, new) = (folder.join("sitemap.xml.gz"), folder.join("sitemap.xml.gz.new"));
//! # let mut encoder = GzEncoder::new(File::create(&old)?, Compression::default());
//! # let xml = "<urlset><url><loc>https://example.com/</loc></url></urlset>";
//! # std::io::Write::write_all(&mut encoder, xml.as_bytes())?;
//! # encoder.finish()?;
//!
//! let encoder = GzEncoder::new(File::create(&new)?, Compression::default());
//! let mut editor = Editor::new(File::open(&old)?, encoder);
//! while editor.next_entry()?.is_some() {}
//! editor.add(&UrlEntry::new("https://example.com/new"))?;
//! editor.finish()?.finish()?.sync_all()?;
//! fs::rename(&new, &old)?;
//! # let edited = sitemap_serde::Reader::from_reader(File::open(&old)?).entries().count();
//! # assert_eq!(edited, 2);
//! # fs::remove_dir_all(&folder)?;
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "gzip"))]
//! # fn main() {}
//! ```
//!
//! `sitemap edit sitemap.xml.gz` does all of this for a file.
