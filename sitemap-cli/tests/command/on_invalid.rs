//! One policy for what is invalid: every command that writes entries again, with every format.

use crate::folder::{CORE, Folder};

/// A date that is none, a loc that is none, and an image without its URL, each in an entry of its own.
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

/// The numbers of the entries that a policy writes, each with `true` if it has its date.
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
    for (name, content) in documents() {
        for lenient in [false, true] {
            for policy in ["fail", "drop", "skip"] {
                for command in [
                    "convert IN --to xml -o out.xml",
                    "convert IN --to jsonl -o out.jsonl",
                    "split IN -o out --base https://example.com",
                ] {
                    let folder = Folder::with(&[(name, &content)]);
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
                    let losses = 1
                        + usize::from(name != "a.txt")
                        + usize::from(name.ends_with("xml") || name == "a.jsonl");
                    assert_eq!(said.lines().count(), losses, "{what}");
                }
            }
        }
    }
}
