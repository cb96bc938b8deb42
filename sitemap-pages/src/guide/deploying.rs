//! Deploying a site: build, check, deploy, and announce what changed, as one CI job.
//!
//! The job is written for GitHub Actions. Its steps are shell commands, which run anywhere.
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
//! `build` and `deploy` are your own programs, such as `mdbook build` and the client of your host. A site of more than 50,000 pages
//! has an index: add `--output public/` to the step `from`. Leave out `--redirects` if you have no `_redirects`.
//!
//! Before the first deploy, the live site has no sitemap: run the workflow by hand, with `unchecked`. Do the same if `diff` fails
//! because entries of the live sitemap cannot be read.
//!
//! # What each step is for
//!
//! | step | why |
//! |---|---|
//! | `concurrency` | one run at a time: the next one waits until this one has announced what it deployed, and stored its state |
//! | the cache | `state` is kept from run to run. It holds the ledger, the last announced sitemaps, and the record of URLs sent since. It is stored even if a step fails |
//! | the key | any text of 8 to 128 letters, digits and hyphens. Search engines read it at `/KEY.txt`, as proof that the site itself announces pages. It is no secret |
//! | `from` | the sitemap, with the [dates](super::dates) when pages changed. If the run is refused, its dates are not stored |
//! | `next/sitemaps` | the sitemaps without the folder's feeds and other XML. If yours have other names, copy these |
//! | `lint` | entries that contradict their pages stop the job, and are shown at their lines |
//! | `diff` | pages that the live site lists, and that vanish without a redirect, stop the job. A redirect to another removed page, or in a circle, does not count |
//! | `submit` | waits at most ten minutes until the site serves the new sitemap, byte for byte. It then announces all additions, changes and removals since the last announcement. The first run announces all pages |
//! | the last `lint` | the live sitemaps, and facts from HTTP responses: redirects, content types, robots.txt |
//!
//! # What is announced
//!
//! The pages whose values changed. Another version of the generator may write the same values in another way: this announces
//! nothing. Google takes no announcements; it reads sitemaps, and their lastmods.
//!
//! `submit` fails if an engine did not accept a page, for example because it is busy, or if the site was not served in time. The
//! next run sends the missing pages, even if another version was deployed in between. The sitemaps in `state/announced` are
//! replaced only when all is sent, and recorded pages are not sent again. If the runner is lost before it has stored `state`, its
//! pages are sent again. A program of your own does the same with the crate `sitemap-submit`.
