//! Checks of URLs in literals.

use std::fmt::Write as _;
use std::ops::Range;

use proc_macro2::Span;
use sitemap_values::url::{AuthorityProblem, DotSegment, Parts};
use syn::LitStr;

use crate::ctxt::Ctxt;

/// One mistake in a template.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) message: String,
    /// Its byte range in the literal's text.
    pub(crate) range: Range<usize>,
}

impl Problem {
    /// Reports the problem on its part of the literal.
    pub(crate) fn report(self, cx: &Ctxt, literal: &LitStr) {
        cx.error_at(part_of(literal, self.range), self.message);
    }
}

/// The span of a part of a literal's text if the compiler supports that, otherwise the literal's.
pub(crate) fn part_of(literal: &LitStr, range: Range<usize>) -> Span {
    let text = literal.value();
    let token = literal.token();
    let repr = token.to_string();
    // Escapes make byte offsets in the text differ from those in the token.
    let prefix = repr.find(&text).filter(|_| !text.is_empty());
    prefix
        .and_then(|prefix| token.subspan(prefix + range.start..prefix + range.end))
        .unwrap_or_else(|| literal.span())
}

/// Checks the authority of a URL; `start` is the URL up to its path.
pub(crate) fn check_authority(start: &str, problems: &mut Vec<Problem>) {
    let Some(Err(problem)) = Parts::of(start.trim_start()).map(|parts| parts.check_authority()) else {
        return;
    };
    let sources = [problem.rule().as_str(), problem.reference()];
    let sources = sources.into_iter().filter(|source| !source.is_empty());
    let advice = match problem {
        AuthorityProblem::NoHost => "; write it after the scheme, as in `https://example.com/`",
        _ => "",
    };
    problems.push(Problem {
        message: format!(
            "`{start}` {problem} ({}){advice}",
            sources.collect::<Vec<_>>().join(", ")
        ),
        range: 0..start.len(),
    });
}

/// The start of a URL up to its scheme: `ftp://` of `ftp://example.com/`, `mailto:` of `mailto:me@example.com`.
pub(crate) fn start_of(text: &str) -> &str {
    let colon = text.find(':').map_or(text.len(), |colon| colon + 1);
    let slashes = text[colon..].len() - text[colon..].trim_start_matches('/').len();
    &text[..colon + slashes]
}

/// Reports references such as `&amp;`: the writer escapes, so they would be escaped twice.
pub(crate) fn check_references(part: &str, at: usize, problems: &mut Vec<Problem>) {
    for (i, _) in part.match_indices('&') {
        let Some(length) = part[i..].find(';').map(|semicolon| semicolon + 1) else {
            continue;
        };
        let reference = &part[i..i + length];
        let meant = match &reference[1..length - 1] {
            "amp" | "#38" | "#x26" => "&",
            "lt" | "#60" | "#x3C" | "#x3c" => "%3C",
            "gt" | "#62" | "#x3E" | "#x3e" => "%3E",
            "quot" | "#34" | "#x22" => "%22",
            "apos" | "#39" | "#x27" => "'",
            _ => continue,
        };
        problems.push(Problem {
            message: format!(
                "`{reference}` is escaped for XML already, and the writer would escape it again: write `{meant}` (P-ESC)"
            ),
            range: at + i..at + i + length,
        });
    }
}

pub(crate) fn check_percent(part: &str, at: usize, problems: &mut Vec<Problem>) {
    for (i, _) in part.match_indices('%') {
        let digits = part.as_bytes().get(i + 1..i + 3);
        if !digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) {
            problems.push(Problem {
                message: "`%` in a URL is followed by two hexadecimal digits; a percent sign itself is `%25` (P-LOC)"
                    .to_owned(),
                range: at + i..at + i + 1,
            });
        }
    }
}

pub(crate) fn check_characters(part: &str, at: usize, problems: &mut Vec<Problem>) {
    for (i, c) in part.char_indices() {
        let name = match c {
            ' ' => "a space".to_owned(),
            '\t' => "a tab".to_owned(),
            '\n' | '\r' => "a line break".to_owned(),
            c if c.is_control() => format!("the control character U+{:04X}", u32::from(c)),
            c if c.is_whitespace() => format!("the white space U+{:04X}", u32::from(c)),
            '"' | '<' | '>' | '\\' | '^' | '`' | '|' => format!("`{c}`"),
            _ => continue,
        };
        let mut encoded = String::new();
        for byte in c.encode_utf8(&mut [0; 4]).bytes() {
            let _ = write!(encoded, "%{byte:02X}");
        }
        problems.push(Problem {
            message: format!("{name} cannot stand in a URL: write `{encoded}` if it is meant (P-LOC)"),
            range: at + i..at + i + c.len_utf8(),
        });
    }
}

/// Reports the path segments `.` and `..`: readers resolve them, so the loc would be another than the template's.
pub(crate) fn check_dot_segments(text: &str, problems: &mut Vec<Problem>) {
    let start = ["http://", "https://"]
        .iter()
        .find(|scheme| text.starts_with(**scheme))
        .map_or(0, |scheme| scheme.len());
    let mut at = start;
    let path = text[start..].split(['?', '#']).next().unwrap_or_default();
    for segment in path.split('/') {
        if at > start && DotSegment::of(segment).is_some() {
            problems.push(Problem {
                message: format!(
                    "the segment `{segment}` resolves away, so crawlers would see another URL: remove it (P-LOC)"
                ),
                range: at..at + segment.len(),
            });
        }
        at += segment.len() + 1;
    }
}
