//! Findings of a lint for the named search engines.

use std::collections::BTreeSet;

use sitemap_serde::engine::{Engine, Stance};
use sitemap_serde::lint::{Linter, Severity};
use sitemap_serde::{Diagnostic, Rule};

use crate::lint::{HEAD, entry, found_by, linter, listed, page, urlset};

/// The findings for these engines.
fn found_for(engines: &[Engine], document: impl AsRef<[u8]>) -> Vec<String> {
    found_by(linter().engines(engines.iter().copied()), document)
}

const NONE: &[&str] = &[];

#[test]
fn bing_asks_for_a_time() {
    let days = urlset(
        "<url><loc>https://example.com/a</loc><lastmod>2026-05-01</lastmod></url>\n\
         <url><loc>https://example.com/b</loc><lastmod>2026-05-02</lastmod></url>\n\
         <url><loc>https://example.com/c</loc><lastmod>2026-05-02T09:30:00Z</lastmod></url>\n",
    );
    insta::assert_snapshot!(found_for(&[Engine::Bing], &days).join("\n"));
    assert_eq!(found_for(&[Engine::Google, Engine::Yandex], &days), NONE);
    assert_eq!(found_for(&[], &days), NONE);
    assert_eq!(
        found_for(&[Engine::Bing], page("<lastmod>2026-05-02T09:30Z</lastmod>")).len(),
        1
    );
}

#[test]
fn yandex_reads_neither_feeds_nor_videos() {
    let feed = format!(
        "{HEAD}<rss version=\"2.0\"><channel><item><link>https://example.com/a</link></item></channel></rss>"
    );

    assert_eq!(found_for(&[Engine::Google, Engine::Bing], &feed), NONE);
    let video = page(
        "<video:video><video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc><video:title>T</video:title>\
         <video:description>D</video:description><video:content_loc>https://example.com/v.mp4</video:content_loc></video:video>",
    );
    let cases = [
        ("a feed", found_for(&[Engine::Yandex], &feed)),
        ("a video", found_for(&[Engine::Yandex], &video)),
    ];
    insta::assert_snapshot!(listed(cases));
    assert_eq!(found_for(&[Engine::Google], &video), NONE);
}

#[test]
fn yandex_reads_short_values() {
    let priority = |bytes: usize| page(&format!("<priority>0.5{}</priority>", "0".repeat(bytes - 3)));
    assert_eq!(found_for(&[Engine::Yandex], priority(100)), NONE);
    assert_eq!(
        found_for(&[Engine::Yandex], priority(101)),
        [
            "warning[L-ENGINE]: a `priority` of 101 bytes: Yandex reads at most 100 (L-ENGINE); write it in fewer digits, at line 3, \
             column 47 (byte 439), entry 1 · priority"
        ]
    );
    // The message about Bing only mentions that it ignores the value.
    let found = found_for(&[Engine::Bing], priority(101));
    assert!(
        found.iter().all(|found| found.starts_with("note[L-IGNORED]")),
        "{found:?}"
    );
}

#[test]
fn baidu_reads_shorter_locs_and_smaller_documents() {
    let loc = |bytes: usize| format!("https://example.com/{}", "a".repeat(bytes - 20));
    assert_eq!(found_for(&[Engine::Baidu], urlset(&entry(&loc(256)))), NONE);

    assert_eq!(found_for(&[Engine::Google], urlset(&entry(&loc(257)))), NONE);

    let most = usize::try_from(Engine::Baidu.most_bytes().unwrap()).unwrap();
    let of_bytes = |bytes: usize| {
        let mut document = urlset(&entry("https://example.com/"));
        let comment = format!("<!--{}-->", "a".repeat(993));
        document.push_str(&comment.repeat((bytes - document.len()) / comment.len()));
        let rest = bytes - document.len();
        document + &" ".repeat(rest)
    };
    assert_eq!(found_for(&[Engine::Baidu], of_bytes(most)), NONE);
    let cases = [
        ("a loc", found_for(&[Engine::Baidu], urlset(&entry(&loc(257))))),
        ("a document", found_for(&[Engine::Baidu], of_bytes(most + 1))),
    ];
    insta::assert_snapshot!(listed(cases));
    assert_eq!(
        found_for(&[Engine::Google, Engine::Bing], of_bytes(most + 1)),
        NONE
    );
}

/// A rule applies unless every named engine accepts its violation, for any set of engines.
#[test]
fn rules_that_no_named_engine_minds_find_nothing() {
    // Broken: P-PRIOALL, L-IGNORED, P-LOCENC, L-FRAGMENT.
    let entries: Vec<String> = (0..12)
        .map(|i| format!("<url><loc>https://example.com/{i}/ä#a</loc><priority>0.9</priority></url>\n"))
        .collect();
    let document = urlset(&entries.concat());
    let rules = |engines: &[Engine]| -> BTreeSet<Rule> {
        let found = Linter::new()
            .engines(engines.iter().copied())
            .check(document.as_bytes());
        found.iter().map(Diagnostic::rule).collect()
    };
    let all = rules(&[]);
    assert_eq!(
        all,
        BTreeSet::from([Rule::PrioAll, Rule::Ignored, Rule::LocEnc, Rule::Fragment])
    );
    for set in 1_u32..64 {
        let engines: Vec<Engine> = Engine::ALL
            .into_iter()
            .enumerate()
            .filter(|(i, _)| set & (1 << i) != 0)
            .map(|(_, engine)| engine)
            .collect();
        let minded = |rule: &Rule| engines.iter().any(|engine| engine.on(*rule) != Stance::Takes);
        let expected: BTreeSet<Rule> = all.iter().copied().filter(minded).collect();
        assert_eq!(rules(&engines), expected, "{engines:?}");
    }
    // The user's settings apply to all engines.
    let mut linter = Linter::new();
    linter
        .engines([Engine::Yandex])
        .level(Rule::Ignored, Some(Severity::Error));
    assert!(
        linter
            .check(document.as_bytes())
            .iter()
            .any(|found| found.rule() == Rule::Ignored)
    );
}

#[test]
fn xslt_is_found_for_all() {
    let styled = |instruction: &str| page("").replacen("?>\n", &format!("?>\n{instruction}\n"), 1);
    let xslt = styled("<?xml-stylesheet type=\"text/xsl\" href=\"/sitemap.xsl\"?>");
    let found = found_for(&[], &xslt);
    for engines in [&[Engine::Google][..], &Engine::ALL] {
        assert_eq!(found_for(engines, &xslt), found);
    }
    insta::assert_snapshot!(found.join("\n"));
    assert_eq!(
        found_for(
            &[],
            styled("<?xml-stylesheet type=\"text/css\" href=\"/sitemap.css\"?>")
        ),
        NONE
    );
}
