//! Reports as web pages: each is a single file, without scripts or external resources.
//!
//! Documents are untrusted: all text from them goes through [`text`].
//!
//! `<details>` elements fold, and charts are SVG. A test tokenizes reports on hostile documents and compares their tags with the tags of
//! harmless ones. The numbers for comparison with a later report (`--former`) are JSON in a `<meta>`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use serde_json::Value;

use crate::input::grouped;
use crate::message::{escaped, json_text};

/// Escapes text for an element or an attribute's value. Invisible characters are written out.
pub(crate) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in escaped(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// Formats text with code between backticks.
pub(crate) fn prose(prose: &str) -> String {
    let mut out = String::new();
    for (i, part) in prose.split('`').enumerate() {
        let part = text(part);
        match i % 2 {
            0 => out.push_str(&part),
            _ => out.extend(["<code>", &part, "</code>"]),
        }
    }
    out
}

/// Formats paragraphs of [`prose`].
pub(crate) fn paragraphs(text: &str) -> String {
    let paragraph = |text: &str| format!("<p>{}</p>\n", prose(text));
    text.split("\n\n").map(paragraph).collect()
}

/// Returns a page. `body` is HTML; [`former`] reads `data` back.
pub(crate) fn page(title: &str, data: &Value, body: &str) -> String {
    const STYLE: &str = include_str!("html/report.css");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"{DATA}\" content=\"{data}\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{body}</main>\n</body>\n</html>\n",
        title = text(title),
        data = text(&json_text(data)),
    )
}

/// The name of the `<meta>` element with a report's data.
const DATA: &str = "sitemap-report";

/// Reads the data of an earlier report of this kind.
pub(crate) fn former(path: &Path, kind: &str) -> Result<Value> {
    let shown = path.display();
    let page = fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    let data = || {
        let (_, rest) = page.split_once(&format!("<meta name=\"{DATA}\" content=\""))?;
        let (escaped, _) = rest.split_once('"')?;
        let json = escaped
            .replace("&quot;", "\"")
            .replace("&#39;", "'")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&");
        let data: Value = serde_json::from_str(&json).ok()?;
        (data.get("kind")?.as_str()? == kind).then_some(data)
    };
    data().ok_or_else(|| anyhow!("{shown} is no report of `sitemap {kind} --format html`"))
}

/// Formats the change of a number since an earlier report.
pub(crate) fn change(now: u64, before: Option<u64>) -> String {
    match before {
        Some(before) if now > before => format!("<span class=\"change\">+{}</span>", grouped(now - before)),
        Some(before) if now < before => format!("<span class=\"change\">−{}</span>", grouped(before - now)),
        Some(_) => "<span class=\"change\">±0</span>".to_owned(),
        None => String::new(),
    }
}

/// Writes a number with its unit, such as `page`.
pub(crate) fn figure(out: &mut String, number: u64, unit: &str, before: Option<u64>) {
    let _ = writeln!(
        out,
        "<div><b>{}</b> {}{} {}</div>",
        grouped(number),
        text(unit),
        if number == 1 { "" } else { "s" },
        change(number, before)
    );
}

/// The maximum number of rows in a table of counts.
const MOST_ROWS: usize = 100;

/// Writes a table of names with their counts and a bar each, highest first.
pub(crate) fn counts<'a>(
    out: &mut String,
    heading: &str,
    rows: impl IntoIterator<Item = (&'a str, u64)>,
    other: u64,
) {
    let mut rows: Vec<(&str, u64)> = rows.into_iter().collect();
    if rows.is_empty() {
        return;
    }
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let most = rows.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1);
    let _ = writeln!(out, "<h2>{}</h2>\n<table>", text(heading));
    for (name, count) in rows.iter().take(MOST_ROWS) {
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td class=\"number\">{}</td><td><meter max=\"{most}\" value=\"{count}\"></meter></td></tr>",
            text(name),
            grouped(*count)
        );
    }
    let rest: u64 = rows.iter().skip(MOST_ROWS).map(|(_, count)| *count).sum();
    if rest + other > 0 {
        let _ = writeln!(
            out,
            "<tr><td>others</td><td class=\"number\">{}</td><td></td></tr>",
            grouped(rest + other)
        );
    }
    let _ = writeln!(out, "</table>");
}

/// Writes a column chart, in the order of the names, such as months. Each column has its name and number as a tooltip.
pub(crate) fn columns(out: &mut String, heading: &str, columns: &[(String, u64)]) {
    const HEIGHT: u64 = 100;
    let Some(most) = columns.iter().map(|(_, count)| *count).max() else {
        return;
    };
    let heading = text(heading);
    let _ = writeln!(
        out,
        "<h2>{heading}</h2>\n<div class=\"chart\" style=\"max-width:{}rem\">\n\
         <svg viewBox=\"0 0 {} {HEIGHT}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{heading}\">",
        (columns.len() * 2).max(10),
        columns.len() * 12 - 2
    );
    for (i, (name, count)) in columns.iter().enumerate() {
        // At least one unit, so that small numbers stay visible.
        let tall = (count * HEIGHT).div_ceil(most.max(1));
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"10\" height=\"{tall}\"><title>{}: {}</title></rect>",
            i * 12,
            HEIGHT - tall,
            text(name),
            grouped(*count)
        );
    }
    out.push_str("</svg>\n<p class=\"soft\">");
    for (name, _) in [columns.first(), columns.last()].into_iter().flatten() {
        let _ = write!(out, "<span>{}</span>", text(name));
    }
    out.push_str("</p>\n</div>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_no_markup() {
        assert_eq!(
            text("<script>alert('a & \"b\"')</script>\u{202E}\u{0}é"),
            "&lt;script&gt;alert(&#39;a &amp; &quot;b&quot;&#39;)&lt;/script&gt;\\u{202e}\\u{0}é"
        );
        assert_eq!(
            paragraphs("a `<b>`\n\nc"),
            "<p>a <code>&lt;b&gt;</code></p>\n<p>c</p>\n"
        );
    }

    #[test]
    fn data_is_read_back() {
        let unseen = "\u{202E}\u{200E}\u{2028}\u{85}\u{7F}\u{0}\t\r\n\\u{202e}.xml";
        let data = serde_json::json!({ "kind": "lint", "files": { "a\"'<&amp;>.xml": 1, unseen: 2 } });
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.html");
        fs::write(&path, page("A", &data, "")).unwrap();
        assert_eq!(former(&path, "lint").unwrap(), data);
        assert!(former(&path, "stat").is_err());
        fs::write(&path, "<html>").unwrap();
        assert_eq!(
            former(&path, "lint").unwrap_err().to_string(),
            format!("{} is no report of `sitemap lint --format html`", path.display())
        );
    }
}
