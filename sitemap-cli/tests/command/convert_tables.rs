//! `sitemap convert` and `sitemap cat` on foreign tables: other columns, paths, bad lines, folders.

use sitemap_tests::sample;

use crate::folder::{CORE, Folder, gzipped, unzipped};

const TABLE: &str =
    "Path,Changed,note\n/a,2026-05-01,x\n/b,yesterday,y\nftp://x/c,,\n\"/d\",2026-05-02,\n/e,,,\n";

const BAD_DATE: &str = "`yesterday` is not a W3C Datetime: a W3C Datetime is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm[:ss[.s]]` and a \
                        zone, `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write it like that, or leave the field out";

fn convert(folder: &Folder, more: &str) -> (i32, String, String) {
    let arguments = ["convert"].into_iter().chain(more.split(' '));
    folder.run(&arguments.collect::<Vec<_>>())
}

#[test]
fn a_table_with_other_columns_and_paths_is_converted() {
    let folder = Folder::with(&[("a.csv", TABLE)]);
    let asked = "a.csv --to csv --loc-column path --lastmod-column CHANGED --base https://example.com/shop";
    let (status, _, told) = convert(&folder, asked);
    assert_eq!(
        (status, told),
        (
            2,
            format!("sitemap: a.csv, line 3: {BAD_DATE}, lastmod; --on-invalid drop leaves it out\n")
        )
    );
    let (status, written, told) = convert(&folder, &format!("{asked} --lenient"));
    assert_eq!(status, 1);
    assert_eq!(
        written,
        "loc,lastmod,changefreq,priority\nhttps://example.com/shop/a,2026-05-01,,\nhttps://example.com/shop/b,,,\nhttps://example.com/shop/d,2026-05-02,,\n"
    );
    assert_eq!(
        told,
        format!(
            "a.csv, line 3: {BAD_DATE}, lastmod: left out\n\
             a.csv, line 4: `ftp://x/c` is not http or https: crawlers fetch nothing else (P-LOC); leave it out, or write its web address, loc\n\
             a.csv, line 6: 4 values in 3 columns: a value with a comma must be quoted\n\
             note: 1 unknown column left out: `note`\n\
             note: 1 value lost\n\
             note: 2 URLs left out\n"
        )
    );
}

#[test]
fn each_mistake_in_the_columns_is_told() {
    let folder = Folder::with(&[("a.csv", TABLE)]);
    for (asked, told) in [
        (
            "--loc-column url",
            "a.csv, line 1: no column `url`: the first line has path, changed, note",
        ),
        (
            "--lastmod-column changed",
            "a.csv, line 1: no column `loc` among path, changed, note: the first line names the columns, and --loc-column another one for the URLs",
        ),
        (
            "--loc-column path --priority-column path",
            "a.csv, line 1: the column `path` is named for two fields",
        ),
        (
            "--loc-column path --base nonsense",
            "--base: `nonsense` is not a base: it has no scheme and host; a base is a scheme (http or https), a host, a port and a \
             path prefix, such as `https://example.com` or `https://example.com/shop` (P-LOC)",
        ),
    ] {
        let found = convert(&folder, &format!("a.csv --to xml {asked}"));
        assert_eq!((found.0, found.2), (2, format!("sitemap: {told}\n")), "{asked}");
    }
}

/// Lenient conversion skips a bad line in every format, and reports it.
#[test]
fn lenient_conversion_goes_on_after_a_bad_line() {
    let right = |number: usize, format: &str| match format {
        "csv" => format!("https://example.com/{number},2026-05-01,daily,0.5"),
        "jsonl" => format!("{{\"loc\":\"https://example.com/{number}\"}}"),
        _ => format!("https://example.com/{number}"),
    };
    let bad: [(&str, &[&str]); 3] = [
        (
            "csv",
            &[
                "x",
                "https://example.com/,x",
                "https://example.com/,,often",
                "https://example.com/,,,2",
                "a,b,c,d,e",
            ],
        ),
        (
            "jsonl",
            &[
                "{",
                "{}",
                "7",
                "{\"loc\":7}",
                "{\"loc\":\"x\"}",
                "{\"loc\":\"https://example.com/\",\"priority\":2}",
            ],
        ),
        (
            "text",
            &["x", "https://", "/path", "https://example.com/a b c, d"],
        ),
    ];
    for (format, bad) in bad {
        let mut lines: Vec<String> = (0..3 * bad.len()).map(|number| right(number, format)).collect();
        for (i, line) in bad.iter().enumerate() {
            lines.insert(4 * i + 1, (*line).to_owned());
        }
        let header = if format == "csv" {
            "loc,lastmod,changefreq,priority\n"
        } else {
            ""
        };
        let folder = Folder::with(&[("a", format!("{header}{}\n", lines.join("\n")))]);
        let (status, written, told) = convert(&folder, &format!("a --from {format} --to text --lenient"));
        let reported: Vec<_> = told.lines().filter(|line| line.starts_with("a, line ")).collect();
        let refused = reported
            .iter()
            .filter(|line| !line.ends_with(": left out"))
            .count();
        assert_eq!(status, i32::from(!reported.is_empty()), "{format}: {told}");
        assert_eq!(
            written.lines().count() + refused,
            lines.len(),
            "{format}: {told}{written}"
        );
        assert!(reported.len() + 1 >= bad.len(), "{format}: {told}");
        for number in 0..3 * bad.len() {
            let loc = format!("https://example.com/{number}");
            assert!(written.lines().any(|line| line == loc), "{format}: {loc}");
        }
        // Strict conversion stops at the first bad line.
        let (status, _, told) = convert(&folder, &format!("a --from {format} --to text"));
        assert_eq!((status, told.lines().count()), (2, 1), "{format}: {told}");
    }
}

const NOT_UTF8: &str = "not in UTF-8 (P-UTF8): convert the document to UTF-8";

/// A line of NUL bytes or in another encoding is skipped, wherever it is, and the other lines are converted.
#[test]
fn odd_bytes_in_a_line_cost_that_line() {
    const NUL: &[u8] = b"\0";
    const LATIN_1: &[u8] = b"https://example.com/caf\xE9";
    let formats = [("csv", "loc\n"), ("text", ""), ("jsonl", "")];
    let lines = [NUL, LATIN_1]
        .into_iter()
        .flat_map(|bad| (0..4).map(move |at| (bad, at)))
        .flat_map(|(bad, at)| ["", "\n", "\r\n"].map(|end| (bad, at, end)));
    let cases = lines.flat_map(|line| formats.map(|format| (format, line)));
    for ((format, header), (bad, at, end)) in sample(cases) {
        let right = match format {
            "jsonl" => "{\"loc\":\"https://example.com/\"}",
            _ => "https://example.com/",
        };
        let mut lines = vec![right.as_bytes(); 3];
        lines.insert(at, bad);
        let separator: &[u8] = if end == "\r\n" { b"\r\n" } else { b"\n" };
        let document = [header.as_bytes(), &lines.join(separator), end.as_bytes()].concat();
        let folder = Folder::with(&[("a", document)]);
        let line = at + 1 + header.lines().count();
        let (status, written, told) = convert(&folder, &format!("a --from {format} --to text --lenient"));
        assert_eq!(
            (status, &*written),
            (1, &*"https://example.com/\n".repeat(3)),
            "{format} {at} {end:?}: {told}"
        );
        let place = format!("a, line {line}: ");
        let total = "note: 1 URL left out\n";
        let is_told = if bad == NUL {
            told.starts_with(&place) && told.ends_with(total) && told.lines().count() == 2
        } else {
            told == format!("{place}{NOT_UTF8}\n{total}")
        };
        assert!(is_told, "{format} {at} {end:?}: {told}");
        let (status, _, told) = convert(&folder, &format!("a --from {format} --to text"));
        assert!(
            status == 2 && told.starts_with(&format!("sitemap: {place}")),
            "{told}"
        );
    }
}

/// Column names apply to tables only. Other documents keep their own format.
#[test]
fn names_of_columns_make_no_table_of_other_formats() {
    let xml = format!("<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/a</loc></url></urlset>");
    let folder = Folder::with(&[
        ("a.xml", &*xml),
        ("a.jsonl", "{\"loc\":\"https://example.com/a\"}\n"),
        ("a.csv", "path\nhttps://example.com/a\n"),
        ("b.csv", "Location,path\nx,https://example.com/a\n"),
    ]);
    for file in ["a.xml", "a.jsonl", "a.csv", "b.csv"] {
        let (status, written, told) = convert(&folder, &format!("{file} --to text --loc-column path"));
        assert_eq!(
            (status, &*written),
            (0, "https://example.com/a\n"),
            "{file}: {told}"
        );
    }
}

/// Converting a folder into a file inside it never reads that file, however often it runs.
#[test]
fn the_output_is_no_input_of_its_folder() {
    let urlset = |loc: &str| {
        format!("<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/{loc}</loc></url></urlset>")
    };
    let folder = Folder::with(&[("site/1.xml", urlset("1")), ("site/2/2.xml", urlset("2"))]);
    let mut first = None;
    for run in 0..3 {
        let (status, _, told) = convert(&folder, "site --to xml -o ./site/2/../all.xml --force");
        let note = if run == 0 {
            ""
        } else {
            "note: site: 1 file is not read, since it is the output: all.xml\n"
        };
        assert_eq!((status, &*told), (0, note), "{run}");
        let written = folder.read("site/all.xml");
        assert_eq!(written.matches("<loc>").count(), 2);
        assert_eq!(*first.get_or_insert_with(|| written.clone()), written);
    }
    // A folder without other documents is an error.
    folder.write("alone/all.xml", urlset("1"));
    let (status, _, told) = convert(&folder, "alone --to text -o alone/all.xml --force");
    assert_eq!(
        (status, &*told),
        (
            2,
            "sitemap: alone has nothing to read but the output, alone/all.xml\n"
        )
    );
    assert_eq!(folder.read("alone/all.xml"), urlset("1"));
}

#[test]
fn paths_are_below_the_base_in_every_format() {
    let folder = Folder::with(&[
        ("a.csv", "loc\n/a\nhttps://example.com/b\n"),
        (
            "a.jsonl",
            "{\"loc\":\"/a\"}\n{\"loc\":\"https://example.com/b\"}\n",
        ),
        ("a.txt", "/a\nhttps://example.com/b\n"),
        (
            "a.xml",
            "<urlset><url><loc>/a</loc></url><url><loc>https://example.com/b</loc></url></urlset>",
        ),
    ]);
    for file in ["a.csv", "a.jsonl", "a.txt --from text", "a.xml --lenient"] {
        let (status, written, told) = convert(
            &folder,
            &format!("{file} --to text --base https://example.com/shop"),
        );
        assert_eq!(
            (status, &*written),
            (0, "https://example.com/shop/a\nhttps://example.com/b\n"),
            "{file}: {told}"
        );
    }
}

#[test]
fn a_folder_becomes_one_document() {
    let urlset = |entry: &str| format!("<urlset xmlns=\"{CORE}\"><url>{entry}</url></urlset>");
    let folder = Folder::with(&[
        (
            "site/1.xml",
            urlset("<loc>https://example.com/1</loc><lastmod>2026</lastmod>"),
        ),
        ("site/2.txt", "https://example.com/2\n".to_owned()),
        (
            "site/3.xml",
            urlset("<loc>https://example.com/3</loc><lastmod>2026/5/1</lastmod>"),
        ),
        (
            "site/index.xml",
            format!(
                "<sitemapindex xmlns=\"{CORE}\"><sitemap><loc>https://example.com/1.xml</loc></sitemap>\
                 <sitemap><loc>https://example.com/2.txt</loc></sitemap><sitemap><loc>https://example.com/3.xml</loc></sitemap></sitemapindex>"
            ),
        ),
    ]);
    let (status, written, told) = convert(&folder, "site --to csv --lenient");
    assert_eq!(
        (status, &*written, &*told),
        (
            0,
            "loc,lastmod,changefreq,priority\nhttps://example.com/1,2026,,\nhttps://example.com/2,,,\nhttps://example.com/3,2026-05-01,,\n",
            "note: 1 index skipped\nnote: 1 repair (`sitemap repair` lists them)\n"
        )
    );
    let (status, written, told) = convert(&folder, "site --to text --on-invalid skip");
    assert_eq!(
        (status, &*written),
        (1, "https://example.com/1\nhttps://example.com/2\n"),
        "{told}"
    );
    assert!(
        told.contains("site/3.xml: `2026/5/1` is not a W3C Datetime"),
        "{told}"
    );
}

#[test]
fn cat_prints_tables_and_json_lines() {
    let folder = Folder::with(&[
        (
            "a.csv",
            "loc,lastmod\nhttps://example.com/a,2026-05-01\nhttps://example.com/b,yesterday\nhttps://example.com/c,\n",
        ),
        (
            "a.jsonl",
            "{\"loc\":\"https://example.com/d\",\"priority\":0.5}\n{\"loc\":7}\n",
        ),
        ("a.txt", "https://example.com/e\n"),
    ]);
    let arguments = [
        "cat",
        "a.csv",
        "a.jsonl",
        "a.txt",
        "--fields",
        "loc,lastmod,priority",
    ];
    assert_eq!(
        folder.run(&arguments),
        (
            1,
            "https://example.com/a\t2026-05-01\t\nhttps://example.com/b\tyesterday\t\nhttps://example.com/c\t\t\nhttps://example.com/d\t\t0.5\nhttps://example.com/e\t\t\n"
                .to_owned(),
            "a.jsonl, line 2: the `loc` is not a string\n".to_owned()
        )
    );
    folder.write("nul.csv", "loc\nhttps://example.com/a\n\0\nhttps://example.com/b");
    assert_eq!(
        folder.run(&["cat", "nul.csv"]).1,
        "https://example.com/a\n\0\nhttps://example.com/b\n"
    );
    folder.write(
        "latin.jsonl",
        b"{\"loc\":\"\xE9\"}\n{\"loc\":\"https://example.com/a\"}\n",
    );
    assert_eq!(
        folder.run(&["cat", "latin.jsonl"]),
        (
            1,
            "https://example.com/a\n".to_owned(),
            format!("latin.jsonl, line 1: {NOT_UTF8}\n")
        )
    );
    folder.write("b.csv", "loc,LOC\nhttps://example.com/\n");
    let (status, _, told) = folder.run(&["cat", "b.csv"]);
    assert_eq!(
        (status, &*told),
        (2, "sitemap: b.csv, line 1: two columns `loc`\n")
    );
}

/// Every format has an extension. An explicit format wins over the extension.
#[test]
fn the_new_format_is_that_of_the_outputs_name() {
    let loc = "https://example.com/";
    let folder = Folder::with(&[("in.txt", format!("{loc}\n"))]);
    let xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>{loc}</loc></url></urlset>\n"
    );
    let (text, json) = (format!("{loc}\n"), format!("{{\"loc\":\"{loc}\"}}\n"));
    let csv = format!("loc,lastmod,changefreq,priority\n{loc},,,\n");
    for (name, content) in [
        ("a.xml", &xml),
        ("a.XML", &xml),
        ("a.xml.gz", &xml),
        ("a.txt", &text),
        ("a.csv", &csv),
        ("a.csv.gz", &csv),
        ("a.jsonl", &json),
        ("a.ndjson", &json),
    ] {
        let convert = ["convert", "in.txt", "--force", "-o", name];
        let written = |more: &[&str]| {
            assert_eq!(
                folder.run(&[&convert[..], more].concat()),
                (0, String::new(), String::new()),
                "{name} {more:?}"
            );
            let bytes = std::fs::read(folder.path(name)).unwrap();
            if bytes.starts_with(&[0x1F, 0x8B]) {
                unzipped(&bytes)
            } else {
                String::from_utf8(bytes).unwrap()
            }
        };
        assert_eq!(written(&[]), *content, "{name}");
        assert_eq!(written(&["--to", "jsonl"]), json, "{name}");
    }
    let told = "sitemap: the new format is not known: name it by --to (xml, text, jsonl or csv), or write to a file whose name says it, \
                such as -o sitemap.xml\n";
    for more in [
        &[][..],
        &["-o", "-"],
        &["-o", "a.pdf"],
        &["-o", "csv"],
        &["-o", ".gz"],
    ] {
        let arguments = [&["convert", "in.txt"], more].concat();
        assert_eq!(folder.run(&arguments), (2, String::new(), told.to_owned()));
    }
}

/// `--base` completes paths in every format, including compressed XML, UTF-16 and XML with a DOCTYPE, wherever these can be read.
#[test]
fn paths_of_every_format_have_the_base() {
    let locs = "<url><loc>/a</loc><lastmod>2026</lastmod></url><url><loc>https://example.com/b</loc></url>";
    let xml = format!("<urlset xmlns=\"{CORE}\">{locs}</urlset>");
    let wide: Vec<u8> = "\u{FEFF}"
        .chars()
        .chain(xml.chars())
        .collect::<String>()
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let atom = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><link href=\"/a\"/></entry><entry><link href=\"https://example.com/b\"/></entry></feed>";
    let index = xml.replace("urlset", "sitemapindex").replace("url>", "sitemap>");
    let folder = Folder::with(&[
        ("a.xml", xml.as_bytes()),
        ("a.xml.gz", &gzipped(&xml)),
        ("wide.xml", &wide),
        ("doctype.xml", format!("<!DOCTYPE urlset>{xml}").as_bytes()),
        ("index.xml", index.as_bytes()),
        ("a.atom", atom.as_bytes()),
        ("a.txt", b"/a\nhttps://example.com/b\n"),
        ("a.csv", b"loc\n/a\nhttps://example.com/b\n"),
        (
            "a.jsonl",
            b"{\"loc\":\"/a\"}\n{\"loc\":\"https://example.com/b\"}\n",
        ),
    ]);
    for name in [
        "a.xml",
        "a.xml.gz",
        "wide.xml",
        "doctype.xml",
        "index.xml",
        "a.atom",
        "a.txt",
        "a.csv",
        "a.jsonl",
    ] {
        for more in ["", " --lenient"] {
            let told = if name == "index.xml" {
                "note: text does not say that these are sitemaps: `sitemap convert --index` makes an index of it again\n"
            } else {
                ""
            };
            let poorer = "note: text cannot represent all data of 1 of 2 URLs: the rest is left out\n";
            let is_poorer = name.contains(".xml");
            assert_eq!(
                convert(
                    &folder,
                    &format!("{name} --to text --base https://example.com{more}")
                ),
                (
                    0,
                    "https://example.com/a\nhttps://example.com/b\n".to_owned(),
                    format!("{}{told}", if is_poorer { poorer } else { "" })
                ),
                "{name}{more}"
            );
        }
    }
    // The values of completed entries are validated, too.
    folder.write("bad.xml", xml.replace("2026", "never"));
    for (more, told) in [
        (
            " --on-invalid skip",
            "note: 1 URL left out; --on-invalid drop keeps those with a valid loc\n",
        ),
        (" --on-invalid drop", "note: 1 value lost\n"),
        (" --lenient", "note: 1 value lost\n"),
    ] {
        let (status, _, said) = convert(
            &folder,
            &format!("bad.xml --to text --base https://example.com{more}"),
        );
        assert!(
            status == 1 && said.contains("`never` is not a W3C Datetime: ") && said.ends_with(told),
            "{said}"
        );
    }
}

/// A row keeps its kind, and the written document is complete, whatever kinds the rows name.
#[test]
fn rows_of_both_kinds() {
    const SAID: &str = "an entry of a SECOND, and those before it are of a FIRST";
    let kinds = [("", "urlset"), ("url", "urlset"), ("sitemap", "sitemapindex")];
    for (first, one) in kinds {
        for (second, other) in kinds {
            let rows = [first, second].map(|kind| format!("https://example.com/,{kind}\n"));
            let folder = Folder::with(&[("a.csv", format!("loc,kind\n{}", rows.concat()))]);
            for to in ["xml", "csv", "jsonl"] {
                let (status, written, told) = convert(&folder, &format!("a.csv --to {to} --lenient"));
                let count = written.matches("https://example.com/").count();
                let is_mixed = one != other;
                assert_eq!(
                    (status, count),
                    (i32::from(is_mixed), 2 - usize::from(is_mixed)),
                    "{told}"
                );
                let problem = SAID.replace("FIRST", one).replace("SECOND", other);
                let expected = format!("a.csv, line 3: {problem}\nnote: 1 URL left out\n");
                assert_eq!(told, if is_mixed { expected } else { String::new() });
                assert!(
                    to != "xml" || written.trim_end().ends_with(&format!("</{one}>")),
                    "{written}"
                );
                let (status, _, told) = convert(&folder, &format!("a.csv --to {to}"));
                let expected =
                    format!("sitemap: a.csv, line 3: {problem}; --on-invalid drop leaves it out\n");
                assert_eq!((status, &*told), if is_mixed { (2, &*expected) } else { (0, "") });
            }
        }
    }
}

/// A base completes paths. A line with more than a URL is still rejected.
#[test]
fn lines_of_text_are_checked_with_a_base_too() {
    let folder = Folder::with(&[
        (
            "urls.txt",
            "https://example.com/a\nhttps://example.com/b 2026-05-01\n",
        ),
        ("paths.txt", "/a\n/b 2026-05-01\n"),
        ("words.txt", "https://example.com/a\nabout us\n"),
    ]);
    for (name, rule) in [
        ("urls.txt", "(P-TXT1)"),
        ("paths.txt", "(P-TXT1)"),
        ("words.txt", "(P-LOC)"),
    ] {
        for more in ["", " --on-invalid fail", " --lenient"] {
            let arguments = format!("{name} --from text --to text --base https://example.com{more}");
            let (status, written, said) = convert(&folder, &arguments);
            assert_eq!(
                status,
                if more == " --lenient" { 1 } else { 2 },
                "{arguments}: {said}"
            );
            assert!(
                written.lines().all(|line| line == "https://example.com/a"),
                "{arguments}: {written}"
            );
            assert!(said.contains(rule), "{arguments}: {said}");
        }
    }
}

/// A base also completes URLs in extensions, in every format and mode. A leading `//` introduces a host.
#[test]
fn urls_of_extensions_are_completed() {
    let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:i="http://www.google.com/schemas/sitemap-image/1.1" xmlns:v="http://www.google.com/schemas/sitemap-video/1.1" xmlns:xhtml="http://www.w3.org/1999/xhtml">
<url><loc>BASE/a</loc><lastmod>2026-05-01</lastmod>
<xhtml:link rel="alternate" hreflang="de" href="BASE/de/a?b=1&amp;c='2'"/><xhtml:link href='BASE/a' hreflang="en" rel="alternate"/>
<i:image><i:loc> BASE/a.png </i:loc></i:image><i:image><i:loc><![CDATA[BASE/b.png]]></i:loc></i:image>
<v:video><v:thumbnail_loc>BASE/t.png</v:thumbnail_loc><v:title>/title</v:title><v:description>href="/d"</v:description>
<v:content_loc>BASE/v.mp4</v:content_loc><v:player_loc allow_embed="yes">BASE/player</v:player_loc>
<v:gallery_loc title="/&gt;">BASE/gallery</v:gallery_loc><v:uploader info="BASE/u">/u</v:uploader></v:video></url>
<url><loc>https://example.com/b</loc><i:image><i:loc>BASE/c.png</i:loc></i:image></url></urlset>"#;
    let folder = Folder::with(&[
        ("paths.xml", xml.replace("BASE", "")),
        ("whole.xml", xml.replace("BASE", "https://example.com")),
    ]);
    let (status, whole, told) = convert(&folder, "whole.xml --to jsonl");
    assert_eq!((status, &*told), (0, ""), "{told}");
    assert!(
        whole.contains(r#""video:uploader":{"@info":"https://example.com/u","$text":"/u"}"#),
        "{whole}"
    );
    folder.write("paths.jsonl", whole.replace("https://example.com", ""));
    for name in ["paths.xml", "paths.jsonl"] {
        for base in ["https://example.com", "https://example.com/"] {
            for more in ["", " --lenient", " --on-invalid drop", " --on-invalid skip"] {
                assert_eq!(
                    convert(&folder, &format!("{name} --to jsonl --base {base}{more}")),
                    (0, whole.clone(), String::new()),
                    "{name} {base}{more}"
                );
            }
        }
    }
    folder.write(
        "host.xml",
        xml.replace("BASE/c.png", "//example.com/c.png")
            .replace("BASE", ""),
    );
    let (status, converted, told) = convert(
        &folder,
        "host.xml --to jsonl --base https://example.com --lenient",
    );
    assert_eq!(
        (status, converted.lines().next()),
        (1, whole.lines().next()),
        "{told}"
    );
    assert_eq!(
        told,
        "host.xml, entry 2: `//example.com/c.png` is not an absolute URL: write it with its scheme and host (P-IMG2), image:image[0] \
         · image:loc: left out with image:image[0]\nnote: 1 value lost\n"
    );
}

/// Completing a long entry takes linear time: moving the text behind each URL would take hours.
#[test]
fn many_urls_are_completed() {
    let image = "{\"image:loc\":\"/a\"},".repeat(300_000);
    let line = format!(
        "{{\"loc\":\"/a\",\"image:image\":[{}]}}\n",
        image.trim_end_matches(',')
    );
    let (status, _, said) = Folder::empty().pipe(
        &line,
        &["convert", "-", "--to", "text", "--base", "https://example.com"],
    );
    assert_eq!(
        (status, &*said),
        (
            2,
            "sitemap: <stdin>, line 1: an entry of more than 8,388,608 bytes, which is the limit; the command has no higher limit; --on-invalid \
             drop leaves it out\n"
        )
    );
}
