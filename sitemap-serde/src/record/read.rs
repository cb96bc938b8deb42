//! Fills a table from the tokens of one entry.

use crate::error::{Error, Finding, Result, Words};
use crate::quote::quote;
use crate::rule::Rule;
use crate::xml::chars::is_space;
use crate::xml::fragment;
use crate::xml::names::{self, Namespace};
use crate::xml::scanner::{Ahead, Content, FoundStart, FoundText, Scanner, Span, Token, Value};
use crate::xml::source::Window;

use super::Table;
use super::known::{Known, KnownTags, NONE, TagIndex};
use crate::schema::{self, Name};

/// Reads entries; keeps what it needs for the next.
#[derive(Debug, Default)]
pub(crate) struct RecordReader {
    /// The elements that are open below the entry.
    open: Vec<Open>,
    /// Texts that came in pieces, one for each level.
    texts: Vec<String>,
    known: KnownTags,
}

#[derive(Debug)]
struct Open {
    node: usize,
    tag: TagIndex,
    /// Whether it is one of the core's, which hold text alone.
    is_core: bool,
    text: Pieces,
}

/// What is known of an element's text so far.
#[derive(Debug)]
enum Pieces {
    /// White space at most.
    None,
    /// One piece, as it stands in the source, counted from the entry's start.
    One(Span),
    /// More, or one that was resolved: put together in `texts`. It begins there.
    Many(usize),
}

impl RecordReader {
    /// Reads the entry whose start tag is the scanner's last token, up to its end.
    pub(crate) fn read<S: Window>(&mut self, scanner: &mut Scanner<S>, table: &mut Table) -> Result<()> {
        if table.clear() {
            self.known = KnownTags::default();
        }
        table.take_any_case(scanner.is_lenient());
        self.open.clear();
        self.known.begin();
        let entry_depth = scanner.depth();
        loop {
            if self.is_between_tags() && scanner.ahead(|ahead| self.ahead(ahead, table)) == Some(true) {
                break;
            }
            // What was read may have been the end of an element that stands in text.
            if self.is_between_tags() {
                scanner.skip_space()?;
            }
            let outer = scanner.scope();
            match scanner.next()? {
                Token::Start { name, namespace } => {
                    if let Some(open) = self.open.last()
                        && open.is_core
                    {
                        table.note_within_core(open.node, scanner.token().start - scanner.held());
                    }
                    let text = scanner.text(name.clone());
                    if scanner.known().keeps_raw() && fragment::is_other(namespace, names::split(text).1) {
                        self.keep(scanner, table)?;
                        continue;
                    }
                    let found =
                        table.element_name(scanner.known(), namespace, text, |prefix| scanner.uri(prefix));
                    let tag = self.learn(scanner, table, outer, (&name, namespace), found);
                    match found {
                        Some(name) => self.start(scanner, table, name, tag),
                        None => {
                            skip(scanner)?;
                            self.known.leave(tag);
                        }
                    }
                }
                Token::End => {
                    if scanner.depth() < entry_depth {
                        break;
                    }
                    if scanner.is_cut() {
                        // The document ends in it: what there is of it says nothing.
                        if let Some(open) = self.open.pop() {
                            table.drop_from(open.node);
                        }
                    } else {
                        self.close(scanner, table);
                    }
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

    /// Reads on as long as there are tags that are known. Whether the entry has ended.
    #[inline]
    fn ahead(&mut self, ahead: &mut Ahead<'_>, table: &mut Table) -> bool {
        while let Some(at) = ahead.next_tag() {
            if ahead.is_end(at) {
                if !ahead.end(at) {
                    return false;
                }
                let Some(open) = self.open.pop() else { return true };
                table.close(open.node, &[], 0, ahead.token().end);
                self.known.leave(open.tag);
                if !self.is_between_tags() {
                    return false;
                }
            } else if !self.known_leaf(ahead, table, at) && self.known_element(ahead, table, at).is_none() {
                return false;
            }
        }
        false
    }

    /// Reads an element that came here before, if it has no attributes and its text is plain.
    #[inline]
    fn known_leaf(&mut self, ahead: &mut Ahead<'_>, table: &mut Table, at: usize) -> bool {
        let found = self.known.candidates().find_map(|(index, known)| {
            let name = known.name.filter(|_| known.is_leaf)?;
            let text = ahead.leaf(&known.tag, at)?;
            table.push_leaf(name, ahead.bytes(text.clone()), text.start, ahead.token());
            Some(index)
        });
        if let Some(index) = found {
            self.known.leave(index);
        }
        found.is_some()
    }

    /// Reads a known element that holds text alone, or the start tag of one that holds others. If it is neither, nothing is
    /// read.
    #[inline]
    fn known_element(&mut self, ahead: &mut Ahead<'_>, table: &mut Table, at: usize) -> Option<()> {
        let index = self.known.find(ahead, at)?;
        let known = self.known.get(index)?;
        let start = ahead.start(&known.tag, at)?;
        let content = if start.is_empty {
            Content::Text {
                text: FoundText::Plain(start.end..start.end),
                end: start.end,
            }
        } else {
            ahead.content(&known.tag, start.end)
        };
        match content {
            Content::Text { text, end } => {
                if let Some(name) = known.name {
                    push_text(table, ahead, known, name, start, text, end);
                }
                ahead.pass(start.start, end);
                self.known.leave(index);
            }
            Content::Element => {
                let name = known.name?;
                // Elements in the core's are an error, which is told by the general way.
                if self.open.is_empty() && name.index() < Name::CORE {
                    return None;
                }
                ahead.enter(&known.tag, start)?;
                let node = push_start(table, ahead, known, name, start);
                open(&mut self.open, &mut self.texts, node, name, index);
                self.known.note_elements(index);
                self.known.enter(index);
            }
            Content::Other => return None,
        }
        Some(())
    }

    /// Makes the start tag known that was read last, in the scope around it.
    #[cold]
    fn learn<S: Window>(
        &mut self,
        scanner: &Scanner<S>,
        table: &mut Table,
        outer: u64,
        (tag, namespace): (&Span, Namespace),
        name: Option<Name>,
    ) -> TagIndex {
        // What the core's namespace has not is noted of each entry that has it.
        if namespace.is_core() && name.is_some_and(|name| name.as_static().is_none()) {
            return NONE;
        }
        if let Some(index) = self.known.refused() {
            return index;
        }
        let Some(tag) = scanner.known_tag(outer, tag) else {
            return NONE;
        };
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
        let (index, others_are_gone) = self.known.learn(tag, name, attribute);
        if others_are_gone {
            for open in &mut self.open {
                open.tag = NONE;
            }
        }
        index
    }

    /// Takes up the element whose start tag is the scanner's last token.
    fn start<S: Window>(&mut self, scanner: &Scanner<S>, table: &mut Table, name: Name, tag: TagIndex) {
        let held = scanner.held();
        let token = scanner.token();
        let outer = token.start - held..token.end - held;
        let node = table.open(name, outer);
        open(&mut self.open, &mut self.texts, node, name, tag);
        self.known.enter(tag);
        for attribute in scanner.attributes() {
            let attribute_name = scanner.text(attribute.name.clone());
            let uri = |prefix: &str| scanner.uri(prefix);
            let name = table.attribute_name(scanner.known(), name, attribute.namespace, attribute_name, uri);
            let Some(name) = name else { continue };
            let value = scanner.value(&attribute.value);
            let outer = attribute.raw.start - held..attribute.raw.end - held;
            match &attribute.value {
                Value::Window(_) => table.push_leaf(name, value.as_bytes(), outer.start, outer),
                Value::Resolved(_) => table.push_resolved(name, value, outer.start, outer),
            }
        }
    }

    /// Keeps the element as it stands whose start tag is the scanner's last token.
    #[cold]
    fn keep<S: Window>(&mut self, scanner: &mut Scanner<S>, table: &mut Table) -> Result<()> {
        let start = scanner.token().start - scanner.held();
        let mut text = String::new();
        fragment::cut(scanner, &mut text)?;
        let end = scanner.token().end - scanner.held();
        if let Some(name) = table.other_name() {
            table.push_resolved(name, &text, start, start..end);
        }
        self.known.leave(NONE);
        Ok(())
    }

    /// Text directly in the entry says nothing and is passed over, and white space before all else is trimmed.
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
                if plain {
                    open.text = Pieces::One(span.start - held..span.end - held);
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
        match open.text {
            Pieces::None => table.close(open.node, &[], 0, end),
            Pieces::One(span) => {
                let text = held_text(scanner, span.clone());
                table.close(open.node, text.as_bytes(), span.start, end);
            }
            Pieces::Many(begins) => {
                let text = self.texts.get(level - 1).map_or("", String::as_str);
                table.close_resolved(open.node, text, begins, end);
            }
        }
        self.known.leave(open.tag);
    }
}

/// Adds an element that holds text alone.
#[inline]
fn push_text(
    table: &mut Table,
    ahead: &Ahead<'_>,
    known: &Known,
    name: Name,
    start: FoundStart,
    text: FoundText,
    end: usize,
) {
    if ahead.found().is_empty() {
        let outer = start.start..end;
        match text {
            FoundText::Plain(span) => table.push_leaf(name, ahead.bytes(span.clone()), span.start, outer),
            FoundText::Resolved { begins, text } => {
                table.push_resolved(name, ahead.resolved(text), begins, outer);
            }
        }
        return;
    }
    let node = push_start(table, ahead, known, name, start);
    match text {
        FoundText::Plain(span) => table.close(node, ahead.bytes(span.clone()), span.start, end),
        FoundText::Resolved { begins, text } => table.close_resolved(node, ahead.resolved(text), begins, end),
    }
}

/// Adds an element that is to have more in it, and its attributes.
#[inline]
fn push_start(table: &mut Table, ahead: &Ahead<'_>, known: &Known, name: Name, start: FoundStart) -> usize {
    let node = table.open(name, start.start..start.end);
    for found in ahead.found() {
        let Some(Some(name)) = known.attributes.get(usize::from(found.attribute)) else {
            continue;
        };
        let raw = found.raw.clone();
        match &found.value {
            Value::Window(_) => table.push_leaf(*name, ahead.bytes(raw.clone()), raw.start, raw),
            Value::Resolved(text) => table.push_resolved(*name, ahead.resolved(text.clone()), raw.start, raw),
        }
    }
    node
}

/// A piece of the held text.
fn held_text<S: Window>(scanner: &Scanner<S>, span: Span) -> &str {
    let held = scanner.held();
    scanner.text(span.start + held..span.end + held)
}

/// Makes a node the one that is open.
#[inline]
fn open(open: &mut Vec<Open>, texts: &mut Vec<String>, node: usize, name: Name, tag: TagIndex) {
    open.push(Open {
        node,
        tag,
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

/// As [`check`], for an entry that is read whatever is wrong beside its loc, which is noted. Of elements that stand twice
/// nothing is said here, but of the loc.
#[cold]
pub(crate) fn check_with_doubts(
    table: &Table,
    entry: &'static str,
    mut note: impl FnMut(Error),
) -> Result<()> {
    if table.within_core().is_some() || table.too_many_names().is_some() {
        return explain(table, entry);
    }
    if let Err(error) = check_unknown(table, entry) {
        note(error);
    }
    explain_core(table, entry, &[schema::LOC])
}

/// Finds out what [`check`] has to say.
#[cold]
fn explain(table: &Table, entry: &'static str) -> Result<()> {
    check_names(table, entry)?;
    explain_core(table, entry, &[])
}

/// What is wrong in an entry beside the elements that it has too many of, or too few.
pub(crate) fn check_names(table: &Table, entry: &'static str) -> Result<()> {
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
    Ok(())
}

/// Whether there is a loc, and none of the core's elements twice; or, if some are given, none of those.
fn explain_core(table: &Table, entry: &'static str, only: &[Name]) -> Result<()> {
    let mut seen = [false; Name::CORE];
    let mut i = 0;
    while let Some(node) = table.nodes().get(i) {
        i = node.next();
        if let Some(seen) = seen.get_mut(node.name.index())
            && std::mem::replace(seen, true)
            && (only.is_empty() || only.contains(&node.name))
        {
            return Err(second_core(node.name, entry).at_offset(node.at()));
        }
    }
    if seen[schema::LOC.index()] {
        return Ok(());
    }
    Err(no_loc(entry))
}

/// The error for one of the core's elements that stands twice in an entry.
#[cold]
pub(crate) fn second_core(name: Name, entry: &'static str) -> Error {
    let name = name.as_static().unwrap_or_default();
    let twice = |found: &Finding| {
        let [name, entry] = found.names;
        Words::new(format!("a second `{name}`: a `{entry}` has at most one"))
            .advice("remove the one that does not count")
    };
    Error::found(Finding::none().names([name, entry]), twice)
        .breaks(Rule::Dup)
        .within(name)
}

/// The error for an entry without a loc.
#[cold]
pub(crate) fn no_loc(entry: &'static str) -> Error {
    let without_loc = |found: &Finding| {
        let [entry, _] = found.names;
        Words::new(format!("no `loc`: every `{entry}` has exactly one"))
            .advice("give it its URL, or remove it")
    };
    Error::found(Finding::none().names([entry, ""]), without_loc)
        .breaks(Rule::Dup)
        .within("loc")
}
