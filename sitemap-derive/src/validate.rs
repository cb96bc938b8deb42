//! Makes a checked page of the attributes, and reports combinations that are not allowed. Each file has a part of the page and its check.
//!
//! | file | content |
//! |---|---|
//! | `page`, `field` | a struct or variant; a field: which keys may stand together |
//! | `loc`, `lastmod`, `value` | the values of an entry; `value` has changefreq and priority |
//! | `parts`, `languages`, `title` | images, videos and news by templates; languages; the title |

mod field;
mod languages;
mod lastmod;
mod loc;
mod page;
mod parts;
mod title;
mod value;

use std::rc::Rc;

use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Ident, Path};

pub(crate) use self::field::{Field, Source};
pub(crate) use self::languages::{Languages, LanguagesOf, Links};
pub(crate) use self::lastmod::{Lastmod, LastmodOf};
pub(crate) use self::loc::{LANGUAGE, Loc, Piece, TemplateLoc};
pub(crate) use self::page::Page;
pub(crate) use self::parts::{Part, PartValue};
pub(crate) use self::title::Title;
pub(crate) use self::value::Optional;

use self::field::FieldInfo;
use crate::attr::{
    self, Base, ConstExpr, Encoding, Filter, Key, Level, OrFunction, PageAttrs, Setting, TypeAttrs,
};
use crate::ctxt::{Checked, Ctxt, Reported};

/// The derived trait.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// `SitemapEntry`
    Write,
    /// `FromSitemapEntry`
    Read,
    /// `SitemapFields`
    Fields,
    /// `FromSitemapFields`
    FromFields,
}

impl Direction {
    /// Returns `true` if the trait reads entries.
    pub(crate) fn reads(self) -> bool {
        matches!(self, Direction::Read | Direction::FromFields)
    }

    /// Returns `true` if the type is a part of a row, without a loc of its own.
    pub(crate) fn is_part(self) -> bool {
        matches!(self, Direction::Fields | Direction::FromFields)
    }
}

/// A type whose attributes are valid.
pub(crate) struct Derivation {
    pub(crate) mount: Mount,
    /// The prefixes and URIs of the namespaces of its elements.
    pub(crate) namespaces: Vec<(String, String)>,
    pub(crate) filters: Vec<Filter>,
    pub(crate) body: Body,
}

/// The type's own base and encoding, which override the writer's.
#[derive(Default)]
pub(crate) struct Mount {
    pub(crate) base: Option<Base>,
    pub(crate) encoding: Option<Encoding>,
}

pub(crate) enum Body {
    Struct(Box<Page>),
    Enum(Vec<Variant>),
}

pub(crate) struct Variant {
    pub(crate) name: Ident,
    pub(crate) kind: VariantKind,
}

pub(crate) enum VariantKind {
    Page(Box<Page>),
    /// A newtype variant without attributes of its own: the inner value is the entry, unless a filter excludes it.
    Delegate(Rc<Field>, Vec<Filter>),
}

/// The settings of a type that apply to its pages.
#[derive(Clone, Copy)]
struct TypeSettings {
    direction: Direction,
    /// `true` if the server's encoding is UTF-8.
    is_utf8: bool,
}

impl TypeSettings {
    /// The same, for a value that is only written.
    fn writing(self) -> Self {
        TypeSettings {
            direction: Direction::Write,
            ..self
        }
    }
}

/// A struct or variant to be checked, and where its mistakes are reported.
#[derive(Clone, Copy)]
struct PageInput<'a> {
    cx: &'a Ctxt,
    settings: TypeSettings,
    name: &'a Ident,
    /// Its name in messages: "the struct", "the variant".
    what: &'a str,
    attrs: &'a PageAttrs,
    fields: &'a [FieldInfo],
}

impl PageInput<'_> {
    /// The page for writing, even if reading is derived.
    fn writing(self) -> Self {
        PageInput {
            settings: self.settings.writing(),
            ..self
        }
    }
}

/// Validates a type's attributes. Also returns the path of `crate = …`, even if there are errors.
pub(crate) fn derivation(
    cx: &Ctxt,
    input: &DeriveInput,
    direction: Direction,
) -> (Checked<Derivation>, Option<Setting<Path>>) {
    let level = match &input.data {
        Data::Struct(_) => Level::Struct,
        Data::Enum(_) => Level::Enum,
        Data::Union(data) => {
            let message = "a union cannot be a sitemap entry, since it does not say which field it holds: derive for a \
                           struct or an enum";
            return (Err(cx.error(data.union_token, message)), None);
        }
    };
    let attrs = attr::of_type(cx, &input.attrs, level);
    let encoding = attrs.encoding.as_ref().map(|setting| setting.value.as_ref());
    let settings = TypeSettings {
        direction,
        is_utf8: encoding.is_none_or(|encoding| encoding.is_ok_and(Encoding::is_utf8)),
    };
    let body = body(cx, settings, input, &attrs);
    let TypeAttrs {
        krate,
        base,
        encoding,
        namespaces,
        filters,
        ..
    } = attrs;
    if let (Ok(body), true) = (&body, !direction.is_part()) {
        check_mount(cx, base.as_ref(), encoding.as_ref(), body);
    }
    if let Some(Setting {
        key,
        value: Ok(Base::Const(base)),
    }) = &base
    {
        check_base_of_self(cx, input, key, base);
    }
    let mount = || {
        if direction.is_part() {
            return Ok(Mount::default());
        }
        Ok(Mount {
            base: base.map(|setting| setting.value).transpose()?,
            encoding: encoding.map(|setting| setting.value).transpose()?,
        })
    };
    let declared = namespaces.map_or(Ok(Vec::new()), |setting| setting.value);
    let derivation = mount().and_then(|mount| {
        let declared = declared?.into_iter();
        Ok(Derivation {
            mount,
            namespaces: declared
                .map(|(prefix, uri)| (prefix.unraw().to_string(), uri.value()))
                .collect(),
            filters,
            body: body?,
        })
    });
    (derivation, krate)
}

fn body(cx: &Ctxt, settings: TypeSettings, input: &DeriveInput, attrs: &TypeAttrs) -> Checked<Body> {
    match &input.data {
        Data::Enum(data) if settings.direction == Direction::Fields => Err(cx.error(
            data.enum_token,
            "`SitemapFields` is for a struct, whose fields give values to a row's entry: derive it for the types in the variants, or \
             implement it by hand",
        )),
        Data::Enum(data) if settings.direction == Direction::FromFields => Err(cx.error(
            data.enum_token,
            "`FromSitemapFields` is for a struct, whose fields are read from an entry's values, which do not name a variant: derive it for the types in the variants, or implement it by hand",
        )),
        Data::Enum(data) if data.variants.is_empty() => Err(cx.error(
            &input.ident,
            format!(
                "`{}` has no variants, so it is never an entry: add one, or remove the derive",
                input.ident
            ),
        )),
        Data::Enum(data) => {
            // Check all of them before returning, so that all mistakes are reported.
            let variants: Vec<Checked<Variant>> =
                data.variants.iter().map(|it| variant(cx, settings, it)).collect();
            if settings.direction == Direction::Read {
                check_reached(cx, &variants);
            }
            variants.into_iter().collect::<Checked<_>>().map(Body::Enum)
        }
        Data::Struct(data) => {
            let fields = FieldInfo::all(cx, &data.fields, &attrs.page);
            for filter in &attrs.filters {
                if let Some(function) = &filter.predicate {
                    page::check_function(cx, &fields, &filter.key, function);
                }
            }
            page::page(PageInput {
                cx,
                settings,
                name: &input.ident,
                what: "the struct",
                attrs: &attrs.page,
                fields: &fields,
            })
            .map(Body::Struct)
        }
        Data::Union(_) => Err(Reported),
    }
}

/// Reports a `base` or `encoding` without effect.
fn check_mount(cx: &Ctxt, base: Option<&Setting<Base>>, encoding: Option<&Setting<Encoding>>, body: &Body) {
    let any = |is_used: fn(&Page) -> bool| match body {
        Body::Struct(page) => is_used(page),
        Body::Enum(variants) => variants.iter().any(|variant| match &variant.kind {
            VariantKind::Page(page) => is_used(page),
            VariantKind::Delegate(..) => true,
        }),
    };
    if let Some(Setting { key, value: Ok(_) }) = base
        && !any(Page::may_have_paths)
    {
        let whole = match body {
            Body::Struct(_) => {
                "the template is a whole URL already: remove `base`, or begin the template with `/`"
            }
            Body::Enum(_) => "all templates are whole URLs already: remove `base`, or begin them with `/`",
        };
        cx.error(key, format!("`base` is where paths are mounted, and {whole}"));
    }
    if let Some(Setting { key, value: Ok(_) }) = encoding
        && !any(Page::may_be_wide)
        && base.is_none_or(|base| matches!(&base.value, Ok(Base::Literal(base)) if base.value().is_ascii()))
    {
        let has_none = match body {
            Body::Struct(_) => "the template has none",
            Body::Enum(_) => "no template has any",
        };
        let message = format!("`encoding` is for characters outside ASCII, and {has_none}: remove it");
        cx.error(key, message);
    }
}

/// Reports a `base` that depends on type parameters: it becomes a static, which cannot.
fn check_base_of_self(cx: &Ctxt, input: &DeriveInput, key: &Ident, base: &ConstExpr) {
    if base.names_self() && !input.generics.params.is_empty() {
        cx.error(
            key,
            format!(
                "the base is the same for all types that `{}` is generic over, and `Self` is one of them: name a const outside of it",
                input.ident
            ),
        );
    }
}

fn variant(cx: &Ctxt, settings: TypeSettings, variant: &syn::Variant) -> Checked<Variant> {
    let attrs = attr::of_variant(cx, &variant.attrs);
    let mut fields = FieldInfo::all(cx, &variant.fields, &attrs);
    let delegates = match fields.as_slice() {
        [field] => {
            field.is_positional() && !attrs.any && field.roles().is_empty() && !field.attrs().loc_misspelt
        }
        _ => false,
    };
    let kind = match fields.pop() {
        Some(field) if delegates => {
            field.check(cx);
            field.check_unused(cx);
            VariantKind::Delegate(field.field.clone(), field.attrs().filters.clone())
        }
        last => {
            fields.extend(last);
            VariantKind::Page(page::page(PageInput {
                cx,
                settings,
                name: &variant.ident,
                what: "the variant",
                attrs: &attrs,
                fields: &fields,
            })?)
        }
    };
    Ok(Variant {
        name: variant.ident.clone(),
        kind,
    })
}

/// Returns `true` if a template takes all locs of another one, by the templates with the names of their placeholders removed: they are the
/// same, but that more values of the first may be empty.
fn takes_all_of(form: &str, other: &str) -> bool {
    let may_be_empty = |form: &str| -> Vec<bool> {
        let ends = form.match_indices('}');
        ends.map(|(end, _)| form[..end].ends_with('?')).collect()
    };
    form.replace("?}", "}") == other.replace("?}", "}")
        && may_be_empty(form)
            .into_iter()
            .zip(may_be_empty(other))
            .all(|(first, second)| first || !second)
}

/// Reports variants that are never read: variants are tried in order, and an earlier one matches all of its locs.
fn check_reached(cx: &Ctxt, variants: &[Checked<Variant>]) {
    let mut taken: Vec<(&Ident, String)> = Vec::new();
    for variant in variants.iter().flatten() {
        let VariantKind::Page(page) = &variant.kind else {
            continue;
        };
        // If a value may fail to parse, the next variant is tried.
        let (form, all) = match &page.loc {
            Loc::Template(template) => (template.form(), template.takes_any_text()),
            Loc::Field(source) => (String::new(), source.is_plain_text()),
            Loc::Function(_) | Loc::Elsewhere => continue,
        };
        let name = &variant.name;
        if let Some((before, _)) = taken.iter().find(|(_, other)| other.is_empty()) {
            let message = format!(
                "`{name}` is never read, since `{before}` before it takes any loc: move `{before}` behind it"
            );
            cx.error(name, message);
        } else if let Some((before, _)) = taken.iter().find(|(_, other)| takes_all_of(other, &form)) {
            let message = format!(
                "`{name}` is never read, since `{before}` before it takes the same locs: give it another template"
            );
            cx.error(name, message);
        }
        if all {
            taken.push((name, form));
        }
    }
}

/// The field with a key; each additional field with it is an error.
fn role<'a>(cx: &Ctxt, fields: &'a [FieldInfo], key: Key) -> Option<(&'a FieldInfo, &'a Ident)> {
    let mut found = fields
        .iter()
        .filter_map(|field| Some((field, field.attrs().role(key)?)));
    let first = found.next()?;
    for (_, key) in found {
        cx.error(key, second(first.0, key, "(P-DUP)"));
    }
    Some(first)
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

fn second(first: &FieldInfo, key: &Ident, rule: &str) -> String {
    format!(
        "a second `{key}`: {} is it already, and an entry has one {rule}; keep one of them",
        first.described()
    )
}
