//! Functions and traits that derived code uses. Not public API: they change with every release, and the derive is pinned to
//! the exact version.
//!
//! | file | content |
//! |---|---|
//! | `template`, `title` | the values of a loc by its template; titles of pages |
//! | `read` | for `FromSitemapEntry`: fields of an entry, and their errors |
//! | `extension`, `parts` | images, videos, news and alternates: a whole field, or written part by part |
//! | `language` | a page in several languages |
//! | `function`, `flatten` | what a function of a row returns; the value of a flattened field |
//! | `element` | elements of a user namespace, through serde |

mod element;
mod extension;
mod flatten;
mod function;
mod language;
mod parts;
mod read;
mod template;
mod title;

use sitemap_values::{ChangeFreq, Precision, Priority, Rule, W3cDateTime};

pub use crate::entry::Gives;
pub use crate::loc::{Mount, encoding};
pub use element::{DeserializeOwned, Serialize, element, element_of, has_element, namespaces};
pub use extension::{EachElement, Elements, Field, NoElements, field};
pub use flatten::{Flattened, InsideOption, Itself, absent, has_any};
pub use function::{Returned, ReturnedLastmod, ReturnsResult, ReturnsValue, by_reference, within};
pub use language::{FromLanguages, check_alternates, check_languages, languages_of, one_of, translation};
pub use parts::{Part, PartsWriter, TextWriter, parts, within_part};
pub use read::{
    Converted, FromFlag, FromNaiveLastmod, FromPlaceholder, Search, Unmapped, alternates_of, changefreq_of,
    coarse_lastmod_of, decoded, images_of, lastmod_of, loc_of, news_of, placeholder_of, priority_of, same,
    videos_of,
};
pub use std::string::String;
pub use template::{Cut, Template, TemplateValue, ValueOf};
pub use title::{TitleText, returned_title, title};

use std::fmt::Display;

use crate::entry::{EntryReader, EntryWriter, LocWriter};
use crate::error::{Error, Message, Result};
use crate::record::Slot;

/// Writes the entry's URLs with its type's base and encoding.
pub fn mount(entry: &mut EntryWriter<'_>, mount: &'static Mount) {
    entry.mount(mount);
}

/// Reads the entry's URLs with its type's base and encoding.
pub fn mounted<'r>(entry: &EntryReader<'r>, mount: &'static Mount) -> EntryReader<'r> {
    entry.mounted(mount)
}

/// Appends a literal of a template; the derive has checked that it needs neither percent-encoding nor escaping.
pub fn plain_literal(loc: &mut LocWriter<'_>, text: &str) -> Result<()> {
    loc.plain_literal(text);
    Ok(())
}

/// Writes a lastmod that was checked at compile time.
pub fn lastmod_literal(entry: &mut EntryWriter<'_>, text: &str) -> Result<()> {
    entry.lastmod_literal(text)
}

/// Writes a priority that was checked at compile time.
pub fn priority_literal(entry: &mut EntryWriter<'_>, text: &str) -> Result<()> {
    entry.priority_literal(text)
}

/// Writes a field's lastmod.
pub fn lastmod(entry: &mut EntryWriter<'_>, value: Result<Option<W3cDateTime>>) -> Result<()> {
    match value {
        Ok(value) => entry.lastmod(value),
        Err(error) => omit(entry, error, Slot::Lastmod.name()),
    }
}

/// The newest of several fields' dates; `None` if there is none.
pub fn newest<const N: usize>(dates: [Result<Option<W3cDateTime>>; N]) -> Result<Option<W3cDateTime>> {
    let mut newest = None;
    for date in dates {
        newest = newest.max(date?);
    }
    Ok(newest)
}

/// Writes a field's lastmod with the precision set in the derive.
pub fn lastmod_to(
    entry: &mut EntryWriter<'_>,
    value: Result<Option<W3cDateTime>>,
    precision: Precision,
) -> Result<()> {
    lastmod(entry, value.map(|value| Some(value?.truncated_to(precision))))
}

/// Writes a field's changefreq.
pub fn changefreq(entry: &mut EntryWriter<'_>, value: Result<Option<ChangeFreq>>) -> Result<()> {
    match value {
        Ok(value) => entry.changefreq(value),
        Err(error) => omit(entry, error, Slot::Changefreq.name()),
    }
}

/// Writes a field's changefreq, or the default if it has none.
pub fn changefreq_or(
    entry: &mut EntryWriter<'_>,
    value: Result<Option<ChangeFreq>>,
    default: ChangeFreq,
) -> Result<()> {
    changefreq(entry, value.map(|value| value.or(Some(default))))
}

/// Writes a field's priority.
pub fn priority(entry: &mut EntryWriter<'_>, value: Result<Option<Priority>>) -> Result<()> {
    match value {
        Ok(value) => entry.priority(value),
        Err(error) => omit(entry, error, Slot::Priority.name()),
    }
}

/// Adds the field to an error, or drops the value if the writer is set to.
#[cold]
pub fn omit(entry: &mut EntryWriter<'_>, error: Error, name: &'static str) -> Result<()> {
    entry.omit(error.within(name))
}

/// Writes a field's priority, or the default if it has none.
pub fn priority_or(
    entry: &mut EntryWriter<'_>,
    value: Result<Option<Priority>>,
    default: impl FnOnce(&mut EntryWriter<'_>) -> Result<()>,
) -> Result<()> {
    match value {
        Ok(None) => default(entry),
        value => priority(entry, value),
    }
}

/// A value that can be written in a template's placeholder.
///
/// `Kind` is always inferred. It distinguishes the two implementations, which could otherwise overlap.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand in a template's placeholder",
    label = "does not implement `Display`",
    note = "implement `Display` for it, or convert it: `#[sitemap(write_with = path::to::function)]` on the field, where the \
            function takes a reference to the field's value and returns what can be displayed"
)]
pub trait Placeholder<Kind> {
    /// Writes the value of `{name}`.
    fn simple(&self, loc: &mut LocWriter<'_>, name: &'static str) -> Result<()>;

    /// Writes the value of `{+name}`.
    fn reserved(&self, loc: &mut LocWriter<'_>, name: &'static str) -> Result<()>;

    /// Writes the value of `{name?}`, which may be empty.
    fn simple_or_empty(&self, loc: &mut LocWriter<'_>, name: &'static str) -> Result<()>;

    /// Writes the value of `{+name?}`, which may be empty.
    fn reserved_or_empty(&self, loc: &mut LocWriter<'_>, name: &'static str) -> Result<()>;

    /// Writes the value of `{name}` in a text that is not a URL.
    fn text(&self, text: &mut TextWriter<'_>, name: &'static str) -> Result<()>;

    /// Returns `true` if there is a value.
    fn is_present(&self) -> bool {
        true
    }
}

/// The kind of types with `Display`.
pub struct Displayed;

/// The kind of `Option`s.
pub struct Optional;

impl<T: Display + ?Sized> Placeholder<Displayed> for T {
    fn simple(&self, loc: &mut LocWriter<'_>, name: &'static str) -> Result<()> {
        loc.simple(name, self)
    }

    fn reserved(&self, loc: &mut LocWriter<'_>, name: &'static str) -> Result<()> {
        loc.reserved(name, self)
    }

    fn simple_or_empty(&self, loc: &mut LocWriter<'_>, name: &'static str) -> Result<()> {
        loc.or_empty(|loc| loc.simple(name, self))
    }

    fn reserved_or_empty(&self, loc: &mut LocWriter<'_>, name: &'static str) -> Result<()> {
        loc.or_empty(|loc| loc.reserved(name, self))
    }

    fn text(&self, text: &mut TextWriter<'_>, _: &'static str) -> Result<()> {
        text.display(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Display> Placeholder<Optional> for Option<T> {
    fn simple(&self, loc: &mut LocWriter<'_>, name: &'static str) -> Result<()> {
        loc.simple(name, present(self.as_ref(), name, "")?)
    }

    fn reserved(&self, loc: &mut LocWriter<'_>, name: &'static str) -> Result<()> {
        loc.reserved(name, present(self.as_ref(), name, "+")?)
    }

    fn simple_or_empty(&self, loc: &mut LocWriter<'_>, name: &'static str) -> Result<()> {
        self.as_ref()
            .map_or(Ok(()), |value| value.simple_or_empty(loc, name))
    }

    fn reserved_or_empty(&self, loc: &mut LocWriter<'_>, name: &'static str) -> Result<()> {
        self.as_ref()
            .map_or(Ok(()), |value| value.reserved_or_empty(loc, name))
    }

    fn text(&self, text: &mut TextWriter<'_>, name: &'static str) -> Result<()> {
        text.display(present(self.as_ref(), name, "")?)
    }

    fn is_present(&self) -> bool {
        self.is_some()
    }
}

/// A bool for `exclude_if` or `include_if` without a function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a bool",
    label = "a bare `exclude_if` or `include_if` stands on a bool",
    note = "give a function that decides: `#[sitemap(exclude_if = path::to::function)]`, which takes a reference to the \
            field's value and returns a bool"
)]
pub trait Flag {
    /// The value of the bool.
    fn is_set(&self) -> bool;
}

impl Flag for bool {
    fn is_set(&self) -> bool {
        *self
    }
}

impl<T: Flag + ?Sized> Flag for &T {
    fn is_set(&self) -> bool {
        (**self).is_set()
    }
}

/// A date-time without a zone, whose zone is set by `zone`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a naive date-time",
    label = "`zone` is for a date-time without a zone",
    note = "if it has a zone of its own, or is a date, leave `zone` out: `#[sitemap(lastmod)]`",
    note = "chrono's `NaiveDateTime`, time's `PrimitiveDateTime` and jiff's `civil::DateTime` are naive; each needs the \
            feature of its name"
)]
pub trait NaiveLastmod {
    /// The date-time in the zone that is `minutes` east of UTC.
    fn with_offset_minutes(&self, minutes: i16) -> Result<Option<W3cDateTime>>;
}

impl<T: NaiveLastmod + ?Sized> NaiveLastmod for &T {
    fn with_offset_minutes(&self, minutes: i16) -> Result<Option<W3cDateTime>> {
        (**self).with_offset_minutes(minutes)
    }
}

impl<T: NaiveLastmod> NaiveLastmod for Option<T> {
    fn with_offset_minutes(&self, minutes: i16) -> Result<Option<W3cDateTime>> {
        self.as_ref()
            .map_or(Ok(None), |naive| naive.with_offset_minutes(minutes))
    }
}

/// The value, or an error that names the placeholder: an absent value would make the loc another page's.
fn present<T>(value: Option<T>, name: &str, sign: &str) -> Result<T> {
    value.ok_or_else(|| {
        Error::data(
            Message::new(format!("`{name}` is `None`, and the loc's template needs it")).advice(format!(
                "leave such entries out with `#[sitemap(exclude_if = Option::is_none)]` on the field; where the page exists without it, \
                 write `{{{sign}{name}?}}`"
            )),
        )
        .breaks(Rule::Loc)
    })
}

#[cfg(feature = "chrono04")]
impl NaiveLastmod for chrono::NaiveDateTime {
    fn with_offset_minutes(&self, minutes: i16) -> Result<Option<W3cDateTime>> {
        use chrono::{Datelike, Timelike};

        let [month, day, hour, minute, second] = [
            self.month(),
            self.day(),
            self.hour(),
            self.minute(),
            self.second(),
        ]
        .map(|part| u8::try_from(part).unwrap_or_default());
        let time = (hour, minute, second, self.nanosecond());
        Ok(Some(W3cDateTime::from_local(
            (self.year(), month, day),
            time,
            minutes,
        )?))
    }
}

#[cfg(feature = "time03")]
impl NaiveLastmod for time::PrimitiveDateTime {
    fn with_offset_minutes(&self, minutes: i16) -> Result<Option<W3cDateTime>> {
        let date = (self.year(), self.month().into(), self.day());
        Ok(Some(W3cDateTime::from_local(date, self.as_hms_nano(), minutes)?))
    }
}

/// The naive date-time of one major version of jiff.
#[cfg(any(feature = "jiff02", feature = "jiff1"))]
macro_rules! jiff {
    ($jiff:ident) => {
        impl NaiveLastmod for $jiff::civil::DateTime {
            fn with_offset_minutes(&self, minutes: i16) -> Result<Option<W3cDateTime>> {
                let [month, day, hour, minute, second] = [
                    self.month(),
                    self.day(),
                    self.hour(),
                    self.minute(),
                    self.second(),
                ]
                .map(|part| u8::try_from(part).unwrap_or_default());
                let time = (
                    hour,
                    minute,
                    second,
                    self.subsec_nanosecond().unsigned_abs(),
                );
                Ok(Some(W3cDateTime::from_local(
                    (self.year().into(), month, day),
                    time,
                    minutes,
                )?))
            }
        }
    };
}
#[cfg(feature = "jiff02")]
jiff!(jiff02);
#[cfg(feature = "jiff1")]
jiff!(jiff1);
