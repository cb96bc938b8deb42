//! Collects all errors of a type, so that one compilation shows them all.

use std::cell::RefCell;
use std::fmt::Display;
use std::thread;

use proc_macro2::Span;
use quote::ToTokens;

/// The absence of a value because of an error, which is in the [`Ctxt`].
#[derive(Clone, Copy)]
pub(crate) struct Reported;

/// A value, or an error that is [`Reported`].
pub(crate) type Checked<T> = Result<T, Reported>;

/// The errors found so far.
///
/// Must be [checked](Ctxt::check) before it is dropped, so that no error is lost.
#[derive(Default)]
pub(crate) struct Ctxt {
    // `None` once checked.
    errors: RefCell<Option<Vec<syn::Error>>>,
}

impl Ctxt {
    pub(crate) fn new() -> Self {
        Ctxt {
            errors: RefCell::new(Some(Vec::new())),
        }
    }

    /// Adds an error at the span of `tokens`.
    pub(crate) fn error(&self, tokens: impl ToTokens, message: impl Display) -> Reported {
        self.push(syn::Error::new_spanned(tokens, message))
    }

    /// Adds an error at a span.
    pub(crate) fn error_at(&self, span: Span, message: impl Display) -> Reported {
        self.push(syn::Error::new(span, message))
    }

    pub(crate) fn push(&self, error: syn::Error) -> Reported {
        if let Some(errors) = self.errors.borrow_mut().as_mut() {
            errors.push(error);
        }
        Reported
    }

    /// All errors as one, if there are any.
    pub(crate) fn check(self) -> syn::Result<()> {
        let errors = self.errors.borrow_mut().take().unwrap_or_default();
        errors
            .into_iter()
            .reduce(|mut all, error| {
                all.combine(error);
                all
            })
            .map_or(Ok(()), Err)
    }
}

impl Drop for Ctxt {
    fn drop(&mut self) {
        assert!(
            thread::panicking() || self.errors.borrow().is_none(),
            "the errors of a derive were not checked"
        );
    }
}
