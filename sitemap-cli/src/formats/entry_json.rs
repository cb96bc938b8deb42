//! An entry as JSON, in the one form that every command writes and reads.

use std::io::{self, Write};

use anyhow::Result;
use serde_core::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;
use sitemap_serde::{Kind, UrlEntry};

use super::KIND;

/// Writes an entry as an object, without a line end. An entry of an index states its kind.
pub(crate) fn push_json(out: &mut Vec<u8>, entry: &UrlEntry, is_index: bool) -> Result<()> {
    if is_index {
        out.extend(format!("{{\"{KIND}\":\"{}\",", Kind::SitemapIndex.entry()).into_bytes());
    }
    let start = out.len();
    entry.serialize(&mut Serializer::with_formatter(&mut *out, PlainDecimals))?;
    if is_index {
        // The opening brace is already written.
        out.remove(start);
    }
    Ok(())
}

/// Formats JSON decimals without an exponent, as in a sitemap.
struct PlainDecimals;

impl Formatter for PlainDecimals {
    fn write_f64<W: Write + ?Sized>(&mut self, out: &mut W, value: f64) -> io::Result<()> {
        let text = value.to_string();
        let point = if text.contains('.') { "" } else { ".0" };
        write!(out, "{text}{point}")
    }
}
