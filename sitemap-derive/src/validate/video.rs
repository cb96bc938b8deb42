//! A video by templates: URLs, texts, numbers and dates. Those without placeholders are checked at compile time.

use sitemap_values::schema::{Element, Kind};
use syn::LitStr;

use super::loc::{Placeholders, check_names, piece, template};
use super::page::PageInput;
use crate::attr::{self, OrFunction, Setting};
use crate::ctxt::{Checked, Ctxt, Reported};
use crate::derivation::{Piece, VideoPart, VideoValue};
use crate::template::Part;
use crate::text;

pub(super) fn video(input: PageInput<'_>, placeholders: &Placeholders) -> Checked<Vec<VideoPart>> {
    let parts = match &input.attrs.video {
        Some(Setting {
            value: Ok(OrFunction::Constant(parts)),
            ..
        }) => parts,
        Some(Setting {
            value: Err(reported), ..
        }) => return Err(*reported),
        _ => return Ok(Vec::new()),
    };
    // Check all of them before returning, so that all mistakes are reported.
    let parts: Vec<Checked<VideoPart>> = parts
        .iter()
        .map(|part| {
            let value = value(input, part, placeholders)?;
            Ok(VideoPart {
                element: part.element,
                value,
            })
        })
        .collect();
    parts.into_iter().collect()
}

fn value(input: PageInput<'_>, part: &attr::VideoPart, placeholders: &Placeholders) -> Checked<VideoValue> {
    let PageInput { cx, fields, .. } = input;
    let (key, kind) = (part.element.local_name(), part.element.kind);
    let literal = match &part.value {
        OrFunction::Function(path) => return Ok(VideoValue::Function(path.clone())),
        OrFunction::Constant(literal) => literal,
    };
    if kind == Kind::Url {
        return template(input.writing(), literal, placeholders).map(VideoValue::Url);
    }
    let (parsed, problems) = text::parse(&literal.value());
    let right = problems.is_empty();
    for problem in problems {
        problem.report(cx, literal);
    }
    if !(check_names(input, literal, &parsed, placeholders) && right) {
        return Err(Reported);
    }
    match parsed.parts.as_slice() {
        [] => check(cx, part.element, literal, "")?,
        [Part::Text(text)] => check(cx, part.element, literal, text)?,
        [Part::Placeholder(_)] => {}
        _ if kind == Kind::DateTime => {
            return Err(cx.error(
                literal,
                format!(
                    "`{key}` is a date: write one field in braces and nothing else, as in `{key} = \"{{published_at}}\"`, of a type that a lastmod \
                     has"
                ),
            ));
        }
        _ => {}
    }
    let pieces = parsed.parts.into_iter().map(|part| match part {
        Part::Text(text) => Ok(Piece::Text(text)),
        Part::Placeholder(placeholder) => piece(literal, placeholder, fields, placeholders),
    });
    let pieces: Vec<Piece> = pieces.collect::<Checked<_>>()?;
    Ok(match pieces.as_slice() {
        [Piece::Value { .. } | Piece::Inner { .. }] if kind == Kind::DateTime => VideoValue::Date(pieces),
        _ => VideoValue::Text(pieces),
    })
}

/// Checks a literal.
fn check(cx: &Ctxt, element: &Element, literal: &LitStr, text: &str) -> Checked<()> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        let key = element.local_name();
        return Err(cx.error(
            literal,
            format!("`{key}` is empty: write a text with fields in braces, as in `{key} = \"{{{key}}}\"`"),
        ));
    }
    element.check(trimmed).map_err(|error| cx.error(literal, error))
}
