//! Rules about images, videos, news and page maps.

use sitemap_values::Rule;

use crate::error::{Error, Message};

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
