//! The dates that pages state.

use sitemap_pages::DateSource;

use crate::site::{Site, builder, findings};

fn dates(site: &Site) -> Vec<Option<String>> {
    let mut builder = builder();
    builder.now("2026-06-01".parse().unwrap());
    let folder = builder.read(site.path()).unwrap();
    folder
        .pages()
        .iter()
        .map(|page| page.lastmod().map(|date| date.to_string()))
        .collect()
}

#[test]
fn each_way_of_stating_a_date() {
    for html in [
        "<meta property=article:modified_time content=2026-05-01>",
        "<meta property='article:modified_time' content=' 2026-05-01 '>",
        "<script type=application/ld+json>{\"@type\":\"Article\",\"dateModified\":\"2026-05-01\"}</script>",
        "<script type='application/ld+json'>[{\"@graph\":[{\"dateModified\":\"2026-05-01\"}]}]</script>",
        "<meta name=DCTERMS.modified content=2026-05-01>",
        "<meta itemprop=dateModified content=2026-05-01>",
        "<time itemprop=dateModified datetime=2026-05-01>May</time>",
        "<span itemprop='datePublished dateModified'><b><time datetime=2026-05-01>May</time></b></span>",
        "<p itemprop=dateModified content=2026-05-01>",
        "<meta property=article:modified_time content=2026/5/1>",
        "<meta property=article:modified_time content='Fri, 01 May 2026'>",
        "<meta property=article:modified_time content='2026-05-01T23:30'>",
    ] {
        let site = Site::new(&[("index.html", html)]);
        assert_eq!(dates(&site), [Some("2026-05-01".to_owned())], "{html}");
    }
    for html in [
        "<meta property=article:published_time content=2026-05-01>",
        "<time datetime=2026-05-01>May</time>",
        "<span itemprop=dateModified></span><time datetime=2026-05-01>May</time>",
        "<script>{\"dateModified\":\"2026-05-01\"}</script>",
        "<template><meta property=article:modified_time content=2026-05-01></template>",
    ] {
        let site = Site::new(&[("index.html", html)]);
        assert_eq!(dates(&site), [None], "{html}");
    }
}

#[test]
fn the_first_way_that_is_believed() {
    let page = |open_graph: &str, json: &str| {
        format!(
            "<script type=application/ld+json>{{\"dateModified\":\"{json}\"}}</script>\
             <meta property=article:modified_time content={open_graph}><p>Text"
        )
    };
    // All pages have one OpenGraph date: the build's.
    let site = Site::new(&[
        ("a.html", &page("2026-05-20T10:00:00Z", "2026-05-01")),
        ("b.html", &page("2026-05-20T10:00:03Z", "2026-05-02")),
        ("c.html", "<p>No date"),
    ]);
    assert_eq!(
        dates(&site),
        [Some("2026-05-01".to_owned()), Some("2026-05-02".to_owned()), None]
    );
    let mut builder = builder();
    builder.now("2026-06-01".parse().unwrap());
    let folder = builder.read(site.path()).unwrap();
    assert_eq!(folder.pages()[0].date_source(), Some(DateSource::Page));
    assert_eq!(
        findings(&folder),
        ["a.html:1: the date 2026-05-20 is that of all 2 pages that state one, and is not believed"]
    );
    site.write("c.html", page("2026-04-01", "2026-05-02"));
    assert_eq!(dates(&site)[2].as_deref(), Some("2026-04-01"));
    builder.stated_dates(false);
    let folder = builder.read(site.path()).unwrap();
    assert!(folder.pages().iter().all(|page| page.lastmod().is_none()) && findings(&folder).is_empty());
}

#[test]
fn dates_that_cannot_be() {
    let site = Site::new(&[(
        "index.html",
        "<meta property=article:modified_time content=2027-05-01>\n<meta name=dcterms.modified content=yesterday>\n\
         <meta itemprop=dateModified content=2026-05-01><p>Text",
    )]);
    assert_eq!(dates(&site), [Some("2026-05-01".to_owned())]);
    let mut builder = builder();
    builder.now("2026-06-01".parse().unwrap());
    assert_eq!(
        findings(&builder.read(site.path()).unwrap()),
        [
            "index.html:1: the date 2027-05-01 is in the future, and is not believed",
            "index.html:2: `yesterday` is not a date that can be read: write it as 2026-05-01",
        ]
    );
}

#[test]
fn the_ledger_comes_after_the_page() {
    let stated = |date: &str, text: &str| format!("<meta name=dcterms.modified content={date}><p>{text}");
    let site = Site::new(&[("a.html", &stated("2026-04-01", "One")), ("b.html", "<p>Two")]);
    assert_eq!(site.moved("2026-05-01"), [""; 0]);
    site.write("a.html", stated("2026-04-01", "Uno"));
    site.write("b.html", "<p>Due");
    // The page says that it did not change.
    assert_eq!(site.moved("2026-05-02"), ["b.html"]);
    let mut builder = builder();
    assert_eq!(
        site.moved_with("2026-05-02", builder.stated_dates(false)),
        ["a.html", "b.html"]
    );
    assert_eq!(
        site.moved_with("2026-05-02", builder.ledger_dates(false)),
        [""; 0]
    );
}
