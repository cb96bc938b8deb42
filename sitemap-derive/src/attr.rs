//! The attributes `#[sitemap(…)]` of types, variants and fields.

mod constant;
mod items;
mod key;
mod language;
mod namespace;
mod newest;
mod parts;
mod suggest;
mod value;

use proc_macro2::{Ident, Span};
use sitemap_values::schema::entry;
use syn::spanned::Spanned;
use syn::{Attribute, LitStr, Path};

pub(crate) use self::constant::{
    Base, ChangeFreq, ConstExpr, Encoding, Precision, Priority, changefreq, priority,
};
pub(crate) use self::items::Value;
pub(crate) use self::key::Level;
pub(crate) use self::language::{Links, RowsOfLanguages, check_default};
pub(crate) use self::newest::{DateField, Dates};
pub(crate) use self::parts::Part;
pub(crate) use self::value::{Filter, OrFunction};

use self::items::Items;
use self::key::Key;
use crate::ctxt::{Checked, Ctxt};

/// A key with its value, or an error if the value is invalid.
pub(crate) struct Setting<T> {
    pub(crate) key: Ident,
    pub(crate) value: Checked<T>,
}

impl<T> Setting<T> {
    /// The value, if it is valid. Code is generated only if all are.
    pub(crate) fn valid(&self) -> Option<&T> {
        self.value.as_ref().ok()
    }
}

/// An element of an extension.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extension {
    Image,
    Video,
    News,
    Alternate,
}

impl Extension {
    /// All extensions, in document order.
    pub(crate) const ALL: [Extension; 4] = [
        Extension::Image,
        Extension::Video,
        Extension::News,
        Extension::Alternate,
    ];

    /// The library's type.
    pub(crate) fn type_name(self) -> &'static str {
        match self {
            Extension::Image => "Image",
            Extension::Video => "Video",
            Extension::News => "News",
            Extension::Alternate => "Alternate",
        }
    }

    /// The element's qualified name.
    pub(crate) fn element(self) -> &'static str {
        match self {
            Extension::Image => entry::IMAGE,
            Extension::Video => entry::VIDEO,
            Extension::News => entry::NEWS,
            Extension::Alternate => entry::ALTERNATE,
        }
    }
}

/// The attributes of a struct or variant about its page.
#[derive(Default)]
pub(crate) struct PageAttrs {
    pub(crate) loc: Option<Setting<OrFunction<LitStr>>>,
    pub(crate) lastmod: Option<Setting<OrFunction<Dates>>>,
    pub(crate) changefreq: Option<Setting<OrFunction<ChangeFreq>>>,
    pub(crate) priority: Option<Setting<OrFunction<Priority>>>,
    /// The precision of a lastmod returned by a function.
    pub(crate) precision: Option<Setting<Precision>>,
    /// The images, the videos and the article, each by its parts or by a function of the row.
    pub(crate) extensions: Vec<(Extension, Setting<OrFunction<Vec<Part>>>)>,
    pub(crate) alternate: Option<Setting<OrFunction<Links>>>,
    /// The key `mobile`, for pages for feature phones.
    pub(crate) mobile: Option<Ident>,
    pub(crate) languages: Option<Setting<Vec<LitStr>>>,
    pub(crate) x_default: Option<Setting<LitStr>>,
    /// `true` if there is a mistake that may be a misspelt `loc`.
    pub(crate) loc_misspelt: bool,
    /// `true` if there is any item, valid or not.
    pub(crate) any: bool,
}

/// The attributes of a struct or enum.
#[derive(Default)]
pub(crate) struct TypeAttrs {
    pub(crate) krate: Option<Setting<Path>>,
    /// The base of its URLs.
    pub(crate) base: Option<Setting<Base>>,
    /// The encoding of its server's URLs.
    pub(crate) encoding: Option<Setting<Encoding>>,
    /// The namespaces of its elements, each by its prefix.
    pub(crate) namespaces: Option<Setting<Vec<(Ident, LitStr)>>>,
    pub(crate) filters: Vec<Filter>,
    pub(crate) page: PageAttrs,
}

#[derive(Default)]
pub(crate) struct FieldAttrs {
    pub(crate) loc: Option<Ident>,
    pub(crate) lastmod: Option<Ident>,
    pub(crate) changefreq: Option<Ident>,
    pub(crate) priority: Option<Ident>,
    /// The extensions that the field is written as.
    pub(crate) extensions: Vec<(Extension, Ident)>,
    /// The name of the field's element in a user namespace.
    pub(crate) element: Option<Setting<LitStr>>,
    /// The key `flatten`: the field's own fields are values of the entry.
    pub(crate) flatten: Option<Ident>,
    /// The languages of the page's translations.
    pub(crate) languages: Option<Setting<RowsOfLanguages>>,
    /// The module that converts the field's value in both directions.
    pub(crate) with: Option<Setting<Path>>,
    pub(crate) write_with: Option<Setting<Path>>,
    pub(crate) read_with: Option<Setting<Path>>,
    /// The zone of a naive date-time, in minutes east of UTC.
    pub(crate) zone: Option<Setting<i16>>,
    /// The precision of a lastmod.
    pub(crate) precision: Option<Setting<Precision>>,
    pub(crate) default: Option<Setting<Value>>,
    pub(crate) filters: Vec<Filter>,
    /// `true` if there is a mistake that may be a misspelt `loc`.
    pub(crate) loc_misspelt: bool,
}

impl FieldAttrs {
    /// The function that converts the field's value when it is written.
    pub(crate) fn writes_with(&self) -> Checked<Option<Path>> {
        function(self.write_with.as_ref(), self.with.as_ref(), "write")
    }

    /// The function that converts to the field's value when it is read.
    pub(crate) fn reads_with(&self) -> Checked<Option<Path>> {
        function(self.read_with.as_ref(), self.with.as_ref(), "read")
    }
}

/// The function itself, or the function `name` of the module.
fn function(
    function: Option<&Setting<Path>>,
    module: Option<&Setting<Path>>,
    name: &str,
) -> Checked<Option<Path>> {
    match (function, module) {
        (Some(function), _) => function.value.clone().map(Some),
        (None, None) => Ok(None),
        (None, Some(module)) => {
            let mut path = module.value.clone()?;
            let span = path.span();
            path.segments
                .push(Ident::new(name, Span::call_site().located_at(span)).into());
            Ok(Some(path))
        }
    }
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
