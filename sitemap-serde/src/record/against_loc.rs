//! Checks of a complete entry: URLs of its videos and alternates against its loc.

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::error::{Error, Message, Result};
use crate::loc;
use crate::schema::{self, Name};

use super::RecordState;

/// The URLs of an entry that are compared with its loc after it is complete: videos' URLs and, if requested, alternates.
#[derive(Debug, Default)]
pub(crate) struct AgainstLoc {
    text: String,
    found: Vec<Found>,
    /// `true` if alternates are compared.
    pub(super) alternates: bool,
    /// `true` if the URLs of videos are compared at once if the loc is known.
    pub(super) at_once: bool,
}

#[derive(Debug)]
struct Found {
    name: Name,
    /// The index of the video.
    video: usize,
    end: usize,
}

impl AgainstLoc {
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.found.clear();
    }

    /// The current state, to roll back to.
    pub(super) fn mark(&self) -> (usize, usize) {
        (self.text.len(), self.found.len())
    }

    /// Removes the URLs added after the mark.
    pub(super) fn rollback(&mut self, (text, found): (usize, usize)) {
        self.text.truncate(text);
        self.found.truncate(found);
    }

    pub(super) fn push(&mut self, name: Name, video: usize, text: &str) {
        self.text.push_str(text);
        self.found.push(Found {
            name,
            video,
            end: self.text.len(),
        });
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Checks the URLs against the page's loc (P-VID2, P-VID9, P-ALT3).
    pub(super) fn check(&self, page: &str) -> Result<()> {
        self.check_alternates(page)?;
        self.wrong_videos(page)
            .next()
            .map_or(Ok(()), |(_, error)| Err(error))
    }

    /// The videos with invalid URLs: the index of each, and the error of its first one.
    pub(super) fn wrong_videos(&self, page: &str) -> impl Iterator<Item = (usize, Error)> {
        let (mut start, mut last) = (0, None);
        self.found.iter().filter_map(move |Found { name, video, end }| {
            let url = self.text.get(start..*end).unwrap_or_default();
            start = *end;
            if matches!(*name, schema::HREF | schema::HREFLANG) || last == Some(*video) {
                return None;
            }
            let error = check_video_url(*name, url, page).err()?;
            last = Some(*video);
            let error = match *name {
                schema::INFO => error.within("@info").within("video:uploader"),
                schema::PLAYER_URL => error.within("video:player_loc"),
                name => error.within(name.shown()),
            };
            Some((*video, error.at_index(*video).within("video:video")))
        })
    }

    /// The values of attributes or elements with this name.
    fn texts(&self, name: Name) -> impl Iterator<Item = &str> + Clone {
        let mut start = 0;
        let texts = self.found.iter().map(move |found| {
            let text = self.text.get(start..found.end).unwrap_or_default();
            start = found.end;
            (found.name, text)
        });
        texts
            .filter(move |(other, _)| *other == name)
            .map(|(_, text)| text)
    }

    /// Checks that a page's alternates include the page itself, and each language once (P-ALT3).
    pub(super) fn check_alternates(&self, page: &str) -> Result<()> {
        let mut hrefs = self.texts(schema::HREF).peekable();
        if hrefs.peek().is_some() && !hrefs.any(|href| href == page) {
            return Err(Error::data(
                Message::new(format!(
                    "the alternates of {} do not list the page itself: each page lists all languages, including its own",
                    quote(page)
                ))
                .advice("add a link to it"),
            )
            .breaks(Rule::Alt3)
            .within("xhtml:link"));
        }
        let Some(language) = twice(self.texts(schema::HREFLANG)) else {
            return Ok(());
        };
        Err(Error::data(
            Message::new(format!(
                "a second alternate of the language {}: a language has one page",
                quote(language)
            ))
            .advice("leave one of them out"),
        )
        .breaks(Rule::Alt3)
        .within("xhtml:link"))
    }
}

/// Checks a video's URL against its page's loc (P-VID2, P-VID9).
pub(super) fn check_video_url(name: Name, url: &str, page: &str) -> Result<()> {
    if name == schema::INFO {
        if is_same_domain(url, page) {
            return Ok(());
        }
        return Err(Error::data(
            Message::new(format!(
                "{} is not on the page's domain: the page about an uploader is",
                quote(url)
            ))
            .advice("leave it out, or write one that is"),
        )
        .breaks(Rule::Vid9));
    }
    if url != page {
        return Ok(());
    }
    Err(Error::data(
        Message::new(format!(
            "{} is the page's own loc: a video and its player have an address of their own",
            quote(url)
        ))
        .advice("correct it, or leave it out"),
    )
    .breaks(Rule::Vid2))
}

/// A language that occurs twice, ignoring case.
pub(crate) fn twice<'l>(languages: impl Iterator<Item = &'l str> + Clone) -> Option<&'l str> {
    // Up to 100 languages, more than real pages have, are compared without allocating.
    if languages.clone().nth(100).is_some() {
        let mut sorted: Vec<String> = languages.clone().map(str::to_ascii_lowercase).collect();
        sorted.sort_unstable();
        let mut languages = languages;
        return languages.find(|language| {
            let language = language.to_ascii_lowercase();
            let first = sorted.partition_point(|other| *other < language);
            sorted.get(first + 1).is_some_and(|next| *next == language)
        });
    }
    let mut rest = languages;
    while let Some(language) = rest.next() {
        if rest.clone().any(|other| other.eq_ignore_ascii_case(language)) {
            return Some(language);
        }
    }
    None
}

/// Returns `true` if two URLs have the same host, or one host is a subdomain of the other; `www.` is ignored.
fn is_same_domain(url: &str, page: &str) -> bool {
    let (Some(a), Some(b)) = (loc::host(url), loc::host(page)) else {
        return false;
    };
    let [a, b] = [a, b].map(|host| {
        let host = host.to_ascii_lowercase();
        host.strip_prefix("www.").map_or(host.clone(), str::to_owned)
    });
    let is_below = |a: &str, b: &str| {
        a.strip_suffix(b)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    is_below(&a, &b) || is_below(&b, &a)
}

impl RecordState {
    /// Checks URLs of an entry's videos against its loc (P-VID2, P-VID9). Each URL comes with the name of its element or
    /// attribute and the index of its video.
    pub(crate) fn check_videos<'v>(
        &mut self,
        found: impl IntoIterator<Item = (Name, usize, &'v str)>,
    ) -> Result<()> {
        self.against_loc.clear();
        for (name, video, url) in found {
            self.against_loc.push(name, video, url);
        }
        self.against_loc.check(self.elements.url())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If several languages occur twice, the one that begins first is reported.
    #[test]
    fn a_language_twice_among_few_and_many() {
        for count in [2, 100, 101, 102, 1_000] {
            let mut languages: Vec<String> = (0..count).rev().map(|i| format!("en-{i:04}")).collect();
            assert_eq!(twice(languages.iter().map(String::as_str)), None, "{count}");
            languages.push("EN-0000".to_owned());
            assert_eq!(
                twice(languages.iter().map(String::as_str)),
                Some("en-0000"),
                "{count}"
            );
            languages.push("En-0001".to_owned());
            assert_eq!(
                twice(languages.iter().map(String::as_str)),
                Some("en-0001"),
                "{count}"
            );
        }
    }
}
