//! Static sites: folders built by a generator, in CI or by a generator of your own.
//!
//! # By the command
//!
//! ```text
//! mdbook build
//! sitemap from book/ --location https://example.com/ --ledger sitemap-ledger
//! ```
//!
//! The sitemap is `book/sitemap.xml`. More than 50,000 pages need a set of files: `--output FOLDER`. A sitemap that is empty, or
//! loses more than half of its entries, [is refused](crate::FolderBuilder::allow_shrinking) unless `--force` allows it. A build for
//! staging is an example. `--dry-run` writes nothing, and reports a refusal.
//!
//! # The first run
//!
//! The first run knows no past: pages that state no date have none until they change. Four ways give them one:
//!
//! - `--dates published` uses the date of publication that a page states, such as `datePublished`. Pages without one get the date of
//!   `--since`. [Dates](super::dates#dates-that-pages-state) says which statements are read, and when they are not believed;
//! - `--since 2026-01-01` gives all of them this date;
//! - `--dates git --source 'content/{path}.md'` dates each by the last commit that changed its source. `{path}` is the path of the page
//!   without `index.html` or `.html`; several templates are possible. A shallow clone is refused, since its oldest commit seems to have
//!   changed all files: `actions/checkout` needs `fetch-depth: 0`;
//! - a program of your own sets them with [`first_date`](crate::FolderBuilder::first_date).
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
//! A cache can be evicted, for example after a week without a build, and all dates go with it. `--expect-ledger` then fails instead
//! of starting anew; leave it out in the first run. Committing the ledger is safer:
//!
//! ```yaml
//! - run: sitemap from public/ --location https://example.com/ --ledger sitemap-ledger
//! - run: |
//!     git add sitemap-ledger
//!     git diff --cached --quiet || git commit -m "Update the sitemap's ledger"
//!     git push
//! ```
//!
//! The project's action runs the same command through its input `from`, before it lints the result.
//!
//! [Deploying](super::deploying) has a whole job: from the build to the announcement of what changed.
//!
//! Pages that state no date have none without a ledger. Search engines accept a missing date, and distrust the time of the build.
//!
//! # Settings
//!
//! Arguments that rarely change can be in `sitemap.toml`, under their names:
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
//! Search engines find a sitemap through the line `Sitemap: https://example.com/sitemap.xml` in `robots.txt`. `--robots` adds this
//! line to the folder's file. If there is no file, it writes one that allows everything.
//!
//! # What is found
//!
//! Each finding has an id and a severity: an error changes which pages are listed, a warning is probably a mistake, and a note
//! reports missing knowledge. The exit status is 1 if there is an error. `--fail-on warning` is stricter, and `--level
//! unlinked=off` or `[from.findings]` sets the severity of one kind. [`FindingKind`](crate::FindingKind) lists all kinds.
//!
//! # Languages
//!
//! A page names its languages by links with `hreflang`. VitePress writes no such links. With `--languages en=/,fr=/fr/`, pages at the same
//! path in both folders are alternates of each other.
//!
//! # A page for people
//!
//! `--html public/sitemap.html` writes a page that lists all pages by folder with their titles. WCAG 2.4.5 asks for several ways to
//! find a page, and this is one. `--html-template FILE` puts the list into a page of your own, in place of `<!-- sitemap -->`. The
//! page itself is not listed in the sitemap.
//!
//! # The sitemap of another program
//!
//! If the generator writes a sitemap, a lint compares it with the pages. It reports entries that are `noindex`, redirect, are not
//! canonical or do not exist, dates and languages that contradict the page, and unlisted pages (L-NOINDEX, L-REDIRECT, L-CANONICAL,
//! L-MISSING, L-PAGEDATE, L-HREFLANG, L-UNLISTED). In a program, use [`FolderPages`](crate::FolderPages).
//!
//! ```text
//! sitemap lint public/sitemap.xml --location https://example.com/sitemap.xml --pages public/
//! ```
//!
//! # From a generator
//!
//! Call the crate after all pages are written. Each page is a [`SitemapEntry`](sitemap_serde::SitemapEntry), so the same sitemap
//! can list pages from elsewhere.
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
//! let set = SitemapSet::in_place(&public, "https://example.com").open()?;
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
//! All HTML files of the folder, except pages that
//!
//! - have neither a title nor text, like a part of a page, or are the empty `200.html` of an application;
//! - have `noindex` or `none` in `<meta name="robots">` or `<meta name="googlebot">`, or an `unavailable_after` that is past, there
//!   or in an `X-Robots-Tag` of the host's settings;
//! - lead elsewhere, by `<link rel="canonical">` in the head, a `Link` header, `<meta http-equiv="refresh">` or a redirect of the
//!   host. Rules for some countries or languages, and rewrites (`200`), do not count as redirects;
//! - the host replaces by an error (`404!`, `410`);
//! - the folder's `robots.txt` forbids Googlebot to read, if the folder is the root of its host;
//! - are error pages (`404.html` in any folder, others such as `50x.html` only at the top), verify the owner of the site, have the
//!   content of pictures or archives, or match a pattern of `exclude`.
//!
//! Like search engines, the crate ignores two different canonical addresses on one page, and reports them as a finding. Files whose
//! names begin with a dot are skipped, and links to folders are followed. A listed page that no page links to is a note: it may be
//! a draft.
//!
//! # Hosts
//!
//! | file | what is read |
//! |---|---|
//! | `_redirects`, `_headers` | as Netlify and Cloudflare Pages do; if either would redirect a page, it is left out |
//! | `netlify.toml` | `[[redirects]]` (a page that exists is redirected only with `force`), `[[headers]]` |
//! | `vercel.json` | `redirects`, `headers`, `routes`, `cleanUrls`, `trailingSlash` |
//! | `firebase.json` | of the site with this folder: `redirects`, `headers`, `cleanUrls`, `trailingSlash` |
//! | `staticwebapp.config.json` | `routes`, `globalHeaders`, `trailingSlash` |
//! | `.htaccess`, `web.config`, `_worker.js` | nothing: a note reports the file |
//!
//! The settings may be in the folder of the pages, or in the project's. By default, the project's folder is the nearest parent with
//! such a file, up to the working directory. `--project` ([`FolderBuilder::project`](crate::FolderBuilder::project)) names another
//! one. A rule that the host would not understand is an error. A pattern that this crate cannot read is a note. Conditions on
//! cookies, headers and queries hold for some visitors only, so their rules have no effect.
//!
//! # Time and memory
//!
//! Both grow linearly with the pages, however deeply they nest. There is one exception: if a group of fewer than a fifth of the
//! pages repeats the same blocks, and each links to all others, the time also grows with the size of the group. Each page takes
//! about 300 bytes, plus 10 for each block of its text and 12 for each other page that it links to. The last run's ledger holds
//! the blocks once more. 20,000 pages took 0.85 seconds on two processors. The first run took 35 MB, and later runs 47 MB. Their
//! ledger's file had 138 bytes a page. Reading takes three times the processor time of html5gum's tokenizer, shared by all
//! processors (`cargo bench -p sitemap-pages -- 100000`).
//!
//! # Languages and images
//!
//! Links with `<link rel="alternate" hreflang>` become alternates, if the other page is listed. With `--images`
//! ([`FolderBuilder::images`](crate::FolderBuilder::images)) pages are listed with their images.
//!
//! # Which address
//!
//! `index.html` has the address of its folder. `about.html` has `/about.html`, or `/about` if most canonical addresses of the pages
//! omit the extension. If no page names a canonical address, most links decide. A page whose own canonical address has another form
//! is listed with it, and reported. [`FolderBuilder::style`](crate::FolderBuilder::style) overrides both.
