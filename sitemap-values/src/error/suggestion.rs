//! Replacements for rejected texts.

use std::borrow::Cow;
use std::ops::Range;

/// A replacement for a rejected text, and, in a lint of XML, its place in the document.
///
/// ```
/// use sitemap_serde::lint::Linter;
///
/// let entry = "<url><loc>https://example.com/?a&amp;b c</loc></url>";
/// let xml = format!(r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entry}</urlset>"#);
/// let diagnostics = Linter::new().check(xml.as_bytes());
/// let suggestion = diagnostics.iter().find_map(|found| found.suggestion()).unwrap();
/// assert_eq!(suggestion.value(), "https://example.com/?a&b%20c");
/// assert!(suggestion.is_certain());
///
/// let range = suggestion.byte_range().unwrap();
/// assert_eq!(&xml[range.start as usize..range.end as usize], "https://example.com/?a&amp;b c");
/// assert_eq!(suggestion.new_text(), Some("https://example.com/?a&amp;b%20c"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    value: Cow<'static, str>,
    is_certain: bool,
    place: Option<Box<Place>>,
}

/// A replacement of part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    start: u64,
    old: String,
    new: String,
}

impl Suggestion {
    /// A certainly intended value. An empty value removes the rejected text.
    #[doc(hidden)]
    pub fn certain(value: impl Into<Cow<'static, str>>) -> Self {
        Suggestion {
            value: value.into(),
            is_certain: true,
            place: None,
        }
    }

    /// A probably intended value.
    #[doc(hidden)]
    pub fn probable(value: impl Into<Cow<'static, str>>) -> Self {
        Suggestion {
            is_certain: false,
            ..Suggestion::certain(value)
        }
    }

    /// Sets the replacement in the document: of `old`, which begins at byte `start`, by `new`.
    #[doc(hidden)]
    #[must_use]
    pub fn at(mut self, start: u64, old: &str, new: String) -> Self {
        let old = old.to_owned();
        self.place = Some(Box::new(Place { start, old, new }));
        self
    }

    /// The value; empty to remove the rejected text.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Returns `true` if this is certainly the intended value, so that it can be applied without review.
    pub fn is_certain(&self) -> bool {
        self.is_certain
    }

    /// The replaced bytes of the document, counted as in a [position](https://docs.rs/sitemap-serde/latest/sitemap_serde/struct.Position.html);
    /// `None` if the place is unknown, as outside a lint of XML.
    pub fn byte_range(&self) -> Option<Range<u64>> {
        let Place { start, old, .. } = self.place.as_deref()?;
        Some(*start..start + old.len() as u64)
    }

    /// The new text of the document, with its special characters escaped, in place of the [replaced bytes](Self::byte_range).
    pub fn new_text(&self) -> Option<&str> {
        self.place.as_deref().map(|place| &*place.new)
    }

    /// The replaced text, as it stands in the document.
    #[doc(hidden)]
    pub fn old_text(&self) -> Option<&str> {
        self.place.as_deref().map(|place| &*place.old)
    }
}
