//! Valid documents with damage.

use sitemap_serde::{Mode, ReaderBuilder, UrlEntry};
use sitemap_tests::{CORE, Chunks, Random, drain, rounds, urlset};

use super::lenient;

/// After any damage to one entry, all entries except its neighbours are read.
#[test]
fn damage_costs_its_neighbours_at_most() {
    const ENTRIES: usize = 12;
    const SNIPPETS: [&str; 12] = [
        "<",
        ">",
        "&",
        "</loc>",
        "<loc>",
        "</url>",
        "<url>",
        "</x>",
        "<x y=",
        "&nbsp;",
        "<image:image>",
        "/>",
    ];
    let mut random = Random::new(0x6c65_6e69);
    let loc = |i: usize| {
        format!(
            "https://example.com/{i}{}",
            "abcdefghijkl".chars().nth(i).unwrap()
        )
    };
    for round in 0..rounds(750) {
        let entries: Vec<String> = (0..ENTRIES)
            .map(|i| {
                let day = i % 9 + 1;
                format!(
                    "<url><loc>{}</loc><lastmod>2024-05-0{day}</lastmod></url>\n",
                    loc(i)
                )
            })
            .collect();
        let at = random.below(ENTRIES);
        let mut damaged = entries[at].clone();
        for _ in 0..=random.below(3) {
            let from = random.below(damaged.len() + 1);
            let to = from + random.below(damaged.len() - from + 1).min(12);
            match random.below(4) {
                0 => damaged.replace_range(from..to, ""),
                1 => damaged.insert_str(from, SNIPPETS[random.below(SNIPPETS.len())]),
                2 => damaged = damaged[from..to].repeat(2) + &damaged,
                _ => {
                    let other: String = "#&/ <".chars().cycle().take(to - from).collect();
                    damaged.replace_range(from..to, &other);
                }
            }
        }
        let document = urlset(
            &[
                entries[..at].concat(),
                damaged.clone(),
                entries[at + 1..].concat(),
            ]
            .concat(),
        );
        let (read, _) = lenient(document.as_bytes());
        let read = read.unwrap();
        for i in (0..ENTRIES).filter(|i| i.abs_diff(at) > 1) {
            assert!(
                read.contains(&loc(i)),
                "round {round}: {i} is lost: {damaged:?}: {read:?}"
            );
        }
    }
}

/// Time is linear in the length, for any unclosed construct.
#[test]
fn what_never_ends_is_sought_once() {
    for piece in [
        "<!-- ",
        "<![CDATA[",
        "<?x ",
        "<x ",
        "<x y='",
        "&",
        "</y>",
        "<url>",
        "<loc>",
    ] {
        let document = format!("<urlset xmlns=\"{CORE}\">{}", piece.repeat(40_000 / piece.len()));
        let mut builder = ReaderBuilder::new();
        builder.mode(Mode::Lenient);
        let mut slice = builder.from_slice(document.as_bytes());
        assert_eq!(slice.entries().flatten().count(), 0, "{piece}");
        let mut stream = builder.from_reader(document.as_bytes());
        assert_eq!(stream.entries().flatten().count(), 0, "{piece}");
    }
}

/// Values of every kind, each of them once in the document.
fn rich_entries() -> Vec<String> {
    (0..10)
        .map(|i| {
            let day = i + 10;
            let loc = match i % 3 {
                0 => format!("https://example.com/{i}?a=b&amp;c={i}"),
                1 => format!("<![CDATA[https://example.com/{i}?a=b&c={i}]]>"),
                _ => format!("https://example.com/é{i}"),
            };
            let image = format!(
                "<image:image><image:loc>https://example.com/{i}.png</image:loc><image:title>Title &lt;{i}&gt;</image:title></image:image>"
            );
            let link =
                format!("<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de/{i}?x&amp;y\"/>");
            let (image, link) = (if i % 2 == 0 { image } else { String::new() }, if i % 4 == 1 { link } else { String::new() });
            format!("<url>\n <loc>{loc}</loc>\n <lastmod>2024-05-{day}</lastmod>{image}<priority>0.{i}</priority>{link}\n</url>\n")
        })
        .collect()
}

/// Changes some bytes of a document, as storage and programs do.
fn damage(random: &mut Random, document: &mut Vec<u8>) {
    const SNIPPETS: [&[u8]; 16] = [
        b"<",
        b">",
        b"&",
        b"</loc>",
        b"<loc>",
        b"</url>",
        b"<url>",
        b"</x>",
        b"<x y=\"",
        b"&nbsp;",
        b"<!--",
        b"<![CDATA[",
        b"<?",
        b"\0",
        b"\xE9",
        b"<image:image>",
    ];
    for _ in 0..=random.below(4) {
        let from = random.below(document.len() + 1);
        let to = from + random.below(document.len() - from + 1).min(40);
        match random.below(5) {
            0 => drop(document.drain(from..to)),
            1 => {
                if let Some(byte) = document.get_mut(from) {
                    *byte ^= 1 << random.below(8);
                }
            }
            2 => drop(document.splice(from..from, SNIPPETS[random.below(SNIPPETS.len())].iter().copied())),
            3 => {
                let piece = document[from..to].to_vec();
                drop(document.splice(to..to, piece));
            }
            _ => {
                let at = random.below(document.len() + 1);
                let piece = document[from..to].to_vec();
                drop(document.splice(at..at, piece));
            }
        }
    }
}

/// The texts of a document in either decoding: bytes outside UTF-8 decoded as windows-1252, characters outside XML removed. Apparent
/// sections, comments, tags and references may be real or part of the text.
fn plain_texts(document: &[u8]) -> Vec<String> {
    let mut raw = String::new();
    for chunk in document.utf8_chunks() {
        raw.push_str(chunk.valid());
        let (decoded, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(chunk.invalid());
        raw.push_str(&decoded);
    }
    raw.retain(|c| !c.is_control());
    let mut texts = vec![raw];
    let without: [fn(&str) -> String; 4] = [
        |text| text.replace("<![CDATA[", "").replace("]]>", ""),
        |text| without_comments(text),
        |text| without_tags(text),
        |text| {
            let resolved = text.replace("&lt;", "<").replace("&gt;", ">");
            resolved.replace("&nbsp;", "\u{A0}").replace("&amp;", "&")
        },
    ];
    for without in without {
        let more: Vec<_> = texts.iter().map(|text| without(text)).collect();
        texts.extend(more);
    }
    texts
}

fn without_comments(text: &str) -> String {
    let mut text = text.to_owned();
    while let Some(start) = text.find("<!--") {
        let end = text[start + 4..].find("-->").map_or(4, |len| len + 7);
        text.replace_range(start..start + end, "");
    }
    text
}

/// A broken tag ends before the next.
fn without_tags(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<') {
        out.push_str(before);
        let end = tag.find(['<', '>']).unwrap_or(tag.len());
        rest = tag[end..].strip_prefix('>').unwrap_or(&tag[end..]);
    }
    out + rest
}

/// The number of pieces of these texts in a value. `None` if it contains anything else.
fn pieces(mut value: &str, texts: &[String]) -> Option<usize> {
    let mut count = 0;
    while !value.is_empty() {
        let mut ends = value.char_indices().map(|(at, c)| at + c.len_utf8()).rev();
        let len = ends.find(|len| texts.iter().any(|text| text.contains(&value[..*len])))?;
        (value, count) = (&value[len..], count + 1);
    }
    Some(count)
}

/// Asserts that a document has the same entries, errors and diagnostics as a slice and in pieces of several sizes.
fn in_pieces(random: &mut Random, document: &[u8]) -> usize {
    let mut builder = ReaderBuilder::new();
    builder
        .mode(Mode::Lenient)
        .location("https://example.com/sitemap.xml");
    let mut slice = builder.from_slice(document);
    let read = drain(slice.entries());
    let told = slice.take_diagnostics();
    for size in [1, 2 + random.below(40), 50 + random.below(1000)] {
        let mut stream = builder.from_reader(Chunks::new(document, size));
        let again = drain(stream.entries());
        assert_eq!(read, again, "{size}: {}", String::from_utf8_lossy(document));
        assert_eq!(
            told,
            stream.diagnostics(),
            "{size}: {}",
            String::from_utf8_lossy(document)
        );
        assert_eq!(slice.dropped_diagnostics(), stream.dropped_diagnostics());
    }
    told.len()
}

/// The same problem in every entry is repaired and reported the same way in each: knowledge from the first entry repairs nothing
/// in later ones.
#[test]
fn what_is_broken_again_and_again_is_told_each_time_whatever_the_pieces() {
    let mut random = Random::new(0x7265_7061);
    let breaks: [fn(String) -> String; 10] = [
        |entry| entry.replace("image:", "picture:"),
        |entry| entry.replace("<url>", "<url a=b>"),
        |entry| entry.replace("<loc>", "<loc a=b>"),
        |entry| entry.replace("<loc>", "<loc x:y='1'>"),
        |entry| entry.replace(" hreflang", " hreflang='x' hreflang"),
        |entry| entry.replace("</lastmod>", ""),
        |entry| entry.replace("lastmod>", "LastMod>"),
        |entry| entry.replace("href=", "href= "),
        |entry| entry.replace("https://example.com/", "/"),
        |entry| entry.replace("<lastmod>", "<lastmod a='<'>"),
    ];
    let mut told = 0;
    for round in 0..rounds(300) {
        let entries: String = rich_entries().concat();
        // Half of the documents do not declare the prefixes.
        let mut document = urlset(&entries);
        if round % 2 == 0 {
            let namespaces = " xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
                              xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"";
            document = document.replacen('>', &format!("{namespaces}>"), 1);
        }
        for _ in 0..=random.below(2) {
            document = breaks[random.below(breaks.len())](document);
        }
        let mut document = document.into_bytes();
        if random.below(3) == 0 {
            damage(&mut random, &mut document);
        }
        told += in_pieces(&mut random, &document);
    }
    assert!(told > rounds(2_000), "{told}");
}

/// The delimiters of comments, sections and instructions, in order.
fn constructs(document: &str) -> impl Iterator<Item = &'static str> {
    (0..document.len()).filter_map(|at| {
        let rest = &document.as_bytes()[at..];
        let mut marks = ["<!", "<?", "]]>", "-->"].into_iter();
        marks.find(|mark| rest.starts_with(mark.as_bytes()))
    })
}

/// After any damage to a document: no panic, no loop, and the same result for any pieces of input. All values are in the document
/// before or after the damage. An undamaged entry between two with intact tags stays unchanged.
#[test]
fn what_is_left_of_a_damaged_document() {
    let mut random = Random::new(0x6461_6d61);
    let namespaces = " xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"";
    let entries = rich_entries();
    let good =
        urlset(&entries.concat()).replacen(&format!("\"{CORE}\""), &format!("\"{CORE}\"{namespaces}"), 1);
    let builder = || {
        let mut builder = ReaderBuilder::new();
        builder.mode(Mode::Lenient);
        builder
    };
    let read = |document: &[u8]| -> Vec<UrlEntry> {
        builder()
            .from_slice(document)
            .entries()
            .map_while(Result::ok)
            .collect()
    };
    let pages = read(good.as_bytes());
    assert_eq!(pages.len(), entries.len());
    let known = plain_texts(good.as_bytes());
    let mut untouched = 0;
    for round in 0..rounds(750) {
        let mut document = good.clone().into_bytes();
        damage(&mut random, &mut document);
        let shown = String::from_utf8_lossy(&document).into_owned();
        let found = read(&document);
        if round % 8 == 0 {
            in_pieces(&mut random, &document);
        }
        let texts = plain_texts(&document);
        for page in &found {
            let images = page
                .images
                .iter()
                .flat_map(|image| [Some(image.loc.as_str()), image.title.as_deref()]);
            let links = page.alternates.iter().map(|link| Some(link.href.as_str()));
            for value in [Some(page.loc.as_str())]
                .into_iter()
                .chain(images)
                .chain(links)
                .flatten()
            {
                let value: String = value.chars().filter(|c| !c.is_control()).collect();
                assert!(
                    texts.iter().chain(&known).any(|text| text.contains(&value))
                        // An element within a text is skipped with its content.
                        || pieces(&value, &texts).is_some_and(|count| count <= 3),
                    "round {round}: {value:?} in {shown}"
                );
            }
        }
        // The root's start tag determines the meaning of all names.
        if !shown.starts_with(&good[..=good.find('>').unwrap_or_default()]) {
            continue;
        }
        // Content between unmatched delimiters may contain entries.
        if !constructs(&shown).eq(constructs(&good)) {
            continue;
        }
        for (i, entry) in entries.iter().enumerate() {
            let before = if i == 0 { "" } else { &entries[i - 1] };
            let after = entries.get(i + 1).map_or("", String::as_str);
            if shown.contains(&[before, entry, after].concat()) {
                assert!(
                    found.contains(&pages[i]),
                    "round {round}: entry {i} of {shown}: {found:#?}"
                );
                untouched += 1;
            }
        }
    }
    assert!(untouched > rounds(1_250), "{untouched}");
}
