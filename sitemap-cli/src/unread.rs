//! Counts and reports unreadable documents and entries, and sets the exit status.

use std::fmt::Display;
use std::process::ExitCode;

use crate::input::{Input, counted, error_text, grouped};
use crate::malformed::pointer;
use crate::message::print_hidden;

/// The unreadable documents and entries.
#[derive(Debug, Default)]
pub(crate) struct Unread {
    pub(crate) entries: u64,
    /// Documents that could not be read to their end.
    pub(crate) documents: u64,
    /// The first problem.
    pub(crate) problem: Option<String>,
}

impl Unread {
    pub(crate) fn add(&mut self, other: Unread) {
        self.entries += other.entries;
        self.documents += other.documents;
        self.problem = self.problem.take().or(other.problem);
    }

    /// Reports an unreadable entry.
    pub(crate) fn entry(&mut self, place: &str, problem: impl Display) {
        self.entries += 1;
        print_problem!("{place}: {problem}");
        self.problem.get_or_insert_with(|| problem.to_string());
    }

    /// Reports a document that cannot be read to its end.
    pub(crate) fn document(&mut self, input: &Input, error: &anyhow::Error) {
        self.documents += 1;
        let mut text = error_text(error);
        if let Some(error) = error.downcast_ref() {
            text += &pointer(&input.name, error);
        }
        self.problem.get_or_insert_with(|| text.clone());
        let is_named = |text: &str| text.starts_with(&input.name);
        if is_named(&text) || text.strip_prefix("cannot open ").is_some_and(is_named) {
            print_message!("sitemap: {text}");
        } else {
            print_message!("sitemap: {}: {text}", input.name);
        }
    }

    /// Reports how many of all documents could not be read, and returns the exit status.
    pub(crate) fn finish(&self, all: u64) -> ExitCode {
        print_hidden();
        if self.documents > 0 && all > 1 {
            print_message!(
                "{} of {} could not be read to the end",
                grouped(self.documents),
                counted(all, "document")
            );
        }
        match (self.documents, self.entries) {
            (0, 0) => ExitCode::SUCCESS,
            (0, _) => ExitCode::from(1),
            _ => ExitCode::from(2),
        }
    }
}

/// Describes unreadable entries by their number and the first problem.
pub(crate) fn unread_entries(count: u64, problem: &str) -> String {
    match count {
        1 => problem.to_owned(),
        count => format!(
            "{} entries could not be read; the first: {problem}",
            grouped(count)
        ),
    }
}
