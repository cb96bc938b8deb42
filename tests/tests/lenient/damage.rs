//! Good documents, damaged.

use sitemap_serde::{Mode, ReaderBuilder};
use sitemap_tests::{CORE, Random, urlset};

use super::lenient;

/// Whatever is done to one entry, those that are not beside it are read.
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
    for round in 0..3000 {
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

/// Time grows with the length, whatever does not end in the document.
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
