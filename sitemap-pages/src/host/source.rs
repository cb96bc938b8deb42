//! The patterns of paths in the settings of Vercel, Firebase and Azure, as regular expressions.

use regex::{Regex, RegexBuilder, escape};

/// The longest pattern of a site needs less. A larger one is rejected.
const MAX_SIZE: usize = 1 << 20;

/// Compiles a regular expression for whole paths. `None` if it is invalid, or needs a feature that this crate's engine lacks, such
/// as lookahead.
pub(crate) fn whole(pattern: &str) -> Option<Regex> {
    build(&format!("^(?:{pattern})$"))
}

/// Compiles an RE2 expression for paths, which may match a part.
pub(crate) fn part(pattern: &str) -> Option<Regex> {
    build(pattern)
}

fn build(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern).size_limit(MAX_SIZE).build().ok()
}

/// Compiles a source of Vercel, by the rules of path-to-regexp: `/blog/:slug`, `/docs/:path*`, `/:id(\\d+)`, `/(.*)`.
pub(crate) fn vercel(source: &str) -> Option<Regex> {
    let mut out = String::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        match first {
            '\\' => {
                let next = after.chars().next()?;
                out.push_str(&escape(next.encode_utf8(&mut [0; 4])));
                rest = &after[next.len_utf8()..];
            }
            ':' | '(' => {
                let (name, group) = if first == ':' { word(after) } else { ("", rest) };
                let (inside, group) = match group.strip_prefix('(') {
                    Some(group) => split_group(group)?,
                    None => ("[^/]+?", group),
                };
                let modifier = group.chars().next().filter(|c| "*+?".contains(*c));
                rest = &group[modifier.map_or(0, char::len_utf8)..];
                let start = if name.is_empty() {
                    "(".to_owned()
                } else {
                    format!("(?P<{name}>")
                };
                // A slash before a group that is repeated or optional belongs to it.
                let slash = if modifier.is_some() && out.ends_with('/') {
                    out.pop();
                    "/"
                } else {
                    ""
                };
                let one = without_captures(inside);
                let (repeated, end) = match modifier {
                    Some('*') => (true, "?"),
                    Some('+') => (true, ""),
                    Some(_) => (false, "?"),
                    None => (false, ""),
                };
                let more = if repeated {
                    ["(?:", slash, &one, ")*"].concat()
                } else {
                    String::new()
                };
                out.extend(["(?:", slash, &start, &one, &more, "))", end]);
            }
            '{' | '}' => {
                out.push_str(if first == '{' { "(?:" } else { ")" });
                rest = after;
                if let Some(modifier) = rest.chars().next().filter(|c| first == '}' && "*+?".contains(*c)) {
                    out.push(modifier);
                    rest = &rest[1..];
                }
            }
            _ => {
                out.push_str(&escape(first.encode_utf8(&mut [0; 4])));
                rest = after;
            }
        }
    }
    whole(&out)
}

/// Compiles a source of Firebase: a glob, with the names of segments: `/old/**`, `/blog/:post*`, `**/*.@(jpg|png)`.
pub(crate) fn firebase(source: &str) -> Option<Regex> {
    let mut out = String::from("/?");
    let mut rest = source.strip_prefix('/').unwrap_or(source);
    let mut depth = 0_usize;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        let (add, next) = match first {
            '*' if after.starts_with("*/") => ("(?:.*/)?".to_owned(), &after[2..]),
            '*' if after.starts_with('*') => (".*".to_owned(), &after[1..]),
            '*' => ("[^/]*".to_owned(), after),
            ':' if !word(after).0.is_empty() => {
                let (name, after) = word(after);
                match after.strip_prefix('*') {
                    Some(after) => (format!("(?P<{name}>.*)"), after),
                    None => (format!("(?P<{name}>[^/]+)"), after),
                }
            }
            '@' | '?' | '+' if after.starts_with('(') => {
                // The repetition follows the group.
                let (inside, after) = split_group(&after[1..])?;
                let choices: Vec<String> = inside.split('|').map(escape).collect();
                let repeated = if first == '@' { "" } else { rest.get(..1)? };
                (format!("(?:{}){repeated}", choices.join("|")), after)
            }
            '!' if after.starts_with('(') => return None,
            '?' => ("[^/]".to_owned(), after),
            '{' => {
                depth += 1;
                ("(?:".to_owned(), after)
            }
            '}' if depth > 0 => {
                depth -= 1;
                (")".to_owned(), after)
            }
            ',' if depth > 0 => ("|".to_owned(), after),
            _ => (escape(first.encode_utf8(&mut [0; 4])), after),
        };
        out.push_str(&add);
        rest = next;
    }
    whole(&out)
}

/// Compiles a route of Azure Static Web Apps. It is a path, possibly with a final `*` and the endings of files:
/// `/images/*.{png,gif}`.
pub(crate) fn azure(route: &str) -> Option<Regex> {
    let Some((before, after)) = route.split_once('*') else {
        return whole(&format!("{}/?", escape(route.trim_end_matches('/'))));
    };
    let endings = match after.strip_prefix(".{").and_then(|list| list.strip_suffix('}')) {
        Some(list) => {
            let endings: Vec<String> = list.split(',').map(|ending| escape(ending.trim())).collect();
            format!("\\.(?:{})", endings.join("|"))
        }
        None if after.is_empty() || after.starts_with('.') => escape(after),
        None => return None,
    };
    whole(&format!("{}.*{endings}", escape(before)))
}

/// Splits off the name at the beginning.
fn word(text: &str) -> (&str, &str) {
    text.split_at(super::pattern::name_len(text))
}

/// Returns the content of a group after its opening bracket, and the rest.
fn split_group(text: &str) -> Option<(&str, &str)> {
    let mut depth = 1;
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return Some((&text[..at], &text[at + 1..]));
                }
            }
            _ => {}
        }
    }
    None
}

/// Makes the groups of a regular expression non-capturing, so that captures keep the source's numbers.
fn without_captures(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        out.push(c);
        match c {
            '\\' => out.extend(chars.next()),
            '(' if chars.peek() != Some(&'?') => out.push_str("?:"),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::{azure, firebase, vercel};

    fn check(parse: fn(&str) -> Option<Regex>, cases: &[(&str, &str, Option<&[&str]>)]) {
        for (source, path, captures) in cases {
            let pattern = parse(source).unwrap_or_else(|| panic!("{source}"));
            let found: Option<Vec<&str>> = pattern.captures(path).map(|found| {
                let groups = found.iter().skip(1);
                groups
                    .map(|group| group.map_or("", |group| group.as_str()))
                    .collect()
            });
            assert_eq!(found.as_deref(), *captures, "{source} {path}: {pattern}");
        }
    }

    #[test]
    fn sources_of_vercel() {
        check(
            vercel,
            &[
                ("/a", "/a", Some(&[])),
                ("/a", "/a/", None),
                ("/a.b", "/axb", None),
                ("/blog/:slug", "/blog/x", Some(&["x"])),
                ("/blog/:slug", "/blog/x/y", None),
                ("/docs/:path*", "/docs", Some(&[""])),
                ("/docs/:path*", "/docs/a/b", Some(&["a/b"])),
                ("/docs/:path+", "/docs", None),
                ("/docs/:path+", "/docs/a/b", Some(&["a/b"])),
                ("/:lang?/about", "/about", Some(&[""])),
                ("/:lang?/about", "/de/about", Some(&["de"])),
                ("/post/:id(\\d+)", "/post/7", Some(&["7"])),
                ("/post/:id(\\d+)", "/post/x", None),
                ("/old/(.*)", "/old/a/b", Some(&["a/b"])),
                ("/(a|b(c))/x", "/bc/x", Some(&["bc"])),
                ("/a{/b}?", "/a/b", Some(&[])),
                ("/a{/b}?", "/a", Some(&[])),
                ("/a\\(b\\)", "/a(b)", Some(&[])),
                ("/é", "/é", Some(&[])),
            ],
        );
        for wrong in ["/(a", "/a\\", "/((?!x).*)"] {
            assert!(vercel(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn sources_of_firebase() {
        check(
            firebase,
            &[
                ("/a", "/a", Some(&[])),
                ("a", "/a", Some(&[])),
                ("/old/**", "/old/a/b", Some(&[])),
                ("/old/*", "/old/a/b", None),
                ("**/x.html", "/x.html", Some(&[])),
                ("**/x.html", "/a/b/x.html", Some(&[])),
                ("**/*.@(jpg|png)", "/a/b.png", Some(&[])),
                ("**/*.{jpg,png}", "/b.png", Some(&[])),
                ("/a?", "/ab", Some(&[])),
                ("/blog/:post", "/blog/x", Some(&["x"])),
                ("/blog/:post*", "/blog/x/y", Some(&["x/y"])),
                ("/a,b", "/a,b", Some(&[])),
            ],
        );
        assert!(firebase("/!(a)").is_none());
    }

    #[test]
    fn routes_of_azure() {
        check(
            azure,
            &[
                ("/a", "/a", Some(&[])),
                ("/a", "/a/", Some(&[])),
                ("/a/*", "/a/b/c", Some(&[])),
                ("/a/*.{png,gif}", "/a/b.gif", Some(&[])),
                ("/a/*.{png,gif}", "/a/b.jpg", None),
                ("*.html", "/a.html", Some(&[])),
            ],
        );
        assert!(azure("/*/a").is_none());
    }
}
