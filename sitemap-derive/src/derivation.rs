//! A type whose attributes are valid: the input of code generation.

use std::rc::Rc;

use sitemap_values::schema::Element;
use syn::{Ident, LitStr, Member, Path, Type};

use crate::ambiguity::Cut;
use crate::attr::{Base, Constant, Encoding, Extension, Filter, Key, OrFunction, Precision, RowsOfLanguages};
use crate::column::Column;
use crate::generics::inside_option;

/// The name of the placeholder for the language of an entry or link.
pub(crate) const LANGUAGE: &str = "lang";

/// The derived trait.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// `SitemapEntry`
    Write,
    /// `FromSitemapEntry`
    Read,
    /// `SitemapFields`
    Fields,
    /// `FromSitemapFields`
    FromFields,
}

impl Direction {
    /// Returns `true` if the trait reads entries.
    pub(crate) fn reads(self) -> bool {
        matches!(self, Direction::Read | Direction::FromFields)
    }

    /// Returns `true` if the type is a part of a row, without a loc of its own.
    pub(crate) fn is_part(self) -> bool {
        matches!(self, Direction::Fields | Direction::FromFields)
    }
}

/// A type whose attributes are valid.
pub(crate) struct Derivation {
    pub(crate) mount: Mount,
    /// The prefixes and URIs of the namespaces of its elements.
    pub(crate) namespaces: Vec<(String, String)>,
    pub(crate) filters: Vec<Filter>,
    pub(crate) body: Body,
}

/// The type's own base and encoding, which override the writer's.
#[derive(Default)]
pub(crate) struct Mount {
    pub(crate) base: Option<Base>,
    pub(crate) encoding: Option<Encoding>,
}

pub(crate) enum Body {
    Struct(Box<Page>),
    Enum(Vec<Variant>),
}

pub(crate) struct Variant {
    pub(crate) name: Ident,
    pub(crate) kind: VariantKind,
}

pub(crate) enum VariantKind {
    Page(Box<Page>),
    /// A newtype variant without attributes of its own: the inner value is the entry, unless a filter excludes it.
    Delegate(Rc<Field>, Vec<Filter>),
}

/// An entry, field by field, in the schema's order.
pub(crate) struct Page {
    pub(crate) loc: Loc,
    pub(crate) lastmod: Option<Lastmod>,
    /// The values that may have a default, in the schema's order.
    pub(crate) values: Vec<(Key, Optional)>,
    /// In the order of [`Extension::ALL`], and of the fields.
    pub(crate) extensions: Vec<(Extension, Source)>,
    /// The fields that are elements of a user namespace, each with the element's name.
    pub(crate) elements: Vec<(LitStr, Source)>,
    /// The images, the videos and the article that are written part by part.
    pub(crate) parts: Vec<(Extension, Vec<Part>)>,
    /// The functions of the row that return extensions, in the order of [`Extension::ALL`].
    pub(crate) functions: Vec<(Extension, Path)>,
    /// `true` for a page for feature phones.
    pub(crate) mobile: bool,
    pub(crate) links: Option<Links>,
    /// The languages, if the row is an entry for each.
    pub(crate) languages: Option<Languages>,
    /// The flattened fields.
    pub(crate) flattened: Vec<Source>,
    pub(crate) filters: Vec<(Rc<Field>, Filter)>,
    /// The fields that are not in the entry.
    pub(crate) unmapped: Vec<Rc<Field>>,
}

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

/// Links to a page's translations, by template.
pub(crate) struct Links {
    pub(crate) template: TemplateLoc,
    pub(crate) languages: Vec<LitStr>,
    pub(crate) x_default: Option<LitStr>,
}

/// The languages of a page.
pub(crate) struct Languages {
    pub(crate) of: LanguagesOf,
    pub(crate) x_default: Option<LitStr>,
}

pub(crate) enum LanguagesOf {
    Literals(Vec<LitStr>),
    Field(Source, RowsOfLanguages),
}

pub(crate) enum Loc {
    Field(Source),
    Template(TemplateLoc),
    Function(Path),
    /// The type is a part of a row, which has the loc.
    Elsewhere,
}

pub(crate) struct TemplateLoc {
    pub(crate) text: String,
    pub(crate) pieces: Vec<Piece>,
    /// The texts between the placeholders, in the order of the search.
    pub(crate) cuts: Vec<Cut>,
}

pub(crate) enum Piece {
    Text(String),
    Value {
        name: String,
        form: Form,
        source: Source,
        /// `true` if it is a number that may begin with `-`.
        signed: bool,
    },
    /// A value in a flattened field.
    Inner {
        /// The whole path as written in the template.
        name: String,
        form: Form,
        source: Source,
        /// The path after the flattened field.
        path: Vec<Member>,
    },
    /// `{lang}`: the language of the entry or link.
    Language {
        reserved: bool,
    },
    /// The second half of a pair with a language, in a field of pairs.
    OfLanguage {
        name: String,
        form: Form,
    },
}

/// The form of a placeholder.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    /// `{+name}`
    pub(crate) reserved: bool,
    /// `{name?}`
    pub(crate) optional: bool,
}

impl Form {
    /// The placeholder as written in the template.
    pub(crate) fn written(self, name: &str) -> String {
        let sign = if self.reserved { "+" } else { "" };
        let mark = if self.optional { "?" } else { "" };
        format!("{{{sign}{name}{mark}}}")
    }
}

/// A lastmod, written to a precision unless that is `None`.
pub(crate) struct Lastmod {
    pub(crate) of: LastmodOf,
    pub(crate) precision: Option<Precision>,
}

pub(crate) enum LastmodOf {
    Literal(LitStr),
    Function(Path),
    Field(Source),
    /// The newest of the dates in these fields.
    Newest(Vec<Piece>),
}

pub(crate) enum Optional {
    Row(OrFunction<Constant>),
    Field {
        source: Source,
        default: Option<Constant>,
    },
}

/// A field's value, converted if it has a function.
pub(crate) struct Source {
    pub(crate) field: Rc<Field>,
    pub(crate) write_with: Option<Box<Path>>,
    /// The function that converts back when reading.
    pub(crate) read_with: Option<Box<Path>>,
    /// The zone of a naive date-time, in minutes east of UTC; `None` if it applies to the value after a conversion, and this is the value before.
    pub(crate) zone: Option<i16>,
}

/// A field as the generated code refers to it.
pub(crate) struct Field {
    pub(crate) member: Member,
    /// The variable that patterns of variants bind.
    pub(crate) binding: Ident,
    pub(crate) ty: Type,
    /// The declarations of its column in ORMs' attributes.
    pub(crate) column: Column,
}

impl TemplateLoc {
    /// The template with the names of its placeholders removed.
    pub(crate) fn form(&self) -> String {
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Value { form, .. } | Piece::Inner { form, .. } | Piece::OfLanguage { form, .. } => {
                form.written("")
            }
            Piece::Language { reserved } => Form {
                reserved: *reserved,
                optional: false,
            }
            .written(""),
        });
        pieces.collect()
    }

    fn may_be_a_path(&self) -> bool {
        match self.pieces.first() {
            Some(Piece::Text(text)) => text.starts_with('/'),
            _ => true,
        }
    }

    /// Returns `true` if its placeholders can be read from any text.
    pub(crate) fn takes_any_text(&self) -> bool {
        self.pieces.iter().all(|piece| match piece {
            Piece::Text(_) => true,
            Piece::Value { source, .. } => source.is_plain_text(),
            Piece::Inner { .. } | Piece::Language { .. } | Piece::OfLanguage { .. } => false,
        })
    }

    /// The fields that it names.
    fn fields(&self) -> impl Iterator<Item = &Rc<Field>> {
        self.pieces.iter().filter_map(Piece::field)
    }

    /// Returns `true` if it contains the value paired with the language.
    pub(crate) fn has_of_language(&self) -> bool {
        self.pieces
            .iter()
            .any(|piece| matches!(piece, Piece::OfLanguage { .. }))
    }

    /// Returns `true` if it contains the entry's language.
    pub(crate) fn has_language(&self) -> bool {
        self.pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Language { .. }))
    }
}

impl Piece {
    /// The field that it names.
    pub(crate) fn field(&self) -> Option<&Rc<Field>> {
        match self {
            Piece::Value { source, .. } | Piece::Inner { source, .. } => Some(&source.field),
            _ => None,
        }
    }
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

impl Source {
    /// Returns `true` if reading cannot fail: the type is named `String`.
    pub(crate) fn is_plain_text(&self) -> bool {
        let Type::Path(path) = inside_option(&self.field.ty) else {
            return false;
        };
        let last = path.path.segments.last();
        self.read_with.is_none() && last.is_some_and(|segment| segment.ident == "String")
    }
}

impl Page {
    /// Returns `true` if any of its URLs may be a path.
    pub(crate) fn may_have_paths(&self) -> bool {
        let is_path = match &self.loc {
            Loc::Field(_) | Loc::Function(_) | Loc::Elsewhere => true,
            Loc::Template(template) => template.may_be_a_path(),
        };
        is_path || self.has_links()
    }

    /// Returns `true` if any of its URLs may have characters outside ASCII.
    pub(crate) fn may_be_wide(&self) -> bool {
        let is_wide = match &self.loc {
            Loc::Field(_) | Loc::Function(_) | Loc::Elsewhere => true,
            Loc::Template(template) => template.pieces.iter().any(|piece| match piece {
                Piece::Text(text) => !text.is_ascii(),
                _ => true,
            }),
        };
        is_wide || self.has_links()
    }

    /// Returns `true` if it has other URLs than its loc.
    fn has_links(&self) -> bool {
        let extensions = self.extensions.iter().map(|(extension, _)| extension);
        let functions = self.functions.iter().map(|(extension, _)| extension);
        let parts = self.parts.iter().map(|(extension, _)| extension);
        self.links.is_some()
            || extensions
                .chain(functions)
                .chain(parts)
                .any(|extension| *extension != Extension::News)
    }

    /// The keys of the values that it gives an entry. Images, videos and links of fields are left out: they add up.
    pub(crate) fn gives(&self) -> Vec<Key> {
        let mut keys: Vec<Key> = self.values.iter().map(|(key, _)| *key).collect();
        keys.extend(self.lastmod.as_ref().map(|_| Key::Lastmod));
        let extensions = self.extensions.iter().map(|(extension, _)| extension);
        let functions = self.functions.iter().map(|(extension, _)| extension);
        let parts = self.parts.iter().map(|(extension, _)| extension);
        let mut all = extensions.chain(functions).chain(parts);
        keys.extend(
            all.find(|extension| **extension == Extension::News)
                .map(|_| Key::News),
        );
        // Links by template are the page's only links.
        if self.links.is_some() || self.languages.is_some() {
            keys.push(Key::Alternate);
        }
        keys.sort_unstable();
        keys
    }

    /// The keys of the values that it reads from an entry. Values of flattened fields are left out.
    pub(crate) fn reads(&self) -> Vec<Key> {
        let values = self.values.iter();
        let values = values.filter(|(_, value)| matches!(value, Optional::Field { .. }));
        let mut keys: Vec<Key> = values.map(|(key, _)| *key).collect();
        if let Some(LastmodOf::Field(_)) = self.lastmod.as_ref().map(|lastmod| &lastmod.of) {
            keys.push(Key::Lastmod);
        }
        keys.extend(self.extensions.iter().map(|(extension, _)| extension.key()));
        if let Some(LanguagesOf::Field(..)) = self.languages.as_ref().map(|languages| &languages.of) {
            keys.push(Key::Alternate);
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// The fields that `write_entry` reads.
    pub(crate) fn fields(&self) -> Vec<&Rc<Field>> {
        let mut fields = Vec::new();
        match &self.loc {
            Loc::Field(source) => fields.push(&source.field),
            Loc::Template(template) => fields.extend(template.fields()),
            Loc::Function(_) | Loc::Elsewhere => {}
        }
        fields.extend(self.flattened.iter().map(|source| &source.field));
        let parts = self.parts.iter().flat_map(|(_, parts)| parts);
        fields.extend(parts.flat_map(Part::pieces).filter_map(Piece::field));
        fields.extend(self.links.iter().flat_map(|links| links.template.fields()));
        if let Some(Languages {
            of: LanguagesOf::Field(source, _),
            ..
        }) = &self.languages
        {
            fields.push(&source.field);
        }
        match self.lastmod.as_ref().map(|lastmod| &lastmod.of) {
            Some(LastmodOf::Field(source)) => fields.push(&source.field),
            Some(LastmodOf::Newest(pieces)) => fields.extend(pieces.iter().filter_map(Piece::field)),
            _ => {}
        }
        for (_, value) in &self.values {
            if let Optional::Field { source, .. } = value {
                fields.push(&source.field);
            }
        }
        fields.extend(self.extensions.iter().map(|(_, source)| &source.field));
        fields.extend(self.elements.iter().map(|(_, source)| &source.field));
        fields
    }
}
