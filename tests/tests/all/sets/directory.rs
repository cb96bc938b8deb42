//! The files that a commit publishes in a directory.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use sitemap_site::{ErrorKind, FileAction, PartList, SitemapSet};

use crate::sets::pages::{BASE, folder, page, parts, public, sent, small, small_set, state, tree, write};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                    <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";

#[test]
fn one_part_is_the_top_file() {
    let folder = folder();
    let root = folder.path().join("new/set");
    let set = SitemapSet::directory(&root, BASE).gzip(6).open().unwrap();
    let summary = set.commit(&[write(&set, "pages", "all", 1..=2)]).unwrap();
    let xml = format!("{HEAD}<url><loc>{BASE}/p/1</loc></url><url><loc>{BASE}/p/2</loc></url></urlset>");
    assert_eq!(
        public(&root.join("current")),
        [("sitemap.xml".to_owned(), xml.clone())].into()
    );
    assert_eq!(
        summary.to_string(),
        format!(
            "1 file with 2 URLs, {} bytes: 1 written, 0 kept, 0 removed",
            xml.len()
        )
    );
    drop(set);
    assert_eq!(
        tree(&root),
        [
            "current",
            "generations/1/sitemap.xml",
            "state/holder",
            "state/lock",
            "state/manifest-1.json"
        ]
    );
    assert_eq!(
        fs::read_link(root.join("current")).unwrap().to_str(),
        Some("generations/1")
    );
}

#[test]
fn an_index_lists_the_parts_with_the_time_they_changed() {
    let folder = folder();
    let root = folder.path().join("set");
    let set = small(&root).gzip(6).open().unwrap();
    let lists = [write(&set, "b", "all", 1..=11), write(&set, "a", "all", 1..=3)];
    let summary = set.commit(&lists).unwrap();
    assert_eq!((summary.files, summary.written, summary.entries), (4, 4, 14));
    let files = public(&root.join("current"));
    let names: Vec<_> = files.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "sitemap-a-1.xml.gz",
            "sitemap-b-1.xml.gz",
            "sitemap-b-2.xml.gz",
            "sitemap.xml"
        ]
    );
    let index = &files["sitemap.xml"];
    let lastmod = index
        .split("<lastmod>")
        .nth(1)
        .unwrap()
        .split('<')
        .next()
        .unwrap();
    let listed =
        |name: &str| format!("<sitemap><loc>{BASE}/{name}</loc><lastmod>{lastmod}</lastmod></sitemap>");
    assert_eq!(
        *index,
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{}{}{}</sitemapindex>",
            listed("sitemap-a-1.xml.gz"),
            listed("sitemap-b-1.xml.gz"),
            listed("sitemap-b-2.xml.gz")
        )
    );

    // The same commit again: everything is unchanged, including the index.
    let before = state(&root.join("current/sitemap-b-1.xml.gz"));
    let index_before = state(&root.join("current/sitemap.xml"));
    let lists = [write(&set, "b", "all", 1..=11), write(&set, "a", "all", 1..=3)];
    let plan = set.plan(&lists).unwrap();
    assert!(
        plan.files.iter().all(|file| file.action == FileAction::Keep),
        "{plan:?}"
    );
    let summary = set.commit(&lists).unwrap();
    assert_eq!((summary.written, summary.kept, summary.removed), (0, 4, 0));
    assert_eq!(state(&root.join("current/sitemap-b-1.xml.gz")), before);
    assert_eq!(state(&root.join("current/sitemap.xml")), index_before);

    // One part changes: only its time and the index's are a second later.
    let lists = [write(&set, "b", "all", 1..=12), write(&set, "a", "all", 1..=3)];
    let summary = set.commit(&lists).unwrap();
    assert_eq!((summary.written, summary.kept), (2, 2));
    let files = public(&root.join("current"));
    let index = &files["sitemap.xml"];
    assert_eq!(index.matches(lastmod).count(), 2);
    assert!(state(&root.join("current/sitemap.xml")).0 >= index_before.0 + Duration::from_secs(1));
    assert_eq!(state(&root.join("current/sitemap-b-1.xml.gz")), before);
}

#[test]
fn parts_that_are_gone_stay_until_the_grace_period_ends() {
    let folder = folder();
    let root = folder.path().join("set");
    let set = small(&root).open().unwrap();
    set.commit(&[write(&set, "p", "all", 1..=25)]).unwrap();
    let plan = set.plan(&[write(&set, "p", "all", 1..=15)]).unwrap();
    assert_eq!(plan.removed_files, ["sitemap-p-3.xml"]);
    let summary = set.commit(&[write(&set, "p", "all", 1..=15)]).unwrap();
    assert_eq!(
        (summary.files, summary.written, summary.kept, summary.removed),
        (3, 2, 1, 1)
    );
    let files = public(&root.join("current"));
    assert!(files.contains_key("sitemap-p-3.xml") && !files["sitemap.xml"].contains("sitemap-p-3.xml"));
    // Its number is not used again.
    set.commit(&[write(&set, "p", "all", 1..=35)]).unwrap();
    let names: Vec<_> = parts(&root.join("current")).into_keys().collect();
    assert_eq!(
        names,
        [1, 2, 3, 4, 5].map(|number| format!("sitemap-p-{number}.xml"))
    );
    assert!(!public(&root.join("current"))["sitemap.xml"].contains("sitemap-p-3.xml"));

    let set = small(&root).grace(Duration::ZERO).open().unwrap();
    set.commit(&[write(&set, "p", "all", 1..=35)]).unwrap();
    let names: Vec<_> = parts(&root.join("current")).into_keys().collect();
    assert_eq!(
        names,
        [1, 2, 4, 5].map(|number| format!("sitemap-p-{number}.xml"))
    );
}

#[test]
fn a_set_does_not_shrink_by_accident() {
    let folder = folder();
    let root = folder.path().join("set");
    let set = SitemapSet::directory(&root, BASE).open().unwrap();
    for (entries, lost) in [
        (0, ""),
        (1, ", and the published one has 1 entry"),
        (9, ", and the published one has 9 entries"),
    ] {
        if entries > 0 {
            set.commit(&[write(&set, "p", "all", 1..=entries)]).unwrap();
        }
        let error = set.commit(&[write(&set, "p", "all", [])]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Shrunk);
        assert_eq!(
            error.to_string(),
            format!(
                "the set would be empty{lost}: if this is intended, allow it with `SetBuilder::allow_shrinking(true)`; nothing was \
                 changed"
            )
        );
    }
    let error = set.commit(&[write(&set, "p", "all", 1..=4)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the set would have 4 entries, less than half of the 9 published ones: if this is intended, allow it with \
         `SetBuilder::allow_shrinking(true)`; nothing was changed"
    );
    assert!(
        set.plan(&[write(&set, "p", "all", 1..=4)])
            .unwrap()
            .refusal
            .is_some()
    );
    set.commit(&[write(&set, "p", "all", 1..=5)]).unwrap();
}

#[test]
fn tasks_are_replaced_one_by_one() {
    let folder = folder();
    let root = folder.path().join("set");
    let set = small(&root).open().unwrap();
    set.commit(&[write(&set, "p", "t0", 1..=10), write(&set, "p", "t1", 11..=30)])
        .unwrap();
    let before = parts(&root.join("current"));
    let times = before
        .keys()
        .map(|name| state(&root.join("current").join(name)))
        .collect::<Vec<_>>();
    let summary = set.update(&[write(&set, "p", "t1", 11..=29)]).unwrap();
    assert_eq!((summary.written, summary.kept, summary.entries), (2, 2, 29));
    let after = parts(&root.join("current"));
    assert_eq!(after["sitemap-p-3.xml"], (21..=29).collect::<Vec<_>>());
    assert_eq!(state(&root.join("current/sitemap-p-1.xml")), times[0]);
    assert_eq!(state(&root.join("current/sitemap-p-2.xml")), times[1]);

    // Changes by another program are noticed.
    fs::write(root.join("current/sitemap-p-1.xml"), "").unwrap();
    let error = set.update(&[write(&set, "p", "t1", 11..=30)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`sitemap-p-1.xml` of task `t0` is gone or was changed by another program since it was published: commit the lists of all \
         tasks, which writes it anew"
    );
    set.commit(&[write(&set, "p", "t0", 1..=10), write(&set, "p", "t1", 11..=30)])
        .unwrap();
    assert_eq!(parts(&root.join("current")), before);
}

#[test]
fn two_lists_of_one_task() {
    let folder = folder();
    let set = small(&folder.path().join("set")).open().unwrap();
    let twice = [write(&set, "p", "t0", 1..=15), write(&set, "p", "t0", 1..=15)];
    assert_eq!(set.commit(&twice).unwrap().entries, 15);
    let differ = [write(&set, "p", "t0", 1..=15), write(&set, "p", "t0", 1..=14)];
    let error = set.commit(&differ).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    assert_eq!(
        error.to_string(),
        "two lists of task `t0` of section `p` differ, one with 15 entries and one with 14: a task must write the same rows each time it runs; give each task its own name, or commit one of the lists"
    );
}

#[test]
fn lists_go_from_process_to_process() {
    let folder = folder();
    let root = folder.path().join("set");
    let sent: Vec<String> = (0..3)
        .map(|worker| {
            let set = small(&root).open().unwrap();
            let list = write(
                &set,
                "p",
                &format!("w{worker}"),
                worker * 20 + 1..=worker * 20 + 20,
            );
            serde_json::to_string(&list).unwrap()
        })
        .collect();
    let set = small(&root).open().unwrap();
    let lists: Vec<_> = sent
        .iter()
        .map(|list| serde_json::from_str(list).unwrap())
        .collect();
    assert_eq!(set.commit(&lists).unwrap().files, 7);
    drop(set);
    assert!(
        tree(&root).iter().all(|path| !path.contains("staging")),
        "{:?}",
        tree(&root)
    );

    // If it is committed again, its parts are already published.
    let set = small(&root).open().unwrap();
    assert_eq!(set.commit(&lists).unwrap().kept, 7);
    // A list cannot name files outside of the set.
    let moved = sent[0].replace("/0.xml", "/../../../secret");
    let set = SitemapSet::directory(folder.path().join("other"), BASE)
        .open()
        .unwrap();
    let error = set.commit(&[serde_json::from_str(&moved).unwrap()]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict, "{error}");
    let error = set
        .commit(&[serde_json::from_str(&sent[0]).unwrap()])
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
}

/// Sizes that no writer makes are neither added nor trusted.
#[test]
fn a_list_that_was_changed_on_its_way() {
    let folder = folder();
    let set = small(&folder.path().join("set")).open().unwrap();
    let list = serde_json::to_value(write(&set, "p", "all", 1..=25)).unwrap();
    for (number, value, says) in [
        (
            "facts/entries",
            u64::MAX,
            "18446744073709551615 entries and 568 bytes, 568",
        ),
        ("facts/entries", 50_001, "50001 entries and 568 bytes, 568"),
        ("facts/bytes", 52_428_801, "10 entries and 52428801 bytes, 568"),
        ("size", u64::MAX, "10 entries and 568 bytes, 18446744073709551615"),
    ] {
        let mut changed = list.clone();
        *changed.pointer_mut(&format!("/parts/1/{number}")).unwrap() = json!(value);
        let changed: PartList = serde_json::from_value(changed).unwrap();
        assert!(changed.entries() >= 25);
        let error = set.commit(&[changed]).unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string()),
            (
                ErrorKind::Damaged,
                format!(
                    "the list of task `all` says that a part has {says} as it is stored, which no writer makes: run the task again"
                )
            )
        );
    }
}

#[test]
fn the_file_of_one_part_becomes_an_index_and_back() {
    for gzip in [false, true] {
        let folder = folder();
        let root = folder.path().join("set");
        let set = small(&root).gzip(gzip.then_some(6)).open().unwrap();
        set.commit(&[write(&set, "p", "t0", 1..=5)]).unwrap();
        let only = public(&root.join("current"));
        set.update(&[write(&set, "p", "t1", 6..=9)]).unwrap();
        let names: Vec<_> = public(&root.join("current")).into_keys().collect();
        let extension = if gzip { ".gz" } else { "" };
        assert_eq!(
            names,
            [
                format!("sitemap-p-1.xml{extension}"),
                format!("sitemap-p-2.xml{extension}"),
                "sitemap.xml".to_owned()
            ]
        );
        assert_eq!(public(&root.join("current"))[&names[0]], only["sitemap.xml"]);
        let set = small(&root)
            .gzip(gzip.then_some(6))
            .grace(Duration::ZERO)
            .open()
            .unwrap();
        set.update(&[write(&set, "p", "t1", [])]).unwrap();
        assert_eq!(public(&root.join("current")), only);
    }
}

#[test]
fn in_place() {
    let folder = folder();
    let root = folder.path().join("set");
    let builder = || small_set(&root, true).grace(Duration::ZERO).clone();
    let first = builder().open().unwrap();
    first.commit(&[write(&first, "p", "all", 1..=25)]).unwrap();
    let before = state(&root.join("sitemap-p-1.xml"));
    let set = builder().open().unwrap();
    let summary = set.commit(&[write(&set, "p", "all", 1..=12)]).unwrap();
    assert_eq!((summary.written, summary.kept, summary.removed), (2, 1, 1));
    assert_eq!(state(&root.join("sitemap-p-1.xml")), before);
    let names: Vec<_> = public(&root).into_keys().collect();
    assert_eq!(names, ["sitemap-p-1.xml", "sitemap-p-2.xml", "sitemap.xml"]);
    drop((first, set));
    let private = tree(&root.join(".sitemap"));
    assert_eq!(private.len(), 3, "{private:?}");
    // Without links, a generation cannot be recognized, so another program's sitemap.xml is replaced.
    fs::write(root.join("sitemap.xml"), "<urlset/>").unwrap();
    let set = builder().open().unwrap();
    assert_eq!(set.commit(&[write(&set, "p", "all", 1..=12)]).unwrap().written, 3);
}

#[test]
fn dropped_sessions_leave_no_files() {
    let folder = folder();
    let root = folder.path().join("set");
    let set = small(&root).open().unwrap();
    let mut writer = set.task_writer("p", "all").unwrap();
    for id in 1..=35 {
        writer.write(id, &page(id)).unwrap();
    }
    drop(writer);
    drop(set);
    assert_eq!(tree(&root), Vec::<String>::new());
}

#[test]
fn a_session_that_was_left_is_kept_for_a_while() {
    let folder = folder();
    let root = folder.path().join("set");
    let left = {
        let set = small(&root).open().unwrap();
        sent(&write(&set, "p", "later", 1..=5))
    };
    let set = small(&root).open().unwrap();
    set.commit(&[write(&set, "p", "all", 6..=9)]).unwrap();
    set.update(&[left]).unwrap();
    let forgotten = {
        let set = small(&root).open().unwrap();
        sent(&write(&set, "p", "later", 1..=4))
    };
    let set = small(&root).open().unwrap();
    // The files of a session stay for a day.
    let a_day_ago = SystemTime::now() - Duration::from_secs(24 * 3600);
    for session in fs::read_dir(root.join("state/staging")).unwrap() {
        let lock = File::options()
            .write(true)
            .open(session.unwrap().path().join("lock"))
            .unwrap();
        lock.set_modified(a_day_ago).unwrap();
    }
    set.update(&[write(&set, "p", "all", 6..=8)]).unwrap();
    let error = set.update(&[forgotten]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Damaged);
    assert!(
        error
            .to_string()
            .contains("0.xml of task `later` is gone, because a commit has published it already, or because it is older than a day: "),
        "{error}"
    );
}

#[test]
fn two_commits_at_once() {
    let folder = folder();
    let root = folder.path().join("set");
    let set = small(&root).open().unwrap();
    set.commit(&[write(&set, "p", "all", 1..=5)]).unwrap();
    let lock = fs::OpenOptions::new()
        .write(true)
        .open(root.join("state/lock"))
        .unwrap();
    lock.try_lock().unwrap();
    let error = set.commit(&[write(&set, "p", "all", 1..=6)]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Locked);
    let text = error.to_string();
    assert!(
        text.starts_with(&format!(
            "the set in {} is being committed by `all-",
            root.display()
        )) && text.contains(&format!(", process {}, since 2", std::process::id()))
            && text.ends_with(": try again when that is done; nothing was changed"),
        "{text}"
    );
    drop(lock);
    set.commit(&[write(&set, "p", "all", 1..=6)]).unwrap();
}

#[test]
fn settings_that_are_wrong() {
    let folder = folder();
    let root = folder.path().join("set");
    let error = SitemapSet::directory(&root, "example.com").open().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Setting);
    assert!(
        error.to_string().starts_with("`example.com` is not a base"),
        "{error}"
    );
    let set = SitemapSet::directory(&root, BASE).open().unwrap();
    assert_eq!(
        set.task_writer("../x", "all").unwrap_err().to_string(),
        "`../x` cannot be the name of a section: it is part of file names, so it has 1 to 64 of the characters a-z, 0-9, `-` and \
         `_`, and does not begin with `-`"
    );
    fs::create_dir_all(root.join("current")).unwrap();
    let error = SitemapSet::directory(&root, BASE).open().unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "{0}/current is not a link: a set keeps its generations in {0} and makes `current` a link to one; move it away, or write the \
             set in place with `SitemapSet::in_place`",
            root.display()
        )
    );
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = SitemapSet::directory(&file, BASE).open().unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string()),
        (
            ErrorKind::Setting,
            format!(
                "{} is not a directory: give the set another path, or move the file away",
                file.display()
            )
        )
    );
}

#[test]
#[cfg(unix)]
fn a_link_of_another_program() {
    let folder = folder();
    let root = folder.path().join("set");
    for target in ["releases/7", "generations/x"] {
        fs::create_dir_all(&root).unwrap();
        std::os::unix::fs::symlink(target, root.join("current")).unwrap();
        let error = SitemapSet::directory(&root, BASE).open().unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string()),
            (
                ErrorKind::Setting,
                format!(
                    "{}/current is a link to {target}, which is not a generation of a set; give the set a directory of its own",
                    root.display()
                )
            )
        );
        fs::remove_dir_all(&root).unwrap();
    }
}

#[test]
fn a_manifest_that_is_damaged() {
    let folder = folder();
    let root = folder.path().join("set");
    let set = small(&root).open().unwrap();
    set.commit(&[write(&set, "p", "all", 1..=25)]).unwrap();
    fs::write(root.join("state/manifest-1.json"), "{\"version\":9}").unwrap();
    let error = small(&root).open().unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "the manifest {}/state/manifest-1.json cannot be read: it has version 9, but this program supports only version 2; publish the whole set \
             with `SetBuilder::replace_damaged(true)`, which goes on without it",
            root.display()
        )
    );
    let set = small(&root).replace_damaged(true).open().unwrap();
    let summary = set.commit(&[write(&set, "p", "all", 1..=25)]).unwrap();
    assert_eq!((summary.generation, summary.written), (2, 4));
}

/// Numbers that no program writes, and names that lead outside of the set: the manifest is refused, so no sum overflows, and only files of
/// the set are listed or deleted.
#[test]
fn a_manifest_of_somebody_else() {
    let folder = folder();
    let root = folder.path().join("set");
    let set = small(&root).default_stylesheet(true).open().unwrap();
    set.commit(&[write(&set, "p", "all", 1..=25)]).unwrap();
    set.commit(&[write(&set, "p", "all", 1..=26)]).unwrap();
    drop(set);
    let victim = folder.path().join("victim");
    fs::write(&victim, "").unwrap();
    let manifest = root.join("state/manifest-2.json");
    let good: Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
    let dropped = json!({ "name": "x.xml", "since": 1 });
    let refused = |pointer: &str, value: Value, why: &str| {
        let mut changed = good.clone();
        if pointer.starts_with("/dropped/0") {
            changed["dropped"] = json!([dropped]);
        }
        if pointer.starts_with("/condemned/0") {
            changed["condemned"] = json!(["sitemap-p-9.xml"]);
        }
        *changed
            .pointer_mut(pointer)
            .unwrap_or_else(|| panic!("{pointer}: {good}")) = value;
        fs::write(&manifest, changed.to_string()).unwrap();
        let error = small(&root).open().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Damaged, "{pointer}");
        assert_eq!(
            error.to_string(),
            format!(
                "the manifest {} cannot be read: {why}; publish the whole set with `SetBuilder::replace_damaged(true)`, which goes on without it",
                manifest.display()
            )
        );
    };
    for (pointer, what, beyond) in [
        ("/generation", "generation", (1 << 40) + 1),
        ("/generation", "generation", u64::MAX),
        ("/committed", "committed", 253_402_300_799),
        ("/next_number/p", "next_number", u64::MAX),
        ("/parts/0/number", "number", u64::MAX),
        ("/parts/0/entries", "entries", 50_001),
        ("/parts/0/bytes", "bytes", 52_428_801),
        ("/parts/0/dated", "dated", 50_001),
        ("/parts/0/file/size", "size", u64::MAX),
        ("/parts/0/file/modified/secs", "modified", 253_402_300_800),
        ("/dropped/0/since", "since", 253_402_300_800),
    ] {
        let why = format!("its {what} is {beyond}, which no program has written");
        refused(pointer, json!(beyond), &why);
    }
    for name in [
        "../../../victim",
        "/etc/passwd",
        "a/b.xml",
        "",
        ".",
        "..",
        ".hidden",
        "a\0b",
    ] {
        let why = format!(
            "it names the file {name:?}, and a set has only files with plain names, such as `sitemap-pages-1.xml`"
        );
        for pointer in [
            "/parts/0/name",
            "/others/0/name",
            "/dropped/0/name",
            "/condemned/0",
        ] {
            refused(pointer, json!(name), &why);
        }
    }
    assert!(victim.exists());
    // The unchanged one is read.
    fs::write(&manifest, good.to_string()).unwrap();
    small(&root).open().unwrap();
}
