//! Replaces `live` in a build without support for URLs.

use std::path::Path;

use anyhow::{Result, bail};
use clap::Args;

use self::connection::Connection;

use crate::folder::Scope;
use crate::input::{Input, ReadInput};
use crate::outputs::Outputs;

/// No options.
#[derive(Clone, Debug, Args)]
pub(crate) struct Live {}

pub(crate) mod connection {
    use std::path::Path;

    use anyhow::Result;
    use clap::Args;

    use crate::outputs::Outputs;

    /// No options.
    #[derive(Clone, Debug, Default, Args)]
    pub(crate) struct Connection {}

    impl Connection {
        #[expect(
            clippy::unused_self,
            clippy::unnecessary_wraps,
            reason = "the same as with the feature"
        )]
        pub(crate) fn check<'p>(&self, _: impl IntoIterator<Item = &'p Path>, _: bool) -> Result<()> {
            Ok(())
        }

        #[expect(clippy::unused_self, reason = "the same as with the feature")]
        pub(crate) fn outputs(&self, outputs: Outputs) -> Outputs {
            outputs
        }
    }
}

/// No options.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Resume {}

impl Resume {
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "the same as with the feature"
    )]
    pub(crate) fn check(&self, _: usize) -> Result<()> {
        Ok(())
    }

    #[expect(clippy::unused_self, reason = "the same as with the feature")]
    pub(crate) fn outputs(&self, outputs: Outputs) -> Outputs {
        outputs
    }
}

impl Live {
    /// Creates the options for reading one document.
    pub(crate) fn document(_: &Connection) -> Self {
        Live {}
    }

    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "the same as with the feature"
    )]
    pub(crate) fn check<'p>(&self, _: impl IntoIterator<Item = &'p Path>, _: bool) -> Result<()> {
        Ok(())
    }

    #[expect(clippy::unused_self, reason = "the same as with the feature")]
    pub(crate) fn outputs(&self, outputs: Outputs) -> Outputs {
        outputs
    }

    /// Returns `true` if URLs refer to whole sites.
    #[expect(clippy::unused_self, reason = "the same as with the feature")]
    pub(crate) fn is_of_sites(&self) -> bool {
        false
    }

    pub(crate) fn each(&self, url: &str, _: &Resume, _: &ReadInput<'_>) -> Result<u64> {
        self.inputs(url, Scope::Listed).map(|_| 0)
    }

    #[expect(clippy::unused_self, reason = "the same as with the feature")]
    pub(crate) fn inputs(&self, url: &str, _: Scope) -> Result<Vec<Input>> {
        bail!("cannot read {url}: this command is built without the feature `http`");
    }
}
