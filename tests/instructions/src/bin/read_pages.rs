//! Makes folders of pages of one kind in two sizes, the second four times the first. Reads each before and after a change, and prints
//! the number of moved pages. `linear.rs` counts the instructions.

use std::fs;
use std::path::Path;

use sitemap_pages::{FolderBuilder, Ledger};

/// The files of a folder of this kind and size. `edit` is in the texts.
fn files(kind: &str, n: usize, edit: &str) -> Vec<(String, String)> {
    let repeat = |text: &str| text.repeat(n);
    let numbered = |write: &dyn Fn(usize) -> String| (0..n).map(write).collect::<String>();
    let pair = |a: String, b: String| vec![("a.html".to_owned(), a), ("b.html".to_owned(), b)];
    let alone = |html: String| vec![("a.html".to_owned(), html)];
    match kind {
        "begin alike" => pair(
            format!("<p>See <a href=b.html>b</a>{}", numbered(&alike)),
            numbered(&|i| alike(n + i) + edit),
        ),
        "begin alike, with an ellipsis" => pair(
            format!("<p>See <a href=b.html>b</a>{}", numbered(&|i| alike(i) + "…")),
            numbered(&|i| alike(n + i) + edit + "…"),
        ),
        "begin alike, with a link" => pair(
            numbered(&|i| alike(i) + "<p><a href=b.html>More</a>"),
            numbered(&|i| alike(n + i) + edit + "<p><a href=a.html>More</a>"),
        ),
        "begin alike, with a link to each" => {
            let list = numbered(&|i| format!("{}…<p><a href=p{i}.html>More</a>", alike(n + i)));
            let page = |i: usize| {
                let next = format!("<p><a href=p{}.html>Next</a>", (i + 1) % n);
                (format!("p{i}.html"), next + &alike(i) + of_third(i, edit))
            };
            (0..n).map(page).chain([("a.html".to_owned(), list)]).collect()
        }
        "pictures" => {
            let pictures = numbered(&|i| format!("<img src={}.png>", word(i)));
            pair(
                format!("<a href=b.html>b</a>{pictures}{}…", alike(0)),
                format!("<a href=a.html>a</a>{pictures}{}{edit}…", alike(1)),
            )
        }
        "excerpts of one page" => pair(
            numbered(&|i| own(i) + "<p><a href=b.html>More</a>"),
            numbered(&|i| own(i) + edit),
        ),
        "excerpts with an ellipsis" => pair(
            numbered(&|i| own(i) + "…<p><a href=b.html>b</a>"),
            numbered(&|i| own(i) + edit),
        ),
        "repeated" => pair(
            numbered(&|i| own(i) + edit + "<p><a href=b.html>b</a>"),
            numbered(&|i| own(i) + edit + "<p><a href=a.html>a</a>"),
        ),
        "one text" => pair(repeat("<p>One text") + edit, repeat("<p>One text")),
        "numbers" => alone(numbered(&|i| format!("<p>Costs {}{i}", edit.len()))),
        "paragraphs" => alone(numbered(&|i| own(i) + edit)),
        "open" => alone(repeat("<div>x")),
        "close" => alone(repeat("</div>")),
        "nested" => alone(repeat("<div>") + &repeat("</div>")),
        "inline" => alone(repeat("<span>") + &repeat("</div>")),
        "paragraphs in cells" => alone(repeat("<p><table><td>") + &repeat("</p>")),
        "cells" => alone(repeat("<table><tr><td>x")),
        "links" => alone(repeat("<a href=/>x")),
        "links to a page" => alone(repeat("Text <a href=/a.html>x</a>")),
        "attributes" => alone(format!("<p {}>", numbered(&|i| format!("a{i}=b ")))),
        "text" => alone(repeat("word ")),
        "metas" => alone(repeat("<meta name=robots content=index>\n")),
        "alternates" => alone(repeat("<link rel=alternate hreflang=en href=/a.html>")),
        "alternates not returned" => pair(
            repeat("<link rel=alternate hreflang=en href=b.html>"),
            repeat("<link rel=alternate hreflang=en href=c.html>"),
        ),
        "redirects" => {
            let rules = numbered(&|i| format!("/old/{i} /older/{i}\n/older/{i} /\n").repeat(3));
            let pages = (0..n / 10).map(|i| (format!("p{i}.html"), own(i) + of_third(i, edit)));
            pages.chain([("_redirects".to_owned(), rules)]).collect()
        }
        "folders" => alone(format!("<a href={}x>", repeat("../"))),
        "script" => alone(format!("<script type=application/ld+json>{}", repeat("["))),
        "scripts" => alone(repeat("<script type=application/ld+json>{}</script>")),
        _ => panic!("no kind `{kind}`"),
    }
}

/// Edits a third of the pages. An edit of most pages would count as a change of the template.
fn of_third(page: usize, edit: &str) -> &str {
    if page.is_multiple_of(3) { edit } else { "" }
}

/// A paragraph that begins like all others.
fn alike(number: usize) -> String {
    format!("<p>What is new in this very long week of ours: {}", word(number))
}

/// A paragraph with a unique start.
fn own(number: usize) -> String {
    format!("<p>{} is what this long paragraph is about", word(number))
}

/// A word of letters, because numbers are masked.
fn word(number: usize) -> String {
    let letters = format!("{number:06}");
    letters.bytes().map(|b| char::from(b - b'0' + b'a')).collect()
}

fn write(folder: &Path, files: &[(String, String)]) {
    fs::create_dir(folder).expect("a folder");
    for (name, html) in files {
        fs::write(folder.join(name), html).expect("a page");
    }
}

/// The number of moved pages.
fn read(before: &Path, after: &Path) -> usize {
    let mut builder = FolderBuilder::new("https://example.com");
    builder.now("2026-05-01".parse().expect("a date"));
    let first = builder.read(before).expect("a folder").ledger().to_string();
    builder
        .now("2026-05-02".parse().expect("a date"))
        .ledger(Ledger::parse(&first).expect("a ledger"));
    let folder = builder.read(after).expect("a folder");
    folder
        .pages()
        .iter()
        .filter(|page| page.lastmod().is_some())
        .count()
}

/// The measured work.
#[inline(never)]
fn measured(before: &Path, after: &Path) -> usize {
    read(before, after)
}

/// The work after the measurement.
#[inline(never)]
fn printed(moved: usize) {
    println!("{moved} moved");
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    for pair in arguments.chunks(2) {
        let [kind, n] = pair else {
            panic!("a kind and a size are expected");
        };
        let n: usize = n.parse().expect("a size");
        for n in [n, 4 * n] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let [before, after] = ["before", "after"].map(|name| folder.path().join(name));
            write(&before, &files(kind, n, ""));
            write(&after, &files(kind, n, " now"));
            let moved = measured(&before, &after);
            printed(moved);
        }
    }
}
