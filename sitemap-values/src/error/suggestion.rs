//! Replacements for rejected texts.

use std::borrow::Cow;

/// A replacement for a rejected text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    value: Cow<'static, str>,
    applicability: Applicability,
}

/// The certainty of a [`Suggestion`]: if it can be applied without review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Applicability {
    /// It has the intended value in the right form.
    MachineApplicable,
    /// It probably has the intended value.
    MaybeIncorrect,
}

impl Applicability {
    /// `MachineApplicable` or `MaybeIncorrect`, as in rustc.
    pub const fn as_str(self) -> &'static str {
        match self {
            Applicability::MachineApplicable => "MachineApplicable",
            Applicability::MaybeIncorrect => "MaybeIncorrect",
        }
    }
}

impl Suggestion {
    /// A certainly intended value. An empty value removes the rejected text.
    #[doc(hidden)]
    pub fn certain(value: impl Into<Cow<'static, str>>) -> Self {
        Suggestion {
            value: value.into(),
            applicability: Applicability::MachineApplicable,
        }
    }

    /// A probably intended value.
    #[doc(hidden)]
    pub fn probable(value: impl Into<Cow<'static, str>>) -> Self {
        Suggestion {
            value: value.into(),
            applicability: Applicability::MaybeIncorrect,
        }
    }

    /// The value; empty to remove the rejected text.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Returns its certainty: if it can be applied without review.
    pub fn applicability(&self) -> Applicability {
        self.applicability
    }
}
