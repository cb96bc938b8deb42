//! Titles of pages. They are texts for people, so a row whose title has no value, or fails, has none.

use super::{Placeholder, TextWriter};
use crate::error::Result;

/// The text that `build` builds from literals and values; `None` if a value is missing or fails.
pub fn title(build: impl FnOnce(&mut TextWriter<'_>) -> Result<()>) -> Option<String> {
    let mut text = String::new();
    let built = build(&mut TextWriter::of(&mut text));
    built.is_ok().then_some(text)
}

/// The return value of a function of the row.
pub fn returned_title<K>(value: Result<&(impl TitleText<K> + ?Sized)>) -> Option<String> {
    title(|text| value?.title_text(text))
}

/// A value that is a title.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a page's title",
    label = "does not implement `Display`",
    note = "a title is a `String`, another type with `Display`, or an `Option` of one; convert a field with \
            `#[sitemap(title, write_with = path::to::function)]`, where the function takes a reference to the field's value"
)]
pub trait TitleText<Kind> {
    /// Appends the title to `text`.
    fn title_text(&self, text: &mut TextWriter<'_>) -> Result<()>;
}

#[diagnostic::do_not_recommend]
impl<Kind, T: Placeholder<Kind> + ?Sized> TitleText<Kind> for T {
    fn title_text(&self, text: &mut TextWriter<'_>) -> Result<()> {
        self.text(text, "title")
    }
}
