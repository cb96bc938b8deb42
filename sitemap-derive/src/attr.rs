//! The attributes `#[sitemap(…)]` of types, variants and fields: the keys, a row each, and where their values are kept.
//!
//! A key is in three files. Its row and its field of the attributes are here: where it is allowed, an example for messages, and how its value
//! is read. Its check is in `validate`, which makes a `Page` or `Field` of the attributes. Its code is in `expand`, which knows no attributes.
//! Values of a new shape are read in a file of this folder; `suggest` finds what a wrong value means (a call, a field, a path in quotes).

mod constant;
mod element;
mod items;
mod language;
mod namespace;
mod newest;
mod parts;
mod suggest;
mod value;

use proc_macro2::{Ident, Span};
use sitemap_values::schema::entry;
use syn::spanned::Spanned;
use syn::{Attribute, LitStr, Path};

pub(crate) use self::constant::{
    Base, ChangeFreq, ConstExpr, Constant, Encoding, Precision, Priority, default,
};
pub(crate) use self::items::Value;
pub(crate) use self::language::{Links, RowsOfLanguages, check_default};
pub(crate) use self::newest::{DateField, Dates};
pub(crate) use self::parts::Part;
pub(crate) use self::value::{Filter, OrFunction};

use self::items::{Item, Items};
use crate::ctxt::{Checked, Ctxt};

/// A key with its value, or an error if the value is invalid.
pub(crate) struct Setting<T> {
    pub(crate) key: Ident,
    pub(crate) value: Checked<T>,
}

impl<T> Setting<T> {
    /// The value, if it is valid. Code is generated only if all are.
    pub(crate) fn valid(&self) -> Option<&T> {
        self.value.as_ref().ok()
    }
}

/// An element of an extension.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extension {
    Image,
    Video,
    News,
    Alternate,
}

impl Extension {
    /// All extensions, in document order.
    pub(crate) const ALL: [Extension; 4] = [
        Extension::Image,
        Extension::Video,
        Extension::News,
        Extension::Alternate,
    ];

    /// The library's type.
    pub(crate) fn type_name(self) -> &'static str {
        match self {
            Extension::Image => "Image",
            Extension::Video => "Video",
            Extension::News => "News",
            Extension::Alternate => "Alternate",
        }
    }

    /// Its key.
    pub(crate) fn key(self) -> Key {
        match self {
            Extension::Image => Key::Image,
            Extension::Video => Key::Video,
            Extension::News => Key::News,
            Extension::Alternate => Key::Alternate,
        }
    }
}

/// The attributes of a struct or variant about its page.
#[derive(Default)]
pub(crate) struct PageAttrs {
    pub(crate) loc: Option<Setting<OrFunction<LitStr>>>,
    pub(crate) lastmod: Option<Setting<OrFunction<Dates>>>,
    /// The values that also have a `default` on fields.
    pub(crate) values: Vec<(Key, Setting<OrFunction<Constant>>)>,
    /// The precision of a lastmod returned by a function.
    pub(crate) precision: Option<Setting<Precision>>,
    /// The images, the videos and the article, each by its parts or by a function of the row.
    pub(crate) extensions: Vec<(Extension, Setting<OrFunction<Vec<Part>>>)>,
    pub(crate) alternate: Option<Setting<OrFunction<Links>>>,
    /// The key `mobile`, for pages for feature phones.
    pub(crate) mobile: Option<Ident>,
    /// The page's title, by a text with fields in braces or by a function of the row.
    pub(crate) title: Option<Setting<OrFunction<LitStr>>>,
    pub(crate) languages: Option<Setting<Vec<LitStr>>>,
    pub(crate) x_default: Option<Setting<LitStr>>,
    /// `true` if there is a mistake that may be a misspelt `loc`.
    pub(crate) loc_misspelt: bool,
    /// `true` if there is any item, valid or not.
    pub(crate) any: bool,
}

/// The attributes of a struct or enum.
#[derive(Default)]
pub(crate) struct TypeAttrs {
    pub(crate) krate: Option<Setting<Path>>,
    /// The base of its URLs.
    pub(crate) base: Option<Setting<Base>>,
    /// The encoding of its server's URLs.
    pub(crate) encoding: Option<Setting<Encoding>>,
    /// The namespaces of its elements, each by its prefix.
    pub(crate) namespaces: Option<Setting<Vec<(Ident, LitStr)>>>,
    pub(crate) filters: Vec<Filter>,
    pub(crate) page: PageAttrs,
}

#[derive(Default)]
pub(crate) struct FieldAttrs {
    /// The keys that map the field to a value of the entry, in the order of [`Key`]. More than one is an error.
    pub(crate) roles: Vec<(Key, Ident)>,
    /// The name of the field's element in a user namespace.
    pub(crate) element: Option<Setting<LitStr>>,
    /// The languages of the page's translations.
    pub(crate) languages: Option<Setting<RowsOfLanguages>>,
    /// The module that converts the field's value in both directions.
    pub(crate) with: Option<Setting<Path>>,
    pub(crate) write_with: Option<Setting<Path>>,
    pub(crate) read_with: Option<Setting<Path>>,
    /// The zone of a naive date-time, in minutes east of UTC.
    pub(crate) zone: Option<Setting<i16>>,
    /// The precision of a lastmod.
    pub(crate) precision: Option<Setting<Precision>>,
    pub(crate) default: Option<Setting<Value>>,
    pub(crate) filters: Vec<Filter>,
    /// `true` if there is a mistake that may be a misspelt `loc`.
    pub(crate) loc_misspelt: bool,
}

impl FieldAttrs {
    /// The key as written, if the field has it as its role.
    pub(crate) fn role(&self, key: Key) -> Option<&Ident> {
        let role = self.roles.iter().find(|(role, _)| *role == key);
        role.map(|(_, name)| name)
    }

    /// The function that converts the field's value when it is written.
    pub(crate) fn writes_with(&self) -> Checked<Option<Path>> {
        function(self.write_with.as_ref(), self.with.as_ref(), "write")
    }

    /// The function that converts to the field's value when it is read.
    pub(crate) fn reads_with(&self) -> Checked<Option<Path>> {
        function(self.read_with.as_ref(), self.with.as_ref(), "read")
    }
}

/// The function itself, or the function `name` of the module.
fn function(
    function: Option<&Setting<Path>>,
    module: Option<&Setting<Path>>,
    name: &str,
) -> Checked<Option<Path>> {
    match (function, module) {
        (Some(function), _) => function.value.clone().map(Some),
        (None, None) => Ok(None),
        (None, Some(module)) => {
            let mut path = module.value.clone()?;
            let span = path.span();
            path.segments
                .push(Ident::new(name, Span::call_site().located_at(span)).into());
            Ok(Some(path))
        }
    }
}

/// Reads the attributes of a struct or enum.
pub(crate) fn of_type(cx: &Ctxt, attrs: &[Attribute], level: Level) -> TypeAttrs {
    let items = Items::read(cx, attrs, level);
    let mut found = TypeAttrs::default();
    for item in &items.list {
        item.read_whole(&mut found, cx);
    }
    found.page = page(cx, &items);
    found
}

/// Reads the attributes of a variant.
pub(crate) fn of_variant(cx: &Ctxt, attrs: &[Attribute]) -> PageAttrs {
    page(cx, &Items::read(cx, attrs, Level::Variant))
}

fn page(cx: &Ctxt, items: &Items) -> PageAttrs {
    let mut found = PageAttrs {
        loc_misspelt: items.misspelt(Key::Loc),
        any: items.any,
        ..PageAttrs::default()
    };
    for item in &items.list {
        item.read_page(&mut found, cx);
    }
    found
}

/// Reads the attributes of a field.
pub(crate) fn of_field(cx: &Ctxt, attrs: &[Attribute]) -> FieldAttrs {
    let items = Items::read(cx, attrs, Level::Field);
    let mut found = FieldAttrs {
        loc_misspelt: items.misspelt(Key::Loc),
        ..FieldAttrs::default()
    };
    for item in &items.list {
        item.read_field(&mut found, cx);
    }
    found.roles.sort_by_key(|(key, _)| *key);
    found
}

/// The item that an attribute is on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Struct,
    Enum,
    Variant,
    Field,
}

impl Level {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Level::Struct => "a struct",
            Level::Enum => "an enum",
            Level::Variant => "a variant",
            Level::Field => "a field",
        }
    }
}

/// A key. The keys are in the order of the entry's values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Loc,
    Lastmod,
    ChangeFreq,
    Priority,
    Image,
    Video,
    News,
    Alternate,
    Mobile,
    Title,
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
    /// The qualified name of the element that it writes.
    element: Option<&'static str>,
    /// `true` if it maps a field to a value of the entry.
    is_role: bool,
    /// `true` if `default` may stand next to it on a field.
    takes_default: bool,
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
        element: None,
        is_role: false,
        takes_default: false,
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

    const fn element(mut self, name: &'static str) -> Self {
        self.element = Some(name);
        self
    }

    /// `default` may stand next to it on a field.
    const fn takes_default(mut self) -> Self {
        self.takes_default = true;
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

    /// A bare key that maps a field to a value of the entry.
    const fn role(self, name: &'static str) -> Self {
        self.role_with(Use::new(name, |_, item, cx| item.check_alone_on_field(cx)))
    }

    /// A key with a value that maps a field to a value of the entry.
    const fn role_with(mut self, usage: Use<FieldAttrs>) -> Self {
        self.is_role = true;
        self.field = Some(usage);
        self
    }
}

const NOT_A_PAGE: &str = "an enum is not one page: put it on the variants that are";

/// The row of each key, in the order of [`Key`].
static ROWS: [KeyRow; 26] = [
    row(Key::Loc, "loc", NOT_A_PAGE).element(entry::LOC).aliases(&["url", "path", "location", "template"])
        .page("loc = \"/products/{slug}\"", |found, item, cx| { found.loc = Some(item.setting(item.template(cx))); })
        .role("loc"),
    row(Key::Lastmod, "lastmod", NOT_A_PAGE).element(entry::LASTMOD).aliases(&["modified", "lastmodified", "updated", "date"])
        .page("lastmod = \"2024-05-06\"", |found, item, cx| { found.lastmod = Some(item.setting(item.lastmod(cx))); })
        .role("lastmod"),
    row(Key::ChangeFreq, "changefreq", NOT_A_PAGE).element(entry::CHANGEFREQ).aliases(&["frequency", "freq", "changefrequency"]).takes_default()
        .page("changefreq = \"weekly\"", |found, item, cx| found.values.push((item.key, item.setting(item.changefreq(cx)))))
        .role("changefreq"),
    row(Key::Priority, "priority", NOT_A_PAGE).element(entry::PRIORITY).aliases(&["prio"]).takes_default()
        .page("priority = 0.8", |found, item, cx| found.values.push((item.key, item.setting(item.priority(cx)))))
        .role("priority"),
    row(Key::Image, "image", NOT_A_PAGE).element(entry::IMAGE).aliases(&["photo", "picture", "thumbnail"])
        .page_list("image = \"/images/{id}.jpg\"", |found, item, cx| item.read_parts(Extension::Image, found, cx))
        .role("image"),
    row(Key::Video, "video", NOT_A_PAGE).element(entry::VIDEO)
        .page_list("video = Self::videos", |found, item, cx| item.read_parts(Extension::Video, found, cx))
        .role("video"),
    row(Key::News, "news", NOT_A_PAGE).element(entry::NEWS).aliases(&["article"])
        .page_list("news = Self::article", |found, item, cx| item.read_parts(Extension::News, found, cx))
        .role("news"),
    row(Key::Alternate, "alternate", NOT_A_PAGE).element(entry::ALTERNATE).aliases(&["hreflang", "translation", "xhtmllink"])
        .page_list("alternate(template = \"/{lang}/{slug}\", languages(\"de\", \"en\"))", |found, item, cx| { found.alternate = Some(item.setting(item.links(cx))); })
        .role("alternate"),
    row(Key::Mobile, "mobile", "it marks a page for feature phones: put it on the struct, or on the variants for such pages")
        .page("mobile", |found, item, cx| { found.mobile = Some(item.alone(cx)); }),
    row(Key::Title, "title", NOT_A_PAGE).aliases(&["headline", "heading", "caption"])
        .page("title = \"{name}\"", |found, item, cx| { found.title = Some(item.setting(item.template(cx))); })
        .role("title"),
    row(Key::Element, "element", "it writes a field's value: put it on the field")
        .role_with(Use::new("element = \"shop:price\"", |found, item, cx| { found.element = Some(item.setting(item.element(cx))); })),
    row(Key::Languages, "languages", NOT_A_PAGE).aliases(&["language", "lang", "langs", "locales", "translations"])
        .page_list("languages(\"de\", \"en\")", |found, item, cx| { found.languages = Some(item.setting(item.languages(cx))); })
        .role_with(Use::list("languages", |found, item, cx| { found.languages = Some(item.setting(item.rows_of_languages(cx))); })),
    row(Key::XDefault, "x_default", "it goes with the languages of a page: put it next to `languages(…)`").aliases(&["defaultlanguage"])
        .page("x_default = \"en\"", |found, item, cx| { found.x_default = Some(item.setting(item.language(cx))); }),
    row(Key::Flatten, "flatten", "it takes the values of a field's own fields: put it on the field").aliases(&["embed", "nested", "inline"])
        .role("flatten"),
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
    pub(crate) fn named(name: &str) -> Option<Key> {
        ROWS.iter().find(|row| row.name == name).map(|row| row.key)
    }

    /// The key that this word, in lower case, commonly stands for.
    pub(crate) fn with_alias(word: &str) -> Option<Key> {
        let row = ROWS.iter().find(|row| row.aliases.contains(&word));
        row.map(|row| row.key)
    }

    /// The key that writes an element.
    pub(crate) fn of_element(name: &str) -> Option<Key> {
        ROWS.iter()
            .find(|row| row.element == Some(name))
            .map(|row| row.key)
    }

    /// The keys of an entry's values other than its loc, in the order of the schema.
    pub(crate) fn of_values() -> impl Iterator<Item = Key> {
        let rows = ROWS
            .iter()
            .filter(|row| row.element.is_some() && row.key != Key::Loc);
        rows.map(|row| row.key)
    }

    /// The qualified name of the element that it writes; empty if it writes none.
    pub(crate) fn element(self) -> &'static str {
        self.row().element.unwrap_or_default()
    }

    /// Returns `true` if `default` may stand next to it on a field.
    pub(crate) fn takes_default(self) -> bool {
        self.row().takes_default
    }

    /// Returns `true` if it is a literal or function on a page, and the value itself on a field.
    fn is_single(self) -> bool {
        let row = self.row();
        row.is_role && row.page.as_ref().is_some_and(|usage| !usage.takes_list)
    }

    /// All keys that are allowed at a level.
    pub(crate) fn at(level: Level) -> impl Iterator<Item = Key> + Clone {
        ROWS.iter()
            .map(|row| row.key)
            .filter(move |key| key.usage(level).is_some())
    }

    fn row(self) -> &'static KeyRow {
        &ROWS[self as usize]
    }

    pub(crate) fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns `true` if an entry has its value at most once, or links by one template.
    pub(crate) fn is_once(self) -> bool {
        !matches!(self, Key::Image | Key::Video)
    }

    /// Returns `true` if the key may be given several times at a level.
    fn repeats(self, level: Level) -> bool {
        !self.is_once() && level != Level::Field
    }

    /// Returns `true` if its value may be a list in parentheses.
    pub(crate) fn takes_list(self, level: Level) -> bool {
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
    pub(crate) fn usage(self, level: Level) -> Option<&'static str> {
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
    pub(crate) fn belongs(self) -> &'static str {
        self.row().belongs
    }
}

impl Item {
    fn read_parts(&self, of: Extension, found: &mut PageAttrs, cx: &Ctxt) {
        found.extensions.push((of, self.setting(self.parts(of, cx))));
    }

    /// Reads the value of a page's key.
    fn read_page(&self, found: &mut PageAttrs, cx: &Ctxt) {
        if let Some(usage) = &self.key.row().page {
            (usage.read)(found, self, cx);
        }
    }

    /// Reads the value of a key for a whole type.
    fn read_whole(&self, found: &mut TypeAttrs, cx: &Ctxt) {
        if let Some(usage) = &self.key.row().whole {
            (usage.read)(found, self, cx);
        }
    }

    /// Reads the value of a field's key.
    fn read_field(&self, found: &mut FieldAttrs, cx: &Ctxt) {
        let row = self.key.row();
        if row.is_role {
            found.roles.push((self.key, self.name.clone()));
        }
        if let Some(usage) = &row.field {
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
        let docs = include_str!("../docs/sitemap_entry.md");
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
