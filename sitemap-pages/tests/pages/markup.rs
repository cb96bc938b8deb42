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
    let page = "<html><head><title/><script src='a.js'/></head><body><div id='x'/><p>A<a name='y'/></p><p><![CDATA[B]]></p></body></html>";
    assert_eq!(counted("a.xhtml", page), ["A", "B"]);
    let declared = format!("<?xml version='1.0'?>\n{page}");
    assert_eq!(counted("a.html", &declared), ["A", "B"]);
    // In HTML, the title goes on.
    assert!(counted("a.html", page).is_empty());
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
