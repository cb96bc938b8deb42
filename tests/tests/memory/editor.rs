//! The heap that editing needs, for documents that are long before the root or within it.

use std::io::{self, Read};

use sitemap_serde::Editor;

/// The replaceable text before the root, up to 1 MiB, and its copies.
const MOST: u64 = 6 << 20;

/// Repeats a text while it is read.
struct Repeated {
    text: &'static str,
    left: usize,
    done: usize,
}

impl Read for Repeated {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Ok(0);
        }
        let n = (&self.text.as_bytes()[self.done..]).read(into)?;
        self.done += n;
        if self.done == self.text.len() {
            (self.left, self.done) = (self.left - 1, 0);
        }
        Ok(n)
    }
}

#[test]
fn editing_needs_the_same_for_every_document() {
    const MANY: usize = 150_000;
    let repeated = |text, left| Repeated { text, left, done: 0 };
    let comments = |times| repeated("<!-- what is said of a sitemap in many words -->\n", times);
    let entries = |times| repeated("<url><loc>https://example.com/</loc></url>\n", times);
    for (before, count) in [(MANY, 1), (1, MANY)] {
        let root = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n".as_bytes();
        let document = comments(before)
            .chain(root)
            .chain(entries(count))
            .chain("</urlset>".as_bytes());
        let info = allocation_counter::measure(|| {
            let mut editor = Editor::new(document, io::sink());
            let mut found = 0;
            while editor.next_entry().unwrap().is_some() {
                found += 1;
            }
            editor.finish().unwrap();
            assert_eq!(found, count);
        });
        println!("{before}, {count}: {} bytes", info.bytes_max);
        assert!(info.bytes_max < MOST, "{before}, {count}: {}", info.bytes_max);
    }
}
