//! The dates of pages: their sources, and when a page has moved.
//!
//! Search engines use `lastmod` only if they have found a site's dates to be true. The time of a build is not a true date, nor is
//! the time of a file. A page has the date that it states, if that is believed. Otherwise it has the ledger's date: the date of the
//! run in which the page moved or was first seen. [`FolderBuilder::stated_dates`](crate::FolderBuilder::stated_dates) and
//! [`FolderBuilder::ledger_dates`](crate::FolderBuilder::ledger_dates) turn each off.
//!
//! # Dates that pages state
//!
//! A page states its date by `article:modified_time`, `dateModified` in JSON-LD, `dcterms.modified`, or `itemprop="dateModified"`
//! and the `time` element within it; the first of these counts. A date is not the page's if its microdata item is within another
//! one, such as the card of another page. Dates before 1990 and in the future are ignored.
//!
//! The date of publication is none of these, since a page may have changed after it. If asked, by
//! [`FolderBuilder::published_dates`](crate::FolderBuilder::published_dates) (`--dates published`), a page has this date until the
//! ledger knows better, as in the first run. It is stated by `article:published_time`, `datePublished` in JSON-LD,
//! `dcterms.issued`, or `itemprop="datePublished"`.
//!
//! The ledger knows whether a stated date is true: a true date moves when the content moves, and stays when the content stays.
//!
//! | content | stated date | date of the page |
//! |---|---|---|
//! | moved | moved | the stated date |
//! | moved | the same | the run's date |
//! | the same | the same | unchanged |
//! | the same | moved, on one or two pages | the stated date, once; from then on, the page's stated dates are doubted |
//! | the same | moved, on three pages or more, or two have one time | unchanged; from then on, these pages' stated dates are doubted |
//! | new | believed without history | the stated date |
//! | new | not believed | the run's date; in the first run the believed date of publication, if asked, or the date of [`FolderBuilder::since`](crate::FolderBuilder::since), or none |
//!
//! Without history, a date is not believed if all pages state the same day, if more than half of them, and three at least, state
//! the day of the run, or if three pages state the same time on that day. Midnight stands for the whole day. If a doubted date
//! moves, it is ignored, even if the content moves too: the page gets the run's date. Each kind of disbelieved date is one
//! [finding](crate::Finding), however many pages state it. Dates of publication are disbelieved without history for the same reasons.
//!
//! # When a page has moved
//!
//! A **block** is the text of a paragraph, heading, item of a list, row of a table or another block of text; a picture, by what it
//! shows and the name of its file; a film or a page in an `iframe`, by its address; or the order of an `ol`. White space (but in `pre`),
//! markup and attributes make no difference, nor do the hashes that builds put into the names of pictures. A `time` counts if it says
//! times of day, such as `Mo-Fr 9:00-17:00`, or a duration, such as `PT45M`. Its `datetime` takes precedence over its text. A date in a
//! `time` does not count, since the build may have written it.
//!
//! Blocks are **not counted** if they are in `nav`, `header`, `footer` or `aside`, outside of `main` and `article`. Elements with
//! the roles of these, and those with a class or id such as `footer` or `site-footer`, are frames, too. Nor are blocks counted if links make up more
//! than half of their bytes in UTF-8 (links to the page itself are text), or if a selector of
//! [`FolderBuilder::ignore`](crate::FolderBuilder::ignore) matches their element. Finally, **excerpts** of other listed pages are
//! not counted. This page must link to the other one, outside of frames. An excerpt is
//!
//! - a block that the other page has, too. If two pages link to each other, the excerpt is on the page whose link is nearer to it;
//! - a block that is the description in the head of the other page;
//! - a shortened block. Its first 32 letters and digits equal those of the other page's description, or of its text from a counted
//!   block on. A block is shortened if the signs at its end contain `…` or `...`, or if a link to the other page ends it, or
//!   follows before the next counted block, like `Read more`. If both blocks are shortened in this way, neither is an excerpt.
//!
//! A block is **shared** if at least a fifth of all listed pages have it, and five at least. On a site of three or four pages, all
//! must have it.
//!
//! The **place** of a block consists of the elements around it, each with its first class, and its number among the blocks in the
//! same elements. Only the first two and the last two blocks have one. Pages are of one **kind** if their titles are in the same
//! elements.
//!
//! > A page has moved if and only if a counted block was added to it or removed from it, and is in neither the old nor the new table
//! > of shared blocks. In this run, such a change does not count if
//! >
//! > - the same change, with numbers masked, occurs on enough pages to share a block; or
//! > - a block is added at the same place, or removed from it, on three quarters of the pages of its kind, or of all, and on five at
//! >   least: then it is the template's, whatever its text says of the page.
//!
//! A kind of two to four pages also counts if all of them have such a change, and a larger kind has one, too. A page without blocks
//! to count, such as one that a script fills, keeps its date and is reported.
//!
//! Consequences:
//!
//! - New navigation, a new footer, theme or hash of an asset moves no page. A new page in every sidebar moves only that page.
//! - A new price on all pages moves none: with numbers masked, it is the same change.
//! - New bylines, dates in another format or the minutes that reading takes move no page, though their texts differ.
//! - An edited list of links moves none.
//! - Posts with equal beginnings do not move, if each has a single paragraph, followed directly by the link to the next post. By
//!   the rule, this paragraph is an excerpt of the next post.
//! - If the titles of three quarters of all pages are edited in one run, none moves. By the rule, this is a change of the template.
//! - A number that changes by itself on few pages moves them, unless `ignore` names its element.
//! - A new order of blocks moves none, except in an `ol`.
//! - A hash has 30 bits, and 18 for numbers: one edit in many millions goes unnoticed.
//!
//! # When most pages move
//!
//! If more than half of at least 20 known pages have moved at once, the template has nearly always changed.
//! [`Folder::write_file`](crate::Folder::write_file) and [`Folder::write_set`](crate::Folder::write_set) then refuse to write, and
//! report the most frequent moves. If the template has changed, [`FolderBuilder::keep_dates`](crate::FolderBuilder::keep_dates)
//! (`--keep-dates`) keeps the dates of known pages in this run. If the content has changed,
//! [`FolderBuilder::allow_mass_move`](crate::FolderBuilder::allow_mass_move) (`--force`) writes the new ones.
//!
//! # Lists of pages
//!
//! A page is a **list** if it has no text of its own with 32 letters and digits or more, and lists at least as many other pages as
//! it has blocks of its own. Examples are a home page of posts, the page of a tag, and one of many pages of an archive. The page
//! lists the pages that it links to in `main` and `article`, but not in a `nav` there. If it has no such content, links outside of
//! frames count. A page with links from half of all pages is part of the navigation, and does not count. A list has the newest
//! date of the first ten pages that it lists, and keeps it if that page disappears. So it moves if one of them is new or moves,
//! even if it shows nothing of the change. In a list of one or two pages, its own texts count as well.
//!
//! # URLs and files
//!
//! The ledger knows a page by its URL, so a page whose file moves from `about/index.html` to `about.html` keeps its date. For a
//! page with a new URL, the ledger is searched for a URL that now redirects to it, by `_redirects`, a canonical link or a refresh.
//! Failing that, it is searched for a URL that differs only in `.html`, `index.html` or the last slash.
//!
//! # First runs, and pages that come back
//!
//! The first run knows no past: pages have only the dates that they state, or the date of
//! [`FolderBuilder::since`](crate::FolderBuilder::since). A page that is first seen in a later run has that run's date. A page that
//! disappears keeps its line in the ledger. If it comes back, it has its old date, unless blocks of its own are missing.
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
//! [`Folder::explain`](crate::Folder::explain) shows the date of a page and its reason, its blocks and whether each is counted, and
//! the added and removed blocks. The ledger has no texts. With [`KeptTexts`](crate::KeptTexts) (`--keep-texts`) an explanation
//! shows removed texts, and in later runs the changes when the page last moved.
//!
//! # The ledger
//!
//! A text file with a line for each page, sorted by URL: its date, its stated date, and hashes of its blocks, 5 or 8 characters
//! each, and 3 more for those with a place. Commit it, or cache it between builds, and save it once the sitemap is published. A
//! change that no run made is an error, and so is a truncated file, a merge conflict or a newer version. None of these ever gives
//! all pages new dates.
