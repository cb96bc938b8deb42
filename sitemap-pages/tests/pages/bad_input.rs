//! Invalid folders and pages.

use std::fs;

use sitemap_pages::{ErrorKind, FolderBuilder, Ledger, Standing};

use crate::site::{Site, builder, findings, left_out, listed};

fn texts(html: impl AsRef<[u8]>) -> Vec<String> {
    let site = Site::new(&[]);
    site.write("index.html", html);
    let blocks = site.read().explain("index.html").unwrap().blocks;
    let counted = blocks
        .into_iter()
        .filter(|block| block.standing == Standing::Counted);
    counted.map(|block| block.text).collect()
}

#[test]
fn folders_without_pages() {
    let site = Site::new(&[("a.txt", "No page")]);
    let path = site.path();
    let error = builder().read(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Folder);
    let name = path.display();
    assert_eq!(
        error.to_string(),
        format!("{name} has no HTML files: name the folder that the pages were built in")
    );
    let error = builder().read(path.join("a.txt")).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("{name}/a.txt is not a folder: name the one that the pages were built in")
    );
    let error = builder().read(path.join("missing")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert_eq!(
        error.to_string(),
        format!("cannot read {name}/missing: No such file or directory (os error 2)")
    );
}

#[test]
fn settings_that_cannot_be_read() {
    let site = Site::new(&[("a.html", "<p>A")]);
    let error = builder().exclude("a[").read(site.path()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read the pattern `a[`: unclosed character class; missing ']'"
    );
    let error = builder().ignore("a > b").read(site.path()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Setting);
}

#[cfg(unix)]
#[test]
fn loops_of_links_and_files_that_vanish() {
    use std::os::unix::fs::symlink;

    let site = Site::new(&[("index.html", "<p>Home"), ("a/b.html", "<p>B")]);
    symlink("..", site.path().join("a/up")).unwrap();
    symlink("../a", site.path().join("a/again")).unwrap();
    symlink("a/b.html", site.path().join("linked.html")).unwrap();
    symlink("missing.html", site.path().join("gone.html")).unwrap();
    let folder = site.read();
    assert_eq!(listed(&folder), ["/", "/a/b.html", "/linked.html"]);
    assert_eq!(
        findings(&folder),
        [
            "a/again: is a link to a, in which it is: it is not followed",
            "a/up: is a link to the folder itself, in which it is: it is not followed",
            "gone.html: cannot be read: No such file or directory (os error 2)",
        ]
    );
    // A page disappears while the others are read.
    let vanishing = site.path().join("z.html");
    fs::write(&vanishing, "<p>Z").unwrap();
    let mut builder = FolderBuilder::new("https://example.com");
    let path = vanishing.clone();
    builder.progress(move |_| drop(fs::remove_file(&path)));
    for i in 0..500 {
        site.write(&format!("many/page-{i}.html"), "<p>One of many");
    }
    let folder = builder.read(site.path()).unwrap();
    assert_eq!(
        left_out(&folder),
        ["z.html: cannot be read: it was removed while the folder was read"]
    );
    assert!(
        findings(&folder)
            .contains(&"z.html: cannot be read: it was removed while the folder was read".to_owned())
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn broken_html() {
    for (html, blocks) in [
        ("", vec![]),
        ("Text alone", vec!["Text alone"]),
        (
            "<p>One<p>Two<li>Three<li>Four",
            vec!["One", "Two", "Three", "Four"],
        ),
        ("<p>A <b>bold</p> word</b>", vec!["A bold", "word"]),
        ("<main><a href=/x><div>One</a></div> Two</main>", vec!["Two"]),
        ("<nav>Menu<main><p>Content</main>", vec!["Content"]),
        ("</div></p></nav><p>Text</span></div>", vec!["Text"]),
        ("<table><tr><td>A<td>B<tr><td>C</table>D", vec!["A B", "C", "D"]),
        ("<table><tr><td><nav>Menu</table><p>Text", vec!["Text"]),
        (
            "<table><tr><td role=navigation>Menu<td>Text</table>",
            vec!["Text"],
        ),
        ("<p>One <!-- two --> three<!-- unclosed", vec!["One three"]),
        ("<p>a &amp; b &eacute;&#233; &nope; &", vec!["a & b éé &nope; &"]),
        ("<div class='unclosed><p>Text", vec![]),
        ("<script>'</p>'</script><p>Text", vec!["Text"]),
        ("<style>p{}</style><p>Text", vec!["Text"]),
        ("<p>One<script>", vec!["One"]),
        ("<textarea><p>Raw</textarea>", vec!["<p>Raw"]),
        (
            "<svg><text>Chart</text><path d=x /></svg><p>Text",
            vec!["Chart", "Text"],
        ),
        ("<p>A <svg/>B <math/>C <x-icon/>D", vec!["A B C D"]),
        (
            "<svg><path/><title>Chart</title></svg><p>Text",
            vec!["Chart", "Text"],
        ),
        ("<div><video src=x />Too old</div><p>Text", vec!["x", "Text"]),
        ("<P>Upper<P/>Case", vec!["Upper", "Case"]),
        ("<p>\u{0}nul", vec!["nul"]),
        (
            "<h2><a class=anchor href=#x>A heading</a> <a href=#x>¶</a></h2>",
            vec!["A heading"],
        ),
        ("<p>Open from <time>9:00</time> on", vec!["Open from 9:00 on"]),
        (
            "<p>Open from <time datetime=09:30>half past nine</time> on",
            vec!["Open from 09:30 on"],
        ),
        ("<p>Open until <time>6 pm</time>", vec!["Open until 6 pm"]),
        // A date may be the time of the build, and so may its readable text.
        (
            "<p>Seen <time datetime=2026-05-01>yesterday</time> by us",
            vec!["Seen by us"],
        ),
        (
            "<p>Seen <time datetime='2026-05-01T10:00:00+02:00'>1 May</time> by us",
            vec!["Seen by us"],
        ),
        ("<p>By <time>yesterday</time> Ada", vec!["By Ada"]),
        ("<p>By <time>3 days ago</time> Ada", vec!["By Ada"]),
        ("<p>By <time>2026-05-01</time> Ada", vec!["By Ada"]),
        (
            "<p>By <time class='big dt-updated' datetime=09:30>now</time> Ada",
            vec!["By Ada"],
        ),
        (
            "<p>Open <time datetime='Mo-Fr 09:00-17:00'>on weekdays</time>, for <time datetime=PT45M>a while</time>",
            vec!["Open Mo-Fr 09:00-17:00, for PT45M"],
        ),
        ("<p>Open <time>9 am – 5 pm</time>", vec!["Open 9 am – 5 pm"]),
        ("<p>By <time>2 h ago</time> Ada", vec!["By Ada"]),
        ("<object data=/files/a.pdf>Too old</object>", vec!["a.pdf"]),
        ("<div class='wide site-footer'>Ours</div><p>Text", vec!["Text"]),
        ("<pre>a {\n  b \n}\n</pre>c  d", vec!["a { b }", "c d"]),
        (
            "<ol><li>One<li>Two</ol>",
            vec!["One", "Two", "(the order of a list)"],
        ),
        (
            "<ol><li>One</ol><ul><li>Two<li>Three</ul>",
            vec!["One", "Two", "Three"],
        ),
        (
            "<iframe src='https://a.test/embed/x?t=1#y'></iframe>",
            vec!["a.test/embed/x?t=1"],
        ),
        ("<video><source src=/films/a.mp4>Too old</video>", vec!["a.mp4"]),
        ("<div id=footer>Ours</div><p>Text", vec!["Text"]),
        (
            "<h1><a href=index.html>Own</a></h1><h1><a href='/?page=2'>Other</a></h1>",
            vec!["Own"],
        ),
        (
            "<header>Top</header><article><header>Title</header><aside>Note</aside></article>",
            vec!["Title", "Note"],
        ),
        ("<div role=navigation>Menu</div><p>Text", vec!["Text"]),
        (
            "<div class='page footer'>Ours</div><article><p class=footer>Text</article>",
            vec!["Text"],
        ),
        ("<p><a href=/a>Home</a> | <a href=/b>Blog</a></p>", vec![]),
        ("<p>| · —</p>", vec![]),
        // Links to other pages count, by their bytes.
        ("<p>Half <a href=/a>link</a>", vec!["Half link"]),
        ("<p>Half <a href=/a>links</a>", vec![]),
        ("<p>Half <a href=mailto:ada@example.com>links</a>", vec![]),
        ("<p>Half <a href=https://other.example/>links</a>", vec![]),
        ("<p>Half <a href=#more>links</a>", vec!["Half links"]),
        ("<p>Half <a>links</a>", vec!["Half links"]),
        ("<p>Half <a href=/a>mené</a>", vec![]),
    ] {
        assert_eq!(texts(html), blocks, "{html}");
    }
    assert_eq!(
        texts(b"<meta charset=windows-1251><p>\xcf\xf0\xe8\xe2\xe5\xf2"),
        ["Привет"]
    );
    assert_eq!(texts(b"<p>caf\xe9"), ["café"]);
    assert_eq!(texts(b"<meta charset=utf-8><p>caf\xe9"), ["caf\u{fffd}"]);
}

/// Elements that browsers hide are not blocks, even if their tags look self-closing.
#[test]
fn elements_that_do_not_close_themselves() {
    for name in [
        "script", "style", "template", "noscript", "title", "iframe", "object", "audio", "video", "canvas",
    ] {
        for slash in ["", "/", " src=x /"] {
            let html = format!("<p>One</p><{name}{slash}>Not <b>shown</b></{name}><p>Two");
            // A film or an embedded page is a block of its own.
            let is_media = matches!(name, "iframe" | "object" | "audio" | "video") && slash.contains("src");
            let expected = if is_media {
                vec!["One", "x", "Two"]
            } else {
                vec!["One", "Two"]
            };
            assert_eq!(texts(&html), expected, "{html}");
            let html = format!("<p>One</p><{name}{slash}>Not <b>shown</b>");
            assert_eq!(texts(&html), expected[..expected.len() - 1], "{html}");
        }
    }
}

/// Twice the page takes twice the work: each shape is read within the time of the test, which quadratic work would exceed.
#[test]
fn huge_and_deep_pages() {
    const MANY: usize = 50_000;
    for (shape, html) in [
        ("open", "<div>".repeat(MANY)),
        ("open and text", "<div>x".repeat(MANY)),
        ("close", "</div>".repeat(MANY)),
        ("nested", "<div>".repeat(MANY) + &"</div>".repeat(MANY)),
        ("inline", "<span>".repeat(MANY) + &"</div>".repeat(MANY)),
        (
            "paragraphs in cells",
            "<p><table><td>".repeat(MANY) + &"</p>".repeat(MANY),
        ),
        ("cells", "<table><tr><td>x".repeat(MANY)),
        ("links", "<a href=/>x".repeat(MANY)),
        ("attributes", format!("<p {}>", "a=b ".repeat(MANY))),
        ("text", "word ".repeat(MANY)),
        ("paragraphs", "<p>The same text".repeat(MANY)),
        ("metas", "<meta name=robots content=index>\n".repeat(MANY)),
        (
            "alternates",
            "<link rel=alternate hreflang=en href=/>".repeat(2000),
        ),
        ("dots", format!("<a href={}x>", "../".repeat(MANY))),
        (
            "script",
            format!("<script type=application/ld+json>{}", "[".repeat(MANY)),
        ),
    ] {
        let site = Site::new(&[("index.html", &html)]);
        assert_eq!(listed(&site.read()), ["/"], "{shape}");
    }
}

/// The explanation of a long page names a block of each kind.
#[test]
fn an_explanation_of_a_long_page() {
    const MANY: usize = 15_000;
    let paragraphs = |word: &str, numbers: std::ops::Range<usize>| -> String {
        let name = |i: usize| format!("{i:x}").replace(|c: char| c.is_ascii_digit(), "z");
        let paragraphs = numbers.map(|i| format!("<p>{word} {} {i}", name(i)));
        paragraphs.collect::<Vec<_>>().concat()
    };
    let excerpts = paragraphs("Other", 0..MANY);
    let site = Site::new(&[("other.html", &excerpts), ("index.html", "<p>Before")]);
    site.moved("2026-05-01");
    site.write(
        "index.html",
        paragraphs("New", 0..MANY) + "<p>See <a href=other.html>x</a>" + &excerpts,
    );
    let mut builder = builder();
    builder.ledger(Ledger::load(site.ledger()).unwrap());
    let explanation = builder.read(site.path()).unwrap().explain("index.html").unwrap();
    let count = |standing: Standing| {
        let found = explanation
            .blocks
            .iter()
            .filter(|block| block.standing == standing);
        found.count()
    };
    let counts = [Standing::Added, Standing::Excerpt].map(count);
    assert_eq!((counts, explanation.removed), ([MANY + 1, MANY], 1));
}

/// Pages that link to and repeat each other as often as possible.
#[test]
fn many_repetitions_and_links() {
    let site = Site::new(&[]);
    let links = (0..60)
        .map(|i| format!("<p>Text {} <a href=/{i}.html>x</a>", i / 2))
        .collect::<Vec<_>>()
        .concat();
    for i in 0..60 {
        site.write(&format!("{i}.html"), links.repeat(20));
    }
    assert_eq!(site.read().pages().len(), 60);
}
