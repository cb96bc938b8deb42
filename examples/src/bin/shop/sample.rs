//! The shop's sample rows, computed from their number: the same in every run.

use chrono::{DateTime, NaiveDateTime};

use crate::model::{Post, Product};

/// Posts in the shop's blog.
pub(crate) const POSTS: i64 = 500;

const MATERIALS: [&str; 8] = [
    "oak", "linen", "copper", "glass", "cotton", "marble", "bamboo", "steel",
];
const COLOURS: [&str; 7] = ["black", "white", "green", "amber", "navy", "rose", "grey"];
const THINGS: [&str; 9] = [
    "lamp", "chair", "kettle", "table", "shelf", "blanket", "mirror", "vase", "clock",
];

/// Names that are difficult to put into a URL, or whose URL is difficult to put into XML.
const AWKWARD: [&str; 12] = [
    "サイトマップ",
    "salt & pepper",
    "the children's chair",
    "100% cotton",
    "größe/länge?",
    "<b>\"bold\"</b>",
    "a + b = c; #1",
    "نور",
    "🛋️ sofa",
    "%41%2F",
    " spaces at both ends ",
    "tab\tand\nline",
];

/// The product with that number, from 1.
pub(crate) fn product(id: i64) -> Product {
    let name = match awkward(id, 100) {
        Some(name) => name,
        None => format!(
            "{} {} {}",
            pick(&COLOURS, id),
            pick(&MATERIALS, id / 7),
            pick(&THINGS, id / 56)
        ),
    };
    Product {
        id,
        slug: slug(&name, id),
        name,
        // Every product has a date: a part with an undated entry has no date in the index.
        updated_at: Some(moment(id)),
        draft: id % 97 == 0,
    }
}

/// The post with that number, from 1.
pub(crate) fn post(id: i64) -> Post {
    let title = match awkward(id, 10) {
        Some(title) => title,
        None => format!("how to care for {}", pick(&MATERIALS, id)),
    };
    Post {
        id,
        slug: slug(&title, id),
        title,
        weight: (id % 3 == 0).then(|| f64::from(u8::try_from(id % 11).unwrap_or(0)) / 10.0),
        updated_at: (id % 7 != 0).then(|| moment(id * 240)),
        draft: id % 13 == 0,
    }
}

/// Returns an awkward or very long name for every n-th id.
fn awkward(id: i64, every: i64) -> Option<String> {
    if id % every != 0 {
        return None;
    }
    Some(match id / every % 16 {
        12 => "long ".repeat(300),
        13 => "長い".repeat(100),
        turn => (*pick(&AWKWARD, turn)).to_owned(),
    })
}

/// A plain name gets the usual slug. An awkward name is its own slug.
fn slug(name: &str, id: i64) -> String {
    let plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b' ');
    let name = if plain {
        name.trim().replace(' ', "-")
    } else {
        // No URL has a control character, encoded or not (P-LOC).
        name.replace(char::is_control, " ")
    };
    format!("{name}-{id}")
}

fn pick<T: Copy>(from: &[T], turn: i64) -> T {
    let length = i64::try_from(from.len()).unwrap_or(1);
    from[usize::try_from(turn.rem_euclid(length)).unwrap_or(0)]
}

/// Some second from the start of 2020 to the end of 2024.
fn moment(id: i64) -> NaiveDateTime {
    const START: i64 = 1_577_836_800;
    const SECONDS: i64 = 5 * 365 * 86_400;
    let second = START + (id * 7_919 * 311).rem_euclid(SECONDS);
    DateTime::from_timestamp(second, 0)
        .unwrap_or_default()
        .naive_utc()
}
