//! Rules about changefreq and priority.

use sitemap_values::Rule;
use sitemap_values::number::grouped;

use crate::diagnostic::Severity::{Note, Warning};
use crate::error::{Error, Message};

use super::engines::pages;
use super::table::RuleDoc;

pub(super) const DOCS: &[RuleDoc] = &[
    RuleDoc {
        rule: Rule::Freq,
        severity: Warning,
        search_console: &["Invalid tag value"],
        explanation: "A changefreq is one of `always`, `hourly`, `daily`, `weekly`, `monthly`, `yearly` and `never`, in \
            lower case. Any other word is ignored.",
    },
    RuleDoc {
        rule: Rule::Prio,
        severity: Warning,
        search_console: &["Invalid tag value"],
        explanation: "A priority is a decimal from 0.0 to 1.0; the default is 0.5. `1,0`, `80%` and `5e-1` are not valid \
            decimals in XML, and are ignored.",
    },
    RuleDoc {
        rule: Rule::PrioAll,
        severity: Note,
        search_console: &[],
        explanation: "A priority compares the pages of one site with each other. High priorities for all pages have no \
            effect, as the protocol itself says.",
    },
    RuleDoc {
        rule: Rule::Ignored,
        severity: Note,
        search_console: &[],
        explanation: "Google's documentation says that it ignores changefreq and priority; Bing relies on lastmod. They only \
            make the file larger. Other crawlers may use them, so this is a note.",
    },
];

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
