//! The languages of a page: literals, a field, and links by template.

use proc_macro2::Ident;
use sitemap_values::codes::check_hreflang;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{LitStr, Token};

use super::items::{Item, Value};
use super::value::OrFunction;
use crate::ctxt::{Checked, Ctxt, Reported};

/// Links to a page's translations, by template.
#[derive(Clone)]
pub(crate) struct Links {
    pub(crate) template: LitStr,
    pub(crate) languages: Vec<LitStr>,
    pub(crate) x_default: Option<LitStr>,
}

/// The form of a field with languages.
#[derive(Clone)]
pub(crate) enum RowsOfLanguages {
    /// Its items are languages.
    Alone,
    /// Its items are pairs of a language and the value of this placeholder.
    With(Ident),
}

impl Item {
    /// The languages of a page as literals: each is a hreflang, and none is repeated.
    pub(super) fn languages(&self, cx: &Ctxt) -> Checked<Vec<LitStr>> {
        let Value::List(list) = &self.value else {
            return Err(self.error(
                cx,
                format!(
                    "on {} the languages go in parentheses, as in `{}`",
                    self.level.name(),
                    self.usage()
                ),
            ));
        };
        let read = |input: ParseStream<'_>| Punctuated::<LitStr, Token![,]>::parse_terminated(input);
        match read.parse2(list.stream()) {
            Ok(found) => check_languages(cx, &self.name, found.into_iter().collect()),
            Err(_) => Err(self.error(
                cx,
                format!("the languages are literals in quotes, as in `{}`", self.usage()),
            )),
        }
    }

    /// The value of `languages` or `languages(slug)` on a field.
    pub(super) fn rows_of_languages(&self, cx: &Ctxt) -> Checked<RowsOfLanguages> {
        match &self.value {
            Value::None => Ok(RowsOfLanguages::Alone),
            Value::List(list) => syn::parse2(list.stream()).map(RowsOfLanguages::With).map_err(|_| {
                self.error(
                    cx,
                    "on a field `languages` names the placeholder for the second half of each pair, as in \
                     `#[sitemap(languages(slug))] translations: Vec<(String, String)>`",
                )
            }),
            _ => Err(self.error(
                cx,
                "on a field `languages` takes no value, or names the placeholder for the second half of each pair, as in \
                 `languages(slug)`",
            )),
        }
    }

    /// A hreflang.
    pub(super) fn language(&self, cx: &Ctxt) -> Checked<LitStr> {
        let text = self.text(cx)?;
        match check_hreflang(&text.value()) {
            Ok(()) => Ok(text),
            Err(error) => Err(cx.error(text, error)),
        }
    }

    /// A function, or links by template.
    pub(super) fn links(&self, cx: &Ctxt) -> Checked<OrFunction<Links>> {
        self.or_function(cx, || match &self.value {
            Value::List(list) => links.parse2(list.stream()).map_or_else(
                |error| Err(cx.push(error)),
                |links| {
                    let languages = check_languages(cx, &self.name, links.languages)?;
                    if let Some(default) = &links.x_default {
                        check_default(cx, default, &languages)?;
                    }
                    Ok(Links { languages, ..links })
                },
            ),
            _ => Err(self.error(
                cx,
                format!(
                    "on {} `alternate` has a template and its languages, or is a function of the row, as in `{}` or \
                     `alternate = Self::translations`",
                    self.level.name(),
                    self.usage()
                ),
            )),
        })
    }
}

/// Parses the content of `alternate(…)`.
fn links(input: ParseStream<'_>) -> syn::Result<Links> {
    let (mut template, mut languages, mut x_default) = (None, None, None);
    let whole = input.span();
    while !input.is_empty() {
        let key = input.call(Ident::parse_any)?;
        match key.to_string().as_str() {
            "template" if template.is_none() => {
                let _: Token![=] = input.parse()?;
                template = Some(input.parse()?);
            }
            "x_default" if x_default.is_none() => {
                let _: Token![=] = input.parse()?;
                x_default = Some(input.parse()?);
            }
            "languages" if languages.is_none() => {
                let list;
                syn::parenthesized!(list in input);
                let found = Punctuated::<LitStr, Token![,]>::parse_terminated(&list)?;
                languages = Some(found.into_iter().collect());
            }
            "template" | "x_default" | "languages" => {
                return Err(syn::Error::new(
                    key.span(),
                    format!("`{key}` is given twice; keep one of them"),
                ));
            }
            _ => {
                let message = format!(
                    "`{key}` does not belong in `alternate(…)`; it has `template`, `languages` and `x_default`"
                );
                return Err(syn::Error::new(key.span(), message));
            }
        }
        if !input.is_empty() {
            let _: Token![,] = input.parse()?;
        }
    }
    let missing = |what: &str| {
        let example = "`alternate(template = \"/{lang}/{slug}\", languages(\"de\", \"en\"))`";
        syn::Error::new(whole, format!("`alternate(…)` needs `{what}`, as in {example}"))
    };
    Ok(Links {
        template: template.ok_or_else(|| missing("template"))?,
        languages: languages.ok_or_else(|| missing("languages"))?,
        x_default,
    })
}

fn check_languages(cx: &Ctxt, key: &Ident, languages: Vec<LitStr>) -> Checked<Vec<LitStr>> {
    if languages.is_empty() {
        return Err(cx.error(
            key,
            format!("`{key}` has no language: name the languages of the pages"),
        ));
    }
    let mut right = true;
    for (i, language) in languages.iter().enumerate() {
        let text = language.value();
        let twice = languages[..i]
            .iter()
            .any(|other| other.value().eq_ignore_ascii_case(&text));
        let message = if text.eq_ignore_ascii_case("x-default") {
            "`x-default` is not a language: write `x_default = \"en\"` next to the languages, with the language for all other visitors".to_owned()
        } else if twice {
            format!("the language `{text}` is given twice (P-ALT3); keep one of them")
        } else if let Err(error) = check_hreflang(&text) {
            error.to_string()
        } else {
            continue;
        };
        right = false;
        cx.error(language, message);
    }
    if right { Ok(languages) } else { Err(Reported) }
}

/// Checks that `languages` contain `x_default`.
pub(crate) fn check_default(cx: &Ctxt, default: &LitStr, languages: &[LitStr]) -> Checked<()> {
    let text = default.value();
    if languages
        .iter()
        .any(|language| language.value().eq_ignore_ascii_case(&text))
    {
        return Ok(());
    }
    let all: Vec<String> = languages
        .iter()
        .map(|language| format!("`{}`", language.value()))
        .collect();
    Err(cx.error(
        default,
        format!(
            "`{text}` is not one of the languages, {}: `x_default` is the one for all other visitors",
            all.join(", ")
        ),
    ))
}
