//! A record of sent pages: a text file with a line for each.
//!
//! **A page is sent in a state**: removed, or a hash of its values (`Diff::values`). A page that changes again is in another state, so the
//! record needs no notion of runs, and a run that was killed or refused is repeated by the same command.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use sitemap_serde::__internal::normal_form;
use sitemap_serde::diff::Change;

use crate::error::{Error, Result};

/// The start of the file.
const NAME: &str = "sitemap-submit 1";

/// The state of an announced page. A page is sent again only if its state has changed.
///
/// As text, by [`Display`](fmt::Display) and [`FromStr`], it is `removed` or the hash of the page's values in 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PageState(
    /// The hash of the values of a listed page.
    Option<u64>,
);

impl PageState {
    /// The state of a removed page.
    pub const REMOVED: PageState = PageState(None);

    /// The state of a listed page with these values, such as the values of a [`Change`].
    pub fn new(values: &str) -> Self {
        let hash = blake3::hash(values.as_bytes());
        let mut first = [0; 8];
        first.copy_from_slice(&hash.as_bytes()[..8]);
        PageState(Some(u64::from_be_bytes(first)))
    }

    /// The state of a page after a change; `None` if it is [missing](Change::Missing), since the new side may still list it, or only
    /// [respelt](Change::Respelt).
    ///
    /// ```
    /// use sitemap_serde::diff::{Diff, Input};
    /// use sitemap_submit::{PageState, Submission};
    ///
    /// let old = "https://example.com/\nhttps://example.com/sofas\n";
    /// let new = "https://example.com/\nhttps://example.com/lamps\n";
    /// let mut submission = Submission::new("0123456789abcdef")?;
    /// let mut changes = Vec::new();
    /// Diff::new().run(
    ///     &mut [Input::from_slice("old.xml", old.as_bytes())],
    ///     &mut [Input::from_slice("new.xml", new.as_bytes())],
    ///     |change| {
    ///         changes.push(change);
    ///         Ok(())
    ///     },
    /// )?;
    /// for change in &changes {
    ///     if let Some(state) = PageState::from_change(change) {
    ///         submission.push(change.loc(), state)?;
    ///     }
    /// }
    /// assert_eq!(submission.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_change(change: &Change) -> Option<Self> {
        match change {
            Change::Removed { .. } => Some(PageState::REMOVED),
            Change::Added { values, .. } | Change::Changed { values, .. } => Some(PageState::new(values)),
            _ => None,
        }
    }
}

impl fmt::Display for PageState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("removed"),
            Some(hash) => write!(f, "{hash:016x}"),
        }
    }
}

impl FromStr for PageState {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "removed" => Ok(PageState::REMOVED),
            text if text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit()) => {
                let hash = u64::from_str_radix(text, 16);
                hash.map(|hash| PageState(Some(hash)))
                    .map_err(|error| Error::new(error.to_string()))
            }
            _ => Err(Error::new("a state is `removed` or 16 hexadecimal digits")),
        }
    }
}

/// A page that an engine has received.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SentPage {
    /// Its URL, as sent.
    pub url: String,
    /// The state that was announced.
    pub state: PageState,
}

impl SentPage {
    /// The line to append to the file of the [`Record`]. The time is informative: any text without spaces, such as a date.
    pub fn line(&self, time: &str) -> String {
        format!("{time} {} {}\n", self.state, self.url)
    }
}

/// The pages that earlier runs sent to an endpoint.
///
/// It is a text file: a first line with the endpoint, and one line for each received page. The last line of a URL counts. A
/// program appends the lines of an order once the order was received, so a killed program loses none of them. An incomplete last
/// line is ignored. If the file does not end with a line break, or has grown long, the next run first overwrites it with the
/// [text](Self::text) of the record.
///
/// ```
/// use sitemap_submit::Record;
///
/// let mut file = "sitemap-submit 1 https://api.indexnow.org/indexnow\n\
///                 2026-05-02T10:00:00Z removed https://example.com/sofas\n\
///                 2026-05-02T10:00:00Z remo"
///     .to_owned();
/// let record = Record::parse(&file)?;
/// assert_eq!(record.len(), 1);
/// if !file.ends_with('\n') {
///     file = record.text("https://api.indexnow.org/indexnow", "2026-05-03T10:00:00Z");
/// }
/// assert!(file.ends_with("2026-05-03T10:00:00Z removed https://example.com/sofas\n"));
/// # Ok::<(), sitemap_submit::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Record {
    endpoint: Option<String>,
    states: HashMap<String, PageState>,
}

impl Record {
    /// Parses the text of a file. An empty text is an empty record. So is an incomplete first line, which a killed program
    /// leaves.
    ///
    /// # Errors
    /// If the text is not a record, has a newer version, or has a damaged line, whose number is in the error. Do not write to
    /// such a file.
    pub fn parse(text: &str) -> Result<Self> {
        let whole_lines = text.rfind('\n').map_or(0, |end| end + 1);
        let mut record = Record::default();
        let no_record = || {
            Error::new(format!(
                "it is not a record of sent pages: its first line should begin with `{NAME}`"
            ))
        };
        let mut lines = (1..).zip(text[..whole_lines].lines());
        let Some((_, first)) = lines.next() else {
            return if is_start_of_first_line(text) {
                Ok(record)
            } else {
                Err(no_record())
            };
        };
        let endpoint = first.strip_prefix(NAME).and_then(|rest| rest.strip_prefix(' '));
        let endpoint = endpoint.ok_or_else(no_record)?;
        record.endpoint = Some(endpoint.to_owned());
        for (number, line) in lines {
            let page = parse_line(line).ok_or_else(|| {
                Error::new(format!(
                    "line {number} is damaged; remove it, and its page is sent again"
                ))
            })?;
            record
                .states
                .insert(normal_form(&page.url).into_owned(), page.state);
        }
        Ok(record)
    }

    /// The endpoint of the pages; `None` if the file was empty.
    pub fn endpoint(&self) -> Option<&str> {
        self.endpoint.as_deref()
    }

    /// The number of pages.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Returns `true` if there are no pages.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The text of a file for an endpoint, with one line for each page. For the time see [`SentPage::line`].
    pub fn text(&self, endpoint: &str, time: &str) -> String {
        let mut pages: Vec<_> = self.states.iter().collect();
        pages.sort_unstable_by_key(|(url, _)| *url);
        let mut text = format!("{NAME} {endpoint}\n");
        for (url, state) in pages {
            let (url, state) = (url.clone(), *state);
            text += &SentPage { url, state }.line(time);
        }
        text
    }

    pub(crate) fn has(&self, url: &str, state: PageState) -> bool {
        self.states.get(url) == Some(&state)
    }
}

/// Returns `true` if a text without a line feed is the start of a first line, so that overwriting it loses nothing.
fn is_start_of_first_line(text: &str) -> bool {
    let is_start = |text: &str, of: &str| of.starts_with(text) || text.starts_with(of);
    match text.strip_prefix(NAME) {
        None => NAME.starts_with(text),
        Some("") => true,
        Some(rest) => rest.strip_prefix(' ').is_some_and(|endpoint| {
            let is_url = is_start(endpoint, "https://") || is_start(endpoint, "http://");
            is_url && !endpoint.contains(|c: char| c.is_whitespace() || c.is_control())
        }),
    }
}

fn parse_line(line: &str) -> Option<SentPage> {
    let mut words = line.split(' ');
    let (_time, state, url) = (words.next()?, words.next()?, words.next()?);
    let is_whole = words.next().is_none() && !url.is_empty();
    is_whole.then_some(())?;
    Some(SentPage {
        url: url.to_owned(),
        state: state.parse().ok()?,
    })
}
