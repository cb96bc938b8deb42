//! The values of an entry.

use crate::{check, found_by, linter, page, urlset};

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
    check(&[
        (
            "a relative loc",
            loc("/about"),
            &[
                "error[P-LOC]: `/about` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` (P-LOC); write the absolute URL, or read it into a `String` and resolve it, at line 3, column 11 (byte 403), entry 1 · loc",
            ],
        ),
        (
            "another scheme",
            loc("ftp://example.com/"),
            &[
                "error[P-LOC]: `ftp://example.com/` is not http or https: crawlers fetch nothing else (P-LOC); leave it out, or write its web address, at line 3, column 11 (byte 403), entry 1 · loc",
            ],
        ),
        (
            "a space",
            loc("https://example.com/a b"),
            &[
                "warning[P-LOCENC]: `https://example.com/a b` contains U+0020, which must be percent-encoded in a URL (P-LOCENC, RFC 3986); encode it in the server's encoding, usually UTF-8, at line 3, column 11 (byte 403), entry 1 · loc",
            ],
        ),
        (
            "no host",
            loc("javascript:alert(1)"),
            &[
                "error[P-LOC]: `javascript:alert(1)` has no host: a loc is an absolute URL with scheme and host (P-LOC); write the address of a page, at line 3, column 11 (byte 403), entry 1 · loc",
            ],
        ),
        (
            "long",
            loc(&format!("https://example.com/{}", "a".repeat(2100))),
            &[
                "error[P-LOCLEN]: `https://example.com/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…` has 2120 characters: 2048 are allowed (P-LOCLEN); shorten the URL or leave the page out, at line 3, column 11 (byte 403), entry 1 · loc",
            ],
        ),
        (
            "not ASCII",
            loc("https://example.com/サイト"),
            &[
                "warning[P-LOCENC]: `https://example.com/サイト` contains `サ`, which must be percent-encoded in a URL (P-LOCENC, RFC 3986); encode it in the server's encoding, usually UTF-8, at line 3, column 11 (byte 403), entry 1 · loc",
            ],
        ),
        (
            "a brace",
            loc("https://example.com/{id}"),
            &[
                "warning[P-LOCENC]: `https://example.com/{id}` contains `{`, which must be percent-encoded in a URL (P-LOCENC, RFC 3986); encode it in the server's encoding, usually UTF-8, at line 3, column 11 (byte 403), entry 1 · loc",
            ],
        ),
        (
            "a percent sign",
            loc("https://example.com/100%"),
            &[
                "warning[P-LOCENC]: `https://example.com/100%` contains `%`, which must be percent-encoded in a URL (P-LOCENC, RFC 3986); encode it in the server's encoding, usually UTF-8, at line 3, column 11 (byte 403), entry 1 · loc",
            ],
        ),
        (
            "a host that is not ASCII",
            loc("https://bücher.example/"),
            &[
                "warning[P-IDN]: the host `bücher.example` is not ASCII, and not every crawler converts it (P-IDN); write it as punycode, `xn--…`, at line 3, column 11 (byte 403), entry 1 · loc",
            ],
        ),
        (
            "a fragment",
            loc("https://example.com/#top"),
            &[
                "note[L-FRAGMENT]: `https://example.com/#top` has a fragment: crawlers ignore `#` and the text after it (L-FRAGMENT); list the page once, without the fragment, at line 3, column 11 (byte 403), entry 1 · loc",
            ],
        ),
        (
            "another site",
            locs(&["https://example.com/", "https://example.org/"]),
            &[
                "error[P-HOST]: `https://example.org/` is on another site than other locs of the document, such as `https://example.com/`: the pages of a sitemap have one scheme, host and port (P-HOST); list it in a sitemap of its own site, at line 4, column 11 (byte 446), entry 2 · loc",
            ],
        ),
        (
            "http",
            locs(&["https://example.com/", "http://example.com/a"]),
            &[
                "warning[L-HTTP]: `http://example.com/a` begins with `http:`, and other locs of the document with `https:`: they are two sites to a crawler (L-HTTP); list the addresses that answer without a redirect, at line 4, column 11 (byte 446), entry 2 · loc",
            ],
        ),
        (
            "www",
            locs(&["https://example.com/", "https://www.example.com/a"]),
            &[
                "warning[L-WWW]: `https://www.example.com/a` has the host `www.example.com`, and other locs of the document have `example.com`: with and without `www.` they are two sites to a crawler (L-WWW); list the addresses that answer without a redirect, at line 4, column 11 (byte 446), entry 2 · loc",
            ],
        ),
        (
            "a loc twice",
            locs(&[
                "https://example.com/",
                "https://example.com/a",
                "https://example.com/",
            ]),
            &[
                "note[L-DUPLOC]: `https://example.com/` is listed already, as entry 1 in line 3 (L-DUPLOC); list a page once, at line 5, column 11 (byte 490), entry 3 · loc",
            ],
        ),
        (
            "references",
            loc("https://example.com/?a=1&amp;b=2&#x5B;c d&#x5D;"),
            &[
                "warning[P-LOCENC]: `https://example.com/?a=1&b=2[c d]` contains U+0020, which must be percent-encoded in a URL (P-LOCENC, RFC 3986); encode it in the server's encoding, usually UTF-8, at line 3, column 11 (byte 403), entry 1 · loc",
            ],
        ),
    ]);
}

#[test]
fn the_optional_three() {
    let many = |children: &str| {
        let entries: Vec<_> = (0..10)
            .map(|i| format!("<url><loc>https://example.com/{i}</loc>{children}</url>\n"))
            .collect();
        urlset(&entries.concat())
    };
    check(&[
        (
            "no date",
            page("<lastmod>01.05.2026</lastmod>"),
            &[
                "warning[P-LASTMOD]: `01.05.2026` is not a W3C Datetime: it begins with a year of four digits, 0000 to 9999 (P-LASTMOD); write it like that, or leave the field out, at line 3, column 46 (byte 438), entry 1 · lastmod",
            ],
        ),
        (
            "a year",
            page("<lastmod>2026</lastmod>"),
            &[
                "note[P-LASTMODX]: `2026` is a W3C Datetime, but the protocol's schema does not allow its form (P-LASTMODX); write a day, or a date and time with seconds and zone, at line 3, column 46 (byte 438), entry 1 · lastmod",
            ],
        ),
        (
            "tomorrow",
            page("<lastmod>2026-05-12</lastmod>"),
            &[
                "warning[L-FUTURE]: `2026-05-12` is in the future: it is 2026-05-10T12:00:00Z now (L-FUTURE); write when the page was last changed, at line 3, column 46 (byte 438), entry 1 · lastmod",
            ],
        ),
        ("today", page("<lastmod>2026-05-11</lastmod>"), &[]),
        (
            "in an hour",
            page("<lastmod>2026-05-10T13:00:00Z</lastmod>"),
            &[
                "warning[L-FUTURE]: `2026-05-10T13:00:00Z` is in the future: it is 2026-05-10T12:00:00Z now (L-FUTURE); write when the page was last changed, at line 3, column 46 (byte 438), entry 1 · lastmod",
            ],
        ),
        (
            "an hour ago",
            page("<lastmod>2026-05-10T13:00:00+02:00</lastmod>"),
            &[],
        ),
        (
            "one for all",
            many("<lastmod>2026-05-01</lastmod>"),
            &[
                "note[L-SAMELASTMOD]: all 10 pages have the same lastmod, `2026-05-01`, which carries no information (L-SAMELASTMOD); write when each page changed, or leave the lastmod out, at line 1, column 1 (byte 0)",
            ],
        ),
        (
            "another changefreq",
            page("<changefreq>Daily</changefreq>"),
            &[
                "warning[P-FREQ]: `Daily` is not a changefreq: it is one of always, hourly, daily, weekly, monthly, yearly and never (P-FREQ); did you mean `daily`?, at line 3, column 49 (byte 441), entry 1 · changefreq",
            ],
        ),
        (
            "another priority",
            page("<priority>1,0</priority>"),
            &[
                "warning[P-PRIO]: `1,0` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO); write `1.0`, at line 3, column 47 (byte 439), entry 1 · priority",
            ],
        ),
        (
            "all high",
            many("<priority>0.9</priority>"),
            &[
                "note[P-PRIOALL]: all 10 pages have a priority of 0.8 or more: priorities compare the pages of one site, and have no effect if all are high (P-PRIOALL); lower the priority of less important pages, or leave priorities out, at line 1, column 1 (byte 0)",
            ],
        ),
    ]);
}

fn image(children: &str) -> String {
    page(&format!("<image:image>{children}</image:image>"))
}

#[test]
fn images() {
    let loc = "<image:loc>https://example.com/1.jpg</image:loc>";
    check(&[
        (
            "none",
            image(""),
            &[
                "warning[P-IMG2]: no `image:loc`: every `image:image` has one (P-IMG2); add it, or leave the `image:image` out, at line 3, column 50 (byte 442), entry 1 · image:image · image:loc",
            ],
        ),
        (
            "a relative image",
            image("<image:loc>/1.jpg</image:loc>"),
            &[
                "warning[P-IMG2]: `/1.jpg` is not an absolute URL: write it with its scheme and host (P-IMG2), at line 3, column 61 (byte 453), entry 1 · image:image · image:loc",
            ],
        ),
        (
            "caption",
            image(&format!("{loc}<image:caption>A lamp</image:caption>")),
            &[
                "note[L-DEPRECATED]: `image:caption` has no effect: Google ignores it since August 2022 (L-DEPRECATED); leave it out, at line 3, column 113 (byte 505), entry 1 · image:image · image:caption",
            ],
        ),
        (
            "unknown",
            image(&format!("{loc}<image:size>1</image:size>")),
            &[
                "warning[P-IMG2]: `image:size` is not an element of its namespace: it has image:image, image:loc, image:caption, image:geo_location, image:title, image:license (P-IMG2); correct the name, at line 3, column 110 (byte 502), entry 1 · image:image · image:size",
            ],
        ),
        (
            "misplaced",
            page(loc),
            &[
                "warning[P-IMG2]: `image:loc` is not allowed here: it is a child of `image:image` (P-IMG2); move it there, at line 3, column 48 (byte 440), entry 1 · image:loc",
            ],
        ),
        (
            "two locs",
            image(&format!("{loc}{loc}")),
            &[
                "warning[P-IMG2]: a second `image:loc`: a `image:image` has at most one (P-IMG2); write only one, at line 3, column 109 (byte 501), entry 1 · image:image · image:loc[1]",
            ],
        ),
        (
            "1,001 of them",
            page(&format!("<image:image>{loc}</image:image>").repeat(1001)),
            &[
                "warning[P-IMG1]: more than 1000 `image:image`: 1000 are allowed in an entry (P-IMG1); leave some out, at line 3, column 75050 (byte 75442), entry 1 · image:image[1000]",
            ],
        ),
    ]);
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
    check(&[
        (
            "no address",
            video(""),
            &[
                "error[P-VID1]: no `video:content_loc` or `video:player_loc`: every `video:video` has one (P-VID1); add it, or leave the `video:video` out, at line 3, column 50 (byte 442), entry 1 · video:video",
            ],
        ),
        (
            "no title",
            with("").replace("<video:title>A</video:title>", ""),
            &[
                "error[P-VID1]: no `video:title`: every `video:video` has one (P-VID1); add it, or leave the `video:video` out, at line 3, column 50 (byte 442), entry 1 · video:video · video:title",
            ],
        ),
        (
            "a long title",
            with("").replace(">A<", &format!(">{}<", "a".repeat(101))),
            &[
                "error[P-VID1]: `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…` has 101 characters: 100 are allowed (P-VID1); shorten it, at line 3, column 131 (byte 523), entry 1 · video:video · video:title",
            ],
        ),
        (
            "the page",
            video("<video:content_loc>https://example.com/</video:content_loc>"),
            &[
                "error[P-VID2]: `https://example.com/` is the page's own loc: a video and its player have an address of their own (P-VID2); correct it, or leave it out, at line 3, column 1 (byte 393), entry 1 · video:video[0] · video:content_loc",
            ],
        ),
        (
            "duration",
            with("<video:duration>0</video:duration>"),
            &[
                "warning[P-VID3]: `0` is not a duration: it is in seconds, a whole number from 1 to 28800 (P-VID3); write a value in that range, or leave it out, at line 3, column 266 (byte 658), entry 1 · video:video · video:duration",
            ],
        ),
        (
            "date",
            with("<video:expiration_date>soon</video:expiration_date>"),
            &[
                "warning[P-VID4]: `soon` is not a W3C Datetime: it is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm[:ss[.s]]` and a zone, `Z`, `+hh:mm` or `-hh:mm` (P-VID4); write it like that, or leave the field out, at line 3, column 273 (byte 665), entry 1 · video:video · video:expiration_date",
            ],
        ),
        (
            "rating",
            with("<video:rating>6</video:rating>"),
            &[
                "warning[P-VID5]: `6` is not a rating: it is a decimal from 0.0 to 5.0 (P-VID5); write a value in that range, or leave it out, at line 3, column 264 (byte 656), entry 1 · video:video · video:rating",
            ],
        ),
        (
            "view count",
            with("<video:view_count>1,000</video:view_count>"),
            &[
                "warning[P-VID5]: `1,000` is not a view count: it is a whole number of at least 0 (P-VID5); write a value in that range, or leave it out, at line 3, column 268 (byte 660), entry 1 · video:video · video:view_count",
            ],
        ),
        (
            "yes or no",
            with("<video:live>true</video:live>"),
            &[
                "warning[P-VID6]: `true` is neither `yes` nor `no` (P-VID6); write `yes`, at line 3, column 262 (byte 654), entry 1 · video:video · video:live",
            ],
        ),
        (
            "restriction",
            with("<video:restriction relationship=\"allow\">UK1</video:restriction>"),
            &[
                "warning[P-VID7]: `UK1` is not the code of a country (P-VID7); write countries as ISO 3166 codes, such as `GB IE US`, with spaces between, at line 3, column 290 (byte 682), entry 1 · video:video · video:restriction",
            ],
        ),
        (
            "no relationship",
            with("<video:restriction>DE</video:restriction>"),
            &[
                "warning[P-VID7]: no `@relationship`: every `video:restriction` has one (P-VID7); add it, or leave the `video:restriction` out, at line 3, column 269 (byte 661), entry 1 · video:video · video:restriction · @relationship",
            ],
        ),
        (
            "platform",
            with("<video:platform relationship=\"forbid\">web</video:platform>"),
            &[
                "warning[P-VID8]: `forbid` is not one of `allow`, `deny` (P-VID8); write one of these, or leave it out, at line 3, column 280 (byte 672), entry 1 · video:video · video:platform · @relationship",
            ],
        ),
        (
            "uploader",
            with("<video:uploader info=\"https://example.org/\">X</video:uploader>"),
            &[
                "warning[P-VID9]: `https://example.org/` is not on the page's domain: the page about an uploader is (P-VID9); leave it out, or write one that is, at line 3, column 1 (byte 393), entry 1 · video:video[0] · video:uploader · @info",
            ],
        ),
        (
            "33 tags",
            with(&"<video:tag>x</video:tag>".repeat(33)),
            &[
                "warning[P-VID10]: more than 32 `video:tag`: 32 are allowed in a `video:video` (P-VID10); leave some out, at line 3, column 1029 (byte 1421), entry 1 · video:video · video:tag[32]",
            ],
        ),
        (
            "schema",
            with("<video:id>1</video:id>"),
            &[
                "warning[sitemap-video.xsd]: no `@type`: every `video:id` has one (sitemap-video.xsd); add it, or leave the `video:id` out, at line 3, column 260 (byte 652), entry 1 · video:video · video:id · @type",
            ],
        ),
        (
            "player",
            video("<video:player_loc autoplay=\"ap=1\">https://example.com/p</video:player_loc>"),
            &[
                "note[L-DEPRECATED]: `@autoplay` of a `video:player_loc` has no effect: Google ignores it since August 2022 (L-DEPRECATED); leave it out, at line 3, column 214 (byte 606), entry 1 · video:video · video:player_loc · @autoplay",
            ],
        ),
        (
            "category",
            with("<video:category>Lamps</video:category>"),
            &[
                "note[L-DEPRECATED]: `video:category` has no effect: Google ignores it since August 2022 (L-DEPRECATED); leave it out, at line 3, column 266 (byte 658), entry 1 · video:video · video:category",
            ],
        ),
    ]);
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
    check(&[
        ("right", dated("2026-05-09"), &[]),
        (
            "nothing",
            page("<news:news/>"),
            &[
                "error[P-NEWS1]: no `news:publication`: every `news:news` has one (P-NEWS1); add it, or leave the `news:news` out, at line 3, column 49 (byte 441), entry 1 · news:news · news:publication",
            ],
        ),
        (
            "language",
            dated("2026-05-09").replace(">de<", ">german<"),
            &[
                "warning[P-NEWS2]: `german` is not a language: it is an ISO 639 code of 2 or 3 small letters, `zh-cn` or `zh-tw` (P-NEWS2); write the code of the publication's language, at line 3, column 105 (byte 497), entry 1 · news:news · news:publication · news:language",
            ],
        ),
        (
            "no publication date",
            dated("yesterday"),
            &[
                "warning[P-NEWS3]: `yesterday` is not a W3C Datetime: it is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm[:ss[.s]]` and a zone, `Z`, `+hh:mm` or `-hh:mm` (P-NEWS3); write it like that, or leave the field out, at line 3, column 165 (byte 557), entry 1 · news:news · news:publication_date",
            ],
        ),
        (
            "old",
            dated("2026-05-01"),
            &[
                "warning[P-NEWS5]: `2026-05-01` is more than two days ago: it is 2026-05-10T12:00:00Z now, and a news sitemap has the articles of the last two days (P-NEWS5); leave the `news:news` out, or the entry if the document is for news only, at line 3, column 165 (byte 557), entry 1 · news:news · news:publication_date",
            ],
        ),
        (
            "older than 48 hours",
            dated("2026-05-08T11:00:00Z"),
            &[
                "warning[P-NEWS5]: `2026-05-08T11:00:00Z` is more than two days ago: it is 2026-05-10T12:00:00Z now, and a news sitemap has the articles of the last two days (P-NEWS5); leave the `news:news` out, or the entry if the document is for news only, at line 3, column 165 (byte 557), entry 1 · news:news · news:publication_date",
            ],
        ),
        (
            "access",
            dated("2026-05-09").replace(
                "<news:publication_date>",
                "<news:access>free</news:access><news:publication_date>",
            ),
            &[
                "warning[sitemap-news.xsd]: `free` is not one of `Subscription`, `Registration` (sitemap-news.xsd); write one of these, or leave it out, at line 3, column 155 (byte 547), entry 1 · news:news · news:access",
            ],
        ),
        (
            "news twice",
            page(&"<news:news/>".repeat(2)),
            &[
                "error[P-NEWS1]: no `news:publication`: every `news:news` has one (P-NEWS1); add it, or leave the `news:news` out, at line 3, column 49 (byte 441), entry 1 · news:news[0] · news:publication",
                "error[P-NEWS1]: no `news:publication`: every `news:news` has one (P-NEWS1); add it, or leave the `news:news` out, at line 3, column 61 (byte 453), entry 1 · news:news[1] · news:publication",
            ],
        ),
    ]);
}

#[test]
fn page_maps() {
    check(&[(
        "no type",
        page("<pagemap:PageMap><pagemap:DataObject/></pagemap:PageMap>"),
        &[
            "warning[sitemap-pagemap.xsd]: no `@type`: every `pagemap:DataObject` has one (sitemap-pagemap.xsd); add it, or leave the `pagemap:DataObject` out, at line 3, column 75 (byte 467), entry 1 · pagemap:PageMap · pagemap:DataObject · @type",
        ],
    )]);
}

#[test]
fn alternates() {
    let link = |lang: &str, href: &str| {
        format!("<xhtml:link rel=\"alternate\" hreflang=\"{lang}\" href=\"{href}\"/>")
    };
    let own = link("en", "https://example.com/");
    check(&[
        ("right", page(&own), &[]),
        (
            "no hreflang",
            page(&format!(
                "{own}<xhtml:link rel=\"alternate\" href=\"https://example.com/de\"/>"
            )),
            &[
                "warning[P-ALT1]: no `@hreflang`: every `xhtml:link` has one (P-ALT1); add it, or leave the `xhtml:link` out, at line 3, column 167 (byte 559), entry 1 · xhtml:link[1] · @hreflang",
            ],
        ),
        (
            "a relative link",
            page(&format!("{own}{}", link("de", "/de"))),
            &[
                "warning[P-ALT2]: `/de` is not an absolute URL: write it with its scheme and host (P-ALT2), at line 3, column 156 (byte 548), entry 1 · xhtml:link[1] · @href",
            ],
        ),
        (
            "not itself",
            page(&link("de", "https://example.com/de")),
            &[
                "warning[P-ALT3]: the alternates of `https://example.com/` do not list the page itself (P-ALT3); add an `xhtml:link` with its own language and loc, at line 3, column 1 (byte 393), entry 1",
            ],
        ),
        (
            "en-UK",
            page(&format!("{own}{}", link("en-UK", "https://example.com/uk"))),
            &[
                "warning[P-ALT5]: `en-UK` has the region `UK`: the United Kingdom's ISO 3166-1 code is `GB` (P-ALT5); write `GB`, at line 3, column 146 (byte 538), entry 1 · xhtml:link[1] · @hreflang",
            ],
        ),
        (
            "not returned",
            urlset(&format!(
                "<url><loc>https://example.com/</loc>{own}{}</url>\n<url><loc>https://example.com/de</loc></url>\n",
                link("de", "https://example.com/de")
            )),
            &[
                "warning[P-ALT4]: `https://example.com/` lists `https://example.com/de` as its alternate, which does not link back (P-ALT4); add the link there, or remove it here, at line 3, column 11 (byte 403), entry 1",
            ],
        ),
    ]);
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
    assert_eq!(
        found_by(&linter, &news),
        [
            "warning[P-NEWS5]: `2026-05-01` is more than two days ago: it is 2026-05-10T12:00:00Z now, and a news sitemap has the articles of the last two days (P-NEWS5); leave the `news:news` out, or the entry if the document is for news only, at line 3, column 194 (byte 586), entry 1 · news:news · news:publication_date",
            "warning[L-FUTURE]: `2026-06-01` is in the future: it is 2026-05-10T12:00:00Z now (L-FUTURE); write when the page was last changed, at line 3, column 46 (byte 438), entry 1 · lastmod",
        ]
    );
}

/// A prefix that resembles that of an extension.
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
