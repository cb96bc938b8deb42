//! A copy of a rejected text.

/// A copy of a text; only a long one is allocated.
#[derive(Clone)]
pub struct Excerpt(Repr);

#[derive(Clone)]
enum Repr {
    Short { len: u8, bytes: [u8; SHORT] },
    Long(Box<str>),
}

/// Most invalid values, including URLs, fit in; and an error with one has less than 128 bytes.
const SHORT: usize = 102;

impl Excerpt {
    /// Copies a text.
    pub fn new(text: &str) -> Self {
        let mut bytes = [0; SHORT];
        Excerpt(match (bytes.get_mut(..text.len()), u8::try_from(text.len())) {
            (Some(place), Ok(len)) => {
                place.copy_from_slice(text.as_bytes());
                Repr::Short { len, bytes }
            }
            _ => Repr::Long(text.into()),
        })
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Short { len, bytes } => bytes
                .get(..usize::from(*len))
                .and_then(|bytes| std::str::from_utf8(bytes).ok())
                .unwrap_or_default(),
            Repr::Long(text) => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_back_whatever_its_length() {
        for len in 0..300 {
            let text = "é".repeat(len / 2) + &"x".repeat(len % 2);
            let excerpt = Excerpt::new(&text);
            assert_eq!(excerpt.as_str(), text);
            assert_eq!(matches!(excerpt.0, Repr::Short { .. }), len <= SHORT);
        }
    }
}
