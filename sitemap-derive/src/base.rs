//! Checks of the literal of `base`.

use std::ops::Range;

use sitemap_values::url::{MAX_CHARS, Parts, no_scheme_and_host, not_a_base};
use sitemap_values::{Rule, ValueError};

use crate::url::{
    Problem, check_authority, check_characters, check_dot_segments, check_percent, check_references,
};

/// All mistakes in a base, by the library's rules for a writer's base; a literal must also need no encoding.
pub(crate) fn check(text: &str) -> Vec<Problem> {
    let authority = match authority_end(text) {
        Ok(end) => end,
        Err(problem) => return vec![problem],
    };
    if let Some(brace) = text.find(['{', '}']) {
        let end = text[brace..].find('}').map_or(text.len(), |end| brace + end + 1);
        return vec![Problem {
            message: format!(
                "`{}` in a base: it is the same for all entries, so it contains no field; write it into the template of \
                 `loc`, `loc = \"https://…\"`, and remove `base`",
                &text[brace..end]
            ),
            range: brace..end,
        }];
    }
    let mut problems = Vec::new();
    check_authority(&text[..authority], &mut problems);
    let rest = problems.first().map_or(0, |problem| problem.range.end);
    if let Some(at) = text.find(['?', '#']) {
        let why = match &text[at..=at] {
            "?" => "it has a query",
            _ => "it has a fragment",
        };
        problems.push(no_base(text, why, at..text.len()));
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

/// The byte offset of the end of the authority.
fn authority_end(text: &str) -> Result<usize, Problem> {
    let indent = text.len() - text.trim_start().len();
    // White space before it is reported separately.
    let Some(parts) = Parts::of(&text[indent..]) else {
        return Err(no_base(text, &no_scheme_and_host(text), 0..text.len()));
    };
    if !parts.is_web() {
        return Err(no_base(
            text,
            "its scheme is another",
            0..indent + parts.scheme.len() + 3,
        ));
    }
    Ok(indent + parts.rest)
}

fn no_base(text: &str, why: &str, range: Range<usize>) -> Problem {
    Problem {
        message: ValueError::new(not_a_base(text, &why))
            .breaks(Rule::Loc)
            .to_string(),
        range,
    }
}

#[cfg(test)]
mod tests {
    use sitemap_serde::{UrlEntry, WriterBuilder};

    use super::*;

    fn at_run_time(base: &str) -> Result<(), sitemap_serde::Error> {
        let mut writer = WriterBuilder::new().base(base).from_writer(Vec::new());
        writer.write(&UrlEntry::new("/")).map(drop)
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
        assert!(messages(&label)[0].contains("no name server knows"));
        let long = format!("https://example.com/{}", "a".repeat(2_048));
        assert!(at_run_time(&long).is_err());
        assert!(messages(&long)[0].contains("a loc has at most 2,048"));
    }

    /// The macros and the writer accept the same hosts and ports, and have one sentence for each mistake.
    #[test]
    fn one_sentence_for_an_authority() {
        let hosts = [
            "example.com",
            "a.b-c.example",
            "a_b.example.",
            "127.0.0.1",
            "[::1]",
            "[v1.a:b]",
            "u:p@a.example",
            "%65xample.com",
            "xn--bcher-kva.example",
            "XN--P1AI",
            "a.xn--.example.com",
            "xn--zzzzzzzzzzzz.example",
            "%78n--a.example",
            "a..example",
            "label-of-more-than-63-characters-that-no-name-server-will-ever-know.example",
            "[::g]",
            "[::1",
            "[v.a]",
            "a%2Fb",
            "a%zz",
            "a[b",
            "a]b",
            "u@",
            "",
        ];
        let (mut valid, mut invalid) = (0, 0);
        for host in hosts {
            for port in [
                "", ":", ":80", ":65535", ":65536", ":+80", ":8a", ":80:80", "80", "]",
            ] {
                for path in ["", "/", "/shop"] {
                    let base = format!("https://{host}{port}{path}");
                    match (messages(&base).first(), at_run_time(&base)) {
                        (None, Ok(())) => valid += 1,
                        (Some(here), Err(there)) => {
                            let (_, sentence) = here.split_once("` ").unwrap();
                            let (sentence, advice) = sentence.split_once(" (").unwrap();
                            let there = there.to_string();
                            assert!(
                                there.contains(&format!(": it {sentence}; a base is")),
                                "{here} {there}"
                            );
                            let rule = advice.split(')').next().unwrap();
                            assert!(there.contains(&format!("({rule})")), "{here} {there}");
                            invalid += 1;
                        }
                        (here, there) => panic!("{base}: {here:?} {there:?}"),
                    }
                }
            }
        }
        assert!(valid > 100 && invalid > 300, "{valid} {invalid}");
    }

    /// A literal must already be encoded.
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
