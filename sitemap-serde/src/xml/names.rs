//! Namespaces in XML 1.0: known namespaces, and the prefixes in scope.

use std::collections::HashMap;
use std::ops::Range;

use sitemap_values::quote::quote;
use sitemap_values::suggest::nearest;

pub(crate) use crate::schema::{CORE, Namespace, of_uri};

use crate::error::{Error, Message, Result};

const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// The known namespaces: the schema's, and those that the user has added.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownNamespaces {
    /// Prefix and URI of each user namespace.
    user: Vec<(String, String)>,
    /// Whether names in unknown namespaces are given as `{uri}local` instead of being ignored.
    expanded: bool,
    /// Whether elements of unknown namespaces are kept as text instead of being ignored.
    raw: bool,
}

/// Splits an expanded name, `{uri}local`, into URI and local name.
pub(crate) fn split_expanded(name: &str) -> Option<(&str, &str)> {
    // A URI may hold a brace; a local name cannot.
    name.strip_prefix('{')?.rsplit_once('}')
}

impl KnownNamespaces {
    /// Adds a user namespace. A prefix that is added again gets the new URI. Beyond 256, namespaces are not added.
    pub(crate) fn add(&mut self, prefix: &str, uri: &str) {
        match self.user.iter_mut().find(|(known, _)| known == prefix) {
            Some(known) => uri.clone_into(&mut known.1),
            None => self.user.push((prefix.to_owned(), uri.to_owned())),
        }
    }

    /// Sets whether names in unknown namespaces are read and written as `{uri}local`.
    pub(crate) fn expand_names(&mut self, expanded: bool) {
        self.expanded = expanded;
    }

    /// Sets whether elements of unknown namespaces are kept as text.
    pub(crate) fn keep_raw(&mut self, raw: bool) {
        self.raw = raw;
    }

    pub(crate) fn keeps_raw(&self) -> bool {
        self.raw
    }

    /// Whether the user has added a namespace.
    pub(crate) fn has_user_namespaces(&self) -> bool {
        !self.user.is_empty()
    }

    pub(crate) fn has_expanded_names(&self) -> bool {
        self.expanded
    }

    /// The namespace for the URI of an expanded name to be written; a new URI gets a prefix.
    pub(crate) fn of_uri(&mut self, uri: &str) -> Result<Namespace> {
        match self.find(uri) {
            found @ Namespace::User(_) => return Ok(found),
            Namespace::Other if uri != XMLNS && uri.chars().all(super::escape::is_xml_char) => {}
            Namespace::Other | Namespace::None => {
                return Err(Error::data(
                    Message::new(format!(
                        "{} is not a namespace that a document can declare",
                        quote(uri)
                    ))
                    .advice("correct the name"),
                ));
            }
            found => {
                let prefix = self.prefix(found).unwrap_or_default();
                let colon = if prefix.is_empty() { "" } else { ":" };
                return Err(Error::data(
                    Message::new(format!(
                        "{} has its own names, `{prefix}{colon}…`, which do not have the namespace in braces",
                        quote(uri)
                    ))
                    .advice("correct the name"),
                ));
            }
        }
        let i = u8::try_from(self.user.len()).map_err(|_| {
            Error::data(
                Message::new(format!(
                    "{} would be the 257th namespace of the document, and 256 can be declared",
                    quote(uri)
                ))
                .advice("leave the element out"),
            )
        })?;
        let mut number = self.user.len() + 1;
        while self.of_prefix(&format!("ns{number}")).is_some() {
            number += 1;
        }
        self.add(&format!("ns{number}"), uri);
        Ok(Namespace::User(i))
    }

    fn find(&self, uri: &str) -> Namespace {
        if uri.is_empty() {
            return Namespace::None;
        }
        if uri == XML {
            return Namespace::Xml;
        }
        if let Some((namespace, _)) = of_uri(uri) {
            return namespace;
        }
        self.user
            .iter()
            .position(|(_, known)| known == uri)
            .and_then(|i| u8::try_from(i).ok())
            .map_or(Namespace::Other, Namespace::User)
    }

    /// The namespace of a prefix in canonical names; `None` if it is unknown.
    pub(crate) fn of_prefix(&self, prefix: &str) -> Option<Namespace> {
        match prefix {
            "xml" => Some(Namespace::Xml),
            _ => {
                let user = self.user.iter().position(|(known, _)| known == prefix);
                let user = user.and_then(|i| u8::try_from(i).ok()).map(Namespace::User);
                Namespace::of_prefix(prefix).or(user)
            }
        }
    }

    /// The URI of a namespace.
    pub(crate) fn uri(&self, namespace: Namespace) -> Option<&str> {
        match namespace {
            Namespace::User(i) => self.user.get(usize::from(i)).map(|(_, uri)| uri.as_str()),
            Namespace::Xml => Some(XML),
            namespace => namespace.uri(),
        }
    }

    /// The prefix that an unknown one most likely means.
    pub(crate) fn prefix_meant(&self, prefix: &str) -> Option<&str> {
        let known = self.all().filter_map(|namespace| self.prefix(namespace));
        nearest(prefix, known).filter(|meant| *meant != prefix)
    }

    /// The namespaces of the extensions and the user's namespaces, in the order in which documents declare them.
    pub(crate) fn all(&self) -> impl Iterator<Item = Namespace> {
        let user = (0..=u8::MAX).take(self.user.len()).map(Namespace::User);
        Namespace::extensions().chain(user)
    }

    /// Returns an error if a user namespace cannot be declared, or two cannot be told apart.
    pub(crate) fn check(&self) -> Result<()> {
        match self.misdeclared() {
            None => Ok(()),
            Some((prefix, why)) => Err(Error::data(
                Message::new(format!(
                    "{} cannot be the prefix of a namespace: {why}",
                    quote(prefix)
                ))
                .advice("correct the arguments of the builder's `namespace`"),
            )),
        }
    }

    /// The first user namespace that a document cannot declare, and the reason.
    fn misdeclared(&self) -> Option<(&str, String)> {
        self.user.iter().find_map(|(prefix, uri)| {
            let why = if prefix.is_empty()
                || prefix.contains(':')
                || super::chars::name_len(prefix) != prefix.len()
            {
                "it is not an XML name without a colon".to_owned()
            } else if prefix.starts_with("xml") {
                "prefixes that begin with `xml` are reserved".to_owned()
            } else if uri.is_empty() {
                "its URI is empty".to_owned()
            } else if !uri.chars().all(super::escape::is_xml_char) {
                "its URI contains a character that is not allowed in XML".to_owned()
            } else if uri == XML || uri == XMLNS || self.find(uri) == Namespace::Core {
                "its URI is that of the sitemap schema or of XML itself".to_owned()
            } else if let Some(own) = self
                .of_prefix(prefix)
                .filter(|own| !matches!(own, Namespace::User(_)))
            {
                if self.uri(own) == Some(uri) {
                    return None;
                }
                format!("it stands for `{}` already", self.uri(own).unwrap_or_default())
            } else if let Some((own, _)) = of_uri(uri) {
                format!(
                    "its namespace has the prefix `{}` already",
                    own.prefix().unwrap_or_default()
                )
            } else if let Some((other, _)) = self
                .user
                .iter()
                .find(|(other, known)| known == uri && other != prefix)
            {
                format!("its namespace has the prefix `{other}` already")
            } else {
                return None;
            };
            Some((prefix.as_str(), why))
        })
    }

    /// The prefix of a namespace in canonical names; `None` if it is unknown.
    pub(crate) fn prefix(&self, namespace: Namespace) -> Option<&str> {
        match namespace {
            Namespace::User(i) => self.user.get(usize::from(i)).map(|(prefix, _)| prefix.as_str()),
            namespace => namespace.prefix(),
        }
    }
}

/// A set of namespaces that a document can declare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NamespaceSet {
    extensions: u32,
    user: [u128; 2],
}

impl NamespaceSet {
    fn bit(namespace: Namespace) -> u32 {
        match namespace {
            Namespace::Extension(i) => 1 << i,
            _ => 0,
        }
    }

    pub(crate) fn contains(self, namespace: Namespace) -> bool {
        match namespace {
            Namespace::User(i) => self.user[usize::from(i >> 7)] & 1 << (i & 127) != 0,
            namespace => self.extensions & Self::bit(namespace) != 0,
        }
    }

    pub(crate) fn insert(&mut self, namespace: Namespace) {
        match namespace {
            Namespace::User(i) => self.user[usize::from(i >> 7)] |= 1 << (i & 127),
            namespace => self.extensions |= Self::bit(namespace),
        }
    }

    pub(crate) fn union(self, other: Self) -> Self {
        NamespaceSet {
            extensions: self.extensions | other.extensions,
            user: [self.user[0] | other.user[0], self.user[1] | other.user[1]],
        }
    }
}

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
    /// How many different declarations were made so far.
    declared: u64,
    /// The latest of them.
    met: Vec<Met>,
    /// The URI that [`take_for_core`](Self::take_for_core) was told last.
    taken_for_core: Option<String>,
}

/// A declaration made before: repeated in the same outer scope, it gives the same scope again.
#[derive(Debug)]
struct Met {
    /// The generations without and with the declaration.
    outer: u64,
    generation: u64,
    prefix: Box<str>,
    uri: Box<str>,
    namespace: Namespace,
}

/// How many earlier declarations are remembered.
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
        self.find(prefix).map(|binding| binding.namespace)
    }

    /// The URI of a prefix.
    pub(crate) fn uri(&self, prefix: &str) -> Option<&str> {
        if prefix == "xml" {
            return Some(XML);
        }
        self.find(prefix).map(|binding| &self.text[binding.uri.clone()])
    }
}

/// Splits a qualified name into prefix (empty if there is none) and local name.
pub(crate) fn split(name: &str) -> (&str, &str) {
    match memchr::memchr(b':', name.as_bytes()) {
        Some(colon) => (&name[..colon], &name[colon + 1..]),
        None => ("", name),
    }
}

/// Whether a `Name` is a `QName`: no colon, or one colon between two names.
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
                let uri = format!("urn:{step}:{i}");
                scope.declare(&prefix, &uri, depth).unwrap();
                declared.push((prefix, uri, depth));
            }
            for i in 0..62 {
                let prefix = format!("p{i}");
                let innermost = declared.iter().rev().find(|(known, _, _)| *known == prefix);
                assert_eq!(scope.uri(&prefix), innermost.map(|(_, uri, _)| uri.as_str()));
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

    #[test]
    fn namespaces_of_the_users_own() {
        let mut known = KnownNamespaces::default();
        known.add("shop", "urn:shop");
        known.add("x", "urn:x");
        known.add("shop", "urn:shop:2");
        let mut scope = Scope::new(known);
        scope.declare("s", "urn:shop:2", 1).unwrap();
        scope.declare("t", "urn:shop", 1).unwrap();
        scope
            .declare("i", Namespace::Extension(0).uri().unwrap(), 1)
            .unwrap();
        assert_eq!(scope.namespace("s"), Some(Namespace::User(0)));
        assert_eq!(scope.known().prefix(Namespace::User(0)), Some("shop"));
        assert_eq!(scope.namespace("t"), Some(Namespace::Other));
        assert_eq!(scope.namespace("i"), Namespace::of_prefix("image"));
        assert_eq!(scope.known().prefix(Namespace::Extension(0)), Some("image"));
        assert_eq!(scope.known().prefix(Namespace::Other), None);
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
