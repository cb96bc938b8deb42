//! Edits within the source text of one element.

use std::ops::Range;

use crate::xml::chars::is_space;
use crate::xml::element::{ElementText, SECTION};
use crate::xml::reference::{Mode, first_char};
use crate::xml::trim;

const BLANK: [char; 4] = [' ', '\t', '\n', '\r'];

/// The white space at the end of `text`, from its last line break on.
pub(super) fn last_space(text: &str) -> &str {
    from_line_break(&text[text.trim_end_matches(BLANK).len()..])
}

/// White space from its last line break on; all of it if there is none.
pub(super) fn from_line_break(space: &str) -> &str {
    match space.rfind(['\n', '\r']) {
        Some(at) if space[..at].ends_with('\r') && space[at..].starts_with('\n') => &space[at - 1..],
        Some(at) => &space[at..],
        None => space,
    }
}

/// Replaces the text of an element; keeps tags, comments, children, and the white space around the text. `raw` is the new text
/// unescaped, `escaped` the same text escaped.
pub(super) fn with_text(text: &str, raw: &str, escaped: &str) -> String {
    let Some(mut element) = ElementText::new(text) else {
        return text.to_owned();
    };
    let mut at = element.tag_end();
    if let Some(open) = text[..at].strip_suffix("/>") {
        let open = open.trim_end_matches(BLANK);
        return format!("{open}>{escaped}</{}>", element.name());
    }
    let mut out = text[..at].to_owned();
    let mut placed = false;
    while let Some((span, mode)) = element.next_piece() {
        let piece = &text[span.clone()];
        if trim(piece).is_empty() {
            continue;
        }
        let is_section = mode == Mode::Verbatim;
        let new = match () {
            () if placed => "",
            () if is_section => raw,
            () => escaped,
        };
        if is_section && (placed || raw.contains(SECTION[1])) {
            out.push_str(&text[at..span.start - SECTION[0].len()]);
            out.push_str(if placed { "" } else { escaped });
            at = span.end + SECTION[1].len();
        } else {
            out.push_str(&text[at..span.start]);
            push_around(&mut out, piece, new);
            at = span.end;
        }
        placed = true;
    }
    let end = element.content_end();
    let rest = &text[at..end];
    if placed {
        out.push_str(rest);
    } else {
        // White space alone is replaced too.
        out.extend([if trim(rest).is_empty() { "" } else { rest }, escaped]);
    }
    out.push_str(&text[end..]);
    out
}

/// Replaces the first bytes of a value, and keeps everything else: the markup within them, and the rest of the value as it is escaped.
/// `len` counts bytes of the resolved value, which are URL characters; `raw` is the new text unescaped, `escaped` the same text escaped.
/// Returns the byte range to replace, in the element or in the attribute's value, and its new text; `None` if the value is shorter.
pub(super) fn with_start(
    text: &str,
    is_attribute: bool,
    len: usize,
    [raw, escaped]: [&str; 2],
) -> Option<(Range<usize>, String)> {
    let mut start = Start {
        left: len,
        begin: None,
        out: String::new(),
    };
    let mut attribute = is_attribute.then_some((0..text.len(), Mode::Attribute));
    let mut element = ElementText::new(text).filter(|_| !is_attribute);
    let mut at = 0;
    while let Some((span, mode)) = attribute.take().or_else(|| element.as_mut()?.next_piece()) {
        start.keep(&text[at..span.start]);
        let new = if mode == Mode::Verbatim { raw } else { escaped };
        if let Some(end) = start.consume(&text[span.clone()], span.start, mode, new) {
            return Some((start.begin?..end, start.out));
        }
        at = span.end;
    }
    None
}

/// The replacement of the start of a value, as far as it is found.
struct Start {
    /// The number of bytes that are not found yet.
    left: usize,
    /// The start of the value.
    begin: Option<usize>,
    /// The new text, and the markup that stays.
    out: String,
}

impl Start {
    /// Keeps markup within the start.
    fn keep(&mut self, markup: &str) {
        if self.begin.is_some() {
            self.out.push_str(markup);
        }
    }

    /// Takes a piece of the value's text, which begins at `at`. Returns the end of the start if it is in this piece.
    fn consume(&mut self, piece: &str, at: usize, mode: Mode, new: &str) -> Option<usize> {
        let mut offset = 0;
        while let Some((c, len)) = piece.get(offset..).and_then(|rest| first_char(rest, mode)) {
            let is_blank = u8::try_from(c).is_ok_and(is_space);
            if self.begin.is_none() && !is_blank {
                self.begin = Some(at + offset);
                self.out.push_str(new);
            }
            offset += len;
            if self.begin.is_some() {
                self.left = self.left.saturating_sub(c.len_utf8());
                if self.left == 0 {
                    return Some(at + offset);
                }
            }
        }
        None
    }
}

/// Appends `new` with the white space around `old`.
fn push_around(out: &mut String, old: &str, new: &str) {
    let start = old.len() - old.trim_start_matches(BLANK).len();
    let end = old.trim_end_matches(BLANK).len();
    for part in [&old[..start], new, &old[end..]] {
        out.push_str(part);
    }
}

/// The offset after the comments at the end of a line; `None` if the line holds anything else.
pub(super) fn line_end(after: &str) -> Option<usize> {
    let mut len = 0;
    loop {
        let rest = &after[len..];
        let blank = leading_blank(rest);
        let rest = &rest[blank..];
        if rest.starts_with("<!--") {
            len += blank + rest.find("-->").map_or(rest.len(), |end| end + "-->".len());
        } else if rest.starts_with(['\n', '\r']) {
            return Some(len);
        } else {
            return None;
        }
    }
}

fn leading_blank(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}

/// The numbers of bytes to remove before and after a removed element or entry: its white space, and, if it begins a line, the
/// comments at the end of that line. Anything else on the line stays.
pub(super) fn surroundings(before: &str, after: &str) -> (usize, usize) {
    let space = last_space(before);
    let begins_line = space.starts_with(['\n', '\r']);
    let blank = leading_blank(after);
    match line_end(after) {
        Some(comments) if begins_line => (space.len(), comments + leading_blank(&after[comments..])),
        Some(0) => (space.len(), blank),
        None if begins_line && !after[blank..].starts_with("</") => (0, blank),
        _ => (space.len(), 0),
    }
}

/// The numbers of bytes to remove before and after a part that is removed before the root: the rest of its line, if blank. `before` is
/// the white space before the part, from the last line break; `after` is the rest of the text.
pub(super) fn line(before: &str, after: &str, begins_document: bool) -> (usize, usize) {
    match after.find(['\n', '\r']) {
        Some(end) if before.starts_with(['\n', '\r']) => (before.len(), end),
        Some(end) if begins_document => {
            let line_break = if after[end..].starts_with("\r\n") { 2 } else { 1 };
            (before.len(), end + line_break)
        }
        _ => (0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_text_is_replaced() {
        for (element, expected) in [
            ("<loc>a</loc>", "<loc>x&amp;y</loc>"),
            ("<loc>\n  a b\r\n</loc>", "<loc>\n  x&amp;y\r\n</loc>"),
            ("<loc></loc>", "<loc>x&amp;y</loc>"),
            ("<loc> \n </loc>", "<loc>x&amp;y</loc>"),
            ("<loc/>", "<loc>x&amp;y</loc>"),
            ("<s:loc a=\"/>\" />", "<s:loc a=\"/>\">x&amp;y</s:loc>"),
            ("<loc a='>'>a</loc >", "<loc a='>'>x&amp;y</loc >"),
            ("<loc><![CDATA[ a&b ]]></loc>", "<loc><![CDATA[ x&y ]]></loc>"),
            ("<loc>a<![CDATA[b]]>c</loc>", "<loc>x&amp;y</loc>"),
            (
                "<loc><!--->--> a <?p >?></loc>",
                "<loc><!--->--> x&amp;y <?p >?></loc>",
            ),
            ("<loc><!-- a --></loc>", "<loc><!-- a -->x&amp;y</loc>"),
            (
                "<loc><b c='>'>t<b/></b>a<b>u</b></loc>",
                "<loc><b c='>'>t<b/></b>x&amp;y<b>u</b></loc>",
            ),
        ] {
            assert_eq!(with_text(element, "x&y", "x&amp;y"), expected);
        }
        assert_eq!(
            with_text("<loc><![CDATA[a]]></loc>", "]]>", "]]&gt;"),
            "<loc>]]&gt;</loc>"
        );
    }

    #[test]
    fn only_the_start_of_a_value_is_replaced() {
        for (element, expected) in [
            ("<loc>abc/d&#38;</loc>", "<loc>x&amp;y/d&#38;</loc>"),
            (
                "<loc> &#32;\n&#97;b&#x63;/d\n</loc>",
                "<loc> &#32;\nx&amp;y/d\n</loc>",
            ),
            (
                "<loc><![CDATA[ abc/d&e ]]></loc>",
                "<loc><![CDATA[ x&y/d&e ]]></loc>",
            ),
            ("<loc>a<![CDATA[b]]>c/d</loc>", "<loc>x&amp;y<![CDATA[]]>/d</loc>"),
            ("<loc>ab<![CDATA[c/d]]></loc>", "<loc>x&amp;y<![CDATA[/d]]></loc>"),
            (
                "<loc><!-- abc -->a<?p abc?>bc</loc>",
                "<loc><!-- abc -->x&amp;y<?p abc?></loc>",
            ),
            (
                "<loc><b c='>'>abc<b/></b>a<b>u</b>bcc</loc >",
                "<loc><b c='>'>abc<b/></b>x&amp;y<b>u</b>c</loc >",
            ),
        ] {
            let (range, new) = with_start(element, false, 3, ["x&y", "x&amp;y"]).unwrap();
            let edited = [&element[..range.start], &new, &element[range.end..]].concat();
            assert_eq!(edited, expected);
        }
        for element in ["<loc>ab</loc>", "<loc/>", "<loc> </loc>", "<loc><b>abc</b></loc>"] {
            assert_eq!(with_start(element, false, 3, ["x", "x"]), None, "{element}");
        }
        let attribute = with_start(" &#97;bc&amp;d", true, 3, ["x", "y"]);
        assert_eq!(attribute, Some((1..8, "y".to_owned())));
    }

    #[test]
    fn white_space_and_comments_go_with_what_is_removed() {
        for (before, after, expected) in [
            ("<a/>\n  ", "\n", (3, 0)),
            ("<a/>\r\n\t", "\r\n", (3, 0)),
            ("<a/>\n\n  ", " \n", (3, 1)),
            ("<a/>", "<b/>", (0, 0)),
            ("<a/> ", "<b/>", (1, 0)),
            ("<a/> ", "  \n", (1, 2)),
            ("<a/>\n  ", " <!-- x -->\n", (3, 11)),
            ("<a/>\n  ", "<!-- x\n --><!--y--> \r\n", (3, 20)),
            ("<a/>\n  ", "\n  <!-- x -->\n", (3, 0)),
            ("<a/> ", " <!-- x -->\n", (1, 0)),
            ("<a/>\n  ", " <!-- x --><b/>\n", (0, 1)),
            ("<a/>\n  ", " <b/>", (0, 1)),
            ("<a/>\n  ", " <?x?>\n", (0, 1)),
            ("<a/>\n  ", "</url>", (3, 0)),
        ] {
            assert_eq!(surroundings(before, after), expected, "{before:?} {after:?}");
        }
    }

    #[test]
    fn a_line_goes_with_what_was_alone_in_it() {
        for (before, after, begins_document, expected) in [
            ("\n", "\n", false, (1, 0)),
            ("\r\n\t", "  \r\n\n", false, (3, 2)),
            ("\n", "", false, (0, 0)),
            ("", "\n", false, (0, 0)),
            (" ", " \n", false, (0, 0)),
            ("", "\n\n", true, (0, 1)),
            (" ", " \r\n\n", true, (1, 3)),
            ("", " \r", true, (0, 2)),
            ("", "", true, (0, 0)),
            ("\n", "\n", true, (1, 0)),
        ] {
            assert_eq!(
                line(before, after, begins_document),
                expected,
                "{before:?} {after:?}"
            );
        }
    }
}
