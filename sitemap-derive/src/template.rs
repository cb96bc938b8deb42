//! RFC 6570 templates up to level 2, `{name}` and `{+name}`, and `{name?}` for a value that may be empty.

use std::ops::Range;

use sitemap_values::url::{MAX_CHARS, is_scheme};

use crate::url::{
    Problem, check_authority, check_characters, check_dot_segments, check_percent, check_references, start_of,
};

/// The form of a placeholder.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    /// `{+name}`
    pub(crate) reserved: bool,
    /// `{name?}`
    pub(crate) optional: bool,
}

impl Form {
    /// The placeholder as written in the template.
    pub(crate) fn written(self, name: &str) -> String {
        let sign = if self.reserved { "+" } else { "" };
        let mark = if self.optional { "?" } else { "" };
        format!("{{{sign}{name}{mark}}}")
    }
}

/// A template's text and placeholders, in order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Template {
    pub(crate) parts: Vec<Part>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Literal text.
    Text(String),
    Placeholder(Placeholder),
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Placeholder {
    /// The field's name without `r#`, or its position; for a value in a flattened field the path, with points between.
    pub(crate) name: String,
    /// `{+name}`: reserved characters such as `/` are not percent-encoded.
    pub(crate) reserved: bool,
    /// `{name?}`: the value may be empty, or `None`, as a whole segment of the path.
    pub(crate) optional: bool,
    /// Its byte range in the template's text, braces included.
    pub(crate) range: Range<usize>,
}

impl Placeholder {
    /// The placeholder as written in the template.
    pub(crate) fn written(&self) -> String {
        self.form().written(&self.name)
    }

    pub(crate) fn form(&self) -> Form {
        Form {
            reserved: self.reserved,
            optional: self.optional,
        }
    }
}

impl Template {
    /// Parses a template, and finds all mistakes that do not depend on the types of the fields.
    ///
    /// The template is returned even if it has mistakes, so that its names can be checked too. `fields` are the names of the
    /// fields: one written as a router's parameter, such as `:slug`, is a mistake. `is_utf8` is whether the server's encoding is
    /// UTF-8.
    pub(crate) fn parse(text: &str, fields: &[String], is_utf8: bool) -> (Template, Vec<Problem>) {
        let mut problems = Vec::new();
        let parts = split(text, &mut problems);
        // With unbalanced braces, the other checks would report wrong mistakes.
        if problems.is_empty() {
            check_start(text, &parts, &mut problems);
            check_router_notation(text, fields, &mut problems);
        }
        if problems.is_empty() {
            check_text(&parts, &mut problems);
            check_dot_segments(text, &mut problems);
            check_length(text, &parts, is_utf8, &mut problems);
        }
        let mut seen = Vec::new();
        problems.retain(|problem| {
            let new = !seen.contains(&problem.message);
            seen.push(problem.message.clone());
            new
        });
        (Template { parts }, problems)
    }

    pub(crate) fn placeholders(&self) -> impl Iterator<Item = &Placeholder> {
        self.parts.iter().filter_map(|part| match part {
            Part::Placeholder(placeholder) => Some(placeholder),
            Part::Text(_) => None,
        })
    }
}

/// Splits the text at its braces.
fn split(text: &str, problems: &mut Vec<Problem>) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(brace) = text[at..].find(['{', '}']).map(|i| at + i) {
        if brace > at {
            parts.push(Part::Text(text[at..brace].to_owned()));
        }
        if text[brace..].starts_with('}') {
            problems.push(Problem {
                message:
                    "there is a `}` without a `{` before it; a brace that belongs to the URL is written `%7D`"
                        .to_owned(),
                range: brace..brace + 1,
            });
            at = brace + 1;
            continue;
        }
        let inside = brace + 1;
        match text[inside..].find(['{', '}']).map(|i| inside + i) {
            None => {
                problems.push(Problem {
                    message: format!(
                        "`{}` has no `}}`; a brace that belongs to the URL is written `%7B`",
                        &text[brace..]
                    ),
                    range: brace..text.len(),
                });
                return parts;
            }
            Some(end) if text[end..].starts_with('{') => {
                let close = matching_close(text, brace);
                problems.push(Problem {
                    message: format!(
                        "`{}` has a brace inside braces: a placeholder is one field's name, as in `{{slug}}`; \
                         a brace that belongs to the URL is written `%7B`",
                        &text[brace..close]
                    ),
                    range: brace..close,
                });
                at = close;
            }
            Some(end) => {
                let range = brace..end + 1;
                match placeholder(&text[inside..end], &range) {
                    Ok(placeholder) => parts.push(Part::Placeholder(placeholder)),
                    Err(message) => problems.push(Problem { message, range }),
                }
                at = end + 1;
            }
        }
    }
    if at < text.len() {
        parts.push(Part::Text(text[at..].to_owned()));
    }
    parts
}

/// The end of the group of braces that opens at `open`.
fn matching_close(text: &str, open: usize) -> usize {
    let mut depth = 0_usize;
    for (i, c) in text[open..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return open + i + 1;
        }
    }
    text.len()
}

fn placeholder(inside: &str, range: &Range<usize>) -> Result<Placeholder, String> {
    let after_sign = inside.strip_prefix('+').unwrap_or(inside);
    let name = after_sign.strip_suffix('?').unwrap_or(after_sign);
    let (sign, mark) = (
        if after_sign.len() < inside.len() { "+" } else { "" },
        if name.len() < after_sign.len() { "?" } else { "" },
    );
    let named = |name: &str| Placeholder {
        name: name.to_owned(),
        reserved: !sign.is_empty(),
        optional: !mark.is_empty(),
        range: range.clone(),
    };
    if is_name(name) {
        return Ok(named(name.strip_prefix("r#").unwrap_or(name)));
    }
    if name.trim().is_empty() {
        return Err(format!(
            "`{{{inside}}}` names no field: write the field's name, as in `{{slug}}`, or its position in a tuple, `{{0}}`"
        ));
    }
    if is_name(name.trim()) {
        return Err(format!(
            "`{{{inside}}}` has a space in it: write `{{{sign}{}{mark}}}`",
            name.trim()
        ));
    }
    let mut chars = name.chars();
    if let Some(operator @ ('?' | '&' | '#' | '.' | '/' | ';')) = chars.next() {
        let names = chars.as_str();
        let instead = match operator {
            _ if !is_name(names) => String::new(),
            '?' | '&' | ';' => format!(": write `{operator}{names}={{{names}}}`"),
            _ => format!(": write `{operator}{{{names}}}`"),
        };
        return Err(format!(
            "`{{{inside}}}` is a level 3 operator of RFC 6570; a template has level 2, `{{name}}` and `{{+name}}`{instead}"
        ));
    }
    if name.starts_with(['=', ',', '!', '@', '|']) {
        return Err(format!(
            "`{{{inside}}}` begins with an operator that RFC 6570 reserves; a template has `{{name}}` and `{{+name}}`"
        ));
    }
    if let Some((field, _)) = name.split_once(':').filter(|(field, _)| is_name(field)) {
        return Err(format!(
            "`{{{inside}}}` has a modifier, and a template has none (RFC 6570 level 2): write `{{{field}}}`, and format \
             the value with `#[sitemap(write_with = …)]` on the field `{field}`"
        ));
    }
    if let Some(field) = name.strip_suffix('*').filter(|field| is_name(field)) {
        return Err(format!(
            "`{{{inside}}}` has a modifier, and a template has none (RFC 6570 level 2): write `{{{field}}}`, or \
             `{{+{field}}}` if the value is a path with `/` in it"
        ));
    }
    if name.contains(',') && name.split(',').all(|name| is_name(name.trim())) {
        let each: Vec<String> = name
            .split(',')
            .map(|name| format!("{{{}}}", name.trim()))
            .collect();
        return Err(format!(
            "`{{{inside}}}` names more than one field: give each its own braces, as in `{}`",
            each.join("/")
        ));
    }
    if name.contains('.') && name.split('.').all(is_name) {
        if let Some(field) = name.strip_prefix("self.") {
            return Err(format!(
                "`{{{inside}}}` begins with `self`, and a placeholder with a field's name: write `{{{field}}}`"
            ));
        }
        return Ok(named(name));
    }
    Err(format!(
        "`{{{inside}}}` is not a placeholder: it is a field's name in braces, as in `{{slug}}`, or its position in a \
         tuple, `{{0}}`"
    ))
}

/// Returns `true` if `name` is a Rust identifier, or a position without leading zeros.
pub(crate) fn is_name(name: &str) -> bool {
    let position = name.bytes().all(|b| b.is_ascii_digit()) && (name == "0" || !name.starts_with('0'));
    let raw = name.strip_prefix("r#").unwrap_or(name);
    let identifier =
        || !raw.contains(char::is_whitespace) && raw != "_" && syn::parse_str::<AnyIdent>(raw).is_ok();
    !name.is_empty() && (position || identifier())
}

/// An identifier or keyword: `{type}` is the field `r#type`.
struct AnyIdent;

impl syn::parse::Parse for AnyIdent {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        <syn::Ident as syn::ext::IdentExt>::parse_any(input).map(|_| AnyIdent)
    }
}

const STARTS: &str = "a template begins with `/`, `http://`, `https://` or `{+…}`";

fn check_start(text: &str, parts: &[Part], problems: &mut Vec<Problem>) {
    let mut problem = |message: String, range: Range<usize>| problems.push(Problem { message, range });
    let first = match parts.first() {
        None => return problem(format!("an empty template is not a URL: {STARTS}"), 0..0),
        Some(Part::Placeholder(Placeholder { reserved: true, .. })) => return,
        Some(Part::Placeholder(Placeholder { name, range, .. })) => {
            let message = format!(
                "the template begins with `{{{name}}}`, whose `:` and `/` would be percent-encoded (P-LOC): write \
                 `/{{{name}}}` for a path, or `{{+{name}}}` if the value is a whole URL"
            );
            return problem(message, range.clone());
        }
        Some(Part::Text(first)) => first,
    };
    for scheme in ["http://", "https://"] {
        if let Some(rest) = first.strip_prefix(scheme) {
            let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
            // A host or port with a placeholder can only be checked at run time.
            let is_whole = authority.len() < rest.len() || parts.len() == 1;
            if is_whole {
                check_authority(&text[..scheme.len() + authority.len()], problems);
            }
            return;
        }
    }
    if first.starts_with("//") {
        return problem(
            format!(
                "`{text}` begins with `//`: write the scheme too, `https:{text}`, or one `/` for a path (P-LOC)"
            ),
            0..2,
        );
    }
    if first.starts_with('/') {
        return;
    }
    let scheme = first.split([':', '/', '?', '#']).next().unwrap_or(first);
    let is_scheme = is_scheme(scheme);
    let after = &first[scheme.len()..];
    let port_follows = after
        .strip_prefix(':')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if is_scheme && after.starts_with(':') && !port_follows {
        let lower = scheme.to_ascii_lowercase();
        let advice = if matches!(lower.as_str(), "http" | "https") {
            format!("write `{lower}://`")
        } else {
            "crawlers take `http://` and `https://`".to_owned()
        };
        return problem(
            format!(
                "`{}` is not the beginning of a loc: {advice} (P-LOC)",
                start_of(first)
            ),
            0..scheme.len() + 1,
        );
    }
    let host_like = scheme.contains('.') || scheme == "localhost";
    let advice = if host_like && is_scheme {
        format!("did you mean `https://{text}`?")
    } else {
        format!("did you mean `/{}`?", text.trim_start())
    };
    problem(
        format!("`{text}` is neither a path nor a URL: {STARTS} (P-LOC); {advice}"),
        0..first.len(),
    );
}

/// Reports a field in another tool's notation, such as `/products/:slug`.
fn check_router_notation(text: &str, fields: &[String], problems: &mut Vec<Problem>) {
    let mut at = 0;
    for segment in text.split_inclusive(['/', '?', '&', '=']) {
        let word = segment.trim_end_matches(['/', '?', '&', '=']);
        let name = [("<", ">"), ("[", "]"), (":", ""), ("$", ""), ("*", "")]
            .iter()
            .find_map(|(before, after)| word.strip_prefix(before)?.strip_suffix(after));
        if let Some(field) = name.and_then(|name| fields.iter().find(|field| *field == name)) {
            problems.push(Problem {
                message: format!(
                    "`{word}` is not a placeholder here: write `{{{field}}}` for the field `{field}`"
                ),
                range: at..at + word.len(),
            });
        }
        at += segment.len();
    }
}

/// Reports characters and references that cannot be in a URL.
fn check_text(parts: &[Part], problems: &mut Vec<Problem>) {
    let mut at = 0;
    for part in parts {
        let Part::Text(part) = part else {
            if let Part::Placeholder(placeholder) = part {
                at = placeholder.range.end;
            }
            continue;
        };
        check_references(part, at, problems);
        check_percent(part, at, problems);
        check_characters(part, at, problems);
        at += part.len();
    }
}

fn check_length(text: &str, parts: &[Part], is_utf8: bool, problems: &mut Vec<Problem>) {
    // In another encoding a character may be one byte, and may even stay unencoded.
    let wide = |c: char| if is_utf8 { 3 * c.len_utf8() } else { 1 };
    let length: usize = parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => text.chars().map(|c| if c.is_ascii() { 1 } else { wide(c) }).sum(),
            Part::Placeholder(_) => 0,
        })
        .sum();
    if length > MAX_CHARS {
        problems.push(Problem {
            message: format!(
                "the template's own text has {length} characters, and a loc has at most 2,048 (P-LOCLEN)"
            ),
            range: 0..text.len(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(text: &str) -> Vec<String> {
        let fields = ["slug".to_owned(), "id".to_owned()];
        let (_, problems) = Template::parse(text, &fields, true);
        for problem in &problems {
            assert!(text.get(problem.range.clone()).is_some(), "{problem:?}");
        }
        problems.into_iter().map(|problem| problem.message).collect()
    }

    fn names(text: &str) -> Vec<(String, bool)> {
        let (template, problems) = Template::parse(text, &[], true);
        assert_eq!(problems, [], "{text}");
        template
            .placeholders()
            .map(|placeholder| {
                assert!(text[placeholder.range.clone()].contains(&placeholder.name));
                (placeholder.name.clone(), placeholder.reserved)
            })
            .collect()
    }

    #[test]
    fn takes_text_and_placeholders_apart() {
        let (template, problems) = Template::parse("/shop/{+path}/{slug}?page={0}", &[], true);
        assert_eq!(problems, []);
        let placeholder = |name: &str, reserved, range| {
            Part::Placeholder(Placeholder {
                name: name.to_owned(),
                reserved,
                optional: false,
                range,
            })
        };
        assert_eq!(
            template.parts,
            [
                Part::Text("/shop/".to_owned()),
                placeholder("path", true, 6..13),
                Part::Text("/".to_owned()),
                placeholder("slug", false, 14..20),
                Part::Text("?page=".to_owned()),
                placeholder("0", false, 26..29),
            ]
        );
    }

    #[test]
    fn takes_every_beginning_there_is() {
        for text in [
            "/",
            "/about",
            "/サイトマップ",
            "/a%20b?x=1&y=2#top",
            "/a.b/..c/.d?e=../f",
            "/a?u=http://b/../c",
            "http://example.com",
            "https://example.com:8080/a",
            "https://{+host}/a",
            "{+url}",
            "{+base}/a/{slug}",
        ] {
            assert_eq!(messages(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn keywords_and_raw_names_are_names() {
        assert_eq!(names("/{type}"), [("type".to_owned(), false)]);
        assert_eq!(names("/{r#type}"), [("type".to_owned(), false)]);
        assert_eq!(names("/{+naïve}"), [("naïve".to_owned(), true)]);
        assert_eq!(messages("/{_}").len(), 1);
        assert_eq!(messages("/{00}").len(), 1);
    }

    #[test]
    fn counts_characters_as_they_will_be_written() {
        let text = format!("/{}", "a".repeat(2_047));
        assert_eq!(messages(&text), Vec::<String>::new());
        assert_eq!(
            messages(&format!("{text}a{{slug}}")),
            ["the template's own text has 2049 characters, and a loc has at most 2,048 (P-LOCLEN)"]
        );
        let text = format!("/{}", "サ".repeat(228));
        assert_eq!(
            messages(&text),
            ["the template's own text has 2053 characters, and a loc has at most 2,048 (P-LOCLEN)"]
        );
    }

    #[test]
    fn checks_host_and_port_where_they_are_known() {
        for text in [
            "https://example.com:443",
            "https://example.com:/a",
            "https://user@example.com/",
            "http://[::1]:80/",
            "http://127.0.0.1/{slug}",
            "https://bücher.example/",
            "https://example.com:{port}/",
            "https://{tld}:99999/",
        ] {
            assert_eq!(messages(text), Vec::<String>::new(), "{text}");
        }
        for (text, message) in [
            ("https://", "`https://` has no host"),
            ("https:///{slug}", "`https://` has no host"),
            ("https://?x", "`https://` has no host"),
            ("https://:80/", "`https://:80` has no host"),
            ("https://a@/", "`https://a@` has no host"),
            ("https://a:99999/{slug}", "`https://a:99999` has an invalid port"),
            ("https://a:+80/", "`https://a:+80` has an invalid port"),
            ("https://[::1/", "`https://[::1` has an address without its `]`"),
            (
                "https://[::1]80/",
                "`https://[::1]80` has text between its address and its port",
            ),
            ("https://a]b/", "`https://a]b` has a character in its host"),
        ] {
            let found = messages(text);
            assert!(found.len() == 1 && found[0].starts_with(message), "{found:?}");
        }
    }

    #[test]
    fn refuses_segments_that_resolve_away() {
        for text in [
            "/..",
            "/a/./b",
            "https://example.com/../a",
            "/%2e%2E/a",
            "{+base}/../a",
        ] {
            assert!(messages(text)[0].contains("resolves away"), "{text}");
        }
    }

    #[test]
    fn each_problem_is_reported_once() {
        assert_eq!(messages("/a b c").len(), 1);
        assert_eq!(messages("/a b\tc").len(), 2);
    }

    #[test]
    fn finds_placeholders_of_routers() {
        for text in ["/p/:slug", "/p/<slug>/x", "/p/[slug]", "/p?s=$slug"] {
            let message = &messages(text)[0];
            assert!(
                message.ends_with("write `{slug}` for the field `slug`"),
                "{message}"
            );
        }
        assert_eq!(messages("/p/:other"), Vec::<String>::new());
    }

    /// Every text gives its parts or a problem.
    #[test]
    fn any_text_gives_a_template_or_a_problem() {
        const ALPHABET: [&str; 12] = ["{", "}", "+", "a", "slug", "/", ":", "é", "%", "&amp;", ".", " "];
        let mut texts = vec![String::new()];
        for _ in 0..4 {
            texts = texts
                .iter()
                .flat_map(|text| ALPHABET.map(|letter| text.clone() + letter))
                .collect();
            for text in &texts {
                let (template, problems) = Template::parse(text, &["slug".to_owned()], true);
                if problems.is_empty() {
                    let parts = template.parts.iter().map(|part| match part {
                        Part::Text(text) => text.clone(),
                        Part::Placeholder(placeholder) => text[placeholder.range.clone()].to_owned(),
                    });
                    assert_eq!(parts.collect::<String>(), *text);
                }
            }
        }
    }
}
