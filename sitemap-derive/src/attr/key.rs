//! The keys of `#[sitemap(…)]`, and where each is allowed.

/// The item that an attribute is on.
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

/// The definition of a key.
pub(super) struct Row {
    key: Key,
    pub(super) name: &'static str,
    /// An example of its use for a page, on a struct or variant; `None` if it is not allowed there.
    page: Option<&'static str>,
    /// An example of its use for a whole type, on a struct or enum.
    whole: Option<&'static str>,
    /// An example of its use on a field.
    field: Option<&'static str>,
    /// Where its value may be a list in parentheses.
    lists: Lists,
    /// The advice for a key in the wrong place.
    pub(super) belongs: &'static str,
}

enum Lists {
    Nowhere,
    OnPages,
    Everywhere,
}

/// The row of each key, in the order of [`Key`]. The elements that they write are in the [schema](crate::schema).
pub(super) static ROWS: [Row; 23] = [
    Row {
        key: Key::Loc,
        name: "loc",
        page: Some("loc = \"/products/{slug}\""),
        whole: None,
        field: Some("loc"),
        lists: Lists::Nowhere,
        belongs: "an enum is not one page: put it on the variants that are",
    },
    Row {
        key: Key::Lastmod,
        name: "lastmod",
        page: Some("lastmod = \"2024-05-06\""),
        whole: None,
        field: Some("lastmod"),
        lists: Lists::Nowhere,
        belongs: "an enum is not one page: put it on the variants that are",
    },
    Row {
        key: Key::ChangeFreq,
        name: "changefreq",
        page: Some("changefreq = \"weekly\""),
        whole: None,
        field: Some("changefreq"),
        lists: Lists::Nowhere,
        belongs: "an enum is not one page: put it on the variants that are",
    },
    Row {
        key: Key::Priority,
        name: "priority",
        page: Some("priority = 0.8"),
        whole: None,
        field: Some("priority"),
        lists: Lists::Nowhere,
        belongs: "an enum is not one page: put it on the variants that are",
    },
    Row {
        key: Key::Image,
        name: "image",
        page: Some("image = \"/images/{id}.jpg\""),
        whole: None,
        field: Some("image"),
        lists: Lists::Nowhere,
        belongs: "an enum is not one page: put it on the variants that are",
    },
    Row {
        key: Key::Video,
        name: "video",
        page: Some("video = Self::videos"),
        whole: None,
        field: Some("video"),
        lists: Lists::OnPages,
        belongs: "an enum is not one page: put it on the variants that are",
    },
    Row {
        key: Key::News,
        name: "news",
        page: Some("news = Self::article"),
        whole: None,
        field: Some("news"),
        lists: Lists::Nowhere,
        belongs: "an enum is not one page: put it on the variants that are",
    },
    Row {
        key: Key::Alternate,
        name: "alternate",
        page: Some("alternate(template = \"/{lang}/{slug}\", languages(\"de\", \"en\"))"),
        whole: None,
        field: Some("alternate"),
        lists: Lists::OnPages,
        belongs: "an enum is not one page: put it on the variants that are",
    },
    Row {
        key: Key::Element,
        name: "element",
        page: None,
        whole: None,
        field: Some("element = \"shop:price\""),
        lists: Lists::Nowhere,
        belongs: "it writes a field's value: put it on the field",
    },
    Row {
        key: Key::Languages,
        name: "languages",
        page: Some("languages(\"de\", \"en\")"),
        whole: None,
        field: Some("languages"),
        lists: Lists::Everywhere,
        belongs: "an enum is not one page: put it on the variants that are",
    },
    Row {
        key: Key::XDefault,
        name: "x_default",
        page: Some("x_default = \"en\""),
        whole: None,
        field: None,
        lists: Lists::Nowhere,
        belongs: "it goes with the languages of a page: put it beside `languages(…)`",
    },
    Row {
        key: Key::Flatten,
        name: "flatten",
        page: None,
        whole: None,
        field: Some("flatten"),
        lists: Lists::Nowhere,
        belongs: "it takes the values of a field's own fields: put it on the field",
    },
    Row {
        key: Key::With,
        name: "with",
        page: None,
        whole: None,
        field: Some("with = path::to::function"),
        lists: Lists::Nowhere,
        belongs: "it converts a field's value: put it on the field, as in `#[sitemap(lastmod, with = to_date)]`",
    },
    Row {
        key: Key::FromWith,
        name: "from_with",
        page: None,
        whole: None,
        field: Some("from_with = path::to::function"),
        lists: Lists::Nowhere,
        belongs: "it converts to a field's value: put it on the field, as in `#[sitemap(lastmod, from_with = of_date)]`",
    },
    Row {
        key: Key::Offset,
        name: "offset",
        page: None,
        whole: None,
        field: Some("offset = \"+09:00\""),
        lists: Lists::Nowhere,
        belongs: "it gives a naive date-time its zone: put it beside `lastmod` on the field",
    },
    Row {
        key: Key::Utc,
        name: "utc",
        page: None,
        whole: None,
        field: Some("utc"),
        lists: Lists::Nowhere,
        belongs: "it gives a naive date-time its zone: put it beside `lastmod` on the field",
    },
    Row {
        key: Key::Precision,
        name: "precision",
        page: Some("precision = \"day\""),
        whole: None,
        field: Some("precision = \"day\""),
        lists: Lists::Nowhere,
        belongs: "it says how exact a lastmod is written: put it beside `lastmod`",
    },
    Row {
        key: Key::Default,
        name: "default",
        page: None,
        whole: None,
        field: Some("default = 0.5"),
        lists: Lists::Nowhere,
        belongs: "it is for a field that is `None`: put it beside `priority` or `changefreq` on the field",
    },
    Row {
        key: Key::ExcludeIf,
        name: "exclude_if",
        page: None,
        whole: Some("exclude_if = Self::is_draft"),
        field: Some("exclude_if"),
        lists: Lists::Nowhere,
        belongs: "put it on the type, or on a field of the variant",
    },
    Row {
        key: Key::IncludeIf,
        name: "include_if",
        page: None,
        whole: Some("include_if = Self::is_public"),
        field: Some("include_if"),
        lists: Lists::Nowhere,
        belongs: "put it on the type, or on a field of the variant",
    },
    Row {
        key: Key::Base,
        name: "base",
        page: None,
        whole: Some("base = \"https://example.com\""),
        field: None,
        lists: Lists::Nowhere,
        belongs: "it says where all pages of a type are: put it on the type",
    },
    Row {
        key: Key::Encoding,
        name: "encoding",
        page: None,
        whole: Some("encoding = \"euc-jp\""),
        field: None,
        lists: Lists::Nowhere,
        belongs: "it is that of the server of all pages of a type: put it on the type",
    },
    Row {
        key: Key::Crate,
        name: "crate",
        page: None,
        whole: Some("crate = path::to::sitemap_serde"),
        field: None,
        lists: Lists::Nowhere,
        belongs: "put it on the type",
    },
];

const _: () = {
    let mut i = 0;
    while i < ROWS.len() {
        assert!(ROWS[i].key as usize == i, "the rows are in the order of the keys");
        i += 1;
    }
};

impl Key {
    /// The key with this name.
    pub(super) fn named(name: &str) -> Option<Key> {
        ROWS.iter().find(|row| row.name == name).map(|row| row.key)
    }

    /// All keys that are allowed at a level.
    pub(super) fn at(level: Level) -> impl Iterator<Item = Key> + Clone {
        ROWS.iter()
            .map(|row| row.key)
            .filter(move |key| key.usage(level).is_some())
    }

    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    pub(super) fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether its value may be a list in parentheses.
    pub(super) fn takes_list(self, level: Level) -> bool {
        match self.row().lists {
            Lists::Nowhere => false,
            Lists::OnPages => level != Level::Field,
            Lists::Everywhere => true,
        }
    }

    /// An example of the key's use at a level; `None` if it is not allowed there.
    pub(super) fn usage(self, level: Level) -> Option<&'static str> {
        let row = self.row();
        match level {
            Level::Struct => row.page.or(row.whole),
            Level::Enum => row.whole,
            Level::Variant => row.page,
            Level::Field => row.field,
        }
    }

    /// The advice for a key in the wrong place.
    pub(super) fn belongs(self) -> &'static str {
        self.row().belongs
    }
}

/// Common words for keys, for suggestions.
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
