//! Limits the namespace declarations of a start tag, before xml-rs sees its bytes: xml-rs has no limit of its own, and
//! takes time quadratic in their number.

use crate::xml::chars::is_space;

const NAME: &[u8; 5] = b"xmlns";

/// Comments, instructions and CDATA sections may mention `xmlns` this many times more often than a tag. Not without limit:
/// an entity can end a comment that seems to go on here.
const ELSEWHERE: usize = 64;

/// Counts possible namespace declarations.
#[derive(Debug, Default)]
pub(super) struct Declared {
    construct: Construct,
    /// The bytes since the last `<`, at most four.
    opening: Vec<u8>,
    /// The last two bytes.
    last: [u8; 2],
    /// The number of matched bytes of `xmlns` so far, after white space.
    matched: usize,
    count: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Construct {
    #[default]
    Content,
    Comment,
    Instruction,
    Section,
}

impl Declared {
    /// Examines more of the document; `false` if one tag may declare more than `most` namespaces.
    pub(super) fn look_at(&mut self, bytes: &[u8], most: usize) -> bool {
        for &b in bytes {
            if b == b'<' {
                self.count = 0;
                self.opening.clear();
            }
            self.follow(b);
            self.matched = match NAME.get(self.matched) {
                Some(&expected) if expected == b && (self.matched > 0 || is_space(self.last[1])) => {
                    self.matched + 1
                }
                None if b == b':' || b == b'=' || is_space(b) => {
                    self.count += 1;
                    0
                }
                _ => 0,
            };
            self.last = [self.last[1], b];
            let allowed = match self.construct {
                Construct::Content => most,
                _ => most.saturating_mul(ELSEWHERE),
            };
            if self.count > allowed {
                return false;
            }
        }
        true
    }

    /// Tracks comments, processing instructions and CDATA sections.
    fn follow(&mut self, b: u8) {
        let ends = match self.construct {
            Construct::Content => {
                if self.opening.len() < 4 {
                    self.opening.push(b);
                    self.construct = match &self.opening[..] {
                        b"<!--" => Construct::Comment,
                        b"<![C" => Construct::Section,
                        [b'<', b'?', ..] => Construct::Instruction,
                        _ => Construct::Content,
                    };
                }
                return;
            }
            Construct::Comment => (self.last, b) == (*b"--", b'>'),
            Construct::Section => (self.last, b) == (*b"]]", b'>'),
            Construct::Instruction => self.last[1] == b'?' && b == b'>',
        };
        if ends {
            self.construct = Construct::Content;
            self.opening = vec![b'>'; 4];
            self.count = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_counted_and_mentions_are_not() {
        let is_within = |text: &str, most: usize| {
            let whole = Declared::default().look_at(text.as_bytes(), most);
            let mut bytes = Declared::default();
            assert_eq!(text.bytes().all(|b| bytes.look_at(&[b], most)), whole, "{text}");
            whole
        };
        let many = " xmlns:a='b'".repeat(9);
        for text in [
            format!("<a{many}/>"),
            format!("<a\n{many}/>"),
            // The start of the tag can come from an entity.
            format!("&e;{many}>"),
            "<a xmlns='' xmlns:a='' xmlns = '' xmlns:b='' xmlns:c='' xmlns:d='' xmlns:e='' xmlns:f='' xmlns:g=''>".to_owned(),
        ] {
            assert!(is_within(&text, 9) && !is_within(&text, 8), "{text}");
        }
        for text in [
            format!("<!--{many}-->"),
            format!("<?a{many}?>"),
            format!("<![CDATA[{many}]]>"),
            format!("<!-- > -- ->{many} -->"),
            "the attribute xmlnsx, an xmlns, and axmlns:b".repeat(9),
        ] {
            assert!(
                is_within(&text, 8) && is_within(&format!("{text}<a/>"), 8),
                "{text}"
            );
            assert!(!is_within(&format!("{text}<a{many}/>"), 8), "{text}");
            assert!(!is_within(&format!("{text}{many}"), 8), "{text}");
        }
        assert!(!is_within(&format!("<!--{}-->", many.repeat(60)), 8));
    }
}
