//! Reading an entry token by token.

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::error::{Defect, Error, Message, Result};
use crate::record::table::{StrayText, Table, Value};
use crate::schema::Name;
use crate::xml::chars::{is_space, name_len};
use crate::xml::fragment;
use crate::xml::names::{self, Namespace};
use crate::xml::scanner::{self, Scanner, Span, Token};
use crate::xml::source::Window;
use crate::xml::trim;

use super::tags::{KnownTag, NONE, TagIndex};
use super::{Pieces, RecordReader};

impl RecordReader {
    /// Reads the next token of the entry; `depth` of the entry's elements are open. `false` after its end.
    pub(super) fn read_token<S: Window>(
        &mut self,
        scanner: &mut Scanner<S>,
        table: &mut Table,
        depth: usize,
    ) -> Result<bool> {
        // The last token may have been the end of an element within text.
        if self.is_between_tags() {
            scanner.skip_space()?;
        }
        let outer = scanner.scope();
        match scanner.next()? {
            Token::Start { name, namespace } => self.start(scanner, table, outer, (&name, namespace))?,
            Token::End if scanner.depth() < depth => return Ok(false),
            Token::End if scanner.is_cut() => {
                // The document ends within this element, whose content is dropped.
                if let Some(open) = self.open.pop() {
                    table.drop_from(open.node);
                }
            }
            Token::End => self.close(scanner, table),
            Token::Text { span, plain } if self.open.is_empty() => stray_text(scanner, table, &span, plain),
            Token::Text { span, plain } => self.text(scanner, &span, plain),
            Token::Aside => {}
            Token::Eof => return Ok(false),
        }
        Ok(true)
    }

    /// Reads the element whose start tag is the scanner's last token, in the namespace scope `outer` around it, or its start.
    fn start<S: Window>(
        &mut self,
        scanner: &mut Scanner<S>,
        table: &mut Table,
        outer: u64,
        (tag, namespace): (&Span, Namespace),
    ) -> Result<()> {
        if let Some(open) = self.open.last().filter(|open| open.is_core) {
            table.note_within_core(open.node, scanner.token().start - scanner.held());
        }
        let text = scanner.text(tag.clone());
        if scanner.known().keeps_raw() && fragment::is_other(namespace, names::split(text).1) {
            return self.keep(scanner, table);
        }
        let name = table.element_name(scanner.known(), namespace, text, |prefix| scanner.uri(prefix));
        let index = self.learn(scanner, table, outer, (tag, namespace), name);
        match name {
            Some(name) => self.open_element(scanner, table, name, index),
            None => {
                skip(scanner)?;
                self.known.leave(index);
            }
        }
        Ok(())
    }

    /// Learns the last start tag, in the namespace scope `outer` around it.
    #[cold]
    fn learn<S: Window>(
        &mut self,
        scanner: &Scanner<S>,
        table: &mut Table,
        outer: u64,
        (tag, namespace): (&Span, Namespace),
        name: Option<Name>,
    ) -> TagIndex {
        let known_name = name.and_then(Name::as_static);
        let (_, local) = names::split(scanner.text(tag.clone()));
        // A name in another case is reported for each entry that has it, and counts as the schema's name only there.
        if scanner.is_lenient() && namespace.is_core() && local.bytes().any(|b| b.is_ascii_uppercase()) {
            return NONE;
        }
        let is_unknown = namespace.is_core() && name.is_some() && known_name.is_none();
        if let Some(index) = self.known.unread() {
            return index;
        }
        if !self.known.has_room(outer, scanner.text(tag.clone())) {
            return NONE;
        }
        let known = scanner.known();
        let attribute = |attribute: &str| {
            let uri = |prefix: &str| scanner.uri(prefix);
            let (prefix, _) = names::split(attribute);
            let namespace = match prefix {
                "" if attribute != "xmlns" => Namespace::None,
                "xml" => Namespace::Xml,
                _ => return None,
            };
            table.attribute_name(known, name?, namespace, attribute, uri)
        };
        let Some(mut tag) = KnownTag::new(scanner, outer, tag, attribute) else {
            return NONE;
        };
        (tag.element, tag.is_unknown) = (name, is_unknown);
        let (index, others_are_gone) = self.known.learn(tag);
        if others_are_gone {
            for open in &mut self.open {
                open.tag = NONE;
            }
        }
        index
    }

    /// Opens the element whose start tag is the scanner's last token.
    fn open_element<S: Window>(
        &mut self,
        scanner: &Scanner<S>,
        table: &mut Table,
        name: Name,
        tag: TagIndex,
    ) {
        let held = scanner.held();
        let behind = |span: &Span| span.start - held..span.end - held;
        let node = table.begin(name);
        table.open(node, name, behind(&scanner.token()));
        let is_core = self.open.is_empty() && name.is_core();
        self.open(node, tag, is_core);
        for attribute in scanner.attributes() {
            let attribute_name = scanner.text(attribute.name.clone());
            let uri = |prefix: &str| scanner.uri(prefix);
            let name = table.attribute_name(scanner.known(), name, attribute.namespace, attribute_name, uri);
            let Some(name) = name else { continue };
            let (text, raw) = (scanner.value(&attribute.value), behind(&attribute.raw));
            let value = match &attribute.value {
                scanner::Value::Window(_) => Value::of_text(text.as_bytes(), raw.start),
                scanner::Value::Resolved(_) => table.resolved_value(text, raw.start),
            };
            table.push(name, value, raw);
        }
    }

    /// Keeps the text of the element whose start tag is the scanner's last token.
    #[cold]
    fn keep<S: Window>(&mut self, scanner: &mut Scanner<S>, table: &mut Table) -> Result<()> {
        let start = scanner.token().start - scanner.held();
        let mut text = String::new();
        fragment::cut(scanner, &mut text)?;
        let end = scanner.token().end - scanner.held();
        if let Some(name) = table.other_name() {
            let value = table.resolved_value(&text, start);
            table.push(name, value, start..end);
        }
        self.known.leave(NONE);
        Ok(())
    }

    /// Adds a piece of text of the open element. Leading white space is trimmed.
    fn text<S: Window>(&mut self, scanner: &Scanner<S>, span: &Span, plain: bool) {
        let level = self.open.len();
        let (Some(open), Some(text)) = (self.open.last_mut(), self.texts.get_mut(level.wrapping_sub(1)))
        else {
            return;
        };
        let held = scanner.held();
        let begins = |span: &Span, raw: &str| span.start + raw.bytes().take_while(|b| is_space(*b)).count();
        let begins = match &open.text {
            Pieces::None => {
                let begins = begins(span, scanner.text(span.clone()));
                if begins == span.end {
                    return;
                }
                if plain || is_plain_from(scanner, begins, span) {
                    open.text = Pieces::One(begins - held..span.end - held);
                    return;
                }
                text.clear();
                begins - held
            }
            Pieces::One(first) => {
                let raw = held_text(scanner, first.clone());
                text.clear();
                text.push_str(raw);
                begins(first, raw)
            }
            Pieces::Many(begins) => *begins,
        };
        text.push_str(if plain {
            scanner.text(span.clone())
        } else {
            scanner.resolved()
        });
        open.text = Pieces::Many(begins);
    }

    fn close<S: Window>(&mut self, scanner: &Scanner<S>, table: &mut Table) {
        let level = self.open.len();
        let Some(open) = self.open.pop() else { return };
        let held = scanner.held();
        let end = scanner.token().end - held;
        let value = match open.text {
            Pieces::None => None,
            Pieces::One(span) => {
                let text = held_text(scanner, span.clone());
                Some(Value::of_text(text.as_bytes(), span.start))
            }
            Pieces::Many(begins) => {
                let text = self.texts.get(level - 1).map_or("", String::as_str);
                Some(table.resolved_value(text, begins))
            }
        };
        table.close(open.node, value, end);
        self.known.leave(open.tag);
    }
}

/// Reports text directly in an entry, in a lenient reading. The first text is kept: it may be the URL of an entry without a loc.
#[cold]
fn stray_text<S: Window>(scanner: &mut Scanner<S>, table: &mut Table, span: &Span, plain: bool) {
    let raw = scanner.text(span.clone());
    let at = span.start + raw.bytes().take_while(|b| is_space(*b)).count();
    let text = trim(if plain { raw } else { scanner.resolved() });
    if text.is_empty() || !scanner.notes_ignored() {
        return;
    }
    let stray = StrayText {
        text: text.to_owned(),
        start: at - scanner.held(),
        len: trim(raw).len(),
    };
    if !scanner.is_lenient() {
        note_stray_text(scanner, &stray);
    } else if let Some(stray) = table.keep_stray_text(stray) {
        note_stray_text(scanner, &stray);
    }
}

/// Notes text directly in an entry, which is dropped.
#[cold]
pub(crate) fn note_stray_text<S: Window>(scanner: &mut Scanner<S>, stray: &StrayText) {
    let message = Message::new(format!(
        "the text {} between the elements of an entry, which has elements only",
        quote(&stray.text)
    ));
    let error = Error::data(message.advice("remove it, or put it in a comment"))
        .breaks(Rule::SitemapXsd)
        .with_defect(Defect::Unknown)
        .losing()
        .at(scanner.position(scanner.held() + stray.start));
    scanner.note_text(error, stray.len);
}

/// Returns `true` if only the white space before `begins` keeps the text at `span`, the last token, from being plain.
#[cold]
fn is_plain_from<S: Window>(scanner: &Scanner<S>, begins: usize, span: &Span) -> bool {
    let text = scanner.text(begins..span.end);
    let is_section = scanner.token().start != span.start;
    !is_section && !text.contains('&') && scanner.resolved().ends_with(text)
}

/// A range of the text held in the window.
fn held_text<S: Window>(scanner: &Scanner<S>, span: Span) -> &str {
    let held = scanner.held();
    scanner.text(span.start + held..span.end + held)
}

/// Skips the element whose start tag is the scanner's last token.
pub(crate) fn skip<S: Window>(scanner: &mut Scanner<S>) -> Result<()> {
    if skip_well_formed(scanner) {
        return Ok(());
    }
    if !scanner.is_lenient() {
        return pass_over(scanner);
    }
    let start = scanner.position(scanner.token().start);
    let tag = scanner.text(scanner.token()).get(1..).unwrap_or_default();
    let name = quote(tag.get(..name_len(tag)).unwrap_or_default()).to_string();
    let depth = scanner.depth();
    let mut has_content = false;
    while scanner.depth() >= depth {
        has_content |= match scanner.next()? {
            Token::Start { namespace, .. } => namespace.is_schema(),
            Token::Text { span, .. } => scanner.text(span).contains(char::is_alphanumeric),
            _ => false,
        };
    }
    // Its content is its own if it ends.
    if has_content && !scanner.text(scanner.token()).starts_with("</") {
        let message = Message::new(format!(
            "{name}, which is of another namespace, has no end tag: the rest of its parent is left out with it"
        ));
        let error = Error::data(message.advice("add its end tag")).breaks(Rule::Xml);
        scanner.note(error.losing().at(start));
    }
    Ok(())
}

/// Like [`skip`], in a lenient reading, if the element is well-formed: all its content then belongs to it. Otherwise skips nothing
/// and returns `false`.
pub(crate) fn skip_well_formed<S: Window>(scanner: &mut Scanner<S>) -> bool {
    scanner.strictly(pass_over).is_some()
}

fn pass_over<S: Window>(scanner: &mut Scanner<S>) -> Result<()> {
    let depth = scanner.depth();
    while scanner.depth() >= depth {
        scanner.next()?;
    }
    Ok(())
}
