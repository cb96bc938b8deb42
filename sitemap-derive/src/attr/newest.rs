//! `lastmod = newest(created_at, updated_at)`: the newest of the dates in several fields.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Expr, ExprCall, Lit, LitStr, Member};

use super::items::{Item, Value};
use crate::ctxt::{Checked, Ctxt, Reported};

/// The dates of a lastmod.
#[derive(Clone)]
pub(crate) enum Dates {
    Literal(LitStr),
    Newest(Vec<DateField>),
}

/// A field with a date.
#[derive(Clone)]
pub(crate) struct DateField {
    /// Its name without `r#`, or its position; for a value in a flattened field the path, with points between.
    pub(crate) name: String,
    pub(crate) tokens: TokenStream,
}

/// Other tools' names for the newest of several dates.
const OTHER_NAMES: [&str; 6] = ["coalesce", "greatest", "last", "latest", "max", "most_recent"];

impl Item {
    /// The fields in `newest(…)`; `None` if the value is something else.
    pub(super) fn newest(&self, cx: &Ctxt) -> Option<Checked<Vec<DateField>>> {
        let Value::Other(tokens) = &self.value else {
            return None;
        };
        let Ok(Expr::Call(call)) = syn::parse2::<Expr>(tokens.clone()) else {
            return None;
        };
        let Expr::Path(function) = &*call.func else {
            return None;
        };
        let word = function.path.segments.last()?.ident.to_string();
        if function.path.is_ident("newest") {
            return Some(fields(cx, &call));
        }
        let names = call.args.iter().map(|argument| name(argument).ok());
        let names = names
            .collect::<Option<Vec<String>>>()
            .filter(|names| !names.is_empty())?;
        OTHER_NAMES.contains(&word.to_lowercase().as_str()).then(|| {
            Err(self.error(
                cx,
                format!(
                    "`lastmod` takes no expression: the newest of several fields is `lastmod = newest({})`",
                    names.join(", ")
                ),
            ))
        })
    }
}

fn fields(cx: &Ctxt, call: &ExprCall) -> Checked<Vec<DateField>> {
    const EXAMPLE: &str = "as in `lastmod = newest(created_at, updated_at)`";
    let mut found: Vec<DateField> = Vec::new();
    let mut right = true;
    for argument in &call.args {
        match name(argument) {
            Ok(name) if found.iter().any(|other| other.name == name) => {
                right = false;
                cx.error(argument, format!("`{name}` is named twice; keep one of them"));
            }
            Ok(name) => found.push(DateField {
                name,
                tokens: argument.to_token_stream(),
            }),
            Err(Some(meant)) => {
                right = false;
                cx.error(
                    argument,
                    format!("`newest(…)` takes the names of fields: write `{meant}`"),
                );
            }
            Err(None) => {
                right = false;
                cx.error(
                    argument,
                    format!(
                        "`newest(…)` takes the names of fields, {EXAMPLE}; a date that is computed is a function of the row, `lastmod = \
                         Self::changed`, or of a field, `#[sitemap(write_with = path::to::function)]` on it"
                    ),
                );
            }
        }
    }
    match found.as_slice() {
        _ if !right => Err(Reported),
        [] => Err(cx.error(call, format!("`newest()` names no field: write at least two, {EXAMPLE}"))),
        [only] => Err(cx.error(
            call,
            format!(
                "`newest({0})` has one field: name another one, {EXAMPLE}, or write `#[sitemap(lastmod)]` on `{0}`",
                only.name
            ),
        )),
        _ => Ok(found),
    }
}

/// The name of a field; the error has the probably intended name.
fn name(expr: &Expr) -> Result<String, Option<String>> {
    match expr {
        Expr::Group(group) => name(&group.expr),
        Expr::Path(path) if path.qself.is_none() => match path.path.get_ident() {
            Some(name) if *name != "self" => Ok(name.unraw().to_string()),
            _ => Err(None),
        },
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(position) if position.suffix().is_empty() => Ok(position.base10_digits().to_owned()),
            // `0.1`, a field of a tuple in a tuple.
            Lit::Float(positions) if positions.suffix().is_empty() => Ok(positions.to_string()),
            Lit::Str(text) => Err(syn::parse_str::<Expr>(&text.value())
                .ok()
                .and_then(|expr| name(&expr).ok())),
            _ => Err(None),
        },
        Expr::Field(field) => {
            let member = match &field.member {
                Member::Named(name) => name.unraw().to_string(),
                Member::Unnamed(index) => index.index.to_string(),
            };
            match &*field.base {
                Expr::Path(path) if path.path.is_ident("self") => Err(Some(member)),
                base => match name(base) {
                    Ok(base) => Ok(format!("{base}.{member}")),
                    Err(base) => Err(base.map(|base| format!("{base}.{member}"))),
                },
            }
        }
        Expr::Reference(reference) => match name(&reference.expr) {
            Ok(name) => Err(Some(name)),
            error => error,
        },
        _ => Err(None),
    }
}
