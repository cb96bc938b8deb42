//! The listed pages, their addresses, and their problems.

use sitemap_pages::{ErrorKind, FolderBuilder, UrlStyle};

use crate::site::{Site, all_findings, builder, findings, left_out, listed};

#[test]
fn each_reason() {
    let site = Site::new(&[
        ("index.html", "<p>Home"),
        ("404.html", "<p>Not found"),
        (
            "robots-meta.html",
            "<html>\n<meta name=robots content='follow, NOINDEX'>",
        ),
        ("googlebot.html", "<meta name=GoogleBot content=none>"),
        ("otherbot.html", "<meta name=bingbot content=noindex><p>Text"),
        ("part.html", "<link rel=stylesheet href=a.css>{% macro head() %}"),
        ("200.html", "<title>App</title><nav>Menu</nav><div id=app></div>"),
        (
            "commented.html",
            "<!-- <meta name=robots content=noindex> --><p>Listed",
        ),
        (
            "scripted.html",
            "<script>'<meta name=robots content=noindex>'</script><p>Listed",
        ),
        (
            "template.html",
            "<template><meta name=robots content=noindex></template><p>Listed",
        ),
        (
            "noscript.html",
            "<noscript><meta http-equiv=refresh content='0;url=/'></noscript><p>Listed",
        ),
        (
            "refresh.html",
            "\n\n<meta http-equiv=refresh content='0; url=index.html'>",
        ),
        ("reload.html", "<meta http-equiv=refresh content=60><p>Listed"),
        (
            "itself.html",
            "<meta http-equiv=refresh content='60;url=itself.html'><p>Listed",
        ),
        (
            "canonical.html",
            "<link rel=canonical href=https://example.com/><p>Home",
        ),
        (
            "other-site.html",
            "<link rel=canonical href=https://other.example/x><p>Syndicated",
        ),
        ("query.html", "<link rel=canonical href='/query.html?a=1'>"),
        (
            "own.html",
            "<link rel='canonical' href='https://example.com/own.html#top'><p>Listed",
        ),
        ("moved/a.html", "<p>Moved"),
        ("secret/a.html", "<p>Secret"),
        ("private/a.html", "<p>Private"),
        (
            "google1234567890abcdef.html",
            "google-site-verification: google1234567890abcdef.html",
        ),
        ("drafts/a.html", "<p>Draft"),
        ("prices.pdf", "%PDF"),
        ("notes.txt", "Not listed"),
        (".hidden/a.html", "<p>Hidden"),
        ("_redirects", "# moved\n/moved/* /:splat 301!\n"),
        (
            "_headers",
            "/secret/*\n  X-Robots-Tag: noindex\nhttps://:p.pages.dev/*\n  X-Robots-Tag: noindex\n",
        ),
        ("robots.txt", "User-agent: *\nDisallow: /private/\n"),
    ]);
    let mut builder = builder();
    builder.exclude("drafts/**").include("*.pdf");
    let folder = builder.read(site.path()).unwrap();
    assert_eq!(
        listed(&folder),
        [
            "/",
            "/commented.html",
            "/itself.html",
            "/noscript.html",
            "/otherbot.html",
            "/own.html",
            "/prices.pdf",
            "/reload.html",
            "/scripted.html",
            "/template.html",
        ]
    );
    assert_eq!(
        left_out(&folder),
        [
            "200.html: no page by itself, since it has no title or no text",
            "404.html: a page for errors",
            "canonical.html:1: its canonical address is `https://example.com/`",
            "drafts/a.html: excluded",
            "google1234567890abcdef.html: a search engine's verification of the owner",
            "googlebot.html:1: `noindex`",
            "moved/a.html: redirected to `/a.html` by _redirects:2",
            "other-site.html:1: its canonical address is `https://other.example/x`",
            "part.html: no page by itself, since it has no title or no text",
            "private/a.html: not allowed by robots.txt",
            "query.html:1: its canonical address is `/query.html?a=1`",
            "refresh.html:3: redirects to `index.html`",
            "robots-meta.html:2: `noindex`",
            "secret/a.html: `X-Robots-Tag` in _headers:2",
        ]
    );
}

#[test]
fn the_majority_decides_how_pages_are_addressed() {
    let canonical = |path: &str| format!("<link rel=canonical href=https://example.com{path}><p>{path}");
    let link = |path: &str| format!("<p>Text<p><a href={path}>A page</a>");
    // Canonical addresses take precedence over links.
    let site = Site::new(&[
        ("index.html", &link("/a.html")),
        ("a.html", &canonical("/a")),
        ("b.html", &canonical("/b")),
        ("c.html", &canonical("/c.html")),
        ("d.html", &link("/a.html")),
        ("e/index.html", "<p>A folder"),
    ]);
    let folder = site.read();
    assert_eq!(listed(&folder), ["/", "/a", "/b", "/c.html", "/d", "/e/"]);
    assert_eq!(
        findings(&folder),
        [
            "c.html:1: the canonical address is `/c.html`, and by the other pages' it would be `/c`: listed is `/c.html`"
        ]
    );
    let forced = builder().style(UrlStyle::Clean).read(site.path()).unwrap();
    assert_eq!(listed(&forced), ["/", "/a", "/b", "/c", "/d", "/e/"]);
    assert_eq!(
        findings(&forced),
        [
            "c.html:1: the canonical address is `/c.html`, and by the style that is set it would be `/c`: listed is `/c`"
        ]
    );
    for (links, style) in [
        (["/a", "b", "a.html"], "/a"),
        (["/a.html", "b.html", "/a"], "/a.html"),
        (["/", "/e/", "https://other.example/x"], "/a.html"),
        (["/e", "/e", "/e/index.html"], "/a.html"),
    ] {
        let site = Site::new(&[
            ("index.html", &links.map(link).concat()),
            ("a.html", "<p>A"),
            ("b.html", "<p>B"),
            ("e/index.html", "<p>E"),
        ]);
        assert!(listed(&site.read()).contains(&style), "{links:?}");
    }
}

#[test]
fn folders_and_names() {
    let site = Site::new(&[
        ("index.html", "<p>Home"),
        ("a b/ü.html", "<p>Umlaut"),
        ("100%.htm", "<p>All"),
        ("what?.html", "<p>Question"),
        (
            "blog/index.html",
            "<link rel=canonical href=/repo/blog><p>Without a slash",
        ),
        (
            "sub/index.html",
            "<base href=/repo/><link rel=canonical href=sub/><p>By a base",
        ),
    ]);
    let folder = FolderBuilder::new("https://user.example/repo")
        .read(site.path())
        .unwrap();
    let addresses: Vec<&str> = folder.pages().iter().map(sitemap_pages::Page::url).collect();
    assert_eq!(
        addresses,
        [
            "https://user.example/repo/",
            "https://user.example/repo/100%25.htm",
            "https://user.example/repo/a%20b/%C3%BC.html",
            "https://user.example/repo/blog",
            "https://user.example/repo/sub/",
            "https://user.example/repo/what%3F.html",
        ]
    );
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf_8() {
    use std::os::unix::ffi::OsStrExt;

    let site = Site::new(&[("index.html", "<a href=%FF.html>A page</a>")]);
    let name = std::ffi::OsStr::from_bytes(b"\xFF.html");
    std::fs::write(site.path().join(name), "<h1>A page").unwrap();
    let folder = site.read();
    assert_eq!(listed(&folder), ["/", "/%FF.html"]);
    assert_eq!(folder.explain("%FF.html").unwrap().blocks[0].text, "A page");
}

#[test]
fn one_address_is_listed_once() {
    let site = Site::new(&[
        ("a.html", "<link rel=canonical href=/a><p>A"),
        ("a/index.html", "<link rel=canonical href=/a><p>The folder A"),
    ]);
    let folder = site.read();
    assert_eq!(listed(&folder), ["/a"]);
    assert_eq!(
        left_out(&folder),
        ["a/index.html:1: its canonical address is `/a`"]
    );
}

#[test]
fn where_addresses_lead() {
    let to = |path: &str| format!("\n<link rel=canonical href={path}>");
    let refresh = |path: &str| format!("<meta http-equiv=refresh content='0;url={path}'>");
    let site = Site::new(&[
        ("index.html", "<p>Home"),
        ("nowhere.html", &to("/missing")),
        ("picture.html", &to("/logo.png")),
        ("logo.png", "PNG"),
        ("twin-a.html", &to("/twins.html")),
        ("twin-b.html", &to("/twins.html")),
        ("twins.html", "<p>Twins"),
        ("chain-1.html", &refresh("/chain-2.html")),
        ("chain-2.html", &refresh("chain-3.html")),
        ("chain-3.html", "<p>End"),
        ("circle-1.html", &refresh("/circle-2.html")),
        ("circle-2.html", &to("/circle-1.html")),
        ("to-hidden.html", &to("/hidden.html")),
        ("hidden.html", "<meta name=robots content=noindex>"),
        ("by-rule.html", &to("/old")),
        (
            "_redirects",
            "/old /chain-3.html\n/lost /missing\n/far https://other.example/\n",
        ),
    ]);
    assert_eq!(
        findings(&site.read()),
        [
            "_redirects:2: the redirect to `/missing` leads nowhere: there is no page at this address",
            "chain-1.html:1: the redirect to `/chain-2.html` leads on: chain-1.html → chain-2.html → chain-3.html; name the last one",
            "circle-1.html:1: the redirect to `/circle-2.html` leads in a circle: circle-1.html → circle-2.html → circle-1.html",
            "circle-2.html:2: the canonical address `/circle-1.html` leads in a circle: circle-2.html → circle-1.html → circle-2.html",
            "nowhere.html:2: the canonical address `/missing` leads nowhere: there is no page at this address",
            "to-hidden.html:2: the canonical address `/hidden.html` leads to hidden.html, which is not listed: `noindex`",
            "twin-b.html:2: has the canonical address that twin-a.html has, too",
        ]
    );
}

#[test]
fn redirects_within_one_page() {
    let site = Site::new(&[
        ("about.html", "<p>About"),
        ("_redirects", "/about.html /about 301\n"),
        ("index.html", "<p>Home"),
    ]);
    assert_eq!(listed(&site.read()), ["/", "/about"]);
}

#[test]
fn robots_txt_works_at_the_root_alone() {
    let site = Site::new(&[("a.html", "<p>A"), ("robots.txt", "User-agent: *\nDisallow: /\n")]);
    assert_eq!(left_out(&site.read()), ["a.html: not allowed by robots.txt"]);
    let folder = FolderBuilder::new("https://user.example/repo/")
        .read(site.path())
        .unwrap();
    assert_eq!(folder.pages().len(), 1);
    assert_eq!(
        findings(&folder),
        [
            "robots.txt: has no effect: crawlers read https://user.example/robots.txt, and this one is at \
             https://user.example/repo/robots.txt"
        ]
    );
}

/// The file that a server would rather answer with is listed.
#[test]
fn files_with_one_address() {
    for (names, listed_file) in [
        (["d/index.html", "d/index.htm"], "d/index.html"),
        (["index.html", "index.htm"], "index.html"),
    ] {
        let site = Site::new(&names.map(|name| (name, "<p>D")));
        let folder = site.read();
        let files: Vec<_> = folder.pages().iter().map(sitemap_pages::Page::file).collect();
        assert_eq!(files, [listed_file]);
        let other = names.iter().find(|name| **name != listed_file).unwrap();
        assert_eq!(
            left_out(&folder),
            [format!("{other}: has the address of {listed_file}")]
        );
    }
}

/// Languages by folder that are wrong would have no effect in silence.
#[test]
fn languages_without_effect() {
    let site = Site::new(&[
        ("a.html", "<p>A"),
        ("fr/a.html", "<p>A"),
        ("de/b.html", "<meta name=robots content=none>"),
    ]);
    let read = |languages: &[(&str, &str)]| {
        let mut builder = builder();
        for (language, folder) in languages {
            builder.language(*language, *folder);
        }
        builder.read(site.path())
    };
    for (languages, problem) in [
        (
            [("en", "/"), ("xx-bad", "/fr/")],
            "the language `xx-bad` of `/fr/`: `xx-bad` does not begin with a language: a hreflang is an ISO 639-1 code, then perhaps a \
             script and a region, or `x-default`; write it like `en`, `en-GB` or `zh-Hant`",
        ),
        (
            [("en", "/"), ("EN", "/fr/")],
            "the language `EN` has two folders, `/` and `/fr/`",
        ),
    ] {
        let error = read(&languages).unwrap_err();
        assert_eq!((error.kind(), &*error.to_string()), (ErrorKind::Setting, problem));
    }
    for (languages, problems) in [
        (&[("en", "/"), ("fr", "fr")][..], &[][..]),
        (
            &[("en", "/"), ("fr", "/france/"), ("de", "/de/")],
            &[
                "the folder `/de/` of the language `de` has no listed page",
                "the folder `/france/` of the language `fr` has no listed page",
            ],
        ),
        // `x-default` may share a folder with a language.
        (&[("en", "/"), ("x-default", "/"), ("fr", "/fr/")], &[]),
    ] {
        assert_eq!(findings(&read(languages).unwrap()), problems, "{languages:?}");
    }
}

#[test]
fn languages() {
    let link = |language: &str, path: &str| format!("<link rel=alternate hreflang={language} href={path}>\n");
    let both = link("en", "/") + &link("de", "/de/") + &link("x-default", "/") + "<p>Text";
    let site = Site::new(&[
        ("index.html", &both),
        ("de/index.html", &both),
        (
            "fr/index.html",
            &(link("fr", "/fr/")
                + &link("en", "/")
                + &link("it", "/it/")
                + &link("es", "https://es.example/")
                + &link("e n", "/fr/")
                + "<p>Text"),
        ),
        (
            "pt/index.html",
            &(link("pt", "/pt/") + &link("en", "/hidden.html") + "<p>Text"),
        ),
        ("hidden.html", "<meta name=robots content=noindex>"),
    ]);
    let folder = site.read();
    let alternates: Vec<Vec<(&str, &str)>> = folder
        .pages()
        .iter()
        .map(|page| {
            let alternates = page.alternates().iter();
            alternates
                .map(|link| (link.hreflang.as_deref().unwrap(), link.href.as_str()))
                .collect()
        })
        .collect();
    let (en, de, fr, pt) = (
        "https://example.com/",
        "https://example.com/de/",
        "https://example.com/fr/",
        "https://example.com/pt/",
    );
    let of_both = vec![("en", en), ("de", de), ("x-default", en)];
    assert_eq!(
        alternates,
        [
            of_both.clone(),
            of_both,
            vec![("fr", fr), ("en", en)],
            vec![("pt", pt)]
        ]
    );
    let found = findings(&folder);
    assert_eq!(
        found[..3],
        [
            "fr/index.html:2: the alternate `/` in `en` is not returned: the page does not link back, so search engines ignore it",
            "fr/index.html:3: the alternate `/it/` in `it` leads nowhere: there is no page at this address",
            "fr/index.html:4: the alternate `https://es.example/` in `es` leads out of the folder: it is left out, since nothing is known of \
             the page",
        ]
    );
    assert!(
        found[3].starts_with("fr/index.html:5: the alternate `/fr/` in `e` "),
        "{}",
        found[3]
    );
    assert_eq!(
        found[4],
        "pt/index.html:2: the alternate `/hidden.html` in `en` leads to a page that is not listed: `noindex`"
    );
}

/// Only the canonical addresses of other pages make an address unusual.
#[test]
fn addresses_that_no_other_page_contradicts() {
    let canonical = |path: &str| format!("<link rel=canonical href={path}><p>{path}");
    for (pages, addresses, found) in [
        // A default Docusaurus site: folders, with addresses without slashes.
        (
            &[("a/index.html", Some("/a")), ("b/index.html", None)][..],
            &["/", "/a", "/b"][..],
            None,
        ),
        (
            &[("c.html", Some("/c")), ("d.html", None)],
            &["/", "/c", "/d"],
            None,
        ),
        (&[("c.html", Some("/c/"))], &["/", "/c/"], None),
        // One of each: neither is unusual.
        (
            &[("a/index.html", Some("/a")), ("b/index.html", Some("/b/"))],
            &["/", "/a", "/b/"],
            None,
        ),
        (
            &[
                ("a/index.html", Some("/a")),
                ("b/index.html", Some("/b")),
                ("e/index.html", Some("/e/")),
            ],
            &["/", "/a", "/b", "/e/"],
            Some(
                "e/index.html:1: the canonical address is `/e/`, and by the other pages' it would be `/e`: listed is `/e/`",
            ),
        ),
        // Files and folders have styles of their own.
        (
            &[("c.html", Some("/c")), ("b/index.html", Some("/b/"))],
            &["/", "/b/", "/c"],
            None,
        ),
    ] {
        let site = Site::new(&[("index.html", "<p>Home")]);
        for (file, own) in pages {
            site.write(file, own.map_or_else(|| "<p>Page".to_owned(), canonical));
        }
        let folder = site.read();
        assert_eq!(listed(&folder), addresses, "{pages:?}");
        assert_eq!(findings(&folder), Vec::from_iter(found), "{pages:?}");
    }
}

#[test]
fn canonical_addresses_that_are_none() {
    let site = Site::new(&[
        ("index.html", "<p>Home"),
        (
            "two.html",
            "<link rel=canonical href=/two.html>\n<link rel=canonical href=/index.html><p>Two",
        ),
        (
            "same.html",
            "<link rel=canonical href=/same.html><link rel=canonical href=https://example.com/same.html><p>Same",
        ),
        (
            "script.html",
            "<link rel=canonical href='javascript:void(0)'><meta http-equiv=refresh content='0;url=javascript:x()'><p>Script",
        ),
        (
            "port.html",
            "<link rel=canonical href=https://example.com:443/port.html><p>Port",
        ),
    ]);
    let folder = site.read();
    assert_eq!(
        listed(&folder),
        ["/", "/port.html", "/same.html", "/script.html", "/two.html"]
    );
    assert_eq!(
        findings(&folder),
        [
            "script.html:1: the canonical address `javascript:void(0)` is not a URL of a page",
            "two.html:2: names two canonical addresses, `/two.html` and `/index.html`: search engines ignore both",
        ]
    );
}

#[test]
fn what_is_listed_or_skipped_is_told() {
    let site = Site::new(&[
        (
            "index.html",
            "<p>Home, and page <a href=/a.html>A</a><link rel=alternate hreflang=en type=application/rss+xml href=/feed.xml>",
        ),
        ("a.html", "<p>A page, and <a href=/a.html>itself</a>"),
        ("draft.html", "<p>A draft, and <a href=/draft.html>itself</a>"),
        ("picture.html", "\u{89}"),
        (
            "old.html",
            "<meta name=robots content='unavailable_after: 2020-01-01'><p>Old",
        ),
        (
            "later.html",
            "<meta name=robots content='unavailable_after: 2999-01-01'><p>Later",
        ),
        ("d/index.html", "<p>D"),
        ("d/index.htm", "<p>D, too"),
    ]);
    site.write("picture.html", b"\x89PNG\r\n\x1a\n\0\0");
    let mut builder = builder();
    builder.exclude("drafts/").exclude("later.html").include("*.pdf");
    let folder = builder.read(site.path()).unwrap();
    assert_eq!(listed(&folder), ["/", "/a.html", "/d/", "/draft.html"]);
    assert_eq!(
        left_out(&folder),
        [
            "d/index.htm: has the address of d/index.html",
            "later.html: excluded",
            "old.html:1: `unavailable_after: 2020-01-01`",
            "picture.html: is not HTML",
        ]
    );
    assert_eq!(
        all_findings(&folder),
        [
            "the pattern `*.pdf` of include matches no file that could be listed",
            "the pattern `drafts/` of exclude matches no file that could be listed",
            "d/index.htm: has the URL of d/index.html, which is listed instead",
            "d/index.html: is listed, and no page links to it: is it a draft?",
            "draft.html: is listed, and no page links to it: is it a draft?",
            "picture.html: is not HTML, in spite of its name: it is not listed",
        ]
    );
}

#[test]
fn many_pages_without_links_are_one_finding() {
    let site = Site::new(&[("index.html", "<p>Home")]);
    for i in 0..21 {
        site.write(&format!("p{i:02}.html"), "<p>Page");
    }
    assert_eq!(
        all_findings(&site.read()),
        ["no page links to 21 pages that are listed, such as p00.html, p01.html, p02.html"]
    );
}
