//! The attributes `#[sitemap(…)]` of types, variants and fields.

mod constant;
mod items;
mod key;
mod language;
mod value;
mod video;

use proc_macro2::Ident;
use syn::{Attribute, LitStr, Path};

pub(crate) use self::constant::{
    Base, CHANGE_FREQ, ChangeFreq, ConstExpr, Precision, Priority, changefreq, priority,
};
pub(crate) use self::items::Value;
pub(crate) use self::key::Level;
pub(crate) use self::language::{Links, RowsOfLanguages, check_default};
pub(crate) use self::value::{Filter, OrFunction};
pub(crate) use self::video::VideoPart;

use self::items::Items;
use self::key::Key;
use crate::ctxt::{Checked, Ctxt};
use crate::encoding::Encoding;
use crate::schema;

/// A key with its value, or an error if the value is invalid.
#[derive(Debug)]
pub(crate) struct Given<T> {
    pub(crate) key: Ident,
    pub(crate) value: Checked<T>,
}

/// An element of an extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extension {
    Image,
    Video,
    News,
    Alternate,
}

impl Extension {
    /// All, in the order in which they are written.
    pub(crate) const ALL: [Extension; 4] = [
        Extension::Image,
        Extension::Video,
        Extension::News,
        Extension::Alternate,
    ];

    /// The element's qualified name.
    pub(crate) fn element(self) -> &'static str {
        let key = match self {
            Extension::Image => "image",
            Extension::Video => "video",
            Extension::News => "news",
            Extension::Alternate => "alternate",
        };
        let row = schema::ENTRY.iter().find(|row| row.key == key);
        row.map_or(key, |row| row.element)
    }
}

/// The attributes of a struct or variant about its page.
#[derive(Default, Debug)]
pub(crate) struct PageAttrs {
    pub(crate) loc: Option<Given<OrFunction<LitStr>>>,
    pub(crate) lastmod: Option<Given<OrFunction<LitStr>>>,
    pub(crate) changefreq: Option<Given<OrFunction<ChangeFreq>>>,
    pub(crate) priority: Option<Given<OrFunction<Priority>>>,
    /// The precision of a lastmod returned by a function.
    pub(crate) precision: Option<Given<Precision>>,
    pub(crate) image: Option<Given<OrFunction<LitStr>>>,
    pub(crate) alternate: Option<Given<OrFunction<Links>>>,
    pub(crate) video: Option<Given<OrFunction<Vec<VideoPart>>>>,
    /// A function of the row that returns its news article.
    pub(crate) news: Option<Given<Path>>,
    pub(crate) languages: Option<Given<Vec<LitStr>>>,
    pub(crate) x_default: Option<Given<LitStr>>,
    /// Whether there is a mistake that may have been meant as `loc`.
    pub(crate) loc_misspelt: bool,
    /// Whether there is any item, valid or not.
    pub(crate) any: bool,
}

/// The attributes of a struct or enum.
#[derive(Default, Debug)]
pub(crate) struct TypeAttrs {
    pub(crate) krate: Option<Given<Path>>,
    /// The base of its URLs.
    pub(crate) base: Option<Given<Base>>,
    /// The encoding of its server's URLs.
    pub(crate) encoding: Option<Given<Encoding>>,
    pub(crate) filters: Vec<Filter>,
    pub(crate) page: PageAttrs,
}

#[derive(Default, Debug)]
pub(crate) struct FieldAttrs {
    pub(crate) loc: Option<Ident>,
    pub(crate) lastmod: Option<Ident>,
    pub(crate) changefreq: Option<Ident>,
    pub(crate) priority: Option<Ident>,
    /// The extensions that the field is written as.
    pub(crate) extensions: Vec<(Extension, Ident)>,
    /// The name of the element in a user namespace that the field is written as.
    pub(crate) element: Option<Given<LitStr>>,
    /// The key `flatten`: the field's own fields are values of the entry.
    pub(crate) flatten: Option<Ident>,
    /// The languages of the page's translations.
    pub(crate) languages: Option<Given<RowsOfLanguages>>,
    pub(crate) with: Option<Given<Path>>,
    pub(crate) from_with: Option<Given<Path>>,
    /// The zone of a naive date-time, in minutes east of UTC.
    pub(crate) zone: Option<Given<i16>>,
    /// The precision of a lastmod.
    pub(crate) precision: Option<Given<Precision>>,
    pub(crate) default: Option<Given<Value>>,
    pub(crate) filters: Vec<Filter>,
    /// Whether there is a mistake that may have been meant as `loc`.
    pub(crate) loc_misspelt: bool,
}

/// Reads the attributes of a struct or enum.
pub(crate) fn of_type(cx: &Ctxt, attrs: &[Attribute], level: Level) -> TypeAttrs {
    let items = Items::read(cx, attrs, level);
    let mut found = TypeAttrs::default();
    for item in &items.list {
        item.read_whole(&mut found, cx);
    }
    found.page = page(cx, &items);
    found
}

/// Reads the attributes of a variant.
pub(crate) fn of_variant(cx: &Ctxt, attrs: &[Attribute]) -> PageAttrs {
    page(cx, &Items::read(cx, attrs, Level::Variant))
}

fn page(cx: &Ctxt, items: &Items) -> PageAttrs {
    let mut found = PageAttrs {
        loc_misspelt: items.misspelt(Key::Loc),
        any: items.any,
        ..PageAttrs::default()
    };
    for item in &items.list {
        item.read_page(&mut found, cx);
    }
    found
}

/// Reads the attributes of a field.
pub(crate) fn of_field(cx: &Ctxt, attrs: &[Attribute]) -> FieldAttrs {
    let items = Items::read(cx, attrs, Level::Field);
    let mut found = FieldAttrs {
        loc_misspelt: items.misspelt(Key::Loc),
        ..FieldAttrs::default()
    };
    for item in &items.list {
        item.read_field(&mut found, cx);
    }
    found
}
