//! Every command that reads folders, with every kind of folder, checked against a model of the pages in it: each page comes through, or the
//! output names it and the exit status reports it.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::thread;

use sitemap_serde::UrlEntry;
use sitemap_site::SitemapSet;
use sitemap_tests::sample;

use crate::folder::{CORE, Folder, gzipped};

/// A folder, its actual content, and the messages of `sitemap cat`.
struct Case {
    name: &'static str,
    make: fn(&Folder),
    /// The paths to pass to the command.
    arguments: &'static [&'static str],
    /// The pages that are read.
    pages: &'static [u32],
    /// The pages in files that no index lists.
    unlisted: &'static [u32],
    /// The names of documents that cannot be read but should be.
    unread: &'static [&'static str],
    /// The number of duplicate pages.
    repeated: usize,
    /// The number of pages in hidden files. Only a reader that follows the index finds these files.
    hidden: usize,
    /// The number of sitemaps that a new index of the folder lists.
    in_index: usize,
    told: &'static str,
}

const CASES: &[Case] = &[
    Case {
        name: "files at any depth, compressed or not",
        make: |folder| {
            folder.write("in/a.xml", urlset(&[1]));
            folder.write("in/b/c/d.XML", urlset(&[2]));
            folder.write("in/b/e.xml.gz", gzipped(&urlset(&[3])));
            folder.write("in/f.txt.gz", gzipped(&text(&[4])));
            folder.write("in/g.rss", rss(&[5]));
            folder.write("in/h.txt", utf16(&text(&[6]), u16::to_le_bytes));
            folder.write("in/i.txt", utf16(&text(&[7]), u16::to_be_bytes));
            folder.write("in/.hidden/a.xml", urlset(&[8]));
            folder.write("in/.b.xml", urlset(&[9]));
            folder.write("in/page.html", "<p>Page");
        },
        pages: &[1, 2, 3, 4, 5, 6, 7],
        in_index: 7,
        ..CASE
    },
    Case {
        name: "copies that a server sends compressed",
        make: |folder| {
            for (name, pages) in [("a.xml", 1), ("b.txt", 2), ("c/d.xml", 3)] {
                let content = if name == "b.txt" {
                    text(&[pages])
                } else {
                    urlset(&[pages])
                };
                folder.write(&format!("in/{name}"), &content);
                folder.write(&format!("in/{name}.gz"), gzipped(&content));
            }
            folder.write("in/e.xml", urlset(&[4]));
            folder.write("in/e.xml.gz", gzipped(&urlset(&[5])));
        },
        pages: &[1, 2, 3, 4, 5],
        in_index: 5,
        told: "note: in: 3 files are not read, since they are compressed copies: a.xml.gz, b.txt.gz, c/d.xml.gz; 1 compressed file differs \
               from the one beside it, and both are read: e.xml.gz\n",
        ..CASE
    },
    Case {
        name: "a listed file that a server sends compressed, beside the one that is not listed",
        make: |folder| {
            for (name, listed, pages) in [
                ("a.xml", "a.xml.gz", 1),
                ("b.xml", "b.xml", 2),
                ("c.xml", "c.xml.gz", 3),
            ] {
                folder.write(&format!("in/{name}"), urlset(&[pages]));
                folder.write(&format!("in/{name}.gz"), gzipped(&urlset(&[pages])));
                let robots = fs::read_to_string(folder.path("in/robots.txt")).unwrap_or_default();
                folder.write(
                    "in/robots.txt",
                    format!("{robots}Sitemap: https://example.com/{listed}\n"),
                );
            }
            folder.write(
                "in/sitemap.xml",
                index(&["https://example.com/c.xml", "https://example.com/c.xml.gz"]),
            );
        },
        pages: &[1, 2, 3],
        in_index: 3,
        told: "note: in: 1 file is not read, since no index and no robots.txt lists it: a.xml; \
               2 files are not read, since they are compressed copies: b.xml.gz, c.xml.gz\n",
        ..CASE
    },
    Case {
        name: "listed files behind links",
        make: |folder| {
            folder.write("in/2026/a.xml", urlset(&[1]));
            folder.write("in/2026/b.xml", urlset(&[2]));
            folder.write("in/.hidden/c.xml", urlset(&[3]));
            folder.write("in/d.xml", urlset(&[3]));
            folder.write("in/e.xml", urlset(&[4]));
            symlink("2026", folder.path("in/latest")).unwrap();
            symlink("../2026/b.xml", folder.path("in/.hidden/b.xml")).unwrap();
            let listed = ["latest/a.xml", ".hidden/b.xml", ".hidden/c.xml", "e.xml"];
            let urls = listed.map(|name| format!("https://example.com/{name}"));
            folder.write("in/sitemap.xml", index(&urls.each_ref().map(|url| &**url)));
        },
        pages: &[1, 2, 3, 4],
        in_index: 4,
        told: "note: in: 1 file is not read, since no index and no robots.txt lists it: d.xml\n",
        ..CASE
    },
    Case {
        name: "a set that shrank to one file, without what knows that",
        make: |folder| {
            split(folder, "in", &[1, 2, 3, 4]);
            split(folder, "in", &[1, 2]);
            fs::remove_dir_all(folder.path("in/.sitemap")).unwrap();
        },
        pages: &[1, 2],
        unlisted: &[3, 4],
        in_index: 3,
        told: "in: 2 URLs are not read, since no index and no robots.txt lists the files: sitemap-pages-1.xml, sitemap-pages-2.xml\n",
        repeated: 2,
        ..CASE
    },
    Case {
        name: "files with the names of a set's, and others",
        make: |folder| {
            folder.write("in/sitemap.xml", urlset(&[1]));
            folder.write("in/sitemap-pages-1.xml.gz", gzipped(&urlset(&[1])));
            folder.write("in/sitemap-2026.xml", urlset(&[2]));
            folder.write("in/sitemap-pages-a.xml", urlset(&[3]));
            folder.write("in/b/sitemap-pages-1.xml", urlset(&[4]));
        },
        pages: &[1, 2, 3, 4],
        in_index: 5,
        repeated: 1,
        told: "note: in: 1 file is not read, since no index and no robots.txt lists it: sitemap-pages-1.xml.gz\n",
        ..CASE
    },
    Case {
        name: "a set",
        make: |folder| split(folder, "in", &[1, 2, 3, 4, 5, 6]),
        pages: &[1, 2, 3, 4, 5, 6],
        in_index: 3,
        ..CASE
    },
    Case {
        name: "a set that has dropped a part",
        make: dropped,
        pages: &[1, 2, 3, 4],
        in_index: 2,
        told: "note: in: 1 file is not read, since the set lists it no more: sitemap-pages-3.xml\n",
        ..CASE
    },
    Case {
        name: "a set below, with files of others",
        make: |folder| {
            folder.write("in/a.xml", urlset(&[9]));
            split(folder, "in/maps", &[1, 2, 3]);
            split(folder, "in/maps", &[1, 2]);
            folder.write("in/robots.txt", "Sitemap: https://example.com/a.xml\n");
        },
        pages: &[1, 2, 9],
        in_index: 2,
        told: "note: in: 2 files are not read, since the set lists them no more: maps/sitemap-pages-1.xml, maps/sitemap-pages-2.xml\n",
        ..CASE
    },
    Case {
        name: "a set that became one file",
        make: |folder| {
            split(folder, "in", &[1, 2, 3]);
            split(folder, "in", &[1, 2]);
        },
        pages: &[1, 2],
        in_index: 1,
        told: "note: in: 2 files are not read, since the set lists them no more: sitemap-pages-1.xml, sitemap-pages-2.xml\n",
        ..CASE
    },
    Case {
        name: "a set without a part",
        make: |folder| {
            split(folder, "in", &[1, 2, 3, 4, 5, 6]);
            remove(folder, "in/sitemap-pages-2.xml");
        },
        pages: &[1, 2, 5, 6],
        unread: &["in/sitemap-pages-2.xml"],
        in_index: 2,
        told: "sitemap: cannot open in/sitemap-pages-2.xml: in/sitemap.xml lists it, and there is no such file\n",
        ..CASE
    },
    Case {
        name: "a set without its parts",
        make: |folder| {
            split(folder, "in", &[1, 2, 3, 4, 5, 6]);
            for part in 1..=3 {
                remove(folder, &format!("in/sitemap-pages-{part}.xml"));
            }
        },
        unread: &["in/sitemap-pages-1.xml"],
        told: "sitemap: cannot open in/sitemap-pages-1.xml: the set lists it, and there is no such file (nor 2 others)\n",
        ..CASE
    },
    Case {
        name: "a set with a damaged manifest",
        make: |folder| {
            dropped(folder);
            for entry in fs::read_dir(folder.path("in/.sitemap")).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_some_and(|extension| extension == "json") {
                    fs::write(path, "{}").unwrap();
                }
            }
        },
        pages: &[1, 2, 3, 4],
        unlisted: &[5],
        unread: &["in"],
        in_index: 3,
        told: "in: 1 URL is not read, since no index and no robots.txt lists the file: sitemap-pages-3.xml\n\
               sitemap: cannot open in: the manifest in/.sitemap/MANIFEST cannot be read: missing field `version` at line 1 column 2; delete it, and run \
               the command again\n",
        ..CASE
    },
    Case {
        name: "a set whose manifest others may not read",
        make: |folder| {
            dropped(folder);
            fs::set_permissions(folder.path("in/.sitemap"), fs::Permissions::from_mode(0o700)).unwrap();
        },
        pages: &[1, 2, 3, 4],
        unlisted: &[5],
        in_index: 3,
        told: "in: 1 URL is not read, since no index and no robots.txt lists the file: sitemap-pages-3.xml\n",
        ..CASE
    },
    Case {
        name: "generations that others may not look at",
        make: |folder| {
            generations(folder);
            fs::set_permissions(folder.path("in/state"), fs::Permissions::from_mode(0o700)).unwrap();
        },
        pages: &[1, 2, 3, 4],
        unlisted: &[5],
        in_index: 3,
        told: "in: 1 URL is not read, since no index and no robots.txt lists the file: current/sitemap-pages-3.xml\n",
        ..CASE
    },
    Case {
        name: "generations of a set",
        make: generations,
        pages: &[1, 2, 3, 4],
        in_index: 2,
        told: "note: in: 1 file is not read, since the set lists it no more: current/sitemap-pages-3.xml\n",
        ..CASE
    },
    Case {
        name: "the current generation of a set",
        make: generations,
        arguments: &["in/current"],
        pages: &[1, 2, 3, 4],
        in_index: 2,
        told: "note: in/current: 1 file is not read, since the set lists it no more: sitemap-pages-3.xml\n",
        ..CASE
    },
    Case {
        name: "an index without a manifest",
        make: |folder| {
            dropped(folder);
            fs::remove_dir_all(folder.path("in/.sitemap")).unwrap();
        },
        pages: &[1, 2, 3, 4],
        unlisted: &[5],
        in_index: 3,
        told: "in: 1 URL is not read, since no index and no robots.txt lists the file: sitemap-pages-3.xml\n",
        ..CASE
    },
    Case {
        name: "an index, and feeds of the same pages",
        make: |folder| {
            folder.write("in/sitemap.xml", index(&["https://example.com/a.xml"]));
            folder.write("in/a.xml", urlset(&[1, 2]));
            for name in ["1.rss", "2.atom", "b/3.rss", "b/4.rss"] {
                folder.write(&format!("in/{name}"), rss(&[1]));
            }
        },
        pages: &[1, 2],
        repeated: 4,
        in_index: 5,
        told: "note: in: 4 files are not read, since no index and no robots.txt lists them: 1.rss, 2.atom, b/3.rss and 1 more\n",
        ..CASE
    },
    Case {
        name: "an index that lists what is not there",
        make: |folder| {
            let urls = ["a", "b", "c", "d/e"].map(|name| format!("https://example.com/s/{name}.xml"));
            let urls: Vec<_> = urls
                .iter()
                .map(String::as_str)
                .chain(["https://other.example/x.xml"])
                .collect();
            folder.write("in/sitemap.xml", index(&urls));
            folder.write("in/a.xml", urlset(&[1]));
            folder.write("in/old.xml", urlset(&[2]));
        },
        pages: &[1],
        unlisted: &[2],
        unread: &["in/b.xml"],
        in_index: 2,
        told: "in: 1 URL is not read, since no index and no robots.txt lists the file: old.xml\n\
               note: in: 1 listed sitemap is elsewhere: https://other.example/x.xml\n\
               sitemap: cannot open in/b.xml: in/sitemap.xml lists it, and there is no such file (nor 2 others)\n",
        ..CASE
    },
    Case {
        name: "an index that lists nothing in the folder",
        make: |folder| {
            folder.write("in/index.xml", index(&["https://example.com/s.php?page=1"]));
            folder.write("in/a.xml", urlset(&[1]));
        },
        pages: &[1],
        in_index: 1,
        told: "note: in: 1 listed sitemap is elsewhere: https://example.com/s.php?page=1\n",
        ..CASE
    },
    Case {
        name: "an index that is cut off",
        make: |folder| {
            let whole = index(&["https://example.com/a.xml", "https://example.com/b.xml"]);
            folder.write("in/index.xml", &whole[..whole.len() - 40]);
            folder.write("in/a.xml", urlset(&[1]));
            folder.write("in/b.xml", urlset(&[2]));
        },
        pages: &[1, 2],
        unread: &["in/index.xml"],
        in_index: 2,
        told: "sitemap: in/index.xml: the document ends inside `loc`: it is truncated, or its end was never written; get a complete copy, at \
               line 1, column 152 (byte 151), entry 2; `sitemap repair in/index.xml` reads what can be read\n",
        ..CASE
    },
    Case {
        name: "two sites, each with an index",
        make: |folder| {
            for (site, page) in [("a.example", 1), ("b.example", 3)] {
                let url = format!("https://{site}/maps/s%C3%A9.xml");
                folder.write(&format!("in/{site}/sitemap.xml"), index(&[&url]));
                folder.write(&format!("in/{site}/maps/sé.xml"), urlset(&[page]));
                folder.write(&format!("in/{site}/sé.xml"), urlset(&[page + 1]));
            }
        },
        pages: &[1, 3],
        unlisted: &[2, 4],
        in_index: 4,
        told: "in: 2 URLs are not read, since no index and no robots.txt lists the files: a.example/sé.xml, b.example/sé.xml\n",
        ..CASE
    },
    Case {
        name: "two sites, one with an index",
        make: |folder| {
            folder.write("in/a/sitemap.xml", index(&["https://a.example/1.xml"]));
            folder.write("in/a/1.xml", urlset(&[1]));
            folder.write("in/a/2.xml", urlset(&[2]));
            folder.write("in/b/sitemap.xml", urlset(&[3]));
            folder.write("in/c.xml", urlset(&[4]));
        },
        pages: &[1, 3, 4],
        unlisted: &[2],
        in_index: 4,
        told: "in: 1 URL is not read, since no index and no robots.txt lists the file: a/2.xml\n",
        ..CASE
    },
    Case {
        name: "an index below of what is above",
        make: |folder| {
            folder.write("in/maps/sitemap.xml", index(&["https://example.com/1.xml"]));
            folder.write("in/1.xml", urlset(&[1]));
            folder.write("in/2.xml", urlset(&[2]));
        },
        pages: &[1],
        unlisted: &[2],
        in_index: 2,
        told: "in: 1 URL is not read, since no index and no robots.txt lists the file: 2.xml\n",
        ..CASE
    },
    Case {
        name: "a robots.txt",
        make: |folder| {
            folder.write(
                "in/robots.txt",
                "Sitemap: https://example.com/a.xml\nSitemap: https://example.com/.well-known/b.xml\n",
            );
            folder.write("in/a.xml", urlset(&[1]));
            folder.write("in/.well-known/b.xml", urlset(&[2]));
            folder.write("in/c.xml", urlset(&[3]));
        },
        pages: &[1, 2],
        unlisted: &[3],
        hidden: 1,
        in_index: 2,
        told: "in: 1 URL is not read, since no index and no robots.txt lists the file: c.xml\n",
        ..CASE
    },
    Case {
        name: "texts that are no lists",
        make: |folder| {
            folder.write("in/robots.txt", "User-agent: *\n");
            for name in ["humans.txt", "license.txt", "empty.txt", "news.rss"] {
                folder.write(&format!("in/{name}"), "Write to us.\nhttps://example.com/8\n");
            }
            folder.write("in/a.xml", urlset(&[1]));
        },
        pages: &[1],
        in_index: 1,
        told: "note: in: 4 files are not read, since they are no sitemaps: empty.txt, humans.txt, license.txt and 1 more\n",
        ..CASE
    },
    Case {
        name: "links to folders and files, and in circles",
        make: |folder| {
            folder.write("in/z/a.xml", urlset(&[1]));
            folder.write("other/b.xml", urlset(&[2]));
            folder.write("other/c/d.xml", urlset(&[3]));
            symlink("z", folder.path("in/again")).unwrap();
            symlink("../other", folder.path("in/other")).unwrap();
            symlink("../other/c", folder.path("in/twice")).unwrap();
            symlink("..", folder.path("in/z/up")).unwrap();
            symlink(".", folder.path("other/self")).unwrap();
            symlink("z/a.xml", folder.path("in/b.xml")).unwrap();
        },
        pages: &[1, 2, 3],
        in_index: 3,
        ..CASE
    },
    Case {
        name: "links to nothing",
        make: |folder| {
            folder.write("in/a.xml", urlset(&[1]));
            symlink("nothing", folder.path("in/b.xml")).unwrap();
            symlink("nothing", folder.path("in/c")).unwrap();
            symlink("round", folder.path("in/round")).unwrap();
        },
        pages: &[1],
        unread: &["in/b.xml"],
        in_index: 1,
        told: "note: in: 2 links lead nowhere: c, round\n\
               sitemap: cannot open in/b.xml: No such file or directory (os error 2); it is a link whose target does not exist\n",
        ..CASE
    },
    Case {
        name: "FIFOs",
        make: |folder| {
            folder.write("in/a.xml", urlset(&[1]));
            for name in ["in/b.xml", "in/c"] {
                let made = Command::new("mkfifo").arg(folder.path(name)).status().unwrap();
                assert!(made.success());
            }
        },
        pages: &[1],
        unread: &["in/b.xml"],
        in_index: 1,
        told: "sitemap: cannot open in/b.xml: it is a FIFO or a device: name it to read it\n",
        ..CASE
    },
    Case {
        name: "a folder that cannot be read",
        make: |folder| {
            folder.write("in/a/a.xml", urlset(&[1]));
            folder.write("in/b/b.xml", urlset(&[2]));
            folder.write("in/c.xml", urlset(&[3]));
            fs::set_permissions(folder.path("in/b"), fs::Permissions::from_mode(0o0)).unwrap();
        },
        pages: &[1, 3],
        unread: &["in/b"],
        in_index: 2,
        told: "sitemap: cannot open in/b: the directory cannot be read: Permission denied (os error 13)\n",
        ..CASE
    },
    Case {
        name: "folders and files, some of them twice",
        make: |folder| {
            folder.write("in/a.xml", urlset(&[1]));
            folder.write("in/b/b.xml", urlset(&[2]));
            folder.write("c.xml", urlset(&[3]));
            folder.write("empty/page.html", "");
        },
        arguments: &["in/b", "in", "./in/a.xml", "c.xml", "in/../c.xml", "empty"],
        pages: &[1, 2, 3],
        unread: &["empty"],
        told: "sitemap: cannot open empty: it has no file named .xml or .xml.gz, no text sitemap and no feed\n",
        ..CASE
    },
    Case {
        name: "a folder and standard input",
        make: |folder| {
            folder.write("in/a.xml", urlset(&[1]));
        },
        arguments: &["in", "-"],
        pages: &[1, 99],
        ..CASE
    },
];

const CASE: Case = Case {
    name: "",
    make: |_| {},
    arguments: &["in"],
    pages: &[],
    unlisted: &[],
    unread: &[],
    repeated: 0,
    hidden: 0,
    in_index: 0,
    told: "",
};

fn locs(pages: &[u32]) -> Vec<String> {
    pages
        .iter()
        .map(|page| format!("https://example.com/{page}"))
        .collect()
}

/// Repeats the pattern for each loc, with `LOC` replaced by it.
fn each(pattern: &str, locs: &[impl AsRef<str>]) -> String {
    let texts: Vec<_> = locs
        .iter()
        .map(|loc| pattern.replace("LOC", loc.as_ref()))
        .collect();
    texts.concat()
}

fn urlset(pages: &[u32]) -> String {
    let entries = each("<url><loc>LOC</loc></url>", &locs(pages));
    format!("<urlset xmlns=\"{CORE}\">{entries}</urlset>")
}

fn index(urls: &[&str]) -> String {
    let entries = each("<sitemap><loc>LOC</loc></sitemap>", urls);
    format!("<sitemapindex xmlns=\"{CORE}\">{entries}</sitemapindex>")
}

fn rss(pages: &[u32]) -> String {
    let items = each("<item><link>LOC</link></item>", &locs(pages));
    format!("<rss version=\"2.0\"><channel>{items}</channel></rss>")
}

fn text(pages: &[u32]) -> String {
    each("LOC\n", &locs(pages))
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let text = format!("\u{FEFF}{text}");
    text.encode_utf16().flat_map(bytes).collect()
}

fn remove(folder: &Folder, name: &str) {
    fs::remove_file(folder.path(name)).unwrap();
}

/// Publishes a set in place, with two pages in each part.
fn split(folder: &Folder, name: &str, pages: &[u32]) {
    let arguments = [
        "split",
        "-",
        "-o",
        name,
        "--base",
        "https://example.com",
        "--max-entries",
        "2",
    ];
    let (status, _, told) = folder.pipe(urlset(pages), &arguments);
    assert_eq!(status, 0, "{told}");
}

fn dropped(folder: &Folder) {
    split(folder, "in", &[1, 2, 3, 4, 5]);
    split(folder, "in", &[1, 2, 3, 4]);
}

/// Publishes a set in generations.
fn generations(folder: &Folder) {
    for pages in [&[1, 2, 3, 4, 5, 6][..], &[1, 2, 3, 4, 5], &[1, 2, 3, 4]] {
        let builder = SitemapSet::directory(folder.path("in"), "https://example.com")
            .max_entries(2)
            .clone();
        let set = builder.open().unwrap();
        let mut writer = set.task_writer("pages", "all").unwrap();
        for loc in locs(pages) {
            writer.write(None, &UrlEntry::new(loc)).unwrap();
        }
        set.commit(&[writer.finish().unwrap()]).unwrap();
    }
}

/// Runs a command as a user without root's rights, so that file permissions apply.
fn run(folder: &Folder, arguments: &[&str]) -> (i32, String, String) {
    let mut command = folder.command(arguments);
    if fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0) {
        command.uid(65_534).gid(65_534);
    }
    let mut program = command.spawn().unwrap();
    std::io::Write::write_all(&mut program.stdin.take().unwrap(), urlset(&[99]).as_bytes())
        .unwrap_or_default();
    let output = program.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Filters the pages from URLs, without the sitemaps that an index lists.
fn pages_of<'t>(urls: impl Iterator<Item = &'t str>) -> Vec<String> {
    let is_page = |url: &&str| {
        url.rsplit('/')
            .next()
            .is_some_and(|end| end.parse::<u32>().is_ok())
    };
    urls.filter(is_page).map(str::to_owned).collect()
}

fn sorted(mut list: Vec<String>) -> Vec<String> {
    list.sort();
    list
}

/// The number before a unit.
fn number(text: &str, unit: &str) -> Option<usize> {
    let (before, _) = text.split_once(unit)?;
    before
        .rsplit(' ')
        .next()?
        .trim_matches(|c: char| !c.is_ascii_digit())
        .parse()
        .ok()
}

fn make(case: &Case) -> Folder {
    let folder = Folder::empty();
    fs::set_permissions(folder.path(""), fs::Permissions::from_mode(0o777)).unwrap();
    (case.make)(&folder);
    folder.write("none.xml", urlset(&[1000]));
    folder
}

/// A running check of one case.
struct Check<'c> {
    case: &'c Case,
    folder: Folder,
    pages: Vec<String>,
    /// `true` if an index is damaged, so that following it reports more than the unreadable documents.
    is_index_damaged: bool,
}

impl Check<'_> {
    /// Runs a command with the arguments of the case, after its name or in place of `IN`.
    fn run(&self, command: &str) -> (i32, String, String, String) {
        let mut arguments: Vec<&str> = command.split(' ').collect();
        let at = arguments.iter().position(|word| *word == "IN").unwrap();
        arguments.splice(at..=at, self.case.arguments.iter().copied());
        let (status, printed, told) = run(&self.folder, &arguments);
        let what = format!("{}: {command}: {status}\n{printed}\n{told}", self.case.name);
        (status, printed, told, what)
    }

    /// The exit status of a command that skips unreadable documents.
    fn status(&self) -> i32 {
        match (self.case.unread.len(), self.case.unlisted.len()) {
            (0, 0) => 0,
            (0, _) => 1,
            _ => 2,
        }
    }

    fn is_named(&self, told: &str, what: &str) {
        let mut unread = self.case.unread.iter();
        assert!(unread.all(|name| told.contains(name)), "{what}");
    }

    fn readers(&self) {
        let (status, printed, told, what) = self.run("cat IN");
        assert_eq!(sorted(pages_of(printed.lines())), self.pages, "{what}");
        assert_eq!(status, self.status(), "{what}");
        // The number of documents is checked elsewhere.
        let lines = told
            .split_inclusive('\n')
            .filter(|line| !line.contains(" documents could not be read"));
        let told = without_hash(&lines.collect::<Vec<_>>().concat());
        assert_eq!(told, self.case.told, "{what}");

        let (status, printed, told, what) = self.run("stat IN");
        assert_eq!(status, self.status(), "{what}");
        let value = |name: &str| {
            let line = printed.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok())
        };
        assert_eq!(value("entries"), Some(self.pages.len()), "{what}");
        assert_eq!(
            value("unlisted").unwrap_or_default(),
            self.case.unlisted.len(),
            "{what}"
        );
        self.is_named(&told, &what);
    }

    /// `lint` and `index` also read documents that no index lists.
    fn readers_of_all(&self) {
        let case = self.case;
        let is_whole = case.unread.is_empty() || self.is_index_damaged;
        let (status, printed, told, what) = self.run("lint IN");
        assert_eq!(status == 2, !is_whole, "{what}");
        if !is_whole {
            self.is_named(&(told + &printed), &what);
        }
        let all = case.pages.len() + case.unlisted.len() + case.repeated - case.hidden;
        assert_eq!(
            number(
                printed.lines().rfind(|line| line.contains(" URL")).unwrap(),
                " URL"
            ),
            Some(all),
            "{what}"
        );

        let [_] = case.arguments else { return };
        let (status, printed, told, what) = self.run("index IN --location https://example.com");
        assert_eq!(printed.matches("<loc>").count(), case.in_index, "{what}");
        if case.in_index > 0 {
            assert_eq!(status, i32::from(!is_whole), "{what}");
            if !is_whole {
                self.is_named(&told, &what);
            }
        }
    }

    fn copies(&self) {
        let (status, _, told, what) = self.run("split IN -o out --base https://example.com");
        assert_eq!(status, self.status(), "{what}");
        self.is_named(&told, &what);
        if status < 2 {
            let (_, printed, _) = run(&self.folder, &["cat", "out"]);
            assert_eq!(sorted(pages_of(printed.lines())), self.pages, "{what}");
        } else {
            assert!(!self.folder.path("out").exists(), "{what}");
        }

        let [_] = self.case.arguments else { return };
        let (status, printed, told, what) = self.run("convert IN --to text");
        assert_eq!(status, self.status(), "{what}");
        self.is_named(&told, &what);
        if status < 2 {
            assert_eq!(sorted(pages_of(printed.lines())), self.pages, "{what}");
        }
    }

    /// An incomplete side is not compared.
    fn comparisons(&self) {
        let [_] = self.case.arguments else { return };
        // No existing page counts as removed, and a set with an unreadable part is incomplete.
        let all = [self.case.pages, self.case.unlisted].concat();
        self.folder.write("all.xml", urlset(&all));
        let (status, printed, told, what) = self.run("diff all.xml IN --fail-on removed");
        if self.case.unread.is_empty() {
            let changes: Vec<_> = locs(self.case.unlisted)
                .iter()
                .map(|loc| format!("? {loc}"))
                .collect();
            assert_eq!(
                sorted(printed.lines().map(str::to_owned).collect()),
                sorted(changes),
                "{what}"
            );
            assert_eq!(status, self.status(), "{what}");
            if !self.case.unlisted.is_empty() {
                let pages = if self.case.unlisted.len() == 1 {
                    "page"
                } else {
                    "pages"
                };
                let note = format!(
                    "; {} {pages} in files of NEW that nothing lists",
                    self.case.unlisted.len()
                );
                assert!(told.contains(&note), "{what}");
            }
        }
        let (status, printed, told, what) = self.run("diff IN none.xml");
        if self.case.unread.is_empty() {
            let removed = printed.lines().filter_map(|line| line.strip_prefix("- "));
            assert_eq!(sorted(pages_of(removed)), self.pages, "{what}");
        } else {
            assert_eq!((status, &*printed), (2, ""), "{what}");
            self.is_named(&told, &what);
        }
        if cfg!(not(feature = "http")) {
            return;
        }
        let (status, printed, told, what) = self.run("submit none.xml IN --dry-run --key 0123456789abcdef");
        if self.case.unread.is_empty() {
            assert_eq!(status, self.status(), "{what}");
            let sent = printed.split('"').filter(|text| !text.ends_with("/1000"));
            assert_eq!(sorted(pages_of(sent)), self.pages, "{what}");
        } else {
            assert_eq!((status, &*printed), (2, ""), "{what}");
            self.is_named(&told, &what);
        }
    }
}

/// A message without the hash in the manifest's name.
fn without_hash(told: &str) -> String {
    let Some(start) = told.find("manifest-") else {
        return told.to_owned();
    };
    let end = start + told[start..].find(".json").unwrap() + ".json".len();
    format!("{}MANIFEST{}", &told[..start], &told[end..])
}

/// The checks of some commands.
type Part = fn(&Check<'static>);

fn check(case: &'static Case, parts: &[Part]) {
    let damage = ["no such file", "it is truncated"];
    let check = Check {
        case,
        folder: make(case),
        pages: sorted(locs(case.pages)),
        is_index_damaged: damage.iter().any(|words| case.told.contains(words)),
    };
    check.readers();
    for part in parts {
        part(&check);
    }
}

#[test]
fn every_command_with_every_folder() {
    let parts: [Part; 3] = [Check::readers_of_all, Check::copies, Check::comparisons];
    let mut chosen = vec![Vec::new(); CASES.len()];
    for number in sample(0..CASES.len() * parts.len()) {
        chosen[number / parts.len()].push(parts[number % parts.len()]);
    }
    let failed = thread::scope(|scope| {
        let cases = CASES.iter().zip(&chosen);
        let running: Vec<_> = cases
            .map(|(case, parts)| scope.spawn(move || check(case, parts)))
            .collect();
        running
            .into_iter()
            .map(thread::ScopedJoinHandle::join)
            .filter(Result::is_err)
            .count()
    });
    assert_eq!(failed, 0);
}

/// Pages are removed between two deploys. Their files stay for a day, but reading the folder does not return their pages.
#[test]
fn a_deploy_sees_that_pages_are_gone() {
    let folder = Folder::empty();
    split(&folder, "old", &[1, 2, 3, 4, 5, 6]);
    for pages in [&[1, 2, 3, 4, 5, 6][..], &[1, 2, 3, 4]] {
        split(&folder, "new", pages);
    }
    assert!(folder.path("new/sitemap-pages-3.xml").exists());
    let dropped = "note: new: 1 file is not read, since the set lists it no more: sitemap-pages-3.xml\n";
    let (status, printed, told) = folder.run(&["diff", "old", "new", "--fail-on", "removed"]);
    assert_eq!(
        (status, &*printed, told),
        (
            1,
            "- https://example.com/5\n- https://example.com/6\n",
            dropped.to_owned() + "0 added, 2 removed, 0 changed, 4 as before; 2 indexes skipped\n"
        )
    );
    let lint = [
        "lint",
        "new",
        "--location",
        "https://example.com/",
        "--fail-on",
        "note",
    ];
    assert_eq!(
        folder.run(&lint),
        (
            0,
            "3 files, 4 URLs, 2 listed sitemaps: 0 errors, 0 warnings, 0 notes\n".to_owned(),
            dropped.to_owned()
        )
    );
    #[cfg(feature = "http")]
    {
        let arguments = ["submit", "old", "new", "--dry-run", "--key", "0123456789abcdef"];
        let (status, printed, _) = folder.run(&arguments);
        assert_eq!(
            (status, printed.matches("https://example.com/").count()),
            (0, 2),
            "{printed}"
        );
    }
    let arguments = [
        "split",
        "new",
        "-o",
        "new",
        "--base",
        "https://example.com",
        "--max-entries",
        "2",
    ];
    let (status, _, told) = folder.run(&arguments);
    assert_eq!(
        (status, told),
        (
            0,
            dropped.to_owned()
                + "new: 3 files with 4 URLs, 388 bytes: 0 written, 3 kept, 0 removed; 0 left out\nnote: 1 index skipped\n"
        )
    );
}

/// A missing listed file is not mistaken for another file with the same name, although a longer URL has the same suffix.
#[test]
fn a_missing_file_is_not_its_namesake() {
    let folder = Folder::empty();
    let index = index(&[
        "https://example.com/sitemap-1.xml",
        "https://example.com/de/sitemap-1.xml",
    ]);
    for side in ["old", "new"] {
        folder.write(&format!("{side}/sitemap.xml"), &index);
        folder.write(&format!("{side}/sitemap-1.xml"), urlset(&[1]));
    }
    folder.write("old/de/sitemap-1.xml", urlset(&[2]));
    assert_eq!(folder.run(&["cat", "old"]).0, 0);
    let missing = "new/de/sitemap-1.xml: new/sitemap.xml lists it, and there is no such file";
    let (status, printed, told) = folder.run(&["cat", "new"]);
    assert_eq!((status, &*printed), (2, "https://example.com/1\n"), "{told}");
    assert!(told.contains(missing), "{told}");
    let (status, printed, told) = folder.run(&["diff", "old", "new", "--fail-on", "removed"]);
    assert_eq!((status, &*printed), (2, ""), "{told}");
    assert!(told.contains(missing), "{told}");
}

/// The root element of an index may follow a long comment.
#[test]
fn an_index_behind_a_long_comment_is_one() {
    let folder = Folder::empty();
    for len in [10, 9_000, 100_000] {
        let comment = format!("<!--{}--><sitemapindex", "x".repeat(len));
        folder.write(
            "in/sitemap.xml",
            index(&["a.xml"]).replace("<sitemapindex", &comment),
        );
        folder.write("in/a.xml", urlset(&[1]));
        folder.write("in/old.xml", urlset(&[2]));
        let (status, printed, told) = folder.run(&["cat", "in"]);
        assert_eq!(
            (status, &*printed),
            (1, "https://example.com/1\n"),
            "{len}: {told}"
        );
    }
}

/// A file name that is not UTF-8 is listed as its bytes.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf8_are_listed() {
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::empty();
    let name = |bytes: &[u8]| folder.path("in").join(std::ffi::OsStr::from_bytes(bytes));
    fs::create_dir_all(name(b"d\xFF")).unwrap();
    fs::write(
        name(b"d\xFF/sitemap.xml"),
        index(&["d%FF/a.xml", "d%FF/.h%FF.xml"]),
    )
    .unwrap();
    fs::write(name(b"d\xFF/a.xml"), urlset(&[1])).unwrap();
    fs::write(name(b"d\xFF/.h\xFF.xml"), urlset(&[2])).unwrap();
    // No index lists files in this folder.
    fs::create_dir(name(b"other")).unwrap();
    fs::write(name(b"other/b.xml"), urlset(&[3])).unwrap();
    let (status, printed, told) = folder.run(&["cat", "in"]);
    let mut lines: Vec<_> = printed.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        (status, lines),
        (
            0,
            vec![
                "https://example.com/1",
                "https://example.com/2",
                "https://example.com/3"
            ]
        ),
        "{told}"
    );
}

/// A table that mixes rows of pages and rows of sitemaps is reported, and no row changes its kind.
#[test]
fn a_table_of_pages_and_sitemaps_is_reported() {
    let folder = Folder::empty();
    folder.write("a.xml", urlset(&[1]));
    let rows = [
        "https://example.com/a.xml,sitemap",
        "https://example.com/page,url",
    ];
    for order in [[0, 1], [1, 0]] {
        let table = format!("loc,kind\n{}\n{}\n", rows[order[0]], rows[order[1]]);
        folder.write("m.csv", table);
        let (status, printed, told) = folder.run(&["cat", "m.csv", "a.xml"]);
        assert_eq!(
            (status, &*printed, &*told),
            (
                1,
                "https://example.com/page\nhttps://example.com/1\n",
                "m.csv: it has rows of pages and rows of sitemaps (`kind`), which are skipped\n"
            )
        );
        let (status, printed, told) = folder.run(&["cat", "m.csv"]);
        assert_eq!((status, printed.lines().count()), (1, 2), "{told}");
        assert_eq!(
            told,
            "m.csv: it has rows of pages and rows of sitemaps (`kind`), which are printed like these\n"
        );
    }
}

/// Reading folders nested up to the maximum path length takes linear time.
#[test]
fn deep_folders_are_read() {
    let folder = Folder::empty();
    let path = "a/".repeat(1900);
    let path = format!(
        "in/{}",
        &path[..path.len().min(3700 - folder.path("").as_os_str().len())]
    );
    folder.write(&format!("{path}/b.xml"), urlset(&[1]));
    let start = std::time::Instant::now();
    let (status, printed, told) = folder.run(&["cat", "in"]);
    assert_eq!((status, &*printed), (0, "https://example.com/1\n"), "{told}");
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// A URL whose host is followed by a query or a fragment has no path, so it lists no file.
#[test]
fn urls_without_a_path_list_no_file() {
    for url in ["https://example.com?next=/b.xml", "https://example.com#/b.xml"] {
        let index = format!(
            "<sitemapindex xmlns=\"{CORE}\"><sitemap><loc>https://example.com/a.xml</loc></sitemap><sitemap><loc>{url}</loc></sitemap></sitemapindex>"
        );
        let urlset = |loc: &str| {
            format!("<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/{loc}</loc></url></urlset>")
        };
        let folder = Folder::with(&[
            ("public/index.xml", index),
            ("public/a.xml", urlset("a")),
            ("public/b.xml", urlset("b")),
        ]);
        let (status, printed, told) = folder.run(&["cat", "public"]);
        assert_eq!((status, &*printed), (1, "https://example.com/a\n"), "{url}");
        assert_eq!(
            told,
            format!(
                "public: 1 URL is not read, since no index and no robots.txt lists the file: b.xml\nnote: public: 1 listed sitemap is elsewhere: {url}\n"
            )
        );
    }
}

/// A folder whose path is too long to be opened has a line and sets the status, in every command.
#[cfg(target_os = "linux")]
#[test]
fn paths_that_are_too_long_are_told() {
    let document = |loc: &str| {
        format!("<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/{loc}</loc></url></urlset>")
    };
    for name in ["deep", "deep.xml"] {
        let folder = Folder::with(&[("site/a.xml", document("a")), ("old/a.xml", document("a"))]);
        // Longer than 4,096 bytes, which no system call takes at once.
        folder.write("new/b.xml", document("b"));
        for _ in 0..17 {
            fs::create_dir(folder.path("outer")).unwrap();
            fs::rename(
                folder.path("new"),
                folder.path(&format!("outer/{}{name}", "d".repeat(240))),
            )
            .unwrap();
            fs::rename(folder.path("outer"), folder.path("new")).unwrap();
        }
        fs::rename(folder.path("new"), folder.path("site/new")).unwrap();
        for command in [
            "cat site",
            "stat site",
            "lint site",
            "convert site --to text",
            "convert site --to text --lenient",
            "split site -o set --base https://example.com",
            "diff old site",
            "index site --location https://example.com",
            "submit old site --key 0123456789abcdef --dry-run",
        ] {
            if cfg!(not(feature = "http")) && command.starts_with("submit") {
                continue;
            }
            let (status, _, told) = folder.run(&command.split(' ').collect::<Vec<_>>());
            assert!(status > 0, "{command}: {told}");
            assert!(told.contains("File name too long"), "{command}: {told}");
        }
    }
}
