//! Checking sitemaps, and comparing them.
//!
//! A reader reports only what it cannot read. A [lint](crate::lint) reports every broken [rule](crate::Rule) and gives advice
//! (rules whose ids begin with `L-`):
//!
//! ```
//! use sitemap_serde::lint::Linter;
//!
//! let xml = r#"<?xml version="1.0" encoding="UTF-8"?>
//! <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!   <url><loc>https://example.com/</loc><lastmod>2026-05-32</lastmod></url>
//!   <url><loc>https://example.com/</loc></url>
//! </urlset>"#;
//! let found: Vec<String> = Linter::new().check(xml.as_bytes()).iter().map(ToString::to_string).collect();
//! assert_eq!(found.len(), 2);
//! assert_eq!(
//!     found[0],
//!     "warning[P-LASTMOD]: `2026-05-32` is not a W3C Datetime: May 2026 has 31 days (P-LASTMOD); write a day from 01 to 31, at \
//!      line 3, column 48 (byte 147), entry 1 · lastmod"
//! );
//! assert!(found[1].starts_with("note[L-DUPLOC]"));
//! ```
//!
//! # Severities
//!
//! | severity | crawlers |
//! |---|---|
//! | [`Error`](crate::lint::Severity::Error) | reject the document, or the entry |
//! | [`Warning`](crate::lint::Severity::Warning) | ignore the value |
//! | [`Note`](crate::lint::Severity::Note) | accept the value, but it could be better |
//!
//! [`Linter::level`](crate::lint::Linter::level) gives a rule another severity, or switches it off.
//! [`RuleDoc::new`](crate::lint::RuleDoc::new) explains a rule; [`Diagnostic::search_console`](crate::Diagnostic::search_console) is the name
//! that Google Search Console has for a finding, if it reports it.
//!
//! A document that is not well-formed is read [leniently](super::lenient): each place is an error of its own, and what comes behind it is
//! checked too. Text sitemaps and feeds are checked as far as the rules are about them. Given a site's `robots.txt`
//! ([`Linter::robots`](crate::lint::Linter::robots)), a lint reports which listed pages it blocks (L-ROBOTS). Given the pages of the site
//! ([`Linter::pages`](crate::lint::Linter::pages)), it reports entries that say otherwise than the pages, and pages that are not listed;
//! `sitemap-pages` reads them from a folder of built pages, and so does `sitemap lint --pages FOLDER`.
//!
//! # Responses
//!
//! What only the wire says is given to the lint with the document, by [`Input::response`](crate::lint::Input::response): redirects, the
//! content type, validators and the time (L-MOVED, L-TYPE, L-VALIDATOR, L-SLOW), when it was changed by
//! [`Input::last_modified`](crate::lint::Input::last_modified), and by [`Linter::robots`](crate::lint::Linter::robots) whether the site's robots.txt
//! names a sitemap and allows it (L-UNNAMED, L-FORBIDDEN). `sitemap lint https://example.com/sitemap.xml` does all that.
//!
//! # A folder of sitemaps
//!
//! What an index lists must be where it says. [`Linter::files`](crate::lint::Linter::files) gives a lint the names of the files that a site
//! serves, and it reports the sitemaps that an index or robots.txt lists and that are not there (L-ABSENT), and those that are there and
//! that nothing lists although there is an index (L-ORPHAN). `sitemap lint public/ --location https://example.com/` does so:
//!
//! | what is listed, in an index or by robots.txt | what is reported |
//! |---|---|
//! | a file of the folder, whatever of its address is percent-encoded | nothing |
//! | a file that the folder does not have | L-ABSENT, an error, as status 404 is of a live site |
//! | the file in other upper and lower case | L-ABSENT: addresses differ by it, whatever the file system does |
//! | `a.xml.gz`, and the folder has `a.xml` | L-ABSENT: compressing a response does not change its address |
//! | `a.xml`, and the folder has `a.xml.gz` | L-ABSENT, as a warning: only some servers send one for the other |
//! | an address outside of the location, of another site, with a query, or ending with `/` | nothing: its file is not known |
//!
//! A sitemap is an orphan (a warning) if an index in its directory or above could list it and none does, and robots.txt does not name it. If
//! robots.txt names any sitemap, every other one that no index lists is an orphan, indexes too. These are no orphans: a compressed copy of a
//! listed file, a file that the message of L-ABSENT suggests, and feeds, which have other readers. While an index is damaged, or robots.txt
//! names a sitemap that is not in the folder, L-ORPHAN finds nothing. The command reads no files that a set of `sitemap-site` has dropped, so
//! these are no orphans either.
//!
//! Of a live site L-UNNAMED is the corresponding note: there is no folder to say which sitemaps it has.
//!
//! # Search engines
//!
//! Engines differ in what they make of the rules. [`Linter::engines`](crate::lint::Linter::engines) names those that matter to a site:
//! rules that none of them minds find nothing, and L-ENGINE finds what one of them alone does not read, such as a loc of more than 256
//! bytes for Baidu. [`Engine::on`](crate::engine::Engine::on) is what an engine does with what breaks a rule, with its source; the command
//! prints it as `sitemap lint --explain RULE`. What an engine's documentation does not say is unknown there, not guessed.
//!
//! # A set of documents
//!
//! Some rules are about several documents: a page that two of them list, an index that lists another index, alternates that do
//! not link back. [`Linter::start`](crate::lint::Linter::start) begins such a lint, which takes documents one by one, each with its
//! location if that is known. [`finish`](crate::lint::Lint::finish) reports the problems between documents and returns the counts.
//! Locs are compared by hash first and by text second, so it must be possible to open each document twice.
//! [`documents`](crate::lint::Lint::documents) reads several at a time, in threads, and reports the same in the same order; so does
//! `sitemap lint`, on all processors unless `--jobs` says otherwise.
//!
//! ```
//! use sitemap_serde::lint::{Input, Linter};
//! use sitemap_serde::{Rule, UrlEntry, entries_to_string, lint::Severity};
//!
//! let first = entries_to_string(["https://example.com/a", "https://example.com/b"].map(UrlEntry::new))?;
//! let second = entries_to_string(["https://example.com/b", "https://example.net/c"].map(UrlEntry::new))?;
//!
//! let mut linter = Linter::new();
//! linter.now("2026-05-01T12:00:00Z".parse()?); // to find dates in the future; the library does not read the clock
//! let mut found = Vec::new();
//! let mut lint = linter.start(|document, diagnostic| found.push((document, diagnostic.rule())));
//! lint.document(Input::from_slice("1.xml", first.as_bytes()).location("https://example.com/1.xml"))?;
//! lint.document(Input::from_slice("2.xml", second.as_bytes()).location("https://example.com/2.xml"))?;
//! let summary = lint.finish()?;
//! assert!(found.contains(&(1, Rule::Host)) && found.contains(&(1, Rule::DupLoc)));
//! assert_eq!((summary.documents, summary.entries), (2, 4));
//! assert_eq!(summary.worst(), Some(Severity::Error));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! `sitemap lint --format html` writes what is found as a page to look at, without scripts, and with `--since REPORT` what changed since a
//! former one; `sitemap stat --format html` shows dates by month, sizes, languages and groups of alternates.
//!
//! A CI check fails on [`Totals::worst`](crate::lint::Totals::worst), as the command `sitemap lint` does.
//!
//! # What changed
//!
//! [`Diff`](crate::diff::Diff) compares two sitemaps, or two sets of them: which pages were added, which were removed, and
//! which fields changed. If both sides are sorted by loc, memory use is constant. While entries of the new side cannot be read, the pages that only
//! the old side lists are missing, and not removed.
//!
//! ```
//! use sitemap_serde::diff::{Change, Diff, Documents};
//! use sitemap_serde::{UrlEntry, entries_to_string};
//!
//! let old = entries_to_string(["https://example.com/a", "https://example.com/b"].map(UrlEntry::new))?;
//! let new = entries_to_string(["https://example.com/b", "https://example.com/c"].map(UrlEntry::new))?;
//!
//! let mut changes = Vec::new();
//! let summary = Diff::new().ignore("priority").run(
//!     &mut Documents::from_slice(old.as_bytes()),
//!     &mut Documents::from_slice(new.as_bytes()),
//!     |change: Change| {
//!         changes.push(change.to_string());
//!         Ok(())
//!     },
//! )?;
//! assert_eq!(changes, ["- https://example.com/a", "+ https://example.com/c"]);
//! assert_eq!((summary.added, summary.removed, summary.same), (1, 1, 1));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! The crate `sitemap-submit` announces the changes to search engines by IndexNow, with your HTTP client: once the site serves the new set, each
//! page once, and again where the engine was busy. `sitemap submit` is the command for it.
