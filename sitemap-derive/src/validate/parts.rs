//! Images, videos and articles by templates: URLs, texts, numbers and dates. Those without placeholders are checked at compile time.

use sitemap_values::schema::{Element, Kind};
use syn::{LitStr, Path};

use super::PageInput;
use super::loc::{self, Piece, Placeholders, TemplateLoc, check_names, piece};
use crate::attr::{self, Extension, OrFunction};
use crate::ctxt::{Checked, Ctxt, Reported};
use crate::template::{self, Template};
use crate::text;

/// A part of an image, a video or an article.
pub(crate) struct Part {
    pub(crate) element: &'static Element,
    pub(crate) value: PartValue,
}

pub(crate) enum PartValue {
    Url(TemplateLoc),
    Text(Vec<Piece>),
    /// The single field with a date.
    Date(Vec<Piece>),
    Function(Path),
}

impl Part {
    /// The pieces of its template.
    pub(crate) fn pieces(&self) -> &[Piece] {
        match &self.value {
            PartValue::Url(template) => &template.pieces,
            PartValue::Text(pieces) | PartValue::Date(pieces) => pieces,
            PartValue::Function(_) => &[],
        }
    }
}

pub(super) fn parts(
    input: PageInput<'_>,
    placeholders: &Placeholders,
) -> Checked<Vec<(Extension, Vec<Part>)>> {
    let mut found = Vec::new();
    // Check all of them before returning, so that all mistakes are reported.
    let mut right = Ok(());
    for (extension, setting) in &input.attrs.extensions {
        let parts = match &setting.value {
            Ok(OrFunction::Constant(parts)) => parts,
            Ok(OrFunction::Function(_)) => continue,
            Err(reported) => {
                right = Err(*reported);
                continue;
            }
        };
        let parts: Vec<Checked<Part>> = parts
            .iter()
            .map(|part| {
                let value = value(input, part, placeholders)?;
                Ok(Part {
                    element: part.element,
                    value,
                })
            })
            .collect();
        match parts.into_iter().collect() {
            Ok(parts) => found.push((*extension, parts)),
            Err(reported) => right = Err(reported),
        }
    }
    found.sort_by_key(|(extension, _)| Extension::ALL.iter().position(|other| other == extension));
    right.map(|()| found)
}

fn value(input: PageInput<'_>, part: &attr::Part, placeholders: &Placeholders) -> Checked<PartValue> {
    let cx = input.cx;
    let (key, kind) = (part.element.key(), part.element.kind);
    let is_date = matches!(kind, Kind::DateTime | Kind::Day);
    let literal = match &part.value {
        OrFunction::Function(path) => return Ok(PartValue::Function(path.clone())),
        OrFunction::Constant(literal) => literal,
    };
    if kind == Kind::Url {
        return loc::template(input.writing(), literal, placeholders).map(PartValue::Url);
    }
    let parsed = parsed(input, literal, placeholders)?;
    match parsed.parts.as_slice() {
        [] => check(cx, part.element, literal, "")?,
        [template::Part::Text(text)] => check(cx, part.element, literal, text)?,
        [template::Part::Placeholder(_)] => {}
        _ if is_date => {
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
    let pieces = resolved(input, literal, parsed, placeholders)?;
    Ok(match pieces.as_slice() {
        [Piece::Value { .. } | Piece::Inner { .. }] if is_date => PartValue::Date(pieces),
        _ => PartValue::Text(pieces),
    })
}

/// The pieces of a text with fields in braces.
pub(super) fn text(
    input: PageInput<'_>,
    literal: &LitStr,
    placeholders: &Placeholders,
) -> Checked<Vec<Piece>> {
    let parsed = parsed(input, literal, placeholders)?;
    resolved(input, literal, parsed, placeholders)
}

fn parsed(input: PageInput<'_>, literal: &LitStr, placeholders: &Placeholders) -> Checked<Template> {
    let (parsed, problems) = text::parse(&literal.value());
    let right = problems.is_empty();
    for problem in problems {
        problem.report(input.cx, literal);
    }
    if check_names(input, literal, &parsed, placeholders) && right {
        Ok(parsed)
    } else {
        Err(Reported)
    }
}

fn resolved(
    input: PageInput<'_>,
    literal: &LitStr,
    parsed: Template,
    placeholders: &Placeholders,
) -> Checked<Vec<Piece>> {
    let pieces = parsed.parts.into_iter().map(|part| match part {
        template::Part::Text(text) => Ok(Piece::Text(text)),
        template::Part::Placeholder(placeholder) => piece(literal, placeholder, input.fields, placeholders),
    });
    pieces.collect()
}

/// Checks a literal.
fn check(cx: &Ctxt, element: &Element, literal: &LitStr, text: &str) -> Checked<()> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        let key = element.key();
        return Err(cx.error(
            literal,
            format!("`{key}` is empty: write a text with fields in braces, as in `{key} = \"{{{key}}}\"`"),
        ));
    }
    element.check(trimmed).map_err(|error| cx.error(literal, error))
}
