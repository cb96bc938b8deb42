//! A page: what each of its parts is, and that no part has two.

use syn::Ident;

use super::Asked;
use super::field::FieldInfo;
use super::loc::loc;
use crate::attr::{self, Extension, Given, PageAttrs, Value};
use crate::ctxt::{Checked, Ctxt};
use crate::derivation::{Direction, Lastmod, Optional, Page, Source};

pub(super) fn page(
    cx: &Ctxt,
    asked: Asked,
    name: &Ident,
    what: &str,
    attrs: &PageAttrs,
    fields: &[FieldInfo],
) -> Checked<Box<Page>> {
    let loc = loc(cx, asked, name, what, attrs, fields);
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
    let extensions = extensions(cx, asked, fields);
    for field in fields {
        field.check(cx);
        // Without a loc nobody knows whether a template would have named the field.
        if let Ok(loc) = &loc {
            let in_template = loc.names(field);
            if !in_template {
                field.check_unused(cx);
            }
            if asked.direction == Direction::Read && in_template == field.roles().is_empty() {
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
        extensions: extensions?,
        filters,
        unmapped,
    }))
}

fn lastmod(cx: &Ctxt, what: &str, attrs: &PageAttrs, fields: &[FieldInfo]) -> Checked<Option<Lastmod>> {
    let field = role(cx, fields, |field| field.attrs.lastmod.as_ref());
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
    let field = role(cx, fields, key);
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
pub(super) fn role<'a>(
    cx: &Ctxt,
    fields: &'a [FieldInfo],
    key: impl Fn(&'a FieldInfo) -> Option<&'a Ident>,
) -> Option<(&'a FieldInfo, &'a Ident)> {
    let mut found = fields.iter().filter_map(|field| Some((field, key(field)?)));
    let first = found.next()?;
    for (_, key) in found {
        cx.error(key, second(first.0, key, "(P-DUP)"));
    }
    Some(first)
}

/// The fields of all extensions. Several of one add up when they are written, but an article is one.
fn extensions(cx: &Ctxt, asked: Asked, fields: &[FieldInfo]) -> Checked<Vec<(Extension, Source)>> {
    let mut found = Vec::new();
    for extension in Extension::ALL {
        let key = |field: &'_ FieldInfo| {
            let mut keys = field.attrs.extensions.iter();
            keys.find(|(other, _)| *other == extension)
                .map(|(_, key)| key.clone())
        };
        let mut of_key = fields.iter().filter_map(|field| Some((field, key(field)?)));
        let Some((first, name)) = of_key.next() else {
            continue;
        };
        found.push((extension, first.source(true)));
        for (field, key) in of_key {
            found.push((extension, field.source(true)));
            if extension == Extension::News {
                cx.error(&key, second(first, &key, "(P-NEWS4)"));
            } else if asked.direction == Direction::Read {
                cx.error(
                    &key,
                    format!(
                        "a second `{name}`: {} is one already. They add up when they are written, but `FromSitemapEntry` \
                         cannot tell which of them a document's are of: put them together in one field, such as a `Vec`",
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

fn second(first: &FieldInfo, key: &Ident, rule: &str) -> String {
    format!(
        "a second `{key}`: {} is it already, and an entry has one {rule}; keep one of them",
        first.described()
    )
}
