//! `lint --fix` of dates in every unambiguous form.

use std::fmt::Write as _;

use crate::folder::{CORE, Folder};

/// Texts for 5 January 2026, each with its W3C Datetime.
fn dates() -> Vec<(String, String)> {
    let days = [
        "2026-01-05",
        "2026-1-5",
        "2026/01/05",
        "2026/1/05",
        "2026.01.5",
        "20260105",
    ];
    let times = [
        ("10:07:09", "10:07:09"),
        ("10:7:9", "10:07:09"),
        ("100709", "10:07:09"),
        ("10:07", "10:07"),
        ("10:07:09,5", "10:07:09.5"),
    ];
    let zones = [
        ("Z", "Z"),
        ("z", "Z"),
        (" UTC", "Z"),
        ("gmt", "Z"),
        ("+02:00", "+02:00"),
        ("+0200", "+02:00"),
        (" +0200", "+02:00"),
        ("-08", "-08:00"),
    ];
    let mut dates: Vec<(String, String)> = Vec::new();
    for day in days {
        dates.push((day.to_owned(), "2026-01-05".to_owned()));
        dates.push((format!("{day}Z"), "2026-01-05".to_owned()));
        for separator in ["T", "t", " ", "  "] {
            for (time, time_meant) in times {
                for (zone, zone_meant) in zones {
                    let meant = format!("2026-01-05T{time_meant}{zone_meant}");
                    dates.push((format!("{day}{separator}{time}{zone}"), meant));
                }
            }
        }
    }
    for day in [
        "Mon, 05 Jan 2026",
        "5 January 2026",
        "mon,05 jan 26",
        "5 Jan 2026",
        "Monday, 5 Jan 2026",
    ] {
        dates.push((day.to_owned(), "2026-01-05".to_owned()));
        for (zone, meant) in [
            ("GMT", "Z"),
            ("UT", "Z"),
            ("+0000", "+00:00"),
            ("-0830", "-08:30"),
            ("+01:00", "+01:00"),
            ("EST", "-05:00"),
            ("PDT", "-07:00"),
        ] {
            dates.push((
                format!("{day} 10:07:09 {zone}"),
                format!("2026-01-05T10:07:09{meant}"),
            ));
            dates.push((
                format!("{day} 10:07 {zone}"),
                format!("2026-01-05T10:07:00{meant}"),
            ));
        }
    }
    dates
}

fn urlset<'a>(dates: impl Iterator<Item = &'a str>) -> String {
    let mut entries = String::new();
    for (i, date) in dates.enumerate() {
        let _ = writeln!(
            entries,
            "<url><loc>https://example.com/{i}</loc><lastmod>{date}</lastmod></url>"
        );
    }
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\">\n{entries}</urlset>\n")
}

#[test]
fn every_clear_date_is_mended() {
    let dates = dates();
    assert!(dates.len() > 1000);
    let folder = Folder::with(&[("a.xml", urlset(dates.iter().map(|(date, _)| &**date)))]);
    let arguments = [
        "lint",
        "a.xml",
        "--fix",
        "--fail-on",
        "warning",
        "--now",
        "2026-06-01",
    ];
    let (status, _, told) = folder.run(&arguments);
    assert_eq!(
        folder.read("a.xml"),
        urlset(dates.iter().map(|(_, meant)| &**meant))
    );
    assert_eq!(status, 0, "{told}");
    let wrong = dates.iter().filter(|(date, meant)| date != meant).count();
    let end = format!("fixed: {} in 1 file\n", counted(wrong));
    assert!(told.ends_with(&end), "{told}");
}

fn counted(values: usize) -> String {
    format!("{},{:03} values", values / 1000, values % 1000)
}

#[test]
fn a_date_with_two_meanings_is_left_alone() {
    let unclear = [
        "05/01/2026",
        "05.01.2026",
        "01-05-26",
        "2026-01-05 10:07",
        "2026-01-05T10:07:09",
        "2026-02-30",
        "2026-13-01",
        "1767571629",
        "Monday",
        "Feb 30, 2026",
        "30 Feb 2026",
    ];
    let document = urlset(unclear.into_iter());
    let folder = Folder::with(&[("a.xml", &document)]);
    let (status, _, told) = folder.run(&["lint", "a.xml", "--fix", "--fail-on", "warning"]);
    assert_eq!((status, &*told), (1, "fixed: 0 values in 0 files\n"));
    assert_eq!(folder.read("a.xml"), document);
}

/// A fix replaces only the text of the value, in attributes, CDATA and elements. SARIF contains the same fix.
#[test]
fn a_value_is_mended_where_it_stands() {
    let document = |[date, cdata, hreflang, comment]: [&str; 4]| {
        format!(
            "\u{FEFF}<urlset xmlns=\"{CORE}\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
             xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">\n\
             <url><loc>https://example.com/é?a&amp;b</loc></url>\n\
             <url><loc>https://example.com/</loc><lastmod><![CDATA[{cdata}]]></lastmod>\n\
             <xhtml:link rel='alternate' hreflang='{hreflang}' href='https://example.com/'/>\n\
             <news:news><news:publication><news:name>x</news:name><news:language>en</news:language></news:publication>\n\
             <news:publication_date> {date} </news:publication_date><news:title>x</news:title></news:news></url>\n\
             <url><loc>https://example.com/2</loc><lastmod>{comment}</lastmod></url>\n</urlset>\n"
        )
    };
    let wrong = document(["2026/5/1", "2026/5/2", "en-UK", "2026<!-- -->/5/3"]);
    let folder = Folder::with(&[("a.xml", &wrong)]);
    let (_, log, _) = folder.run(&["lint", "a.xml", "--format", "sarif"]);
    let log: serde_json::Value = serde_json::from_str(&log).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let mut applied = wrong.clone();
    for result in results.iter().rev().filter(|result| !result["fixes"].is_null()) {
        let replacement = &result["fixes"][0]["artifactChanges"][0]["replacements"][0];
        let number = |name: &str| {
            let number = replacement["deletedRegion"][name].as_u64().unwrap();
            usize::try_from(number).unwrap()
        };
        let (start, len) = (number("byteOffset"), number("byteLength"));
        let text = replacement["insertedContent"]["text"].as_str().unwrap();
        applied.replace_range(start..start + len, text);
    }
    let (_, _, told) = folder.run(&["lint", "a.xml", "--fix"]);
    let right = document(["2026-05-01", "2026-05-02", "en-GB", "2026<!-- -->/5/3"]).replace('é', "%C3%A9");
    assert_eq!(folder.read("a.xml"), right);
    assert_eq!(applied, right);
    assert_eq!(
        told,
        "fixed: a.xml: entry 1 · loc: `https://example.com/é?a&b` -> `https://example.com/%C3%A9?a&b` (P-LOCENC)\n\
         fixed: a.xml: entry 2 · lastmod: `2026/5/2` -> `2026-05-02` (P-LASTMOD)\n\
         fixed: a.xml: entry 2 · xhtml:link · @hreflang: `en-UK` -> `en-GB` (P-ALT5)\n\
         fixed: a.xml: entry 2 · news:news · news:publication_date: `2026/5/1` -> `2026-05-01` (P-NEWS3)\n\
         fixed: 4 values in 1 file\n"
    );
}

#[test]
fn elements_are_removed_with_their_lines() {
    let index = |more: &str| {
        format!(
            "<sitemapindex xmlns=\"{CORE}\">\n  <sitemap>\n    <loc>https://example.com/1.xml</loc>\n{more}  \
             </sitemap>\n</sitemapindex>\n"
        )
    };
    let more = "    <changefreq>daily</changefreq> <priority>0.5</priority> <!-- x -->\n";
    let folder = Folder::with(&[("a.xml", index(more))]);
    assert_eq!(folder.run(&["lint", "a.xml", "--fix"]).0, 0);
    assert_eq!(folder.read("a.xml"), index(""));
}

#[test]
fn a_stylesheet_in_xslt_is_removed_with_its_line() {
    let style = "<?xml-stylesheet type=\"text/xsl\" href=\"/sitemap.xsl\"?>";
    let document = |style: &str| {
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- {} -->\n{style}<urlset xmlns=\"{CORE}\">\n\
             <url><loc>https://example.com/</loc></url>\n</urlset>\n",
            "x".repeat(5000)
        )
    };
    let styled = document(&format!("{style}\n"));
    let folder = Folder::with(&[("a.xml", styled.as_str())]);
    let (status, _, said) = folder.run(&["lint", "a.xml", "--fix"]);
    assert_eq!((status, folder.read("a.xml")), (0, document("")));
    assert_eq!(
        said,
        format!(
            "fixed: a.xml: `{}` -> removed (L-XSLT)\nfixed: 1 value in 1 file\n",
            style.escape_debug()
        )
    );
    // If the stylesheet cannot be removed, the file is unchanged and the message gives the reason.
    let declared = styled.replace(style, &format!("{style}<!DOCTYPE urlset>"));
    folder.write("a.xml", &declared);
    let (status, _, said) = folder.run(&["lint", "a.xml", "--fix"]);
    assert_eq!((status, folder.read("a.xml")), (2, declared));
    assert!(
        said.starts_with("not fixed: a.xml: the document has a DOCTYPE"),
        "{said}"
    );
}

/// `patch` applies the output of `--fix --diff` for any file name.
#[cfg(unix)]
#[test]
fn patch_reads_every_name() {
    let dates = ["2026/5/1"];
    for name in [
        "a.xml",
        "a b.xml",
        "a\tb.xml",
        "a \"b\" \\ é.xml",
        "a\nb c.xml",
        "é ü.xml",
        " a.xml",
    ] {
        let folder = Folder::with(&[(name, urlset(dates.into_iter()))]);
        let (status, diff, told) = folder.run(&["lint", name, "--fix", "--diff"]);
        assert_eq!(status, 1, "{name:?}: {told}");
        let mut patch = std::process::Command::new("patch");
        patch
            .arg("-p0")
            .current_dir(folder.path(""))
            .stdin(std::process::Stdio::piped());
        let Ok(mut patch) = patch.stdout(std::process::Stdio::null()).spawn() else {
            eprintln!("skipped: there is no patch");
            return;
        };
        std::io::Write::write_all(&mut patch.stdin.take().unwrap(), diff.as_bytes()).unwrap();
        assert!(patch.wait().unwrap().success(), "{name:?}: {diff}");
        assert_eq!(folder.read(name), urlset(["2026-05-01"].into_iter()), "{name:?}");
        assert_eq!(folder.names(), [name]);
    }
}

/// The last line of a lint gives the number of fixable problems and the command. `--fix` then fixes this number.
#[test]
fn totals_say_what_can_be_fixed() {
    let xml = |entries: &str| {
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\">\n{entries}</urlset>\n")
    };
    let fixable = "<url><loc>https://example.com/a b</loc><lastmod>2026/5/1</lastmod></url>\n";
    let unclear = "<url><loc>https://example.com/c</loc><lastmod>1.5.2026</lastmod></url>\n";
    let text = "https://example.com/é\nhttps://example.com/c\n";
    let malformed = xml("<url><loc>https://example.com/?a&b</loc></url>\n");
    for (files, told, fixed) in [
        (
            vec![("a.xml", xml("<url><loc>https://example.com/</loc></url>\n"))],
            "",
            0,
        ),
        (
            vec![("a.xml", xml(unclear))],
            "`sitemap repair a.xml` fixes or leaves out other invalid parts, and reports each\n",
            0,
        ),
        (
            vec![
                ("a.xml", xml(fixable)),
                ("b.xml", xml(fixable).replace("com", "org")),
            ],
            "4 of 4 can be fixed by `sitemap lint --fix FILES`\n",
            4,
        ),
        (
            vec![("a.xml", xml(fixable))],
            "2 of 2 can be fixed by `sitemap lint --fix a.xml`\n",
            2,
        ),
        (
            vec![("a.xml", xml(&format!("{fixable}{unclear}")))],
            "2 of 3 can be fixed by `sitemap lint --fix a.xml`; `sitemap repair a.xml` fixes or leaves out other invalid parts, and reports each\n",
            2,
        ),
        (
            vec![("a.xml", xml(fixable)), ("a b.txt", text.to_owned())],
            "2 of 3 can be fixed by `sitemap lint --fix a.xml`, and 1 by `sitemap repair 'a b.txt'`\n",
            2,
        ),
        (
            vec![
                ("a.txt", text.to_owned()),
                ("b.txt", text.replace(".com", ".org")),
            ],
            "2 of 2 can be fixed by `sitemap repair FILE`\n",
            0,
        ),
        (
            vec![("a.xml", malformed.clone())],
            "1 file is malformed: `sitemap repair a.xml` reads what can be read\n",
            0,
        ),
        (
            vec![
                ("a.xml", malformed.clone()),
                ("b.xml", malformed.replace("?a", "?c")),
            ],
            "2 files are malformed: `sitemap repair FILE` reads what can be read\n",
            0,
        ),
        (
            vec![("a.xml", xml(fixable)), ("b.xml", malformed)],
            "2 of 3 can be fixed by `sitemap lint --fix a.xml`; 1 file is malformed: `sitemap repair b.xml` reads what can be read\n",
            2,
        ),
    ] {
        let folder = Folder::with(&files);
        let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        let (_, said, _) = folder.run(&[&["lint"], &names[..]].concat());
        let (_, after) = said
            .rsplit_once(" notes\n")
            .or_else(|| said.rsplit_once(" note\n"))
            .unwrap();
        assert_eq!(after, told, "{said}");
        let (_, json, _) = folder.run(&[&["lint", "--format", "json"], &names[..]].concat());
        let summary: serde_json::Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
        assert_eq!(summary["fixable"], fixed, "{json}");
        let (_, _, said) = folder.run(&[&["lint", "--fix"], &names[..]].concat());
        let values = if fixed == 1 { "value" } else { "values" };
        assert!(said.contains(&format!("fixed: {fixed} {values} in ")), "{said}");
    }
}

/// In every format, the totals name exactly the commands that fix a finding.
#[test]
fn every_format_names_the_commands_that_mend() {
    let document = |entries: &str| {
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\">\n{entries}</urlset>\n")
    };
    let entry = |rest: &str| document(&format!("<url><loc>https://example.com/</loc>{rest}</url>\n"));
    for (text, told) in [
        (entry(""), None),
        // Nothing to fix.
        (
            entry("<priority>0.5</priority><lastmod>2026-05-01</lastmod>"),
            None,
        ),
        (
            entry("<lastmod>2026/5/1</lastmod>"),
            Some("1 of 1 can be fixed by `sitemap lint --fix a.xml`"),
        ),
        (
            entry("<lastmod>yesterday</lastmod>"),
            Some("`sitemap repair a.xml` fixes or leaves out other invalid parts, and reports each"),
        ),
        (
            document("<url><loc>https://example.com/?a=1&amp;amp;b=2</loc></url>\n"),
            Some("`sitemap repair a.xml` fixes or leaves out other invalid parts, and reports each"),
        ),
        (
            document("<url><loc>https://example.com/?a&b</loc><lastmod>2026/5/1</lastmod></url>\n"),
            Some(
                "1 of 2 can be fixed by `sitemap repair a.xml`; 1 file is malformed: `sitemap repair a.xml` reads what can be read",
            ),
        ),
    ] {
        let folder = Folder::with(&[("a.xml", &text)]);
        let lint = |format: &str| folder.run(&["lint", "a.xml", "--format", format]);
        let end = |said: &str| {
            let last = said.lines().last().unwrap_or_default();
            last.contains('`').then(|| last.to_owned())
        };
        assert_eq!(end(&lint("human").1).as_deref(), told, "{text}");
        for format in ["github", "sarif", "html"] {
            assert_eq!(end(&lint(format).2).as_deref(), told, "{format}: {text}");
        }
        let (_, page, _) = lint("html");
        let shown = told.map(|told| format!("<p>{}.</p>", prose(told)));
        assert!(shown.is_none_or(|shown| page.contains(&shown)), "{page}");
        let (_, _, fixed) = folder.run(&["lint", "a.xml", "--fix", "--diff"]);
        let is_malformed = told.is_some_and(|told| told.contains("malformed"));
        let pointer = "; `sitemap repair a.xml` reads what can be read\n";
        assert_eq!(fixed.ends_with(pointer), is_malformed, "{fixed}");
    }
}

/// A message as an HTML report shows it, with its code in `code` elements.
fn prose(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts
        .map(|(i, part)| {
            if i % 2 == 1 {
                format!("<code>{part}</code>")
            } else {
                part.to_owned()
            }
        })
        .collect()
}
