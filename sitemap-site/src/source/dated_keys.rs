//! The keys that a source of a database reads.

use sitemap_serde::W3cDateTime;
use tracing::warn;

use super::{BoxError, DatedKey};
use crate::error::Chain;
use crate::key::Key;

/// Collects the result of [`Source::keys`](super::Source::keys) from the rows of a query: refuses a key that comes twice, and warns of
/// lastmods that cannot be read.
#[derive(Debug, Default)]
pub struct DatedKeys {
    keys: Vec<DatedKey>,
    /// The number of lastmods that cannot be read, and the first of them.
    unread: u64,
    first: Option<(Key, BoxError)>,
}

impl DatedKeys {
    /// Adds a row. The lastmod of an error is unknown.
    ///
    /// # Errors
    /// If the row before has the same key.
    pub fn push(&mut self, key: Key, lastmod: Result<Option<W3cDateTime>, BoxError>) -> Result<(), BoxError> {
        if self.keys.last().is_some_and(|last| last.key == key) {
            return Err(format!(
                "two rows have the key {key}: the columns of a key must be unique together; name others with `key`"
            )
            .into());
        }
        let lastmod = lastmod.unwrap_or_else(|error| {
            self.unread += 1;
            self.first.get_or_insert_with(|| (key.clone(), error));
            None
        });
        self.keys.push(DatedKey::new(key, lastmod));
        Ok(())
    }

    /// Returns the keys. Lastmods that cannot be read are one line of the log, with their number and the first error.
    #[must_use]
    pub fn finish(self) -> Vec<DatedKey> {
        if let Some((key, error)) = self.first {
            warn!(
                rows = self.unread,
                %key,
                error = %Chain(&*error),
                "the source's column of lastmods has values that are not dates, so the index has no lastmod of their parts: convert them with \
                 `lastmod_with`"
            );
        }
        self.keys
    }
}
