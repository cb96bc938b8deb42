//! Errors of serde, of values and of I/O.

use std::fmt;
use std::io;

use sitemap_values::ValueError;
use sitemap_values::handover::{self, Received};

use crate::schema::field_meant;

use super::{Defect, Error, ErrorKind, Facts, LazyMessage, Message};

impl serde_core::de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        match handover::receive(&message) {
            Received::Text(text) => Error::data(text).with_defect(Defect::Refused),
            Received::Error(error) => Error::handed_over(error),
        }
    }

    fn missing_field(field: &'static str) -> Self {
        Error::found(Facts::none().names([field, ""]), |found| {
            let [field, _] = found.names;
            let message = Message::new(format!("missing field `{field}`"));
            match field_meant(field).filter(|_| !found.is_nested()) {
                Some(meant) => message.advice(format!(
                    "did you mean `{meant}`? Rename it with `#[serde(rename = \"{meant}\")]`"
                )),
                None => message,
            }
        })
        .with_defect(Defect::Missing)
    }

    fn duplicate_field(field: &'static str) -> Self {
        Error::data(format!("duplicate field `{field}`")).with_defect(Defect::Excess)
    }
}

impl serde_core::ser::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Error::custom(message)
    }
}

/// The error for a value, of [`ErrorKind::Data`].
impl From<ValueError> for Error {
    fn from(error: ValueError) -> Self {
        let rule = error.rule();
        let mut of_value = Error::of(ErrorKind::Data, LazyMessage::Value(error));
        of_value.0.rule = rule;
        of_value
    }
}

/// Keeps the kind of an I/O error; [`ErrorKind::Eof`] becomes `UnexpectedEof`, all others `InvalidData`.
impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        let kind = match (&error.0.source, error.0.kind) {
            (Some(source), _) => source.kind(),
            (None, ErrorKind::Eof) => io::ErrorKind::UnexpectedEof,
            (None, _) => io::ErrorKind::InvalidData,
        };
        io::Error::new(kind, error)
    }
}

/// Lets `?` convert the errors of a function that opens files and reads sitemaps.
///
/// ```
/// fn count(path: &str) -> sitemap_serde::Result<usize> {
///     let file = std::fs::File::open(path)?;
///     Ok(sitemap_serde::Reader::from_reader(file).entries().count())
/// }
///
/// let error = count("no/such/sitemap.xml").unwrap_err();
/// assert_eq!(error.kind(), sitemap_serde::ErrorKind::Io);
/// ```
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        let message = error.to_string();
        Error::io(error, message)
    }
}
