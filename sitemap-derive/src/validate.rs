//! Puts the attributes of a type together, and says what does not go together.

use std::rc::Rc;

use proc_macro2::Span;
use quote::format_ident;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Fields, Ident, Index, LitStr, Member, Path, Type};

use crate::ambiguity::{self, Ambiguous, Number};
use crate::attr::{
    self, ChangeFreq, FieldAttrs, Filter, Given, Level, PageAttrs, Priority, TypeAttrs, Value,
};
use crate::ctxt::{Checked, Ctxt, Reported};
use crate::generics::inside_option;
use crate::suggest;
use crate::template::{Part, Placeholder, Template};

/// Which of the two derives asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// `SitemapEntry`
    Write,
    /// `FromSitemapEntry`
    Read,
}

/// A type that can be derived for.
pub(crate) struct Derivation {
    pub(crate) filters: Vec<Filter>,
    pub(crate) body: Body,
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
    /// A newtype variant without attributes of its own: the inner value is the entry, if the filters let it.
    Delegate(Rc<Field>, Vec<Filter>),
}

/// An entry, field by field, in the schema's order.
pub(crate) struct Page {
    pub(crate) loc: Loc,
    pub(crate) lastmod: Option<Lastmod>,
    pub(crate) changefreq: Option<Optional<ChangeFreq>>,
    pub(crate) priority: Option<Optional<Priority>>,
    pub(crate) filters: Vec<(Rc<Field>, Filter)>,
    /// The fields that the entry says nothing about.
    pub(crate) unmapped: Vec<Rc<Field>>,
}

pub(crate) enum Loc {
    Field(Source),
    Template(TemplateLoc),
}

pub(crate) struct TemplateLoc {
    pub(crate) text: String,
    pub(crate) pieces: Vec<Piece>,
    /// How many placeholders are found from the left when it is read.
    pub(crate) from_left: usize,
}

pub(crate) enum Piece {
    Text(String),
    Value {
        name: String,
        reserved: bool,
        source: Source,
        /// Whether it is a number that may begin with a `-`.
        signed: bool,
    },
}

pub(crate) enum Lastmod {
    Literal(LitStr),
    Field { source: Source, zone: Option<i16> },
}

pub(crate) enum Optional<T> {
    Constant(T),
    Field { source: Source, default: Option<T> },
}

/// A field's value, converted if there is a function for it.
pub(crate) struct Source {
    pub(crate) field: Rc<Field>,
    pub(crate) with: Option<Box<Path>>,
    /// The function of the way back.
    pub(crate) from_with: Option<Box<Path>>,
}

/// A field, as the generated code speaks of it.
pub(crate) struct Field {
    pub(crate) member: Member,
    /// The variable that a variant's pattern binds it to.
    pub(crate) binding: Ident,
    pub(crate) ty: Type,
}

/// What a type's attributes say, and the path of `crate = …`, which is there whenever it could be read.
pub(crate) fn derivation(
    cx: &Ctxt,
    input: &DeriveInput,
    direction: Direction,
) -> (Checked<Derivation>, Option<Given<Path>>) {
    match &input.data {
        Data::Struct(data) => {
            let TypeAttrs { krate, filters, page } = attr::of_type(cx, &input.attrs, Level::Struct);
            let fields = FieldInfo::all(cx, &data.fields);
            let body =
                self::page(cx, direction, &input.ident, "the struct", &page, &fields).map(Body::Struct);
            (body.map(|body| Derivation { filters, body }), krate)
        }
        Data::Enum(data) => {
            let TypeAttrs { krate, filters, .. } = attr::of_type(cx, &input.attrs, Level::Enum);
            if data.variants.is_empty() {
                let message = format!(
                    "`{}` has no variants, so it is never an entry: add one, or leave the derive out",
                    input.ident
                );
                return (Err(cx.error(&input.ident, message)), krate);
            }
            // First all of them, so that all mistakes are found.
            let variants: Vec<Checked<Variant>> = data
                .variants
                .iter()
                .map(|it| variant(cx, direction, it))
                .collect();
            if direction == Direction::Read {
                check_reached(cx, &variants);
            }
            let body = variants.into_iter().collect::<Checked<_>>().map(Body::Enum);
            (body.map(|body| Derivation { filters, body }), krate)
        }
        Data::Union(data) => {
            let message = "a union cannot be a sitemap entry, since nobody knows which field it holds: derive for a \
                           struct or an enum";
            (Err(cx.error(data.union_token, message)), None)
        }
    }
}

fn variant(cx: &Ctxt, direction: Direction, variant: &syn::Variant) -> Checked<Variant> {
    let attrs = attr::of_variant(cx, &variant.attrs);
    let mut fields = FieldInfo::all(cx, &variant.fields);
    let delegates = match fields.as_slice() {
        [field] => {
            field.is_positional() && !attrs.any && field.roles().is_empty() && !field.attrs.loc_misspelt
        }
        _ => false,
    };
    let kind = match fields.pop() {
        Some(field) if delegates => {
            field.check(cx);
            field.check_unused(cx);
            VariantKind::Delegate(field.field, field.attrs.filters)
        }
        last => {
            fields.extend(last);
            VariantKind::Page(page(
                cx,
                direction,
                &variant.ident,
                "the variant",
                &attrs,
                &fields,
            )?)
        }
    };
    Ok(Variant {
        name: variant.ident.clone(),
        kind,
    })
}

/// Variants are tried in order when an entry is read, so one that another takes everything from is a mistake.
fn check_reached(cx: &Ctxt, variants: &[Checked<Variant>]) {
    let mut taken: Vec<(&Ident, String)> = Vec::new();
    for variant in variants.iter().flatten() {
        let VariantKind::Page(page) = &variant.kind else {
            continue;
        };
        // A value that does not parse leaves the loc to the next variant.
        let (form, all) = match &page.loc {
            Loc::Template(template) => (template.form(), template.takes_any_text()),
            Loc::Field(source) => (String::new(), source.is_plain_text()),
        };
        let name = &variant.name;
        if let Some((before, _)) = taken.iter().find(|(_, other)| other.is_empty()) {
            let message = format!(
                "`{name}` is never read, since `{before}` before it takes any loc: move `{before}` behind it"
            );
            cx.error(name, message);
        } else if let Some((before, _)) = taken.iter().find(|(_, other)| *other == form) {
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

impl TemplateLoc {
    /// The template without the names in it.
    fn form(&self) -> String {
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.as_str(),
            Piece::Value { reserved: true, .. } => "{+}",
            Piece::Value { .. } => "{}",
        });
        pieces.collect()
    }

    /// Whether its placeholders can be read whatever their text.
    fn takes_any_text(&self) -> bool {
        self.pieces.iter().all(|piece| match piece {
            Piece::Text(_) => true,
            Piece::Value { source, .. } => source.is_plain_text(),
        })
    }
}

impl Source {
    /// Whether reading it cannot fail: a `String`, by its name.
    fn is_plain_text(&self) -> bool {
        let Type::Path(path) = inside_option(&self.field.ty) else {
            return false;
        };
        let last = path.path.segments.last();
        self.from_with.is_none() && last.is_some_and(|segment| segment.ident == "String")
    }
}

fn page(
    cx: &Ctxt,
    direction: Direction,
    name: &Ident,
    what: &str,
    attrs: &PageAttrs,
    fields: &[FieldInfo],
) -> Checked<Box<Page>> {
    let loc = loc(cx, direction, name, what, attrs, fields);
    let lastmod = lastmod(cx, what, attrs, fields);
    let changefreq = optional(
        cx,
        what,
        attrs.changefreq.as_ref(),
        fields,
        |field| field.attrs.changefreq.as_ref(),
        |value| attr::changefreq(cx, value, "default = \"weekly\""),
    );
    let priority = optional(
        cx,
        what,
        attrs.priority.as_ref(),
        fields,
        |field| field.attrs.priority.as_ref(),
        |value| attr::priority(cx, value, "default = 0.5"),
    );
    for field in fields {
        field.check(cx);
        // Without a loc nobody knows whether a template would have named the field.
        if let Ok(loc) = &loc {
            let in_template = loc.names(field);
            if !in_template {
                field.check_unused(cx);
            }
            if direction == Direction::Read && in_template == field.roles().is_empty() {
                field.check_way_back(cx);
            }
        }
    }
    let loc = loc?;
    let filters = fields
        .iter()
        .flat_map(|field| {
            let filters = field.attrs.filters.iter().cloned();
            filters.map(|filter| (field.field.clone(), filter))
        })
        .collect();
    let unmapped = fields
        .iter()
        .filter(|field| field.roles().is_empty() && !loc.names(field))
        .map(|field| field.field.clone())
        .collect();
    Ok(Box::new(Page {
        loc,
        lastmod: lastmod?,
        changefreq: changefreq?,
        priority: priority?,
        filters,
        unmapped,
    }))
}

fn loc(
    cx: &Ctxt,
    direction: Direction,
    name: &Ident,
    what: &str,
    attrs: &PageAttrs,
    fields: &[FieldInfo],
) -> Checked<Loc> {
    let field = role(cx, fields, "loc", |field| field.attrs.loc.as_ref());
    let template = attrs.loc.as_ref().map(|given| {
        let literal = given.value.as_ref().map_err(|reported| *reported)?;
        template(cx, direction, literal, what, fields)
    });
    match (template, field) {
        (Some(template), None) => template.map(Loc::Template),
        (None, Some((field, _))) => field.source(true).map(Loc::Field),
        (Some(Err(reported)), Some(_)) => Err(reported),
        (Some(Ok(_)), Some((_, key))) => Err(cx.error(
            key,
            format!("a second `loc`: {what} has a template already (P-DUP); keep one of them"),
        )),
        (None, None) if attrs.loc_misspelt || fields.iter().any(|field| field.attrs.loc_misspelt) => {
            Err(Reported)
        }
        (None, None) => Err(missing_loc(cx, name, what, attrs, fields)),
    }
}

impl Loc {
    fn names(&self, field: &FieldInfo) -> bool {
        match self {
            Loc::Field(_) => false,
            Loc::Template(template) => template.pieces.iter().any(|piece| match piece {
                Piece::Value { source, .. } => Rc::ptr_eq(&source.field, &field.field),
                Piece::Text(_) => false,
            }),
        }
    }
}

fn missing_loc(cx: &Ctxt, name: &Ident, what: &str, attrs: &PageAttrs, fields: &[FieldInfo]) -> Reported {
    let field = match fields.first().map(|field| &field.field.member) {
        None => String::new(),
        Some(Member::Named(_)) => ", or `#[sitemap(loc)]` on the field that holds it".to_owned(),
        Some(Member::Unnamed(_)) => ", or `#[sitemap(loc)]` in front of the field that holds it".to_owned(),
    };
    let template = match fields.first() {
        None => format!("/{}", name.unraw().to_string().to_lowercase()),
        Some(first) => {
            let likely = ["slug", "path", "id", "name", "uri"];
            let named = likely
                .iter()
                .find_map(|likely| fields.iter().find(|field| field.name == *likely))
                .unwrap_or(first);
            format!("/{}/{{{}}}", name.unraw().to_string().to_lowercase(), named.name)
        }
    };
    let delegates = if what == "the variant" && attrs.any && fields.len() == 1 && fields[0].is_positional() {
        "; without any attribute it would be the entry that its field is"
    } else {
        ""
    };
    cx.error(
        name,
        format!(
            "`{name}` has no loc, and every entry needs one (P-DUP): write `#[sitemap(loc = \"{template}\")]` above it\
             {field}{delegates}"
        ),
    )
}

fn template(
    cx: &Ctxt,
    direction: Direction,
    literal: &LitStr,
    what: &str,
    fields: &[FieldInfo],
) -> Checked<TemplateLoc> {
    let text = literal.value();
    let names: Vec<String> = fields.iter().map(|field| field.name.clone()).collect();
    let (template, problems) = Template::parse(&text, &names);
    let mut right = problems.is_empty();
    for problem in problems {
        cx.error_at(part_of(literal, &text, problem.range), problem.message);
    }
    let mut reported: Vec<&str> = Vec::new();
    for placeholder in template.placeholders() {
        if !names.contains(&placeholder.name) {
            right = false;
            if !reported.contains(&placeholder.name.as_str()) {
                reported.push(&placeholder.name);
                let span = part_of(literal, &text, placeholder.range.clone());
                cx.error_at(span, no_such_field(placeholder, what, fields));
            }
        }
    }
    if !right {
        return Err(Reported);
    }
    let from_left = match ambiguity::from_left(&template.parts, |name| number(fields, name)) {
        Err(Ambiguous { message, range }) if direction == Direction::Read => {
            return Err(cx.error_at(part_of(literal, &text, range), message));
        }
        from_left => from_left.unwrap_or_default(),
    };
    let pieces = template.parts.into_iter().map(|part| match part {
        Part::Text(text) => Ok(Piece::Text(text)),
        Part::Placeholder(Placeholder { name, reserved, .. }) => {
            let field = fields.iter().find(|field| field.name == name).ok_or(Reported)?;
            // Beside a key of its own, `with` is for that key.
            let source = field.source(field.roles().is_empty())?;
            Ok(Piece::Value {
                signed: number(fields, &name) == Some(Number::Signed),
                name,
                reserved,
                source,
            })
        }
    });
    Ok(TemplateLoc {
        pieces: pieces.collect::<Checked<_>>()?,
        text,
        from_left,
    })
}

/// Whether the field of that name is a number where it stands in a template.
fn number(fields: &[FieldInfo], name: &str) -> Option<Number> {
    let field = fields.iter().find(|field| field.name == name)?;
    let converted = field.attrs.with.is_some() || field.attrs.from_with.is_some();
    if converted && field.roles().is_empty() {
        return None;
    }
    ambiguity::number(&field.field.ty)
}

fn no_such_field(placeholder: &Placeholder, what: &str, fields: &[FieldInfo]) -> String {
    let Placeholder { name, .. } = placeholder;
    let written = placeholder.written();
    let names = || fields.iter().map(|field| field.name.as_str());
    let advice = match fields {
        [] => format!("; {what} has none at all"),
        [first, ..] if first.is_positional() => match fields.len() {
            1 => "; its only field is `{0}`".to_owned(),
            count => format!("; its fields are `{{0}}` to `{{{}}}`", count - 1),
        },
        _ => match suggest::did_you_mean(name, names()) {
            advice if advice.is_empty() => {
                let names: Vec<String> = names().take(8).map(|name| format!("`{name}`")).collect();
                let more = if fields.len() > names.len() { ", …" } else { "" };
                match names.len() {
                    1 => format!("; its only field is {}", names[0]),
                    _ => format!("; its fields are {}{more}", names.join(", ")),
                }
            }
            advice => advice,
        },
    };
    format!("`{written}` names no field of {what}{advice}")
}

/// The span of a part of a literal's text, where the compiler tells it; else the literal's.
fn part_of(literal: &LitStr, text: &str, range: std::ops::Range<usize>) -> Span {
    let token = literal.token();
    let repr = token.to_string();
    // Where there are escapes, the text's bytes are not the token's.
    let prefix = repr.find(text).filter(|_| !text.is_empty());
    prefix
        .and_then(|prefix| token.subspan(prefix + range.start..prefix + range.end))
        .unwrap_or_else(|| literal.span())
}

fn lastmod(cx: &Ctxt, what: &str, attrs: &PageAttrs, fields: &[FieldInfo]) -> Checked<Option<Lastmod>> {
    let field = role(cx, fields, "lastmod", |field| field.attrs.lastmod.as_ref());
    match (&attrs.lastmod, field) {
        (None, None) => Ok(None),
        (Some(given), None) => Ok(Some(Lastmod::Literal(given.value.clone()?))),
        // A wrong literal says already that the field could be meant.
        (
            Some(Given {
                value: Err(reported), ..
            }),
            Some(_),
        ) => Err(*reported),
        (Some(_), Some((_, key))) => Err(cx.error(
            key,
            format!("a second `lastmod`: {what} has a literal already (P-DUP); keep one of them"),
        )),
        (None, Some((field, _))) => Ok(Some(Lastmod::Field {
            source: field.source(true)?,
            zone: field.attrs.zone.as_ref().map(|given| given.value).transpose()?,
        })),
    }
}

fn optional<T: Clone>(
    cx: &Ctxt,
    what: &str,
    constant: Option<&Given<T>>,
    fields: &[FieldInfo],
    key: impl Fn(&FieldInfo) -> Option<&Ident>,
    read: impl Fn(&Value) -> Checked<T>,
) -> Checked<Option<Optional<T>>> {
    let name = fields
        .iter()
        .find_map(&key)
        .map(ToString::to_string)
        .unwrap_or_default();
    let field = role(cx, fields, &name, key);
    // Read even where it is of no use, so that its own mistakes show.
    let default = field
        .and_then(|(field, _)| field.attrs.default.as_ref())
        .map(|given| read(given.value.as_ref().map_err(|reported| *reported)?));
    match (constant, field) {
        (None, None) => Ok(None),
        (Some(given), None) => Ok(Some(Optional::Constant(given.value.clone()?))),
        // A wrong literal says already that the field could be meant.
        (
            Some(Given {
                value: Err(reported), ..
            }),
            Some(_),
        ) => Err(*reported),
        (Some(_), Some((_, key))) => Err(cx.error(
            key,
            format!(
                "a second `{name}`: {what} has a literal already (P-DUP); keep one of them, or write \
                 `#[sitemap({name}, default = …)]` on the field for when it is `None`"
            ),
        )),
        (None, Some((field, _))) => Ok(Some(Optional::Field {
            source: field.source(true)?,
            default: default.transpose()?,
        })),
    }
}

/// The one field that has a key; each other one that has it too is a mistake.
fn role<'a>(
    cx: &Ctxt,
    fields: &'a [FieldInfo],
    name: &str,
    key: impl Fn(&'a FieldInfo) -> Option<&'a Ident>,
) -> Option<(&'a FieldInfo, &'a Ident)> {
    let mut found = fields.iter().filter_map(|field| Some((field, key(field)?)));
    let first = found.next()?;
    for (_, key) in found {
        cx.error(
            key,
            format!(
                "a second `{name}`: {} is it already, and an entry has one (P-DUP); keep one of them",
                first.0.described()
            ),
        );
    }
    Some(first)
}

struct FieldInfo {
    field: Rc<Field>,
    /// Without `r#`; for a tuple the position.
    name: String,
    attrs: FieldAttrs,
}

impl FieldInfo {
    fn all(cx: &Ctxt, fields: &Fields) -> Vec<FieldInfo> {
        fields
            .iter()
            .enumerate()
            .map(|(position, field)| {
                let (member, name) = match &field.ident {
                    Some(ident) => (Member::Named(ident.clone()), ident.unraw().to_string()),
                    None => (Member::Unnamed(Index::from(position)), position.to_string()),
                };
                FieldInfo {
                    field: Rc::new(Field {
                        member,
                        binding: format_ident!("__field_{name}", span = Span::mixed_site()),
                        ty: field.ty.clone(),
                    }),
                    name,
                    attrs: attr::of_field(cx, &field.attrs),
                }
            })
            .collect()
    }

    fn described(&self) -> String {
        if self.is_positional() {
            format!("field {}", self.name)
        } else {
            format!("`{}`", self.name)
        }
    }

    fn is_positional(&self) -> bool {
        matches!(self.field.member, Member::Unnamed(_))
    }

    /// The keys that make it a field of the entry.
    fn roles(&self) -> Vec<&Ident> {
        let attrs = &self.attrs;
        [&attrs.loc, &attrs.lastmod, &attrs.changefreq, &attrs.priority]
            .into_iter()
            .flatten()
            .collect()
    }

    /// The value, converted if `converted`; unless the function's path could not be read.
    fn source(&self, converted: bool) -> Checked<Source> {
        let path = |given: &Option<Given<Path>>| match given {
            Some(given) if converted => Ok(Some(Box::new(given.value.clone()?))),
            _ => Ok(None),
        };
        Ok(Source {
            field: self.field.clone(),
            with: path(&self.attrs.with)?,
            from_with: path(&self.attrs.from_with)?,
        })
    }

    /// What does not go together on one field.
    fn check(&self, cx: &Ctxt) {
        let roles = self.roles();
        if let [first, others @ ..] = roles.as_slice() {
            for other in others {
                cx.error(
                    other,
                    format!("`{other}` beside `{first}`: a field is one of them; keep the one it is"),
                );
            }
        }
        if let (Some(given), None) = (&self.attrs.zone, &self.attrs.lastmod) {
            cx.error(
                &given.key,
                format!(
                    "`{0}` gives a naive date-time its zone: it goes with `lastmod`, as in `#[sitemap(lastmod, {1})]`",
                    given.key,
                    if given.key == "utc" { "utc" } else { "offset = \"+09:00\"" }
                ),
            );
        }
        if let (Some(given), None, None) = (&self.attrs.default, &self.attrs.priority, &self.attrs.changefreq)
        {
            cx.error(
                &given.key,
                "`default` is for a field that is `None`: it goes with `priority` or `changefreq`, as in \
                 `#[sitemap(priority, default = 0.5)]`",
            );
        }
        if let [first, second, ..] = self.attrs.filters.as_slice() {
            cx.error(
                &second.key,
                format!(
                    "`{}` beside `{}`: one condition decides; keep one of them",
                    second.key, first.key
                ),
            );
        }
    }

    /// A conversion whose result nobody takes.
    fn check_unused(&self, cx: &Ctxt) {
        if let (Some(given), true) = (&self.attrs.with, self.roles().is_empty()) {
            cx.error(
                &given.key,
                format!(
                    "`with` converts a value that is not written: put a key such as `lastmod` beside it, or name \
                     `{{{}}}` in the template",
                    self.name
                ),
            );
        }
        if let (Some(given), true) = (&self.attrs.from_with, self.roles().is_empty()) {
            cx.error(
                &given.key,
                format!(
                    "`from_with` converts to a value that is not read: put a key such as `lastmod` beside it, or name \
                     `{{{}}}` in the template",
                    self.name
                ),
            );
        }
    }

    /// A conversion of which reading has to know the way back.
    fn check_way_back(&self, cx: &Ctxt) {
        if let (Some(given), None) = (&self.attrs.with, &self.attrs.from_with) {
            cx.error(
                &given.key,
                "`with` converts the field's value when it is written, and `FromSitemapEntry` needs the way back: put \
                 `from_with = path::to::function` beside it",
            );
        }
    }
}
