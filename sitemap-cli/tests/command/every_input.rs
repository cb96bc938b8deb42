//! Every command with every kind of input, in one table: the inputs that each command accepts, and proof that no entry is lost silently.

use std::collections::HashSet;
use std::thread;

use sitemap_tests::sample;

use crate::folder::{CORE, Folder, gzipped, unzipped};
use crate::server::{Answer, Server};

/// The result of each command on each input, for each way to pass the input: as a file, compressed by gzip, on standard input, at a URL, or
/// in its own directory.
///
/// - `4`: the number of entries read or written, with exit status 0. `index` lists the document.
/// - `3?`: the same with status 1. Anything missing or wrong is reported.
/// - `3!`: the same with status 2. The document could not be read to its end.
/// - `!`: status 2, and nothing was done.
///
/// The inputs have four entries, or none. In a flawed input, one entry has no loc, one has an invalid date, and one has a name unknown in
/// sitemaps.
const TABLE: &str = "
                                          lint    stat     cat    text     csv   jsonl     xml lenient  repair    edit   split    diff  submit   index    from
sitemap.xml  file gzip pipe                  4       4       4       4       4       4       4       4       4       4       4       4       4       !       !
sitemap.xml  url                             4       4       4       4       4       4       4       4       4       !       4       4       4       !       !
sitemap.xml  folder                          4       4       4       4       4       4       4       4       !       !       4       4       4       1       !
bom.xml      file gzip pipe                  4       4       4       4       4       4       4       4       4       4       4       4       4       !       !
bom.xml      url                             4       4       4       4       4       4       4       4       4       !       4       4       4       !       !
bom.xml      folder                          4       4       4       4       4       4       4       4       !       !       4       4       4       1       !
utf16.xml    file gzip pipe url             4?       4       4       4       4       4       4       4       4       !       4       4       4       !       !
utf16.xml    folder                         4?       4       4       4       4       4       4       4       !       !       4       4       4       1       !
gzip.xml     file pipe                       4       4       4       4       4       4       4       4       4       4       4       4       4       !       !
gzip.xml     gzip                           0?       !       !       !       !       !       !       !       !       !       !       !       !       !       !
gzip.xml     url                             4       4       4       4       4       4       4       4       4       !       4       4       4       !       !
gzip.xml     folder                          4       4       4       4       4       4       4       4       !       !       4       4       4       1       !
list.txt     file gzip pipe url              4       4       4       4       4       4       4       4       4       !       4       4       4       !       !
list.txt     folder                          4       4       4       4       4       4       4       4       !       !       4       4       4       1       !
table.csv    file gzip pipe url              !       !       4       4       4       4       4       4       !       !       4       !       !       !       !
table.csv    folder                          !       !       !       !       !       !       !       !       !       !       !       !       !       !       !
table        file gzip pipe url              !       !       4       4       4       4       4       4       !       !       4       !       !       !       !
table        folder                          !       !       !       !       !       !       !       !       !       !       !       !       !       !       !
lines.jsonl  file gzip pipe url              !       !       4       4       4       4       4       4       !       !       4       !       !       !       !
lines.jsonl  folder                          !       !       !       !       !       !       !       !       !       !       !       !       !       !       !
lines        file gzip pipe url              !       !       4       4       4       4       4       4       !       !       4       !       !       !       !
lines        folder                          !       !       !       !       !       !       !       !       !       !       !       !       !       !       !
atom.atom    file gzip pipe url              4       4       4       4       4       4       4       4       4       !       4       4       4       !       !
atom.atom    folder                          4       4       4       4       4       4       4       4       !       !       4       4       4       1       !
rss.rss      file gzip pipe url              4       4       4       4       4       4       4       4       4       !       4       4       4       !       !
rss.rss      folder                          4       4       4       4       4       4       4       4       !       !       4       4       4       1       !
index.xml    file gzip pipe                  4       4       4       4       4       4       4       4       4       4       !       !       !       !       !
index.xml    url                             4       4       4       4       4       4       4       4       4       !       !       !       !       !       !
index.xml    folder                         4?      4!       !       !       !       !       !       !       !       !       !       !       !       !       !
cut.xml      file gzip pipe url             4?      3!      3!      3!      3!      3!      3!      4?      4?       !       !       !       !       !       !
cut.xml      folder                         4?      3!      3!      3!      3!      3!      3!      4?       !       !       !       !       !       !       !
flawed.xml   file gzip pipe                 4?      3?      3?      1!      1!      1!      1!      3?      3?      3?       !      3?      3?       !       !
flawed.xml   url                            4?      3?      3?      1!      1!      1!      1!      3?      3?       !       !      3?      3?       !       !
flawed.xml   folder                         4?      3?      3?      1!      1!      1!      1!      3?       !       !       !      3?      3?       1       !
flawed.txt   file gzip pipe url             4?      3?      3?      3!      3!      3!      3!      3?      3?       !       !      3?      3?       !       !
flawed.txt   folder                         4?      3?      3?      3!      3!      3!      3!      3?       !       !       !      3?      3?       1       !
flawed.csv   file gzip pipe url              !       !      3?      1!      1!      1!      1!      3?       !       !       !       !       !       !       !
flawed.csv   folder                          !       !       !       !       !       !       !       !       !       !       !       !       !       !       !
flawed.jsonl file gzip pipe url              !       !      3?      1!      1!      1!      1!      3?       !       !       !       !       !       !       !
flawed.jsonl folder                          !       !       !       !       !       !       !       !       !       !       !       !       !       !       !
page.html    file gzip pipe url             0?       !       !       !       !       !       !       !       !       !       !       !       !       !       !
page.html    folder                          !       !       !       !       !       !       !       !       !       !       !       !       !       !       1
empty.xml    file gzip pipe url folder      0?       !       !       !       !       !       !       !       !       !       !       !       !       !       !
blank.xml    file gzip pipe url folder      0?       !       !       !       !       !       !       !       !       !       !       !       !       !       !
";

/// The commands, each with its arguments. `IN` stands for the input.
const COMMANDS: [(&str, &str); 15] = [
    ("lint", "lint IN --location https://example.com/"),
    ("stat", "stat IN"),
    ("cat", "cat IN"),
    ("text", "convert IN --to text"),
    ("csv", "convert IN --to csv"),
    ("jsonl", "convert IN --to jsonl"),
    ("xml", "convert IN --to xml"),
    ("lenient", "convert IN --to xml --lenient"),
    ("repair", "repair IN -q"),
    ("edit", "edit IN --add https://example.com/new -o -"),
    ("split", "split IN -o set --base https://example.com -q"),
    ("diff", "diff IN IN"),
    ("submit", "submit IN IN --dry-run --key 0123456789abcdef"),
    ("index", "index IN --location https://example.com"),
    ("from", "from IN --location https://example.com --dry-run"),
];

/// A document and its number of entries.
struct Document {
    name: &'static str,
    content: Vec<u8>,
    entries: usize,
    /// `true` if some command cannot read all of it.
    is_flawed: bool,
}

fn locs(count: usize) -> Vec<String> {
    (1..=count).map(|i| format!("https://example.com/{i}")).collect()
}

fn urlset(entries: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\">\n{entries}</urlset>\n")
}

/// Repeats the pattern for each loc, with `LOC` replaced by it.
fn each(pattern: &str) -> String {
    locs(4).iter().map(|loc| pattern.replace("LOC", loc)).collect()
}

fn documents() -> Vec<Document> {
    let sitemap = urlset(&each("<url><loc>LOC</loc><lastmod>2026-05-01</lastmod></url>\n"));
    let index = sitemap
        .replace("urlset", "sitemapindex")
        .replace("url>", "sitemap>");
    let atom = each("<entry><link href=\"LOC\"/><updated>2026-05-01T00:00:00Z</updated></entry>");
    let atom = format!("<feed xmlns=\"http://www.w3.org/2005/Atom\">{atom}</feed>");
    let rss = each("<item><link>LOC</link></item>");
    let rss = format!("<rss version=\"2.0\"><channel>{rss}</channel></rss>");
    let csv = "loc,lastmod\n".to_owned() + &each("LOC,2026-05-01\n");
    let jsonl = each("{\"loc\":\"LOC\",\"lastmod\":\"2026-05-01\"}\n");
    let bom = "\u{FEFF}".to_owned() + &sitemap;
    let utf16: Vec<u8> = bom
        .replace("UTF-8", "UTF-16")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let good = |name, content: String| Document {
        name,
        content: content.into_bytes(),
        entries: 4,
        is_flawed: false,
    };
    let bad = |name, content: String| Document {
        name,
        content: content.into_bytes(),
        entries: 4,
        is_flawed: true,
    };
    let none = |name, content: &str| Document {
        name,
        content: content.into(),
        entries: 0,
        is_flawed: true,
    };
    vec![
        good("sitemap.xml", sitemap.clone()),
        good("bom.xml", bom),
        Document { name: "utf16.xml", content: utf16, entries: 4, is_flawed: false },
        Document {
            name: "gzip.xml",
            content: gzipped(&sitemap),
            entries: 4,
            is_flawed: false,
        },
        good("list.txt", each("LOC\n")),
        good("table.csv", csv.clone()),
        good("table", csv),
        good("lines.jsonl", jsonl.clone()),
        good("lines", jsonl),
        good("atom.atom", atom),
        good("rss.rss", rss),
        good("index.xml", index),
        bad("cut.xml", sitemap[..sitemap.len() - 40].to_owned()),
        bad(
            "flawed.xml",
            urlset(
                "<url><loc>https://example.com/1</loc></url><url><loc>https://example.com/2</loc><lastmod>never</lastmod></url>\
                 <url><loc>https://example.com/3</loc><lastmode>2026</lastmode></url><url><lastmod>2026</lastmod></url>",
            ),
        ),
        bad(
            "flawed.txt",
            "https://example.com/1\nhttps://example.com/2\nhttps://example.com/3\nabout\n".to_owned(),
        ),
        bad(
            "flawed.csv",
            "loc,lastmod,lastmode\nhttps://example.com/1,\nhttps://example.com/2,never\nhttps://example.com/3,,2026\n,2026\n"
                .to_owned(),
        ),
        bad(
            "flawed.jsonl",
            "{\"loc\":\"https://example.com/1\"}\n{\"loc\":\"https://example.com/2\",\"lastmod\":\"never\"}\n\
             {\"loc\":\"https://example.com/3\",\"lastmode\":\"2026\"}\n{\"lastmod\":\"2026\"}\n"
                .to_owned(),
        ),
        none("page.html", "<!doctype html><title>Not found</title><p>There is nothing.\n"),
        none("empty.xml", ""),
        none("blank.xml", " \n\t\n"),
    ]
}

/// A way to pass an input to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    File,
    Gzip,
    /// `-`, standard input.
    Pipe,
    Url,
    /// A directory that contains only this input.
    Folder,
}

/// The outcome of a command.
#[derive(Debug)]
struct Outcome {
    status: i32,
    entries: Option<usize>,
    /// The loc and lastmod of each entry in the output, if the command writes entries.
    pages: Option<Vec<Page>>,
    said: String,
}

type Page = (String, String);

impl Document {
    /// The valid entries, with each lastmod as in XML.
    fn pages(&self) -> Vec<Page> {
        let (count, lastmod) = match self.name {
            "list.txt" | "rss.rss" => (4, ""),
            "atom.atom" => (4, "2026-05-01T00:00:00Z"),
            name if name.starts_with("flawed.") => (3, ""),
            _ => (self.entries, "2026-05-01"),
        };
        locs(count)
            .into_iter()
            .map(|loc| (loc, lastmod.to_owned()))
            .collect()
    }
}

fn run(command: &str, document: &Document, way: Way) -> Outcome {
    let Document { name, content, .. } = document;
    let (folder, mut input) = (Folder::empty(), Vec::new());
    let named = match way {
        Way::File => {
            folder.write(name, content);
            (*name).to_owned()
        }
        Way::Gzip => {
            let name = format!("{name}.gz");
            folder.write(&name, gzipped(content));
            name
        }
        Way::Folder => {
            folder.write(&format!("site/{name}"), content);
            "site".to_owned()
        }
        Way::Pipe => {
            input.clone_from(content);
            "-".to_owned()
        }
        Way::Url => {
            let content = content.clone();
            Server::start(move |_, _| Answer::ok(content.clone())).url(&format!("/{name}"))
        }
    };
    let arguments: Vec<&str> = command
        .split(' ')
        .map(|word| if word == "IN" { &*named } else { word })
        .collect();
    let output = folder.output(&input, &arguments);
    let status = output.status.code().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    // Editing a compressed file keeps it compressed.
    let written = match output.stdout.starts_with(&[0x1F, 0x8B]) {
        true if status < 2 => unzipped(&output.stdout),
        true => String::new(),
        false => String::from_utf8(output.stdout).unwrap(),
    };
    let entries = entries(&folder, &arguments, &written, &said);
    let pages = pages(&folder, &arguments, &written);
    Outcome {
        status,
        entries,
        pages,
        said,
    }
}

/// The entries that a command wrote.
fn pages(folder: &Folder, arguments: &[&str], written: &str) -> Option<Vec<Page>> {
    let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
    let line = |line: &str| {
        let (loc, lastmod) = line.split_once(['\t', ',']).unwrap_or((line, ""));
        (loc.to_owned(), text(lastmod.split(',').next()))
    };
    let xml = |xml: &str| {
        let element = |entry: &str, name: &str| {
            let (_, rest) = entry.split_once(&format!("<{name}>"))?;
            Some(rest.split_once('<')?.0.to_owned())
        };
        let entries = xml.split("</url>").flat_map(|entry| entry.split("</sitemap>"));
        let pages = entries.filter_map(|entry| {
            Some((
                element(entry, "loc")?,
                element(entry, "lastmod").unwrap_or_default(),
            ))
        });
        pages.collect()
    };
    let json = |line: &str| {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        (text(object["loc"].as_str()), text(object["lastmod"].as_str()))
    };
    Some(match arguments {
        ["cat", ..] | ["convert", _, _, "text"] => written.lines().map(line).collect(),
        ["convert", _, _, "csv"] => written.lines().skip(1).map(line).collect(),
        ["convert", _, _, "jsonl"] => written.lines().map(json).collect(),
        ["split", ..] => {
            let printed = folder.run(&["cat", "set", "--fields", "loc,lastmod"]).1;
            printed.lines().map(line).collect()
        }
        ["edit", ..] => {
            let mut pages: Vec<_> = xml(written);
            // The entry that `--add` added.
            pages.pop();
            pages
        }
        ["convert" | "repair", ..] => xml(written),
        _ => return None,
    })
}

/// The number of entries that a command wrote, or reported as read.
fn entries(folder: &Folder, arguments: &[&str], written: &str, said: &str) -> Option<usize> {
    let number_before = |text: &str, word: &str| {
        let (before, _) = text.split_once(word)?;
        before
            .rsplit(|c: char| !c.is_ascii_digit())
            .next()?
            .parse::<usize>()
            .ok()
    };
    let value = |name: &str| {
        let line = written.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<usize>().ok()
    };
    let locs = |text: &str| text.matches("<loc>").count();
    match arguments {
        ["cat", ..] | ["convert", _, _, "text" | "jsonl"] => Some(written.lines().count()),
        ["convert", _, _, "csv"] => written.lines().count().checked_sub(1),
        ["lint", ..] => {
            let last = written.lines().rfind(|line| line.contains(" URL"))?;
            let pages = number_before(last, " URL")?;
            Some(pages + number_before(last, " listed sitemap").unwrap_or_default())
        }
        ["from", ..] => value("listed"),
        ["stat", ..] => Some(value("entries").unwrap_or_default() + value("sitemaps").unwrap_or_default()),
        ["diff" | "submit", ..] => number_before(said, " as before"),
        ["split", ..] => {
            let (status, printed, _) = folder.run(&["cat", "set"]);
            (status == 0).then(|| printed.lines().count())
        }
        ["edit", ..] => locs(written).checked_sub(1),
        _ if written.is_empty() => None,
        _ => Some(locs(written)),
    }
}

/// Asserts that a lost entry or value sets a status other than 0 or has a line on standard error.
fn check(command: &str, document: &Document, way: Way, outcome: &Outcome) {
    let Outcome {
        status,
        entries,
        pages,
        said,
    } = outcome;
    let what = format!("{command}, {} ({way:?}): {outcome:?}", document.name);
    let name = command.split(' ').next().unwrap_or_default();
    let expected = match name {
        // They list the document itself.
        "index" | "from" => 1,
        _ => document.entries,
    };
    if *status == 0 && (said.is_empty() || !document.is_flawed) {
        assert_eq!(entries.unwrap_or_default(), expected, "{what}");
    }
    // These commands write all values of each entry.
    let writes_values = matches!(name, "convert" | "repair" | "split") && !command.contains("to text");
    if document.is_flawed && writes_values {
        assert!(*status > 0 || !said.is_empty(), "{what}");
    }
    // The output has no entry or value that the document lacks, and every entry of a valid document.
    let has_values = !matches!(command, "cat IN" | "convert IN --to text");
    if let Some(pages) = pages {
        let mut known = document.pages();
        if !has_values {
            known = known.into_iter().map(|(loc, _)| (loc, String::new())).collect();
        }
        // These commands copy unreadable values.
        let is_copy = document.is_flawed && matches!(name, "cat" | "edit");
        // An unreadable value is left out and reported.
        let is_less = |(loc, lastmod): &Page| {
            *status > 0 && lastmod.is_empty() && known.iter().any(|(other, _)| other == loc)
        };
        let is_known = |page: &&Page| known.contains(page) || is_less(page) || is_copy;
        let unknown = pages.iter().find(|page| !is_known(page));
        assert_eq!(unknown, None, "{what}");
        if *status == 0 && !document.is_flawed {
            assert_eq!(*pages, known, "{what}");
        }
    }
    if *status == 2 {
        assert!(said.lines().any(|line| line.starts_with("sitemap: ")), "{what}");
    }
}

fn cell(outcome: &Outcome) -> String {
    let entries = outcome.entries.unwrap_or_default();
    match outcome.status {
        0 => entries.to_string(),
        1 => format!("{entries}?"),
        _ if entries > 0 => format!("{entries}!"),
        _ => "!".to_owned(),
    }
}

const WAYS: [Way; 5] = [Way::File, Way::Gzip, Way::Pipe, Way::Url, Way::Folder];

/// The cells of a document in [`TABLE`] for one way to pass it.
fn expected(document: &Document, way: &str) -> Vec<&'static str> {
    let rows = TABLE
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>());
    let of_document = rows.filter(|words| words.first() == Some(&document.name));
    let mut cells = of_document.filter_map(|words| {
        let (ways, cells) = words[1..].split_at(words.len() - 1 - COMMANDS.len());
        ways.contains(&way).then(|| cells.to_vec())
    });
    cells.next().unwrap_or_else(|| panic!("{}: {way}", document.name))
}

/// The table rows of a document. Ways to pass it that have the same cells share a row. The cells outside the sample are those of [`TABLE`].
fn rows(document: &Document, is_in_sample: impl Fn(Way, usize) -> bool) -> Vec<(String, Vec<String>)> {
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    for way in WAYS {
        let name = format!("{way:?}").to_lowercase();
        let cells: Vec<String> = (0..COMMANDS.len())
            .map(|i| {
                if !is_in_sample(way, i) {
                    return expected(document, &name)[i].to_owned();
                }
                let command = COMMANDS[i].1;
                // Standard input is one document, and these commands read two.
                if way == Way::Pipe && command.contains("IN IN") {
                    return rows[0].1[i].clone();
                }
                let outcome = run(command, document, way);
                check(command, document, way, &outcome);
                cell(&outcome)
            })
            .collect();
        match rows.iter_mut().find(|(_, known)| *known == cells) {
            Some((ways, _)) => ways.extend([" ", &name]),
            None => rows.push((name, cells)),
        }
    }
    rows
}

#[test]
fn every_command_with_every_input() {
    let documents = documents();
    let row = WAYS.len() * COMMANDS.len();
    let chosen: &HashSet<usize> = &sample(0..documents.len() * row).collect();
    let rows: Vec<_> = thread::scope(|scope| {
        let start = |(at, document)| {
            let is_in_sample = move |way, i| chosen.contains(&(at * row + way as usize * COMMANDS.len() + i));
            scope.spawn(move || rows(document, is_in_sample))
        };
        let running: Vec<_> = documents.iter().enumerate().map(start).collect();
        running.into_iter().map(|rows| rows.join().unwrap()).collect()
    });
    let mut table = "\n".to_owned() + &" ".repeat(38);
    table.extend(COMMANDS.map(|(name, _)| format!("{name:>8}")));
    for (document, rows) in documents.iter().zip(rows) {
        for (ways, cells) in rows {
            table.extend([format!("\n{:12} {ways:25}", document.name)]);
            table.extend(cells.iter().map(|cell| format!("{cell:>8}")));
        }
    }
    assert_eq!(table, TABLE.trim_end(), "\n{table}");
}
