//! URLs that change from one base to another.

use crate::error::{Error, Result};

use super::base::Base;
use super::check_length;
use super::encode::Encoder;
use super::scope::has_dot_segment;

/// A change from one base to another.
#[derive(Clone, Debug)]
pub(crate) struct BaseChange {
    old: Base,
    new: Base,
}

impl BaseChange {
    pub(crate) fn new(old: &str, new: &str) -> Result<Self> {
        let encoder = Encoder::default();
        let parse = |base| Base::parse(base, encoder).map_err(Error::in_settings);
        Ok(BaseChange {
            old: parse(old)?,
            new: parse(new)?,
        })
    }

    /// The number of bytes at the start of a URL that the new base replaces; `None` if the URL does not begin with the old base.
    pub(crate) fn matched(&self, url: &str) -> Option<usize> {
        let rest = self.old.rest_of(url, Encoder::default())?;
        // Crawlers resolve `..`, so such a URL may be outside of a base that has a path.
        let has_path = [&self.old, &self.new]
            .iter()
            .any(|base| base.path < base.url.len());
        (!has_path || !has_dot_segment(rest)).then_some(url.len() - rest.len())
    }

    /// The old base, encoded.
    pub(crate) fn old(&self) -> &str {
        &self.old.url
    }

    /// The new base, encoded.
    pub(crate) fn new_base(&self) -> &str {
        &self.new.url
    }
}

/// Checks the length of a loc that has become longer (P-LOCLEN).
pub(crate) fn check_longer(loc: &str) -> Result<()> {
    check_length(loc.chars().count()).map_err(|problem| problem.explain(loc))
}
