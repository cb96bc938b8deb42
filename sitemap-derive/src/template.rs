//! RFC 6570 templates up to level 2: `{name}` and `{+name}`.

use std::fmt::Write as _;
use std::ops::Range;

/// A template's text and placeholders, in order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Template {
    pub(crate) parts: Vec<Part>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Text that is written as it stands.
    Text(String),
    Placeholder(Placeholder),
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Placeholder {
    /// The field's name without `r#`, or its position.
    pub(crate) name: String,
    /// `{+name}`: characters that URLs reserve, such as `/`, stay as they are.
    pub(crate) reserved: bool,
    /// Where it is in the template's text, in bytes, braces included.
    pub(crate) range: Range<usize>,
}

impl Placeholder {
    /// As it stands in the template.
    pub(crate) fn written(&self) -> String {
        let sign = if self.reserved { "+" } else { "" };
        format!("{{{sign}{}}}", self.name)
    }
}

/// One mistake in a template.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) message: String,
    /// Where in the template's text, in bytes.
    pub(crate) range: Range<usize>,
}

/// At most so many characters make a loc (P-LOCLEN).
const MAX_CHARS: usize = 2_048;

impl Template {
    /// Reads a template, and finds all its mistakes that can be known without the fields.
    ///
    /// The template is returned even so: what it names can still be checked. `fields` are the names that it could
    /// name; one that stands there in the notation of a router, such as `:slug`, is a mistake.
    pub(crate) fn parse(text: &str, fields: &[String]) -> (Template, Vec<Problem>) {
        let mut problems = Vec::new();
        let parts = split(text, &mut problems);
        // A template whose braces are broken says nothing reliable about the rest.
        if problems.is_empty() {
            check_start(text, &parts, &mut problems);
            check_router_notation(text, fields, &mut problems);
        }
        if problems.is_empty() {
            check_text(&parts, &mut problems);
            check_dot_segments(text, &mut problems);
            check_length(text, &parts, &mut problems);
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

/// Takes the text apart at its braces.
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
                match placeholder(&text[inside..end], range.clone()) {
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

/// The end of the outermost braces that open at `open`.
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

fn placeholder(inside: &str, range: Range<usize>) -> Result<Placeholder, String> {
    let name = inside.strip_prefix('+').unwrap_or(inside);
    if is_name(name) {
        return Ok(Placeholder {
            name: name.strip_prefix("r#").unwrap_or(name).to_owned(),
            reserved: name.len() < inside.len(),
            range,
        });
    }
    if name.trim().is_empty() {
        return Err(format!(
            "`{{{inside}}}` names no field: write the field's name, as in `{{slug}}`, or its position in a tuple, `{{0}}`"
        ));
    }
    if is_name(name.trim()) {
        let sign = &inside[..inside.len() - name.len()];
        return Err(format!(
            "`{{{inside}}}` has a space in it: write `{{{sign}{}}}`",
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
             the value with `#[sitemap(with = …)]` on the field `{field}`"
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
        let field = name.strip_prefix("self.").unwrap_or(name);
        let advice = if is_name(field) {
            format!("write `{{{field}}}`")
        } else {
            let first = field.split('.').next().unwrap_or(field);
            format!(
                "write `{{{first}}}`, and convert the value with `#[sitemap(with = …)]` on the field `{first}`"
            )
        };
        return Err(format!(
            "`{{{inside}}}` is a path, and a placeholder is one field's name: {advice}"
        ));
    }
    Err(format!(
        "`{{{inside}}}` is not a placeholder: it is a field's name in braces, as in `{{slug}}`, or its position in a \
         tuple, `{{0}}`"
    ))
}

/// A Rust identifier, or a position without leading zeros.
fn is_name(name: &str) -> bool {
    let position = name.bytes().all(|b| b.is_ascii_digit()) && (name == "0" || !name.starts_with('0'));
    let raw = name.strip_prefix("r#").unwrap_or(name);
    let identifier =
        || !raw.contains(char::is_whitespace) && raw != "_" && syn::parse_str::<AnyIdent>(raw).is_ok();
    !name.is_empty() && (position || identifier())
}

/// Keywords too: `{type}` is the field `r#type`.
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
        None => return problem(format!("an empty template is no URL: {STARTS}"), 0..0),
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
            // A placeholder in the host or port leaves the check to the writer.
            let is_whole = authority.len() < rest.len() || parts.len() == 1;
            if let (true, Err(reason)) = (is_whole, check_authority(authority)) {
                let end = scheme.len() + authority.len();
                problem(format!("`{}` {reason} (P-LOC)", &text[..end]), 0..end);
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
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
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

/// RFC 3986 section 3.2: a name or an address, and a port of digits.
fn check_authority(authority: &str) -> Result<(), &'static str> {
    let host_and_port = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let (host, port) = match host_and_port.strip_prefix('[') {
        Some(literal) => literal.split_once(']').ok_or("has an address without its `]`")?,
        None => host_and_port.split_at(host_and_port.find(':').unwrap_or(host_and_port.len())),
    };
    let is_legal = |c: char| c.is_alphanumeric() || "-._~!$&'()*+,;=%:".contains(c) || !c.is_ascii();
    if host.is_empty() {
        return Err("has no host: write it after the scheme, as in `https://example.com/`");
    }
    if let Some(digits) = port.strip_prefix(':') {
        let is_port = digits.bytes().all(|b| b.is_ascii_digit()) && digits.parse::<u16>().is_ok();
        if !is_port && !digits.is_empty() {
            return Err("has a port that is none: it is a number to 65535");
        }
    } else if !port.is_empty() {
        return Err("has text between its address and its port");
    }
    if !host.chars().all(is_legal) {
        return Err("has a character in its host that no host has");
    }
    Ok(())
}

/// `ftp://` of `ftp://example.com/`, `mailto:` of `mailto:me@example.com`.
fn start_of(text: &str) -> &str {
    let colon = text.find(':').map_or(text.len(), |colon| colon + 1);
    let slashes = text[colon..].len() - text[colon..].trim_start_matches('/').len();
    &text[..colon + slashes]
}

/// `/products/:slug` and its like, where `slug` is a field: meant as a placeholder, and written for another tool.
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

/// Characters and references that cannot be meant.
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

/// `&amp;` and its like: the writer escapes, so they would be escaped twice.
fn check_references(part: &str, at: usize, problems: &mut Vec<Problem>) {
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

fn check_percent(part: &str, at: usize, problems: &mut Vec<Problem>) {
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

fn check_characters(part: &str, at: usize, problems: &mut Vec<Problem>) {
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

/// `.` and `..` resolve away, so the loc would be another one than the template says.
fn check_dot_segments(text: &str, problems: &mut Vec<Problem>) {
    let start = ["http://", "https://"]
        .iter()
        .find(|scheme| text.starts_with(**scheme))
        .map_or(0, |scheme| scheme.len());
    let mut at = start;
    let path = text[start..].split(['?', '#']).next().unwrap_or_default();
    for segment in path.split('/') {
        let decoded = segment.replace("%2e", ".").replace("%2E", ".");
        if at > start && matches!(decoded.as_str(), "." | "..") {
            problems.push(Problem {
                message: format!(
                    "the segment `{segment}` resolves away, so crawlers would see another URL: leave it out (P-LOC)"
                ),
                range: at..at + segment.len(),
            });
        }
        at += segment.len() + 1;
    }
}

fn check_length(text: &str, parts: &[Part], problems: &mut Vec<Problem>) {
    let length: usize = parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => text
                .chars()
                .map(|c| if c.is_ascii() { 1 } else { 3 * c.len_utf8() })
                .sum(),
            Part::Placeholder(_) => 0,
        })
        .sum();
    if length > MAX_CHARS {
        problems.push(Problem {
            message: format!(
                "the template's text alone makes {length} characters, and a loc has at most 2,048 (P-LOCLEN)"
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
        let (_, problems) = Template::parse(text, &fields);
        for problem in &problems {
            assert!(text.get(problem.range.clone()).is_some(), "{problem:?}");
        }
        problems.into_iter().map(|problem| problem.message).collect()
    }

    fn names(text: &str) -> Vec<(String, bool)> {
        let (template, problems) = Template::parse(text, &[]);
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
        let (template, problems) = Template::parse("/shop/{+path}/{slug}?page={0}", &[]);
        assert_eq!(problems, []);
        let placeholder = |name: &str, reserved, range| {
            Part::Placeholder(Placeholder {
                name: name.to_owned(),
                reserved,
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
            ["the template's text alone makes 2049 characters, and a loc has at most 2,048 (P-LOCLEN)"]
        );
        let text = format!("/{}", "サ".repeat(228));
        assert_eq!(
            messages(&text),
            ["the template's text alone makes 2053 characters, and a loc has at most 2,048 (P-LOCLEN)"]
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
            (
                "https://a:99999/{slug}",
                "`https://a:99999` has a port that is none",
            ),
            ("https://a:+80/", "`https://a:+80` has a port that is none"),
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
    fn says_the_same_thing_once() {
        assert_eq!(messages("/a b c").len(), 1);
        assert_eq!(messages("/a b\tc").len(), 2);
    }

    #[test]
    fn knows_routers() {
        for text in ["/p/:slug", "/p/<slug>/x", "/p/[slug]", "/p?s=$slug"] {
            let message = &messages(text)[0];
            assert!(
                message.ends_with("write `{slug}` for the field `slug`"),
                "{message}"
            );
        }
        assert_eq!(messages("/p/:other"), Vec::<String>::new());
    }

    /// Whatever the text, there are its parts or a problem.
    #[test]
    fn any_text_is_taken_or_refused() {
        const ALPHABET: [&str; 12] = ["{", "}", "+", "a", "slug", "/", ":", "é", "%", "&amp;", ".", " "];
        let mut texts = vec![String::new()];
        for _ in 0..4 {
            texts = texts
                .iter()
                .flat_map(|text| ALPHABET.map(|letter| text.clone() + letter))
                .collect();
            for text in &texts {
                let (template, problems) = Template::parse(text, &["slug".to_owned()]);
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
