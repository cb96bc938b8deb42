//! Fills a table from the tokens of one entry.

use crate::error::{Error, Result};
use crate::xml::scanner::{Expected, Scanner, Span, Token, Value};
use crate::xml::source::Window;

use super::{Name, Table};

/// Reads entries; keeps what it needs for the next.
#[derive(Debug, Default)]
pub(crate) struct RecordReader {
    /// The elements that are open below the entry.
    open: Vec<Open>,
    /// Texts that came in pieces, one for each level.
    texts: Vec<String>,
    /// What the entries before this one were made of. One entry is mostly like the other, so the leaf that followed the
    /// last one there is tried first.
    guesses: Guesses,
}

/// What came in the entries, in the order in which it came, in one scope of namespaces.
#[derive(Debug, Default)]
struct Guesses {
    scope: u64,
    leaves: Vec<(Expected, Name)>,
    next: usize,
    /// The entry's end, if it came after a leaf.
    end: Option<Expected>,
}

impl Guesses {
    /// The most that are kept.
    const MOST: usize = 32;

    #[inline]
    fn next(&self) -> Option<&(Expected, Name)> {
        self.leaves.get(self.next)
    }

    fn begin(&mut self, scope: u64) {
        self.next = 0;
        if self.scope != scope {
            self.leaves.clear();
            self.end = None;
            self.scope = scope;
        }
    }

    /// Learns a leaf that was not the one that was expected.
    fn learn(&mut self, gap: &str, tag: &str, name: Name) {
        let known = self.leaves.iter().position(|(known, _)| known.name() == tag);
        let Some(expected) = Expected::new(gap, tag) else {
            return;
        };
        match known {
            Some(known) => {
                self.leaves[known] = (expected, name);
                self.next = known + 1;
            }
            None => {
                if self.leaves.len() == Self::MOST {
                    self.leaves.clear();
                }
                self.leaves.push((expected, name));
                self.next = self.leaves.len();
            }
        }
    }
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
        self.guesses.begin(scanner.scope());
        let entry_depth = scanner.depth();
        loop {
            let mut gap = None;
            if self
                .open
                .last()
                .is_none_or(|open| matches!(open.text, Pieces::None))
            {
                if self.expected_leaf(scanner, table) {
                    continue;
                }
                if self.open.is_empty()
                    && self
                        .guesses
                        .end
                        .as_ref()
                        .is_some_and(|end| scanner.expected_end(end))
                {
                    break;
                }
                let before = scanner.next_in_held();
                scanner.skip_space()?;
                if self.leaf(scanner, table, before) {
                    continue;
                }
                gap = Some(before..scanner.next_in_held());
            }
            match scanner.next()? {
                Token::Start { name, namespace } => {
                    match table.element_name(scanner.known(), namespace, scanner.text(name)) {
                        Some(name) => self.open(scanner, table, name),
                        None => skip(scanner)?,
                    }
                }
                Token::End if scanner.depth() < entry_depth => {
                    if let Some(gap) = gap {
                        self.learn_end(scanner, gap);
                    }
                    break;
                }
                Token::End => self.close(scanner, table),
                Token::Text { span, plain } => self.text(scanner, &span, plain),
                Token::Aside => {}
                Token::Eof => break,
            }
        }
        Ok(())
    }

    /// Remembers the end tag that was read last, after white space.
    #[cold]
    fn learn_end<S: Window>(&mut self, scanner: &Scanner<S>, gap: Span) {
        let held = scanner.held();
        let tag = scanner.text(scanner.token());
        let name = tag.strip_prefix("</").and_then(|tag| tag.strip_suffix('>'));
        let gap = scanner.text(gap.start + held..gap.end + held);
        self.guesses.end = name.and_then(|name| Expected::new(gap, name));
    }

    /// Reads the leaf that came after the last one in the entries before, if it comes again.
    #[inline]
    fn expected_leaf<S: Window>(&mut self, scanner: &mut Scanner<S>, table: &mut Table) -> bool {
        if self.guesses.scope != scanner.scope() {
            return false;
        }
        let Some((expected, name)) = self.guesses.next() else {
            return false;
        };
        let Some(text) = scanner.expected_leaf(expected) else {
            return false;
        };
        let name = *name;
        self.guesses.next += 1;
        self.push_leaf(scanner, table, name, text);
        true
    }

    /// Reads an element in its plainest form, if the next one is in it. The white space before it starts at `before`.
    fn leaf<S: Window>(&mut self, scanner: &mut Scanner<S>, table: &mut Table, before: usize) -> bool {
        let Some(leaf) = scanner.leaf() else { return false };
        let tag = scanner.text(leaf.name);
        let Some(name) = table.element_name(scanner.known(), leaf.namespace, tag) else {
            return true;
        };
        if name.as_static().is_some() && self.guesses.scope == scanner.scope() {
            let held = scanner.held();
            let gap = scanner.text(before + held..scanner.token().start);
            self.guesses.learn(gap, tag, name);
        }
        self.push_leaf(scanner, table, name, leaf.text);
        true
    }

    #[inline]
    fn push_leaf<S: Window>(&self, scanner: &Scanner<S>, table: &mut Table, name: Name, text: Span) {
        let held = scanner.held();
        let token = scanner.token();
        let outer = (token.start - held, token.end - held);
        let start = text.start - held;
        table.push_leaf(
            name,
            self.open.len(),
            self.parent(),
            scanner.text(text),
            start,
            outer,
        );
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
#[inline]
pub(crate) fn check(table: &Table, entry: &str) -> Result<()> {
    if table.has_core_once() {
        Ok(())
    } else {
        explain(table, entry)
    }
}

/// Finds out what [`check`] has to say.
#[cold]
fn explain(table: &Table, entry: &str) -> Result<()> {
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
