//! `image(…)`, `video(…)` and `news(…)`: an element whose parts are templates or functions of the row.

use proc_macro2::Ident;
use sitemap_values::schema::{Element, Kind, Occurs, image, local_name, news, video};
use sitemap_values::suggest::did_you_mean;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::{Lit, LitStr, Token};

use super::Extension;
use super::items::{Item, Value, next_token, path_text, read_value, skip_to_comma};
use super::value::{OrFunction, is_function};
use crate::ctxt::{Checked, Ctxt, Reported};

/// A part of an element.
#[derive(Clone)]
pub(crate) struct Part {
    pub(crate) key: Ident,
    pub(crate) element: &'static Element,
    pub(crate) value: OrFunction<LitStr>,
}

/// Facts about an element and its parts, for messages.
struct Facts {
    all: &'static [Element],
    /// The names of the parts that are more than a text.
    of_parts: &'static [&'static str],
    /// Two parts; at least one must be present.
    one_of: Option<[&'static str; 2]>,
    noun: &'static str,
    plural: &'static str,
    rule: &'static str,
    /// The value that a function of the row makes, and the function's name.
    made: (&'static str, &'static str),
    example: &'static str,
}

impl Extension {
    fn facts(self) -> Facts {
        match self {
            Extension::Image | Extension::Alternate => Facts {
                all: &image::ALL,
                of_parts: &[],
                one_of: None,
                noun: "image",
                plural: "every image",
                rule: "P-IMG2",
                made: ("an `Image`", "image = Self::images"),
                example: "loc = \"/images/{id}.jpg\"",
            },
            Extension::Video => Facts {
                all: &video::ALL,
                of_parts: &video::OF_PARTS,
                one_of: Some(["content_loc", "player_loc"]),
                noun: "video",
                plural: "every video",
                rule: "P-VID1",
                made: ("a `Video`", "video = Self::videos"),
                example: "title = \"{name}\"",
            },
            Extension::News => Facts {
                all: &news::ALL,
                of_parts: &news::OF_PARTS,
                one_of: None,
                noun: "article",
                plural: "every article",
                rule: "P-NEWS1",
                made: ("a `News`", "news = Self::article"),
                example: "title = \"{title}\"",
            },
        }
    }
}

impl Facts {
    fn keys(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.all.iter().map(Element::key)
    }
}

impl Item {
    /// A function, or the parts of one element; an image may be the template of its loc.
    pub(super) fn parts(&self, of: Extension, cx: &Ctxt) -> Checked<OrFunction<Vec<Part>>> {
        let facts = of.facts();
        let Value::List(list) = &self.value else {
            if of != Extension::Image {
                return self.function(cx).map(OrFunction::Function);
            }
            return Ok(match self.template(cx)? {
                OrFunction::Function(path) => OrFunction::Function(path),
                OrFunction::Constant(template) => OrFunction::Constant(vec![Part {
                    key: self.name.clone(),
                    element: &facts.all[0],
                    value: OrFunction::Constant(template),
                }]),
            });
        };
        let mut parts = Vec::new();
        let mut right = true;
        let parser = |input: ParseStream<'_>| {
            while !input.is_empty() {
                match part(cx, &facts, input) {
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
            check_required(cx, &facts, &self.name, &parts)?;
            parts.sort_by_key(|part: &Part| {
                facts
                    .all
                    .iter()
                    .position(|element| std::ptr::eq(element, part.element))
            });
            return Ok(OrFunction::Constant(parts));
        }
        Err(Reported)
    }
}

fn add(cx: &Ctxt, parts: &mut Vec<Part>, part: Part, right: &mut bool) {
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
fn part(cx: &Ctxt, facts: &Facts, input: ParseStream<'_>) -> Checked<Part> {
    let noun = facts.noun;
    let fork = input.fork();
    let Ok(key) = Ident::parse_any(&fork) else {
        let message = format!("expected a part of the {noun}, as in `{}`", facts.example);
        return Err(cx.error(next_token(input), message));
    };
    input.advance_to(&fork);
    let name = key.to_string();
    let Some(element) = facts.all.iter().find(|element| element.key() == name) else {
        let is_of_parts = facts.of_parts.iter().any(|part| local_name(part) == name);
        let message = if is_of_parts {
            let (made, function) = facts.made;
            format!(
                "`{name}` is more than a text: make {made} in a function of the row, and name that, as in `{function}`"
            )
        } else {
            let keys = facts.keys();
            let all: Vec<String> = keys.clone().map(|key| format!("`{key}`")).collect();
            let meant = OTHER_WORDS.iter().find(|(words, key)| {
                words.contains(&name.as_str()) && keys.clone().any(|other| other == *key)
            });
            let advice = match meant {
                Some((_, key)) => format!("; did you mean `{key}`?"),
                None => did_you_mean(&name, keys),
            };
            let article = if noun.starts_with(['a', 'i']) { "an" } else { "a" };
            match advice {
                advice if advice.is_empty() => {
                    format!(
                        "`{name}` is not a part of {article} {noun}; its parts are {}",
                        all.join(", ")
                    )
                }
                advice => format!("`{name}` is not a part of {article} {noun}{advice}"),
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
    Ok(Part { key, element, value })
}

/// Names of the parts in other formats.
const OTHER_WORDS: [(&[&str], &str); 17] = [
    (&["href", "src", "url"], "loc"),
    (&["alt", "description", "text"], "caption"),
    (&["lang"], "language"),
    (&["publication_date", "published", "published_at"], "date"),
    (&["name", "newspaper", "publisher"], "publication"),
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
    let key = element.key();
    let value = match (key, element.kind) {
        ("loc", _) => "/images/{id}.jpg",
        ("thumbnail_loc", _) => "/thumbs/{id}.jpg",
        (_, Kind::Url) => "/videos/{id}",
        ("title", _) => "{name}",
        ("publication", _) => "The Example Times",
        ("language", _) => "en",
        _ => return format!("{key} = \"{{{key}}}\""),
    };
    format!("{key} = \"{value}\"")
}

/// Checks that the required parts are there (P-IMG2, P-VID1, P-NEWS1).
fn check_required(cx: &Ctxt, facts: &Facts, key: &Ident, parts: &[Part]) -> Checked<()> {
    let has = |key: &str| parts.iter().any(|part| part.element.key() == key);
    let required = facts.all.iter().filter(|element| element.occurs == Occurs::One);
    let required = required.map(Element::key).filter(|key| !has(key));
    let mut missing: Vec<String> = required.map(|key| format!("`{key}`")).collect();
    if let Some([first, second]) = facts.one_of
        && !has(first)
        && !has(second)
    {
        missing.push(format!("`{first}` or `{second}`"));
    }
    if missing.is_empty() {
        return Ok(());
    }
    let (example, function) = match facts.example.split_once(" = ") {
        Some((key, _)) => (facts.example, key),
        None => (facts.example, facts.example),
    };
    Err(cx.error(
        key,
        format!(
            "the {} has no {}, and {} has one ({}): write it like `{example}`, with fields in braces, or `{function} = Self::{function}`",
            facts.noun,
            missing.join(", no "),
            facts.plural,
            facts.rule
        ),
    ))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The docs' table has each part.
    #[test]
    fn the_table_of_parts_is_whole() {
        let docs = include_str!("../../docs/sitemap_entry.md");
        let (_, table) = docs.split_once("\n| key | required | optional |\n").unwrap();
        for extension in [Extension::Image, Extension::Video, Extension::News] {
            let name = format!("| `{}` | ", extension.key().name());
            let row = table.lines().find_map(|line| line.strip_prefix(&name)).unwrap();
            let found: BTreeSet<_> = row.split('`').skip(1).step_by(2).collect();
            assert_eq!(found, extension.facts().keys().collect(), "{name}");
        }
    }

    #[test]
    fn other_words_are_of_parts_and_none_is_one() {
        let all = [Extension::Image, Extension::Video, Extension::News].map(Extension::facts);
        for (words, key) in OTHER_WORDS {
            let mut of_key = all
                .iter()
                .filter(|facts| facts.keys().any(|part| part == key))
                .peekable();
            assert!(of_key.peek().is_some(), "{key}");
            for (facts, word) in of_key.flat_map(|facts| words.iter().map(move |word| (facts, word))) {
                let is_of_parts = facts.of_parts.iter().any(|part| local_name(part) == *word);
                assert!(!is_of_parts, "{word}");
            }
        }
    }
}
