//! The open elements of a page.

use super::element::{Name, Role};
use super::foreign::{Point, Space};
use super::stated::Event;

/// The same limit as in browsers: a deeper element becomes a sibling of the previous one.
const DEEPEST: usize = 512;

/// The properties of text at a place of a page, which come from the elements around it.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(crate) struct Place {
    /// In `main` or `article`.
    pub(crate) is_content: bool,
    pub(crate) is_article: bool,
    /// In a `nav`, `header`, `footer` or `aside` that is outside of `main` and `article`, or in a `footer` that is outside of `article`.
    pub(crate) is_frame: bool,
    /// In a `nav`, even within `main` and `article`.
    pub(crate) is_navigation: bool,
    /// In an element whose text is not shown.
    pub(crate) is_hidden: bool,
    /// Directly in a `video` or `audio` that is shown.
    pub(crate) is_media: bool,
    /// In a `time` whose text is not counted.
    pub(crate) is_time: bool,
    /// In a `time` whose text is counted if it is a time of day.
    pub(crate) is_in_time: bool,
    /// In `pre`, where white space is text.
    pub(crate) is_pre: bool,
    /// In `h1`.
    pub(crate) is_title: bool,
    /// In `h1` to `h6`.
    pub(crate) is_heading: bool,
    /// In an element that a selector names.
    pub(crate) is_ignored: bool,
    /// A hash of the elements from `body` on, each with its first class: the place in the page's template.
    pub(crate) path: u32,
}

/// The element that a start tag opens.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(crate) struct Opening<'a> {
    pub(crate) name: Name,
    pub(crate) role: Role,
    /// Its classes.
    pub(crate) class: &'a [u8],
    pub(crate) is_frame: bool,
    /// `true` for a `header` that is no frame from its title on.
    pub(crate) may_have_title: bool,
    pub(crate) is_navigation: bool,
    pub(crate) is_ignored: bool,
    /// `true` if its text is not shown.
    pub(crate) is_hidden: bool,
    /// `true` for each [`Event`] whose property it has as `itemprop`.
    pub(crate) dates: [bool; 2],
    /// `true` if it begins a microdata item.
    pub(crate) is_item: bool,
    pub(crate) time: TimeText,
    pub(crate) space: Space,
    pub(crate) point: Point,
}

impl Opening<'_> {
    pub(crate) fn new(name: Name, role: Role) -> Self {
        Opening {
            name,
            role,
            class: &[],
            is_frame: false,
            may_have_title: false,
            is_navigation: false,
            is_ignored: false,
            is_hidden: role == Role::Hidden,
            dates: [false; 2],
            is_item: false,
            time: TimeText::Counted,
            space: Space::Html,
            point: Point::None,
        }
    }
}

/// The part of the text in an element that is counted, as far as `time` is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeText {
    Counted,
    /// Only times of day.
    TimesOfDay,
    /// None.
    Skipped,
}

#[derive(Debug)]
struct Open {
    name: Name,
    role: Role,
    space: Space,
    point: Point,
    place: Place,
    is_frame: bool,
    may_have_title: bool,
    /// `true` for each [`Event`] whose property the element has.
    dates: [bool; 2],
    is_item: bool,
}

/// The open elements, as in the standard's tree construction, but without formatting elements.
#[derive(Debug, Default)]
pub(crate) struct Stack {
    open: Vec<Open>,
    /// The number of open elements with the property of each [`Event`].
    dates: [usize; 2],
    items: usize,
    /// The number of open elements of SVG and MathML.
    foreign: usize,
    /// The number of outermost items so far.
    outermost: usize,
    /// The open formatting elements of HTML outside of SVG and MathML, and the number of open elements around each.
    formatting: Vec<(Name, usize)>,
}

/// More open formatting elements are not known. Only end tags within unclosed SVG need them.
const MOST_FORMATTING: usize = 64;

impl Stack {
    pub(crate) fn place(&self) -> Place {
        self.open.last().map(|open| open.place).unwrap_or_default()
    }

    /// Returns the vocabulary of the innermost open element.
    pub(crate) fn space(&self) -> Space {
        self.open.last().map(|open| open.space).unwrap_or_default()
    }

    /// Returns `true` if a start tag of this name is SVG or MathML, because of the elements around it.
    pub(crate) fn is_foreign(&self, name: &[u8]) -> bool {
        let of_foreign = |open: &Open| match open.point {
            Point::None => true,
            Point::Html => false,
            Point::Token => matches!(name, b"mglyph" | b"malignmark"),
            Point::Svg => name != b"svg",
        };
        self.open
            .last()
            .is_some_and(|open| open.space != Space::Html && of_foreign(open))
    }

    /// Ends the elements of SVG and MathML up to one that contains HTML.
    pub(crate) fn leave_foreign(&mut self) {
        let is_html =
            |open: &Open| open.space == Space::Html || matches!(open.point, Point::Html | Point::Token);
        let len = self.open.iter().rposition(is_html).map_or(0, |last| last + 1);
        self.truncate(len);
    }

    /// Ends an element of SVG or MathML. Returns `false` if the end tag is one of HTML.
    pub(crate) fn end_foreign(&mut self, name: Name) -> bool {
        if self.space() == Space::Html {
            return false;
        }
        for (position, open) in self.open.iter().enumerate().rev() {
            if open.space == Space::Html {
                return false;
            }
            if open.name == name {
                self.truncate(position);
                return true;
            }
        }
        false
    }

    /// Notes a formatting element. Only within SVG and MathML, it is an open element.
    pub(crate) fn start_formatting(&mut self, name: Name) {
        if self.has_foreign() {
            self.push(Opening::new(name, Role::Inline));
        } else if self.formatting.len() < MOST_FORMATTING {
            self.formatting.push((name, self.open.len()));
        }
    }

    pub(crate) fn end_formatting(&mut self, name: Name) {
        if self.has_foreign() && self.end(name, Role::Inline) {
            return;
        }
        let Some(position) = self.formatting.iter().rposition(|(open, _)| *open == name) else {
            return;
        };
        let (_, around) = self.formatting[position];
        let within = self.open.get(around..).unwrap_or_default();
        if within
            .iter()
            .any(|open| open.name.is_barrier() && open.space == Space::Html)
        {
            return;
        }
        self.formatting.remove(position);
        // It also ends unclosed SVG in it, but no element that contains HTML.
        let is_kept = |open: &Open| open.space == Space::Html || open.point != Point::None;
        let len = self.open.iter().rposition(is_kept).map_or(0, |last| last + 1);
        self.truncate(len);
    }

    fn has_foreign(&self) -> bool {
        self.foreign > 0
    }

    /// Returns `true` if an open element has the event's property as `itemprop`.
    pub(crate) fn is_in_date(&self, event: Event) -> bool {
        self.dates[event as usize] > 0
    }

    /// Returns the number of the open microdata item. `None` within an item of an item.
    pub(crate) fn item(&self) -> Option<usize> {
        match self.items {
            0 => Some(0),
            1 => Some(self.outermost),
            _ => None,
        }
    }

    /// Ends the elements that this start tag implicitly ends.
    pub(crate) fn end_implied(&mut self, name: Name, role: Role) {
        while let Some(position) = self.implied(name, role) {
            self.truncate(position);
        }
    }

    /// Returns the innermost element that the start tag implicitly ends. Only inline elements, or cells of its row, may be open
    /// within it.
    fn implied(&self, name: Name, role: Role) -> Option<usize> {
        for (position, open) in self.open.iter().enumerate().rev() {
            if name.ends(role, open.name) {
                return Some(position);
            }
            if open.point != Point::None {
                return None;
            }
            let is_within = matches!(open.role, Role::Inline | Role::Time)
                || open.name == Name::P
                || open.name == Name::DIV && role == Role::OptionalEnd && name != Name::P
                || open.name.is_cell() && name.ends(role, Name::TR);
            if !is_within {
                return None;
            }
        }
        None
    }

    pub(crate) fn push(&mut self, opening: Opening<'_>) {
        let Opening { name, role, .. } = opening;
        if name == Name::H1 {
            self.show_title();
        }
        let mut place = self.place();
        place.is_media = matches!(name, Name::VIDEO | Name::AUDIO) && !place.is_hidden;
        match role {
            // Content, even if a frame before it was never closed.
            Role::Content if name == Name::MAIN || !place.is_frame => {
                place.is_content = true;
                place.is_frame = false;
            }
            _ => {}
        }
        place.is_hidden |= opening.is_hidden;
        place.is_time |= opening.time == TimeText::Skipped;
        place.is_in_time |= opening.time == TimeText::TimesOfDay;
        place.is_pre |= name == Name::PRE;
        place.is_title |= name == Name::H1;
        place.is_heading |= name.is_heading();
        place.is_article |= name == Name::ARTICLE;
        // The footer of an article is the article's, and that of `main` the site's.
        let is_of_main = name == Name::FOOTER && !place.is_article;
        place.is_frame |= opening.is_frame && (!place.is_content || is_of_main);
        place.is_ignored |= opening.is_ignored;
        place.is_navigation |= opening.is_navigation;
        let is_in_line = matches!(role, Role::Inline | Role::Time);
        if !is_in_line && !matches!(name, Name::HTML | Name::BODY) {
            place.path = name.path(place.path, opening.class);
        }
        if self.open.len() == DEEPEST {
            self.truncate(DEEPEST - 1);
        }
        for (count, has_date) in self.dates.iter_mut().zip(opening.dates) {
            *count += usize::from(has_date);
        }
        self.outermost += usize::from(opening.is_item && self.items == 0);
        self.items += usize::from(opening.is_item);
        self.foreign += usize::from(opening.space != Space::Html);
        self.open.push(Open {
            name,
            role,
            space: opening.space,
            point: opening.point,
            is_frame: opening.is_frame,
            may_have_title: opening.may_have_title,
            place,
            dates: opening.dates,
            is_item: opening.is_item,
        });
    }

    /// Ends the innermost element of the name, with the elements in it. An end tag without an element is ignored, and the result is
    /// `false`.
    pub(crate) fn end(&mut self, name: Name, role: Role) -> bool {
        for (position, open) in self.open.iter().enumerate().rev() {
            if open.name == name && open.space == Space::Html {
                self.truncate(position);
                return true;
            }
            let is_special = !matches!(open.role, Role::Inline | Role::Time) || open.point != Point::None;
            let is_barrier = open.name.is_barrier() && !ends_barrier(name, open.name)
                || open.point != Point::None && !(name.is_cell() || ends_barrier(name, Name::TD));
            // Only the end of a template ends whatever is in it.
            if name != Name::TEMPLATE && (is_barrier || is_special && role == Role::Inline) {
                return false;
            }
        }
        false
    }

    /// From its `h1` on, a `header` around the title of the page is no frame.
    fn show_title(&mut self) {
        let Some(position) = self.open.iter().rposition(|open| open.is_frame) else {
            return;
        };
        let is_in_frame = position > 0 && self.open[position - 1].place.is_frame;
        if self.open[position].may_have_title && !is_in_frame {
            for open in &mut self.open[position..] {
                open.place.is_frame = false;
            }
        }
    }

    fn truncate(&mut self, len: usize) {
        let len = len.min(self.open.len());
        for open in self.open.drain(len..) {
            for (count, has_date) in self.dates.iter_mut().zip(open.dates) {
                *count -= usize::from(has_date);
            }
            self.items -= usize::from(open.is_item);
            self.foreign -= usize::from(open.space != Space::Html);
        }
    }
}

/// Returns `true` if an end tag may end elements around a barrier: `</table>` ends cells, and `</body>` everything.
fn ends_barrier(name: Name, barrier: Name) -> bool {
    match barrier {
        Name::TD | Name::TH | Name::CAPTION => {
            matches!(
                name,
                Name::TR | Name::TBODY | Name::THEAD | Name::TFOOT | Name::TABLE
            )
        }
        _ => false,
    }
}
