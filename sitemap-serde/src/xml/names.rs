//! Namespaces in XML 1.0: which namespace a prefix stands for.

use std::ops::Range;

/// P-NS: the namespace of the sitemap schema.
pub(crate) const CORE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// The older and mistaken spellings of it that real files have.
const LEGACY: [&str; 7] = [
    "https://www.sitemaps.org/schemas/sitemap/0.9",
    "http://www.sitemaps.org/schemas/sitemap/0.9/",
    "http://sitemaps.org/schemas/sitemap/0.9",
    "http://www.google.com/schemas/sitemap/0.84",
    "http://www.google.com/schemas/sitemap/0.9",
    "http://www.google.com/schemas/sitemap/0.90",
    "http://www.sitemaps.org/schemas/sitemap/0.90",
];

const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// What a namespace is to this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Namespace {
    /// No namespace at all.
    None,
    /// The sitemap schema's, or one of its legacy spellings.
    Core,
    /// `xml:`
    Xml,
    /// One that this crate does not know.
    Other,
}

impl Namespace {
    fn of(uri: &str) -> Self {
        if uri == CORE || LEGACY.contains(&uri) {
            Namespace::Core
        } else if uri.is_empty() {
            Namespace::None
        } else if uri == XML {
            Namespace::Xml
        } else {
            Namespace::Other
        }
    }
}

/// A namespace declaration in scope.
#[derive(Clone, Debug)]
struct Binding {
    /// In `text`.
    prefix: Range<usize>,
    uri: Range<usize>,
    namespace: Namespace,
    /// The depth of the element that declares it.
    depth: usize,
}

/// The namespace declarations in scope.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    text: String,
    bindings: Vec<Binding>,
    default: Option<Namespace>,
}

/// Why a declaration is none (Namespaces in XML 1.0, section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misdeclared {
    /// `xmlns:x=""`
    Undeclared,
    /// `xmlns:xmlns`, `xmlns:xml` of another namespace, or their namespaces under another prefix.
    Reserved,
}

impl Scope {
    /// Declares that on the element at `depth` and in it `prefix` (or, if it is empty, no prefix) stands for `uri`.
    pub(crate) fn declare(&mut self, prefix: &str, uri: &str, depth: usize) -> Result<(), Misdeclared> {
        if prefix == "xmlns" || uri == XMLNS || (prefix == "xml") != (uri == XML) {
            return Err(Misdeclared::Reserved);
        }
        if uri.is_empty() && !prefix.is_empty() {
            return Err(Misdeclared::Undeclared);
        }
        let namespace = Namespace::of(uri);
        let start = self.text.len();
        self.text.push_str(prefix);
        let middle = self.text.len();
        self.text.push_str(uri);
        self.bindings.push(Binding {
            prefix: start..middle,
            uri: middle..self.text.len(),
            namespace,
            depth,
        });
        if prefix.is_empty() {
            self.default = Some(namespace);
        }
        Ok(())
    }

    /// Forgets what the element at `depth` has declared.
    pub(crate) fn leave(&mut self, depth: usize) {
        if self.bindings.last().is_none_or(|binding| binding.depth < depth) {
            return;
        }
        while let Some(binding) = self.bindings.pop_if(|binding| binding.depth >= depth) {
            self.text.truncate(binding.prefix.start);
        }
        self.default = self.find("").map(|binding| binding.namespace);
    }

    fn find(&self, prefix: &str) -> Option<&Binding> {
        self.bindings
            .iter()
            .rev()
            .find(|binding| &self.text[binding.prefix.clone()] == prefix)
    }

    /// The namespace of names without a prefix.
    pub(crate) fn default_namespace(&self) -> Namespace {
        self.default.unwrap_or(Namespace::None)
    }

    /// The namespace that a prefix stands for; `None` if nothing declares it.
    pub(crate) fn namespace(&self, prefix: &str) -> Option<Namespace> {
        if prefix == "xml" {
            return Some(Namespace::Xml);
        }
        self.find(prefix).map(|binding| binding.namespace)
    }

    /// The URI that a prefix stands for.
    pub(crate) fn uri(&self, prefix: &str) -> Option<&str> {
        if prefix == "xml" {
            return Some(XML);
        }
        self.find(prefix).map(|binding| &self.text[binding.uri.clone()])
    }
}

/// A qualified name's prefix (empty if it has none) and local name.
pub(crate) fn split(name: &str) -> (&str, &str) {
    match memchr::memchr(b':', name.as_bytes()) {
        Some(colon) => (&name[..colon], &name[colon + 1..]),
        None => ("", name),
    }
}

/// Whether a `Name` is a `QName`: no colon, or one between two names without.
pub(crate) fn is_qualified(name: &str) -> bool {
    let Some(colon) = memchr::memchr(b':', name.as_bytes()) else {
        return true;
    };
    let local = &name[colon + 1..];
    colon > 0 && !local.contains(':') && super::chars::name_len(local) == local.len() && !local.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_nest() {
        let mut scope = Scope::default();
        assert_eq!(scope.default_namespace(), Namespace::None);
        scope.declare("", CORE, 1).unwrap();
        scope.declare("x", "urn:x", 1).unwrap();
        scope.declare("", "", 2).unwrap();
        scope.declare("x", LEGACY[2], 2).unwrap();
        assert_eq!(scope.default_namespace(), Namespace::None);
        assert_eq!(scope.namespace("x"), Some(Namespace::Core));
        scope.leave(3);
        assert_eq!(scope.namespace("x"), Some(Namespace::Core));
        scope.leave(2);
        assert_eq!(scope.default_namespace(), Namespace::Core);
        assert_eq!(
            (scope.namespace("x"), scope.uri("x")),
            (Some(Namespace::Other), Some("urn:x"))
        );
        scope.leave(1);
        assert_eq!(
            (scope.namespace("x"), scope.default_namespace()),
            (None, Namespace::None)
        );
        assert_eq!(scope.namespace("xml"), Some(Namespace::Xml));
        assert!(scope.text.is_empty());
    }

    #[test]
    fn reserved_names_stay_reserved() {
        let mut scope = Scope::default();
        for (prefix, uri) in [
            ("xmlns", "urn:x"),
            ("xml", "urn:x"),
            ("a", XML),
            ("", XML),
            ("a", XMLNS),
            ("", XMLNS),
        ] {
            assert_eq!(
                scope.declare(prefix, uri, 1),
                Err(Misdeclared::Reserved),
                "{prefix} {uri}"
            );
        }
        assert_eq!(scope.declare("a", "", 1), Err(Misdeclared::Undeclared));
        scope.declare("xml", XML, 1).unwrap();
    }

    #[test]
    fn qualified_names() {
        for (name, ok) in [
            ("a", true),
            ("a:b", true),
            (":a", false),
            ("a:", false),
            ("a:b:c", false),
            ("a:1", false),
            (":", false),
        ] {
            assert_eq!(is_qualified(name), ok, "{name}");
        }
        assert_eq!(split("image:loc"), ("image", "loc"));
        assert_eq!(split("loc"), ("", "loc"));
    }
}
