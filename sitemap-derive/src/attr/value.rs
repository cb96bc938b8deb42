//! What a key's value may be, each kind with its own error.

use std::fmt::Display;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, LitStr, Path, Stmt, Token};

use super::Given;
use super::items::{Item, Value, path_text};
use super::key::{Key, Level};
use crate::base;
use crate::ctxt::{Checked, Ctxt, Reported};
use crate::element;
use crate::encoding::{self, Encoding};
use crate::hreflang;
use crate::literal;
use crate::suggest;

/// A constant for `priority`.
#[derive(Clone, Debug)]
pub(crate) enum Priority {
    /// From 0.0 to 1.0.
    Literal(f64),
    /// Checked in const evaluation.
    Const(ConstExpr),
}

/// A constant for `changefreq`.
#[derive(Clone, Debug)]
pub(crate) enum ChangeFreq {
    /// The name of a variant.
    Literal(&'static str),
    /// Of the type `ChangeFreq`.
    Const(ConstExpr),
}

/// Where a type's paths are mounted.
#[derive(Clone, Debug)]
pub(crate) enum Base {
    Literal(LitStr),
    /// A `&'static str`, checked when it is first used.
    Const(ConstExpr),
}

/// How exact a lastmod is written: the name of a variant of `Precision`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Precision(pub(crate) &'static str);

/// An expression whose value is known while the program is compiled, often the path of a const.
#[derive(Clone, Debug)]
pub(crate) struct ConstExpr {
    pub(crate) tokens: TokenStream,
    pub(crate) is_path: bool,
}

impl ConstExpr {
    fn path(path: &Path) -> Self {
        ConstExpr {
            tokens: path.to_token_stream(),
            is_path: true,
        }
    }

    /// An expression, unless it asks the row, which is not known then.
    fn of(cx: &Ctxt, key: &Ident, tokens: &TokenStream) -> Checked<Self> {
        match find(tokens.clone(), "self") {
            None => Ok(ConstExpr {
                tokens: tokens.clone(),
                is_path: false,
            }),
            Some(place) => {
                let advice = match key.to_string().as_str() {
                    "base" => "for a base that a field holds begin the template with it, as in `loc = \"{+site}/{slug}\"`".to_owned(),
                    "default" => "for a value of the row write a function, and its path on the type, as in `priority = Self::rank`".to_owned(),
                    key => format!("for a value of the row write a function that takes `&self`, and its path here, as in `{key} = Self::{key}`"),
                };
                let message = format!(
                    "the value of `{key} = …` is known while the program is compiled, and no row is; {advice}"
                );
                Err(cx.error(place, message))
            }
        }
    }

    /// Whether it names the type that it stands on.
    pub(crate) fn names_self(&self) -> bool {
        find(self.tokens.clone(), "Self").is_some()
    }

    /// As its user wrote it.
    pub(crate) fn text(&self) -> String {
        self.text_of(&self.tokens)
    }

    /// As text, where these tokens stand for it.
    pub(crate) fn text_of(&self, tokens: &TokenStream) -> String {
        let text = tokens.to_string();
        if self.is_path { text.replace(' ', "") } else { text }
    }
}

/// The token of that name, however deep.
fn find(tokens: TokenStream, name: &str) -> Option<TokenTree> {
    tokens.into_iter().find_map(|token| match &token {
        TokenTree::Ident(ident) if *ident == name => Some(token),
        TokenTree::Group(group) => find(group.stream(), name),
        _ => None,
    })
}

/// A condition for being listed.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    pub(crate) key: Ident,
    /// Whether the condition being true means that the entry is listed.
    pub(crate) include: bool,
    /// The function that decides; without it the field is a bool.
    pub(crate) predicate: Option<Path>,
}

/// A value that is written down, or that a function of the whole row gives.
#[derive(Clone, Debug)]
pub(crate) enum OrFunction<T> {
    Constant(T),
    Function(Path),
}

/// Links to a page's translations, by template.
#[derive(Clone, Debug)]
pub(crate) struct Links {
    pub(crate) template: LitStr,
    pub(crate) languages: Vec<LitStr>,
    pub(crate) x_default: Option<LitStr>,
}

/// The words of `precision`, and the variants that they name.
const PRECISIONS: [(&str, &str); 5] = [
    ("second", "Second"),
    ("minute", "Minute"),
    ("day", "Day"),
    ("month", "Month"),
    ("year", "Year"),
];

/// The languages that a field says.
#[derive(Clone, Debug)]
pub(crate) enum RowsOfLanguages {
    /// Its items are languages.
    Alone,
    /// Its items are pairs of a language and the value of the placeholder of that name.
    With(Ident),
}

/// Whether a path is of a function, and not of a const: by the case of its name, as Rust's own lints have it.
pub(super) fn is_function(path: &Path) -> bool {
    let last = path
        .segments
        .last()
        .map(|segment| segment.ident.unraw().to_string());
    last.is_some_and(|name| name.starts_with(|c: char| c.is_lowercase() || c == '_'))
}

/// The constant of `priority`, or beside a `priority` field.
pub(crate) fn priority(cx: &Ctxt, key: &Ident, value: &Value, usage: &str) -> Checked<Priority> {
    let wrong = |advice: &str| {
        let message = format!(
            "a priority is a number from 0.0 to 1.0, or a const expression (P-PRIO), as in `{usage}`{advice}"
        );
        Err(cx.error(value, message))
    };
    match value {
        Value::Path(path) => Ok(Priority::Const(ConstExpr::path(path))),
        Value::Other(tokens) => ConstExpr::of(cx, key, tokens).map(Priority::Const),
        Value::Lit { minus, lit } => {
            let (digits, suffix) = match lit {
                Lit::Int(int) => (int.base10_digits(), int.suffix()),
                Lit::Float(float) => (float.base10_digits(), float.suffix()),
                Lit::Str(text) if literal::priority(&text.value(), false).is_ok() => {
                    return wrong(&format!("; write `{}` without quotes", text.value()));
                }
                _ => return wrong(""),
            };
            if !matches!(suffix, "" | "f32" | "f64") {
                return wrong(&format!("; write it without `{suffix}`"));
            }
            literal::priority(digits, minus.is_some())
                .map(Priority::Literal)
                .map_err(|message| cx.error(value, message))
        }
        Value::None | Value::List(_) => wrong(""),
    }
}

/// The constant of `changefreq`, or beside a `changefreq` field.
pub(crate) fn changefreq(cx: &Ctxt, key: &Ident, value: &Value, usage: &str) -> Checked<ChangeFreq> {
    match value {
        Value::Lit {
            minus: None,
            lit: Lit::Str(text),
        } => literal::change_freq(&text.value())
            .map(ChangeFreq::Literal)
            .map_err(|message| cx.error(text, message)),
        Value::Path(path) => match path.get_ident().map(|word| word.to_string().to_ascii_lowercase()) {
            Some(word) if literal::change_freq(&word).is_ok() => Err(cx.error(
                path,
                format!("a changefreq literal stands in quotes: write `\"{word}\"` (P-FREQ)"),
            )),
            _ => Ok(ChangeFreq::Const(ConstExpr::path(path))),
        },
        Value::Other(tokens) => {
            let mut expr = ConstExpr::of(cx, key, tokens)?;
            expr.tokens = words(cx, expr.tokens)?;
            Ok(ChangeFreq::Const(expr))
        }
        _ => Err(cx.error(
            value,
            format!("a changefreq is one of its seven words in quotes, or a const expression (P-FREQ), as in `{usage}`"),
        )),
    }
}

/// The words in quotes that an expression ends with, as values of `ChangeFreq`.
fn words(cx: &Ctxt, tokens: TokenStream) -> Checked<TokenStream> {
    let Ok(mut expr) = syn::parse2::<Expr>(tokens.clone()) else {
        return Ok(tokens);
    };
    word(cx, &mut expr)?;
    Ok(expr.into_token_stream())
}

fn word(cx: &Ctxt, expr: &mut Expr) -> Checked<()> {
    let in_block = |block: &mut syn::Block| match block.stmts.last_mut() {
        Some(Stmt::Expr(last, None)) => word(cx, last),
        _ => Ok(()),
    };
    match expr {
        Expr::If(found) => {
            let then = in_block(&mut found.then_branch);
            let other = found.else_branch.as_mut().map(|(_, other)| word(cx, other));
            then.and(other.unwrap_or(Ok(())))
        }
        Expr::Match(found) => {
            let arms = found.arms.iter_mut().map(|arm| word(cx, &mut arm.body));
            arms.fold(Ok(()), Result::and)
        }
        Expr::Block(found) => in_block(&mut found.block),
        Expr::Paren(found) => word(cx, &mut found.expr),
        Expr::Group(found) => word(cx, &mut found.expr),
        Expr::Lit(ExprLit {
            lit: Lit::Str(text), ..
        }) => {
            let variant = literal::change_freq(&text.value()).map_err(|message| cx.error(&*text, message))?;
            let variant = Ident::new(variant, text.span());
            // The type that the value is held against, by a name that nobody has.
            let of = Ident::new(CHANGE_FREQ, Span::mixed_site().located_at(text.span()));
            *expr = syn::parse_quote!(#of::#variant);
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The name that generated code imports `ChangeFreq` by.
pub(crate) const CHANGE_FREQ: &str = "__ChangeFreq";

impl Item {
    fn usage(&self) -> &'static str {
        self.key.usage(self.level).unwrap_or(self.key.name())
    }

    pub(super) fn given<T>(&self, value: Checked<T>) -> Given<T> {
        Given {
            key: self.name.clone(),
            value,
        }
    }

    /// An error on the value, or on the key if there is none.
    fn error(&self, cx: &Ctxt, message: impl Display) -> Reported {
        match self.value {
            Value::None => cx.error(&self.name, message),
            _ => cx.error(&self.value, message),
        }
    }

    pub(super) fn flag(&self, cx: &Ctxt) -> Ident {
        let alone = format!("on a field `{0}` stands alone, `#[sitemap({0})]`", self.name);
        let advice = match (&self.value, self.key) {
            (Value::None, _) => return self.name.clone(),
            (_, Key::Loc | Key::Lastmod) => {
                format!(
                    "; a literal belongs on the struct or variant, `#[sitemap({})]`",
                    self.key.usage(Level::Struct).unwrap_or(self.key.name())
                )
            }
            (_, Key::ChangeFreq | Key::Priority) => format!(
                "; a literal belongs on the struct or variant, or beside it for when the field is `None`, \
                 `#[sitemap({}, default = …)]`",
                self.name
            ),
            (_, Key::Flatten) => "; `with = path::to::function` beside it gives what is flattened".to_owned(),
            (_, Key::Image | Key::Video | Key::News | Key::Alternate) => {
                "; the field's value is what is written, and `with = path::to::function` beside it converts it".to_owned()
            }
            _ => String::new(),
        };
        self.error(cx, format!("{alone}{advice}"));
        self.name.clone()
    }

    pub(super) fn text(&self, cx: &Ctxt) -> Checked<LitStr> {
        match &self.value {
            Value::Lit {
                minus: None,
                lit: Lit::Str(text),
            } if text.suffix().is_empty() => Ok(text.clone()),
            Value::None => Err(self.needs_value(cx)),
            _ => Err(self.error(
                cx,
                format!("`{}` takes a string literal, as in `{}`", self.name, self.usage()),
            )),
        }
    }

    fn needs_value(&self, cx: &Ctxt) -> Reported {
        let advice = match self.key {
            Key::Loc | Key::Lastmod | Key::ChangeFreq | Key::Priority => {
                format!(
                    "; to take it from a field, write `#[sitemap({})]` on the field",
                    self.name
                )
            }
            _ => String::new(),
        };
        self.error(
            cx,
            format!(
                "on {} `{}` needs a value, as in `{}`{advice}",
                self.level.name(),
                self.name,
                self.usage()
            ),
        )
    }

    /// The path of a function of the whole row.
    fn row_function(&self) -> Option<&Path> {
        match &self.value {
            Value::Path(path) if self.level != Level::Field && is_function(path) => Some(path),
            _ => None,
        }
    }

    /// A value of the whole row, or what `read` makes of a constant.
    fn or_function<T>(&self, cx: &Ctxt, read: impl FnOnce() -> Checked<T>) -> Checked<OrFunction<T>> {
        if let Value::Other(tokens) = &self.value
            && let Ok(Expr::Call(call)) = syn::parse2(tokens.clone())
            && let Expr::Path(function) = &*call.func
            && is_function(&function.path)
            && (call.args.is_empty() || find(call.args.to_token_stream(), "self").is_some())
        {
            let path = path_text(&function.path);
            return Err(self.error(
                cx,
                format!(
                    "`{0}` takes the function itself, which is called with `&self` for each row: write `{0} = {path}`",
                    self.name
                ),
            ));
        }
        match self.row_function() {
            Some(path) => Ok(OrFunction::Function(path.clone())),
            None => read().map(OrFunction::Constant),
        }
    }

    /// The template of a loc, or a function.
    pub(super) fn template(&self, cx: &Ctxt) -> Checked<OrFunction<LitStr>> {
        self.or_function(cx, || match &self.value {
            Value::Path(path) => Err(self.error(
                cx,
                format!(
                    "`{}` takes a template in quotes, or the path of a function of the row, which takes `&self`: `{}` is named like \
                     a const",
                    self.name,
                    path_text(path)
                ),
            )),
            _ => self.text(cx),
        })
    }

    /// A function of the row, which gives its images, videos and so on.
    pub(super) fn function(&self, cx: &Ctxt) -> Checked<Path> {
        match self.row_function() {
            Some(path) => Ok(path.clone()),
            None => {
                let or_parts = match self.key {
                    Key::Video => {
                        ", or the parts of a video in parentheses, as in `video(thumbnail_loc = \"/thumbs/{id}.jpg\", title = \"{name}\", …)`"
                    }
                    _ => "",
                };
                Err(self.error(
                    cx,
                    format!(
                        "on {} `{1}` takes the path of a function of the row, which takes `&self`, as in `{2}`{or_parts}; to take it from \
                         a field, write `#[sitemap({1})]` on the field",
                        self.level.name(),
                        self.name,
                        self.usage()
                    ),
                ))
            }
        }
    }

    /// The languages of a page: literals, each a hreflang, no one twice.
    pub(super) fn languages(&self, cx: &Ctxt) -> Checked<Vec<LitStr>> {
        let Value::List(list) = &self.value else {
            return Err(self.error(
                cx,
                format!(
                    "on {} the languages stand in parentheses, as in `{}`",
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

    /// `languages` or `languages(slug)` on a field.
    pub(super) fn rows_of_languages(&self, cx: &Ctxt) -> Checked<RowsOfLanguages> {
        match &self.value {
            Value::None => Ok(RowsOfLanguages::Alone),
            Value::List(list) => syn::parse2(list.stream()).map(RowsOfLanguages::With).map_err(|_| {
                self.error(
                    cx,
                    "on a field `languages` has the placeholder that the second half of each pair is the value of, as in \
                     `#[sitemap(languages(slug))] translations: Vec<(String, String)>`",
                )
            }),
            _ => Err(self.error(
                cx,
                "on a field `languages` stands alone, or names the placeholder that the second half of each pair is the value of, as in \
                 `languages(slug)`",
            )),
        }
    }

    /// The name of an element in a namespace of the user's.
    pub(super) fn element(&self, cx: &Ctxt) -> Checked<LitStr> {
        let text = self.text(cx)?;
        match element::check(&text.value()) {
            Ok(()) => Ok(text),
            Err(message) => Err(cx.error(text, message)),
        }
    }

    /// A hreflang.
    pub(super) fn language(&self, cx: &Ctxt) -> Checked<LitStr> {
        let text = self.text(cx)?;
        match hreflang::check(&text.value()) {
            Ok(()) => Ok(text),
            Err(message) => Err(cx.error(text, message)),
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

    pub(super) fn path(&self, cx: &Ctxt) -> Checked<Path> {
        let quoted = match &self.value {
            Value::Path(path) => return Ok(path.clone()),
            Value::Lit {
                lit: Lit::Str(text), ..
            } => text.parse::<Path>().ok(),
            _ => None,
        };
        let message = match (quoted, self.key) {
            (Some(path), _) => format!(
                "`{0}` takes a path without quotes: write `{0} = {1}`",
                self.name,
                path_text(&path)
            ),
            (None, Key::Crate) => format!("`crate` takes the library's path, as in `{}`", self.usage()),
            (None, _) => format!(
                "`{}` takes the path of a function, as in `{}`",
                self.name,
                self.usage()
            ),
        };
        Err(self.error(cx, message))
    }

    pub(super) fn filter(&self, cx: &Ctxt) -> Checked<Filter> {
        let predicate = match (&self.value, self.level) {
            (Value::None, Level::Field) => None,
            (Value::None, _) => {
                return Err(self.error(
                    cx,
                    format!(
                        "on {} `{}` needs the path of a function that takes `&self` and returns a bool, as in `{}`; \
                         alone it belongs on a bool field",
                        self.level.name(),
                        self.name,
                        self.usage()
                    ),
                ));
            }
            (
                Value::Lit {
                    lit: Lit::Bool(_), ..
                },
                Level::Field,
            ) => {
                return Err(self.error(
                    cx,
                    format!(
                        "`{0}` takes no bool: alone, `#[sitemap({0})]`, it asks the field",
                        self.name
                    ),
                ));
            }
            _ => Some(self.path(cx)?),
        };
        Ok(Filter {
            key: self.name.clone(),
            include: self.key == Key::IncludeIf,
            predicate,
        })
    }

    pub(super) fn lastmod(&self, cx: &Ctxt) -> Checked<OrFunction<LitStr>> {
        self.or_function(cx, || self.lastmod_literal(cx))
    }

    fn lastmod_literal(&self, cx: &Ctxt) -> Checked<LitStr> {
        let text = self.text(cx)?;
        match literal::lastmod(&text.value()) {
            Ok(()) => Ok(text),
            Err(message) => Err(cx.error(text, message)),
        }
    }

    pub(super) fn base(&self, cx: &Ctxt) -> Checked<Base> {
        match &self.value {
            Value::Path(path) => return Ok(Base::Const(ConstExpr::path(path))),
            Value::Other(tokens) => return ConstExpr::of(cx, &self.name, tokens).map(Base::Const),
            _ => {}
        }
        let text = self.text(cx)?;
        let problems = base::check(&text.value());
        if problems.is_empty() {
            return Ok(Base::Literal(text));
        }
        for problem in problems {
            problem.report(cx, &text);
        }
        Err(Reported)
    }

    pub(super) fn encoding(&self, cx: &Ctxt) -> Checked<Encoding> {
        let literal = self.text(cx)?;
        match encoding::of_label(&literal.value()) {
            Ok(name) => Ok(Encoding { name, literal }),
            Err(message) => Err(cx.error(literal, message)),
        }
    }

    pub(super) fn offset(&self, cx: &Ctxt) -> Checked<i16> {
        let text = self.text(cx)?;
        literal::offset(&text.value()).map_err(|message| cx.error(text, message))
    }

    pub(super) fn changefreq(&self, cx: &Ctxt) -> Checked<OrFunction<ChangeFreq>> {
        let is_word = |path: &Path| {
            path.get_ident()
                .is_some_and(|word| literal::change_freq(&word.to_string()).is_ok())
        };
        match &self.value {
            Value::None => Err(self.needs_value(cx)),
            Value::Path(path) if is_word(path) => {
                changefreq(cx, &self.name, &self.value, self.usage()).map(OrFunction::Constant)
            }
            value => self.or_function(cx, || changefreq(cx, &self.name, value, self.usage())),
        }
    }

    pub(super) fn priority(&self, cx: &Ctxt) -> Checked<OrFunction<Priority>> {
        match &self.value {
            Value::None => Err(self.needs_value(cx)),
            value => self.or_function(cx, || priority(cx, &self.name, value, self.usage())),
        }
    }

    /// How exact a lastmod is.
    pub(super) fn precision(&self, cx: &Ctxt) -> Checked<Precision> {
        let text = self.text(cx)?;
        let found = text.value();
        match PRECISIONS.iter().find(|(word, _)| *word == found) {
            Some((_, variant)) => Ok(Precision(variant)),
            None => {
                let advice = suggest::did_you_mean(&found, PRECISIONS.map(|(word, _)| word));
                Err(cx.error(
                    text,
                    format!("`{found}` is no precision of a lastmod: it is one of second, minute, day, month and year{advice}"),
                ))
            }
        }
    }

    /// The value of `default`; what it may be depends on the key beside it.
    pub(super) fn constant(&self, cx: &Ctxt) -> Checked<Value> {
        match &self.value {
            Value::None => Err(self.error(
                cx,
                "`default` needs a value, as in `default = 0.5` beside `priority` or `default = \"weekly\"` beside \
                 `changefreq`",
            )),
            value => Ok(value.clone()),
        }
    }
}

/// What stands in `alternate(…)`.
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
            format!("`{key}` has no language: name those that there are pages in"),
        ));
    }
    let mut right = true;
    for (i, language) in languages.iter().enumerate() {
        let text = language.value();
        let twice = languages[..i]
            .iter()
            .any(|other| other.value().eq_ignore_ascii_case(&text));
        let message = if text.eq_ignore_ascii_case("x-default") {
            "`x-default` is no language: write `x_default = \"en\"` beside the languages, with the one of them that all others see".to_owned()
        } else if twice {
            format!("the language `{text}` is given twice (P-ALT3); keep one of them")
        } else if let Err(message) = hreflang::check(&text) {
            message
        } else {
            continue;
        };
        right = false;
        cx.error(language, message);
    }
    if right { Ok(languages) } else { Err(Reported) }
}

/// Whether the default is one of the languages.
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
            "`{text}` is none of the languages, {}: `x_default` is the one of them that all others see",
            all.join(", ")
        ),
    ))
}
