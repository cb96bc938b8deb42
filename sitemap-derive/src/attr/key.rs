//! The keys of `#[sitemap(…)]`: where each is allowed, and how its value is read.

use super::items::Item;
use super::{Extension, FieldAttrs, PageAttrs, TypeAttrs};
use crate::ctxt::Ctxt;

/// The item that an attribute is on.
#[derive(Clone, Copy, PartialEq, Eq)]
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

#[derive(Clone, Copy, PartialEq, Eq)]
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
    /// Its use for a page, on a struct or variant; `None` if it is not allowed there.
    page: Option<Use<PageAttrs>>,
    /// Its use for a whole type, on a struct or enum.
    whole: Option<Use<TypeAttrs>>,
    /// Its use on a field.
    field: Option<Use<FieldAttrs>>,
    /// Where its value may be a list in parentheses.
    lists: Lists,
    /// The advice for a key in the wrong place.
    pub(super) belongs: &'static str,
}

/// The use of a key among the attributes of a page, a type or a field.
struct Use<Attrs> {
    /// An example, for messages.
    example: &'static str,
    /// Reads the item's value into the attributes.
    read: fn(&mut Attrs, &Item, &Ctxt),
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
        page: Some(Use {
            example: "loc = \"/products/{slug}\"",
            read: |found, item, cx| found.loc = Some(item.setting(item.template(cx))),
        }),
        whole: None,
        field: Some(Use {
            example: "loc",
            read: |found, item, cx| found.loc = Some(item.flag(cx)),
        }),
        lists: Lists::Nowhere,
        belongs: "an enum is not one page: put it on the variants that are",
    },
    Row {
        key: Key::Lastmod,
        name: "lastmod",
        page: Some(Use {
            example: "lastmod = \"2024-05-06\"",
            read: |found, item, cx| found.lastmod = Some(item.setting(item.lastmod(cx))),
        }),
        whole: None,
        field: Some(Use {
            example: "lastmod",
            read: |found, item, cx| found.lastmod = Some(item.flag(cx)),
        }),
        lists: Lists::Nowhere,
        belongs: "an enum is not one page: put it on the variants that are",
    },
    Row {
        key: Key::ChangeFreq,
        name: "changefreq",
        page: Some(Use {
            example: "changefreq = \"weekly\"",
            read: |found, item, cx| found.changefreq = Some(item.setting(item.changefreq(cx))),
        }),
        whole: None,
        field: Some(Use {
            example: "changefreq",
            read: |found, item, cx| found.changefreq = Some(item.flag(cx)),
        }),
        lists: Lists::Nowhere,
        belongs: "an enum is not one page: put it on the variants that are",
    },
    Row {
        key: Key::Priority,
        name: "priority",
        page: Some(Use {
            example: "priority = 0.8",
            read: |found, item, cx| found.priority = Some(item.setting(item.priority(cx))),
        }),
        whole: None,
        field: Some(Use {
            example: "priority",
            read: |found, item, cx| found.priority = Some(item.flag(cx)),
        }),
        lists: Lists::Nowhere,
        belongs: "an enum is not one page: put it on the variants that are",
    },
    Row {
        key: Key::Image,
        name: "image",
        page: Some(Use {
            example: "image = \"/images/{id}.jpg\"",
            read: |found, item, cx| found.image = Some(item.setting(item.template(cx))),
        }),
        whole: None,
        field: Some(Use {
            example: "image",
            read: |found, item, cx| found.extensions.push((Extension::Image, item.flag(cx))),
        }),
        lists: Lists::Nowhere,
        belongs: "an enum is not one page: put it on the variants that are",
    },
    Row {
        key: Key::Video,
        name: "video",
        page: Some(Use {
            example: "video = Self::videos",
            read: |found, item, cx| found.video = Some(item.setting(item.video(cx))),
        }),
        whole: None,
        field: Some(Use {
            example: "video",
            read: |found, item, cx| found.extensions.push((Extension::Video, item.flag(cx))),
        }),
        lists: Lists::OnPages,
        belongs: "an enum is not one page: put it on the variants that are",
    },
    Row {
        key: Key::News,
        name: "news",
        page: Some(Use {
            example: "news = Self::article",
            read: |found, item, cx| found.news = Some(item.setting(item.function(cx))),
        }),
        whole: None,
        field: Some(Use {
            example: "news",
            read: |found, item, cx| found.extensions.push((Extension::News, item.flag(cx))),
        }),
        lists: Lists::Nowhere,
        belongs: "an enum is not one page: put it on the variants that are",
    },
    Row {
        key: Key::Alternate,
        name: "alternate",
        page: Some(Use {
            example: "alternate(template = \"/{lang}/{slug}\", languages(\"de\", \"en\"))",
            read: |found, item, cx| found.alternate = Some(item.setting(item.links(cx))),
        }),
        whole: None,
        field: Some(Use {
            example: "alternate",
            read: |found, item, cx| found.extensions.push((Extension::Alternate, item.flag(cx))),
        }),
        lists: Lists::OnPages,
        belongs: "an enum is not one page: put it on the variants that are",
    },
    Row {
        key: Key::Element,
        name: "element",
        page: None,
        whole: None,
        field: Some(Use {
            example: "element = \"shop:price\"",
            read: |found, item, cx| found.element = Some(item.setting(item.element(cx))),
        }),
        lists: Lists::Nowhere,
        belongs: "it writes a field's value: put it on the field",
    },
    Row {
        key: Key::Languages,
        name: "languages",
        page: Some(Use {
            example: "languages(\"de\", \"en\")",
            read: |found, item, cx| found.languages = Some(item.setting(item.languages(cx))),
        }),
        whole: None,
        field: Some(Use {
            example: "languages",
            read: |found, item, cx| found.languages = Some(item.setting(item.rows_of_languages(cx))),
        }),
        lists: Lists::Everywhere,
        belongs: "an enum is not one page: put it on the variants that are",
    },
    Row {
        key: Key::XDefault,
        name: "x_default",
        page: Some(Use {
            example: "x_default = \"en\"",
            read: |found, item, cx| found.x_default = Some(item.setting(item.language(cx))),
        }),
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
        field: Some(Use {
            example: "flatten",
            read: |found, item, cx| found.flatten = Some(item.flag(cx)),
        }),
        lists: Lists::Nowhere,
        belongs: "it takes the values of a field's own fields: put it on the field",
    },
    Row {
        key: Key::With,
        name: "with",
        page: None,
        whole: None,
        field: Some(Use {
            example: "with = path::to::function",
            read: |found, item, cx| found.with = Some(item.setting(item.path(cx))),
        }),
        lists: Lists::Nowhere,
        belongs: "it converts a field's value: put it on the field, as in `#[sitemap(lastmod, with = to_date)]`",
    },
    Row {
        key: Key::FromWith,
        name: "from_with",
        page: None,
        whole: None,
        field: Some(Use {
            example: "from_with = path::to::function",
            read: |found, item, cx| found.from_with = Some(item.setting(item.path(cx))),
        }),
        lists: Lists::Nowhere,
        belongs: "it converts to a field's value: put it on the field, as in `#[sitemap(lastmod, from_with = of_date)]`",
    },
    Row {
        key: Key::Offset,
        name: "offset",
        page: None,
        whole: None,
        field: Some(Use {
            example: "offset = \"+09:00\"",
            read: |found, item, cx| item.zone(cx, &mut found.zone),
        }),
        lists: Lists::Nowhere,
        belongs: "it gives a naive date-time its zone: put it beside `lastmod` on the field",
    },
    Row {
        key: Key::Utc,
        name: "utc",
        page: None,
        whole: None,
        field: Some(Use {
            example: "utc",
            read: |found, item, cx| item.zone(cx, &mut found.zone),
        }),
        lists: Lists::Nowhere,
        belongs: "it gives a naive date-time its zone: put it beside `lastmod` on the field",
    },
    Row {
        key: Key::Precision,
        name: "precision",
        page: Some(Use {
            example: "precision = \"day\"",
            read: |found, item, cx| found.precision = Some(item.setting(item.precision(cx))),
        }),
        whole: None,
        field: Some(Use {
            example: "precision = \"day\"",
            read: |found, item, cx| found.precision = Some(item.setting(item.precision(cx))),
        }),
        lists: Lists::Nowhere,
        belongs: "it says how exact a lastmod is written: put it beside `lastmod`",
    },
    Row {
        key: Key::Default,
        name: "default",
        page: None,
        whole: None,
        field: Some(Use {
            example: "default = 0.5",
            read: |found, item, cx| found.default = Some(item.setting(item.constant(cx))),
        }),
        lists: Lists::Nowhere,
        belongs: "it is for a field that is `None`: put it beside `priority` or `changefreq` on the field",
    },
    Row {
        key: Key::ExcludeIf,
        name: "exclude_if",
        page: None,
        whole: Some(Use {
            example: "exclude_if = Self::is_draft",
            read: |found, item, cx| found.filters.extend(item.filter(cx)),
        }),
        field: Some(Use {
            example: "exclude_if",
            read: |found, item, cx| found.filters.extend(item.filter(cx)),
        }),
        lists: Lists::Nowhere,
        belongs: "put it on the type, or on a field of the variant",
    },
    Row {
        key: Key::IncludeIf,
        name: "include_if",
        page: None,
        whole: Some(Use {
            example: "include_if = Self::is_public",
            read: |found, item, cx| found.filters.extend(item.filter(cx)),
        }),
        field: Some(Use {
            example: "include_if",
            read: |found, item, cx| found.filters.extend(item.filter(cx)),
        }),
        lists: Lists::Nowhere,
        belongs: "put it on the type, or on a field of the variant",
    },
    Row {
        key: Key::Base,
        name: "base",
        page: None,
        whole: Some(Use {
            example: "base = \"https://example.com\"",
            read: |found, item, cx| found.base = Some(item.setting(item.base(cx))),
        }),
        field: None,
        lists: Lists::Nowhere,
        belongs: "it says where all pages of a type are: put it on the type",
    },
    Row {
        key: Key::Encoding,
        name: "encoding",
        page: None,
        whole: Some(Use {
            example: "encoding = \"euc-jp\"",
            read: |found, item, cx| found.encoding = Some(item.setting(item.encoding(cx))),
        }),
        field: None,
        lists: Lists::Nowhere,
        belongs: "it is that of the server of all pages of a type: put it on the type",
    },
    Row {
        key: Key::Crate,
        name: "crate",
        page: None,
        whole: Some(Use {
            example: "crate = path::to::sitemap_serde",
            read: |found, item, cx| found.krate = Some(item.setting(item.path(cx))),
        }),
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
        let Row {
            page, whole, field, ..
        } = self.row();
        let page = page.as_ref().map(|usage| usage.example);
        let whole = whole.as_ref().map(|usage| usage.example);
        match level {
            Level::Struct => page.or(whole),
            Level::Enum => whole,
            Level::Variant => page,
            Level::Field => field.as_ref().map(|usage| usage.example),
        }
    }

    /// The advice for a key in the wrong place.
    pub(super) fn belongs(self) -> &'static str {
        self.row().belongs
    }
}

impl Item {
    /// Reads the value if the key is one of a page.
    pub(super) fn read_page(&self, found: &mut PageAttrs, cx: &Ctxt) {
        if let Some(usage) = &self.key.row().page {
            (usage.read)(found, self, cx);
        }
    }

    /// Reads the value if the key is one of a whole type.
    pub(super) fn read_whole(&self, found: &mut TypeAttrs, cx: &Ctxt) {
        if let Some(usage) = &self.key.row().whole {
            (usage.read)(found, self, cx);
        }
    }

    /// Reads the value if the key is one of a field.
    pub(super) fn read_field(&self, found: &mut FieldAttrs, cx: &Ctxt) {
        if let Some(usage) = &self.key.row().field {
            (usage.read)(found, self, cx);
        }
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
