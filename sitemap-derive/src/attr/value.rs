//! Values of keys: texts, paths, functions of the row, conditions.

use std::convert::Infallible;
use std::fmt::Display;

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::{Lit, LitStr, Path};

use super::element;
use super::items::{Item, Value, path_text};
use super::suggest::Meant;
use super::{Key, Level, Setting};
use crate::ctxt::{Checked, Ctxt, Reported};

/// A condition under which an entry is listed.
#[derive(Clone)]
pub(crate) struct Filter {
    pub(crate) key: Ident,
    /// `true` for `include_if`, which lists the entry if the condition is true; `false` for `exclude_if`.
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

/// Returns `true` if a path names a function, not a const: its last segment is in lower case, as Rust's lints
/// require.
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

    /// Reports a value of a field's bare key.
    pub(super) fn check_alone_on_field(&self, cx: &Ctxt) {
        let alone = format!("on a field `{0}` takes no value, `#[sitemap({0})]`", self.name);
        let advice = match (&self.value, self.key) {
            (Value::None, _) => return,
            (_, key) if key.takes_default() => format!(
                "; a literal belongs on the struct or variant, or next to it as the value for `None`, \
                 `#[sitemap({}, default = …)]`",
                self.name
            ),
            (_, key) if key.is_single() => {
                format!(
                    "; a literal belongs on the struct or variant, `#[sitemap({})]`",
                    key.usage(Level::Struct).unwrap_or(key.name())
                )
            }
            (_, Key::Flatten) => {
                "; `write_with = path::to::function` next to it returns the struct to flatten".to_owned()
            }
            (_, Key::Image | Key::Video | Key::News | Key::Alternate) => {
                "; the field's value is written, and `write_with = path::to::function` next to it converts it"
                    .to_owned()
            }
            _ => String::new(),
        };
        self.error(cx, format!("{alone}{advice}"));
    }

    /// A key of a struct or variant that has no value.
    pub(super) fn alone(&self, cx: &Ctxt) -> Ident {
        if !matches!(self.value, Value::None) {
            self.error(cx, format!("`{}` takes no value", self.name));
        }
        self.name.clone()
    }

    pub(super) fn text(&self, cx: &Ctxt) -> Checked<LitStr> {
        match &self.value {
            Value::Lit {
                minus: None,
                lit: Lit::Str(text),
            } if text.suffix().is_empty() => Ok(text.clone()),
            Value::None => Err(self.needs_value(cx)),
            Value::Path(path) if matches!(self.key, Key::Precision | Key::XDefault | Key::Zone) => {
                let word = path.segments.last().map(|last| last.ident.to_string());
                let word = word.unwrap_or_default().to_lowercase();
                let word = if self.key == Key::Zone && word == "utc" {
                    "UTC".to_owned()
                } else {
                    word
                };
                let message = format!(
                    "`{0}` takes a string literal: write `{0} = \"{word}\"`",
                    self.name
                );
                Err(self.error(cx, message))
            }
            _ => Err(self.error(
                cx,
                format!(
                    "`{}` takes {}, as in `{}`",
                    self.name,
                    self.text_kind(),
                    self.usage()
                ),
            )),
        }
    }

    fn text_kind(&self) -> &'static str {
        match self.key {
            Key::Loc | Key::Image => {
                "a template in quotes, or the path of a function of the row, which takes `&self`"
            }
            Key::Title => {
                "a text in quotes, with fields in braces, or the path of a function of the row, which takes `&self`"
            }
            Key::Lastmod => {
                "a date in quotes, `newest(…)` of several fields, or the path of a function of the row, which takes `&self`"
            }
            _ => "a string literal",
        }
    }

    pub(super) fn needs_value(&self, cx: &Ctxt) -> Reported {
        let advice = if self.key.is_single() {
            format!(
                "; to take it from a field, write `#[sitemap({})]` on the field",
                self.name
            )
        } else {
            String::new()
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
        if let Some(path) = self.row_function() {
            return Ok(OrFunction::Function(path.clone()));
        }
        match Meant::of(&self.value).and_then(|meant| self.meaning(&meant)) {
            Some(message) => Err(self.error(cx, message)),
            None => read().map(OrFunction::Constant),
        }
    }

    /// The message for a value that means a function or a field, but is not written as one.
    fn meaning(&self, meant: &Meant) -> Option<String> {
        let name = &self.name;
        let called_with = match (self.key, self.level) {
            (Key::ReadWith, _) => "the entry's text",
            (_, Level::Field) => "a reference to the field's value",
            _ => "`&self` for each row",
        };
        match meant {
            Meant::Function(path) if self.key == Key::With => Some(format!(
                "`with` takes a module, which has the functions `write` and `read`: write `with = {0}`, or `write_with = {0}` if it is a \
                 function",
                path_text(path)
            )),
            Meant::Function(path) if is_function(path) => Some(format!(
                "`{name}` takes the function itself, which is called with {called_with}: write `{name} = {}`",
                path_text(path)
            )),
            Meant::Quoted(path) if path.segments.len() > 1 => Some(self.without_quotes(path)),
            Meant::Placeholder(_)
                if matches!(self.key, Key::Loc | Key::Image | Key::Alternate | Key::Title) =>
            {
                None
            }
            Meant::Field(field) => Some(format!("`{name}` takes no expression: {}", self.of_field(field))),
            Meant::Placeholder(field) => {
                Some(format!("`{name}` has no placeholders: {}", self.of_field(field)))
            }
            _ => None,
        }
    }

    fn of_field(&self, field: &Ident) -> String {
        format!(
            "to take it from the field `{field}`, write `#[sitemap({})]` on it",
            self.name
        )
    }

    fn without_quotes(&self, path: &Path) -> String {
        format!(
            "`{0}` takes a path without quotes: write `{0} = {1}`",
            self.name,
            path_text(path)
        )
    }

    /// The template of a loc, or a function.
    pub(super) fn template(&self, cx: &Ctxt) -> Checked<OrFunction<LitStr>> {
        self.or_function(cx, || match &self.value {
            Value::Path(path) => Err(self.error(
                cx,
                format!(
                    "`{}` takes {}: `{}` is named like a const",
                    self.name,
                    self.text_kind(),
                    path_text(path)
                ),
            )),
            _ => self.text(cx),
        })
    }

    /// A function of the row, which returns its images, videos and so on.
    pub(super) fn function(&self, cx: &Ctxt) -> Checked<Path> {
        match self.or_function(cx, || Err::<Infallible, _>(self.no_function(cx)))? {
            OrFunction::Function(path) => Ok(path),
            OrFunction::Constant(never) => match never {},
        }
    }

    fn no_function(&self, cx: &Ctxt) -> Reported {
        let or_parts = match self.key {
            Key::Video => {
                ", or the parts of a video in parentheses, as in `video(thumbnail_loc = \"/thumbs/{id}.jpg\", title = \"{name}\", …)`"
            }
            Key::News => {
                ", or the parts of an article in parentheses, as in `news(publication = \"The Example Times\", language = \"en\", …)`"
            }
            _ => "",
        };
        self.error(
            cx,
            format!(
                "on {} `{1}` takes the path of a function of the row, which takes `&self`, as in `{2}`{or_parts}; to take it from \
                 a field, write `#[sitemap({1})]` on the field",
                self.level.name(),
                self.name,
                self.usage()
            ),
        )
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
        if let Value::Path(path) = &self.value {
            return Ok(path.clone());
        }
        let message = match Meant::of(&self.value) {
            Some(Meant::Quoted(path)) => self.without_quotes(&path),
            Some(meant @ Meant::Function(_)) => self.meaning(&meant).unwrap_or_else(|| self.takes_path()),
            _ => self.takes_path(),
        };
        Err(self.error(cx, message))
    }

    fn takes_path(&self) -> String {
        let what = match self.key {
            Key::Crate => "the library's path",
            Key::With => "the path of a module with the functions `write` and `read`",
            _ => "the path of a function",
        };
        format!("`{}` takes {what}, as in `{}`", self.name, self.usage())
    }

    pub(super) fn filter(&self, cx: &Ctxt) -> Checked<Filter> {
        let predicate = match (&self.value, self.level) {
            (Value::None, Level::Field) => None,
            (Value::Path(path), _) => Some(path.clone()),
            _ => return Err(self.error(cx, self.no_condition())),
        };
        Ok(Filter {
            key: self.name.clone(),
            include: self.key == Key::IncludeIf,
            predicate,
        })
    }

    /// The message for a value that is not a condition.
    fn no_condition(&self) -> String {
        let (name, on_field) = (&self.name, self.level == Level::Field);
        match (&self.value, Meant::of(&self.value)) {
            (Value::None, _) => format!(
                "on {} `{name}` needs the path of a function that takes `&self` and returns a bool, as in `{}`; as a bare key it belongs on a bool field",
                self.level.name(),
                self.usage()
            ),
            (
                Value::Lit {
                    lit: Lit::Bool(_), ..
                },
                _,
            ) if on_field => {
                format!("`{name}` takes no bool: as a bare key, `#[sitemap({name})]`, it reads the field")
            }
            (_, Some(Meant::Not(asked))) => {
                let other = match self.key {
                    Key::ExcludeIf => "include_if",
                    _ => "exclude_if",
                };
                format!(
                    "`{name}` takes no `!`, since its opposite is `{other}`: write {}",
                    self.condition(other, &asked)
                )
            }
            (_, Some(meant @ Meant::Field(_))) => format!(
                "`{name}` takes no expression: write {}",
                self.condition(&name.to_string(), &meant)
            ),
            (_, Some(Meant::Quoted(path))) => match path.get_ident() {
                Some(field) if !on_field => format!(
                    "`{name}` takes no text: write `#[sitemap({name})]` on the field `{field}`, or the path of a function without \
                     quotes, as in `{}`",
                    self.usage()
                ),
                _ => self.without_quotes(&path),
            },
            (_, meant) => meant
                .and_then(|meant| self.meaning(&meant))
                .unwrap_or_else(|| self.takes_condition()),
        }
    }

    fn takes_condition(&self) -> String {
        match self.level {
            Level::Field => format!(
                "`{0}` takes the path of a function that takes a reference to the field's value and returns a bool, as in `{0} = \
                 path::to::function`; as a bare key, `#[sitemap({0})]`, it belongs on a bool",
                self.name
            ),
            _ => format!(
                "`{}` takes the path of a function that takes `&self` and returns a bool, not an expression: put the condition into \
                 one, and write `{}`",
                self.name,
                self.usage()
            ),
        }
    }

    /// The condition in correct notation.
    fn condition(&self, key: &str, meant: &Meant) -> String {
        let on_field = self.level == Level::Field;
        match meant {
            Meant::Function(path) | Meant::Quoted(path) => match path.get_ident() {
                Some(_) if on_field => format!("`#[sitemap({key})]`"),
                Some(field) => format!("`#[sitemap({key})]` on the field `{field}`"),
                None => format!("`{key} = {}`", path_text(path)),
            },
            Meant::Field(_) | Meant::Placeholder(_) if on_field => format!("`#[sitemap({key})]`"),
            Meant::Field(field) | Meant::Placeholder(field) => {
                format!("`#[sitemap({key})]` on the field `{field}`")
            }
            Meant::Not(asked) => self.condition(&self.name.to_string(), asked),
        }
    }

    /// The value of `default`, with the type that its `priority` or `changefreq` needs.
    pub(super) fn constant(&self, cx: &Ctxt) -> Checked<Value> {
        match &self.value {
            Value::None => Err(self.error(
                cx,
                "`default` needs a value, as in `default = 0.5` next to `priority` or `default = \"weekly\"` beside \
                 `changefreq`",
            )),
            value => Ok(value.clone()),
        }
    }
}
