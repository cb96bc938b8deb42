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
//! # The first run
//!
//! Nothing is known of the past then: pages that state no date have none until they change. Three ways give them one:
//!
//! - `--since 2026-01-01` dates all of them so;
//! - `--dates git --source 'content/{path}.md'` dates each by the last commit that changed its source. `{path}` is the path of the page
//!   without `index.html` or `.html`; several templates are possible. A shallow clone is refused, since its oldest commit seems to have
//!   changed all files: `actions/checkout` needs `fetch-depth: 0`;
//! - a program of your own names them by [`first_date`](crate::FolderBuilder::first_date).
//!
//! From the second run on, the ledger knows when a page changed.
//!
//! # In CI
//!
//! The next build needs the ledger of this one. Commit it, or keep it in a cache whose key changes with each run. In GitHub Actions:
//!
//! ```yaml
//! - uses: actions/cache@v4
//!   with:
//!     path: sitemap-ledger
//!     key: sitemap-ledger-${{ github.run_id }}
//!     restore-keys: sitemap-ledger-
//! - run: sitemap from public/ --location https://example.com/ --ledger sitemap-ledger --expect-ledger
//! ```
//!
//! A cache can be evicted, after a week without a build for example, and all dates go with it. `--expect-ledger` then fails instead of
//! starting anew; leave it out in the first run. To commit the ledger is safer:
//!
//! ```yaml
//! - run: sitemap from public/ --location https://example.com/ --ledger sitemap-ledger
//! - run: |
//!     git add sitemap-ledger
//!     git diff --cached --quiet || git commit -m "Update the sitemap's ledger"
//!     git push
//! ```
//!
//! The project's action runs the same command by its input `from`, before it lints the result.
//!
//! [Deploying](super::deploying) has a whole job: from the build to the announcement of what changed.
//!
//! Pages that state no date have none without a ledger. Search engines accept a missing date, and distrust the time of the build.
//!
//! # Settings
//!
//! Arguments that are always the same can be in `sitemap.toml`, under the names of the arguments:
//!
//! ```toml
//! [from]
//! folder = "public"
//! location = "https://example.com/"
//! ledger = "sitemap-ledger"
//! exclude = ["drafts/", "!drafts/about.html"]
//! robots = true
//! fail-on = "warning"
//!
//! [from.languages]
//! en = "/"
//! fr = "/fr/"
//!
//! [from.findings]
//! unlinked = "off"
//! ```
//!
//! Then `sitemap from` is the whole command. `exclude` and `include` are patterns as in `.gitignore`. A pattern without a match is
//! a finding.
//!
//! # robots.txt
//!
//! Search engines find a sitemap by a line `Sitemap: https://example.com/sitemap.xml` in `robots.txt`. `--robots` adds the line to the
//! folder's file. Without a file, it writes one that allows everything.
//!
//! # What is found
//!
//! Each finding has an id and a severity: an error changes which pages are listed, a warning is probably a mistake, and a note reports
//! missing knowledge. The exit status is 1 from errors on; `--fail-on warning` is stricter, and `--level unlinked=off` or `[from.findings]` sets the
//! severity of one. [`FindingKind`](crate::FindingKind) has all.
//!
//! # Languages
//!
//! A page names its languages by links with `hreflang`. VitePress writes no such links. With `--languages en=/,fr=/fr/`, pages at the same
//! path in both folders are alternates of each other.
//!
//! # A page for people
//!
//! `--html public/sitemap.html` writes a page that lists all pages by folder with their titles. WCAG 2.4.5 asks for several ways to find a
//! page, and this is one. `--html-template FILE` puts the list into a page of your own, in place of `<!-- sitemap -->`. The page itself is not
//! listed in the sitemap.
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
//! - have `noindex` or `none` in `<meta name="robots">` or `<meta name="googlebot">`, or an `unavailable_after` that is past, there or in an
//!   `X-Robots-Tag` of the host's settings;
//! - lead elsewhere, by `<link rel="canonical">` in the head, a `Link` header, `<meta http-equiv="refresh">` or a redirect of the host. A rule
//!   for some countries or languages, and a rewrite (`200`), are no redirects;
//! - the host answers with an error instead (`404!`, `410`);
//! - Googlebot is not allowed to read by the folder's `robots.txt`, if the folder is the root of its host;
//! - are pages for errors (`404.html` in any folder, others such as `50x.html` in the folder itself), verify the owner of the site, are
//!   pictures or archives by their content, or match a pattern of `exclude`.
//!
//! Two canonical addresses are none, as search engines have it, and a finding. Files whose names begin with a point are not looked at, and
//! links to folders are followed. A listed page that no other page links to is a note: it may be a draft.
//!
//! # Hosts
//!
//! | file | what is read |
//! |---|---|
//! | `_redirects`, `_headers` | as Netlify and Cloudflare Pages do; where they differ, a page that one of them would redirect is left out |
//! | `netlify.toml` | `[[redirects]]` (a page that exists is redirected only with `force`), `[[headers]]` |
//! | `vercel.json` | `redirects`, `headers`, `routes`, `cleanUrls`, `trailingSlash` |
//! | `firebase.json` | of the site with this folder: `redirects`, `headers`, `cleanUrls`, `trailingSlash` |
//! | `staticwebapp.config.json` | `routes`, `globalHeaders`, `trailingSlash` |
//! | `.htaccess`, `web.config`, `_worker.js` | nothing: a note says so |
//!
//! The settings may be in the folder of the pages, or in the project's: the nearest folder above with one of them, up to the working
//! directory, or the one that `--project` names ([`FolderBuilder::project`](crate::FolderBuilder::project)). A rule that the host would not
//! understand is an error. A pattern that this crate cannot read is a note. Conditions on cookies, headers and queries hold for
//! some visitors only, so their rules change nothing.
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
