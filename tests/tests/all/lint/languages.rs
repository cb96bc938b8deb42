//! The languages of alternates: a page has one language, and its address may show it (L-LANGSWAP).

use sitemap_serde::Rule;
use sitemap_serde::lint::{Input, Linter};

use crate::lint::{found_by, urlset};

/// The findings of the rule in documents, as `document: message`.
fn found(documents: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let mut lint = Linter::new().start(|document, diagnostic| {
        if diagnostic.rule() == Rule::LangSwap {
            let position = diagnostic.position().unwrap();
            found.push(format!(
                "{document}:{}: {}",
                position.line(),
                diagnostic.message()
            ));
        }
    });
    for (i, document) in documents.iter().enumerate() {
        let name = format!("{i}.xml");
        lint.document(Input::from_slice(name, document.as_bytes()))
            .unwrap();
    }
    lint.finish().unwrap();
    found
}

/// The entries of a group: each page has the links of the group. A page without a label is listed only for `x-default`.
fn group(links: &[(&str, &str)]) -> String {
    let list = links.iter().fold(String::new(), |list, (label, url)| {
        list + &format!("<xhtml:link rel=\"alternate\" hreflang=\"{label}\" href=\"{url}\"/>")
    });
    let mut urls: Vec<_> = links.iter().map(|(_, url)| *url).collect();
    urls.sort_unstable();
    urls.dedup();
    urls.iter().fold(String::new(), |entries, url| {
        entries + &format!("<url><loc>{url}</loc>{list}</url>\n")
    })
}

fn of_groups(groups: &[&[(&str, &str)]]) -> Vec<String> {
    found(&[urlset(
        &groups.iter().map(|links| group(links)).collect::<String>(),
    )])
}

const E: &str = "https://e.com";

fn at(paths: &[(&'static str, &str)]) -> Vec<(&'static str, String)> {
    paths
        .iter()
        .map(|(label, path)| (*label, format!("{E}{path}")))
        .collect()
}

fn of_paths(paths: &[(&'static str, &str)]) -> Vec<String> {
    let links = at(paths);
    let links: Vec<_> = links.iter().map(|(label, url)| (*label, &**url)).collect();
    of_groups(&[&links])
}

#[test]
fn labels_that_agree_with_each_other_and_with_addresses() {
    for paths in [
        &[
            ("en", "/en/a"),
            ("de", "/de/a"),
            ("ja", "/ja/a"),
            ("x-default", "/en/a"),
        ][..],
        // Regions of one language.
        &[("en-GB", "/a"), ("en-US", "/a"), ("de", "/de/a")],
        &[("zh-Hans", "/zh-hans/"), ("zh-TW", "/zh-hant/"), ("en", "/en/")],
        // The default language has no prefix.
        &[("en", "/a"), ("de", "/de/a"), ("fr", "/fr/a")],
        // Countries.
        &[
            ("de-AT", "/at/"),
            ("de-CH", "/ch/de/"),
            ("fr-CH", "/ch/fr/"),
            ("sv-SE", "/se/"),
        ],
        &[
            ("sv", "/se/a"),
            ("da", "/dk/a"),
            ("cs", "/cz/a"),
            ("et", "/ee/a"),
            ("sl", "/si/a"),
        ],
        &[
            ("nl-BE", "/be-nl/"),
            ("fr-BE", "/be-fr/"),
            ("nl", "/nl-nl/"),
            ("en-CA", "/ca/"),
        ],
        &[
            ("pt-BR", "/br/"),
            ("es-AR", "/ar/"),
            ("es", "/es/"),
            ("en", "/en/"),
        ],
        // Former codes, and one language with two codes.
        &[("he", "/iw/"), ("id", "/in/"), ("nb", "/no/"), ("en", "/en/")],
        // Words that are codes, elsewhere in the path.
        &[("en", "/en/it/"), ("de", "/de/it/"), ("it", "/it/it/")],
        &[("en", "/en/is/it/"), ("de", "/de/so/"), ("fr", "/fr/is/")],
        // Nothing shows a language.
        &[("en", "/hello"), ("de", "/hallo"), ("it", "/so")],
        &[("en", "/?lang=de"), ("de", "/?lang=en")],
        // No languages.
        &[("x-default", "/"), ("xx", "/de/"), ("en", "/en/")],
    ] {
        assert_eq!(of_paths(paths), [""; 0], "{paths:?}");
    }
    let hosts: &[(&str, &str)] = &[
        ("en", "https://www.e.com/"),
        ("de", "https://de.e.com/"),
        ("ja", "https://ja.e.com/"),
    ];
    assert_eq!(of_groups(&[hosts]), [""; 0]);
}

#[test]
fn an_address_that_contradicts_its_label() {
    for (paths, expected) in [
        (
            &[("en", "/en/a"), ("de", "/de/a"), ("ja", "/ko/a")][..],
            vec![
                "0:5: `https://e.com/ko/a` has the hreflang `ja`, and `ko` in its address means `ko`, as in the addresses of other \
                  alternates (L-LANGSWAP); correct the label, or the address",
            ],
        ),
        (
            &[("en", "/en/a"), ("de", "/de/a"), ("ja", "/ko/a"), ("ko", "/ja/a")],
            vec![
                "0:3: `https://e.com/ko/a` has the hreflang `ja`, and `ko` in its address means `ko`, as in the addresses of other \
                 alternates (L-LANGSWAP); correct the label, or the address",
                "0:3: `https://e.com/ja/a` has the hreflang `ko`, and `ja` in its address means `ja`, as in the addresses of other \
                 alternates (L-LANGSWAP); correct the label, or the address",
            ],
        ),
        (
            &[
                ("en", "/shop/en-us/"),
                ("fr", "/shop/fr_FR/"),
                ("es", "/shop/fr-ca/"),
                ("de", "/shop/de/"),
            ],
            vec![
                "0:3: `https://e.com/shop/fr-ca/` has the hreflang `es`, and `fr-ca` in its address means `fr`, as in the addresses \
                  of other alternates (L-LANGSWAP); correct the label, or the address",
            ],
        ),
    ] {
        let found = of_paths(paths);
        let without_line = |text: &str| text.split_once(": ").map(|(_, text)| text.to_owned());
        let texts: Vec<_> = found.iter().map(|text| without_line(text)).collect();
        let expected: Vec<_> = expected.iter().map(|text| without_line(text)).collect();
        assert_eq!(texts, expected, "{paths:?}");
    }
    let hosts: &[(&str, &str)] = &[
        ("en", "https://en.e.com/"),
        ("de", "https://de.e.com/"),
        ("ja", "https://ko.e.com/"),
    ];
    assert_eq!(
        of_groups(&[hosts]),
        [
            "0:3: `https://ko.e.com/` has the hreflang `ja`, and `ko` in its address means `ko`, as in the addresses of other alternates \
          (L-LANGSWAP); correct the label, or the address"
        ]
    );
}

#[test]
fn a_swapped_label_in_a_document() {
    let links = [
        ("en", "https://e.com/en/a"),
        ("ja", "https://e.com/ko/a"),
        ("x-default", "https://e.com/en/a"),
    ];
    insta::assert_snapshot!(found_by(&Linter::new(), urlset(&group(&links))).join("\n"));
}

/// The scheme of the set decides in a group of two pages with both labels wrong.
#[test]
fn other_groups_show_the_scheme() {
    let right = at(&[("ja", "/ja/1"), ("ko", "/ko/1")]);
    let right: Vec<_> = right.iter().map(|(label, url)| (*label, &**url)).collect();
    let more = at(&[("ja", "/ja/2"), ("ko", "/ko/2")]);
    let more: Vec<_> = more.iter().map(|(label, url)| (*label, &**url)).collect();
    let wrong = at(&[("ja", "/ko/3"), ("ko", "/ja/3")]);
    let wrong: Vec<_> = wrong.iter().map(|(label, url)| (*label, &**url)).collect();
    assert_eq!(of_groups(&[&wrong]), [""; 0]);
    assert_eq!(of_groups(&[&right, &more, &wrong]).len(), 2);
}

#[test]
fn a_page_with_two_languages() {
    let one = group(&[("en", "https://e.com/1"), ("fr", "https://e.com/2")]);
    let other = group(&[("en", "https://e.com/1"), ("de", "https://e.com/2")]);
    let conflict = |place: &str, line: &str| {
        format!(
            "{place}: `https://e.com/2` has the hreflang `de`, and its language is `fr` in {line} (L-LANGSWAP); give all links to a page \
             its one language"
        )
    };
    // Within a group.
    assert_eq!(
        of_groups(&[&[
            ("fr", "https://e.com/2"),
            ("en", "https://e.com/1"),
            ("de", "https://e.com/2")
        ]]),
        [conflict("0:3", "entry 1 in line 3")]
    );
    // In one document, and in two.
    assert_eq!(
        found(&[urlset(&format!("{one}{other}"))]),
        [conflict("0:5", "entry 1 in line 3")]
    );
    assert_eq!(
        found(&[urlset(&one), urlset(&other)]),
        [conflict("1:3", "entry 1 in line 3 of 0.xml")]
    );
    // The page's own entry gives another language than the link to it.
    let link = |label: &str, url: &str| {
        format!("<xhtml:link rel=\"alternate\" hreflang=\"{label}\" href=\"https://e.com/{url}\"/>")
    };
    let entries = urlset(&format!(
        "<url><loc>https://e.com/1</loc>{}{}</url>\n<url><loc>https://e.com/2</loc>{}{}</url>",
        link("en", "1"),
        link("fr", "2"),
        link("en", "1"),
        link("de", "2")
    ));
    assert_eq!(found(&[entries]), [conflict("0:4", "entry 1 in line 3")]);
}

/// Where every label of two languages is exchanged, no address agrees with its label.
#[test]
fn labels_that_are_always_exchanged() {
    let groups: Vec<Vec<(&str, String)>> = (0..3)
        .map(|page| {
            let url = |language: &str| format!("{E}/{language}/{page}");
            vec![("ja", url("ko")), ("ko", url("ja"))]
        })
        .collect();
    let entries: String = groups
        .iter()
        .map(|links| {
            group(
                &links
                    .iter()
                    .map(|(label, url)| (*label, &**url))
                    .collect::<Vec<_>>(),
            )
        })
        .collect();
    let found = found(&[urlset(&entries)]);
    assert_eq!(found.len(), 6, "{found:?}");
    assert_eq!(
        found[0],
        "0:3: `https://e.com/ko/0` has the hreflang `ja`, and `ko` in its address means `ko`, and the addresses with `ja` have the \
         hreflang of `ko`: the two labels are exchanged (L-LANGSWAP); correct the label, or the address"
    );
}
