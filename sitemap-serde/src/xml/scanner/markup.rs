//! Comments, CDATA sections, processing instructions and the XML declaration.

use std::cell::RefCell;

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::error::{Defect, Error, Message, Result};
use crate::xml::chars::is_space;
use crate::xml::doctype::Doctype;
use crate::xml::reference::{self, Mode};
use crate::xml::source::Window;

use super::repair::resolve;
use super::{Construct, Scanner, Span, State, Token, Unended};

/// The number of bytes searched for an HTML page's title.
const TITLE: usize = 16 << 10;

impl<S: Window> Scanner<S> {
    /// The error for an HTML page that begins with the token, which is more helpful than a syntax error in it.
    #[cold]
    pub(crate) fn html_page(&mut self) -> Error {
        self.load(&|scanner| {
            let rest = scanner.source.window().get(scanner.start..).unwrap_or_default();
            rest.len() >= TITLE || html_title(rest).is_some()
        });
        let rest = self.source.window().get(self.start..).unwrap_or_default();
        let page = match html_title(rest) {
            Some(title) => format!("an HTML page with the title {}", quote(&title)),
            None => "an HTML page".to_owned(),
        };
        let message = Message::new(format!(
            "this is {page}, not {}: the root is {}",
            self.vocabulary.document,
            self.vocabulary.listed_roots()
        ))
        .advice("check the address: this may be an error page");
        Error::data(message)
            .breaks(Rule::Ns)
            .with_defect(Defect::Root)
            .at(self.position(self.start))
    }

    /// The end of a DOCTYPE that declares no entities, so that nothing in the document depends on it; `None` if it declares some.
    fn bare_doctype_end(&mut self) -> Option<usize> {
        let doctype = RefCell::new(Doctype::default());
        let find = |scanner: &Self| {
            let text = scanner.source.window().get(scanner.start..)?;
            doctype.borrow_mut().end(text.as_bytes())
        };
        self.load(&|scanner| find(scanner).is_some());
        let len = find(self)?;
        (!doctype.borrow().declares_entities()).then_some(self.start + len)
    }

    /// `<!`: a comment, a CDATA section, or a DOCTYPE.
    pub(super) fn declaration(&mut self) -> Result<Token> {
        let whole = self.ensure(9)?;
        let rest = &self.bytes()[self.start..];
        if rest.starts_with(b"<!--") {
            return self.comment();
        }
        if rest.starts_with(b"<![CDATA[") && self.state == State::Content {
            return self.section();
        }
        if rest.starts_with(b"<!DOCTYPE") && matches!(self.state, State::Start | State::Prolog) {
            if self.is_lenient()
                && let Some(end) = self.bare_doctype_end()
            {
                self.pos = end;
                return Ok(Token::Aside);
            }
            self.source.expand(self.start, &self.limits);
            (self.start, self.pos) = (0, 0);
            return Ok(Token::Aside);
        }
        if rest.len() >= 9
            && rest[..9].eq_ignore_ascii_case(b"<!DOCTYPE")
            && matches!(self.state, State::Start | State::Prolog)
        {
            return Err(self.html_page());
        }
        let begins = |markup: &&[u8]| markup.starts_with(rest);
        if !whole && [&b"<!--"[..], b"<![CDATA[", b"<!DOCTYPE"].iter().any(begins) {
            return Err(self.cut_off());
        }
        Err(self.fail(
            self.start,
            "`<!` that does not begin a comment or anything else that is allowed here (XML 1.0 section 2.1)",
        ))
    }

    fn comment(&mut self) -> Result<Token> {
        if self.is_known_endless(Construct::Comment) {
            return Err(self.unended(Unended::Comment));
        }
        let Some(end) = self.find(4, "--")? else {
            return Err(self.unended(Unended::Comment));
        };
        self.ensure(end + 3)?;
        let span = self.start + 4..self.start + end;
        self.check_verbatim(&span)?;
        match self.bytes().get(span.end + 2) {
            Some(b'>') => {}
            Some(_) => {
                return Err(self.fail(
                    span.end,
                    "`--` inside a comment (XML 1.0 section 2.5); write `- -`",
                ));
            }
            None => return Err(self.unended(Unended::Comment)),
        }
        self.pos = span.end + 3;
        Ok(Token::Aside)
    }

    fn section(&mut self) -> Result<Token> {
        if self.is_known_endless(Construct::Section) {
            return Err(self.unended(Unended::Section));
        }
        let Some(end) = self.find(9, "]]>")? else {
            return Err(self.unended(Unended::Section));
        };
        let span = self.start + 9..self.start + end;
        self.pos = span.end + 3;
        if span.is_empty() {
            return Ok(Token::Aside);
        }
        let mut plain = !self.resolve(&span, Mode::Verbatim)?;
        if plain && self.is_lenient() {
            // Escaped text in a CDATA section was escaped twice; lenient reading finds this only in resolved text.
            self.resolved.clear();
            let text = self.source.window().get(span.clone()).unwrap_or_default();
            self.resolved.push_str(text);
            plain = false;
        }
        Ok(Token::Text { span, plain })
    }

    /// Checks the characters of a comment or processing instruction.
    fn check_verbatim(&mut self, span: &Span) -> Result<()> {
        let text = self.source.window().get(span.clone()).unwrap_or_default();
        reference::resolve(text, Mode::Verbatim, &mut String::new()).map_err(|flaw| self.flaw(span, flaw))?;
        Ok(())
    }

    /// `<?`: a processing instruction or the XML declaration.
    pub(super) fn instruction(&mut self) -> Result<Token> {
        if self.is_known_endless(Construct::Instruction) {
            return Err(self.unended(Unended::Instruction));
        }
        let Some(end) = self.find(2, "?>")? else {
            let is_declaration = self.state == State::Start
                && self
                    .bytes()
                    .get(self.start..)
                    .is_some_and(|text| text.starts_with(b"<?xml"));
            return Err(self.unended(if is_declaration {
                Unended::Declaration
            } else {
                Unended::Instruction
            }));
        };
        let span = self.start + 2..self.start + end;
        let target = self.name(span.clone(), "a processing instruction")?;
        let name = self.text(target.clone());
        if name == "xml" && self.state == State::Start {
            self.xml_declaration(target.end..span.end)?;
        } else if name.eq_ignore_ascii_case("xml") {
            return Err(self
                .fail(
                    self.start,
                    Message::new("an XML declaration that is not at the start of the document")
                        .reference("XML 1.0 section 2.8")
                        .advice("remove what is before it"),
                )
                .breaks(Rule::Decl)
                .with_defect(Defect::Unknown));
        } else if name.contains(':') {
            return Err(self.fail(
                target.start,
                "the target of a processing instruction has no colon (Namespaces in XML section 7)",
            ));
        } else if target.end < span.end && !is_space(self.bytes()[target.end]) {
            return Err(self.fail(
                target.end,
                "no white space after the target of a processing instruction (XML 1.0 section 2.6)",
            ));
        } else {
            self.check_verbatim(&(target.end..span.end))?;
        }
        self.pos = span.end + 2;
        Ok(Token::Aside)
    }

    /// Checks an XML declaration: version, then encoding, then standalone (XML 1.0 section 2.8).
    fn xml_declaration(&self, span: Span) -> Result<()> {
        let text = self.text(span.clone());
        let mut rest = text;
        let mut seen = 0;
        let at = |rest: &str| span.start + text.len() - rest.len();
        loop {
            let trimmed = rest.trim_start_matches([' ', '\t', '\r', '\n']);
            if trimmed.is_empty() {
                break;
            }
            if trimmed.len() == rest.len() {
                return Err(self.fail(
                    at(rest),
                    "no white space before a part of the XML declaration (XML 1.0 section 2.8)",
                ));
            }
            let Some((name, value, after)) = pseudo_attribute(trimmed) else {
                return Err(self
                    .fail(
                        at(trimmed),
                        "a malformed XML declaration: it should be `<?xml version=\"1.0\" encoding=\"UTF-8\"?>`",
                    )
                    .breaks(Rule::Decl));
            };
            let order = match name {
                "version" => 1,
                "encoding" => 2,
                "standalone" => 3,
                _ => 0,
            };
            let valid = match order {
                1 => value
                    .strip_prefix("1.")
                    .is_some_and(|minor| !minor.is_empty() && minor.bytes().all(|b| b.is_ascii_digit())),
                2 => is_encoding_name(value),
                3 => matches!(value, "yes" | "no"),
                _ => false,
            };
            if order <= seen || (seen == 0 && order != 1) || !valid {
                return Err(self
                    .fail(
                        at(trimmed),
                        format!(
                            "{} in the XML declaration: it should be `<?xml version=\"1.0\" encoding=\"UTF-8\"?>`",
                            quote(&trimmed[..trimmed.len() - after.len()])
                        ),
                    )
                    .breaks(Rule::Decl));
            }
            if order == 1 && value == "1.1" {
                return Err(self
                    .fail(
                        at(trimmed),
                        Message::new(format!(
                            "the document is XML 1.1, and {} is XML 1.0",
                            self.vocabulary.document
                        ))
                        .advice("convert it"),
                    )
                    .breaks(Rule::Decl));
            }
            if order == 2 {
                self.source
                    .check_declared(value)
                    .map_err(|error| error.at(self.position(at(trimmed))))?;
            }
            seen = order;
            rest = after;
        }
        if seen == 0 {
            return Err(self.fail(self.start, "an XML declaration without a version: it should be `<?xml version=\"1.0\" encoding=\"UTF-8\"?>`").breaks(Rule::Decl));
        }
        Ok(())
    }
}

/// The title of an HTML page, if it is in the text as a whole.
fn html_title(page: &str) -> Option<String> {
    let mut end = page.len().min(TITLE);
    while !page.is_char_boundary(end) {
        end -= 1;
    }
    let page = &page[..end];
    let lower = page.to_ascii_lowercase();
    let (before, rest) = lower.split_once("<title")?;
    let open = rest.find('>')? + 1;
    let len = rest.get(open..)?.find("</title")?;
    let from = before.len() + "<title".len() + open;
    let mut title = String::new();
    let _ = resolve(&page[from..from + len], Mode::Text, &mut title);
    let words: Vec<&str> = title.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Splits off `name = "value"` at the start of `text`: the name, the value, and the rest.
fn pseudo_attribute(text: &str) -> Option<(&str, &str, &str)> {
    let space = [' ', '\t', '\r', '\n'];
    let (name, rest) = text.split_at(text.find(|c: char| !c.is_ascii_alphabetic())?);
    let rest = rest
        .trim_start_matches(space)
        .strip_prefix('=')?
        .trim_start_matches(space);
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (value, after) = rest[1..].split_once(quote)?;
    Some((name, value, after))
}

/// `EncName`, XML 1.0 section 4.3.3.
fn is_encoding_name(name: &str) -> bool {
    name.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}
