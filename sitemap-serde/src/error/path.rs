//! The way to the field that an error is about, from the inside out.

use std::fmt;

/// One step of a path.
#[derive(Clone, Debug, Default)]
pub(crate) enum Step {
    #[default]
    None,
    /// An element or field that the schema or a type knows.
    Known(&'static str),
    /// One that only the document or the program knows.
    Other(Box<str>),
    /// Which of the fields of one name, from 0.
    Index(usize),
}

impl Step {
    /// A name that is not known for as long as the program runs.
    pub(crate) fn other(name: &str) -> Self {
        match name {
            "" => Step::None,
            name => Step::Other(name.into()),
        }
    }
}

impl From<&'static str> for Step {
    fn from(name: &'static str) -> Self {
        Step::Known(name)
    }
}

/// The steps, innermost first. As many as an entry of the schema has are kept without an allocation.
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

    /// Whether the outermost is an index.
    pub(super) fn begins_with_index(&self) -> bool {
        matches!(self.inside_out().next_back(), Some(Step::Index(_)))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.inside_out().next().is_none()
    }

    /// The name of the innermost field.
    pub(super) fn field(&self) -> Option<&str> {
        self.inside_out().find_map(|step| match step {
            Step::Known(name) => Some(*name),
            Step::Other(name) => Some(&**name),
            Step::Index(_) | Step::None => None,
        })
    }
}

/// From the outside in.
impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_first = true;
        for step in self.inside_out().rev() {
            if !is_first && !matches!(step, Step::Index(_)) {
                f.write_str(" · ")?;
            }
            match step {
                Step::Known(name) => f.write_str(name)?,
                Step::Other(name) => f.write_str(name)?,
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::None => {}
            }
            is_first = false;
        }
        Ok(())
    }
}
