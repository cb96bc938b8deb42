//! Fills a table from the tokens of one entry.

use crate::error::{Error, Result};
use crate::xml::scanner::{Scanner, Span, Token, Value};
use crate::xml::source::Window;

use super::{Name, Table};

/// Reads entries; keeps what it needs for the next.
#[derive(Debug, Default)]
pub(crate) struct RecordReader {
    /// The elements that are open below the entry.
    open: Vec<Open>,
    /// Texts that came in pieces, one for each level.
    texts: Vec<String>,
}

#[derive(Debug)]
struct Open {
    node: usize,
    text: Pieces,
}

/// What is known of an element's text so far.
#[derive(Debug)]
enum Pieces {
    None,
    /// One piece, as it stands in the source, counted from the entry's start.
    One(Span),
    /// More, or one that was resolved: put together in `texts`.
    Many,
}

impl RecordReader {
    /// Reads the entry whose start tag is the scanner's last token, up to its end.
    pub(crate) fn read<S: Window>(&mut self, scanner: &mut Scanner<S>, table: &mut Table) -> Result<()> {
        table.clear();
        self.open.clear();
        let entry_depth = scanner.depth();
        loop {
            if self
                .open
                .last()
                .is_none_or(|open| matches!(open.text, Pieces::None))
            {
                scanner.skip_space()?;
                if let Some(leaf) = scanner.leaf() {
                    let held = scanner.held();
                    let token = scanner.token();
                    if let Some(name) =
                        table.element_name(scanner.known(), leaf.namespace, scanner.text(leaf.name))
                    {
                        let outer = (token.start - held, token.end - held);
                        let start = leaf.text.start - held;
                        let text = scanner.text(leaf.text);
                        table.push_leaf(name, self.open.len(), self.parent(), text, start, outer);
                    }
                    continue;
                }
            }
            match scanner.next()? {
                Token::Start { name, namespace } => {
                    match table.element_name(scanner.known(), namespace, scanner.text(name)) {
                        Some(name) => self.open(scanner, table, name),
                        None => skip(scanner)?,
                    }
                }
                Token::End if scanner.depth() < entry_depth => break,
                Token::End => self.close(scanner, table),
                Token::Text { span, plain } => self.text(scanner, &span, plain),
                Token::Aside => {}
                Token::Eof => break,
            }
        }
        Ok(())
    }

    /// The node that is open, for what is below it.
    fn parent(&self) -> usize {
        self.open.last().map_or(0, |open| open.node + 1)
    }

    fn open<S: Window>(&mut self, scanner: &Scanner<S>, table: &mut Table, name: Name) {
        let held = scanner.held();
        let token = scanner.token();
        let node = table.open(
            name,
            self.open.len(),
            self.parent(),
            token.end - held,
            token.start - held,
        );
        self.open.push(Open {
            node,
            text: Pieces::None,
        });
        if self.texts.len() < self.open.len() {
            self.texts.push(String::new());
        }
        for attribute in scanner.attributes() {
            let attribute_name = scanner.text(attribute.name.clone());
            let Some(name) = table.attribute_name(scanner.known(), attribute.namespace, attribute_name)
            else {
                continue;
            };
            let (level, parent) = (self.open.len(), self.parent());
            let value = scanner.value(&attribute.value);
            let outer = (attribute.raw.start - held, attribute.raw.end - held);
            match &attribute.value {
                Value::Window(_) => table.push_leaf(name, level, parent, value, outer.0, outer),
                Value::Resolved(_) => table.push_resolved(name, level, parent, value, outer),
            }
        }
    }

    /// Text directly in the entry says nothing and is passed over.
    fn text<S: Window>(&mut self, scanner: &Scanner<S>, span: &Span, plain: bool) {
        let level = self.open.len();
        let (Some(open), Some(text)) = (self.open.last_mut(), self.texts.get_mut(level.wrapping_sub(1)))
        else {
            return;
        };
        let held = scanner.held();
        match &open.text {
            Pieces::None if plain => {
                open.text = Pieces::One(span.start - held..span.end - held);
                return;
            }
            Pieces::None => text.clear(),
            Pieces::One(first) => {
                text.clear();
                text.push_str(scanner.text(first.start + held..first.end + held));
            }
            Pieces::Many => {}
        }
        text.push_str(if plain {
            scanner.text(span.clone())
        } else {
            scanner.resolved()
        });
        open.text = Pieces::Many;
    }

    fn close<S: Window>(&mut self, scanner: &Scanner<S>, table: &mut Table) {
        let level = self.open.len();
        let Some(open) = self.open.pop() else { return };
        let held = scanner.held();
        let end = scanner.token().end - held;
        match open.text {
            Pieces::None => table.close(open.node, "", 0, end),
            Pieces::One(span) => {
                let text = scanner.text(span.start + held..span.end + held);
                table.close(open.node, text, span.start, end);
            }
            Pieces::Many => {
                let text = self.texts.get(level - 1).map_or("", String::as_str);
                table.close_resolved(open.node, text, end);
            }
        }
    }
}

/// Passes over the element whose start tag is the scanner's last token.
pub(crate) fn skip<S: Window>(scanner: &mut Scanner<S>) -> Result<()> {
    let depth = scanner.depth();
    while scanner.depth() >= depth {
        scanner.next()?;
    }
    Ok(())
}

/// What every entry has, whatever it is read into: exactly one loc, and none of the other three twice (P-DUP).
pub(crate) fn check(table: &Table, entry: &str) -> Result<()> {
    let mut seen = [false; Name::CORE];
    let mut i = 0;
    while let Some(node) = table.nodes().get(i) {
        i = node.next();
        if let Some(seen) = seen.get_mut(node.name.index())
            && std::mem::replace(seen, true)
        {
            let name = table.name(node.name);
            return Err(Error::data(format!(
                "a second `{name}`: a `{entry}` has at most one (P-DUP); remove the one that does not count"
            ))
            .rule("P-DUP")
            .within(name)
            .at_offset(node.at()));
        }
    }
    if seen[Name::LOC.index()] {
        return Ok(());
    }
    Err(Error::data(format!(
        "no `loc`: every `{entry}` has exactly one (P-DUP); give it its URL, or remove it"
    ))
    .rule("P-DUP")
    .within("loc"))
}
