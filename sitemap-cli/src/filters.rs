//! Which entries and documents a command reads, of all that it could read.
//!
//! **A filtered command does a part of what the unfiltered command does.** Skipped entries and documents are counted in a note, and the exit
//! status ignores them. The library's [`Filter`] chooses entries. It is set once for the whole command, like `--from`. Readers of XML get it
//! by [`of_reader`]. Rows and lines ask [`keeps`] before their values are checked, so a skipped entry cannot fail. `lint` reads all entries
//! and filters the findings.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use globset::GlobBuilder;
use regex::bytes::{Regex, RegexBuilder};
use sitemap_serde::source::DocumentSource;
use sitemap_serde::{Filter, Reader, W3cDateTime};

use crate::numbers::{counted, grouped};
use crate::url_parts::after_host;

/// The options of commands that read entries.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Filters")]
pub(crate) struct Filters {
    /// Skip entries whose lastmod is before this date. A less precise lastmod, such as a month, is kept if the date is in it
    #[arg(long, value_name = "DATE", value_parser = date)]
    since: Option<W3cDateTime>,
    /// Keep or drop entries without a valid lastmod, with --since [default: keep]
    #[arg(long, value_enum, value_name = "WHAT", requires = "since")]
    undated: Option<Undated>,
    /// Skip entries whose loc does not match. `*` stands for any text, `?` for a character, `[0-9]` for one of several, `{a,b}` for one of
    /// several texts; `\` before such a sign makes it plain. A pattern that begins with / is matched with the part after the host. If the
    /// option is repeated, one pattern must match
    #[arg(long = "match", value_name = "GLOB", value_parser = Pattern::glob)]
    matching: Vec<Pattern>,
    /// Like --match, with a regular expression that matches anywhere in the loc
    #[arg(long, value_name = "REGEX", value_parser = Pattern::regex)]
    match_regex: Vec<Pattern>,
    /// Skip entries whose loc matches
    #[arg(long, value_name = "GLOB", value_parser = Pattern::glob)]
    not_match: Vec<Pattern>,
    /// Read only the sitemaps of a site or folder whose URLs or paths match, and the indexes. Other sitemaps that an index lists are not
    /// requested
    #[arg(long, value_name = "GLOB", value_parser = Pattern::glob)]
    sitemaps: Vec<Pattern>,
    /// With --since, do not request sitemaps whose lastmod in their index is before the date, though many indexes have wrong dates
    #[cfg(feature = "http")]
    #[arg(long, requires = "since")]
    trust_lastmod: bool,
}

/// What becomes of entries without a lastmod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Undated {
    Keep,
    Drop,
}

/// A pattern of URLs.
#[derive(Clone, Debug)]
struct Pattern(Vec<Alternative>);

/// One of the texts that a pattern stands for, as far as they differ at their beginnings.
#[derive(Clone, Debug)]
struct Alternative {
    regex: Regex,
    /// `true` if it is matched with the part after the host.
    is_of_path: bool,
}

/// Maximum size of a compiled pattern in bytes.
const MOST_PATTERN: usize = 10 << 20;

/// Maximum number of alternatives at the beginning of a pattern.
const MOST_ALTERNATIVES: usize = 1000;

impl Pattern {
    fn glob(text: &str) -> Result<Self, String> {
        let alternative = |text: &String| {
            let glob = GlobBuilder::new(text)
                .literal_separator(false)
                .backslash_escape(true)
                .empty_alternates(true)
                .build()
                .map_err(|error| error.kind().to_string())?;
            Alternative::new(glob.regex(), text.starts_with('/'))
        };
        let alternatives = alternatives(text)?;
        let alternatives: Result<_, _> = alternatives.iter().map(alternative).collect();
        Ok(Pattern(alternatives?))
    }

    fn regex(text: &str) -> Result<Self, String> {
        Ok(Pattern(vec![Alternative::new(text, false)?]))
    }

    fn matches(&self, url: &str) -> bool {
        self.0.iter().any(|alternative| {
            let text = if alternative.is_of_path {
                after_host(url)
            } else {
                url
            };
            alternative.regex.is_match(text.as_bytes())
        })
    }
}

impl Alternative {
    fn new(regex: &str, is_of_path: bool) -> Result<Self, String> {
        let regex = RegexBuilder::new(regex).size_limit(MOST_PATTERN).build();
        let regex = regex.map_err(|error| error.to_string())?;
        Ok(Alternative { regex, is_of_path })
    }
}

/// Returns the patterns that a glob stands for if it begins with `{`, such as `/a*` and `https://b/*` for `{/a,https://b/}*`. None of them
/// begins with `{`.
fn alternatives(glob: &str) -> Result<Vec<String>, String> {
    let (mut open, mut done) = (vec![glob.to_owned()], Vec::new());
    while let Some(glob) = open.pop() {
        match first_braces(&glob) {
            Some((texts, rest)) => open.extend(texts.into_iter().rev().map(|text| text.to_owned() + rest)),
            None => done.push(glob),
        }
        if open.len() + done.len() > MOST_ALTERNATIVES {
            return Err(format!("more than {MOST_ALTERNATIVES} alternatives"));
        }
    }
    Ok(done)
}

/// Splits a glob that begins with `{` into the texts between its braces and the rest. `None` for another glob.
fn first_braces(glob: &str) -> Option<(Vec<&str>, &str)> {
    let inner = glob.strip_prefix('{')?;
    let (mut texts, mut start, mut depth) = (Vec::new(), 0, 0);
    let mut signs = inner.char_indices();
    while let Some((at, sign)) = signs.next() {
        match sign {
            '\\' => drop(signs.next()),
            // Braces and commas in a class are plain.
            '[' => {
                let first = signs.next().map(|(_, sign)| sign);
                if matches!(first, Some('!' | '^')) {
                    signs.next();
                }
                signs.find(|(_, sign)| *sign == ']')?;
            }
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' if depth == 0 => {
                texts.push(&inner[start..at]);
                start = at + 1;
            }
            '}' => {
                texts.push(&inner[start..at]);
                return Some((texts, &inner[at + 1..]));
            }
            _ => {}
        }
    }
    None
}

/// Parses the date of `--since`.
fn date(text: &str) -> Result<W3cDateTime, &'static str> {
    text.parse()
        .map_err(|_| "write a date such as 2026-05-01, or a time such as 2026-05-01T08:00:00Z")
}

/// The choice of the command.
#[derive(Debug)]
struct Choice {
    filters: Filters,
    filter: Filter,
    documents: AtomicU64,
    /// The first document that was skipped.
    first: Mutex<Option<String>>,
}

static CHOICE: OnceLock<Choice> = OnceLock::new();

impl Filters {
    /// Reads entries and documents at these paths by this choice from now on.
    ///
    /// # Errors
    /// The errors of [`check`](Self::check).
    pub(crate) fn apply_to(&self, paths: &[impl AsRef<Path>], is_of_sites: bool) -> Result<()> {
        self.check(paths, is_of_sites)?;
        self.apply();
        Ok(())
    }

    /// Returns an error if an option that chooses documents has none to choose from.
    pub(crate) fn check(&self, paths: &[impl AsRef<Path>], is_of_sites: bool) -> Result<()> {
        let has_folder = paths.iter().any(|path| path.as_ref().is_dir());
        if !self.sitemaps.is_empty() && !is_of_sites && !has_folder {
            bail!(
                "--sitemaps chooses among the sitemaps of a directory or, with --site, of a site, and none is named"
            );
        }
        if trusts_lastmod(self) && !is_of_sites {
            bail!("--trust-lastmod is about the indexes of a site, which are read with --site");
        }
        Ok(())
    }

    /// Reads entries and documents by this choice from now on.
    pub(crate) fn apply(&self) {
        let choice = Choice {
            filter: self.entries(),
            filters: self.clone(),
            documents: AtomicU64::new(0),
            first: Mutex::new(None),
        };
        if self.names().next().is_some() {
            let _ = CHOICE.set(choice);
        }
    }

    fn entries(&self) -> Filter {
        let mut filter = Filter::new().undated(self.undated != Some(Undated::Drop));
        if let Some(since) = self.since {
            filter = filter.since(since);
        }
        let wanted = [&*self.matching, &self.match_regex].concat();
        if !wanted.is_empty() {
            filter = filter.locs(move |loc| wanted.iter().any(|pattern| pattern.matches(loc)));
        }
        let unwanted = self.not_match.clone();
        if !unwanted.is_empty() {
            filter = filter.locs(move |loc| !unwanted.iter().any(|pattern| pattern.matches(loc)));
        }
        filter
    }

    /// The given options.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        let given = [
            ("--since", self.since.is_some()),
            ("--match", !self.matching.is_empty()),
            ("--match-regex", !self.match_regex.is_empty()),
            ("--not-match", !self.not_match.is_empty()),
            ("--sitemaps", !self.sitemaps.is_empty()),
        ];
        given
            .into_iter()
            .filter(|(_, is_given)| *is_given)
            .map(|(name, _)| name)
    }
}

/// The choice of entries, if there is one.
pub(crate) fn entries() -> Option<Filter> {
    CHOICE.get().map(|choice| choice.filter.clone())
}

/// The choice of entries with counts of its own, for what is read again.
pub(crate) fn entries_again() -> Option<Filter> {
    CHOICE.get().map(|choice| choice.filters.entries())
}

/// Lets a reader skip what is not chosen.
pub(crate) fn of_reader<'de, S: DocumentSource<'de>>(reader: &mut Reader<S>) {
    if let Some(filter) = entries() {
        reader.filter(filter);
    }
}

/// Returns `true` if an entry is chosen, and counts it otherwise.
pub(crate) fn keeps(loc: &str, lastmod: Option<&str>) -> bool {
    CHOICE
        .get()
        .is_none_or(|choice| choice.filter.keeps(loc, lastmod))
}

/// Returns `true` if the sitemap with this name is chosen.
pub(crate) fn keeps_sitemap(name: &str) -> bool {
    CHOICE.get().is_none_or(|choice| {
        let patterns = &choice.filters.sitemaps;
        patterns.is_empty() || patterns.iter().any(|pattern| pattern.matches(name))
    })
}

/// Counts a document that is not chosen.
pub(crate) fn skip_document(name: &str) {
    if let Some(choice) = CHOICE.get() {
        choice.documents.fetch_add(1, Ordering::Relaxed);
        let mut first = choice.first.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(|| name.to_owned());
    }
}

/// The choice of documents at URLs, for a walk.
#[cfg(feature = "http")]
pub(crate) fn of_walk(builder: &mut sitemap_tree::WalkBuilder) {
    let Some(choice) = CHOICE.get() else {
        return;
    };
    if !choice.filters.sitemaps.is_empty() {
        builder.sitemaps(keeps_sitemap);
    }
    if let Some(since) = choice.filters.since.filter(|_| choice.filters.trust_lastmod) {
        builder.trust_lastmod(true).filter(Filter::new().since(since));
    }
}

/// Prints what was skipped on purpose.
pub(crate) fn print() {
    let Some(choice) = CHOICE.get() else {
        return;
    };
    let names: Vec<_> = choice
        .filters
        .names()
        .filter(|name| *name != "--sitemaps")
        .collect();
    let skipped = choice.filter.skipped();
    if skipped > 0 {
        print_note!(
            "note: {} skipped by {}",
            counted(skipped, "URL"),
            names.join(", ")
        );
    }
    let undated = choice.filter.undated_kept();
    if undated > 0 && choice.filters.undated.is_none() {
        let urls = counted(undated, "URL");
        print_note!("note: {urls} without a valid lastmod kept (--undated drop skips them)");
    }
    let documents = choice.documents.load(Ordering::Relaxed);
    let first = choice.first.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(first) = first.as_deref() {
        let by = match (
            choice.filters.sitemaps.is_empty(),
            trusts_lastmod(&choice.filters),
        ) {
            (false, false) => "--sitemaps",
            (true, _) => "--trust-lastmod",
            (false, true) => "--sitemaps and --trust-lastmod",
        };
        let mut text = format!("{} skipped by {by}: {first}", counted(documents, "document"));
        if documents > 1 {
            // Writing to a string cannot fail.
            let _ = write!(text, " and {} more", grouped(documents - 1));
        }
        print_note!("note: {text}");
    }
}

#[cfg(feature = "http")]
fn trusts_lastmod(filters: &Filters) -> bool {
    filters.trust_lastmod
}

#[cfg(not(feature = "http"))]
fn trusts_lastmod(_: &Filters) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn patterns_match_whole_locs_or_their_paths() {
        const URL: &str = "https://example.com/blog/é/1?id=2";
        for (glob, matches) in [
            ("*", true),
            (URL, true),
            ("https://example.com/blog/*", true),
            ("*/blog/*", true),
            ("/blog/*", true),
            ("/*/1?id=?", true),
            ("/blog/??/1*", true),
            ("*{blog,shop}*", true),
            ("*id=[0-9]", true),
            ("/blog", false),
            ("blog/*", false),
            ("https://example.com/", false),
            ("*id=[!0-9]", false),
            ("", false),
            ("{/blog/*,https://b.example/*}", true),
            ("{https://b.example/*,/blog/*}", true),
            ("{/shop,{/b*,/x}}", true),
            ("{,https:}//example.com/blog/*", true),
            ("{,/blog}/é/*", true),
            ("{/blog,}/é/*", true),
            ("/blog{,/x}/é/1*", true),
            ("{[,{}],/blog/é/1}*", true),
            ("{\\{,/blog/é/1}*", true),
            ("{/a,/b}", false),
            ("{,/x}", false),
        ] {
            assert_eq!(Pattern::glob(glob).unwrap().matches(URL), matches, "{glob}");
        }
        for (regex, matches) in [
            ("blog", true),
            ("^https://[^/]*/blog/.*id=2$", true),
            ("Blog", false),
            (r"/\w/1", true),
        ] {
            assert_eq!(Pattern::regex(regex).unwrap().matches(URL), matches, "{regex}");
        }
        assert!(Pattern::glob(&"{,}".repeat(11)).is_err());
        assert!(Pattern::glob("{/a").is_err() && Pattern::glob("{[/a,b}").is_err());
        assert!(Pattern::glob("[").is_err() && Pattern::glob("{a").is_err() && Pattern::regex("(").is_err());
        assert!(Pattern::regex(&"(a{1000}){1000}".repeat(9)).is_err());
    }
}
