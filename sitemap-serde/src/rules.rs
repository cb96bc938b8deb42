//! The ids of the format's rules.

/// Every rule that an error of this crate can name.
const RULES: &[&str] = &[
    "P-NS",
    "P-DECL",
    "P-UTF8",
    "P-ESC",
    "P-COUNT",
    "P-SIZE",
    "P-GZIP",
    "P-ORDER",
    "P-DUP",
    "P-INDEXTAGS",
    "P-LOC",
    "P-LOCLEN",
    "P-LOCENC",
    "P-IDN",
    "P-HOST",
    "P-PATH",
    "P-IDX1",
    "P-IDX2",
    "P-LASTMOD",
    "P-FREQ",
    "P-PRIO",
    "P-IMG1",
    "P-IMG2",
    "P-NEWS1",
    "P-NEWS2",
    "P-NEWS3",
    "P-NEWS4",
    "P-VID1",
    "P-VID2",
    "P-VID3",
    "P-VID4",
    "P-VID5",
    "P-VID6",
    "P-VID7",
    "P-VID8",
    "P-VID9",
    "P-VID10",
    "P-ALT1",
    "P-ALT2",
    "P-ALT5",
];

/// The rule of that id; `None` if it is not one of the format's, but of a schema's.
pub(crate) fn known(id: &str) -> Option<&'static str> {
    RULES.iter().copied().find(|rule| *rule == id)
}

/// The rule that a message names. serde passes an error on as its text, so that is where the id is found again.
pub(crate) fn named_in(message: &str) -> Option<&'static str> {
    let (_, tail) = message.rsplit_once("(P-")?;
    let end = tail.find(|c: char| !c.is_ascii_alphanumeric())?;
    RULES.iter().copied().find(|rule| rule[2..] == tail[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_found_in_the_text_of_an_error() {
        assert_eq!(
            named_in("`(P-LOC` is not a priority (P-PRIO); write one"),
            Some("P-PRIO")
        );
        assert_eq!(
            named_in("no URL (P-LOC, RFC 3986 section 3.2); correct it"),
            Some("P-LOC")
        );
        assert_eq!(named_in("nothing"), None);
        assert_eq!(named_in("(P-"), None);
        assert_eq!(named_in("(P-X)"), None);
    }
}
