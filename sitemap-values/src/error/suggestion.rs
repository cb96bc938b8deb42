//! What to write instead of what was found.

use std::borrow::Cow;

/// What to write instead of what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    value: Cow<'static, str>,
    applicability: Applicability,
}

/// Whether a [`Suggestion`] can be applied without looking at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Applicability {
    /// It is what was meant, in the right form.
    MachineApplicable,
    /// It is probably what was meant.
    MaybeIncorrect,
}

impl Applicability {
    /// `MachineApplicable` or `MaybeIncorrect`, as rustc has them.
    pub const fn as_str(self) -> &'static str {
        match self {
            Applicability::MachineApplicable => "MachineApplicable",
            Applicability::MaybeIncorrect => "MaybeIncorrect",
        }
    }
}

impl Suggestion {
    /// A value that was certainly meant. An empty one means to leave out what was found.
    #[doc(hidden)]
    pub fn certain(value: impl Into<Cow<'static, str>>) -> Self {
        Suggestion {
            value: value.into(),
            applicability: Applicability::MachineApplicable,
        }
    }

    /// A value that was probably meant.
    #[doc(hidden)]
    pub fn probable(value: impl Into<Cow<'static, str>>) -> Self {
        Suggestion {
            value: value.into(),
            applicability: Applicability::MaybeIncorrect,
        }
    }

    /// The value; empty if what was found is to be left out.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Whether it can be applied without looking at it.
    pub fn applicability(&self) -> Applicability {
        self.applicability
    }
}
