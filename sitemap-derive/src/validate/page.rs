//! A page: finds each of its values, and checks that none has two.

use std::rc::Rc;

use syn::ext::IdentExt;
use syn::{Ident, LitStr, Path};

use super::field::{Field, FieldInfo, Source};
use super::languages::{self, Languages, LanguagesOf, Links};
use super::lastmod::{self, Lastmod, LastmodOf};
use super::loc::{self, Loc, Piece, Placeholders};
use super::parts::{self, Part};
use super::title::{self, Title};
use super::value::{self, Optional};
use super::{Direction, PageInput, TypeSettings, second};
use crate::attr::{Extension, Filter, Key, OrFunction, PageAttrs, Setting};
use crate::ctxt::{Checked, Ctxt};

/// An entry, field by field, in the schema's order.
pub(crate) struct Page {
    pub(crate) loc: Loc,
    pub(crate) lastmod: Option<Lastmod>,
    /// The values that may have a default, in the schema's order.
    pub(crate) values: Vec<(Key, Optional)>,
    /// In the order of [`Extension::ALL`], and of the fields.
    pub(crate) extensions: Vec<(Extension, Source)>,
    /// The fields that are elements of a user namespace, each with the element's name.
    pub(crate) elements: Vec<(LitStr, Source)>,
    /// The images, the videos and the article that are written part by part.
    pub(crate) parts: Vec<(Extension, Vec<Part>)>,
    /// The functions of the row that return extensions, in the order of [`Extension::ALL`].
    pub(crate) functions: Vec<(Extension, Path)>,
    /// `true` for a page for feature phones.
    pub(crate) mobile: bool,
    pub(crate) links: Option<Links>,
    pub(crate) title: Option<Title>,
    /// The languages, if the row is an entry for each.
    pub(crate) languages: Option<Languages>,
    /// The flattened fields.
    pub(crate) flattened: Vec<Source>,
    pub(crate) filters: Vec<(Rc<Field>, Filter)>,
    /// The fields that are not in the entry.
    pub(crate) unmapped: Vec<Rc<Field>>,
}

impl Page {
    /// Returns `true` if any of its URLs may be a path.
    pub(crate) fn may_have_paths(&self) -> bool {
        let is_path = match &self.loc {
            Loc::Field(_) | Loc::Function(_) | Loc::Elsewhere => true,
            Loc::Template(template) => template.may_be_a_path(),
        };
        is_path || self.has_links()
    }

    /// Returns `true` if any of its URLs may have characters outside ASCII.
    pub(crate) fn may_be_wide(&self) -> bool {
        let is_wide = match &self.loc {
            Loc::Field(_) | Loc::Function(_) | Loc::Elsewhere => true,
            Loc::Template(template) => template.pieces.iter().any(|piece| match piece {
                Piece::Text(text) => !text.is_ascii(),
                _ => true,
            }),
        };
        is_wide || self.has_links()
    }

    /// Returns `true` if it has other URLs than its loc.
    fn has_links(&self) -> bool {
        let extensions = self.extensions.iter().map(|(extension, _)| extension);
        let functions = self.functions.iter().map(|(extension, _)| extension);
        let parts = self.parts.iter().map(|(extension, _)| extension);
        self.links.is_some()
            || extensions
                .chain(functions)
                .chain(parts)
                .any(|extension| *extension != Extension::News)
    }

    /// The keys of the values that it gives an entry. Images, videos and links of fields are left out: they add up.
    pub(crate) fn gives(&self) -> Vec<Key> {
        let mut keys: Vec<Key> = self.values.iter().map(|(key, _)| *key).collect();
        keys.extend(self.lastmod.as_ref().map(|_| Key::Lastmod));
        let extensions = self.extensions.iter().map(|(extension, _)| extension);
        let functions = self.functions.iter().map(|(extension, _)| extension);
        let parts = self.parts.iter().map(|(extension, _)| extension);
        let mut all = extensions.chain(functions).chain(parts);
        keys.extend(
            all.find(|extension| **extension == Extension::News)
                .map(|_| Key::News),
        );
        // Links by template are the page's only links.
        if self.links.is_some() || self.languages.is_some() {
            keys.push(Key::Alternate);
        }
        keys.sort_unstable();
        keys
    }

    /// The keys of the values that it reads from an entry. Values of flattened fields are left out.
    pub(crate) fn reads(&self) -> Vec<Key> {
        let values = self.values.iter();
        let values = values.filter(|(_, value)| matches!(value, Optional::Field { .. }));
        let mut keys: Vec<Key> = values.map(|(key, _)| *key).collect();
        if let Some(LastmodOf::Field(_)) = self.lastmod.as_ref().map(|lastmod| &lastmod.of) {
            keys.push(Key::Lastmod);
        }
        keys.extend(self.extensions.iter().map(|(extension, _)| extension.key()));
        if let Some(LanguagesOf::Field(..)) = self.languages.as_ref().map(|languages| &languages.of) {
            keys.push(Key::Alternate);
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// The fields that `page_title` reads.
    pub(crate) fn title_fields(&self) -> impl Iterator<Item = &Rc<Field>> {
        let flattened = self.flattened.iter().map(|source| &source.field);
        self.title.iter().flat_map(Title::fields).chain(flattened)
    }

    /// The fields that `write_entry` reads.
    pub(crate) fn fields(&self) -> Vec<&Rc<Field>> {
        let mut fields = Vec::new();
        match &self.loc {
            Loc::Field(source) => fields.push(&source.field),
            Loc::Template(template) => fields.extend(template.fields()),
            Loc::Function(_) | Loc::Elsewhere => {}
        }
        fields.extend(self.flattened.iter().map(|source| &source.field));
        let parts = self.parts.iter().flat_map(|(_, parts)| parts);
        fields.extend(parts.flat_map(Part::pieces).filter_map(Piece::field));
        fields.extend(self.links.iter().flat_map(|links| links.template.fields()));
        if let Some(Languages {
            of: LanguagesOf::Field(source, _),
            ..
        }) = &self.languages
        {
            fields.push(&source.field);
        }
        match self.lastmod.as_ref().map(|lastmod| &lastmod.of) {
            Some(LastmodOf::Field(source)) => fields.push(&source.field),
            Some(LastmodOf::Newest(pieces)) => fields.extend(pieces.iter().filter_map(Piece::field)),
            _ => {}
        }
        for (_, value) in &self.values {
            if let Optional::Field { source, .. } = value {
                fields.push(&source.field);
            }
        }
        fields.extend(self.extensions.iter().map(|(_, source)| &source.field));
        fields.extend(self.elements.iter().map(|(_, source)| &source.field));
        fields
    }
}

pub(super) fn page(input: PageInput<'_>) -> Checked<Box<Page>> {
    let PageInput {
        cx,
        settings,
        attrs,
        fields,
        ..
    } = input;
    let (languages, placeholders) = match settings.direction {
        // Languages belong to the type's own page; as a part of a row, it uses the row's.
        Direction::Fields | Direction::FromFields => (Ok(None), Placeholders::default()),
        _ => languages::languages(input),
    };
    check_functions(input);
    let loc = loc::loc(input, &placeholders);
    if let (Ok(Some(_)), Ok(loc), Some(key)) = (&languages, &loc, languages::languages_key(attrs, fields)) {
        languages::check(cx, settings, key, loc, &placeholders);
    }
    let parts = parts::parts(input, &placeholders);
    let links = languages::links(input, &languages);
    let title = title::title(input);
    let lastmod = lastmod::lastmod(input);
    lastmod::check_precision(cx, attrs);
    let values = value::values(input);
    let extensions = extensions(input);
    let elements = elements(input);
    let is_in_template = |field: &FieldInfo| {
        matches!(&parts, Ok(parts) if parts.iter().any(|(_, parts)| names(parts, field)))
            || matches!(&links, Ok(Some(links)) if links.template.names(field))
            || matches!(&title, Ok(Some(title)) if title.names(field))
    };
    check_fields(input, &loc, is_in_template);
    let flattened = flattened(input, &loc);
    let loc = loc?;
    let unmapped = fields
        .iter()
        .filter(|field| !field.is_read() && !loc.names(field))
        .map(|field| field.field.clone())
        .collect();
    Ok(Box::new(Page {
        loc,
        lastmod: lastmod?,
        values: values?,
        extensions: extensions?,
        elements: elements?,
        parts: parts?,
        functions: functions(attrs),
        mobile: attrs.mobile.is_some(),
        links: links?,
        title: title?,
        languages: languages?,
        flattened: flattened?,
        filters: filters(settings, fields),
        unmapped,
    }))
}

/// The functions of the row that return extensions.
fn functions(attrs: &PageAttrs) -> Vec<(Extension, Path)> {
    let extensions = attrs.extensions.iter();
    let alternate = attrs.alternate.as_ref();
    let mut found: Vec<(Extension, Path)> = extensions
        .filter_map(|(extension, setting)| Some((*extension, named_function(Some(setting))?.1)))
        .chain(named_function(alternate).map(|(_, path)| (Extension::Alternate, path)))
        .map(|(extension, path)| (extension, path.clone()))
        .collect();
    found.sort_by_key(|(extension, _)| Extension::ALL.iter().position(|other| other == extension));
    found
}

/// Checks each field, and whether it is used.
fn check_fields(input: PageInput<'_>, loc: &Checked<Loc>, is_in_template: impl Fn(&FieldInfo) -> bool) {
    let PageInput {
        cx,
        settings,
        attrs,
        fields,
        ..
    } = input;
    for field in fields {
        field.check(cx);
        // If the loc is invalid, the fields that it would have named are unknown.
        let Ok(loc) = loc else { continue };
        let is_named = loc.names(field);
        if !is_named && !is_in_template(field) && (!settings.direction.is_part() || attrs.loc.is_none()) {
            field.check_unused(cx);
        }
        let is_read = if is_named {
            field.roles().is_empty()
        } else {
            field.is_read()
        };
        if settings.direction.reads() && is_read {
            field.check_way_back(cx);
        }
    }
}

/// The filters of the fields. A part has no filters: its row decides if it is listed.
fn filters(settings: TypeSettings, fields: &[FieldInfo]) -> Vec<(Rc<Field>, Filter)> {
    if settings.direction.is_part() {
        return Vec::new();
    }
    let of_field = |field: &FieldInfo| {
        let filters = field.attrs().filters.clone();
        let field = field.field.clone();
        filters.into_iter().map(move |filter| (field.clone(), filter))
    };
    fields.iter().flat_map(of_field).collect()
}

/// Returns `true` if a part names the field.
fn names(parts: &[Part], field: &FieldInfo) -> bool {
    let mut named = parts.iter().flat_map(Part::pieces).filter_map(Piece::field);
    named.any(|named| Rc::ptr_eq(named, &field.field))
}

/// Reports functions that have a field's name: the field was probably intended.
fn check_functions(input: PageInput<'_>) {
    let PageInput {
        cx, attrs, fields, ..
    } = input;
    let functions = [
        named_function(attrs.loc.as_ref()),
        named_function(attrs.lastmod.as_ref()),
        named_function(attrs.title.as_ref()),
    ];
    let mut values: Vec<_> = attrs.values.iter().collect();
    values.sort_by_key(|(key, _)| *key);
    let values = values
        .into_iter()
        .map(|(_, setting)| named_function(Some(setting)));
    let alternate = [named_function(attrs.alternate.as_ref())];
    let extensions = attrs.extensions.iter();
    let extensions = extensions.map(|(_, setting)| named_function(Some(setting)));
    let functions = functions
        .into_iter()
        .chain(values)
        .chain(alternate)
        .chain(extensions);
    for (key, path) in functions.flatten() {
        check_function(cx, fields, key, path);
    }
}

/// Reports a function of a key of the struct or variant that has the name of a field.
pub(super) fn check_function(cx: &Ctxt, fields: &[FieldInfo], key: &Ident, path: &Path) {
    if let Some(name) = path.get_ident()
        && fields.iter().any(|field| name.unraw() == field.name)
    {
        let message = format!(
            "`{name}` is a field: write `#[sitemap({key})]` on it; a function with this name is `{key} = self::{name}`"
        );
        cx.error(path, message);
    }
}

fn named_function<T>(setting: Option<&Setting<OrFunction<T>>>) -> Option<(&Ident, &Path)> {
    match setting? {
        Setting {
            key,
            value: Ok(OrFunction::Function(path)),
        } => Some((key, path)),
        _ => None,
    }
}

/// The fields with extensions. Several fields may write the same one, except news, and when reading is derived.
fn extensions(input: PageInput<'_>) -> Checked<Vec<(Extension, Source)>> {
    let PageInput {
        cx,
        settings,
        what,
        attrs,
        fields,
        ..
    } = input;
    let mut found = Vec::new();
    for extension in Extension::ALL {
        let mut of_key = fields
            .iter()
            .filter_map(|field| Some((field, field.attrs().role(extension.key())?)));
        let Some((first, name)) = of_key.next() else {
            continue;
        };
        let of_page = attrs.extensions.iter().any(|(other, _)| *other == extension);
        if of_page && extension == Extension::News {
            cx.error(
                name,
                format!("a second `news`: {what} has one already (P-NEWS4); keep one of them"),
            );
        }
        found.push((extension, first.source(true)));
        for (field, key) in of_key {
            found.push((extension, field.source(true)));
            if extension == Extension::News {
                cx.error(key, second(first, key, "(P-NEWS4)"));
            } else if settings.direction.reads() {
                cx.error(
                    key,
                    format!(
                        "a second `{name}`: {} is one already. They add up when they are written, but a document does not say which field its own belong to: combine them in one field, such as a `Vec`",
                        first.described()
                    ),
                );
            }
        }
    }
    found
        .into_iter()
        .map(|(extension, source)| Ok((extension, source?)))
        .collect()
}

/// The fields that are elements of a user namespace. Several fields may write the same element.
fn elements(input: PageInput<'_>) -> Checked<Vec<(LitStr, Source)>> {
    let PageInput {
        cx, settings, fields, ..
    } = input;
    let mut found: Vec<(LitStr, Source)> = Vec::new();
    let mut right = Ok(());
    for field in fields {
        let Some(setting) = &field.attrs().element else {
            continue;
        };
        let (name, source) = match (setting.value.clone(), field.source(true)) {
            (Ok(name), Ok(source)) => (name, source),
            (Err(reported), _) | (_, Err(reported)) => {
                right = Err(reported);
                continue;
            }
        };
        if settings.direction.reads() && found.iter().any(|(other, _)| other.value() == name.value()) {
            right = Err(cx.error(
                &name,
                format!(
                    "a second `{}`: another field is it already. They add up when they are written, but a document does not say which field its own belong to: combine them in one field, such as a `Vec`",
                    name.value()
                ),
            ));
        }
        found.push((name, source));
    }
    right.map(|()| found)
}

/// The flattened fields.
fn flattened(input: PageInput<'_>, loc: &Checked<Loc>) -> Checked<Vec<Source>> {
    let PageInput {
        cx, settings, fields, ..
    } = input;
    let mut found = Vec::new();
    for field in fields {
        let Some(key) = field.attrs().role(Key::Flatten) else {
            continue;
        };
        if settings.direction.reads()
            && field.attrs().read_with.is_some()
            && let Ok(Loc::Template(template)) = loc
            && let Some(name) = template.inner_of(field)
        {
            found.push(Err(cx.error(
                key,
                format!(
                    "`{{{name}}}` cannot be read back: the value for `read_with` is made only from the entry's values, without the address; read \
                     the entries into a type whose field {} is flattened as it is",
                    field.described()
                ),
            )));
            continue;
        }
        found.push(field.source(true));
    }
    found.into_iter().collect()
}
