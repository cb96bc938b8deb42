//! The names of objects.

use std::time::{Duration, SystemTime};

use crate::hash::ContentHash;

pub(super) const SESSIONS: &str = ".sitemap/sessions/";
pub(super) const MANIFESTS: &str = ".sitemap/manifest-";
/// Prefix of the names of parts.
pub(super) const PARTS: &str = "sitemap-";

pub(super) fn manifest_name(top: ContentHash) -> String {
    format!("{MANIFESTS}{}.json", top.short())
}

/// `sitemap-SECTION-HASH.xml`, with a number after the hash if the name without it is condemned.
pub(super) fn part_name(section: &str, hash: ContentHash, extension: &str, condemned: &[String]) -> String {
    let mut name = format!("{PARTS}{section}-{}{extension}", hash.short());
    let mut number = 2;
    while condemned.contains(&name) {
        name = format!("{PARTS}{section}-{}-{number}{extension}", hash.short());
        number += 1;
    }
    name
}

pub(super) fn is_part_name(name: &str) -> bool {
    let Some((stem, extension)) = name.strip_prefix(PARTS).and_then(|rest| rest.split_once('.')) else {
        return false;
    };
    let is_hash = |part: &str| part.len() == 32 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    matches!(extension, "xml" | "xml.gz" | "txt" | "txt.gz")
        && stem.split('-').rev().take(2).any(is_hash)
        && stem
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

/// `.sitemap/sessions/SECONDS-NANOSECONDS-PROCESS-NUMBER`
pub(super) fn session_start(name: &str) -> Option<SystemTime> {
    let seconds = name.strip_prefix(SESSIONS)?.split('-').next()?.parse().ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No other object of the bucket is deleted.
    #[test]
    fn only_names_of_parts_are_those_of_parts() {
        let hash = "0123456789abcdef0123456789abcdef";
        for (stem, extension, is_part) in [
            (format!("sitemap-a_b-{hash}"), "xml", true),
            (format!("sitemap-a-b-{hash}-2"), "txt.gz", true),
            (format!("sitemap-a-{hash}"), "html", false),
            (format!("sitemap-a-{hash}"), "xml.gz.bak", false),
            (format!("sitemap-a-{hash}0"), "xml", false),
            (format!("sitemap-{hash}-a-b"), "xml", false),
            (format!("sitemap-a b-{hash}"), "xml", false),
            (format!("sitemap-a/b-{hash}"), "xml", false),
            (format!("other-a-{hash}"), "xml", false),
            ("sitemap-pages".to_owned(), "xml", false),
            ("sitemap-pages-1".to_owned(), "xml.gz", false),
        ] {
            let name = format!("{stem}.{extension}");
            assert_eq!(is_part_name(&name), is_part, "{name}");
        }
    }
}
