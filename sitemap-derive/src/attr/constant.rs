//! Constants: literals and const expressions for `priority`, `changefreq`, `base`, `encoding` and `precision`.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use sitemap_values::suggest::did_you_mean;
use sitemap_values::{ValueError, W3cDateTime, encoding};
use syn::{Expr, Lit, LitStr, Path};

use super::Key;
use super::items::{Item, Value, find};
use super::newest::Dates;
use super::value::OrFunction;
use crate::base;
use crate::ctxt::{Checked, Ctxt, Reported};

/// A constant for `priority`.
#[derive(Clone)]
pub(crate) enum Priority {
    /// From 0.0 to 1.0.
    Literal(f64),
    /// Checked by const evaluation.
    Const(ConstExpr),
}

/// A constant for `changefreq`.
#[derive(Clone)]
pub(crate) enum ChangeFreq {
    Literal(sitemap_values::ChangeFreq),
    /// A const of the type `ChangeFreq`.
    Const(Path),
}

/// A constant for a key that may have a `default` on a field.
#[derive(Clone)]
pub(crate) enum Constant {
    ChangeFreq(ChangeFreq),
    Priority(Priority),
}

/// The value of `base`.
#[derive(Clone)]
pub(crate) enum Base {
    Literal(LitStr),
    /// A `&'static str`, checked when it is first used.
    Const(ConstExpr),
}

/// The value of `encoding`.
pub(crate) struct Encoding {
    /// The name in the Encoding Standard.
    pub(crate) name: &'static str,
    pub(crate) literal: LitStr,
}

impl Encoding {
    pub(crate) fn is_utf8(&self) -> bool {
        self.name == "UTF-8"
    }
}

/// The value of `precision`: the name of a variant of `Precision`.
#[derive(Clone, Copy)]
pub(crate) struct Precision(pub(crate) &'static str);

/// A const expression, usually the path of a const.
#[derive(Clone)]
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

    /// Makes a const expression; an error if it refers to the row by `self`.
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

    /// Returns `true` if it contains `Self`.
    pub(crate) fn names_self(&self) -> bool {
        find(self.tokens.clone(), "Self").is_some()
    }

    /// Its source text.
    pub(crate) fn text(&self) -> String {
        self.text_of(&self.tokens)
    }

    /// Its source text, with these tokens instead of its own.
    pub(crate) fn text_of(&self, tokens: &TokenStream) -> String {
        let text = tokens.to_string();
        if self.is_path { text.replace(' ', "") } else { text }
    }
}

/// The words of `precision`, and the variants that they name.
const PRECISIONS: [(&str, &str); 5] = [
    ("second", "Second"),
    ("minute", "Minute"),
    ("day", "Day"),
    ("month", "Month"),
    ("year", "Year"),
];

/// The constant of a field's `default` next to the key `of`.
pub(crate) fn default(cx: &Ctxt, of: Key, key: &Ident, value: &Value) -> Checked<Constant> {
    match of {
        Key::ChangeFreq => changefreq(cx, key, value, "default = \"weekly\""),
        _ => priority(cx, key, value, "default = 0.5"),
    }
}

/// The constant of `priority`, on a type or as a field's `default`.
fn priority(cx: &Ctxt, key: &Ident, value: &Value, usage: &str) -> Checked<Constant> {
    let constant = |priority| Ok(Constant::Priority(priority));
    let wrong = |advice: &str| {
        let message = format!(
            "a priority is a number from 0.0 to 1.0, or a const expression (P-PRIO), as in `{usage}`{advice}"
        );
        Err(cx.error(value, message))
    };
    if let Some(advice) = of_option(value) {
        return wrong(advice);
    }
    match value {
        Value::Path(path) => constant(Priority::Const(ConstExpr::path(path))),
        Value::Other(tokens) => constant(Priority::Const(ConstExpr::of(cx, key, tokens)?)),
        Value::Lit { minus, lit } => {
            let (digits, suffix) = match lit {
                Lit::Int(int) => (int.base10_digits(), int.suffix()),
                Lit::Float(float) => (float.base10_digits(), float.suffix()),
                Lit::Str(text) if text.value().parse::<sitemap_values::Priority>().is_ok() => {
                    return wrong(&format!("; write `{}` without quotes", text.value()));
                }
                _ => return wrong(""),
            };
            if !matches!(suffix, "" | "f32" | "f64") {
                return wrong(&format!("; write it without `{suffix}`"));
            }
            let sign = if minus.is_some() { "-" } else { "" };
            match format!("{sign}{digits}").parse::<sitemap_values::Priority>() {
                Ok(priority) => constant(Priority::Literal(priority.into())),
                Err(error) => Err(cx.error(value, error)),
            }
        }
        Value::None | Value::List(_) => wrong(""),
    }
}

/// The advice for `Some(…)` and `None`, which are not constants.
fn of_option(value: &Value) -> Option<&'static str> {
    match value {
        Value::Path(path) if path.is_ident("None") => Some("; for none, remove the key"),
        Value::Other(tokens) => match syn::parse2(tokens.clone()) {
            Ok(Expr::Call(call)) if matches!(&*call.func, Expr::Path(path) if path.path.is_ident("Some")) => {
                Some("; write the value without `Some`")
            }
            _ => None,
        },
        _ => None,
    }
}

/// The constant of `changefreq`, on a type or as a field's `default`.
fn changefreq(cx: &Ctxt, key: &Ident, value: &Value, usage: &str) -> Checked<Constant> {
    let constant = |changefreq| Ok(Constant::ChangeFreq(changefreq));
    let wrong = |advice: &str| {
        let message = format!(
            "a changefreq is one of its seven words in quotes, or a const (P-FREQ), as in `{usage}`{advice}"
        );
        Err(cx.error(value, message))
    };
    if let Some(advice) = of_option(value) {
        return wrong(advice);
    }
    match value {
        Value::Lit {
            minus: None,
            lit: Lit::Str(text),
        } => text
            .value()
            .parse()
            .map_err(|error: ValueError| cx.error(text, error))
            .and_then(|word| constant(ChangeFreq::Literal(word))),
        Value::Path(path) => match path.get_ident().map(ToString::to_string) {
            // In capitals it is a const.
            Some(word) if is_changefreq(&word.to_lowercase()) && word.contains(char::is_lowercase) => Err(cx
                .error(
                    path,
                    format!(
                        "a changefreq literal needs quotes: write `\"{}\"` (P-FREQ)",
                        word.to_lowercase()
                    ),
                )),
            _ => constant(ChangeFreq::Const(path.clone())),
        },
        Value::Other(tokens) => {
            // An expression with `self` has its own message.
            ConstExpr::of(cx, key, tokens)?;
            wrong(match key.to_string().as_str() {
                "default" => "; put the expression into a const",
                _ => {
                    "; put the expression into a const, or into a function of the row, `changefreq = Self::changefreq`"
                }
            })
        }
        _ => wrong(""),
    }
}

/// Returns `true` if a word is a changefreq.
fn is_changefreq(word: &str) -> bool {
    word.parse::<sitemap_values::ChangeFreq>().is_ok()
}

/// Minutes east of UTC, from `UTC`, `+hh:mm` or `-hh:mm`.
fn zone(text: &str) -> Result<i16, String> {
    if text == "UTC" {
        return Ok(0);
    }
    if let Some(minutes) = minutes(text) {
        return Ok(minutes);
    }
    let advice = match text {
        "Z" | "z" | "GMT" | "gmt" | "utc" | "Utc" => "; write `UTC`".to_owned(),
        _ => match text
            .get(..3)
            .zip(text.get(3..))
            .map(|(hours, rest)| format!("{hours}:{rest}"))
        {
            Some(meant) if minutes(&meant).is_some() => format!("; write `{meant}`"),
            _ => of_hours(text).map_or_else(
                || zone_advice(text).to_owned(),
                |meant| format!("; write `{meant}`"),
            ),
        },
    };
    Err(format!(
        "`{text}` is not a zone: it is `UTC`, or an offset `+hh:mm` or `-hh:mm`, at most 23:59 (P-LASTMOD){advice}"
    ))
}

/// The intended offset for a text with hours, with or without a sign and minutes: `+9`, `9h`, `9:00`.
fn of_hours(text: &str) -> Option<String> {
    let (sign, rest) = match text.strip_prefix(['+', '-']) {
        Some(rest) => (&text[..1], rest),
        None => ("+", text),
    };
    let rest = rest.strip_suffix('h').unwrap_or(rest);
    let (hours, rest) = rest.split_once(':').unwrap_or((rest, "00"));
    if hours.is_empty() {
        return None;
    }
    let meant = format!("{sign}{hours:0>2}:{rest}");
    minutes(&meant).map(|_| meant)
}

/// The advice for the name of a zone.
fn zone_advice(text: &str) -> &'static str {
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        "; the offset of a zone by name changes in the year: convert the field by `write_with = path::to::function`"
    } else {
        ""
    }
}

/// The minutes of the offset at the end of a date.
fn minutes(offset: &str) -> Option<i16> {
    let date: W3cDateTime = format!("2000-01-01T00:00{offset}").parse().ok()?;
    date.offset_minutes().filter(|_| offset.starts_with(['+', '-']))
}

impl Item {
    pub(super) fn lastmod(&self, cx: &Ctxt) -> Checked<OrFunction<Dates>> {
        if let Some(newest) = self.newest(cx) {
            return newest.map(Dates::Newest).map(OrFunction::Constant);
        }
        self.or_function(cx, || self.lastmod_literal(cx).map(Dates::Literal))
    }

    fn lastmod_literal(&self, cx: &Ctxt) -> Checked<LitStr> {
        let text = self.text(cx)?;
        match text.value().parse::<W3cDateTime>() {
            Ok(_) => Ok(text),
            Err(error) => Err(cx.error(text, error)),
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
            Err(error) => Err(cx.error(literal, error)),
        }
    }

    /// The zone of a naive date-time, in minutes east of UTC.
    pub(super) fn zone(&self, cx: &Ctxt) -> Checked<i16> {
        let text = self.text(cx)?;
        zone(&text.value()).map_err(|message| cx.error(text, message))
    }

    pub(super) fn changefreq(&self, cx: &Ctxt) -> Checked<OrFunction<Constant>> {
        let is_word = |path: &Path| {
            path.get_ident()
                .is_some_and(|word| is_changefreq(&word.to_string()))
        };
        match &self.value {
            Value::None => Err(self.needs_value(cx)),
            Value::Path(path) if is_word(path) => {
                changefreq(cx, &self.name, &self.value, self.usage()).map(OrFunction::Constant)
            }
            value => self.or_function(cx, || changefreq(cx, &self.name, value, self.usage())),
        }
    }

    pub(super) fn priority(&self, cx: &Ctxt) -> Checked<OrFunction<Constant>> {
        match &self.value {
            Value::None => Err(self.needs_value(cx)),
            value => self.or_function(cx, || priority(cx, &self.name, value, self.usage())),
        }
    }

    /// Reads the value of `precision`.
    pub(super) fn precision(&self, cx: &Ctxt) -> Checked<Precision> {
        let text = self.text(cx)?;
        let found = text.value();
        match PRECISIONS.iter().find(|(word, _)| *word == found) {
            Some((_, variant)) => Ok(Precision(variant)),
            None => {
                let advice = did_you_mean(&found, PRECISIONS.map(|(word, _)| word));
                Err(cx.error(
                    text,
                    format!("`{found}` is not a precision of a lastmod: it is one of second, minute, day, month and year{advice}"),
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets() {
        for (text, minutes) in [("+09:00", 540), ("-05:30", -330), ("+23:59", 1439), ("-00:00", 0)] {
            assert_eq!(zone(text), Ok(minutes), "{text}");
        }
        for text in [
            "", "+", ":", "+:00", "+24:00", "+09:60", "+09:0", "+0é0", "é", "+09:000", "+a9:00", "99",
        ] {
            assert!(zone(text).unwrap_err().ends_with("(P-LASTMOD)"), "{text}");
        }
        for text in ["9", "+9", "+09", "09:00", "9:00", "+9h", "9h", "+0900"] {
            assert!(zone(text).unwrap_err().ends_with("; write `+09:00`"), "{text}");
        }
        assert!(zone("-530").unwrap_err().ends_with("(P-LASTMOD)"));
        assert!(
            zone("CET")
                .unwrap_err()
                .ends_with("`write_with = path::to::function`")
        );
        assert!(zone("Z").unwrap_err().ends_with("; write `UTC`"));
    }
}
