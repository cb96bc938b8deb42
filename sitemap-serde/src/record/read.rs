//! Reading an entry into a table, by the fast path or token by token.

use crate::error::Result;
use crate::xml::chars::is_space;
use crate::xml::fragment;
use crate::xml::names::{self, Namespace};
use crate::xml::scanner::{Content, FastPath, FoundStart, FoundText, Scanner, Span, Token, Value};
use crate::xml::source::Window;

use super::Table;
use super::known::{KnownTags, NONE, RecordTag, TagIndex};
use crate::schema::Name;

/// Reads entries. Buffers and known tags are kept from entry to entry.
#[derive(Debug, Default)]
pub(crate) struct RecordReader {
    /// The open elements within the entry.
    open: Vec<Open>,
    /// Buffers for texts of several pieces, one for each level.
    texts: Vec<String>,
    known: KnownTags,
}

#[derive(Debug)]
struct Open {
    node: usize,
    tag: TagIndex,
    /// Whether it is a core element of the entry, which may only contain text.
    is_core: bool,
    text: Pieces,
}

/// The pieces of an element's text so far.
#[derive(Debug)]
enum Pieces {
    /// No text, or only white space.
    None,
    /// One piece: its range, counted from the entry's start.
    One(Span),
    /// Several pieces, or a resolved one, joined in `texts`: the offset of the first character that is not white space.
    Many(usize),
}

impl RecordReader {
    /// Clears the state for the next entry.
    #[inline]
    fn begin(&mut self, table: &mut Table, any_case: bool) {
        table.clear();
        if table.reset_names() {
            self.known = KnownTags::default();
        }
        table.take_any_case(any_case);
        self.open.clear();
        self.known.begin();
    }

    /// Reads the content of an entry by the fast path, as far as it can. `true` if the entry is complete; otherwise
    /// [`read_on`](Self::read_on) reads the rest.
    #[inline]
    pub(crate) fn read_known(&mut self, fast: &mut FastPath<'_>, table: &mut Table) -> bool {
        self.begin(table, false);
        self.fast_path(fast, table)
    }

    /// Reads the entry whose start tag is the scanner's last token, up to its end.
    pub(crate) fn read<S: Window>(&mut self, scanner: &mut Scanner<S>, table: &mut Table) -> Result<()> {
        self.begin(table, scanner.is_lenient());
        self.read_on(scanner, table)
    }

    /// The number of open elements within the entry.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Reads the rest of the entry.
    pub(crate) fn read_on<S: Window>(&mut self, scanner: &mut Scanner<S>, table: &mut Table) -> Result<()> {
        // The scanner also counts the open elements within the entry.
        let entry_depth = scanner.depth() - self.open.len();
        loop {
            if self.is_between_tags() && scanner.fast_path(|fast| self.fast_path(fast, table)) == Some(true) {
                break;
            }
            // The last token may have been the end of an element within text.
            if self.is_between_tags() {
                scanner.skip_space()?;
            }
            let outer = scanner.scope();
            match scanner.next()? {
                Token::Start { name, namespace } => {
                    let within_core = self.open.last().filter(|open| open.is_core);
                    let is_within_core = within_core.is_some();
                    if let Some(open) = within_core {
                        table.note_within_core(open.node, scanner.token().start - scanner.held());
                    }
                    let text = scanner.text(name.clone());
                    if scanner.known().keeps_raw() && fragment::is_other(namespace, names::split(text).1) {
                        self.keep(scanner, table)?;
                        continue;
                    }
                    let found =
                        table.element_name(scanner.known(), namespace, text, |prefix| scanner.uri(prefix));
                    // Elements within a core element are errors, so only a few of their tags are worth learning.
                    let tag = if is_within_core && !self.known.learns_within_core() {
                        NONE
                    } else {
                        self.learn(scanner, table, outer, (&name, namespace), found)
                    };
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
                        // The document ends within this element, whose content is dropped.
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

    /// Whether the open element has only white space so far and may have children, so that the fast path may read the next tag.
    /// Within a core element it may not: a lenient reading closes that before most tags.
    #[inline]
    fn is_between_tags(&self) -> bool {
        match self.open.as_slice() {
            [] => true,
            [outermost, ..] if outermost.is_core => false,
            [.., open] => matches!(open.text, Pieces::None),
        }
    }

    /// Reads as long as tags are known. `true` if the entry is complete.
    fn fast_path(&mut self, fast: &mut FastPath<'_>, table: &mut Table) -> bool {
        loop {
            self.known.read_leaves(fast, table);
            match self
                .expected(fast, table)
                .unwrap_or_else(|| self.found(fast, table))
            {
                Step::On => {}
                Step::End => return true,
                Step::Stop => return false,
            }
        }
    }

    /// Reads the next tag if it is one of the candidates, with the same white space before it.
    #[inline]
    fn expected(&mut self, fast: &mut FastPath<'_>, table: &mut Table) -> Option<Step> {
        let at = fast.token().end;
        let rest = fast.rest();
        for candidate in self.known.candidates() {
            if !candidate.beginning.starts(rest) {
                continue;
            }
            let Some((index, layout)) = candidate.start else {
                let gap = candidate.gap;
                return self.end(fast, table, at + gap);
            };
            let known = self.known.get(index)?;
            let (start, from) = (at + candidate.gap, at + candidate.beginning.len());
            if !fast.can_be_here(&known.tag) {
                continue;
            }
            let before = (table.nodes().len(), table.resolved_len());
            if known.is_unknown {
                table.note_unknown();
            }
            if let Some(kind) = read_element(fast, table, known, layout, (start, from), self.open.is_empty())
            {
                match (kind, known.name) {
                    (ElementExtent::Open, Some(name)) => {
                        open(&mut self.open, &mut self.texts, before.0, name, index);
                        self.known.enter(index);
                    }
                    _ => self.known.leave(index),
                }
                return Some(Step::On);
            }
            table.take_back(before.0, before.1);
        }
        None
    }

    /// Reads the next tag if it is a known one, and makes it a candidate here.
    #[inline(never)]
    fn found(&mut self, fast: &mut FastPath<'_>, table: &mut Table) -> Step {
        self.find(fast, table).unwrap_or(Step::Stop)
    }

    fn find(&mut self, fast: &mut FastPath<'_>, table: &mut Table) -> Option<Step> {
        let at = fast.next_tag()?;
        if fast.is_end(at) {
            self.known.record_end(fast, at);
            return self.end(fast, table, at);
        }
        let index = self.known.find(fast, at)?;
        let known = self.known.get(index)?;
        let start = fast.start(&known.tag, at)?;
        let Some(content) = content(fast, known, start) else {
            return self.core_with_elements(fast, table, index, start);
        };
        self.known.record_start(fast, index, start, &content);
        self.element(fast, table, index, start, content)
    }

    /// Reads a core element that contains elements, which is an error: its text is not kept.
    #[inline(never)]
    fn core_with_elements(
        &mut self,
        fast: &mut FastPath<'_>,
        table: &mut Table,
        index: TagIndex,
        start: FoundStart,
    ) -> Option<Step> {
        let known = self.known.get(index)?;
        let name = known.name?;
        if !self.open.is_empty() || name.index() >= Name::CORE {
            return None;
        }
        let inner = |fast: &FastPath<'_>, at| self.known.tag_at(fast, at);
        let (first, end) = fast.elements_within(&known.tag, start.end, inner)?;
        let node = table.push_leaf(name, &[], start.end, start.start..end);
        table.note_within_core(node, first);
        fast.pass(start.start, end);
        self.known.leave(index);
        Some(Step::On)
    }

    /// Reads the end tag at offset `at`, if it is the open element's.
    #[inline]
    fn end(&mut self, fast: &mut FastPath<'_>, table: &mut Table, at: usize) -> Option<Step> {
        let Some(open) = self.open.last() else {
            return fast.end(at).then_some(Step::End);
        };
        let is_end = match self.known.get(open.tag) {
            Some(known) => fast.end_of_known(&known.tag, at),
            None => fast.end(at),
        };
        if !is_end {
            return None;
        }
        let open = self.open.pop()?;
        table.close(open.node, &[], 0, fast.token().end);
        self.known.leave(open.tag);
        Some(if self.is_between_tags() {
            Step::On
        } else {
            Step::Stop
        })
    }

    /// Reads an element with only text, or the start tag of one with children. `None`, and reads nothing, for other content.
    #[inline]
    fn element(
        &mut self,
        fast: &mut FastPath<'_>,
        table: &mut Table,
        index: TagIndex,
        start: FoundStart,
        content: Content,
    ) -> Option<Step> {
        let known = self.known.get(index)?;
        match content {
            Content::Text { text, end } => {
                if known.is_unknown {
                    table.note_unknown();
                }
                if let Some(name) = known.name {
                    push_text(table, fast, known, name, start, text, end);
                }
                fast.pass(start.start, end);
                self.known.leave(index);
            }
            Content::Element => {
                let name = known.name?;
                if self.open.is_empty() && name.index() < Name::CORE {
                    return self.core_with_elements(fast, table, index, start);
                }
                fast.enter(&known.tag, start)?;
                if known.is_unknown {
                    table.note_unknown();
                }
                let node = push_start(table, fast, known, name, start);
                open(&mut self.open, &mut self.texts, node, name, index);
                self.known.enter(index);
            }
            Content::Other => return None,
        }
        Some(Step::On)
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
        // A name in another case is reported for each entry that has it, and only there is it that of the schema.
        if scanner.is_lenient() && namespace.is_core() && local.bytes().any(|b| b.is_ascii_uppercase()) {
            return NONE;
        }
        let is_unknown = namespace.is_core() && name.is_some() && known_name.is_none();
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
        let (index, others_are_gone) = self.known.learn(tag, (name, is_unknown), attribute);
        if others_are_gone {
            for open in &mut self.open {
                open.tag = NONE;
            }
        }
        index
    }

    /// Starts the element whose start tag is the scanner's last token.
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
            };
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
            table.push_resolved(name, &text, start, start..end);
        }
        self.known.leave(NONE);
        Ok(())
    }

    /// Adds a piece of text. Text directly in the entry is ignored, and leading white space is trimmed.
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

/// How the fast path continues after a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// With the next tag.
    On,
    /// Not at all: the entry is complete.
    End,
    /// Not at all: the next token has to be read by the scanner.
    Stop,
}

/// How much of an element was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ElementExtent {
    /// All of it; it has only text.
    Leaf,
    /// Its start tag; it has children.
    Open,
}

/// Reads the element at `start` by a layout of its tag, which was compared up to `from`. `None` if it does not match, or is an
/// error; then the caller removes what was added to the table.
#[inline]
fn read_element(
    fast: &mut FastPath<'_>,
    table: &mut Table,
    known: &RecordTag,
    layout: u8,
    (start, from): (usize, usize),
    is_outermost: bool,
) -> Option<ElementExtent> {
    let name = known.name?;
    let node = table.begin_element(name);
    let layout = known.tag.layout(layout)?;
    let mut at = from;
    fast.forget();
    for (attribute, quote, piece) in layout.values() {
        let (raw, is_special) = fast.value(at, quote)?;
        at = fast.behind(piece, raw.end)?;
        let value = if is_special {
            fast.resolve_value(&raw)?
        } else {
            Value::Window(raw.clone())
        };
        if let Some(Some(name)) = known.attributes.get(usize::from(attribute)) {
            let resolved = match value {
                Value::Window(_) => None,
                Value::Resolved(text) => Some(fast.resolved(text)),
            };
            table.push_attribute(*name, fast.bytes(raw.clone()), resolved, raw);
        }
    }
    if !fast.can_have(at - start) {
        return None;
    }
    if layout.is_empty() {
        table.set_element(node, name, at..at, start..at);
        fast.pass(start, at);
        return Some(ElementExtent::Leaf);
    }
    match fast.content(&known.tag, at) {
        Content::Text { text, end } => {
            match text {
                FoundText::Plain(span) => {
                    table.set_text(node, name, fast.bytes(span.clone()), span.start, start..end);
                }
                FoundText::Resolved { begins, text } => {
                    table.set_resolved_text(node, name, fast.resolved(text), begins, start..end);
                }
            }
            fast.pass(start, end);
            Some(ElementExtent::Leaf)
        }
        // Elements within a core element are an error, which the slow path reports.
        Content::Element if is_outermost && name.index() < Name::CORE => None,
        Content::Element => {
            let tag = FoundStart {
                start,
                end: at,
                is_empty: false,
            };
            fast.enter(&known.tag, tag)?;
            table.set_open(node, name, start..at);
            Some(ElementExtent::Open)
        }
        Content::Other => None,
    }
}

/// The content of an element; `None` if the fast path does not read it.
#[inline]
fn content(fast: &mut FastPath<'_>, known: &RecordTag, start: FoundStart) -> Option<Content> {
    if start.is_empty {
        return Some(Content::Text {
            text: FoundText::Plain(start.end..start.end),
            end: start.end,
        });
    }
    match fast.content(&known.tag, start.end) {
        Content::Other => None,
        content => Some(content),
    }
}

/// Adds an element with only text.
#[inline]
fn push_text(
    table: &mut Table,
    fast: &FastPath<'_>,
    known: &RecordTag,
    name: Name,
    start: FoundStart,
    text: FoundText,
    end: usize,
) {
    let outer = start.start..end;
    let node = match text {
        FoundText::Plain(span) => table.push_leaf(name, fast.bytes(span.clone()), span.start, outer),
        FoundText::Resolved { begins, text } => table.push_resolved(name, fast.resolved(text), begins, outer),
    };
    if !fast.found().is_empty() {
        push_attributes(table, fast, known);
        table.end_attributes(node);
    }
}

/// Adds an element that may have children, and its attributes.
#[inline]
fn push_start(
    table: &mut Table,
    fast: &FastPath<'_>,
    known: &RecordTag,
    name: Name,
    start: FoundStart,
) -> usize {
    let node = table.open(name, start.start..start.end);
    push_attributes(table, fast, known);
    node
}

/// Adds the attributes of the last element.
#[inline]
fn push_attributes(table: &mut Table, fast: &FastPath<'_>, known: &RecordTag) {
    for found in fast.found() {
        let Some(Some(name)) = known.attributes.get(usize::from(found.attribute)) else {
            continue;
        };
        let raw = found.raw.clone();
        let resolved = match &found.value {
            Value::Window(_) => None,
            Value::Resolved(text) => Some(fast.resolved(text.clone())),
        };
        table.push_attribute(*name, fast.bytes(raw.clone()), resolved, raw);
    }
}

/// A range of the text held in the window.
fn held_text<S: Window>(scanner: &Scanner<S>, span: Span) -> &str {
    let held = scanner.held();
    scanner.text(span.start + held..span.end + held)
}

/// Opens the element of a node.
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

/// Skips the element whose start tag is the scanner's last token.
pub(crate) fn skip<S: Window>(scanner: &mut Scanner<S>) -> Result<()> {
    if skip_well_formed(scanner) {
        return Ok(());
    }
    pass_over(scanner)
}

/// As [`skip`], in a lenient reading, if the element is well-formed: then what is in it belongs to it, whatever it is. Otherwise skips
/// nothing and returns `false`.
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
