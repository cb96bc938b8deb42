//! Refused extensions when reading, with their positions.

use sitemap_serde::{ErrorKind, Rule, UrlEntry, from_str, to_string, video::Relationship};

use super::LOC;

/// The error of an entry that is read both ways.
#[track_caller]
fn unreadable(children: &str) -> (Option<&'static str>, String, String) {
    let xml = format!(
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:image='http://www.google.com/schemas/sitemap-image/1.1' \
         xmlns:video='http://www.google.com/schemas/sitemap-video/1.1' xmlns:news='http://www.google.com/schemas/sitemap-news/0.9' \
         xmlns:xhtml='http://www.w3.org/1999/xhtml'>\n<url><loc>{LOC}</loc>\n{children}</url></urlset>"
    );
    let mut reader = sitemap_serde::Reader::from_str(&xml);
    let error = reader.entries().next().unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Data);
    let position = error.position().unwrap();
    let message = error.to_string();
    let message = message[..message.find(", at line").unwrap()].to_owned();
    let place = format!(
        "{}:{} {}",
        position.line(),
        position.column(),
        error.path().unwrap()
    );
    assert!(from_str::<Vec<UrlEntry>>(&xml).is_err());
    (error.rule().map(Rule::as_str), message, place)
}

#[test]
fn values_are_checked_when_they_are_read() {
    let video = |child: &str| {
        format!(
            "<video:video><video:title>T</video:title><video:description>D</video:description>\
             <video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc>\n{child}</video:video>"
        )
    };
    for (children, rule, message, place) in [
        (
            "<image:image><image:loc>https://example.com/1.jpg</image:loc></image:image>\n<image:image><image:loc>1.jpg</image:loc></image:image>".to_owned(),
            Some("P-IMG2"),
            "`1.jpg` is not an absolute URL: write it with its scheme and host (P-IMG2)",
            "4:25 entry 1 · image:image[1] · image:loc",
        ),
        (
            "<image:image><image:title>x</image:title></image:image>".to_owned(),
            Some("P-IMG2"),
            "no `image:loc`: every `image:image` has one (P-IMG2); add it, or leave the `image:image` out",
            "3:14 entry 1 · image:image[0] · image:loc",
        ),
        (
            video("<video:rating>high</video:rating>"),
            Some("P-VID5"),
            "`high` is not a rating: a rating is a decimal from 0.0 to 5.0 (P-VID5); write a value in that range, or leave it out",
            "4:15 entry 1 · video:video[0] · video:rating",
        ),
        (
            video("<video:duration>0</video:duration>"),
            Some("P-VID3"),
            "`0` is not a duration: a duration is in seconds, a whole number from 1 to 28800 (P-VID3); write a value in that range, or \
             leave it out",
            "4:17 entry 1 · video:video[0] · video:duration",
        ),
        (
            video("<video:publication_date>yesterday</video:publication_date>"),
            Some("P-VID4"),
            "`yesterday` is not a W3C Datetime: a W3C Datetime is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm[:ss[.s]]` and a zone, \
             `Z`, `+hh:mm` or `-hh:mm` (P-VID4); write it like that, or leave the field out",
            "4:25 entry 1 · video:video[0] · video:publication_date",
        ),
        (
            video("<video:live>true</video:live>"),
            Some("P-VID6"),
            "`true` is neither `yes` nor `no` (P-VID6); write `yes`",
            "4:13 entry 1 · video:video[0] · video:live",
        ),
        (
            video("<video:price currency='EUR'>1,99</video:price>"),
            Some("sitemap-video.xsd"),
            "`1,99` is not a decimal number of at least 0: write `1.99` (sitemap-video.xsd)",
            "4:29 entry 1 · video:video[0] · video:price[0] · $text",
        ),
        (
            video("<video:restriction>GB</video:restriction>"),
            Some("P-VID7"),
            "no `@relationship`: every `video:restriction` has one (P-VID7); add it, or leave the `video:restriction` out",
            "4:20 entry 1 · video:video[0] · video:restriction · @relationship",
        ),
        (
            video("<video:title>Again</video:title>"),
            None,
            "a second `video:title`: a `video:video` has at most one; remove one",
            "4:14 entry 1 · video:video[0] · video:title",
        ),
        (
            "<xhtml:link rel='alternate' hreflang='de' href='/de'/>".to_owned(),
            Some("P-ALT2"),
            "`/de` is not an absolute URL: write it with its scheme and host (P-ALT2)",
            "3:49 entry 1 · xhtml:link[0] · @href",
        ),
        (
            "<news:news><news:title>T</news:title></news:news>".to_owned(),
            Some("P-NEWS1"),
            "no `news:publication`: every `news:news` has one (P-NEWS1); add it, or leave the `news:news` out",
            "3:12 entry 1 · news:news · news:publication",
        ),
    ] {
        assert_eq!(
            unreadable(&children),
            (rule, message.to_owned(), place.to_owned()),
            "{children}"
        );
    }
    // A value that the type can hold is read, and refused when it is written.
    let xml = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:v='http://www.google.com/schemas/sitemap-video/1.1'>\
         <url><loc>https://example.com/</loc><v:video><v:title>T</v:title><v:description>D</v:description>\
         <v:thumbnail_loc>https://example.com/t.jpg</v:thumbnail_loc><v:restriction relationship='only'>Utopia</v:restriction>\
         </v:video></url></urlset>";
    let entry: Vec<UrlEntry> = from_str(xml).unwrap();
    let restriction = entry[0].videos[0].restriction.as_ref().unwrap();
    assert_eq!(restriction.relationship, Relationship::Other("only".into()));
    assert!(matches!(restriction.relationship, Relationship::Other(_)));
    assert_eq!(restriction.countries, ["Utopia"]);
    assert!(to_string(&entry).is_err());
}
