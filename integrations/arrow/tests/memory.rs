//! A million rows, one batch at a time.

use std::io::{self, Read};

use sitemap_arrow::{BatchReaderBuilder, Input};

/// A document that is made while it is read.
struct Endless {
    next: u64,
    most: u64,
    rest: Vec<u8>,
    at: usize,
}

impl Read for Endless {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.at == self.rest.len() {
            self.rest.clear();
            self.at = 0;
            if self.next == 0 {
                self.rest
                    .extend_from_slice(b"<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">");
            } else if self.next <= self.most {
                let entry = format!(
                    "<url><loc>https://example.com/page/{:07}</loc><lastmod>2026-05-01</lastmod></url>",
                    self.next
                );
                self.rest.extend_from_slice(entry.as_bytes());
            } else if self.next == self.most + 1 {
                self.rest.extend_from_slice(b"</urlset>");
            }
            self.next += 1;
        }
        let size = (self.rest.len() - self.at).min(into.len());
        into[..size].copy_from_slice(&self.rest[self.at..self.at + size]);
        self.at += size;
        Ok(size)
    }
}

/// The peak memory of the process in KiB. The kernel counts its pages separately on each processor, so this can be a
/// little lower than before.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn a_million_rows_in_the_memory_of_a_batch() {
    let read = |entries| {
        let document = Endless {
            next: 0,
            most: entries,
            rest: Vec::new(),
            at: 0,
        };
        let reader = BatchReaderBuilder::new().read([Input::reader("endless", document)]);
        let mut largest = 0;
        let rows = reader.map(|batch| {
            let batch = batch.unwrap();
            largest = largest.max(batch.get_array_memory_size());
            batch.num_rows()
        });
        let rows = rows.sum::<usize>();
        (rows, largest)
    };
    read(20_000);
    let before = peak();
    let (rows, largest) = read(1_000_000);
    assert_eq!(rows, 1_000_000);
    assert!(largest < 8 << 20, "{largest}");
    // Other tests run at the same time.
    let after = peak();
    assert!(
        after < before + (100 << 10),
        "{before} KiB with 20,000 rows, {after} KiB with 1,000,000"
    );
}
