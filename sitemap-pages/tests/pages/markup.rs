//! Pages as browsers read them: SVG, XML, shadow roots, titles in headers, and addresses.

use crate::site::{Site, builder, findings, listed};

/// Returns the counted texts of a page.
fn counted(name: &str, html: &str) -> Vec<String> {
    let site = Site::new(&[(name, html)]);
    let folder = site.read();
    let explanation = folder.explain(name).unwrap();
    let blocks = explanation.blocks.iter();
    let counted = blocks.filter(|block| block.standing == sitemap_pages::Standing::Counted);
    counted.map(|block| block.text.clone()).collect()
}

#[test]
fn texts_that_are_shown() {
    for (html, expected) in [
        // As Inkscape writes a logo, and other elements that are empty in SVG alone.
        (
            "<svg><defs id=d><style id=s /></defs><path/></svg><p>Text",
            vec!["Text"],
        ),
        ("<svg><title/><script/><g/></svg><p>Text", vec!["Text"]),
        (
            "<svg><style>a{}</style><text>A</text><text>B</text></svg>",
            vec!["A B"],
        ),
        (
            "<svg><symbol><title>Pen</title></symbol></svg><p>Text",
            vec!["Text"],
        ),
        (
            "<p>Use <svg><title>a pen</title></svg> here",
            vec!["Use a pen here"],
        ),
        (
            "<svg><foreignObject><div>Order placed</div></foreignObject></svg>",
            vec!["Order placed"],
        ),
        ("<svg><text><![CDATA[A < B]]></text></svg>", vec!["A < B"]),
        // MathJax draws letters as shapes.
        (
            "<mjx-container><svg><g><use data-c=1D465 xlink:href=#a /></g></svg></mjx-container>",
            vec!["1D465"],
        ),
        ("<math><mi>x</mi><mo>=</mo><mn>1</mn></math>", vec!["x=1"]),
        (
            "<x-card><template shadowrootmode=open><p>Shown</p></template></x-card>",
            vec!["Shown"],
        ),
        ("<template><p>Hidden</p></template><p>Text", vec!["Text"]),
        ("<noframes><p>Hidden</noframes><p>Text", vec!["Text"]),
        // The title of a page, as pandoc writes it.
        (
            "<header id=title-block-header><h1>Title</h1><p>Abstract</header><p>Text",
            vec!["Title", "Abstract", "Text"],
        ),
        (
            "<header><nav><a href=/>Home</a> Menu</nav><p>Logo<div><h1>Title</h1></div><nav>More</nav><p>By Ada</header>",
            vec!["Title", "By Ada"],
        ),
        ("<header role=banner><h1>Site</h1></header><p>Text", vec!["Text"]),
        (
            "<footer><header><h1>Site</h1></header></footer><p>Text",
            vec!["Text"],
        ),
        // Of a page and of an event.
        (
            "<p>On <time itemprop=startDate datetime=2026-05-01>1 May</time>",
            vec!["On 2026-05-01"],
        ),
        (
            "<p>On <time property=schema:startDate>1 May</time>",
            vec!["On 1 May"],
        ),
        ("<p>On <time class=dt-start>1 May</time>", vec!["On 1 May"]),
        (
            "<p>On <time itemprop=datePublished>1 May</time> by us",
            vec!["On by us"],
        ),
    ] {
        assert_eq!(counted("a.html", html), expected, "{html}");
    }
}

#[test]
fn any_element_of_xml_may_be_empty() {
    let page = "<html><head><title/><script src='a.js'/></head><body><div id='x'/><h1>A<a name='y'/></h1><p><![CDATA[B]]></p></body></html>";
    assert_eq!(counted("a.xhtml", page), ["A", "B"]);
    let declared = format!("<?xml version='1.0'?>\n{page}");
    assert_eq!(counted("a.html", &declared), ["A", "B"]);
    // In HTML, the title goes on to the end.
    assert_eq!(Site::new(&[("a.html", page)]).read().skipped().len(), 1);
}

#[test]
fn noindex_behind_svg() {
    let pages = [
        "<svg><style/></svg><meta name=robots content=noindex><p>A",
        "<svg><title/><meta name=robots content=noindex></svg><p>A",
        "<!-- --><noframes><meta name=robots content=noindex></noframes><p>A",
        "<meta name=robots content='max-image-preview: none'><p>A",
        "<meta name=robots content='unavailable_after: Saturday, 25-Jun-10 15:00:00 GMT'><p>A",
    ];
    let listings = pages.map(|page| {
        Site::new(&[("a.html", page), ("b.html", "<p>B")])
            .read()
            .pages()
            .len()
            == 2
    });
    assert_eq!(listings, [false, false, true, true, false]);
}

#[test]
fn links_of_all_kinds() {
    let home = "<map><area href=area.html></map><svg><a xlink:href=svg.html><text>S</text></a></svg><svg><style/></svg>\
        <a href='blog\\back.html'>B</a><a href='li\nne.html'>L</a>";
    let page = "<p>Text";
    let site = Site::new(&[
        ("index.html", home),
        ("area.html", page),
        ("svg.html", page),
        ("blog/back.html", page),
        ("line.html", "<frameset><frame src=framed.html></frameset>"),
        ("framed.html", page),
        ("alone.html", page),
    ]);
    let folder = site.read();
    let unlinked = folder
        .findings()
        .iter()
        .filter(|finding| finding.kind == sitemap_pages::FindingKind::Unlinked);
    let unlinked: Vec<&str> = unlinked.map(|finding| finding.file.as_str()).collect();
    assert_eq!(unlinked, ["alone.html"]);
}

#[test]
fn canonical_addresses_with_backslashes() {
    for canonical in [
        "\\blog\\a.html",
        "https:\\\\example.com\\blog/a.html",
        "/blog\n/a.html",
    ] {
        let page = format!("<link rel=canonical href='{canonical}'><p>A");
        let folder = Site::new(&[("blog/a.html", &page)]).read();
        assert_eq!(listed(&folder), ["/blog/a.html"], "{canonical}");
        assert!(findings(&folder).is_empty());
    }
}

#[test]
fn encodings_that_xml_declares() {
    let mut page = b"<?xml version='1.0' encoding='windows-1251'?><p>".to_vec();
    page.extend([0xCF, 0xF0, 0xE8]);
    let site = Site::new(&[]);
    site.write("a.html", page);
    let folder = builder().read(site.path()).unwrap();
    assert_eq!(folder.explain("a.html").unwrap().blocks[0].text, "При");
}

#[test]
fn dates_of_json_ld_with_parameters() {
    let page =
        "<script type='application/ld+json; charset=utf-8'>{\"dateModified\":\"2026-03-01\"}</script><p>A";
    let folder = Site::new(&[("a.html", page), ("b.html", "<p>B")]).read();
    assert_eq!(folder.pages()[0].lastmod(), Some("2026-03-01".parse().unwrap()));
}

#[test]
fn sources_are_refused() {
    let site = Site::new(&[
        ("index.html", "<title>{{ page.title }}</title><p>A"),
        ("a.html", "<title>A</title><a href='{{ site.url }}/b'>B</a>"),
        ("b.html", "<title>On templates</title><p>Write {{ page.title }}"),
    ]);
    let error = builder().read(site.path()).unwrap_err().to_string();
    assert!(error.ends_with(
        "has sources: 2 of its 3 HTML files have code such as `{{` in the title or in links, the first of them a.html; name the folder \
         that the pages were built in"
    ));
    site.write("c.html", "<p>C");
    assert_eq!(builder().read(site.path()).unwrap().pages().len(), 4);
}

#[test]
fn too_many_files_are_refused_before_reading() {
    let site = Site::new(&[("a.html", "<p>A"), ("b.html", "<p>B"), ("c.html", "<p>C")]);
    let error = builder().max_files(2).read(site.path()).unwrap_err();
    assert_eq!(error.kind(), sitemap_pages::ErrorKind::Output);
    assert!(
        error
            .to_string()
            .starts_with("3 pages do not fit into one file, which has at most 2 pages")
    );
    assert_eq!(
        builder()
            .max_files(2)
            .exclude("c.html")
            .read(site.path())
            .unwrap()
            .pages()
            .len(),
        2
    );
}

/// An absorbed change has a line, and its pages say so.
#[test]
fn changes_of_the_template_are_reported() {
    let site = Site::new(&[]);
    let write = |byline: bool| {
        for i in 0..12 {
            let own = format!("{}{}", "ab".repeat(i + 1), i * 7);
            let byline = if byline {
                format!("<p class=by>By {}", "cd".repeat(i + 1))
            } else {
                String::new()
            };
            let html = format!("<h1>Title {own}</h1>{byline}<div>Text {own}</div><div>More {own}</div>");
            site.write(&format!("{i:02}.html"), html);
        }
    };
    write(false);
    site.moved("2026-05-01");
    write(true);
    let ledger = sitemap_pages::Ledger::load(site.ledger()).unwrap();
    let folder = builder()
        .ledger(ledger)
        .now("2026-05-02".parse().unwrap())
        .read(site.path())
        .unwrap();
    assert_eq!(
        findings(&folder),
        [
            "12 pages changed only where most pages of their kind did, such as 00.html, 01.html, 02.html; they keep their dates"
        ]
    );
    assert_eq!(
        folder.explain("00.html").unwrap().why,
        "1 block added and 0 removed where most pages of its kind changed: taken for the template"
    );
}

/// Location, canonical address and links in each spelling of a host.
#[test]
fn one_host_in_several_spellings() {
    let spellings = [
        "https://bücher.example",
        "https://xn--bcher-kva.example",
        "HTTPS://BÜCHER.example:443",
        "//xn--bcher-kva.example",
    ];
    for own in &spellings[..3] {
        for other in spellings {
            let page =
                format!("<link rel=canonical href='{other}/a.html'><p>A <a href='{other}/b.html'>B</a>");
            let site = Site::new(&[("a.html", &page), ("b.html", "<p>B <a href=a.html>A</a>")]);
            let folder = sitemap_pages::FolderBuilder::new(*own).read(site.path()).unwrap();
            assert_eq!(folder.pages().len(), 2, "{own} {other}");
            assert!(
                folder.findings().is_empty(),
                "{own} {other}: {:?}",
                folder.findings()
            );
        }
    }
}
