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
//! println!("{}", set.commit(&lists)?); // 4 files with 70002 URLs, …: 4 written, 0 kept, 0 removed
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
//! A changed file has a modification time at least a second after that of the file it replaces, since web servers make `ETag` from time and
//! size, and `Last-Modified` has a resolution of one second. An unchanged file keeps its time and inode: crawlers get a 304.
//!
//! # What a commit guarantees
//!
//! A set with generations has a directory of its own. One that contains other files, such as a web root, is an error: its public files would be in
//! `ROOT/current`, and not in `ROOT`.
//!
//! In a directory of generations, a commit builds `generations/N` next to the public one: unchanged files are hard links (copies with the
//! same time if links fail), new files are synced. Then the folder, its parent and the manifest are synced, `current` is renamed, which
//! is the commit, and `ROOT` is synced. If a program is killed or the machine loses power at any moment, `current` is either the complete old
//! set or the complete new one; after `commit` has returned it is the new one. A failed sync fails the commit. The next commit removes
//! leftovers. This holds on file systems with an atomic rename and a reliable `fsync`: ext4, XFS, Btrfs, ZFS, APFS, and tmpfs as long as the
//! machine runs. On network file systems file locks have to work too.
//!
//! Files that are no longer listed are kept for a [grace period](crate::SetBuilder::grace), since crawlers may still use the old index;
//! [`SetFiles`](crate::SetFiles) tells a program that reads the directory which ones these are. The
//! previous generation is kept until the next commit, for requests in progress.
//!
//! Commits exclude each other by a lock of the operating system, which is released when its program ends; the error names the program that
//! holds it. A set that would be empty, or lose more than half of its entries, [is refused](crate::SetBuilder::allow_shrinking).
//!
//! The manifest, in which a commit finds the set before it, has a checksum. One that was edited or damaged is an error, which says
//! [how to go on without it](crate::SetBuilder::forget).
//!
//! If the commit before is dated more than an hour in the future, a clock was wrong: then parts are dated by the present one, and
//! [`CommitSummary::warnings`](crate::CommitSummary::warnings) says so.
//!
//! ## Crawlers in the middle of a commit
//!
//! A crawler reads the index, and its parts some minutes or hours later. If a set in a directory is committed in between, it gets the new parts by the
//! old index. Most pages are where they were. A page moves if rows that were inserted before it have filled its part:
//!
//! * to the next part, which the old index lists too: the crawler finds it there;
//! * to a new part, which the old index does not list: the crawler misses the page until it reads the index again.
//!
//! (Pages also move, back, when the last row of a part is deleted, unless keys are integers; then they may be missed too.)
//!
//! In an object store the address of a part contains its hash: the old index leads to the old parts, and no page is missing. The same holds for
//! a `Site`, whose addresses contain both ends of a part: a part that was split is still served as a whole while it has at most 50,000 entries.
//!
//! ## In place, and on Windows
//!
//! If a web root cannot be a link, and always on Windows, the set is written [in place](crate::SetBuilder::in_place): parts first, each by a
//! rename, the index last. Then the guarantees are weaker:
//!
//! * Between the first rename and the last, the old index lists parts of the new set. Each file is complete, but a page that moved
//!   from one part to another may be in both or in neither, and a part may be newer than its lastmod. If a commit is killed, this lasts
//!   until the next commit.
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
//! A writer or list that is dropped removes its parts, and the next program that writes removes those of killed ones: retries do not fill the disk. Once
//! a list is serialized, its parts are kept until they are committed, for a day.
//!
//! # In async programs
//!
//! Writers and commits block: they write files, wait for the disk, and compress. So they run on a blocking thread, to which a channel brings the
//! rows. The list is committed after the last row has arrived: a query that fails in the middle also ends the channel.
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
//!         if let Some(state) = PageState::of_change(&change) {
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
//! For a site whose pages search engines know already, call `mark_announced` once before: otherwise the first run announces all of them.
//!
//! # Uploading files
//!
//! A program that copies the files to another place needs no plan: [`CommitSummary::written_files`](crate::CommitSummary::written_files) has the names of
//! the files to copy, in the order in which they can be read at any moment, and [`removed_files`](crate::CommitSummary::removed_files) those that are no
//! longer listed.
//!
//! # Object stores
//!
//! [`SitemapSet::storage`](crate::SitemapSet::storage) is for a set in a [`Storage`](crate::Storage) instead of a directory. The crate
//! `sitemap-object-store` implements it for every store of the crate object_store. Object stores have no rename: the name of a part contains 32 hex
//! digits of its content's hash, workers upload parts before the commit, and the commit uploads the index, on the condition that it has not changed
//! since it was read. If two programs commit at the same time, one of them gets an error.
//!
//! * A changed part has a new address, so it may be cached forever; the index may be cached for ten minutes.
//! * Parts that the current index lists are not uploaded again. All others are, since another commit may be about to delete them.
//! * A part that is no longer listed is deleted by two commits after its grace period: the first marks it in the manifest as condemned, after
//!   which no program can commit with the old manifest; the second deletes it.
//! * Parts of writers without a heartbeat for a day are deleted the same way.
//! * `.sitemap/` contains the manifests and heartbeats, and need not be public.
//!
//! # Other options
//!
//! * [`news`](crate::SetBuilder::news): files of 1,000 articles, the newest first; given the current time, only those of the last two days.
//! * [`text`](crate::SetBuilder::text): text files with one URL per line.
//! * [`plan`](crate::SitemapSet::plan) returns what a commit would do; [`progress`](crate::SetBuilder::progress) reports how far a writer is.
//! * [`entries`](crate::SitemapSet::entries) reads a set back.
