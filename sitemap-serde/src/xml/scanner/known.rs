//! Start tags that were met, so that the like of them can be compared as numbers.

use super::Span;
use super::pattern::Pattern;

/// The start tag of an element in a scope of namespaces, without its attributes' values.
///
/// Its name and those of its attributes were found to be in order when it was met, and mean the same whenever it is met in
/// that scope. The attributes may come in any order, and any of them may be missing, but for the namespace declarations: they
/// decide what the names mean, so the tag is only taken for the same with all of them.
#[derive(Clone, Debug)]
pub(crate) struct KnownTag {
    /// The scope around it.
    pub(super) scope: u64,
    pub(super) name: Box<str>,
    /// `<name`
    pub(super) head: Pattern,
    /// `</name`
    pub(super) close: Pattern,
    /// `</name>`
    pub(super) end: Pattern,
    pub(super) attributes: Vec<KnownAttribute>,
    /// The bits of the declarations.
    pub(super) declared: u32,
    /// The ways in which it was met.
    pub(super) layouts: Vec<Layout>,
}

/// A way to write a start tag, and the values that differ from time to time left out.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// `<name` and all up to the first value, what is between two values, and what is behind the last.
    pub(super) pieces: Box<[Pattern]>,
    /// The attributes that the values are of, and their quotes.
    pub(super) values: Box<[(u8, u8)]>,
    pub(super) is_empty: bool,
}

impl Layout {
    /// The attributes that have values, with their quotes, and what stands behind each value.
    #[inline]
    pub(crate) fn values(&self) -> impl Iterator<Item = (u8, u8, &Pattern)> {
        let values = self.values.iter().zip(self.pieces.iter().skip(1));
        values.map(|((attribute, quote), piece)| (*attribute, *quote, piece))
    }

    /// Whether it is an empty element's.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.is_empty
    }
}

/// An attribute that a tag can have.
#[derive(Clone, Debug)]
pub(super) struct KnownAttribute {
    name: Box<str>,
    /// What stands before its value, the quote included; of a declaration, all of it.
    text: Box<str>,
    pub(super) pattern: Pattern,
    /// A bit for its name, which may be written in several ways.
    pub(super) bit: u32,
    pub(super) value: AttributeValue,
}

/// What an attribute's value is.
#[derive(Clone, Debug)]
pub(super) enum AttributeValue {
    /// Any, up to the quote.
    Quoted(u8),
    /// The namespace URI that the prefix is declared to stand for.
    Namespace { prefix: Box<str>, uri: Box<str> },
}

impl KnownTag {
    /// The most attributes that are known of one tag.
    const MOST: usize = 24;

    /// The most layouts that are known of one tag.
    const MOST_LAYOUTS: usize = 6;

    /// A start tag as it was met in a scope: its text, the place of its name in it, and those of its attributes, each with
    /// that of its value. `None` if it is not to be known.
    pub(crate) fn new(scope: u64, tag: &str, name: &Span, attributes: &[(Span, Span)]) -> Option<Self> {
        let name = tag.get(name.clone())?;
        let mut known = KnownTag {
            scope,
            name: name.into(),
            head: Pattern::new(format!("<{name}").as_bytes()),
            close: Pattern::new(format!("</{name}").as_bytes()),
            end: Pattern::new(format!("</{name}>").as_bytes()),
            attributes: Vec::new(),
            declared: 0,
            layouts: Vec::new(),
        };
        known.add(tag, attributes)?;
        known.add_first_layout(tag, attributes);
        Some(known)
    }

    /// Makes the layout known that the tag was first met in.
    fn add_first_layout(&mut self, tag: &str, attributes: &[(Span, Span)]) {
        let mut values = Vec::new();
        for (name, value) in attributes {
            let opening = tag.get(name.start..value.start).unwrap_or_default();
            let known = self.attributes.iter().position(|known| *known.text == *opening);
            // A declaration is known with its value, and has none that differs.
            if let Some(known) = known.and_then(|known| u8::try_from(known).ok()) {
                values.push((known, value.clone()));
            }
        }
        self.add_layout(tag.as_bytes(), &values);
    }

    /// Makes a layout known: the tag, and the places of the values of its attributes. Which one it is, if it is known now.
    pub(super) fn add_layout(&mut self, tag: &[u8], values: &[(u8, Span)]) -> Option<u8> {
        if self.layouts.len() == Self::MOST_LAYOUTS {
            return None;
        }
        let starts = std::iter::once(0).chain(values.iter().map(|(_, value)| value.end));
        let ends = values.iter().map(|(_, value)| value.start).chain([tag.len()]);
        let pieces = starts
            .zip(ends)
            .map(|(start, end)| tag.get(start..end).map(Pattern::new));
        let quoted = |(attribute, value): &(u8, Span)| Some((*attribute, *tag.get(value.end)?));
        self.layouts.push(Layout {
            pieces: pieces.collect::<Option<_>>()?,
            values: values.iter().map(quoted).collect::<Option<_>>()?,
            is_empty: tag.ends_with(b"/>"),
        });
        u8::try_from(self.layouts.len() - 1).ok()
    }

    /// The scope around it.
    pub(crate) fn scope(&self) -> u64 {
        self.scope
    }

    /// Its end tag.
    pub(crate) fn end(&self) -> &Pattern {
        &self.end
    }

    /// One of the layouts in which it was met.
    #[inline]
    pub(crate) fn layout(&self, layout: u8) -> Option<&Layout> {
        self.layouts.get(usize::from(layout))
    }

    /// Whether a tag in that layout has no values, and an element that may hold something.
    pub(crate) fn is_name_alone(&self, layout: u8) -> bool {
        let layout = self.layouts.get(usize::from(layout));
        layout.is_some_and(|layout| layout.values.is_empty() && !layout.is_empty && self.declared == 0)
    }

    /// What a tag in that layout begins with, up to its first value.
    pub(crate) fn beginning(&self, layout: u8) -> Option<&Pattern> {
        self.layouts.get(usize::from(layout))?.pieces.first()
    }

    /// Makes the attributes known that the tag has this time; `None` if one of them is not to be.
    fn add(&mut self, tag: &str, attributes: &[(Span, Span)]) -> Option<()> {
        attributes
            .iter()
            .try_for_each(|(name, value)| self.add_one(tag, name, value))
    }

    fn add_one(&mut self, tag: &str, name: &Span, value: &Span) -> Option<()> {
        let opening = tag.get(name.start..value.start)?;
        let (text, value) = match kind_of(tag.get(name.clone())?) {
            Kind::Prefixed => return None,
            Kind::Value => (opening, AttributeValue::Quoted(*opening.as_bytes().last()?)),
            Kind::Declaration(prefix) => {
                let uri = tag.get(value.clone())?;
                // What is to be resolved is for the scanner.
                if !uri.bytes().all(|b| b > b' ' && b != b'&') {
                    return None;
                }
                let (prefix, uri) = (prefix.into(), uri.into());
                (
                    tag.get(name.start..=value.end)?,
                    AttributeValue::Namespace { prefix, uri },
                )
            }
        };
        let name = tag.get(name.clone())?;
        if self.attributes.iter().any(|known| *known.text == *text) {
            return Some(());
        }
        if self.attributes.len() == Self::MOST {
            return None;
        }
        let bit = match self.attributes.iter().find(|known| *known.name == *name) {
            Some(known) => known.bit,
            None => 1 << self.attributes.len(),
        };
        if let AttributeValue::Namespace { .. } = value {
            self.declared |= bit;
        }
        self.attributes.push(KnownAttribute {
            name: name.into(),
            text: text.into(),
            pattern: Pattern::new(text.as_bytes()),
            bit,
            value,
        });
        Some(())
    }

    /// If that is the same tag, met with other attributes, makes them known here too. Whether it was.
    pub(crate) fn take_in(&mut self, other: &KnownTag) -> bool {
        let declares_all_of = |one: &KnownTag, other: &KnownTag| {
            let is_value = |attribute: &KnownAttribute| matches!(attribute.value, AttributeValue::Quoted(_));
            let has =
                |attribute: &KnownAttribute| one.attributes.iter().any(|own| own.text == attribute.text);
            other
                .attributes
                .iter()
                .all(|attribute| is_value(attribute) || has(attribute))
        };
        let is_same = self.scope == other.scope
            && self.name == other.name
            && declares_all_of(self, other)
            && declares_all_of(other, self);
        if is_same {
            for attribute in &other.attributes {
                if self.attributes.len() < Self::MOST
                    && self.attributes.iter().all(|own| own.text != attribute.text)
                {
                    let same_name = self.attributes.iter().find(|own| own.name == attribute.name);
                    let bit = same_name.map_or(1 << self.attributes.len(), |own| own.bit);
                    self.attributes.push(KnownAttribute {
                        bit,
                        ..attribute.clone()
                    });
                }
            }
        }
        is_same
    }

    /// The names of its attributes, by their indices.
    pub(crate) fn attribute_names(&self) -> impl Iterator<Item = &str> {
        self.attributes.iter().map(|attribute| &*attribute.name)
    }

    /// Whether it begins there in a scope.
    #[inline]
    pub(super) fn begins(&self, bytes: &[u8], scope: u64) -> bool {
        self.head.starts(bytes)
            && self.scope == scope
            && matches!(
                bytes.get(self.head.len()),
                Some(b'>' | b'/' | b' ' | b'\t' | b'\r' | b'\n')
            )
    }
}

/// What an attribute is, by its name.
enum Kind<'n> {
    Value,
    /// It declares the prefix, which may be empty.
    Declaration(&'n str),
    /// It has a prefix, whose meaning depends on the scope.
    Prefixed,
}

fn kind_of(name: &str) -> Kind<'_> {
    match name.split_once(':') {
        None if name == "xmlns" => Kind::Declaration(""),
        Some(("xmlns", prefix)) => Kind::Declaration(prefix),
        None | Some(("xml", _)) => Kind::Value,
        Some(_) => Kind::Prefixed,
    }
}
