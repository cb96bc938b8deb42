//! Every format, encoding and compression in every command, and through pipes of commands, checked against a model of the pages and their
//! values. Each page and value comes through, or standard error and the exit status report the loss. Nothing is invented.

use std::collections::BTreeMap;
use std::io::Write;
use std::thread;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use sitemap_tests::{reads_all, sample, skip};

use crate::folder::{CORE, Folder, gzipped};

/// A page's loc, lastmod, changefreq and priority. Missing values are empty.
type Page = [String; 4];

const FIELDS: [&str; 4] = ["loc", "lastmod", "changefreq", "priority"];

fn pages() -> Vec<Page> {
    let rows = [
        ["https://example.com/", "2026-05-01", "daily", "0.8"],
        ["https://example.com/a?b=1&c=2", "2026-05-02T10:00:00Z", "", "1.0"],
        ["https://example.com/@52.5,13.4", "", "never", ""],
        ["https://example.com/0,1518,123,00.html", "2026", "", "0.0"],
        ["https://example.com/%C3%A9;x", "", "", ""],
    ];
    rows.map(|row| row.map(str::to_owned)).into()
}

/// Reduces pages to their first `fields` values, for formats that hold no more.
fn projected(pages: &[Page], fields: usize) -> Vec<Page> {
    let keep = |page: &Page| {
        std::array::from_fn(|i| {
            if i < fields {
                page[i].clone()
            } else {
                String::new()
            }
        })
    };
    pages.iter().map(keep).collect()
}

/// A document and the number of fields that its format holds for each page.
struct Document {
    name: &'static str,
    content: Vec<u8>,
    fields: usize,
    is_index: bool,
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
}

fn xml(pages: &[Page], root: &str, entry: &str) -> String {
    let element = |(name, value): (&str, &String)| {
        let value = escaped(value);
        if value.is_empty() {
            String::new()
        } else {
            format!("<{name}>{value}</{name}>")
        }
    };
    let of = |page: &Page| {
        let elements: String = FIELDS.into_iter().zip(page).map(element).collect();
        format!("<{entry}>{elements}</{entry}>\n")
    };
    let entries: String = pages.iter().map(of).collect();
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{root} xmlns=\"{CORE}\">\n{entries}</{root}>\n")
}

fn csv(pages: &[Page], separator: char) -> String {
    let cell = |value: &String| {
        let decimal = if separator == ';' && value.parse::<f64>().is_ok() && value.len() == 3 {
            value.replace('.', ",")
        } else {
            value.clone()
        };
        if decimal.contains([separator, '"']) {
            format!("\"{decimal}\"")
        } else {
            decimal
        }
    };
    let separator = separator.to_string();
    let row = |cells: Vec<String>| cells.join(&separator) + "\r\n";
    let header = row(FIELDS.map(str::to_owned).into());
    header
        + &pages
            .iter()
            .map(|page| row(page.iter().map(cell).collect()))
            .collect::<String>()
}

fn json(page: &Page) -> String {
    let mut object = serde_json::Map::new();
    for (name, value) in FIELDS
        .into_iter()
        .zip(page)
        .filter(|(_, value)| !value.is_empty())
    {
        let number = value.parse::<f64>().ok().filter(|_| name == "priority");
        object.insert(
            name.to_owned(),
            number.map_or(Value::from(value.as_str()), Value::from),
        );
    }
    Value::Object(object).to_string()
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    format!("\u{FEFF}{text}").encode_utf16().flat_map(bytes).collect()
}

fn documents() -> Vec<Document> {
    let pages = pages();
    let of = |name, content: Vec<u8>, fields| Document {
        name,
        content,
        fields,
        is_index: false,
    };
    let text: String = pages.iter().map(|page| page[0].clone() + "\n").collect();
    let lines: String = pages.iter().map(|page| json(page) + "\n").collect();
    let indented: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let item = |page: &Page| {
        let date = if page[1].is_empty() {
            String::new()
        } else {
            format!("<updated>{}</updated>", page[1])
        };
        format!("<entry><link href=\"{}\"/>{date}</entry>\n", escaped(&page[0]))
    };
    let items: String = pages.iter().map(item).collect();
    let link = |page: &Page| format!("<item><link>{}</link></item>\n", escaped(&page[0]));
    let rss: String = pages.iter().map(link).collect();
    let sitemap = xml(&pages, "urlset", "url");
    let listed: Vec<Page> = (1..=5)
        .map(|i| {
            [
                format!("https://example.com/{i}.xml"),
                "2026-05-01".to_owned(),
                String::new(),
                String::new(),
            ]
        })
        .collect();
    vec![
        of("a.xml", sitemap.clone().into_bytes(), 4),
        of(
            "wide.xml",
            utf16(&sitemap.replace("UTF-8", "UTF-16"), u16::to_le_bytes),
            4,
        ),
        of("a.txt", text.clone().into_bytes(), 1),
        of("wide.txt", utf16(&text, u16::to_be_bytes), 1),
        of("comma.csv", csv(&pages, ',').into_bytes(), 4),
        of("semicolon.csv", csv(&pages, ';').into_bytes(), 4),
        of(
            "hint.csv",
            format!("sep=;\r\n{}", csv(&pages, ';')).into_bytes(),
            4,
        ),
        of("tab.csv", csv(&pages, '\t').into_bytes(), 4),
        of("wide.csv", utf16(&csv(&pages, '\t'), u16::to_le_bytes), 4),
        of("comma", csv(&pages, ',').into_bytes(), 4),
        of("wide", utf16(&csv(&pages, ';'), u16::to_le_bytes), 4),
        of("a.jsonl", lines.clone().into_bytes(), 4),
        of(
            "array.json",
            format!("[{}]", lines.trim_end().replace('\n', ",")).into_bytes(),
            4,
        ),
        of("indented.json", serde_json::to_vec_pretty(&indented).unwrap(), 4),
        of(
            "a.atom",
            format!("<feed xmlns=\"http://www.w3.org/2005/Atom\">\n{items}</feed>\n").into_bytes(),
            2,
        ),
        of(
            "a.rss",
            format!("<rss version=\"2.0\"><channel>\n{rss}</channel></rss>\n").into_bytes(),
            1,
        ),
        Document {
            name: "index.xml",
            content: xml(&listed, "sitemapindex", "sitemap").into_bytes(),
            fields: 2,
            is_index: true,
        },
    ]
}

impl Document {
    fn pages(&self) -> Vec<Page> {
        if self.is_index {
            let loc = |i| format!("https://example.com/{i}.xml");
            return (1..=5)
                .map(|i| [loc(i), "2026-05-01".to_owned(), String::new(), String::new()])
                .collect();
        }
        projected(&pages(), self.fields)
    }
}

/// The pages of an output, and `true` if it is an index.
fn read(output: &str, format: &str) -> (Vec<Page>, bool) {
    let page =
        |values: &BTreeMap<String, String>| FIELDS.map(|name| values.get(name).cloned().unwrap_or_default());
    match format {
        "text" => {
            let page = |line: &str| [line.to_owned(), String::new(), String::new(), String::new()];
            (output.lines().map(page).collect(), false)
        }
        "cat" => {
            let page = |line: &str| {
                let cells: Vec<_> = line.split('\t').map(str::to_owned).collect();
                cells.try_into().unwrap()
            };
            (output.lines().map(page).collect(), false)
        }
        "jsonl" => {
            let object = |line: &str| -> BTreeMap<String, String> {
                let members: BTreeMap<String, Value> = serde_json::from_str(line).unwrap();
                let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                members
                    .iter()
                    .map(|(name, value)| (name.clone(), text(value)))
                    .collect()
            };
            let objects: Vec<_> = output.lines().map(object).collect();
            let is_index = objects
                .iter()
                .any(|object| object.get("kind").is_some_and(|kind| kind == "sitemap"));
            (objects.iter().map(page).collect(), is_index)
        }
        "csv" => {
            let mut rows = csv::Reader::from_reader(output.as_bytes());
            let header = rows.headers().unwrap().clone();
            let named = |row: csv::StringRecord| -> BTreeMap<String, String> {
                header
                    .iter()
                    .map(str::to_owned)
                    .zip(row.iter().map(str::to_owned))
                    .collect()
            };
            let rows: Vec<_> = rows.records().map(|row| named(row.unwrap())).collect();
            let is_index = rows
                .iter()
                .any(|row| row.get("kind").is_some_and(|kind| kind == "sitemap"));
            (rows.iter().map(page).collect(), is_index)
        }
        "xml" => {
            let entry = |text: &str| {
                FIELDS.map(|name| {
                    let value = text.split_once(&format!("<{name}>")).map_or("", |(_, rest)| rest);
                    let (value, _) = value.split_once(&format!("</{name}>")).unwrap_or_default();
                    value.replace("&amp;", "&")
                })
            };
            let is_index = output.contains("<sitemapindex");
            let end = if is_index { "</sitemap>" } else { "</url>" };
            let entries: Vec<_> = output.split(end).collect();
            (
                entries[..entries.len() - 1]
                    .iter()
                    .map(|text| entry(text))
                    .collect(),
                is_index,
            )
        }
        _ => unreachable!(),
    }
}

/// The number of fields that an output format holds for a page.
fn fields_of(format: &str) -> usize {
    if format == "text" { 1 } else { 4 }
}

/// The commands that print pages, and their output format.
const COMMANDS: [(&str, &str); 6] = [
    ("cat IN --fields loc,lastmod,changefreq,priority", "cat"),
    ("convert IN --to text", "text"),
    ("convert IN --to csv", "csv"),
    ("convert IN --to jsonl", "jsonl"),
    ("convert IN --to xml", "xml"),
    ("convert IN --to xml --lenient", "xml"),
];

fn run(folder: &Folder, command: &str, name: &str, input: &[u8]) -> (i32, String, String) {
    let arguments: Vec<_> = command
        .split(' ')
        .map(|word| if word == "IN" { name } else { word })
        .collect();
    folder.pipe(input, &arguments)
}

/// Compares values as strings: dates are written unchanged, and a priority keeps its digits.
fn check(what: &str, found: &(i32, String, String), format: &str, document: &Document) {
    let (status, output, said) = found;
    assert_eq!(*status, 0, "{what}: {said}");
    let (pages, is_index) = read(output, format);
    let expected = projected(&document.pages(), fields_of(format));
    assert_eq!(pages, expected, "{what}: {said}");
    let knows_kind = !matches!(format, "cat" | "text");
    assert_eq!(is_index, document.is_index && knows_kind, "{what}");
    let is_poorer = expected != document.pages();
    assert_eq!(said.contains("cannot represent"), is_poorer, "{what}: {said}");
}

/// Runs the check on each document, in its own thread.
fn each_document(check: impl Fn(&Document) + Sync) {
    sample_of_each_document(1, |document, _| check(document));
}

/// Runs the check on each document, in its own thread, with those of the document's `cases` that are in the sample.
fn sample_of_each_document(cases: usize, check: impl Fn(&Document, &[usize]) + Sync) {
    let (documents, check) = (documents(), &check);
    let mut chosen = vec![Vec::new(); documents.len()];
    for number in sample(0..documents.len() * cases) {
        chosen[number / cases].push(number % cases);
    }
    thread::scope(|scope| {
        for (document, cases) in documents.iter().zip(&chosen) {
            scope.spawn(move || check(document, cases));
        }
    });
}

#[test]
fn every_format_as_a_file_compressed_and_on_standard_input() {
    sample_of_each_document(COMMANDS.len() * 3, |document, cases| {
        let (name, content) = (document.name, &document.content);
        let folder = Folder::with(&[(name, content)]);
        let zipped = format!("{name}.gz");
        folder.write(&zipped, gzipped(content));
        for case in cases {
            let (command, format) = COMMANDS[case / 3];
            let (name, input) = [(name, &[][..]), (&zipped, &[]), ("-", content)][case % 3];
            let found = run(&folder, command, name, input);
            let what = format!("{command}, {name} of {}", document.name);
            check(&what, &found, format, document);
        }
    });
}

/// Each command reads the output of the one before: pages, values, and the kind (urlset or index). Text has no kind, so an index converted
/// to text is refused on the way back.
#[test]
fn every_format_through_every_pipe() {
    const FORMATS: [&str; 4] = ["text", "csv", "jsonl", "xml"];
    sample_of_each_document(FORMATS.len() * FORMATS.len(), |document, cases| {
        let folder = Folder::with(&[(document.name, &document.content)]);
        for (i, first) in FORMATS.into_iter().enumerate() {
            let seconds: Vec<&str> = cases
                .iter()
                .filter(|case| *case / FORMATS.len() == i)
                .map(|case| FORMATS[case % FORMATS.len()])
                .collect();
            if seconds.is_empty() {
                continue;
            }
            let (status, between, said) =
                run(&folder, &format!("convert IN --to {first}"), document.name, &[]);
            assert_eq!(status, 0, "{}: {said}", document.name);
            let fields = fields_of(first).min(document.fields);
            for second in seconds {
                let what = format!("{} | {first} | {second}", document.name);
                let found = run(
                    &folder,
                    &format!("convert IN --to {second}"),
                    "-",
                    between.as_bytes(),
                );
                if document.is_index && first == "text" {
                    if second == "xml" {
                        let told = "sitemap: all 5 URLs name .xml files, as in an index: --index writes an index, and \
                                    --index=false a urlset\n";
                        assert_eq!((found.0, &*found.2), (2, told), "{what}");
                        for (choice, is_index) in [("--index", true), ("--index=false", false)] {
                            let command = format!("convert IN --to xml {choice}");
                            let (status, output, _) = run(&folder, &command, "-", between.as_bytes());
                            assert_eq!((status, read(&output, "xml").1), (0, is_index), "{what}");
                        }
                    }
                    continue;
                }
                let content = between.clone().into_bytes();
                let between = Document {
                    name: document.name,
                    content,
                    fields,
                    is_index: document.is_index,
                };
                check(&what, &found, second, &between);
            }
            // `cat` prints pages as a text sitemap.
            if !document.is_index {
                let (status, lines, _) = folder.pipe(&between, &["cat", "-"]);
                assert_eq!(
                    (status, read(&lines, "text").0),
                    (0, projected(&document.pages(), 1))
                );
            }
        }
    });
}

/// A truncated gzip stream. gzip stores the text uncompressed here, so each byte of the file is one byte of text. Entries before the cut
/// are read and none is invented, the status is not 0, and standard error reports the cut.
#[test]
fn every_format_cut_off() {
    const CUTS: usize = 10;
    sample_of_each_document(CUTS * COMMANDS.len(), |document, cases| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
        encoder.write_all(&document.content).unwrap();
        let whole = encoder.finish().unwrap();
        let pages = document.pages();
        for case in cases {
            let (command, format) = COMMANDS[case % COMMANDS.len()];
            let cut = 20 + (whole.len() - 20) * (case / COMMANDS.len()) / CUTS;
            let name = format!("{}.gz", document.name);
            let folder = Folder::with(&[(&*name, &whole[..cut])]);
            let what = format!("{command}, {name} cut at {cut} of {}", whole.len());
            let (status, output, said) = run(&folder, command, &name, &[]);
            let is_lenient = command.contains("lenient");
            assert!(status == 2 || status == 1 && is_lenient, "{what}: {said}");
            assert!(said.contains("truncated"), "{what}: {said}");
            if format == "cat" {
                cut_off_for_stat(&folder, &name, cut > whole.len() / 2);
            }
            if format == "csv" && output.is_empty() {
                continue;
            }
            let (found, _) = read(&output, format);
            let model = projected(&pages, fields_of(format));
            for (page, expected) in found.iter().zip(&model) {
                assert_eq!(page[0], expected[0], "{what}: {said}");
                let is_value = |(value, expected): (&String, &String)| value.is_empty() || value == expected;
                assert!(
                    page.iter().zip(expected).all(is_value),
                    "{what}: {page:?}, {said}"
                );
            }
            assert!(found.len() <= model.len(), "{what}");
            // Half of the file contains at least one page.
            if cut > whole.len() / 2 && (is_lenient || format != "xml") {
                assert!(!found.is_empty(), "{what}: {said}");
            }
        }
    });
}

fn cut_off_for_stat(folder: &Folder, name: &str, has_pages: bool) {
    let (status, said, _) = folder.run(&["stat", name]);
    let is_table = ["csv", "json", "comma"].iter().any(|word| name.contains(word)) || name == "wide.gz";
    assert_eq!(status, 2);
    if !is_table && has_pages {
        assert!(!said.contains("entries      0\nbytes"), "{name}: {said}");
    }
}

/// A wrong checksum does not locate the damage, so everything is read and no file is replaced.
#[test]
fn every_format_with_a_wrong_checksum() {
    let told = "the checksum of the compressed document is wrong: any part of it may be damaged (P-GZIP); get a new copy";
    each_document(|document| {
        let mut wrong = gzipped(&document.content);
        let checksum = wrong.len() - 8;
        wrong[checksum] ^= 1;
        let name = format!("{}.gz", document.name);
        let folder = Folder::with(&[(&*name, &wrong)]);
        let (status, output, said) = folder.run(&["convert", &name, "--to", "jsonl", "--lenient"]);
        assert_eq!(
            (status, read(&output, "jsonl").0),
            (1, document.pages()),
            "{name}: {said}"
        );
        assert!(said.contains(told), "{name}: {said}");
        let (status, output, said) = run(&folder, COMMANDS[0].0, &name, &[]);
        assert!(status == 2 && said.contains(told), "{name}: {said}");
        let lines = output.lines().count();
        assert!(lines + 1 >= document.pages().len(), "{name}: {output}");
        if matches!(document.name, "a.xml" | "a.txt" | "index.xml") {
            let (status, _, said) = folder.run(&["repair", &name, "--in-place"]);
            assert_eq!(
                (status, said.lines().last()),
                (
                    2,
                    Some(&*format!(
                        "sitemap: {name}: its checksum is wrong, so any entry may be damaged: it stays as it is (--force replaces it)"
                    ))
                )
            );
            assert_eq!(std::fs::read(folder.path(&name)).unwrap(), wrong);
            assert_eq!(folder.run(&["repair", &name, "--in-place", "--force"]).0, 1);
            assert_eq!(folder.run(&["lint", &name, "--level", "P-DECL=off"]).0, 0);
        }
    });
}

/// Every command names the actual compression of a file that it cannot decompress.
#[test]
fn other_compressions_have_names() {
    for (kind, start) in [
        ("zip", &b"PK\x03\x04\x14\0\0\0\x08\0"[..]),
        ("xz", b"\xFD7zXZ\0\0\x04\xE6\xD6"),
        ("zstd", b"\x28\xB5\x2F\xFD\x24\x1F\xF9"),
        ("bzip2", b"BZh91AY&SY\xC0\x11"),
    ] {
        let folder = Folder::with(&[("a.xml", start), ("a.csv.zip", start)]);
        let problem = format!(
            "the document is compressed with {kind}, and gzip is the only compression of sitemaps (P-GZIP); decompress it, at line 1, \
             column 1 (byte 0)"
        );
        for command in [
            "cat IN",
            "stat IN",
            "convert IN --to csv",
            "convert IN --to xml --lenient",
            "repair IN",
            "split IN -o out --base https://example.com",
            "diff IN IN",
            "edit IN --add https://example.com/ -o -",
        ] {
            for name in ["a.xml", "a.csv.zip"] {
                let (status, _, said) = run(&folder, command, name, &[]);
                assert_eq!(
                    (status, said.lines().next()),
                    (2, Some(&*format!("sitemap: {name}: {problem}"))),
                    "{command}"
                );
            }
        }
        let (status, said, _) = folder.run(&["lint", "a.xml"]);
        assert!(
            status == 1 && said.contains("error[P-GZIP]: the document is compressed with "),
            "{said}"
        );
    }
}

/// Rows of a table without a header are no URLs, for every command and every way to pass input.
#[test]
fn tables_without_a_header_are_refused() {
    let comma = "pages\nhttps://example.com/a,2026-05-01\nhttps://example.com/b,\n";
    let semicolon = "https://example.com/a;2026-05-01 10:00;daily;0,5\r\nhttps://example.com/b;;;\r\n";
    for (text, what) in [
        (comma, "each line has 1 value behind its URL, separated by `,`"),
        (
            semicolon,
            "each line has 3 values behind its URL, separated by `;`",
        ),
    ] {
        let problem = format!(
            "this is CSV, and no text sitemap: {what} (P-TXT1); `sitemap convert --from csv` reads a table whose first line names the \
             columns, such as `loc,lastmod`, at line 1, column 1 (byte 0)"
        );
        for content in [
            text.as_bytes().to_vec(),
            utf16(text, u16::to_le_bytes),
            gzipped(text),
        ] {
            let folder = Folder::with(&[("a.txt", &content)]);
            for command in [
                "cat IN",
                "stat IN",
                "convert IN --to xml",
                "convert IN --to xml --lenient",
                "repair IN",
                "split IN -o out --base https://example.com",
            ] {
                for (name, shown, input) in [("a.txt", "a.txt", &[][..]), ("-", "<stdin>", &content)] {
                    let found = run(&folder, command, name, input);
                    assert_eq!(
                        (found.0, found.2),
                        (2, format!("sitemap: {shown}: {problem}\n")),
                        "{command}"
                    );
                    assert!(!found.1.contains("https://"), "{command}");
                }
            }
            let (status, said, _) = folder.run(&["lint", "a.txt"]);
            assert!(
                status == 1 && said.contains("error[P-TXT1]: this is CSV, and no text sitemap"),
                "{said}"
            );
        }
    }
    // With a header line, the table is read.
    let folder = Folder::with(&[(
        "a.txt",
        format!(
            "url;lastmod;changefreq;priority\r\n{}",
            semicolon.replace(" 10:00", "")
        ),
    )]);
    let arguments = [
        "convert",
        "a.txt",
        "--from",
        "csv",
        "--loc-column",
        "url",
        "--to",
        "csv",
    ];
    assert_eq!(
        folder.run(&arguments),
        (
            0,
            "loc,lastmod,changefreq,priority\nhttps://example.com/a,2026-05-01,daily,0.5\nhttps://example.com/b,,,\n".to_owned(),
            String::new()
        )
    );
}

/// An unclosed quote costs one line. The lines after it are read, including rows that span several lines.
#[test]
fn an_open_quote_costs_its_line() {
    let header = "loc,note\n";
    let row = |i: u32| format!("https://example.com/{i},\n");
    let several = "https://example.com/several,\"one\ntwo \"\"2\"\"\"\n";
    let open = "https://example.com/open,\"x\n";
    let table = [header, &row(1), several, open, &row(2), &row(3)].concat();
    let good =
        "https://example.com/1\nhttps://example.com/several\nhttps://example.com/2\nhttps://example.com/3\n";
    let folder = Folder::with(&[("a.csv", &table)]);
    assert_eq!(
        folder.run(&["cat", "a.csv"]),
        (
            1,
            good.to_owned(),
            "a.csv, line 5: a quote that does not end\nnote: a.csv: 1 unknown column: `note`\n".to_owned()
        )
    );
    assert_eq!(
        folder.run(&["convert", "a.csv", "--to", "text", "--lenient"]),
        (
            1,
            good.to_owned(),
            "a.csv, line 5: a quote that does not end\nnote: 1 unknown column left out: `note`\nnote: 1 URL left out\n".to_owned()
        )
    );
    assert_eq!(
        folder.run(&["convert", "a.csv", "--to", "text"]).2,
        "sitemap: a.csv, line 5: a quote that does not end; --on-invalid drop leaves it out\n"
    );
}

/// A naive reader would search from each line to the end of the file for the closing quote.
#[test]
fn many_open_quotes_take_linear_time() {
    if !reads_all() {
        skip::<()>("many_open_quotes_take_linear_time", "SITEMAP_ROUNDS is not set");
        return;
    }
    let hostile = "loc,note\n".to_owned() + &"a\",\"\n".repeat(4_000_000);
    let (status, _, said) = Folder::empty().pipe(&hostile, &["convert", "-", "--to", "text", "--lenient"]);
    assert_eq!(status, 2);
    assert!(said.lines().count() < 110, "{}", said.lines().count());
    assert!(
        said.lines()
            .any(|line| line.contains("quotes that do not end in too many rows")),
        "{said}"
    );
}

/// After the first hundred problems, the remaining ones are only counted.
#[test]
fn problems_of_many_entries_are_counted() {
    let text = "https://example.com/\n".to_owned() + &"about\n".repeat(4_000);
    let folder = Folder::with(&[("a.txt", &text)]);
    for command in [
        "cat a.txt",
        "convert a.txt --to xml --lenient",
        "split a.txt -o out --base https://example.com --on-invalid drop",
    ] {
        let (status, _, said) = folder.run(&command.split(' ').collect::<Vec<_>>());
        assert_eq!(status, 1, "{command}");
        assert_eq!(
            said.lines().filter(|line| line.contains("`about` ")).count(),
            100,
            "{command}"
        );
        assert!(
            said.lines().any(|line| line == "3,900 more problems not shown"),
            "{command}"
        );
        assert!(said.len() < 30_000, "{command}: {}", said.len());
    }
}

/// The shell programs from the help, with an index among the sitemaps and more pages than one document may hold.
#[cfg(unix)]
#[test]
fn programs_of_the_help_with_an_index_and_many_pages() {
    use std::path::Path;
    use std::process::Command;

    let page = |i: u32| {
        format!(
            "https://example.com/{}{i}",
            if i.is_multiple_of(100) { "drafts/" } else { "" }
        )
    };
    let urlset = |range: std::ops::Range<u32>| {
        let entry = |i| format!("<url><loc>{}</loc></url>", page(i));
        let entries: String = range.map(entry).collect();
        format!("<urlset xmlns=\"{CORE}\">{entries}</urlset>")
    };
    let index = format!(
        "<sitemapindex xmlns=\"{CORE}\"><sitemap><loc>https://example.com/a.xml</loc></sitemap><sitemap><loc>https://example.com/b.xml</loc></sitemap></sitemapindex>"
    );
    let folder = Folder::with(&[
        ("old/sitemap.xml", index),
        ("old/a.xml", urlset(0..30_000)),
        ("old/b.xml", urlset(30_000..60_000)),
    ]);
    let (_, help, _) = folder.run(&["split", "--help"]);
    let program = help
        .lines()
        .map(str::trim)
        .find(|line| line.starts_with("sitemap cat"))
        .unwrap();
    let directory = Path::new(env!("CARGO_BIN_EXE_sitemap")).parent().unwrap();
    let path = format!("{}:{}", directory.display(), std::env::var("PATH").unwrap());
    let shell = |program: &str| {
        let mut command = Command::new("sh");
        command
            .args(["-c", program])
            .env("PATH", &path)
            .current_dir(folder.path(""));
        let output = command.output().unwrap();
        (
            output.status.code().unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (status, said) = shell(program);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("public: 3 files with 59,400 URLs, "), "{said}");
    let (_, listed, note) = folder.run(&["cat", "public"]);
    assert_eq!(note, "");
    let locs: Vec<_> = (0..60_000)
        .filter(|i: &u32| !i.is_multiple_of(100))
        .map(page)
        .collect();
    assert!(listed.lines().eq(locs.iter().map(String::as_str)));

    // One document cannot hold all pages.
    let (status, said) = shell("sitemap cat old/*.xml | sitemap convert - -o new.xml");
    assert_eq!(status, 2);
    assert_eq!(
        said,
        "note: 1 index skipped, since pages are printed\n\
         sitemap: <stdin>, line 50001: the document is full: it has 50,000 `url` entries, and 50,000 are allowed (P-COUNT); `sitemap split` \
         writes several\n"
    );
    assert!(!folder.path("new.xml").exists());

    // A single index is printed, and so are several indexes.
    folder.write("again.xml", folder.read("old/sitemap.xml"));
    let (status, listed, said) = folder.run(&["cat", "old/sitemap.xml"]);
    assert_eq!(
        (status, &*listed, &*said),
        (0, "https://example.com/a.xml\nhttps://example.com/b.xml\n", "")
    );
    let (status, listed, said) = folder.run(&["cat", "old/sitemap.xml", "again.xml"]);
    assert_eq!((status, listed.lines().count(), &*said), (0, 4, ""));
}

/// In every command, the name of the output decides whether it is compressed.
#[test]
fn names_of_outputs_decide_about_compression() {
    let sitemap = xml(&pages(), "urlset", "url");
    let folder = Folder::with(&[
        ("a.xml", sitemap.as_bytes().to_vec()),
        ("b.xml.gz", gzipped(&sitemap)),
    ]);
    folder.write("site/index.html", "<p>Home");
    folder.write("maps/a.xml", &sitemap);
    let is_gzip = |name: &str| {
        std::fs::read(folder.path(name))
            .unwrap()
            .starts_with(&[0x1F, 0x8B])
    };
    for command in [
        "edit a.xml --drop https://example.com/ -o OUT",
        "edit b.xml.gz --drop https://example.com/ -o OUT",
        "repair a.xml -o OUT",
        "repair b.xml.gz -o OUT",
        "convert a.xml -o OUT",
        "convert b.xml.gz -o OUT",
        "index maps --location https://example.com -o OUT",
        "from site --location https://example.com -o OUT",
    ] {
        for (name, is_compressed) in [("out.xml", false), ("out.xml.gz", true), ("OUT.XML.GZ", true)] {
            let (status, _, said) = run(&folder, &command.replace("OUT", name), "", &[]);
            assert!(status < 2, "{command}: {said}");
            assert_eq!(is_gzip(name), is_compressed, "{command}, {name}");
            std::fs::remove_file(folder.path(name)).unwrap();
        }
    }
    // In-place changes keep the compression.
    for (name, is_compressed) in [("a.xml", false), ("b.xml.gz", true)] {
        assert_eq!(folder.run(&["edit", name, "--drop", "https://example.com/"]).0, 0);
        assert_eq!(is_gzip(name), is_compressed);
    }
    // A misleading name is reported.
    folder.write("lie.xml.gz", &sitemap);
    folder.write("lie.xml", gzipped(&sitemap));
    let (status, said, _) = folder.run(&["lint", "lie.xml.gz", "--places", "1"]);
    assert!(
        status == 0
            && said
                .contains("warning[P-GZIP]: the name of the file ends in `.gz`, and it is not compressed\n"),
        "{said}"
    );
    let (status, said, _) = folder.run(&["lint", "lie.xml"]);
    assert!(
        status == 0
            && said.contains("warning[P-GZIP]: the file is compressed, and its name does not end in `.gz`\n"),
        "{said}"
    );
}

/// Converting one document to one document keeps its stylesheets and extra attributes. Otherwise, their loss is reported.
#[test]
fn stylesheets_and_attributes_are_kept_or_said() {
    let style = "<?xml-stylesheet type=\"text/css\" href=\"/a.css?b&amp;c\"?>";
    // The writer would format none of these like this.
    let odd = "<?xml-stylesheet href='file:///a.css' media=\"print\"?>\n<?xml-stylesheet title='é' alternate=\"yes\"?>";
    let sitemap = |style: &str| {
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{style}\n<urlset xmlns=\"{CORE}\"><url id=\"1\" xmlns:x=\"urn:x\">\
             <loc>https://example.com/</loc></url></urlset>"
        )
    };
    let folder = Folder::with(&[("a.xml", sitemap(style)), ("odd.xml", sitemap(odd))]);
    let late = sitemap(style).replace("<url ", "<?xml-stylesheet href='/b.css'?><url ")
        + "<?xml-stylesheet href='/c.css'?>";
    folder.write("late.xml", &late);
    let attribute = "1 unknown element or attribute left out: `url · @id`";
    for (command, name, kept, told) in [
        ("repair IN", "a.xml", true, ""),
        ("repair IN", "odd.xml", true, ""),
        ("repair IN", "late.xml", true, "note: 2 stylesheets left out"),
        ("convert IN --to xml", "a.xml", true, ""),
        ("convert IN --to xml --lenient", "a.xml", true, ""),
        ("convert IN --to xml", "odd.xml", true, ""),
        (
            "convert IN --to xml",
            "late.xml",
            true,
            "note: 2 stylesheets left out",
        ),
        (
            "convert IN --to csv",
            "a.xml",
            false,
            "note: 1 stylesheet left out",
        ),
        (
            "split IN -o out --base https://example.com",
            "a.xml",
            false,
            "note: 1 stylesheet left out",
        ),
    ] {
        let (status, output, said) = run(&folder, command, name, &[]);
        // The attribute is lost.
        assert_eq!(status, 1, "{command}: {said}");
        let styles = if name == "odd.xml" { odd } else { style };
        assert_eq!(
            output.contains(&format!("?>\n{styles}\n<")),
            kept,
            "{command}: {output}"
        );
        assert_eq!(said.contains("stylesheet"), !told.is_empty(), "{command}: {said}");
        assert!(
            told.is_empty() || said.lines().any(|line| line == told),
            "{command}: {said}"
        );
        assert!(said.contains(attribute), "{command}: {said}");
    }
    for styles in [style, odd] {
        folder.write(
            "a.xml",
            sitemap(styles).replace("https://example.com/", " https://example.com/ &"),
        );
        assert_eq!(folder.run(&["repair", "a.xml", "--in-place"]).0, 1);
        assert!(folder.read("a.xml").contains(styles));
    }
    // An unchanged file has no losses, and a JSON report lists nothing else.
    let plain = late.replace(" id=\"1\" xmlns:x=\"urn:x\"", "");
    folder.write("late.xml", &plain);
    assert_eq!(
        folder.run(&["repair", "late.xml", "--in-place"]),
        (
            0,
            String::new(),
            "late.xml: 1 URL, 0 repairs, 0 left out: as it was\n".to_owned()
        )
    );
    assert_eq!(folder.read("late.xml"), plain);
    let (_, _, said) = folder.run(&["repair", "late.xml", "--format", "json"]);
    assert_eq!(
        said,
        "{\"file\":\"late.xml\",\"otherElements\":0,\"repairs\":0,\"rules\":[],\"skipped\":0,\"stylesheets\":2,\
         \"type\":\"summary\",\"written\":1}\n"
    );
}

/// A repair reports exactly the losses that happened.
#[test]
fn repairs_say_what_they_did() {
    let wide = utf16(
        &format!("<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/</loc></url></urlset>"),
        u16::to_le_bytes,
    );
    let folder = Folder::with(&[("wide.xml", &wide)]);
    let told = "wide.xml: P-UTF8: the document is not in UTF-8 (P-UTF8): it is written in UTF-8\n";
    let (status, _, said) = folder.run(&["repair", "wide.xml", "--in-place"]);
    assert!(
        status == 0 && said.starts_with(told) && said.ends_with("wide.xml: 1 URL, 1 repair, 0 left out\n"),
        "{said}"
    );
    assert!(
        folder
            .read("wide.xml")
            .starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
    );

    let entry = |loc: &str| format!("<url><loc>{loc}</loc></url>");
    let urlset = |entries: &str| {
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\">{entries}</urlset>")
    };
    folder.write("control.xml", urlset(&entry("https://example.com/a\u{1}")));
    let (status, output, said) = folder.run(&["repair", "control.xml"]);
    assert!(
        status == 1 && output.contains("<loc>https://example.com/a</loc>"),
        "{output}"
    );
    assert_eq!(
        said.lines().next().unwrap(),
        "control.xml:2:92: XML: the character U+0001 cannot be in an XML document (XML 1.0 section 2.2); remove it, entry 1: written \
         without it"
    );
    folder.write("control.txt", "https://example.com/a\u{1}\n");
    let (_, output, said) = folder.run(&["repair", "control.txt"]);
    assert!(
        output.contains("<loc>https://example.com/a</loc>") && said.contains(": written without it\n"),
        "{said}"
    );

    // An element between entries is no URL.
    folder.write(
        "generator.xml",
        urlset(&format!(
            "<generator>x</generator>{}",
            entry("https://example.com/")
        )),
    );
    for command in [
        "convert generator.xml --to csv --on-invalid skip",
        "split generator.xml -o out --base https://example.com --on-invalid drop",
    ] {
        let (status, _, said) = folder.run(&command.split(' ').collect::<Vec<_>>());
        assert!(
            status == 1 && said.contains("note: 1 element between entries left out\n"),
            "{said}"
        );
        assert!(
            !said.contains("URL left out") && !said.contains("1 left out"),
            "{said}"
        );
    }

    // Past a limit, the lint cannot know whether the document has entries.
    folder.write(
        "long.xml",
        urlset(&format!("<url a=\"{}\"/>", "x".repeat(1_100_000))),
    );
    let (status, said, _) = folder.run(&["lint", "long.xml"]);
    assert!(
        status == 1 && said.contains("error[XML]: a tag or text of more than") && !said.contains("P-EMPTY"),
        "{said}"
    );
}

/// A field name that is never compared would have no effect, so it is rejected. Foreign elements are compared exactly.
#[test]
fn fields_of_a_comparison() {
    let page = |rest: &str| {
        format!(
            "<urlset xmlns=\"{CORE}\" xmlns:x=\"urn:x\"><url><loc>https://example.com/</loc>{rest}</url></urlset>"
        )
    };
    let folder = Folder::with(&[
        (
            "a.xml",
            page("<lastmod>2026</lastmod><priority>0.1</priority><x:y>1</x:y>"),
        ),
        (
            "b.xml",
            page("<lastmod>2025</lastmod><priority>0.2</priority><x:y>2</x:y>"),
        ),
    ]);
    let diff = |rest: &[&str]| folder.run(&[&["diff", "a.xml", "b.xml"], rest].concat());
    for rest in [
        &["--ignore", "lastmod,priority"][..],
        &["--ignore", "lastmod", "--ignore", "priority"],
    ] {
        assert_eq!(diff(rest).0, 0, "{rest:?}");
        let exact = diff(&[rest, &["--exact"]].concat());
        assert_eq!(
            (exact.0, &*exact.1),
            (1, "~ https://example.com/ {urn:x}y: 1 -> 2\n")
        );
        assert_eq!(diff(&[rest, &["--exact", "--ignore", "{urn:x}y"]].concat()).0, 0);
    }
    for (name, said) in [
        ("prio", "it is not a field of an entry: did you mean `priority`?"),
        (
            "lastmodd",
            "it is not a field of an entry: did you mean `lastmod`?",
        ),
        (
            "image",
            "it is not a field of an entry: did you mean `image:image`?",
        ),
        (
            "x:y",
            "it is not a field of an entry, which has lastmod, changefreq, priority, image:image, video:video, news:news, xhtml:link, \
             mobile:mobile, pagemap:PageMap",
        ),
    ] {
        let (status, _, told) = diff(&["--ignore", name]);
        let first = format!("error: invalid value '{name}' for '--ignore <FIELDS>': {said}");
        assert_eq!((status, told.lines().next()), (2, Some(&*first)));
    }
}

/// `-q` prints problems only, and workflow commands escape characters that change the text direction.
#[test]
fn notes_are_not_printed_quietly() {
    let entry = "<url><loc>https://example.com/\u{202E}</loc></url>";
    let folder = Folder::with(&[("a.xml", format!("<urlset xmlns=\"{CORE}\">{entry}</urlset>"))]);
    let (_, output, _) = folder.run(&["lint", "a.xml", "--format", "github"]);
    assert!(
        !output.contains('\u{202E}') && output.contains("\\u{202e}"),
        "{output}"
    );
    for format in ["human", "github", "sarif"] {
        let (_, output, said) = folder.run(&["lint", "a.xml", "-q", "--format", format]);
        assert_eq!(said, "", "{format}");
        assert!(format != "human" || !output.contains("note["), "{output}");
    }
}

/// A table with more entries than one document may hold becomes a set. It has all values of the table, except values for an index.
#[test]
fn tables_are_split() {
    let row = |i| {
        format!(
            "https://example.com/{i};2026-05-01;{}\r\n",
            if i == 7 { "never,0" } else { "" }
        )
    };
    let rows: String = (0..60_000).map(row).collect();
    let folder = Folder::with(&[
        ("a.csv", format!("loc;lastmod;lastmode\r\n{rows}")),
        (
            "b.json",
            "[{\"loc\":\"https://example.com/b\",\"priority\":0.5},{\"loc\":\"https://example.com/c\",\"priority\":7}]".to_owned(),
        ),
        ("index.jsonl", "{\"kind\":\"sitemap\",\"loc\":\"https://example.com/a.xml\"}\n".to_owned()),
    ]);
    let split = [
        "split",
        "a.csv",
        "b.json",
        "index.jsonl",
        "-o",
        "out",
        "--base",
        "https://example.com",
        "--on-invalid",
        "skip",
    ];
    let (status, _, said) = folder.run(&split);
    assert_eq!(status, 1, "{said}");
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(
        lines[0],
        "b.json, line 1: `7` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field \
         out, priority"
    );
    assert!(
        lines[1].starts_with("out: 3 files with 60,001 URLs, ") && lines[1].ends_with("; 1 left out"),
        "{said}"
    );
    assert_eq!(
        lines[2..],
        [
            "note: 1 index skipped",
            "note: 1 unknown column left out: `lastmode`"
        ]
    );
    let (_, printed, _) = folder.run(&["cat", "out", "--fields", "loc,lastmod,priority"]);
    let expected = (0..60_000).map(|i| format!("https://example.com/{i}\t2026-05-01\t"));
    let expected = expected.chain(["https://example.com/b\t\t0.5".to_owned()]);
    assert!(printed.lines().eq(expected), "{}", printed.lines().count());
}
