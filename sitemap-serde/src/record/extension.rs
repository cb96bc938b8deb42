//! Checked writing of extension and user elements.

use crate::error::{Error, Finding, Message, Result, Step};
use crate::loc::{self, Link, LocRules, UrlBuffer};
use crate::model::Kind;
use crate::quote::quote;
use crate::rule::Rule;
use crate::schema::{self, Element, Item, Leaf, Name, Occurs, Row, Shape, Sink, missing, second};
use crate::xml::escape::unwritable;
use crate::xml::fragment;
use crate::xml::names::{KnownNamespaces, Namespace, split, split_expanded};

use super::elements::{Elements, Mark, Value};
use super::omit::Omits;
use super::write::NOT_IN_INDEX;
use super::{RecordState, RecordWriter, Slot};

/// An element's name in serde, resolved to its schema row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElementName<'n> {
    /// serde's name: with a prefix, or with the namespace URI in braces.
    qualified: &'n str,
    /// The local name, if it is a name with a URI.
    expanded: Option<&'n str>,
    namespace: Namespace,
    /// The schema's name; `None` for a user namespace.
    name: Option<Name>,
}

impl From<Name> for ElementName<'static> {
    fn from(name: Name) -> Self {
        ElementName {
            qualified: name.shown(),
            expanded: None,
            namespace: name.namespace(),
            name: Some(name),
        }
    }
}

impl<'n> ElementName<'n> {
    /// Resolves the name of an extension or user element.
    pub(crate) fn find(known: &mut KnownNamespaces, qualified: &'n str) -> Result<Self> {
        if known.has_expanded_names()
            && let Some((uri, local)) = split_expanded(qualified)
        {
            check_local(local, qualified, "element")?;
            return Ok(ElementName {
                qualified,
                expanded: Some(local),
                namespace: known.of_uri(uri)?,
                name: None,
            });
        }
        let (prefix, local) = split(qualified);
        if prefix.is_empty() && known.has_expanded_names() {
            check_local(local, qualified, "element")?;
            return Ok(ElementName {
                qualified,
                expanded: None,
                namespace: Namespace::Core,
                name: None,
            });
        }
        let Some(namespace) = known
            .of_prefix(prefix)
            .filter(|namespace| *namespace != Namespace::Xml)
        else {
            return Err(unknown_prefix(qualified, prefix));
        };
        let name = Name::element(namespace, local);
        if name.is_none() {
            let all = Name::all_of(namespace);
            if !all.is_empty() {
                return Err(Error::data(format!(
                    "{} is not an element of its namespace: it has {}; correct the name",
                    quote(qualified),
                    all.join(", ")
                )));
            }
            check_local(local, qualified, "element")?;
        }
        Ok(ElementName {
            qualified,
            expanded: None,
            namespace,
            name,
        })
    }

    pub(crate) fn as_str(&self) -> &'n str {
        self.qualified
    }

    /// Whether the element is in a user namespace.
    pub(crate) fn is_outside_schema(&self) -> bool {
        self.name.is_none()
    }

    pub(crate) fn row(&self) -> Option<&'static Row> {
        self.name.and_then(Name::row)
    }

    pub(crate) fn shape(&self) -> Option<Shape> {
        self.row().map(Row::shape)
    }
}

/// Checks a local name; `whole` is the full name, for the message.
fn check_local(local: &str, whole: &str, what: &str) -> Result<()> {
    if local.contains(':') || crate::xml::chars::name_len(local) != local.len() || local.is_empty() {
        return Err(Error::data(format!(
            "{} is not a valid name of an XML {what} (XML 1.0 section 2.3); rename it",
            quote(whole)
        )));
    }
    Ok(())
}

/// The error for the name of a user element without a prefix.
#[cold]
pub(crate) fn no_prefix(name: &str) -> Error {
    Error::data(
        Message::new(format!(
            "{} has no prefix: an element of a namespace of your own is `prefix:name`",
            quote(name)
        ))
        .advice("write the prefix that the builder's `namespace` was given; the sitemap's own elements have functions of their own"),
    )
}

#[cold]
fn unknown_prefix(qualified: &str, prefix: &str) -> Error {
    Error::settings(format!(
        "{} has the prefix `{prefix}`, and no namespace is known by it; make it known with \
         `WriterBuilder::namespace(\"{prefix}\", …)`",
        quote(qualified)
    ))
}

/// The URLs of an entry that are compared with its loc once it is complete: those of videos, and, if requested, alternates.
#[derive(Debug, Default)]
pub(crate) struct AgainstLoc {
    text: String,
    found: Vec<Found>,
    /// Whether alternates are compared.
    pub(super) alternates: bool,
}

#[derive(Debug)]
struct Found {
    name: Name,
    /// The index of the video.
    video: usize,
    end: usize,
}

impl AgainstLoc {
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.found.clear();
    }

    /// The current state, to roll back to.
    pub(super) fn mark(&self) -> (usize, usize) {
        (self.text.len(), self.found.len())
    }

    /// Removes the URLs added after the mark.
    pub(super) fn rollback(&mut self, (text, found): (usize, usize)) {
        self.text.truncate(text);
        self.found.truncate(found);
    }

    /// The index of the video with an invalid URL; `None` if the alternates are invalid.
    pub(super) fn wrong_video(&self, page: &str) -> Option<usize> {
        match self.check_alternates(page) {
            Ok(()) => self.wrong(page).map(|(video, _)| video),
            Err(_) => None,
        }
    }

    /// Removes the URLs of a video, or of all alternates.
    pub(super) fn forget(&mut self, video: Option<usize>) {
        let mut kept = AgainstLoc {
            alternates: self.alternates,
            ..AgainstLoc::default()
        };
        let mut start = 0;
        for Found { name, video: of, end } in &self.found {
            let text = self.text.get(start..*end).unwrap_or_default();
            start = *end;
            let is_alternate = matches!(*name, schema::HREF | schema::HREFLANG);
            match video {
                None if is_alternate => {}
                Some(video) if !is_alternate && *of == video => {}
                // The index of later videos decreases.
                Some(video) if !is_alternate && *of > video => kept.push(*name, of - 1, text),
                _ => kept.push(*name, *of, text),
            }
        }
        *self = kept;
    }

    fn push(&mut self, name: Name, video: usize, text: &str) {
        self.text.push_str(text);
        self.found.push(Found {
            name,
            video,
            end: self.text.len(),
        });
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Checks the URLs against the page's loc (P-VID2, P-VID9, P-ALT3).
    pub(super) fn check(&self, page: &str) -> Result<()> {
        self.check_alternates(page)?;
        self.wrong(page).map_or(Ok(()), |(_, error)| Err(error))
    }

    /// The first invalid URL of a video: the video's index, and the error.
    fn wrong(&self, page: &str) -> Option<(usize, Error)> {
        let mut start = 0;
        for Found { name, video, end } in &self.found {
            let url = self.text.get(start..*end).unwrap_or_default();
            start = *end;
            if matches!(*name, schema::HREF | schema::HREFLANG) {
                continue;
            }
            let error = if *name == schema::INFO {
                if is_same_domain(url, page) {
                    continue;
                }
                Error::data(
                    Message::new(format!(
                        "{} is not on the page's domain: the page about an uploader is",
                        quote(url)
                    ))
                    .advice("leave it out, or write one that is"),
                )
                .breaks(Rule::Vid9)
                .within("@info")
                .within("video:uploader")
            } else {
                if url != page {
                    continue;
                }
                Error::data(
                    Message::new(format!(
                        "{} is the page's own loc: a video and its player have an address of their own",
                        quote(url)
                    ))
                    .advice(
                        "correct it, or \
                     leave it out",
                    ),
                )
                .breaks(Rule::Vid2)
                .within(match *name {
                    schema::PLAYER_URL => "video:player_loc",
                    name => name.shown(),
                })
            };
            return Some((*video, error.at_index(*video).within("video:video")));
        }
        None
    }
}

impl AgainstLoc {
    /// The values of attributes or elements with this name.
    fn texts(&self, name: Name) -> impl Iterator<Item = &str> + Clone {
        let mut start = 0;
        let texts = self.found.iter().map(move |found| {
            let text = self.text.get(start..found.end).unwrap_or_default();
            start = found.end;
            (found.name, text)
        });
        texts
            .filter(move |(other, _)| *other == name)
            .map(|(_, text)| text)
    }

    /// Checks that a page's alternates include the page itself, and each language once (P-ALT3).
    fn check_alternates(&self, page: &str) -> Result<()> {
        let mut hrefs = self.texts(schema::HREF).peekable();
        if hrefs.peek().is_some() && !hrefs.any(|href| href == page) {
            return Err(Error::data(
                Message::new(format!(
                    "the alternates of {} do not list the page itself: each page lists all languages, including its own",
                    quote(page)
                ))
                .advice("add a link to it"),
            )
            .breaks(Rule::Alt3)
            .within("xhtml:link"));
        }
        let Some(language) = twice(self.texts(schema::HREFLANG)) else {
            return Ok(());
        };
        Err(Error::data(
            Message::new(format!(
                "a second alternate of the language {}: a language has one page",
                quote(language)
            ))
            .advice("leave one of them out"),
        )
        .breaks(Rule::Alt3)
        .within("xhtml:link"))
    }
}

/// A language that occurs twice, ignoring case.
pub(crate) fn twice<'l>(languages: impl Iterator<Item = &'l str> + Clone) -> Option<&'l str> {
    // Up to 100 languages, more than real pages have, are compared without allocating.
    if languages.clone().nth(100).is_some() {
        let mut sorted: Vec<String> = languages.clone().map(str::to_ascii_lowercase).collect();
        sorted.sort_unstable();
        let pair = sorted.windows(2).find(|pair| pair[0] == pair[1])?;
        return languages
            .clone()
            .find(|language| language.eq_ignore_ascii_case(&pair[0]));
    }
    let mut rest = languages;
    while let Some(language) = rest.next() {
        if rest.clone().any(|other| other.eq_ignore_ascii_case(language)) {
            return Some(language);
        }
    }
    None
}

/// Whether two URLs have the same host, or one host is a subdomain of the other; `www.` is ignored.
fn is_same_domain(url: &str, page: &str) -> bool {
    let (Some(a), Some(b)) = (loc::host(url), loc::host(page)) else {
        return false;
    };
    let [a, b] = [a, b].map(|host| {
        let host = host.to_ascii_lowercase();
        host.strip_prefix("www.").map_or(host.clone(), str::to_owned)
    });
    let is_below = |a: &str, b: &str| {
        a.strip_suffix(b)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    is_below(&a, &b) || is_below(&b, &a)
}

impl RecordState {
    /// Checks URLs of an entry's videos against its loc (P-VID2, P-VID9). Each URL comes with the name of its element or
    /// attribute and the index of its video.
    pub(crate) fn check_videos<'v>(
        &mut self,
        found: impl IntoIterator<Item = (Name, usize, &'v str)>,
    ) -> Result<()> {
        self.against_loc.clear();
        for (name, video, url) in found {
            self.against_loc.push(name, video, url);
        }
        self.against_loc.check(self.elements.url())
    }
}

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

    /// Writes an element, or several with one name, by serde. After an error, none of them is in the entry.
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
        self.state.elements.touch(name.namespace);
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
                .advice(NOT_IN_INDEX),
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
            return Err(Error::data(format!(
                "a `{}` in a `{}`: the schema does not allow it there; put it beside it",
                element.qualified,
                parent.shown()
            )));
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
        let namespace = if prefix.is_empty() {
            Namespace::None
        } else {
            match state.known.of_prefix(prefix) {
                Some(namespace) => namespace,
                None => return Err(unknown_prefix(attribute, prefix)),
            }
        };
        check_local(local, attribute, "attribute")?;
        if qualified == "xmlns" || prefix == "xmlns" {
            return Err(Error::data(
                "namespaces are declared by the writer; leave it out with `#[serde(skip_serializing)]`",
            ));
        }
        if let Some(element) = element
            && namespace == Namespace::None
            && !element.group().is_some_and(|group| group.any_attribute)
        {
            return Err(Error::data(format!(
                "`{}` has no attribute {}: correct the name, or leave it out with `#[serde(skip_serializing)]`",
                element.shown(),
                quote(qualified)
            )));
        }
        let (elements, known) = (&mut state.elements, &state.known);
        elements
            .attribute(known, qualified, namespace, crate::xml::trim(text))
            .map_err(unwritable)
    }

    /// Adds an attribute of the schema to the open element. With `is_right` its value is not checked.
    fn known_attribute(&mut self, name: Name, row: &'static Row, text: &str, is_right: bool) -> Result<()> {
        let state = &mut *self.state;
        if state.elements.count(name) > 0 {
            return Err(second_attribute(row.name));
        }
        let text = crate::xml::trim(text);
        let value = if is_right {
            text.into()
        } else {
            checked(row, text, state.rules.get(), &mut state.url)?
        };
        keep(&mut state.elements, &mut state.against_loc, name, value.text);
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
    fn known_text(&mut self, name: Name, row: &'static Row, text: &str, is_right: bool) -> Result<()> {
        let state = &mut *self.state;
        let text = crate::xml::trim(text);
        if text.is_empty() {
            return Ok(());
        }
        let value = if is_right {
            text.into()
        } else {
            checked(row, text, state.rules.get(), &mut state.url)?
        };
        keep(&mut state.elements, &mut state.against_loc, name, value.text);
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

    /// Whether the open element has neither attributes, nor children, nor text.
    pub(crate) fn is_bare(&self) -> bool {
        self.state.elements.is_bare()
    }

    /// Closes the open element, or returns an error if a required part is missing.
    pub(crate) fn close(&mut self) -> Result<()> {
        if let Some(name) = self.state.elements.parent()
            && let written = self.state.elements.written()
            && let Some(group) = written.group()
        {
            if let Some(part) = written.first_missing() {
                return Err(missing(name.shown(), part.shown(), group.rule).within(part.shown()));
            }
            if let Some(check) = group.check {
                check(written)?;
            }
        }
        if let Some(twice) = self.state.elements.attribute_twice() {
            let attribute = format!("@{twice}");
            return Err(second_attribute(&attribute).within(Step::other(&attribute)));
        }
        self.state.elements.close();
        Ok(())
    }

    /// Writes one of several elements with this name; errors contain its index.
    pub(crate) fn nth(&mut self, name: Name, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let index = self.count(name);
        self.element_with(name, write)
            .map_err(|error| error.at_index(index).within(name.shown()))
    }

    /// Writes an element; `write` writes its content. After an error, nothing of the element is in the entry.
    pub(crate) fn element_with(
        &mut self,
        name: Name,
        write: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let mark = self.mark();
        self.open(name.into())?;
        let result = write(self).and_then(|()| self.close());
        if result.is_err() {
            self.rollback(mark, name);
        }
        result
    }

    /// Writes a value of one of the crate's types: as a child, an attribute or the text of the open element.
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
    fn known_leaf(&mut self, name: Name, row: &'static Row, text: &str, is_right: bool) -> Result<()> {
        let state = &mut *self.state;
        if row.parent != state.elements.parent() {
            return Err(misplaced(row));
        }
        check_count(name, row, state.elements.count(name))?;
        let text = crate::xml::trim(text);
        let value = if is_right {
            text.into()
        } else {
            checked(row, text, state.rules.get(), &mut state.url)?
        };
        keep(&mut state.elements, &mut state.against_loc, name, value.text);
        state
            .elements
            .leaf(&state.known, name, row, value)
            .map_err(unwritable)
    }

    /// Writes a text as a child, an attribute or the text of the open element, as its row says. With `is_right` it is not
    /// checked.
    fn row(&mut self, name: Name, row: &'static Row, text: &str, is_right: bool) -> Result<()> {
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

    /// As [`part`](Self::part), for a URL that [`link_template`](Self::link_template) made.
    pub(crate) fn link(&mut self, name: Name, url: &str) -> Result<()> {
        self.part_that_is(name, url, true)
    }

    fn part_that_is(&mut self, name: Name, text: &str, is_right: bool) -> Result<()> {
        match name.row() {
            Some(row) => self
                .row(name, row, text, is_right)
                .map_err(|error| error.within(row.name)),
            None => Ok(()),
        }
    }
}

impl Sink for RecordWriter<'_> {
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
            None => self
                .value(name, value)
                .map_err(|error| error.within(name.shown())),
        }
    }

    fn element<T: Element>(&mut self, name: Name, value: &T) -> Result<()> {
        self.at_entry(|record| {
            record
                .element_with(name, |record| value.write(record))
                .map_err(|error| error.within(name.shown()))
        })
    }

    fn many<T: Item>(&mut self, name: Name, values: &[T]) -> Result<()> {
        for value in values {
            let index = self.count(name);
            self.at_entry(|record| value.write_item(name, &mut Nth { record, index }))?;
        }
        Ok(())
    }

    fn flag(&mut self, name: Name) -> Result<()> {
        self.at_entry(|record| {
            record
                .element_with(name, |_| Ok(()))
                .map_err(|error| error.within(name.shown()))
        })
    }

    fn absent(&mut self, _: Name) -> Result<()> {
        Ok(())
    }
}

impl RecordWriter<'_> {
    /// Whether an invalid value is left out, or its whole entry.
    #[inline]
    fn is_lenient(&self) -> bool {
        self.state.omits != Omits::Nothing && self.state.elements.at_entry()
    }

    /// Writes an element of the entry, left out if it is invalid and the settings say so, or a part of the open element.
    #[inline]
    fn at_entry(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        if self.is_lenient() {
            self.extra(write)
        } else {
            write(self)
        }
    }
}

/// Writes one of several elements with the same name; errors contain its index.
struct Nth<'w, 'a> {
    record: &'w mut RecordWriter<'a>,
    index: usize,
}

impl Sink for Nth<'_, '_> {
    type Error = Error;

    fn leaf<T: Leaf>(&mut self, name: Name, value: &T) -> Result<()> {
        let result = self.record.value(name, value);
        result.map_err(|error| error.at_index(self.index).within(name.shown()))
    }

    fn element<T: Element>(&mut self, name: Name, value: &T) -> Result<()> {
        let result = self.record.element_with(name, |record| value.write(record));
        result.map_err(|error| error.at_index(self.index).within(name.shown()))
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

/// Keeps a value for the checks at the end of its element or entry.
#[inline]
fn keep(elements: &mut Elements, against_loc: &mut AgainstLoc, name: Name, value: &str) {
    match name {
        schema::REL if value == "alternate" || value.split([' ', '\n']).any(|rel| rel == "alternate") => {
            elements.written().is_alternate = true;
        }
        schema::INFO | schema::CONTENT_LOC | schema::PLAYER_URL => {
            against_loc.push(name, elements.videos(), value);
        }
        schema::HREF | schema::HREFLANG if against_loc.alternates => against_loc.push(name, 0, value),
        _ => {}
    }
}

#[cold]
fn second_text() -> Error {
    Error::data("a second `$text`: an element has one text; write only one")
}

#[cold]
fn second_attribute(attribute: &str) -> Error {
    Error::data(format!(
        "a second `{attribute}`: an attribute stands once; leave one out"
    ))
}

/// Checks a value, and encodes it if it is a URL.
#[inline]
fn checked<'a>(
    row: &'static Row,
    text: &'a str,
    rules: &LocRules,
    scratch: &'a mut UrlBuffer,
) -> Result<Value<'a>> {
    match (row.kind, row.rule) {
        (schema::Kind::Url, Some(rule)) => {
            let link = rules.apply_link(text, scratch);
            let Link { text, is_plain } = link.map_err(|error| error.under(rule))?;
            Ok(Value { text, is_plain })
        }
        _ => row.check(text).map(|()| text.into()),
    }
}

/// The error for an element of the schema in the wrong parent.
#[cold]
fn misplaced(row: &'static Row) -> Error {
    let found = row.name;
    let place = row.parent.map_or("url", Name::shown);
    Error::data(format!(
        "`{found}` is not allowed here: it is a child of `{place}`; move it there"
    ))
}

/// Returns an error if an element may not have another child with this name.
#[inline]
fn check_count(name: Name, row: &'static Row, count: usize) -> Result<()> {
    match row.occurs {
        Occurs::Many(most) if count >= most => Err(too_many(row, most)),
        Occurs::One | Occurs::Maybe if count > 0 => Err(second(name, "write only one")),
        _ => Ok(()),
    }
}

#[cold]
fn too_many(row: &'static Row, most: usize) -> Error {
    let finding = Finding::none().row(row).number(most as u64);
    let too_many = |found: &Finding| {
        let (name, place, most) = (found.of().name, found.of().place(), found.number);
        Message::new(format!(
            "more than {most} `{name}`: {most} are allowed in {place}"
        ))
        .advice("leave some out")
    };
    row.breaking(Error::found(finding, too_many))
}
