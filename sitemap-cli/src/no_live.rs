//! In place of `live`, if the command is built without URLs.

use anyhow::{Result, bail};
use clap::Args;

use crate::input::Input;

/// No options.
#[derive(Clone, Debug, Args)]
pub(crate) struct Live {}

impl Live {
    /// Reads one document.
    pub(crate) fn document() -> Self {
        Live {}
    }

    #[expect(clippy::unused_self, reason = "the same as with the feature")]
    pub(crate) fn inputs(&self, url: &str) -> Result<Vec<Input>> {
        bail!("cannot read {url}: this command is built without the feature `http`");
    }
}
