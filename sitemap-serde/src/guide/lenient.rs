//! Reading malformed documents.
//!
//! Many published sitemaps are not well-formed XML: they have a blank line before the XML declaration, a bare `&`, an undeclared
//! prefix, or are truncated. Strict reading stops there with an error. Lenient reading continues, and keeps the error that
//! strict reading would have returned as a [`Diagnostic`](crate::Diagnostic):
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
//! let diagnostics: Vec<String> = reader.diagnostics().iter().map(ToString::to_string).collect();
//! assert_eq!(diagnostics.len(), 3);
//! assert_eq!(diagnostics[0], format!("error[P-DECL]: {strict}")); // the same message
//! assert_eq!(
//!     diagnostics[1],
//!     "error[P-ESC]: a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 4, column 37 \
//!      (byte 120), entry 1"
//! );
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! For a valid document both modes give the same result, without diagnostics. (Text that is escaped twice is well-formed; only lenient
//! reading reports it.)
//!
//! # What is repaired
//!
//! | problem | repair |
//! |---|---|
//! | text before the XML declaration; HTML around the root | ignored |
//! | text after the root | lost |
//! | a root in another namespace, a feed's too; names in capitals, such as `<Loc>` | read as the schema's |
//! | a document without an entry in its namespace; a feed without items | nothing is read, with a diagnostic |
//! | a second root | its entries follow the first root's |
//! | a `&` that does not begin a reference; `&eacute;` and other HTML entities | read as `&`; as their characters |
//! | a missing end tag, or the end tag of an outer element | the inner elements end there; an entry ends at the latest before the next one |
//! | an end tag without a start tag | ignored |
//! | an undeclared prefix, reported once in a document | read as the extension that usually has it; elements and attributes with any other prefix are lost |
//! | an element of another namespace without its end tag | between entries: searched for entries; in an entry: lost with the rest of the entry. A well-formed element is ignored with its content |
//! | an attribute that is repeated with another value, or has no quotes; other text in a tag | lost; the same value again is no loss |
//! | text directly in an entry or between entries; an element between entries that is not an entry | lost |
//! | an element where the schema has another, since a tag before it is missing | lost |
//! | a character that XML cannot hold, or a reference to one | lost; the rest of its value is read |
//! | a truncated document | the last entry survives if the end tag of its loc has begun |
//! | bytes that are not UTF-8 | decoded as windows-1252 |
//! | bytes that are invalid in the declared encoding | lost: replaced by U+FFFD |
//! | compressed data that is truncated, damaged or followed by other data; a reader's [I/O error](std::io::ErrorKind) `InvalidData`, `InvalidInput` or `UnexpectedEof` | read as far as it can be decompressed |
//! | the incomplete last line of a truncated compressed text sitemap | lost |
//! | compressed data with a wrong checksum | read completely; the diagnostic has no position, since any part may be damaged |
//! | a URL directly in an entry, without a `loc` element | read as its loc |
//! | a document whose beginning is missing, root included | its first entry decides whether it is a urlset or an index |
//! | an entry without a loc, or with an empty one | lost |
//! | a second loc that differs from the first | begins another entry, which the following elements belong to |
//! | the same loc again, perhaps encoded otherwise | ignored |
//! | another value twice | the first valid one counts; a different one, such as `0.6` after `0.5` (but not `0.50`), is [`dropped`](crate::Diagnostic::dropped) |
//! | elements of the schema within an element of a namespace of your own | read as in strict mode: never treated as repeated or misplaced, and never corrected |
//! | invisible characters around a value, such as a no-break space | removed |
//! | a loc, or a URL of an image, video or alternate page, that is relative or has no scheme | resolved, if the [`location`](crate::ReaderBuilder::location) is known |
//! | a loc with a placeholder, such as `{{ … }}` or `${…}`, that was not filled in | the entry is lost if the loc would be changed: by [`Mode::Correcting`](crate::Mode::Correcting), or if it is relative and the `location` is known; in an extension, the URL is lost |
//! | text that is escaped twice | kept, or unescaped by [`Mode::Correcting`](crate::Mode::Correcting) |
//! | a value whose intent is unambiguous, such as `2026/5/1` or the hreflang `en-UK` | corrected by [`Mode::Correcting`](crate::Mode::Correcting), else treated like other values |
//! | a date and time without a zone, or with a zone that is only a name | [`Mode::Correcting`](crate::Mode::Correcting) keeps the date, and the time is lost; else treated like other values |
//! | a lastmod, changefreq, priority or value of an extension that does not parse | dropped, with its text in [`found`](crate::Diagnostic::found); if the value is required or is the text of its element, the element is dropped. [`dropped`](crate::Diagnostic::dropped) names what was lost |
//!
//! [`is_loss`](crate::Diagnostic::is_loss) returns `true` for a diagnostic if something was lost. If it is `false` for all of them, only
//! things are missing that strict reading ignores too: elements of other namespaces, and names that the schema does not have.
//!
//! The same [limits](crate::Limits) apply as in strict reading. The reader stores up to 1,000 diagnostics until the program
//! [takes](crate::Reader::take_diagnostics) them. [`dropped_diagnostics`](crate::Reader::dropped_diagnostics) counts the rest;
//! [`on_diagnostic`](crate::ReaderBuilder::on_diagnostic) sets a function that receives every diagnostic.
//!
//! Text sitemaps, RSS and Atom feeds are read too; see [`other_formats`](super::other_formats).
//!
//! # Writing what was read
//!
//! Like strict reading, lenient reading accepts every value that its type can represent: a link with the hreflang `en-UK`, a video of ten
//! hours. The writer rejects such values, and their page with them, unless [`on_invalid`](crate::WriterBuilder::on_invalid) is set:
//!
//! ```
//! use sitemap_serde::{Mode, OnInvalid, ReaderBuilder, WriterBuilder};
//!
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
//!   <url><loc>https://example.com/</loc><xhtml:link rel="alternate" hreflang="en-UK" href="https://example.com/"/></url>
//! </urlset>"#;
//! let mut reader = ReaderBuilder::new().mode(Mode::Lenient).from_str(xml);
//!
//! let (errors, dropped) = std::sync::mpsc::channel();
//! let mut builder = WriterBuilder::new();
//! builder
//!     .on_invalid(OnInvalid::DropValue)
//!     .on_problem(move |error| drop(errors.send(error.dropped().map(str::to_owned))));
//! let mut writer = builder.from_writer(Vec::new());
//! for entry in reader.entries() {
//!     writer.write(&entry?)?;
//! }
//! assert!(writer.finish()?.ends_with(b"<url><loc>https://example.com/</loc></url></urlset>"));
//! assert_eq!(dropped.recv(), Ok(Some("entry 1 · xhtml:link[0]".to_owned())));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An entry whose loc is invalid is skipped. A full document makes the next entry an error there, too.
//!
//! # Your own types
//!
//! [`deserialize`](crate::Reader::deserialize) and [`read`](crate::Reader::read) give a type the document's values; of a repeated element,
//! the first valid one. If that fails, they drop the values that break a rule, each with a diagnostic, and try again:
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
//! A [`Deserializer`](crate::Deserializer) of a whole document does not try again: a value that does not fit the type is an error.
//!
//! # Entry by entry
//!
//! [`entries().with_diagnostics()`](crate::iter::Entries::with_diagnostics) returns each entry with its diagnostics. In strict mode the
//! diagnostics are about invalid values, in lenient mode also about repairs:
//!
//! ```
//! use sitemap_serde::{Mode, ReaderBuilder, Rule};
//!
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!   <url><loc>https://example.com/?a&b</loc><lastmod>yesterday</lastmod></url>
//!   <url><loc>https://example.com/</loc></url>
//! </urlset>"#;
//! let mut reader = ReaderBuilder::new().mode(Mode::Lenient).from_str(xml);
//! let mut entries = reader.entries().with_diagnostics();
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
//! A document without a urlset or an index, such as an HTML page (the error quotes its title); any other I/O error; any exceeded limit.
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
//! # What is not repaired
//!
//! - If the document's [`location`](crate::ReaderBuilder::location) is unknown, a relative loc stays relative, and an image, video or
//!   alternate page with a relative URL is dropped; each has a diagnostic (P-LOC).
//! - A document whose DOCTYPE declares entities is read up to its first syntax error.
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
