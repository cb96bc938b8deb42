//! `--format html` of `lint` and `stat`: single-file pages that escape everything from a document.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use html5gum::{Token, Tokenizer};

use crate::folder::{CORE, Folder};

/// Texts that would become markup, code or invisible if they were not escaped.
const HOSTILE: [&str; 10] = [
    "<hostile hostile=1>",
    "</title></style></head><hostile>",
    "\"><hostile hostile=\"",
    "'><hostile onload='hostile()'>",
    "<script>hostile()</script>",
    "<!-- <hostile> --!> ]]> <![CDATA[ <hostile>",
    "&lt;hostile&gt; &amp;lt;hostile&amp;gt; &#60;hostile>",
    "`<hostile>` ``` <svg onload=hostile()>",
    "javascript:hostile()//\u{2028}</ol></details><hostile>",
    "hostile\u{202E}\u{2066}\u{200F}\u{85}\u{7F}<hostile>",
];

/// The tags with attributes of a page, and its text. Asserts that the page is well-formed and loads nothing.
#[track_caller]
fn markup(page: &str) -> (BTreeSet<String>, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let (mut open, mut names, mut texts) = (Vec::new(), BTreeSet::new(), String::new());
    for token in Tokenizer::new(page) {
        match token.unwrap() {
            Token::StartTag(tag) => {
                let name = text(&tag.name);
                for (attribute, value) in &tag.attributes {
                    let value = text(value);
                    assert!(
                        !matches!(attribute.as_slice(), b"src" | b"href"),
                        "{name} has an address: {value}"
                    );
                    assert!(name == "meta" || !value.contains("hostile"), "{name}: {value}");
                    names.insert(format!("{name}[{}]", text(attribute)));
                }
                if name != "meta" && name != "br" {
                    open.push(name.clone());
                }
                names.insert(name);
            }
            Token::EndTag(tag) => assert_eq!(open.pop(), Some(text(&tag.name))),
            Token::String(string) => texts.push_str(&text(&string)),
            Token::Doctype(_) => {}
            Token::Comment(comment) => panic!("a comment: {comment:?}"),
            Token::Error(error) => panic!("not well-formed: {error:?}"),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    let is_unseen = |c: char| {
        c.is_control() && c != '\n'
            || matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    assert_eq!(page.chars().find(|c| is_unseen(*c)), None);
    assert!(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'\""));
    (names, texts)
}

/// A document with the text in every place that a page shows.
fn document(hostile: &str) -> String {
    let xml = hostile
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
        .replace("]]>", "]]&gt;");
    let xml = xml.replace(['\u{85}', '\u{7F}'], "");
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
         xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\">\n\
         <url><loc>https://example.com/{xml}</loc><lastmod>{xml}</lastmod><changefreq>{xml}</changefreq></url>\n\
         <url><loc>{xml}</loc><priority>{xml}</priority></url>\n\
         <url><loc>https://{xml}.example/</loc><x title=\"{xml}\">{xml}</x></url>\n\
         <url><loc>https://example.com/a</loc><lastmod>2026-05-01</lastmod>\
         <xhtml:link rel=\"alternate\" hreflang=\"{xml}\" href=\"{xml}\"/><video:video><video:title>{xml}</video:title></video:video></url>\n\
         </urlset>\n"
    )
}

#[test]
fn nothing_of_a_document_is_markup() {
    let harmless = Folder::with(&[("a.xml", document("harmless").as_str())]);
    for command in ["lint", "stat"] {
        let tags = |folder: &Folder| {
            let (_, page, said) = folder.run(&[command, ".", "--format", "html"]);
            assert!(page.starts_with("<!DOCTYPE html>\n"), "{said}");
            markup(&page)
        };
        let (allowed, _) = tags(&harmless);
        assert!(
            allowed.contains("main") && !allowed.contains("script"),
            "{allowed:?}"
        );
        for hostile in HOSTILE {
            let name = if cfg!(unix) {
                hostile.replace('/', "") + ".xml"
            } else {
                "a.xml".to_owned()
            };
            let folder = Folder::with(&[(name.as_str(), document(hostile).as_str()), ("z.xml", hostile)]);
            let (found, texts) = tags(&folder);
            let others: Vec<_> = found.difference(&allowed).collect();
            // A file that is no sitemap gets a message with extra tags.
            let is_known = |name: &&&String| {
                ["p[class]", "span[class]", "mark", "pre", "details", "code"].contains(&name.as_str())
            };
            assert!(others.iter().all(|name| is_known(&name)), "{hostile}: {others:?}");
            assert!(
                texts.contains("hostile"),
                "it is a test only if something is shown: {texts}"
            );
        }
    }
}

#[test]
fn a_report_says_what_changed_since_another() {
    let page = |dates: &[&str]| {
        let entry = |(number, date): (usize, &&str)| {
            format!("<url><loc>https://example.com/{number}</loc><lastmod>{date}</lastmod></url>\n")
        };
        let entries: String = dates.iter().enumerate().map(entry).collect();
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\">\n{entries}</urlset>\n")
    };
    let folder = Folder::with(&[("a.xml", page(&["2026-05-01", "x", "y"]))]);
    let run = |arguments: &[&str]| {
        folder.run(&[arguments, &["a.xml", "--format", "html", "--now", "2026-06-01"]].concat())
    };
    let (status, before, said) = run(&["lint"]);
    assert_eq!(
        (status, said.as_str()),
        (
            0,
            "1 file, 3 URLs: 0 errors, 2 warnings, 0 notes\n\
             `sitemap repair a.xml` fixes or leaves out other invalid parts, and reports each\n"
        )
    );
    assert!(
        before.contains("<b>2</b> warnings") && !before.contains("class=\"change\""),
        "{before}"
    );
    folder.write("lint.html", &before);
    let (_, before, _) = folder.run(&["stat", "a.xml", "--format", "html"]);
    folder.write("stat.html", &before);
    folder.write(
        "a.xml",
        page(&["2026-05-01", "x", "2026-02-01", "2026-05-02", "https://"]).replace("https://</", "2026</"),
    );
    let (_, after, _) = run(&["lint", "--former", "lint.html"]);
    let (_, texts) = markup(&after);
    for text in [
        "5 pages +2",
        "1 warning −1",
        "warning 1 a lastmod is a W3C Datetime P-LASTMOD −1",
        "1 note +1",
        "a.xml 2 findings ±0",
    ] {
        assert!(
            texts
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .contains(text),
            "{text}: {texts}"
        );
    }
    let (_, after, _) = folder.run(&["stat", "a.xml", "--format", "html", "--former", "stat.html"]);
    let (_, texts) = markup(&after);
    assert!(texts.contains("5 pages +2"), "{texts}");
    // A month without changes still gets a bar.
    assert!(
        after.contains("<title>2026-03: 0</title>") && after.contains("<title>2026-05: 2</title>"),
        "{after}"
    );
    for (arguments, message) in [
        (
            &["lint", "a.xml", "--former", "lint.html"][..],
            "sitemap: --former needs --format html\n",
        ),
        (
            &["stat", "a.xml", "--former", "stat.html"],
            "sitemap: --former needs --format html\n",
        ),
        (
            &["lint", "a.xml", "--format", "html", "--former", "stat.html"],
            "sitemap: stat.html is no report of `sitemap lint --format html`\n",
        ),
        (
            &["stat", "a.xml", "--format", "html", "--former", "gone.html"],
            "sitemap: cannot read gone.html: No such file or directory (os error 2)\n",
        ),
    ] {
        assert_eq!(folder.run(arguments), (2, String::new(), message.to_owned()));
    }
}

/// A sitemap in a recognized legacy namespace, which gets a note.
const OF_GOOGLE: &str = "<urlset xmlns=\"http://www.google.com/schemas/sitemap/0.84\"><url><loc>https://example.com/</loc></url></urlset>";

/// A report since itself has no changes, even if one rule occurs with two severities or a text is hostile.
#[test]
fn a_report_since_itself() {
    let mut folders = vec![vec![
        ("a.xml", OF_GOOGLE.to_owned()),
        ("b.xml", "<foo/>".to_owned()),
    ]];
    folders.extend(HOSTILE.map(|hostile| vec![("a.xml", document(hostile)), ("b.xml", hostile.to_owned())]));
    for files in folders {
        let folder = Folder::with(&files);
        for command in ["lint", "stat"] {
            let run = |arguments: &[&str]| {
                folder
                    .run(&[&[command, ".", "--format", "html"], arguments].concat())
                    .1
            };
            folder.write("report", run(&[]));
            let page = run(&["--former", "report"]);
            let mut changes = page.split("class=\"change\">").skip(1).peekable();
            assert!(changes.peek().is_some(), "{page}");
            assert!(changes.all(|change| change.starts_with("\u{b1}0<")), "{page}");
        }
    }
}

/// Fixed findings are listed under their severity.
#[test]
fn a_severity_of_a_rule_that_is_gone() {
    let folder = Folder::with(&[("a.xml", OF_GOOGLE), ("b.xml", "<foo/>")]);
    let run = |arguments: &[&str]| {
        folder
            .run(&[&["lint", ".", "--format", "html"], arguments].concat())
            .1
    };
    folder.write("report", run(&[]));
    folder.write("b.xml", OF_GOOGLE);
    let (_, texts) = markup(&run(&["--former", "report"]));
    let texts = texts.split_whitespace().collect::<Vec<_>>().join(" ");
    for text in [
        "warning 2 the root is urlset or sitemapindex in http://www.sitemaps.org/schemas/sitemap/0.9, and its elements are of that schema P-NS +1",
        "No more: error the root is urlset or sitemapindex in http://www.sitemaps.org/schemas/sitemap/0.9, and its elements are of that schema P-NS \u{2212}1",
    ] {
        assert!(texts.contains(text), "{text}: {texts}");
    }
}

/// A page stays small, however many findings there are. It counts the findings that it does not show.
#[test]
fn many_findings_are_counted() {
    const PAGES: usize = 50_000;
    let mut text = String::new();
    for page in 0..PAGES {
        let _ = writeln!(text, "https://example.com/{page}#top");
    }
    let folder = Folder::with(&[("urls.txt", text.as_str())]);
    let (_, page, _) = folder.run(&["lint", "urls.txt", "--format", "html"]);
    assert!(page.len() < 200_000, "{}", page.len());
    assert_eq!(page.matches("<li>").count(), 100);
    assert!(page.contains("<p class=\"soft\">49,900 more</p>"), "{page}");
    // Many files are limited, too.
    for number in 0..150 {
        folder.write(
            &format!("many/{number}.txt"),
            format!("https://example.com/{number}#top\n"),
        );
    }
    let (_, page, _) = folder.run(&["lint", "many", "--format", "html"]);
    assert!(page.contains("<p class=\"soft\">50 more files</p>"), "{page}");
}

#[test]
fn statistics_have_all_months_and_groups() {
    let page = |number: usize, lastmod: &str, languages: &[&str]| {
        let link = |language: &&str| {
            format!(
                "<xhtml:link rel=\"alternate\" hreflang=\"{language}\" href=\"https://example.com/{language}\"/>"
            )
        };
        let links: String = languages.iter().map(link).collect();
        format!("<url><loc>https://example.com/{number}</loc><lastmod>{lastmod}</lastmod>{links}</url>")
    };
    let urlset = |pages: &[String]| {
        let pages = pages.concat();
        format!("<urlset xmlns=\"{CORE}\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">{pages}</urlset>")
    };
    let folder = Folder::with(&[
        (
            "a.xml",
            urlset(&[
                page(1, "2025-11", &["de", "en"]),
                page(2, "2026-02", &[]),
                page(3, "2026-02", &[]),
            ]),
        ),
        ("b.xml", urlset(&[page(4, "2026-03", &["de", "en"])])),
        ("c.txt", "https://example.com/5\n".to_owned()),
        ("old.xml", urlset(&[page(6, "2024-01", &[])])),
        (
            "index.xml",
            format!(
                "<sitemapindex xmlns=\"{CORE}\"><sitemap><loc>https://example.com/a.xml</loc></sitemap><sitemap><loc>https://example.com/b.xml</loc></sitemap>\
                 <sitemap><loc>https://example.com/c.txt</loc></sitemap></sitemapindex>"
            ),
        ),
    ]);
    let (status, report, told) = folder.run(&["stat", ".", "--format", "html"]);
    let unlisted = ".: 1 URL is not read, since no index and no robots.txt lists the file: old.xml\n";
    assert_eq!((status, &*told), (1, unlisted));
    assert!(
        report.contains("\n<p>Not counted: 1 page in files that no index and no robots.txt lists.</p>\n"),
        "{report}"
    );
    assert!(
        report.contains("<b>4</b> files") && report.contains("<b>5</b> pages"),
        "{report}"
    );
    let months: Vec<_> = report
        .split("<rect ")
        .skip(1)
        .map(|column| {
            column
                .split_once("<title>")
                .unwrap()
                .1
                .split_once("</title>")
                .unwrap()
                .0
        })
        .collect();
    assert_eq!(
        months,
        [
            "2025-11: 1",
            "2025-12: 0",
            "2026-01: 0",
            "2026-02: 2",
            "2026-03: 1"
        ]
    );
    for row in [
        "in groups of 2</td><td class=\"number\">2",
        "in no group</td><td class=\"number\">3",
    ] {
        assert!(report.contains(row), "{row}\n{report}");
    }
    assert!(!report.contains("with a date that could not be read"), "{report}");
}

#[test]
fn statistics_count_what_is_beyond_their_limits() {
    const MANY: u32 = 1_003;
    let link = |i: u32| {
        format!("<xhtml:link rel=\"alternate\" hreflang=\"x-{i}\" href=\"https://example.com/{i}\"/>")
    };
    let page = |i: u32| {
        let (year, month) = (1000 + i / 12, i % 12 + 1);
        let links: String = if i == 0 {
            (0..MANY).map(link).collect()
        } else {
            String::new()
        };
        format!("<url><loc>https://{i}.example/</loc><lastmod>{year}-{month:02}</lastmod>{links}</url>")
    };
    let pages: String = (0..MANY).map(page).collect();
    let urlset =
        format!("<urlset xmlns=\"{CORE}\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">{pages}</urlset>");
    let folder = Folder::with(&[("a.xml", &urlset), ("b.xml", &urlset)]);
    let (_, report, _) = folder.run(&["stat", ".", "--format", "html"]);
    // 100 of 1,000 counted names are shown, each twice.
    for heading in ["Pages of each site", "Links to pages in other languages"] {
        let (_, table) = report.split_once(&format!("<h2>{heading}</h2>")).unwrap();
        let (table, _) = table.split_once("</table>").unwrap();
        assert!(
            table.contains("<td>others</td><td class=\"number\">1,806</td>"),
            "{heading}: {table}"
        );
    }
    assert!(
        report.contains("6 pages with a date that could not be read, or in other months"),
        "{report}"
    );
}
