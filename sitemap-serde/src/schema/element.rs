//! Traits of the crate's types for elements.

use std::borrow::Cow;

use sitemap_values::W3cDateTime;

use super::{FieldSink, FieldSource, Group, Name};

/// An entry, or an element with attributes and children, as a struct. Only [`table!`](super::table) implements it.
pub(crate) trait Element: Sized + Item + 'static {
    const GROUP: Group;
    /// serde's name of the struct.
    const SERDE_NAME: &'static str;
    /// serde's names of its fields.
    const FIELDS: &'static [&'static str];

    /// An element to be filled.
    fn blank() -> Self;

    /// Reads one attribute, child or text; returns whether it had a value.
    fn read<'de, S: FieldSource<'de>>(&mut self, name: Name, source: S) -> Result<bool, S::Error>;

    /// Writes all attributes, children and text, in the order of the rows.
    fn write<S: FieldSink>(&self, sink: &mut S) -> Result<(), S::Error>;
}

/// The value of one element or attribute: text, or a struct.
pub(crate) trait Item: Sized + serde_core::Serialize {
    /// The value; `None` if the element is empty.
    fn read_item<'de, S: FieldSource<'de>>(source: S, name: Name) -> Result<Option<Self>, S::Error>;

    /// Appends the value to the values of its name; returns whether there was one.
    fn push_item<'de, S: FieldSource<'de>>(
        source: S,
        name: Name,
        into: &mut Vec<Self>,
    ) -> Result<bool, S::Error>;

    fn write_item<S: FieldSink>(&self, name: Name, sink: &mut S) -> Result<(), S::Error>;
}

/// The placeholder value of a field before it is read.
pub(crate) trait Blank {
    fn blank() -> Self;
}

impl Blank for String {
    #[inline]
    fn blank() -> Self {
        String::new()
    }
}

impl Blank for Cow<'static, str> {
    #[inline]
    fn blank() -> Self {
        Cow::Borrowed("")
    }
}

impl Blank for bool {
    fn blank() -> Self {
        false
    }
}

impl<T> Blank for Option<T> {
    #[inline]
    fn blank() -> Self {
        None
    }
}

impl<T> Blank for Vec<T> {
    #[inline]
    fn blank() -> Self {
        Vec::new()
    }
}

impl Blank for W3cDateTime {
    fn blank() -> Self {
        W3cDateTime::BLANK
    }
}

/// Traits of texts.
macro_rules! leaf {
    ($($type:ty;)*) => {
        $(impl $crate::schema::element::Item for $type {
            #[inline]
            fn read_item<'de, S: $crate::schema::FieldSource<'de>>(
                source: S,
                name: $crate::schema::Name,
            ) -> Result<Option<Self>, S::Error> {
                source.leaf(name)
            }

            #[inline]
            fn push_item<'de, S: $crate::schema::FieldSource<'de>>(
                source: S,
                name: $crate::schema::Name,
                into: &mut Vec<Self>,
            ) -> Result<bool, S::Error> {
                let value = source.leaf::<Self>(name)?;
                let read = value.is_some();
                into.extend(value);
                Ok(read)
            }

            #[inline]
            fn write_item<S: $crate::schema::FieldSink>(
                &self,
                name: $crate::schema::Name,
                sink: &mut S,
            ) -> Result<(), S::Error> {
                sink.leaf(name, self)
            }
        })*
    };
}
pub(crate) use leaf;

/// Traits of a struct of a table.
macro_rules! element {
    ($type:ident) => {
        impl $crate::schema::element::Item for $type {
            fn read_item<'de, S: $crate::schema::FieldSource<'de>>(
                source: S,
                _: $crate::schema::Name,
            ) -> Result<Option<Self>, S::Error> {
                let mut element = <$type as $crate::schema::Element>::blank();
                Ok(source.fill(&mut element)?.then_some(element))
            }

            #[inline]
            fn push_item<'de, S: $crate::schema::FieldSource<'de>>(
                source: S,
                _: $crate::schema::Name,
                into: &mut Vec<Self>,
            ) -> Result<bool, S::Error> {
                // Filled in its place: it is large, and moving it takes time.
                into.push(<$type as $crate::schema::Element>::blank());
                let Some(element) = into.last_mut() else {
                    return Ok(false);
                };
                let read = source.fill(element)?;
                if !read {
                    into.pop();
                }
                Ok(read)
            }

            fn write_item<S: $crate::schema::FieldSink>(
                &self,
                name: $crate::schema::Name,
                sink: &mut S,
            ) -> Result<(), S::Error> {
                sink.element(name, self)
            }
        }

        impl $crate::schema::element::Blank for $type {
            fn blank() -> Self {
                <$type as $crate::schema::Element>::blank()
            }
        }

        impl serde_core::Serialize for $type {
            fn serialize<S: serde_core::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::schema::serde::serialize(self, serializer)
            }
        }

        impl<'de> serde_core::Deserialize<'de> for $type {
            fn deserialize<D: serde_core::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::schema::serde::deserialize(deserializer)
            }
        }
    };
}
pub(super) use element;

/// Large elements that most entries do not have are boxed.
impl<T: Element + Item> Item for Box<T> {
    fn read_item<'de, S: FieldSource<'de>>(source: S, _: Name) -> Result<Option<Self>, S::Error> {
        let mut value = Box::new(T::blank());
        Ok(source.fill(&mut *value)?.then_some(value))
    }

    fn push_item<'de, S: FieldSource<'de>>(
        source: S,
        name: Name,
        into: &mut Vec<Self>,
    ) -> Result<bool, S::Error> {
        let value = Self::read_item(source, name)?;
        let read = value.is_some();
        into.extend(value);
        Ok(read)
    }

    fn write_item<S: FieldSink>(&self, name: Name, sink: &mut S) -> Result<(), S::Error> {
        (**self).write_item(name, sink)
    }
}

/// A type of text, for the bound of a list's words.
pub(crate) trait Word: for<'t> From<&'t str> {
    fn as_word(&self) -> &str;
}

impl Word for String {
    fn as_word(&self) -> &str {
        self
    }
}
