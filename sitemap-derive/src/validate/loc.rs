//! A page's loc: a template or a field.

use std::rc::Rc;

use proc_macro2::Span;
use sitemap_values::suggest::did_you_mean;
use syn::ext::IdentExt;
use syn::{Ident, LitStr, Member, Path};

use super::field::{Field, FieldInfo, Source};
use super::{Direction, PageInput, role};
use crate::ambiguity::{self, Ambiguous, Cut, Kind};
use crate::attr::{Key, OrFunction};
use crate::ctxt::{Checked, Reported};
use crate::generics::inside_option;
use crate::template::{Form, Part, Placeholder, Template};
use crate::url::part_of;

/// The name of the placeholder for the language of an entry or link.
pub(crate) const LANGUAGE: &str = "lang";

pub(crate) enum Loc {
    Field(Source),
    Template(TemplateLoc),
    Function(Path),
    /// The type is a part of a row, which has the loc.
    Elsewhere,
}

pub(crate) struct TemplateLoc {
    pub(crate) text: String,
    pub(crate) pieces: Vec<Piece>,
    /// The texts between the placeholders, in the order of the search.
    pub(crate) cuts: Vec<Cut>,
}

pub(crate) enum Piece {
    Text(String),
    Value {
        name: String,
        form: Form,
        source: Source,
        /// `true` if it is a number that may begin with `-`.
        signed: bool,
    },
    /// A value in a flattened field.
    Inner {
        /// The whole path as written in the template.
        name: String,
        form: Form,
        source: Source,
        /// The path after the flattened field.
        path: Vec<Member>,
    },
    /// `{lang}`: the language of the entry or link.
    Language {
        reserved: bool,
    },
    /// The second half of a pair with a language, in a field of pairs.
    OfLanguage {
        name: String,
        form: Form,
    },
}

pub(super) fn loc(input: PageInput<'_>, placeholders: &Placeholders) -> Checked<Loc> {
    let PageInput {
        cx,
        settings,
        what,
        attrs,
        fields,
        ..
    } = input;
    if settings.direction.is_part() {
        return Ok(Loc::Elsewhere);
    }
    let field = role(cx, fields, Key::Loc);
    let template = attrs.loc.as_ref().map(|setting| {
        match setting.value.as_ref().map_err(|reported| *reported)? {
            OrFunction::Constant(literal) => {
                template(input, literal, placeholders).map(Loc::Template)
            }
            OrFunction::Function(_) if settings.direction == Direction::Read => Err(cx.error(
                &setting.key,
                "`FromSitemapEntry` cannot reverse a function: write the loc as a template, or put `#[sitemap(loc)]` on the field that \
                 holds it",
            )),
            OrFunction::Function(path) => Ok(Loc::Function(path.clone())),
        }
    });
    match (template, field) {
        (Some(template), None) => template,
        (None, Some((field, _))) => field.source(true).map(Loc::Field),
        (Some(Err(reported)), Some(_)) => Err(reported),
        (Some(Ok(_)), Some((_, key))) => Err(cx.error(
            key,
            format!(
                "a second `loc`: {what} has a {} already (P-DUP); keep one of them",
                match attrs.loc.as_ref().map(|setting| &setting.value) {
                    Some(Ok(OrFunction::Function(_))) => "function",
                    _ => "template",
                }
            ),
        )),
        (None, None) if attrs.loc_misspelt || fields.iter().any(|field| field.attrs().loc_misspelt) => {
            Err(Reported)
        }
        (None, None) => Err(missing_loc(input)),
    }
}

impl TemplateLoc {
    /// The template with the names of its placeholders removed.
    pub(crate) fn form(&self) -> String {
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Value { form, .. } | Piece::Inner { form, .. } | Piece::OfLanguage { form, .. } => {
                form.written("")
            }
            Piece::Language { reserved } => Form {
                reserved: *reserved,
                optional: false,
            }
            .written(""),
        });
        pieces.collect()
    }

    pub(super) fn may_be_a_path(&self) -> bool {
        match self.pieces.first() {
            Some(Piece::Text(text)) => text.starts_with('/'),
            _ => true,
        }
    }

    /// Returns `true` if its placeholders can be read from any text.
    pub(crate) fn takes_any_text(&self) -> bool {
        self.pieces.iter().all(|piece| match piece {
            Piece::Text(_) => true,
            Piece::Value { source, .. } => source.is_plain_text(),
            Piece::Inner { .. } | Piece::Language { .. } | Piece::OfLanguage { .. } => false,
        })
    }

    /// The fields that it names.
    pub(super) fn fields(&self) -> impl Iterator<Item = &Rc<Field>> {
        self.pieces.iter().filter_map(Piece::field)
    }

    /// Returns `true` if it contains the value paired with the language.
    pub(crate) fn has_of_language(&self) -> bool {
        self.pieces
            .iter()
            .any(|piece| matches!(piece, Piece::OfLanguage { .. }))
    }

    /// Returns `true` if it contains the entry's language.
    pub(crate) fn has_language(&self) -> bool {
        self.pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Language { .. }))
    }
}

impl Piece {
    /// The field that it names.
    pub(crate) fn field(&self) -> Option<&Rc<Field>> {
        match self {
            Piece::Value { source, .. } | Piece::Inner { source, .. } => Some(&source.field),
            _ => None,
        }
    }
}

impl Loc {
    pub(super) fn names(&self, field: &FieldInfo) -> bool {
        match self {
            Loc::Field(_) | Loc::Function(_) | Loc::Elsewhere => false,
            Loc::Template(template) => template.names(field),
        }
    }
}

impl TemplateLoc {
    /// The path within the flattened field, if the placeholder names a value in it.
    pub(super) fn inner_of(&self, field: &FieldInfo) -> Option<&str> {
        self.pieces.iter().find_map(|piece| match piece {
            Piece::Inner { name, source, .. } if Rc::ptr_eq(&source.field, &field.field) => {
                Some(name.as_str())
            }
            _ => None,
        })
    }

    pub(super) fn names(&self, field: &FieldInfo) -> bool {
        let mut named = self.pieces.iter().filter_map(Piece::field);
        named.any(|named| Rc::ptr_eq(named, &field.field))
    }
}

/// Placeholders that do not name fields.
#[derive(Default)]
pub(super) struct Placeholders {
    /// `{lang}`
    pub(super) language: bool,
    /// The name of the value paired with the language, in a field of pairs.
    pub(super) of_language: Option<String>,
}

impl Placeholders {
    fn piece(&self, name: &str, form: Form) -> Option<Piece> {
        if self.language && name == LANGUAGE {
            return Some(Piece::Language {
                reserved: form.reserved,
            });
        }
        let name = self.of_language.as_ref().filter(|other| *other == name)?;
        Some(Piece::OfLanguage {
            name: name.clone(),
            form,
        })
    }
}

fn missing_loc(input: PageInput<'_>) -> Reported {
    let PageInput {
        cx,
        name,
        what,
        attrs,
        fields,
        ..
    } = input;
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

pub(super) fn template(
    input: PageInput<'_>,
    literal: &LitStr,
    placeholders: &Placeholders,
) -> Checked<TemplateLoc> {
    let PageInput {
        cx, settings, fields, ..
    } = input;
    let text = literal.value();
    let names: Vec<String> = fields.iter().map(|field| field.name.clone()).collect();
    let (template, problems) = Template::parse(&text, &names, settings.is_utf8);
    let mut right = problems.is_empty();
    for problem in problems {
        problem.report(cx, literal);
    }
    right &= check_names(input, literal, &template, placeholders);
    if !right {
        return Err(Reported);
    }
    let cuts = match ambiguity::cuts(&template.parts, |placeholder| kind(fields, placeholder)) {
        Err(Ambiguous { message, range }) if settings.direction == Direction::Read => {
            return Err(cx.error_at(part_of(literal, range), message));
        }
        cuts => cuts.unwrap_or_default(),
    };
    let pieces = template.parts.into_iter().map(|part| match part {
        Part::Text(text) => Ok(Piece::Text(text)),
        Part::Placeholder(placeholder) => piece(literal, placeholder, fields, placeholders),
    });
    Ok(TemplateLoc {
        pieces: pieces.collect::<Checked<_>>()?,
        text,
        cuts,
    })
}

/// Checks that each placeholder names a field or is in `placeholders`.
pub(super) fn check_names(
    input: PageInput<'_>,
    literal: &LitStr,
    template: &Template,
    placeholders: &Placeholders,
) -> bool {
    let PageInput { cx, what, fields, .. } = input;
    let mut right = true;
    let mut reported: Vec<&str> = Vec::new();
    for placeholder in template.placeholders() {
        if let Some((first, _)) = placeholder.name.split_once('.') {
            let field = fields
                .iter()
                .find(|field| field.name == first.strip_prefix("r#").unwrap_or(first));
            if field.is_none_or(|field| field.attrs().role(Key::Flatten).is_none()) {
                right = false;
                let span = part_of(literal, placeholder.range.clone());
                let written = placeholder.written();
                cx.error_at(
                    span,
                    not_flattened(&written, ("{", "}"), first, field, what, fields),
                );
            }
            continue;
        }
        let is_field = fields.iter().any(|field| field.name == placeholder.name);
        let piece = placeholders.piece(&placeholder.name, placeholder.form());
        if placeholder.optional
            && let Some(what) = never_empty(fields, &placeholder.name, piece.as_ref())
        {
            right = false;
            let message = format!(
                "`{}` may be empty, and {what} never is: write `{{{}{}}}`",
                placeholder.written(),
                if placeholder.reserved { "+" } else { "" },
                placeholder.name
            );
            cx.error_at(part_of(literal, placeholder.range.clone()), message);
        }
        if !is_field && piece.is_none() {
            right = false;
            if !reported.contains(&placeholder.name.as_str()) {
                reported.push(&placeholder.name);
                let span = part_of(literal, placeholder.range.clone());
                let message = no_such_field(&placeholder.written(), &placeholder.name, what, fields);
                cx.error_at(span, message);
            }
        }
    }
    right
}

/// A description of a value whose text is never empty, by its type's name.
fn never_empty(fields: &[FieldInfo], name: &str, piece: Option<&Piece>) -> Option<&'static str> {
    if let Some(piece) = piece {
        return matches!(piece, Piece::Language { .. }).then_some("a language");
    }
    let field = fields.iter().find(|field| field.name == name)?;
    let ty = &field.field.ty;
    let is_converted = field.attrs().with.is_some() && field.roles().is_empty();
    let is_number = !is_converted
        && std::ptr::eq(inside_option(ty), ty)
        && matches!(ambiguity::kind(ty), Kind::Unsigned | Kind::Signed);
    is_number.then_some("a number")
}

/// Resolves a placeholder.
pub(super) fn piece(
    literal: &LitStr,
    placeholder: Placeholder,
    fields: &[FieldInfo],
    placeholders: &Placeholders,
) -> Checked<Piece> {
    let (form, signed) = (placeholder.form(), kind(fields, &placeholder) == Kind::Signed);
    let Placeholder { name, range, .. } = placeholder;
    if let Some(piece) = placeholders.piece(&name, form) {
        return Ok(piece);
    }
    let mut parts = name
        .split('.')
        .map(|part| part.strip_prefix("r#").unwrap_or(part));
    let first = parts.next().unwrap_or_default();
    let span = Span::call_site().located_at(part_of(literal, range));
    let path: Vec<Member> = parts.map(|part| member(part, span)).collect();
    if !path.is_empty() {
        let field = fields.iter().find(|field| field.name == first).ok_or(Reported)?;
        return Ok(Piece::Inner {
            source: field.source(true)?,
            name,
            form,
            path,
        });
    }
    let field = fields.iter().find(|field| field.name == name).ok_or(Reported)?;
    // If the field has a key, `with` converts the value for that key only.
    let source = field.source(field.roles().is_empty())?;
    Ok(Piece::Value {
        signed,
        name,
        form,
        source,
    })
}

/// The known properties of a placeholder's text.
fn kind(fields: &[FieldInfo], placeholder: &Placeholder) -> Kind {
    let Some(field) = fields.iter().find(|field| field.name == placeholder.name) else {
        return Kind::Opaque;
    };
    let attrs = field.attrs();
    let converted = attrs.with.is_some() || attrs.write_with.is_some() || attrs.read_with.is_some();
    if converted && field.roles().is_empty() {
        return Kind::Opaque;
    }
    match ambiguity::kind(&field.field.ty) {
        // If the value may be empty, a `-` may begin it or the next text.
        Kind::Signed if placeholder.optional => Kind::Opaque,
        kind => kind,
    }
}

/// A field's name or position as a `Member`.
pub(super) fn member(name: &str, span: Span) -> Member {
    match name.parse::<u32>() {
        Ok(index) => Member::Unnamed(syn::Index { index, span }),
        Err(_) => {
            let ident = syn::parse_str::<Ident>(name);
            let mut ident = ident.unwrap_or_else(|_| Ident::new_raw(name, span));
            ident.set_span(span);
            Member::Named(ident)
        }
    }
}

/// The error for a value in a field that is not flattened. `braces` enclose a name.
pub(super) fn not_flattened(
    written: &str,
    braces: (&str, &str),
    first: &str,
    field: Option<&FieldInfo>,
    what: &str,
    fields: &[FieldInfo],
) -> String {
    let (open, close) = braces;
    match field {
        Some(field) => format!(
            "`{written}` is the value of a field in {0}, which is not flattened: put `#[sitemap(flatten)]` on {0}, whose type derives \
             `SitemapFields`; or write `{open}{1}{close}`, and convert the value with `#[sitemap(write_with = …)]` on {0}",
            field.described(),
            field.name
        ),
        None => no_such_field(&format!("{open}{first}{close}"), first, what, fields),
    }
}

pub(super) fn no_such_field(written: &str, name: &str, what: &str, fields: &[FieldInfo]) -> String {
    let (open, close) = if written.starts_with('{') {
        ("{", "}")
    } else {
        ("", "")
    };
    let names = || fields.iter().map(|field| field.name.as_str());
    let advice = match fields {
        [] => format!("; {what} has none at all"),
        [first, ..] if first.is_positional() => match fields.len() {
            1 => format!("; its only field is `{open}0{close}`"),
            count => format!(
                "; its fields are `{open}0{close}` to `{open}{}{close}`",
                count - 1
            ),
        },
        _ => match did_you_mean(name, names()) {
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
    let language = match name {
        LANGUAGE if !open.is_empty() => {
            ". Next to `languages(\"de\", \"en\")` it is the language of each entry of a page"
        }
        _ => "",
    };
    format!("`{written}` names no field of {what}{advice}{language}")
}
