//! The text of a ledger.
//!
//! ```text
//! sitemap-ledger 1
//! # When pages changed. Commit this file, or cache it between builds; it is not edited by hand.
//! site https://example.com/
//! shared 5VOwh
//! /about 2026-05-01 2026-05-01 1aB-dXyZ_0.0aB-dXyZ.9uKp3dE0.
//! /blog/ - - 7hGtr... 9Kslm.
//! end 2 0f1e2d3c4b5a6978
//! ```
//! A page's line has the path of its URL below the site's, its date, the date that it states (with `?` before it if that is
//! doubted), and its blocks. Blocks without a slot come first: 5 characters each, then a point, then blocks with numbers, 8
//! characters each. After another point come the blocks with a slot in the same way, with 3 more characters each. The excerpts come
//! last, if there are any. A final `kept` marks a page that was missing in the last run, or had no blocks in it. The last line has
//! the number of pages and a hash of all lines before it.
//!
//! **A hash of the whole file guards the ledger**. Two branches that both changed it conflict in its last line, so that a merge by lines
//! cannot make a ledger that no run has written.

use std::fmt::{self, Write as _};

use sitemap_serde::W3cDateTime;

use super::{Ledger, LedgerPage, PageBlocks, StatedThen};
use crate::block::Block;
use crate::error::{Error, ErrorKind, Result};
use crate::slot::Slot;

const NAME: &str = "sitemap-ledger";
const VERSION: &str = "1";
const KEPT: &str = "kept";
const COMMENT: &str =
    "# When pages changed. Commit this file, or cache it between builds; it is not edited by hand.";
const ADVICE: &str = "restore it from version control or from the cache; if there is no copy, delete it, and pages have no dates of \
                      the ledger until they change";

impl fmt::Display for Ledger {
    /// Writes the text of the ledger.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut hasher = blake3::Hasher::new();
        let mut line = format!("{NAME} {VERSION}\n{COMMENT}\n");
        let mut write = |line: &mut String| {
            hasher.update(line.as_bytes());
            f.write_str(line)?;
            line.clear();
            Ok(())
        };
        write(&mut line)?;
        if let Some(site) = &self.site {
            line.push_str("site ");
            line.push_str(site);
            line.push('\n');
            write(&mut line)?;
        }
        for block in &self.shared {
            line.push_str("shared ");
            block.write(&mut line);
            line.push('\n');
            write(&mut line)?;
        }
        for page in &self.pages {
            write_page(page, &mut line);
            write(&mut line)?;
        }
        writeln!(f, "end {} {}", self.pages.len(), shown(&hasher))
    }
}

fn write_page(page: &LedgerPage, out: &mut String) {
    // A `String` accepts all text.
    let _ = match page.since {
        Some(since) => write!(out, "/{} {since} ", page.path),
        None => write!(out, "/{} - ", page.path),
    };
    let _ = match page.stated {
        Some(StatedThen { date, is_doubted }) => write!(out, "{}{date} ", if is_doubted { "?" } else { "" }),
        None => write!(out, "- "),
    };
    write_blocks(&without_slots(&page.blocks), out);
    for has_numbers in [false, true] {
        out.push('.');
        let slots = page.blocks.slots.iter();
        for (block, slot) in slots.filter(|(block, _)| block.has_numbers() == has_numbers) {
            block.write(out);
            slot.write(out);
        }
    }
    if !page.blocks.excerpts.is_empty() {
        out.push(' ');
        write_blocks(&page.blocks.excerpts, out);
    }
    out.push_str(if page.is_kept { " kept\n" } else { "\n" });
}

/// Returns the counted blocks, each as often as it occurs without a slot.
fn without_slots(blocks: &PageBlocks) -> Vec<Block> {
    let mut slots = blocks.slots.iter().map(|(block, _)| block).peekable();
    let counted = blocks.counted.iter().copied();
    counted
        .filter(|block| slots.next_if_eq(&block).is_none())
        .collect()
}

fn write_blocks(blocks: &[Block], out: &mut String) {
    for has_numbers in [false, true] {
        if has_numbers {
            out.push('.');
        }
        for block in blocks.iter().filter(|block| block.has_numbers() == has_numbers) {
            block.write(out);
        }
    }
}

pub(super) fn parse(text: &str) -> Result<Ledger> {
    let damaged = |problem: &str| Error::new(ErrorKind::Ledger, format!("{problem}: {ADVICE}"));
    if let Some(line) = (1..).zip(text.lines()).find(|(_, line)| is_conflict(line)) {
        return Err(Error::new(
            ErrorKind::Ledger,
            format!(
                "line {} is a mark of a merge conflict: keep one side whole, by `git checkout --ours` or `--theirs` and the name of \
                 the file, and run again; pages that the other side changed have the date of that run",
                line.0
            ),
        ));
    }
    let mut lines = text.lines();
    match lines.next().and_then(|line| line.split_once(' ')) {
        Some((NAME, VERSION)) => {}
        Some((NAME, version)) if version.parse::<u32>().is_ok() => {
            return Err(Error::new(
                ErrorKind::Ledger,
                format!(
                    "the ledger is of version {version}, and this program reads version {VERSION}: use the program that has written it, \
                     or a newer one"
                ),
            ));
        }
        _ if text.is_empty() => return Err(damaged("the ledger is empty")),
        _ => return Err(damaged("this is not a ledger")),
    }
    let Some((count, written_hash)) = text
        .lines()
        .last()
        .and_then(|line| line.strip_prefix("end "))
        .and_then(|end| end.split_once(' '))
        .filter(|_| text.ends_with('\n'))
    else {
        return Err(damaged("the ledger is cut off"));
    };
    let body = text.lines().count() - 1;
    if hash(text.lines().take(body)) != written_hash {
        return Err(damaged(
            "the ledger was changed, since its last line does not fit the others",
        ));
    }
    let mut site = None;
    let mut shared = Vec::new();
    let mut pages = Vec::new();
    for line in lines.take(body - 1).filter(|line| !line.starts_with('#')) {
        match line.strip_prefix("shared ") {
            Some(block) => shared.push(Block::parse(block.as_bytes())),
            None => match line.strip_prefix("site ") {
                Some(url) => site = Some(url.into()),
                None => pages.push(parse_page(line)),
            },
        }
    }
    let shared: Option<Vec<Block>> = shared.into_iter().collect();
    let pages: Option<Vec<LedgerPage>> = pages.into_iter().collect();
    let (Some(shared), Some(mut pages)) = (shared, pages) else {
        return Err(damaged("the ledger has a line that cannot be read"));
    };
    let is_ordered = shared.is_sorted() && pages.is_sorted_by(|a, b| a.path < b.path);
    if !is_ordered || count.parse() != Ok(pages.len()) {
        return Err(damaged("the ledger's lines are not those that were written"));
    }
    pages.shrink_to_fit();
    Ok(Ledger::of_pages(site, shared, pages))
}

fn is_conflict(line: &str) -> bool {
    ["<<<<<<<", "=======", ">>>>>>>", "|||||||"]
        .iter()
        .any(|mark| line.starts_with(mark))
}

fn parse_page(line: &str) -> Option<LedgerPage> {
    let mut words = line.split(' ');
    let path = words.next()?.strip_prefix('/')?;
    let since = match words.next()? {
        "-" => None,
        date => Some(date.parse::<W3cDateTime>().ok()?),
    };
    let stated = match words.next()? {
        "-" => None,
        text => {
            let date = text.strip_prefix('?');
            Some(StatedThen {
                date: date.unwrap_or(text).parse().ok()?,
                is_doubted: date.is_some(),
            })
        }
    };
    let mut blocks = parse_slots(words.next()?)?;
    let mut words = words.peekable();
    if let Some(excerpts) = words.next_if(|word| *word != KEPT) {
        blocks.excerpts = parse_blocks(excerpts)?;
    }
    let is_kept = words.next_if_eq(&KEPT).is_some();
    words.next().is_none().then(|| LedgerPage {
        path: path.into(),
        since,
        stated,
        blocks,
        is_kept,
    })
}

fn parse_blocks(text: &str) -> Option<Box<[Block]>> {
    let (plain, numbered) = text.split_once('.')?;
    let [plain_len, numbered_len] = Block::LENS;
    let mut blocks = parse_all(plain, plain_len, Block::parse)?;
    blocks.extend(parse_all(numbered, numbered_len, Block::parse)?);
    blocks.sort_unstable();
    Some(blocks.into())
}

/// Parses the counted blocks of a page, and the slots among them.
fn parse_slots(text: &str) -> Option<PageBlocks> {
    let (with_slots, numbered) = text.rsplit_once('.')?;
    let (blocks, plain) = with_slots.rsplit_once('.')?;
    let parse = |chunk: &[u8]| {
        let (block, slot) = chunk.split_at_checked(chunk.len().checked_sub(Slot::LEN)?)?;
        Some((Block::parse(block)?, Slot::parse(slot)?))
    };
    let [plain_len, numbered_len] = Block::LENS;
    let mut slots = parse_all(plain, plain_len + Slot::LEN, parse)?;
    slots.extend(parse_all(numbered, numbered_len + Slot::LEN, parse)?);
    slots.sort_unstable();
    let mut counted = parse_blocks(blocks)?.into_vec();
    counted.extend(slots.iter().map(|(block, _)| *block));
    counted.sort_unstable();
    Some(PageBlocks {
        counted: counted.into(),
        slots: slots.into(),
        excerpts: Box::default(),
    })
}

fn parse_all<T>(text: &str, len: usize, parse: impl Fn(&[u8]) -> Option<T>) -> Option<Vec<T>> {
    let chunks = text.as_bytes().chunks(len);
    chunks
        .map(|chunk| parse(chunk).filter(|_| chunk.len() == len))
        .collect()
}

/// Hashes the lines, ignoring the form of line ends.
fn hash<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut hasher = blake3::Hasher::new();
    for line in lines {
        hasher.update(line.as_bytes());
        hasher.update(b"\n");
    }
    shown(&hasher)
}

fn shown(hasher: &blake3::Hasher) -> String {
    hasher.finalize().to_hex()[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::{ADVICE, Ledger, LedgerPage, PageBlocks, StatedThen};
    use crate::block::Block;
    use crate::slot::slots;

    fn blocks(texts: &[&str]) -> Box<[Block]> {
        let mut blocks: Vec<_> = texts
            .iter()
            .map(|text| Block::of(text, &mut String::new()))
            .collect();
        blocks.sort_unstable();
        blocks.into()
    }

    fn ledger() -> Ledger {
        let page = |path: &str, since: Option<&str>, counted: &[&str], excerpts: &[&str]| LedgerPage {
            path: path.into(),
            since: since.map(|since| since.parse().unwrap()),
            stated: since.map(|since| StatedThen {
                date: since.parse().unwrap(),
                is_doubted: path.starts_with('c'),
            }),
            blocks: PageBlocks {
                counted: blocks(counted),
                excerpts: blocks(excerpts),
                // All except the second of three blocks, which is the same as the first.
                slots: {
                    let places = slots(&[1, 2]);
                    let own = blocks(counted);
                    own.iter()
                        .copied()
                        .skip(1)
                        .zip(places.iter().map(|(_, slot)| *slot))
                        .collect()
                },
            },
            is_kept: path.starts_with('c'),
        };
        let pages = vec![
            page("a.html", Some("2026-05-01"), &["one", "2 two", "one"], &[]),
            page("b/index.html", None, &[], &["3", "three"]),
            page("c%20d.html", Some("2026-05-01T10:00:00Z"), &[], &[]),
        ];
        Ledger::of_pages(
            Some("https://example.com/".into()),
            blocks(&["shared", "shared 7"]).into(),
            pages,
        )
    }

    #[test]
    fn written_and_read_again() {
        let text = ledger().to_string();
        assert_eq!(Ledger::parse(&text).unwrap(), ledger());
        assert_eq!(Ledger::parse(&text.replace('\n', "\r\n")).unwrap(), ledger());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "sitemap-ledger 1");
        assert_eq!(lines[2], "site https://example.com/");
        assert!(lines[5].starts_with("/a.html 2026-05-01 2026-05-01 "), "{text}");
        assert_eq!(
            lines[7],
            "/c%20d.html 2026-05-01T10:00:00Z ?2026-05-01T10:00:00Z ... kept"
        );
    }

    /// Every cut, removal, duplication, swap or change is found.
    #[test]
    fn damage_is_found() {
        let text = ledger().to_string();
        for len in 0..text.len() {
            let error = Ledger::parse(&text[..len]).unwrap_err().to_string();
            assert!(error.ends_with(ADVICE), "{error}");
        }
        let lines: Vec<&str> = text.lines().collect();
        for i in 0..lines.len() {
            for other in 0..lines.len() {
                let mut swapped = lines.clone();
                swapped.swap(i, other);
                assert_eq!(Ledger::parse(&(swapped.join("\n") + "\n")).is_ok(), i == other);
            }
            for count in [0, 2] {
                let damaged: String = (0..lines.len())
                    .flat_map(|line| std::iter::repeat_n(lines[line], if line == i { count } else { 1 }))
                    .flat_map(|line| [line, "\n"])
                    .collect();
                assert!(Ledger::parse(&damaged).is_err());
            }
        }
        for i in 0..text.len() - 1 {
            let mut bytes = text.clone().into_bytes();
            bytes[i] ^= 1;
            assert!(Ledger::parse(&String::from_utf8_lossy(&bytes)).is_err(), "{i}");
        }
    }

    #[test]
    fn what_to_do() {
        for (text, message) in [
            ("", format!("the ledger is empty: {ADVICE}")),
            ("{}", format!("this is not a ledger: {ADVICE}")),
            ("sitemap-ledger 1\n", format!("the ledger is cut off: {ADVICE}")),
            (
                "sitemap-ledger 1\nend 0 0000000000000000\n",
                format!("the ledger was changed, since its last line does not fit the others: {ADVICE}"),
            ),
            (
                "sitemap-ledger 2\nx\n",
                "the ledger is of version 2, and this program reads version 1: use the program that has written it, or a newer one"
                    .to_owned(),
            ),
            (
                "sitemap-ledger 1\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n",
                "line 2 is a mark of a merge conflict: keep one side whole, by `git checkout --ours` or `--theirs` and the name of the \
                 file, and run again; pages that the other side changed have the date of that run"
                    .to_owned(),
            ),
        ] {
            assert_eq!(Ledger::parse(text).unwrap_err().to_string(), message);
        }
    }
}
