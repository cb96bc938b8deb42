//! Checking sitemaps, and comparing them.
//!
//! A reader reports only unreadable parts. A [lint](crate::lint) reports every broken [rule](crate::Rule), and gives advice (rules whose
//! ids begin with `L-`):
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
//! [`Rule::explanation`](crate::Rule::explanation) explains a rule. [`Diagnostic::search_console`](crate::Diagnostic::search_console) is the
//! name that Google Search Console has for a finding, if it reports it.
//!
//! A document that is not well-formed is read [leniently](super::lenient): each problem is its own error, and the rest of the document is
//! checked too. Text sitemaps and feeds are checked against the rules that apply to them. Given a site's `robots.txt`
//! ([`Linter::robots`](crate::lint::Linter::robots)), a lint reports which listed pages it blocks (L-ROBOTS). Given the pages of the site
//! ([`Linter::pages`](crate::lint::Linter::pages)), it reports entries that contradict their pages, and pages that are not listed.
//! `sitemap-pages` and `sitemap lint --pages FOLDER` read them from a folder of built pages.
//!
//! # Responses
//!
//! Facts from the HTTP response come with the document. [`Input::response`](crate::lint::Input::response) takes redirects, the content
//! type, validators and the time (L-MOVED, L-TYPE, L-VALIDATOR, L-SLOW), and [`Input::last_modified`](crate::lint::Input::last_modified)
//! the time of the last change. [`Linter::robots`](crate::lint::Linter::robots) takes the site's robots.txt, for whether it names a sitemap
//! and allows it (L-UNNAMED, L-FORBIDDEN). `sitemap lint https://example.com/sitemap.xml` does all that.
//!
//! # A folder of sitemaps
//!
//! The sitemaps that an index lists must exist. [`Linter::files`](crate::lint::Linter::files) takes the names of the files that a site
//! serves. The lint then reports listed sitemaps that are missing (L-ABSENT), whether an index or robots.txt lists them, and sitemaps that
//! nothing lists although there is an index (L-ORPHAN). `sitemap lint public/ --location https://example.com/` checks this:
//!
//! | listed in an index or robots.txt | reported |
//! |---|---|
//! | a file of the folder, however its address is percent-encoded | nothing |
//! | a file that the folder does not have | L-ABSENT, an error, like status 404 on a live site |
//! | the file's name in another case | L-ABSENT: addresses are case-sensitive, even if the file system is not |
//! | `a.xml.gz`, and the folder has `a.xml` | L-ABSENT: compressing a response does not change its address |
//! | `a.xml`, and the folder has `a.xml.gz` | L-ABSENT, as a warning: only some servers send the compressed file instead |
//! | an address outside the location, on another site, with a query, or ending with `/` | nothing: its file is unknown |
//!
//! A sitemap is an orphan (a warning) if an index in its directory or above could list it but none does, and robots.txt does not name it.
//! If robots.txt names any sitemap, every other sitemap that no index lists is an orphan, including indexes. Exceptions: a compressed copy
//! of a listed file, a file that the message of L-ABSENT suggests, and feeds, which have other readers. If an index is damaged, or
//! robots.txt names a sitemap that is not in the folder, L-ORPHAN reports nothing. The command does not read files that a set of
//! `sitemap-site` has dropped, so these are no orphans either.
//!
//! L-UNNAMED is the corresponding note for a live site: there is no folder that shows which sitemaps exist.
//!
//! # Search engines
//!
//! Engines treat broken rules differently. [`Linter::engines`](crate::lint::Linter::engines) names the engines that matter to a site. Rules
//! that no named engine enforces are then silent, and L-ENGINE reports limits of a single engine, such as Baidu's 256 bytes for a loc.
//! [`Engine::on`](crate::engine::Engine::on) returns an engine's reaction to a broken rule, with its source; `sitemap lint --explain RULE`
//! prints it. If an engine's documentation is silent, its reaction is unknown, not guessed.
//!
//! # A set of documents
//!
//! Some rules concern several documents: a page listed twice, an index that lists another index, alternates that do not link back.
//! [`Linter::start`](crate::lint::Linter::start) begins such a lint, which takes documents one by one, each with its location if known.
//! [`finish`](crate::lint::Lint::finish) reports the problems between documents and returns the counts. Locs are compared first by hash,
//! then by text, so it must be possible to open each document twice. [`documents`](crate::lint::Lint::documents) reads several documents in
//! parallel threads and reports the same findings in the same order. So does `sitemap lint`, on all processors unless `--jobs` sets another
//! number.
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
//! `sitemap lint --format html` writes the findings as a page without scripts; with `--former REPORT` it also shows the changes since an
//! earlier report. `sitemap stat --format html` shows dates by month, sizes, languages and groups of alternates.
//!
//! A CI check fails on [`Summary::worst`](crate::lint::Summary::worst), as the command `sitemap lint` does.
//!
//! # What changed
//!
//! [`Diff`](crate::diff::Diff) compares two sitemaps, or two sets of sitemaps: it returns the pages that were added or removed, and the
//! fields that changed. If both sides are sorted by loc, memory use is constant. If entries of the new side cannot be read, pages that only
//! the old side lists are reported as missing, not as removed.
//!
//! ```
//! use sitemap_serde::diff::{Change, Diff, Input};
//! use sitemap_serde::{UrlEntry, entries_to_string};
//!
//! let old = entries_to_string(["https://example.com/a", "https://example.com/b"].map(UrlEntry::new))?;
//! let new = entries_to_string(["https://example.com/b", "https://example.com/c"].map(UrlEntry::new))?;
//!
//! let mut changes = Vec::new();
//! let summary = Diff::new().ignore("priority").run(
//!     &mut [Input::from_slice("old.xml", old.as_bytes())],
//!     &mut [Input::from_slice("new.xml", new.as_bytes())],
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
//! The crate `sitemap-submit` announces the changes to search engines by IndexNow, with your HTTP client. It sends each page once, after
//! the site serves the new set, and retries if the engine was busy. `sitemap submit` is its command.
