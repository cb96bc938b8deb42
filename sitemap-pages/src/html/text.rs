//! The blocks of a page, and its links.

use std::collections::HashSet;
use std::ops::Range;

use super::stack::Place;
use crate::beginning::Beginnings;
use crate::block::{Block, push_media, push_picture};
use crate::excerpt::{Description, Position};
use crate::ledger::Kind;

/// A link to another address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) position: Position,
    /// `true` if it is in navigation or another frame of the page.
    pub(crate) is_frame: bool,
    /// `true` if it is in `main` or `article`, and not in navigation there.
    pub(crate) is_content: bool,
    href: (u32, u32),
}

/// Counted blocks under a heading that is a link, up to the next heading.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) link: Link,
    /// Their numbers.
    pub(crate) blocks: Range<usize>,
}

/// The role of a block: counted, or the reason why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TextKind {
    Counted,
    /// In `nav`, `header`, `footer` or `aside`, outside of `main` and `article`.
    Frame,
    /// Mostly links.
    Links,
    /// In an element that a selector names.
    Ignored,
}

/// A block with its text, for explanations.
#[derive(Clone, Debug)]
pub(crate) struct TextBlock {
    pub(crate) kind: TextKind,
    pub(crate) text: String,
    pub(crate) block: Block,
}

/// The counted blocks of a page in document order, and its links.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    pub(crate) blocks: Vec<Block>,
    pub(crate) beginnings: Beginnings,
    pub(crate) links: Vec<Link>,
    /// In document order, only in `main` and `article`.
    pub(crate) sections: Vec<Section>,
    /// The place of each block in the page's template.
    pub(crate) paths: Vec<u32>,
    /// Links in headings outside of frames.
    pub(crate) headings: Vec<Link>,
    /// The numbers of blocks that begin with a link, and their texts after it.
    pub(crate) tails: Vec<(u32, Description)>,
    /// The block with the title, and whether it is in `main` or `article`. Its place tells the kinds of pages apart.
    title: Option<(usize, bool)>,
    /// `true` if the first block is a heading.
    starts_with_heading: bool,
    /// The most that the page has in one block, in a frame or not.
    most: Most,
    /// `true` if the page has text or links in `main` or `article`.
    pub(crate) has_content: bool,
    /// All blocks with their texts, for explanations.
    pub(crate) explained: Option<Vec<TextBlock>>,
    hrefs: String,
    // The current block.
    text: String,
    /// The number of its bytes in links to other pages, without white space.
    linked: usize,
    /// The same of links to the page itself.
    own_linked: usize,
    /// Blocks that are mostly links to the page itself.
    own_links: HashSet<Block>,
    /// The number of its first link, and the end of its last one.
    first_link: usize,
    link_end: usize,
    /// The end of a link that begins the block.
    start_link_end: Option<usize>,
    starts_with_link: bool,
    place: Place,
    link: Option<InLink>,
    masked: String,
    picture: String,
    /// For each open list with a significant order: a hash of its blocks, and their number.
    orders: Vec<(u32, usize)>,
}

/// The extent of a page's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Most {
    /// None, or a template's code.
    #[default]
    Nothing,
    Words,
    /// A heading, a picture, or more than a few words.
    Text,
}

impl Most {
    const FEW: usize = 32;

    fn of(text: &str, place: Place) -> Self {
        match text {
            _ if ["{%", "{{", "{#"].iter().any(|code| text.starts_with(code)) => Most::Nothing,
            _ if place.is_heading || text.starts_with(' ') || text.len() >= Most::FEW => Most::Text,
            _ => Most::Words,
        }
    }
}

/// The same limit as for elements.
const DEEPEST: usize = 512;

/// The link around the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InLink {
    /// A link to this page itself.
    Own,
    Other,
}

impl Texts {
    pub(crate) fn new(keeps_text: bool) -> Self {
        Texts {
            explained: keeps_text.then(Vec::new),
            ..Texts::default()
        }
    }

    pub(crate) fn href(&self, link: &Link) -> &str {
        self.hrefs
            .get(link.href.0 as usize..link.href.1 as usize)
            .unwrap_or_default()
    }

    /// Returns the place of the title: of the first `h1`, if possible in `main` or `article`. Without one, a first heading is the title.
    pub(crate) fn kind(&self) -> Kind {
        let block = self.title.map_or(0, |(block, _)| block);
        Kind {
            path: self.paths.get(block).copied().unwrap_or_default(),
            has_title: self.title().is_some(),
        }
    }

    /// Returns `true` if a page without a text in its title is no page by itself: it has neither text, except a template's code, nor links. If it has an
    /// empty title, a few words without a heading, such as `Loading…`, are none either.
    pub(crate) fn is_fragment(&self, has_empty_title: bool) -> bool {
        match self.most {
            Most::Nothing => self.links.is_empty(),
            Most::Words => has_empty_title && self.links.is_empty(),
            Most::Text => false,
        }
    }

    /// Returns `true` if the page has no text outside of frames.
    pub(crate) fn is_blank(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Returns `true` if the address of a link has the code of a template.
    pub(crate) fn has_code_in_links(&self) -> bool {
        super::is_code(&self.hrefs)
    }

    /// Returns the number of the block with the title.
    pub(crate) fn title(&self) -> Option<u32> {
        match self.title {
            Some((block, _)) => u32::try_from(block).ok(),
            None => self.starts_with_heading.then_some(0),
        }
    }

    /// Begins a list with a significant order.
    pub(crate) fn start_order(&mut self) {
        if self.orders.len() < DEEPEST {
            self.orders.push((0, 0));
        }
    }

    /// Ends the list. Its order is a block.
    pub(crate) fn end_order(&mut self, place: Place) {
        if let Some((order, blocks)) = self.orders.pop()
            && blocks > 1
        {
            let text = format!("\u{1}{order:032b}").replace('0', "o").replace('1', "i");
            self.push_block(&text, place);
        }
    }

    pub(crate) fn start_link(&mut self, href: Option<&str>, is_own: impl Fn(&str) -> bool, place: Place) {
        self.enter(place);
        let Some(href) = href.map(str::trim) else {
            self.link = None;
            return;
        };
        if href.starts_with('#') {
            self.link = Some(InLink::Own);
            return;
        }
        self.link = Some(if is_own(href) { InLink::Own } else { InLink::Other });
        self.starts_with_link |= self.text.is_empty() && self.link == Some(InLink::Other);
        let start = self.hrefs.len();
        self.hrefs.push_str(href);
        // Addresses after the first 4 GB of a page are not followed.
        if let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(self.hrefs.len())) {
            self.links.push(Link {
                position: Position::before(self.blocks.len()),
                is_frame: place.is_frame,
                is_content: place.is_content && !place.is_navigation,
                href: (start, end),
            });
        }
    }

    pub(crate) fn end_link(&mut self) {
        if self.link == Some(InLink::Other) {
            self.link_end = self.text.len();
            if self.starts_with_link {
                self.start_link_end.get_or_insert(self.link_end);
            }
        }
        self.link = None;
    }

    /// Ends the block at the border of a frame within it, for example between the cells of a row.
    fn enter(&mut self, place: Place) {
        self.has_content |= place.is_content;
        if !self.text.is_empty() && place.is_frame != self.place.is_frame {
            self.flush();
        }
    }

    /// Appends a line break.
    pub(crate) fn push_break(&mut self, place: Place) {
        if place.is_pre && !self.text.is_empty() {
            self.text.push('\n');
        } else {
            self.push_space();
        }
    }

    pub(crate) fn push_space(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with(' ') {
            self.text.push(' ');
        }
    }

    pub(crate) fn push_text(&mut self, text: &str, place: Place) {
        // The sign of a link to a heading, such as `¶`, belongs to the theme.
        let is_sign = self.link == Some(InLink::Own) && !text.contains(char::is_alphanumeric);
        if is_sign {
            return;
        }
        if place.is_ignored {
            // Within a line, ignored text leaves a gap.
            self.push_space();
            let text = text.trim();
            if text.contains(char::is_alphanumeric) {
                self.push(text, TextKind::Ignored, place);
            }
            return;
        }
        self.enter(place);
        if self.text.is_empty() {
            self.place = place;
            (self.linked, self.own_linked) = (0, 0);
        }
        if place.is_pre {
            return self.push_lines(text);
        }
        let starts_with_space = text.starts_with(char::is_whitespace);
        let ends_with_space = text.ends_with(char::is_whitespace);
        if starts_with_space {
            self.push_space();
        }
        if text.is_ascii() {
            self.push_words(text.split_ascii_whitespace());
        } else {
            self.push_words(text.split_whitespace());
        }
        if ends_with_space {
            self.push_space();
        }
    }

    /// Appends text with significant white space, except at the ends of lines.
    fn push_lines(&mut self, text: &str) {
        for (i, line) in text.split('\n').enumerate() {
            if i > 0 {
                self.text
                    .truncate(self.text.trim_end_matches([' ', '\t', '\r']).len());
                if !self.text.is_empty() {
                    self.text.push('\n');
                }
            }
            self.text.push_str(line);
            self.count_linked(line.bytes().filter(|byte| !byte.is_ascii_whitespace()).count());
        }
    }

    fn count_linked(&mut self, bytes: usize) {
        match self.link {
            Some(InLink::Other) => self.linked += bytes,
            Some(InLink::Own) => self.own_linked += bytes,
            None => {}
        }
    }

    fn push_words<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        for (i, word) in words.enumerate() {
            if i > 0 {
                self.text.push(' ');
            }
            self.text.push_str(word);
            self.count_linked(word.len());
        }
    }

    pub(crate) fn push_picture(&mut self, alt: &str, source: &str, place: Place) {
        let mut picture = std::mem::take(&mut self.picture);
        picture.clear();
        push_picture(&mut picture, alt, source);
        self.push_block(&picture, place);
        self.picture = picture;
    }

    pub(crate) fn push_media(&mut self, source: &str, place: Place) {
        let mut picture = std::mem::take(&mut self.picture);
        picture.clear();
        push_media(&mut picture, source);
        self.push_block(&picture, place);
        self.picture = picture;
    }

    /// Appends a block that is not text.
    fn push_block(&mut self, text: &str, place: Place) {
        let kind = kind_of(place, false);
        if kind == TextKind::Counted {
            self.beginnings.push("");
        }
        self.push(text, kind, place);
    }

    /// Ends the current block.
    pub(crate) fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        let trimmed = text.trim_end();
        // Signs without letters or digits, such as separators between links, are not text.
        if trimmed.contains(char::is_alphanumeric) {
            let shown = trimmed.len() - trimmed.bytes().filter(u8::is_ascii_whitespace).count();
            let mut kind = kind_of(self.place, self.linked * 2 > shown);
            // On its own page, the label of a category is repeated at each post.
            let is_label = kind == TextKind::Counted && self.own_linked * 2 > shown && !self.place.is_heading;
            if is_label && !self.own_links.insert(Block::of(trimmed, &mut self.masked)) {
                kind = TextKind::Links;
            }
            if kind == TextKind::Counted {
                self.beginnings.push(trimmed);
                self.place_links(trimmed);
                self.push_tail(trimmed);
            } else if kind == TextKind::Links && self.place.is_heading && self.place.is_content {
                self.start_section();
            }
            if self.place.is_heading && matches!(kind, TextKind::Counted | TextKind::Links) {
                // A link around the heading began before its text.
                let links = self.links.get(self.first_link..).unwrap_or_default();
                let around = self
                    .links
                    .last()
                    .filter(|_| links.is_empty() && self.link == Some(InLink::Other));
                self.headings.extend(links.iter().chain(around).copied());
            }
            match version(trimmed).filter(|_| self.place.is_title) {
                Some(before) => self.push(&format!("{before}*"), kind, self.place),
                None => self.push(trimmed, kind, self.place),
            }
        }
        (self.start_link_end, self.starts_with_link) = (None, false);
        self.text = text;
        self.text.clear();
        (self.linked, self.own_linked) = (0, 0);
        (self.first_link, self.link_end) = (self.links.len(), 0);
    }

    /// Notes the text after a link that begins the block, if it is long enough to be a description of the linked page.
    fn push_tail(&mut self, text: &str) {
        let is_letter = |c: char| c.is_alphanumeric();
        let tail = self
            .start_link_end
            .and_then(|end| text.get(end..))
            .unwrap_or_default();
        let tail = tail.trim_start_matches(|c| !is_letter(c));
        if let (Ok(number), Some(tail)) = (u32::try_from(self.blocks.len()), Description::of(tail))
            && tail.beginning.is_long()
        {
            self.tails.push((number, tail));
        }
    }

    /// Places the links of a counted block in it. A final link, such as `Read more`, is placed after it.
    fn place_links(&mut self, text: &str) {
        let number = self.blocks.len();
        let Some((last, others)) = self.links[self.first_link..].split_last_mut() else {
            return;
        };
        for link in others {
            link.position = Position::of(number);
        }
        let after_link = text.get(self.link_end..).unwrap_or_default();
        let is_at_end = self.link == Some(InLink::Other) || !after_link.contains(char::is_alphanumeric);
        last.position = if is_at_end {
            Position::before(number + 1)
        } else {
            Position::of(number)
        };
    }

    /// Begins a section at the first link of the current block. If none begins there, the block is in the last link.
    fn start_section(&mut self) {
        let link = self.links.get(self.first_link).or(self.links.last());
        let next = self.blocks.len();
        self.sections.extend(link.map(|link| Section {
            link: *link,
            blocks: next..next,
        }));
    }

    fn push(&mut self, text: &str, kind: TextKind, place: Place) {
        self.most = self.most.max(Most::of(text, place));
        if kind == TextKind::Counted || self.explained.is_some() {
            let block = Block::of(text, &mut self.masked);
            if kind == TextKind::Counted {
                // A heading, or text outside of `main` and `article`, ends the section: later blocks have greater numbers.
                if let Some(section) = self.sections.last_mut()
                    && section.blocks.end == self.blocks.len()
                    && place.is_content
                    && !place.is_heading
                {
                    section.blocks.end += 1;
                }
                self.starts_with_heading |= self.blocks.is_empty() && place.is_heading;
                if place.is_title
                    && self
                        .title
                        .is_none_or(|(_, is_content)| !is_content && place.is_content)
                {
                    self.title = Some((self.blocks.len(), place.is_content));
                }
                self.blocks.push(block);
                self.paths.push(place.path);
                if let Some((order, blocks)) = self.orders.last_mut() {
                    *order = order.rotate_left(5).wrapping_mul(0x0100_0193) ^ block.mask().number();
                    *blocks += 1;
                }
            }
            if let Some(explained) = &mut self.explained {
                let text = text.to_owned();
                explained.push(TextBlock { kind, text, block });
            }
        }
    }
}

/// Returns the text up to the number of a version that ends it, such as `v1.2.0`: the build of a documentation writes it.
fn version(title: &str) -> Option<&str> {
    let (before, last) = title.rsplit_once(' ')?;
    let number = last.strip_prefix('v')?;
    let is_version = number.starts_with(|c: char| c.is_ascii_digit())
        && number.contains('.')
        && number
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+'));
    is_version.then(|| &title[..before.len() + 2])
}

fn kind_of(place: Place, is_linked: bool) -> TextKind {
    if place.is_ignored {
        TextKind::Ignored
    } else if place.is_frame {
        TextKind::Frame
    } else if is_linked {
        TextKind::Links
    } else {
        TextKind::Counted
    }
}
