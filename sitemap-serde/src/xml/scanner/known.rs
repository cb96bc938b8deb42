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
    /// `<name>` and `</name>`, which most are. Of a tag that declares namespaces, what begins no tag.
    pub(super) whole: Pattern,
    pub(super) end: Pattern,
    pub(super) attributes: Vec<KnownAttribute>,
    /// The bits of the declarations.
    pub(super) declared: u32,
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

    /// A start tag as it was met in a scope: its text, the place of its name in it, and those of its attributes, each with
    /// that of its value. `None` if it is not to be known.
    pub(crate) fn new(scope: u64, tag: &str, name: &Span, attributes: &[(Span, Span)]) -> Option<Self> {
        let name = tag.get(name.clone())?;
        let mut known = KnownTag {
            scope,
            name: name.into(),
            head: Pattern::new(&format!("<{name}")),
            close: Pattern::new(&format!("</{name}")),
            whole: Pattern::new(&format!("<{name}>")),
            end: Pattern::new(&format!("</{name}>")),
            attributes: Vec::new(),
            declared: 0,
        };
        known.add(tag, attributes)?;
        if known.declared != 0 {
            known.whole = Pattern::new("\0");
        }
        Some(known)
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
            pattern: Pattern::new(text),
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
