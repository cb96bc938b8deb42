//! Whether a loc tells where each of a template's placeholders ends.
//!
//! The value of a `{name}` has nothing in it but unreserved characters and triplets, so a reserved character of the
//! template ends it. Such placeholders are found from the left as far as there are no others, and then from the right.
//! What is left in the middle is the value of one more, whatever it may hold.

use std::ops::Range;

use syn::Type;

use crate::generics::inside_option;
use crate::template::{Part, Placeholder};

/// The kind of number that a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    /// Digits.
    Unsigned,
    /// Digits, perhaps behind a `-`.
    Signed,
}

/// Placeholders that cannot be told apart.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ambiguous {
    pub(crate) message: String,
    /// Where in the template's text, in bytes.
    pub(crate) range: Range<usize>,
}

/// Whether a type is one of Rust's integers, by its name; or an `Option` of one.
pub(crate) fn number(ty: &Type) -> Option<Number> {
    let Type::Path(path) = inside_option(ty) else {
        return None;
    };
    let name = path.path.segments.last()?.ident.to_string();
    let bits = |letter| {
        let bits = name
            .strip_prefix("NonZero")
            .map_or_else(|| name.to_ascii_lowercase(), str::to_ascii_lowercase);
        let bits = bits.strip_prefix(letter).map(str::to_owned);
        bits.is_some_and(|bits| matches!(bits.as_str(), "8" | "16" | "32" | "64" | "128" | "size"))
    };
    if bits('u') {
        Some(Number::Unsigned)
    } else {
        bits('i').then_some(Number::Signed)
    }
}

/// How many placeholders, from the first, end where the text behind them comes for the first time. The one after them
/// takes what is left, and the others begin where the text before them comes for the last time.
pub(crate) fn from_left(parts: &[Part], number: impl Fn(&str) -> Option<Number>) -> Result<usize, Ambiguous> {
    let mut borders: Vec<(&Placeholder, &str, &Placeholder)> = Vec::new();
    let mut last: Option<&Placeholder> = None;
    let mut between = "";
    for part in parts {
        match part {
            Part::Text(text) => between = text,
            Part::Placeholder(placeholder) => {
                borders.extend(last.map(|last| (last, between, placeholder)));
                (last, between) = (Some(placeholder), "");
            }
        }
    }
    let is_digit = |c: Option<char>| c.is_none_or(|c| c.is_ascii_digit() || c == '%');
    let ends = |(before, text, _): &&(&Placeholder, &str, &Placeholder)| {
        let number = || number(&before.name).is_some() && !is_digit(text.chars().next());
        !before.reserved && (has_reserved(text) || number())
    };
    let begins = |(_, text, after): &(&Placeholder, &str, &Placeholder)| {
        let number = || number(&after.name) == Some(Number::Unsigned) && !is_digit(text.chars().last());
        !after.reserved && (has_reserved(text) || number())
    };
    let from_left = borders.iter().take_while(ends).count();
    match borders.iter().skip(from_left).find(|border| !begins(border)) {
        None => Ok(from_left),
        Some((before, text, after)) => Err(Ambiguous {
            message: message(before, text, after),
            range: before.range.start..after.range.end,
        }),
    }
}

/// Characters that stand in no value of a `{name}`, since they are percent-encoded there.
fn has_reserved(text: &str) -> bool {
    text.contains([
        ':', '/', '?', '#', '@', '!', '$', '&', '\'', '(', ')', '*', '+', ',', ';', '=',
    ])
}

fn message(before: &Placeholder, text: &str, after: &Placeholder) -> String {
    let (first, second) = (before.written(), after.written());
    let apart = "so `FromSitemapEntry` cannot tell where one ends and the other begins";
    if text.is_empty() {
        // Of two paths side by side one would still be too many.
        let second_there = if before.reserved {
            format!("{{{}}}", after.name)
        } else {
            second.clone()
        };
        return format!(
            "nothing stands between `{first}` and `{second}`, {apart}: put a `/` between them, `{first}/{second_there}`"
        );
    }
    if has_reserved(text) {
        return format!(
            "`{text}` may stand in `{first}` and in `{second}` too, {apart}: write one of them without the `+`, \
             `{{{}}}`",
            after.name
        );
    }
    if before.reserved || after.reserved {
        return format!(
            "`{text}` may stand in `{first}` and in `{second}` too, {apart}: put a `/` between them, and write `{{{}}}`",
            after.name
        );
    }
    format!(
        "`{text}` may stand in `{first}` and in `{second}` too, {apart}: put a `/` between them, or give a field that is \
         a number an integer's type"
    )
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;
    use crate::template::Template;

    fn of(text: &str) -> Result<usize, String> {
        let (template, problems) = Template::parse(text, &[], true);
        assert_eq!(problems, [], "{text}");
        let number = |name: &str| match name {
            "u" => Some(Number::Unsigned),
            "i" => Some(Number::Signed),
            _ => None,
        };
        from_left(&template.parts, number).map_err(|ambiguous| text[ambiguous.range].to_owned())
    }

    #[test]
    fn what_can_be_told_apart() {
        for (text, from_left) in [
            ("/about", 0),
            ("/{a}", 0),
            ("{+a}", 0),
            ("/x-{a}-y", 0),
            ("/{a}/{b}/{c}", 2),
            ("/{a}.x/{b}", 1),
            ("/{a}?b={b}&c={c}", 2),
            ("/{a}/{+b}/{c}", 1),
            ("/{+a}/{b}/{c}.html", 0),
            ("/{u}-{a}", 1),
            ("/{i}-{a}", 1),
            ("/{a}-{u}", 0),
            ("/{+a}-{u}", 0),
            ("/{i}-{i}-{i}", 2),
            ("/{a}/{u}.{a}-{u}", 2),
        ] {
            assert_eq!(of(text), Ok(from_left), "{text}");
        }
    }

    #[test]
    fn what_cannot() {
        for (text, part) in [
            ("/{a}{b}", "{a}{b}"),
            ("/{+a}{b}", "{+a}{b}"),
            ("/{a}{+b}", "{a}{+b}"),
            ("/{u}{a}", "{u}{a}"),
            ("/{u}1{a}", "{u}1{a}"),
            ("/{a}-{b}", "{a}-{b}"),
            ("/x/{a}.html-{b}/y", "{a}.html-{b}"),
            ("/{a}-{i}", "{a}-{i}"),
            ("/{a}%2F{b}", "{a}%2F{b}"),
            ("/{a}サ{b}", "{a}サ{b}"),
            ("/{a}[{b}", "{a}[{b}"),
            ("/{+a}/{+b}", "{+a}/{+b}"),
            ("/{+a}/{b}/{+c}", "{b}/{+c}"),
            ("/{u}/{a}-{b}/{u}", "{a}-{b}"),
        ] {
            assert_eq!(of(text), Err(part.to_owned()));
        }
    }

    #[test]
    fn numbers_by_their_names() {
        for ty in [
            parse_quote!(u8),
            parse_quote!(Option<usize>),
            parse_quote!(std::num::NonZeroU64),
        ] {
            assert_eq!(number(&ty), Some(Number::Unsigned));
        }
        for ty in [parse_quote!(i128), parse_quote!(NonZeroIsize)] {
            assert_eq!(number(&ty), Some(Number::Signed));
        }
        for ty in [
            parse_quote!(String),
            parse_quote!(f64),
            parse_quote!(&'a u8),
            parse_quote!(Id),
            parse_quote!(u7),
        ] {
            assert_eq!(number(&ty), None);
        }
    }
}
