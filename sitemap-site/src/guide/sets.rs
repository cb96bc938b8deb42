//! Sets of files: any number of pages, published atomically, by one program or a thousand.
//!
//! # One program
//!
//! ```
//! use sitemap_serde::{OnInvalid, SitemapEntry, W3cDateTime};
//! use sitemap_site::SitemapSet;
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
//! let set = SitemapSet::directory(&root, "https://example.com").gzip(6).default_stylesheet(true).on_invalid(OnInvalid::SkipEntry).open()?;
//!
//! let mut pages = set.task_writer("pages", "all")?;
//! for page in [Page::Home, Page::About] {
//!     pages.write(None, &page)?;
//! }
//! let mut products = set.task_writer("products", "all")?;
//! for row in rows {
//!     products.write(row.id, &row)?;
//! }
//! let lists = [pages.finish()?, products.finish()?];
//! println!("{}", set.commit(&lists)?); // 4 files with 70,002 URLs, …: 4 written, 0 kept, 0 removed
//! # let names: std::collections::BTreeSet<_> = std::fs::read_dir(root.join("current"))?.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
//! # assert_eq!(names.into_iter().collect::<Vec<_>>(), ["sitemap-pages-1.xml.gz", "sitemap-products-1.xml.gz", "sitemap-products-2.xml.gz", "sitemap.css", "sitemap.xml"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `ROOT/current/sitemap.xml` is the index of all parts, each with the time when its content changed (P-IDX3). If one file is enough,
//! `sitemap.xml` is that file. A part has at most 50,000 entries and 52,428,800 bytes (P-COUNT, P-SIZE), or what
//! an [`engine`](sitemap_serde::WriterBuilder::engine) reads at most, checked before an entry is
//! added, and all entries of a row are in the same part.
//!
//! # Configuring a web server
//!
//! Its root for these files is the symbolic link `ROOT/current`, which a commit replaces by a rename. nginx:
//!
//! ```text
//! location ~ ^/sitemap[^/]*$ {
//!     root /var/lib/shop/sitemaps/current;
//!     # The usual `mime.types` lacks `gz`: compressed parts would be `application/octet-stream`.
//!     types { application/xml xml; application/gzip gz; text/plain txt; text/css css; }
//!     # A link is resolved with each request: leave `disable_symlinks` off, and `open_file_cache` too, or short.
//!     add_header Cache-Control "public, max-age=600";
//! }
//! ```
//!
//! In a container, mount `ROOT`, not `ROOT/current`: a mounted link is resolved once, so the container would never see a new generation.
//!
//! ```text
//! docker run -v /var/lib/shop/sitemaps:/sitemaps:ro …      # and `root /sitemaps/current;` within
//! ```
//!
//! A changed file is at least a second newer than the file it replaces, since web servers compute `ETag` from time and size, and
//! `Last-Modified` has a resolution of one second. An unchanged file keeps its time and inode, so crawlers get a 304.
//!
//! # What a commit guarantees
//!
//! A set with generations needs its own directory. A directory with other files, such as a web root, is an error: the public
//! files would be in `ROOT/current`, not in `ROOT`.
//!
//! In a directory of generations, a commit builds `generations/N` next to the public one: unchanged files are hard links (copies
//! with the same time if links fail), new files are synced. Then the folder, its parent and the manifest are synced, `current` is
//! renamed, which is the commit, and `ROOT` is synced. If a program is killed or the machine loses power at any moment, `current`
//! is either the complete old set or the complete new one. After `commit` has returned it is the new one. A failed sync fails the
//! commit. The next commit removes leftovers. This holds on file systems with an atomic rename and a reliable `fsync`: ext4, XFS,
//! Btrfs, ZFS, APFS, and tmpfs as long as the machine runs. Network file systems also need working file locks.
//!
//! Files that are no longer listed stay for a [grace period](crate::SetBuilder::grace), since crawlers may still use the old
//! index. [`SetFiles`](crate::SetFiles) lists them for programs that read the directory. The previous generation stays until the
//! next commit, for requests in progress.
//!
//! Commits exclude each other with a lock of the operating system, which is released when its program ends. The error names the
//! program that holds it. A set that would be empty, or lose more than half of its entries, [is
//! refused](crate::SetBuilder::allow_shrinking).
//!
//! The manifest, which describes the previous set for the next commit, has a checksum. An edited or damaged manifest is an error,
//! which explains [how to continue without it](crate::SetBuilder::replace_damaged).
//!
//! If the previous commit's date is more than an hour in the future, a clock was wrong. Then parts are dated by the current
//! clock, and [`CommitSummary::warnings`](crate::CommitSummary::warnings) has a warning.
//!
//! ## Crawlers in the middle of a commit
//!
//! A crawler reads the index, and its parts some minutes or hours later. If a set in a directory is committed in between, the
//! crawler gets new parts through the old index. Most pages are in their old parts. A page moves if rows that were inserted
//! before it have filled its part:
//!
//! * to the next part, which the old index lists too: the crawler finds it there;
//! * to a new part, which the old index does not list: the crawler misses the page until it reads the index again.
//!
//! (If keys are not integers, pages also move back when the last row of a part is deleted, and may be missed.)
//!
//! In an object store the address of a part contains its hash: the old index leads to the old parts, and no page is missing. The same holds for
//! a `Site`, whose addresses contain both ends of a part: a part that was split is still served as a whole while it has at most 50,000 entries.
//!
//! ## In place, and on Windows
//!
//! If a web root cannot be a link, and always on Windows, the set is written [in place](crate::SitemapSet::in_place): parts first, each by a
//! rename, the index last. Then the guarantees are weaker:
//!
//! * The old index lists parts of the new set from the first rename to the last. Each file is complete, but a page that moved
//!   from one part to another may be in both or in neither, and a part may be newer than its lastmod. If a commit is killed, this
//!   lasts until the next commit.
//! * A crawler that still uses the old index gets new parts.
//! * On Windows, folders cannot be synced: after a power loss, any mixture of old and new files is possible. A file that another
//!   program has open without sharing cannot be replaced: the commit fails, files already replaced stay, and the next commit continues.
//! * `ROOT/.sitemap` is private, but within the web root: do not serve it.
//!
//! # Parts keep their shape
//!
//! A part ends where it ended in the previous set: after the row with the same key, or the same loc if rows have no key. So an inserted or
//! deleted row changes its part, and at most one other: if a full part has no room for a row, the row goes to the beginning of the next part,
//! or to a new part if that one is full too. Appended rows go to the last part of their task. Integer keys are compared as numbers,
//! so that a part ends at its key even if its last row was deleted; the order of other keys is known to the database only. Write rows in the
//! same order each time.
//!
//! A part's number never changes its meaning, since search engines keep statistics by address: a new part gets a number that no part of the
//! section has had before.
//!
//! # Many workers
//!
//! Each worker writes the rows of one task, on any machine that can reach the same directory or store. Its list is sent, serialized by serde,
//! to the process that commits:
//!
//! ```
//! use sitemap_serde::UrlEntry;
//! use sitemap_site::{PartList, SitemapSet};
//!
//! # let folder = tempfile::tempdir()?;
//! # let root = folder.path().join("sitemaps");
//! # let open = || SitemapSet::directory(&root, "https://example.com").open();
//! // In a worker: one range of ids.
//! let work = |task: &str, ids: std::ops::Range<i64>| -> sitemap_site::Result<String> {
//!     let set = open()?;
//!     let mut writer = set.task_writer("products", task)?;
//!     for id in ids {
//!         writer.write(id, &UrlEntry::new(format!("/products/{id}")))?;
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
//! // Later, to update one task.
//! let again = serde_json::from_str(&work("ids-1", 30_000..60_001)?)?;
//! let summary = open()?.update(&[again])?;
//! assert_eq!((summary.entries, summary.written, summary.kept), (60_001, 2, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`commit`](crate::SitemapSet::commit) publishes the lists as the whole set; [`update`](crate::SitemapSet::update) replaces the parts of the listed
//! tasks only. A task may run twice: equal lists of one task count once, different ones are an error. The names of files do not depend on the number of
//! workers, and a set written by eight tasks keeps its shape when four tasks write it.
//!
//! A writer or list that is dropped removes its parts, and the next writing program removes the parts of killed programs, so
//! retries do not fill the disk. The parts of a serialized list stay until they are committed, for at most a day.
//!
//! # In async programs
//!
//! Writers and commits block: they write files, wait for the disk, and compress. So run them on a blocking thread, and send the
//! rows through a channel. Commit the list only after the query has succeeded: a query that fails in the middle also ends the
//! channel.
//!
//! ```
//! use sitemap_serde::UrlEntry;
//! use sitemap_site::{SitemapSet, CommitSummary};
//! use tokio::sync::mpsc;
//! use tokio::task::spawn_blocking;
//!
//! # struct Stream(std::ops::Range<i64>);
//! # impl Stream {
//! #     async fn try_next(&mut self) -> std::io::Result<Option<i64>> { Ok(self.0.next()) }
//! # }
//! /// Publishes the rows of a stream, such as that of a database's query.
//! async fn publish(mut products: Stream, set: SitemapSet) -> Result<CommitSummary, Box<dyn std::error::Error>> {
//!     let mut writer = set.task_writer("products", "all")?;
//!     let (sender, mut rows) = mpsc::channel(1000);
//!     let written = spawn_blocking(move || {
//!         while let Some(id) = rows.blocking_recv() {
//!             writer.write(id, &UrlEntry::new(format!("/products/{id}")))?;
//!         }
//!         writer.finish()
//!     });
//!     while let Some(id) = products.try_next().await? {
//!         if sender.send(id).await.is_err() {
//!             break; // the writer has failed: `written` has the error
//!         }
//!     }
//!     drop(sender);
//!     let list = written.await??;
//!     Ok(spawn_blocking(move || set.commit(&[list])).await??)
//! }
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let set = SitemapSet::directory(folder.path().join("sitemaps"), "https://example.com").open()?;
//! # assert_eq!(publish(Stream(0..3000), set).await?.entries, 3000);
//! # Ok(())
//! # }
//! ```
//!
//! `Site::export` (feature `serve`) does this for all sections of a served site.
//!
//! # Announcing changes
//!
//! [`SitemapSet::unannounced`](crate::SitemapSet::unannounced) compares the published set with the one that was announced last, and
//! [`mark_announced`](crate::Unannounced::mark_announced) records that search engines have its changes. A program that is killed between the commit
//! and the announcement loses nothing: its next run reports the changes of both. With the crate `sitemap-submit`:
//!
//! ```
//! use sitemap_site::SitemapSet;
//! use sitemap_submit::{PageState, Submission};
//!
//! # fn send(submission: &mut Submission) -> std::io::Result<()> {
//! #     use std::time::Duration;
//! #     use sitemap_submit::{Exchange, Response, Step};
//! #     loop {
//! #         match submission.step(Duration::ZERO) {
//! #             Step::Request(request) => {
//! #                 let mut body = if request.body().is_none() { "0123456789abcdef" } else { "" }.as_bytes();
//! #                 submission.respond(Ok(Response::new(sitemap_tree::Head::new(200), &mut body)), Duration::ZERO);
//! #             }
//! #             Step::Wait(_) => {}
//! #             Step::Done => return Ok(()),
//! #         }
//! #     }
//! # }
//! /// Runs after each commit, and at the start of the program.
//! fn announce(set: &SitemapSet, key: &str) -> Result<u64, Box<dyn std::error::Error>> {
//!     let mut pages = Vec::new();
//!     let unannounced = set.unannounced(|change| {
//!         if let Some(state) = PageState::from_change(&change) {
//!             pages.push((change.loc().to_owned(), state));
//!         }
//!         Ok(())
//!     })?;
//!     let mut submission = Submission::new(key)?;
//!     for (url, state) in &pages {
//!         submission.push(url, *state)?;
//!     }
//!     send(&mut submission)?; // `submission.run(|_| Ok(()))?` with the feature `ureq` of `sitemap-submit`, or any HTTP client
//!     let report = submission.report();
//!     if report.unsent.is_empty() {
//!         unannounced.mark_announced()?; // otherwise the next run sends all of them again
//!     }
//!     Ok(report.received)
//! }
//! #
//! # let folder = tempfile::tempdir()?;
//! # let set = SitemapSet::directory(folder.path().join("sitemaps"), "https://example.com").open()?;
//! # for (ids, sent) in [(1..4, 3), (2..6, 3), (2..6, 0)] {
//! #     let mut writer = set.task_writer("p", "all")?;
//! #     for id in ids {
//! #         writer.write(id, &sitemap_serde::UrlEntry::new(format!("/{id}")))?;
//! #     }
//! #     set.commit(writer.finish()?)?;
//! #     assert_eq!(announce(&set, "0123456789abcdef")?, sent);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! If search engines already know the pages of a site, call `mark_announced` once first. Otherwise the first run announces all of
//! them.
//!
//! # Uploading files
//!
//! A program that copies the files to another place needs no plan.
//! [`CommitSummary::written_files`](crate::CommitSummary::written_files) has the names of the files to copy, in an order that
//! keeps the copy readable at any moment. [`removed_files`](crate::CommitSummary::removed_files) has the files that are no longer
//! listed.
//!
//! # Object stores
//!
//! [`SitemapSet::storage`](crate::SitemapSet::storage) is for a set in a [`Storage`](crate::Storage) instead of a directory. The crate
//! `sitemap-object-store` implements it for every store of the crate object_store. Object stores have no rename: the name of a part contains 32 hex
//! digits of its content's hash, workers upload parts before the commit, and the commit uploads the index, on the condition that it has not changed
//! since it was read. If two programs commit at the same time, one of them gets an error.
//!
//! * A changed part has a new address, so it may be cached forever; the index may be cached for ten minutes.
//! * Parts that the current index lists are not uploaded again. All other parts are, since another commit may be about to delete
//!   them.
//! * Two commits after its grace period delete an unlisted part. The first marks it in the manifest as condemned. From then on,
//!   no program can commit with the old manifest. The second deletes it.
//! * Parts of writers without a heartbeat for a day are deleted the same way.
//! * `.sitemap/` contains the manifests and heartbeats, and need not be public.
//!
//! # Other options
//!
//! * [`news`](crate::SetBuilder::news): files of 1,000 articles, the newest first; if the current time is given, only articles of
//!   the last two days.
//! * [`text`](crate::SetBuilder::text): text files with one URL per line.
//! * [`plan`](crate::SitemapSet::plan) returns the effect of a commit; [`progress`](crate::SetBuilder::progress) reports the
//!   progress of a writer.
//! * [`entries`](crate::SitemapSet::entries) reads a set back.
