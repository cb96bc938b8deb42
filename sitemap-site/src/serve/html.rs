//! The index as an HTML page.

use std::fmt::Write;

use super::Inner;
use super::index::lastmod;

/// A page with a table of the parts: links, counts, dates.
pub(super) fn page(site: &Inner) -> String {
    let mut rows = String::new();
    let (mut parts, mut urls) = (0_u64, 0_u64);
    for section in &site.sections {
        for (span, row) in section.table.lock().listed() {
            let name = section.part_name(&span);
            // The number of rows, until the part has been rendered.
            let entries = row.entries.unwrap_or(row.rows);
            let date = lastmod(row).map(|date| date.to_string()).unwrap_or_default();
            parts += 1;
            urls = urls.saturating_add(entries);
            // Writing to a `String` does not fail. Only the base can contain characters with a meaning in HTML.
            let _ = writeln!(
                rows,
                "<tr><td><a href=\"{}/{name}\">{name}</a><td class=\"n\">{}<td>{date}",
                escaped(&site.base),
                grouped(entries),
            );
        }
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Sitemap of {base}</title>\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"robots\" content=\"noindex\">\n\
         <style>\n:root {{ color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }}\n\
         body {{ max-width: 60rem; margin: 2rem auto; padding: 0 1rem }}\n\
         table {{ width: 100%; border-collapse: collapse }}\n\
         th, td {{ padding: .3rem .6rem; text-align: start; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); \
         overflow-wrap: anywhere }}\n\
         .n {{ text-align: end; font-variant-numeric: tabular-nums }}\n</style>\n\
         <h1>Sitemap of {base}</h1>\n<p>{parts} {noun}, {urls} pages. <a href=\"{base}/sitemap.xml\">sitemap.xml</a></p>\n\
         <table>\n<tr><th>Sitemap<th class=\"n\">Pages<th>Last changed\n{rows}</table>\n</html>\n",
        base = escaped(&site.base),
        parts = grouped(parts),
        noun = if parts == 1 { "sitemap" } else { "sitemaps" },
        urls = grouped(urls),
    )
}

/// `1,234,567`
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }
}
