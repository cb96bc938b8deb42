//! The documents that an index or a `robots.txt` lists.

use std::collections::HashSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::address::{self, Address};

/// The longest lastmod to keep, in bytes. The longest of the format has 35.
const LASTMOD_BYTES: usize = 64;

/// A listed document.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Listed {
    pub(crate) url: Address,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) lastmod: Option<Arc<str>>,
}

impl Listed {
    /// The bytes that it needs.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.url.len() + self.lastmod.as_ref().map_or(0, |lastmod| lastmod.len())
    }
}

/// The documents that one document lists, each once, within a number of documents and of address bytes.
#[derive(Debug)]
pub(crate) struct Listing {
    base: Address,
    most: usize,
    /// Bytes left for addresses.
    room: usize,
    seen: HashSet<Address>,
    pub(crate) documents: Vec<Listed>,
    pub(crate) repeated: u64,
    /// The number of listings that did not fit.
    pub(crate) over_budget: u64,
}

impl Listing {
    pub(crate) fn new(base: Address, most: usize, room: usize) -> Self {
        Listing {
            base,
            most,
            room,
            seen: HashSet::new(),
            documents: Vec::new(),
            repeated: 0,
            over_budget: 0,
        }
    }

    /// Adds a document. The error is the reason why the URL is not a document's address.
    pub(crate) fn push(&mut self, url: &str, lastmod: Option<&str>) -> Result<(), &'static str> {
        let url = address::parse(url, Some(&self.base))?;
        if self.seen.contains(&url) {
            self.repeated += 1;
        } else if self.documents.len() >= self.most || url.len() > self.room {
            self.over_budget += 1;
        } else {
            self.room -= url.len();
            self.seen.insert(Arc::clone(&url));
            let lastmod = lastmod.filter(|text| text.len() <= LASTMOD_BYTES);
            self.documents.push(Listed {
                url,
                lastmod: lastmod.map(Arc::from),
            });
        }
        Ok(())
    }
}
