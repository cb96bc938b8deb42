//! The keys of `#[sitemap(…)]`, a row each: its places, and the parser of its value.
//!
//! **A key of `#[sitemap(…)]`** is a row in `attr/key.rs`: where it is allowed, an example for messages, and how its value is read into a
//! field of `attr.rs`. `expand` makes code of it, from `Page::attrs` or `Field::attrs`: a new key takes these three files. `attr/suggest`
//! reads what a wrong value means (a call, a field, a path in quotes), for messages. `validate` checks keys that need or exclude each
//! other. If several keys can set a value, such as the lastmod, it stores the result in a `derivation::Page`.

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
    Mobile,
    Element,
    Languages,
    XDefault,
    Flatten,
    With,
    WriteWith,
    ReadWith,
    Zone,
    Precision,
    Default,
    ExcludeIf,
    IncludeIf,
    Base,
    Encoding,
    Namespace,
    Crate,
}

/// The definition of a key.
struct KeyRow {
    key: Key,
    name: &'static str,
    /// Common words for it, for suggestions.
    aliases: &'static [&'static str],
    /// Its use for a page, on a struct or variant; `None` if it is not allowed there.
    page: Option<Use<PageAttrs>>,
    /// Its use for a whole type, on a struct or enum.
    whole: Option<Use<TypeAttrs>>,
    /// Its use on a field.
    field: Option<Use<FieldAttrs>>,
    /// The advice for a key in the wrong place.
    belongs: &'static str,
}

/// The use of a key among the attributes of a page, a type or a field.
struct Use<Attrs> {
    /// An example, for messages.
    example: &'static str,
    /// `true` if the value may be a list in parentheses.
    takes_list: bool,
    /// Reads the item's value into the attributes.
    read: Read<Attrs>,
}

type Read<Attrs> = fn(&mut Attrs, &Item, &Ctxt);

impl<Attrs> Use<Attrs> {
    const fn new(example: &'static str, read: Read<Attrs>) -> Self {
        Use {
            example,
            takes_list: false,
            read,
        }
    }

    const fn list(example: &'static str, read: Read<Attrs>) -> Self {
        Use {
            example,
            takes_list: true,
            read,
        }
    }
}

const fn row(key: Key, name: &'static str, belongs: &'static str) -> KeyRow {
    KeyRow {
        key,
        name,
        aliases: &[],
        page: None,
        whole: None,
        field: None,
        belongs,
    }
}

impl KeyRow {
    const fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    const fn page(mut self, example: &'static str, read: Read<PageAttrs>) -> Self {
        self.page = Some(Use::new(example, read));
        self
    }

    const fn page_list(mut self, example: &'static str, read: Read<PageAttrs>) -> Self {
        self.page = Some(Use::list(example, read));
        self
    }

    const fn whole(mut self, example: &'static str, read: Read<TypeAttrs>) -> Self {
        self.whole = Some(Use::new(example, read));
        self
    }

    const fn whole_list(mut self, example: &'static str, read: Read<TypeAttrs>) -> Self {
        self.whole = Some(Use::list(example, read));
        self
    }

    const fn field(mut self, example: &'static str, read: Read<FieldAttrs>) -> Self {
        self.field = Some(Use::new(example, read));
        self
    }

    const fn field_list(mut self, example: &'static str, read: Read<FieldAttrs>) -> Self {
        self.field = Some(Use::list(example, read));
        self
    }
}

const NOT_A_PAGE: &str = "an enum is not one page: put it on the variants that are";

/// The row of each key, in the order of [`Key`].
static ROWS: [KeyRow; 25] = [
    row(Key::Loc, "loc", NOT_A_PAGE).aliases(&["url", "path", "location", "template"])
        .page("loc = \"/products/{slug}\"", |found, item, cx| { found.loc = Some(item.setting(item.template(cx))); })
        .field("loc", |found, item, cx| { found.loc = Some(item.flag(cx)); }),
    row(Key::Lastmod, "lastmod", NOT_A_PAGE).aliases(&["modified", "lastmodified", "updated", "date"])
        .page("lastmod = \"2024-05-06\"", |found, item, cx| { found.lastmod = Some(item.setting(item.lastmod(cx))); })
        .field("lastmod", |found, item, cx| { found.lastmod = Some(item.flag(cx)); }),
    row(Key::ChangeFreq, "changefreq", NOT_A_PAGE).aliases(&["frequency", "freq", "changefrequency"])
        .page("changefreq = \"weekly\"", |found, item, cx| { found.changefreq = Some(item.setting(item.changefreq(cx))); })
        .field("changefreq", |found, item, cx| { found.changefreq = Some(item.flag(cx)); }),
    row(Key::Priority, "priority", NOT_A_PAGE).aliases(&["prio"])
        .page("priority = 0.8", |found, item, cx| { found.priority = Some(item.setting(item.priority(cx))); })
        .field("priority", |found, item, cx| { found.priority = Some(item.flag(cx)); }),
    row(Key::Image, "image", NOT_A_PAGE).aliases(&["photo", "picture", "thumbnail"])
        .page_list("image = \"/images/{id}.jpg\"", |found, item, cx| item.read_parts(Extension::Image, found, cx))
        .field("image", |found, item, cx| found.extensions.push((Extension::Image, item.flag(cx)))),
    row(Key::Video, "video", NOT_A_PAGE)
        .page_list("video = Self::videos", |found, item, cx| item.read_parts(Extension::Video, found, cx))
        .field("video", |found, item, cx| found.extensions.push((Extension::Video, item.flag(cx)))),
    row(Key::News, "news", NOT_A_PAGE).aliases(&["article"])
        .page_list("news = Self::article", |found, item, cx| item.read_parts(Extension::News, found, cx))
        .field("news", |found, item, cx| found.extensions.push((Extension::News, item.flag(cx)))),
    row(Key::Alternate, "alternate", NOT_A_PAGE).aliases(&["hreflang", "translation", "xhtmllink"])
        .page_list("alternate(template = \"/{lang}/{slug}\", languages(\"de\", \"en\"))", |found, item, cx| { found.alternate = Some(item.setting(item.links(cx))); })
        .field("alternate", |found, item, cx| found.extensions.push((Extension::Alternate, item.flag(cx)))),
    row(Key::Mobile, "mobile", "it marks a page for feature phones: put it on the struct, or on the variants for such pages")
        .page("mobile", |found, item, cx| { found.mobile = Some(item.alone(cx)); }),
    row(Key::Element, "element", "it writes a field's value: put it on the field")
        .field("element = \"shop:price\"", |found, item, cx| { found.element = Some(item.setting(item.element(cx))); }),
    row(Key::Languages, "languages", NOT_A_PAGE).aliases(&["language", "lang", "langs", "locales", "translations"])
        .page_list("languages(\"de\", \"en\")", |found, item, cx| { found.languages = Some(item.setting(item.languages(cx))); })
        .field_list("languages", |found, item, cx| { found.languages = Some(item.setting(item.rows_of_languages(cx))); }),
    row(Key::XDefault, "x_default", "it goes with the languages of a page: put it next to `languages(…)`").aliases(&["defaultlanguage"])
        .page("x_default = \"en\"", |found, item, cx| { found.x_default = Some(item.setting(item.language(cx))); }),
    row(Key::Flatten, "flatten", "it takes the values of a field's own fields: put it on the field").aliases(&["embed", "nested", "inline"])
        .field("flatten", |found, item, cx| { found.flatten = Some(item.flag(cx)); }),
    row(Key::With, "with", "it converts a field's value: put it on the field, as in `#[sitemap(lastmod, with = unix_seconds)]`")
        .field("with = path::to::module", |found, item, cx| { found.with = Some(item.setting(item.path(cx))); }),
    row(Key::WriteWith, "write_with", "it converts a field's value: put it on the field, as in `#[sitemap(lastmod, write_with = to_date)]`").aliases(&["serializewith", "towith"])
        .field("write_with = path::to::function", |found, item, cx| { found.write_with = Some(item.setting(item.path(cx))); }),
    row(Key::ReadWith, "read_with", "it converts to a field's value: put it on the field, as in `#[sitemap(lastmod, read_with = of_date)]`").aliases(&["deserializewith", "fromwith", "parsewith"])
        .field("read_with = path::to::function", |found, item, cx| { found.read_with = Some(item.setting(item.path(cx))); }),
    row(Key::Zone, "zone", "it gives a naive date-time its zone: put it next to `lastmod` on the field").aliases(&["offset", "timezone", "tz", "utc"])
        .field("zone = \"+09:00\"", |found, item, cx| { found.zone = Some(item.setting(item.zone(cx))); }),
    row(Key::Precision, "precision", "it sets the precision of a lastmod: put it next to `lastmod`").aliases(&["granularity", "resolution"])
        .page("precision = \"day\"", |found, item, cx| { found.precision = Some(item.setting(item.precision(cx))); })
        .field("precision = \"day\"", |found, item, cx| { found.precision = Some(item.setting(item.precision(cx))); }),
    row(Key::Default, "default", "it is for a field that is `None`: put it next to `priority` or `changefreq` on the field")
        .field("default = 0.5", |found, item, cx| { found.default = Some(item.setting(item.constant(cx))); }),
    row(Key::ExcludeIf, "exclude_if", "put it on the type, or on a field of the variant").aliases(&["skipif", "skip", "hidden"])
        .whole("exclude_if = Self::is_draft", |found, item, cx| found.filters.extend(item.filter(cx)))
        .field("exclude_if", |found, item, cx| found.filters.extend(item.filter(cx))),
    row(Key::IncludeIf, "include_if", "put it on the type, or on a field of the variant").aliases(&["includeonlyif", "listedif"])
        .whole("include_if = Self::is_public", |found, item, cx| found.filters.extend(item.filter(cx)))
        .field("include_if", |found, item, cx| found.filters.extend(item.filter(cx))),
    row(Key::Base, "base", "it says where all pages of a type are: put it on the type").aliases(&["host", "site", "origin", "prefix"])
        .whole("base = \"https://example.com\"", |found, item, cx| { found.base = Some(item.setting(item.base(cx))); }),
    row(Key::Encoding, "encoding", "it is the server's encoding for all pages of a type: put it on the type").aliases(&["charset"])
        .whole("encoding = \"euc-jp\"", |found, item, cx| { found.encoding = Some(item.setting(item.encoding(cx))); }),
    row(Key::Namespace, "namespace", "it is that of elements of a type: put it on the type").aliases(&["xmlns", "ns", "namespaces"])
        .whole_list("namespace(shop = \"https://example.com/ns/shop\")", |found, item, cx| { found.namespaces = Some(item.setting(item.namespaces(cx))); }),
    row(Key::Crate, "crate", "put it on the type")
        .whole("crate = path::to::sitemap_serde", |found, item, cx| { found.krate = Some(item.setting(item.path(cx))); }),
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

    /// The key that this word, in lower case, commonly stands for.
    pub(super) fn with_alias(word: &str) -> Option<Key> {
        let row = ROWS.iter().find(|row| row.aliases.contains(&word));
        row.map(|row| row.key)
    }

    /// All keys that are allowed at a level.
    pub(super) fn at(level: Level) -> impl Iterator<Item = Key> + Clone {
        ROWS.iter()
            .map(|row| row.key)
            .filter(move |key| key.usage(level).is_some())
    }

    fn row(self) -> &'static KeyRow {
        &ROWS[self as usize]
    }

    pub(super) fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns `true` if the key may be given several times at a level.
    pub(super) fn repeats(self, level: Level) -> bool {
        matches!(self, Key::Image | Key::Video) && level != Level::Field
    }

    /// Returns `true` if its value may be a list in parentheses.
    pub(super) fn takes_list(self, level: Level) -> bool {
        let KeyRow {
            page, whole, field, ..
        } = self.row();
        match level {
            Level::Field => field.as_ref().is_some_and(|usage| usage.takes_list),
            _ => {
                page.as_ref().is_some_and(|usage| usage.takes_list)
                    || whole.as_ref().is_some_and(|usage| usage.takes_list)
            }
        }
    }

    /// An example of the key's use at a level; `None` if it is not allowed there.
    pub(super) fn usage(self, level: Level) -> Option<&'static str> {
        let KeyRow {
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
    fn read_parts(&self, of: Extension, found: &mut PageAttrs, cx: &Ctxt) {
        found.extensions.push((of, self.setting(self.parts(of, cx))));
    }

    /// Reads the value of a page's key.
    pub(super) fn read_page(&self, found: &mut PageAttrs, cx: &Ctxt) {
        if let Some(usage) = &self.key.row().page {
            (usage.read)(found, self, cx);
        }
    }

    /// Reads the value of a key for a whole type.
    pub(super) fn read_whole(&self, found: &mut TypeAttrs, cx: &Ctxt) {
        if let Some(usage) = &self.key.row().whole {
            (usage.read)(found, self, cx);
        }
    }

    /// Reads the value of a field's key.
    pub(super) fn read_field(&self, found: &mut FieldAttrs, cx: &Ctxt) {
        if let Some(usage) = &self.key.row().field {
            (usage.read)(found, self, cx);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The docs' table has each key once for each place where it is allowed, with an example.
    #[test]
    fn the_table_of_keys_is_whole() {
        let docs = include_str!("../../docs/sitemap_entry.md");
        let (_, table) = docs.split_once("\n| key | where | example | | |\n").unwrap();
        let (table, _) = table.split_once("\n\n").unwrap();
        let mut found = Vec::new();
        for line in table.lines().skip(1) {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            let [keys, places, example, meaning, derives] = cells[..] else {
                panic!("{line}");
            };
            assert!(example.starts_with('`') && !meaning.is_empty(), "{line}");
            assert!(
                derives.split(' ').all(|derive| ["W", "R", "P"].contains(&derive)),
                "{line}"
            );
            for key in keys.split(", ").map(|key| key.trim_matches('`')) {
                assert!(example.contains(key) || keys.contains(','), "{line}");
                found.extend(places.split(' ').map(|place| (key, place)));
            }
        }
        let mut expected = Vec::new();
        for row in &ROWS {
            let levels = [
                (Level::Struct, "S"),
                (Level::Variant, "V"),
                (Level::Enum, "E"),
                (Level::Field, "F"),
            ];
            let here = levels
                .into_iter()
                .filter(|(level, _)| row.key.usage(*level).is_some());
            expected.extend(here.map(|(_, place)| (row.name, place)));
        }
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
