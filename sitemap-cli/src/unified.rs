//! Unified diffs, as by `diff -u`, of texts with few changes.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::ops::Range;

use crate::message::{escaped, for_output};

/// Unchanged lines around changes.
const CONTEXT: usize = 3;

/// The number of lines to search for the end of a change. A longer change becomes several.
const MOST: usize = 64;

/// Lines of the old text, and their replacement in the new text.
#[derive(Clone, Debug)]
struct Change {
    old: Range<usize>,
    new: Range<usize>,
}

/// Writes the differences between two texts, if there are any. Takes linear time.
pub(crate) fn write_diff(out: &mut dyn Write, name: &str, old: &[u8], new: &[u8]) -> io::Result<()> {
    let lines = |text| -> Vec<&[u8]> { <[u8]>::split_inclusive(text, |byte| *byte == b'\n').collect() };
    let (old, new) = (lines(old), lines(new));
    let changes = changes(&old, &new);
    if !changes.is_empty() {
        let name = header(name);
        let name = for_output(&name);
        write!(out, "--- {name}\n+++ {name}\n")?;
    }
    for hunk in changes.chunk_by(|a, b| b.old.start - a.old.end <= 2 * CONTEXT) {
        write_hunk(out, hunk, &old, &new)?;
    }
    Ok(())
}

/// Formats a name for a header that `patch` reads: a name ends at a tab, or else at white space.
fn header(name: &str) -> Cow<'_, str> {
    if name.starts_with(char::is_whitespace)
        || name.contains(|c: char| c.is_control() || matches!(c, '"' | '\\'))
    {
        let mut quoted = String::from("\"");
        for byte in name.bytes() {
            use std::fmt::Write as _;

            match byte {
                b'"' | b'\\' => quoted.extend(['\\', char::from(byte)]),
                b' '..=b'~' => quoted.push(char::from(byte)),
                // Writing to a string cannot fail.
                _ => drop(write!(quoted, "\\{byte:03o}")),
            }
        }
        quoted.push('"');
        return quoted.into();
    }
    if name.contains(char::is_whitespace) {
        return format!("{name}\t").into();
    }
    name.into()
}

fn changes(old: &[&[u8]], new: &[&[u8]]) -> Vec<Change> {
    let mut changes = Vec::new();
    let (mut at, mut to) = (0, 0);
    while at < old.len() || to < new.len() {
        if old.get(at) == new.get(to) {
            (at, to) = (at + 1, to + 1);
            continue;
        }
        let (removed, added) = changed(
            old.get(at..).unwrap_or_default(),
            new.get(to..).unwrap_or_default(),
        );
        changes.push(Change {
            old: at..at + removed,
            new: to..to + added,
        });
        (at, to) = (at + removed, to + added);
    }
    changes
}

/// Returns the number of differing lines at the start of each text, up to the next common line.
fn changed(old: &[&[u8]], new: &[&[u8]]) -> (usize, usize) {
    for both in 1..=MOST {
        for removed in 0..=both.min(old.len()) {
            let added = both - removed;
            if added <= new.len() && old.get(removed) == new.get(added) {
                return (removed, added);
            }
        }
    }
    (old.len().min(1), new.len().min(1))
}

fn write_hunk(out: &mut dyn Write, hunk: &[Change], old: &[&[u8]], new: &[&[u8]]) -> io::Result<()> {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else {
        return Ok(());
    };
    let before = first.old.start.min(CONTEXT);
    let after = (old.len() - last.old.end).min(CONTEXT);
    let of_old = first.old.start - before..last.old.end + after;
    let of_new = first.new.start - before..last.new.end + after;
    writeln!(out, "@@ -{} +{} @@", shown(&of_old), shown(&of_new))?;
    let mut at = of_old.start;
    for change in hunk {
        write_lines(out, " ", old, at..change.old.start)?;
        write_lines(out, "-", old, change.old.clone())?;
        write_lines(out, "+", new, change.new.clone())?;
        at = change.old.end;
    }
    write_lines(out, " ", old, at..of_old.end)
}

/// Formats a range: the first line, from 1, and the number of lines.
fn shown(lines: &Range<usize>) -> String {
    // An empty range names the line before it.
    let first = lines.start + usize::from(!lines.is_empty());
    format!("{first},{}", lines.len())
}

fn write_lines(out: &mut dyn Write, sign: &str, lines: &[&[u8]], range: Range<usize>) -> io::Result<()> {
    for line in lines.get(range).unwrap_or_default() {
        out.write_all(sign.as_bytes())?;
        write_line(out, line)?;
        if !line.ends_with(b"\n") {
            out.write_all(b"\n\\ No newline at end of file\n")?;
        }
    }
    Ok(())
}

/// Writes a line, with unsafe characters escaped for a terminal.
fn write_line(out: &mut dyn Write, line: &[u8]) -> io::Result<()> {
    if io::stdout().is_terminal() {
        out.write_all(for_terminal(line).as_bytes())
    } else {
        out.write_all(line)
    }
}

/// Escapes characters that change a terminal's display, except tabs, which indent.
fn for_terminal(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(line);
    let pieces: Vec<_> = line.split('\t').map(escaped).collect();
    pieces.join("\t")
}

#[cfg(test)]
mod tests {
    use super::{for_terminal, write_diff};

    fn diff(old: &str, new: &str) -> String {
        let mut out = Vec::new();
        write_diff(&mut out, "a.xml", old.as_bytes(), new.as_bytes()).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn hunks_have_three_lines_around_changes() {
        let old = (1..=20)
            .map(|line| format!("{line}\n"))
            .collect::<Vec<_>>()
            .concat();
        let new = old.replace("\n4\n", "\nfour\n").replace("\n8\n", "\n");
        let new = new.replace("\n20\n", "\n20");
        assert_eq!(diff(&old, &old), "");
        assert_eq!(
            diff(&old, &new),
            "--- a.xml\n+++ a.xml\n@@ -1,11 +1,10 @@\n 1\n 2\n 3\n-4\n+four\n 5\n 6\n 7\n-8\n 9\n 10\n 11\n\
             @@ -17,4 +16,4 @@\n 17\n 18\n 19\n-20\n+20\n\\ No newline at end of file\n"
        );
    }

    #[test]
    fn lines_do_not_control_a_terminal() {
        assert_eq!(
            for_terminal(b"\t<loc>a\x1b[2J</loc>\r\n"),
            "\t<loc>a\\u{1b}[2J</loc>\\u{d}\n"
        );
        // A control character of Latin-1.
        assert_eq!(for_terminal(b"a\x9b2J"), "a\u{fffd}2J");
    }

    /// Applies a diff like `patch`.
    fn patched(old: &str, diff: &str) -> String {
        let old: Vec<&str> = old.split_inclusive('\n').collect();
        let (mut out, mut at, mut last) = (String::new(), 0, b' ');
        for line in diff.split_inclusive('\n').skip(2) {
            let rest = &line[1..];
            match line.as_bytes()[0] {
                b'@' => {
                    let (first, count) = line[4..].split_once(' ').unwrap().0.split_once(',').unwrap();
                    let start = first.parse::<usize>().unwrap() - usize::from(count != "0");
                    out.extend(old[at..start].iter().copied());
                    at = start;
                }
                b'+' => out += rest,
                // It refers to the line before, which is not part of the new text if it was removed.
                b'\\' if last == b'-' => {}
                b'\\' => drop(out.pop()),
                sign => {
                    assert_eq!(old[at].trim_end_matches('\n'), rest.trim_end_matches('\n'));
                    at += 1;
                    if sign == b' ' {
                        out += rest;
                    }
                }
            }
            last = line.as_bytes()[0];
        }
        out.extend(old[at..].iter().copied());
        out
    }

    #[test]
    fn a_patch_makes_the_new_text() {
        let mut state = 7_u64;
        let mut number = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        for _ in 0..500 {
            let mut text = |lines: u64| -> Vec<String> {
                (0..number(lines)).map(|_| format!("{}\n", number(4))).collect()
            };
            let (mut old, mut new) = (text(40), text(5));
            let at = usize::try_from(number(old.len() as u64 + 1)).unwrap();
            new = [&old[..at], &new[..], &old[(at + 2).min(old.len())..]].concat();
            if number(3) == 0 {
                old.push("end".to_owned());
            }
            let (old, new) = (old.concat(), new.concat());
            let diff = diff(&old, &new);
            assert_eq!(diff.is_empty(), old == new);
            assert_eq!(patched(&old, &diff), new, "{old:?} {diff}");
        }
    }
}
