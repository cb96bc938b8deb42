//! A malformed and truncated sitemap is read as far as possible, with a report of its problems.

use sitemap_serde::{Mode, Reader, ReaderBuilder};

const XML: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://example.com/?a=1&b=2</loc></url>
  <url><loc>https://example.com/last</loc><lastm"#;

fn main() -> sitemap_serde::Result<()> {
    let strict = Reader::from_str(XML).entries().find_map(Result::err);
    println!(
        "strict: {}",
        strict.map_or(String::new(), |error| error.to_string())
    );

    let mut reader = ReaderBuilder::new().mode(Mode::Lenient).from_str(XML);
    for entry in reader.entries() {
        println!("{}", entry?.loc);
    }
    for diagnostic in reader.diagnostics() {
        println!("{diagnostic}");
    }
    Ok(())
}
