//! What was sent: a text file with a line for each page.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use sitemap_serde::diff::Change;

use crate::error::{Error, Result};

/// The first words of the file.
const NAME: &str = "sitemap-submit 1";

/// The state of a page that is announced: a page that is in the same state as it was announced is not sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PageState {
    /// The page was removed.
    Removed,
    /// The page is listed, with values of this hash.
    Listed(u64),
}

impl PageState {
    /// The state of a page that is listed with these values, such as those of a [`Change`].
    pub fn of(values: &str) -> Self {
        let hash = blake3::hash(values.as_bytes());
        let mut first = [0; 8];
        first.copy_from_slice(&hash.as_bytes()[..8]);
        PageState::Listed(u64::from_be_bytes(first))
    }

    /// The state of a page after a change; `None` if it is [missing](Change::Missing), since the new side may still list it.
    ///
    /// ```
    /// use sitemap_serde::diff::{Diff, Documents};
    /// use sitemap_submit::{PageState, Submission};
    ///
    /// let old = "https://example.com/\nhttps://example.com/sofas\n";
    /// let new = "https://example.com/\nhttps://example.com/lamps\n";
    /// let mut submission = Submission::new("0123456789abcdef")?;
    /// let mut changes = Vec::new();
    /// Diff::new().run(
    ///     &mut Documents::from_slice(old.as_bytes()),
    ///     &mut Documents::from_slice(new.as_bytes()),
    ///     |change| {
    ///         changes.push(change);
    ///         Ok(())
    ///     },
    /// )?;
    /// for change in &changes {
    ///     if let Some(state) = PageState::of_change(change) {
    ///         submission.push(change.loc(), state)?;
    ///     }
    /// }
    /// assert_eq!(submission.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_change(change: &Change) -> Option<Self> {
        match change {
            Change::Removed { .. } => Some(PageState::Removed),
            Change::Added { values, .. } | Change::Changed { values, .. } => Some(PageState::of(values)),
            _ => None,
        }
    }
}

impl fmt::Display for PageState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PageState::Removed => f.write_str("removed"),
            PageState::Listed(hash) => write!(f, "{hash:016x}"),
        }
    }
}

impl FromStr for PageState {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "removed" => Ok(PageState::Removed),
            text if text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit()) => {
                let hash = u64::from_str_radix(text, 16);
                hash.map(PageState::Listed)
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
    /// Its URL, as it was sent.
    pub url: String,
    /// The state that was announced.
    pub state: PageState,
}

impl SentPage {
    /// The line to append to the file of the [`Record`]. The time is for people: any text without spaces, such as a date.
    pub fn line(&self, time: &str) -> String {
        format!("{time} {} {}\n", self.state, self.url)
    }
}

/// What was sent to an endpoint by earlier runs.
///
/// It is a text file: a first line with the endpoint, and one line for each page that was received, of which the last one for a URL counts. A
/// program appends the lines of an order when the order was received, and so loses none of them if it is killed: a last line that is incomplete
/// does not count. A program that begins writes the [text](Self::text) of the record to the file first, if this does not end with a line
/// break, or has become long.
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
    /// Parses the text of a file. An empty one is a record of nothing, and so is the start of a first line, of a program that was killed.
    ///
    /// # Errors
    /// If the text is no record, or one of a newer version, or if a line is damaged, with its number. A program does not write to such a
    /// file.
    pub fn parse(text: &str) -> Result<Self> {
        let whole_lines = text.rfind('\n').map_or(0, |end| end + 1);
        let mut record = Record::default();
        let no_record = || {
            Error::new(format!(
                "it is no record of sent pages: its first line should begin with `{NAME}`"
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
            record.states.insert(page.url, page.state);
        }
        Ok(record)
    }

    /// The endpoint that the pages were sent to; `None` if the file was empty.
    pub fn endpoint(&self) -> Option<&str> {
        self.endpoint.as_deref()
    }

    /// The number of pages.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there are no pages.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The text of a file for an endpoint, with one line for each page; the time is that of [`SentPage::line`].
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

/// Whether a text without a line feed is the start of a first line, and so nothing is lost if it is overwritten.
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
