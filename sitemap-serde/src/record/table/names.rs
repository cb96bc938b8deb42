//! The names in an entry: the schema's names, and custom names, which are numbered as they occur.

use std::collections::HashMap;
use std::sync::Arc;

use crate::error::Step;
use crate::schema::Name;
use crate::xml::fragment::OTHER;
use crate::xml::names::{KnownNamespaces, Namespace, split};

use super::{Findings, Table};

/// Custom names, which the schema does not have. Kept from entry to entry, and shared by a reader and its records.
#[derive(Clone, Debug, Default)]
pub(super) struct CustomNames {
    pub(super) names: Vec<String>,
    found: HashMap<String, Name>,
}

impl CustomNames {
    /// The maximum number of names kept for the next entry.
    pub(super) const MOST: usize = 64;
}

/// The last node of each custom name in an entry, by the first index of its level and the name.
#[derive(Clone, Debug, Default)]
pub(super) struct LastCustom {
    /// The first names: most entries have no more, and searching them is faster than hashing.
    few: Vec<((usize, Name), u32)>,
    many: HashMap<(usize, Name), u32>,
}

impl LastCustom {
    /// The maximum number of names that are searched one by one.
    const FEW: usize = 8;

    #[inline]
    pub(super) fn clear(&mut self) {
        if !self.few.is_empty() {
            self.few.clear();
            self.many.clear();
        }
    }

    /// Makes a node the last of its name, and returns the previous last one.
    pub(super) fn insert(&mut self, name: (usize, Name), node: u32) -> Option<u32> {
        if let Some((_, last)) = self.few.iter_mut().find(|(other, _)| *other == name) {
            return Some(std::mem::replace(last, node));
        }
        if self.few.len() < Self::FEW {
            self.few.push((name, node));
            return None;
        }
        self.many.insert(name, node)
    }
}

impl Table {
    /// Returns `true` if the prefix's namespace has elements that are read.
    pub(crate) fn knows_prefix(&self, prefix: &str) -> bool {
        match &self.known {
            Some(known) => known.of_prefix(prefix).is_some(),
            None => KnownNamespaces::default().of_prefix(prefix).is_some(),
        }
    }

    /// The name of an element; `None` in an unknown namespace. `uri` resolves a prefix.
    #[inline]
    pub(crate) fn element_name<'u>(
        &mut self,
        known: &'u KnownNamespaces,
        namespace: Namespace,
        qualified: &str,
        uri: impl FnOnce(&str) -> Option<&'u str>,
    ) -> Option<Name> {
        let (prefix, local) = split(qualified);
        match Name::element(namespace, local) {
            Some(name) => Some(name),
            None => {
                self.findings.add(Findings::UNKNOWN, namespace.is_core());
                // Within an extension's element it does not belong to the entry.
                if self.any_case
                    && self.level == 0
                    && namespace.is_core()
                    && let Some(name) = Name::element(namespace, &local.to_ascii_lowercase())
                {
                    self.other_case.get_or_insert(name);
                    self.findings.add(Findings::OTHER_CASE, true);
                    return Some(name);
                }
                let space = custom_space(known, namespace, || uri(prefix))?;
                self.custom_name("", space, local)
            }
        }
    }

    /// The name of an attribute of an element; `None` in an unknown namespace.
    pub(crate) fn attribute_name<'u>(
        &mut self,
        known: &'u KnownNamespaces,
        element: Name,
        namespace: Namespace,
        qualified: &str,
        uri: impl FnOnce(&str) -> Option<&'u str>,
    ) -> Option<Name> {
        let (prefix, local) = split(qualified);
        match (namespace, Name::attribute(element, local)) {
            (Namespace::None, Some(name)) => Some(name),
            _ => {
                let space = custom_space(known, namespace, || uri(prefix))?;
                self.custom_name("@", space, local)
            }
        }
    }

    #[cold]
    fn custom_name(&mut self, mark: &str, (before, space, after): Space<'_>, local: &str) -> Option<Name> {
        let name = [mark, before, space, after, local].concat();
        if let Some(&known) = self.names.found.get(&name) {
            return Some(known);
        }
        let Some(custom) = Name::custom(self.names.names.len()) else {
            self.findings.add(Findings::TOO_MANY_NAMES, true);
            return None;
        };
        let names = Arc::make_mut(&mut self.names);
        names.names.push(name.clone());
        names.found.insert(name, custom);
        Some(custom)
    }

    /// The name of nodes whose value is the text of a whole element. `None` if there are too many names.
    pub(crate) fn other_name(&mut self) -> Option<Name> {
        self.custom_name("", ("", OTHER, ""), "")
    }

    /// The name of a part of an entry in another format that the schema does not have, by its key. `None` if there are too many names.
    pub(crate) fn unknown_name(&mut self, key: &str) -> Option<Name> {
        self.custom_name("", ("", "", ""), key)
    }

    pub(crate) fn name(&self, name: Name) -> &str {
        match name.as_static() {
            Some(name) => name,
            None => self
                .names
                .names
                .get(name.index() - Name::KNOWN)
                .map_or("", String::as_str),
        }
    }

    /// The name as a step of an error's path.
    pub(crate) fn step(&self, name: Name) -> Step {
        match name.as_static() {
            Some(name) => name.into(),
            None => Step::other(self.name(name)),
        }
    }

    /// The maximum number of custom names of an entry, if this one has more.
    #[inline]
    pub(crate) fn too_many_names(&self) -> Option<usize> {
        let has_too_many = self.findings.has(Findings::TOO_MANY_NAMES);
        has_too_many.then_some(self.names.names.len())
    }

    /// Resets the numbers of custom names if there are too many, for an entry that has no nodes yet. Returns `true` if it did: then
    /// known tags have wrong names.
    #[inline]
    pub(crate) fn reset_names(&mut self) -> bool {
        let too_many = self.names.names.len() > CustomNames::MOST;
        if too_many {
            self.names = Arc::default();
        }
        too_many
    }

    /// Sets whether core names are recognised in any case.
    pub(crate) fn take_any_case(&mut self, any_case: bool) {
        self.any_case = any_case;
        self.other_case = None;
    }

    /// The first core element whose name is in another case.
    pub(crate) fn other_case(&self) -> Option<Name> {
        self.other_case
    }
}

/// The text before the local name in a custom name, in three parts: a prefix and a colon, or a URI in braces.
type Space<'a> = (&'static str, &'a str, &'static str);

#[cold]
fn custom_space<'a>(
    known: &'a KnownNamespaces,
    namespace: Namespace,
    uri: impl FnOnce() -> Option<&'a str>,
) -> Option<Space<'a>> {
    match known.prefix(namespace) {
        Some("") => Some(("", "", "")),
        Some(prefix) => Some(("", prefix, ":")),
        None if known.has_expanded_names() => Some(("{", uri()?, "}")),
        None => None,
    }
}
