//! The values of an entry.

use sitemap_serde::Rule;
use sitemap_serde::lint::Input;

use crate::lint::{found_by, linter, messages, page, urlset};

fn loc(loc: &str) -> String {
    urlset(&format!("<url><loc>{loc}</loc></url>\n"))
}

fn locs(locs: &[&str]) -> String {
    let entries: Vec<_> = locs
        .iter()
        .map(|loc| format!("<url><loc>{loc}</loc></url>\n"))
        .collect();
    urlset(&entries.concat())
}

#[test]
fn locs_of_pages() {
    let cases = [
        ("a relative loc", loc("/about")),
        ("another scheme", loc("ftp://example.com/")),
        ("a space", loc("https://example.com/a b")),
        ("no host", loc("javascript:alert(1)")),
        ("long", loc(&format!("https://example.com/{}", "a".repeat(2100)))),
        ("not ASCII", loc("https://example.com/サイト")),
        ("a brace", loc("https://example.com/{id}")),
        ("a placeholder", loc("https://example.com/{{ slug }}")),
        ("another placeholder", loc("https://example.com/${id}")),
        ("a percent sign", loc("https://example.com/100%")),
        ("the other direction", loc("https://example.com/gnp.\u{202e}x")),
        ("a host that is not ASCII", loc("https://bücher.example/")),
        ("a fragment", loc("https://example.com/#top")),
        ("a password", loc("https://user:pw@example.com/a?b@c")),
        ("a development server", loc("http://localhost:8080/a")),
        (
            "another site",
            locs(&["https://example.com/", "https://example.org/"]),
        ),
        ("http", locs(&["https://example.com/", "http://example.com/a"])),
        (
            "www",
            locs(&["https://example.com/", "https://www.example.com/a"]),
        ),
        (
            "a loc twice",
            locs(&[
                "https://example.com/",
                "https://example.com/a",
                "https://example.com/",
            ]),
        ),
        (
            "references",
            loc("https://example.com/?a=1&amp;b=2&#x5B;c d&#x5D;"),
        ),
    ];
    insta::assert_snapshot!(messages(&cases));
}

#[test]
fn the_optional_three() {
    let many = |children: &str| {
        let entries: Vec<_> = (0..10)
            .map(|i| format!("<url><loc>https://example.com/{i}</loc>{children}</url>\n"))
            .collect();
        urlset(&entries.concat())
    };
    let cases = [
        ("no date", page("<lastmod>01.05.2026</lastmod>")),
        ("a year", page("<lastmod>2026</lastmod>")),
        (
            "a missing date",
            page("<lastmod>0001-01-01T00:00:00+00:00</lastmod>"),
        ),
        ("the first day of Unix", page("<lastmod>1970-01-01</lastmod>")),
        ("the first year of the web", page("<lastmod>1990-01-01</lastmod>")),
        (
            "hours from 1 to 12",
            page("<lastmod>2026-05-01 08:53:11 AM</lastmod>"),
        ),
        ("tomorrow", page("<lastmod>2026-05-12</lastmod>")),
        ("today", page("<lastmod>2026-05-11</lastmod>")),
        ("in an hour", page("<lastmod>2026-05-10T13:00:00Z</lastmod>")),
        (
            "an hour ago",
            page("<lastmod>2026-05-10T13:00:00+02:00</lastmod>"),
        ),
        ("one for all", many("<lastmod>2026-05-01</lastmod>")),
        ("another changefreq", page("<changefreq>Daily</changefreq>")),
        ("another priority", page("<priority>1,0</priority>")),
        ("all high", many("<priority>0.9</priority>")),
    ];
    insta::assert_snapshot!(messages(&cases));
}

fn image(children: &str) -> String {
    page(&format!("<image:image>{children}</image:image>"))
}

#[test]
fn images() {
    let loc = "<image:loc>https://example.com/1.jpg</image:loc>";
    let cases = [
        ("none", image("")),
        ("a relative image", image("<image:loc>/1.jpg</image:loc>")),
        (
            "caption",
            image(&format!("{loc}<image:caption>A lamp</image:caption>")),
        ),
        ("unknown", image(&format!("{loc}<image:size>1</image:size>"))),
        ("misplaced", page(loc)),
        ("two locs", image(&format!("{loc}{loc}"))),
        (
            "1,001 of them",
            page(&format!("<image:image>{loc}</image:image>").repeat(1001)),
        ),
    ];
    insta::assert_snapshot!(messages(&cases));
}

/// A message shows any character in any place, and the character has no effect.
#[test]
fn messages_show_every_character() {
    let image = |inner: &str| {
        page(&format!(
            "<image:image><image:loc>https://example.com/1.png</image:loc>{inner}</image:image>"
        ))
    };
    let templates = [
        loc("https://example.com/a#b"),
        loc("/a#b"),
        loc("https://exa#mple.com/"),
        loc("https://example.com/{{ # }}"),
        urlset("<url><loc>https://example.com/</loc><lastmod>2026#</lastmod><priority>#</priority>#</url>"),
        page("<a#b>x</a#b>"),
        page("<news:news><news:title>#</news:title></news:news>"),
        image("<image:license>#</image:license>"),
        image("<image:size#/>"),
        page("<xhtml:link rel=\"alternate\" hreflang=\"d#e\" href=\"https://example.com/#\"/>"),
        video(
            "<video:restriction relationship=\"#\">#</video:restriction><video:duration>#</video:duration>",
        ),
        urlset("<url><loc>https://example.com/</loc></url>#&#;"),
    ];
    let mut count = 0;
    for c in [
        '\u{202E}',
        '\u{2066}',
        '\u{200B}',
        '\u{AD}',
        '\u{61C}',
        '\u{FEFF}',
        '\u{85}',
        '\u{3000}',
        '\u{E0041}',
    ] {
        for template in &templates {
            for found in linter().check(template.replace('#', &c.to_string()).as_bytes()) {
                count += 1;
                let raw = |text: &str| text.contains(c);
                assert!(!raw(found.message()), "{:?}", found.message());
                assert!(!raw(found.path().unwrap_or_default()), "{:?}", found.path());
            }
        }
    }
    assert!(count > 150, "{count}");
}

fn video(children: &str) -> String {
    page(&format!(
        "<video:video><video:thumbnail_loc>https://example.com/1.jpg</video:thumbnail_loc><video:title>A</video:title>\
         <video:description>B</video:description>{children}</video:video>"
    ))
}

#[test]
fn videos() {
    let content = "<video:content_loc>https://example.com/1.mp4</video:content_loc>";
    let with = |child: &str| video(&format!("{content}{child}"));
    let cases = [
        ("no address", video("")),
        ("no title", with("").replace("<video:title>A</video:title>", "")),
        (
            "a long title",
            with("").replace(">A<", &format!(">{}<", "a".repeat(101))),
        ),
        (
            "the page",
            video("<video:content_loc>https://example.com/</video:content_loc>"),
        ),
        ("duration", with("<video:duration>0</video:duration>")),
        (
            "date",
            with("<video:expiration_date>soon</video:expiration_date>"),
        ),
        ("rating", with("<video:rating>6</video:rating>")),
        ("view count", with("<video:view_count>1,000</video:view_count>")),
        ("yes or no", with("<video:live>true</video:live>")),
        (
            "restriction",
            with("<video:restriction relationship=\"allow\">UK1</video:restriction>"),
        ),
        (
            "no countries",
            with("<video:restriction relationship=\"allow\"/>"),
        ),
        (
            "no platforms",
            with("<video:platform relationship=\"deny\"></video:platform>"),
        ),
        (
            "no relationship",
            with("<video:restriction>DE</video:restriction>"),
        ),
        (
            "platform",
            with("<video:platform relationship=\"forbid\">web</video:platform>"),
        ),
        (
            "uploader",
            with("<video:uploader info=\"https://example.org/\">X</video:uploader>"),
        ),
        ("33 tags", with(&"<video:tag>x</video:tag>".repeat(33))),
        ("schema", with("<video:id>1</video:id>")),
        (
            "player",
            video("<video:player_loc autoplay=\"ap=1\">https://example.com/p</video:player_loc>"),
        ),
        ("category", with("<video:category>Lamps</video:category>")),
    ];
    insta::assert_snapshot!(messages(&cases));
}

fn news(children: &str) -> String {
    page(&format!(
        "<news:news><news:publication><news:name>N</news:name><news:language>de</news:language></news:publication>{children}\
         </news:news>"
    ))
}

#[test]
fn articles() {
    let dated = |date: &str| {
        news(&format!(
            "<news:publication_date>{date}</news:publication_date><news:title>T</news:title>"
        ))
    };
    let cases = [
        ("right", dated("2026-05-09")),
        ("nothing", page("<news:news/>")),
        ("language", dated("2026-05-09").replace(">de<", ">german<")),
        ("no publication date", dated("yesterday")),
        ("old", dated("2026-05-01")),
        ("older than 48 hours", dated("2026-05-08T11:00:00Z")),
        (
            "access",
            dated("2026-05-09").replace(
                "<news:publication_date>",
                "<news:access>free</news:access><news:publication_date>",
            ),
        ),
        ("news twice", page(&"<news:news/>".repeat(2))),
    ];
    insta::assert_snapshot!(messages(&cases));
}

#[test]
fn page_maps() {
    let cases = [(
        "no type",
        page("<pagemap:PageMap><pagemap:DataObject/></pagemap:PageMap>"),
    )];
    insta::assert_snapshot!(messages(&cases));
}

#[test]
fn alternates() {
    let link = |lang: &str, href: &str| {
        format!("<xhtml:link rel=\"alternate\" hreflang=\"{lang}\" href=\"{href}\"/>")
    };
    let own = link("en", "https://example.com/");
    let cases = [
        ("right", page(&own)),
        (
            "no hreflang",
            page(&format!(
                "{own}<xhtml:link rel=\"alternate\" href=\"https://example.com/de\"/>"
            )),
        ),
        ("a relative link", page(&format!("{own}{}", link("de", "/de")))),
        ("not itself", page(&link("de", "https://example.com/de"))),
        (
            "en-UK",
            page(&format!("{own}{}", link("en-UK", "https://example.com/uk"))),
        ),
        (
            "not returned",
            urlset(&format!(
                "<url><loc>https://example.com/</loc>{own}{}</url>\n<url><loc>https://example.com/de</loc></url>\n",
                link("de", "https://example.com/de")
            )),
        ),
    ];
    insta::assert_snapshot!(messages(&cases));
}

/// The current time of messages has no fraction of a second.
#[test]
fn the_time_in_messages_is_to_the_second() {
    let news = page(
        "<lastmod>2026-06-01</lastmod><news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>\
         <news:publication_date>2026-05-01</news:publication_date><news:title>T</news:title></news:news>",
    );
    let mut linter = linter();
    linter.now("2026-05-10T12:00:00.123456789Z".parse().unwrap());
    insta::assert_snapshot!(found_by(&linter, &news).join("\n"));
}

/// A prefix that resembles an extension's prefix.
#[test]
fn a_misspelt_prefix() {
    let prefixes = |linter: &sitemap_serde::lint::Linter, prefix: &str| {
        let found = linter.check(page(&format!("<{prefix}:x/>")).as_bytes());
        let (_, advice) = found[0].message().rsplit_once("; ").unwrap();
        advice.to_owned()
    };
    for (prefix, meant) in [
        ("xthml", "xhtml"),
        ("html", "xhtml"),
        ("images", "image"),
        ("imgae", "image"),
        ("vido", "video"),
        ("new", "news"),
        ("mobil", "mobile"),
        ("pagmap", "pagemap"),
    ] {
        assert_eq!(prefixes(&linter(), prefix), format!("did you mean `{meant}`?"));
    }
    for prefix in ["shop", "ns1", "x", "media"] {
        assert_eq!(
            prefixes(&linter(), prefix),
            format!("declare it on the root as `xmlns:{prefix}=\"…\"`")
        );
    }
}

/// A document from a development server may list the server's pages. At another location, P-HOST reports them.
#[test]
fn hosts_of_documents_with_a_location() {
    let document = loc("http://localhost:8080/a");
    for (location, expected) in [
        (None, &[Rule::Private][..]),
        (Some("http://localhost:8080/sitemap.xml"), &[]),
        (Some("https://example.com/sitemap.xml"), &[Rule::Host]),
    ] {
        let mut found = Vec::new();
        let mut lint = linter().start(|_, diagnostic| found.push(diagnostic.rule()));
        let input = Input::from_slice("sitemap.xml", document.as_bytes());
        let input = match location {
            Some(location) => input.location(location),
            None => input,
        };
        lint.document(input).unwrap();
        lint.finish().unwrap();
        assert_eq!(found, expected, "{location:?}");
    }
}

/// A part that was refused is not missing, too. Another one that is missing is told at once, not after the first is right.
#[test]
fn a_part_that_is_wrong_is_not_missing() {
    let video = |parts: &str| page(&format!("<video:video>{parts}</video:video>"));
    let thumbnail = "<video:thumbnail_loc>https://example.com/a.jpg</video:thumbnail_loc>";
    let title = "<video:title>b</video:title><video:description>c</video:description>";
    let content = "<video:content_loc>https://example.com/a.mp4</video:content_loc>";
    let price = |attributes: &str| {
        video(&format!(
            "{thumbnail}{title}{content}<video:price {attributes}>1.99</video:price>"
        ))
    };
    let link = |attributes: &str| {
        page(&format!(
            "<xhtml:link rel=\"alternate\" {attributes} href=\"https://example.com/de\"/>"
        ))
    };
    let cases = [
        ("all missing", video("")),
        (
            "the first is wrong",
            video(&format!(
                "<video:thumbnail_loc>/a.jpg</video:thumbnail_loc>{title}{content}"
            )),
        ),
        (
            "the first is wrong, the second missing",
            video(&format!(
                "<video:thumbnail_loc>/a.jpg</video:thumbnail_loc>{content}"
            )),
        ),
        (
            "one of two that would do is wrong",
            video(&format!(
                "{thumbnail}{title}<video:content_loc>a.mp4</video:content_loc>"
            )),
        ),
        ("no currency", price("type=\"rent\"")),
        ("a wrong currency", price("currency=\"euro\"")),
        ("a link without language", link("")),
        ("a link with a wrong language", link("hreflang=\"deutsch-\"")),
        (
            "an attribute of a page map without a value",
            page(
                "<PageMap xmlns=\"http://www.google.com/schemas/sitemap-pagemap/1.0\"><DataObject type=\"a\"><Attribute name=\"b\"/></DataObject></PageMap>",
            ),
        ),
    ];
    insta::assert_snapshot!(messages(&cases));
}
