//! The dates of pages: where they are from, and when a page has moved.
//!
//! Search engines use `lastmod` only of sites whose dates they have found to be true. The time of a build is not one, nor is the time
//! of a file. A page's date is one that the page states, if it is believed, or that of the ledger: the date of the run in which the page
//! moved or was first seen. [`FolderBuilder::stated_dates`](crate::FolderBuilder::stated_dates) and
//! [`FolderBuilder::ledger_dates`](crate::FolderBuilder::ledger_dates) turn each off.
//!
//! # Dates that pages state
//!
//! A page states its date by `article:modified_time`, `dateModified` in JSON-LD, `dcterms.modified`, or `itemprop="dateModified"` and the
//! `time` element within it; the first of these counts. A date within an item of microdata that is in another item, such as a card of
//! another page, is not the page's. Dates before 1990 and in the future are none.
//!
//! The ledger knows whether a stated date is true: it moves when the content moves, and stays when the content stays.
//!
//! | content | stated date | date of the page |
//! |---|---|---|
//! | moved | moved | the stated one |
//! | moved | the same | that of the run |
//! | the same | the same | as it was |
//! | the same | moved, on one or two pages | the stated one, once; from then on such a date of the page is doubted |
//! | the same | moved, on three pages or more, or two have one time | as it was; such dates of these pages are doubted |
//! | new | believed without history | the stated one |
//! | new | not believed | that of the run; in the first run none, or that of [`FolderBuilder::since`](crate::FolderBuilder::since) |
//!
//! Without history, a date is not believed if all pages state the same day, if more than half of them, and three at least, state the day of
//! the run, or if three pages share its time of day. Midnight stands for the day. A doubted date that moves does not count, even if the
//! content moves too: the page has the date of the run. Each kind of date that is not believed is one [finding](crate::Finding), however
//! many pages state it.
//!
//! # When a page has moved
//!
//! A **block** is the text of a paragraph, heading, item of a list, row of a table or another block of text; a picture, by what it
//! shows and the name of its file; a film or a page in an `iframe`, by its address; or the order of an `ol`. White space (but in `pre`),
//! markup and attributes make no difference, nor do the hashes that builds put into the names of pictures. A `time` counts if it is a
//! time of day, such as opening hours: by its `datetime`, or else by its text. A date in it does not, since it is often that of the page or of
//! the build.
//!
//! Blocks that are **not counted**: those in `nav`, `header`, `footer` and `aside`, outside of `main` and `article` (elements with the
//! roles of these, the class `footer`, or an id such as `footer` are the same); blocks of which more than half (in bytes of UTF-8) is links,
//! wherever they lead but to the page itself; what a selector of [`FolderBuilder::ignore`](crate::FolderBuilder::ignore) names; and
//! **excerpts** of other listed pages, to which this one links outside of such frames:
//!
//! - a block that the other page has, too. Where two pages link to each other, the excerpt is on the page whose link is nearer to it;
//! - a block that is the description in the head of the other page;
//! - a block that is cut, with the same first 32 letters and digits as the description or text of the other page from one of its counted blocks
//!   on. It is cut if the signs at its end contain `…` or `...`, or if a link to the other page is at its end, or follows before the next
//!   counted block, as `Read more` does. Where the other one is cut likewise, neither is an excerpt.
//!
//! A block is **shared** if it is on at least a fifth of all listed pages, and on five at least; of three or four pages, if it is on all.
//!
//! The **place** of a block is the elements that it is in, each with its first class, and its number among the blocks in the same
//! elements, if it is one of the first two or of the last two. Pages are of one **kind** if their titles are in the same elements.
//!
//! > A page has moved if and only if a counted block was added to it or removed from it that is neither in the old nor in the new table
//! > of shared blocks, unless in this run
//! >
//! > - the same change, with numbers masked, occurs on as many pages as a shared block does; or
//! > - a block is added at the same place, or removed from it, on three quarters of the pages of its kind, or of all, and on five at
//! >   least: then it is the template's, whatever its text says of the page.
//!
//! A kind of two to four pages of which all have such a change counts, too, if that of a larger kind does. A page without any blocks that
//! could be counted, such as one that a script fills, keeps its date and is reported.
//!
//! What follows:
//!
//! - New navigation, a new footer, theme or hash of an asset moves no page. A new page in every sidebar moves that page alone.
//! - A new price on all pages moves none: with numbers masked, it is the same change.
//! - New bylines, dates in another format or the minutes that reading takes move no page, though their texts differ.
//! - An edited list of links moves none.
//! - Posts that all begin alike, each with a single paragraph and the link to the next one right after it, do not move: to the rule that
//!   paragraph is an excerpt of the next post.
//! - The titles of three quarters of all pages, edited in one run, move none: to the rule that is a change of the template.
//! - A number that changes by itself on few pages moves them, unless `ignore` names its element.
//! - Blocks that change their order move none, but in an `ol`.
//! - A hash has 30 bits, and 18 for numbers: one edit in many millions is not seen.
//!
//! # When most pages move
//!
//! If more than half of all pages have moved at once, of 20 or more that the ledger knows, it is nearly always the template that has
//! changed. [`Folder::write_file`](crate::Folder::write_file) and [`Folder::write_set`](crate::Folder::write_set) refuse to write then, and
//! say what has moved most. For a change of the template [`FolderBuilder::keep_dates`](crate::FolderBuilder::keep_dates) (`--keep-dates`)
//! keeps the dates of known pages in this run; for one of the content
//! [`FolderBuilder::allow_mass_move`](crate::FolderBuilder::allow_mass_move) (`--force`) writes the new ones.
//!
//! # Lists of pages
//!
//! A page is a **list** if it has no text of its own with 32 letters and digits or more, and links to at least as many other pages, in `main`
//! and `article` or else outside of frames, as it has blocks of its own: a home page of posts, a page of a tag, one of many pages of an archive. Only pages to which fewer than
//! half of the pages link count, and of its links the first twelve. A list has the newest date of the first ten pages that it lists, and keeps it
//! when that page goes. So it moves when one of them is new or moves, whatever it shows of them. The own texts of a list of one or two pages count
//! as well.
//!
//! # URLs and files
//!
//! The ledger knows a page by its URL, so that a page whose file moves from `about/index.html` to `about.html` keeps its date. A page with a new URL
//! is compared with the one of the ledger whose URL redirects to it now, by `_redirects`, a canonical link or a refresh, or else with the one whose
//! URL is the same but for `.html`, `index.html` or the last slash.
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
//! [`Folder::explain`](crate::Folder::explain) has the date of a page and why it has it, its blocks, whether each is counted, and what was added
//! and removed. The ledger has no texts: with [`KeptTexts`](crate::KeptTexts) (`--keep-texts`) an explanation shows those that were removed, and
//! in later runs what changed when the page last moved.
//!
//! # The ledger
//!
//! A text file with a line for each page, ordered by their URLs: its date, the one that it states, and hashes of its blocks, 5 or 8 characters each,
//! and 3 more for those with a place. It is committed or cached between builds. A change to it that a run
//! did not make is an error, and so is one that is cut off, has marks of a merge conflict, or is of a newer version: never do all pages
//! have new dates for that. Save it when the sitemap is published.
