//! The dates of pages: their sources, and when a page has moved.
//!
//! Search engines use `lastmod` only on sites whose dates have proved true. The time of a build is not a true date, nor is the time
//! of a file. A page gets the date that it states, if that is believed. Otherwise it gets the ledger's date, when a run first found
//! the page, or found it moved. [`FolderBuilder::stated_dates`](crate::FolderBuilder::stated_dates) and
//! [`FolderBuilder::ledger_dates`](crate::FolderBuilder::ledger_dates) turn each off.
//!
//! # Dates that pages state
//!
//! These statements are read. They count in this order, if they are believed.
//!
//! | | last change | publication |
//! |---|---|---|
//! | OpenGraph | `article:modified_time` | `article:published_time` |
//! | JSON-LD | `dateModified` | `datePublished` |
//! | Dublin Core | `dcterms.modified` | `dcterms.issued` |
//! | microdata | `itemprop="dateModified"`, or a `time` within it | `itemprop="datePublished"`, or a `time` within it |
//!
//! A nested microdata item, such as the card of another page, does not date the page. Dates before 1990 are
//! ignored. So are dates in the future, with a [finding](crate::Finding). Dates of publication are used only on request, and only
//! [until the ledger knows better](#first-runs-and-pages-that-come-back).
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
//! | new | not believed | the run's date; in the first run, see [below](#first-runs-and-pages-that-come-back) |
//!
//! Without history, three kinds of dates are not believed:
//!
//! - a day that all pages state;
//! - the day of the run, if more than half of the pages state it, and three at least;
//! - a second that three pages state. Midnight does not count as one, since it stands for the whole day.
//!
//! [Lists of pages](#lists-of-pages) take no part in this: many state the date of their newest page.
//!
//! Once a date is doubted, its moves are ignored, even if the content moves too: the page gets the run's date. Each kind of
//! disbelieved date is one [finding](crate::Finding), however many pages state it.
//!
//! # When a page has moved
//!
//! The content of a page is a list of **blocks**:
//!
//! | block | compared by |
//! |---|---|
//! | a paragraph, heading, list item, table row, or other block of text | its text |
//! | a picture | its alternative text, and the name of its file without a build's hash |
//! | a film, or an embedded page | its address |
//! | an `ol` | the order of its items |
//!
//! White space makes no difference, except in `pre`. Markup and attributes make none. A `time` counts if it contains times of day, such
//! as `Mo-Fr 9:00-17:00`, or a duration, such as `PT45M`, or has a property other than a date of the page, such as
//! `itemprop="startDate"`. Its `datetime` takes precedence over its text. Other dates in a `time` do not count, because the build may
//! have written them. Text in inline SVG counts, and so do shadow roots that are declared.
//!
//! Some blocks are **not counted**:
//!
//! - blocks in frames: `nav`, `header`, `footer` and `aside` outside of `main` and `article`, and a `footer` in `main`. The ARIA roles
//!   of these, and classes or ids such as `footer` and `site-footer`, make frames too. A `header` is no frame from its `h1` on;
//! - blocks with more bytes in links than outside of links, in UTF-8. Links to the page itself are text, but a label of them that is
//!   repeated, such as that of a category at each of its posts, counts once;
//! - elements that a selector of [`FolderBuilder::ignore`](crate::FolderBuilder::ignore) matches;
//! - **excerpts** of other listed pages, if this page links to them outside of frames.
//!
//! An excerpt is
//!
//! - a block that the other page has, too. A page lists another one if a heading there links to it, or if a block there is its title.
//!   If one of two pages lists the other, only the list has excerpts. Otherwise, if both link to each other, the page with the nearer
//!   link has the excerpt. In `main` and `article`, a heading that is a link is at each block up to the next heading;
//! - a block that equals the description in the other page's head, or does so after a link that begins it;
//! - a shortened block, if it begins like the other page's description, or like its text from a counted block on. The first 32
//!   letters and digits must match. A block is shortened if `…` or `...` is among the signs at its end. It is also shortened if a
//!   link to the other page, like `Read more`, ends it or follows before the next counted block. If both blocks are shortened in
//!   this way, neither is an excerpt.
//!
//! The title of a page is never an excerpt: its first `h1`, or else a heading that is its first block. Its last word does not count if
//! that is a version, such as `v1.2.0`.
//!
//! A block is **shared** if at least a fifth of all listed pages have it, and five at least. On a site of three or four pages, all
//! must have it.
//!
//! The **place** of a block is defined by its ancestors, each with its first class, and by its number among the blocks with the
//! same ancestors. Only the first two and the last two blocks have one. Pages with their titles in the same elements are of one
//! **kind**.
//!
//! > A page has moved if and only if a counted block was added to it or removed from it, and is in neither the old nor the new table
//! > of shared blocks. In this run, such a change does not count if
//! >
//! > - the same change occurs on enough pages to share a block. Numbers are masked in blocks that are new or gone. If only numbers
//! >   changed, the same ones must have become the same ones; or
//! > - a block was added at the same place, or removed from it, on three quarters of the pages of its kind, or of all, and on five
//! >   at least: then it is part of the template, whatever its text says. A title is not, nor are changed numbers, nor more than half
//! >   of a page's blocks.
//!
//! A kind of two to four pages also counts if all of them have such a change, and a larger kind has one, too. Pages with changes of
//! which none counts are reported together, and [`explain`](crate::Folder::explain) names their number. A page without counted blocks
//! keeps its date and is reported, too. An example is a page filled by a script.
//!
//! Consequences:
//!
//! - New navigation, a new footer, theme or hash of an asset moves no page. A new page in every sidebar moves only that page.
//! - A new price moves its pages. The same new price on all pages, in place of the same old one, moves none.
//! - New bylines, dates in another format or reading times move no page, though their texts differ.
//! - Editing a list of links moves none.
//! - Posts with equal beginnings do not move if each has a title and a single paragraph, followed directly by the link to the next
//!   post. By the rule, this paragraph is an excerpt of the next post.
//! - New titles move their pages, and so do a relaunch and a translation, even of all pages.
//! - A number that changes by itself moves its pages, unless `ignore` names its element.
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
//! A **list** is a page with these properties, such as a blog's home page, the page of a tag, or a page of an archive:
//!
//! - none of its own texts has 32 letters and digits;
//! - it has no more blocks of its own than it lists pages.
//!
//! It lists the pages that it links to in `main` and `article`, but not in a `nav` there. If there is no such content, links outside of frames
//! count. A page with links from half of all pages is part of the navigation, and does not count.
//!
//! A list has the newest date of the first ten pages that it lists, and keeps it if that page disappears. A new or moved page among
//! these ten moves the list, even if the list shows nothing of the change. In a list of one or two pages, its own texts count, too.
//!
//! # URLs and files
//!
//! The ledger knows a page by its URL, so a page whose file moves from `about/index.html` to `about.html` keeps its date. For a
//! page with a new URL, the ledger is searched for a URL that now redirects to it, by `_redirects`, a canonical link or a refresh.
//! Failing that, it is searched for a URL that differs only in `.html`, `index.html` or the last slash.
//!
//! # First runs, and pages that come back
//!
//! The first run knows no past. A page has the first of these dates:
//!
//! 1. the believed date of the last change that it states;
//! 2. the date of [`FolderBuilder::first_date`](crate::FolderBuilder::first_date) (`--dates git`);
//! 3. the date of publication that it states, with
//!    [`FolderBuilder::published_dates`](crate::FolderBuilder::published_dates) (`--dates published`). It is disbelieved for the
//!    same reasons as other dates without history;
//! 4. the date of [`FolderBuilder::since`](crate::FolderBuilder::since).
//!
//! A page that is first seen in a later run has that run's date. A page that disappears keeps its line in the ledger. If it comes
//! back, it has its old date, unless blocks of its own are missing.
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
//! The ledger is a text file with a line for each page, sorted by URL. A line has the page's date, its stated date, and hashes of
//! its blocks: 5 or 8 characters each, and 3 more for a block with a place. Commit the file, or cache it between builds, and save it
//! once the sitemap is published. A change that no run made is an error, and so is a truncated file, a merge conflict or a newer
//! version. None of these ever gives all pages new dates.
