//! Sets of files: any number of pages, published at once, by one program or a thousand.
//!
//! # One program
//!
//! ```
//! use sitemap_serde::{SitemapEntry, W3cDateTime};
//! use sitemap_site::{Key, SitemapSet};
//!
//! #[derive(SitemapEntry)]
//! #[sitemap(loc = "/products/{id}")]
//! struct Product {
//!     id: i64,
//!     #[sitemap(lastmod)]
//!     updated: W3cDateTime,
//! }
//!
//! #[derive(SitemapEntry)]
//! enum Page {
//!     #[sitemap(loc = "/")]
//!     Home,
//!     #[sitemap(loc = "/about")]
//!     About,
//! }
//!
//! # let folder = tempfile::tempdir()?;
//! # let root = folder.path().join("sitemaps");
//! # let rows = (1..=70_000).map(|id| Product { id, updated: "2026-05-01".parse().unwrap() });
//! let set = SitemapSet::directory(&root, "https://example.com").gzip(true).stylesheet(true).open()?;
//!
//! let mut pages = set.part_writer("pages", "all")?;
//! for page in [Page::Home, Page::About] {
//!     pages.write(None, &page)?;
//! }
//! let mut products = set.part_writer("products", "all")?;
//! for row in rows {
//!     products.write_or_leave_out(Some(&Key::from(row.id)), &row)?;
//! }
//! let lists = [pages.finish()?, products.finish()?];
//! println!("{}", set.commit(&lists)?); // 4 files with 70002 URLs, …: 4 written, 0 kept, 0 removed
//! # let names: std::collections::BTreeSet<_> = std::fs::read_dir(root.join("current"))?.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
//! # assert_eq!(names.into_iter().collect::<Vec<_>>(), ["sitemap-pages-1.xml.gz", "sitemap-products-1.xml.gz", "sitemap-products-2.xml.gz", "sitemap.css", "sitemap.xml"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `ROOT/current/sitemap.xml` is the index of all parts, each with the time when its content changed (P-IDX3); where one file suffices, it is
//! that file. A part has at most 50,000 entries and 52,428,800 bytes (P-COUNT, P-SIZE), counted to the byte before an entry is taken, and
//! the entries of one row stand in one part.
//!
//! # What a web server has to be told
//!
//! Its root for these files is the link `ROOT/current`, which a commit replaces by one rename. nginx:
//!
//! ```text
//! location ~ ^/sitemap[^/]*$ {
//!     root /var/lib/shop/sitemaps/current;
//!     # A link is resolved with each request: leave `disable_symlinks` off, and `open_file_cache` too, or short.
//!     add_header Cache-Control "public, max-age=600";
//! }
//! ```
//!
//! In a container, mount `ROOT`, not `ROOT/current`: a mounted link is resolved once, and the container would see one generation for ever.
//!
//! ```text
//! docker run -v /var/lib/shop/sitemaps:/sitemaps:ro …      # and `root /sitemaps/current;` within
//! ```
//!
//! A file that changes has a time at least a second after that of the file before it, since web servers make `ETag` of time and size,
//! and `Last-Modified` has seconds. One that stays the same keeps its time and inode: crawlers get a 304.
//!
//! # What a commit promises
//!
//! On a directory of generations, `generations/N` is put together beside the public one: unchanged files are hard links (copies with the
//! same time where links fail), new ones are synced. Then come the folder, its parent, the manifest, and the rename of `current`, which
//! is the commit; then a sync of `ROOT`. So, if a program is killed or the machine loses power at any moment, `current` is the set before or
//! the new one, whole; a commit that has returned stays. A sync that fails fails the commit. What was left behind, the next commit removes.
//! This holds on file systems whose rename is atomic and whose `fsync` tells the truth: ext4, XFS, Btrfs, ZFS, APFS, tmpfs as long as the machine runs.
//! On network file systems locks have to work too.
//!
//! Files that are no longer listed stay for a [grace period](crate::SetBuilder::grace), unlisted, since crawlers hold the old index. The
//! generation before the public one stays until the next commit, for requests that are under way.
//!
//! Commits exclude each other by a lock of the operating system, which ends with its program; the error names the one that holds it. A
//! set that would be empty, or lose more than half of its entries, [is refused](crate::SetBuilder::allow_shrinking).
//!
//! ## In place, and on Windows
//!
//! Where a web root cannot be a link, and on Windows always, the set is written [in place](crate::SetBuilder::in_place): parts first, each by a
//! rename, the index last. Weaker is:
//!
//! * Between the first rename and the last, the index of the set before lists parts of the new one. Each file is whole, but a page that moved
//!   from one part to the other may be in both or in none, and a part may be newer than its lastmod says. A commit that is killed
//!   leaves it so until the next one.
//! * A file has no second name, so a reader that reads through the old index reads new parts.
//! * On Windows, folders cannot be synced: after a loss of power, names may be those of before, in any mixture. A file that another
//!   program has open without sharing cannot be replaced: the commit fails, what was replaced stays, and the next commit goes on.
//! * `ROOT/.sitemap` is private and within the web root: do not serve it.
//!
//! # Parts keep their shape
//!
//! A part ends where it did in the set before: after the row with the same key, or the same loc where rows have no key. So a row that is
//! inserted or deleted changes its part, and no more than one other: rows that a full part has no room for go in front of the next part
//! if that has room, else into a new one. What is appended goes to the last part of its task. Keys of whole numbers are compared as numbers,
//! so that a part ends there even if its last row is gone; other keys have the order of the database alone. Rows come in the same order
//! each time.
//!
//! A number is an identity: search engines keep statistics by address. A new part takes the next number that no part of the section
//! ever had.
//!
//! # Many workers
//!
//! Each worker writes the rows of one task, wherever it runs, as long as it reaches the same directory or store. Its list goes by serde to
//! whoever commits:
//!
//! ```
//! use sitemap_serde::UrlEntry;
//! use sitemap_site::{Key, PartList, SitemapSet};
//!
//! # let folder = tempfile::tempdir()?;
//! # let root = folder.path().join("sitemaps");
//! # let open = || SitemapSet::directory(&root, "https://example.com").open();
//! // In a worker: one range of ids.
//! let work = |task: &str, ids: std::ops::Range<i64>| -> sitemap_site::Result<String> {
//!     let set = open()?;
//!     let mut writer = set.part_writer("products", task)?;
//!     for id in ids {
//!         writer.write(Some(&Key::from(id)), &UrlEntry::new(format!("/products/{id}")))?;
//!     }
//!     let list = writer.finish()?;
//!     Ok(serde_json::to_string(&list).unwrap())
//! };
//! let sent = [work("ids-0", 0..30_000)?, work("ids-1", 30_000..60_000)?];
//!
//! // In one process, when all are done.
//! let lists: Vec<PartList> = sent.iter().map(|list| serde_json::from_str(list)).collect::<Result<_, _>>()?;
//! open()?.commit(&lists)?;
//!
//! // Later, one task again.
//! let again = serde_json::from_str(&work("ids-1", 30_000..60_001)?)?;
//! let summary = open()?.update(&[again])?;
//! assert_eq!((summary.entries, summary.written, summary.kept), (60_001, 2, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`commit`](crate::SitemapSet::commit) publishes the lists as the whole set; [`update`](crate::SitemapSet::update) replaces these tasks' parts. Two
//! equal lists of a task are one, so a task may run twice; two that differ are an error. The names of files do not depend on the number of
//! workers, and a set that was written by eight tasks keeps its shape when four write it.
//!
//! A writer that is dropped takes its parts with it. What a killed program has written, the next commit removes; what a worker that has
//! ended has finished waits for a commit, for a day unless [said otherwise](crate::SetBuilder::abandoned_after).
//!
//! # Object stores
//!
//! [`SitemapSet::storage`](crate::SitemapSet::storage) takes a [`Storage`](crate::Storage) in place of a directory. The crate
//! `sitemap-object-store` makes one of every store that object_store knows. There is no rename there: a part's name has 32 hex digits of
//! its content's hash, workers put it before the commit, and the index, put only if it is still the one that was read, publishes all.
//! Of two programs that commit at once, one is told.
//!
//! * A new part has a new address, so it may be cached for ever; the index for ten minutes.
//! * Nothing is put again that the current index names. Everything else is, since somebody may be about to delete it.
//! * A part that is no longer listed is deleted in two commits after its grace period: the first one condemns it, in the manifest, and a
//!   program that has not read that cannot commit any more.
//! * Parts of writers that gave no sign of life for [a day](crate::SetBuilder::abandoned_after) go the same way.
//! * `.sitemap/` has the manifests and signs of life, and need not be public.
//!
//! # Other forms
//!
//! * [`news`](crate::SetBuilder::news): files of 1,000, the newest first, two days if it is told what time it is.
//! * [`text`](crate::SetBuilder::text): one URL a line.
//! * [`plan`](crate::SitemapSet::plan) says what a commit would do; [`progress`](crate::SetBuilder::progress) how far a writer is.
//! * [`entries`](crate::SitemapSet::entries) reads a set back.
