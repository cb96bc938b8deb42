//! Edits within the source text of one element.

use std::ops::Range;

use crate::xml::chars::is_space;
use crate::xml::reference::{Mode, first_char};
use crate::xml::trim;

const BLANK: [char; 4] = [' ', '\t', '\n', '\r'];
const CDATA: &str = "<![CDATA[";

/// The qualified name in the start tag at the beginning of `text`.
pub(super) fn name(text: &str) -> &str {
    let name = text.trim_start_matches(['<', '/']);
    let end = name
        .find(|c| BLANK.contains(&c) || c == '>' || c == '/')
        .unwrap_or(name.len());
    &name[..end]
}

/// The prefix, with its colon, in the start tag at the beginning of `text`; empty if there is none.
pub(super) fn prefix(text: &str) -> &str {
    let name = name(text);
    name.find(':').map_or("", |colon| &name[..=colon])
}

/// Returns `true` if the start tag at the beginning of `text` declares a namespace.
pub(super) fn declares(text: &str) -> bool {
    text[..markup_end(text)].contains("xmlns")
}

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

/// The byte offset of the end of the tag, comment, CDATA section or instruction at the beginning of `text`.
fn markup_end(text: &str) -> usize {
    let after = |end: &str| text.find(end).map_or(text.len(), |at| at + end.len());
    if let Some(comment) = text.strip_prefix("<!--") {
        // The dashes of `<!--` cannot begin `-->`.
        return comment.find("-->").map_or(text.len(), |at| at + 7);
    }
    if text.starts_with(CDATA) {
        return after("]]>");
    }
    if text.starts_with("<?") {
        return after("?>");
    }
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match quote {
            None if byte == b'>' => return at + 1,
            None if matches!(byte, b'"' | b'\'') => quote = Some(byte),
            Some(open) if open == byte => quote = None,
            _ => {}
        }
    }
    text.len()
}

/// Replaces the text of an element; keeps tags, comments, children, and the white space around the text. `raw` is the new text
/// unescaped, `escaped` the same text escaped.
pub(super) fn with_text(element: &str, raw: &str, escaped: &str) -> String {
    let (open, rest) = element.split_at(markup_end(element));
    if let Some(open) = open.strip_suffix("/>") {
        let open = open.trim_end_matches(BLANK);
        return format!("{open}>{escaped}</{}>", name(element));
    }
    let (content, close) = rest.split_at(rest.rfind("</").unwrap_or(rest.len()));
    let mut out = open.to_owned();
    if trim(content).is_empty() {
        return [&out, escaped, close].concat();
    }
    let (mut placed, mut depth) = (false, 0_usize);
    let mut rest = content;
    while !rest.is_empty() {
        let (text, markup) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
        let own = depth == 0;
        if own && !trim(text).is_empty() {
            push_around(&mut out, text, if placed { "" } else { escaped });
            placed = true;
        } else {
            out.push_str(text);
        }
        let (markup, after) = markup.split_at(markup_end(markup));
        rest = after;
        if let Some(section) = markup.strip_prefix(CDATA).filter(|_| own) {
            let section = section.strip_suffix("]]>").unwrap_or(section);
            if trim(section).is_empty() {
                out.push_str(markup);
            } else if !placed && !raw.contains("]]>") {
                out.push_str(CDATA);
                push_around(&mut out, section, raw);
                out.push_str("]]>");
                placed = true;
            } else if !placed {
                out.push_str(escaped);
                placed = true;
            }
            continue;
        }
        if markup.starts_with("</") {
            depth = depth.saturating_sub(1);
        } else if is_open(markup) {
            depth += 1;
        }
        out.push_str(markup);
    }
    if !placed {
        out.push_str(escaped);
    }
    out.push_str(close);
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
    if is_attribute {
        let end = start.consume(text, 0, Mode::Attribute, escaped)?;
        return Some((start.begin?..end, start.out));
    }
    let mut at = markup_end(text);
    let close = text.rfind("</").unwrap_or(text.len());
    let mut depth = 0_usize;
    while at < close {
        let rest = &text[at..close];
        let piece = &rest[..rest.find('<').unwrap_or(rest.len())];
        if depth > 0 {
            start.keep(piece);
        } else if let Some(end) = start.consume(piece, at, Mode::Text, escaped) {
            return Some((start.begin?..end, start.out));
        }
        at += piece.len();
        let rest = &rest[piece.len()..];
        let markup = &rest[..markup_end(rest)];
        if let Some(section) = markup.strip_prefix(CDATA).filter(|_| depth == 0) {
            let section = section.strip_suffix("]]>").unwrap_or(section);
            start.keep(CDATA);
            if let Some(end) = start.consume(section, at + CDATA.len(), Mode::Verbatim, raw) {
                return Some((start.begin?..end, start.out));
            }
            start.keep("]]>");
        } else {
            start.keep(markup);
        }
        if markup.starts_with("</") {
            depth = depth.saturating_sub(1);
        } else if is_open(markup) {
            depth += 1;
        }
        at += markup.len();
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

/// Returns `true` if the markup is a start tag, and not an empty-element tag.
fn is_open(markup: &str) -> bool {
    markup.starts_with('<')
        && !markup.starts_with("<!")
        && !markup.starts_with("<?")
        && !markup.ends_with("/>")
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
            len += blank + markup_end(rest);
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

    #[test]
    fn names_and_prefixes() {
        for (text, whole, before) in [
            ("<url>", "url", ""),
            ("<s:url\n a='b'/>", "s:url", "s:"),
            ("</s:url>", "s:url", "s:"),
            ("<url/>", "url", ""),
        ] {
            assert_eq!((name(text), prefix(text)), (whole, before));
        }
    }
}
