//! Two spellings of one URL are one page: the normal form compared with the crate url, and the diff and the lint compared with
//! themselves over documents in the normal form.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use sitemap_serde::__internal::normal_form;
use sitemap_serde::Rule;
use sitemap_serde::diff::{Change, Diff, Input, Summary};
use sitemap_serde::lint::Linter;
use sitemap_tests::{Random, urlset};
use url::Url;

/// The normal form by the crate url, which leaves triplets as they are, and some characters that RFC 3986 does not allow; `None` if the
/// crate refuses the URL.
fn by_url(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let mut normal = String::new();
    let mut bytes = url.as_str().bytes();
    while let Some(b) = bytes.next() {
        match b {
            b'%' => {
                let digits: String = bytes.clone().take(2).map(char::from).collect();
                let is_triplet = digits.len() == 2 && digits.bytes().all(|b| b.is_ascii_hexdigit());
                let byte = u8::from_str_radix(&digits, 16).ok().filter(|_| is_triplet);
                match byte.map(char::from) {
                    Some(c) if c.is_ascii_alphanumeric() || "-._~".contains(c) => normal.push(c),
                    Some(_) => write!(normal, "%{}", digits.to_ascii_uppercase()).unwrap(),
                    None => {
                        normal += "%25";
                        continue;
                    }
                }
                bytes.next();
                bytes.next();
            }
            b'|' | b'^' | b'{' | b'}' | b'`' => write!(normal, "%{b:02X}").unwrap(),
            b => normal.push(char::from(b)),
        }
    }
    Some(normal)
}

#[test]
fn the_normal_form_is_that_of_the_crate_url() {
    let hosts = [
        "example.com",
        "EXAMPLE.com",
        "www.example.com",
        "m\u{FC}ller.example",
        "M\u{DC}LLER.example",
        "mu\u{308}ller.example",
        "m%C3%BCller.example",
        "xn--mller-kva.example",
        "XN--MLLER-KVA.EXAMPLE",
        "stra\u{DF}e.example",
        "\u{4F8B}\u{3048}.\u{30C6}\u{30B9}\u{30C8}",
        "\u{FF45}xample\u{3002}com",
        "%65xample.com",
        "a-b.c--d.example",
        "[2001:db8::a]",
        "[2001:DB8::A]",
        "example.com.",
        "192.0.2.1",
    ];
    let pieces = [
        "/", "//", "/.", "/..", "/%2e", "/%2E.", "/.a", "/...", "a", "B", "~", "%7E", "%7e", "%c3%a9",
        "%C3%A9", "\u{E9}", "%2F", "%25", "%", "%zz", " ", "%20", "+", "bc|", "{", "\"", "<", "?", "#", "&",
        "=", "bc:", "@", "!", "%21", ";", "xn--",
    ];
    let random = &mut Random::new(62);
    let (mut read, mut differ) = (0, 0);
    for _ in 0..40_000 {
        let scheme = ["https", "http", "HTTPS", "Http"][random.below(4)];
        let user = ["", "", "", "u@", "U:p%7e@"][random.below(5)];
        let host = hosts[random.below(hosts.len())];
        let port = ["", "", ":", ":80", ":443", ":0443", ":8080", ":0", ":65536"][random.below(9)];
        let mut text = format!("{scheme}://{user}{host}{port}");
        for part in 0..random.below(8) {
            let piece = pieces[random.below(pieces.len())];
            if part == 0 && !piece.starts_with(['/', '?', '#']) {
                text.push('/');
            }
            text += piece;
        }
        // The crate removes white space at the end, wherever it is.
        let text = text.trim_end();
        if text.matches('#').count() > 1 {
            continue;
        }
        let Some(expected) = by_url(text) else { continue };
        assert_eq!(normal_form(text), expected, "{text}");
        read += 1;
        differ += usize::from(text != expected);
    }
    assert!(
        read > 20_000 && differ > 10_000 && differ < read,
        "{read} {differ}"
    );
}

/// Another spelling of a URL that is in its normal form.
fn respelt(url: &str, random: &mut Random) -> String {
    let (scheme, rest) = url.split_once("://").unwrap();
    let (host, path) = rest.split_at(rest.find('/').unwrap());
    let host = match random.below(4) {
        0 => host.to_ascii_uppercase(),
        1 => format!("{host}:443"),
        2 => host.replace("xn--mller-kva", "m\u{FC}ller"),
        _ => host.to_owned(),
    };
    let path = match random.below(4) {
        0 if path == "/" => String::new(),
        0 => format!("/x/..{path}"),
        1 => path.replace("%C3%A9", "%c3%a9").replace('~', "%7E"),
        2 => path.replace("%C3%A9", "\u{E9}"),
        _ => path.to_owned(),
    };
    format!("{scheme}://{host}{path}")
}

const PATHS: [&str; 8] = [
    "/",
    "/a",
    "/A",
    "/a/",
    "/caf%C3%A9",
    "/~user",
    "/a%2Fb",
    "/z?q=%C3%A9",
];

fn compare(old: &str, new: &str) -> (Summary, BTreeSet<String>) {
    let mut changes = BTreeSet::new();
    let [old, new] = [old, new].map(|text| [Input::from_slice("a document", text.as_bytes())]);
    let summary = Diff::new().run(&mut { old }, &mut { new }, |change| {
        let is_respelt = matches!(change, Change::Respelt { .. });
        assert!(changes.insert(format!("{is_respelt} {change}")), "{change}");
        Ok(())
    });
    (summary.unwrap(), changes)
}

/// Whether documents are sorted, which is compared in another way, makes no difference. Nor does the spelling, but to the changes.
#[test]
fn a_diff_pairs_spellings() {
    let document = |pages: &[(String, usize)]| {
        let entry = |(loc, day): &(String, usize)| {
            format!("<url><loc>{loc}</loc><lastmod>2026-05-0{day}</lastmod></url>")
        };
        urlset(&pages.iter().map(entry).collect::<String>())
    };
    let (mut respelt_pages, mut both) = (0, 0);
    for seed in 0..300 {
        let random = &mut Random::new(seed);
        let mut side = || -> Vec<(String, usize)> {
            let mut pages = Vec::new();
            for host in ["example.com", "xn--mller-kva.example"] {
                for path in PATHS {
                    if random.below(3) > 0 {
                        pages.push((format!("https://{host}{path}"), 1 + random.below(2)));
                    }
                }
            }
            pages.sort();
            pages
        };
        let (old, new) = (side(), side());
        let (plain, _) = compare(&document(&old), &document(&new));
        let spell = |pages: &[(String, usize)], random: &mut Random| -> Vec<(String, usize)> {
            let pages = pages.iter();
            pages.map(|(loc, day)| (respelt(loc, random), *day)).collect()
        };
        let (mut old, new) = (spell(&old, random), spell(&new, random));
        let sorted = compare(&document(&old), &document(&new));
        let expected = (plain.added, plain.removed);
        assert_eq!((sorted.0.added, sorted.0.removed), expected, "{old:?} {new:?}");
        assert_eq!(sorted.0.repeated, 0);
        assert_eq!(sorted.0.respelt + sorted.0.same, plain.same);
        assert_eq!(sorted.0.changed, plain.changed);
        assert_eq!(sorted.0.is_empty(), sorted.1.is_empty());
        let count = |start: &str| sorted.1.iter().filter(|line| line.starts_with(start)).count() as u64;
        assert_eq!(
            (count("true ~"), count("false ~")),
            (sorted.0.respelt, sorted.0.changed)
        );
        old.reverse();
        assert_eq!(
            compare(&document(&old), &document(&new)),
            sorted,
            "{old:?} {new:?}"
        );
        respelt_pages += sorted.0.respelt;
        both += sorted
            .1
            .iter()
            .filter(|line| line.contains(" loc: ") && line.contains(", ") || line.contains("lastmod"))
            .count();
    }
    assert!(respelt_pages > 500 && both > 500, "{respelt_pages} {both}");
}

#[test]
fn a_spelling_is_a_field_of_a_changed_page() {
    let document = |loc: &str, rest: &str| urlset(&format!("<url><loc>{loc}</loc>{rest}</url>"));
    let old = document("https://example.com", "");
    for (rest, expected) in [
        (
            "",
            "true ~ https://example.com/ loc: https://example.com -> https://example.com/",
        ),
        (
            "<changefreq>daily</changefreq><priority>0.5</priority>",
            "false ~ https://example.com/ changefreq: (none) -> daily, loc: https://example.com -> https://example.com/, \
             priority: (none) -> 0.5",
        ),
    ] {
        let (summary, changes) = compare(&old, &document("https://example.com/", rest));
        assert_eq!(changes, BTreeSet::from([expected.to_owned()]));
        assert!(!summary.is_empty());
    }
}

/// The rules that compare URLs find as much in any spelling.
#[test]
fn the_lint_pairs_spellings() {
    let rules = [
        Rule::DupLoc,
        Rule::Alt3,
        Rule::Alt4,
        Rule::LangSwap,
        Rule::Host,
        Rule::Http,
        Rule::Www,
    ];
    let mut linter = Linter::new();
    for &other in Rule::ALL {
        linter.level(
            other,
            rules
                .contains(&other)
                .then_some(sitemap_serde::lint::Severity::Error),
        );
    }
    let counts = |document: &str| {
        let found = linter.check(document.as_bytes());
        rules.map(|rule| found.iter().filter(|found| found.rule() == rule).count())
    };
    let mut sums = [0; 7];
    for seed in 0..300 {
        let random = &mut Random::new(seed);
        let host = ["example.com", "xn--mller-kva.example"][random.below(2)];
        let mut entries: Vec<Vec<String>> = Vec::new();
        for _ in 0..2 + random.below(10) {
            let mut urls: Vec<String> = Vec::new();
            for _ in 0..=random.below(4) {
                urls.push(format!("https://{host}{}", PATHS[random.below(PATHS.len())]));
            }
            if random.below(3) > 0 {
                urls.push(urls[0].clone());
            }
            if random.below(9) == 0 {
                urls[0] = urls[0].replace(
                    "https://",
                    ["http://", "https://www.", "https://m."][random.below(3)],
                );
            }
            entries.push(urls);
        }
        let mut text = |spell: &mut dyn FnMut(&str, &mut Random) -> String| {
            let mut entry = |urls: &Vec<String>, random: &mut Random| {
                let mut entry = format!("<url><loc>{}</loc>", spell(&urls[0], random));
                for (i, url) in urls.iter().skip(1).enumerate() {
                    let language = ["de", "en", "fr", "ja", "x-default"][i % 5];
                    let href = spell(url, random);
                    write!(
                        entry,
                        "<xhtml:link rel='alternate' hreflang='{language}' href='{href}'/>"
                    )
                    .unwrap();
                }
                entry + "</url>"
            };
            let entries: Vec<_> = entries.iter().map(|urls| entry(urls, random)).collect();
            format!(
                "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:xhtml='http://www.w3.org/1999/xhtml'>{}</urlset>",
                entries.concat()
            )
        };
        let plain = text(&mut |url, _| url.to_owned());
        let spelt = text(&mut |url, random| {
            if url.starts_with("https://") {
                respelt(url, random)
            } else {
                url.to_owned()
            }
        });
        let expected = counts(&plain);
        assert_eq!(counts(&spelt), expected, "{plain}\n{spelt}");
        for (sum, count) in sums.iter_mut().zip(expected) {
            *sum += count;
        }
    }
    assert!(sums.iter().all(|sum| *sum > 20), "{sums:?}");
}

#[test]
fn messages_about_spellings() {
    let entry = |loc: &str| format!("<url><loc>{loc}</loc></url>\n");
    let check = |entries: &[String]| {
        let text = urlset(&entries.concat());
        let found = Linter::new().check(text.as_bytes());
        let told = found.iter().map(ToString::to_string);
        told.filter(|found| !found.contains("P-DECL")).collect::<Vec<_>>()
    };
    assert_eq!(
        check(&[
            entry("https://example.com/caf%c3%a9"),
            entry("HTTPS://Example.com:443/caf%C3%A9")
        ]),
        [
            "note[L-DUPLOC]: `HTTPS://Example.com:443/caf%C3%A9` is listed already, as entry 1 in line 1, which spells it \
             `https://example.com/caf%c3%a9` (L-DUPLOC); list a page once, at line 2, column 11 (byte 122), entry 2 · loc"
        ]
    );
    // One host: only its spelling is reported, and no finding appears once it is corrected.
    let found = check(&[
        entry("https://m\u{FC}ller.example/a"),
        entry("https://xn--mller-kva.example/b"),
    ]);
    assert!(found.len() == 1 && found[0].contains("[P-IDN]"), "{found:?}");
}
