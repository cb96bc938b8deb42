//! Programs that are killed, that run out of disk space, and that write at the same time.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use sitemap_serde::{Reader, SitemapIndex};
use sitemap_site::{ErrorKind, SitemapSet};
use sitemap_tests::{Random, rounds};

use crate::sets::pages::{folder, ids, page, public, small, tree, write};

/// The number of pages of a version.
const PAGES: i64 = 35;

fn publish(set: &SitemapSet, version: i64) -> sitemap_site::Result<()> {
    let mut writer = set.task_writer("p", "all")?;
    for id in version * 1000..version * 1000 + PAGES {
        writer.write(id, &page(id))?;
    }
    set.commit(&[writer.finish()?]).map(drop)
}

/// Reads the published set completely, and returns its version, which all pages share.
fn version(root: &Path) -> Option<i64> {
    try_version(root).unwrap()
}

/// An error if the generation was removed during reading.
fn try_version(root: &Path) -> io::Result<Option<i64>> {
    let Ok(current) = fs::read_link(root.join("current")) else {
        return Ok(None);
    };
    let current = root.join(current);
    let index: SitemapIndex =
        sitemap_serde::from_str(&fs::read_to_string(current.join("sitemap.xml"))?).unwrap();
    let mut found = Vec::new();
    for entry in index {
        let name = entry.loc.strip_prefix("https://example.com/").unwrap();
        let xml = fs::read_to_string(current.join(name))?;
        let entries: Result<Vec<_>, _> = Reader::from_str(&xml).entries().collect();
        let count = entries.unwrap_or_else(|error| panic!("{name}: {error}")).len();
        assert_eq!(count, ids(&xml).len());
        found.extend(ids(&xml));
    }
    let version = found[0] / 1000;
    assert_eq!(
        found,
        (version * 1000..version * 1000 + PAGES).collect::<Vec<_>>()
    );
    Ok(Some(version))
}

/// Files that no commit needs any more.
fn leavings(root: &Path) -> Vec<String> {
    let files = tree(root);
    let generations: BTreeSet<&str> = files
        .iter()
        .filter_map(|file| file.strip_prefix("generations/")?.split('/').next())
        .collect();
    let mut found: Vec<String> = files
        .iter()
        .filter(|file| file.contains("staging/") || file.contains(".new"))
        .cloned()
        .collect();
    if generations.len() > 2 {
        found.push(format!("generations {generations:?}"));
    }
    let manifests = files.iter().filter(|file| file.contains("/manifest-")).count();
    if manifests != 1 {
        found.push(format!("{manifests} manifests"));
    }
    found
}

/// Starts this test's program as a child, which does `what` with a set.
fn child(what: &str, root: &Path) -> Command {
    let mut child = Command::new(env::current_exe().unwrap());
    child
        .args([
            "sets::processes::child_process",
            "--exact",
            "--ignored",
            "--nocapture",
            "--test-threads",
            "1",
        ])
        .env("SITEMAP_SET_ROOT", root)
        .env("SITEMAP_SET_CHILD", what)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    child
}

#[test]
#[ignore = "what the children of the other tests do"]
fn child_process() {
    let (Some(root), Ok(what)) = (env::var_os("SITEMAP_SET_ROOT"), env::var("SITEMAP_SET_CHILD")) else {
        return;
    };
    let root = PathBuf::from(root);
    let builder = || small(&root).grace(Duration::ZERO).clone();
    match what.as_str() {
        // Runs until it is killed. The parent waits for a number of lines.
        "forever" => {
            println!("started");
            for version in 1.. {
                publish(&builder().open().unwrap(), version % 900 + 1).unwrap();
                println!("committed");
            }
        }
        "once" => publish(&builder().open().unwrap(), 7).unwrap(),
        "often" => {
            let first = i64::from(std::process::id()) % 400 + 2;
            for version in first..first + 40 {
                let set = builder().open().unwrap();
                match publish(&set, version) {
                    Err(error) if error.kind() == ErrorKind::Locked => sleep(Duration::from_millis(1)),
                    published => published.unwrap(),
                }
            }
        }
        // Exits as if killed, after it sent its list.
        "sends" => {
            let list = write(&builder().open().unwrap(), "p", "sent", 1..=PAGES);
            let list = serde_json::to_vec(&list).unwrap();
            fs::write(root.with_file_name("list.json"), list).unwrap();
            std::process::exit(0);
        }
        // Ends without a commit.
        "dies" => {
            let _unsent = write(&builder().open().unwrap(), "p", "unsent", 1..=PAGES);
            std::process::exit(0);
        }
        what => panic!("{what}"),
    }
}

#[test]
fn killed_at_any_moment() {
    let folder = folder();
    let root = folder.path().join("set");
    let mut random = Random::new(17);
    let (mut half_done, mut versions) = (0, BTreeSet::new());
    let start = Instant::now();
    for kill in 0.. {
        // On a busy machine, more of the kills come too early.
        let is_enough = half_done > 10 && versions.len() > 4;
        if is_enough && (kill >= rounds(50) || start.elapsed() > Duration::from_secs(60)) {
            break;
        }
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "only {half_done} of {kill} kills hit anything: {versions:?}"
        );
        let mut child = child("forever", &root).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut events = lines
            .map_while(Result::ok)
            .filter(|line| line.ends_with("started") || line.ends_with("committed"));
        assert!(events.nth(random.below(6)).is_some());
        sleep(Duration::from_micros(random.below(10_000) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        let found = version(&root);
        versions.insert(found);
        half_done += usize::from(root.exists() && !leavings(&root).is_empty());
        // The next commit finds the set, and removes leftovers.
        if kill % 4 == 0 {
            let set = small(&root).grace(Duration::ZERO).open().unwrap();
            publish(&set, 999).unwrap();
            drop(set);
            assert_eq!(version(&root), Some(999));
            assert_eq!(leavings(&root), Vec::<String>::new());
        }
    }
}

/// A program that never reaches its commit does not fill the disk, and its sent lists wait for another program.
#[test]
fn killed_before_each_commit() {
    let folder = folder();
    let root = folder.path().join("set");
    let sessions = || fs::read_dir(root.join("state/staging")).unwrap().count();
    assert!(child("sends", &root).status().unwrap().success());
    for _ in 0..5 {
        assert!(child("dies", &root).status().unwrap().success());
        assert_eq!(sessions(), 2, "that with the list, and the last one");
    }
    let list = fs::read(folder.path().join("list.json")).unwrap();
    let set = small(&root).open().unwrap();
    let own = write(&set, "p", "own", 1000..1000 + PAGES);
    assert_eq!(sessions(), 2);
    let summary = set
        .commit(&[serde_json::from_slice(&list).unwrap(), own])
        .unwrap();
    assert_eq!(summary.entries, 2 * PAGES.unsigned_abs());
    drop(set);
    assert_eq!(leavings(&root), Vec::<String>::new());
}

#[test]
fn two_programs_at_once() {
    let folder = folder();
    let root = folder.path().join("set");
    publish(&small(&root).open().unwrap(), 1).unwrap();
    let often = || child("often", &root).stderr(Stdio::piped()).spawn().unwrap();
    let mut children = [often(), often()];
    let mut seen = BTreeSet::new();
    while children
        .iter_mut()
        .any(|child| child.try_wait().unwrap().is_none())
    {
        let before = fs::read_link(root.join("current")).unwrap();
        match try_version(&root) {
            Ok(version) => drop(seen.insert(version)),
            // A generation is removed after two newer ones.
            Err(error) => assert!(
                error.kind() == io::ErrorKind::NotFound
                    && fs::read_link(root.join("current")).unwrap() != before
            ),
        }
    }
    for child in children {
        let ended = child.wait_with_output().unwrap();
        assert!(
            ended.status.success(),
            "{}",
            String::from_utf8_lossy(&ended.stderr)
        );
    }
    assert!(version(&root).unwrap() > 1);
    let set = small(&root).grace(Duration::ZERO).open().unwrap();
    publish(&set, 999).unwrap();
    drop(set);
    assert_eq!(leavings(&root), Vec::<String>::new());
    assert!(!seen.is_empty());
}

/// Simulates a full disk: files may have at most 512 bytes.
#[test]
#[cfg(unix)]
fn no_room() {
    let folder = folder();
    let root = folder.path().join("set");
    publish(&small(&root).open().unwrap(), 1).unwrap();
    let before = public(&root.join("current"));
    let limited = |blocks: u32| {
        let once = child("once", &root);
        let mut shell = Command::new("sh");
        // Without the trap, the signal would kill the program, as in the other test.
        shell
            .arg("-c")
            .arg(format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\""))
            .arg("sh");
        shell.arg(once.get_program()).args(once.get_args());
        for (name, value) in once.get_envs() {
            shell.env(name, value.unwrap_or_default());
        }
        shell
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .output()
            .unwrap()
    };
    let failed = limited(1);
    let said = String::from_utf8_lossy(&failed.stderr);
    assert!(!failed.status.success() && said.contains("Error(Io: "), "{said}");
    assert_eq!(public(&root.join("current")), before);
    assert_eq!(version(&root), Some(1));
    assert!(limited(100).status.success());
    assert_eq!(version(&root), Some(7));
    assert_eq!(leavings(&root), Vec::<String>::new());
}
