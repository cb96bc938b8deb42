//! The open elements of a page.

use super::element::{Name, Role};

/// Browsers nest no deeper either: an element below becomes a sibling of the one before it.
const DEEPEST: usize = 512;

/// What holds of text at some place of a page, by the elements around it.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(crate) struct Place {
    /// In `main` or `article`.
    pub(crate) is_content: bool,
    /// In a `nav`, `header`, `footer` or `aside` that is outside of `main` and `article`.
    pub(crate) is_frame: bool,
    /// In an element whose text is not shown.
    pub(crate) is_hidden: bool,
    pub(crate) is_time: bool,
    /// In an element that a selector names.
    pub(crate) is_ignored: bool,
}

#[derive(Debug)]
struct Open {
    name: Name,
    role: Role,
    place: Place,
    /// Whether the element is one with `itemprop="dateModified"`.
    is_modified: bool,
}

/// The open elements, as the standard's tree construction would have them, except that formatting elements are not among them.
#[derive(Debug, Default)]
pub(crate) struct Stack {
    open: Vec<Open>,
    modified: usize,
}

impl Stack {
    pub(crate) fn place(&self) -> Place {
        self.open.last().map(|open| open.place).unwrap_or_default()
    }

    /// Whether an open element has `itemprop="dateModified"`.
    pub(crate) fn is_in_modified(&self) -> bool {
        self.modified > 0
    }

    /// Ends the elements whose end tags may be left out before this start tag.
    pub(crate) fn end_implied(&mut self, name: Name, role: Role) {
        while let Some(position) = self.implied(name, role) {
            self.truncate(position);
        }
    }

    /// The element that the start tag ends: the innermost one that it can, if only elements within a line are in it, or cells of its row.
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

    pub(crate) fn push(&mut self, name: Name, role: Role, frame: bool, ignored: bool, modified: bool) {
        let mut place = self.place();
        match role {
            // Content, even if the element of a frame before it was never ended.
            Role::Content if name == Name::MAIN || !place.is_frame => {
                place.is_content = true;
                place.is_frame = false;
            }
            Role::Hidden => place.is_hidden = true,
            Role::Time => place.is_time = true,
            _ => {}
        }
        place.is_frame |= frame && !place.is_content;
        place.is_ignored |= ignored;
        if self.open.len() == DEEPEST {
            self.truncate(DEEPEST - 1);
        }
        self.modified += usize::from(modified);
        self.open.push(Open {
            name,
            role,
            place,
            is_modified: modified,
        });
    }

    /// Ends the innermost element of the name, with those in it; an end tag without an element is ignored.
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
        let ended = self.open.drain(len..).filter(|open| open.is_modified).count();
        self.modified -= ended;
    }
}

/// Whether an end tag may end what is around an element that shields most: `</table>` ends cells, and `</body>` everything.
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
