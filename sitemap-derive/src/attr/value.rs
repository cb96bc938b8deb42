//! Values of keys: texts, paths, functions of the row, conditions.

use std::fmt::Display;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Expr, Lit, LitStr, Path};

use super::Setting;
use super::items::{Item, Value, path_text};
use super::key::{Key, Level};
use crate::ctxt::{Checked, Ctxt, Reported};
use crate::element;

/// The first identifier with this name, in groups too.
pub(super) fn find(tokens: TokenStream, name: &str) -> Option<TokenTree> {
    tokens.into_iter().find_map(|token| match &token {
        TokenTree::Ident(ident) if *ident == name => Some(token),
        TokenTree::Group(group) => find(group.stream(), name),
        _ => None,
    })
}

/// A condition under which an entry is listed.
#[derive(Clone)]
pub(crate) struct Filter {
    pub(crate) key: Ident,
    /// Whether the entry is listed if the condition is true (`include_if`), or if it is false (`exclude_if`).
    pub(crate) include: bool,
    /// The function to call; if `None`, the field is a bool.
    pub(crate) predicate: Option<Path>,
}

/// A constant, or a function of the whole row.
#[derive(Clone)]
pub(crate) enum OrFunction<T> {
    Constant(T),
    Function(Path),
}

/// Whether a path names a function, not a const: its last segment is in lower case, as Rust's lints require.
pub(super) fn is_function(path: &Path) -> bool {
    let last = path
        .segments
        .last()
        .map(|segment| segment.ident.unraw().to_string());
    last.is_some_and(|name| name.starts_with(|c: char| c.is_lowercase() || c == '_'))
}

impl Item {
    pub(super) fn usage(&self) -> &'static str {
        self.key.usage(self.level).unwrap_or(self.key.name())
    }

    pub(super) fn setting<T>(&self, value: Checked<T>) -> Setting<T> {
        Setting {
            key: self.name.clone(),
            value,
        }
    }

    /// An error on the value, or on the key if there is none.
    pub(super) fn error(&self, cx: &Ctxt, message: impl Display) -> Reported {
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

    pub(super) fn needs_value(&self, cx: &Ctxt) -> Reported {
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
    pub(super) fn row_function(&self) -> Option<&Path> {
        match &self.value {
            Value::Path(path) if self.level != Level::Field && is_function(path) => Some(path),
            _ => None,
        }
    }

    /// A function of the row, or the constant that `read` returns.
    pub(super) fn or_function<T>(
        &self,
        cx: &Ctxt,
        read: impl FnOnce() -> Checked<T>,
    ) -> Checked<OrFunction<T>> {
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

    /// A function of the row, which returns its images, videos and so on.
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

    /// The name of an element in a user namespace.
    pub(super) fn element(&self, cx: &Ctxt) -> Checked<LitStr> {
        let text = self.text(cx)?;
        match element::check(&text.value()) {
            Ok(()) => Ok(text),
            Err(message) => Err(cx.error(text, message)),
        }
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

    /// The advice for a filter of `!…`: the other key, on the field or with the function that follows.
    fn negated(&self) -> Option<String> {
        let Value::Other(tokens) = &self.value else {
            return None;
        };
        let other = match self.key {
            Key::ExcludeIf => "include_if",
            _ => "exclude_if",
        };
        let mut tokens = tokens.to_string();
        tokens.retain(|c| !c.is_whitespace());
        let asked = tokens.strip_prefix('!')?;
        let asked = asked.strip_prefix("self.").unwrap_or(asked);
        let path: Path = syn::parse_str(asked).ok()?;
        let rather = match path.get_ident() {
            Some(field) if self.level != Level::Field => {
                format!("`#[sitemap({other})]` on the field `{field}`")
            }
            Some(_) => format!("`#[sitemap({other})]`"),
            None => format!("`{other} = {asked}`"),
        };
        Some(format!(
            "`{}` takes no `!`, since its opposite is `{other}`: write {rather}",
            self.name
        ))
    }

    pub(super) fn filter(&self, cx: &Ctxt) -> Checked<Filter> {
        if let Some(message) = self.negated() {
            return Err(self.error(cx, message));
        }
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

    /// The zone of a naive date-time by `utc` or `offset`, of which a field has one.
    pub(super) fn zone(&self, cx: &Ctxt, found: &mut Option<Setting<i16>>) {
        let zone = match self.key {
            Key::Offset => self.offset(cx),
            _ => {
                self.flag(cx);
                Ok(0)
            }
        };
        if let Some(other) = found {
            let message = format!(
                "`{}` and `{}` are two zones, and a date-time has one: keep one of them",
                other.key, self.name
            );
            cx.error(&self.name, message);
        } else {
            *found = Some(self.setting(zone));
        }
    }

    /// The value of `default`, whose type depends on the key beside it.
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
