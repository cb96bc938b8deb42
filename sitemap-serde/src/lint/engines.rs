//! Rules of single search engines, for the engines in the settings; and stylesheets that browsers stop applying.

use sitemap_values::number::grouped;
use sitemap_values::{Precision, Rule, W3cDateTime};

use crate::diagnostic::{Diagnostic, Severity};
use crate::document::sniff::Format;
use crate::engine::{Engine, Stance, most_bytes, most_loc_bytes};
use crate::error::{Error, Message, Step};
use crate::search_console::INCORRECT_NAMESPACE;

use super::Finding;

/// The engines that a lint is for. If there are none, all rules count, and rules of single engines are silent.
#[derive(Clone, Debug, Default)]
pub(super) struct Engines {
    named: Vec<Engine>,
}

impl Engines {
    pub(super) fn new(mut named: Vec<Engine>) -> Self {
        named.sort_unstable();
        named.dedup();
        Engines { named }
    }

    /// Returns `true` if the rule matters to a named engine, because the engine does not accept violations.
    pub(super) fn need(&self, rule: Rule) -> bool {
        self.named.is_empty() || self.named.iter().any(|engine| engine.on(rule) != Stance::Takes)
    }

    /// The severity of a repair: Google refuses namespaces that other readers accept.
    pub(super) fn of_repair(&self, diagnostic: &Diagnostic) -> Severity {
        let is_refused = diagnostic.search_console() == Some(INCORRECT_NAMESPACE);
        if is_refused && self.named.contains(&Engine::Google) {
            Severity::Error
        } else {
            diagnostic.severity()
        }
    }

    /// The error for a loc that is longer than an engine reads.
    pub(super) fn long_loc(&self, loc: &str) -> Option<Error> {
        let (engine, most) = most_loc_bytes(&self.named).filter(|(_, most)| loc.len() > *most)?;
        let message = Message::new(format!(
            "a loc of {} bytes: {engine} reads at most {}",
            grouped(loc.len() as u64),
            grouped(most as u64)
        ));
        Some(broken(message.advice("give the page a shorter address")).within("loc"))
    }

    /// The error for a lastmod, changefreq or priority that is longer than an engine reads.
    pub(super) fn long_value(&self, name: &str, text: &str) -> Option<Error> {
        // Yandex: "The maximum size is 100 bytes."
        const MOST: usize = 100;
        let is_long = name != "loc" && text.len() > MOST && self.named.contains(&Engine::Yandex);
        is_long.then(|| {
            let message = Message::new(format!(
                "a `{name}` of {} bytes: Yandex reads at most {MOST}",
                grouped(text.len() as u64)
            ));
            broken(message.advice("write it in fewer digits")).within(Step::other(name))
        })
    }

    /// The error for a document with more bytes than an engine reads, if the protocol's limit is higher.
    pub(super) fn too_large(&self, bytes: u64, most_of_all: u64) -> Option<Error> {
        let (engine, most) = most_bytes(&self.named).filter(|(_, most)| *most < most_of_all)?;
        (bytes > most).then(|| {
            let message = Message::new(format!(
                "the document has more than {} bytes, and {engine} reads at most that",
                grouped(most)
            ));
            broken(message.advice("split it, and list the parts in an index"))
        })
    }

    /// The error for a feed.
    pub(super) fn feed(&self, format: Format) -> Option<Error> {
        (format.is_feed() && self.named.contains(&Engine::Yandex)).then(|| {
            let message = Message::new(format!(
                "the document is {format}: Yandex does not read feeds as sitemaps"
            ));
            broken(message.advice("list the pages in XML or text"))
        })
    }

    /// The findings about the entries of a document.
    pub(super) fn of_entries(&self, counts: Counts) -> impl Iterator<Item = Finding> {
        let timeless = (counts.timeless > 0 && self.named.contains(&Engine::Bing)).then(|| {
            let message = Message::new(format!(
                "{} a lastmod without a time: Bing asks for date and time",
                pages(counts.timeless)
            ));
            let advice = "write the time too, with its zone, such as `2026-05-01T09:30:00+02:00`";
            Finding::new(broken(message.advice(advice))).note()
        });
        let videos = (counts.videos > 0 && self.named.contains(&Engine::Yandex)).then(|| {
            let message = Message::new(format!(
                "{} videos, which Yandex does not read from a sitemap",
                pages(counts.videos)
            ));
            let advice = "describe them on their pages, by the microdata of schema.org";
            Finding::new(broken(message.advice(advice)))
        });
        [timeless, videos].into_iter().flatten()
    }
}

/// Counts of a document's entries that single engines treat in their own way.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    timeless: u64,
    videos: u64,
}

impl Counts {
    pub(super) fn lastmod(&mut self, lastmod: &W3cDateTime) {
        self.timeless += u64::from(lastmod.precision() <= Precision::Day);
    }

    pub(super) fn video(&mut self) {
        self.videos += 1;
    }
}

fn broken(message: Message) -> Error {
    Error::data(message).breaks(Rule::Engine)
}

/// The beginning of a message about this many pages.
pub(super) fn pages(count: u64) -> String {
    match count {
        1 => "1 page has".to_owned(),
        count => format!("{} pages have", grouped(count)),
    }
}

#[cfg(test)]
mod tests {
    use super::pages;

    #[test]
    fn digits_are_grouped() {
        for (count, text) in [
            (1, "1 page has"),
            (999, "999 pages have"),
            (45_000, "45,000 pages have"),
            (123_456_789, "123,456,789 pages have"),
        ] {
            assert_eq!(pages(count), text);
        }
    }
}
