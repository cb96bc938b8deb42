//! A video by templates: URLs, texts, numbers and dates. Those without placeholders are checked at compile time.

use sitemap_values::W3cDateTime;
use syn::LitStr;

use super::TypeSettings;
use super::field::FieldInfo;
use super::loc::{Placeholders, check_names, piece, template};
use crate::attr::{self, OrFunction, PageAttrs, Setting};
use crate::ctxt::{Checked, Ctxt, Reported};
use crate::derivation::{Piece, VideoPart, VideoValue};
use crate::schema::{Kind, Row};
use crate::template::Part;
use crate::text;

pub(super) fn video(
    cx: &Ctxt,
    settings: TypeSettings,
    what: &str,
    attrs: &PageAttrs,
    fields: &[FieldInfo],
    placeholders: &Placeholders,
) -> Checked<Vec<VideoPart>> {
    let parts = match &attrs.video {
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
            let value = value(cx, settings, what, part, fields, placeholders)?;
            Ok(VideoPart { row: part.row, value })
        })
        .collect();
    parts.into_iter().collect()
}

fn value(
    cx: &Ctxt,
    settings: TypeSettings,
    what: &str,
    part: &attr::VideoPart,
    fields: &[FieldInfo],
    placeholders: &Placeholders,
) -> Checked<VideoValue> {
    let literal = match &part.value {
        OrFunction::Function(path) => return Ok(VideoValue::Function(path.clone())),
        OrFunction::Constant(literal) => literal,
    };
    if part.row.kind == Kind::Url {
        return template(cx, settings.writing(), literal, what, fields, placeholders).map(VideoValue::Url);
    }
    let (parsed, problems) = text::parse(&literal.value());
    let right = problems.is_empty();
    for problem in problems {
        problem.report(cx, literal);
    }
    if !(check_names(cx, literal, &parsed, what, fields, placeholders) && right) {
        return Err(Reported);
    }
    match parsed.parts.as_slice() {
        [] => check(cx, part.row, literal, "")?,
        [Part::Text(text)] => check(cx, part.row, literal, text)?,
        [Part::Placeholder(_)] => {}
        _ if part.row.kind == Kind::DateTime => {
            return Err(cx.error(
                literal,
                format!(
                    "`{0}` is a date: write one field in braces and nothing else, as in `{0} = \"{{published_at}}\"`, of a type that a lastmod \
                     has",
                    part.row.key
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
        [Piece::Value { .. } | Piece::Inner { .. }] if part.row.kind == Kind::DateTime => {
            VideoValue::Date(pieces)
        }
        _ => VideoValue::Text(pieces),
    })
}

/// Checks a literal by its row in the schema.
fn check(cx: &Ctxt, row: &Row, literal: &LitStr, text: &str) -> Checked<()> {
    let trimmed = text.trim();
    let wrong = |message: String| Err(cx.error(literal, message));
    let Row { key, rule, .. } = row;
    if trimmed.is_empty() {
        return wrong(format!(
            "`{key}` is empty: write a text with fields in braces, as in `{key} = \"{{{key}}}\"`"
        ));
    }
    match row.kind {
        // No part of a video has one of the last three kinds.
        Kind::Url | Kind::Text | Kind::Priority | Kind::Words(_) | Kind::Group => Ok(()),
        Kind::TextOf(most) => match trimmed.chars().count() {
            count if count <= most => Ok(()),
            count => wrong(format!(
                "`{key}` has {count} characters: {most} are allowed ({rule}); shorten it"
            )),
        },
        Kind::Integer(least, most) => {
            let number = trimmed.parse::<u64>().ok();
            if number.is_some_and(|number| (least..=most).contains(&number)) {
                return Ok(());
            }
            let range = match most {
                u64::MAX => format!("of at least {least}"),
                most => format!("from {least} to {most}"),
            };
            wrong(format!(
                "`{trimmed}` is no value of `{key}`: it is a whole number {range} ({rule})"
            ))
        }
        Kind::Rating => {
            let is_decimal = trimmed.bytes().all(|b| b.is_ascii_digit() || b == b'.');
            let number = trimmed.parse::<f64>().ok().filter(|_| is_decimal);
            if number.is_some_and(|number| (0.0..=5.0).contains(&number)) {
                return Ok(());
            }
            wrong(format!(
                "`{trimmed}` is no value of `{key}`: it is a decimal from 0.0 to 5.0 ({rule})"
            ))
        }
        Kind::DateTime => match trimmed.parse::<W3cDateTime>() {
            Ok(_) => Ok(()),
            Err(error) => wrong(error.breaks(*rule).to_string()),
        },
        Kind::YesNo => {
            if matches!(trimmed, "yes" | "no") {
                return Ok(());
            }
            let advice = match trimmed.to_ascii_lowercase().as_str() {
                "true" => "; write `yes`",
                "false" => "; write `no`",
                _ => "",
            };
            wrong(format!(
                "`{trimmed}` is no value of `{key}`: it is `yes` or `no` ({rule}){advice}"
            ))
        }
    }
}
