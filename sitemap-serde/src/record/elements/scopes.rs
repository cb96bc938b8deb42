//! The namespaces in scope while an entry is written, and the namespaces that the root must declare.

use crate::xml::escape::push_escaped_attribute;
use crate::xml::names::{KnownNamespaces, Namespace, NamespaceSet};

/// Which namespaces are declared where the next element begins.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    /// The namespaces declared in the scope of the next element.
    scope: NamespaceSet,
    /// The outer scopes, one per declaration on an open element.
    outer: Vec<NamespaceSet>,
    /// The namespaces that the root declares; `None` before the first entry, since the root is written with
    /// it.
    root: Option<NamespaceSet>,
    /// The namespaces of the first entry, which the root will declare.
    used: NamespaceSet,
}

impl Scopes {
    /// Sets the namespaces that the root declares, when it is written.
    pub(crate) fn root_declares(&mut self, declared: NamespaceSet) {
        self.root = Some(declared);
        self.scope = declared;
    }

    /// Resets the root to unwritten: the next entry determines its namespaces.
    pub(crate) fn root_is_undone(&mut self) {
        self.root = None;
    }

    /// Returns `true` if the root is written.
    #[inline]
    pub(super) fn has_root(&self) -> bool {
        self.root.is_some()
    }

    /// Begins an entry.
    pub(super) fn begin(&mut self) {
        self.scope = self.root.unwrap_or_default();
        self.used = NamespaceSet::default();
        self.outer.clear();
    }

    /// The namespaces that the root must declare for this entry.
    pub(crate) fn used(&self) -> NamespaceSet {
        self.used
    }

    /// Takes back the namespaces of elements that are removed.
    pub(super) fn restore_used(&mut self, used: NamespaceSet) {
        self.used = used;
    }

    /// Lets the root declare a namespace even if the first entry has no elements of it.
    pub(crate) fn touch(&mut self, namespace: Namespace) {
        if self.root.is_none() && namespace != Namespace::Core {
            self.used.insert(namespace);
        }
    }

    /// Declares the namespace, unless it is in scope: in the start tag that `tag` ends with, or on the root.
    #[inline]
    pub(super) fn declare(&mut self, known: &KnownNamespaces, namespace: Namespace, tag: &mut Vec<u8>) {
        if !self.has(namespace) {
            self.add(known, namespace, tag);
        }
    }

    /// Returns `true` if an element of the namespace needs no declaration, neither of its own nor on the
    /// root.
    #[inline]
    fn has(&self, namespace: Namespace) -> bool {
        matches!(namespace, Namespace::Xml | Namespace::Core)
            || self.root.is_some() && self.scope.contains(namespace)
    }

    fn add(&mut self, known: &KnownNamespaces, namespace: Namespace, tag: &mut Vec<u8>) {
        if self.root.is_none() {
            self.used.insert(namespace);
            return;
        }
        self.outer.push(self.scope);
        self.scope.insert(namespace);
        let prefix = known.prefix(namespace).unwrap_or_default();
        let uri = known.uri(namespace).unwrap_or_default();
        for part in [" xmlns:", prefix, "=\""] {
            tag.extend_from_slice(part.as_bytes());
        }
        // URIs with characters that XML cannot hold are refused when the document begins.
        let _ = push_escaped_attribute(tag, uri);
        tag.push(b'"');
    }

    /// The number of scopes around the next element's.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.outer.len()
    }

    /// Leaves the scopes of an element's declarations: all except the first `outer`.
    #[inline]
    pub(super) fn leave(&mut self, outer: usize) {
        if let Some(scope) = self.outer.get(outer) {
            self.scope = *scope;
            self.outer.truncate(outer);
        }
    }
}
