//! The site of a document whose location is unknown: the scheme, host and port of most of its locs.

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::error::{Error, Message};
use crate::loc::{host, same_host, same_site};
use crate::search_console::{INCLUDES_WWW, MISSING_WWW};

/// Counts the locs of each site in constant memory (Misra and Gries): the counts are exact for few sites, and of many
/// sites none with more than one loc in [`MOST`](Self::MOST) is missed.
#[derive(Debug, Default)]
pub(super) struct Sites {
    /// A loc of each site, and how many there are.
    counts: Vec<(String, u64)>,
    are_several: bool,
}

impl Sites {
    const MOST: usize = 16;

    pub(super) fn add(&mut self, loc: &str) {
        if host(loc).is_none() {
            return;
        }
        if let Some((_, count)) = self.counts.iter_mut().find(|(known, _)| same_site(known, loc)) {
            *count += 1;
            return;
        }
        self.are_several |= !self.counts.is_empty();
        if self.counts.len() < Self::MOST {
            self.counts.push((loc.to_owned(), 1));
            return;
        }
        self.counts.retain_mut(|(_, count)| {
            *count -= 1;
            *count > 0
        });
    }

    /// A loc of the site that most locs are on, the first of equals; `None` if all are on one.
    pub(super) fn usual(self) -> Option<String> {
        let most = self.counts.iter().map(|(_, count)| *count).max()?;
        let usual = self.counts.into_iter().find(|(_, count)| *count == most)?;
        self.are_several.then_some(usual.0)
    }
}

/// The error for a loc that is not on the site of `usual`.
pub(super) fn elsewhere(loc: &str, usual: &str) -> Option<Error> {
    let (own, other) = (host(loc)?, host(usual)?);
    if same_site(loc, usual) {
        return None;
    }
    let moved = "list the addresses that answer without a redirect";
    let (problem, advice, rule) = if same_host(own, other) && scheme(loc) != scheme(usual) {
        (
            format!(
                "{} begins with `{}:`, and other locs of the document with `{}:`: they are two sites to a crawler",
                quote(loc),
                scheme(loc),
                scheme(usual)
            ),
            moved,
            Rule::Http,
        )
    } else if !same_host(own, other) && same_host(without_www(own), without_www(other)) {
        (
            format!(
                "{} has the host {}, and other locs of the document have {}: with and without `www.` they are two sites to \
                 a crawler",
                quote(loc),
                quote(own),
                quote(other)
            ),
            moved,
            Rule::Www,
        )
    } else {
        (
            format!(
                "{} is on another site than other locs of the document, such as {}: the pages of a sitemap have one \
                 scheme, host and port",
                quote(loc),
                quote(usual)
            ),
            "list it in a sitemap of its own site",
            Rule::Host,
        )
    };
    Some(Error::data(Message::new(problem).advice(advice)).breaks(rule))
}

/// Google Search Console's name for the error of [`elsewhere`], if it does not follow from the rule.
pub(super) fn search_console(error: &Error, loc: &str) -> Option<&'static str> {
    let has_www = || host(loc).is_some_and(|host| host.to_ascii_lowercase().starts_with("www."));
    match error.rule() {
        Some(Rule::Www) if has_www() => Some(MISSING_WWW),
        Some(Rule::Www) => Some(INCLUDES_WWW),
        _ => None,
    }
}

fn scheme(url: &str) -> String {
    url.split_once(':')
        .map_or("", |(scheme, _)| scheme)
        .to_ascii_lowercase()
}

fn without_www(host: &str) -> &str {
    match host.split_at_checked("www.".len()) {
        Some((www, rest)) if www.eq_ignore_ascii_case("www.") => rest,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usual(hosts: &[(&str, usize)]) -> Option<String> {
        let mut sites = Sites::default();
        for (host, count) in hosts {
            for page in 0..*count {
                sites.add(&format!("https://{host}/{page}"));
            }
        }
        sites.usual()
    }

    #[test]
    fn the_site_of_most_locs_is_the_usual_one() {
        for (hosts, expected) in [
            (&[][..], None),
            (&[("a.example", 3)], None),
            (&[("a.example", 1), ("b.example", 2)], Some("https://b.example/0")),
            (&[("a.example", 2), ("b.example", 2)], Some("https://a.example/0")),
            (
                &[("a.example", 2), ("b.example", 3), ("a.example", 2)],
                Some("https://a.example/0"),
            ),
        ] {
            assert_eq!(usual(hosts).as_deref(), expected, "{hosts:?}");
        }
    }

    #[test]
    fn a_majority_is_found_among_any_number_of_sites() {
        let other = |i: usize| format!("https://{i}.example/");
        let usual = |i: usize| format!("https://usual.example/{i}");
        let by_turns: Vec<_> = (0..1000).flat_map(|i| [other(i), usual(i)]).collect();
        let at_the_end: Vec<_> = (0..300).map(other).chain((0..301).map(usual)).collect();
        for locs in [by_turns, at_the_end] {
            let mut sites = Sites::default();
            for loc in locs {
                sites.add(&loc);
                assert!(sites.counts.len() <= Sites::MOST);
            }
            assert!(sites.usual().unwrap().starts_with("https://usual.example/"));
        }
    }
}
