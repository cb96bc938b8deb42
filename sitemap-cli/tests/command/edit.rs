//! `sitemap edit` from the command line.

use std::fs;
use std::process::{Command, Output, Stdio};

use sitemap_serde::UrlEntry;

use crate::folder::{CORE, Folder, gzipped, unzipped};

fn urlset(entries: &str) -> String {
    format!("<urlset xmlns=\"{CORE}\">{entries}</urlset>")
}

fn index(entries: &str) -> String {
    format!("<sitemapindex xmlns=\"{CORE}\">{entries}</sitemapindex>")
}

fn folder(name: &str, bytes: impl AsRef<[u8]>) -> Folder {
    Folder::with(&[(name, bytes)])
}

fn run(folder: &Folder, arguments: &[&str]) -> Output {
    pipe(folder, b"", arguments)
}

fn pipe(folder: &Folder, input: &[u8], arguments: &[&str]) -> Output {
    folder.output(input, &[&["edit"], arguments].concat())
}

/// Runs it, asserts success, and returns its standard error.
#[track_caller]
fn succeed(folder: &Folder, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    assert!(output.stdout.is_empty());
    said
}

/// Runs it, asserts failure, and returns its standard error.
#[track_caller]
fn fail(folder: &Folder, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr).unwrap()
}

fn site() -> String {
    let entries = "\n  <url>\n    <loc>https://example.com/</loc>\n    <!-- home -->\n    <lastmod>2025-01-01</lastmod>\n  </url>\
         \n  <url>\n    <loc>https://example.com/old</loc>\n  </url>\n  <url>\n    <loc>https://example.com/a?b=1&amp;c=2</loc>\n  \
         </url>\n";
    urlset(entries)
}

const CHANGES: [&str; 14] = [
    "--base",
    "https://example.com",
    "--set",
    "/",
    "lastmod=2026-05-01",
    "--set",
    "https://example.com/a?b=1&c=2",
    "priority=0.3",
    "--drop",
    "/old",
    "--add",
    "/new",
    "--add",
    "/x y",
];

fn changed() -> String {
    site()
        .replace("2025-01-01", "2026-05-01")
        .replace("\n  <url>\n    <loc>https://example.com/old</loc>\n  </url>", "")
        .replace("c=2</loc>", "c=2</loc>\n    <priority>0.3</priority>")
        .replace(
            "\n</urlset>",
            "\n  <url>\n    <loc>https://example.com/new</loc>\n  </url>\n  <url>\n    <loc>https://example.com/x%20y</loc>\
             \n  </url>\n</urlset>",
        )
}

#[test]
fn the_file_is_replaced() {
    let folder = folder("sitemap.xml", site().as_bytes());
    let said = succeed(&folder, &[&["sitemap.xml"][..], &CHANGES].concat());
    assert!(
        said.ends_with("sitemap.xml: 2 URLs changed, 1 dropped, 2 added\n"),
        "{said}"
    );
    assert_eq!(folder.read("sitemap.xml"), changed());
    assert_eq!(folder.names(), ["sitemap.xml"]);

    let long_ago = folder.read("sitemap.xml");
    succeed(&folder, &["sitemap.xml", "--touch", "https://example.com/new"]);
    let touched = folder.read("sitemap.xml");
    let lastmod = sitemap_serde::from_str::<Vec<UrlEntry>>(&touched).unwrap()[2]
        .lastmod
        .unwrap();
    assert!(lastmod.year() >= 2026);
    assert_eq!(
        touched.replace(&format!("\n    <lastmod>{lastmod}</lastmod>"), ""),
        long_ago
    );
}

const STAGING: &str = "https://staging.example.com";

fn staged() -> String {
    format!(
        "<urlset xmlns=\"{CORE}\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\n  <!-- {STAGING} -->\n  <url>\n    <loc>{STAGING}/</loc>\n    \
         <xhtml:link rel='alternate' hreflang='de' href='{STAGING}/de?a=1&#38;b=2'/>\n    <image:image><image:loc>\
         https://cdn.example.net/a.jpg</image:loc></image:image>\n  </url>\n  <url><loc><![CDATA[ {STAGING}:443/a ]]></loc></url>\n  \
         <url><loc>https://example.com/b</loc></url>\n</urlset>\n"
    )
}

fn moved() -> String {
    staged()
        .replace(":443", "")
        .replace(&format!("{STAGING}/"), "https://example.com/")
}

#[test]
fn urls_move_to_another_host() {
    const REBASE: [&str; 3] = ["--rebase", STAGING, "https://example.com/"];
    let folder = folder("sitemap.xml", staged());
    let said = succeed(&folder, &[&["sitemap.xml"][..], &REBASE].concat());
    assert_eq!(folder.read("sitemap.xml"), moved());
    assert_eq!(
        said,
        "note: 3 URLs moved to https://example.com; 2 URLs not under https://staging.example.com, such as \
         https://cdn.example.net/a.jpg, unchanged\nsitemap.xml: 2 URLs changed, 0 dropped, 0 added\n"
    );
    let said = succeed(&folder, &[&["sitemap.xml"][..], &REBASE].concat());
    assert_eq!(folder.read("sitemap.xml"), moved());
    assert_eq!(
        said,
        "note: 0 URLs moved to https://example.com; 5 URLs not under https://staging.example.com, such as https://example.com/, \
         unchanged\nsitemap.xml: 0 URLs changed, 0 dropped, 0 added: as it was\n"
    );

    // Compressed, quiet, an index, and standard input.
    fs::write(folder.path("sitemap.xml.gz"), gzipped(&staged())).unwrap();
    let said = succeed(&folder, &[&["sitemap.xml.gz", "--quiet"][..], &REBASE].concat());
    assert_eq!(said, "");
    assert_eq!(
        unzipped(&fs::read(folder.path("sitemap.xml.gz")).unwrap()),
        moved()
    );
    let sitemaps = index(&format!("<sitemap><loc>{STAGING}/a.xml</loc></sitemap>"));
    let piped = pipe(&folder, sitemaps.as_bytes(), &[&["-"][..], &REBASE].concat());
    assert_eq!(
        String::from_utf8(piped.stdout).unwrap(),
        sitemaps.replace("staging.", "")
    );
    assert_eq!(
        String::from_utf8(piped.stderr).unwrap(),
        "note: 1 URL moved to https://example.com\nstandard output: 1 URL changed, 0 dropped, 0 added\n"
    );
}

#[test]
fn other_changes_go_before_a_new_host() {
    let folder = folder("sitemap.xml", staged());
    let old = format!("{STAGING}/");
    let a = format!("{STAGING}:443/a");
    let said = succeed(
        &folder,
        &[
            "sitemap.xml",
            "--rebase",
            STAGING,
            "https://example.com",
            "--set",
            &old,
            "priority=1.0",
            "--set",
            &a,
            "loc=https://example.com/c",
            "--drop",
            "https://example.com/b",
            "--add",
            "https://example.com/d",
        ],
    );
    assert!(
        said.ends_with("sitemap.xml: 2 URLs changed, 1 dropped, 1 added\n"),
        "{said}"
    );
    let expected = moved()
        .replace(
            "example.com/</loc>",
            "example.com/</loc>\n    <priority>1.0</priority>",
        )
        .replace("example.com/a ]]", "example.com/c ]]")
        .replace("example.com/b", "example.com/d");
    assert_eq!(folder.read("sitemap.xml"), expected);
}

#[test]
fn a_new_host_that_cannot_be_is_told() {
    let long = format!("{STAGING}/{}", "x".repeat(2_020));
    let text = urlset(&format!(
        "<url><loc>{STAGING}/</loc></url><url><loc>{long}</loc></url>"
    ));
    let too_long = format!(
        "sitemap: sitemap.xml: `https://www.staging.example.com/xxxxxxxxxxxxxxxxxxxxxxxxxxxx…` has 2,052 characters: 2,048 are allowed \
         (P-LOCLEN); shorten the URL or leave the page out, entry 2 · loc, loc `{long}`\n"
    );
    let folder = folder("sitemap.xml", &text);
    for (arguments, expected) in [
        (
            &["--rebase", "staging.example.com", "https://example.com"][..],
            "sitemap: --rebase: `staging.example.com` is not a base: it has no scheme and host (did you mean \
             `https://staging.example.com`?); a base is a scheme (http or https), a host, a port and a path prefix, such as \
             `https://example.com` or `https://example.com/shop` (P-LOC)\n",
        ),
        (
            &["--rebase", STAGING, "https://www.staging.example.com"],
            &too_long,
        ),
        (
            &[
                "--rebase",
                STAGING,
                "https://example.com",
                "--add",
                "https://example.com/",
            ],
            "sitemap: sitemap.xml: https://example.com/ is already in the file, as entry 1: change it with --set or --touch\n",
        ),
        (
            &["--rebase", STAGING],
            "error: 2 values required for '--rebase <OLD> <NEW>' but 1 was provided\n\nUsage: sitemap edit [OPTIONS] \
             <--set|--touch|--drop|--add|--rebase> <VALUES>... <FILE>\n\nFor more information, try '--help'.\n",
        ),
        (
            &["--rebase", STAGING, "https://example.com", "--base", STAGING],
            "error: the argument '--rebase <OLD> <NEW>' cannot be used with '--base <URL>'\n\nUsage: sitemap edit [OPTIONS] \
             <--set|--touch|--drop|--add|--rebase> <VALUES>... <FILE>\n\nFor more information, try '--help'.\n",
        ),
    ] {
        assert_eq!(
            fail(&folder, &[&["sitemap.xml"][..], arguments].concat()),
            expected
        );
        assert_eq!(folder.read("sitemap.xml"), text);
    }
    // Documents that the editor rejects.
    for (text, expected) in [
        (
            format!(
                "<!DOCTYPE urlset>{}",
                urlset("<url><loc>https://a.example/</loc></url>")
            )
            .into_bytes(),
            "sitemap: other.xml: the document has a DOCTYPE, and where its parts stand is then not known: only one without can be edited; \
             remove it, or read the document and write it again; `sitemap repair other.xml` reads what can be read\n",
        ),
        (
            urlset("<url><loc>https://a.example/</loc></url>")
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect(),
            "sitemap: other.xml: the document is not in UTF-8: only one that is can be edited (P-UTF8); convert it first; `sitemap repair \
             other.xml` reads what can be read\n",
        ),
    ] {
        fs::write(folder.path("other.xml"), &text).unwrap();
        let said = fail(
            &folder,
            &["other.xml", "--rebase", "https://a.example", "https://b.example"],
        );
        assert_eq!(said, expected);
        assert_eq!(fs::read(folder.path("other.xml")).unwrap(), text);
    }
}

#[test]
fn what_was_compressed_is_compressed() {
    let compressed = gzipped(&site());
    let folder = folder("sitemap.xml.gz", &compressed);
    succeed(
        &folder,
        &[&["sitemap.xml.gz", "--output", "new.xml.gz"][..], &CHANGES].concat(),
    );
    assert_eq!(fs::read(folder.path("sitemap.xml.gz")).unwrap(), compressed);
    assert_eq!(unzipped(&fs::read(folder.path("new.xml.gz")).unwrap()), changed());
}

#[test]
fn standard_input_goes_to_standard_output() {
    let folder = folder("sitemap.xml", site().as_bytes());
    let piped = pipe(&folder, site().as_bytes(), &[&["-"][..], &CHANGES].concat());
    assert!(piped.status.success());
    assert_eq!(String::from_utf8(piped.stdout).unwrap(), changed());
    let said = String::from_utf8(piped.stderr).unwrap();
    assert!(
        said.ends_with("standard output: 2 URLs changed, 1 dropped, 2 added\n"),
        "{said}"
    );

    let piped = pipe(&folder, &gzipped(&site()), &[&["-"][..], &CHANGES].concat());
    assert_eq!(unzipped(&piped.stdout), changed());

    let printed = run(&folder, &[&["sitemap.xml", "-o", "-"][..], &CHANGES].concat());
    assert_eq!(String::from_utf8(printed.stdout).unwrap(), changed());
    let piped = pipe(
        &folder,
        site().as_bytes(),
        &[&["-", "-o", "sitemap.xml", "--force"][..], &CHANGES].concat(),
    );
    assert!(piped.status.success() && piped.stdout.is_empty());
    assert_eq!(folder.read("sitemap.xml"), changed());
    assert_eq!(folder.names(), ["sitemap.xml"]);
}

#[test]
fn an_index_is_changed_as_well() {
    let document = index("\n\t<sitemap><loc>https://example.com/1.xml</loc></sitemap>\n");
    let folder = folder("index.xml", document.as_bytes());
    succeed(
        &folder,
        &[
            "index.xml",
            "--base",
            "https://example.com",
            "--set",
            "/1.xml",
            "lastmod=2026-05-01",
            "--add",
            "/2.xml",
        ],
    );
    let edited = document.replace(
        "</loc></sitemap>",
        "</loc><lastmod>2026-05-01</lastmod></sitemap>\n\t<sitemap><loc>https://example.com/2.xml</loc></sitemap>",
    );
    assert_eq!(folder.read("index.xml"), edited);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = folder("sitemap.xml", site().as_bytes());
    let file = folder.path("sitemap.xml");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("sitemap.xml", folder.path("link.xml")).unwrap();
    succeed(&folder, &[&["link.xml"][..], &CHANGES].concat());
    assert_eq!(fs::read_to_string(&file).unwrap(), changed());

    fs::write(folder.path("other.xml"), site()).unwrap();
    succeed(
        &folder,
        &[
            "other.xml",
            "-o",
            "link.xml",
            "--force",
            "--add",
            "https://example.com/last",
        ],
    );
    assert!(fs::read_to_string(&file).unwrap().contains("/last</loc>"));
    assert!(folder.path("link.xml").is_symlink());
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(folder.names(), ["link.xml", "other.xml", "sitemap.xml"]);
}

#[test]
fn an_entry_that_cannot_be_read_is_told_and_stays() {
    let document = urlset(
        "\n  <url><priority>1.0</priority></url>\n  <url>\n    <loc>https://example.com/</loc>\n  </url>\n",
    );
    let folder = folder("sitemap.xml", document.as_bytes());
    let (status, _, said) = folder.run(&[
        "edit",
        "sitemap.xml",
        "--set",
        "https://example.com/",
        "priority=0.5",
    ]);
    assert_eq!(status, 1, "{said}");
    assert!(
        said.starts_with("left as it is: no `loc`: every `url` has exactly one (P-DUP)"),
        "{said}"
    );
    assert_eq!(
        folder.read("sitemap.xml"),
        document.replace("</loc>", "</loc>\n    <priority>0.5</priority>")
    );
}

#[test]
fn wishes_that_contradict_each_other_are_refused() {
    let home = "https://example.com/";
    for (arguments, expected) in [
        (
            &["--set", home, "priority=0.1", "--set", home, "priority=0.2"][..],
            "sitemap: the priority of https://example.com/ is given twice\n",
        ),
        (
            &["--drop", home, "--set", home, "priority=0.2"],
            "sitemap: https://example.com/ cannot be both dropped and changed\n",
        ),
        (
            &["--drop", home, "--touch", home],
            "sitemap: https://example.com/ cannot be both dropped and changed\n",
        ),
        (
            &["--touch", home, "--set", home, "lastmod=2026-05-01"],
            "sitemap: the lastmod of https://example.com/ is given twice\n",
        ),
        (
            &["--set", home, "lastmod=now"],
            "sitemap: `lastmod=now`: use --touch for the current time\n",
        ),
        (
            &["--set", home, "priority"],
            "sitemap: `priority` is not of the form FIELD=VALUE, such as `lastmod=2026-05-01`\n",
        ),
    ] {
        let folder = folder("sitemap.xml", site().as_bytes());
        assert_eq!(
            fail(&folder, &[&["sitemap.xml"][..], arguments].concat()),
            expected
        );
        assert_eq!(folder.read("sitemap.xml"), site());
    }
    let folder = folder("sitemap.xml", site().as_bytes());
    let nothing = run(&folder, &["sitemap.xml"]);
    assert_eq!(nothing.status.code(), Some(2));
    let said = String::from_utf8(nothing.stderr).unwrap();
    assert!(said.contains("--set <LOC> <FIELD=VALUE>"), "{said}");
}

#[test]
fn the_file_is_as_it_was_after_an_error() {
    let index = index("<sitemap><loc>https://example.com/1.xml</loc></sitemap>");
    let cut = site().replace("</urlset>", "");
    for (document, arguments, expected) in [
        (
            site(),
            &[
                "--drop",
                "https://example.com/none",
                "--touch",
                "https://example.com/",
            ][..],
            "it has no entry https://example.com/none\n",
        ),
        (
            site(),
            &["--set", "https://example.com/", "priority=2"],
            "`2` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field \
             out, entry 1 · priority, loc `https://example.com/`\n",
        ),
        (
            site(),
            &["--add", "/x"],
            "`/x` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` (P-LOC); write the absolute URL, or give the URL of the site with --base, entry 4 · loc\n",
        ),
        (
            index,
            &["--set", "https://example.com/1.xml", "changefreq=daily"],
            "a `changefreq` in an index: a `sitemap` entry has a loc and a lastmod, nothing else (P-INDEXTAGS); leave it out, or list the page in a urlset, \
             entry 1 · changefreq, loc `https://example.com/1.xml`\n",
        ),
        (
            cut,
            &["--drop", "https://example.com/old"],
            "the document ends inside `urlset`: it is truncated, or its end was never written; get a complete copy, at line 13, column 1 \
             (byte 288); `sitemap repair sitemap.xml` reads what can be read\n",
        ),
        (
            "https://example.com/\n".to_owned(),
            &["--add", "https://example.com/new"],
            "this is a sitemap as text, and edit only changes XML: `sitemap convert sitemap.xml --to xml` makes XML of it\n",
        ),
    ] {
        let folder = folder("sitemap.xml", document.as_bytes());
        let said = fail(&folder, &[&["sitemap.xml"][..], arguments].concat());
        assert_eq!(said, format!("sitemap: sitemap.xml: {expected}"));
        assert_eq!(folder.read("sitemap.xml"), document);
        assert_eq!(folder.names(), ["sitemap.xml"]);
    }
}

#[test]
fn a_compressed_file_that_was_cut_off_is_as_it_was() {
    let whole = gzipped(&site());
    for len in [0, 1, 2, 30, whole.len() - 4] {
        let cut = &whole[..len];
        let folder = folder("sitemap.xml.gz", cut);
        let said = fail(&folder, &["sitemap.xml.gz", "--add", "https://example.com/new"]);
        assert!(said.starts_with("sitemap: sitemap.xml.gz: "), "{said}");
        assert_eq!(fs::read(folder.path("sitemap.xml.gz")).unwrap(), cut);
        assert_eq!(folder.names(), ["sitemap.xml.gz"]);
    }
}

#[test]
fn what_is_not_there_is_said() {
    let folder = folder("sitemap.xml", site().as_bytes());
    let add = ["--add", "https://example.com/new"];
    let said = fail(&folder, &[&["none.xml"][..], &add].concat());
    assert!(said.starts_with("sitemap: cannot open none.xml: "), "{said}");
    let said = fail(&folder, &[&["."][..], &add].concat());
    assert_eq!(said, "sitemap: . is a directory: name one of its files\n");
    let said = fail(
        &folder,
        &[&["sitemap.xml", "-o", "none/sitemap.xml"][..], &add].concat(),
    );
    assert_eq!(
        said,
        "sitemap: none/sitemap.xml cannot be written: there is no directory none\n"
    );
    assert_eq!(folder.names(), ["sitemap.xml"]);
}

#[test]
fn a_file_is_not_written_if_nothing_changes() {
    let folder = folder("sitemap.xml", site().as_bytes());
    let file = folder.path("sitemap.xml");
    let before = fs::metadata(&file).unwrap();
    let said = succeed(
        &folder,
        &[
            "sitemap.xml",
            "--set",
            "https://example.com/",
            "lastmod=2025-01-01",
            "--set",
            "https://example.com/old",
            "priority=",
        ],
    );
    assert!(
        said.ends_with("sitemap.xml: 0 URLs changed, 0 dropped, 0 added: as it was\n"),
        "{said}"
    );
    assert_eq!(
        fs::metadata(&file).unwrap().modified().unwrap(),
        before.modified().unwrap()
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        assert_eq!(fs::metadata(&file).unwrap().ino(), before.ino());
    }
    // One of two edits counts, and the file is written.
    let said = succeed(
        &folder,
        &[
            "sitemap.xml",
            "--set",
            "https://example.com/",
            "lastmod=2025-01-01",
            "--set",
            "https://example.com/old",
            "priority=0.1",
        ],
    );
    assert!(
        said.ends_with("sitemap.xml: 1 URL changed, 0 dropped, 0 added\n"),
        "{said}"
    );
    // With `-o`, the file is written even without changes.
    succeed(
        &folder,
        &[
            "sitemap.xml",
            "-o",
            "copy.xml",
            "--set",
            "https://example.com/old",
            "priority=0.1",
        ],
    );
    assert_eq!(
        fs::read(folder.path("copy.xml")).unwrap(),
        fs::read(folder.path("sitemap.xml")).unwrap()
    );
}

#[test]
fn what_is_there_is_not_added() {
    for (add, expected) in [
        (
            &["--add", "https://example.com/old"][..],
            "sitemap: sitemap.xml: https://example.com/old is already in the file, as entry 2: change it with --set or --touch\n",
        ),
        (
            &["--base", "https://example.com", "--add", "/a?b=1&c=2"],
            "sitemap: sitemap.xml: /a?b=1&c=2 is already in the file, as entry 3: change it with --set or --touch\n",
        ),
        (
            &[
                "--base",
                "https://example.com",
                "--add",
                "/new",
                "--add",
                "https://example.com/new",
            ],
            "sitemap: https://example.com/new is given to --add twice\n",
        ),
        (
            &[
                "--add",
                "https://example.com/é",
                "--add",
                "https://example.com/%C3%A9",
            ],
            "sitemap: https://example.com/%C3%A9 is given to --add twice\n",
        ),
        (
            &[
                "--add",
                "https://example.com/old",
                "--drop",
                "https://example.com/old",
            ],
            "sitemap: https://example.com/old cannot be both dropped and added\n",
        ),
        (
            &[
                "--base",
                "https://example.com",
                "--add",
                "/old",
                "--drop",
                "https://example.com/old",
            ],
            "sitemap: /old cannot be both dropped and added\n",
        ),
    ] {
        let folder = folder("sitemap.xml", site().as_bytes());
        assert_eq!(fail(&folder, &[&["sitemap.xml"][..], add].concat()), expected);
        assert_eq!(folder.read("sitemap.xml"), site());
        assert_eq!(folder.names(), ["sitemap.xml"]);
    }
}

/// Anything but a regular file is written in place, and nothing is renamed over it.
#[cfg(unix)]
#[test]
fn devices_pipes_and_dangling_links_stay_what_they_are() {
    use std::os::unix::fs::{FileTypeExt, symlink};

    let folder = folder("sitemap.xml", site().as_bytes());
    let to = |output: &str| run(&folder, &[&["sitemap.xml", "-o", output][..], &CHANGES].concat());

    // Devices in the test's own folder. A defect must not replace the machine's devices.
    let null = folder.path("null");
    let made = Command::new("mknod")
        .arg(&null)
        .args(["c", "1", "3"])
        .stderr(Stdio::null())
        .status();
    if made.is_ok_and(|status| status.success()) {
        assert!(to("null").status.success());
        assert!(fs::symlink_metadata(&null).unwrap().file_type().is_char_device());
        fs::remove_file(&null).unwrap();
    }
    // This points to an anonymous pipe on Linux. On other systems, it may not exist.
    if std::path::Path::new("/proc/self/fd/1").exists() {
        let printed = to("/proc/self/fd/1");
        assert!(
            printed.status.success(),
            "{}",
            String::from_utf8_lossy(&printed.stderr)
        );
        assert_eq!(String::from_utf8(printed.stdout).unwrap(), changed());
    }

    symlink("none.xml", folder.path("dangling.xml")).unwrap();
    assert!(to("dangling.xml").status.success());
    assert!(folder.path("dangling.xml").is_symlink());
    assert_eq!(folder.read("none.xml"), changed());

    let pipe = folder.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    assert!(to("pipe").status.success());
    assert_eq!(reader.join().unwrap(), changed());
    assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
    assert_eq!(
        folder.names(),
        ["dangling.xml", "none.xml", "pipe", "sitemap.xml"],
        "nothing else is left"
    );

    // A directory is none of these.
    let error = to(".");
    assert_eq!(error.status.code(), Some(2));
    let said = String::from_utf8(error.stderr).unwrap();
    assert_eq!(
        said,
        "sitemap: . is a directory: name a file, such as ./sitemap.xml\n"
    );
}

#[cfg(unix)]
#[test]
fn hard_links_are_said_and_owners_stay() {
    use std::os::unix::fs::MetadataExt;

    let folder = folder("sitemap.xml", site().as_bytes());
    let file = folder.path("sitemap.xml");
    fs::hard_link(&file, folder.path("other.xml")).unwrap();
    let said = succeed(&folder, &[&["sitemap.xml"][..], &CHANGES].concat());
    assert!(
        said.lines().any(|line| line.starts_with("note: ")
            && line.ends_with("sitemap.xml has 1 other name (hard links), which keep the old content")),
        "{said}"
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), changed());
    assert_eq!(folder.read("other.xml"), site());

    // Only root can change a file's owner. For other users, there is no ownership to lose.
    if std::os::unix::fs::chown(&file, Some(1234), Some(2345)).is_ok() {
        let said = succeed(&folder, &["sitemap.xml", "--touch", "https://example.com/new"]);
        assert!(!said.contains("note: "), "{said}");
        let metadata = fs::metadata(&file).unwrap();
        assert_eq!((metadata.uid(), metadata.gid()), (1234, 2345));
    }
}

/// No edit may give two entries the same loc.
#[test]
fn a_loc_is_not_given_twice() {
    let site = urlset(
        "<url><loc>https://example.com/a</loc></url><url><loc>https://example.com/b</loc></url>\
         <url><loc>https://example.com/%C3%A9</loc></url>",
    );
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| format!("https://example.com/{name}"));
    let there = |loc: &str, number: u32| {
        format!(
            "sitemap: a.xml: {loc} is already in the file, as entry {number}: drop that, or give it another loc\n"
        )
    };
    let twice = |loc: &str| format!("sitemap: {loc} cannot be the loc of two entries\n");
    let encoded = "https://example.com/%C3%A9";
    for (arguments, expected) in [
        (vec!["--set", &a, "loc=https://example.com/b"], Err(there(&b, 2))),
        (vec!["--set", &b, "loc=https://example.com/a"], Err(there(&a, 1))),
        (
            vec!["--set", &a, "loc=https://example.com/é"],
            Err(there(encoded, 3)),
        ),
        (
            vec!["--base", "https://example.com", "--set", "/a", "loc=/b"],
            Err(there(&b, 2)),
        ),
        (
            vec![
                "--set",
                &a,
                "loc=https://example.com/c",
                "--set",
                &b,
                "loc=https://example.com/c",
            ],
            Err(twice(&c)),
        ),
        (
            vec!["--set", &a, "loc=https://example.com/c", "--add", &c],
            Err(twice(&c)),
        ),
        (vec!["--set", &a, "loc=https://example.com/c"], Ok(["c", "b"])),
        (vec!["--set", &a, "loc=https://example.com/a"], Ok(["a", "b"])),
        (
            vec![
                "--set",
                &a,
                "loc=https://example.com/b",
                "--set",
                &b,
                "loc=https://example.com/a",
            ],
            Ok(["b", "a"]),
        ),
        (
            vec![
                "--set",
                &a,
                "loc=https://example.com/b",
                "--drop",
                &b,
                "--add",
                &d,
            ],
            Ok(["b", "d"]),
        ),
        (
            vec!["--set", &a, "loc=https://example.com/c", "--add", &a],
            Ok(["c", "a"]),
        ),
    ] {
        let folder = folder("a.xml", &site);
        let output = run(&folder, &[&["a.xml"], &arguments[..]].concat());
        let told = String::from_utf8(output.stderr).unwrap();
        match expected {
            Err(message) => {
                assert_eq!((output.status.code(), told), (Some(2), message), "{arguments:?}");
                assert_eq!(folder.read("a.xml"), site);
            }
            Ok(pages) => {
                assert_eq!(output.status.code(), Some(0), "{arguments:?}: {told}");
                let (_, printed, _) = folder.run(&["cat", "a.xml"]);
                let mut expected: Vec<_> = pages
                    .iter()
                    .map(|page| format!("https://example.com/{page}"))
                    .collect();
                let mut found: Vec<_> = printed.lines().filter(|line| *line != encoded).collect();
                expected.sort();
                found.sort_unstable();
                found.dedup();
                assert!(
                    expected.iter().all(|loc| found.contains(&&**loc)),
                    "{arguments:?}: {found:?}"
                );
            }
        }
    }
}

/// A FIFO can be read when the output is another file. It is never written in place, because it may have no reader.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_edited_in_place() {
    let folder = Folder::empty();
    let made = Command::new("mkfifo")
        .arg(folder.path("pipe.xml"))
        .status()
        .unwrap();
    assert!(made.success());
    for name in ["pipe.xml", "/dev/stdin", "/dev/null"] {
        let output = run(&folder, &[name, "--add", "https://example.com/b"]);
        assert_eq!(
            (output.status.code(), String::from_utf8(output.stderr).unwrap()),
            (
                Some(2),
                format!(
                    "sitemap: {name} is not a regular file, and cannot be edited in place: name another file with -o\n"
                )
            )
        );
    }
    let output = pipe(
        &folder,
        urlset("<url><loc>https://example.com/a</loc></url>").as_bytes(),
        &["/dev/stdin", "--add", "https://example.com/b", "-o", "b.xml"],
    );
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        folder.read("b.xml"),
        urlset("<url><loc>https://example.com/a</loc></url><url><loc>https://example.com/b</loc></url>")
    );
}

/// The report is bounded, however many entries cannot be read.
#[test]
fn many_bad_entries_are_counted() {
    let entries = "<url><lastmod>2026</lastmod></url>".repeat(250);
    let folder = Folder::with(&[("a.xml", format!("<urlset xmlns=\"{CORE}\">{entries}</urlset>"))]);
    let (status, _, told) = folder.run(&["edit", "a.xml", "--add", "https://example.com/"]);
    let told: Vec<_> = told.lines().collect();
    assert_eq!((status, told.len()), (1, 102), "{told:?}");
    assert!(
        told[..100]
            .iter()
            .all(|line| line.starts_with("left as it is: no `loc`: ")),
        "{told:?}"
    );
    assert_eq!(
        told[100..],
        [
            "150 more problems not shown",
            "a.xml: 0 URLs changed, 0 dropped, 1 added"
        ]
    );
}

/// An invalid value is refused, whatever the field has.
#[test]
fn invalid_values_are_refused_where_they_stand() {
    let document = urlset(
        "<url><loc>https://example.com/</loc><lastmod>2026-13-01</lastmod><changefreq>often</changefreq><priority>7</priority></url>",
    );
    for change in [
        "lastmod=2026-13-01",
        "changefreq=often",
        "priority=7",
        "priority=8",
        "loc=/a",
    ] {
        let folder = folder("sitemap.xml", document.as_bytes());
        let (status, _, told) = folder.run(&["edit", "sitemap.xml", "--set", "https://example.com/", change]);
        assert_eq!(status, 2, "{change}: {told}");
        assert_eq!(folder.read("sitemap.xml"), document, "{change}");
    }
}
