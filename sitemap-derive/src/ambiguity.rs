//! Checks that a template is unambiguous: that a loc determines the value of each placeholder.
//!
//! The value of a `{name}` contains only unreserved characters and triplets. A text with a reserved character, such as a `/`, therefore
//! ends it, and divides the template into groups. The groups before a `{+name}` are matched from the left, the groups after it from the
//! right. A text without one, such as a `-`, ends a number, and begins an unsigned one: within a group, placeholders are found from the
//! left up to the first text that does not end its number, and the others from the right. One placeholder in between takes the remaining
//! text.

use std::ops::Range;

use syn::Type;

use crate::generics::inside_option;
use crate::template::{Part, Placeholder};

/// The known properties of a placeholder's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Digits.
    Unsigned,
    /// Digits, perhaps after a `-`.
    Signed,
    /// Its field's type is not an integer by name.
    Text,
    /// Unknown from the field's type: the value is converted, or is in a flattened field.
    Opaque,
}

/// Placeholders whose values a loc does not determine.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ambiguous {
    pub(crate) message: String,
    /// The byte range in the template's text.
    pub(crate) range: Range<usize>,
}

/// A step of splitting a loc: finds the text between two placeholders in the rest of the loc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// The placeholder before the text.
    pub(crate) after: usize,
    /// `true` if its last occurrence counts, not its first.
    pub(crate) last: bool,
}

/// The text between two placeholders.
struct Border<'t> {
    before: &'t Placeholder,
    text: &'t str,
    after: &'t Placeholder,
}

/// Returns the kind of a field's text, by the name of its type: a Rust integer, an `Option` of an integer, or any other type.
pub(crate) fn kind(ty: &Type) -> Kind {
    let Type::Path(path) = inside_option(ty) else {
        return Kind::Text;
    };
    let name = path.path.segments.last().map(|last| last.ident.to_string());
    let name = name.unwrap_or_default();
    let bits = |letter| {
        let bits = name
            .strip_prefix("NonZero")
            .map_or_else(|| name.to_ascii_lowercase(), str::to_ascii_lowercase);
        let bits = bits.strip_prefix(letter).map(str::to_owned);
        bits.is_some_and(|bits| matches!(bits.as_str(), "8" | "16" | "32" | "64" | "128" | "size"))
    };
    if bits('u') {
        Kind::Unsigned
    } else if bits('i') {
        Kind::Signed
    } else {
        Kind::Text
    }
}

/// Returns the texts between the placeholders in the order of their search.
pub(crate) fn cuts(parts: &[Part], kind: impl Fn(&Placeholder) -> Kind) -> Result<Vec<Cut>, Ambiguous> {
    let borders = borders(parts);
    let mut reserved = parts.iter().filter_map(|part| match part {
        Part::Placeholder(placeholder) => Some(placeholder),
        Part::Text(_) => None,
    });
    let plus = reserved.position(|placeholder| placeholder.reserved);
    if let (Some(first), Some(second)) = (plus, reserved.find(|placeholder| placeholder.reserved)) {
        return Err(two_reserved(&borders, first, second));
    }
    let cut = |last| move |after| Cut { after, last };
    let is_strong = |i: &usize| borders.get(*i).is_some_and(|border| has_reserved(border.text));
    // Of the groups, one may contain anything.
    let middle = plus.unwrap_or(borders.len());
    let mut cuts: Vec<Cut> = (0..middle).filter(is_strong).map(cut(false)).collect();
    cuts.extend((middle..borders.len()).rev().filter(is_strong).map(cut(true)));
    let mut start = 0;
    for end in (0..borders.len()).filter(is_strong).chain([borders.len()]) {
        let group = borders.get(start..end).unwrap_or_default();
        let from_left = start
            + group
                .iter()
                .take_while(|border| border.ends_number(&kind))
                .count();
        for (i, border) in group.iter().enumerate().skip(from_left - start) {
            if !border.begins_number(&kind) {
                return Err(border.ambiguous(start + i == from_left, &kind));
            }
        }
        cuts.extend((start..from_left).map(cut(false)));
        cuts.extend((from_left..end).rev().map(cut(true)));
        start = end + 1;
    }
    Ok(cuts)
}

fn borders(parts: &[Part]) -> Vec<Border<'_>> {
    let mut borders = Vec::new();
    let mut last: Option<&Placeholder> = None;
    let mut between = "";
    for part in parts {
        match part {
            Part::Text(text) => between = text,
            Part::Placeholder(placeholder) => {
                borders.extend(last.map(|before| Border {
                    before,
                    text: between,
                    after: placeholder,
                }));
                (last, between) = (Some(placeholder), "");
            }
        }
    }
    borders
}

/// Returns `true` if a number could go on with the character, or with nothing.
fn is_digit(c: Option<char>) -> bool {
    c.is_none_or(|c| c.is_ascii_digit() || c == '%')
}

/// Returns `true` if a text has a reserved character, which no value of a `{name}` contains, since it is percent-encoded there.
fn has_reserved(text: &str) -> bool {
    text.contains([
        ':', '/', '?', '#', '@', '!', '$', '&', '\'', '(', ')', '*', '+', ',', ';', '=',
    ])
}

impl Border<'_> {
    /// Returns `true` if the placeholder before it would end here if it were a number.
    fn may_end(&self) -> bool {
        !self.before.reserved && !is_digit(self.text.chars().next())
    }

    /// Returns `true` if the placeholder after it would begin here if it were an unsigned number.
    fn may_begin(&self) -> bool {
        !self.after.reserved && !is_digit(self.text.chars().last())
    }

    fn ends_number(&self, kind: impl Fn(&Placeholder) -> Kind) -> bool {
        self.may_end() && matches!(kind(self.before), Kind::Unsigned | Kind::Signed)
    }

    fn begins_number(&self, kind: impl Fn(&Placeholder) -> Kind) -> bool {
        self.may_begin() && kind(self.after) == Kind::Unsigned
    }

    /// `is_first` is whether the placeholders before it are found from the left.
    fn ambiguous(&self, is_first: bool, kind: impl Fn(&Placeholder) -> Kind) -> Ambiguous {
        let (before, after) = (self.before.written(), self.after.written());
        if self.text.is_empty() {
            return self.with(&format!(
                "nothing stands between `{before}` and `{after}`, {APART}: put a `/` between them, `{before}/{after}`"
            ));
        }
        let ends = is_first && self.may_end() && kind(self.before) == Kind::Text;
        let begins = self.may_begin() && matches!(kind(self.after), Kind::Text | Kind::Signed);
        let of_numbers = match (ends, begins) {
            (true, true) => format!(
                ", or if one is a number give `{before}` an integer's type, such as `u32`, or `{after}` an unsigned one"
            ),
            (true, false) => {
                format!(", or if `{before}` is a number give it an integer's type, such as `u32`")
            }
            (false, true) => {
                format!(", or if `{after}` is a number give it an unsigned integer's type, such as `u32`")
            }
            (false, false) => String::new(),
        };
        self.with(&format!(
            "`{}` may stand in `{before}` and in `{after}` too, {APART}: put a `/` between them{of_numbers}",
            self.text
        ))
    }

    fn with(&self, message: &str) -> Ambiguous {
        Ambiguous {
            message: message.to_owned(),
            range: self.before.range.start..self.after.range.end,
        }
    }
}

const APART: &str = "so `FromSitemapEntry` cannot tell where one ends and the other begins";

/// The error for two `{+name}`, since each may contain anything.
fn two_reserved(borders: &[Border<'_>], first: usize, second: &Placeholder) -> Ambiguous {
    let without = format!("{{{}}}", second.name);
    match borders.get(first) {
        Some(border) if std::ptr::eq(border.after, second) => {
            let (before, text, after) = (border.before.written(), border.text, second.written());
            border.with(&if text.is_empty() {
                format!("nothing stands between `{before}` and `{after}`, {APART}: put a `/` between them, `{before}/{without}`")
            } else if has_reserved(text) {
                format!("`{text}` may stand in `{before}` and in `{after}` too, {APART}: write one of them without the `+`, `{without}`")
            } else {
                format!("`{text}` may stand in `{before}` and in `{after}` too, {APART}: put a `/` between them, and write `{without}`")
            })
        }
        border => {
            let before = border.map(|border| border.before);
            let written = before.map(Placeholder::written).unwrap_or_default();
            Ambiguous {
                message: format!(
                    "`{written}` and `{}` may both contain the text between them, {APART}: write one of them without the `+`, `{without}`",
                    second.written()
                ),
                range: before.map_or(second.range.start, |before| before.range.start)..second.range.end,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;
    use crate::template::Template;

    fn kind_of(placeholder: &Placeholder) -> Kind {
        match placeholder.name.as_str() {
            "u" => Kind::Unsigned,
            "i" => Kind::Signed,
            "o" => Kind::Opaque,
            _ => Kind::Text,
        }
    }

    fn parsed(text: &str) -> Template {
        let (template, problems) = Template::parse(text, &[], true);
        assert_eq!(problems, [], "{text}");
        template
    }

    /// The cuts, each the index of the placeholder before it, with a `$` if it is the last occurrence.
    fn of(text: &str) -> Result<String, String> {
        let found = cuts(&parsed(text).parts, kind_of);
        let found = found.map_err(|ambiguous| text[ambiguous.range].to_owned())?;
        let shown = found
            .iter()
            .map(|cut| format!("{}{}", cut.after, if cut.last { "$" } else { "" }));
        Ok(shown.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn unambiguous_templates() {
        for (text, cuts) in [
            ("/about", ""),
            ("/{a}", ""),
            ("{+a}", ""),
            ("/x-{a}-y", ""),
            ("/{a}/{b}/{c}", "0 1"),
            ("/{a}.x/{b}", "0"),
            ("/{a}?b={b}&c={c}", "0 1"),
            ("/{a}/{+b}/{c}", "0 1$"),
            ("/{+a}/{b}/{c}.html", "1$ 0$"),
            ("/{u}-{a}", "0"),
            ("/{i}-{a}", "0"),
            ("/{a}-{u}", "0$"),
            ("/{+a}-{u}", "0$"),
            ("/{i}-{i}-{i}", "0 1"),
            ("/{a}/{u}.{a}-{u}", "0 1 2$"),
            ("/{+a}/{u}-{b}", "0$ 1"),
            ("/{u}-{b}/{+a}/{u}-{b}", "1 2$ 0 3"),
            ("/{a}-{u}/{u}-{b}", "1 0$ 2"),
            ("/{u}-{+a}/{b}-{u}", "1$ 0 2$"),
        ] {
            assert_eq!(of(text), Ok(cuts.to_owned()), "{text}");
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
            ("/{+a}/{b}/{+c}", "{+a}/{b}/{+c}"),
            ("/{u}/{a}-{b}/{u}", "{a}-{b}"),
        ] {
            assert_eq!(of(text), Err(part.to_owned()));
        }
    }

    /// All templates of up to four placeholders.
    fn each_template(mut visit: impl FnMut(&str)) {
        const PLACEHOLDERS: [&str; 5] = ["{a}", "{u}", "{i}", "{o}", "{+a}"];
        const TEXTS: [&str; 6] = ["", "-", "/", "1", "/-", "-/"];
        let mut templates: Vec<String> = PLACEHOLDERS.map(|first| format!("/{first}")).into();
        for _ in 0..2 {
            templates = templates
                .iter()
                .flat_map(|template| TEXTS.map(|text| format!("{template}{text}")))
                .flat_map(|template| PLACEHOLDERS.map(|next| format!("{template}{next}")))
                .collect();
            for template in &templates {
                visit(template);
            }
        }
    }

    /// Values of a placeholder's type.
    fn values(placeholder: &Placeholder) -> &'static [&'static str] {
        match (placeholder.name.as_str(), placeholder.reserved) {
            ("u", _) => &["0", "1", "11"],
            ("i", _) => &["0", "1", "-1", "11"],
            (_, false) => &["", "-", "1", "a", "1-1", "-1"],
            (_, true) => &["", "-", "1", "/", "-/1", "1/-1", "1-1", "1-/-1"],
        }
    }

    /// All URLs of a template, by the text; the values of each.
    fn urls(template: &Template) -> Vec<(String, Vec<&'static str>)> {
        let mut urls = vec![(String::new(), Vec::new())];
        for part in &template.parts {
            urls = match part {
                Part::Text(text) => urls
                    .into_iter()
                    .map(|(url, values)| (url + text, values))
                    .collect(),
                Part::Placeholder(placeholder) => urls
                    .iter()
                    .flat_map(|(url, before)| {
                        values(placeholder).iter().map(move |value| {
                            let with: Vec<&str> = before.iter().copied().chain([*value]).collect();
                            (format!("{url}{value}"), with)
                        })
                    })
                    .collect(),
            };
        }
        urls
    }

    /// The values that the cuts find in a URL.
    fn taken_apart<'u>(template: &Template, cuts: &[Cut], url: &'u str) -> Option<Vec<&'u str>> {
        let borders = borders(&template.parts);
        let mut values = vec![""; borders.len() + 1];
        values[0] = &url[1..];
        for (i, cut) in cuts.iter().enumerate() {
            let starts = cuts[..i].iter().map(|cut| cut.after + 1);
            let start = starts.filter(|start| *start <= cut.after).max().unwrap_or(0);
            let (text, border) = (values[start], &borders[cut.after]);
            let is_signed = kind_of(border.before) == Kind::Signed && start == cut.after;
            let skipped = usize::from(is_signed && text.starts_with('-'));
            let at = if cut.last {
                text.rfind(border.text)?
            } else {
                skipped + text.get(skipped..)?.find(border.text)?
            };
            values[start] = &text[..at];
            values[cut.after + 1] = &text[at + border.text.len()..];
        }
        Some(values)
    }

    /// Accepted templates determine the values, and a URL is split into them again. Refused templates do not determine them, except a few
    /// where a `-` is a sign because of the text two placeholders before it.
    #[test]
    fn accepted_templates_are_those_that_determine_the_values() {
        let (mut accepted, mut refused, mut determined) = (0, 0, Vec::new());
        each_template(|text| {
            let template = parsed(text);
            let urls = urls(&template);
            match cuts(&template.parts, kind_of) {
                Ok(cuts) => {
                    accepted += 1;
                    for (url, values) in &urls {
                        assert_eq!(
                            taken_apart(&template, &cuts, url).as_ref(),
                            Some(values),
                            "{text} {url}"
                        );
                    }
                }
                Err(_) => {
                    refused += 1;
                    let mut by_url: Vec<&String> = urls.iter().map(|(url, _)| url).collect();
                    by_url.sort();
                    // Two `{+name}` are, by values that are not among these.
                    if text.matches("{+").count() < 2 && by_url.is_sorted_by(|a, b| a < b) {
                        determined.push(text.to_owned());
                    }
                }
            }
        });
        assert_eq!(determined, ["/{a}-{u}-{i}", "/{o}-{u}-{i}", "/{+a}-{u}-{i}"]);
        assert_eq!((accepted, refused), (1494, 3156));
    }

    /// The advice in a message makes the template unambiguous there, and differs from the template.
    #[test]
    fn the_advice_helps() {
        each_template(|text| {
            let Err(ambiguous) = cuts(&parsed(text).parts, kind_of) else {
                return;
            };
            let part = &text[ambiguous.range.clone()];
            let (_, advice) = ambiguous.message.split_once("begins: ").unwrap();
            let inner = part.split_once('}').unwrap().1.rsplit_once('{').unwrap().0;
            let with = |instead: String| text.replacen(part, &instead, 1);
            let mut advised = Vec::new();
            let without_plus = |part: &str| {
                let (before, last) = part.rsplit_once("{+").unwrap();
                format!("{before}{{{last}")
            };
            if advice.contains("between them") {
                let split = format!(
                    "{}/{}",
                    &part[..=part.find('}').unwrap()],
                    &part[part.rfind('{').unwrap()..]
                );
                let both =
                    advice.contains("and write") || (inner.is_empty() && part.matches("{+").count() == 2);
                advised.push(with(if both { without_plus(&split) } else { split }));
            } else {
                advised.push(with(without_plus(part)));
            }
            let (first, last) = (
                &part[..=part.find('}').unwrap()],
                &part[part.rfind('{').unwrap()..],
            );
            if advice.contains(&format!("`{first}` an integer's type"))
                || advice.contains(&format!("`{first}` is a number"))
            {
                advised.push(with(format!("{{u}}{inner}{last}")));
            }
            if advice.contains("an unsigned") {
                advised.push(with(format!("{first}{inner}{{u}}")));
            }
            for done in advised {
                assert_ne!(done, text, "{advice}");
                let still = cuts(&parsed(&done).parts, kind_of).err();
                let still = still.map(|other| (other.message, other.range.start));
                let before = (ambiguous.message.clone(), ambiguous.range.start);
                assert_ne!(still, Some(before), "{text} -> {done}");
            }
        });
    }

    #[test]
    fn integers_are_recognised_by_name() {
        for ty in [
            parse_quote!(u8),
            parse_quote!(Option<usize>),
            parse_quote!(std::num::NonZeroU64),
        ] {
            assert_eq!(kind(&ty), Kind::Unsigned);
        }
        for ty in [parse_quote!(i128), parse_quote!(NonZeroIsize)] {
            assert_eq!(kind(&ty), Kind::Signed);
        }
        for ty in [
            parse_quote!(String),
            parse_quote!(f64),
            parse_quote!(&'a u8),
            parse_quote!(Id),
            parse_quote!(u7),
        ] {
            assert_eq!(kind(&ty), Kind::Text);
        }
    }
}
