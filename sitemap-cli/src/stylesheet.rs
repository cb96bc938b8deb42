//! The stylesheets of a document.

use std::io::{self, BufRead, BufReader, Write};

use crate::formats::Decoded;
use crate::input::Input;

/// The stylesheets named in a document.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Stylesheets {
    /// The contents of the instructions before the root, which are written unchanged.
    pub(crate) kept: Vec<String>,
    /// The number of other instructions.
    pub(crate) others: u64,
}

impl Stylesheets {
    /// Reads the stylesheets of a document. Read errors are reported when its entries are read.
    pub(crate) fn of(input: &Input) -> Self {
        match input.open_any() {
            Ok(opened) => instructions(BufReader::new(Decoded::new(opened))),
            Err(_) => Stylesheets::default(),
        }
    }

    /// Returns the number of stylesheets.
    pub(crate) fn count(&self) -> u64 {
        self.others + self.kept.len() as u64
    }

    fn push(&mut self, instruction: &[u8]) {
        let Some(content) = content(instruction) else {
            return;
        };
        match std::str::from_utf8(content) {
            Ok(text)
                if instruction.len() < MOST
                    && self.kept.len() < MOST_KEPT
                    && text.chars().all(is_xml_char) =>
            {
                self.kept.push(text.to_owned());
            }
            _ => self.others += 1,
        }
    }
}

/// Returns the text after the name of an `xml-stylesheet` instruction; `None` for another instruction.
fn content(instruction: &[u8]) -> Option<&[u8]> {
    let content = instruction.strip_prefix(b"xml-stylesheet")?;
    content.first()?.is_ascii_whitespace().then_some(content)
}

fn is_xml_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
        && !matches!(c, '\u{7F}'..='\u{9F}' | '\u{FFFD}')
}

/// Writes a document, with stylesheets after its declaration.
#[derive(Debug)]
pub(crate) struct Styled<W> {
    out: W,
    /// The instructions, until they are written.
    styles: Vec<String>,
    /// The part of the declaration written so far.
    start: Vec<u8>,
}

impl<W: Write> Styled<W> {
    pub(crate) fn new(out: W, styles: &[String]) -> Self {
        Styled {
            out,
            styles: styles.to_vec(),
            start: Vec::new(),
        }
    }
}

impl<W: Write> Write for Styled<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.styles.is_empty() {
            return self.out.write(bytes);
        }
        self.start.extend(bytes);
        let end = self.start.windows(2).position(|window| window == b"?>");
        if let Some(end) = end.map(|end| end + 2) {
            let (declaration, rest) = self.start.split_at(end);
            self.out.write_all(declaration)?;
            for style in self.styles.drain(..) {
                write!(self.out, "\n<?xml-stylesheet{style}?>")?;
            }
            self.out.write_all(rest)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The `xml-stylesheet` instructions of a document (Associating Style Sheets with XML documents).
fn instructions(document: impl BufRead) -> Stylesheets {
    let mut instructions = Instructions {
        document,
        found: Stylesheets::default(),
        is_prolog: true,
    };
    instructions.read();
    instructions.found
}

/// Finds instructions, even in malformed documents.
struct Instructions<R> {
    document: R,
    found: Stylesheets,
    /// `true` before the root.
    is_prolog: bool,
}

/// The maximum number of bytes of an instruction to inspect, and of instructions to keep.
const MOST: usize = 16 << 10;
const MOST_KEPT: usize = 1000;

/// The maximum number of bytes of the root's name to inspect.
const MOST_NAME: usize = 64;

impl<R: BufRead> Instructions<R> {
    /// Reads the document. `None` at its end, or after a read error.
    fn read(&mut self) -> Option<()> {
        loop {
            if self.is_prolog {
                match self.next()? {
                    byte if byte.is_ascii_whitespace() => continue,
                    b'<' => {}
                    _ => {
                        self.is_prolog = false;
                        continue;
                    }
                }
            } else {
                self.document.skip_until(b'<').ok()?;
            }
            match self.next()? {
                b'?' => self.instruction()?,
                b'!' => self.declaration()?,
                first if std::mem::take(&mut self.is_prolog) => self.root(first)?,
                _ => {}
            }
        }
    }

    /// Reads the name of the root, from its first byte. Stylesheets of a feed do not fit a sitemap.
    fn root(&mut self, first: u8) -> Option<()> {
        let mut name = vec![first];
        while name.len() < MOST_NAME {
            match self.next()? {
                byte if byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/') => break,
                byte => name.push(byte),
            }
        }
        let local = name.rsplit(|byte| *byte == b':').next().unwrap_or_default();
        if matches!(local, b"rss" | b"RDF" | b"feed") {
            self.found.others += std::mem::take(&mut self.found.kept).len() as u64;
        }
        Some(())
    }

    fn next(&mut self) -> Option<u8> {
        let byte = *self.document.fill_buf().ok()?.first()?;
        self.document.consume(1);
        Some(byte)
    }

    fn instruction(&mut self) -> Option<()> {
        let text = self.until(b"?>")?;
        if self.is_prolog {
            self.found.push(&text);
        } else {
            self.found.others += u64::from(content(&text).is_some());
        }
        Some(())
    }

    /// Reads a comment, a CDATA section, or a DOCTYPE with its internal subset.
    fn declaration(&mut self) -> Option<()> {
        let mut is_subset = false;
        let mut before = [b'<', b'!'];
        loop {
            let byte = self.next()?;
            match byte {
                b'-' if before == *b"!-" => {
                    self.until(b"-->")?;
                    if !is_subset {
                        return Some(());
                    }
                }
                b'[' if before == *b"<!" => return self.until(b"]]>").map(drop),
                b'>' if !is_subset => return Some(()),
                // Only a DOCTYPE has these, and it precedes the root.
                _ if !self.is_prolog => {}
                b'?' if is_subset && before[1] == b'<' => drop(self.until(b"?>")?),
                b'"' | b'\'' => drop(self.until(&[byte])?),
                b'[' => is_subset = true,
                b']' => is_subset = false,
                _ => {}
            }
            before = [before[1], byte];
        }
    }

    /// Reads up to an end, and returns the first bytes.
    fn until(&mut self, end: &[u8]) -> Option<Vec<u8>> {
        let (mut text, mut last) = (Vec::new(), Vec::new());
        loop {
            last.push(self.next()?);
            if last.len() > end.len() {
                let byte = last.remove(0);
                if text.len() < MOST {
                    text.push(byte);
                }
            }
            if last == end {
                return Some(text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::{Styled, Stylesheets, instructions};

    /// Finds the instructions before the root, among any other content, and counts the others.
    #[test]
    fn instructions_of_every_document() {
        let long = format!(
            "<!--{}-->",
            "<?xml-stylesheet href='/no.css'?> it's a - comment -- ".repeat(500)
        );
        let subset =
            "<!DOCTYPE urlset [<!-- ' ]> --><!ENTITY a \"]>'\"><?xml-stylesheet href='/no.css'?>\n]>";
        for before in [
            "",
            "\n",
            "<?xml version=\"1.0\"?>\n",
            "<!-- x -->",
            "<!---->",
            "<!DOCTYPE urlset>",
            &long,
            subset,
            "<!DOCTYPE urlset SYSTEM \"a>b\">",
            "<?xml-stylesheets href='/no.css'?>",
        ] {
            for between in ["", " \n", "<!-- <?xml-stylesheet href='/no.css'?> -->"] {
                for (inside, others) in [
                    ("", 0),
                    ("<?xml-stylesheet href='/in.css'?>", 1),
                    ("it's <![CDATA[<?xml-stylesheet href='/in.css'?>]]><url/>", 0),
                    ("<!-- <?xml-stylesheet href='/in.css'?> --><?other?>", 0),
                    (
                        "<!ELEMENT it's><?xml-stylesheet href='/in.css'?><?xml-stylesheet \n?>",
                        2,
                    ),
                ] {
                    for (behind, more) in [("", 0), ("\n<?xml-stylesheet href='/late.css'?>", 1)] {
                        let document = format!(
                            "{before}<?xml-stylesheet type='text/css' href='/a.css'?>{between}<?xml-stylesheet media=\"é\"?>\
                             {between}<urlset>{inside}</urlset>{behind}"
                        );
                        let expected = Stylesheets {
                            kept: [" type='text/css' href='/a.css'", " media=\"é\""]
                                .map(str::to_owned)
                                .into(),
                            others: others + more,
                        };
                        assert_eq!(instructions(document.as_bytes()), expected, "{document}");
                    }
                }
            }
        }
        for (root, is_feed) in [
            ("urlset", false),
            ("rss", true),
            ("rss version='2.0'", true),
            ("feed\n", true),
            ("rdf:RDF", true),
            ("rss:urlset", false),
            ("feeds", false),
        ] {
            let document =
                format!("<?xml-stylesheet href='/a.css'?><{root}><?xml-stylesheet href='/in.css'?></x>");
            let found = instructions(document.as_bytes());
            let counts = (found.kept.len(), found.others);
            assert_eq!(counts, if is_feed { (0, 2) } else { (1, 1) }, "{document}");
        }
        for (document, others) in [
            ("", 0),
            ("<", 0),
            ("<?xml-stylesheet href='/a.css'", 0),
            ("<!--", 0),
            ("<!DOCTYPE a [", 0),
            ("text", 0),
            ("text <?xml-stylesheet ?>", 1),
            ("<?xml-stylesheet \u{7}?><a>", 1),
        ] {
            let expected = Stylesheets {
                kept: Vec::new(),
                others,
            };
            assert_eq!(instructions(document.as_bytes()), expected, "{document}");
        }
        assert_eq!(instructions(&b"<?xml-stylesheet \xFF?>"[..]).others, 1);
        let long = format!("<?xml-stylesheet {}?>", "a".repeat(20_000));
        assert_eq!(instructions(long.as_bytes()).others, 1);
    }

    /// A document may be written in pieces of any size.
    #[test]
    fn stylesheets_follow_the_declaration() {
        let styles = [" href='a'".to_owned(), " href='b'".to_owned()];
        let document = b"<?xml version=\"1.0\"?>\n<urlset/>";
        for size in 1..=document.len() {
            let mut out = Vec::new();
            let mut styled = Styled::new(&mut out, &styles);
            for piece in document.chunks(size) {
                styled.write_all(piece).unwrap();
            }
            assert_eq!(
                String::from_utf8(out).unwrap(),
                "<?xml version=\"1.0\"?>\n<?xml-stylesheet href='a'?>\n<?xml-stylesheet href='b'?>\n<urlset/>"
            );
        }
    }
}
