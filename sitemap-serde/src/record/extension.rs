//! The elements of the extensions and of the user's own namespaces on their way out, checked one by one.

use crate::error::{Error, Finding, Result, Step, Words};
use crate::loc::{self, LocRules};
use crate::model::Kind;
use crate::quote::quote;
use crate::rule::Rule;
use crate::xml::escape::{unescaped_url, unwritable};
use crate::xml::names::{Known, Namespace, split, split_expanded};

use super::elements::{Elements, Mark};
use super::values::{self, MOST_IMAGES, MOST_TAGS};
use super::{Name, RecordState, RecordWriter, Shape};

/// The name of an element as serde knows it, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElementName<'n> {
    /// As serde has it: with its prefix, or the namespace's URI in braces.
    qualified: &'n str,
    /// The local name, if it is an expanded name.
    expanded: Option<&'n str>,
    namespace: Namespace,
    /// The schema's name; `None` if it is of the user's own namespace.
    name: Option<Name>,
}

impl From<Name> for ElementName<'static> {
    fn from(name: Name) -> Self {
        ElementName {
            qualified: name.as_static().unwrap_or_default(),
            expanded: None,
            namespace: name.namespace(),
            name: Some(name),
        }
    }
}

impl<'n> ElementName<'n> {
    /// The name of an element that is not the core's.
    pub(crate) fn find(known: &mut Known, qualified: &'n str) -> Result<Self> {
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
                    "{} is no element of its namespace: it has {}; correct the name",
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

    /// Whether the element is the user's own.
    pub(crate) fn is_outside_schema(&self) -> bool {
        self.name.is_none()
    }

    pub(crate) fn shape(&self) -> Option<Shape> {
        self.name.and_then(Name::shape)
    }
}

/// Whether a local name is one; `what` has the name as a whole.
fn check_local(local: &str, whole: &str, what: &str) -> Result<()> {
    if local.contains(':') || crate::xml::chars::name_len(local) != local.len() || local.is_empty() {
        return Err(Error::data(format!(
            "{} is no name of an XML {what} (XML 1.0 section 2.3); rename it",
            quote(whole)
        )));
    }
    Ok(())
}

#[cold]
fn unknown_prefix(qualified: &str, prefix: &str) -> Error {
    Error::data(format!(
        "{} has the prefix `{prefix}`, and no namespace is known by it; make it known with \
         `WriterBuilder::namespace(\"{prefix}\", …)`",
        quote(qualified)
    ))
}

/// What of one entry is held against its loc when it is complete: addresses of videos.
#[derive(Debug, Default)]
pub(crate) struct AgainstLoc {
    text: String,
    found: Vec<Found>,
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

    fn push(&mut self, name: Name, video: usize, text: &str) {
        self.text.push_str(text);
        self.found.push(Found {
            name,
            video,
            end: self.text.len(),
        });
    }

    /// P-VID2, P-VID9. The page's loc is escaped, as it is written.
    pub(super) fn check(&self, page: &str) -> Result<()> {
        if self.found.is_empty() {
            return Ok(());
        }
        let page = &*unescaped_url(page);
        let mut start = 0;
        for Found { name, video, end } in &self.found {
            let url = self.text.get(start..*end).unwrap_or_default();
            start = *end;
            let error = if *name == Name::Info {
                if is_same_domain(url, page) {
                    continue;
                }
                Error::data(
                    Words::new(format!(
                        "{} is not on the page's domain: the page about an uploader is",
                        quote(url)
                    ))
                    .advice("leave it out, or write one that is"),
                )
                .breaks(Rule::Vid9)
                .within("@info")
                .within(Name::VideoUploader.as_static().unwrap_or_default())
            } else {
                if url != page {
                    continue;
                }
                Error::data(
                    Words::new(format!(
                        "{} is the page's own loc: a video and its player have an address of their own",
                        quote(url)
                    ))
                    .advice(
                        "correct it, or \
                     leave it out",
                    ),
                )
                .breaks(Rule::Vid2)
                .within(name.as_static().unwrap_or_default())
            };
            return Err(error.at_index(*video).within("video:video"));
        }
        Ok(())
    }
}

/// Whether two URLs are on one host, or one's host is below the other's; `www.` does not count.
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
    /// Holds addresses of an entry's videos against the loc that was written (P-VID2, P-VID9): of which element or attribute,
    /// of which video, and as text.
    pub(crate) fn check_videos<'v>(
        &mut self,
        found: impl IntoIterator<Item = (Name, usize, &'v str)>,
    ) -> Result<()> {
        self.against_loc.clear();
        for (name, video, url) in found {
            self.against_loc.push(name, video, url);
        }
        self.against_loc.check(self.buffer.loc())
    }
}

impl RecordWriter<'_> {
    /// The namespaces that names are looked up among; to be changed, since an expanded name may bring a new one.
    pub(crate) fn known(&mut self) -> &mut Known {
        &mut self.state.known
    }

    pub(crate) fn mark(&self) -> Mark {
        self.state.elements.mark()
    }

    /// Goes back to before an element of the entry.
    pub(crate) fn rollback(&mut self, mark: Mark, name: Name) {
        self.state.elements.rollback(mark);
        self.state.elements.uncount(name);
    }

    /// How many elements of that name the open element has.
    pub(crate) fn count(&self, name: Name) -> usize {
        self.state.elements.count(name)
    }

    /// Notes that entries of this type have elements of the namespace, be they there in this one or not.
    pub(crate) fn touch(&mut self, name: ElementName<'_>) {
        self.state.elements.touch(name.namespace);
    }

    /// Opens an element in the entry, or in the one that is open.
    pub(crate) fn open(&mut self, element: ElementName<'_>) -> Result<()> {
        if self.kind == Kind::SitemapIndex {
            return Err(Error::data(
                Words::new(format!(
                    "a `{}` in an index: a `sitemap` entry has a loc and a lastmod, nothing else",
                    element.qualified
                ))
                .advice("leave it out"),
            )
            .breaks(Rule::IndexTags));
        }
        let elements = &self.state.elements;
        if let Some(name) = element.name {
            let parent = elements.parent();
            let at_entry = elements.at_entry();
            if (at_entry || parent.is_some()) && name.parent() != parent {
                return Err(misplaced(name));
            }
            check_count(name, elements.count(name))?;
        } else if let Some(parent) = elements.parent() {
            return Err(Error::data(format!(
                "a `{}` in a `{}`: the schema does not allow it there; put it beside it",
                element.qualified,
                parent.as_static().unwrap_or_default()
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

    /// Adds an attribute to the element that is open, by serde's name for it, `@` included.
    pub(crate) fn attribute(&mut self, attribute: &str, text: &str) -> Result<()> {
        let given = attribute.strip_prefix('@').unwrap_or(attribute);
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
        let element = state.elements.parent();
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
            && !element.has_attribute(attribute)
        {
            return Err(Error::data(format!(
                "`{}` has no attribute {}: correct the name, or leave it out with `#[serde(skip_serializing)]`",
                element.as_static().unwrap_or_default(),
                quote(qualified)
            )));
        }
        let name = if namespace == Namespace::None {
            Name::attribute(local)
        } else {
            None
        };
        if let Some(name) = name
            && state.elements.count(name) > 0
        {
            return Err(second_attribute(attribute));
        }
        let text = crate::xml::trim(text);
        let (elements, known) = (&mut state.elements, &state.known);
        let value = match (element, name) {
            (Some(element), Some(name)) => checked(element, name, text, state.rules.get(), &mut state.url)?,
            _ => text,
        };
        if name == Some(Name::Rel) && value.split([' ', '\n']).any(|rel| rel == "alternate") {
            elements.set_alternate();
        }
        if name == Some(Name::Info) && element == Some(Name::VideoUploader) {
            state.against_loc.push(Name::Info, elements.videos(), value);
        }
        elements
            .attribute(known, qualified, namespace, name, value)
            .map_err(unwritable)
    }

    /// Adds text to the element that is open; an empty text says nothing.
    pub(crate) fn element_text(&mut self, text: &str) -> Result<()> {
        let text = crate::xml::trim(text);
        if text.is_empty() {
            return Ok(());
        }
        let state = &mut *self.state;
        if state.elements.has_text() {
            return Err(Error::data(
                "a second `$text`: an element has one text; write the one that counts",
            ));
        }
        let element = state.elements.parent();
        let value = match element {
            Some(element) => {
                if !element.has_text() {
                    return Err(Error::data(format!(
                        "`{}` has no text of its own: leave it out",
                        element.as_static().unwrap_or_default()
                    )));
                }
                checked(element, element, text, state.rules.get(), &mut state.url)?
            }
            None => text,
        };
        if let Some(name @ (Name::VideoContentLoc | Name::VideoPlayerLoc)) = element {
            state.against_loc.push(name, state.elements.videos(), value);
        }
        state.elements.text(value).map_err(unwritable)
    }

    /// Adds an element that has text only; an empty text is an absent element.
    pub(crate) fn leaf(&mut self, element: ElementName<'_>, text: &str) -> Result<()> {
        if crate::xml::trim(text).is_empty() {
            return Ok(());
        }
        self.open(element)?;
        self.element_text(text)?;
        self.close()
    }

    /// Whether the element that is open has neither attributes, nor children, nor text.
    pub(crate) fn is_bare(&self) -> bool {
        self.state.elements.is_bare()
    }

    /// Closes the element that is open, if it has what it needs.
    pub(crate) fn close(&mut self) -> Result<()> {
        if let Some(name) = self.state.elements.parent() {
            check_whole(name, &self.state.elements)?;
        }
        if let Some(twice) = self.state.elements.attribute_twice() {
            let attribute = format!("@{twice}");
            return Err(second_attribute(&attribute).within(Step::other(&attribute)));
        }
        self.state.elements.close();
        Ok(())
    }
}

#[cold]
fn second_attribute(attribute: &str) -> Error {
    Error::data(format!(
        "a second `{attribute}`: an attribute stands once; leave one out"
    ))
}

/// Makes of a value what is written: checked, and encoded if it is a URL.
fn checked<'a>(
    element: Name,
    name: Name,
    text: &'a str,
    rules: &LocRules,
    scratch: &'a mut Vec<u8>,
) -> Result<&'a str> {
    match values::url_rule(element, name) {
        Some(rule) => rules.apply_link(text, scratch).map_err(|error| error.under(rule)),
        None => values::check(element, name, text).map(|()| text),
    }
}

/// The error for an element of the schema that does not stand where it belongs.
#[cold]
fn misplaced(name: Name) -> Error {
    let found = name.as_static().unwrap_or_default();
    let place = name.parent().and_then(Name::as_static).unwrap_or("url");
    Error::data(format!(
        "`{found}` does not stand here: it is a child of `{place}`; move it there"
    ))
}

/// Whether the element may have one more of its children of that name.
fn check_count(name: Name, count: usize) -> Result<()> {
    let found = name.as_static().unwrap_or_default();
    let (rule, problem, advice) = match name {
        Name::Image if count >= MOST_IMAGES => (
            Rule::Img1,
            format!("more than {MOST_IMAGES} `{found}`: {MOST_IMAGES} are allowed in an entry"),
            "leave some out",
        ),
        Name::VideoTag if count >= MOST_TAGS => (
            Rule::Vid10,
            format!("more than {MOST_TAGS} `{found}`: {MOST_TAGS} are allowed in a video"),
            "leave some out",
        ),
        Name::News if count > 0 => (
            Rule::News4,
            format!("a second `{found}`: an entry has at most one"),
            "write the one that counts",
        ),
        _ if count > 0 && !name.shape().is_some_and(Shape::is_repeated) => {
            let parent = name.parent().and_then(Name::as_static).unwrap_or("url");
            return Err(Error::data(format!(
                "a second `{found}`: a `{parent}` has at most one; write the one that counts"
            )));
        }
        _ => return Ok(()),
    };
    Err(Error::data(Words::new(problem).advice(advice)).breaks(rule))
}

/// What an element has to have, by the rule that says so; for `$text` the name is the element's own.
fn required(name: Name) -> Option<(Rule, &'static [Name])> {
    Some(match name {
        Name::Image => (Rule::Img2, &[Name::ImageLoc]),
        Name::Video => (
            Rule::Vid1,
            &[Name::VideoThumbnailLoc, Name::VideoTitle, Name::VideoDescription],
        ),
        Name::VideoRestriction => (Rule::Vid7, &[Name::Relationship]),
        Name::VideoPlatform => (Rule::Vid8, &[Name::Relationship]),
        Name::VideoTvshow => (Rule::VideoXsd, &[Name::VideoShowTitle, Name::VideoVideoType]),
        Name::VideoId => (Rule::VideoXsd, &[Name::Type, Name::VideoId]),
        Name::VideoPlayerLoc => (Rule::Vid1, &[Name::VideoPlayerLoc]),
        Name::VideoContentSegmentLoc => (Rule::VideoXsd, &[Name::VideoContentSegmentLoc]),
        Name::VideoGalleryLoc => (Rule::VideoXsd, &[Name::VideoGalleryLoc]),
        Name::VideoUploader => (Rule::Vid9, &[Name::VideoUploader]),
        Name::News => (
            Rule::News1,
            &[Name::NewsPublication, Name::NewsPublicationDate, Name::NewsTitle],
        ),
        Name::NewsPublication => (Rule::News1, &[Name::NewsName, Name::NewsLanguage]),
        Name::XhtmlLink => (Rule::Alt1, &[Name::Rel, Name::Href]),
        Name::PageMapTemplate => (Rule::PageMapXsd, &[Name::Src]),
        Name::PageMapDataObject => (Rule::PageMapXsd, &[Name::Type]),
        Name::PageMapAttribute => (Rule::PageMapXsd, &[Name::NameOf]),
        _ => return None,
    })
}

/// Whether the element that is open has all that it needs.
fn check_whole(name: Name, elements: &Elements) -> Result<()> {
    let required = required(name)
        .into_iter()
        .flat_map(|(rule, parts)| parts.iter().map(move |part| (rule, *part)));
    for (rule, part) in required {
        let there = if part == name {
            elements.has_text()
        } else {
            elements.count(part) > 0
        };
        if !there {
            let part = if part == name {
                "$text"
            } else {
                part.as_static().unwrap_or_default()
            };
            return Err(missing(name, part, rule).within(part));
        }
    }
    match name {
        Name::Video if elements.count(Name::VideoContentLoc) + elements.count(Name::VideoPlayerLoc) == 0 => {
            Err(missing(
                name,
                "video:content_loc` or `video:player_loc",
                Rule::Vid1,
            ))
        }
        Name::VideoPrice if elements.has_text() && elements.count(Name::Currency) == 0 => {
            Err(missing(name, "@currency", Rule::VideoXsd).within("@currency"))
        }
        Name::VideoPrice if !elements.has_text() && elements.count(Name::Type) == 0 => {
            Err(missing(name, "@type", Rule::VideoXsd).within("@type"))
        }
        Name::PageMapAttribute => match (elements.has_text(), elements.count(Name::ValueOf) > 0) {
            (false, false) => Err(missing(name, "@value` or `$text", Rule::PageMapXsd).within("@value")),
            (true, true) => Err(Error::data(
                Words::new(
                    "a `pagemap:Attribute` with a `@value` and a text: its value is the one or the other",
                )
                .advice("leave one out"),
            )
            .breaks(Rule::PageMapXsd)),
            _ => Ok(()),
        },
        Name::XhtmlLink
            if elements.is_alternate()
                && elements.count(Name::Hreflang) + elements.count(Name::Media) == 0 =>
        {
            Err(missing(name, "@hreflang", Rule::Alt1).within("@hreflang"))
        }
        _ => Ok(()),
    }
}

/// The error for a part that an element has to have and does not.
#[cold]
pub(crate) fn missing(name: Name, part: &'static str, rule: Rule) -> Error {
    let name = name.as_static().unwrap_or_default();
    let without = |found: &Finding| {
        let [part, name] = found.names;
        Words::new(format!("no `{part}`: every `{name}` has one"))
            .advice(format!("give it, or leave the `{name}` out"))
    };
    Error::found(Finding::none().names([part, name]), without).breaks(rule)
}
