//! Namespaces in XML 1.0: the known ones, and qualified names.

mod scope;

use sitemap_values::quote::quote;
use sitemap_values::suggest::nearest;

pub(crate) use crate::schema::{CORE, Namespace, of_uri};
pub(crate) use scope::{Misdeclared, Scope};

use crate::error::{Error, Message, Result};

const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// The maximum number of user namespaces: a [`Namespace::User`] is a byte.
const MOST: usize = 256;

/// The known namespaces: the schema's and the user's.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownNamespaces {
    /// Prefix and URI of each user namespace.
    user: Vec<(String, String)>,
    /// `true` if names in unknown namespaces become `{uri}local`; otherwise they are ignored.
    expanded: bool,
    /// `true` if elements of unknown namespaces are kept as text; otherwise they are ignored.
    raw: bool,
}

/// Splits an expanded name, `{uri}local`, into URI and local name.
pub(crate) fn split_expanded(name: &str) -> Option<(&str, &str)> {
    // A URI may hold a brace; a local name cannot.
    name.strip_prefix('{')?.rsplit_once('}')
}

impl KnownNamespaces {
    /// Adds a user namespace. A prefix that is added again gets the new URI. More than [`MOST`] are an error of
    /// [`check`](Self::check).
    pub(crate) fn add(&mut self, prefix: &str, uri: &str) {
        match self.user.iter_mut().find(|(known, _)| known == prefix) {
            Some(known) => uri.clone_into(&mut known.1),
            None => self.user.push((prefix.to_owned(), uri.to_owned())),
        }
    }

    /// Adds the namespace that a type declares for its elements.
    pub(crate) fn add_of_type(&mut self, prefix: &str, uri: &str) -> Result<()> {
        let problem = match self
            .user
            .iter()
            .find(|(known, other)| known == prefix || other == uri)
        {
            Some((known, other)) if known == prefix && other == uri => return Ok(()),
            Some((known, other)) if known == prefix => format!(
                "{} is the prefix of {} already, and a type declares it for {}",
                quote(prefix),
                quote(other),
                quote(uri)
            ),
            Some((known, _)) => format!(
                "{} has the prefix {} already, and a type declares it with {}",
                quote(uri),
                quote(known),
                quote(prefix)
            ),
            None if self.user.len() >= MOST => {
                format!(
                    "{} would be the 257th namespace, and 256 can be declared",
                    quote(uri)
                )
            }
            None => {
                self.add(prefix, uri);
                return Ok(());
            }
        };
        Err(Error::settings(Message::new(problem).advice(
            "give each namespace one prefix, in every type and in the builder's `namespace`",
        )))
    }

    /// Sets whether names in unknown namespaces are read and written as `{uri}local`.
    pub(crate) fn expand_names(&mut self, expanded: bool) {
        self.expanded = expanded;
    }

    /// Namespaces for a writer, which writes elements of unknown namespaces that are kept as text.
    pub(crate) fn for_writing() -> Self {
        KnownNamespaces {
            raw: true,
            ..KnownNamespaces::default()
        }
    }

    /// Keeps elements of unknown namespaces as text, or ignores them.
    pub(crate) fn keep_raw(&mut self, raw: bool) {
        self.raw = raw;
    }

    pub(crate) fn keeps_raw(&self) -> bool {
        self.raw
    }

    /// Returns `true` if the user has added a namespace.
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

    /// The namespaces of the extensions and the user's namespaces, in the order of their declarations.
    pub(crate) fn all(&self) -> impl Iterator<Item = Namespace> {
        let user = (0..=u8::MAX).take(self.user.len()).map(Namespace::User);
        Namespace::extensions().chain(user)
    }

    /// Returns an error if a user namespace cannot be declared, if two cannot be told apart, or if there are too many.
    pub(crate) fn check(&self) -> Result<()> {
        if let Some((prefix, _)) = self.user.get(MOST) {
            return Err(Error::settings(
                Message::new(format!(
                    "{} is the prefix of the 257th namespace, and 256 can be declared",
                    quote(prefix)
                ))
                .advice("leave out the namespaces that no field is in"),
            ));
        }
        match self.misdeclared() {
            None => Ok(()),
            Some((prefix, why)) => Err(Error::settings(
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

/// Splits a qualified name into prefix (empty if there is none) and local name.
pub(crate) fn split(name: &str) -> (&str, &str) {
    match memchr::memchr(b':', name.as_bytes()) {
        Some(colon) => (&name[..colon], &name[colon + 1..]),
        None => ("", name),
    }
}

/// Returns `true` if a `Name` is a `QName`: no colon, or one colon between two names.
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
