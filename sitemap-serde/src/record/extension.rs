//! Checked writing of extension and user elements.

use std::any::Any;

use sitemap_values::Rule;
use sitemap_values::number::grouped;
use sitemap_values::quote::quote;

use crate::error::{Defect, Error, Facts, Message, Result, Step, Suggestion, skip_field};
use crate::loc::{Link, LocRules, UrlBuffer};
use crate::model::Kind;
use crate::schema::{self, Element, FieldSink, Item, Leaf, Name, Occurs, SchemaRow, Shape, second};
use crate::xml::escape::unwritable;
use crate::xml::fragment;
use crate::xml::names::{KnownNamespaces, Namespace, split, split_expanded};

use super::against_loc::{self, AgainstLoc};
use super::element_name::{ElementName, check_local, unknown_prefix};
use super::elements::{Elements, Mark, Value};
use super::write::NOT_IN_INDEX;
use super::{RecordWriter, Slot};

impl RecordWriter<'_> {
    /// The known namespaces; mutable because a name with a URI may add one.
    pub(crate) fn known(&mut self) -> &mut KnownNamespaces {
        &mut self.state.known
    }

    pub(crate) fn mark(&self) -> Mark {
        self.state.elements.mark()
    }

    /// Rolls back to the state before an element.
    pub(crate) fn rollback(&mut self, mark: Mark, name: Name) {
        self.state.elements.rollback(mark);
        self.state.elements.uncount(name);
    }

    /// Writes an element, or several with one name, by serde. After an error, the entry contains none of them.
    pub(crate) fn elements_of(
        &mut self,
        name: ElementName<'_>,
        write: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let mark = self.mark();
        let before = name.name.map(|name| (name, self.count(name)));
        let had_failed = self.state.failed;
        write(self).inspect_err(|_| {
            // The part that failed is rolled back too.
            self.state.failed = had_failed;
            self.state.elements.rollback(mark);
            if let Some((name, before)) = before {
                for _ in before..self.count(name) {
                    self.state.elements.uncount(name);
                }
            }
        })
    }

    /// The number of children with this name in the open element.
    pub(crate) fn count(&self, name: Name) -> usize {
        self.state.elements.count(name)
    }

    /// Lets the root declare the element's namespace even if the first entry has no such element.
    pub(crate) fn touch(&mut self, name: ElementName<'_>) {
        self.state.elements.scopes.touch(name.namespace);
    }

    /// Adds the text of whole elements to the open element or the entry.
    pub(crate) fn raw(&mut self, text: &str) -> Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if self.kind == Kind::SitemapIndex {
            return Err(Error::data(
                Message::new("elements of other namespaces in an index: a `sitemap` entry has a loc and a lastmod, nothing else")
                    .advice(NOT_IN_INDEX),
            )
            .breaks(Rule::IndexTags));
        }
        fragment::check(text)?;
        self.state.elements.raw(text);
        Ok(())
    }

    /// Opens an element in the open element, or in the entry.
    pub(crate) fn open(&mut self, element: ElementName<'_>) -> Result<()> {
        if self.kind == Kind::SitemapIndex {
            return Err(Error::data(
                Message::new(format!(
                    "a `{}` in an index: a `sitemap` entry has a loc and a lastmod, nothing else",
                    element.qualified
                ))
                .advice(NOT_IN_INDEX)
                .suggestion(Suggestion::probable("")),
            )
            .breaks(Rule::IndexTags));
        }
        let elements = &self.state.elements;
        if let Some(name) = element.name {
            let parent = elements.parent();
            let at_entry = elements.at_entry();
            if let Some(row) = name.row() {
                if (at_entry || parent.is_some()) && row.parent != parent {
                    return Err(misplaced(row));
                }
                check_count(name, row, elements.count(name))?;
            }
        } else if let Some(parent) = elements.parent() {
            return Err(Error::data(
                Message::new(format!(
                    "a `{}` in a `{}`: the schema does not allow it there",
                    element.qualified,
                    parent.shown()
                ))
                .advice("put it beside it"),
            ));
        }
        let state = &mut *self.state;
        let prefixed;
        let qualified = match element.expanded {
            None => element.qualified,
            Some(local) => {
                let prefix = state.known.prefix(element.namespace).unwrap_or_default();
                prefixed = [prefix, ":", local].concat();
                &prefixed
            }
        };
        state
            .elements
            .open(&state.known, qualified, element.namespace, element.name);
        Ok(())
    }

    /// Adds an attribute to the open element by its name in serde, `@` included.
    pub(crate) fn attribute(&mut self, attribute: &str, text: &str) -> Result<()> {
        let given = attribute.strip_prefix('@').unwrap_or(attribute);
        let element = self.state.elements.parent();
        if let Some(name) = element.and_then(|element| Name::attribute(element, given))
            && let Some(row) = name.row()
        {
            return self.known_attribute(name, row, text, false);
        }
        let state = &mut *self.state;
        let prefixed;
        let qualified = match split_expanded(given) {
            Some((uri, local)) if state.known.has_expanded_names() => {
                let namespace = state.known.of_uri(uri)?;
                let prefix = state.known.prefix(namespace).unwrap_or_default();
                prefixed = [prefix, ":", local].concat();
                &prefixed
            }
            _ => given,
        };
        let (prefix, local) = split(qualified);
        if qualified == "xmlns" || prefix == "xmlns" {
            let message = Message::new("namespaces are declared at the root");
            return Err(Error::data(message.advice(skip_field())));
        }
        let namespace = if prefix.is_empty() {
            Namespace::None
        } else {
            match state.known.of_prefix(prefix) {
                Some(namespace) => namespace,
                None => {
                    state.known.check()?;
                    return Err(unknown_prefix(attribute, prefix));
                }
            }
        };
        check_local(local, attribute, "attribute")?;
        if let Some(element) = element
            && namespace == Namespace::None
            && !element.group().is_some_and(|group| group.any_attribute)
        {
            let message = Message::new(format!(
                "`{}` has no attribute {}",
                element.shown(),
                quote(qualified)
            ));
            let message = message.advice(format!("correct the name, or {}", skip_field()));
            return Err(Error::data(message).with_defect(Defect::Unknown));
        }
        let (elements, known) = (&mut state.elements, &state.known);
        elements
            .attribute(known, qualified, namespace, crate::xml::trim(text))
            .map_err(unwritable)
    }

    /// Adds an attribute of the schema to the open element. With `is_right` its value is not checked.
    fn known_attribute(
        &mut self,
        name: Name,
        row: &'static SchemaRow,
        text: &str,
        is_right: bool,
    ) -> Result<()> {
        let state = &mut *self.state;
        if state.elements.count(name) > 0 {
            return Err(second_attribute(row.name));
        }
        let text = crate::xml::trim(text);
        let value = if is_right {
            Value::valid(text, row)
        } else {
            checked(row, text, state.rules.get(), &mut state.url)?
        };
        keep(&mut state.elements, &mut state.against_loc, name, value.text)?;
        state
            .elements
            .known_attribute(name, row, value)
            .map_err(unwritable)
    }

    /// Adds text to the open element; an empty text is ignored.
    pub(crate) fn element_text(&mut self, text: &str) -> Result<()> {
        let text = crate::xml::trim(text);
        if text.is_empty() {
            return Ok(());
        }
        let state = &mut *self.state;
        if state.elements.has_text() {
            return Err(second_text());
        }
        let Some(element) = state.elements.parent() else {
            return state.elements.text(text.into()).map_err(unwritable);
        };
        let name = text_of(element)?;
        match name.row() {
            Some(row) => self.known_text(name, row, text, false),
            None => Ok(()),
        }
    }

    /// Adds text to the open element, which is in the schema. With `is_right` it is not checked.
    fn known_text(&mut self, name: Name, row: &'static SchemaRow, text: &str, is_right: bool) -> Result<()> {
        let state = &mut *self.state;
        let text = crate::xml::trim(text);
        if text.is_empty() {
            return Ok(());
        }
        let value = if is_right {
            Value::valid(text, row)
        } else {
            checked(row, text, state.rules.get(), &mut state.url)?
        };
        keep(&mut state.elements, &mut state.against_loc, name, value.text)?;
        state.elements.text(value).map_err(unwritable)
    }

    /// Adds an element with only text; nothing if the text is empty.
    pub(crate) fn leaf(&mut self, element: ElementName<'_>, text: &str) -> Result<()> {
        if crate::xml::trim(text).is_empty() {
            return Ok(());
        }
        if let Some(name) = element.name
            && let Some(row) = name.row()
            && !matches!(row.shape(), Shape::Group | Shape::Flag)
            && self.state.elements.takes_leaf()
        {
            return self.known_leaf(name, row, text, false);
        }
        self.open(element)?;
        self.element_text(text)?;
        self.close()
    }

    /// Returns `true` if the open element has neither attributes, nor children, nor text.
    pub(crate) fn is_bare(&self) -> bool {
        self.state.elements.is_bare()
    }

    /// Returns `true` if the last element that was closed has neither attributes, nor children, nor text.
    pub(crate) fn last_is_bare(&self) -> bool {
        self.state.elements.last_is_bare
    }

    /// Forgets the last element that was closed.
    pub(crate) fn forget_bare(&mut self) {
        self.state.elements.last_is_bare = false;
    }

    /// Closes the open element, or returns an error if a required part is missing.
    pub(crate) fn close(&mut self) -> Result<()> {
        if self.state.elements.parent().is_some() {
            self.state.elements.written().check()?;
        }
        self.check_attributes()?;
        self.state.elements.close();
        Ok(())
    }

    /// The error of an open element that would not be complete even if it had these parts.
    #[cold]
    pub(crate) fn incomplete(&mut self, parts: &[Name]) -> Option<Error> {
        let mut written = self.state.elements.written().clone();
        for part in parts {
            written.add(*part);
        }
        let is_known = self.state.elements.parent().is_some();
        let checked = if is_known { written.check() } else { Ok(()) };
        checked.and_then(|()| self.check_attributes()).err()
    }

    #[inline]
    fn check_attributes(&self) -> Result<()> {
        match self.state.elements.attribute_twice() {
            None => Ok(()),
            Some(twice) => {
                let attribute = format!("@{twice}");
                Err(second_attribute(&attribute).within(Step::other(&attribute)))
            }
        }
    }

    /// Writes an element that may be repeated; errors contain its index.
    pub(crate) fn nth(&mut self, name: Name, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let is_one = name.row().is_some_and(|row| !row.is_repeated());
        let index = (!is_one).then(|| self.count(name));
        self.named(name, index, |record| record.element_with(name, write))
    }

    /// Writes an element; `write` writes its content. After an error, nothing of the element is in the entry.
    pub(crate) fn element_with(
        &mut self,
        name: Name,
        write: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let mark = self.mark();
        let omitted = self.state.omitted.len();
        self.open(name.into())?;
        let result = write(self).and_then(|()| self.close().map_err(|error| self.cause(error, omitted)));
        if result.is_err() {
            self.rollback(mark, name);
        }
        result
    }

    /// The error for an open element that cannot be closed: the error of the part that was dropped from it, if that is the reason.
    /// `omitted` is the number of parts dropped before it.
    #[cold]
    fn cause(&mut self, error: Error, omitted: usize) -> Error {
        let state = &mut *self.state;
        let cause = state.omitted.take_cause(omitted, state.elements.written());
        cause.unwrap_or(error)
    }

    /// Writes a value of this crate's types: as a child, an attribute or the text of the open element.
    fn value<T: Leaf>(&mut self, name: Name, value: &T) -> Result<()> {
        let Some(row) = name.row() else { return Ok(()) };
        let mut scratch = std::mem::take(&mut self.state.scratch);
        scratch.clear();
        let text = value.text(&mut scratch);
        let result = self.row(name, row, text, value.is_right(row));
        self.state.scratch = scratch;
        result
    }

    /// Adds a child with only text to the open element; both are in the schema.
    fn known_leaf(&mut self, name: Name, row: &'static SchemaRow, text: &str, is_right: bool) -> Result<()> {
        let state = &mut *self.state;
        if row.parent != state.elements.parent() {
            return Err(misplaced(row));
        }
        check_count(name, row, state.elements.count(name))?;
        let text = crate::xml::trim(text);
        let value = if is_right {
            Value::valid(text, row)
        } else {
            checked(row, text, state.rules.get(), &mut state.url)?
        };
        keep(&mut state.elements, &mut state.against_loc, name, value.text)?;
        state.elements.leaf(name, row, value).map_err(unwritable)
    }

    /// Writes a text as a child, an attribute or the text of the open element, according to its row. With `is_right` it is not
    /// checked.
    fn row(&mut self, name: Name, row: &'static SchemaRow, text: &str, is_right: bool) -> Result<()> {
        if self.state.drops_values()
            && row.kind.is_list()
            && let Err(error) = row.check(crate::xml::trim(text))
        {
            return self.valid_words(row, text, error, |record, text| record.row(name, row, text, true));
        }
        match row.name.as_bytes() {
            [b'@', ..] => self.known_attribute(name, row, text, is_right),
            [b'$', ..] => self.known_text(name, row, text, is_right),
            _ if crate::xml::trim(text).is_empty() => Ok(()),
            _ => {
                if self.state.elements.takes_leaf() {
                    return self.known_leaf(name, row, text, is_right);
                }
                self.open(name.into())?;
                self.known_text(name, row, text, is_right)?;
                self.state.elements.close();
                Ok(())
            }
        }
    }

    /// Writes a text as a child, an attribute or the text of the open element.
    pub(crate) fn part(&mut self, name: Name, text: &str) -> Result<()> {
        self.part_that_is(name, text, false)
    }

    /// Like [`part`](Self::part), for a URL that [`link_template`](Self::link_template) made.
    #[cfg(feature = "derive")]
    pub(crate) fn link(&mut self, name: Name, url: &str) -> Result<()> {
        self.part_that_is(name, url, true)
    }

    fn part_that_is(&mut self, name: Name, text: &str, is_right: bool) -> Result<()> {
        match name.row() {
            Some(row) => self.named(name, None, |record| record.row(name, row, text, is_right)),
            None => Ok(()),
        }
    }
}

impl FieldSink for RecordWriter<'_> {
    type Error = Error;

    #[inline]
    fn leaf<T: Leaf>(&mut self, name: Name, value: &T) -> Result<()> {
        match Slot::of(name) {
            // The types of core values have only valid values, except for the loc's, which is a string.
            Some(Slot::Loc) => self.loc(value.text(&mut String::new())),
            Some(_) if self.is_lenient() => {
                let mut text = String::new();
                let text = value.text(&mut text);
                self.extra(|record| match (Slot::of(name), value.date_time()) {
                    (Some(Slot::Lastmod), Some(lastmod)) => record.lastmod(&lastmod),
                    (Some(slot), _) => record.text(slot, text),
                    (None, _) => Ok(()),
                })
            }
            Some(Slot::Lastmod) if self.cuts_lastmod() => match value.date_time() {
                Some(lastmod) => self.lastmod(&lastmod),
                None => self.text(Slot::Lastmod, value.text(&mut String::new())),
            },
            Some(slot) => {
                self.right(slot, |out| value.push_to(out))?;
                self.note_lastmod(value.date_time());
                Ok(())
            }
            None => self.named(name, None, |record| record.value(name, value)),
        }
    }

    fn element<T: Element>(&mut self, name: Name, value: &T) -> Result<()> {
        self.named(name, None, |record| {
            record.element_with(name, |record| value.write(record))
        })
    }

    fn many<T: Item>(&mut self, name: Name, values: &[T]) -> Result<()> {
        let first = self.count(name);
        for (number, value) in values.iter().enumerate() {
            let index = first + number;
            value.write_item(name, &mut Nth { record: self, index })?;
        }
        Ok(())
    }

    fn flag(&mut self, name: Name) -> Result<()> {
        self.named(name, None, |record| record.element_with(name, |_| Ok(())))
    }

    fn absent(&mut self, _: Name) -> Result<()> {
        Ok(())
    }
}

impl RecordWriter<'_> {
    /// Returns `true` if an invalid value is dropped.
    #[inline]
    fn is_lenient(&self) -> bool {
        self.state.drops_values()
    }
}

/// Writes an element that may be repeated; errors contain its index.
struct Nth<'w, 'a> {
    record: &'w mut RecordWriter<'a>,
    index: usize,
}

impl FieldSink for Nth<'_, '_> {
    type Error = Error;

    fn leaf<T: Leaf>(&mut self, name: Name, value: &T) -> Result<()> {
        self.record
            .named(name, Some(self.index), |record| record.value(name, value))
    }

    fn element<T: Element>(&mut self, name: Name, value: &T) -> Result<()> {
        if let Some(link) = (value as &dyn Any).downcast_ref()
            && self.record.plain_alternate(link)
        {
            return Ok(());
        }
        self.record.named(name, Some(self.index), |record| {
            record.element_with(name, |record| value.write(record))
        })
    }

    fn many<T: Item>(&mut self, name: Name, values: &[T]) -> Result<()> {
        self.record.many(name, values)
    }

    fn flag(&mut self, name: Name) -> Result<()> {
        self.record.flag(name)
    }

    fn absent(&mut self, _: Name) -> Result<()> {
        Ok(())
    }
}

/// The name of an element's text in the schema: its `$text`, or its own name if it has only text.
fn text_of(element: Name) -> Result<Name> {
    let text = match (element.group(), element.row()) {
        (Some(group), _) => group.text,
        (None, Some(row)) if row.shape() != Shape::Flag => Some(element),
        (None, _) => None,
    };
    text.ok_or_else(|| {
        Error::data(format!(
            "`{}` has no text of its own: leave it out",
            element.shown()
        ))
    })
}

/// `true` if checks at the end of the element or entry need the value of this schema name.
static IS_KEPT: [bool; Name::KNOWN] = {
    let mut is_kept = [false; Name::KNOWN];
    is_kept[schema::REL.index()] = true;
    is_kept[schema::HREF.index()] = true;
    is_kept[schema::HREFLANG.index()] = true;
    is_kept[schema::INFO.index()] = true;
    is_kept[schema::CONTENT_LOC.index()] = true;
    is_kept[schema::PLAYER_URL.index()] = true;
    is_kept
};

/// Keeps a value for the checks at the end of its element or entry. If invalid values are dropped, a video's URL is compared with an
/// already known loc at once: later, only the whole video could be dropped.
#[inline]
fn keep(elements: &mut Elements, against_loc: &mut AgainstLoc, name: Name, value: &str) -> Result<()> {
    let is_of_link = matches!(name, schema::HREF | schema::HREFLANG);
    if IS_KEPT.get(name.index()) == Some(&true) && (!is_of_link || against_loc.alternates) {
        return keep_value(elements, against_loc, name, value);
    }
    Ok(())
}

fn keep_value(elements: &mut Elements, against_loc: &mut AgainstLoc, name: Name, value: &str) -> Result<()> {
    match name {
        schema::REL if value == "alternate" || value.split([' ', '\n']).any(|rel| rel == "alternate") => {
            elements.written().is_alternate = true;
        }
        schema::INFO | schema::CONTENT_LOC | schema::PLAYER_URL => {
            if against_loc.at_once && elements.has(Slot::Loc) {
                return against_loc::check_video_url(name, value, elements.url());
            }
            against_loc.push(name, elements.videos(), value);
        }
        schema::HREF | schema::HREFLANG => against_loc.push(name, 0, value),
        _ => {}
    }
    Ok(())
}

#[cold]
fn second_text() -> Error {
    Error::data(Message::new("a second `$text`: an element has one text").advice("write only one"))
}

#[cold]
fn second_attribute(attribute: &str) -> Error {
    Error::data(
        Message::new(format!("a second `{attribute}`: an attribute stands once")).advice("leave one out"),
    )
    .with_defect(Defect::Excess)
}

/// Checks a value, and encodes it if it is a URL.
#[inline]
fn checked<'a>(
    row: &'static SchemaRow,
    text: &'a str,
    rules: &LocRules,
    scratch: &'a mut UrlBuffer,
) -> Result<Value<'a>> {
    match (row.kind, row.rule) {
        (schema::ValueKind::Url, Some(rule)) => {
            let link = rules.apply_link(text, scratch);
            let Link { text, is_plain } = link.map_err(|error| error.under(rule))?;
            Ok(Value { text, is_plain })
        }
        _ => row.check(text).map(|()| Value::valid(text, row)),
    }
}

/// The error for an element of the schema in the wrong parent.
#[cold]
fn misplaced(row: &'static SchemaRow) -> Error {
    let found = row.name;
    let place = row.parent.map_or("url", Name::shown);
    Error::data(
        Message::new(format!(
            "`{found}` is not allowed here: it is a child of `{place}`"
        ))
        .advice("move it there"),
    )
    .with_defect(Defect::Unknown)
}

/// Returns an error if an element may not have another child with this name.
#[inline]
pub(super) fn check_count(name: Name, row: &'static SchemaRow, count: usize) -> Result<()> {
    match row.occurs {
        Occurs::Many(most) if count >= most => Err(too_many(row, most)),
        Occurs::One | Occurs::Maybe if count > 0 => Err(second(name, "write only one")),
        _ => Ok(()),
    }
}

#[cold]
fn too_many(row: &'static SchemaRow, most: usize) -> Error {
    let finding = Facts::none().row(row).number(most as u64);
    let too_many = |found: &Facts| {
        let (name, place, most) = (found.of().name, found.of().place(), grouped(found.number));
        Message::new(format!(
            "more than {most} `{name}`: {most} are allowed in {place}"
        ))
        .advice("leave some out")
    };
    row.breaking(Error::found(finding, too_many))
        .with_defect(Defect::Excess)
}
