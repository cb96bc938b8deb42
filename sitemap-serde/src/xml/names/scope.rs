//! The namespace declarations in scope.

use std::collections::HashMap;
use std::ops::Range;

use super::{KnownNamespaces, Namespace, XML, XMLNS};

/// A namespace declaration in scope.
#[derive(Clone, Debug)]
struct Binding {
    /// Byte range in `Scope::text`.
    prefix: Range<usize>,
    uri: Range<usize>,
    namespace: Namespace,
    /// The depth of the element that declares it.
    depth: usize,
    /// The generation without this declaration.
    outer: u64,
}

/// The namespace declarations in scope.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    known: KnownNamespaces,
    text: String,
    bindings: Vec<Binding>,
    /// Index of declarations by prefix, innermost last, from the [`FEW`]th declaration on: nested elements can have thousands
    /// in scope.
    many: HashMap<String, Vec<usize>>,
    default: Option<Namespace>,
    /// Identifies the set of declarations in scope, so that results can be cached for a scope, and reused when the same
    /// scope recurs.
    generation: u64,
    /// The number of different declarations so far.
    declared: u64,
    /// The latest of them.
    met: Vec<Met>,
    /// The URI from the last call of [`take_for_core`](Self::take_for_core).
    taken_for_core: Option<String>,
    /// The namespace of prefixes that are not declared; `None` if they are errors.
    undeclared: Option<Namespace>,
}

/// An earlier declaration: repeated in the same outer scope, it gives the same scope again.
#[derive(Debug)]
struct Met {
    /// The generations without and with the declaration.
    outer: u64,
    generation: u64,
    prefix: Box<str>,
    uri: Box<str>,
    namespace: Namespace,
}

/// The number of earlier declarations in memory.
const MET: usize = 16;

/// Up to this many declarations are searched one by one.
const FEW: usize = 32;

/// Why a namespace declaration is invalid (Namespaces in XML 1.0, section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misdeclared {
    /// `xmlns:x=""`
    Undeclared,
    /// `xmlns:xmlns`, `xmlns:xml` of another namespace, or their namespaces under another prefix.
    Reserved,
}

impl Scope {
    pub(crate) fn new(known: KnownNamespaces) -> Self {
        Scope {
            known,
            ..Scope::default()
        }
    }

    pub(crate) fn known(&self) -> &KnownNamespaces {
        &self.known
    }

    pub(crate) fn known_mut(&mut self) -> &mut KnownNamespaces {
        &mut self.known
    }

    /// Accepts prefixes that are not declared.
    pub(crate) fn accept_prefixes(&mut self) {
        self.undeclared = Some(Namespace::Other);
    }

    /// Declares `uri` for `prefix` (empty: the default namespace) on the element at `depth` and within it.
    pub(crate) fn declare(&mut self, prefix: &str, uri: &str, depth: usize) -> Result<(), Misdeclared> {
        if prefix == "xmlns" || uri == XMLNS || (prefix == "xml") != (uri == XML) {
            return Err(Misdeclared::Reserved);
        }
        if uri.is_empty() && !prefix.is_empty() {
            return Err(Misdeclared::Undeclared);
        }
        let (namespace, generation) = self.meet(prefix, uri);
        if self.bindings.len() >= FEW {
            let at = self.bindings.len();
            self.many.entry(prefix.to_owned()).or_default().push(at);
        }
        let start = self.text.len();
        self.text.push_str(prefix);
        let middle = self.text.len();
        self.text.push_str(uri);
        self.bindings.push(Binding {
            prefix: start..middle,
            uri: middle..self.text.len(),
            namespace,
            depth,
            outer: self.generation,
        });
        self.generation = generation;
        if prefix.is_empty() {
            self.default = Some(namespace);
        }
        Ok(())
    }

    /// The namespace of a declaration, and the generation of the scope with it.
    fn meet(&mut self, prefix: &str, uri: &str) -> (Namespace, u64) {
        let is_met = |met: &&Met| met.outer == self.generation && *met.prefix == *prefix && *met.uri == *uri;
        if let Some(met) = self.met.iter().find(is_met) {
            return (met.namespace, met.generation);
        }
        self.declared += 1;
        let namespace = match &self.taken_for_core {
            Some(taken) if taken == uri => Namespace::Core,
            _ => self.known.find(uri),
        };
        let met = Met {
            outer: self.generation,
            generation: self.declared,
            prefix: prefix.into(),
            uri: uri.into(),
            namespace,
        };
        let oldest = usize::try_from(self.declared).unwrap_or_default() % MET;
        match self.met.get_mut(oldest) {
            Some(oldest) => *oldest = met,
            None => self.met.push(met),
        }
        (namespace, self.declared)
    }

    /// Removes the declarations of the element at `depth`.
    #[inline]
    pub(crate) fn leave(&mut self, depth: usize) {
        if self.bindings.last().is_some_and(|binding| binding.depth >= depth) {
            self.forget(depth);
        }
    }

    #[inline(never)]
    fn forget(&mut self, depth: usize) {
        while let Some(binding) = self.bindings.pop_if(|binding| binding.depth >= depth) {
            self.generation = binding.outer;
            if self.bindings.len() >= FEW {
                let prefix = &self.text[binding.prefix.clone()];
                if let Some(places) = self.many.get_mut(prefix)
                    && (places.pop().is_none() || places.is_empty())
                {
                    self.many.remove(prefix);
                }
            }
            self.text.truncate(binding.prefix.start);
        }
        self.default = self.find("").map(|binding| binding.namespace);
    }

    /// The number of different declarations so far.
    #[inline]
    pub(crate) fn declared(&self) -> u64 {
        self.declared
    }

    #[inline]
    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    fn find(&self, prefix: &str) -> Option<&Binding> {
        if let Some(at) = self.many.get(prefix).and_then(|places| places.last()) {
            return self.bindings.get(*at);
        }
        self.bindings
            .iter()
            .take(FEW)
            .rev()
            .find(|binding| &self.text[binding.prefix.clone()] == prefix)
    }

    /// Treats the namespace of a declared prefix as the core's, here and in later declarations.
    pub(crate) fn take_for_core(&mut self, prefix: &str) {
        let at = match self.many.get(prefix).and_then(|places| places.last()) {
            Some(at) => Some(*at),
            None => self
                .bindings
                .iter()
                .take(FEW)
                .rposition(|binding| &self.text[binding.prefix.clone()] == prefix),
        };
        if let Some(binding) = at.and_then(|at| self.bindings.get_mut(at)) {
            binding.namespace = Namespace::Core;
            self.taken_for_core = Some(self.text[binding.uri.clone()].to_owned());
            self.met.clear();
        }
        if prefix.is_empty() {
            self.default = Some(Namespace::Core);
        }
    }

    /// The namespace of names without a prefix.
    pub(crate) fn default_namespace(&self) -> Namespace {
        self.default.unwrap_or(Namespace::None)
    }

    /// The namespace of a prefix; `None` if it is not declared.
    pub(crate) fn namespace(&self, prefix: &str) -> Option<Namespace> {
        if prefix == "xml" {
            return Some(Namespace::Xml);
        }
        self.find(prefix)
            .map_or(self.undeclared, |binding| Some(binding.namespace))
    }

    /// The namespace of a prefix (empty: the default namespace) in the element at `depth`, ignoring declarations inside it.
    pub(crate) fn namespace_at(&self, prefix: &str, depth: usize) -> Option<Namespace> {
        let is_around = |binding: &&Binding| binding.depth <= depth;
        let many = self.many.get(prefix).and_then(|places| {
            let place = |at: &usize| self.bindings.get(*at);
            let count = places.partition_point(|at| place(at).as_ref().is_some_and(is_around));
            places.get(..count)?.last().and_then(place)
        });
        let few = || {
            let mut few = self.bindings.iter().take(FEW).rev().filter(is_around);
            few.find(|binding| &self.text[binding.prefix.clone()] == prefix)
        };
        many.or_else(few).map(|binding| binding.namespace)
    }

    /// The URI of a prefix.
    pub(crate) fn uri(&self, prefix: &str) -> Option<&str> {
        if prefix == "xml" {
            return Some(XML);
        }
        self.find(prefix).map(|binding| &self.text[binding.uri.clone()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::names::CORE;

    /// With thousands of nested declarations, the innermost counts.
    #[test]
    fn scopes_nest_deep() {
        let mut scope = Scope::default();
        let mut declared: Vec<(String, String, usize)> = Vec::new();
        for step in 0..400_usize {
            if step % 7 == 6 {
                let depth = (step * 31) % 97 + 1;
                scope.leave(depth);
                declared.retain(|(_, _, declared)| *declared < depth);
            }
            let depth = declared.last().map_or(0, |(_, _, depth)| *depth) + 1;
            for i in 0..9 {
                let prefix = format!("p{}", (step * 9 + i * i) % 61);
                let uri = match (step + i) % 5 {
                    0 => CORE.to_owned(),
                    _ => format!("urn:{step}:{i}"),
                };
                scope.declare(&prefix, &uri, depth).unwrap();
                declared.push((prefix, uri, depth));
            }
            for i in 0..62 {
                let prefix = format!("p{i}");
                let innermost = declared.iter().rev().find(|(known, _, _)| *known == prefix);
                assert_eq!(scope.uri(&prefix), innermost.map(|(_, uri, _)| uri.as_str()));
                let around = (step * 17) % (depth + 1);
                let mut declared = declared.iter().rev();
                let declared = declared.find(|(known, _, depth)| *known == prefix && *depth <= around);
                let namespace = declared.map(|(_, uri, _)| scope.known.find(uri));
                assert_eq!(scope.namespace_at(&prefix, around), namespace);
            }
        }
        scope.leave(1);
        assert!(scope.many.is_empty() && scope.uri("p1").is_none());
    }

    #[test]
    fn scopes_nest() {
        let mut scope = Scope::default();
        assert_eq!(scope.default_namespace(), Namespace::None);
        scope.declare("", CORE, 1).unwrap();
        scope.declare("x", "urn:x", 1).unwrap();
        scope.declare("", "", 2).unwrap();
        scope
            .declare("x", "http://sitemaps.org/schemas/sitemap/0.9", 2)
            .unwrap();
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
}
