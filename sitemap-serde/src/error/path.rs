//! The path to the field that an error is about, collected from the inside out.

use std::fmt::{self, Write};

use sitemap_values::quote::is_invisible;

/// One step of a path.
#[derive(Clone, Debug, Default)]
pub(crate) enum Step {
    #[default]
    None,
    /// An element or field of the schema or of a type.
    Known(&'static str),
    /// A name from the document or from a map's key.
    Other(Box<str>),
    /// Index among the fields with one name, from 0.
    Index(usize),
}

impl Step {
    /// A step with a name that is not `'static`.
    pub(crate) fn other(name: &str) -> Self {
        match name {
            "" => Step::None,
            name => Step::Other(name.into()),
        }
    }

    /// The name of an element or field.
    fn name(&self) -> Option<&str> {
        match self {
            Step::Known(name) => Some(name),
            Step::Other(name) => Some(name),
            Step::Index(_) | Step::None => None,
        }
    }
}

impl From<&'static str> for Step {
    fn from(name: &'static str) -> Self {
        Step::Known(name)
    }
}

/// The steps, innermost first. The deepest path in the schema needs no allocation.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    first: [Step; 6],
    more: Vec<Step>,
}

impl Steps {
    pub(super) fn push(&mut self, step: Step) {
        match self.first.iter_mut().find(|step| matches!(step, Step::None)) {
            Some(place) => *place = step,
            None => self.more.push(step),
        }
    }

    fn inside_out(&self) -> impl DoubleEndedIterator<Item = &Step> {
        self.first
            .iter()
            .chain(&self.more)
            .filter(|step| !matches!(step, Step::None))
    }

    /// The outermost step if it is an index: the entry's index in its row.
    pub(super) fn index_in_row(&self) -> Option<usize> {
        match self.inside_out().next_back() {
            Some(Step::Index(index)) => Some(*index),
            _ => None,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.inside_out().next().is_none()
    }

    /// The number of steps within the outermost field, whose index belongs to it. `None` without a field.
    pub(super) fn within_outermost(&self) -> Option<usize> {
        let count = self.inside_out().count();
        let is_index = |step: &Step| matches!(step, Step::Index(_));
        match count {
            0 => None,
            1 => Some(0),
            _ if self.inside_out().nth(count - 2).is_some_and(is_index) => Some(count - 2),
            _ => Some(count - 1),
        }
    }

    /// The innermost steps, as they end the path.
    pub(super) fn innermost(&self, count: usize) -> String {
        Steps {
            first: Default::default(),
            more: self.inside_out().take(count).cloned().collect(),
        }
        .to_string()
    }

    /// The name of the innermost field.
    pub(super) fn field(&self) -> Option<&str> {
        self.inside_out().find_map(Step::name)
    }

    /// The name of the outermost field.
    pub(super) fn outermost(&self) -> Option<&str> {
        self.inside_out().rev().find_map(Step::name)
    }
}

/// Prints the steps from the outside in.
impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_first = true;
        for step in self.inside_out().rev() {
            if !is_first && !matches!(step, Step::Index(_)) {
                f.write_str(" · ")?;
            }
            match step {
                Step::Known(name) => f.write_str(name)?,
                Step::Other(name) => {
                    for c in name.chars() {
                        if is_invisible(c) {
                            write!(f, "{}", c.escape_unicode())?;
                        } else {
                            f.write_char(c)?;
                        }
                    }
                }
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::None => {}
            }
            is_first = false;
        }
        Ok(())
    }
}
