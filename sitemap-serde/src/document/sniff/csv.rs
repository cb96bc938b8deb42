//! Distinguishes CSV from a text sitemap (P-TXT1).
//!
//! A URL may contain commas and semicolons, as in `/@52.5,13.4`, `/0,1518,123,00.html` and `/news;2026-05-01`. A text whose lines are all
//! URLs is therefore a text sitemap, unless a first line names its columns. In other texts, a line is a row if a value of a sitemap follows
//! its URL that is more than a number, or if all cells are such values and the lines have a header. A text is CSV if its lines are rows: all
//! but one, or at least three of four, since tables have gaps.

use sitemap_values::{ChangeFreq, Priority, W3cDateTime};

use super::is_url;

/// The characters that separate cells. A tab ends a URL anyway, as any white space does.
const SEPARATORS: [char; 2] = [',', ';'];

/// The cells after the URLs of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cells {
    pub(crate) separator: char,
    /// The number of cells, if all lines have the same number.
    pub(crate) count: Option<usize>,
}

/// The cells of the lines, if a text sitemap that begins like this is CSV. Its last line may be incomplete.
pub(crate) fn cells(head: &str) -> Option<Cells> {
    let mut lines = head
        .split(['\n', '\r'])
        .map(str::trim)
        .filter(|line| !line.is_empty());
    if lines.all(is_whole_url) {
        return None;
    }
    SEPARATORS
        .into_iter()
        .find_map(|separator| cells_by(separator, head))
}

fn cells_by(separator: char, head: &str) -> Option<Cells> {
    let (mut lines, mut rows) = (0, 0);
    let (mut count, mut is_even, mut header) = (None, true, None);
    for line in head.split_inclusive(['\n', '\r']) {
        let is_whole = line.ends_with(['\n', '\r']);
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let number = line.matches(separator).count();
        if lines == 0 && !is_url(line) {
            header = Some(number);
            continue;
        }
        if !is_whole && lines > 0 {
            break;
        }
        lines += 1;
        rows += usize::from(is_url(line) && number > 0 && is_row(line, separator, header == Some(number)));
        is_even &= *count.get_or_insert(number) == number;
    }
    let others: usize = lines - rows;
    let count = count.filter(|_| is_even);
    (rows > 0 && (others <= 1 || others * 3 <= rows)).then_some(Cells { separator, count })
}

/// Returns `true` if a line is a URL, and has no character that ends one.
fn is_whole_url(line: &str) -> bool {
    is_url(line)
        && !line.contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | '<' | '>'))
}

/// Returns `true` if a value of a sitemap that is not part of the URL follows the URL of a line. Numbers are parts of paths, as in
/// `/product,4711`, and a URL may end with the separator.
fn is_row(line: &str, separator: char, has_header: bool) -> bool {
    let values = line.split(separator).skip(1).map(unquoted);
    let is_more = |value: &str| !value.is_empty() && !is_number(value);
    let are_values = values.clone().all(|value| is_value(value, separator));
    are_values && (has_header || values.clone().any(is_more)) || values.clone().any(is_certain)
}

/// Returns `true` if a cell is a whole date, a change frequency or a URL.
fn is_certain(cell: &str) -> bool {
    is_url(cell)
        || ChangeFreq::parse(&cell.to_ascii_lowercase()).is_some()
        || cell.len() >= "2026-5-1".len()
            && (W3cDateTime::parse(cell).is_some() || W3cDateTime::repair(cell).is_some() || is_date(cell))
}

/// Returns `true` if a cell begins with a day, a month and a year, in any order, as in `01.05.2026 10:00`.
fn is_date(cell: &str) -> bool {
    let date = cell.split([' ', 'T']).next().unwrap_or_default();
    let parts: Vec<_> = date.split(['.', '/', '-']).collect();
    let is_part = |part: &&str| part.bytes().all(|b| b.is_ascii_digit()) && matches!(part.len(), 1 | 2 | 4);
    let years = parts.iter().filter(|part| part.len() == 4).count();
    parts.len() == 3
        && parts.iter().all(is_part)
        && years == 1
        && parts.get(1).is_some_and(|part| part.len() < 3)
}

fn unquoted(cell: &str) -> &str {
    let cell = cell.trim();
    let inner = cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"'));
    inner.unwrap_or(cell).trim()
}

/// Returns `true` if a cell is empty, or has a value of a sitemap.
fn is_value(cell: &str, separator: char) -> bool {
    let is_priority = |text: &str| Priority::parse(text).is_some();
    cell.is_empty()
        || is_certain(cell)
        || W3cDateTime::parse(cell).is_some()
        || is_priority(cell)
        // Programs that separate columns by semicolons write decimals with a comma.
        || separator != ',' && is_priority(&cell.replace(',', "."))
}

fn is_number(cell: &str) -> bool {
    !cell.is_empty() && cell.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{Cells, cells, is_whole_url};

    /// Each text with the separator and the number of cells after each URL.
    #[test]
    fn tables_and_texts() {
        let (a, b) = ("https://example.com/a", "https://example.com/b");
        for (text, found) in [
            (format!("{a},2026-05-01\n{b},2026-05-02\n"), Some((',', Some(1)))),
            (
                format!("{a},2026-05-01\r\n\r\n{b},2026-05-02"),
                Some((',', Some(1))),
            ),
            (
                format!("{a};2026-05-01;;0,8\n{b};;Daily;1\n"),
                Some((';', Some(3))),
            ),
            (
                format!("{a},2026-05-01T10:00:00Z,daily,0.8\n"),
                Some((',', Some(3))),
            ),
            (format!("{a},\"2026-05-01\"\n"), Some((',', Some(1)))),
            (format!("{a}, 2026-05-01 10:00:00\n"), Some((',', Some(1)))),
            (format!("{a},,,\n{b},,,0.5\n"), Some((',', Some(3)))),
            (format!("loc,,,\n{a},,,\n{b},,,\n"), Some((',', Some(3)))),
            (format!("{a},{b}\n{b},{a}\n"), Some((',', Some(1)))),
            (format!("url,date\n{a},2026\n{b},2025\n"), Some((',', Some(1)))),
            (
                format!("pages of the site\n{a},2026-05-01\n"),
                Some((',', Some(1))),
            ),
            // Handwritten dates, and words next to values.
            (
                format!("{a};01.05.2026\n{b};1.5.2026 10:00\n"),
                Some((';', Some(1))),
            ),
            (format!("{a},05/01/2026\n"), Some((',', Some(1)))),
            (
                format!("{a},Lamp,2026-05-01\n{b},Chair,2026-05-02\n"),
                Some((',', Some(2))),
            ),
            (format!("{a},daily,high\n{b},weekly,low\n"), Some((',', Some(2)))),
            // A line may lack its cells, or have others.
            (format!("{a},2026-05-01\n{b}\n"), Some((',', None))),
            (format!("{a}\n{b},2026-05-01\n"), Some((',', None))),
            (
                format!("{a},2026-05-01\n{b},2026-05-01,daily\n"),
                Some((',', None)),
            ),
            (format!("{a},2026-05-01\nabout\n"), Some((',', None))),
            (format!("{a},2026-05-01\n{b},new\n"), Some((',', Some(1)))),
            // The last line may be truncated.
            (format!("{a},2026-05-01\n{b},2026-0"), Some((',', Some(1)))),
            (format!("{a},2026-05-01\n{b}"), Some((',', Some(1)))),
            // URLs.
            (format!("{a}\n{b}\n"), None),
            (format!("{a},\n{b},\n"), None),
            (format!("{a},,,\n{b},,,\n"), None),
            (format!("{a};1\n{b};\n"), None),
            (format!("{a},lamp\n{b},chair\n"), None),
            (format!("{a};1.5.26\n{b};1.2.3\n"), None),
            ("https://example.com/@52.5,13.4\n".to_owned(), None),
            ("https://example.com/0,1518,123,00.html\n".to_owned(), None),
            (
                "https://example.com/product,4711\nhttps://example.com/product,4712\n".to_owned(),
                None,
            ),
            (
                "https://example.com/page,1\nhttps://example.com/page,0\n".to_owned(),
                None,
            ),
            ("https://example.com/?a=1;b=2\n".to_owned(), None),
            // One URL in many that looks like a row.
            (format!("{a}\n{b}\n{b},daily\n{a}\n"), None),
            (String::new(), None),
        ] {
            let found = found.map(|(separator, count)| Cells { separator, count });
            let with_header = format!("first line\n{text}");
            assert_eq!(cells(&with_header), found, "{text:?}");
            // If every line is a URL, this is no table.
            let found = found.filter(|_| {
                !text
                    .split(['\r', '\n'])
                    .filter(|line| !line.is_empty())
                    .all(is_whole_url)
            });
            assert_eq!(cells(&text), found, "{text:?}");
        }
    }

    /// Mixes of rows and other lines: three of four lines are rows, or all but one.
    #[test]
    fn most_lines_are_rows() {
        for rows in 0..12 {
            for others in 0..12 {
                let text = "pages\n".to_owned()
                    + &"https://example.com/a,2026-05-01\n".repeat(rows)
                    + &"https://example.com/b\n".repeat(others);
                let is_table = rows > 0 && (others <= 1 || rows >= 3 * others);
                assert_eq!(cells(&text).is_some(), is_table, "{rows} {others}");
            }
        }
    }
}
