//! The keys of `#[sitemap(…)]`, and where each belongs.

/// Where an attribute stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Struct,
    Enum,
    Variant,
    Field,
}

impl Level {
    pub(super) fn name(self) -> &'static str {
        match self {
            Level::Struct => "a struct",
            Level::Enum => "an enum",
            Level::Variant => "a variant",
            Level::Field => "a field",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Loc,
    Lastmod,
    ChangeFreq,
    Priority,
    Image,
    Video,
    News,
    Alternate,
    Element,
    Languages,
    XDefault,
    Flatten,
    With,
    FromWith,
    Offset,
    Utc,
    Precision,
    Default,
    ExcludeIf,
    IncludeIf,
    Base,
    Encoding,
    Crate,
}

impl Key {
    pub(super) const ALL: [Key; 23] = [
        Key::Loc,
        Key::Lastmod,
        Key::ChangeFreq,
        Key::Priority,
        Key::Image,
        Key::Video,
        Key::News,
        Key::Alternate,
        Key::Element,
        Key::Languages,
        Key::XDefault,
        Key::Flatten,
        Key::With,
        Key::FromWith,
        Key::Offset,
        Key::Utc,
        Key::Precision,
        Key::Default,
        Key::ExcludeIf,
        Key::IncludeIf,
        Key::Base,
        Key::Encoding,
        Key::Crate,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Key::Loc => "loc",
            Key::Lastmod => "lastmod",
            Key::ChangeFreq => "changefreq",
            Key::Priority => "priority",
            Key::Image => "image",
            Key::Video => "video",
            Key::News => "news",
            Key::Alternate => "alternate",
            Key::Element => "element",
            Key::Languages => "languages",
            Key::XDefault => "x_default",
            Key::Flatten => "flatten",
            Key::With => "with",
            Key::FromWith => "from_with",
            Key::Offset => "offset",
            Key::Utc => "utc",
            Key::Precision => "precision",
            Key::Default => "default",
            Key::ExcludeIf => "exclude_if",
            Key::IncludeIf => "include_if",
            Key::Base => "base",
            Key::Encoding => "encoding",
            Key::Crate => "crate",
        }
    }

    /// Whether its value may stand in parentheses.
    pub(super) fn takes_list(self, level: Level) -> bool {
        match self {
            Key::Languages => true,
            Key::Alternate | Key::Video => level != Level::Field,
            _ => false,
        }
    }

    /// How the key is written at a level, with an example's value; `None` if it does not belong there.
    pub(super) fn usage(self, level: Level) -> Option<&'static str> {
        Some(match (self, level) {
            (Key::Loc, Level::Struct | Level::Variant) => "loc = \"/products/{slug}\"",
            (Key::Loc, Level::Field) => "loc",
            (Key::Lastmod, Level::Struct | Level::Variant) => "lastmod = \"2024-05-06\"",
            (Key::Lastmod, Level::Field) => "lastmod",
            (Key::ChangeFreq, Level::Struct | Level::Variant) => "changefreq = \"weekly\"",
            (Key::ChangeFreq, Level::Field) => "changefreq",
            (Key::Priority, Level::Struct | Level::Variant) => "priority = 0.8",
            (Key::Priority, Level::Field) => "priority",
            (Key::Image, Level::Struct | Level::Variant) => "image = \"/images/{id}.jpg\"",
            (Key::Video, Level::Struct | Level::Variant) => "video = Self::videos",
            (Key::News, Level::Struct | Level::Variant) => "news = Self::article",
            (Key::Alternate, Level::Struct | Level::Variant) => {
                "alternate(template = \"/{lang}/{slug}\", languages(\"de\", \"en\"))"
            }
            (Key::Languages, Level::Struct | Level::Variant) => "languages(\"de\", \"en\")",
            (Key::Languages, Level::Field) => "languages",
            (Key::XDefault, Level::Struct | Level::Variant) => "x_default = \"en\"",
            (Key::Image, Level::Field) => "image",
            (Key::Video, Level::Field) => "video",
            (Key::News, Level::Field) => "news",
            (Key::Alternate, Level::Field) => "alternate",
            (Key::Element, Level::Field) => "element = \"shop:price\"",
            (Key::Flatten, Level::Field) => "flatten",
            (Key::With, Level::Field) => "with = path::to::function",
            (Key::FromWith, Level::Field) => "from_with = path::to::function",
            (Key::Offset, Level::Field) => "offset = \"+09:00\"",
            (Key::Utc, Level::Field) => "utc",
            (Key::Precision, Level::Struct | Level::Variant | Level::Field) => "precision = \"day\"",
            (Key::Default, Level::Field) => "default = 0.5",
            (Key::ExcludeIf, Level::Struct | Level::Enum) => "exclude_if = Self::is_draft",
            (Key::ExcludeIf, Level::Field) => "exclude_if",
            (Key::IncludeIf, Level::Struct | Level::Enum) => "include_if = Self::is_public",
            (Key::IncludeIf, Level::Field) => "include_if",
            (Key::Base, Level::Struct | Level::Enum) => "base = \"https://example.com\"",
            (Key::Encoding, Level::Struct | Level::Enum) => "encoding = \"euc-jp\"",
            (Key::Crate, Level::Struct | Level::Enum) => "crate = path::to::sitemap_serde",
            _ => return None,
        })
    }

    /// Where a key belongs that stands at a level where it does not.
    pub(super) fn belongs(self) -> &'static str {
        match self {
            Key::Loc
            | Key::Lastmod
            | Key::ChangeFreq
            | Key::Priority
            | Key::Image
            | Key::Video
            | Key::News
            | Key::Alternate
            | Key::Languages => "an enum is not one page: put it on the variants that are",
            Key::XDefault => "it goes with the languages of a page: put it beside `languages(…)`",
            Key::Element => "it writes a field's value: put it on the field",
            Key::Flatten => "it takes the values of a field's own fields: put it on the field",
            Key::With => {
                "it converts a field's value: put it on the field, as in `#[sitemap(lastmod, with = to_date)]`"
            }
            Key::FromWith => {
                "it converts to a field's value: put it on the field, as in `#[sitemap(lastmod, from_with = of_date)]`"
            }
            Key::Offset | Key::Utc => {
                "it gives a naive date-time its zone: put it beside `lastmod` on the field"
            }
            Key::Precision => "it says how exact a lastmod is written: put it beside `lastmod`",
            Key::Default => {
                "it is for a field that is `None`: put it beside `priority` or `changefreq` on the field"
            }
            Key::ExcludeIf | Key::IncludeIf => "put it on the type, or on a field of the variant",
            Key::Base => "it says where all pages of a type are: put it on the type",
            Key::Encoding => "it is that of the server of all pages of a type: put it on the type",
            Key::Crate => "put it on the type",
        }
    }
}

/// What people call a key that has another name.
pub(super) const KEY_ALIASES: [(&str, Key); 45] = [
    ("url", Key::Loc),
    ("path", Key::Loc),
    ("location", Key::Loc),
    ("template", Key::Loc),
    ("modified", Key::Lastmod),
    ("lastmodified", Key::Lastmod),
    ("updated", Key::Lastmod),
    ("date", Key::Lastmod),
    ("frequency", Key::ChangeFreq),
    ("freq", Key::ChangeFreq),
    ("changefrequency", Key::ChangeFreq),
    ("prio", Key::Priority),
    ("photo", Key::Image),
    ("picture", Key::Image),
    ("thumbnail", Key::Image),
    ("article", Key::News),
    ("hreflang", Key::Alternate),
    ("language", Key::Languages),
    ("lang", Key::Languages),
    ("langs", Key::Languages),
    ("locales", Key::Languages),
    ("translations", Key::Languages),
    ("translation", Key::Alternate),
    ("defaultlanguage", Key::XDefault),
    ("xhtmllink", Key::Alternate),
    ("host", Key::Base),
    ("site", Key::Base),
    ("origin", Key::Base),
    ("prefix", Key::Base),
    ("charset", Key::Encoding),
    ("serializewith", Key::With),
    ("deserializewith", Key::FromWith),
    ("parsewith", Key::FromWith),
    ("timezone", Key::Offset),
    ("tz", Key::Offset),
    ("granularity", Key::Precision),
    ("embed", Key::Flatten),
    ("nested", Key::Flatten),
    ("inline", Key::Flatten),
    ("resolution", Key::Precision),
    ("skipif", Key::ExcludeIf),
    ("skip", Key::ExcludeIf),
    ("hidden", Key::ExcludeIf),
    ("includeonlyif", Key::IncludeIf),
    ("listedif", Key::IncludeIf),
];
