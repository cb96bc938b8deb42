//! The values that may have a default on a field: changefreq and priority.

use super::field::Source;
use super::{PageInput, kind, role};
use crate::attr::{self, Constant, Key, OrFunction, Setting};
use crate::ctxt::Checked;

/// A value of a page: a constant or function of the row, or a field.
pub(crate) enum Optional {
    Row(OrFunction<Constant>),
    Field {
        source: Source,
        default: Option<Constant>,
    },
}

/// The values that may have a `default` on a field.
pub(super) fn values(input: PageInput<'_>) -> Checked<Vec<(Key, Optional)>> {
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
