//! The shop's pages as HTML.

use std::fmt::Write;

use axum::response::Html;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// Number of links of a list.
pub(crate) const LIST: i64 = 50;

pub(crate) fn home(base: &str) -> Html<String> {
    let base = escaped(base);
    page(
        &base,
        "The shop",
        &format!(
            "<ul><li><a href=\"{base}/products\">Products</a><li><a href=\"{base}/posts\">Posts</a>\
             <li><a href=\"{base}/about\">About us</a><li><a href=\"{base}/terms\">Terms</a>\
             <li><a href=\"{base}/sitemap.xml\">The sitemap</a></ul>"
        ),
    )
}

pub(crate) fn text(base: &str, title: &str, text: &str) -> Html<String> {
    page(&escaped(base), title, &format!("<p>{}</p>", escaped(text)))
}

/// Rows of id, slug and name; the page's address is `path` and the slug.
pub(crate) fn list(base: &str, title: &str, path: &str, rows: &[(i64, String, String)]) -> Html<String> {
    let base = escaped(base);
    let mut body = String::from("<ul>");
    for (_, slug, name) in rows {
        let slug = utf8_percent_encode(slug, NON_ALPHANUMERIC);
        // Writing to a `String` does not fail.
        let _ = write!(body, "<li><a href=\"{base}{path}/{slug}\">{}</a>", escaped(name));
    }
    body.push_str("</ul>");
    if let Some((last, ..)) = rows.last() {
        let _ = write!(body, "<p><a href=\"{base}{path}?after={last}\">More</a></p>");
    }
    page(&base, title, &body)
}

/// `base` and `body` are HTML, `title` is text.
fn page(base: &str, title: &str, body: &str) -> Html<String> {
    let title = escaped(title);
    Html(format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <style>body {{ font: 1.1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem }}</style>\
         <p><a href=\"{base}/\">The shop</a></p><h1>{title}</h1>{body}</html>\n"
    ))
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}
