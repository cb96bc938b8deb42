//! The facts in a page's head.

use sitemap_serde::W3cDateTime;

use super::attributes::Attributes;
use super::stated::{Event, Note, StatedNotes};

/// A link to the page in another language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AlternateLink {
    pub(crate) hreflang: String,
    pub(crate) href: Note,
}

#[derive(Debug, Default)]
pub(crate) struct Head {
    pub(crate) robots: Option<Note>,
    /// The date of `unavailable_after`.
    pub(crate) unavailable: Option<Note>,
    pub(crate) canonical: Option<Note>,
    /// The first canonical address that differs from `canonical`.
    pub(crate) other_canonical: Option<Note>,
    pub(crate) refresh: Option<Note>,
    pub(crate) base: Option<String>,
    pub(crate) title: Option<String>,
    /// `true` if the page has a `title`, even an empty one.
    pub(crate) has_title: bool,
    /// The stated dates of each event that is read.
    pub(crate) stated: Vec<StatedNotes>,
    /// The page's description. The page does not show it, but pages that list it may.
    pub(crate) description: Option<String>,
    pub(crate) alternates: Vec<AlternateLink>,
}

/// Longer values in a page's head are ignored.
const LONGEST: usize = 1 << 16;

impl Head {
    pub(crate) fn new(events: &[Event]) -> Self {
        Head {
            stated: events.iter().map(|event| StatedNotes::of(*event)).collect(),
            ..Head::default()
        }
    }

    pub(crate) fn meta(&mut self, attributes: &Attributes, offset: usize) {
        let Some(content) = attributes
            .text("content")
            .filter(|content| content.len() <= LONGEST)
        else {
            return;
        };
        let note = || Note {
            text: content.trim().to_owned(),
            line: offset,
        };
        let is_robots = attributes.is("name", "robots") || attributes.is("name", "googlebot");
        if let Some(date) = unavailable_after(&content).filter(|_| is_robots) {
            let text = date.to_owned();
            self.unavailable.get_or_insert(Note { text, line: offset });
        }
        if is_robots && is_noindex(&content) {
            self.robots.get_or_insert_with(note);
        } else if attributes.is("http-equiv", "refresh")
            && let Some(target) = refresh_target(&content)
        {
            let text = target.to_owned();
            self.refresh.get_or_insert(Note { text, line: offset });
        }
        let names = |name: &str| attributes.is("name", name) || attributes.is("property", name);
        for stated in &mut self.stated {
            stated.meta(names, note);
        }
        if names("description") || names("og:description") && self.description.is_none() {
            self.description = Some(content.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }

    /// Reads a `link`. Like search engines, it ignores canonical addresses outside of a page's head, since anybody may have written
    /// them there.
    pub(crate) fn link(&mut self, attributes: &Attributes, offset: usize, is_in_body: bool) {
        let Some(href) = attributes.text("href").filter(|href| href.len() <= LONGEST) else {
            return;
        };
        let href = Note {
            text: href.trim().to_owned(),
            line: offset,
        };
        if attributes.has_word("rel", "canonical") {
            if is_in_body {
                return;
            }
            match &self.canonical {
                None => self.canonical = Some(href),
                Some(first) if first.text == href.text => {}
                Some(_) => {
                    self.other_canonical.get_or_insert(href);
                }
            }
        } else if attributes.has_word("rel", "alternate")
            && let Some(hreflang) = attributes.text("hreflang")
            // A feed is not a page in another language.
            && attributes.text("type").is_none_or(|kind| kind.trim().is_empty() || kind.contains("html"))
        {
            let hreflang = hreflang.trim().to_owned();
            self.alternates.push(AlternateLink { hreflang, href });
        }
    }

    pub(crate) fn base(&mut self, attributes: &Attributes) {
        if let Some(href) = attributes.text("href") {
            self.base.get_or_insert_with(|| href.trim().to_owned());
        }
    }

    /// Reads the dates of microdata. `is_within` returns `true` for a `time` within an element with the event's `itemprop`.
    pub(crate) fn microdata(
        &mut self,
        attributes: &Attributes,
        is_within: impl Fn(Event) -> bool,
        item: Option<usize>,
        offset: usize,
    ) {
        for stated in &mut self.stated {
            stated.microdata(attributes, is_within(stated.event), item, offset);
        }
    }

    pub(crate) fn json_ld(&mut self, bytes: &[u8], offset: usize) {
        for stated in &mut self.stated {
            stated.json_ld(bytes, offset);
        }
    }

    pub(crate) fn finish(&mut self) {
        for stated in &mut self.stated {
            stated.finish();
        }
    }

    fn notes(&mut self) -> impl Iterator<Item = &mut Note> {
        let one_each = [
            &mut self.robots,
            &mut self.unavailable,
            &mut self.canonical,
            &mut self.other_canonical,
            &mut self.refresh,
        ];
        one_each
            .into_iter()
            .flatten()
            .chain(
                self.stated
                    .iter_mut()
                    .flat_map(|stated| stated.notes.iter_mut().flatten()),
            )
            .chain(self.alternates.iter_mut().map(|alternate| &mut alternate.href))
    }

    /// Returns `true` if it says whether to list the page, or another one instead, or names its languages.
    pub(crate) fn has_verdict(&self) -> bool {
        let notes = [&self.robots, &self.unavailable, &self.canonical, &self.refresh];
        notes.into_iter().any(Option::is_some) || !self.alternates.is_empty()
    }

    pub(crate) fn has_notes(&mut self) -> bool {
        self.notes().next().is_some()
    }

    /// Replaces the offsets of all notes by their lines.
    pub(crate) fn set_lines(&mut self, content: &[u8]) {
        let mut notes: Vec<&mut Note> = self.notes().collect();
        notes.sort_by_key(|note| note.line);
        let (mut counted, mut line) = (0, 1);
        for note in notes {
            let offset = note.line.min(content.len());
            line += memchr::memchr_iter(b'\n', &content[counted..offset]).count();
            counted = offset;
            note.line = line;
        }
    }
}

/// Returns `true` if the directives of `robots` exclude the page. The value of a directive, as in `max-image-preview: none`, is none.
pub(crate) fn is_noindex(directives: &str) -> bool {
    let mut words = directives
        .split_inclusive([',', ':'])
        .flat_map(str::split_whitespace)
        .peekable();
    let mut is_value = false;
    while let Some(word) = words.next() {
        let has_value = word.ends_with(':') || words.peek().is_some_and(|next| next.starts_with(':'));
        let name = word.trim_matches([',', ':']);
        if !is_value && !has_value && ["noindex", "none"].iter().any(|no| name.eq_ignore_ascii_case(no)) {
            return true;
        }
        // A colon may be a word by itself.
        is_value = has_value || is_value && name.is_empty();
    }
    false
}

/// Returns the date in the directive `unavailable_after`. This is the last directive, since the date may have commas.
pub(crate) fn unavailable_after(directives: &str) -> Option<&str> {
    const NAME: &str = "unavailable_after";
    let at = directives.to_ascii_lowercase().find(NAME)?;
    let date = directives
        .get(at + NAME.len()..)?
        .trim_start()
        .strip_prefix(':')?
        .trim();
    (!date.is_empty()).then_some(date)
}

/// Returns `true` if a date of `unavailable_after` is past.
pub(crate) fn is_past(date: &str, now: W3cDateTime) -> bool {
    // RFC 850 joins the parts of the day by hyphens.
    let of_rfc_850 = || W3cDateTime::from_rfc822(&date.replace('-', " "));
    let date = W3cDateTime::from_rfc822(date)
        .or_else(|| date.parse().ok())
        .or_else(of_rfc_850);
    date.is_some_and(|date| date < now)
}

/// Returns the address in the content of a refresh: `0; url='/new'`. `None` if it has none, and so reloads the page itself.
pub(crate) fn refresh_target(content: &str) -> Option<&str> {
    let is_time = |c: char| c.is_ascii_digit() || c == '.';
    let rest = content.trim_start();
    let after = rest.trim_start_matches(is_time);
    if after.len() == rest.len() {
        return None;
    }
    let rest = after.trim_start().trim_start_matches([';', ',']).trim_start();
    let rest = match rest.get(..3) {
        Some(url) if url.eq_ignore_ascii_case("url") => match rest[3..].trim_start().strip_prefix('=') {
            Some(after) => after.trim_start(),
            None => rest,
        },
        _ => rest,
    };
    let target = match rest.chars().next() {
        Some(quote @ ('"' | '\'')) => rest[1..].split(quote).next().unwrap_or_default(),
        _ => rest,
    };
    let target = target.trim();
    (!target.is_empty()).then_some(target)
}

#[cfg(test)]
mod tests {
    use super::{is_noindex, is_past, refresh_target};

    #[test]
    fn dates_in_three_formats() {
        let now = "2026-05-01".parse().unwrap();
        for (date, is) in [
            ("Saturday, 25-Jun-10 15:00:00 GMT", true),
            ("Sat, 25 Jun 2010 15:00:00 GMT", true),
            ("25-Jun-2010 15:00:00 PST", true),
            ("2010-06-25T15:00:00Z", true),
            ("2010-06-25", true),
            ("Thursday, 25-Jun-26 15:00:00 GMT", false),
            ("2026-06-25", false),
            ("some day", false),
        ] {
            assert_eq!(is_past(date, now), is, "{date}");
        }
    }

    #[test]
    fn directives() {
        for (content, found) in [
            ("noindex", true),
            ("NOINDEX, nofollow", true),
            ("follow,none", true),
            ("nofollow noindex", true),
            ("index, follow", false),
            ("max-image-preview:none", false),
            ("index, follow, max-image-preview: none", false),
            ("max-image-preview :none", false),
            ("max-image-preview : none, follow", false),
            ("max-snippet: 20, none", true),
            ("max-snippet:20 noindex", true),
            ("noarchive,NoIndex,nofollow", true),
            ("noindexing", false),
            ("", false),
        ] {
            assert_eq!(is_noindex(content), found, "{content}");
        }
    }

    #[test]
    fn targets_of_refreshes() {
        for (content, target) in [
            ("0; url=/new", Some("/new")),
            ("0;URL='/new' ", Some("/new")),
            (" 5 , url = \"/new\" trailing", Some("/new")),
            ("0 /new", Some("/new")),
            ("0;/new", Some("/new")),
            ("0.5;url=/new", Some("/new")),
            ("0; url", Some("url")),
            ("0; urls.html", Some("urls.html")),
            ("30", None),
            ("30;", None),
            ("0;url=", None),
            ("url=/new", None),
            ("", None),
        ] {
            assert_eq!(refresh_target(content), target, "{content}");
        }
    }
}
