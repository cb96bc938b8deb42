//! The memory of a set does not depend on its size. The test has its own program, so that nothing else is measured.

#![cfg(target_os = "linux")]

use std::fs;

use sitemap_serde::UrlEntry;
use sitemap_site::SitemapSet;

/// The program's peak memory in kB.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse().unwrap()
}

fn publish(rows: i64, gzip: bool) {
    let folder = tempfile::tempdir().unwrap();
    let set = SitemapSet::directory(folder.path().join("set"), "https://example.com")
        .gzip(gzip.then_some(6))
        .open()
        .unwrap();
    let mut writer = set.task_writer("p", "all").unwrap();
    for id in 0..rows {
        writer.write(id, &UrlEntry::new(format!("/p/{id}"))).unwrap();
    }
    let summary = set.commit(&[writer.finish().unwrap()]).unwrap();
    assert_eq!(summary.entries, rows.cast_unsigned());
    assert_eq!(
        set.entries().unwrap().map(Result::unwrap).count() as u64,
        summary.entries
    );
}

#[test]
fn memory_is_flat() {
    publish(100_000, false);
    publish(100_000, true);
    let few = peak();
    publish(2_000_000, false);
    publish(2_000_000, true);
    let many = peak();
    assert!(
        // The arenas of compressing and reading threads vary. 8 bytes for each row would be 15 MB.
        many < few + 8_192,
        "{few} kB with 100,000 rows, {many} kB with 2,000,000"
    );
}
