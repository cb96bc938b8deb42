//! Images, videos, news and alternates of a field.
//!
//! A field's type may implement the extension's trait, or be a collection whose reference iterates over such types. Two blanket
//! implementations for this would overlap, so the code calls `(&&&Field(&field)).__images(entry)`, and the compiler takes the first
//! method whose bounds hold: the trait for `&&Field`, the iteration for `&Field`, and for `Field` a method whose bound gives a
//! readable error. The method names are unlikely to collide with the user's traits.

use crate::entry::{EntryWriter, ToAlternates, ToImages, ToNews, ToVideos};
use crate::error::Result;

/// A field's value.
#[derive(Debug)]
pub struct Field<'a, T: ?Sized>(pub &'a T);

/// A collection of values of the trait.
struct Each<'a, T: ?Sized>(&'a T);

macro_rules! keys {
    ($($key:ident $trait:ident $write:ident $direct:ident $each:ident $function:ident;)*) => {
        $(
            impl<'a, T: ?Sized> $trait for Each<'a, T>
            where
                &'a T: IntoIterator<Item: $trait>,
            {
                fn $write(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
                    self.0.into_iter().try_for_each(|item| item.$write(entry))
                }
            }

            /// A field whose type implements the trait.
            pub trait $direct {
                /// Writes the field.
                fn $function(&self, entry: &mut EntryWriter<'_>) -> Result<()>;
            }

            impl<T: $trait + ?Sized> $direct for &&Field<'_, T> {
                fn $function(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
                    entry.$key(self.0)
                }
            }

            /// A field whose reference is iterable.
            pub trait $each {
                /// Writes the field.
                fn $function(&self, entry: &mut EntryWriter<'_>) -> Result<()>;
            }

            impl<'a, T: ?Sized> $each for &Field<'a, T>
            where
                &'a T: IntoIterator<Item: $trait>,
            {
                fn $function(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
                    entry.$key(Each(self.0))
                }
            }
        )*
    };
}
keys! {
    image ToImages write_images Images EachImage __images;
    video ToVideos write_videos Videos EachVideo __videos;
    alternate ToAlternates write_alternates Alternates EachAlternate __alternates;
}

// Written out without a macro, so that the compiler's messages are short.

/// A field that cannot be images.
pub trait NoImages<T: ?Sized> {
    /// Never called: its bound is the compiler's error.
    fn __images(&self, entry: &mut EntryWriter<'_>) -> Result<()>
    where
        T: ToImages;
}

impl<T: ?Sized> NoImages<T> for Field<'_, T> {
    fn __images(&self, entry: &mut EntryWriter<'_>) -> Result<()>
    where
        T: ToImages,
    {
        entry.image(self.0)
    }
}

/// A field that cannot be videos.
pub trait NoVideos<T: ?Sized> {
    /// Never called: its bound is the compiler's error.
    fn __videos(&self, entry: &mut EntryWriter<'_>) -> Result<()>
    where
        T: ToVideos;
}

impl<T: ?Sized> NoVideos<T> for Field<'_, T> {
    fn __videos(&self, entry: &mut EntryWriter<'_>) -> Result<()>
    where
        T: ToVideos,
    {
        entry.video(self.0)
    }
}

/// A field that cannot be alternates.
pub trait NoAlternates<T: ?Sized> {
    /// Never called: its bound is the compiler's error.
    fn __alternates(&self, entry: &mut EntryWriter<'_>) -> Result<()>
    where
        T: ToAlternates;
}

impl<T: ?Sized> NoAlternates<T> for Field<'_, T> {
    fn __alternates(&self, entry: &mut EntryWriter<'_>) -> Result<()>
    where
        T: ToAlternates,
    {
        entry.alternate(self.0)
    }
}

/// Writes a field's news, at most one.
pub fn news<T: ToNews + ?Sized>(entry: &mut EntryWriter<'_>, value: &T) -> Result<()> {
    entry.news(value)
}
