//! The rules of the format. Each is a file of the folder `rules`: its head, and its text.
//!
//! The first line of a file is the rule's id and the rule in one clause. The list below it is its head:
//!
//! | line | meaning |
//! |---|---|
//! | `name` | the variant of [`Rule`] |
//! | `source` | the standard or documentation that states the rule |
//! | `severity` | crawlers' treatment of a broken rule; each additional line is an exception: a severity, with its condition |
//! | `search console` | Google Search Console's name for such a problem, one per line |
//! | an engine | its [`Stance`](crate::engine::Stance), and its source in `sources.md` |
//!
//! The text explains the rule's purpose and the remedy; a paragraph is one line. The program has the heads in `table.rs`, and a test
//! holds that file to the others. `WRITE_RULES=1 cargo test -p sitemap-values rules` writes it, with new files at its end; the order of
//! its rows is the order of the rules.
//!
//! **What engines say**: an engine's documentation, with address and date; if it says nothing, the stance is unknown, never a guess. The lint
//! hides a rule only if all named engines accept its violations.

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use crate::engine::{Engine, Source, Stance};
use crate::error::{Advice, Message, Result, ValueError};
use crate::quote::quote;
use crate::severity::Severity;

pub use table::Rule;

/// The head of a rule's file, and the file.
pub(crate) struct Head {
    severity: Severity,
    exceptions: &'static [(Severity, &'static str)],
    search_console: &'static [&'static str],
    pub(crate) engines: &'static [(Engine, Stance, &'static Source)],
    file: &'static str,
}

/// Makes the enum, its documentation and its lookups of the table's rows.
macro_rules! rules {
    ($(
        $variant:ident $id:literal $summary:literal ($source:literal) $severity:ident
        except [$(($exception:ident $when:literal))*]
        console [$($console:literal)*]
        engines [$(($engine:ident $stance:ident $page:ident))*]
    )*) => {
        /// A rule of the format. [`rule`](crate::ValueError::rule) of an error returns the rule that was broken.
        ///
        /// ```
        /// use sitemap_serde::{Priority, Rule};
        ///
        /// let error = "1.5".parse::<Priority>().unwrap_err();
        /// assert_eq!(error.rule(), Some(Rule::Prio));
        /// assert_eq!(Rule::Prio.as_str(), "P-PRIO");
        /// assert_eq!("P-PRIO".parse::<Rule>().unwrap(), Rule::Prio);
        /// ```
        ///
        /// Ids that begin with `P-` are rules of the protocol and its extensions. Ids that begin with `L-` are advice that
        /// only a lint gives. A rule that only a published schema contains has the schema's file name as its id.
        ///
        /// | id | rule | source |
        /// |---|---|---|
        $(#[doc = concat!("| `", $id, "` | ", $summary, " | ", $source, " |")])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $(
                #[doc = concat!("`", $id, "`: ", $summary, " (", $source, ").")]
                $variant,
            )*
        }

        impl Rule {
            /// All rules, in the order of the table above.
            pub const ALL: &'static [Rule] = &[$(Rule::$variant),*];

            /// The id, the summary and the source of each rule.
            const TEXTS: &[[&str; 3]] = &[$([$id, $summary, $source]),*];

            /// The heads of the files. Apart from the texts, so that a program without a lint has no explanations.
            const HEADS: &[Head] = &[$(Head {
                severity: Severity::$severity,
                exceptions: &[$((Severity::$exception, $when)),*],
                search_console: &[$($console),*],
                engines: &[$((Engine::$engine, Stance::$stance, &$page)),*],
                file: include_str!(concat!($id, ".md")),
            }),*];

            pub(crate) const fn head(self) -> &'static Head {
                &Rule::HEADS[self as usize]
            }

            /// The id, such as `P-PRIO`, as messages show it.
            #[doc(alias = "id")]
            pub const fn as_str(self) -> &'static str {
                Rule::TEXTS[self as usize][0]
            }

            /// The rule in one clause, with Markdown backticks around code.
            pub const fn summary(self) -> &'static str {
                Rule::TEXTS[self as usize][1]
            }

            /// The source of the rule: the protocol (sitemaps.org), a schema, Google's documentation, or another standard.
            pub const fn source(self) -> &'static str {
                Rule::TEXTS[self as usize][2]
            }
        }
    };
}

// Rows of any length.
#[rustfmt::skip]
mod table;

impl Rule {
    /// Returns the treatment of a broken rule by crawlers, apart from the [exceptions](Self::exceptions). The settings of a lint
    /// override it.
    pub const fn severity(self) -> Severity {
        self.head().severity
    }

    /// The other severities that a finding may have, each with its condition as a clause.
    ///
    /// ```
    /// use sitemap_serde::{Rule, lint::Severity};
    ///
    /// assert_eq!(Rule::Decl.severity(), Severity::Note);
    /// let exceptions: Vec<_> = Rule::Decl.exceptions().collect();
    /// assert_eq!(exceptions, [(Severity::Error, "if the declaration is malformed, or something stands before it")]);
    /// ```
    pub fn exceptions(self) -> impl Iterator<Item = (Severity, &'static str)> {
        self.head().exceptions.iter().copied()
    }

    /// Google Search Console's names for problems with this rule; empty if it reports none. A diagnostic has the name of its problem.
    pub const fn search_console(self) -> &'static [&'static str] {
        self.head().search_console
    }

    /// Why the rule exists, and how to fix a document that breaks it, in Markdown.
    ///
    /// ```
    /// use sitemap_serde::Rule;
    ///
    /// assert_eq!(Rule::Lastmod.search_console(), ["Invalid date"]);
    /// println!("{}", Rule::Lastmod.explanation());
    /// ```
    pub fn explanation(self) -> &'static str {
        let mut parts = self.head().file.splitn(3, "\n\n");
        parts.nth(2).unwrap_or_default().trim_end()
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Parses a rule's id, in upper or lower case.
///
/// # Errors
///
/// A [`ValueError`] if no rule has that id.
impl FromStr for Rule {
    type Err = ValueError;

    fn from_str(id: &str) -> Result<Self> {
        Rule::ALL
            .iter()
            .copied()
            .find(|rule| rule.as_str().eq_ignore_ascii_case(id))
            .ok_or_else(|| {
                let message = Message::new(format!("{} is not the id of a rule", quote(id)));
                ValueError::new(message.advice(Advice::of_api(
                    "Rule",
                    "write one from the table in the documentation of `Rule`, such as `P-LOC`",
                )))
            })
    }
}
