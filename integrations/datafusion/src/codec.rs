//! Plans as bytes, for engines that run them in other processes.

mod logical;
mod physical;
mod table;

pub use logical::SitemapLogicalCodec;
pub use physical::SitemapPhysicalCodec;
pub use table::SitemapTables;

use std::sync::Arc;

use datafusion::common::{DataFusionError, GetExt};
use datafusion::error::Result;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::format::{Reading, SitemapFormat, SitemapFormatFactory};

/// What our bytes begin with. No message of Protocol Buffers that has a first field begins so.
const MARK: &[u8] = b"sitemap:";

/// The formats that a process knows, by their names.
#[derive(Clone, Debug)]
struct Formats(Vec<Arc<SitemapFormatFactory>>);

impl Formats {
    /// Those that [`register`](crate::register) makes known.
    fn registered() -> Self {
        Formats(crate::format::registered().map(Arc::new).into())
    }

    fn add(&mut self, format: SitemapFormatFactory) {
        self.0.retain(|known| known.get_ext() != format.get_ext());
        self.0.push(Arc::new(format));
    }

    fn format(&self, reading: &Reading) -> Result<SitemapFormat> {
        let found = self.0.iter().find(|known| known.get_ext() == reading.format);
        let Some(factory) = found else {
            return Err(DataFusionError::Plan(format!(
                "the format `{}` is not known in this process: add it to the codecs of all processes",
                reading.format.escape_debug()
            )));
        };
        factory.format(&reading.options)
    }
}

/// What other bytes follow is separated by a line break, which JSON on one line does not have.
fn encode(value: &impl Serialize, into: &mut Vec<u8>) -> Result<()> {
    into.extend_from_slice(MARK);
    serde_json::to_writer(&mut *into, value).map_err(|error| DataFusionError::External(error.into()))?;
    into.push(b'\n');
    Ok(())
}

/// The value, and the bytes that follow it. `None` if the bytes are not ours.
fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<Option<(T, &[u8])>> {
    let Some(bytes) = bytes.strip_prefix(MARK) else {
        return Ok(None);
    };
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let (value, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
    let value = serde_json::from_slice(value).map_err(|error| DataFusionError::External(error.into()))?;
    Ok(Some((value, rest.get(1..).unwrap_or_default())))
}
