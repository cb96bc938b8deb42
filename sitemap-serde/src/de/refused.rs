//! Values that their target type rejects: the type's own error has neither the text nor advice.

use sitemap_values::quote::quote;

use crate::error::{Advice, Defect, Error, Message};
use crate::schema::SchemaRow;

/// The advice for a value that does not fit the type that it is read into.
pub(super) fn or_as_text() -> Advice {
    Advice::of_api("Deserialize", "correct it, or read it into a `String`")
}

/// The error with the rejected text, its validity in the format, and the advice.
#[cold]
pub(super) fn explained(error: Error, found: &str, row: Option<&'static SchemaRow>) -> Error {
    if error.defect() != Defect::Refused {
        return error;
    }
    let error = error.with_defect(Defect::Value);
    let is_date = row.is_some_and(SchemaRow::is_date_time);
    let reported = error.message().into_owned();
    // This crate's own errors, such as the error for an integer, say enough, except for one about a date.
    let is_own = reported.advice.is_some();
    if is_own && !is_date {
        return error;
    }
    let problem = reported.problem;
    let broken = row
        .filter(|_| !found.is_empty())
        .and_then(|row| row.check_read(found).err());
    if let Some(broken) = broken {
        let mut message = broken.message().into_owned();
        if problem.contains(message.problem.as_ref()) {
            return error;
        }
        if !is_own {
            message.problem = format!("{}, and the field's type reports: {problem}", message.problem).into();
        }
        let error = error.with_message(message).with_defect(broken.defect());
        return match broken.rule() {
            Some(rule) => error.breaks(rule),
            None => error,
        };
    }
    let quotes_it = [quote(found).to_string(), format!("{found:?}")]
        .iter()
        .any(|quoted| problem.contains(quoted));
    let message = if quotes_it {
        Message::new(problem)
    } else {
        Message::new(format!(
            "{} does not fit the field's type: {problem}",
            quote(found)
        ))
    };
    error.with_message(message.advice(advice(found, is_date)))
}

/// The error with the way to read a value that serde has buffered as another type: as text, unless the schema has it as a number.
pub(super) fn buffered(error: Error) -> Error {
    let message = error.message().into_owned();
    if error.defect() != Defect::Refused || !message.problem.starts_with("invalid type: ") {
        return error;
    }
    let advice = Advice::of_api(
        "Deserialize",
        "serde has read it before it asked for this type: add `with = \"sitemap_serde::with::text_or_number\"` to the field, or to the `flatten`",
    );
    error
        .with_message(message.advice(advice))
        .with_defect(Defect::Value)
}

/// The message from the first quoted text, if that comes before the expected part.
pub(super) fn first_quoted(problem: &str) -> Option<&str> {
    let quoted = problem.find(['`', '"'])?;
    let is_found = problem.find("expected").is_none_or(|expected| quoted < expected);
    is_found.then(|| problem.get(quoted..)).flatten()
}

/// Returns `true` if a text begins with the value in quotes of this crate, or of serde.
pub(super) fn begins_with_quoted(quoted: &str, value: &str) -> bool {
    quoted.starts_with(&*quote(value).to_string()) || quoted.starts_with(&*format!("{value:?}"))
}

/// The advice for a value that the format allows.
fn advice(found: &str, is_date: bool) -> Advice {
    match (found, is_date) {
        ("", _) => Advice::of_api("Deserialize", "fill it, or make the field an `Option`"),
        (_, true) => Advice::of_api(
            "W3cDateTime",
            "it is a W3C Datetime: read it into a `sitemap_serde::W3cDateTime`, which has every form of one and converts to the types of \
             chrono, time and jiff",
        ),
        _ => or_as_text(),
    }
}
