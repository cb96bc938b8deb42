//! The stylesheets of a document.

use std::io::{BufRead, BufReader, Bytes};

use sitemap_serde::WriterBuilder;

use crate::attributes::{attributes, unescaped};
use crate::formats::Decoded;
use crate::input::Input;

/// The stylesheets that a document names before its root.
#[derive(Debug, Default)]
pub(crate) struct Stylesheets {
    /// The URL of the first one that a writer writes as it is.
    pub(crate) kept: Option<String>,
    /// The number of the others.
    pub(crate) others: u64,
}

impl Stylesheets {
    /// Those of a document. If that cannot be read, that is reported where its entries are read.
    pub(crate) fn of(input: &Input) -> Self {
        let Ok(opened) = input.open_any() else {
            return Stylesheets::default();
        };
        let mut found = Stylesheets::default();
        for instruction in instructions(BufReader::new(Decoded::new(opened))) {
            match Stylesheet::of(&instruction).filter(|_| found.kept.is_none()) {
                Some(style) if style.is_written() => found.kept = Some(style.href),
                _ => found.others += 1,
            }
        }
        found
    }

    /// Their number.
    pub(crate) fn count(&self) -> u64 {
        self.others + u64::from(self.kept.is_some())
    }
}

/// What an `xml-stylesheet` instruction says (Associating Style Sheets with XML documents), if that is a type and a URL.
#[derive(Debug, PartialEq, Eq)]
struct Stylesheet {
    href: String,
    is_xslt: Option<bool>,
}

impl Stylesheet {
    fn of(instruction: &str) -> Option<Self> {
        let (mut href, mut is_xslt) = (None, None);
        for (name, value) in attributes(instruction) {
            let value = unescaped(value);
            match name {
                "href" => href = Some(value),
                "type" if value.eq_ignore_ascii_case("text/css") => is_xslt = Some(false),
                "type" if value.contains("xsl") || value.ends_with("/xml") => is_xslt = Some(true),
                // Another title or medium is not written.
                _ => return None,
            }
        }
        href.map(|href| Stylesheet { href, is_xslt })
    }

    /// Returns `true` if a writer writes it as one of this type.
    fn is_written(&self) -> bool {
        let mut builder = WriterBuilder::new();
        let Ok(document) = builder.stylesheet(&self.href).from_writer(Vec::new()).finish() else {
            return false;
        };
        let written = instructions(&*document);
        let written = written
            .first()
            .and_then(|instruction| Stylesheet::of(instruction));
        written.is_some_and(|written| self.is_xslt.is_none() || written.is_xslt == self.is_xslt)
    }
}

/// The contents of the `xml-stylesheet` instructions before the root of a document.
fn instructions(document: impl BufRead) -> Vec<String> {
    let mut prolog = Prolog {
        bytes: document.bytes(),
        found: Vec::new(),
    };
    prolog.read();
    prolog.found
}

/// The part of a document before its root.
struct Prolog<R> {
    bytes: Bytes<R>,
    found: Vec<String>,
}

/// The most bytes of an instruction that are looked at, and the most instructions.
const MOST: usize = 16 << 10;
const MOST_INSTRUCTIONS: usize = 1000;

impl<R: BufRead> Prolog<R> {
    /// Reads up to the root. `None` if the document ends, or cannot be read further.
    fn read(&mut self) -> Option<()> {
        loop {
            match self.next()? {
                byte if byte.is_ascii_whitespace() => {}
                b'<' => match self.next()? {
                    b'?' => self.instruction()?,
                    b'!' => self.declaration()?,
                    _ => return None,
                },
                _ => return None,
            }
        }
    }

    fn next(&mut self) -> Option<u8> {
        self.bytes.next()?.ok()
    }

    fn instruction(&mut self) -> Option<()> {
        let text = self.until(b"?>")?;
        let text = String::from_utf8_lossy(&text);
        let content = text.strip_prefix("xml-stylesheet");
        if let Some(content) = content.filter(|content| content.starts_with(char::is_whitespace))
            && self.found.len() < MOST_INSTRUCTIONS
        {
            self.found.push(content.to_owned());
        }
        Some(())
    }

    /// Reads a comment, or a DOCTYPE with its internal subset.
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
                b'?' if is_subset && before[1] == b'<' => drop(self.until(b"?>")?),
                b'"' | b'\'' => drop(self.until(&[byte])?),
                b'[' => is_subset = true,
                b']' => is_subset = false,
                b'>' if !is_subset => return Some(()),
                _ => {}
            }
            before = [before[1], byte];
        }
    }

    /// Reads what is up to an end, of which the first bytes are returned.
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
    use super::{Stylesheet, instructions};

    /// Whatever stands before and between them, the instructions before the root are found.
    #[test]
    fn instructions_of_every_prolog() {
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
                let document = format!(
                    "{before}<?xml-stylesheet type='text/css' href='/a.css'?>{between}<?xml-stylesheet href=\"/b.css\"?>\
                     {between}<urlset><?xml-stylesheet href='/no.css'?></urlset>"
                );
                let found = instructions(document.as_bytes());
                assert_eq!(
                    found,
                    [" type='text/css' href='/a.css'", " href=\"/b.css\""],
                    "{document}"
                );
            }
        }
        for none in [
            "",
            "<",
            "<?xml-stylesheet href='/a.css'",
            "<!--",
            "<!DOCTYPE a [",
            "text<?xml-stylesheet ?>",
        ] {
            assert_eq!(instructions(none.as_bytes()), [""; 0], "{none}");
        }
    }

    /// A stylesheet is kept if it is written with its type.
    #[test]
    fn what_is_written_as_it_is() {
        for (instruction, href) in [
            ("type=\"text/xsl\" href=\"/a.xsl?b&amp;c\"", Some("/a.xsl?b&c")),
            (
                "type='text/xsl' href='/a.xsl?b&#38;c&#x26;d'",
                Some("/a.xsl?b&c&d"),
            ),
            ("href = '/a.css' type='text/css' ", Some("/a.css")),
            ("href='/a.css'", Some("/a.css")),
            ("href='/a.xslt' type='application/xslt+xml'", Some("/a.xslt")),
            ("href='/a.xsl' type='text/xml'", Some("/a.xsl")),
            // Their types are not those that a writer writes.
            ("href='/style' type='text/xsl'", None),
            ("href='/a.xsl' type='text/css'", None),
            ("href='/a.css' type='text/css' media='print'", None),
            ("href='/a.css' type='text/css' alternate='yes'", None),
            ("href='data:text/css,a' type='text/css'", None),
            ("href=/a.css", None),
            ("type='text/css'", None),
            ("", None),
        ] {
            let found = Stylesheet::of(instruction).filter(Stylesheet::is_written);
            assert_eq!(found.map(|found| found.href).as_deref(), href, "{instruction}");
        }
    }
}
