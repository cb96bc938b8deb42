//! Checks that a commit could have written a manifest, before the next commit relies on it.

use std::collections::BTreeSet;

use sitemap_serde::Limits;

use super::{Manifest, ManifestPart, Top};
use crate::sets::name::{check_name, is_own, is_plain, stem};
use crate::stylesheet;
use crate::time::LAST_SECOND;

/// More than any generation, number of a part or file size; sums of smaller numbers do not overflow.
const MOST: u64 = 1 << 40;

impl Manifest {
    /// The first thing in the manifest that no commit writes, as a sentence about "it".
    pub(super) fn mistake(&self) -> Option<String> {
        self.impossible_number()
            .or_else(|| self.unsafe_name())
            .or_else(|| self.parts.iter().find_map(|part| self.mistake_in(part)))
            .or_else(|| self.repeated_number())
            .or_else(|| self.wrong_top())
            .or_else(|| self.foreign_file())
            .or_else(|| self.wrong_checksum())
    }

    fn impossible_number(&self) -> Option<String> {
        let of_set = [
            ("generation", self.generation, MOST),
            ("committed", self.committed, LAST_SECOND - 1),
        ];
        let of_parts = self.parts.iter().flat_map(|part| {
            [
                ("number", part.number, MOST),
                ("entries", part.facts.entries, Limits::ENTRIES),
                ("bytes", part.facts.bytes, Limits::BYTES),
                ("dated", part.facts.dated, Limits::ENTRIES),
                ("size", part.file.size, MOST),
                ("modified", part.file.modified.as_secs(), LAST_SECOND),
            ]
        });
        let next = self.next_number.values().map(|next| ("next_number", *next, MOST));
        let since = self
            .dropped
            .iter()
            .map(|dropped| ("since", dropped.since, LAST_SECOND));
        let mut all = of_set.into_iter().chain(of_parts).chain(next).chain(since);
        let (what, number, _) = all.find(|(_, number, most)| number > most)?;
        Some(format!("its {what} is {number}, which no program has written"))
    }

    /// The first file name that may lead out of the set's directory.
    fn unsafe_name(&self) -> Option<String> {
        let parts = self.parts.iter().map(|part| &part.name);
        let others = self.others.iter().map(|other| &other.name);
        let dropped = self.dropped.iter().map(|dropped| &dropped.name);
        let mut names = parts.chain(others).chain(dropped).chain(&self.condemned);
        let name = names.find(|name| !is_plain(name))?;
        Some(format!(
            "it names the file {name:?}, and a set has only files with plain names, such as `sitemap-pages-1.xml`"
        ))
    }

    /// A new part gets the next number of its section, and its file the name of that number: both must be free.
    fn mistake_in(&self, part: &ManifestPart) -> Option<String> {
        let ManifestPart {
            section,
            number,
            name,
            ..
        } = part;
        let names = check_name("section", section).and_then(|()| check_name("task", &part.task));
        if let Err(error) = names {
            return Some(error.to_string());
        }
        if !part.can_have_name(name) {
            return Some(format!(
                "part {number} of section `{section}` is in `{name}`, which is not the name of its file"
            ));
        }
        match self.next_number.get(section) {
            None => Some(format!("it has no next_number of section `{section}`")),
            Some(next) if next <= number || *number == 0 => Some(format!(
                "the next_number of section `{section}` is {next}, and it has part {number} of that section"
            )),
            Some(_) => None,
        }
    }

    fn repeated_number(&self) -> Option<String> {
        let mut numbers = BTreeSet::new();
        let mut parts = self.parts.iter();
        let part = parts.find(|part| !numbers.insert((&part.section, part.number)))?;
        Some(format!(
            "it has part {} of section `{}` twice",
            part.number, part.section
        ))
    }

    fn wrong_top(&self) -> Option<String> {
        let top = Top::of(self.parts.iter().map(|part| part.name.as_str()));
        (top != self.top).then(|| {
            format!(
                "its top is `{}`, and it has {} parts",
                self.top.name(),
                self.parts.len()
            )
        })
    }

    /// A file that a commit would delete or replace, although it is listed or foreign to the set.
    fn foreign_file(&self) -> Option<String> {
        let listed: BTreeSet<&str> = self.part_files().collect();
        let dropped = self.dropped.iter().map(|dropped| ("dropped", &dropped.name));
        let condemned = self.condemned.iter().map(|name| ("condemned", name));
        let mut deleted = dropped.chain(condemned);
        if let Some((what, name)) = deleted.find(|(_, name)| listed.contains(name.as_str()) || !is_own(name))
        {
            return Some(format!(
                "its {what} names `{name}`, which is not an unlisted file of the set"
            ));
        }
        let other = self
            .others
            .iter()
            .find(|other| other.name != stylesheet::SHIPPED.name)?;
        Some(format!(
            "its others names `{}`, which is not a file of the set",
            other.name
        ))
    }

    fn wrong_checksum(&self) -> Option<String> {
        (self.checksum != Some(self.content_hash())).then(|| {
            "its content does not match its checksum: it was changed after it was written".to_owned()
        })
    }
}

impl ManifestPart {
    /// Returns `true` if a file with this name can be the part's: `sitemap-SECTION-NUMBER.xml` in a directory; in a storage
    /// `sitemap-SECTION-HASH.xml`, or with a number after the hash.
    fn can_have_name(&self, name: &str) -> bool {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let rest = stem(name).and_then(|stem| stem.strip_prefix(&*self.section)?.strip_prefix('-'));
        let hash = self.facts.hash.short();
        rest.is_some_and(|rest| {
            rest == self.number.to_string()
                || rest
                    .strip_prefix(&*hash)
                    .is_some_and(|rest| rest.is_empty() || rest.strip_prefix('-').is_some_and(is_number))
        })
    }
}
