//! Static sites: a folder that a generator has built, in CI or by a generator of your own.
//!
//! # By the command
//!
//! ```text
//! mdbook build
//! sitemap from book/ --location https://example.com/ --ledger sitemap-ledger
//! ```
//!
//! The sitemap is `book/sitemap.xml`. More than 50,000 pages need a set of files: `--output FOLDER`. A sitemap that would be empty, or
//! lose more than half of its entries, such as that of a build for staging, [is refused](crate::FolderBuilder::allow_shrinking) unless
//! `--force` allows it. `--dry-run` writes nothing, and reports what would be refused.
//!
//! # In CI
//!
//! The ledger is what the next build has to know of this one. Commit it, or keep it in a cache whose key changes with each run, such as
//! this one of GitHub Actions:
//!
//! ```yaml
//! - uses: actions/cache@v4
//!   with:
//!     path: sitemap-ledger
//!     key: sitemap-ledger-${{ github.run_id }}
//!     restore-keys: sitemap-ledger-
//! - run: sitemap from public/ --location https://example.com/ --ledger sitemap-ledger
//! ```
//!
//! [Deploying](super::deploying) has a whole job: from the build to the announcement of what changed.
//!
//! Without a ledger pages have no dates but those that they state, which search engines accept; they do not accept the time of the build.
//!
//! # The sitemap of another program
//!
//! Where the generator writes a sitemap, a lint compares it with the pages: entries that are `noindex`, redirect, are not canonical or do
//! not exist, dates and languages of which the page says otherwise, and pages that are not listed (L-NOINDEX, L-REDIRECT, L-CANONICAL,
//! L-MISSING, L-PAGEDATE, L-HREFLANG, L-UNLISTED). In a program this is [`FolderPages`](crate::FolderPages).
//!
//! ```text
//! sitemap lint public/sitemap.xml --location https://example.com/sitemap.xml --pages public/
//! ```
//!
//! # From a generator
//!
//! Call the crate when all pages are written. Each page is a [`SitemapEntry`](sitemap_serde::SitemapEntry), so pages that are elsewhere
//! can be in the same sitemap.
//!
//! ```
//! use sitemap_pages::{FolderBuilder, Ledger};
//! use sitemap_serde::UrlEntry;
//! use sitemap_site::SitemapSet;
//!
//! # let project = tempfile::tempdir()?;
//! # let (public, path) = (project.path().join("public"), project.path().join("sitemap-ledger"));
//! # std::fs::create_dir(&public)?;
//! # std::fs::write(public.join("index.html"), "<h1>Lamps</h1>")?;
//! let mut builder = FolderBuilder::new("https://example.com");
//! builder.exclude("drafts/**").include("*.pdf").ledger(Ledger::load(&path)?);
//! let folder = builder.read(&public)?;
//! for finding in folder.findings() {
//!     eprintln!("warning: {finding}");
//! }
//!
//! let set = SitemapSet::directory(&public, "https://example.com").in_place(true).open()?;
//! let mut writer = set.task_writer("pages", "folder")?;
//! for page in folder.pages() {
//!     writer.write(None, page)?;
//! }
//! writer.write(None, &UrlEntry::new("https://example.com/shop/"))?;
//! let summary = set.commit(&[writer.finish()?])?;
//! folder.ledger().save(&path)?; // once the sitemap is published
//! # assert_eq!(summary.entries, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which pages
//!
//! All HTML files of the folder, except those that
//!
//! - have `noindex` or `none` in `<meta name="robots">` or `<meta name="googlebot">`, or in an `X-Robots-Tag` of the file `_headers`;
//! - lead elsewhere, by `<link rel="canonical">` in the head, `<meta http-equiv="refresh">` or the file `_redirects`. A rule for some countries or
//!   languages, and a rewrite (`200`), are no redirects;
//! - Googlebot is not allowed to read by the folder's `robots.txt`, if the folder is the root of its host;
//! - are pages for errors (`404.html` in any folder, others such as `50x.html` in the folder itself), verify the owner of the site, or
//!   match a pattern of `exclude`.
//!
//! `_redirects` and `_headers` are read as Netlify and Cloudflare Pages do; where they differ, a page that one of them would redirect is
//! left out. Files whose names begin with a point are not looked at, and links to folders are followed.
//!
//! # Time and memory
//!
//! Both grow with the sum of the pages, however deep they nest; only where a group of fewer than a fifth of the pages repeats the same blocks, and each
//! links to all others, does the time grow with the size of the group, too. Of each page some 300 bytes are held, and 10 for each block of its text
//! and 8 for each link to another page; the ledger of the last run has its blocks once more. 100,000 pages with 29 blocks and 28 such links
//! took 1.1 kB each in the first run, and 1.5 kB in those with a ledger, whose file had 254 bytes a page. They need three times the processor
//! time of html5gum's tokenizer alone, shared by all processors (`cargo bench -p sitemap-pages -- 100000`).
//!
//! # Languages and images
//!
//! `<link rel="alternate" hreflang>` become alternates, if the other page is listed. With `--images`
//! ([`FolderBuilder::images`](crate::FolderBuilder::images)) pages are listed with their images.
//!
//! # Which address
//!
//! `index.html` is its folder. `about.html` is `/about.html`, or `/about` if most canonical addresses of the pages are without the
//! extension, or, where there are none, most links. A page whose own canonical address is in another form is listed with that, and
//! reported. [`FolderBuilder::style`](crate::FolderBuilder::style) overrides both.
