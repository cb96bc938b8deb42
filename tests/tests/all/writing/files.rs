//! Files that a writer creates at a path: the name decides about compression, and the file appears when it is complete.

use std::fs;
use std::io::{Read, Write};
use std::process::Command;

use flate2::read::MultiGzDecoder;
use sitemap_serde::{ErrorKind, Reader, UrlEntry, Writer, WriterBuilder};
use sitemap_tests::CORE;

fn entries(count: usize) -> Vec<UrlEntry> {
    (0..count)
        .map(|i| UrlEntry::new(format!("https://example.com/{i}/{}", i * i)))
        .collect()
}

fn document(entries: &[UrlEntry]) -> String {
    sitemap_serde::to_string(entries).unwrap()
}

fn unzipped(bytes: &[u8]) -> std::io::Result<String> {
    let mut text = String::new();
    MultiGzDecoder::new(bytes).read_to_string(&mut text).map(|_| text)
}

/// Returns `true` if gzip itself accepts the file.
fn gzip_takes(bytes: &[u8]) -> Option<bool> {
    let gzip = sitemap_tests::program("writer_files", "gzip")?;
    let mut test = Command::new(gzip)
        .arg("-t")
        .stdin(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    // A reader that finds an error does not read the rest.
    let _ = test.stdin.take().unwrap().write_all(bytes);
    Some(test.wait().unwrap().success())
}

#[test]
fn a_name_that_ends_in_gz_is_compressed() {
    let folder = tempfile::tempdir().unwrap();
    for (name, count, is_gzip) in [
        ("sitemap.xml", 3, false),
        ("sitemap.xml.gz", 0, true),
        ("sitemap.xml.GZ", 3, true),
        ("sitemap.gz.xml", 3, false),
        ("sitemapgz", 3, false),
        (".gz", 3, false),
        ("a.gz", 20_000, true),
    ] {
        let path = folder.path().join(name);
        let entries = entries(count);
        let mut writer = Writer::from_path(&path).unwrap();
        for entry in &entries {
            writer.write(entry).unwrap();
        }
        let file = writer.finish().unwrap();
        let bytes = fs::read(&path).unwrap();
        assert_eq!(
            file.file().metadata().unwrap().len(),
            bytes.len() as u64,
            "{name}"
        );
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), bytes, "{name}: nothing follows the end");
        if is_gzip {
            assert_eq!(unzipped(&bytes).unwrap(), document(&entries), "{name}");
            assert_ne!(gzip_takes(&bytes), Some(false), "{name}");
        } else {
            assert_eq!(String::from_utf8(bytes).unwrap(), document(&entries), "{name}");
        }
        let read: Vec<UrlEntry> = Reader::from_path(&path)
            .unwrap()
            .entries()
            .collect::<Result<_, _>>()
            .unwrap();
        assert_eq!(read, entries, "{name}");
    }
}

#[test]
fn a_writer_that_is_dropped_leaves_no_valid_gzip() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sitemap.xml.gz");
    for (count, flushed) in [(0, false), (1, false), (1, true), (20_000, false), (20_000, true)] {
        let mut writer = Writer::from_path(&path).unwrap();
        for entry in &entries(count) {
            writer.write(entry).unwrap();
        }
        if flushed {
            writer.flush().unwrap();
        }
        drop(writer);
        let bytes = fs::read(&path).unwrap();
        unzipped(&bytes).unwrap_err();
        assert_ne!(gzip_takes(&bytes), Some(true));
        let last = Reader::from_path(&path).unwrap().entries().last();
        let error = last.expect("an error").unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Eof | ErrorKind::Io | ErrorKind::Syntax),
            "{error:?}"
        );
    }
}

#[test]
fn finishing_twice_is_finishing_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sitemap.xml.gz");
    let mut writer = WriterBuilder::new().from_path(&path).unwrap();
    writer.try_finish().unwrap();
    let bytes = fs::read(&path).unwrap();
    writer.try_finish().unwrap();
    writer.flush().unwrap();
    let mut file = writer.finish().unwrap();
    file.flush().unwrap();
    assert_eq!(
        file.write(b"more").unwrap_err().to_string(),
        "the compressed file is complete"
    );
    drop(file);
    assert_eq!(fs::read(&path).unwrap(), bytes);
    assert_eq!(
        unzipped(&bytes).unwrap(),
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\"></urlset>")
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_is_said() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sitemap.xml.gz");
    symlink("/dev/full", &path).unwrap();
    let mut writer = Writer::from_path(&path).unwrap();
    writer.write(&UrlEntry::new("https://example.com/")).unwrap();
    for _ in 0..2 {
        let error = writer.try_finish().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert_eq!(
            std::io::Error::from(error).kind(),
            std::io::ErrorKind::StorageFull
        );
    }
}
