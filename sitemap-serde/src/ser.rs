//! serde's `Serializer` over a document: `T` ─► entries ─► values.
//!
//! | file | content |
//! |---|---|
//! | `root` | a document: a sequence of entries, or a struct, enum or map around it |
//! | `entry` | an entry: a struct or map of fields |
//! | `element`, `raw` | an element of an extension or a user namespace; elements written unchanged |
//! | `link` | the attributes of a link to an alternate page, collected |
//! | `text`, `options` | a single text; options and units, which write nothing |
//! | `compound`, `refuse` | shared by these: the traits of compounds, and the errors for other shapes |

#![expect(
    clippy::unused_self,
    clippy::unnecessary_wraps,
    reason = "the macros `refuse` and `fields` call `refused` and `finish` on every serializer"
)]

mod compound;
mod element;
mod entry;
mod link;
mod options;
mod raw;
mod refuse;
mod root;
mod text;

use std::io::Write;

use serde_core::Serialize;

pub(crate) use entry::EntrySerializer;
pub use root::Serializer;

use crate::document::DocumentWriter;
use crate::error::{Error, Result, Step};
use crate::record::{ElementName, RecordWriter, no_prefix};

/// A type that [`to_string`] and its siblings can write: any type that implements serde's `Serialize`. Implemented
/// automatically; it exists for the better compiler message when a type does not.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a document that can be serialized: it does not implement serde's `Serialize`",
    note = "rows that derive `SitemapEntry` are written by `sitemap_serde::entries_to_string(&rows)`, and with a base or into \
            a writer by `entries_to_string` and `entries_to_writer` of `WriterBuilder`",
    note = "other types derive `serde::Serialize`, with fields named `loc`, `lastmod`, `changefreq`, `priority`"
)]
pub trait SerializeDocument: Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + ?Sized> SerializeDocument for T {}

/// Writes an element of an entry, or several with one name, by its qualified name. Writes nothing if there is an error.
pub(crate) fn element<T: Serialize + ?Sized>(
    record: &mut RecordWriter<'_>,
    name: &str,
    value: &T,
) -> Result<()> {
    let within = |error: Error| error.within(Step::other(name));
    if !name.contains(':') && !name.starts_with('{') {
        return Err(within(no_prefix(name)));
    }
    let name = ElementName::find(record.known(), name).map_err(within)?;
    record.touch(name);
    record
        .elements_of(name, |record| {
            value.serialize(element::ElementSerializer::new(record, name))
        })
        .map_err(within)
}

/// Writes a document to a string, compact.
///
/// `T` is a sequence of entries, a [`UrlSet`](crate::UrlSet) or [`SitemapIndex`](crate::SitemapIndex), a [`Document`](crate::Document), or
/// a struct with a field `url` or `sitemap`; an entry is a struct or map. A document without entries is an empty root, which the schema
/// forbids (P-EMPTY): do not list it in the index, see [`Writer::finish`](crate::Writer::finish).
///
/// # Errors
/// [`ErrorKind::Data`](crate::ErrorKind::Data) if `T` is none of these types or a value breaks a rule,
/// [`ErrorKind::Limit`](crate::ErrorKind::Limit) if the entries do not fit one document (P-COUNT, P-SIZE).
///
/// ```
/// use sitemap_serde::UrlEntry;
///
/// assert_eq!(
///     sitemap_serde::to_string(&[UrlEntry::new("https://example.com/")])?,
///     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
///      <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
///      <url><loc>https://example.com/</loc></url></urlset>"
/// );
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
pub fn to_string<T: SerializeDocument + ?Sized>(value: &T) -> Result<String> {
    string(to_vec(value)?)
}

/// Writes a document to a string, indented by two spaces a level.
///
/// # Errors
/// See [`to_string`].
pub fn to_string_pretty<T: SerializeDocument + ?Sized>(value: &T) -> Result<String> {
    string(to_vec_pretty(value)?)
}

/// Writes a document to bytes, compact.
///
/// # Errors
/// See [`to_string`].
pub fn to_vec<T: SerializeDocument + ?Sized>(value: &T) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    to_writer(&mut bytes, value)?;
    Ok(bytes)
}

/// Writes a document to bytes, indented by two spaces a level.
///
/// # Errors
/// See [`to_string`].
pub fn to_vec_pretty<T: SerializeDocument + ?Sized>(value: &T) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    to_writer_pretty(&mut bytes, value)?;
    Ok(bytes)
}

/// Writes a document to a writer, compact, in blocks of 32 KiB.
///
/// # Errors
/// See [`to_string`]; also [`ErrorKind::Io`](crate::ErrorKind::Io) if the writer fails.
pub fn to_writer<W: Write, T: SerializeDocument + ?Sized>(writer: W, value: &T) -> Result<()> {
    value.serialize(&mut Serializer::new(writer))
}

/// Writes a document to a writer, indented by two spaces a level.
///
/// # Errors
/// See [`to_writer`].
pub fn to_writer_pretty<W: Write, T: SerializeDocument + ?Sized>(writer: W, value: &T) -> Result<()> {
    value.serialize(&mut Serializer::over(DocumentWriter::plain(writer, true)))
}

pub(crate) fn string(bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| Error::custom(error.utf8_error()))
}
