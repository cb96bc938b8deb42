//! Reading malformed documents.
//!
//! Many published sitemaps are not well-formed XML: they have a blank line before the declaration, a bare `&`, an undeclared
//! prefix, or were cut off. Strict reading stops there with an error. Lenient reading continues, and keeps the error that strict
//! reading would have returned as a [`Diagnostic`](crate::Diagnostic):
//!
//! ```
//! use sitemap_serde::{Mode, Reader, ReaderBuilder};
//!
//! let xml = "\n<?xml version=\"1.0\"?>
//! <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">
//!   <url><loc>https://example.com/?a=1&b=2</loc></url>
//!   <url><loc>https://example.com/cut</loc><lastm";
//!
//! let strict = Reader::from_str(xml).entries().next().unwrap().unwrap_err();
//!
//! let mut reader = ReaderBuilder::new().mode(Mode::Lenient).from_str(xml);
//! let locs: Vec<String> = reader.entries().map(|entry| Ok(entry?.loc)).collect::<Result<_, sitemap_serde::Error>>()?;
//! assert_eq!(locs, ["https://example.com/?a=1&b=2", "https://example.com/cut"]);
//!
//! let told: Vec<String> = reader.diagnostics().iter().map(ToString::to_string).collect();
//! assert_eq!(told.len(), 3);
//! assert_eq!(told[0], format!("error[P-DECL]: {strict}")); // word for word
//! assert_eq!(
//!     told[1],
//!     "error[P-ESC]: a `&` that begins no reference: in a value it is written `&amp;` (P-ESC), at line 4, column 37 \
//!      (byte 120), entry 1"
//! );
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! A valid document is read the same in both modes, without diagnostics. (Text that is escaped twice is well-formed, and only
//! lenient reading reports it.)
//!
//! # What is repaired
//!
//! | broken | read as |
//! |---|---|
//! | text before the declaration or behind the root; HTML around the root | passed over |
//! | a root in another namespace; names in capitals, such as `<Loc>` | the schema's |
//! | a second root | its entries follow those of the first |
//! | a `&` that begins no reference; `&eacute;` and other entities of HTML | `&`; their characters |
//! | an end tag that is missing, or closes an outer element | the inner elements end there; an entry ends where the next begins at the latest |
//! | an end tag that closes nothing | passed over |
//! | a prefix that is not declared | the extension that it usually stands for |
//! | a document that is cut off | the last entry is kept if its loc is whole |
//! | bytes that are not UTF-8 | windows-1252 |
//! | bytes that are not in another encoding that is declared | U+FFFD |
//! | compressed data that is cut off or damaged, or has something behind it | what could be decompressed |
//! | a URL in an entry, without a `loc` around it | its loc |
//! | a document whose head is cut off, root and all | what its first entry is says what it lists |
//! | an entry without a loc, or with an empty one | passed over |
//! | a second loc that differs from the first | begins another entry, to which what follows belongs |
//! | the same loc again | passed over |
//! | another value twice | the first that is right counts |
//! | what cannot be seen around a value, such as a no-break space | passed over |
//! | a loc that is relative, or lacks its scheme | resolved, if the [`location`](crate::ReaderBuilder::location) is known |
//! | text that is escaped twice | as it stands, or resolved [where asked for](crate::ReaderBuilder::unescape_twice) |
//! | a lastmod, changefreq, priority or extension that does not parse | left out, its text in [`found`](crate::Diagnostic::found) |
//!
//! The [limits](crate::Limits) hold as in a strict reading. [So many](crate::ReaderBuilder::keep_diagnostics) diagnostics are kept until
//! they are [taken](crate::Reader::take_diagnostics), 1,000 unless you say otherwise, and
//! [`diagnostics_left_out`](crate::Reader::diagnostics_left_out) counts the others;
//! [`on_diagnostic`](crate::ReaderBuilder::on_diagnostic) is called with every one.
//!
//! Text sitemaps, RSS and Atom feeds are read as well; see [`other_formats`](super::other_formats).
//!
//! # Your own types
//!
//! [`deserialize`](crate::Reader::deserialize) and [`read`](crate::Reader::read) give a type the values as they stand, of doubled ones the
//! first that is right. If the type cannot take them, the values that break a rule are left out, with a diagnostic each, and it is
//! asked once more:
//!
//! ```
//! use sitemap_serde::{Mode, ReaderBuilder};
//!
//! #[derive(serde::Deserialize)]
//! struct Page {
//!     loc: String,
//!     priority: Option<f32>,
//!     changefreq: Option<String>,
//! }
//!
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!   <url><loc>/</loc><changefreq>often</changefreq></url>
//!   <url><loc>/about</loc><priority>0,5</priority></url>
//! </urlset>"#;
//! let mut builder = ReaderBuilder::new();
//! let mut reader = builder.mode(Mode::Lenient).location("https://example.com/sitemap.xml").from_str(xml);
//! let pages: Vec<Page> = reader.deserialize().collect::<Result<_, _>>()?;
//! assert_eq!((pages[0].loc.as_str(), pages[0].changefreq.as_deref()), ("https://example.com/", Some("often")));
//! assert_eq!((pages[1].loc.as_str(), pages[1].priority), ("https://example.com/about", None));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! A [`Deserializer`](crate::Deserializer) of a whole document asks a type only once: a value that it cannot take is an error.
//!
//! # Entry by entry
//!
//! [`entries_with_diagnostics`](crate::Reader::entries_with_diagnostics) gives each entry together with what is wrong in it. In a
//! strict reading that is its values; in a lenient one the repairs are among them:
//!
//! ```
//! use sitemap_serde::{Mode, ReaderBuilder, Rule};
//!
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!   <url><loc>https://example.com/?a&b</loc><lastmod>yesterday</lastmod></url>
//!   <url><loc>https://example.com/</loc></url>
//! </urlset>"#;
//! let mut reader = ReaderBuilder::new().mode(Mode::Lenient).from_str(xml);
//! let mut entries = reader.entries_with_diagnostics();
//!
//! let (entry, diagnostics) = entries.next().unwrap()?;
//! assert_eq!((entry.loc.as_str(), entry.lastmod), ("https://example.com/?a&b", None));
//! let rules: Vec<Rule> = diagnostics.iter().map(|diagnostic| diagnostic.rule()).collect();
//! assert_eq!(rules, [Rule::Esc, Rule::Lastmod]);
//! assert_eq!(diagnostics[1].found(), Some("yesterday"));
//!
//! let (_, diagnostics) = entries.next().unwrap()?;
//! assert!(diagnostics.is_empty());
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! # What is still an error
//!
//! A document that has no urlset or index in it, such as an HTML page, whose title the error says; a stream that cannot be read; something that
//! is larger than its limit.
//!
//! ```
//! use sitemap_serde::{Mode, ReaderBuilder};
//!
//! let mut reader = ReaderBuilder::new().mode(Mode::Lenient).from_str("<!doctype html><title>Not found</title>");
//! let error = reader.entries().next().unwrap().unwrap_err();
//! assert!(error.ends_reading());
//! assert!(error.to_string().starts_with("this is an HTML page with the title `Not found`, not a sitemap"));
//! ```
//!
//! # What it does not do
//!
//! - Without the document's [`location`](crate::ReaderBuilder::location) a loc that is relative stays as it stands, with a diagnostic
//!   (P-LOC).
//! - A document whose DOCTYPE declares entities is read up to where it is broken.
//! - The [`Editor`](crate::Editor) has no lenient mode.
//!
//! ```
//! use sitemap_serde::{Mode, ReaderBuilder, Rule};
//!
//! let mut builder = ReaderBuilder::new();
//! builder.mode(Mode::Lenient);
//!
//! let mut reader = builder.from_str("<urlset><url><loc>/about</loc></url></urlset>");
//! assert_eq!(reader.entries().next().unwrap()?.loc, "/about");
//! assert!(reader.diagnostics().iter().any(|diagnostic| diagnostic.rule() == Rule::Loc));
//!
//! let xml = "<!DOCTYPE urlset [<!ENTITY x \"y\">]>
//! <urlset><url><loc>https://example.com/&x;</loc></url><url><loc>https://example.com/?a&b</loc></url></urlset>";
//! assert_eq!(builder.from_str(xml).entries().count(), 1);
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
