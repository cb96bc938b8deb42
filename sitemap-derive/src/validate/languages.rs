//! A page's languages: an entry for each, or links to its translations.

use syn::ext::IdentExt;
use syn::{Ident, LitStr};

use super::field::{FieldInfo, Source};
use super::loc::{self, LANGUAGE, Loc, Placeholders, TemplateLoc};
use super::{PageInput, TypeSettings};
use crate::attr::{self, Key, OrFunction, PageAttrs, RowsOfLanguages};
use crate::ctxt::{Checked, Ctxt};

/// Links to a page's translations, by template.
pub(crate) struct Links {
    pub(crate) template: TemplateLoc,
    pub(crate) languages: Vec<LitStr>,
    pub(crate) x_default: Option<LitStr>,
}

/// The languages of a page.
pub(crate) struct Languages {
    pub(crate) of: LanguagesOf,
    pub(crate) x_default: Option<LitStr>,
}

pub(crate) enum LanguagesOf {
    Literals(Vec<LitStr>),
    Field(Source, RowsOfLanguages),
}

/// The key `languages`, which makes a row one entry per language.
pub(super) fn languages_key<'a>(attrs: &'a PageAttrs, fields: &'a [FieldInfo]) -> Option<&'a Ident> {
    let of_fields = fields.iter().filter_map(|field| field.attrs().languages.as_ref());
    let of_type = attrs.languages.as_ref().map(|setting| &setting.key);
    of_type.or_else(|| of_fields.map(|setting| &setting.key).next())
}

/// The languages of the page, and the placeholders that they add to its templates.
pub(super) fn languages(input: PageInput<'_>) -> (Checked<Option<Languages>>, Placeholders) {
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
pub(super) fn check(cx: &Ctxt, settings: TypeSettings, key: &Ident, loc: &Loc, placeholders: &Placeholders) {
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
pub(super) fn links(input: PageInput<'_>, languages: &Checked<Option<Languages>>) -> Checked<Option<Links>> {
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
    let found = loc::template(input.writing(), &links.template, &placeholders)?;
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
