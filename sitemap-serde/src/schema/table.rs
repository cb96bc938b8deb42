//! Rows and groups, and the macro `table!`, which defines them.

use sitemap_values::{Rule, schema};

use crate::error::Result;

use super::{Name, Shape, ValueKind, alternate, entry, image, missing, news, page_map, video};

/// The definition of an element, an attribute, or the text of an element that has attributes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SchemaRow {
    /// The serde name: `image:loc`, `@href`, `$text`.
    pub(crate) name: &'static str,
    /// The parent element; `None` for the children of an entry.
    pub(crate) parent: Option<Name>,
    pub(crate) occurs: Occurs,
    pub(crate) kind: ValueKind,
    /// The rule that an invalid value breaks; for a group, the rule about how often it may occur.
    pub(crate) rule: Option<Rule>,
    /// The text around its value: `<image:loc>` and `</image:loc>`, or ` href="` and `"`.
    pub(crate) around: [&'static str; 2],
}

/// The cardinality of an element in its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occurs {
    One,
    Maybe,
    /// Any number of times, up to this maximum.
    Many(usize),
}

/// The definition of an entry, or of an element with attributes or children.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    /// The element; `None` for an entry.
    pub(crate) element: Option<Name>,
    /// The first of its rows.
    pub(crate) first: Name,
    /// The number of its rows.
    pub(crate) count: usize,
    /// Bit set of the required rows.
    pub(crate) required: u64,
    /// The row of the element's text.
    pub(crate) text: Option<Name>,
    /// The rule that is broken if a required part is missing.
    pub(crate) rule: Rule,
    /// A check of several parts together, when an element is written.
    pub(crate) check: Option<fn(&Written) -> Result<()>>,
    /// `true` if attributes without a row are allowed, as on XHTML's `link`.
    pub(crate) any_attribute: bool,
}

impl SchemaRow {
    pub(crate) fn shape(&self) -> Shape {
        self.kind.shape()
    }

    pub(crate) fn is_repeated(&self) -> bool {
        matches!(self.occurs, Occurs::Many(_))
    }

    /// The row of a page's URL.
    pub(crate) fn loc() -> &'static SchemaRow {
        &ROWS[entry::LOC.index()]
    }

    /// The parent for a message: "an entry", "a `video:video`".
    pub(crate) fn place(&self) -> String {
        match self.parent {
            Some(parent) => format!("a `{}`", parent.shown()),
            None => "an entry".to_owned(),
        }
    }
}

impl Group {
    /// The index of a row in the group, if it belongs to it.
    #[inline]
    pub(crate) const fn number(&self, name: Name) -> Option<usize> {
        let i = name.index().wrapping_sub(self.first.index());
        if i < self.count { Some(i) } else { None }
    }

    /// The serde names of its rows.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        let rows = ROWS.iter().skip(self.first.index()).take(self.count);
        rows.map(|row| row.name)
    }

    /// Finds a row by its serde name, starting at the row with index `from`.
    #[inline]
    pub(crate) fn find(&self, name: &str, from: usize) -> Option<Name> {
        // This crate's deserializer passes the rows' own strings, so comparing pointers is usually enough.
        let mut number = from;
        while number < self.count
            && let Some(row) = ROWS.get(self.first.index() + number)
        {
            if std::ptr::eq(row.name, name) {
                return Some(self.first.plus(number));
            }
            number += 1;
        }
        self.search(name)
    }

    fn search(&self, name: &str) -> Option<Name> {
        let rows = ROWS.get(self.first.index()..self.first.index() + self.count)?;
        let number = rows.iter().position(|row| row.name == name)?;
        Some(self.first.plus(number))
    }

    /// The bit of a row in the group; 0 for other rows.
    #[inline]
    pub(crate) const fn bit(&self, name: Name) -> u64 {
        match self.number(name) {
            Some(number) => 1 << number,
            None => 0,
        }
    }

    /// The first required row that is not in the bit set `seen`.
    #[inline]
    pub(crate) fn first_missing(&self, seen: u64) -> Option<Name> {
        let missing = self.required & !seen;
        (missing != 0).then(|| self.first.plus(missing.trailing_zeros() as usize))
    }

    /// Checks that no required part of an element is missing.
    #[inline]
    pub(crate) fn check_seen(&self, seen: u64) -> Result<()> {
        match (self.element, self.first_missing(seen)) {
            (Some(element), Some(part)) => {
                Err(missing(element.shown(), part.shown(), self.rule).within(part.shown()))
            }
            _ => Ok(()),
        }
    }
}

/// Maximum number of rows in a group.
const MOST_ROWS: usize = 24;

/// Counts the attributes, children and text of an element while it is written.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    group: Option<&'static Group>,
    counts: [u16; MOST_ROWS],
    /// A bit for each row that has a value.
    seen: u64,
    /// `true` if it is a link to an alternate page.
    pub(crate) is_alternate: bool,
}

impl Written {
    pub(crate) fn new(group: Option<&'static Group>) -> Self {
        Written {
            group,
            counts: [0; MOST_ROWS],
            seen: 0,
            is_alternate: false,
        }
    }

    pub(crate) fn group(&self) -> Option<&'static Group> {
        self.group
    }

    #[inline]
    fn number(&self, name: Name) -> Option<usize> {
        self.group.and_then(|group| group.number(name))
    }

    pub(crate) fn count(&self, name: Name) -> usize {
        let count = self.number(name).and_then(|number| self.counts.get(number));
        count.copied().unwrap_or_default().into()
    }

    pub(crate) fn has(&self, name: Name) -> bool {
        self.count(name) > 0
    }

    pub(crate) fn add(&mut self, name: Name) {
        let Some(number) = self.number(name) else { return };
        if let Some(count) = self.counts.get_mut(number) {
            *count = count.saturating_add(1);
            self.seen |= 1 << number;
        }
    }

    pub(crate) fn take_back(&mut self, name: Name) {
        let Some(number) = self.number(name) else { return };
        if let Some(count) = self.counts.get_mut(number) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.seen &= !(1 << number);
            }
        }
    }

    /// Checks that all required parts are present, and that they fit together.
    pub(crate) fn check(&self) -> Result<()> {
        let Some(group) = self.group else { return Ok(()) };
        group.check_seen(self.seen)?;
        group.check.map_or(Ok(()), |check| check(self))
    }
}

/// The tables, in the writing order of an entry's elements.
const TABLES: &[(&[SchemaRow], &[Group])] = &[
    (entry::ROWS, entry::TABLE),
    (image::ROWS, image::TABLE),
    (video::ROWS, video::TABLE),
    (news::ROWS, news::TABLE),
    (alternate::ROWS, alternate::TABLE),
    (page_map::ROWS, page_map::TABLE),
];

/// Number of rows.
pub(super) const COUNT: usize = {
    let (mut count, mut table) = (0, 0);
    while table < TABLES.len() {
        count += TABLES[table].0.len();
        table += 1;
    }
    count
};

/// All rows, indexed by [`Name`].
pub(super) static ROWS: [SchemaRow; Name::KNOWN] = rows();

/// The groups of elements, indexed by [`Name`].
pub(super) static GROUPS: [Option<Group>; Name::KNOWN] = groups();

pub(super) const fn rows() -> [SchemaRow; Name::KNOWN] {
    let mut rows = [entry::ROWS[0]; Name::KNOWN];
    let (mut table, mut at) = (0, 0);
    while table < TABLES.len() {
        let (own, groups) = TABLES[table];
        let mut i = 0;
        while i < own.len() {
            rows[at] = own[i];
            at += 1;
            i += 1;
        }
        let mut group = 0;
        while group < groups.len() {
            let first = groups[group].first.index();
            let mut i = 0;
            while i < groups[group].count {
                rows[first + i].parent = groups[group].element;
                i += 1;
            }
            group += 1;
        }
        table += 1;
    }
    rows
}

/// The elements and attributes whose text is a URL on any site, a bit each.
pub(super) const LINKS: u128 = {
    let rows = rows();
    let (mut bits, mut i) = (0, 0);
    while i < rows.len() {
        if matches!(rows[i].kind, ValueKind::Url) {
            let owner = match rows[i].parent {
                // The element's own text.
                Some(element) if rows[i].name.as_bytes()[0] == b'$' => element.index(),
                _ => i,
            };
            bits |= 1 << owner;
        }
        i += 1;
    }
    bits
};

const fn groups() -> [Option<Group>; Name::KNOWN] {
    let mut all = [None; Name::KNOWN];
    let mut table = 0;
    while table < TABLES.len() {
        let (_, groups) = TABLES[table];
        let mut i = 0;
        while i < groups.len() {
            assert!(groups[i].count <= MOST_ROWS);
            if let Some(element) = groups[i].element {
                all[element.index()] = Some(groups[i]);
            }
            i += 1;
        }
        table += 1;
    }
    all
}

/// Bit set of the required rows.
pub(super) const fn required(rows: &[SchemaRow]) -> u64 {
    let (mut bits, mut i) = (0, 0);
    while i < rows.len() {
        if matches!(rows[i].occurs, Occurs::One) {
            bits |= 1 << i;
        }
        i += 1;
    }
    bits
}

/// The row of an element's text.
pub(super) const fn text(rows: &[SchemaRow], first: Name) -> Option<Name> {
    let mut i = 0;
    while i < rows.len() {
        if rows[i].name.as_bytes()[0] == b'$' {
            return Some(first.plus(i));
        }
        i += 1;
    }
    None
}

/// Three texts, one after another, whose lengths are `LEN` together.
pub(super) const fn joined<const LEN: usize>(texts: [&str; 3]) -> [u8; LEN] {
    let mut bytes = [0; LEN];
    let (mut text, mut at) = (0, 0);
    while text < texts.len() {
        let mut i = 0;
        while i < texts[text].len() {
            bytes[at] = texts[text].as_bytes()[i];
            at += 1;
            i += 1;
        }
        text += 1;
    }
    bytes
}

/// The text of bytes that were [joined].
pub(super) const fn text_of(bytes: &'static [u8]) -> &'static str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("the names are texts"),
    }
}

/// The texts before and after a name before a value, and after the value.
pub(super) const fn around(name: &str) -> ([&str; 3], [&str; 3]) {
    match name.as_bytes()[0] {
        b'@' => ([" ", name.split_at(1).1, "=\""], ["\"", "", ""]),
        b'$' => ([""; 3], [""; 3]),
        _ => (["<", name, ">"], ["</", name, ">"]),
    }
}

pub(super) const fn length(texts: [&str; 3]) -> usize {
    texts[0].len() + texts[1].len() + texts[2].len()
}

/// The names of rows.
pub(super) const fn names<const COUNT: usize>(rows: &[SchemaRow]) -> [&'static str; COUNT] {
    let mut names = [""; COUNT];
    let mut i = 0;
    while i < COUNT {
        names[i] = rows[i].name;
        i += 1;
    }
    names
}

/// The kind and the rule of an element that the macros know, too.
pub(super) const fn known(element: &schema::Element, occurs: Occurs) -> (ValueKind, Option<Rule>) {
    assert!(
        matches!(
            (element.occurs, occurs),
            (schema::Occurs::One, Occurs::One)
                | (schema::Occurs::Maybe, Occurs::Maybe)
                | (schema::Occurs::Many, Occurs::Many(_))
        ),
        "the field occurs as often as the element"
    );
    let kind = match element.kind {
        schema::Kind::Url => ValueKind::Url,
        schema::Kind::Text => ValueKind::Text,
        schema::Kind::TextOf(most) => ValueKind::TextOf(most),
        schema::Kind::Integer(least, most, what) => ValueKind::Integer(least, most, what),
        schema::Kind::Rating => ValueKind::Rating,
        schema::Kind::DateTime => ValueKind::DateTime,
        schema::Kind::Day => ValueKind::Day,
        schema::Kind::Language => ValueKind::Language,
        schema::Kind::YesNo => ValueKind::YesNo,
    };
    (kind, Some(element.rule))
}

/// Defines structs, with the row of an element or attribute next to each field.
///
/// ```text
/// table! {
///     after video::END;    // number of this table's first row: the rows follow those of `video`
///
///     pub struct Publication in PUBLICATION by News1
///     //         type           element        rule that is broken if a required part is missing
///     {
///         one    name: String => NAME     "news:name": Text          by News1;
///     //  occurs field           constant serde name   kind of value rule that an invalid value breaks (optional)
///     }
/// }
/// ```
///
/// Names may also be constants of [`sitemap_values::schema`], in parentheses. The row of an element defined there is
/// `=> NAME [video::TITLE];`.
///
/// Each field begins with a word for the cardinality of its element:
///
/// * `one`: required
/// * `maybe`: optional
/// * `template`: an optional element with one attribute, which is the field
/// * `many`, or `many(1000)` with a maximum: repeated
/// * `list`: one element whose text is a list
/// * `flag`: an element without a value
///
/// The type of an entry has the entry's name as a string instead of an element (`in "url"`). `where check` names a function
/// that checks several parts together, and `with any attribute` allows attributes without a row. Fields for attributes come
/// first, then the element's text (`$text`), then its children in the schema's order.
///
/// The macro defines the structs, a constant [`Name`] for each row, `ROWS`, `TABLE` (the groups), `END` (the number of the next
/// table's first row), and implements [`Element`](super::Element).
macro_rules! table {
    (
        after $before:expr;
        $(
            $(#[$meta:meta])*
            pub struct $type:ident in $element:tt by $struct_rule:ident $(where $check:ident)? $(with $any:ident attribute)? {
                $(
                    $(#[$field_meta:meta])*
                    $card:ident $(($most:expr))? $field:ident : $field_type:ty
                        => $name:ident $qualified:tt $(: $kind:ident $(($($argument:expr),+))? $(by $rule:ident)?)?;
                )+
            }
        )+
    ) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "named as in the table")]
        #[repr(u16)]
        enum Number {
            $($($name,)+)+
            END,
        }

        const BEFORE: u16 = $before;

        $($(pub(crate) const $name: $crate::schema::Name = $crate::schema::Name::new(BEFORE + Number::$name as u16);)+)+

        /// The number of the first row after this table.
        #[allow(dead_code, reason = "nothing comes after the last table")]
        pub(super) const END: u16 = BEFORE + Number::END as u16;

        pub(super) const ROWS: &[$crate::schema::SchemaRow] = &[$($(
            $crate::schema::table::row!(
                $crate::schema::card::$card::occurs(&[$($most)?]);
$qualified $(: $crate::schema::ValueKind::$kind $(($($argument),+))? $(; $rule)?)?
            ),
        )+)+];

        pub(super) const TABLE: &[$crate::schema::Group] = &[$(<$type as $crate::schema::Element>::GROUP),+];

        $(
            $crate::schema::table::structure! {
                $(#[$meta])*
                pub struct $type in $element by $struct_rule $(where $check)? $(with $any attribute)? {
                    $($(#[$field_meta])* $card $field: $field_type => $name;)+
                }
            }
        )+
    };
}

/// Defines a struct of a table whose rows are already defined.
macro_rules! structure {
    (
        $(#[$meta:meta])*
        pub struct $type:ident in $element:tt by $struct_rule:ident $(where $check:ident)? $(with $any:ident attribute)? {
            $(
                $(#[$field_meta:meta])*
                $card:ident $field:ident : $field_type:ty => $name:ident;
            )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub struct $type {
            $($(#[$field_meta])* pub $field: $field_type,)+
        }

        impl $crate::schema::Element for $type {
            const GROUP: $crate::schema::Group = {
                let names = &[$($name),+];
                let first = names[0];
                let (_, rows) = ROWS.split_at(first.index() - BEFORE as usize);
                let (rows, _) = rows.split_at(names.len());
                $crate::schema::Group {
                    element: $crate::schema::table::place!($element),
                    first,
                    count: names.len(),
                    required: $crate::schema::table::required(rows),
                    text: $crate::schema::table::text(rows, first),
                    rule: sitemap_values::Rule::$struct_rule,
                    check: $crate::schema::table::check!($($check)?),
                    any_attribute: $crate::schema::table::is_any!($($any)?),
                }
            };

            const SERDE_NAME: &'static str = $crate::schema::table::serde_name!($type $element);

            const FIELDS: &'static [&'static str] = {
                const ROWS_BEFORE: usize = <$type as $crate::schema::Element>::GROUP.first.index() - BEFORE as usize;
                const COUNT: usize = <$type as $crate::schema::Element>::GROUP.count;
                &$crate::schema::table::names::<COUNT>(ROWS.split_at(ROWS_BEFORE).1)
            };

            fn blank() -> Self {
                $type { $($field: $crate::schema::element::Blank::blank(),)+ }
            }

            #[inline(always)]
            fn read<'de, S: $crate::schema::FieldSource<'de>>(
                &mut self,
                name: $crate::schema::Name,
                source: S,
            ) -> Result<bool, S::Error> {
                match name {
                    $($name => $crate::schema::card::$card::read(&mut self.$field, $name, source),)+
                    _ => source.skip().map(|()| false),
                }
            }

            fn write<S: $crate::schema::FieldSink>(&self, sink: &mut S) -> Result<(), S::Error> {
                $($crate::schema::card::$card::write(&self.$field, $name, sink)?;)+
                Ok(())
            }
        }

        $crate::schema::element::element!($type);
    };
}

/// The row of an element or attribute: a [known] row, or a name, a kind, and a rule.
macro_rules! row {
    ($occurs:expr; [$known:path]) => {
        $crate::schema::table::row!(
            $occurs,
            $known.name,
            $crate::schema::table::known(&$known, $occurs)
        )
    };
    ($occurs:expr; $name:tt : $kind:expr) => {
        $crate::schema::table::row!($occurs, $name, ($kind, None))
    };
    ($occurs:expr; $name:tt : $kind:expr; $rule:ident) => {
        $crate::schema::table::row!($occurs, $name, ($kind, Some(sitemap_values::Rule::$rule)))
    };
    ($occurs:expr, $name:expr, $kind_and_rule:expr) => {{
        use $crate::schema::table::{around, joined, length, text_of};
        const AROUND: ([&str; 3], [&str; 3]) = around($name);
        const BEFORE: &[u8] = &joined::<{ length(AROUND.0) }>(AROUND.0);
        const AFTER: &[u8] = &joined::<{ length(AROUND.1) }>(AROUND.1);
        let (kind, rule) = $kind_and_rule;
        $crate::schema::SchemaRow {
            name: $name,
            parent: None,
            occurs: $occurs,
            kind,
            rule,
            around: [text_of(BEFORE), text_of(AFTER)],
        }
    }};
}

/// The element of a struct; `None` for an entry, whose name is a string.
macro_rules! place {
    ($entry:literal) => {
        None
    };
    ($element:ident) => {
        Some($element)
    };
}

macro_rules! serde_name {
    ($type:ident $entry:literal) => {
        $entry
    };
    ($type:ident $element:ident) => {
        stringify!($type)
    };
}

macro_rules! check {
    () => {
        None
    };
    ($check:ident) => {
        Some($check)
    };
}

macro_rules! is_any {
    () => {
        false
    };
    (any) => {
        true
    };
}

pub(super) use {check, is_any, place, row, serde_name, structure, table};
