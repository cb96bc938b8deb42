//! Rejected videos, and their messages.

use std::collections::BTreeMap;

use serde::Serialize;
use sitemap_serde::{
    Rule, UrlEntry, Video, WriterBuilder, to_string,
    video::{Price, Relationship, Restriction, TvShow, Uploader, VideoId, VideoPlatform},
};

use super::{LOC, full_video, refused_video, says};

#[test]
#[expect(clippy::too_many_lines, reason = "a rule after the other")]
fn rules_of_videos() {
    for (change, part) in [
        (
            (|video| video.thumbnail_loc.clear()) as fn(&mut Video),
            "video:thumbnail_loc",
        ),
        (|video| video.title.clear(), "video:title"),
        (|video| video.description.clear(), "video:description"),
    ] {
        assert_eq!(
            refused_video(change),
            says(
                "P-VID1",
                &format!(
                    "no `{part}`: every `video:video` has one (RULE); add it, or leave the `video:video` out · {part}"
                )
            )
        );
    }
    assert_eq!(
        refused_video(|video| video.content_loc = None),
        says(
            "P-VID1",
            "no `video:content_loc` or `video:player_loc`: every `video:video` has one (RULE); add it, or leave the \
             `video:video` out"
        )
    );
    assert_eq!(
        refused_video(|video| video.title = "é".repeat(101)),
        says(
            "P-VID1",
            &format!(
                "`{}…` has 101 characters: 100 are allowed (RULE); shorten it · video:title",
                "é".repeat(60)
            )
        )
    );
    assert_eq!(
        refused_video(|video| video.description = "d".repeat(2049)),
        says(
            "P-VID1",
            &format!(
                "`{}…` has 2,049 characters: 2,048 are allowed (RULE); shorten it · video:description",
                "d".repeat(60)
            )
        )
    );
    for (change, part) in [
        (
            (|video| video.content_loc = Some(LOC.into())) as fn(&mut Video),
            "video:content_loc",
        ),
        (|video| video.player_loc = Some(LOC.into()), "video:player_loc"),
    ] {
        assert_eq!(
            refused_video(change),
            says(
                "P-VID2",
                &format!(
                    "`{LOC}` is the page's own loc: a video and its player have an address of their own (RULE); correct it, or \
                     leave it out · {part}"
                )
            )
        );
    }
    for seconds in [0, 28_801] {
        assert_eq!(
            refused_video(|video| video.duration = Some(seconds)),
            says(
                "P-VID3",
                &format!(
                    "`{seconds}` is not a duration: a duration is in seconds, a whole number from 1 to 28800 (RULE); write a value in \
                     that range, or leave it out · video:duration"
                )
            )
        );
    }
    assert_eq!(
        refused_video(|video| video.rating = Some("5.00001".parse().unwrap())),
        says(
            "P-VID5",
            "`5.00001` is not a rating: a rating is a decimal from 0.0 to 5.0 (RULE); write a value in that range, or leave it out · \
             video:rating"
        )
    );
    for (countries, found, advice) in [
        (["GB", "UK"], "UK", "write `GB`"),
        (["GB", "de"], "de", "write `DE`"),
        (
            ["GB", "England"],
            "England",
            "write countries as ISO 3166 codes, such as `GB IE US`, with spaces between",
        ),
    ] {
        assert_eq!(
            refused_video(|video| video.restriction = Some(Restriction::new(Relationship::Allow, countries))),
            says(
                "P-VID7",
                &format!(
                    "`{found}` is not the code of a country (RULE); {advice} · video:restriction · $text"
                )
            )
        );
    }
    assert_eq!(
        refused_video(|video| video.restriction = Some(Restriction::new("only".into(), ["GB"]))),
        says(
            "P-VID7",
            "`only` is not one of `allow`, `deny` (RULE); write one of these, or leave it out · video:restriction · @relationship"
        )
    );
    assert_eq!(
        refused_video(
            |video| video.platform = Some(VideoPlatform::new(Relationship::Allow, ["radio".into()]))
        ),
        says(
            "P-VID8",
            "`radio` is not one of `web`, `mobile`, `tv` (RULE); write one of these, or leave it out · video:platform · $text"
        )
    );
    assert_eq!(
        refused_video(|video| video.uploader = Some(Uploader::new("u".repeat(256)))),
        says(
            "P-VID9",
            &format!(
                "`{}…` has 256 characters: 255 are allowed (RULE); shorten it · video:uploader · $text",
                "u".repeat(60)
            )
        )
    );
    assert_eq!(
        refused_video(|video| {
            let mut uploader = Uploader::new("u");
            uploader.info = Some("https://example.org/u".into());
            video.uploader = Some(uploader);
        }),
        says(
            "P-VID9",
            "`https://example.org/u` is not on the page's domain: the page about an uploader is (RULE); leave it out, or write \
             one that is · video:uploader · @info"
        )
    );
    assert_eq!(
        refused_video(|video| video.tags = vec!["t".into(); 33]),
        says(
            "P-VID10",
            "more than 32 `video:tag`: 32 are allowed in a `video:video` (RULE); leave some out · video:tag[32]"
        )
    );
    assert_eq!(
        refused_video(|video| video.category = Some("c".repeat(257))),
        says(
            "sitemap-video.xsd",
            &format!(
                "`{}…` has 257 characters: 256 are allowed (RULE); shorten it · video:category",
                "c".repeat(60)
            )
        )
    );
    assert_eq!(
        refused_video(|video| video.prices = vec![Price::new(1, "EUR"), Price::new(2, "euro")]),
        says(
            "sitemap-video.xsd",
            "`euro` is not a currency: a currency is an ISO 4217 code, three capital letters (RULE); write one such as `EUR` · \
             video:price[1] · @currency"
        )
    );
    assert_eq!(
        refused_video(|video| {
            let mut price = Price::new(1, "EUR");
            price.currency = None;
            video.prices = vec![price];
        }),
        says(
            "sitemap-video.xsd",
            "no `@currency`: every `video:price` has one (RULE); add it, or leave the `video:price` out · video:price[0] · \
             @currency"
        )
    );
    assert_eq!(
        refused_video(|video| {
            let mut show = TvShow::new("Show", "full");
            show.season_number = Some(0);
            video.tv_show = Some(Box::new(show));
        }),
        says(
            "sitemap-video.xsd",
            "`0` is not the number of a season or an episode: such a number is a whole number from 1 (RULE); write a value in that range, or leave it out · \
             video:tvshow · video:season_number"
        )
    );
    assert_eq!(
        refused_video(|video| video.ids = vec![VideoId::new("imdb", "tt1")]),
        says(
            "sitemap-video.xsd",
            "`imdb` is not one of `tms:series`, `tms:program`, `rovi:series`, `rovi:program`, `freebase`, `url` (RULE); write one \
             of these, or leave it out · video:id[0] · @type"
        )
    );
    let mut entry = UrlEntry::new("https://www.example.com/");
    let mut ok = full_video();
    ok.uploader.as_mut().unwrap().info = Some("http://Users.Example.com:8080/u".into());
    entry.videos = vec![ok];
    to_string(&[entry]).unwrap();
}

#[test]
fn rules_of_values_given_as_text() {
    // User types are subject to the same rules, including P-VID4 and P-VID6, which the crate's types cannot break.
    let write = |name: &str, value: &str| {
        let video = BTreeMap::from([
            ("video:thumbnail_loc", "https://example.com/t.jpg"),
            ("video:title", "T"),
            ("video:description", "D"),
            ("video:content_loc", "https://example.com/v.mp4"),
            (name, value),
        ]);
        #[derive(Serialize)]
        struct Page<'a> {
            loc: &'a str,
            #[serde(rename = "video:video")]
            video: BTreeMap<&'a str, &'a str>,
        }
        to_string(&[Page { loc: LOC, video }])
    };
    for name in ["video:expiration_date", "video:publication_date"] {
        assert_eq!(
            write(name, "2024-02-30").unwrap_err().to_string(),
            format!(
                "`2024-02-30` is not a W3C Datetime: February 2024 has 29 days (P-VID4); write a day from 01 to 29, entry 1 · \
                 video:video · {name}, loc `{LOC}`"
            )
        );
    }
    for name in [
        "video:live",
        "video:family_friendly",
        "video:requires_subscription",
    ] {
        for spelling in ["yes", "Yes", "YES", "no", "No", "NO"] {
            assert!(
                write(name, spelling)
                    .unwrap()
                    .contains(&format!("<{name}>{spelling}</{name}>"))
            );
        }
        let error = write(name, "true").unwrap_err();
        assert_eq!(error.rule(), Some(Rule::Vid6));
        assert_eq!(
            error.to_string(),
            format!(
                "`true` is neither `yes` nor `no` (P-VID6); write `yes`, entry 1 · video:video · {name}, loc `{LOC}`"
            )
        );
    }
    assert_eq!(
        write("video:view_count", "-1").unwrap_err().to_string(),
        "`-1` is not a view count: a view count is a whole number of at least 0 (P-VID5); write a value in that range, or leave it out, entry 1 · \
         video:video · video:view_count, loc `https://example.com/page`"
    );
    assert_eq!(
        write("video:colour", "red")
            .unwrap_err()
            .to_string()
            .split(';')
            .next_back()
            .unwrap(),
        " correct the name, entry 1 · video:video · video:colour, loc `https://example.com/page`"
    );
    assert_eq!(
        write("image:loc", "https://example.com/i.jpg")
            .unwrap_err()
            .to_string(),
        "`image:loc` is not allowed here: it is a child of `image:image`; move it there, entry 1 · video:video · image:loc, loc \
         `https://example.com/page`"
    );
    assert_eq!(
        write("title", "T").unwrap_err().to_string(),
        "`title` is not a field of `video:video`: its children have their prefix, attributes an `@`, and its text is `$text`; \
         rename it, to `video:title` or `@title` perhaps, with `#[serde(rename = …)]`, entry 1 · video:video · title, loc \
         `https://example.com/page`"
    );
    assert_eq!(
        write("@id", "T").unwrap_err().to_string(),
        "`video:video` has no attribute `id`; correct the name, or leave it out with `#[serde(skip_serializing)]`, entry 1 · \
         video:video · @id, loc `https://example.com/page`"
    );
}

/// For any loc, a video at the same address is found (P-VID2), and a video at another is not.
#[test]
fn a_video_is_not_at_the_page() {
    let locs = [
        "https://example.com/?a=1&b=2",
        "https://example.com/it's",
        "https://example.com/&amp;",
        "https://example.com/&&''?&apos;",
        "https://example.com/x y/é",
    ];
    for (loc, address) in locs.iter().flat_map(|loc| locs.map(|address| (*loc, address))) {
        let mut page = UrlEntry::new(loc);
        page.videos.push(
            Video::content(address)
                .with_thumbnail("https://example.com/t.jpg")
                .with_title("title")
                .with_description("description"),
        );
        let mut writer = WriterBuilder::new().from_writer(Vec::new());
        // Both ways of writing an entry compare it to its loc.
        for (number, result) in [(1, writer.write(&page).map(drop)), (2, writer.serialize(&page))] {
            let found = result.err().map(|error| error.to_string());
            let encoded = address.replace(' ', "%20").replace('é', "%C3%A9");
            let expected = (loc == address).then(|| {
                format!(
                    "`{encoded}` is the page's own loc: a video and its player have an address of their own (P-VID2); correct it, \
                     or leave it out, entry {number} · video:video[0] · video:content_loc, loc `{encoded}`"
                )
            });
            assert_eq!(found, expected, "{loc}");
        }
    }
}
