//! Building an error from the inside out: each level adds its part.
//!
//! **A loss says so.** A repair is `losing` if it drops anything (`error/build`, `Diagnostic::is_loss`), where it drops it: the repairs of
//! the scanner mark the error that they were called with. `tests/tests/all/lenient/losses` damages documents whose values have a word each,
//! and searches the words in what is read.

use sitemap_values::Rule;

use super::{Defect, Error, ErrorKind, LazyMessage, Message, Mismatch, Position, Step};

impl Error {
    /// A copy of the parts that an error about a value has: no position, entry or loc.
    pub(super) fn copy(&self) -> Self {
        let mut copy = Error::of(self.0.kind, self.0.message.clone());
        copy.0.rule = self.0.rule;
        copy.0.defect = self.0.defect;
        copy.0.steps = self.0.steps.clone();
        copy
    }

    /// Sets the broken rule, unless there is already one more specific than [`Rule::Xml`].
    #[must_use]
    pub(crate) fn breaks(mut self, rule: Rule) -> Self {
        if matches!(self.0.rule, None | Some(Rule::Xml)) {
            self.0.rule = Some(rule);
        }
        self
    }

    /// Replaces the broken rule: which rule an invalid value breaks depends on the element, since a date may be a lastmod or a
    /// publication date.
    #[must_use]
    pub(crate) fn under(mut self, rule: Rule) -> Self {
        self.0.rule = Some(rule);
        self
    }

    /// Sets the kind of problem.
    #[must_use]
    pub(crate) fn with_defect(mut self, defect: Defect) -> Self {
        self.0.defect = defect;
        self
    }

    /// Replaces the message.
    #[must_use]
    pub(crate) fn with_message(mut self, message: Message) -> Self {
        self.0.message = LazyMessage::Ready(message);
        self
    }

    pub(crate) fn defect(&self) -> Defect {
        self.0.defect
    }

    /// Marks the error as a mismatch: the entry may still fit another type, such as another variant of an enum.
    #[must_use]
    pub(crate) fn mismatch(mut self, mismatch: Mismatch) -> Self {
        self.0.mismatch = Some(mismatch);
        self
    }

    /// The mismatch, if the entry's loc did not match the type's template.
    #[cfg(feature = "derive")]
    pub(crate) fn as_mismatch(&self) -> Option<Mismatch> {
        self.0.mismatch
    }

    /// Sets the position, unless it is set.
    #[must_use]
    pub(crate) fn at(mut self, position: Position) -> Self {
        if self.0.position.is_none() {
            self.0.entry = self.0.entry.or(position.entry());
            self.0.position = Some(position);
        }
        self
    }

    /// Sets the byte offset in the entry, unless it is set.
    #[must_use]
    pub(crate) fn at_offset(mut self, offset: usize) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// Removes the position and the entry's number, for a text that is not a document.
    #[must_use]
    pub(crate) fn without_place(mut self) -> Self {
        self.0.position = None;
        self.0.entry = None;
        self
    }

    /// Turns the offset in the entry into a position.
    #[must_use]
    pub(crate) fn locate(self, position: impl FnOnce(usize) -> Position) -> Self {
        let offset = self.0.offset.unwrap_or(0);
        if self.has_position() {
            self
        } else {
            self.at(position(offset))
        }
    }

    /// Prepends a field to the path.
    #[must_use]
    pub(crate) fn within(mut self, step: impl Into<Step>) -> Self {
        self.prepend(step.into());
        self
    }

    /// Like [`within`](Self::within), for an error that is stored.
    pub(crate) fn prepend(&mut self, step: Step) {
        self.0.steps.push(step);
        self.0.message.nest();
        self.0.path.take();
    }

    /// Prepends an index to the path, from 0: which of several fields with one name.
    #[must_use]
    pub(crate) fn at_index(self, index: usize) -> Self {
        self.within(Step::Index(index))
    }

    /// Sets the entry's number, from 1, which begins the path.
    #[must_use]
    pub(crate) fn in_entry(mut self, entry: u64) -> Self {
        self.0.entry = Some(entry);
        if let Some(position) = &mut self.0.position {
            *position = position.in_entry(entry);
        }
        self.0.path.take();
        self
    }

    /// Makes it an error of [`ErrorKind::Settings`].
    #[must_use]
    pub(crate) fn in_settings(mut self) -> Self {
        self.0.kind = ErrorKind::Settings;
        self.0.ends_reading = true;
        self
    }

    /// Marks the error as the end of reading.
    #[must_use]
    pub(crate) fn ending_reading(mut self) -> Self {
        self.0.ends_reading = true;
        self
    }

    /// Sets the name of the document that was read, if it has one, which begins the message.
    #[must_use]
    pub(crate) fn in_document(mut self, name: Option<&str>) -> Self {
        self.0.document = name.map(Into::into);
        self
    }

    /// Sets the loc of the entry that is being written.
    #[must_use]
    pub(crate) fn of_loc(mut self, loc: &str) -> Self {
        // A wrong setting affects all entries, not just this one.
        if self.0.loc.is_none() && !loc.is_empty() && self.0.kind != ErrorKind::Settings {
            self.0.loc = Some(loc.into());
        }
        self
    }

    /// Marks something without a path as dropped: text between elements, an attribute, a character.
    #[must_use]
    pub(crate) fn losing(mut self) -> Self {
        self.mark_loss();
        self
    }

    /// Like [`losing`](Self::losing), for an error that already exists.
    pub(crate) fn mark_loss(&mut self) {
        self.0.is_loss = true;
    }

    /// Marks the outermost field of the path as dropped.
    #[must_use]
    pub(crate) fn omitting_field(mut self) -> Self {
        self.0.within_omitted = self.0.steps.within_outermost();
        self
    }

    /// Marks the entry as dropped.
    #[must_use]
    pub(crate) fn omitting_entry(mut self) -> Self {
        self.0.within_omitted = Some(usize::MAX);
        self
    }

    fn has_position(&self) -> bool {
        self.0.position.is_some()
    }
}
