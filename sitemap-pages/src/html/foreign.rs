//! SVG and MathML in a page, and the tokenizer's states.
//!
//! **The tokenizer cannot know the open elements.** In SVG, `<style/>` is empty, `<title>` may contain tags, and `CDATA` sections exist.
//! In HTML, the same tags begin raw text. So `Feedback` passes on the next state that the reader of the tokens chooses, as a tree
//! builder would. The open elements, and where HTML begins again within SVG, are in `stack`.

use std::convert::Infallible;

use html5gum::emitters::callback::{Callback, CallbackEmitter};
use html5gum::{Emitter, ForwardingEmitter, State};

use super::attributes::Attributes;

/// The vocabulary of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Space {
    #[default]
    Html,
    Svg,
    MathMl,
}

/// The kind of start tags that are HTML directly within an element of SVG or MathML.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Point {
    /// None.
    #[default]
    None,
    /// All: `foreignObject`, `desc` and `title` in SVG, and `annotation-xml` with HTML.
    Html,
    /// All except `mglyph` and `malignmark`: the tokens of MathML.
    Token,
    /// Only `svg`: any other `annotation-xml`.
    Svg,
}

/// The effect of an SVG element on text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForeignText {
    /// Its text is not shown at its place.
    Hidden,
    /// Its text is apart from the text around it.
    Apart,
    InLine,
}

/// The reader of the tokens.
pub(crate) trait TokenReader: Callback<Infallible, usize> {
    /// Returns the state of the tokenizer after the last tag, if it changes.
    fn next_state(&mut self) -> Option<State>;

    /// Returns `true` if a `CDATA` section may begin here.
    fn may_be_cdata(&self) -> bool;
}

/// Passes tokens to a reader, and the next state from the reader to the tokenizer.
#[derive(Debug)]
pub(crate) struct Feedback<R: TokenReader>(pub(crate) CallbackEmitter<R, Infallible, usize>);

impl<R: TokenReader> ForwardingEmitter for Feedback<R> {
    type Token = Infallible;

    fn inner(&mut self) -> &mut impl Emitter<Token = Infallible> {
        &mut self.0
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        // Without its own choice of states, which this emitter never turns on, it has none.
        let _ = self.0.emit_current_tag();
        self.0.callback_mut().next_state()
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.0.callback_mut().may_be_cdata()
    }
}

/// Returns the state of the tokenizer after a start tag in HTML.
pub(crate) fn state_after(name: &[u8]) -> Option<State> {
    match name {
        b"title" | b"textarea" => Some(State::RcData),
        b"script" => Some(State::ScriptData),
        b"style" | b"xmp" | b"iframe" | b"noembed" | b"noframes" | b"noscript" => Some(State::RawText),
        b"plaintext" => Some(State::PlainText),
        _ => None,
    }
}

/// Returns `true` if a start tag in SVG or MathML ends both, and is HTML.
pub(crate) fn breaks_out(name: &[u8], attributes: &Attributes) -> bool {
    match name {
        b"b" | b"big" | b"blockquote" | b"body" | b"br" | b"center" | b"code" | b"dd" | b"div" | b"dl"
        | b"dt" | b"em" | b"embed" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"head" | b"hr"
        | b"i" | b"img" | b"li" | b"listing" | b"menu" | b"meta" | b"nobr" | b"ol" | b"p" | b"pre"
        | b"ruby" | b"s" | b"small" | b"span" | b"strong" | b"strike" | b"sub" | b"sup" | b"table"
        | b"tt" | b"u" | b"ul" | b"var" => true,
        b"font" => ["color", "face", "size"]
            .iter()
            .any(|name| attributes.bytes(name).is_some()),
        _ => false,
    }
}

/// Returns the kind of start tags that are HTML within an element.
pub(crate) fn point(space: Space, name: &[u8], attributes: &Attributes) -> Point {
    match (space, name) {
        (Space::Svg, b"foreignobject" | b"desc" | b"title") => Point::Html,
        (Space::MathMl, b"mi" | b"mo" | b"mn" | b"ms" | b"mtext") => Point::Token,
        (Space::MathMl, b"annotation-xml") => {
            let has_html = ["text/html", "application/xhtml+xml"]
                .iter()
                .any(|kind| attributes.is("encoding", kind));
            if has_html { Point::Html } else { Point::Svg }
        }
        _ => Point::None,
    }
}

pub(crate) fn text(space: Space, name: &[u8]) -> ForeignText {
    match (space, name) {
        (Space::Svg, b"style" | b"script" | b"defs" | b"symbol" | b"metadata") => ForeignText::Hidden,
        (Space::Svg, b"text" | b"title" | b"desc" | b"foreignobject") => ForeignText::Apart,
        _ => ForeignText::InLine,
    }
}
