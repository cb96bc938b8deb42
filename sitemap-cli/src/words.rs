//! The command's words for API items in advice, and suggestions for unknown names.
//!
//! **The command has its own words.** Advice that refers to an API item names it (`Advice::of_api`), and the command sets the words for
//! each item once per process, because errors pass through other crates as text (serde_json). A test requires words for every item named in
//! the sources.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

/// `true` if the command has a `--base` that completes locs.
static HAS_BASE: AtomicBool = AtomicBool::new(false);

/// `true` if `--base` was given.
static IS_GIVEN: AtomicBool = AtomicBool::new(false);

/// From now on, advises `--base` for locs that are not absolute URLs.
pub(crate) fn complete_by_base() {
    HAS_BASE.store(true, Ordering::Relaxed);
}

/// From now on, does not advise `--base`, because it was given.
pub(crate) fn base_is_given() {
    IS_GIVEN.store(true, Ordering::Relaxed);
}

/// Returns the command's words for an API item; `None` if it is unknown.
pub(crate) fn about_item(item: &str) -> Option<&'static str> {
    Some(match item {
        "String" | "WriterBuilder::base" if IS_GIVEN.load(Ordering::Relaxed) => {
            "or a path, which begins with `/`"
        }
        "String" | "WriterBuilder::base" if HAS_BASE.load(Ordering::Relaxed) => {
            "or give the URL of the site with --base"
        }
        "String" | "WriterBuilder::base" => "or complete it by `sitemap repair --location URL`",
        "robots::Robots" => "`sitemap cat --site URL` reads the sitemaps that a site's robots.txt names",
        "Mode::Lenient" => "remove it, as `sitemap repair` does",
        "WriterBuilder" => "--base",
        "WriterBuilder::location" => "correct --location",
        "Deserialize" | "W3cDateTime" | "with" | "sql_date_time" => "correct it",
        "Limits" => "the command has no higher limit",
        "Limits::with_bytes" | "Limits::with_entries" => "split the file",
        "skip_serializing" | "namespace" => "leave it out",
        "ReaderBuilder::other_formats" => {
            "`sitemap convert --from csv` reads a table whose first line names the columns, such as `loc,lastmod`"
        }
        "Rule" => "`sitemap lint --explain` lists all",
        "SetBuilder::allow_shrinking"
        | "FolderBuilder::allow_shrinking"
        | "FolderBuilder::allow_mass_move" => "allow it with --force",
        "FolderBuilder::keep_dates" => "--keep-dates",
        "Folder::write_set" => "write a set of files with --output FOLDER",
        "SetBuilder::flat" => "although one file was asked for",
        "SetBuilder::replace_damaged" => "delete it, and run the command again",
        "SitemapSet::in_place" => "move it away",
        "PartList" => "run the command again",
        _ => return None,
    })
}

/// Quotes a path or a URL for a shell, in commands of messages.
pub(crate) fn argument(path: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:=@%,~".contains(c);
    if !path.is_empty() && path.chars().all(is_plain) {
        path.into()
    } else {
        format!("'{}'", path.replace('\'', r"'\''")).into()
    }
}

/// Returns the most similar known name.
pub(crate) fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    // Comparing long texts is slow.
    if name.len() > 64 {
        return None;
    }
    let name = name.to_lowercase();
    let likeness = |other: &str| strsim::normalized_damerau_levenshtein(&name, &other.to_lowercase());
    let likely = known.into_iter().map(|other| (likeness(other), other));
    let (likeness, nearest) = likely.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    (likeness >= 0.6).then_some(nearest)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::about_item;

    #[test]
    fn every_item_of_advice_has_words() {
        let mut items = BTreeSet::new();
        for crate_name in ["sitemap-pages", "sitemap-serde", "sitemap-site", "sitemap-values"] {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
            collect(&root.join(crate_name).join("src"), &mut items);
        }
        let without: Vec<_> = items.iter().filter(|item| about_item(item).is_none()).collect();
        assert!(items.len() >= 14 && without.is_empty(), "{items:?}: {without:?}");
    }

    /// Collects the first arguments of `Advice::of_api` in all source files.
    fn collect(folder: &Path, items: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, items);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let calls = text.split("Advice::of_api(").skip(1);
            items.extend(calls.filter_map(|call| {
                call.trim_start()
                    .strip_prefix('"')?
                    .split('"')
                    .next()
                    .map(str::to_owned)
            }));
        }
    }
}
