//! The dates that pages state.

use sitemap_pages::{DateSource, Ledger};

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

/// The dates of publication that pages state, with their sources, in a first run that asks for them.
fn published(site: &Site) -> Vec<Option<(String, DateSource)>> {
    let mut builder = builder();
    builder.now("2026-06-01".parse().unwrap()).published_dates(true);
    let folder = builder.read(site.path()).unwrap();
    let dated = |page: &sitemap_pages::Page| Some((page.lastmod()?.to_string(), page.date_source()?));
    folder.pages().iter().map(dated).collect()
}

#[test]
fn each_way_of_stating_a_publication() {
    for html in [
        "<meta property=article:published_time content=2026-05-01>",
        "<script type=application/ld+json>{\"@type\":\"Article\",\"datePublished\":\"2026-05-01\"}</script>",
        "<script type='application/ld+json'>{\"@graph\":[{\"name\":\"dateModified\"},{\"datePublished\":\"2026-05-01\"}]}</script>",
        "<meta name=DCTERMS.issued content=2026-05-01>",
        "<meta name=dc.date.issued content=2026-05-01>",
        "<meta itemprop=datePublished content=2026-05-01>",
        "<time itemprop=datePublished datetime=2026-05-01>May</time>",
        "<span itemprop=datePublished><b><time datetime=2026-05-01>May</time></b></span>",
        "<meta property=article:published_time content='Fri, 01 May 2026'>",
    ] {
        let site = Site::new(&[("index.html", html)]);
        assert_eq!(dates(&site), [None], "{html}");
        let expected = Some(("2026-05-01".to_owned(), DateSource::Published));
        assert_eq!(published(&site), [expected], "{html}");
    }
    for html in [
        "<meta property=article:published_time content=2027-05-01>",
        "<meta property=article:published_time content=1970-01-01T00:00:00Z>",
        "<meta property=article:published_time content=0001-01-01>",
        "<article itemscope><div itemscope><time itemprop=datePublished datetime=2026-05-01></time></div></article>",
        "<script type=application/ld+json>{\"comment\":[{\"datePublished\":\"2026-05-01\"}]}</script>",
        "<time datetime=2026-05-01>May</time>",
    ] {
        let site = Site::new(&[("index.html", html)]);
        assert_eq!(published(&site), [None], "{html}");
    }
    // A date of the last change is better.
    let both = "<meta property=article:published_time content=2026-05-01><meta name=dcterms.modified content=2026-05-02>";
    let site = Site::new(&[("index.html", both)]);
    assert_eq!(
        published(&site),
        [Some(("2026-05-02".to_owned(), DateSource::Page))]
    );
}

/// A build's date is no more the publication's than the change's.
#[test]
fn publications_that_are_not_believed() {
    for (dates, problem, expected) in [
        (
            &["2026-05-20"; 3][..],
            "a.html:1: the date of publication 2026-05-20 is that of all 3 pages that state one, and is not believed",
            [None; 3],
        ),
        (
            &["2026-06-01", "2026-06-01", "2026-06-01", "2026-04-01"],
            "a.html:1: the date of publication 2026-06-01, which is that of this run, is that of 3 of the 4 pages that state one, and is \
             not believed",
            [None; 3],
        ),
        (
            &[
                "2026-05-20T10:00:00Z",
                "2026-05-20T10:00:00Z",
                "2026-05-20T10:00:00Z",
                "2026-04-01",
            ],
            "a.html:1: the date of publication 2026-05-20T10:00:00Z is that of 3 pages, as a build's is, and is not believed",
            [None; 3],
        ),
        (
            &["2027-01-01", "2026-04-01", "2026-04-02"],
            "a.html:1: the date of publication 2027-01-01 is in the future, and is not believed",
            [None, Some("2026-04-01"), Some("2026-04-02")],
        ),
        (
            &["soon", "2026-04-01", "2026-04-02"],
            "a.html:1: `soon` is not a date that can be read: write it as 2026-05-01",
            [None, Some("2026-04-01"), Some("2026-04-02")],
        ),
    ] {
        let site = Site::new(&[]);
        for (name, date) in ["a", "b", "c", "d"].iter().zip(dates) {
            let text =
                format!("<meta property=article:published_time content={date}><p>Page {name} about {date}");
            site.write(&format!("{name}.html"), text);
        }
        let mut builder = builder();
        builder.now("2026-06-01".parse().unwrap()).published_dates(true);
        let folder = builder.read(site.path()).unwrap();
        assert_eq!(findings(&folder), [problem]);
        let found: Vec<_> = folder
            .pages()
            .iter()
            .map(|page| page.lastmod().map(|date| date.to_string()))
            .collect();
        assert_eq!(
            found[..3],
            expected.map(|date| date.map(str::to_owned)),
            "{dates:?}"
        );
        // They are ignored without the setting.
        assert_eq!(findings(&site.read()), [""; 0]);
    }
}

/// The date of publication is a page's first one only: the ledger knows of changes.
#[test]
fn publications_and_the_ledger() {
    let published =
        |date: &str, text: &str| format!("<meta property=article:published_time content={date}><p>{text}");
    let site = Site::new(&[
        ("a.html", &published("2026-04-01", "One")),
        ("b.html", &published("2026-04-02", "Two")),
        ("c.html", "<p>Three"),
    ]);
    let run = |day: &str, since: Option<&str>| {
        let mut builder = builder();
        builder
            .now(day.parse().unwrap())
            .published_dates(true)
            .ledger(Ledger::load(site.ledger()).unwrap());
        if let Some(since) = since {
            builder.since(since.parse().unwrap());
        }
        let folder = builder.read(site.path()).unwrap();
        folder.ledger().save(site.ledger()).unwrap();
        let why = |page: &sitemap_pages::Page| {
            let explained = folder.explain(page.file()).unwrap();
            let date = explained
                .lastmod
                .map_or("none".to_owned(), |date| date.to_string());
            format!("{date}: {}", explained.why)
        };
        folder.pages().iter().map(why).collect::<Vec<_>>()
    };
    let stated = "the page states it as the date of its publication, and no later change is known";
    assert_eq!(
        run("2026-06-01", Some("2026-01-01")),
        [
            format!("2026-04-01: {stated}"),
            format!("2026-04-02: {stated}"),
            "2026-01-01: it is the date of the first run's pages".to_owned(),
        ]
    );
    site.write("a.html", published("2026-04-01", "Uno"));
    site.write("d.html", published("2026-04-04", "Four"));
    // An editor may correct the date of publication. This is not the date of a change.
    site.write("b.html", published("2026-05-02", "Two"));
    let later = [
        "2026-06-02: its content changed since the last run",
        "2026-04-02: its content is as it was then",
        "2026-01-01: its content is as it was then",
        "2026-06-02: it was not there in the last run",
    ];
    assert_eq!(run("2026-06-02", None), later);
    assert_eq!(
        run("2026-06-03", None),
        later.map(|why| why.split(": ").next().unwrap().to_owned() + ": its content is as it was then")
    );
}

/// Pages that the first run left without a date get one as soon as it is asked for.
#[test]
fn publications_in_a_later_run() {
    let page = |date: &str| format!("<meta property=article:published_time content={date}><p>Page of {date}");
    let site = Site::new(&[
        ("a.html", &page("2026-04-01")),
        ("b.html", &page("2026-05-20T10:00:00Z")),
        ("c.html", &page("2026-05-20T10:00:00Z")),
        ("d.html", &page("2026-05-20T10:00:00Z")),
    ]);
    assert_eq!(site.run("2026-06-01")[0].1, "none");
    let mut builder = builder();
    builder
        .now("2026-06-02".parse().unwrap())
        .published_dates(true)
        .ledger(Ledger::load(site.ledger()).unwrap());
    let folder = builder.read(site.path()).unwrap();
    let explained = folder.explain("a.html").unwrap();
    assert_eq!(
        (
            explained.lastmod.unwrap().to_string(),
            explained.source,
            &*explained.why
        ),
        (
            "2026-04-01".to_owned(),
            Some(DateSource::Published),
            "the page states it as the date of its publication, and no later change is known"
        )
    );
    let explained = folder.explain("b.html").unwrap();
    assert_eq!(
        (explained.lastmod, &*explained.why),
        (
            None,
            "its content is as it was in the first run; the date of publication 2026-05-20T10:00:00Z that it states is not believed"
        )
    );
}

#[test]
fn the_first_way_that_is_believed() {
    let page = |open_graph: &str, json: &str| {
        format!(
            "<script type=application/ld+json>{{\"dateModified\":\"{json}\"}}</script>\
             <meta property=article:modified_time content={open_graph}><p>Text"
        )
    };
    // All pages have one OpenGraph date, which is the build's.
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

/// A date that a template writes wrongly is on all pages.
#[test]
fn dates_that_cannot_be_read_on_many_pages() {
    let site = Site::new(&[]);
    let page = |number: usize| {
        site.write(
            &format!("{number}.html"),
            format!("<meta name=dcterms.modified content='the {number}th'><p>Text"),
        );
        format!("{number}.html:1: `the {number}th` is not a date that can be read: write it as 2026-05-01")
    };
    let mut each: Vec<String> = (10..30).map(page).collect();
    assert_eq!(findings(&site.read()), each);
    page(30);
    each[0] += "; 20 other dates on the site cannot be read either";
    assert_eq!(findings(&site.read()), each[..1]);
}

/// The ledger's knowledge of each page's content decides whether its date is believed.
#[test]
fn stated_dates_against_the_ledger() {
    // Each run has a text, a stated date, and the resulting date of the page.
    for (case, runs) in [
        (
            "honest",
            &[
                ("One", "2026-04-01", "2026-04-01"),
                ("Uno", "2026-05-02", "2026-05-02"),
                ("Uno", "2026-05-02", "2026-05-02"),
            ][..],
        ),
        (
            "stale",
            &[
                ("One", "2026-04-01", "2026-04-01"),
                ("Uno", "2026-04-01", "2026-05-02"),
                ("Uno", "2026-04-01", "2026-05-02"),
            ],
        ),
        (
            "later than the content",
            &[
                ("One", "2026-04-01", "2026-04-01"),
                ("Uno", "2026-04-01", "2026-05-02"),
                ("Uno", "2026-05-02", "2026-05-02"),
            ],
        ),
        (
            "corrected",
            &[
                ("One", "2026-04-20", "2026-04-20"),
                ("One", "2026-04-02", "2026-04-02"),
            ],
        ),
        (
            "an older one",
            &[
                ("One", "2026-04-20", "2026-04-20"),
                ("Uno", "2026-04-02", "2026-05-02"),
            ],
        ),
        (
            "a time of the build",
            &[
                ("One", "2026-05-01T10:00:00Z", "2026-05-01T10:00:00Z"),
                ("One", "2026-05-02T10:00:00Z", "2026-05-02T10:00:00Z"),
                ("One", "2026-05-03T10:00:00Z", "2026-05-02T10:00:00Z"),
                ("Uno", "2026-05-04T10:00:00Z", "2026-05-04"),
                ("Uno", "2026-05-05T10:00:00Z", "2026-05-04"),
            ],
        ),
        (
            "zero",
            &[("One", "0001-01-01", "none"), ("Uno", "0001-01-01", "2026-05-02")],
        ),
        ("1970", &[("One", "1970-01-01T00:00:00Z", "none")]),
        (
            "begins",
            &[("One", "0001-01-01", "none"), ("One", "2026-04-01", "2026-04-01")],
        ),
        (
            "ends",
            &[
                ("One", "2026-04-01", "2026-04-01"),
                ("One", "0001-01-01", "2026-04-01"),
                ("Uno", "0001-01-01", "2026-05-03"),
            ],
        ),
    ] {
        let site = Site::new(&[("other.html", "<p>Another page")]);
        for (day, (text, stated, expected)) in (1..).zip(runs) {
            site.write(
                "a.html",
                format!("<meta name=dcterms.modified content={stated}><p>{text}"),
            );
            let dates = site.run(&format!("2026-05-{day:02}"));
            assert_eq!(dates[0].1, *expected, "{case}, run {day}");
        }
    }
}

/// A date that moves on many pages without their content is not theirs. It is one finding.
#[test]
fn dates_that_move_on_many_pages() {
    let site = Site::new(&[]);
    let write = |texts: [&str; 4], minute: usize| {
        for (i, text) in texts.iter().enumerate() {
            let date = format!("2026-05-0{minute}T10:{minute}{i}:00Z");
            site.write(
                &format!("{i}.html"),
                format!("<meta name=dcterms.modified content={date}><p>{text}"),
            );
        }
    };
    write(["One", "Two", "Three", "Four"], 1);
    site.run("2026-05-01");
    write(["One", "Two", "Three", "Fourth"], 2);
    let mut builder = builder();
    builder
        .now("2026-05-02".parse().unwrap())
        .ledger(Ledger::load(site.ledger()).unwrap());
    assert_eq!(
        findings(&builder.read(site.path()).unwrap()),
        [
            "0.html:1: the date 2026-05-02 is that of all 4 pages that state one, and is not believed",
            "0.html:1: the date 2026-05-02T10:20:00Z that it states is newer than its text, which is as it was, and so are those of 2 other \
             pages: they keep their dates",
        ]
    );
    let dates: Vec<String> = site.run("2026-05-02").into_iter().map(|(_, date)| date).collect();
    assert_eq!(dates, ["none", "none", "none", "2026-05-02"]);
}

#[test]
fn stale_dates_are_one_finding() {
    let site = Site::new(&[]);
    let write = |text: &str| {
        for i in 0..3 {
            let date = format!("2026-04-0{}", i + 1);
            site.write(
                &format!("{i}.html"),
                format!(
                    "<meta name=dcterms.modified content={date}><p>{text} {}",
                    "x".repeat(i)
                ),
            );
        }
    };
    write("Text");
    site.run("2026-05-01");
    write("Texts");
    let mut builder = builder();
    builder
        .now("2026-05-02".parse().unwrap())
        .ledger(Ledger::load(site.ledger()).unwrap());
    assert_eq!(
        findings(&builder.read(site.path()).unwrap()),
        [
            "0.html:1: the date 2026-04-01 that it states is older than its text, and so are those of 2 other pages: they are listed with that of this run"
        ]
    );
}

/// The lists of pages of many generators state the date of their newest page. This does not make it a build's.
#[test]
fn dates_that_lists_repeat() {
    for property in ["article:modified_time", "article:published_time"] {
        let stated =
            |date: &str, text: &str| format!("<meta property={property} content={date}><main>{text}</main>");
        let links =
            "<h2><a href=/a.html>A</a></h2><h2><a href=/b.html>B</a></h2><h2><a href=/c.html>C</a></h2>";
        let newest = stated("2026-04-03T10:00:00Z", links);
        let site = Site::new(&[
            ("index.html", &newest),
            ("tags/x.html", &newest),
            ("archive.html", &newest),
            ("2026.html", &newest),
            ("a.html", &stated("2026-04-03T10:00:00Z", "<p>A post about lamps")),
            (
                "b.html",
                &stated("2026-04-02T10:00:00Z", "<p>Another about chairs"),
            ),
            (
                "c.html",
                &stated("2026-04-01T10:00:00Z", "<p>A third about tables"),
            ),
        ]);
        let mut builder = builder();
        builder.now("2026-06-01".parse().unwrap()).published_dates(true);
        let folder = builder.read(site.path()).unwrap();
        assert_eq!(findings(&folder), [""; 0]);
        let dates: Vec<_> = folder
            .pages()
            .iter()
            .map(|page| (page.file(), page.lastmod().map(|date| date.to_string())))
            .collect();
        let date = |day: u32| Some(format!("2026-04-0{day}T10:00:00Z"));
        assert_eq!(
            dates,
            [
                ("index.html", date(3)),
                ("2026.html", date(3)),
                ("a.html", date(3)),
                ("archive.html", date(3)),
                ("b.html", date(2)),
                ("c.html", date(1)),
                ("tags/x.html", date(3)),
            ],
            "{property}"
        );
    }
}

/// Without history, a time on three pages is a build's. So is the day of the run on most pages.
#[test]
fn dates_that_pages_share() {
    for (stated, expected) in [
        (
            [
                "2026-04-01T10:00:00Z",
                "2026-04-01T10:00:00Z",
                "2026-04-01T10:00:00Z",
                "2026-04-02",
            ],
            [false, false, false, true],
        ),
        // A checkout writes many files in a second.
        (
            [
                "2026-04-01T10:00:00.013Z",
                "2026-04-01T10:00:00.25Z",
                "2026-04-01T10:00:00Z",
                "2026-04-02",
            ],
            [false, false, false, true],
        ),
        (
            [
                "2026-04-01T10:00:00Z",
                "2026-04-01T10:00:00Z",
                "2026-04-01T10:00:01Z",
                "2026-04-02",
            ],
            [true; 4],
        ),
        (
            [
                "2026-04-01T00:00:00Z",
                "2026-04-01T00:00:00Z",
                "2026-04-01T00:00:00Z",
                "2026-04-02",
            ],
            [true; 4],
        ),
        (
            ["2026-04-01", "2026-04-01", "2026-04-01", "2026-04-02"],
            [true; 4],
        ),
        (
            ["2026-06-01", "2026-06-01", "2026-06-01", "2026-04-02"],
            [false, false, false, true],
        ),
        (
            ["2026-06-01", "2026-06-01", "2026-04-02", "2026-04-02"],
            [true; 4],
        ),
    ] {
        let site = Site::new(&[]);
        for (i, date) in stated.iter().enumerate() {
            site.write(
                &format!("{i}.html"),
                format!("<meta name=dcterms.modified content={date}><p>Page"),
            );
        }
        let believed: Vec<bool> = dates(&site).iter().map(Option::is_some).collect();
        assert_eq!(believed, expected, "{stated:?}");
    }
}

#[test]
fn dates_of_one_source() {
    let stated = |date: &str, text: &str| format!("<meta name=dcterms.modified content={date}><p>{text}");
    let site = Site::new(&[("a.html", &stated("2026-04-01", "One")), ("b.html", "<p>Two")]);
    assert_eq!(site.moved("2026-05-01"), [""; 0]);
    site.write("a.html", stated("2026-04-01", "Uno"));
    site.write("b.html", "<p>Due");
    let mut builder = builder();
    let copy = Site::new(&[]);
    for (used, expected) in [(true, vec!["a.html", "b.html"]), (false, vec![])] {
        std::fs::copy(site.ledger(), copy.ledger()).unwrap();
        for file in ["a.html", "b.html"] {
            copy.write(file, std::fs::read(site.path().join(file)).unwrap());
        }
        builder.ledger_dates(used);
        assert_eq!(copy.moved_with("2026-05-02", &mut builder), expected);
    }
    builder.ledger_dates(true).stated_dates(false);
    assert_eq!(site.moved_with("2026-05-02", &mut builder), ["a.html", "b.html"]);
}

/// A date within a card of another page is not the page's.
#[test]
fn dates_in_items_of_microdata() {
    let card = "<div itemscope itemtype=https://schema.org/Article><time itemprop=dateModified datetime=2026-04-01></time></div>";
    for (html, expected) in [
        (card.to_owned(), Some("2026-04-01")),
        (format!("<article itemscope>{card}</article>"), None),
        (
            format!(
                "<article itemscope>{card}<time itemprop=dateModified datetime=2026-04-02></time></article>"
            ),
            Some("2026-04-02"),
        ),
        (
            format!(
                "<body itemscope><article itemscope itemprop=mainEntity><time itemprop=dateModified datetime=2026-04-02></time>{card}"
            ),
            Some("2026-04-02"),
        ),
        (format!("{card}{card}"), None),
    ] {
        let site = Site::new(&[("index.html", &html)]);
        assert_eq!(dates(&site), [expected.map(str::to_owned)], "{html}");
    }
}
