//! Names of extension and user elements to write.

use sitemap_values::quote::quote;

use crate::error::{Advice, Defect, Error, Message, Result};
use crate::schema::{Name, SchemaRow, Shape};
use crate::xml::names::{KnownNamespaces, Namespace, split, split_expanded};

/// An element's name in serde, resolved to its schema row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElementName<'n> {
    /// serde's name: with a prefix, or with the namespace URI in braces.
    pub(super) qualified: &'n str,
    /// The local name, if it is a name with a URI.
    pub(super) expanded: Option<&'n str>,
    pub(super) namespace: Namespace,
    /// The schema's name; `None` for a user namespace.
    pub(super) name: Option<Name>,
}

impl From<Name> for ElementName<'static> {
    fn from(name: Name) -> Self {
        ElementName {
            qualified: name.shown(),
            expanded: None,
            namespace: name.namespace(),
            name: Some(name),
        }
    }
}

impl<'n> ElementName<'n> {
    /// Resolves the name of an extension or user element.
    pub(crate) fn find(known: &mut KnownNamespaces, qualified: &'n str) -> Result<Self> {
        // A prefix of the schema always has its usual meaning.
        match Name::of_extension(qualified) {
            Some(name) => Ok(name.into()),
            None => Self::find_other(known, qualified),
        }
    }

    /// Resolves a name that is not in the schema.
    fn find_other(known: &mut KnownNamespaces, qualified: &'n str) -> Result<Self> {
        if known.has_expanded_names()
            && let Some((uri, local)) = split_expanded(qualified)
        {
            check_local(local, qualified, "element")?;
            return Ok(ElementName {
                qualified,
                expanded: Some(local),
                namespace: known.of_uri(uri)?,
                name: None,
            });
        }
        let (prefix, local) = split(qualified);
        if prefix.is_empty() && known.has_expanded_names() {
            check_local(local, qualified, "element")?;
            return Ok(ElementName {
                qualified,
                expanded: None,
                namespace: Namespace::Core,
                name: None,
            });
        }
        let Some(namespace) = known
            .of_prefix(prefix)
            .filter(|namespace| *namespace != Namespace::Xml)
        else {
            known.check()?;
            return Err(unknown_prefix(qualified, prefix));
        };
        let all = Name::all_of(namespace);
        if !all.is_empty() {
            return Err(Error::data(
                Message::new(format!(
                    "{} is not an element of its namespace: it has {}",
                    quote(qualified),
                    all.join(", ")
                ))
                .advice("correct the name"),
            )
            .with_defect(Defect::Unknown));
        }
        check_local(local, qualified, "element")?;
        Ok(ElementName {
            qualified,
            expanded: None,
            namespace,
            name: None,
        })
    }

    pub(crate) fn as_str(&self) -> &'n str {
        self.qualified
    }

    /// Returns `true` if it is this element of the schema.
    #[inline]
    pub(crate) fn is(&self, name: Name) -> bool {
        self.name == Some(name)
    }

    /// Returns `true` if the element is in a user namespace.
    pub(crate) fn is_outside_schema(&self) -> bool {
        self.name.is_none()
    }

    pub(crate) fn row(&self) -> Option<&'static SchemaRow> {
        self.name.and_then(Name::row)
    }

    pub(crate) fn shape(&self) -> Option<Shape> {
        self.row().map(SchemaRow::shape)
    }
}

/// Checks a local name; `whole` is the full name, for the message.
pub(super) fn check_local(local: &str, whole: &str, what: &str) -> Result<()> {
    let is_prefixed_by_nothing = whole.strip_prefix('@').unwrap_or(whole).starts_with(':');
    let is_name = crate::xml::chars::name_len(local) == local.len() && !local.is_empty();
    if is_prefixed_by_nothing || local.contains(':') || !is_name {
        return Err(Error::data(
            Message::new(format!(
                "{} is not a valid name of an XML {what} (XML 1.0 section 2.3)",
                quote(whole)
            ))
            .advice("rename it"),
        ));
    }
    Ok(())
}

/// The error for the name of a user element without a prefix.
#[cold]
pub(crate) fn no_prefix(name: &str) -> Error {
    Error::data(
        Message::new(format!(
            "{} has no prefix: an element of a namespace of your own is `prefix:name`",
            quote(name)
        ))
        .advice("write the prefix that the builder's `namespace` was given; the sitemap's own elements have functions of their own"),
    )
}

#[cold]
pub(crate) fn unknown_prefix(qualified: &str, prefix: &str) -> Error {
    let message = Message::new(format!(
        "{} has the prefix `{prefix}`, and no namespace is known by it",
        quote(qualified)
    ));
    Error::settings(message.advice(name_prefix(prefix)))
}

/// The advice for a prefix without a namespace.
pub(crate) fn name_prefix(prefix: &str) -> Advice {
    Advice::of_api(
        "namespace",
        format!("make it known with `WriterBuilder::namespace(\"{prefix}\", …)`"),
    )
}
