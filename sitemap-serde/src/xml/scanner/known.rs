//! Start tags that were read before, prepared for fast comparison.

use super::Span;
use super::pattern::Pattern;

/// A start tag in a namespace scope, without its attribute values.
///
/// Its names have been checked, and mean the same wherever the tag occurs in that scope. Attributes may come in any order
/// and be missing. Namespace declarations may not: names depend on them.
#[derive(Clone, Debug)]
pub(crate) struct KnownTag {
    /// The number of the namespace scope around it.
    pub(super) scope: u64,
    pub(super) name: Box<str>,
    /// `<name`
    pub(super) head: Pattern,
    /// `</name`
    pub(super) close: Pattern,
    /// `</name>`
    pub(super) end: Pattern,
    pub(super) attributes: Vec<KnownAttribute>,
    /// The bits of the namespace declarations.
    pub(super) declared: u32,
    /// The layouts in which it was read.
    pub(super) layouts: Vec<TagLayout>,
}

/// The text of a start tag around its attribute values: order of attributes, white space, quotes.
#[derive(Clone, Debug)]
pub(crate) struct TagLayout {
    /// The text before the first value, between each two, and after the last.
    pub(super) pieces: Box<[Pattern]>,
    /// For each value, the index of its attribute and its quote.
    pub(super) values: Box<[(u8, u8)]>,
    pub(super) is_empty: bool,
}

impl TagLayout {
    /// For each value: the index of its attribute, its quote, and the text after it.
    #[inline]
    pub(crate) fn values(&self) -> impl Iterator<Item = (u8, u8, &Pattern)> {
        let values = self.values.iter().zip(self.pieces.iter().skip(1));
        values.map(|((attribute, quote), piece)| (*attribute, *quote, piece))
    }

    /// Whether it is an empty-element tag.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.is_empty
    }
}

/// An attribute of a known tag.
#[derive(Clone, Debug)]
pub(super) struct KnownAttribute {
    name: Box<str>,
    /// The text up to its value, the quote included; of a namespace declaration, the whole text.
    text: Box<str>,
    pub(super) pattern: Pattern,
    /// The bit of its name. Attributes that differ only in quotes or white space have the same bit.
    pub(super) bit: u32,
    pub(super) value: AttributeValue,
}

/// The value of a known attribute.
#[derive(Clone, Debug)]
pub(super) enum AttributeValue {
    /// Any value, in this quote.
    Quoted(u8),
    /// The URI of a namespace declaration.
    Namespace { prefix: Box<str>, uri: Box<str> },
}

impl KnownTag {
    /// The most attributes of one tag.
    const MOST: usize = 24;

    /// The most layouts of one tag.
    const MOST_LAYOUTS: usize = 6;

    /// Makes a known tag from the text of a start tag in a scope, the range of its name, and the ranges of its attributes'
    /// names and values. `None` if the fast path cannot read it.
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

    /// Adds the layout in which the tag was read first.
    fn add_first_layout(&mut self, tag: &str, attributes: &[(Span, Span)]) {
        let mut values = Vec::new();
        for (name, value) in attributes {
            let opening = tag.get(name.start..value.start).unwrap_or_default();
            let known = self.attributes.iter().position(|known| *known.text == *opening);
            // The value of a namespace declaration is part of the layout.
            if let Some(known) = known.and_then(|known| u8::try_from(known).ok()) {
                values.push((known, value.clone()));
            }
        }
        self.add_layout(tag.as_bytes(), &values);
    }

    /// Adds a layout: the tag's text, and the index and range of each value. Returns the layout's index; `None` if there are
    /// too many.
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
        self.layouts.push(TagLayout {
            pieces: pieces.collect::<Option<_>>()?,
            values: values.iter().map(quoted).collect::<Option<_>>()?,
            is_empty: tag.ends_with(b"/>"),
        });
        u8::try_from(self.layouts.len() - 1).ok()
    }

    /// The number of the namespace scope around it.
    pub(crate) fn scope(&self) -> u64 {
        self.scope
    }

    /// Its end tag.
    pub(crate) fn end(&self) -> &Pattern {
        &self.end
    }

    /// The layout with this index.
    #[inline]
    pub(crate) fn layout(&self, layout: u8) -> Option<&TagLayout> {
        self.layouts.get(usize::from(layout))
    }

    /// Whether a tag in this layout has no attributes, and is not an empty-element tag.
    pub(crate) fn is_name_alone(&self, layout: u8) -> bool {
        let layout = self.layouts.get(usize::from(layout));
        layout.is_some_and(|layout| layout.values.is_empty() && !layout.is_empty && self.declared == 0)
    }

    /// The text of a tag in this layout up to its first value.
    pub(crate) fn beginning(&self, layout: u8) -> Option<&Pattern> {
        self.layouts.get(usize::from(layout))?.pieces.first()
    }

    /// Adds attributes; `None` if the fast path cannot read one of them.
    fn add(&mut self, tag: &str, attributes: &[(Span, Span)]) -> Option<()> {
        attributes
            .iter()
            .try_for_each(|(name, value)| self.add_one(tag, name, value))
    }

    fn add_one(&mut self, tag: &str, name: &Span, value: &Span) -> Option<()> {
        let opening = tag.get(name.start..value.start)?;
        let (text, value) = match kind_of(tag.get(name.clone())?) {
            AttributeKind::Prefixed => return None,
            AttributeKind::Value => (opening, AttributeValue::Quoted(*opening.as_bytes().last()?)),
            AttributeKind::Declaration(prefix) => {
                let uri = tag.get(value.clone())?;
                // URIs that have to be resolved are left to the scanner.
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
        if self.attributes.len() == Self::MOST {
            return None;
        }
        // A tag has each attribute once.
        let bit = 1 << self.attributes.len();
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

    /// If `other` is the same tag with other attributes, adds them to this one and returns `true`.
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

    /// The names of its attributes, in the order of their indexes.
    pub(crate) fn attribute_names(&self) -> impl Iterator<Item = &str> {
        self.attributes.iter().map(|attribute| &*attribute.name)
    }

    /// Whether `bytes` begin with `<` and this name, in the same scope.
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

/// The kind of an attribute, by its name.
enum AttributeKind<'n> {
    Value,
    /// A namespace declaration, for the default namespace if the prefix is empty.
    Declaration(&'n str),
    /// An attribute with a prefix.
    Prefixed,
}

fn kind_of(name: &str) -> AttributeKind<'_> {
    match name.split_once(':') {
        None if name == "xmlns" => AttributeKind::Declaration(""),
        Some(("xmlns", prefix)) => AttributeKind::Declaration(prefix),
        None | Some(("xml", _)) => AttributeKind::Value,
        Some(_) => AttributeKind::Prefixed,
    }
}
