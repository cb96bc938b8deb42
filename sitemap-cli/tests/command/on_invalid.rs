//! One policy for invalid values, for every command that rewrites entries, in every format.

use sitemap_tests::sample;

use crate::folder::{CORE, Folder};

/// An invalid date, an invalid loc, and an image without a URL, each in its own entry.
const DATE: usize = 2;
const LOC: usize = 3;
const IMAGE: usize = 4;

fn documents() -> [(&'static str, String); 4] {
    let loc = |number: usize| match number {
        LOC => "https://".to_owned(),
        number => format!("https://example.com/{number}"),
    };
    let date = |number: usize| if number == DATE { "never" } else { "2026-05-01" };
    let each = |entry: &dyn Fn(usize) -> String| (1..=5).map(entry).collect::<String>();
    let xml = each(&|number| {
        let image = if number == IMAGE {
            "<image:image><image:loc>x y</image:loc></image:image>"
        } else {
            ""
        };
        format!(
            "<url><loc>{}</loc><lastmod>{}</lastmod>{image}</url>",
            loc(number),
            date(number)
        )
    });
    let xml = format!(
        "<urlset xmlns=\"{CORE}\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">{xml}</urlset>"
    );
    let json = each(&|number| {
        let image = if number == IMAGE {
            ",\"image:image\":[{\"image:loc\":\"x y\"}]"
        } else {
            ""
        };
        format!(
            "{{\"loc\":\"{}\",\"lastmod\":\"{}\"{image}}}\n",
            loc(number),
            date(number)
        )
    });
    let csv = each(&|number| format!("{},{}\n", loc(number), date(number)));
    [
        ("a.xml", xml),
        ("a.csv", format!("loc,lastmod\n{csv}")),
        ("a.jsonl", json),
        ("a.txt", each(&|number| loc(number) + "\n")),
    ]
}

/// The numbers of the entries that a policy writes, each with `true` if it keeps its date.
fn expected(name: &str, policy: &str) -> Vec<(usize, bool)> {
    let (has_dates, has_images) = (name != "a.txt", name.ends_with("xml") || name == "a.jsonl");
    (1..=5)
        .filter(|number| match (*number, policy) {
            (LOC, _) => false,
            (DATE, "skip") => !has_dates,
            (IMAGE, "skip") => !has_images,
            _ => true,
        })
        .map(|number| (number, has_dates && number != DATE))
        .collect()
}

#[test]
fn every_command_with_every_format() {
    let documents = &documents();
    let commands = [
        "convert IN --to xml -o out.xml",
        "convert IN --to jsonl -o out.jsonl",
        "split IN -o out --base https://example.com",
    ];
    let cases = documents.iter().flat_map(|(name, content)| {
        let policies = ["fail", "drop", "skip"].into_iter();
        let ways = policies.flat_map(|policy| [false, true].map(|lenient| (policy, lenient)));
        ways.flat_map(move |way| commands.map(|command| (*name, content, way, command)))
    });
    for (name, content, (policy, lenient), command) in sample(cases) {
        let folder = Folder::with(&[(name, content)]);
        let command = command.replace("IN", name);
        let mut arguments: Vec<&str> = command.split(' ').collect();
        arguments.extend(["-q", "--on-invalid", policy]);
        if lenient {
            arguments.push("--lenient");
        }
        let (status, printed, said) = folder.run(&arguments);
        let what = format!("{arguments:?}: {status}\n{said}");
        assert_eq!(printed, "", "{what}");
        let out = ["out", "out.xml", "out.jsonl"]
            .into_iter()
            .find(|name| folder.path(name).exists());
        if policy == "fail" {
            assert_eq!((status, said.lines().count(), out), (2, 1, None), "{what}");
            assert!(
                said.starts_with("sitemap: ") && !said.contains("left out"),
                "{what}"
            );
            continue;
        }
        let read = folder.run(&["cat", out.unwrap(), "--fields", "loc,lastmod"]).1;
        let written: Vec<(usize, bool)> = read
            .lines()
            .map(|line| {
                let (loc, lastmod) = line.split_once('\t').unwrap();
                (
                    loc.rsplit('/').next().unwrap().parse().unwrap(),
                    lastmod == "2026-05-01",
                )
            })
            .collect();
        assert_eq!((status, written), (1, expected(name, policy)), "{what}");
        // Each loss has a line.
        let losses =
            1 + usize::from(name != "a.txt") + usize::from(name.ends_with("xml") || name == "a.jsonl");
        assert_eq!(said.lines().count(), losses, "{what}");
    }
}

/// With `fail`, both commands stop at any invalid value with a one-line message, in strict and lenient reading. Strict reading uses `fail`
/// by default.
#[test]
fn every_flaw_fails_where_it_should() {
    let urlset = |entries: &str| {
        format!(
            "<urlset xmlns=\"{CORE}\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\
             <url><loc>https://example.com/</loc></url>{entries}</urlset>"
        )
    };
    let flaws = [
        ("a.txt", "https://example.com/\nabout\n".to_owned()),
        (
            "a.txt",
            "https://example.com/\nhttps://example.com/ x\n".to_owned(),
        ),
        ("a.xml", urlset("<url/>")),
        ("a.xml", urlset("<url><lastmod>2026</lastmod></url>")),
        ("a.xml", urlset("<url><loc>about</loc></url>")),
        ("a.xml", urlset("<generator>x</generator>")),
        ("a.xml", urlset("<url>text<loc>https://example.com/1</loc></url>")),
        (
            "a.xml",
            urlset(
                "<url><loc>https://example.com/1</loc><image:image><image:loc>x y</image:loc></image:image></url>",
            ),
        ),
        ("a.csv", "loc\nabout\n".to_owned()),
        ("a.csv", "loc,lastmod\n,2026\n".to_owned()),
        ("a.csv", "loc,priority\nhttps://example.com/,high\n".to_owned()),
        ("a.csv", "loc,note\nhttps://example.com/,\"x\n".to_owned()),
        ("a.jsonl", "{\"lastmod\":\"2026\"}\n".to_owned()),
        ("a.jsonl", "{\"loc\":\"about\"}\n".to_owned()),
        ("a.jsonl", "[1]\n{\n".to_owned()),
    ];
    let commands = [
        "convert IN --to text -o out",
        "convert IN --to xml -o out",
        "split IN -o out --base https://example.com",
    ];
    let policies = ["", " --on-invalid fail", " --lenient --on-invalid fail"];
    let ways = commands
        .into_iter()
        .flat_map(|command| policies.map(|policy| (command, policy)));
    let cases = ways.flat_map(|way| flaws.iter().map(move |flaw| (flaw, way)));
    for ((name, content), (command, policy)) in sample(cases) {
        let folder = Folder::with(&[(name, content)]);
        let command = format!("{command} -q{policy}").replace("IN", name);
        let (status, printed, said) = folder.run(&command.split(' ').collect::<Vec<_>>());
        let what = format!("{command} {content}: {said}");
        assert_eq!((status, &*printed, said.lines().count()), (2, "", 1), "{what}");
        assert!(said.starts_with(&format!("sitemap: {name}")), "{what}");
        assert!(
            !folder.path("out").is_file() && !folder.path("out/sitemap.xml").exists(),
            "{what}"
        );
    }
}

/// In every format, an image without a URL is dropped, but its page is not.
#[test]
fn an_image_costs_itself() {
    let (name, content) = &documents()[0];
    let folder = Folder::with(&[(name, content)]);
    for to in ["text", "csv", "jsonl", "xml"] {
        let (status, printed, said) =
            folder.run(&["convert", name, "--to", to, "--on-invalid", "drop", "-q"]);
        assert_eq!(status, 1, "{said}");
        assert!(
            printed.contains("https://example.com/4") && !printed.contains("x y"),
            "{printed}"
        );
    }
}
