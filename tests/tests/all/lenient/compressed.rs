//! Documents that can be decompressed or read only up to some position: everything before it is read.

use std::io::{self, Read, Write};

use flate2::{Compression, Decompress, FlushDecompress, Status};
use sitemap_serde::{ErrorKind, Mode, ReaderBuilder};
use sitemap_tests::{CORE, Chunks, Random, Trickle, rounds, sample};

/// The locs, and the error that ended the reading; then the diagnostics, and the byte of the one about the damage.
#[derive(Debug, PartialEq)]
struct Found {
    locs: Vec<String>,
    error: Option<(ErrorKind, String)>,
    told: Vec<String>,
    damaged_at: Option<u64>,
}

fn found(input: impl Read) -> Found {
    let mut builder = ReaderBuilder::new();
    let mut reader = builder.mode(Mode::Lenient).from_reader(input);
    let (mut locs, mut error) = (Vec::new(), None);
    for entry in reader.entries() {
        assert_eq!(error, None);
        match entry {
            Ok(entry) => locs.push(entry.loc),
            Err(told) => error = Some((told.kind(), told.to_string())),
        }
    }
    let is_damage = |message: &str| {
        [
            "the compressed ",
            "the checksum of the compressed ",
            "cannot read the sitemap: ",
        ]
        .iter()
        .any(|start| message.starts_with(start))
    };
    let mut told = Vec::new();
    let mut damaged_at = None;
    for diagnostic in reader.diagnostics() {
        if is_damage(diagnostic.message()) {
            assert_eq!(damaged_at, None, "told twice");
            // A wrong checksum has no position.
            damaged_at = Some(diagnostic.position().map_or(0, |position| position.byte()));
        } else {
            told.push(diagnostic.to_string());
        }
    }
    Found {
        locs,
        error,
        told,
        damaged_at,
    }
}

/// Documents of all formats that cover every construct of the scanner.
fn documents() -> Vec<String> {
    let entries = |from: usize, to: usize| -> String {
        let entry = |i| {
            format!(
                "  <url>\n    <loc>https://example.com/é{i}?a=1&amp;b</loc>\n    <lastmod>2024-05-0{i}</lastmod>\n  </url>\n"
            )
        };
        (from..to).map(entry).collect()
    };
    let xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- made -- by hand -->\n<urlset xmlns=\"{CORE}\">\n{}<!-- a -- b -->\
         <url><loc><![CDATA[https://example.com/3]]></loc><image:image a=b/></url><url><loc>https://example.com/?a&b</loc>\n\
         <?x y?></url>\n{}</urlset>\n<!-- end -->\n\n",
        entries(0, 3),
        entries(4, 7)
    );
    let doctype = format!(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE urlset [<!ENTITY site \"https://example.com\">]>\n<urlset xmlns=\"{CORE}\">\n\
         <url><loc>&site;/1</loc></url>\n<url><loc>https://example.com/2</loc></url>\n</urlset>\n"
    );
    let text = "https://example.com/1\n\nhttps://example.com/é2\r\nhttps://example.com/3\n".to_owned();
    let rss = "<rss version=\"2.0\"><channel><title>x</title>\n<item><link>https://example.com/1</link></item>\n \
               <item><title>a & b</title><link>https://example.com/2</link></item>\n</channel></rss>\n";
    let atom = "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<entry><link href=\"https://example.com/1\"/></entry>\n \
                <entry><link href=\"https://example.com/2\"/><id>x</id></entry></feed>\n";
    vec![xml, doctype, text, rss.to_owned(), atom.to_owned()]
}

/// A gzip file with an invalid deflate block after `text`, so that exactly the text can be decompressed.
fn damaged_behind(text: &[u8]) -> Vec<u8> {
    let mut file = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF];
    for block in text.chunks(0xFFFF) {
        let len = u16::try_from(block.len()).unwrap();
        file.push(0);
        file.extend(len.to_le_bytes());
        file.extend((!len).to_le_bytes());
        file.extend(block);
    }
    file.extend([0b110, 0, 0, 0, 0]);
    file
}

/// A reader that fails after its text.
struct Failing<'t>(&'t [u8], io::ErrorKind);

impl Read for Failing<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            return Err(io::Error::new(self.1, "out of order"));
        }
        let len = into.len().min(7);
        self.0.read(&mut into[..len])
    }
}

/// The text before the damage is read as a document that ends there. The damage is reported once, at its position, instead of the
/// early end, in any state of the scanner.
#[test]
fn damage_behind_every_byte() {
    for document in documents() {
        for cut in sample(0..=document.len()) {
            let part = &document.as_bytes()[..cut];
            // The rest of a truncated line is not an entry.
            let lines = match part.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')) {
                _ if !document.starts_with("https://") => part,
                Some(end) => &part[..=end],
                None => &[],
            };
            let plain = found(lines);
            let damaged = damaged_behind(part);
            for (how, damaged) in [
                ("gzip", found(&damaged[..])),
                ("gzip in pieces", found(Trickle::new(&damaged))),
                ("invalid data", found(Failing(part, io::ErrorKind::InvalidData))),
                ("invalid input", found(Failing(part, io::ErrorKind::InvalidInput))),
                ("cut off", found(Failing(part, io::ErrorKind::UnexpectedEof))),
            ] {
                let shown = format!("{how}: {}‸", String::from_utf8_lossy(part));
                assert_eq!(damaged.locs, plain.locs, "{shown}");
                if let Some((_, message)) = &damaged.error {
                    // There is no root, and the damage explains it, unless something else does.
                    assert!(plain.error.is_some(), "{shown}: {message}");
                    continue;
                }
                assert!(damaged.damaged_at.is_some(), "{shown}: {damaged:?}");
                let is_end = |told: &&String| !told.contains("the document ends ");
                // If a line is cut off within a character, the bytes of the character are reported.
                if lines.len() < part.len() && std::str::from_utf8(part).is_err() {
                    continue;
                }
                assert!(
                    damaged.told.iter().eq(plain.told.iter().filter(is_end)),
                    "{shown}: {:#?}\n{:#?}",
                    damaged.told,
                    plain.told
                );
            }
        }
    }
}

/// Other failures of a reader may be temporary, so they are errors, in any state of the scanner.
#[test]
fn a_failing_reader_is_an_error_behind_every_byte() {
    for document in documents() {
        for cut in 0..=document.len() {
            let part = &document.as_bytes()[..cut];
            let shown = String::from_utf8_lossy(part);
            let failed = found(Failing(part, io::ErrorKind::ConnectionReset));
            let (kind, message) = failed.error.unwrap_or_else(|| panic!("{shown}‸ is no error"));
            assert!(
                kind == ErrorKind::Io && message.starts_with("cannot read the sitemap: out of order"),
                "{shown}‸: {message}"
            );
        }
    }
}

#[test]
fn messages_of_damage() {
    let document = format!(
        "<urlset xmlns=\"{CORE}\">\n  <url><loc>https://example.com/1</loc></url>\n  <url><loc>https://example.com/2</loc></url>\n</urlset>\n"
    );
    let told = |input: &mut dyn Read| {
        let mut builder = ReaderBuilder::new();
        let mut reader = builder.mode(Mode::Lenient).from_reader(input);
        let count = reader.entries().map(Result::unwrap).count();
        let diagnostics = reader.diagnostics();
        assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
        (count, diagnostics[0].to_string())
    };
    let mut whole = flate2::write::GzEncoder::new(Vec::new(), Compression::default());
    whole.write_all(document.as_bytes()).unwrap();
    let mut whole = whole.finish().unwrap();
    let checksum = whole.len() - 8;
    whole[checksum] ^= 1;
    assert_eq!(
        told(&mut &whole[..]),
        (
            2,
            "error[P-GZIP]: the checksum of the compressed document is wrong: any part of it may be damaged (P-GZIP); get a new copy"
                .to_owned()
        )
    );
    // In the white space between two entries.
    let between = document.find("<url>").unwrap() - 1;
    assert_eq!(
        told(&mut &damaged_behind(&document.as_bytes()[..between])[..]),
        (
            0,
            "error[P-GZIP]: the compressed document is damaged from here on: corrupt deflate stream (P-GZIP); get a new copy, \
             at line 2, column 2 (byte 62)"
                .to_owned()
        )
    );
    let second = document.rfind("  <url>").unwrap() + 1;
    assert_eq!(
        told(&mut Failing(
            &document.as_bytes()[..second],
            io::ErrorKind::InvalidData
        )),
        (
            1,
            "error[XML]: cannot read the sitemap: out of order, at line 3, column 2 (byte 108)".to_owned()
        )
    );
}

/// The text up to the last position that can be decompressed, and `true` if that is the end of a valid file.
fn decompressed(file: &[u8]) -> (Vec<u8>, bool) {
    // flate2's encoder writes no header fields of variable length, but may set the flag for text (RFC 1952 section 2.3).
    let is_usual = |data: &&[u8]| !data.is_empty() && matches!(file[..4], [0x1F, 0x8B, 8, 0 | 1]);
    let Some(data) = file.get(10..).filter(is_usual) else {
        return (Vec::new(), false);
    };
    let (mut text, mut decompress) = (Vec::new(), Decompress::new(false));
    for i in 0..data.len() {
        text.reserve(1 << 16);
        match decompress.decompress_vec(&data[i..=i], &mut text, FlushDecompress::Sync) {
            Ok(Status::Ok | Status::BufError) => {}
            Ok(Status::StreamEnd) => {
                // Zeros after the footer are padding.
                let end = &data[i + 1..];
                let (footer, padding) = end.split_at(end.len().min(8));
                let sum = crc32(&text).to_le_bytes();
                let len = u32::try_from(text.len()).unwrap().to_le_bytes();
                let is_valid = footer == [sum, len].concat() && padding.iter().all(|b| *b == 0);
                return (text, is_valid);
            }
            Err(_) => return (text, false),
        }
    }
    (text, false)
}

/// RFC 1952 section 8.
fn crc32(text: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(text);
    crc.sum()
}

/// Randomly damaged files: every whole entry of the decompressible text is read, and the damage is reported.
#[test]
fn files_damaged_at_random() {
    let mut random = Random::new(0x677a_6970);
    let (mut read, mut damaged) = (0, 0);
    for round in 0..rounds(300) {
        // The text varies, so that the file is long enough to be damaged anywhere.
        let name =
            |random: &mut Random| format!("{:x}-{:x}", random.below(usize::MAX), random.below(1 << 20));
        let locs: Vec<String> = (0..5 + random.below(60))
            .map(|i| format!("https://example.com/{i}/{}", name(&mut random)))
            .collect();
        let all = |entry: &dyn Fn(&String) -> String| locs.iter().map(entry).collect::<String>();
        let document = match round % 4 {
            0 => format!(
                "<urlset xmlns=\"{CORE}\">\n{}</urlset>\n",
                all(&|loc| format!("  <url>\n    <loc>{loc}</loc>\n  </url>\n"))
            ),
            1 => all(&|loc| format!("{loc}\n")),
            2 => format!(
                "<rss version=\"2.0\"><channel>\n{}</channel></rss>",
                all(&|loc| format!("<item><title>x</title><link>{loc}</link></item>\n"))
            ),
            _ => format!(
                "<feed xmlns=\"http://www.w3.org/2005/Atom\">{}</feed>",
                all(&|loc| format!(" <entry><link href=\"{loc}\"/></entry>\n"))
            ),
        };
        let end = ["</url>\n", "\n", "</item>\n", "</entry>\n"][round % 4];
        let level = Compression::new(u32::try_from(random.below(10)).unwrap());
        let mut file = flate2::write::GzEncoder::new(Vec::new(), level);
        file.write_all(document.as_bytes()).unwrap();
        let mut file = file.finish().unwrap();
        // The first two bytes identify gzip.
        let at = 2 + random.below(file.len() - 2);
        let footer = file.len() - 8;
        match random.below(5) {
            0 => file[at] ^= 1 << random.below(8),
            1 => file.truncate(at),
            2 => file[footer + random.below(8)] ^= 1 << random.below(8),
            3 => drop(file.drain(at..at + (file.len() - at).min(1 + random.below(40)))),
            _ => drop(file.splice(at..at, [0; 3])),
        }
        let (text, is_valid) = decompressed(&file);
        let whole: Vec<&String> = match text.iter().zip(document.as_bytes()).position(|(a, b)| a != b) {
            None => {
                let count = String::from_utf8_lossy(&text).matches(end).count();
                locs.iter().take(count).collect()
            }
            // The text is wrong before the damage is noticed, so only the report of the damage is checked.
            Some(_) => Vec::new(),
        };
        for found in [found(&file[..]), found(Chunks::new(&file, 1 + random.below(400)))] {
            let missing = whole.iter().find(|loc| !found.locs.contains(loc));
            assert_eq!(missing, None, "round {round}: {found:?}");
            assert!(
                is_valid || found.error.is_some() || found.damaged_at.is_some(),
                "round {round}: {found:?}"
            );
        }
        read += whole.len();
        damaged += usize::from(!is_valid);
    }
    assert!(read > rounds(2_500) && damaged > rounds(250), "{read}, {damaged}");
}
