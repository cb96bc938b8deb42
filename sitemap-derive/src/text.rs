//! Text templates with values of fields, `{name}`. They are not URLs, so nothing is percent-encoded.

use crate::template::{Part, Placeholder, Template, is_name};
use crate::url::Problem;

/// Splits a text at its braces. `{{` and `}}` are literal braces, as in `format!`.
pub(crate) fn parse(text: &str) -> (Template, Vec<Problem>) {
    let (mut parts, mut problems) = (Vec::new(), Vec::new());
    let (mut literal, mut at) = (String::new(), 0);
    while let Some(brace) = text[at..].find(['{', '}']).map(|i| at + i) {
        literal.push_str(&text[at..brace]);
        let rest = &text[brace..];
        if rest.starts_with("{{") || rest.starts_with("}}") {
            literal.push_str(&rest[..1]);
            at = brace + 2;
            continue;
        }
        let end = rest[1..].find(['{', '}']).map(|i| brace + 1 + i);
        let end = end.filter(|end| rest.starts_with('{') && text[*end..].starts_with('}'));
        let Some(end) = end else {
            let advice = if rest.starts_with('{') {
                "has no `}` behind it; a brace of the text is written `{{`"
            } else {
                "has no `{` before it; a brace of the text is written `}}`"
            };
            problems.push(Problem {
                message: format!("a `{}` that {advice}", &rest[..1]),
                range: brace..brace + 1,
            });
            at = brace + 1;
            continue;
        };
        if !literal.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut literal)));
        }
        let range = brace..end + 1;
        match name(&text[brace + 1..end]) {
            Ok(name) => parts.push(Part::Placeholder(Placeholder {
                name: name.to_owned(),
                reserved: false,
                optional: false,
                range,
            })),
            Err(message) => problems.push(Problem { message, range }),
        }
        at = end + 1;
    }
    literal.push_str(&text[at..]);
    if !literal.is_empty() {
        parts.push(Part::Text(literal));
    }
    (Template { parts }, problems)
}

fn name(inside: &str) -> Result<&str, String> {
    if inside.split('.').all(is_name) {
        return Ok(inside.strip_prefix("r#").unwrap_or(inside));
    }
    if inside.trim().is_empty() {
        return Err(format!(
            "`{{{inside}}}` names no field: write the field's name, as in `{{name}}`, or its position in a tuple, `{{0}}`"
        ));
    }
    if let Some(name) = inside.strip_prefix('+').filter(|name| is_name(name)) {
        return Err(format!(
            "`{{{inside}}}` is for URLs, and nothing of this text is percent-encoded: write `{{{name}}}`"
        ));
    }
    if let Some(name) = inside.strip_suffix('?').filter(|name| is_name(name)) {
        return Err(format!(
            "`{{{inside}}}` is for URLs; in a text the value may be empty, and a part of the video whose field is `None` is left out: write \
             `{{{name}}}`"
        ));
    }
    if let Some((field, _)) = inside.split_once(':').filter(|(field, _)| is_name(field)) {
        return Err(format!(
            "`{{{inside}}}` has a format, and a placeholder has none: write `{{{field}}}`, and format the value with \
             `#[sitemap(write_with = …)]` on the field `{field}`"
        ));
    }
    Err(format!(
        "`{{{inside}}}` is not a placeholder: it is a field's name in braces, as in `{{name}}`; a brace of the text is written `{{{{`"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> String {
        let (template, problems) = parse(text);
        assert_eq!(problems, [], "{text}");
        let shown = template.parts.iter().map(|part| match part {
            Part::Text(text) => text.clone(),
            Part::Placeholder(placeholder) => format!("<{}>", placeholder.name),
        });
        shown.collect()
    }

    #[test]
    fn placeholders_and_braces() {
        for (text, found) in [
            ("", ""),
            ("a b", "a b"),
            ("{a} and {b.c}!", "<a> and <b.c>!"),
            ("{{{0}}}", "{<0>}"),
            ("}}{{", "}{"),
            ("{r#type}", "<type>"),
            ("サ{a}イ", "サ<a>イ"),
        ] {
            assert_eq!(parts(text), found, "{text}");
        }
    }

    #[test]
    fn mistakes() {
        let messages = |text: &str| -> Vec<String> {
            let (_, problems) = parse(text);
            problems
                .into_iter()
                .map(|problem| {
                    assert!(text.get(problem.range.clone()).is_some(), "{problem:?}");
                    problem.message
                })
                .collect()
        };
        let open = "a `{` that has no `}` behind it; a brace of the text is written `{{`";
        let close = "a `}` that has no `{` before it; a brace of the text is written `}}`";
        assert_eq!(messages("a { b"), [open]);
        assert_eq!(messages("{a {b} c"), [open]);
        assert_eq!(messages("a } b"), [close]);
        assert_eq!(messages("{サ"), [open]);
        assert_eq!(messages("{{a}"), [close]);
        assert_eq!(
            messages("{+a} {a?} {b:?} { }"),
            [
                "`{+a}` is for URLs, and nothing of this text is percent-encoded: write `{a}`",
                "`{a?}` is for URLs; in a text the value may be empty, and a part of the video whose field is `None` is left out: write `{a}`",
                "`{b:?}` has a format, and a placeholder has none: write `{b}`, and format the value with `#[sitemap(write_with = …)]` on the \
                 field `b`",
                "`{ }` names no field: write the field's name, as in `{name}`, or its position in a tuple, `{0}`",
            ]
        );
        assert_eq!(
            messages("{a b}"),
            [
                "`{a b}` is not a placeholder: it is a field's name in braces, as in `{name}`; a brace of the text is written `{{`"
            ]
        );
    }
}
