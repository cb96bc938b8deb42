//! Manifests that were changed after they were written: by structure, not by bytes. Afterwards a set is refused with advice, or
//! the next commit publishes every row.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use sitemap_serde::UrlEntry;

use super::super::Directory;
use super::super::disk::Disk;
use super::memory::{Crash, Memory};
use crate::sets::manifest::Manifest;
use crate::sets::{PartList, SetBuilder, SitemapSet};
use crate::{ErrorKind, Result};

const TASKS: [(&str, &str); 4] = [("a", "t0"), ("a", "t1"), ("b", "t0"), ("c", "all")];

fn open(disk: &Memory, in_place: bool) -> Result<SitemapSet> {
    let directory = Directory::new(Arc::new(disk.clone()), PathBuf::from("/set"), in_place);
    SetBuilder::over(directory, "https://example.com")
        .max_entries(3)
        .allow_shrinking(true)
        .default_stylesheet(true)
        .open()
}

fn loc((section, task): (&str, &str), id: i64) -> String {
    format!("https://example.com/{section}/{task}/{id}")
}

fn write(set: &SitemapSet, of: (&str, &str), ids: &[i64]) -> PartList {
    let mut writer = set.task_writer(of.0, of.1).unwrap();
    for id in ids {
        let page = UrlEntry::new(loc(of, *id));
        writer.write(*id, &page).unwrap();
    }
    writer.finish().unwrap()
}

/// A set of eleven parts, with files in their grace period.
fn published(in_place: bool) -> Memory {
    let disk = Memory::new();
    let set = open(&disk, in_place).unwrap();
    for last in [8, 12, 8] {
        let lists = TASKS.map(|of| write(&set, of, &(1..=last).collect::<Vec<_>>()));
        set.commit(&lists).unwrap();
    }
    disk
}

fn manifest_of(disk: &Memory) -> (PathBuf, Vec<u8>) {
    let tree = disk.tree();
    let mut found = tree.into_iter().filter(|(path, _)| path.contains("/manifest-"));
    let (path, json) = found.next().unwrap();
    assert!(found.next().is_none());
    (path.into(), json)
}

fn overwrite(disk: &Memory, path: &Path, json: &[u8]) {
    disk.create(path).unwrap().write_all(json).unwrap();
}

/// The locs of all files that the index lists.
fn public(set: &SitemapSet) -> BTreeSet<String> {
    set.entries().unwrap().map(|entry| entry.unwrap().loc).collect()
}

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 20).unwrap() % bound.max(1)
    }
}

/// The JSON pointer of a random value. Each field of the manifest is equally likely, for any number of values in it.
fn any(value: &Value, random: &mut Random) -> String {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => (0..).map(|i: u32| i.to_string()).zip(items).collect(),
        _ => Vec::new(),
    };
    let Some((name, child)) = children.get(random.below(children.len())) else {
        return String::new();
    };
    let below = if random.below(4) == 0 {
        String::new()
    } else {
        any(child, random)
    };
    format!("/{name}{below}")
}

/// Deletes, repeats, changes, copies or exchanges values.
fn edit(manifest: &mut Value, random: &mut Random) {
    let (from, to) = (any(manifest, random), any(manifest, random));
    let Some((parent, name)) = to.rsplit_once('/') else {
        return;
    };
    let taken = manifest.pointer(&from).unwrap().clone();
    match random.below(6) {
        0 => match manifest.pointer_mut(parent).unwrap() {
            Value::Object(fields) => drop(fields.remove(name)),
            Value::Array(items) => drop(items.remove(name.parse().unwrap())),
            _ => unreachable!(),
        },
        1 => match manifest.pointer_mut(parent).unwrap() {
            Value::Array(items) => {
                let item = items[name.parse::<usize>().unwrap()].clone();
                items.insert(random.below(items.len() + 1), item);
            }
            Value::Object(fields) => {
                let value = fields[name].clone();
                fields.insert(format!("{name}{}", random.below(3)), value);
            }
            _ => unreachable!(),
        },
        2 => match manifest.pointer_mut(&to).unwrap() {
            Value::Number(number) => {
                let number = number.as_u64().unwrap_or_default();
                let changed = [0, 1, number + 1, number.saturating_sub(1), number * 7, 1 << 39];
                *manifest.pointer_mut(&to).unwrap() = json!(changed[random.below(changed.len())]);
            }
            Value::String(text) => match random.below(3) {
                0 => drop(text.pop()),
                1 => text.push('1'),
                _ => *text = ["sitemap.xml", "sitemap-a-1.xml", "t1", "b", ""][random.below(5)].to_owned(),
            },
            Value::Array(items) => items.reverse(),
            value => *value = json!(null),
        },
        3 => *manifest.pointer_mut(&to).unwrap() = taken,
        4 => {
            let other = std::mem::replace(manifest.pointer_mut(&to).unwrap(), taken);
            // A value may contain the other one.
            if let Some(place) = manifest.pointer_mut(&from) {
                *place = other;
            }
        }
        _ => {
            if let Some(parts) = manifest.get_mut("parts").and_then(Value::as_array_mut) {
                let (a, b) = (random.below(parts.len()), random.below(parts.len()));
                if !parts.is_empty() {
                    parts.swap(a, b);
                }
            }
        }
    }
}

fn edited(good: &Value, seed: u64) -> Value {
    let random = &mut Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut changed = good.clone();
    for _ in 0..=random.below(3) {
        edit(&mut changed, random);
    }
    changed
}

fn check_refusal(result: Result<SitemapSet>, changed: &Value) {
    let error = result.map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Damaged, "{error} {changed:#}");
    let text = error.to_string();
    assert!(
        text.starts_with("the manifest /set/")
            && text.ends_with(
                "; publish the whole set with `SetBuilder::replace_damaged(true)`, which goes on without it"
            ),
        "{text} {changed:#}"
    );
}

/// No edited value is trusted.
#[test]
fn an_edited_manifest_is_refused() {
    for in_place in [false, true] {
        let disk = published(in_place);
        let (path, json) = manifest_of(&disk);
        let good: Value = serde_json::from_slice(&json).unwrap();
        let before = Manifest::from_json(&json, "").unwrap();
        let mut refused = 0;
        for seed in 0..500 {
            let changed = edited(&good, seed);
            let same = serde_json::from_value::<Manifest>(changed.clone());
            let is_same =
                same.is_ok_and(|mut same| same.checksum.take() == good_checksum(&good) && same == before);
            overwrite(&disk, &path, changed.to_string().as_bytes());
            let opened = open(&disk, in_place);
            if is_same {
                opened.unwrap();
            } else {
                check_refusal(opened, &changed);
                refused += 1;
            }
        }
        assert!(refused > 400, "{refused}");
    }
}

fn good_checksum(good: &Value) -> Option<crate::ContentHash> {
    good["checksum"].as_str()?.parse().ok()
}

/// A program might write a manifest that contradicts itself, with its checksum: then a commit of the whole set still publishes
/// every row, or is refused.
#[test]
fn an_edited_manifest_with_its_checksum_loses_no_row() {
    for in_place in [false, true] {
        let original = published(in_place);
        let (path, json) = manifest_of(&original);
        let good: Value = serde_json::from_slice(&json).unwrap();
        let (mut committed, mut refused) = (0, 0);
        for seed in 0..400 {
            let changed = edited(&good, seed);
            let Ok(manifest) = serde_json::from_value::<Manifest>(changed.clone()) else {
                continue;
            };
            let disk = original.after(Crash::Strict);
            overwrite(&disk, &path, &manifest.to_json());
            let set = match open(&disk, in_place) {
                Ok(set) => set,
                refusal => {
                    check_refusal(refusal, &changed);
                    refused += 1;
                    continue;
                }
            };
            let mut expected = BTreeSet::new();
            let lists = TASKS.map(|of| {
                // One row is deleted, and the appended ones make new parts.
                let ids = [1, 2, 3, 4, 6, 7, 8, 9, 20, 21, 22, 23, 24];
                expected.extend(ids.map(|id| loc(of, id)));
                write(&set, of, &ids)
            });
            let summary = set
                .commit(&lists)
                .unwrap_or_else(|error| panic!("{error} {changed:#}"));
            assert_eq!(public(&set), expected, "{seed} {changed:#}");
            assert_eq!(summary.entries, expected.len() as u64, "{changed:#}");
            // And so does the commit after it, of one task.
            let list = write(&set, TASKS[0], &[1, 2, 3, 4, 6, 7, 8, 9, 20, 21, 22, 23, 24]);
            set.update(&[list]).unwrap();
            assert_eq!(public(&set), expected, "{changed:#}");
            disk.wait(Duration::from_secs(1));
            committed += 1;
        }
        assert!(committed > 50 && refused > 20, "{committed} {refused}");
    }
}

/// Each fact that the next commit relies on.
#[test]
fn a_manifest_that_contradicts_itself() {
    let disk = published(false);
    let (path, json) = manifest_of(&disk);
    let good: Value = serde_json::from_slice(&json).unwrap();
    let set = |pointer: &str, value: Value| {
        let mut changed = good.clone();
        *changed
            .pointer_mut(pointer)
            .unwrap_or_else(|| panic!("{pointer}: {good:#}")) = value;
        changed
    };
    let mut without_next = good.clone();
    without_next["next_number"].as_object_mut().unwrap().remove("a");
    let mut twice = good.clone();
    twice["parts"][1] = twice["parts"][0].clone();
    let mut one = good.clone();
    one["parts"].as_array_mut().unwrap().truncate(1);
    let mut none = good.clone();
    none["parts"] = json!([]);
    none["top"] = json!("part");
    let mut hash = good.clone();
    hash["parts"][0]["name"] = json!(format!(
        "sitemap-a-{}-2x.xml",
        &good["parts"][0]["hash"].as_str().unwrap()[..32]
    ));
    let hash_name = hash["parts"][0]["name"].as_str().unwrap().to_owned();
    for (changed, why) in [
        (without_next, "it has no next_number of section `a`"),
        (
            set("/next_number/a", json!(3)),
            "the next_number of section `a` is 3, and it has part 3 of that section",
        ),
        (twice, "it has part 1 of section `a` twice"),
        (
            set("/parts/1/name", json!("sitemap-a-1.xml")),
            "part 2 of section `a` is in `sitemap-a-1.xml`, which is not the name of its file",
        ),
        (
            hash,
            &*format!("part 1 of section `a` is in `{hash_name}`, which is not the name of its file"),
        ),
        (
            set("/parts/0/section", json!("b")),
            "part 1 of section `b` is in `sitemap-a-1.xml`, which is not the name of its file",
        ),
        (
            set("/parts/0/section", json!("A")),
            "`A` cannot be the name of a section: it is part of file names, so it has 1 to 64 of the characters a-z, 0-9, `-` and `_`, and \
             does not begin with `-`",
        ),
        (
            set("/parts/0/task", json!("")),
            "`` cannot be the name of a task: it is part of file names, so it has 1 to 64 of the characters a-z, 0-9, `-` and `_`, and does \
             not begin with `-`",
        ),
        (
            set("/top", json!("part")),
            "its top is `part`, and it has 12 parts",
        ),
        (one, "its top is `index`, and it has 1 parts"),
        (none, "its top is `part`, and it has 0 parts"),
        (
            set("/dropped/0/name", json!("sitemap-a-1.xml")),
            "its dropped names `sitemap-a-1.xml`, which is not an unlisted file of the set",
        ),
        (
            set("/dropped/0/name", json!("sitemap.xml")),
            "its dropped names `sitemap.xml`, which is not an unlisted file of the set",
        ),
        (
            set("/others/0/name", json!("index.html")),
            "its others names `index.html`, which is not a file of the set",
        ),
        (
            set("/parts/0/task", json!("t1")),
            "its content does not match its checksum: it was changed after it was written",
        ),
        (
            set("/checksum", json!(null)),
            "its content does not match its checksum: it was changed after it was written",
        ),
    ] {
        overwrite(&disk, &path, changed.to_string().as_bytes());
        assert_eq!(
            open(&disk, false).map(drop).unwrap_err().to_string(),
            format!(
                "the manifest {} cannot be read: {why}; publish the whole set with `SetBuilder::replace_damaged(true)`, which goes on without it",
                path.display()
            )
        );
    }
    overwrite(&disk, &path, good.to_string().as_bytes());
    open(&disk, false).unwrap();
}

/// In place, only files of the set are deleted, for any record.
#[test]
fn a_record_of_pending_files_deletes_no_other_file() {
    let disk = published(true);
    overwrite(&disk, Path::new("/set/index.html"), b"<html>");
    let pending = Path::new("/set/.sitemap/pending.json");
    let names = br#"["index.html","sitemap.xml","../victim",".sitemap","sitemap-a-99.xml"]"#;
    overwrite(&disk, pending, names);
    overwrite(&disk, Path::new("/set/sitemap-a-99.xml"), b"<urlset>");
    let set = open(&disk, true).unwrap();
    set.commit(&[write(&set, TASKS[0], &[1, 2, 3, 4])]).unwrap();
    let tree = disk.tree();
    assert!(tree.contains_key("/set/index.html") && tree.contains_key("/set/sitemap.xml"));
    assert!(!tree.contains_key("/set/sitemap-a-99.xml"));
}
