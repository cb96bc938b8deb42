//! Reads `#[sitemap(…)]`: keys and the shape of their values, each at its level.
//!
//! Nothing here returns at the first mistake: what cannot be read goes into the [`Ctxt`], and reading goes on behind it.

use std::fmt::Display;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Expr, Ident, Lit, LitInt, LitStr, Meta, Path, Token, UnOp};

use crate::ctxt::{Checked, Ctxt, Reported};
use crate::literal;
use crate::suggest;

/// Where an attribute stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Struct,
    Enum,
    Variant,
    Field,
}

impl Level {
    fn name(self) -> &'static str {
        match self {
            Level::Struct => "a struct",
            Level::Enum => "an enum",
            Level::Variant => "a variant",
            Level::Field => "a field",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Loc,
    Lastmod,
    ChangeFreq,
    Priority,
    With,
    FromWith,
    Offset,
    Utc,
    Default,
    ExcludeIf,
    IncludeIf,
    Crate,
}

impl Key {
    const ALL: [Key; 12] = [
        Key::Loc,
        Key::Lastmod,
        Key::ChangeFreq,
        Key::Priority,
        Key::With,
        Key::FromWith,
        Key::Offset,
        Key::Utc,
        Key::Default,
        Key::ExcludeIf,
        Key::IncludeIf,
        Key::Crate,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Key::Loc => "loc",
            Key::Lastmod => "lastmod",
            Key::ChangeFreq => "changefreq",
            Key::Priority => "priority",
            Key::With => "with",
            Key::FromWith => "from_with",
            Key::Offset => "offset",
            Key::Utc => "utc",
            Key::Default => "default",
            Key::ExcludeIf => "exclude_if",
            Key::IncludeIf => "include_if",
            Key::Crate => "crate",
        }
    }

    /// How the key is written at a level, with an example's value; `None` if it does not belong there.
    fn usage(self, level: Level) -> Option<&'static str> {
        Some(match (self, level) {
            (Key::Loc, Level::Struct | Level::Variant) => "loc = \"/products/{slug}\"",
            (Key::Loc, Level::Field) => "loc",
            (Key::Lastmod, Level::Struct | Level::Variant) => "lastmod = \"2024-05-06\"",
            (Key::Lastmod, Level::Field) => "lastmod",
            (Key::ChangeFreq, Level::Struct | Level::Variant) => "changefreq = \"weekly\"",
            (Key::ChangeFreq, Level::Field) => "changefreq",
            (Key::Priority, Level::Struct | Level::Variant) => "priority = 0.8",
            (Key::Priority, Level::Field) => "priority",
            (Key::With, Level::Field) => "with = path::to::function",
            (Key::FromWith, Level::Field) => "from_with = path::to::function",
            (Key::Offset, Level::Field) => "offset = \"+09:00\"",
            (Key::Utc, Level::Field) => "utc",
            (Key::Default, Level::Field) => "default = 0.5",
            (Key::ExcludeIf, Level::Struct | Level::Enum) => "exclude_if = Self::is_draft",
            (Key::ExcludeIf, Level::Field) => "exclude_if",
            (Key::IncludeIf, Level::Struct | Level::Enum) => "include_if = Self::is_public",
            (Key::IncludeIf, Level::Field) => "include_if",
            (Key::Crate, Level::Struct | Level::Enum) => "crate = path::to::sitemap_serde",
            _ => return None,
        })
    }

    /// Where a key belongs that stands at a level where it does not.
    fn belongs(self) -> &'static str {
        match self {
            Key::Loc | Key::Lastmod | Key::ChangeFreq | Key::Priority => {
                "an enum is not one page: put it on the variants that are"
            }
            Key::With => {
                "it converts a field's value: put it on the field, as in `#[sitemap(lastmod, with = to_date)]`"
            }
            Key::FromWith => {
                "it converts to a field's value: put it on the field, as in `#[sitemap(lastmod, from_with = of_date)]`"
            }
            Key::Offset | Key::Utc => {
                "it gives a naive date-time its zone: put it beside `lastmod` on the field"
            }
            Key::Default => {
                "it is for a field that is `None`: put it beside `priority` or `changefreq` on the field"
            }
            Key::ExcludeIf | Key::IncludeIf => "put it on the type, or on a field of the variant",
            Key::Crate => "put it on the type",
        }
    }
}

/// What people call a key that has another name.
const KEY_ALIASES: [(&str, Key); 22] = [
    ("url", Key::Loc),
    ("path", Key::Loc),
    ("location", Key::Loc),
    ("template", Key::Loc),
    ("modified", Key::Lastmod),
    ("lastmodified", Key::Lastmod),
    ("updated", Key::Lastmod),
    ("date", Key::Lastmod),
    ("frequency", Key::ChangeFreq),
    ("freq", Key::ChangeFreq),
    ("changefrequency", Key::ChangeFreq),
    ("prio", Key::Priority),
    ("serializewith", Key::With),
    ("deserializewith", Key::FromWith),
    ("parsewith", Key::FromWith),
    ("timezone", Key::Offset),
    ("tz", Key::Offset),
    ("skipif", Key::ExcludeIf),
    ("skip", Key::ExcludeIf),
    ("hidden", Key::ExcludeIf),
    ("includeonlyif", Key::IncludeIf),
    ("listedif", Key::IncludeIf),
];

/// A key that was given, with its value unless that was wrong.
#[derive(Debug)]
pub(crate) struct Given<T> {
    pub(crate) key: Ident,
    pub(crate) value: Checked<T>,
}

/// A constant for `priority`.
#[derive(Clone, Debug)]
pub(crate) enum Priority {
    /// From 0.0 to 1.0.
    Literal(f64),
    /// A const, checked in const evaluation.
    Const(Path),
}

/// A constant for `changefreq`.
#[derive(Clone, Debug)]
pub(crate) enum ChangeFreq {
    /// The name of a variant.
    Literal(&'static str),
    /// A const of the type `ChangeFreq`.
    Const(Path),
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

/// What a struct or variant says about its page.
#[derive(Default, Debug)]
pub(crate) struct PageAttrs {
    pub(crate) loc: Option<Given<LitStr>>,
    pub(crate) lastmod: Option<Given<LitStr>>,
    pub(crate) changefreq: Option<Given<ChangeFreq>>,
    pub(crate) priority: Option<Given<Priority>>,
    /// Whether a mistake was found that may have been meant as `loc`.
    pub(crate) loc_misspelt: bool,
    /// Whether the type has any key of its own here.
    pub(crate) any: bool,
}

/// What a type says besides.
#[derive(Default, Debug)]
pub(crate) struct TypeAttrs {
    pub(crate) krate: Option<Given<Path>>,
    pub(crate) filters: Vec<Filter>,
    pub(crate) page: PageAttrs,
}

#[derive(Default, Debug)]
pub(crate) struct FieldAttrs {
    pub(crate) loc: Option<Ident>,
    pub(crate) lastmod: Option<Ident>,
    pub(crate) changefreq: Option<Ident>,
    pub(crate) priority: Option<Ident>,
    pub(crate) with: Option<Given<Path>>,
    pub(crate) from_with: Option<Given<Path>>,
    /// The zone of a naive date-time, in minutes east of UTC.
    pub(crate) zone: Option<Given<i16>>,
    pub(crate) default: Option<Given<Value>>,
    pub(crate) filters: Vec<Filter>,
    /// Whether a mistake was found that may have been meant as `loc`.
    pub(crate) loc_misspelt: bool,
}

/// The attributes of a struct or enum.
pub(crate) fn of_type(cx: &Ctxt, attrs: &[Attribute], level: Level) -> TypeAttrs {
    let items = Items::read(cx, attrs, level);
    let mut found = TypeAttrs::default();
    for item in &items.list {
        match item.key {
            Key::Crate => found.krate = Some(item.given(item.path(cx))),
            Key::ExcludeIf | Key::IncludeIf => found.filters.extend(item.filter(cx)),
            _ => {}
        }
    }
    found.page = page(cx, &items);
    found
}

/// The attributes of a variant.
pub(crate) fn of_variant(cx: &Ctxt, attrs: &[Attribute]) -> PageAttrs {
    page(cx, &Items::read(cx, attrs, Level::Variant))
}

fn page(cx: &Ctxt, items: &Items) -> PageAttrs {
    let mut found = PageAttrs {
        loc_misspelt: items.misspelt(Key::Loc),
        any: items.any,
        ..PageAttrs::default()
    };
    for item in &items.list {
        match item.key {
            Key::Loc => found.loc = Some(item.given(item.text(cx))),
            Key::Lastmod => found.lastmod = Some(item.given(item.lastmod(cx))),
            Key::ChangeFreq => found.changefreq = Some(item.given(item.changefreq(cx))),
            Key::Priority => found.priority = Some(item.given(item.priority(cx))),
            _ => {}
        }
    }
    found
}

/// The attributes of a field.
pub(crate) fn of_field(cx: &Ctxt, attrs: &[Attribute]) -> FieldAttrs {
    let items = Items::read(cx, attrs, Level::Field);
    let mut found = FieldAttrs {
        loc_misspelt: items.misspelt(Key::Loc),
        ..FieldAttrs::default()
    };
    for item in &items.list {
        match item.key {
            Key::Loc => found.loc = Some(item.flag(cx)),
            Key::Lastmod => found.lastmod = Some(item.flag(cx)),
            Key::ChangeFreq => found.changefreq = Some(item.flag(cx)),
            Key::Priority => found.priority = Some(item.flag(cx)),
            Key::With => found.with = Some(item.given(item.path(cx))),
            Key::FromWith => found.from_with = Some(item.given(item.path(cx))),
            Key::Utc | Key::Offset => {
                let zone = if item.key == Key::Offset {
                    item.offset(cx)
                } else {
                    item.flag(cx);
                    Ok(0)
                };
                if let Some(other) = &found.zone {
                    let message = format!(
                        "`{}` and `{}` are two zones, and a date-time has one: keep one of them",
                        other.key, item.name
                    );
                    cx.error(&item.name, message);
                } else {
                    found.zone = Some(item.given(zone));
                }
            }
            Key::Default => found.default = Some(item.given(item.constant(cx))),
            Key::ExcludeIf | Key::IncludeIf => found.filters.extend(item.filter(cx)),
            Key::Crate => {}
        }
    }
    found
}

/// The constant of `priority`, or beside a `priority` field.
pub(crate) fn priority(cx: &Ctxt, value: &Value, usage: &str) -> Checked<Priority> {
    let wrong = |advice: &str| {
        let message = format!(
            "a priority is a number from 0.0 to 1.0, or the path of a const (P-PRIO), as in `{usage}`{advice}"
        );
        Err(cx.error(value, message))
    };
    match value {
        Value::Path(path) => Ok(Priority::Const(path.clone())),
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
        Value::None | Value::Other(_) => wrong(""),
    }
}

/// The constant of `changefreq`, or beside a `changefreq` field.
pub(crate) fn changefreq(cx: &Ctxt, value: &Value, usage: &str) -> Checked<ChangeFreq> {
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
            _ => Ok(ChangeFreq::Const(path.clone())),
        },
        _ => Err(cx.error(
            value,
            format!("a changefreq is one of its seven words in quotes (P-FREQ), as in `{usage}`"),
        )),
    }
}

/// The items of all `#[sitemap(…)]` of one place, each key once.
struct Items {
    list: Vec<Item>,
    /// Keys that a mistake was probably meant to be.
    meant: Vec<Key>,
    /// A mistake of which nobody knows what it was meant to be.
    unreadable: bool,
    /// Whether anything was given at all.
    any: bool,
}

struct Item {
    level: Level,
    key: Key,
    name: Ident,
    value: Value,
}

/// What stands behind `=`.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// No `=` at all.
    None,
    Lit {
        minus: Option<Token![-]>,
        lit: Lit,
    },
    Path(Path),
    Other(TokenStream),
}

impl ToTokens for Value {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Value::None => {}
            Value::Lit { minus, lit } => {
                minus.to_tokens(tokens);
                lit.to_tokens(tokens);
            }
            Value::Path(path) => path.to_tokens(tokens),
            Value::Other(other) => other.to_tokens(tokens),
        }
    }
}

impl Items {
    fn read(cx: &Ctxt, attrs: &[Attribute], level: Level) -> Items {
        let mut items = Items {
            list: Vec::new(),
            meant: Vec::new(),
            unreadable: false,
            any: false,
        };
        for attr in attrs {
            if !attr.path().is_ident("sitemap") {
                continue;
            }
            match &attr.meta {
                Meta::List(list) => {
                    let parser = |input: ParseStream<'_>| {
                        while !input.is_empty() {
                            items.any = true;
                            items.read_item(cx, input, level);
                        }
                        Ok(())
                    };
                    if let Err(error) = parser.parse2(list.tokens.clone()) {
                        cx.push(error);
                    }
                }
                meta => {
                    items.any = true;
                    items.unreadable = true;
                    cx.error(
                        meta,
                        format!("expected `#[sitemap(…)]`, as in `#[sitemap({})]`", example(level)),
                    );
                }
            }
        }
        items
    }

    /// Reads up to and with the next comma.
    fn read_item(&mut self, cx: &Ctxt, input: ParseStream<'_>, level: Level) {
        if let Some(item) = self.read_key_and_value(cx, input, level) {
            self.add(cx, item);
        }
        if input.is_empty() || input.parse::<Token![,]>().is_ok() {
            return;
        }
        // A key that goes on well tells that only the comma is missing.
        let (token, next_is_key) = (input.fork().parse::<TokenTree>().ok(), next_is_key(input));
        cx.error(token, "expected a comma");
        if !next_is_key {
            skip_to_comma(input);
            let _: Option<Token![,]> = input.parse().ok().flatten();
        }
    }

    fn read_key_and_value(&mut self, cx: &Ctxt, input: ParseStream<'_>, level: Level) -> Option<Item> {
        let Some(path) = read_key(input) else {
            self.not_a_key(cx, input, level);
            return None;
        };
        let name = path.get_ident().cloned();
        let key = name
            .as_ref()
            .and_then(|name| Key::ALL.into_iter().find(|key| name == key.name()));
        let (Some(name), Some(key)) = (name, key) else {
            self.unknown(cx, &path, level);
            skip_to_comma(input);
            return None;
        };
        let Some(usage) = key.usage(level) else {
            self.meant.push(key);
            cx.error(
                &name,
                format!("`{name}` does not belong on {}; {}", level.name(), key.belongs()),
            );
            skip_to_comma(input);
            return None;
        };
        match read_value(input) {
            Ok(value) => Some(Item {
                level,
                key,
                name,
                value,
            }),
            Err(place) => {
                self.meant.push(key);
                let message = format!("expected `{usage}`");
                if place.is_empty() {
                    cx.error(&name, message);
                } else {
                    cx.error(place, message);
                }
                skip_to_comma(input);
                None
            }
        }
    }

    fn not_a_key(&mut self, cx: &Ctxt, input: ParseStream<'_>, level: Level) {
        self.unreadable = true;
        if input.peek(Token![,]) {
            cx.error(next_token(input), "a comma too many");
            return;
        }
        let after_number = matches!(
            self.list.last().map(|item| &item.value),
            Some(Value::Lit { lit: Lit::Int(_), .. })
        );
        let message = if after_number && input.peek(LitInt) {
            "a decimal is written with a point, as in `0.5`".to_owned()
        } else if input.peek(Lit) {
            format!("expected a key in front of it, as in `{}`", example(level))
        } else {
            format!("expected a key, as in `{}`", example(level))
        };
        cx.error(next_token(input), message);
        skip_to_comma(input);
    }

    fn unknown(&mut self, cx: &Ctxt, path: &Path, level: Level) {
        let found = path_text(path);
        let folded: String = found
            .chars()
            .filter(char::is_ascii_alphabetic)
            .collect::<String>()
            .to_lowercase();
        let here = || Key::ALL.into_iter().filter(|key| key.usage(level).is_some());
        let alias = KEY_ALIASES
            .iter()
            .find(|(alias, _)| *alias == folded)
            .map(|(_, key)| *key);
        let near = alias.filter(|key| key.usage(level).is_some()).or_else(|| {
            let near = suggest::nearest(&found, here().map(Key::name))?;
            here().find(|key| key.name() == near)
        });
        let advice = if let Some(key) = near {
            self.meant.push(key);
            format!("did you mean `{}`?", key.usage(level).unwrap_or(key.name()))
        } else {
            let names: Vec<String> = here().map(|key| format!("`{}`", key.name())).collect();
            format!("the keys of {} are {}", level.name(), names.join(", "))
        };
        cx.error(
            path,
            format!("`{found}` is not a key of `#[sitemap(…)]`; {advice}"),
        );
    }

    fn add(&mut self, cx: &Ctxt, item: Item) {
        if self.list.iter().any(|other| other.key == item.key) {
            let message = format!("`{}` is given twice; keep one of them", item.name);
            cx.error(&item.name, message);
        } else {
            self.list.push(item);
        }
    }

    fn misspelt(&self, key: Key) -> bool {
        self.unreadable || self.meant.contains(&key)
    }
}

fn example(level: Level) -> &'static str {
    match level {
        Level::Struct | Level::Variant => "loc = \"/products/{slug}\"",
        Level::Enum => "exclude_if = Self::is_draft",
        Level::Field => "lastmod",
    }
}

/// A path of which the segments may be keywords.
fn read_key(input: ParseStream<'_>) -> Option<Path> {
    let fork = input.fork();
    let mut path = Path::from(Ident::parse_any(&fork).ok()?);
    while fork.peek(Token![::]) && fork.peek3(Ident::peek_any) {
        let _: Token![::] = fork.parse().ok()?;
        path.segments.push(Ident::parse_any(&fork).ok()?.into());
    }
    input.advance_to(&fork);
    Some(path)
}

/// What follows the key, or the tokens that are none.
fn read_value(input: ParseStream<'_>) -> Result<Value, TokenStream> {
    if input.is_empty() || input.peek(Token![,]) || next_is_key(input) {
        return Ok(Value::None);
    }
    let equals: Token![=] = input.parse().map_err(|_| next_token(input))?;
    if input.is_empty() || input.peek(Token![,]) {
        return Err(equals.into_token_stream());
    }
    let fork = input.fork();
    let value = fork.parse::<Expr>().map_err(|_| next_token(input))?;
    input.advance_to(&fork);
    Ok(of_expr(value))
}

fn of_expr(expr: Expr) -> Value {
    match expr {
        // Literals and paths that come through a `macro_rules!` variable.
        Expr::Group(group) => of_expr(*group.expr),
        Expr::Lit(lit) => Value::Lit {
            minus: None,
            lit: lit.lit,
        },
        Expr::Path(path) if path.qself.is_none() => Value::Path(path.path),
        Expr::Unary(unary) => match (unary.op, *unary.expr) {
            (UnOp::Neg(minus), Expr::Lit(lit)) => Value::Lit {
                minus: Some(minus),
                lit: lit.lit,
            },
            (op, expr) => {
                let mut tokens = op.into_token_stream();
                expr.to_tokens(&mut tokens);
                Value::Other(tokens)
            }
        },
        other => Value::Other(other.into_token_stream()),
    }
}

fn next_token(input: ParseStream<'_>) -> TokenStream {
    input
        .fork()
        .parse::<TokenTree>()
        .map_or_else(|_| TokenStream::new(), TokenStream::from)
}

/// Whether a known key comes next, and ends or goes on with `=`.
fn next_is_key(input: ParseStream<'_>) -> bool {
    let fork = input.fork();
    let Ok(name) = Ident::parse_any(&fork) else {
        return false;
    };
    Key::ALL.iter().any(|key| name == key.name())
        && (fork.is_empty() || fork.peek(Token![,]) || (fork.peek(Token![=]) && !fork.peek(Token![==])))
}

fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        if input.parse::<TokenTree>().is_err() {
            return;
        }
    }
}

fn path_text(path: &Path) -> String {
    let segments: Vec<String> = path
        .segments
        .iter()
        .map(|segment| segment.ident.to_string())
        .collect();
    segments.join("::")
}

impl Item {
    fn usage(&self) -> &'static str {
        self.key.usage(self.level).unwrap_or(self.key.name())
    }

    fn given<T>(&self, value: Checked<T>) -> Given<T> {
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

    fn flag(&self, cx: &Ctxt) -> Ident {
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
            _ => String::new(),
        };
        self.error(cx, format!("{alone}{advice}"));
        self.name.clone()
    }

    fn text(&self, cx: &Ctxt) -> Checked<LitStr> {
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

    fn path(&self, cx: &Ctxt) -> Checked<Path> {
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

    fn filter(&self, cx: &Ctxt) -> Checked<Filter> {
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

    fn lastmod(&self, cx: &Ctxt) -> Checked<LitStr> {
        let text = self.text(cx)?;
        match literal::lastmod(&text.value()) {
            Ok(()) => Ok(text),
            Err(message) => Err(cx.error(text, message)),
        }
    }

    fn offset(&self, cx: &Ctxt) -> Checked<i16> {
        let text = self.text(cx)?;
        literal::offset(&text.value()).map_err(|message| cx.error(text, message))
    }

    fn changefreq(&self, cx: &Ctxt) -> Checked<ChangeFreq> {
        match &self.value {
            Value::None => Err(self.needs_value(cx)),
            value => changefreq(cx, value, self.usage()),
        }
    }

    fn priority(&self, cx: &Ctxt) -> Checked<Priority> {
        match &self.value {
            Value::None => Err(self.needs_value(cx)),
            value => priority(cx, value, self.usage()),
        }
    }

    /// The value of `default`; what it may be depends on the key beside it.
    fn constant(&self, cx: &Ctxt) -> Checked<Value> {
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
