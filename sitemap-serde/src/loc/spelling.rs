//! URLs that a writer spells differently: characters to percent-encode (P-LOCENC), and hosts to write as punycode (P-IDN).
//!
//! The lint reports them, and [`Mode::Correcting`](crate::Mode::Correcting) replaces them, by the same function.

use sitemap_values::Rule;
use sitemap_values::quote::{is_invisible, quote};
use sitemap_values::url::Parts;

use crate::error::{Error, Message, Suggestion};

use super::class::{self, ENCODE, Legality};
use super::encode::is_triplet;
use super::site::plain_site;
use super::{encode_reference, host, unfilled};

/// The errors for a valid URL that is not written as it is spelt, with the text that is written as their suggestion.
pub(crate) fn misspelt(url: &str) -> impl Iterator<Item = Error> {
    let written = written(url);
    let found = written.map(|written| [unconverted(url, &written), unencoded(url, &written)]);
    found.into_iter().flatten().flatten()
}

/// The text that is written for a URL; `None` if it is the URL itself.
pub(crate) fn written(url: &str) -> Option<String> {
    if plain_site(url).is_some_and(|end| Legality::of(&url[end..]).legal) {
        return None;
    }
    let written = encode_reference(url);
    (written != url).then_some(written)
}

/// The error for a character that must be percent-encoded.
fn unencoded(url: &str, written: &str) -> Option<Error> {
    // Only after the host, which has its own rule.
    let from = Parts::of(url).map_or(0, |parts| parts.rest);
    let tail = url.get(from..)?;
    let c = tail.get(first_encoded(tail.as_bytes())?..)?.chars().next()?;
    let shown = if is_invisible(c) || c.is_whitespace() {
        format!("U+{:04X}", u32::from(c))
    } else {
        format!("`{c}`")
    };
    Some(unfilled(url).unwrap_or_else(|| {
        let problem = format!(
            "{} contains {shown}, which must be percent-encoded in a URL",
            quote(url)
        );
        let message = Message::new(problem)
            .reference("RFC 3986")
            .advice("encode it in the server's encoding, usually UTF-8")
            .suggestion(Suggestion::certain(written.to_owned()));
        Error::data(message).breaks(Rule::LocEnc)
    }))
}

/// The offset of the first byte after a host that a writer encodes.
fn first_encoded(tail: &[u8]) -> Option<usize> {
    let mut has_fragment = false;
    tail.iter().enumerate().position(|(i, b)| match b {
        b'%' => !is_triplet(&tail[i..]),
        b'#' => std::mem::replace(&mut has_fragment, true),
        b => class::of(*b) & ENCODE != 0,
    })
}

/// The error for a host that is not ASCII.
fn unconverted(url: &str, written: &str) -> Option<Error> {
    let host = host(url)?;
    (!host.is_ascii()).then(|| {
        Error::data(
            Message::new(format!(
                "the host {} is not ASCII, and not every crawler converts it",
                quote(host)
            ))
            .advice("write it as punycode, `xn--…`")
            .suggestion(Suggestion::certain(written.to_owned())),
        )
        .breaks(Rule::Idn)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever a writer changes in a URL has an error.
    #[test]
    fn every_change_is_reported() {
        let pieces = [
            "a", " ", "[", "]", "#", "%", "%41", "é", "\\", "{", "'", "&", "?", "/", "|",
        ];
        let mut seed = 5_u64;
        let mut random = |bound: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 40).unwrap_or_default() % bound
        };
        let mut found = 0;
        for _ in 0..20_000 {
            let mut url = "https://example.com/".to_owned();
            for _ in 0..random(5) {
                url += pieces[random(pieces.len())];
            }
            let trimmed = url.trim_end();
            assert_eq!(
                misspelt(trimmed).count() == 1,
                encode_reference(trimmed) != trimmed,
                "{url}"
            );
            found += misspelt(trimmed).count();
        }
        assert!(found > 5_000, "{found}");
    }
}
