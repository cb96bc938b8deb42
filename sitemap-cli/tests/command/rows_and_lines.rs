//! Lines that could be rows or URLs, and rows that a stray quote joins: each page is read, or its line is reported.

use std::collections::BTreeSet;

use sitemap_tests::sample;

use crate::folder::{CORE, Folder, gzipped};

fn loc(number: usize) -> String {
    format!("https://example.com/{number}")
}

/// Two stray quotes form one legal multi-line value, at any distance and in any column.
#[test]
fn a_value_with_other_rows_in_it_is_reported() {
    const ROWS: usize = 40;
    let mut tables = Vec::new();
    for separator in [',', ';', '\t'] {
        for header in ["loc,note", "note,loc", "note,loc,size", "loc,lastmod,note"] {
            for rows in [(0, 1), (3, 5), (1, ROWS - 1), (20, 21)] {
                for place in ["\"lamp", "\"\"\"lamp", "\"lamp \"\"x\"\"", "\"lamp,red"] {
                    tables.push((separator, header, rows, place));
                }
            }
        }
    }
    for (separator, header, (first, last), place) in sample(tables) {
        let columns: Vec<_> = header.split(',').collect();
        let at = columns.iter().position(|column| *column == "note").unwrap();
        let row = |number: usize| {
            let cells = columns.iter().map(|column| match *column {
                "loc" => loc(number),
                "lastmod" => "2026-05-01".to_owned(),
                "size" => "7".to_owned(),
                _ if number == first => place.replace(',', &separator.to_string()),
                _ if number == last => "5\"".to_owned(),
                _ => "chair".to_owned(),
            });
            cells.collect::<Vec<_>>().join(&separator.to_string()) + "\n"
        };
        let table =
            header.replace(',', &separator.to_string()) + "\n" + &(0..ROWS).map(row).collect::<String>();
        let folder = Folder::with(&[("a.csv", &table)]);
        let what = format!("{header:?} {separator:?} {first} {last} {at} {place}\n{table}");
        for command in [
            "cat a.csv",
            "convert a.csv --to text --lenient",
            "convert a.csv --to text --on-invalid skip",
            "split a.csv -o out --base https://example.com --lenient",
        ] {
            let (status, mut printed, said) = folder.run(&command.split(' ').collect::<Vec<_>>());
            if command.starts_with("split") {
                printed = folder.run(&["cat", "out"]).1;
            }
            let read: BTreeSet<&str> = printed.lines().collect();
            let named = |number: usize| said.contains(&format!("a.csv, line {}: ", number + 2));
            for number in 0..ROWS {
                // A quote inside an unquoted note is harmless.
                let is_bad = number == first;
                assert_eq!(
                    read.contains(&*loc(number)),
                    !is_bad,
                    "{command} {number} {what}{said}"
                );
                assert_eq!(named(number), is_bad, "{command} {number} {what}{said}");
            }
            assert_eq!(status, 1, "{command} {what}{said}");
        }
        for command in [
            "convert a.csv --to text -q",
            "split a.csv -o new --base https://example.com -q",
        ] {
            let (status, _, said) = folder.run(&command.split(' ').collect::<Vec<_>>());
            assert_eq!(
                (status, said),
                (
                    2,
                    format!(
                        "sitemap: a.csv, line {}: a quoted value with other rows in it, so a quote is missing or one too \
                                     many: a quote in a quoted value is doubled; --on-invalid drop leaves it out\n",
                        first + 2
                    )
                ),
                "{command} {what}"
            );
            assert!(!folder.path("new/sitemap.xml").exists());
        }
    }
    // Multi-line notes are values, even with URLs and separators in them.
    let notes = "loc,note\nhttps://example.com/1,\"see\nhttps://example.com/x\nand y, z\n\"\nhttps://example.com/2,\"a\n\nb, c\"\n";
    assert_eq!(
        Folder::with(&[("a.csv", notes)]).run(&["cat", "a.csv", "-q"]),
        (
            0,
            "https://example.com/1\nhttps://example.com/2\n".to_owned(),
            String::new()
        )
    );
}

/// A line that is one URL stays one, even if the end of the URL looks like columns.
#[test]
fn every_line_that_is_a_url_is_one() {
    let endings = [
        "/coord/1.5,0.5",
        "?q=1,0.5",
        "/news;2020-01-01",
        "/daily,daily",
        "/x,2020-01-01",
        "/@52.5,13.4",
        "/0,1518,123,00.html",
        "/a;b;c",
        "/,",
        "/;2026-05-01T10:00:00Z;daily;0.8",
        "/,https://example.com/other",
    ];
    let mut texts: Vec<Vec<String>> = endings
        .iter()
        .map(|ending| {
            (1..4)
                .map(|i| format!("https://example.com/{i}{ending}"))
                .collect()
        })
        .collect();
    texts.push(vec![
        "https://example.com/".to_owned(),
        "https://example.com/x,2020-01-01".to_owned(),
    ]);
    texts.push(vec!["https://example.com/x,2020-01-01".to_owned()]);
    texts.push(
        endings
            .map(|ending| format!("https://example.com{ending}"))
            .to_vec(),
    );
    for (urls, end) in sample(
        texts
            .iter()
            .flat_map(|urls| ["\n", "\r\n", "\r"].map(|end| (urls, end))),
    ) {
        let text = urls.join(end) + end;
        let lines = urls.join("\n") + "\n";
        for (name, content) in [
            ("a.txt", text.clone().into_bytes()),
            ("in/b.txt.gz", gzipped(&text)),
        ] {
            let folder = Folder::with(&[(name, content)]);
            let input = name.split('/').next().unwrap();
            for command in [
                "cat IN -q",
                "convert IN --to text -q",
                "repair IN -q",
                "stat IN -q",
                "diff IN IN",
                "lint IN -q",
            ] {
                if input == "in" && command.starts_with("repair") {
                    continue;
                }
                let command = command.replace("IN", input);
                let (status, printed, mut said) = folder.run(&command.split(' ').collect::<Vec<_>>());
                if said.contains(": its lines look like rows of a table") {
                    said = said.lines().skip(1).collect();
                }
                let what = format!("{command} {text:?}: {printed}{said}");
                assert_eq!(status, 0, "{what}");
                if command.starts_with("cat") || command.starts_with("convert") {
                    assert_eq!((printed, said), (lines.clone(), String::new()), "{what}");
                } else if command.starts_with("stat") {
                    assert!(
                        printed.contains(&format!("\nentries      {}\n", urls.len())),
                        "{what}"
                    );
                } else if command.starts_with("repair") {
                    assert_eq!(printed.matches("<loc>").count(), urls.len(), "{what}");
                } else if command.starts_with("diff") {
                    assert!(said.contains(&format!(" {} as before", urls.len())), "{what}");
                }
            }
            let split = ["split", input, "-o", "out", "--base", "https://example.com", "-q"];
            let (status, _, said) = folder.run(&split);
            assert!(
                status == 0 && said.lines().all(|line| line.starts_with("note: ")),
                "{text:?}: {said}"
            );
            assert_eq!(folder.run(&["cat", "out"]).1, lines, "{text:?}");
        }
    }
}

/// Every command that reads such lines prints a note, with -q too, unless --from gives the format.
#[test]
fn lines_like_rows_are_noted() {
    let folder = Folder::with(&[(
        "a.txt",
        "https://example.com/a,2026-05-01\nhttps://example.com/b,\n",
    )]);
    let note = "note: a.txt: its lines look like rows of a table, and are read as URLs: a table has a first line that names its \
                columns, such as `loc,lastmod`\n";
    for (command, status, more) in [
        ("cat a.txt", 0, ""),
        ("convert a.txt --to csv", 0, ""),
        ("split a.txt -o out --base https://example.com -q", 0, ""),
        ("stat a.txt", 0, ""),
        (
            "repair a.txt -o a.xml",
            0,
            "a.txt: 2 URLs, 0 repairs, 0 left out\n",
        ),
        (
            "diff a.txt a.xml",
            0,
            "0 added, 0 removed, 0 changed, 2 as before\n",
        ),
        ("cat a.txt --from text", 0, ""),
    ] {
        let found = folder.run(&command.split(' ').collect::<Vec<_>>());
        let is_told = !command.contains("--from");
        let told = if is_told {
            format!("{note}{more}")
        } else {
            more.to_owned()
        };
        assert_eq!((found.0, found.2), (status, told), "{command}");
    }
    let (status, found, said) = folder.run(&["lint", "a.txt", "--color", "never"]);
    assert_eq!((status, &*said), (0, ""), "{found}");
    assert!(
        found.starts_with(
            "note[P-TXT1]: the lines look like rows of a table, and each is read as one URL\n--> a.txt\n = help: if they are rows, write the \
             URLs alone, or name the columns in a first line, such as `loc,lastmod`\n"
        ),
        "{found}"
    );
}

/// For every command, the user can give the format if the file name or the first bytes are misleading.
#[test]
fn every_reader_can_be_told_the_format() {
    let text = "https://example.com/1\nhttps://example.com/2,2026-05-01\n";
    let xml = format!("<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/1</loc></url></urlset>");
    let folder = Folder::with(&[
        ("text.csv", text),
        ("a.xml", &*xml),
        (
            "table",
            "title,address\nLamp,https://example.com/1\nChair,https://example.com/2\n",
        ),
        (
            "titled.txt",
            "title,loc\nLamp,https://example.com/1\nChair,https://example.com/2\n",
        ),
        ("mixed.txt", "about\nhttps://example.com/1,2026-05-01\n"),
    ]);
    let lines = text.to_owned();
    let two = "https://example.com/1\nhttps://example.com/2\n".to_owned();
    for (command, expected) in [
        ("cat text.csv --from text", (0, lines.clone(), "")),
        ("convert text.csv --from text --to text", (0, lines, "")),
        (
            "diff text.csv text.csv --from text",
            (0, String::new(), "0 added, 0 removed, 0 changed, 2 as before\n"),
        ),
        (
            "cat table --from csv --loc-column address -q",
            (0, two.clone(), ""),
        ),
        (
            "convert table --from csv --loc-column address --to text -q",
            (0, two.clone(), ""),
        ),
        ("cat titled.txt -q", (0, two.clone(), "")),
        ("convert titled.txt --to text -q", (0, two, "")),
        (
            "cat mixed.txt --from text",
            (
                1,
                "https://example.com/1,2026-05-01\n".to_owned(),
                "mixed.txt, line 1: the line `about` is not a URL: a text sitemap has one absolute URL per line, and nothing else (P-TXT1); \
                 write an absolute URL, or remove the line\n",
            ),
        ),
        (
            "cat table --from csv",
            (
                2,
                String::new(),
                "sitemap: table, line 1: no column `loc` among title, address: name the column of the URLs: `--loc-column address`\n",
            ),
        ),
        (
            "cat a.xml --from jsonl",
            (
                2,
                String::new(),
                "sitemap: a.xml begins with `<`, as XML does: leave out `--from jsonl`\n",
            ),
        ),
    ] {
        let (status, printed, said) = expected;
        assert_eq!(
            folder.run(&command.split(' ').collect::<Vec<_>>()),
            (status, printed, said.to_owned()),
            "{command}"
        );
    }
    for command in [
        "lint text.csv --from text --fail-on warning",
        "stat text.csv --from text",
        "repair text.csv --from text",
        "cat a.xml --from xml",
    ] {
        assert_eq!(
            folder.run(&command.split(' ').collect::<Vec<_>>()).0,
            0,
            "{command}"
        );
    }
    for command in ["stat IN", "repair IN", "diff IN a.xml"] {
        let command = command.replace("IN", "table") + " --from csv";
        let (status, _, said) = folder.run(&command.split(' ').collect::<Vec<_>>());
        assert_eq!(
            (status, said.lines().next()),
            (
                2,
                Some(
                    "sitemap: table: by `--from` this is CSV: `sitemap convert table --from csv --to xml` makes a sitemap of it"
                )
            ),
            "{command}"
        );
    }
    let split = "split titled.txt -o out --base https://example.com -q";
    assert_eq!(
        folder.run(&split.split(' ').collect::<Vec<_>>()),
        (0, String::new(), String::new())
    );
}

/// Tables, texts and JSON with a bare carriage return as the line ending.
#[test]
fn carriage_returns_end_lines() {
    for (name, text) in [
        (
            "a.csv",
            "loc,note\rhttps://example.com/1,x\rhttps://example.com/2,\"y\rz\"\r",
        ),
        ("a.txt", "https://example.com/1\rhttps://example.com/2"),
        (
            "a.jsonl",
            "{\"loc\":\"https://example.com/1\"}\r{\"loc\":\"https://example.com/2\"}\r",
        ),
    ] {
        let folder = Folder::with(&[(name, text)]);
        for command in ["cat IN -q", "convert IN --to text -q"] {
            let command = command.replace("IN", name);
            assert_eq!(
                folder.run(&command.split(' ').collect::<Vec<_>>()),
                (
                    0,
                    "https://example.com/1\nhttps://example.com/2\n".to_owned(),
                    String::new()
                ),
                "{command}"
            );
        }
    }
    let folder = Folder::with(&[(
        "a.csv",
        "loc,note\rhttps://example.com/1,\"x\rhttps://example.com/2,y\r",
    )]);
    assert_eq!(
        folder.run(&["convert", "a.csv", "--to", "text", "--lenient", "-q"]),
        (
            1,
            "https://example.com/2\n".to_owned(),
            "a.csv, line 2: a quote that does not end\n".to_owned()
        )
    );
}

/// Both commands report rows of sitemaps among rows of pages. A document of sitemaps is an index.
#[test]
fn rows_have_one_kind() {
    let rows = |kinds: &[&str]| {
        let row = |(number, kind): (usize, &&str)| format!("{},{kind}\n", loc(number));
        "loc,kind\n".to_owned() + &kinds.iter().enumerate().map(row).collect::<String>()
    };
    let folder = Folder::with(&[
        ("pages.csv", rows(&["url", "sitemap", ""])),
        ("sitemaps.csv", rows(&["sitemap", "url"])),
        ("good.csv", rows(&["", "url", ""])),
    ]);
    for (name, line, problem) in [
        (
            "pages.csv",
            3,
            "an entry of a sitemapindex, and those before it are of a urlset",
        ),
        (
            "sitemaps.csv",
            3,
            "an entry of a urlset, and those before it are of a sitemapindex",
        ),
    ] {
        for command in [
            "convert IN --to xml",
            "split IN good.csv -o out --base https://example.com",
        ] {
            let arguments = command.replace("IN", name);
            let (status, _, said) = folder.run(&arguments.split(' ').collect::<Vec<_>>());
            let expected =
                format!("sitemap: {name}, line {line}: {problem}; --on-invalid drop leaves it out\n");
            assert_eq!((status, said), (2, expected), "{arguments}");
        }
    }
    let split = "split pages.csv good.csv -o out --base https://example.com --on-invalid skip -q";
    assert_eq!(
        folder.run(&split.split(' ').collect::<Vec<_>>()),
        (
            1,
            String::new(),
            "pages.csv, line 3: an entry of a sitemapindex, and those before it are of a urlset\n".to_owned()
        )
    );
    // A minority of URLs with the extension .xml is reported.
    let folder = Folder::with(&[(
        "a.txt",
        "https://example.com/a.xml\nhttps://example.com/b\nhttps://example.com/c\n",
    )]);
    assert_eq!(
        folder.run(&["convert", "a.txt", "--to", "xml", "-o", "a.xml"]),
        (
            0,
            String::new(),
            "note: 1 of 3 URLs names a .xml file, as in an index: written as pages\n".to_owned()
        )
    );
}

/// An index in a folder is read as an index, wherever the listed files are: no sitemap is printed as a page, and missing files are
/// reported.
#[test]
fn an_index_in_a_folder_is_an_index() {
    let index = |urls: &[&str]| {
        let entry = |url: &&str| format!("<sitemap><loc>https://example.com/{url}</loc></sitemap>");
        let entries: String = urls.iter().map(entry).collect();
        format!("<sitemapindex xmlns=\"{CORE}\">{entries}</sitemapindex>")
    };
    let page = |number: usize| {
        format!(
            "<urlset xmlns=\"{CORE}\"><url><loc>{}</loc></url></urlset>",
            loc(number)
        )
    };
    let none =
        "sitemap: cannot open https://example.com/1.xml: in/index.xml lists it, and no file has its path";
    let (one, two) = (page(1), page(2));
    type Case<'c> = (
        &'c str,
        &'c [&'c str],
        &'c [(&'c str, &'c str)],
        &'c [usize],
        i32,
        String,
    );
    let cases: [Case<'_>; 7] = [
        ("none of one", &["1.xml"], &[], &[], 2, format!("{none}\n")),
        (
            "none of two",
            &["1.xml", "2.xml"],
            &[],
            &[],
            2,
            format!("{none} (nor another one)\n"),
        ),
        (
            "a folder",
            &["1.xml"],
            &[("1.xml/x", "")],
            &[],
            2,
            format!("{none}\n"),
        ),
        (
            "one of two",
            &["1.xml", "2.xml"],
            &[("1.xml", &one)],
            &[1],
            2,
            "sitemap: cannot open in/2.xml: in/index.xml lists it, and there is no such file\n".to_owned(),
        ),
        (
            "both",
            &["1.xml", "2.xml"],
            &[("1.xml", &one), ("2.xml", &two)],
            &[1, 2],
            0,
            String::new(),
        ),
        (
            "a query",
            &["1.xml?v=1", "2.xml?v=1"],
            &[("1.xml", &one), ("2.xml", &two)],
            &[1, 2],
            0,
            String::new(),
        ),
        ("nothing", &[], &[], &[], 0, String::new()),
    ];
    for (case, urls, files, pages, status, told) in cases {
        let folder = Folder::with(&[("in/index.xml", index(urls))]);
        for (name, content) in files {
            folder.write(&format!("in/{name}"), content);
        }
        let expected: String = pages.iter().map(|page| loc(*page) + "\n").collect();
        let (found, printed, said) = folder.run(&["cat", "in", "-q"]);
        let said: String = said
            .split_inclusive('\n')
            .filter(|line| !line.contains(" could not be read to the end"))
            .collect();
        assert_eq!((found, printed, said), (status, expected, told.clone()), "{case}");
        let (found, printed, said) = folder.run(&["stat", "in", "-q"]);
        assert!(said.contains(&told), "{case}: {said}");
        assert_eq!(
            (
                found,
                printed.contains(&format!("\nentries      {}\n", pages.len()))
            ),
            (status, true),
            "{case}: {printed}"
        );
        let (found, _, said) = folder.run(&["convert", "in", "--to", "csv", "-q"]);
        assert_eq!((found, said), (status, told), "{case}");
    }
    // A dangling link only matters if an index lists it.
    #[cfg(unix)]
    for (urls, status) in [(&["1.xml"][..], 0), (&["1.xml", "2.xml"], 2)] {
        let folder = Folder::with(&[("in/index.xml", index(urls)), ("in/1.xml", page(1))]);
        std::os::unix::fs::symlink("nothing", folder.path("in/2.xml")).unwrap();
        let (found, printed, said) = folder.run(&["cat", "in"]);
        assert_eq!((found, &*printed), (status, "https://example.com/1\n"), "{said}");
        assert!(said.contains("2.xml"), "{said}");
    }
}

/// The last line of a JSON repair report counts all its other lines.
#[test]
fn a_report_in_json_counts_its_lines() {
    let entries = [
        "<url/>",
        "<url><loc>{{a}}</loc></url>",
        "<url><loc>https://example.com/{{a}}</loc><lastmod>2026/5/1</lastmod></url>",
        "<url><loc>https://example.com/a b</loc></url>",
        "<url><loc> https://example.com/ </loc><priority>7</priority></url>",
        "<url><loc>/relative</loc><loc>https://example.com/2</loc></url>",
        "<url><loc>https://example.com/x</loc>text</url>",
        "<url><loc>javascript:x</loc></url>",
    ];
    let pairs = entries.iter().flat_map(|a| entries.iter().map(move |b| (a, b)));
    for ((a, b), c) in sample(pairs.flat_map(|pair| entries.iter().map(move |c| (pair, c)))) {
        // An empty sitemap is not written.
        let kept = "<url><loc>https://example.com/kept</loc></url>";
        let document = format!("<urlset xmlns=\"{CORE}\">{a}{b}{c}{kept}</urlset>");
        let (_, _, said) = Folder::empty().pipe(&document, &["repair", "-", "--format", "json"]);
        let lines: Vec<serde_json::Value> = said
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let (summary, lines) = lines.split_last().unwrap();
        let skipped = lines.iter().filter(|line| line["type"] == "skipped").count();
        assert_eq!(summary["skipped"], skipped, "{document}\n{said}");
        assert_eq!(summary["repairs"], lines.len() - skipped, "{document}\n{said}");
        let rules = summary["rules"]
            .as_array()
            .unwrap()
            .iter()
            .map(|rule| rule["count"].as_u64().unwrap());
        assert_eq!(summary["repairs"], rules.sum::<u64>(), "{document}\n{said}");
    }
}

/// `--base` completes paths and leaves other values unchanged, in every format and with every policy.
#[test]
fn a_base_completes_paths_alone() {
    let rows = [
        "/a",
        "https://www.example.com/b",
        "https://other.example/c",
        "//host.example/d",
        "e",
    ];
    let xml: String = rows
        .iter()
        .flat_map(|row| ["<url><loc>", row, "</loc></url>"])
        .collect();
    let json: String = rows
        .iter()
        .flat_map(|row| ["{\"loc\":\"", row, "\"}\n"])
        .collect();
    let folder = Folder::with(&[
        ("a.xml", format!("<urlset xmlns=\"{CORE}\">{xml}</urlset>")),
        ("a.txt", rows.join("\n")),
        ("a.csv", format!("loc\n{}\n", rows.join("\n"))),
        ("a.jsonl", json),
    ]);
    for name in ["a.xml", "a.txt", "a.csv", "a.jsonl"] {
        let of = |more: &str| {
            let command = format!("convert {name} --to text --base https://example.com -q{more}");
            folder.run(&command.split(' ').collect::<Vec<_>>())
        };
        for more in [" --on-invalid skip", " --on-invalid drop"] {
            let (status, printed, said) = of(more);
            assert_eq!(
                (status, &*printed),
                (
                    1,
                    "https://example.com/a\nhttps://www.example.com/b\nhttps://other.example/c\n"
                ),
                "{name}{more}: {said}"
            );
            assert_eq!(said.lines().count(), 2, "{name}{more}: {said}");
            assert!(
                !said.contains("--base") && !said.contains("cross"),
                "{name}{more}: {said}"
            );
        }
        let (status, _, said) = of("");
        assert_eq!(status, 2, "{name}: {said}");
        assert!(
            said.contains("`//host.example/d`") && said.lines().count() == 1,
            "{name}: {said}"
        );
    }
    for base in ["example.com", "", "/", "ftp://example.com"] {
        let (status, printed, said) = folder.run(&["convert", "a.txt", "--to", "text", "--base", base]);
        assert_eq!((status, &*printed), (2, ""), "{said}");
        assert!(
            said.starts_with("sitemap: --base: ") && !said.contains("entry"),
            "{said}"
        );
    }
}
