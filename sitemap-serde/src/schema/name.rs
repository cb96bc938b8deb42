//! Names of elements and attributes, and their lookup.

use crate::error::Error;
use crate::loc;

use super::Namespace;
use super::namespace::EXTENSIONS;
use super::table::{GROUPS, Group, LINKS, ROWS, SchemaRow};

/// The name of an element or attribute: the number of its row in the schema, or of a name that only one record has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Name(u16);

impl Name {
    /// Number of names in the schema.
    pub(crate) const KNOWN: usize = super::table::COUNT;

    /// Number of core names, which come first: `loc`, `lastmod`, `changefreq`, `priority`.
    pub(crate) const CORE: usize = 4;

    pub(super) const fn new(row: u16) -> Self {
        Name(row)
    }

    /// The name `rows` rows later.
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 128 rows")]
    pub(super) const fn plus(self, rows: usize) -> Self {
        Name(self.0 + rows as u16)
    }

    /// The name of an element of the schema.
    #[inline]
    pub(crate) fn element(namespace: Namespace, local: &str) -> Option<Self> {
        find(namespace_key(namespace.schema())?, local)
    }

    /// The name of an extension's element by its name in serde: `image:loc`.
    #[inline]
    pub(crate) fn of_extension(qualified: &str) -> Option<Self> {
        let mut at = hash_of_end(qualified.as_bytes())?;
        loop {
            let row = QUALIFIED[at % SIZE].checked_sub(1)?;
            if ROWS[usize::from(row)].name == qualified {
                return Some(Name(row.into()));
            }
            at += 1;
        }
    }

    /// The name of an element's attribute in the schema.
    pub(crate) fn attribute(element: Name, local: &str) -> Option<Self> {
        find(attribute_key(element.0), local)
    }

    /// The `i`-th custom name of a record; `None` if there are too many to tell apart.
    pub(crate) fn custom(i: usize) -> Option<Self> {
        u16::try_from(Self::KNOWN + i).ok().map(Name)
    }

    /// Returns `true` if the name belongs to a core element.
    #[inline]
    pub(crate) const fn is_core(self) -> bool {
        self.index() < Self::CORE
    }

    /// The number of the row, or, from [`KNOWN`](Self::KNOWN) on, of a custom name.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row; `None` for a custom name.
    #[inline]
    pub(crate) fn row(self) -> Option<&'static SchemaRow> {
        ROWS.get(self.index())
    }

    /// The definition of the element's attributes, children and text; `None` if it has only text.
    #[inline]
    pub(crate) fn group(self) -> Option<&'static Group> {
        GROUPS.get(self.index()).and_then(Option::as_ref)
    }

    /// The row of its text, if that is a URL on any site: an image's, a video's, an alternate page's.
    pub(crate) fn link(self) -> Option<&'static SchemaRow> {
        if !self.is_link() {
            return None;
        }
        match self.group() {
            Some(group) => group.text?.row(),
            None => self.row(),
        }
    }

    /// The error for a text that is a URL on any site with a placeholder that was not filled in.
    pub(crate) fn unfilled(self, text: &str) -> Option<Error> {
        Some(self.link()?.under_rule(loc::unfilled(text)?))
    }

    /// Returns `true` if it is the text of an element that has attributes too.
    pub(crate) fn is_own_text(self) -> bool {
        self.row().is_some_and(|row| row.name == "$text")
    }

    /// Returns `true` if its text is a URL on any site.
    #[inline]
    pub(crate) fn is_link(self) -> bool {
        self.index() < Self::KNOWN && LINKS >> self.index() & 1 == 1
    }

    /// The name in serde: canonical prefix and local name, with `@` before an attribute's.
    #[inline]
    pub(crate) fn as_static(self) -> Option<&'static str> {
        self.row().map(|row| row.name)
    }

    /// The name for messages; empty for a custom name.
    pub(crate) fn shown(self) -> &'static str {
        self.as_static().unwrap_or_default()
    }

    /// The name's rank in the order of its siblings.
    pub(crate) const fn rank(self) -> u16 {
        self.0
    }

    /// The namespace of an element; attributes have none.
    pub(crate) fn namespace(self) -> Namespace {
        NAMESPACES.get(self.index()).copied().unwrap_or(Namespace::None)
    }

    /// The names of a namespace's elements.
    pub(crate) fn all_of(namespace: Namespace) -> Vec<&'static str> {
        let names = ROWS.iter().map(|row| row.name);
        names
            .filter(|name| !name.starts_with(['@', '$']) && namespace_of(name) == namespace)
            .collect()
    }
}

#[cfg(feature = "derive")]
impl Name {
    /// The schema's name that is written like this, evaluated by the compiler.
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 128 rows")]
    pub(crate) const fn named(name: &str) -> Name {
        let rows = super::table::rows();
        let mut i = 0;
        while i < rows.len() {
            if rows[i].name.len() == name.len() && has_prefix(rows[i].name, name) {
                return Name::new(i as u16);
            }
            i += 1;
        }
        panic!("the schema has no such name")
    }
}

const fn has_prefix(name: &str, prefix: &str) -> bool {
    let (name, prefix) = (name.as_bytes(), prefix.as_bytes());
    if name.len() < prefix.len() {
        return false;
    }
    let mut i = 0;
    while i < prefix.len() {
        if name[i] != prefix[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// The namespace of a name by its canonical prefix.
#[expect(clippy::cast_possible_truncation, reason = "there are few extensions")]
const fn namespace_of(name: &str) -> Namespace {
    let mut i = 0;
    while i < EXTENSIONS.len() {
        let prefix = EXTENSIONS[i].0;
        if has_prefix(name, prefix) && name.len() > prefix.len() && name.as_bytes()[prefix.len()] == b':' {
            return Namespace::Extension(i as u8);
        }
        i += 1;
    }
    if has_prefix(name, "@") || has_prefix(name, "$") {
        return Namespace::None;
    }
    Namespace::Core
}

/// The namespace of each row's name.
static NAMESPACES: [Namespace; Name::KNOWN] = {
    let rows = super::table::rows();
    let (mut namespaces, mut row) = ([Namespace::None; Name::KNOWN], 0);
    while row < Name::KNOWN {
        namespaces[row] = namespace_of(rows[row].name);
        row += 1;
    }
    namespaces
};

/// The owners of names, for the lookup: namespaces of elements, then elements of attributes.
const fn namespace_key(namespace: Namespace) -> Option<u16> {
    Some(match namespace {
        Namespace::Core => 0,
        Namespace::Extension(i) => 1 + i as u16,
        _ => return None,
    })
}

const fn attribute_key(element: u16) -> u16 {
    // Saturates for custom names only, which have no row anyway.
    element.saturating_add(16)
}

/// Rows by a hash of owner and local name, with open addressing; zero is an empty slot, and row `i` is `i + 1`.
static SLOTS: [u8; SIZE] = slots();
const SIZE: usize = 512;

const _: () = assert!(
    Name::KNOWN < 128,
    "a row number fits a slot, and names fit the bits of `record::table`"
);

const fn hash(owner: u16, local: &[u8]) -> usize {
    let mut hash = owner as u32 ^ 0x9E37;
    let mut i = 0;
    while i < local.len() {
        hash = (hash ^ local[i] as u32).wrapping_mul(0x0100_0193);
        i += 1;
    }
    (hash ^ hash >> 15) as usize % SIZE
}

/// The local name of a row, and the key of its owner; `None` for text.
const fn key(row: &SchemaRow) -> Option<(u16, &'static [u8])> {
    let name = row.name.as_bytes();
    if name[0] == b'$' {
        return None;
    }
    if name[0] == b'@' {
        let (_, local) = name.split_at(1);
        return match row.parent {
            Some(element) => Some((attribute_key(element.0), local)),
            None => None,
        };
    }
    let mut i = 0;
    while i < name.len() {
        if name[i] == b':' {
            let (_, local) = name.split_at(i + 1);
            return match namespace_key(namespace_of(row.name)) {
                Some(key) => Some((key, local)),
                None => None,
            };
        }
        i += 1;
    }
    Some((0, name))
}

/// The key of each row.
static KEYS: [Option<(u16, &'static [u8])>; Name::KNOWN] = {
    let rows = super::table::rows();
    let (mut keys, mut row) = ([None; Name::KNOWN], 0);
    while row < Name::KNOWN {
        keys[row] = key(&rows[row]);
        row += 1;
    }
    keys
};

const fn slots() -> [u8; SIZE] {
    let rows = super::table::rows();
    let (mut slots, mut row) = ([0; SIZE], 0);
    while row < Name::KNOWN {
        if let Some((owner, local)) = key(&rows[row]) {
            take_slot(&mut slots, hash(owner, local), row);
        }
        row += 1;
    }
    slots
}

/// Puts a row in the first empty slot from `at` on.
#[expect(clippy::cast_possible_truncation, reason = "there are fewer than 128 rows")]
const fn take_slot(slots: &mut [u8; SIZE], mut at: usize, row: usize) {
    while slots[at % SIZE] != 0 {
        at += 1;
    }
    slots[at % SIZE] = row as u8 + 1;
}

fn find(owner: u16, local: &str) -> Option<Name> {
    let mut at = hash(owner, local.as_bytes());
    loop {
        let row = u16::from(SLOTS[at % SIZE].checked_sub(1)?);
        if KEYS[usize::from(row)] == Some((owner, local.as_bytes())) {
            return Some(Name(row));
        }
        at += 1;
    }
}

/// The rows of the extensions' elements by a hash of their names in serde, as [`SLOTS`].
static QUALIFIED: [u8; SIZE] = {
    let rows = super::table::rows();
    let (mut slots, mut row) = ([0; SIZE], 0);
    while row < Name::KNOWN {
        let name = rows[row].name;
        if let Namespace::Extension(_) = namespace_of(name) {
            match hash_of_end(name.as_bytes()) {
                Some(at) => take_slot(&mut slots, at, row),
                None => panic!("an extension's names have eight bytes at least"),
            }
        }
        row += 1;
    }
    slots
};

/// A hash of a name's last eight bytes; `None` if it has fewer.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "of the hash, which has nine bits")]
const fn hash_of_end(name: &[u8]) -> Option<usize> {
    let Some(end) = name.last_chunk::<8>() else {
        return None;
    };
    let hash = u64::from_le_bytes(*end).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    Some((hash >> (64 - SIZE.ilog2())) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_urls_on_any_site() {
        let links = ROWS.iter().enumerate().filter_map(|(i, row)| {
            let name = Name(u16::try_from(i).unwrap());
            assert_eq!(name.is_link(), name.link().is_some());
            name.link().map(|text| (row.name, text.name))
        });
        assert_eq!(
            links.collect::<Vec<_>>(),
            [
                ("image:loc", "image:loc"),
                ("video:thumbnail_loc", "video:thumbnail_loc"),
                ("video:content_loc", "video:content_loc"),
                ("video:player_loc", "$text"),
                ("video:content_segment_loc", "$text"),
                ("video:gallery_loc", "$text"),
                ("@info", "@info"),
                ("@href", "@href"),
                ("@src", "@src"),
            ]
        );
        assert!(Name::custom(0).is_some_and(|name| !name.is_link()));
    }

    #[test]
    fn every_name_is_found_by_its_parts() {
        for (i, row) in ROWS.iter().enumerate() {
            let found = match row.name.strip_prefix('@') {
                Some(local) => Name::attribute(row.parent.unwrap(), local),
                None if row.name == "$text" => continue,
                None => {
                    let local = row.name.split_once(':').map_or(row.name, |(_, local)| local);
                    assert_eq!(Name::element(Namespace::Other, local), None);
                    let of_extension = Name::of_extension(row.name).map(Name::index);
                    assert_eq!(of_extension, row.name.contains(':').then_some(i));
                    Name::element(namespace_of(row.name), local)
                }
            };
            assert_eq!(found.map(Name::index), Some(i), "{}", row.name);
        }
        assert_eq!(Name::element(Namespace::None, "loc"), Some(super::super::LOC));
        assert_eq!(Name::element(Namespace::Extension(0), "Loc"), None);
        for other in [
            "image:Loc",
            "limage:loc",
            "mage:loc",
            ":loc",
            "",
            "loc",
            "$text",
            "@relationship",
            "video:image:loc",
        ] {
            assert_eq!(Name::of_extension(other), None);
        }
        assert_eq!(Name::attribute(super::super::IMAGE, "href"), None);
    }
}
