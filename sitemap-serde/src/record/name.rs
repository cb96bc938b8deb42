//! The names of the schema, as serde knows them.

use crate::xml::names::Namespace;

/// What the value of an element or attribute is, to somebody who does not know the type it is read into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Text,
    Decimal,
}

/// The name of an element of an entry: one of the schema's, or one that only this record has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name(u32);

struct Known {
    name: &'static str,
    shape: Shape,
}

const fn known(name: &'static str, shape: Shape) -> Known {
    Known { name, shape }
}

static KNOWN: [Known; 4] = [
    known("loc", Shape::Text),
    known("lastmod", Shape::Text),
    known("changefreq", Shape::Text),
    known("priority", Shape::Decimal),
];

impl Name {
    pub(crate) const LOC: Name = Name(0);
    pub(crate) const LASTMOD: Name = Name(1);
    pub(crate) const CHANGEFREQ: Name = Name(2);
    pub(crate) const PRIORITY: Name = Name(3);

    /// The number of names that the schema has.
    pub(crate) const KNOWN: usize = KNOWN.len();

    /// The name of an element of the schema.
    #[inline]
    pub(crate) fn known(namespace: Namespace, local: &str) -> Option<Self> {
        match namespace {
            Namespace::Core | Namespace::None => Some(match local {
                "loc" => Name::LOC,
                "lastmod" => Name::LASTMOD,
                "changefreq" => Name::CHANGEFREQ,
                "priority" => Name::PRIORITY,
                _ => return None,
            }),
            Namespace::Xml | Namespace::Other => None,
        }
    }

    /// The `i`-th name that only this record has.
    pub(crate) fn custom(i: usize) -> Self {
        Name(u32::try_from(Self::KNOWN + i).unwrap_or(u32::MAX))
    }

    /// The name's index: below [`KNOWN`](Self::KNOWN) if the schema has it.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn as_static(self) -> Option<&'static str> {
        KNOWN.get(self.index()).map(|known| known.name)
    }

    pub(crate) fn shape(self) -> Shape {
        KNOWN.get(self.index()).map_or(Shape::Text, |known| known.shape)
    }
}
