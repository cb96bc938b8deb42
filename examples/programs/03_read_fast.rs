//! One record is reused for all entries, so that reading allocates nothing for each of them.

use std::io::Write;

use sitemap_serde::{Reader, Record, UrlEntry, Writer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut writer = Writer::from_writer(Vec::new());
    for id in 0..50_000 {
        writer.write(&UrlEntry::new(format!("https://example.com/products/{id}")))?;
    }
    let xml = writer.finish()?;

    // From a file: `Reader::from_path("sitemap.xml.gz")`, with the feature `gzip`.
    let mut reader = Reader::from_slice(&xml);
    let mut record = Record::new();
    let (mut entries, mut longest) = (0, 0);
    while reader.read_record(&mut record)? {
        entries += 1;
        longest = longest.max(record.loc().len());
    }
    writeln!(
        std::io::stdout(),
        "{entries} entries, the longest loc has {longest} bytes"
    )?;
    Ok(())
}
