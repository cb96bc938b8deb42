//! Conditional requests: whether a client has the current representation (RFC 9110 section 13).
//!
//! **`Last-Modified` only from a store.** A process that has just started knows a part's hash, but not when the part changed. A time is
//! sent only after it is stored, so that it never goes back.

use http::HeaderMap;
use http::header::{IF_MODIFIED_SINCE, IF_NONE_MATCH};

use super::http_date;
use crate::time::now;

/// The validators of a representation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Validators {
    /// The strong entity tag, with quotes.
    pub(super) etag: String,
    /// `Last-Modified` in seconds since 1970; only if it can never go back.
    pub(super) last_modified: Option<u64>,
}

impl Validators {
    /// Returns `true` if the client has this representation: `If-None-Match` decides, or without it `If-Modified-Since`.
    pub(super) fn match_those_of(&self, headers: &HeaderMap) -> bool {
        let mut tags = headers.get_all(IF_NONE_MATCH).iter().peekable();
        if tags.peek().is_some() {
            return tags
                .filter_map(|value| value.to_str().ok())
                .any(|value| value.trim() == "*" || listed(value, &self.etag));
        }
        let since = headers.get(IF_MODIFIED_SINCE);
        let since = since.and_then(|value| http_date::parse(value.to_str().ok()?));
        // A time in the future comes from a wrong clock, of the server or of the client.
        let since = since.filter(|since| *since <= now());
        matches!((self.last_modified, since), (Some(modified), Some(since)) if modified <= since)
    }
}

/// Returns `true` if a list of entity tags contains a tag. Tags are compared weakly, since a compressing proxy makes a tag weak.
fn listed(list: &str, etag: &str) -> bool {
    let mut rest = list;
    loop {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        let tag = rest.strip_prefix("W/").unwrap_or(rest);
        // A tag may contain commas, so the list is split at its quotes.
        let Some(end) = tag.strip_prefix('"').and_then(|text| text.find('"')) else {
            return false;
        };
        let (tag, after) = tag.split_at(end + 2);
        if tag == etag {
            return true;
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched(conditions: &[(http::HeaderName, &str)]) -> bool {
        let validators = Validators {
            etag: "\"ab-gzip\"".to_owned(),
            last_modified: Some(784_111_777),
        };
        let mut headers = HeaderMap::new();
        for (name, value) in conditions {
            headers.append(name, value.parse().unwrap());
        }
        validators.match_those_of(&headers)
    }

    #[test]
    fn entity_tags_are_found_in_lists() {
        for (tags, expected) in [
            ("\"ab-gzip\"", true),
            ("W/\"ab-gzip\"", true),
            ("*", true),
            ("\"x\", \"ab-gzip\"", true),
            ("\"x,y\" , W/\"z\",\"ab-gzip\"", true),
            ("\"ab\"", false),
            ("ab-gzip", false),
            ("\"ab-gzip", false),
            ("w/\"ab-gzip\"", false),
            ("\"x\", y, \"ab-gzip\"", false),
            ("", false),
        ] {
            assert_eq!(matched(&[(IF_NONE_MATCH, tags)]), expected, "{tags}");
        }
        assert!(matched(&[
            (IF_NONE_MATCH, "\"x\""),
            (IF_NONE_MATCH, "\"ab-gzip\"")
        ]));
    }

    #[test]
    fn dates_count_where_there_are_no_tags() {
        let (before, same) = ("Sun, 06 Nov 1994 08:49:36 GMT", "Sun, 06 Nov 1994 08:49:37 GMT");
        assert!(!matched(&[(IF_MODIFIED_SINCE, before)]));
        for same in [same, "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            assert!(matched(&[(IF_MODIFIED_SINCE, same)]), "{same}");
        }
        assert!(!matched(&[(IF_MODIFIED_SINCE, "tomorrow")]));
        assert!(!matched(&[(IF_MODIFIED_SINCE, same), (IF_NONE_MATCH, "\"x\"")]));
        assert!(matched(&[
            (IF_MODIFIED_SINCE, before),
            (IF_NONE_MATCH, "\"ab-gzip\"")
        ]));
        assert!(!matched(&[]));
    }
}
