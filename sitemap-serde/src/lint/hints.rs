//! Rules about changefreq and priority.

use sitemap_values::Rule;
use sitemap_values::number::grouped;

use crate::error::{Error, Message};

use super::engines::pages;

/// Checks if all priorities of a document are high.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Priorities {
    count: u64,
    low: bool,
}

impl Priorities {
    /// The lowest high priority.
    const HIGH: f32 = 0.8;
    /// With fewer pages, equal priorities may be intended.
    const MANY: u64 = 10;

    pub(super) fn add(&mut self, priority: Option<f32>) {
        self.count += 1;
        self.low |= priority.is_none_or(|priority| priority < Self::HIGH);
    }

    pub(super) fn all_high(&self) -> Option<Error> {
        (!self.low && self.count >= Self::MANY).then(|| {
            Error::data(
                Message::new(format!(
                    "all {} pages have a priority of 0.8 or more: priorities compare the pages of one \
                site, and have no effect if all are high",
                    grouped(self.count)
                ))
                .advice("lower the priority of less important pages, or leave priorities out"),
            )
            .breaks(Rule::PrioAll)
        })
    }
}

/// Number of pages with a changefreq or a priority.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hints {
    count: u64,
}

impl Hints {
    pub(super) fn add(&mut self) {
        self.count += 1;
    }

    pub(super) fn ignored(self) -> Option<Error> {
        if self.count == 0 {
            return None;
        }
        let pages = pages(self.count);
        Some(
            Error::data(
                Message::new(format!(
                    "{pages} a changefreq or a priority, which Google does not use"
                ))
                .advice("leave them out, unless they are for another crawler"),
            )
            .breaks(Rule::Ignored),
        )
    }
}
