//! A page's lastmod: a literal, a function, a field, or the newest of several.

use syn::spanned::Spanned;
use syn::{Ident, LitStr, Path};

use super::field::{FieldInfo, Source};
use super::loc::{Piece, member, no_such_field, not_flattened};
use super::{PageInput, kind, role};
use crate::attr::{DateField, Dates, Key, OrFunction, PageAttrs, Precision, Setting};
use crate::ctxt::{Checked, Ctxt};
use crate::template::Form;

/// A lastmod, written to a precision unless that is `None`.
pub(crate) struct Lastmod {
    pub(crate) of: LastmodOf,
    pub(crate) precision: Option<Precision>,
}

pub(crate) enum LastmodOf {
    Literal(LitStr),
    Function(Path),
    Field(Source),
    /// The newest of the dates in these fields.
    Newest(Vec<Piece>),
}

pub(super) fn lastmod(input: PageInput<'_>) -> Checked<Option<Lastmod>> {
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

/// Reports a `precision` on a struct or variant whose lastmod is not a function.
pub(super) fn check_precision(cx: &Ctxt, attrs: &PageAttrs) {
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
