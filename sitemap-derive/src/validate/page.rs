//! A page: finds each of its values, and checks that none has two.

use std::rc::Rc;

use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Ident, LitStr, Path};

use super::TypeSettings;
use super::field::FieldInfo;
use super::loc::{Placeholders, loc, member, no_such_field, not_flattened, template};
use super::parts::parts;
use crate::attr::{
    self, DateField, Dates, Extension, Filter, Key, OrFunction, PageAttrs, RowsOfLanguages, Setting,
};
use crate::ctxt::{Checked, Ctxt};
use crate::derivation::{
    Direction, Field, Form, LANGUAGE, Languages, LanguagesOf, Lastmod, LastmodOf, Links, Loc, Optional, Page,
    Part, Piece, Source,
};

/// A struct or variant to be checked, and where its mistakes are reported.
#[derive(Clone, Copy)]
pub(super) struct PageInput<'a> {
    pub(super) cx: &'a Ctxt,
    pub(super) settings: TypeSettings,
    pub(super) name: &'a Ident,
    /// Its name in messages: "the struct", "the variant".
    pub(super) what: &'a str,
    pub(super) attrs: &'a PageAttrs,
    pub(super) fields: &'a [FieldInfo],
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
        _ => languages(input),
    };
    check_functions(input);
    let loc = loc(input, &placeholders);
    if let (Ok(Some(_)), Ok(loc), Some(key)) = (&languages, &loc, languages_key(attrs, fields)) {
        check_languages(cx, settings, key, loc, &placeholders);
    }
    let parts = parts(input, &placeholders);
    let links = links(input, &languages);
    let lastmod = lastmod(input);
    check_precision(cx, attrs);
    let values = values(input);
    let extensions = extensions(input);
    let elements = elements(input);
    let is_in_template = |field: &FieldInfo| {
        matches!(&parts, Ok(parts) if parts.iter().any(|(_, parts)| names(parts, field)))
            || matches!(&links, Ok(Some(links)) if links.template.names(field))
    };
    check_fields(input, &loc, is_in_template);
    let flattened = flattened(input, &loc);
    let loc = loc?;
    let unmapped = fields
        .iter()
        .filter(|field| field.roles().is_empty() && !loc.names(field))
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
        if settings.direction.reads() && is_named == field.roles().is_empty() {
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

impl PageInput<'_> {
    /// The page for writing, even if reading is derived.
    pub(super) fn writing(self) -> Self {
        PageInput {
            settings: self.settings.writing(),
            ..self
        }
    }
}

/// Returns `true` if a part names the field.
fn names(parts: &[Part], field: &FieldInfo) -> bool {
    let mut named = parts.iter().flat_map(Part::pieces).filter_map(Piece::field);
    named.any(|named| Rc::ptr_eq(named, &field.field))
}

/// Reports a `precision` on a struct or variant whose lastmod is not a function.
fn check_precision(cx: &Ctxt, attrs: &PageAttrs) {
    let Some(setting) = &attrs.precision else { return };
    let advice = match attrs.lastmod.as_ref().map(|lastmod| &lastmod.value) {
        Some(Ok(OrFunction::Function(_) | OrFunction::Constant(Dates::Newest(_))) | Err(_)) => return,
        Some(Ok(OrFunction::Constant(Dates::Literal(_)))) => "a literal is written unchanged: remove it",
        None => "on a field it belongs next to `lastmod`, as in `#[sitemap(lastmod, precision = \"day\")]`",
    };
    cx.error(
        &setting.key,
        format!("`precision` goes with the lastmod of a function, as in `lastmod = Self::updated, precision = \"day\"`; {advice}"),
    );
}

fn lastmod(input: PageInput<'_>) -> Checked<Option<Lastmod>> {
    let PageInput {
        cx,
        what,
        attrs,
        fields,
        ..
    } = input;
    let field = role(cx, fields, Key::Lastmod);
    let of = match (&attrs.lastmod, field) {
        (None, None) => return Ok(None),
        (Some(setting), None) => Ok(match setting.value.clone()? {
            OrFunction::Constant(Dates::Literal(literal)) => LastmodOf::Literal(literal),
            OrFunction::Constant(Dates::Newest(found)) => newest(input, &setting.key, &found)?,
            OrFunction::Function(path) => LastmodOf::Function(path),
        }),
        // The error for an invalid literal already suggests the field.
        (
            Some(Setting {
                value: Err(reported), ..
            }),
            Some(_),
        ) => Err(*reported),
        (
            Some(Setting {
                value: Ok(OrFunction::Constant(Dates::Newest(_))),
                ..
            }),
            Some((field, key)),
        ) => Err(cx.error(
            key,
            format!(
                "a second `lastmod`: {what} has `newest(…)` already (P-DUP); name {} in it, or keep one of them",
                field.described()
            ),
        )),
        (Some(_), Some((_, key))) => Err(cx.error(
            key,
            format!(
                "a second `lastmod`: {what} has a {} already (P-DUP); keep one of them",
                kind(attrs.lastmod.as_ref())
            ),
        )),
        (None, Some((field, _))) => field.source(true).map(LastmodOf::Field),
    };
    let precision = match field {
        Some((field, _)) => &field.attrs().precision,
        None => &attrs.precision,
    };
    let precision = precision.as_ref().and_then(Setting::valid).copied();
    of.map(|of| Some(Lastmod { of, precision }))
}

/// The dates of `newest(…)`.
fn newest(input: PageInput<'_>, key: &Ident, found: &[DateField]) -> Checked<LastmodOf> {
    let PageInput {
        cx,
        settings,
        what,
        fields,
        ..
    } = input;
    if settings.direction.reads() {
        let names: Vec<String> = found.iter().map(|field| format!("`{}`", field.name)).collect();
        return Err(cx.error(
            key,
            format!(
                "`newest(…)` cannot be reversed: an entry has one lastmod, which does not say if it came from {}; read the entries into a type \
                 with `#[sitemap(lastmod)]` on one field, or compute the newest in a function of the row, `lastmod = Self::changed`, which is not read back",
                names.join(" or ")
            ),
        ));
    }
    // Check all of them before returning, so that all mistakes are reported.
    let pieces: Vec<Checked<Piece>> = found
        .iter()
        .map(|date| date_piece(cx, date, what, fields))
        .collect();
    pieces.into_iter().collect::<Checked<_>>().map(LastmodOf::Newest)
}

fn date_piece(cx: &Ctxt, date: &DateField, what: &str, fields: &[FieldInfo]) -> Checked<Piece> {
    let DateField { name, tokens } = date;
    let first = name.split('.').next().unwrap_or_default();
    let field = fields.iter().find(|field| field.name == first);
    let is_inner = first.len() < name.len();
    let form = Form {
        reserved: false,
        optional: false,
    };
    match field {
        Some(field) if !is_inner => Ok(Piece::Value {
            name: name.clone(),
            form,
            source: field.source(true)?,
            signed: false,
        }),
        Some(field) if field.attrs().role(Key::Flatten).is_some() => Ok(Piece::Inner {
            name: name.clone(),
            form,
            source: field.source(true)?,
            path: name
                .split('.')
                .skip(1)
                .map(|part| member(part, tokens.span()))
                .collect(),
        }),
        field if is_inner => Err(cx.error(tokens, not_flattened(name, ("", ""), first, field, what, fields))),
        _ => Err(cx.error(tokens, no_such_field(name, name, what, fields))),
    }
}

/// The values that may have a `default` on a field.
fn values(input: PageInput<'_>) -> Checked<Vec<(Key, Optional)>> {
    let keys = Key::of_values().filter(|key| key.takes_default());
    // Check all of them before returning, so that all mistakes are reported.
    let found: Vec<_> = keys.map(|key| (key, optional(input, key))).collect();
    let found = found
        .into_iter()
        .filter_map(|(key, value)| Some(value.transpose()?.map(|value| (key, value))));
    found.collect()
}

fn optional(input: PageInput<'_>, name: Key) -> Checked<Option<Optional>> {
    let PageInput {
        cx,
        what,
        attrs,
        fields,
        ..
    } = input;
    let constant = attrs.values.iter().find(|(key, _)| *key == name);
    let constant = constant.map(|(_, setting)| setting);
    let field = role(cx, fields, name);
    // Read even if it is useless, so that its own mistakes are reported.
    let default = field
        .and_then(|(field, _)| field.attrs().default.as_ref())
        .map(|setting| {
            let value = setting.value.as_ref().map_err(|reported| *reported)?;
            attr::default(cx, name, &setting.key, value)
        });
    let name = name.name();
    match (constant, field) {
        (None, None) => Ok(None),
        (Some(setting), None) => setting.value.clone().map(|value| Some(Optional::Row(value))),
        // The error for an invalid literal already suggests the field.
        (
            Some(Setting {
                value: Err(reported), ..
            }),
            Some(_),
        ) => Err(*reported),
        (Some(_), Some((_, key))) => Err(cx.error(
            key,
            format!(
                "a second `{name}`: {what} has a {} already (P-DUP); keep one of them, or write \
                 `#[sitemap({name}, default = …)]` on the field for when it is `None`",
                kind(constant)
            ),
        )),
        (None, Some((field, _))) => Ok(Some(Optional::Field {
            source: field.source(true)?,
            default: default.transpose()?,
        })),
    }
}

/// The kind of a value, for the message that a field has the same value.
fn kind<T>(setting: Option<&Setting<OrFunction<T>>>) -> &'static str {
    match setting {
        Some(Setting {
            value: Ok(OrFunction::Function(_)),
            ..
        }) => "function",
        _ => "literal",
    }
}

/// The key `languages`, which makes a row one entry per language.
fn languages_key<'a>(attrs: &'a PageAttrs, fields: &'a [FieldInfo]) -> Option<&'a Ident> {
    let of_fields = fields.iter().filter_map(|field| field.attrs().languages.as_ref());
    let of_type = attrs.languages.as_ref().map(|setting| &setting.key);
    of_type.or_else(|| of_fields.map(|setting| &setting.key).next())
}

/// The languages of the page, and the placeholders that they add to its templates.
fn languages(input: PageInput<'_>) -> (Checked<Option<Languages>>, Placeholders) {
    let PageInput {
        cx,
        what,
        attrs,
        fields,
        ..
    } = input;
    let mut of_fields = fields
        .iter()
        .filter_map(|field| Some((field, &field.attrs().languages.as_ref()?.key)));
    let field = of_fields.next();
    for (_, key) in of_fields {
        cx.error(
            key,
            "a second `languages`: a page has one list of them; put them together in one field",
        );
    }
    if languages_key(attrs, fields).is_none() {
        let found = match &attrs.x_default {
            Some(setting) => Err(cx.error(
                &setting.key,
                "`x_default` is one of the pages' languages: it goes with `languages(…)`, as in \
                 `languages(\"de\", \"en\"), x_default = \"en\"`",
            )),
            None => Ok(None),
        };
        return (found, Placeholders::default());
    }
    let mut placeholders = Placeholders {
        language: true,
        of_language: None,
    };
    let mut taken = vec![LANGUAGE.to_owned()];
    let of = match (&attrs.languages, field) {
        (Some(_), Some((_, key))) => Err(cx.error(
            key,
            format!("a second `languages`: {what} has them already; keep one of them"),
        )),
        (Some(setting), None) => setting.value.clone().map(LanguagesOf::Literals),
        (None, Some((field, _))) => field.source(true).and_then(|source| {
            let setting = field
                .attrs()
                .languages
                .as_ref()
                .map(|setting| setting.value.clone());
            let rows = setting.unwrap_or(Ok(RowsOfLanguages::Alone))?;
            if let RowsOfLanguages::With(name) = &rows {
                taken.push(name.unraw().to_string());
                placeholders.of_language = Some(name.unraw().to_string());
            }
            Ok(LanguagesOf::Field(source, rows))
        }),
        (None, None) => Ok(LanguagesOf::Literals(Vec::new())),
    };
    for field in fields.iter().filter(|field| taken.contains(&field.name)) {
        let message = format!(
            "`{{{0}}}` is the entry's language, and the field `{0}` has its name: rename the field",
            field.name
        );
        cx.error(&field.field.member, message);
    }
    let x_default = attrs.x_default.as_ref().map(|setting| {
        let default = setting.value.clone()?;
        if let Ok(LanguagesOf::Literals(literals)) = &of {
            attr::check_default(cx, &default, literals)?;
        }
        Ok(default)
    });
    let found = match (of, x_default.transpose()) {
        (Ok(of), Ok(x_default)) => Ok(Some(Languages { of, x_default })),
        (Err(reported), _) | (_, Err(reported)) => Err(reported),
    };
    (found, placeholders)
}

/// Checks that the locs of the languages differ, and contain everything that reading needs.
fn check_languages(cx: &Ctxt, settings: TypeSettings, key: &Ident, loc: &Loc, placeholders: &Placeholders) {
    match loc {
        Loc::Template(template) if template.has_language() => {
            if settings.direction.reads()
                && let Some(name) = &placeholders.of_language
                && !template.has_of_language()
            {
                cx.error(
                    key,
                    format!(
                        "the template of `loc` has no `{{{name}}}`, so it cannot be read from the address: put it into the template, or read the entries into another type"
                    ),
                );
            }
        }
        Loc::Template(template) => {
            let example = format!("/{{lang}}{}", template.text);
            cx.error(
                key,
                format!(
                    "the template of `loc` has no `{{lang}}`, so that all languages would have one address (P-ALT3): write it like \
                     `{}`",
                    if template.text.starts_with('/') { example.as_str() } else { "https://example.com/{lang}/{slug}" }
                ),
            );
        }
        Loc::Field(_) | Loc::Function(_) | Loc::Elsewhere => {
            cx.error(
                key,
                "`languages` needs a template for the address of each language: write the loc as a template with `{lang}`, as in \
                 `loc = \"/{lang}/{slug}\"`",
            );
        }
    }
}

/// Links to translations by template.
fn links(input: PageInput<'_>, languages: &Checked<Option<Languages>>) -> Checked<Option<Links>> {
    let PageInput {
        cx,
        settings,
        attrs,
        fields,
        ..
    } = input;
    let mut of_fields = fields
        .iter()
        .filter_map(|field| field.attrs().role(Key::Alternate));
    let key = attrs.alternate.as_ref().map(|setting| &setting.key);
    let key = key.or_else(|| of_fields.next());
    if let (Some(key), Some(_), true) = (key, languages_key(attrs, fields), !settings.direction.is_part()) {
        return Err(cx.error(
            key,
            "`alternate` next to `languages`: an entry already links to all its languages (P-ALT3); remove it",
        ));
    }
    let (Ok(_), Some(setting)) = (languages, &attrs.alternate) else {
        return Ok(None);
    };
    let OrFunction::Constant(links) = setting.value.as_ref().map_err(|reported| *reported)? else {
        return Ok(None);
    };
    let placeholders = Placeholders {
        language: true,
        of_language: None,
    };
    let found = template(input.writing(), &links.template, &placeholders)?;
    if !found.has_language() {
        return Err(cx.error(
            &links.template,
            "the template of `alternate` has no `{lang}`, so that all languages would have one address (P-ALT3): put it where they differ",
        ));
    }
    Ok(Some(Links {
        template: found,
        languages: links.languages.clone(),
        x_default: links.x_default.clone(),
    }))
}

/// Reports functions that have a field's name: the field was probably intended.
fn check_functions(
    PageInput {
        cx, attrs, fields, ..
    }: PageInput<'_>,
) {
    let functions = [
        named_function(attrs.loc.as_ref()),
        named_function(attrs.lastmod.as_ref()),
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

/// The field with a key; each additional field with it is an error.
pub(super) fn role<'a>(cx: &Ctxt, fields: &'a [FieldInfo], key: Key) -> Option<(&'a FieldInfo, &'a Ident)> {
    let mut found = fields
        .iter()
        .filter_map(|field| Some((field, field.attrs().role(key)?)));
    let first = found.next()?;
    for (_, key) in found {
        cx.error(key, second(first.0, key, "(P-DUP)"));
    }
    Some(first)
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

fn second(first: &FieldInfo, key: &Ident, rule: &str) -> String {
    format!(
        "a second `{key}`: {} is it already, and an entry has one {rule}; keep one of them",
        first.described()
    )
}
