//! Some entries change, and every other byte of the document stays.

use sitemap_serde::{UrlEntry, WriterBuilder};

const XML: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <!-- by hand -->
  <url>
    <loc>https://example.com/</loc>
    <lastmod>2025-01-01</lastmod> <!-- the home page -->
  </url>
  <url>
    <loc>https://example.com/old</loc>
  </url>
</urlset>
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut editor = WriterBuilder::new()
        .base("https://example.com")
        .editor(XML.as_bytes(), Vec::new());
    while let Some(mut entry) = editor.next_entry()? {
        match entry.loc() {
            "https://example.com/old" => entry.delete(),
            _ => entry.set("lastmod", "2026-05-06")?,
        }
    }
    editor.add(&UrlEntry::new("/new"))?;
    print!("{}", String::from_utf8(editor.finish()?)?);
    Ok(())
}
