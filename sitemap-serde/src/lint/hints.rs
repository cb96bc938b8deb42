//! changefreq and priority.

use crate::diagnostic::Severity::{Note, Warning};
use crate::error::{Error, Words};
use crate::rule::Rule;

use super::table::Page;

pub(super) const PAGES: &[Page] = &[
    Page {
        rule: Rule::Freq,
        severity: Warning,
        search_console: &["Invalid tag value"],
        explanation: "A changefreq is one of `always`, `hourly`, `daily`, `weekly`, `monthly`, `yearly` and `never`, in \
            lower \
            case. Another word is ignored.",
    },
    Page {
        rule: Rule::Prio,
        severity: Warning,
        search_console: &["Invalid tag value"],
        explanation: "A priority is a decimal from 0.0 to 1.0, and without one 0.5 is meant. `1,0`, `80%` and `5e-1` are \
            not \
            decimals of XML; they are ignored.",
    },
    Page {
        rule: Rule::PrioAll,
        severity: Note,
        search_console: &[],
        explanation: "A priority compares the pages of one site with each other. If all are high, none is: the protocol \
            says \
            that it does not help, and a crawler that looks at priorities at all learns nothing.",
    },
    Page {
        rule: Rule::Ignored,
        severity: Note,
        search_console: &[],
        explanation: "Google uses neither changefreq nor priority, and says so; Bing looks at lastmod. They do no harm, \
            but for \
            the bytes. Other crawlers may use them, so this is a note.",
    },
];

/// All priorities of a document, as far as they matter.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Priorities {
    count: u64,
    low: bool,
}

impl Priorities {
    /// From here on a priority is high.
    const HIGH: f32 = 0.8;
    /// Fewer pages are no pattern.
    const MANY: u64 = 10;

    pub(super) fn add(&mut self, priority: Option<f32>) {
        self.count += 1;
        self.low |= priority.is_none_or(|priority| priority < Self::HIGH);
    }

    pub(super) fn all_high(&self) -> Option<Error> {
        (!self.low && self.count >= Self::MANY).then(|| {
            Error::data(
                Words::new(format!(
                    "all {} pages have a priority of 0.8 or more: it compares the pages of one \
                site, and says nothing if all are high",
                    self.count
                ))
                .advice("lower what matters less, or leave priorities out"),
            )
            .breaks(Rule::PrioAll)
        })
    }
}

/// How many pages have a changefreq or a priority.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hints {
    count: u64,
}

impl Hints {
    pub(super) fn add(&mut self) {
        self.count += 1;
    }

    pub(super) fn ignored(self) -> Option<Error> {
        let pages = match self.count {
            0 => return None,
            1 => "1 page has".to_owned(),
            count => format!("{count} pages have"),
        };
        Some(
            Error::data(
                Words::new(format!(
                    "{pages} a changefreq or a priority, which Google does not use"
                ))
                .advice("leave them out, unless they are for another crawler"),
            )
            .breaks(Rule::Ignored),
        )
    }
}
