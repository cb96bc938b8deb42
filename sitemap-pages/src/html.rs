//! Reads a page: the facts in its head, its links, and its blocks of text.
//!
//! **Pages are tokenized, not parsed into a tree.** html5gum is the standard's tokenizer. Instead of a tree, `stack` keeps a few facts of
//! the open elements: in content, in a frame, hidden, ignored. It follows the standard's rules for omitted end tags, and is at most 512
//! elements deep, as in browsers, so that the time is linear for any nesting. Formatting elements are not on the stack: they may end
//! anywhere.
//!
//! | file | content |
//! |---|---|
//! | this file | the loop over the tokens |
//! | `decode`, `attributes`, `element` | the page's encoding; the attributes of a tag; what each element is |
//! | `stack`, `foreign` | the open elements; SVG and MathML, and what the tokenizer must know of them |
//! | `head`, `stated`, `json_ld` | the facts in the head; the dates that a page states, also in JSON-LD |
//! | `text`, `time`, `images` | blocks and links; times of day in `time`; images |

mod attributes;
#[cfg(test)]
mod browsers;
mod decode;
mod element;
mod foreign;
mod head;
mod images;
mod json_ld;
mod stack;
mod stated;
mod text;
mod time;

use std::convert::Infallible;

use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::{Span, State, Tokenizer};

pub(crate) use attributes::Attributes;
pub(crate) use decode::is_binary;
pub(crate) use head::{Head, is_noindex, is_past, refresh_target, unavailable_after};
pub(crate) use stated::{Event, Note, Stated, StatedNotes};
pub(crate) use text::{TextKind, Texts};

use crate::address::OwnPage;
use crate::selector::Selector;
use element::{Name, Role};
use foreign::{Feedback, ForeignText, Space, TokenReader};
use images::Images;
use stack::{Opening, Place, Stack, TimeText};
use time::is_time_of_day;

/// The optional parts of reading a page.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(crate) struct Reading<'a> {
    /// Elements whose text is not counted.
    pub(crate) ignored: &'a [Selector],
    pub(crate) has_images: bool,
    pub(crate) has_title: bool,
    /// The events whose stated dates are read.
    pub(crate) events: &'a [Event],
    /// The page itself. Its links to itself are text like any other.
    pub(crate) own: Option<OwnPage<'a>>,
    /// `true` to keep the text of each block, for explanations.
    pub(crate) keeps_text: bool,
    /// `true` if the page is XML by its name or its `Content-Type`: any element may be empty. An XML declaration says the same.
    pub(crate) is_xml: bool,
}

/// A page that was read.
#[derive(Debug, Default)]
pub(crate) struct Document {
    pub(crate) head: Head,
    pub(crate) texts: Texts,
    /// The addresses of its images, as written.
    pub(crate) images: Vec<String>,
    /// `true` if it has neither a title nor text.
    pub(crate) is_fragment: bool,
    /// `true` if its title or a link has the code of a template.
    pub(crate) is_source: bool,
}

/// Returns `true` if a text has the code of a template.
fn is_code(text: &str) -> bool {
    ["{{", "{%", "<%"].iter().any(|code| text.contains(code))
}

impl Document {
    pub(crate) fn read(bytes: &[u8], reading: Reading<'_>) -> Self {
        Document::read_as(bytes, None, reading)
    }

    /// Reads a page with the encoding that its response names.
    pub(crate) fn read_as(bytes: &[u8], label: Option<&str>, reading: Reading<'_>) -> Self {
        let content = decode::decode(bytes, label);
        let is_xml = reading.is_xml || content.trim_ascii_start().starts_with(b"<?xml");
        let mut reader = PageReader::new(Reading { is_xml, ..reading });
        let emitter = Feedback(CallbackEmitter::new(&mut reader));
        let Ok(()) = Tokenizer::new_with_emitter(&*content, emitter).finish();
        let mut document = reader.finish();
        if document.head.has_notes() {
            document.head.set_lines(&content);
        }
        document
    }
}

/// The state of reading the page's title.
enum Title {
    /// Already read.
    Done,
    Wanted,
    Open(String),
}

/// Longer titles are truncated.
const MAX_TITLE: usize = 1 << 12;

struct PageReader<'a> {
    ignored: &'a [Selector],
    own: Option<OwnPage<'a>>,
    stack: Stack,
    attributes: Attributes,
    tag: Vec<u8>,
    tag_start: usize,
    /// The current script, if it is JSON-LD.
    json_ld: Option<usize>,
    title: Title,
    /// `true` once an element has begun that cannot be in a page's head.
    is_in_body: bool,
    head: Head,
    texts: Texts,
    images: Option<Images>,
    is_xml: bool,
    keeps_title: bool,
    /// The state of the tokenizer after the current tag, if it changes.
    next_state: Option<State>,
}

impl Callback<Infallible, usize> for &mut PageReader<'_> {
    fn handle_event(&mut self, event: CallbackEvent<'_>, span: Span<usize>) -> Option<Infallible> {
        self.handle(&event, span.start);
        None
    }
}

impl TokenReader for &mut PageReader<'_> {
    fn next_state(&mut self) -> Option<State> {
        self.next_state.take()
    }

    fn may_be_cdata(&self) -> bool {
        self.is_xml || self.stack.space() != Space::Html
    }
}

impl<'a> PageReader<'a> {
    fn new(reading: Reading<'a>) -> Self {
        PageReader {
            ignored: reading.ignored,
            own: reading.own,
            stack: Stack::default(),
            attributes: Attributes::new(!reading.ignored.is_empty()),
            tag: Vec::new(),
            tag_start: 0,
            json_ld: None,
            title: Title::Wanted,
            keeps_title: reading.has_title,
            is_in_body: false,
            head: Head::new(reading.events),
            texts: Texts::new(reading.keeps_text),
            images: reading.has_images.then(Images::default),
            is_xml: reading.is_xml,
            next_state: None,
        }
    }

    fn handle(&mut self, event: &CallbackEvent<'_>, offset: usize) {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.tag.clear();
                self.tag.extend_from_slice(name);
                self.tag_start = offset;
                self.attributes.clear();
            }
            CallbackEvent::AttributeName { name } => self.attributes.push_name(name),
            CallbackEvent::AttributeValue { value } => self.attributes.push_value(value),
            CallbackEvent::CloseStartTag { self_closing } => self.start(*self_closing),
            CallbackEvent::EndTag { name } => self.end(name),
            CallbackEvent::String { value } => self.text(value),
            _ => {}
        }
    }

    fn start(&mut self, self_closing: bool) {
        let tag = std::mem::take(&mut self.tag);
        let is_ignored = self
            .ignored
            .iter()
            .any(|selector| selector.matches(&tag, &self.attributes));
        let mut is_foreign = self.stack.is_foreign(&tag);
        if is_foreign && foreign::breaks_out(&tag, &self.attributes) {
            self.stack.leave_foreign();
            is_foreign = false;
        }
        if is_foreign {
            self.start_foreign(self.stack.space(), &tag, self_closing, is_ignored);
        } else {
            self.start_html(&tag, self_closing, is_ignored);
            if self.is_xml && self_closing {
                self.end(&tag);
            } else {
                self.next_state = foreign::state_after(&tag);
            }
        }
        self.tag = tag;
    }

    fn start_html(&mut self, tag: &[u8], self_closing: bool, is_ignored: bool) {
        let (name, role) = Name::of(tag);
        if breaks(name, role) {
            self.flush();
        }
        self.stack.end_implied(name, role);
        if !self.stack.place().is_hidden {
            self.is_in_body |= !name.is_of_head();
            self.note(name);
        }
        match (name, role) {
            (Name::SVG, _) => return self.start_foreign(Space::Svg, tag, self_closing, is_ignored),
            (Name::MATH, _) => return self.start_foreign(Space::MathMl, tag, self_closing, is_ignored),
            (_, Role::Void) => return self.void(name, is_ignored),
            (_, Role::Formatting) => return self.formatting(name),
            // As in browsers, a self-closing HTML element stays open.
            _ => {}
        }
        if name.is_cell() {
            self.texts.push_space();
        }
        match name {
            Name::OL => self.texts.start_order(),
            Name::IFRAME => self.media(&["data-src", "src"], is_ignored),
            Name::VIDEO | Name::AUDIO | Name::OBJECT => self.media(&["src", "data"], is_ignored),
            _ => {}
        }
        let time = if name == Name::TIME {
            self.time(is_ignored)
        } else {
            TimeText::Counted
        };
        let is_like_frame = self.is_like_frame();
        let attributes = &self.attributes;
        // The page as a whole and its main entity do not count as items.
        let is_item = attributes.bytes("itemscope").is_some()
            && !matches!(name, Name::HTML | Name::BODY)
            && !attributes.has_word("itemprop", "mainEntity");
        // Browsers attach such a template to its parent, and show it.
        let is_shadow = name == Name::TEMPLATE && attributes.bytes("shadowrootmode").is_some();
        self.stack.push(Opening {
            class: attributes.bytes("class").unwrap_or_default(),
            is_frame: role == Role::Frame || is_like_frame,
            may_have_title: name == Name::HEADER && !is_like_frame,
            is_navigation: name == Name::NAV || attributes.is("role", "navigation"),
            is_ignored,
            is_hidden: role == Role::Hidden && !is_shadow,
            dates: [Event::Modified, Event::Published]
                .map(|event| attributes.has_word("itemprop", event.property())),
            is_item,
            time,
            ..Opening::new(name, role)
        });
    }

    /// Begins an element of SVG or MathML.
    fn start_foreign(&mut self, space: Space, tag: &[u8], self_closing: bool, is_ignored: bool) {
        let place = self.stack.place();
        let text = foreign::text(space, tag);
        if !place.is_hidden {
            self.is_in_body = true;
            if text == ForeignText::Apart {
                self.texts.push_space();
            }
            // MathJax draws letters as shapes, and names their code points.
            if let Some(code) = self
                .attributes
                .text("data-c")
                .filter(|_| space == Space::Svg && !place.is_time)
            {
                self.texts.push_text(&code, place);
            }
        }
        if self_closing {
            return;
        }
        if space == Space::Svg && tag == b"a" {
            self.link(&["href", "xlink:href"]);
        }
        self.stack.push(Opening {
            is_ignored,
            is_hidden: text == ForeignText::Hidden,
            space,
            point: foreign::point(space, tag, &self.attributes),
            ..Opening::new(Name::foreign(tag), Role::Inline)
        });
    }

    /// Reads a `time`, and returns which of its text is counted. Times of day are, such as opening hours, and dates with a property, such as
    /// `startDate` of an event. Other dates are not: the template or the build writes most of them. A `datetime` counts instead of the
    /// text.
    fn time(&mut self, is_ignored: bool) -> TimeText {
        const OWN: [&str; 6] = [
            "published",
            "updated",
            "modified",
            "dt-published",
            "dt-updated",
            "dt-modified",
        ];
        let is_own_item = |name: &&str| self.attributes.has_word("itemprop", name);
        let is_own = ["datePublished", "dateModified", "dateCreated"]
            .iter()
            .any(is_own_item)
            || OWN.iter().any(|class| self.attributes.has_word("class", class))
            || self.stack.is_in_date(Event::Modified);
        if is_own {
            return TimeText::Skipped;
        }
        // Of a thing that the page is about, in microdata, RDFa or microformats.
        let is_content = ["itemprop", "property"].iter().any(|name| {
            self.attributes
                .bytes(name)
                .is_some_and(|value| !value.trim_ascii().is_empty())
        }) || ["dt-start", "dt-end"]
            .iter()
            .any(|class| self.attributes.has_word("class", class));
        let Some(written) = self
            .attributes
            .text("datetime")
            .filter(|text| !text.trim().is_empty())
        else {
            return if is_content {
                TimeText::Counted
            } else {
                TimeText::TimesOfDay
            };
        };
        let place = self.stack.place();
        if (is_content || is_time_of_day(&written)) && !place.is_hidden && !place.is_time {
            let place = Place {
                is_ignored: place.is_ignored || is_ignored,
                ..place
            };
            self.texts.push_text(&written, place);
        }
        TimeText::Skipped
    }

    /// Reads a film or an embedded page, from the first of these attributes that is not empty.
    fn media(&mut self, names: &[&str], is_ignored: bool) {
        let place = self.stack.place();
        if place.is_hidden && !place.is_media || place.is_time {
            return;
        }
        let source = names
            .iter()
            .find_map(|name| self.attributes.text(name).filter(|value| !value.is_empty()));
        if let Some(source) = source {
            let place = Place {
                is_ignored: place.is_ignored || is_ignored,
                ..place
            };
            self.texts.push_media(&source, place);
        }
    }

    /// Notes the tag's facts about the page.
    fn note(&mut self, name: Name) {
        match name {
            Name::SOURCE if !self.stack.place().is_media => self.image(Images::source),
            Name::META => {
                self.head.meta(&self.attributes, self.tag_start);
                self.image(Images::meta);
            }
            Name::LINK => self.head.link(&self.attributes, self.tag_start, self.is_in_body),
            Name::BASE => self.head.base(&self.attributes),
            // The title of an SVG picture is not the page's.
            Name::TITLE if !self.is_in_body && matches!(self.title, Title::Wanted) => {
                self.title = Title::Open(String::new());
            }
            Name::PICTURE => self.image(Images::start_picture),
            Name::IMG if !self.stack.place().is_frame => self.image(Images::img),
            Name::SCRIPT if self.attributes.is_media_type("type", "application/ld+json") => {
                self.json_ld = Some(self.tag_start);
                return;
            }
            _ => {}
        }
        let (stack, is_time) = (&self.stack, name == Name::TIME);
        let is_within = |event| is_time && stack.is_in_date(event);
        self.head
            .microdata(&self.attributes, is_within, stack.item(), self.tag_start);
    }

    fn image(&mut self, read: fn(&mut Images, &Attributes)) {
        if let Some(images) = &mut self.images {
            read(images, &self.attributes);
        }
    }

    fn void(&mut self, name: Name, is_ignored: bool) {
        match name {
            Name::BR => self.texts.push_break(self.stack.place()),
            Name::SOURCE if self.stack.place().is_media => self.media(&["src"], is_ignored),
            Name::EMBED => self.media(&["src"], is_ignored),
            Name::AREA | Name::FRAME if !self.stack.place().is_hidden => {
                self.link(&["href", "src"]);
                self.texts.end_link();
            }
            Name::IMG => {
                let place = self.stack.place();
                if place.is_hidden || place.is_time {
                    return;
                }
                let place = Place {
                    is_ignored: place.is_ignored || is_ignored,
                    ..place
                };
                let first = |name| self.attributes.text(name).filter(|value| !value.is_empty());
                let source = first("data-src").or(first("src")).or(first("srcset"));
                let alt = self.attributes.text("alt").unwrap_or_default();
                self.texts
                    .push_picture(alt.trim(), &source.unwrap_or_default(), place);
            }
            _ => {}
        }
    }

    fn formatting(&mut self, name: Name) {
        if name == Name::A {
            self.link(&["href"]);
        }
        self.stack.start_formatting(name);
    }

    /// Begins a link, to the address in the first of these attributes.
    fn link(&mut self, names: &[&str]) {
        let place = self.stack.place();
        if place.is_hidden {
            return;
        }
        let href = names.iter().find_map(|name| self.attributes.text(name));
        let is_own = |href: &str| {
            let base = self.head.base.as_deref();
            self.own.is_some_and(|own| own.is_at(href, base))
        };
        self.texts.start_link(href.as_deref(), is_own, place);
    }

    /// Returns `true` if the element is marked as a frame: by an ARIA role, or by a class or id of footers.
    fn is_like_frame(&self) -> bool {
        const ROLES: [&str; 5] = ["navigation", "banner", "contentinfo", "complementary", "search"];
        const FOOTERS: [&str; 5] = ["footer", "site-footer", "page-footer", "colophon", "postamble"];
        let is_one_of = |name: &str, values: &[&str]| {
            self.attributes.bytes(name).is_some()
                && values.iter().any(|value| self.attributes.is(name, value))
        };
        is_one_of("role", &ROLES)
            || is_one_of("id", &FOOTERS)
            || FOOTERS
                .iter()
                .any(|class| self.attributes.has_word("class", class))
    }

    fn end(&mut self, tag: &[u8]) {
        let space = self.stack.space();
        if space != Space::Html && matches!(tag, b"p" | b"br") {
            self.stack.leave_foreign();
        }
        let is_foreign = self.stack.end_foreign(Name::foreign(tag));
        if is_foreign && foreign::text(space, tag) == ForeignText::Apart {
            self.texts.push_space();
        }
        if tag == b"a" {
            self.texts.end_link();
        }
        if is_foreign {
            return;
        }
        let (name, role) = Name::of(tag);
        match role {
            Role::Void => return,
            Role::Formatting => return self.stack.end_formatting(name),
            _ => {}
        }
        if breaks(name, role) {
            self.flush();
        }
        match name {
            Name::SCRIPT => self.json_ld = None,
            Name::OL => self.texts.end_order(self.stack.place()),
            _ => {}
        }
        if name == Name::TITLE
            && let Title::Open(title) = &self.title
        {
            let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
            self.head.has_title = true;
            self.head.title = Some(title).filter(|title| !title.is_empty());
            self.title = Title::Done;
        }
        self.stack.end(name, role);
    }

    fn text(&mut self, bytes: &[u8]) {
        if let Title::Open(title) = &mut self.title
            && title.len() < MAX_TITLE
        {
            title.push_str(&String::from_utf8_lossy(bytes));
            return;
        }
        if let Some(offset) = self.json_ld {
            return self.head.json_ld(bytes, offset);
        }
        let place = self.stack.place();
        if !place.is_hidden && !place.is_time {
            let text = String::from_utf8_lossy(bytes);
            if place.is_in_time && !is_time_of_day(&text) {
                return;
            }
            // As in browsers, NUL is left out.
            if text.contains('\0') {
                self.texts.push_text(&text.replace('\0', ""), place);
            } else {
                self.texts.push_text(&text, place);
            }
        }
    }

    fn flush(&mut self) {
        self.texts.flush();
    }

    fn finish(mut self) -> Document {
        self.flush();
        self.head.finish();
        let title = self.head.title.as_deref().unwrap_or_default();
        let is_fragment =
            !self.head.has_verdict() && title.is_empty() && self.texts.is_fragment(self.head.has_title);
        let is_source = is_code(title) || self.texts.has_code_in_links();
        if !self.keeps_title {
            self.head.title = None;
        }
        Document {
            is_fragment,
            is_source,
            head: self.head,
            texts: self.texts,
            images: self.images.map(|images| images.addresses).unwrap_or_default(),
        }
    }
}

/// Returns `true` if the element's tags end a block of text. A row of a table is one block, and its cells are not.
fn breaks(name: Name, role: Role) -> bool {
    match role {
        Role::Block | Role::Content | Role::Frame => true,
        Role::OptionalEnd => !name.is_cell(),
        Role::Void => name == Name::HR,
        Role::Hidden | Role::Formatting | Role::Time | Role::Inline => false,
    }
}
