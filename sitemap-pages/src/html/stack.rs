//! The open elements of a page.

use super::element::{Name, Role};
use super::stated::Event;

/// The same limit as in browsers: a deeper element becomes a sibling of the previous one.
const DEEPEST: usize = 512;

/// The properties of text at a place of a page, which come from the elements around it.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(crate) struct Place {
    /// In `main` or `article`.
    pub(crate) is_content: bool,
    /// In a `nav`, `header`, `footer` or `aside` that is outside of `main` and `article`.
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
    pub(crate) is_navigation: bool,
    pub(crate) is_ignored: bool,
    /// `true` for each [`Event`] whose property it has as `itemprop`.
    pub(crate) dates: [bool; 2],
    /// `true` if it begins a microdata item.
    pub(crate) is_item: bool,
    /// `true` if it is a `time` whose text is not counted.
    pub(crate) is_time: bool,
}

#[derive(Debug)]
struct Open {
    name: Name,
    role: Role,
    place: Place,
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
    /// The number of outermost items so far.
    outermost: usize,
}

impl Stack {
    pub(crate) fn place(&self) -> Place {
        self.open.last().map(|open| open.place).unwrap_or_default()
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
        let mut place = self.place();
        place.is_media = matches!(name, Name::VIDEO | Name::AUDIO) && !place.is_hidden;
        match role {
            // Content, even if a frame before it was never closed.
            Role::Content if name == Name::MAIN || !place.is_frame => {
                place.is_content = true;
                place.is_frame = false;
            }
            Role::Hidden => place.is_hidden = true,
            _ => {}
        }
        place.is_time |= opening.is_time;
        place.is_in_time |= name == Name::TIME;
        place.is_pre |= name == Name::PRE;
        place.is_title |= name == Name::H1;
        place.is_heading |= name.is_heading();
        place.is_frame |= opening.is_frame && !place.is_content;
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
        self.open.push(Open {
            name,
            role,
            place,
            dates: opening.dates,
            is_item: opening.is_item,
        });
    }

    /// Ends the innermost element of the name, with the elements in it. An end tag without an element is ignored.
    pub(crate) fn end(&mut self, name: Name, role: Role) {
        for (position, open) in self.open.iter().enumerate().rev() {
            if open.name == name {
                return self.truncate(position);
            }
            let is_special = !matches!(open.role, Role::Inline | Role::Time);
            if open.name.is_barrier() && !ends_barrier(name, open.name) || is_special && role == Role::Inline
            {
                return;
            }
        }
    }

    fn truncate(&mut self, len: usize) {
        for open in self.open.drain(len..) {
            for (count, has_date) in self.dates.iter_mut().zip(open.dates) {
                *count -= usize::from(has_date);
            }
            self.items -= usize::from(open.is_item);
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
