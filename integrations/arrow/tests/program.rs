//! The example: sitemaps to tables that pyarrow and DuckDB read, and their tables to a set.

#[path = "batches/documents.rs"]
mod documents;
#[path = "batches/told.rs"]
mod told;

use std::env;
use std::fs;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use serde_json::{Value, json};
use sitemap_arrow::BatchReaderBuilder;
use sitemap_serde::Mode;
use sitemap_site::SitemapSet;
use sitemap_tests::{Random, readers};

fn tables(arguments: &[&str]) -> String {
    let mut program = env::current_exe().unwrap();
    program.pop();
    program.pop();
    program.push("examples/tables");
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The interpreter that has pyarrow and duckdb, which `.ci/run` installs.
fn python(test: &str) -> Option<PathBuf> {
    let python = readers(test)?.join("python/bin/python");
    let imports = Command::new(&python)
        .args(["-c", "import pyarrow, duckdb"])
        .output()
        .unwrap();
    if imports.status.success() {
        return Some(python);
    }
    assert!(
        env::var_os("SITEMAP_REQUIRE_ALL").is_none_or(|all| all != "1"),
        "{test}: pyarrow and duckdb are not installed"
    );
    let _ = writeln!(stderr(), "{test}: SKIPPED: pyarrow and duckdb are not installed");
    None
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn other_programs_read_the_tables_and_theirs_become_a_set() {
    let Some(python) = python("other_programs_read_the_tables_and_theirs_become_a_set") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let sitemaps = [file("1.xml"), file("2.xml")];
    for (seed, path) in (1..).zip(&sitemaps) {
        let whole = documents::WHOLE.repeat(3);
        let changed = documents::document(&mut Random::new(seed), 200);
        fs::write(path, changed.replace("\n</urlset>", &format!("{whole}</urlset>"))).unwrap();
    }
    let inputs: Vec<&str> = sitemaps.iter().map(|path| text(path)).collect();

    let mut builder = BatchReaderBuilder::new();
    builder.mode(Mode::Lenient).skip_refused(true);
    let rows: Vec<Value> = builder
        .read(sitemaps.clone())
        .flat_map(|batch| told::rows(&batch.unwrap()))
        .collect();
    for table in ["pages.parquet", "pages.arrow"] {
        let path = file(table);
        let said = tables(&[&["read", text(&path)], &inputs[..]].concat());
        assert!(said.starts_with(&format!("{} entries, ", rows.len())), "{said}");
    }

    let output = Command::new(python)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tables.py"))
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    for table in ["ipc", "parquet"] {
        let found = found[table].as_array().unwrap();
        assert_eq!(found.len(), rows.len());
        for (found, row) in found.iter().zip(&rows) {
            assert_eq!(found, row, "{table}");
        }
    }
    let by_sql: Vec<Value> = rows
        .iter()
        .map(|row| {
            let links = row["alternates"].as_array().unwrap();
            json!([
                row["loc"],
                row["lastmod"],
                row["lastmod_at"],
                row["changefreq"],
                row["priority"],
                row["images"].as_array().unwrap().len(),
                row["images"][0]["loc"],
                row["videos"][0]["prices"][0]["currency"],
                row["news"][0]["publication"]["name"],
                links
                    .iter()
                    .map(|link| link["hreflang"].clone())
                    .collect::<Vec<_>>(),
                row["mobile"],
                row["page_map"]["data_objects"][0]["attributes"][0]["value"],
                row["entry"],
                row["byte"],
            ])
        })
        .collect();
    let found_by_sql = found["sql"].as_array().unwrap();
    for (found, row) in found_by_sql.iter().zip(&by_sql) {
        assert_eq!(found, row);
    }
    assert_eq!(found_by_sql.len(), by_sql.len());
    let counted: u64 = found["grouped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| group[1].as_u64().unwrap())
        .sum();
    assert_eq!(counted, rows.len() as u64);

    write_their_tables(folder.path());
}

/// Publishes the files that DuckDB and pyarrow wrote.
fn write_their_tables(folder: &Path) {
    let public = folder.join("public");
    let tables_of_others = [folder.join("by-duckdb.parquet"), folder.join("by-pyarrow.arrow")];
    let mut arguments = vec!["write", text(&public), "https://example.com"];
    arguments.extend(tables_of_others.iter().map(|path| text(path)));
    tables(&arguments);

    let set = SitemapSet::directory(&public, "https://example.com")
        .open()
        .unwrap();
    let entries: Vec<Value> = set
        .entries()
        .unwrap()
        .map(|entry| told::entry(&entry.unwrap()))
        .collect();
    assert_eq!(entries.len(), 1002);
    let duck = &entries[30];
    assert_eq!(duck["loc"], "https://example.com/duck/30");
    assert_eq!(
        (&duck["lastmod"], &duck["priority"]),
        (&json!("2026-05-02T06:00:00Z"), &json!(0.25))
    );
    assert_eq!(duck["images"][0]["loc"], "https://example.com/duck/30.jpg");
    assert_eq!(duck["images"][0]["title"], "Duck 30");
    let [first, second] = &entries[1000..] else {
        panic!()
    };
    assert_eq!(first["loc"], "https://example.com/arrow/0");
    assert_eq!(
        (&first["lastmod"], &first["changefreq"]),
        (&json!("1970-01-01T00:00:00Z"), &json!("daily"))
    );
    assert_eq!(first["alternates"][0]["href"], "https://example.com/de");
    assert_eq!(
        (&second["lastmod"], &second["alternates"]),
        (&Value::Null, &json!([]))
    );
}

#[test]
fn the_program_says_what_is_wrong() {
    let mut program = env::current_exe().unwrap();
    program.pop();
    program.pop();
    program.push("examples/tables");
    let said = |arguments: &[&str]| {
        let output = Command::new(&program).args(arguments).output().unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(
        said(&[]),
        "tables: usage: tables read TABLE SITEMAP…, tables write FOLDER BASE TABLE…, tables part FOLDER BASE TASK TABLE, or tables \
         commit FOLDER BASE LIST…\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let no_table = folder.path().join("no.parquet");
    assert_eq!(
        said(&[
            "write",
            text(folder.path()),
            "https://example.com",
            text(&no_table)
        ]),
        "tables: No such file or directory (os error 2)\n"
    );
}

/// Tasks in concurrent processes make one set, even if a task runs twice. A second run gives the same files.
#[test]
fn many_processes_write_one_set() {
    let folder = tempfile::tempdir().unwrap();
    let public = folder.path().join("public");
    let path = |name: String| folder.path().join(name).to_str().unwrap().to_owned();
    let table = |task: usize| path(format!("{task}.arrow"));
    for task in 0..4 {
        let page = |i| format!("<url><loc>https://example.com/{task}/{i}</loc></url>");
        let pages = (0..500).map(page).collect::<Vec<_>>().concat();
        let sitemap = path(format!("{task}.xml"));
        fs::write(&sitemap, sitemap_tests::urlset(&pages)).unwrap();
        tables(&["read", &table(task), &sitemap]);
    }
    let mut before = Vec::new();
    for _ in 0..2 {
        let lists: Vec<String> = thread::scope(|scope| {
            let tasks = [0, 1, 2, 3, 1].into_iter().enumerate();
            let running: Vec<_> = tasks
                .map(|(run, task)| {
                    let (list, table, public) = (path(format!("{run}.json")), table(task), text(&public));
                    scope.spawn(move || {
                        let task = format!("task-{task}");
                        let printed = tables(&["part", public, "https://example.com", &task, &table]);
                        fs::write(&list, printed).unwrap();
                        list
                    })
                })
                .collect();
            running.into_iter().map(|task| task.join().unwrap()).collect()
        });
        let mut arguments = vec!["commit", text(&public), "https://example.com"];
        arguments.extend(lists.iter().map(String::as_str));
        tables(&arguments);
        let set = SitemapSet::directory(&public, "https://example.com")
            .open()
            .unwrap();
        let locs: Vec<String> = set.entries().unwrap().map(|entry| entry.unwrap().loc).collect();
        assert_eq!(locs.len(), 2000);
        assert_eq!(
            (&*locs[0], &*locs[1999]),
            ("https://example.com/0/0", "https://example.com/3/499")
        );
        let mut files: Vec<_> = fs::read_dir(public.join("current"))
            .unwrap()
            .map(|file| {
                let file = file.unwrap();
                (file.file_name(), fs::read(file.path()).unwrap())
            })
            .collect();
        files.sort();
        assert_eq!(files.len(), 5);
        assert!(before.is_empty() || before == files);
        before = files;
    }
}
