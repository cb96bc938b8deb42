//! The page's title, which is not in the entry: a text, a function of the row or a field.

use std::rc::Rc;

use syn::Path;

use super::field::{Field, FieldInfo};
use super::languages::languages_key;
use super::loc::{LANGUAGE, Piece, Placeholders};
use super::parts::text;
use super::{PageInput, kind};
use crate::attr::{Key, OrFunction};
use crate::ctxt::Checked;
use crate::template::Form;

pub(crate) enum Title {
    Text(Vec<Piece>),
    Function(Path),
}

impl Title {
    /// The pieces of its text.
    fn pieces(&self) -> &[Piece] {
        match self {
            Title::Text(pieces) => pieces,
            Title::Function(_) => &[],
        }
    }

    /// The fields that it names.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &Rc<Field>> {
        self.pieces().iter().filter_map(Piece::field)
    }

    pub(super) fn names(&self, field: &FieldInfo) -> bool {
        self.fields().any(|named| Rc::ptr_eq(named, &field.field))
    }
}

pub(super) fn title(input: PageInput<'_>) -> Checked<Option<Title>> {
    let PageInput {
        cx,
        what,
        attrs,
        fields,
        ..
    } = input;
    let mut of_fields = fields
        .iter()
        .filter_map(|field| Some((field, field.attrs().role(Key::Title)?)));
    let field = of_fields.next();
    for (_, key) in of_fields {
        cx.error(
            key,
            "a second `title`: a page has one; write a text of both on the struct or variant, as in `title = \"{first} {second}\"`",
        );
    }
    let setting = match (&attrs.title, field) {
        (None, None) => return Ok(None),
        (Some(setting), Some((_, key))) => {
            let message = format!(
                "a second `title`: {what} has a {} already; keep one of them",
                kind(Some(setting))
            );
            return Err(cx.error(key, message));
        }
        (Some(setting), None) => setting,
        (None, Some((field, _))) => {
            return Ok(Some(Title::Text(vec![Piece::Value {
                name: field.name.clone(),
                form: Form {
                    reserved: false,
                    optional: false,
                },
                source: field.source(true)?,
                signed: false,
            }])));
        }
    };
    let literal = match setting.value.as_ref().map_err(|reported| *reported)? {
        OrFunction::Function(path) => return Ok(Some(Title::Function(path.clone()))),
        OrFunction::Constant(literal) => literal,
    };
    let is_language = literal.value().contains("{lang}") && fields.iter().all(|field| field.name != LANGUAGE);
    if is_language && languages_key(attrs, fields).is_some() {
        return Err(cx.error(
            literal,
            "`{lang}` has no value in a title: a row has one title, and an entry for each language",
        ));
    }
    if literal.value().trim().is_empty() {
        return Err(cx.error(
            literal,
            "`title` is empty: write a text, with fields in braces, as in `title = \"{name}\"`",
        ));
    }
    text(input, literal, &Placeholders::default()).map(|pieces| Some(Title::Text(pieces)))
}
