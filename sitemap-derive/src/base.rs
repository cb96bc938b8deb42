//! Checks of the literal of `base`.

use std::ops::Range;

use crate::url::{
    MAX_CHARS, Problem, check_authority, check_characters, check_dot_segments, check_percent,
    check_references,
};

/// All mistakes in a base, by the library's rules for a writer's base; a literal must also need no encoding.
pub(crate) fn check(text: &str) -> Vec<Problem> {
    let authority = match authority(text) {
        Ok(range) => range,
        Err(problem) => return vec![problem],
    };
    let mut problems = Vec::new();
    if let Some(brace) = text.find(['{', '}']) {
        let end = text[brace..].find('}').map_or(text.len(), |end| brace + end + 1);
        problems.push(Problem {
            message: format!(
                "`{}` in a base: it is the same for all entries, so no field stands in it; write it into the template of \
                 `loc`, `loc = \"https://…\"`, and leave `base` out",
                &text[brace..end]
            ),
            range: brace..end,
        });
        return problems;
    }
    let mut rest = 0;
    if let Err(reason) = check_authority(&text[authority.clone()]) {
        problems.push(Problem {
            message: format!("`{}` {reason} (P-LOC)", &text[..authority.end]),
            range: 0..authority.end,
        });
        rest = authority.end;
    }
    if let Some(at) = text.find(['?', '#']) {
        let what = if text[at..].starts_with('?') {
            "a query"
        } else {
            "a fragment"
        };
        problems.push(no_base(text, &format!("it has {what}"), at..text.len()));
    }
    check_references(&text[rest..], rest, &mut problems);
    check_percent(&text[rest..], rest, &mut problems);
    check_characters(&text[rest..], rest, &mut problems);
    check_dot_segments(text, &mut problems);
    let length = text.chars().count();
    if length > MAX_CHARS {
        problems.push(Problem {
            message: format!("the base has {length} characters, and a loc has at most 2,048 (P-LOCLEN)"),
            range: 0..text.len(),
        });
    }
    problems
}

/// The byte range of the authority (host and port) after the scheme.
fn authority(text: &str) -> Result<Range<usize>, Problem> {
    let all = 0..text.len();
    let whole = |advice: &str| no_base(text, &format!("it has no scheme and host{advice}"), all.clone());
    let Some((scheme, rest)) = text.split_once("://") else {
        let first = text.split(['/', '?', '#']).next().unwrap_or(text);
        let host = first.split(':').next().unwrap_or(first);
        let looks_like_a_host = host.contains('.') || host == "localhost";
        return Err(if let Some(rest) = text.strip_prefix("//") {
            whole(&format!(" (did you mean `https://{rest}`?)"))
        } else if text.starts_with('/') {
            whole(", only a path")
        } else if looks_like_a_host {
            whole(&format!(" (did you mean `https://{text}`?)"))
        } else {
            whole("")
        });
    };
    // White space before it is reported separately.
    let name = scheme.trim_start();
    if !name.eq_ignore_ascii_case("http") && !name.eq_ignore_ascii_case("https") {
        let end = scheme.len() + 3;
        return Err(no_base(text, "its scheme is another", 0..end));
    }
    let start = scheme.len() + 3;
    let length = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    Ok(start..start + length)
}

fn no_base(text: &str, why: &str, range: Range<usize>) -> Problem {
    let text = match text {
        "" => "an empty text".to_owned(),
        text => format!("`{text}`"),
    };
    Problem {
        message: format!(
            "{text} is not a base: {why}; a base is a scheme (http or https), a host, a port and a path prefix, such as \
             `https://example.com` or `https://example.com/shop` (P-LOC)"
        ),
        range,
    }
}

#[cfg(test)]
mod tests {
    use sitemap_serde::{UrlEntry, WriterBuilder};

    use super::*;

    fn at_run_time(base: &str) -> Result<(), sitemap_serde::Error> {
        let mut writer = WriterBuilder::new().base(base).from_writer(Vec::new());
        writer.write(&UrlEntry::new("/"))
    }

    fn messages(base: &str) -> Vec<String> {
        let problems = check(base);
        for problem in &problems {
            assert!(base.get(problem.range.clone()).is_some(), "{problem:?}");
        }
        problems.into_iter().map(|problem| problem.message).collect()
    }

    #[test]
    fn valid_bases() {
        for base in [
            "https://example.com",
            "https://example.com/",
            "http://example.com:8080/shop//",
            "HTTPS://Example.com",
            "https://user@example.com",
            "https://example.com.",
            "https://%65xample.com",
            "http://[::1]:80",
            "https://example.com:",
            "https://example.com/a%20b&c/~d",
            "https://example.com/サイト",
        ] {
            assert_eq!(messages(base), Vec::<String>::new(), "{base}");
            assert!(at_run_time(base).is_ok(), "{base}");
        }
    }

    /// Bases that are errors at run time do not compile, with the same message.
    #[test]
    fn invalid_bases() {
        for base in [
            "",
            "/",
            "/shop",
            "example.com",
            "//example.com",
            "localhost:8080",
            "https:/example.com",
            "https:example.com",
            "https://",
            "https:///shop",
            "https://:80",
            "https://a@",
            "ftp://example.com",
            "https://example.com:99999",
            "https://example.com:+80",
            "https://[::1",
            "https://[::1]80",
            "https://a]b",
            "https://exa mple.com",
            "https://example.com?x",
            "https://example.com/#x",
            "https://example.com/?x#y",
            "https://[example.com]",
            "https://a..b",
            "https://a%2",
            "https://a%2Fb",
            "mailto:me@example.com",
        ] {
            let refused = at_run_time(base).unwrap_err().to_string();
            let here = messages(base);
            assert!(!here.is_empty(), "{base}");
            if let Some((_, rest)) = here[0].split_once("is not a base: ") {
                assert!(refused.contains("is not a base: "), "{refused}");
                let form = |text: &str| {
                    text.split_once("; ")
                        .map(|(_, form)| form.replace(", entry 1 · loc", ""))
                };
                assert_eq!(
                    form(rest),
                    refused
                        .split_once("is not a base: ")
                        .and_then(|(_, rest)| form(rest))
                );
            }
        }
        let label = format!("https://{}.com", "a".repeat(64));
        assert!(at_run_time(&label).is_err());
        assert!(messages(&label)[0].contains("is no name of DNS"));
        let long = format!("https://example.com/{}", "a".repeat(2_048));
        assert!(at_run_time(&long).is_err());
        assert!(messages(&long)[0].contains("a loc has at most 2,048"));
    }

    /// A literal has to be encoded already.
    #[test]
    fn bases_that_are_not_encoded() {
        for (base, message) in [
            (" https://example.com", "a space cannot stand in a URL"),
            ("https://example.com/\n", "a line break cannot stand in a URL"),
            ("https://example.com/a b", "a space cannot stand in a URL"),
            ("https://example.com/100%", "`%` in a URL is followed by"),
            (
                "https://example.com/a&amp;b",
                "`&amp;` is escaped for XML already",
            ),
            ("https://example.com/a/../b", "the segment `..` resolves away"),
            ("https://{tenant}.example.com", "`{tenant}` in a base"),
            ("https://example.com/{a", "`{a` in a base"),
        ] {
            let found = messages(base);
            assert!(found.len() == 1 && found[0].starts_with(message), "{found:?}");
        }
    }
}
