//! Images, videos, news and page maps.

use crate::diagnostic::Severity::{Error as Bad, Note, Warning};
use crate::error::{Error, Words};
use crate::rule::Rule;

use super::table::Page;

pub(super) const PAGES: &[Page] = &[
    Page {
        rule: Rule::Img1,
        severity: Warning,
        search_console: &["Invalid XML: too many tags"],
        explanation: "An entry lists at most 1,000 images. Those after them are ignored. A page with more of them is \
            better split \
            into pages.",
    },
    Page {
        rule: Rule::Img2,
        severity: Warning,
        search_console: &["Missing XML tag", "Invalid URL"],
        explanation: "An image has an `image:loc`, which is an absolute URL. It may be on another site, such as one of a \
            content \
            network, if that allows its images to be crawled. An image without one is ignored.",
    },
    Page {
        rule: Rule::News1,
        severity: Bad,
        search_console: &["Missing publication", "Missing XML tag"],
        explanation: "An article has a publication, with name and language, a publication date and a title. Without one \
            of them \
            it is not taken as news.\n\nThe name is exactly that of the publication in Google News.",
    },
    Page {
        rule: Rule::News2,
        severity: Warning,
        search_console: &["Invalid tag value"],
        explanation: "A publication's language is an ISO 639 code of two or three letters, or `zh-cn` or `zh-tw` for \
            Chinese.",
    },
    Page {
        rule: Rule::News3,
        severity: Warning,
        search_console: &["Invalid date"],
        explanation: "A publication date of news is `YYYY-MM-DD`, or a date and time with its zone. It is when the \
            article was \
            first published, not when it was added to the sitemap.",
    },
    Page {
        rule: Rule::News4,
        severity: Bad,
        search_console: &["Too many News URLs"],
        explanation: "A document has at most 1,000 `news:news`, and an entry at most one. Split the news sitemap, and \
            list the \
            parts in an index.",
    },
    Page {
        rule: Rule::NewsXsd,
        severity: Warning,
        search_console: &["Invalid tag value"],
        explanation: "The schema of news has `access` (Subscription or Registration), `genres`, `keywords` and at most \
            five \
            `stock_tickers`. Google no longer uses them; a value that the schema does not allow makes validation fail.",
    },
    Page {
        rule: Rule::Vid1,
        severity: Bad,
        search_console: &["Missing thumbnail URL", "Missing video title", "Missing XML tag"],
        explanation: "A video has a thumbnail, a title of at most 100 characters, a description of at most 2,048, and the \
            address \
            of its file or of a player. Without one of them it is not shown as a video.",
    },
    Page {
        rule: Rule::Vid2,
        severity: Bad,
        search_console: &["Video location and play page location are the same"],
        explanation: "The file and the player of a video have addresses of their own: the page's loc in their place says \
            where \
            the page is, not where the video is.",
    },
    Page {
        rule: Rule::Vid3,
        severity: Warning,
        search_console: &["Invalid tag value"],
        explanation: "A video's duration is a whole number of seconds, from 1 to 28,800, which is eight hours.",
    },
    Page {
        rule: Rule::Vid4,
        severity: Warning,
        search_console: &["Invalid date"],
        explanation: "A video's publication and expiration dates are W3C Datetimes: a day, or a date and time with its \
            zone. A \
            video that has expired is no longer shown.",
    },
    Page {
        rule: Rule::Vid5,
        severity: Warning,
        search_console: &["Invalid tag value"],
        explanation: "A video's rating is a decimal from 0.0 to 5.0, and its view count a whole number of at least 0, \
            without \
            separators.",
    },
    Page {
        rule: Rule::Vid6,
        severity: Warning,
        search_console: &["Invalid tag value"],
        explanation: "`family_friendly`, `requires_subscription` and `live` are `yes` or `no`. Left out they mean yes, no \
            and no.",
    },
    Page {
        rule: Rule::Vid7,
        severity: Warning,
        search_console: &[
            "Invalid tag value",
            "Missing XML attribute",
            "Invalid XML attribute value",
        ],
        explanation: "A video's restriction lists ISO 3166 codes of countries, separated by spaces, and its attribute \
            `relationship` says whether they are allowed or denied. An empty list with `allow` means nowhere.",
    },
    Page {
        rule: Rule::Vid8,
        severity: Warning,
        search_console: &[
            "Invalid tag value",
            "Missing XML attribute",
            "Invalid XML attribute value",
        ],
        explanation: "A video's platform lists `web`, `mobile` and `tv`, separated by spaces, and its attribute \
            `relationship` \
            says whether they are allowed or denied.",
    },
    Page {
        rule: Rule::Vid9,
        severity: Warning,
        search_console: &["Invalid tag value"],
        explanation: "A video's uploader has a name of at most 255 characters, and its attribute `info` is a page about \
            them on \
            the same domain as the page.",
    },
    Page {
        rule: Rule::Vid10,
        severity: Warning,
        search_console: &["Invalid XML: too many tags"],
        explanation: "A video has at most 32 tags; those after them are ignored. A tag is one word or a short phrase, \
            each in an \
            element of its own.",
    },
    Page {
        rule: Rule::VideoXsd,
        severity: Warning,
        search_console: &["Invalid tag value", "Missing XML tag"],
        explanation: "The schema of videos says what else a video may have: category, gallery, price, segments, id, \
            tvshow, and \
            where they stand. A value that it does not allow is ignored, and validation fails.",
    },
    Page {
        rule: Rule::PageMapXsd,
        severity: Warning,
        search_console: &[],
        explanation: "A page map has templates and data objects of attributes, for Google's programmable search engine. \
            What its \
            schema does not allow is ignored.",
    },
    Page {
        rule: Rule::Deprecated,
        severity: Note,
        search_console: &[],
        explanation: "Since 6 August 2022 Google ignores the caption, geo_location, title and license of images, and the \
            category, gallery_loc, price and tvshow of videos, and `allow_embed` and `autoplay` of a player. They do no harm, \
            but for the bytes.",
    },
];

/// Elements and attributes without effect since 2022, by serde's names; an attribute with its element's.
const DEPRECATED: [&str; 8] = [
    "image:caption",
    "image:geo_location",
    "image:title",
    "image:license",
    "video:category",
    "video:gallery_loc",
    "video:price",
    "video:tvshow",
];

/// An element without effect.
pub(super) fn deprecated(name: &str) -> Option<Error> {
    DEPRECATED.contains(&name).then(|| {
        Error::data(
            Words::new(format!(
                "`{name}` has no effect: Google ignores it since August 2022"
            ))
            .advice("leave it out"),
        )
        .breaks(Rule::Deprecated)
    })
}

/// An attribute without effect, of a player.
pub(super) fn deprecated_attribute(name: &str) -> Option<Error> {
    matches!(name, "@allow_embed" | "@autoplay").then(|| {
        Error::data(
            Words::new(format!(
                "`{name}` of a `video:player_loc` has no effect: Google ignores it since August 2022"
            ))
            .advice("leave it out"),
        )
        .breaks(Rule::Deprecated)
    })
}
