//! The documentation of all rules: severity, name in Google Search Console, and explanation.

use sitemap_values::Rule;

use crate::diagnostic::Severity::{self, Error as Bad, Note, Warning};

use super::{alternates, dates, document, engines, folder, hints, loc, media, pages, private, response};

/// The documentation of a rule: its severities, Google Search Console's name for it, and an explanation.
///
/// ```
/// use sitemap_serde::lint::RuleDoc;
/// use sitemap_serde::{Rule, lint::Severity};
///
/// let doc = RuleDoc::new(Rule::Lastmod);
/// assert_eq!(doc.severity(), Severity::Warning);
/// assert_eq!(doc.search_console(), ["Invalid date"]);
/// println!("{}", doc.explanation());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleDoc {
    pub(super) rule: Rule,
    pub(super) severity: Severity,
    pub(super) search_console: &'static [&'static str],
    pub(super) explanation: &'static str,
}

/// One table per family of rules.
const FAMILIES: [&[RuleDoc]; 11] = [
    document::DOCS,
    loc::DOCS,
    private::DOCS,
    dates::DOCS,
    hints::DOCS,
    media::DOCS,
    alternates::DOCS,
    engines::DOCS,
    pages::DOCS,
    response::DOCS,
    folder::DOCS,
];

/// Findings whose severity differs from their rule's documentation: the rule's findings with this severity, and their condition.
const EXCEPTIONS: &[(Rule, Severity, &str)] = &[
    (
        Rule::Ns,
        Note,
        "if the root is in another namespace that readers accept, or in none",
    ),
    (
        Rule::Ns,
        Warning,
        "if an element of an entry is not in the schema",
    ),
    (
        Rule::Decl,
        Bad,
        "if the declaration is malformed, or something stands before it",
    ),
    (Rule::Esc, Warning, "if a value is escaped twice"),
    (Rule::Esc, Bad, "if an `&` is not escaped"),
    (Rule::NewsXsd, Note, "if only the order of elements is wrong"),
    (Rule::VideoXsd, Note, "if only the order of elements is wrong"),
    (
        Rule::Engine,
        Note,
        "if lastmods have no time, and Bing asks for one",
    ),
    (
        Rule::Gzip,
        Warning,
        "if the name of a file does not say whether it is compressed",
    ),
    (Rule::Absent, Warning, "if the folder has the file compressed"),
];

/// The default for a rule without documentation. A test makes sure that every rule has one.
const UNKNOWN: RuleDoc = RuleDoc {
    rule: Rule::Xml,
    severity: Severity::Error,
    search_console: &[],
    explanation: "",
};

impl RuleDoc {
    /// Looks up the documentation of a rule.
    pub fn new(rule: Rule) -> RuleDoc {
        FAMILIES
            .iter()
            .copied()
            .flatten()
            .find(|doc| doc.rule == rule)
            .copied()
            .unwrap_or(RuleDoc { rule, ..UNKNOWN })
    }

    /// The documentation of all rules, in the order of [`Rule::ALL`].
    pub fn all() -> impl Iterator<Item = RuleDoc> {
        Rule::ALL.iter().map(|rule| RuleDoc::new(*rule))
    }

    /// The rule.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the treatment of a broken rule by crawlers, apart from the [exceptions](Self::exceptions);
    /// [`Linter::level`](super::Linter::level) overrides it.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// The other severities that a finding may have, each with its condition as a clause.
    ///
    /// ```
    /// use sitemap_serde::lint::RuleDoc;
    /// use sitemap_serde::{Rule, lint::Severity};
    ///
    /// let doc = RuleDoc::new(Rule::Decl);
    /// assert_eq!(doc.severity(), Severity::Note);
    /// let exceptions: Vec<_> = doc.exceptions().collect();
    /// assert_eq!(exceptions, [(Severity::Error, "if the declaration is malformed, or something stands before it")]);
    /// ```
    pub fn exceptions(&self) -> impl Iterator<Item = (Severity, &'static str)> {
        let rule = self.rule;
        let of_rule = EXCEPTIONS.iter().filter(move |(other, ..)| *other == rule);
        of_rule.map(|(_, severity, when)| (*severity, *when))
    }

    /// Google Search Console's names for problems with this rule; empty if it reports none.
    /// [`Diagnostic::search_console`](crate::Diagnostic::search_console) is the name of one problem.
    pub fn search_console(&self) -> &'static [&'static str] {
        self.search_console
    }

    /// Why the rule exists, and how to fix a document that breaks it, in Markdown.
    pub fn explanation(&self) -> &'static str {
        self.explanation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_one_page() {
        let docs: Vec<_> = FAMILIES.iter().copied().flatten().collect();
        for rule in Rule::ALL {
            assert_eq!(docs.iter().filter(|doc| doc.rule == *rule).count(), 1, "{rule}");
            let doc = RuleDoc::new(*rule);
            assert!(
                doc.explanation.len() > 80 && doc.explanation.ends_with('.'),
                "{rule}"
            );
        }
        assert_eq!(docs.len(), Rule::ALL.len());
        for (i, doc) in docs.iter().enumerate() {
            assert!(docs[..i].iter().all(|other| other.explanation != doc.explanation));
        }
    }
}
