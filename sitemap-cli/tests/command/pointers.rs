//! Messages about an unreadable document name it, and suggest a command that can read it.

use crate::folder::{CORE, Folder, gzipped};

const PROBLEM: &str = "a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 1, column 94 (byte 93), entry 1";

fn folder() -> Folder {
    let urlset = |loc: &str| {
        format!("<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/{loc}</loc></url></urlset>")
    };
    Folder::with(&[
        ("bad.xml", urlset("a?x&y")),
        ("good.xml", urlset("a")),
        ("page.xml", "<!doctype html><title>No</title>".to_owned()),
    ])
}

#[test]
fn what_is_compressed_twice_is_said_so() {
    let folder = Folder::with(&[("a.xml.gz", gzipped(&gzipped("<urlset/>")))]);
    let told = "sitemap: a.xml.gz: the document is compressed twice (P-GZIP); decompress it once, at line 1, column 1 (byte 0)\n";
    for arguments in [
        "cat a.xml.gz",
        "repair a.xml.gz",
        "convert a.xml.gz --to text",
        "convert a.xml.gz --to text --lenient",
        "split a.xml.gz -o out --base https://example.com",
        "edit a.xml.gz --drop https://example.com/",
        "diff a.xml.gz a.xml.gz",
    ] {
        let (status, _, found) = folder.run(&arguments.split(' ').collect::<Vec<_>>());
        assert_eq!((status, &*found), (2, told), "{arguments}");
    }
}

#[test]
fn a_malformed_document_is_named_with_what_reads_it() {
    let (folder, repair) = (folder(), "; `sitemap repair bad.xml` reads what can be read");
    let lenient = "; --lenient reads what can be read";
    for (arguments, pointer) in [
        ("cat bad.xml", repair),
        ("stat bad.xml", repair),
        ("diff bad.xml good.xml", repair),
        ("diff good.xml bad.xml", repair),
        ("edit bad.xml --drop https://example.com/b", repair),
        ("convert bad.xml --to text", lenient),
        ("split bad.xml -o out --base https://example.com", lenient),
    ] {
        let (status, _, told) = folder.run(&arguments.split(' ').collect::<Vec<_>>());
        assert_eq!(
            (status, told),
            (2, format!("sitemap: bad.xml: {PROBLEM}{pointer}\n")),
            "{arguments}"
        );
    }
    let (status, _, told) = folder.pipe(folder.read("bad.xml"), &["cat", "-"]);
    let pointer = "; `sitemap repair -` reads what can be read";
    assert_eq!(
        (status, told),
        (2, format!("sitemap: <stdin>: {PROBLEM}{pointer}\n"))
    );
    let (_, report, _) = folder.run(&["lint", "bad.xml"]);
    assert!(
        report.contains(" = help: `sitemap repair bad.xml` reads what can be read\n"),
        "{report}"
    );
    assert_eq!(
        folder.names(),
        ["bad.xml", "good.xml", "page.xml"],
        "a refusal leaves nothing behind"
    );
}

#[test]
fn an_index_lists_no_malformed_file() {
    let folder = folder();
    for lastmod in ["modified", "newest", "none"] {
        let index = [
            "index",
            ".",
            "--location",
            "https://example.com",
            "--lastmod",
            lastmod,
        ];
        let (status, written, told) = folder.run(&index);
        assert_eq!((status, written.matches("<loc>").count()), (1, 1), "{told}");
        let bad =
            format!("not listed: bad.xml: {PROBLEM}; `sitemap repair bad.xml` reads what can be read\n");
        assert!(
            told.starts_with(&bad) && told.ends_with("1 sitemap listed, 2 not listed\n"),
            "{told}"
        );
    }
    // `index` lists a file even if it has an unreadable entry.
    folder.write(
        "site/a.xml",
        folder.read("good.xml").replace("</urlset>", "<url/></urlset>"),
    );
    let (status, _, told) = folder.run(&["index", "site", "--location", "https://example.com"]);
    assert_eq!((status, &*told), (0, "1 sitemap listed, 0 not listed\n"));
}

/// An HTML page has nothing to repair, so messages do not suggest it.
#[test]
fn what_is_no_sitemap_is_not_to_be_repaired() {
    let folder = folder();
    for arguments in [
        "cat page.xml",
        "stat page.xml",
        "diff good.xml page.xml",
        "convert page.xml --to text",
        "lint page.xml",
    ] {
        let (_, printed, told) = folder.run(&arguments.split(' ').collect::<Vec<_>>());
        assert!(!(printed + &told).contains("what can be read"), "{arguments}");
    }
}

/// With -q, only problems are printed. A valid document produces its entries or nothing.
#[test]
fn quiet_commands_say_nothing_of_what_is_right() {
    let folder = folder();
    folder.write("site/index.html", "<!doctype html><title>Lamps</title><p>Lamps.");
    for arguments in [
        "lint good.xml --level P-DECL=off",
        "repair good.xml -o repaired.xml",
        "edit good.xml --touch https://example.com/a -o edited.xml",
        "diff good.xml good.xml",
        "convert good.xml --to csv -o good.csv",
        "split good.xml -o out --base https://example.com",
        "index out --location https://example.com -o index.xml",
        "from site --location https://example.com",
    ] {
        let arguments: Vec<_> = arguments.split(' ').chain(["-q"]).collect();
        assert_eq!(
            folder.run(&arguments),
            (0, String::new(), String::new()),
            "{arguments:?}"
        );
    }
}

/// Commands in messages can be pasted into a shell, whatever the file name.
#[test]
fn names_in_commands_are_quoted_for_the_shell() {
    let cut = format!("<urlset xmlns=\"{CORE}\"><url><lo");
    let folder = Folder::with(&[("it's cut.xml", cut), ("a b.csv", "loc\n".to_owned())]);
    for (arguments, command) in [
        (
            &["cat", "it's cut.xml"][..],
            r"`sitemap repair 'it'\''s cut.xml'`",
        ),
        (&["stat", "a b.csv"], "`sitemap convert 'a b.csv' --to xml`"),
        (&["a b.csv"], "`sitemap lint 'a b.csv'`"),
    ] {
        let (_, _, told) = folder.run(arguments);
        assert!(told.contains(command), "{told}");
    }
}
