//! Deploying a site: build, check, deploy, and announce what changed, as one CI job.
//!
//! The job is one of GitHub Actions; its steps are lines of shell, which run anywhere.
//!
//! ```yaml
//! on:
//!   push:
//!     branches: [main]
//!   workflow_dispatch:
//!     inputs:
//!       unchecked:
//!         description: Deploy without a comparison with the live site, such as for the first time
//!         type: boolean
//! jobs:
//!   site:
//!     runs-on: ubuntu-latest
//!     concurrency: site
//!     env:
//!       SITE: https://example.com
//!       KEY: 0123456789abcdef
//!       UNCHECKED: ${{ inputs.unchecked }}
//!     steps:
//!       - uses: actions/checkout@v4
//!       - uses: actions/cache/restore@v4
//!         with:
//!           path: state
//!           key: sitemap-${{ github.run_id }}-${{ github.run_attempt }}
//!           restore-keys: sitemap-
//!       - run: cargo install sitemap-cli
//!       - run: test -d state/announced || { mkdir -p state/announced && echo '<urlset/>' > state/announced/none.xml; }
//!       - run: ./build public
//!       - run: echo "$KEY" > "public/$KEY.txt"
//!       - run: rm -rf next && cp -r state next
//!       - run: sitemap from public --location "$SITE" --ledger next/ledger
//!       - run: mkdir next/sitemaps && cp public/sitemap*.xml next/sitemaps
//!       - run: sitemap lint next/sitemaps --location "$SITE" --pages public --fail-on warning --format github
//!       - run: test "$UNCHECKED" = true || sitemap diff "$SITE" next/sitemaps --site --fail-on removed --redirects public/_redirects --format github
//!       - run: ./deploy public
//!       - run: mv next/ledger state/ledger
//!       - run: sitemap submit state/announced next/sitemaps --key "$KEY" --wait "$SITE" --record state/sent
//!       - run: rm -rf state/announced && mv next/sitemaps state/announced
//!       - uses: actions/cache/save@v4
//!         if: always()
//!         with:
//!           path: state
//!           key: sitemap-${{ github.run_id }}-${{ github.run_attempt }}
//!       - run: sitemap lint "$SITE" --site --format github
//! ```
//!
//! `build` and `deploy` are your own programs, such as `mdbook build` and the client of your host. A site of more than 50,000 pages has an index:
//! add `--output public/` to the step `from`. Where there is no `_redirects`, leave out `--redirects`.
//!
//! The live site of a first deploy has no sitemap: run the workflow by hand then, with `unchecked`; and also if entries of the live sitemap cannot
//! be read, for which `diff` fails.
//!
//! # What each step is for
//!
//! | step | why |
//! |---|---|
//! | `concurrency` | one run at a time: the next one waits until this one has announced what it deployed, and stored its state |
//! | the cache | `state` has what goes from run to run: the ledger, the sitemaps whose changes were announced last, and the record of what was sent since. It is stored if a step fails, too |
//! | the key | any text of 8 to 128 letters, digits and hyphens; search engines look for it at `/KEY.txt`, to see that it is the site itself that announces pages. It is no secret |
//! | `from` | the sitemap, with the [dates](super::dates) when pages changed. Those of a run that is refused are not stored |
//! | `next/sitemaps` | the sitemaps without the folder's feeds and other XML. If yours have other names, copy these |
//! | `lint` | entries that contradict their pages stop the job, and are shown beside their lines |
//! | `diff` | pages that the live site lists, and that vanish without a redirect, stop the job. A redirect that leads to another removed page, or in a circle, is none |
//! | `submit` | waits until the site serves the new sitemap, byte for byte, for ten minutes at most, and announces what was added, changed and removed since the last announcement. The first time that is all pages |
//! | the last `lint` | the live sitemaps, and what the pages and files cannot say: redirects, content types, robots.txt |
//!
//! # What is announced
//!
//! The pages whose values changed, and nothing if none did: another version of the generator, which writes the same values in another way, announces
//! nothing. Google takes no announcements; it reads sitemaps, and their lastmods.
//!
//! `submit` fails if a page was not received, such as where the engine is busy, or the site not served in time. The next run of the job sends what is
//! missing, whatever was deployed in between: the sitemaps in `state/announced` are replaced only when all is sent, and what the record
//! has is not sent again. If the runner is lost before it has stored `state`, what it sent is sent once more. A program of your own does the same
//! with the crate `sitemap-submit`.
