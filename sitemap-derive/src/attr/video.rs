//! `video(…)`: a video whose parts are templates or functions of the row.

use proc_macro2::Ident;
use sitemap_values::schema::{Element, Kind, Occurs, local_name, video};
use sitemap_values::suggest::did_you_mean;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::{Lit, LitStr, Token};

use super::items::{Item, Value, next_token, path_text, read_value, skip_to_comma};
use super::value::{OrFunction, is_function};
use crate::ctxt::{Checked, Ctxt, Reported};

/// A part of a video.
#[derive(Clone)]
pub(crate) struct VideoPart {
    pub(crate) key: Ident,
    pub(crate) element: &'static Element,
    pub(crate) value: OrFunction<LitStr>,
}

impl Item {
    /// A function, or the parts of one video.
    pub(super) fn video(&self, cx: &Ctxt) -> Checked<OrFunction<Vec<VideoPart>>> {
        let Value::List(list) = &self.value else {
            return self.function(cx).map(OrFunction::Function);
        };
        let mut parts = Vec::new();
        let mut right = true;
        let parser = |input: ParseStream<'_>| {
            while !input.is_empty() {
                match part(cx, input) {
                    Ok(part) => add(cx, &mut parts, part, &mut right),
                    Err(Reported) => {
                        right = false;
                        skip_to_comma(input);
                    }
                }
                if !input.is_empty() && input.parse::<Token![,]>().is_err() {
                    right = false;
                    cx.error(next_token(input), "expected a comma");
                    skip_to_comma(input);
                    let _: Option<Token![,]> = input.parse().ok().flatten();
                }
            }
            Ok(())
        };
        if let Err(error) = parser.parse2(list.stream()) {
            return Err(cx.push(error));
        }
        if right {
            check_required(cx, &self.name, &parts)?;
            parts.sort_by_key(|part: &VideoPart| {
                video::ALL
                    .iter()
                    .position(|element| std::ptr::eq(element, part.element))
            });
            return Ok(OrFunction::Constant(parts));
        }
        Err(Reported)
    }
}

fn add(cx: &Ctxt, parts: &mut Vec<VideoPart>, part: VideoPart, right: &mut bool) {
    if parts.iter().any(|other| other.key == part.key) {
        *right = false;
        cx.error(
            &part.key,
            format!("`{}` is given twice; keep one of them", part.key),
        );
    } else {
        parts.push(part);
    }
}

/// Parses a part, such as `title = "{name}"`.
fn part(cx: &Ctxt, input: ParseStream<'_>) -> Checked<VideoPart> {
    let fork = input.fork();
    let Ok(key) = Ident::parse_any(&fork) else {
        return Err(cx.error(
            next_token(input),
            "expected a part of the video, as in `title = \"{name}\"`",
        ));
    };
    input.advance_to(&fork);
    let name = key.to_string();
    let Some(element) = video::ALL.iter().find(|element| element.local_name() == name) else {
        let message = if video::OF_PARTS
            .into_iter()
            .map(local_name)
            .any(|part| part == name)
        {
            format!(
                "`{name}` is more than a text: make a `Video` in a function of the row, and name that, as in `video = Self::videos`"
            )
        } else {
            let keys = video::ALL.iter().map(Element::local_name);
            let all: Vec<String> = keys.clone().map(|key| format!("`{key}`")).collect();
            let meant = OTHER_WORDS
                .iter()
                .find(|(words, _)| words.contains(&name.as_str()));
            let advice = match meant {
                Some((_, key)) => format!("; did you mean `{key}`?"),
                None => did_you_mean(&name, keys),
            };
            match advice {
                advice if advice.is_empty() => {
                    format!(
                        "`{name}` is not a part of a video; its parts are {}",
                        all.join(", ")
                    )
                }
                advice => format!("`{name}` is not a part of a video{advice}"),
            }
        };
        return Err(cx.error(key, message));
    };
    let example = example(element);
    let value = read_value(input, false).map_err(|place| {
        let message = format!("expected `{example}`");
        if place.is_empty() {
            cx.error(&key, message)
        } else {
            cx.error(place, message)
        }
    })?;
    let value = match &value {
        Value::Lit {
            minus: None,
            lit: Lit::Str(text),
        } if text.suffix().is_empty() => OrFunction::Constant(text.clone()),
        Value::Path(path) if is_function(path) => OrFunction::Function(path.clone()),
        Value::None => return Err(cx.error(&key, format!("`{name}` needs a value, as in `{example}`"))),
        value => {
            let of_value = match value {
                Value::Path(path) => format!(": `{}` is named like a const", path_text(path)),
                _ => String::new(),
            };
            let message = format!(
                "`{name}` takes a text in quotes, with fields in braces, or the path of a function of the row, which takes `&self`, as in \
                 `{example}`{of_value}"
            );
            return Err(cx.error(value, message));
        }
    };
    Ok(VideoPart { key, element, value })
}

/// What the parts of a video are called elsewhere.
const OTHER_WORDS: [(&[&str], &str); 12] = [
    (
        &["content", "contentUrl", "content_url", "file", "src", "url"],
        "content_loc",
    ),
    (
        &["embed", "embedUrl", "embed_url", "player", "player_url"],
        "player_loc",
    ),
    (
        &[
            "image",
            "picture",
            "poster",
            "thumb",
            "thumbnail",
            "thumbnailUrl",
            "thumbnail_url",
        ],
        "thumbnail_loc",
    ),
    (&["caption", "headline", "name"], "title"),
    (&["about", "summary", "text"], "description"),
    (&["length", "seconds"], "duration"),
    (
        &["date", "published", "published_at", "uploadDate", "upload_date"],
        "publication_date",
    ),
    (&["expires", "expires_at", "valid_until"], "expiration_date"),
    (&["keywords", "tags"], "tag"),
    (&["plays", "views"], "view_count"),
    (&["stars"], "rating"),
    (&["author", "channel", "creator"], "uploader"),
];

fn example(element: &Element) -> String {
    let key = element.local_name();
    let value = match (key, element.kind) {
        ("thumbnail_loc", _) => "/thumbs/{id}.jpg",
        (_, Kind::Url) => "/videos/{id}",
        ("title", _) => "{name}",
        _ => return format!("{key} = \"{{{key}}}\""),
    };
    format!("{key} = \"{value}\"")
}

/// Checks that the required parts are there, and one of the two URLs (P-VID1).
fn check_required(cx: &Ctxt, key: &Ident, parts: &[VideoPart]) -> Checked<()> {
    let has = |key: &str| parts.iter().any(|part| part.key == key);
    let mut missing: Vec<String> = Vec::new();
    for element in &video::ALL {
        let key = element.local_name();
        if element.occurs == Occurs::One && !has(key) {
            missing.push(format!("`{key}`"));
        }
    }
    if !has("content_loc") && !has("player_loc") {
        missing.push("`content_loc` or `player_loc`".to_owned());
    }
    if missing.is_empty() {
        return Ok(());
    }
    Err(cx.error(
        key,
        format!(
            "the video has no {}, and every video has one (P-VID1): write it like `title = \"{{name}}\"`, with fields in braces, or \
             `title = Self::title`",
            missing.join(", no ")
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_words_are_of_parts_and_none_is_one() {
        for (words, key) in OTHER_WORDS {
            assert!(video::ALL.iter().any(|part| part.local_name() == key), "{key}");
            for word in words {
                let is_part = video::ALL.iter().any(|part| part.local_name() == *word);
                let is_of_parts = video::OF_PARTS.into_iter().any(|part| local_name(part) == *word);
                assert!(!is_part && !is_of_parts, "{word}");
            }
        }
    }
}
