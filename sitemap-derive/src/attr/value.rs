//! What a key's value may be, each kind with its own error.

use std::fmt::Display;

use proc_macro2::Ident;
use syn::{Lit, LitStr, Path};

use super::Given;
use super::items::{Item, Value, path_text};
use super::key::{Key, Level};
use crate::base;
use crate::ctxt::{Checked, Ctxt, Reported};
use crate::encoding::{self, Encoding};
use crate::literal;

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

    pub(super) fn lastmod(&self, cx: &Ctxt) -> Checked<LitStr> {
        let text = self.text(cx)?;
        match literal::lastmod(&text.value()) {
            Ok(()) => Ok(text),
            Err(message) => Err(cx.error(text, message)),
        }
    }

    pub(super) fn base(&self, cx: &Ctxt) -> Checked<LitStr> {
        let text = self.text(cx)?;
        let problems = base::check(&text.value());
        if problems.is_empty() {
            return Ok(text);
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

    pub(super) fn changefreq(&self, cx: &Ctxt) -> Checked<ChangeFreq> {
        match &self.value {
            Value::None => Err(self.needs_value(cx)),
            value => changefreq(cx, value, self.usage()),
        }
    }

    pub(super) fn priority(&self, cx: &Ctxt) -> Checked<Priority> {
        match &self.value {
            Value::None => Err(self.needs_value(cx)),
            value => priority(cx, value, self.usage()),
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
