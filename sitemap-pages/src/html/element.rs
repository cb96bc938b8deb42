//! The properties of HTML's elements.

/// The name of an element. HTML elements that matter here have a number, all others a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name(u32);

/// The role of an element in the structure of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Begins and ends a block of text.
    Block,
    /// Begins and ends a block, and its end tag is optional. A new element of the same name ends it: `p`, `li`, `dt`, `dd`, `tr`,
    /// `td`, `th`, `option`.
    OptionalEnd,
    /// `main` and `article`: their text is content.
    Content,
    /// `nav`, `header`, `footer`, `aside`: not content, except within content.
    Frame,
    /// Its text is not shown: `script`, `style`, `template`, `noscript`, …
    Hidden,
    /// Has no content, and no end tag.
    Void,
    /// Changes how text looks, and may end anywhere: `b`, `i`, `a`, …
    Formatting,
    /// `time`.
    Time,
    /// Any other element within a line.
    Inline,
}

const KNOWN: u32 = 1 << 31;

macro_rules! elements {
    ($($name:literal $constant:ident $role:ident)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u32)]
        enum Number { $($constant),* }

        impl Name {
            $(pub(crate) const $constant: Name = Name(KNOWN | Number::$constant as u32);)*

            /// Returns `true` if an element can be in a page's head.
            pub(crate) fn is_of_head(self) -> bool {
                matches!(
                    self,
                    Name::HTML
                        | Name::HEAD
                        | Name::META
                        | Name::LINK
                        | Name::BASE
                        | Name::TITLE
                        | Name::SCRIPT
                        | Name::STYLE
                        | Name::TEMPLATE
                        | Name::NOSCRIPT
                        | Name::NOFRAMES
                )
            }

            /// Returns the name of a known element.
            fn text(self) -> Option<&'static [u8]> {
                match self {
                    $(Name::$constant => Some($name.as_bytes()),)*
                    _ => None,
                }
            }

            pub(crate) fn of(name: &[u8]) -> (Name, Role) {
                match std::str::from_utf8(name) {
                    $(Ok($name) => (Name::$constant, Role::$role),)*
                    _ => (Name(hash(name)), Role::Inline),
                }
            }
        }
    };
}

elements! {
    "html" HTML Block
    "head" HEAD Block
    "body" BODY Block
    "div" DIV Block
    "section" SECTION Block
    "main" MAIN Content
    "article" ARTICLE Content
    "nav" NAV Frame
    "header" HEADER Frame
    "footer" FOOTER Frame
    "aside" ASIDE Frame
    "p" P OptionalEnd
    "li" LI OptionalEnd
    "dt" DT OptionalEnd
    "dd" DD OptionalEnd
    "tr" TR OptionalEnd
    "td" TD OptionalEnd
    "th" TH OptionalEnd
    "option" OPTION OptionalEnd
    "ul" UL Block
    "ol" OL Block
    "dl" DL Block
    "menu" MENU Block
    "table" TABLE Block
    "thead" THEAD Block
    "tbody" TBODY Block
    "tfoot" TFOOT Block
    "caption" CAPTION Block
    "h1" H1 Block
    "h2" H2 Block
    "h3" H3 Block
    "h4" H4 Block
    "h5" H5 Block
    "h6" H6 Block
    "hgroup" HGROUP Block
    "pre" PRE Block
    "blockquote" BLOCKQUOTE Block
    "address" ADDRESS Block
    "figure" FIGURE Block
    "figcaption" FIGCAPTION Block
    "details" DETAILS Block
    "summary" SUMMARY Block
    "fieldset" FIELDSET Block
    "legend" LEGEND Block
    "form" FORM Block
    "select" SELECT Block
    "dialog" DIALOG Block
    "search" SEARCH Block
    "center" CENTER Block
    "script" SCRIPT Hidden
    "style" STYLE Hidden
    "template" TEMPLATE Hidden
    "noscript" NOSCRIPT Hidden
    "svg" SVG Inline
    "math" MATH Inline
    "title" TITLE Hidden
    "iframe" IFRAME Hidden
    "object" OBJECT Hidden
    "audio" AUDIO Hidden
    "video" VIDEO Hidden
    "canvas" CANVAS Hidden
    "noframes" NOFRAMES Hidden
    "noembed" NOEMBED Hidden
    "frame" FRAME Void
    "picture" PICTURE Inline
    "time" TIME Time
    "meta" META Void
    "link" LINK Void
    "base" BASE Void
    "img" IMG Void
    "br" BR Void
    "hr" HR Void
    "input" INPUT Void
    "source" SOURCE Void
    "track" TRACK Void
    "wbr" WBR Void
    "area" AREA Void
    "col" COL Void
    "embed" EMBED Void
    "param" PARAM Void
    "a" A Formatting
    "b" B Formatting
    "big" BIG Formatting
    "code" CODE Formatting
    "em" EM Formatting
    "font" FONT Formatting
    "i" I Formatting
    "s" S Formatting
    "small" SMALL Formatting
    "strike" STRIKE Formatting
    "strong" STRONG Formatting
    "tt" TT Formatting
    "u" U Formatting
}

/// FNV-1a, with 31 bits.
fn hash(name: &[u8]) -> u32 {
    name.iter().copied().fold(0x811c_9dc5, mix) & !KNOWN
}

fn mix(hash: u32, byte: u8) -> u32 {
    (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}

impl Name {
    /// Returns the name of an element of SVG or MathML. It equals no name of an HTML element that matters here.
    pub(crate) fn foreign(name: &[u8]) -> Name {
        Name(hash(name))
    }

    /// Returns the path of an element whose parent has the path `parent`. Only its first class counts, without digits. Other
    /// classes may describe the page, for example its tags.
    pub(crate) fn path(self, parent: u32, class: &[u8]) -> u32 {
        let class = class
            .split(u8::is_ascii_whitespace)
            .find(|word| !word.is_empty())
            .unwrap_or_default();
        // The numbers of known elements may differ between versions, so their names are hashed. All other elements have hashes
        // already.
        let name = self.text().map_or(self.0, hash);
        let path = name.to_be_bytes().into_iter().fold(parent, mix);
        let letters = class.iter().copied().filter(|byte| !byte.is_ascii_digit());
        letters.fold(mix(path, b'.'), mix)
    }

    /// Returns `true` for a table's cell. Like a space, its end does not end the row's text.
    pub(crate) fn is_cell(self) -> bool {
        self == Name::TD || self == Name::TH
    }

    pub(crate) fn is_heading(self) -> bool {
        matches!(
            self,
            Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::H5 | Name::H6
        )
    }

    /// Returns `true` if a start tag of this name ends the open element `open`, whose end tag is optional.
    pub(crate) fn ends(self, role: Role, open: Name) -> bool {
        match open {
            Name::P => {
                matches!(
                    role,
                    Role::Block | Role::OptionalEnd | Role::Content | Role::Frame
                ) || self == Name::HR
            }
            Name::LI => self == Name::LI,
            Name::DT | Name::DD => self == Name::DT || self == Name::DD,
            Name::TD | Name::TH => self.is_cell() || self.ends(role, Name::TR),
            Name::TR => matches!(self, Name::TR | Name::TBODY | Name::THEAD | Name::TFOOT),
            Name::OPTION => self == Name::OPTION,
            _ => false,
        }
    }

    /// Returns `true` if end tags of outer elements cannot end elements within it.
    pub(crate) fn is_barrier(self) -> bool {
        matches!(
            self,
            Name::TABLE | Name::TD | Name::TH | Name::CAPTION | Name::TEMPLATE | Name::HTML
        )
    }
}
