//! Telling CSV from a text sitemap (P-TXT1).
//!
//! A URL may contain commas and semicolons, as in `/@52.5,13.4` and `/0,1518,123,00.html`. So a text is CSV only if every line has the
//! same number of cells after its URL, and each cell is a value of a sitemap. One value must be more than a number, or a header must
//! stand in front of the lines.

use sitemap_values::{ChangeFreq, Priority, W3cDateTime};

use super::is_url;

/// The characters that separate cells. A tab ends a URL anyway, as any white space does.
const SEPARATORS: [char; 2] = [',', ';'];

/// The cells behind the URL of each line of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cells {
    pub(crate) separator: char,
    /// Their number.
    pub(crate) count: usize,
}

/// The cells of the lines, if a text sitemap that begins like this is CSV. Its last line may be incomplete.
pub(crate) fn cells(head: &str) -> Option<Cells> {
    SEPARATORS
        .into_iter()
        .find_map(|separator| cells_by(separator, head))
}

fn cells_by(separator: char, head: &str) -> Option<Cells> {
    let (mut count, mut header, mut is_certain) = (None, None, false);
    for line in head.split_inclusive(['\n', '\r']) {
        let is_whole = line.ends_with(['\n', '\r']);
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let number = line.matches(separator).count();
        if count.is_none() && !is_url(line) {
            header = Some(number);
            continue;
        }
        if !is_whole && count.is_some() {
            break;
        }
        let values = line.split(separator).skip(1).map(unquoted);
        let is_row = is_url(line) && number > 0 && values.clone().all(|value| is_value(value, separator));
        if !is_row || count.is_some_and(|count| count != number) {
            return None;
        }
        // Numbers are parts of paths too, as in `/product,4711`, and a URL may end with the separator.
        is_certain |=
            values.clone().any(|value| !value.is_empty() && !is_number(value)) || header == Some(number);
        count = Some(number);
    }
    let cells = count.map(|count| Cells { separator, count });
    cells.filter(|_| is_certain)
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
        || is_url(cell)
        || W3cDateTime::parse(cell).is_some()
        || W3cDateTime::repair(cell).is_some()
        || ChangeFreq::parse(&cell.to_ascii_lowercase()).is_some()
        || is_priority(cell)
        // Programs that separate columns by semicolons write decimals with a comma.
        || separator != ',' && is_priority(&cell.replace(',', "."))
}

fn is_number(cell: &str) -> bool {
    !cell.is_empty() && cell.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{Cells, cells};

    /// Each text with the separator and the number of cells behind each URL.
    #[test]
    fn tables_and_texts() {
        let (a, b) = ("https://example.com/a", "https://example.com/b");
        for (text, found) in [
            (format!("{a},2026-05-01\n{b},2026-05-02\n"), Some((',', 1))),
            (format!("{a},2026-05-01\r\n\r\n{b},2026-05-02"), Some((',', 1))),
            (format!("{a};2026-05-01;;0,8\n{b};;Daily;1\n"), Some((';', 3))),
            (format!("{a},2026-05-01T10:00:00Z,daily,0.8\n"), Some((',', 3))),
            (format!("{a},\"2026-05-01\"\n"), Some((',', 1))),
            (format!("{a}, 2026-05-01 10:00:00\n"), Some((',', 1))),
            (format!("{a},,,\n{b},,,0.5\n"), Some((',', 3))),
            (format!("loc,,,\n{a},,,\n{b},,,\n"), Some((',', 3))),
            (format!("{a},{b}\n{b},{a}\n"), Some((',', 1))),
            (format!("url,date\n{a},2026\n{b},2025\n"), Some((',', 1))),
            (format!("pages of the site\n{a},2026-05-01\n"), Some((',', 1))),
            // The last line may be cut off.
            (format!("{a},2026-05-01\n{b},2026-0"), Some((',', 1))),
            (format!("{a},2026-05-01\n{b}"), Some((',', 1))),
            // URLs.
            (format!("{a}\n{b}\n"), None),
            (format!("{a},\n{b},\n"), None),
            (format!("{a},,,\n{b},,,\n"), None),
            (format!("{a};1\n{b};\n"), None),
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
            // Lines of different kinds.
            (format!("{a},2026-05-01\n{b}\n"), None),
            (format!("{a},2026-05-01\n{b},2026-05-01,daily\n"), None),
            (format!("{a},2026-05-01\nabout\n"), None),
            (format!("{a},2026-05-01\n{b},new\n"), None),
            (String::new(), None),
        ] {
            let found = found.map(|(separator, count)| Cells { separator, count });
            assert_eq!(cells(&text), found, "{text:?}");
        }
    }
}
