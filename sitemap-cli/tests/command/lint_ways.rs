//! The findings of `sitemap lint` do not depend on how the document is passed.

use serde_json::Value;

use crate::folder::{CORE, Folder, gzipped};

/// Documents whose location is `OWN`. Each breaks rules about sets.
fn documents() -> Vec<(&'static str, String, Vec<&'static str>)> {
    let list = |root: &str, entry: &str, items: &[&str]| {
        let items: Vec<_> = items
            .iter()
            .map(|item| format!("<{entry}>{item}</{entry}>\n"))
            .collect();
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{root} xmlns=\"{CORE}\" \
             xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n{}</{root}>\n",
            items.concat()
        )
    };
    let link = "<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/>\
                <xhtml:link rel=\"alternate\" hreflang=\"x-default\" href=\"https://example.com/\"/>";
    vec![
        (
            "an index that lists itself",
            list(
                "sitemapindex",
                "sitemap",
                &[
                    "<loc>https://example.com/sitemap.php?page=1</loc>",
                    "<loc>OWN</loc>",
                ],
            ),
            vec!["P-NEST"],
        ),
        (
            "a page twice, elsewhere, and with a link that is not returned",
            list(
                "urlset",
                "url",
                &[
                    "<loc>https://example.com/en</loc>",
                    "<loc>https://example.com/en</loc>",
                    "<loc>https://example.org/</loc>",
                    &format!("<loc>https://example.com/</loc>{link}"),
                ],
            ),
            vec!["P-HOST", "L-DUPLOC", "P-ALT4"],
        ),
    ]
}

/// The rule, line, entry and message of each finding, with `OWN` for the location.
fn found(said: &str, own: &str) -> Vec<(String, u64, u64, String)> {
    said.lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|object| object["type"] == "diagnostic")
        .map(|object| {
            let text = |key: &str| object[key].as_str().unwrap().replace(own, "OWN");
            let number = |key: &str| object[key].as_u64().unwrap_or_default();
            (text("rule"), number("line"), number("entry"), text("message"))
        })
        .collect()
}

#[test]
fn findings_do_not_depend_on_the_way_of_a_document() {
    const SITE: &str = "https://example.com/";
    for (name, document, expected) in documents() {
        let mut first = None;
        for file in ["sitemap.xml", "sitemap.xml.gz"] {
            let own = format!("{SITE}{file}");
            let text = document.replace("OWN", &own);
            let bytes = if file == "sitemap.xml" {
                text.into_bytes()
            } else {
                gzipped(&text)
            };
            let folder = Folder::with(&[(&*format!("site/{file}"), &bytes)]);
            let path = format!("site/{file}");
            let ways = [
                vec![&*path, "--location", &own],
                vec!["-", "--location", &own],
                vec!["/dev/stdin", "--location", &own],
                vec!["site", "--location", SITE],
                vec![&*path, "--config", "sitemap.toml"],
                vec!["site", "--config", "sitemap.toml"],
            ];
            folder.write(
                "sitemap.toml",
                format!("[lint]\nroot = \"site\"\nlocation = \"{SITE}\"\n"),
            );
            for way in ways {
                if cfg!(not(unix)) && way[0] == "/dev/stdin" {
                    continue;
                }
                let input: &[u8] = if way[0].ends_with("xml") || way[0] == "site" {
                    b""
                } else {
                    &bytes
                };
                let arguments = [&["lint", "--format", "json"], &way[..]].concat();
                let (_, said, told) = folder.pipe(input, &arguments);
                assert_eq!(told, "", "{name}: {way:?}");
                let found = found(&said, &own);
                let rules: Vec<_> = found.iter().map(|(rule, ..)| rule.as_str()).collect();
                assert_eq!(rules, expected, "{name}: {way:?}");
                assert_eq!(
                    first.get_or_insert_with(|| found.clone()),
                    &found,
                    "{name}: {way:?}"
                );
            }
        }
    }
}

/// Every format reports that findings were left out, even without totals.
#[test]
fn every_format_says_how_much_is_not_reported() {
    const LEFT_OUT: &str =
        "100 more problems not reported: too many in one entry, or too many possible duplicates";
    let document = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\">\n\
         <url><loc>https://example.com/</loc>{}</url>\n</urlset>\n",
        "<own/>".repeat(1100)
    );
    let folder = Folder::with(&[("a.xml", document)]);
    let said = |more: &[&str]| {
        let (status, said, told) = folder.run(&[&["lint", "a.xml", "--fail-on", "never"], more].concat());
        assert_eq!(status, 0, "{told}");
        (said, told)
    };
    let total = |text: &str| {
        text.lines()
            .last()
            .is_some_and(|line| line.ends_with(&format!("; {LEFT_OUT}")))
    };
    let (human, told) = said(&[]);
    assert!(total(&human) && told.is_empty(), "{human}");
    assert_eq!(said(&["--quiet"]).1, format!("{LEFT_OUT}\n"));
    let (github, told) = said(&["--format", "github"]);
    assert_eq!(github.lines().last(), Some(&*format!("::warning::{LEFT_OUT}")));
    assert!(total(&told), "{told}");
    let (json, _) = said(&["--format", "json"]);
    let summary: Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    assert_eq!(summary["dropped"], 100);
    let (sarif, told) = said(&["--format", "sarif"]);
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(
        sarif["runs"][0]["invocations"],
        serde_json::json!([{
            "executionSuccessful": true,
            "toolExecutionNotifications": [{ "level": "warning", "message": { "text": LEFT_OUT } }],
        }])
    );
    assert!(total(&told), "{told}");
}

/// An index that lists another index, in files of any kind and in any folder.
#[test]
fn an_index_in_an_index_is_found_in_any_file() {
    for (outer, inner) in [
        ("a.xml", "b.xml"),
        ("a.xml.gz", "b.xml.gz"),
        ("a.xml", "b/c.xml.gz"),
    ] {
        let index = |loc: &str| {
            format!(
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex xmlns=\"{CORE}\">\n\
                 <sitemap><loc>https://example.com/{loc}</loc></sitemap>\n</sitemapindex>\n"
            )
        };
        let bytes = |name: &str, text: String| {
            if name.contains(".gz") {
                gzipped(&text)
            } else {
                text.into_bytes()
            }
        };
        let folder = Folder::with(&[
            (&*format!("site/{outer}"), bytes(outer, index(inner))),
            (
                &*format!("site/{inner}"),
                bytes(inner, index("b/sitemap.php?page=1")),
            ),
        ]);
        let location = ["--location", "https://example.com/"];
        let (status, said, _) = folder.run(&[&["lint", "site", "--format", "json"], &location[..]].concat());
        let found = found(&said, "https://example.com/");
        let rules: Vec<_> = found.iter().map(|(rule, ..)| rule.as_str()).collect();
        assert_eq!((status, rules), (1, vec!["P-NEST"]), "{outer} {inner}");
    }
}
