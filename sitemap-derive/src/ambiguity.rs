//! Checks that a template is unambiguous: that a loc determines the value of each placeholder.
//!
//! The value of a `{name}` contains only unreserved characters and triplets, so it ends before the next reserved character of
//! the template. Such placeholders are matched from the left up to the first other placeholder, and the rest from the right.
//! One placeholder in between takes the remaining text, and may contain anything.

use std::ops::Range;

use syn::Type;

use crate::generics::inside_option;
use crate::template::{Part, Placeholder};

/// The kind of integer that a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    /// Digits.
    Unsigned,
    /// Digits, perhaps after a `-`.
    Signed,
}

/// Placeholders whose values a loc does not determine.
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

/// The number of placeholders that are matched from the left: each ends at the first occurrence of the text after it. The next
/// one takes the remaining text, and the others begin after the last occurrence of the text before them.
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

/// Whether a text has a reserved character, which no value of a `{name}` contains, since it is percent-encoded there.
fn has_reserved(text: &str) -> bool {
    text.contains([
        ':', '/', '?', '#', '@', '!', '$', '&', '\'', '(', ')', '*', '+', ',', ';', '=',
    ])
}

fn message(before: &Placeholder, text: &str, after: &Placeholder) -> String {
    let (first, second) = (before.written(), after.written());
    let apart = "so `FromSitemapEntry` cannot tell where one ends and the other begins";
    if text.is_empty() {
        // Two `{+name}` without text between them are ambiguous even so.
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
    fn unambiguous_templates() {
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
    fn ambiguous_templates() {
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
    fn integers_are_recognised_by_name() {
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
