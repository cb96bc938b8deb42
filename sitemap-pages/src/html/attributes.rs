//! The attributes of the current start tag.

use std::borrow::Cow;

/// Attributes that are always kept.
const KEPT: [&[u8]; 30] = [
    b"alt",
    b"charset",
    b"class",
    b"color",
    b"content",
    b"data",
    b"data-c",
    b"data-src",
    b"data-srcset",
    b"datetime",
    b"encoding",
    b"face",
    b"height",
    b"href",
    b"hreflang",
    b"http-equiv",
    b"id",
    b"itemprop",
    b"itemscope",
    b"name",
    b"property",
    b"rel",
    b"role",
    b"shadowrootmode",
    b"size",
    b"src",
    b"srcset",
    b"type",
    b"width",
    b"xlink:href",
];

/// The attributes of a tag. The next tag reuses the memory.
#[derive(Debug, Default)]
pub(crate) struct Attributes {
    pairs: Vec<(Vec<u8>, Vec<u8>)>,
    len: usize,
    /// `true` to keep all attributes, for selectors.
    keeps_all: bool,
    /// `true` if the last name was stored, so its value is needed.
    is_open: bool,
}

impl Attributes {
    pub(crate) fn new(keeps_all: bool) -> Self {
        Attributes {
            keeps_all,
            ..Attributes::default()
        }
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
        self.is_open = false;
    }

    pub(crate) fn push_name(&mut self, name: &[u8]) {
        self.is_open = self.keeps_all || KEPT.binary_search(&name).is_ok();
        if !self.is_open {
            return;
        }
        if self.len == self.pairs.len() {
            self.pairs.push(Default::default());
        }
        if let Some((kept, value)) = self.pairs.get_mut(self.len) {
            kept.clear();
            kept.extend_from_slice(name);
            value.clear();
        }
        self.len += 1;
    }

    pub(crate) fn push_value(&mut self, text: &[u8]) {
        if let Some((_, value)) = self.pairs[..self.len].last_mut().filter(|_| self.is_open) {
            value.extend_from_slice(text);
        }
    }

    /// Returns the value of the first attribute with the name, as the standard requires.
    pub(crate) fn bytes(&self, name: &str) -> Option<&[u8]> {
        let named = |(kept, _): &&(Vec<u8>, Vec<u8>)| kept == name.as_bytes();
        self.pairs[..self.len]
            .iter()
            .find(named)
            .map(|(_, value)| value.as_slice())
    }

    pub(crate) fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        self.bytes(name).map(String::from_utf8_lossy)
    }

    /// Returns `true` if the value, a list of words, contains this one, in any case.
    pub(crate) fn has_word(&self, name: &str, word: &str) -> bool {
        self.bytes(name).is_some_and(|value| {
            value
                .split(u8::is_ascii_whitespace)
                .any(|found| found.eq_ignore_ascii_case(word.as_bytes()))
        })
    }

    pub(crate) fn is(&self, name: &str, value: &str) -> bool {
        self.bytes(name)
            .is_some_and(|found| found.trim_ascii().eq_ignore_ascii_case(value.as_bytes()))
    }
}

impl Attributes {
    /// Returns `true` if the value is this media type, with any parameters.
    pub(crate) fn is_media_type(&self, name: &str, value: &str) -> bool {
        self.bytes(name).is_some_and(|found| {
            let essence = found.split(|byte| *byte == b';').next().unwrap_or_default();
            essence.trim_ascii().eq_ignore_ascii_case(value.as_bytes())
        })
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn kept_names_are_sorted() {
        assert!(super::KEPT.is_sorted());
    }
}
