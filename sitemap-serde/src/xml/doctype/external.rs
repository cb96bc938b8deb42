//! External entities, whose text is in another file, which is never read.
//!
//! xml-rs silently drops references to them. Their declarations are therefore hidden from xml-rs: a reference then names an
//! undeclared entity, which is an error. A hidden declaration keeps its number of characters, so that positions stay right.

use std::collections::HashSet;
use std::ops::Range;

use crate::xml::chars::{is_space, name_len};
use crate::xml::reference;

/// Finds the end of a DOCTYPE and the entity declarations in it.
#[derive(Debug, Default)]
pub(in crate::xml) struct Doctype {
    part: DoctypePart,
    /// Offset of the next byte to examine.
    at: usize,
    /// The quote that ends the current literal.
    quote: Option<u8>,
    /// Offset of the current declaration.
    start: usize,
    /// Byte ranges of the entity declarations.
    entities: Vec<Range<usize>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum DoctypePart {
    /// The name of the root and the external identifier, before and after the internal subset.
    #[default]
    Outside,
    Subset,
    Comment,
    Instruction,
    Declaration,
}

impl Doctype {
    /// The offset of the DOCTYPE's end in `text`, which starts with the DOCTYPE; `None` if the end is not in `text`, or the
    /// DOCTYPE is malformed.
    pub(in crate::xml) fn end(&mut self, text: &[u8]) -> Option<usize> {
        /// Length of the longest opening, `<!--`.
        const AHEAD: usize = 4;
        while let Some(&b) = text.get(self.at) {
            if let Some(quote) = self.quote {
                self.at += 1;
                if b == quote {
                    self.quote = None;
                }
                continue;
            }
            let rest = text.get(self.at..).unwrap_or_default();
            match (self.part, b) {
                (DoctypePart::Outside | DoctypePart::Declaration, b'"' | b'\'') => self.quote = Some(b),
                (DoctypePart::Outside, b'[') => self.part = DoctypePart::Subset,
                (DoctypePart::Outside, b'>') => return Some(self.at + 1),
                (DoctypePart::Subset, b']') => self.part = DoctypePart::Outside,
                (DoctypePart::Subset, b'<') => {
                    if rest.len() < AHEAD {
                        return None;
                    }
                    self.start = self.at;
                    self.part = if rest.starts_with(b"<!--") {
                        // The dashes of `<!--` cannot begin `-->`.
                        self.at += AHEAD - 1;
                        DoctypePart::Comment
                    } else if rest.starts_with(b"<?") {
                        DoctypePart::Instruction
                    } else {
                        DoctypePart::Declaration
                    };
                }
                (DoctypePart::Declaration, b'>') => {
                    self.part = DoctypePart::Subset;
                    let declaration = text.get(self.start..=self.at).unwrap_or_default();
                    if declaration.starts_with(ENTITY.as_bytes()) {
                        self.entities.push(self.start..self.at + 1);
                    }
                }
                (DoctypePart::Comment, b'-') | (DoctypePart::Instruction, b'?') => {
                    let end: &[u8] = if self.part == DoctypePart::Comment {
                        b"-->"
                    } else {
                        b"?>"
                    };
                    if rest.len() < end.len() && end.starts_with(rest) {
                        return None;
                    }
                    if rest.starts_with(end) {
                        self.at += end.len() - 1;
                        self.part = DoctypePart::Subset;
                    }
                }
                _ => {}
            }
            self.at += 1;
        }
        None
    }

    /// Returns `true` if a DOCTYPE whose end was found declares entities.
    pub(in crate::xml) fn declares_entities(&self) -> bool {
        !self.entities.is_empty()
    }
}

const ENTITY: &str = "<!ENTITY";

/// An entity declaration.
#[derive(Debug)]
struct Entity<'a> {
    /// The name; with `%` in front for a parameter entity.
    name: String,
    /// Offset of the name's end.
    name_end: usize,
    /// The text between quotes; `None` for an external entity.
    value: Option<&'a str>,
}

impl<'a> Entity<'a> {
    /// Parses the declaration at the start of `text`; `None` if it is malformed (XML 1.0 section 4.2).
    fn parse(text: &'a str) -> Option<Self> {
        let after_space = |text: &'a str| {
            let rest = text.trim_start_matches(|c: char| c.is_ascii() && is_space(c as u8));
            (rest.len() < text.len()).then_some(rest)
        };
        let rest = after_space(text.strip_prefix(ENTITY)?)?;
        let (mark, rest) = match rest.strip_prefix('%') {
            Some(rest) => ("%", after_space(rest)?),
            None => ("", rest),
        };
        let (name, rest) = rest.split_at(name_len(rest));
        let name_end = text.len() - rest.len();
        let rest = after_space(rest).filter(|_| !name.is_empty())?;
        let value = match rest.chars().next()? {
            quote @ ('"' | '\'') => Some(rest[1..].split_once(quote)?.0),
            'S' | 'P' => None,
            _ => return None,
        };
        Some(Entity {
            name: [mark, name].concat(),
            name_end,
            value,
        })
    }

    /// Appends the declaration `text`, turned into a declaration of attributes, which xml-rs ignores.
    fn hide(&self, text: &str, out: &mut String) {
        const OTHER: &str = "<!ATTLIST";
        let (before, after) = text.split_at(self.name_end);
        out.push_str(OTHER);
        let replaced = before.chars().skip(OTHER.len() - 1);
        let line_end = replaced.clone().next().filter(|c| matches!(c, '\n' | '\r'));
        out.push(line_end.unwrap_or(' '));
        out.extend(
            replaced
                .skip(2)
                .map(|c| if matches!(c, '\n' | '\r') { c } else { ' ' }),
        );
        // xml-rs ends a declaration that it ignores at the first `>`.
        let last = after.len().saturating_sub(1);
        out.extend(after[..last].chars().map(|c| if c == '>' { ' ' } else { c }));
        out.push_str(&after[last..]);
    }
}

/// A DOCTYPE with its external entities hidden.
#[derive(Debug, Default)]
pub(super) struct Hidden {
    pub(super) text: String,
    /// The names of external entities; with `%` in front for parameter entities.
    pub(super) names: HashSet<String>,
}

/// A parameter entity whose value may declare an external entity, or has the same name as an external entity. `at` is its
/// byte offset in the DOCTYPE.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Undecidable {
    pub(super) at: usize,
}

impl Doctype {
    /// Hides the external entities of a DOCTYPE whose end was found, and later declarations of the same names: the first
    /// declaration of a name counts.
    pub(super) fn hide_external(&self, text: &str) -> Result<Hidden, Undecidable> {
        let mut hidden = Hidden::default();
        let mut internal = HashSet::new();
        // Names that parameter entities declare, each with the parameter entity's offset.
        let mut within = Vec::new();
        let mut copied = 0;
        for range in &self.entities {
            let declaration = text.get(range.clone()).unwrap_or_default();
            let Some(entity) = Entity::parse(declaration) else {
                continue;
            };
            let at = range.start;
            if let Some(value) = entity.value.filter(|_| entity.name.starts_with('%')) {
                declared_in(value, &mut |name| within.push((name, at))).ok_or(Undecidable { at })?;
            }
            let is_external = match entity.value {
                None => !internal.contains(&entity.name),
                Some(_) => hidden.names.contains(&entity.name),
            };
            if is_external {
                hidden.text.push_str(&text[copied..range.start]);
                entity.hide(declaration, &mut hidden.text);
                copied = range.end;
                hidden.names.insert(entity.name);
            } else {
                internal.insert(entity.name);
            }
        }
        hidden.text.push_str(&text[copied..]);
        match within.into_iter().find(|(name, _)| hidden.names.contains(name)) {
            Some((_, at)) => Err(Undecidable { at }),
            None => Ok(hidden),
        }
    }
}

/// Gives `declared` the names of the entities that a parameter entity's value declares; `None` if a declaration is external
/// or incomplete.
fn declared_in(value: &str, declared: &mut impl FnMut(String)) -> Option<()> {
    let resolved = reference::resolve_characters(value);
    let mut rest = resolved.as_str();
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        let is_declaration = rest.starts_with("<!") || rest == "<";
        let is_other = ["<!--", "<!EL", "<!A", "<!N"]
            .iter()
            .any(|other| rest.starts_with(other));
        let mut end = 1;
        if is_declaration && !is_other {
            let entity = Entity::parse(rest)?;
            let value = entity.value?;
            if entity.name.starts_with('%') {
                declared_in(value, declared)?;
            }
            // Skip the name, white space, and the quoted value.
            end = entity.name_end + rest[entity.name_end..].find(['"', '\''])? + value.len() + 2;
            declared(entity.name);
        }
        rest = rest.get(end..).unwrap_or_default();
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The DOCTYPE with external entities hidden, and the hidden names.
    fn hidden(text: &str) -> Result<(String, Vec<String>), usize> {
        let mut doctype = Doctype::default();
        let mut end = None;
        for len in 0..=text.len() {
            end = doctype.end(&text.as_bytes()[..len]);
            if end.is_some() {
                break;
            }
        }
        assert_eq!(end, Some(text.len()), "{text}");
        let hidden = doctype
            .hide_external(text)
            .map_err(|undecidable| undecidable.at)?;
        assert_eq!(hidden.text.chars().count(), text.chars().count(), "{text}");
        let mut names: Vec<String> = hidden.names.into_iter().collect();
        names.sort();
        Ok((hidden.text, names))
    }

    #[test]
    fn declarations_are_hidden_by_others_of_their_length() {
        for (subset, expected, names) in [
            ("<!ENTITY x SYSTEM \"f\">", "<!ATTLIST  SYSTEM \"f\">", vec!["x"]),
            (
                "<!ENTITY  été\n PUBLIC 'a' \"f\" NDATA gif >",
                "<!ATTLIST    \n PUBLIC 'a' \"f\" NDATA gif >",
                vec!["été"],
            ),
            ("<!ENTITY\nx SYSTEM '>'>", "<!ATTLIST\n SYSTEM ' '>", vec!["x"]),
            (
                "<!ENTITY % x SYSTEM 'f'><!ENTITY x 'y'>",
                "<!ATTLIST    SYSTEM 'f'><!ENTITY x 'y'>",
                vec!["%x"],
            ),
            (
                "<!ENTITY x SYSTEM 'f'> <!ENTITY x '<b>'>",
                "<!ATTLIST  SYSTEM 'f'> <!ATTLIST  '<b '>",
                vec!["x"],
            ),
            (
                "<!ENTITY x 'y'><!ENTITY x SYSTEM 'f'>",
                "<!ENTITY x 'y'><!ENTITY x SYSTEM 'f'>",
                vec![],
            ),
            (
                "<!-- <!ENTITY x SYSTEM 'f'> ' -->",
                "<!-- <!ENTITY x SYSTEM 'f'> ' -->",
                vec![],
            ),
            (
                "<?a <!ENTITY x SYSTEM 'f'> ' ?>",
                "<?a <!ENTITY x SYSTEM 'f'> ' ?>",
                vec![],
            ),
            (
                "<!ENTITY x \"<!ENTITY y SYSTEM 'f'>\">",
                "<!ENTITY x \"<!ENTITY y SYSTEM 'f'>\">",
                vec![],
            ),
            ("<!ATTLIST a b CDATA ']>'>", "<!ATTLIST a b CDATA ']>'>", vec![]),
        ] {
            let names = names.into_iter().map(str::to_owned).collect();
            let text = |subset: &str| format!("<!DOCTYPE a PUBLIC \"[>\" '[' [{subset}] >");
            assert_eq!(hidden(&text(subset)), Ok((text(expected), names)), "{subset}");
        }
    }

    #[test]
    fn what_a_parameter_entity_declares_is_known_or_refused() {
        for subset in [
            "<!ENTITY % d \"<!ENTITY x SYSTEM 'f'>\">",
            "<!ENTITY % d \"&#60;!ENTITY x SYSTEM 'f'>\">",
            "<!ENTITY % d \"<!&#x45;NTITY x SYSTEM 'f'>\">",
            "<!ENTITY % d \"<!ENTITY x S\">",
            "<!ENTITY % d \"<!ENT\">",
            "<!ENTITY % d '<!'>",
            "<!ENTITY % d '<'>",
            "<!ENTITY % d \"<!ENTITY &#37; e '&#38;#60;!ENTITY x SYSTEM &#38;#34;f&#38;#34;>'>\">",
            "<!ENTITY x SYSTEM 'f'><!ENTITY % d \"<!ENTITY x 'y'>\">",
        ] {
            let at = subset.find("<!ENTITY %").unwrap() + "<!DOCTYPE a [".len();
            assert_eq!(hidden(&format!("<!DOCTYPE a [{subset}]>")), Err(at), "{subset}");
        }
        for subset in [
            "<!ENTITY % d \"<!ENTITY x 'y'>\">",
            "<!ENTITY % d \"<!ENTITY x '<y>'><!-- <? --><!ENTITY y '<y>'>\">",
            "<!ENTITY % d '%a;%b;'>",
            "<!ENTITY % d '<!ELEMENT a (b)>'>",
            "<!ENTITY % d 'INCLUDE'>",
        ] {
            let text = format!("<!DOCTYPE a [{subset}]>");
            assert_eq!(hidden(&text), Ok((text.clone(), vec![])), "{subset}");
        }
    }
}
