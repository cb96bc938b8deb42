//! Fills a table from the tokens of one entry.

use crate::error::{Error, Finding, Result, Words};
use crate::quote::quote;
use crate::rule::Rule;
use crate::xml::scanner::{Ahead, Attribute, Scanner, Span, Token, Value};
use crate::xml::source::Window;

use super::Table;
use super::guess::{Guesses, What};
use crate::schema::{self, Name};

/// Reads entries; keeps what it needs for the next.
#[derive(Debug, Default)]
pub(crate) struct RecordReader {
    /// The elements that are open below the entry.
    open: Vec<Open>,
    /// Texts that came in pieces, one for each level.
    texts: Vec<String>,
    guesses: Guesses,
}

#[derive(Debug)]
struct Open {
    node: usize,
    /// Whether it is one of the core's, which hold text alone.
    is_core: bool,
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
            if self.is_between_tags()
                && self.guesses.hold_in(scanner.scope())
                && scanner.ahead(|ahead| self.expected(ahead, table)) == Some(true)
            {
                break;
            }
            // What was read may have been the end of an element that stands in text, or the start of one that holds text alone.
            if self.is_between_tags() {
                let before = scanner.next_in_held();
                scanner.skip_space()?;
                if self.leaf(scanner, table, before) {
                    continue;
                }
                gap = Some(before..scanner.next_in_held());
            }
            match scanner.next()? {
                Token::Start { name, namespace } => {
                    if let Some(open) = self.open.last()
                        && open.is_core
                    {
                        table.note_within_core(open.node, scanner.token().start - scanner.held());
                    }
                    let name = scanner.text(name);
                    match table.element_name(scanner.known(), namespace, name, |prefix| scanner.uri(prefix)) {
                        Some(name) => self.start(scanner, table, name, gap),
                        None => skip(scanner)?,
                    }
                }
                Token::End => {
                    if let Some(gap) = gap
                        && self.guesses.hold_in(scanner.scope())
                    {
                        let gap = held_text(scanner, gap);
                        self.guesses.learn_end(gap, scanner.text(scanner.token()));
                    }
                    if scanner.depth() < entry_depth {
                        break;
                    }
                    self.close(scanner, table);
                }
                Token::Text { span, plain } => self.text(scanner, &span, plain),
                Token::Aside => {}
                Token::Eof => break,
            }
        }
        Ok(())
    }

    /// Whether a tag may come next, and no text has come in the element that is open. White space between tags says nothing.
    #[inline]
    fn is_between_tags(&self) -> bool {
        self.open
            .last()
            .is_none_or(|open| matches!(open.text, Pieces::None) && !open.is_core)
    }

    /// Reads on as long as there comes what came next in the entries before. Whether that was the entry's end.
    #[inline]
    fn expected(&mut self, ahead: &mut Ahead<'_>, table: &mut Table) -> bool {
        self.guesses.start();
        loop {
            let found = match self.guesses.guess() {
                What::Entry => return false,
                What::Leaf(expected, name) => match ahead.leaf(expected) {
                    Some((start, text)) => {
                        table.push_leaf(*name, text, start, ahead.token());
                        true
                    }
                    None => false,
                },
                What::Start(expected, name, attributes) => {
                    let found = ahead.start(expected);
                    if found {
                        let node = table.open(*name, ahead.token());
                        for (name, value) in attributes.iter().zip(ahead.values()) {
                            let text = ahead.text(value.clone());
                            table.push_leaf(*name, text, value.start, value.clone());
                        }
                        if expected.is_empty() {
                            table.close(node, &[], 0, ahead.token().end);
                        } else {
                            open(&mut self.open, &mut self.texts, node, *name);
                        }
                    }
                    found
                }
                What::End(expected) => {
                    let found = ahead.end(expected);
                    if found {
                        let Some(open) = self.open.pop() else { return true };
                        table.close(open.node, &[], 0, ahead.token().end);
                    }
                    found
                }
            };
            if found {
                self.guesses.hit();
                if !self.is_between_tags() {
                    return false;
                }
            } else {
                self.guesses.miss();
            }
        }
    }

    /// Reads an element in its plainest form, if the next one is in it. The white space before it starts at `before`.
    fn leaf<S: Window>(&mut self, scanner: &mut Scanner<S>, table: &mut Table, before: usize) -> bool {
        let Some(leaf) = scanner.leaf() else { return false };
        let tag = scanner.text(leaf.name);
        let name = table.element_name(scanner.known(), leaf.namespace, tag, |prefix| scanner.uri(prefix));
        let Some(name) = name else {
            return true;
        };
        if name.as_static().is_some() && self.guesses.hold_in(scanner.scope()) {
            let gap = held_text(scanner, before..scanner.token().start - scanner.held());
            self.guesses.learn_leaf(gap, tag, name);
        }
        let held = scanner.held();
        let (token, start) = (scanner.token(), leaf.text.start - held);
        let outer = token.start - held..token.end - held;
        table.push_leaf(name, scanner.text(leaf.text).as_bytes(), start, outer);
        true
    }

    /// Takes up the element whose start tag is the scanner's last token. The white space before it is at `gap`, if nothing
    /// else came before it in its parent.
    fn start<S: Window>(&mut self, scanner: &Scanner<S>, table: &mut Table, name: Name, gap: Option<Span>) {
        if let Some(gap) = gap
            && name.as_static().is_some()
            && self.guesses.hold_in(scanner.scope())
        {
            self.learn_start(scanner, name, gap);
        }
        let held = scanner.held();
        let token = scanner.token();
        let outer = token.start - held..token.end - held;
        let node = table.open(name, outer);
        open(&mut self.open, &mut self.texts, node, name);
        for attribute in scanner.attributes() {
            let attribute_name = scanner.text(attribute.name.clone());
            let uri = |prefix: &str| scanner.uri(prefix);
            let name = table.attribute_name(scanner.known(), name, attribute.namespace, attribute_name, uri);
            let Some(name) = name else { continue };
            let value = scanner.value(&attribute.value);
            let outer = attribute.raw.start - held..attribute.raw.end - held;
            match &attribute.value {
                Value::Window(_) => table.push_leaf(name, value.as_bytes(), outer.start, outer),
                Value::Resolved(_) => table.push_resolved(name, value, outer),
            }
        }
    }

    /// Learns a start tag whose attributes are all the schema's. One that text follows is a leaf that was not plain, which is
    /// not to be expected.
    #[cold]
    fn learn_start<S: Window>(&mut self, scanner: &Scanner<S>, name: Name, gap: Span) {
        let attributes = scanner.attributes();
        if attributes.is_empty() && !scanner.is_before_markup() {
            return;
        }
        let known = |attribute: &Attribute| Name::attribute(name, scanner.text(attribute.name.clone()));
        let Some(names) = attributes.iter().map(known).collect::<Option<Vec<_>>>() else {
            return;
        };
        let token = scanner.token();
        let values: Vec<Span> = attributes
            .iter()
            .map(|attribute| attribute.raw.start - token.start..attribute.raw.end - token.start)
            .collect();
        let tag = scanner.text(token);
        let gap = held_text(scanner, gap);
        self.guesses.learn_start(gap, tag, &values, name, names);
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
                text.push_str(held_text(scanner, first.clone()));
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
            Pieces::None => table.close(open.node, &[], 0, end),
            Pieces::One(span) => {
                let text = held_text(scanner, span.clone());
                table.close(open.node, text.as_bytes(), span.start, end);
            }
            Pieces::Many => {
                let text = self.texts.get(level - 1).map_or("", String::as_str);
                table.close_resolved(open.node, text, end);
            }
        }
    }
}

/// A piece of the held text.
fn held_text<S: Window>(scanner: &Scanner<S>, span: Span) -> &str {
    let held = scanner.held();
    scanner.text(span.start + held..span.end + held)
}

/// Makes a node the one that is open.
#[inline]
fn open(open: &mut Vec<Open>, texts: &mut Vec<String>, node: usize, name: Name) {
    open.push(Open {
        node,
        is_core: open.is_empty() && name.index() < Name::CORE,
        text: Pieces::None,
    });
    if texts.len() < open.len() {
        texts.push(String::new());
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

/// What every entry has, whatever it is read into: exactly one loc, none of the other three twice (P-DUP), and nothing but
/// text in them.
#[inline]
pub(crate) fn check(table: &Table, entry: &'static str) -> Result<()> {
    if table.has_core_once()
        && table.within_core().is_none()
        && table.too_many_names().is_none()
        && !table.has_unknown()
    {
        Ok(())
    } else {
        explain(table, entry)
    }
}

/// Looks for an element of the core namespace that makes the entry an error: an entry within the entry, whose values would
/// be lost, or a known name in another case. What else the schema does not know is passed over.
fn check_unknown(table: &Table, entry: &'static str) -> Result<()> {
    let is_entry = |local: &str| local.eq_ignore_ascii_case("url") || local.eq_ignore_ascii_case("sitemap");
    // Where the element ends that stands in the entry itself.
    let mut outermost_end = 0;
    for (i, node) in table.nodes().iter().enumerate() {
        let is_outermost = i >= outermost_end;
        if is_outermost {
            outermost_end = node.next();
        }
        if node.name.as_static().is_some() {
            continue;
        }
        let name = table.name(node.name);
        // Further in, an entry is what has a loc.
        if is_entry(name) && (is_outermost || table.has_child(i, schema::LOC)) {
            let nested = |found: &Finding| {
                let [entry, _] = found.names;
                Words::new(format!(
                    "an entry within a `{entry}`, where it would be lost: entries stand beside one another in the root"
                ))
                .advice("move it there")
            };
            return Err(Error::found(Finding::none().names([entry, ""]), nested)
                .breaks(Rule::Ns)
                .at_offset(node.outer().start));
        }
        let meant = [schema::LOC, schema::LASTMOD, schema::CHANGEFREQ, schema::PRIORITY]
            .into_iter()
            .filter_map(Name::as_static)
            .find(|known| is_outermost && known.eq_ignore_ascii_case(name));
        if let Some(meant) = meant {
            let in_another_case = |found: &Finding| {
                let [entry, meant] = found.names;
                Words::new(format!(
                    "{} is no element of a `{entry}`: names are case-sensitive",
                    quote(found.text())
                ))
                .advice(format!("did you mean `{meant}`?"))
            };
            let finding = Finding::new(name).names([entry, meant]);
            return Err(Error::found(finding, in_another_case)
                .breaks(Rule::Ns)
                .at_offset(node.outer().start));
        }
    }
    Ok(())
}

/// Finds out what [`check`] has to say.
#[cold]
fn explain(table: &Table, entry: &'static str) -> Result<()> {
    if let Some((name, at)) = table.within_core() {
        let name = name.as_static().unwrap_or_default();
        let with_element = |found: &Finding| {
            let [name, _] = found.names;
            Words::new(format!("an element within `{name}`, which holds text alone"))
                .advice("remove it, or write its `<` as `&lt;` if it is text")
        };
        return Err(Error::found(Finding::none().names([name, ""]), with_element)
            .breaks(Rule::Esc)
            .within(name)
            .at_offset(at));
    }
    if let Some(most) = table.too_many_names() {
        return Err(Error::limit(format!(
            "more than {most} different names of elements and attributes in a `{entry}`, and {most} can be told apart; remove \
             some, or do not make their namespaces known"
        )));
    }
    if table.has_unknown() {
        check_unknown(table, entry)?;
    }
    let mut seen = [false; Name::CORE];
    let mut i = 0;
    while let Some(node) = table.nodes().get(i) {
        i = node.next();
        if let Some(seen) = seen.get_mut(node.name.index())
            && std::mem::replace(seen, true)
        {
            let name = node.name.as_static().unwrap_or_default();
            let twice = |found: &Finding| {
                let [name, entry] = found.names;
                Words::new(format!("a second `{name}`: a `{entry}` has at most one"))
                    .advice("remove the one that does not count")
            };
            return Err(Error::found(Finding::none().names([name, entry]), twice)
                .breaks(Rule::Dup)
                .within(name)
                .at_offset(node.at()));
        }
    }
    if seen[schema::LOC.index()] {
        return Ok(());
    }
    let without_loc = |found: &Finding| {
        let [entry, _] = found.names;
        Words::new(format!("no `loc`: every `{entry}` has exactly one"))
            .advice("give it its URL, or remove it")
    };
    Err(Error::found(Finding::none().names([entry, ""]), without_loc)
        .breaks(Rule::Dup)
        .within("loc"))
}
