//! The names of a document's elements, as far as repairs and messages depend on them.

/// The scanner's knowledge of the documents that it reads. The scanner uses it only if a document is not well-formed. All names are
/// local names, compared without case.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    /// The name of such a document, with an article.
    pub(crate) document: &'static str,
    pub(crate) roots: &'static [&'static str],
    /// The elements that the root lists: one ends where another begins.
    pub(crate) entries: &'static [&'static str],
    /// Children of entries with only text: one ends where an element of the schema begins.
    pub(crate) leaves: &'static [&'static str],
    /// The root that is opened again for an entry after its end; `None` if such entries are not read.
    pub(crate) reopened: Option<&'static str>,
    /// `true` if the end tag of an element around the root ends no entry: a document may be within another one.
    pub(crate) may_be_nested: bool,
}

impl Vocabulary {
    /// The vocabulary of any XML.
    pub(crate) const XML: &'static Vocabulary = &Vocabulary {
        document: "a document",
        roots: &[],
        entries: &[],
        leaves: &[],
        reopened: None,
        may_be_nested: false,
    };

    pub(crate) fn is_root(&self, local: &str) -> bool {
        contains(self.roots, local)
    }

    pub(crate) fn is_entry(&self, local: &str) -> bool {
        contains(self.entries, local)
    }

    pub(crate) fn is_leaf(&self, local: &str) -> bool {
        contains(self.leaves, local)
    }

    /// The roots as a message lists them.
    pub(crate) fn listed_roots(&self) -> String {
        let roots: Vec<String> = self.roots.iter().map(|root| format!("`{root}`")).collect();
        roots.join(" or ")
    }
}

fn contains(names: &[&str], local: &str) -> bool {
    names.iter().any(|name| name.eq_ignore_ascii_case(local))
}
