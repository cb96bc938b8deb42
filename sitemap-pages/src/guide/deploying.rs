//! Deploying a site: build, check, deploy, and announce what changed, as one CI job.
//!
//! The job is one of GitHub Actions; its steps are lines of shell, which run anywhere.
//!
//! ```yaml
//! jobs:
//!   site:
//!     runs-on: ubuntu-latest
//!     env:
//!       SITE: https://example.com
//!       KEY: 0123456789abcdef
//!     steps:
//!       - uses: actions/checkout@v4
//!       - uses: actions/cache@v4
//!         with:
//!           path: state
//!           key: sitemap-${{ github.run_id }}
//!           restore-keys: sitemap-
//!       - run: cargo install sitemap-cli
//!       - run: ./build public
//!       - run: mkdir -p state && echo "$KEY" > "public/$KEY.txt"
//!       - run: sitemap from public --base "$SITE" --ledger state/ledger
//!       - run: sitemap lint public --location "$SITE" --pages public --fail-on warning --format github
//!       - run: curl --fail --silent --show-error "$SITE/sitemap.xml" --output live.xml
//!       - run: sitemap diff live.xml public --fail-on removed --redirects public/_redirects --format github
//!       - run: ./deploy public
//!       - run: sitemap submit live.xml public --key "$KEY" --wait "$SITE" --record state/sent
//!       - run: sitemap lint "$SITE" --site --format github
//! ```
//!
//! `build` and `deploy` are your own programs, such as `mdbook build` and the client of your host. The sitemap of a first deploy has nothing to be
//! compared with: for that one run, write an empty file `live.txt` in place of `live.xml`.
//!
//! # What each step is for
//!
//! | step | why |
//! |---|---|
//! | the key | any text of 8 to 128 letters, digits and hyphens; search engines look for it at `/KEY.txt`, to see that it is the site itself that announces pages. It is no secret |
//! | `from` | the sitemap, with the [dates](super::dates) when pages changed. The ledger and the record are kept from run to run, in `state` |
//! | `lint` | entries that contradict their pages stop the job, and are shown beside their lines |
//! | `curl` | what the live site lists, before it is replaced |
//! | `diff` | pages that vanish without a redirect stop the job. A redirect that leads to another removed page, or in a circle, is none |
//! | `submit` | waits until the site serves the new sitemap, byte for byte, for ten minutes at most, and announces what was added, changed and removed |
//! | the last `lint` | the live sitemaps, and what the pages and files cannot say: redirects, content types, robots.txt |
//!
//! # What is announced
//!
//! The pages whose values changed, and nothing if none did: another version of the generator, which writes the same values in another way, announces
//! nothing. Google takes no announcements; it reads sitemaps, and their lastmods.
//!
//! `submit` fails if a page was not received. The same step again sends the rest, since the record has what was received: also if the job was killed
//! between two orders of 10,000 pages. A program of your own does the same with the crate `sitemap-submit`.
