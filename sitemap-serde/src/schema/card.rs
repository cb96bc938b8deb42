//! Cardinality of fields: how their elements are read and written, in one module for each word in a table.

use super::element::{Item, Word};
use super::{FieldSink, FieldSource, Name, Occurs};

/// A required element.
pub(super) mod one {
    use super::{FieldSink, FieldSource, Item, Name, Occurs};

    pub(in super::super) const fn occurs(_: &[usize]) -> Occurs {
        Occurs::One
    }

    #[inline]
    pub(in super::super) fn read<'de, T: Item, S: FieldSource<'de>>(
        field: &mut T,
        name: Name,
        source: S,
    ) -> Result<bool, S::Error> {
        let Some(value) = T::read_item(source, name)? else {
            return Ok(false);
        };
        *field = value;
        Ok(true)
    }

    #[inline]
    pub(in super::super) fn write<T: Item, S: FieldSink>(
        field: &T,
        name: Name,
        sink: &mut S,
    ) -> Result<(), S::Error> {
        field.write_item(name, sink)
    }
}

/// An optional element.
pub(super) mod maybe {
    use super::{FieldSink, FieldSource, Item, Name, Occurs};

    pub(in super::super) const fn occurs(_: &[usize]) -> Occurs {
        Occurs::Maybe
    }

    #[inline]
    pub(in super::super) fn read<'de, T: Item, S: FieldSource<'de>>(
        field: &mut Option<T>,
        name: Name,
        source: S,
    ) -> Result<bool, S::Error> {
        *field = T::read_item(source, name)?;
        Ok(field.is_some())
    }

    #[expect(
        clippy::ref_option,
        reason = "the fields of all structs are given by reference"
    )]
    #[inline]
    pub(in super::super) fn write<T: Item, S: FieldSink>(
        field: &Option<T>,
        name: Name,
        sink: &mut S,
    ) -> Result<(), S::Error> {
        match field {
            Some(value) => value.write_item(name, sink),
            None => sink.absent(name),
        }
    }
}

/// The optional template of a page map. The field is its only attribute.
pub(super) mod template {
    use super::super::page_map::Template;
    use super::{FieldSink, FieldSource, Name, maybe};

    pub(in super::super) use super::maybe::occurs;

    #[inline]
    pub(in super::super) fn read<'de, S: FieldSource<'de>>(
        field: &mut Option<String>,
        name: Name,
        source: S,
    ) -> Result<bool, S::Error> {
        let mut template: Option<Template> = None;
        let is_set = maybe::read(&mut template, name, source)?;
        *field = template.map(|template| template.src);
        Ok(is_set)
    }

    #[expect(
        clippy::ref_option,
        reason = "the fields of all structs are given by reference"
    )]
    #[inline]
    pub(in super::super) fn write<S: FieldSink>(
        field: &Option<String>,
        name: Name,
        sink: &mut S,
    ) -> Result<(), S::Error> {
        maybe::write(&field.clone().map(|src| Template { src }), name, sink)
    }
}

/// An element that may be repeated, up to the number in parentheses.
pub(super) mod many {
    use super::{FieldSink, FieldSource, Item, Name, Occurs};

    pub(in super::super) const fn occurs(most: &[usize]) -> Occurs {
        Occurs::Many(if most.is_empty() { usize::MAX } else { most[0] })
    }

    #[inline]
    pub(in super::super) fn read<'de, T: Item, S: FieldSource<'de>>(
        field: &mut Vec<T>,
        name: Name,
        source: S,
    ) -> Result<bool, S::Error> {
        source.many(name, field)
    }

    #[inline]
    pub(in super::super) fn write<T: Item, S: FieldSink>(
        field: &[T],
        name: Name,
        sink: &mut S,
    ) -> Result<(), S::Error> {
        if field.is_empty() {
            return sink.absent(name);
        }
        sink.many(name, field)
    }
}

/// One element whose text is a list.
pub(super) mod list {
    use super::super::leaf::{Joined, split};
    use super::{FieldSink, FieldSource, Name, Occurs, Word};

    pub(in super::super) const fn occurs(_: &[usize]) -> Occurs {
        Occurs::Maybe
    }

    #[inline]
    pub(in super::super) fn read<'de, T: Word, S: FieldSource<'de>>(
        field: &mut Vec<T>,
        name: Name,
        source: S,
    ) -> Result<bool, S::Error> {
        let Some(Joined(text)) = source.leaf(name)? else {
            return Ok(false);
        };
        *field = split(name, &text);
        Ok(true)
    }

    #[inline]
    pub(in super::super) fn write<T: Word, S: FieldSink>(
        field: &[T],
        name: Name,
        sink: &mut S,
    ) -> Result<(), S::Error> {
        if field.is_empty() {
            return sink.absent(name);
        }
        sink.leaf(name, &Joined::of(name, field))
    }
}

/// An element without a value: its presence means `true`.
pub(super) mod flag {
    use super::{FieldSink, FieldSource, Name, Occurs};

    pub(in super::super) const fn occurs(_: &[usize]) -> Occurs {
        Occurs::Maybe
    }

    #[inline]
    pub(in super::super) fn read<'de, S: FieldSource<'de>>(
        field: &mut bool,
        name: Name,
        source: S,
    ) -> Result<bool, S::Error> {
        *field = source.flag(name)?;
        Ok(*field)
    }

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "the fields of all structs are given by reference"
    )]
    #[inline]
    pub(in super::super) fn write<S: FieldSink>(
        field: &bool,
        name: Name,
        sink: &mut S,
    ) -> Result<(), S::Error> {
        if *field {
            sink.flag(name)
        } else {
            sink.absent(name)
        }
    }
}
