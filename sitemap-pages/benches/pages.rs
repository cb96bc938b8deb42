//! Reads a folder of pages of about 20 kB each with all processors. For comparison, html5gum tokenizes them on one.
//!
//! ```text
//! cargo bench -p sitemap-pages                # 20,000 pages
//! cargo bench -p sitemap-pages -- 100000
//! ```
//!
//! On Linux it also prints the processor time, which is independent of other load, and the memory for each page. This is the
//! process's peak after reading, minus the peak before, divided by the number of pages.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Instant;

use html5gum::Tokenizer;
use sitemap_pages::{FolderBuilder, Ledger};

fn main() {
    let count = std::env::args()
        .skip(1)
        .find_map(|argument| argument.parse().ok());
    let count: usize = count.unwrap_or(20_000);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let bytes = write(folder.path(), count);
    println!("{count} pages of {} bytes", bytes / count);

    let time = Time::now();
    let mut tokens = 0;
    for i in 0..count {
        let html = fs::read(path(folder.path(), i)).expect("a page");
        tokens += Tokenizer::new(&html).count();
    }
    println!("html5gum alone, one core: {} ({tokens} tokens)", time.passed());

    let before = peak();
    let mut builder = FolderBuilder::new("https://example.com");
    builder.now("2026-05-01".parse().expect("a date"));
    for run in ["first run", "second run"] {
        let time = Time::now();
        let read = builder.read(folder.path()).expect("a folder");
        println!("{run}: {}", time.passed());
        if let (Some(before), Some(after)) = (before, peak()) {
            println!("memory: {} bytes a page", after.saturating_sub(before) / count);
        }
        let ledger = read.ledger().to_string();
        println!("the ledger has {} bytes a page", ledger.len() / count);
        builder.ledger(Ledger::parse(&ledger).expect("a ledger"));
    }
}

fn path(folder: &Path, page: usize) -> std::path::PathBuf {
    folder.join(format!("{}/page-{page}.html", page % 100))
}

/// Writes the pages, and returns the sum of their sizes.
fn write(folder: &Path, count: usize) -> usize {
    let links: String = (0..60).fold(String::new(), |mut links, i| {
        let _ = writeln!(links, "<li class=\"nav-item\"><a class=\"nav-link\" href=\"/{i}/page-{i}.html\">Page number {i}</a></li>");
        links
    });
    let mut bytes = 0;
    for page in 0..count {
        if page < 100 {
            fs::create_dir_all(folder.join(page.to_string())).expect("a folder");
        }
        let mut html = format!(
            "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n<title>Page {page}</title>\n<link rel=canonical \
             href=https://example.com/{}/page-{page}.html>\n</head>\n<body>\n<nav>\n<ul>\n{links}</ul>\n</nav>\n<main>\n<h1>Page {page}</h1>\n",
            page % 100
        );
        for paragraph in 0..28 {
            let _ = write!(
                html,
                "<p class=\"text\">Paragraph {paragraph} of page {page} says <b>something</b> &amp; more: "
            );
            for i in 0..55 {
                push_word(&mut html, (page * 31 + paragraph * 7 + i * i) % 9973);
            }
            let other = (page * 7 + paragraph * 13) % count;
            let _ = writeln!(
                html,
                "<a href=\"/{}/page-{other}.html\">a link</a>.</p>",
                other % 100
            );
        }
        html.push_str("</main>\n<footer>All rights reserved</footer>\n</body>\n</html>\n");
        bytes += html.len();
        fs::write(path(folder, page), html).expect("a page");
    }
    bytes
}

/// Appends a number as a word of letters. Digits would be the same change on each page.
fn push_word(out: &mut String, mut number: usize) {
    const LETTERS: &[u8; 16] = b"abcdefghiklmnopr";
    while number > 0 {
        out.push(char::from(LETTERS[number % 16]));
        number /= 16;
    }
    out.push(' ');
}

/// The start of a measurement.
struct Time {
    clock: Instant,
    processors: Option<f64>,
}

impl Time {
    fn now() -> Self {
        Time {
            clock: Instant::now(),
            processors: processor_seconds(),
        }
    }

    fn passed(&self) -> String {
        let clock = self.clock.elapsed().as_secs_f64();
        match (self.processors, processor_seconds()) {
            (Some(before), Some(now)) => format!("{clock:.2} s, {:.2} s of processors", now - before),
            _ => format!("{clock:.2} s"),
        }
    }
}

/// Returns the time that all processors have worked for this process. Linux counts it in hundredths of a second.
fn processor_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field)?.parse::<u32>().ok();
    Some(f64::from(ticks(11)? + ticks(12)?) / 100.0)
}

/// Returns the process's peak memory, in bytes.
fn peak() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
