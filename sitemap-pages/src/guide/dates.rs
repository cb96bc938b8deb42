//! The dates of pages: where they are from, and when a page has moved.
//!
//! Search engines use `lastmod` only of sites whose dates they have found to be true. The time of a build is not one, nor is the time
//! of a file. A page has the first of these dates that there is:
//!
//! 1. **what the page says**: `article:modified_time`, `dateModified` in JSON-LD, `dcterms.modified`, `itemprop="dateModified"` or the
//!    `time` element within it. A way of stating the date by which all pages have the same one is not believed, nor is a date in the
//!    future: both are [findings](crate::Finding). [`FolderBuilder::stated_dates`](crate::FolderBuilder::stated_dates) turns this off.
//! 2. **the ledger**: the date of the run in which the page moved, or was first seen.
//!    [`FolderBuilder::ledger_dates`](crate::FolderBuilder::ledger_dates) turns this off.
//! 3. none.
//!
//! # When a page has moved
//!
//! A **block** is the text of a paragraph, heading, item of a list, row of a table or another block of text, or a picture, by what it
//! shows and the name of its file. White space, markup and attributes make no difference, nor do the hashes that builds put into the
//! names of pictures.
//!
//! Blocks that are **not counted**: those in `nav`, `header`, `footer` and `aside`, outside of `main` and `article` (elements with the
//! roles of these, or the class `footer`, are the same); the text of `time`; blocks of which more than half (in bytes of UTF-8) is links,
//! wherever they lead but to the page itself; what a selector of [`FolderBuilder::ignore`](crate::FolderBuilder::ignore) names; and
//! **excerpts** of other listed pages, to which this one links outside of such frames:
//!
//! - a block that the other page has, too. Where two pages link to each other, the excerpt is on the page whose link is nearer to it;
//! - a block that is cut, with the same first 32 letters and digits as the text of the other page from one of its counted blocks on. It is
//!   cut if the signs at its end contain `…` or `...`, or if a link to the other page is at its end, or follows before the next counted
//!   block, as `Read more` does. Where the other one is cut likewise, neither is an excerpt.
//!
//! A block is **shared** if it is on at least a fifth of all listed pages, and on five at least.
//!
//! > A page has moved if and only if a counted block was added to it or removed from it that is neither in the old nor in the new table
//! > of shared blocks, unless the same change, with numbers masked, occurs on at least a fifth of all listed pages in this run, and on
//! > five at least.
//!
//! On sites of fewer than 10 pages no blocks are shared and no changes are the same. A page without any blocks that could be counted,
//! such as one that a script fills, keeps its date and is reported.
//!
//! What follows:
//!
//! - New navigation, a new footer, theme or hash of an asset moves no page. A new page in every sidebar moves that page alone.
//! - A new price on all pages moves none: with numbers masked, it is the same change.
//! - An edited list of links moves none.
//! - A list of posts does not move when the beginning of a post changes, unless its excerpts are cut to fewer than 32 letters and digits, or
//!   without any sign of it.
//! - Posts that all begin alike, each with a single paragraph and the link to the next one right after it, do not move: to the rule that
//!   paragraph is an excerpt of the next post.
//! - A number that changes by itself on few pages moves them, unless `ignore` names its element.
//! - Blocks that change their order move none.
//! - A hash has 30 bits, and 18 for numbers: one edit in many millions is not seen.
//!
//! # First runs, and pages that come back
//!
//! In the first run nothing is known: pages have no dates but their own, or that of [`FolderBuilder::since`](crate::FolderBuilder::since).
//! A page that is first seen in a later run has that run's date. A page that goes keeps its line in the ledger, and when it comes back it
//! has its date back, unless blocks of its own are gone.
//!
//! ```
//! use sitemap_pages::{FolderBuilder, Ledger};
//!
//! # let project = tempfile::tempdir()?;
//! # let public = project.path().join("public");
//! # std::fs::create_dir(&public)?;
//! let page = |text: &str, built: u32| format!("<main><p>{text}</main><footer>Built {built} times</footer>");
//! let mut builder = FolderBuilder::new("https://example.com");
//! let mut run = |date: &str, ledger: Ledger| {
//!     builder.now(date.parse().unwrap()).ledger(ledger).read(&public).unwrap()
//! };
//!
//! std::fs::write(public.join("a.html"), page("Lamps", 1))?;
//! let first = run("2026-05-01", Ledger::new());
//! std::fs::write(public.join("a.html"), page("Lamps", 2))?;
//! std::fs::write(public.join("b.html"), page("Chairs", 2))?;
//! let second = run("2026-05-02", first.ledger().clone());
//! std::fs::write(public.join("b.html"), page("Chairs and tables", 3))?;
//! let third = run("2026-05-03", second.ledger().clone());
//!
//! let dates = |run: &sitemap_pages::Folder| -> Vec<String> {
//!     run.pages().iter().map(|page| page.lastmod().map_or("none".into(), |date| date.to_string())).collect()
//! };
//! assert_eq!(dates(&second), ["none", "2026-05-02"]);
//! assert_eq!(dates(&third), ["none", "2026-05-03"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A date that surprises
//!
//! [`Folder::explain`](crate::Folder::explain) has the blocks of a page, whether each is counted, and what was added and removed.
//!
//! # The ledger
//!
//! A text file with a line for each page, ordered by their files, that is committed or cached between builds. A change to it that a run
//! did not make is an error, and so is one that is cut off, has marks of a merge conflict, or is of a newer version: never do all pages
//! have new dates for that. Save it when the sitemap is published.
