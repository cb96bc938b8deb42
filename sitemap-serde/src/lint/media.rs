//! Rules about images, videos, news and page maps.

use sitemap_values::Rule;

use crate::diagnostic::Severity::{Error as Bad, Note, Warning};
use crate::error::{Error, Message};

use super::table::RuleDoc;

pub(super) const DOCS: &[RuleDoc] = &[
    RuleDoc {
        rule: Rule::Img1,
        severity: Warning,
        search_console: &["Invalid XML: too many tags"],
        explanation: "An entry lists at most 1,000 images; further ones are ignored. Split a page with more images into \
            several pages.",
    },
    RuleDoc {
        rule: Rule::Img2,
        severity: Warning,
        search_console: &["Missing XML tag", "Invalid URL", "Invalid XML: too many tags"],
        explanation: "An image has an `image:loc`, which is an absolute URL. It may be on another site, such as a content \
            delivery network, if that site allows crawling. An image without an `image:loc` is ignored.",
    },
    RuleDoc {
        rule: Rule::News1,
        severity: Bad,
        search_console: &["Missing publication", "Missing XML tag"],
        explanation: "An article has a publication with a name and a language, a publication date and a title. Without one \
            of them it is not indexed as news.\n\nThe name must be exactly the publication's name in Google News.",
    },
    RuleDoc {
        rule: Rule::News2,
        severity: Warning,
        search_console: &["Invalid tag value"],
        explanation: "A publication's language is an ISO 639 code of two or three letters, or `zh-cn` or `zh-tw` for \
            Chinese.",
    },
    RuleDoc {
        rule: Rule::News3,
        severity: Warning,
        search_console: &["Invalid date"],
        explanation: "A publication date of news is `YYYY-MM-DD`, or a date and time with a zone. It is the time when the \
            article was first published, not when it was added to the sitemap.",
    },
    RuleDoc {
        rule: Rule::News4,
        severity: Bad,
        search_console: &["Too many News URLs", "Invalid XML: too many tags"],
        explanation: "A document has at most 1,000 `news:news` elements, and an entry at most one. Split the news sitemap, \
            and list the parts in an index.",
    },
    RuleDoc {
        rule: Rule::NewsXsd,
        severity: Warning,
        search_console: &["Invalid tag value", "Invalid XML: too many tags"],
        explanation: "The schema of news has `access` (Subscription or Registration), `genres`, `keywords` and at most \
            five \
            `stock_tickers`. Google no longer uses them; a value that the schema does not allow makes validation fail.",
    },
    RuleDoc {
        rule: Rule::Vid1,
        severity: Bad,
        search_console: &[
            "Missing thumbnail URL",
            "Missing video title",
            "Missing XML tag",
            "Invalid tag value",
            "Invalid URL",
        ],
        explanation: "A video has a thumbnail, a title of at most 100 characters, a description of at most 2,048 characters, \
            and the URL of its file or of a player. Without one of them it is not shown as a video.",
    },
    RuleDoc {
        rule: Rule::Vid2,
        severity: Bad,
        search_console: &["Video location and play page location are the same"],
        explanation: "The URLs of a video's file and player differ from the page's loc, which is the address of the page, \
            not of the video.",
    },
    RuleDoc {
        rule: Rule::Vid3,
        severity: Warning,
        search_console: &["Invalid tag value"],
        explanation: "A video's duration is a whole number of seconds, from 1 to 28,800, which is eight hours.",
    },
    RuleDoc {
        rule: Rule::Vid4,
        severity: Warning,
        search_console: &["Invalid date"],
        explanation: "A video's publication and expiration dates are W3C Datetimes: a day, or a date and time with a zone. \
            A video is not shown after its expiration date.",
    },
    RuleDoc {
        rule: Rule::Vid5,
        severity: Warning,
        search_console: &["Invalid tag value"],
        explanation: "A video's rating is a decimal from 0.0 to 5.0, and its view count a whole number of at least 0, \
            without \
            separators.",
    },
    RuleDoc {
        rule: Rule::Vid6,
        severity: Warning,
        search_console: &["Invalid tag value"],
        explanation: "`family_friendly`, `requires_subscription` and `live` are `yes` or `no`. The defaults are yes, no and \
            no.",
    },
    RuleDoc {
        rule: Rule::Vid7,
        severity: Warning,
        search_console: &[
            "Invalid tag value",
            "Missing XML attribute",
            "Invalid XML attribute value",
        ],
        explanation: "A video's restriction lists ISO 3166 codes of countries, separated by spaces, and its attribute \
            `relationship` says whether these are allowed or denied. An empty list with `allow` allows no country.",
    },
    RuleDoc {
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
    RuleDoc {
        rule: Rule::Vid9,
        severity: Warning,
        search_console: &[
            "Invalid tag value",
            "Missing XML tag",
            "Invalid XML attribute value",
        ],
        explanation: "The name of a video's uploader has at most 255 characters, and the attribute `info` is the URL of a \
            page about the uploader, on the same domain as the page.",
    },
    RuleDoc {
        rule: Rule::Vid10,
        severity: Warning,
        search_console: &["Invalid XML: too many tags"],
        explanation: "A video has at most 32 tags; further ones are ignored. A tag is a word or a short phrase, each in its \
            own element.",
    },
    RuleDoc {
        rule: Rule::VideoXsd,
        severity: Warning,
        search_console: &[
            "Invalid tag value",
            "Missing XML tag",
            "Missing XML attribute",
            "Invalid XML attribute value",
            "Invalid XML: too many tags",
        ],
        explanation: "The video schema defines the other elements of a video (category, gallery, price, segments, id, tvshow) \
            and their order. Values that it does not allow are ignored, and validation fails.",
    },
    RuleDoc {
        rule: Rule::PageMapXsd,
        severity: Warning,
        search_console: &[],
        explanation: "A page map has templates and data objects with attributes, for Google's Programmable Search Engine. \
            Anything that its schema does not allow is ignored.",
    },
    RuleDoc {
        rule: Rule::Deprecated,
        severity: Note,
        search_console: &[],
        explanation: "Since 6 August 2022 Google ignores the caption, geo_location, title and license of images, and the \
            category, gallery_loc, price and tvshow of videos, and `allow_embed` and `autoplay` of a player. They only make \
            the file larger.",
    },
];

/// Serde names of elements without effect since 2022.
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

/// The error for an element without effect.
pub(super) fn deprecated(name: &str) -> Option<Error> {
    DEPRECATED.contains(&name).then(|| {
        Error::data(
            Message::new(format!(
                "`{name}` has no effect: Google ignores it since August 2022"
            ))
            .advice("leave it out"),
        )
        .breaks(Rule::Deprecated)
    })
}

/// The error for an empty restriction or platform, which applies to all countries or platforms.
pub(super) fn empty_list(name: &str) -> Option<Error> {
    let (what, rule) = match name {
        "video:restriction" => ("countries", Rule::Vid7),
        "video:platform" => ("platforms", Rule::Vid8),
        _ => return None,
    };
    let message = Message::new(format!(
        "a `{name}` without {what}: `allow` hides the video everywhere, and `deny` nowhere"
    ));
    Some(Error::data(message.advice(format!("list the {what}, or leave it out"))).breaks(rule))
}

/// The error for an attribute of `video:player_loc` without effect.
pub(super) fn deprecated_attribute(name: &str) -> Option<Error> {
    matches!(name, "@allow_embed" | "@autoplay").then(|| {
        Error::data(
            Message::new(format!(
                "`{name}` of a `video:player_loc` has no effect: Google ignores it since August 2022"
            ))
            .advice("leave it out"),
        )
        .breaks(Rule::Deprecated)
    })
}
