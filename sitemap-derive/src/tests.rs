//! Properties of all generated code.

use syn::{DeriveInput, parse_quote};

use crate::validate::Direction;
use crate::{derive, unless_it_panics};

const BOTH: [(Direction, &str); 2] = [
    (Direction::Write, "SitemapEntry"),
    (Direction::Read, "FromSitemapEntry"),
];

/// With `crate = …`, generated code does not use the library's own name.
#[test]
fn a_renamed_crate_is_not_named() {
    let right: DeriveInput = parse_quote! {
        #[sitemap(crate = renamed, exclude_if = f, include_if = g, base = "https://a", encoding = "euc-jp")]
        enum Page<T> {
            #[sitemap(loc = "/", lastmod = "2024", changefreq = "daily", priority = 0.5)]
            Home,
            #[sitemap(loc = "/{+a}/{b}", changefreq = OFTEN, priority = HIGH)]
            Template { a: T, #[sitemap(write_with = f, read_with = g)] b: u8, #[sitemap(lastmod, zone = "UTC")] c: u8, #[sitemap(exclude_if)] d: T },
            Fields(
                #[sitemap(loc, write_with = f, read_with = g)] T,
                #[sitemap(lastmod)] T,
                #[sitemap(changefreq, default = "daily")] T,
                #[sitemap(priority, default = 0.5, exclude_if = f)] T,
            ),
            Inside(T),
            Plain(#[sitemap(loc, write_with = f, read_with = g)] T, #[sitemap(changefreq)] T, #[sitemap(priority)] T),
        }
    };
    let wrong: DeriveInput = parse_quote! {
        #[sitemap(crate = renamed)]
        struct Page;
    };
    for (input, error) in [(right, false), (wrong, true)] {
        for (direction, name) in BOTH {
            let code = derive(&input, direction).to_string();
            assert_eq!(code.contains("compile_error"), error, "{code}");
            assert!(
                code.contains("impl") && code.contains(&format!("renamed :: {name} for Page")),
                "{code}"
            );
            assert!(!code.contains("sitemap_serde"), "{code}");
        }
    }
}

/// If the path of `crate = …` is invalid, an implementation would only add errors.
#[test]
fn an_unreadable_crate_path_leaves_the_errors_alone() {
    let input = parse_quote! {
        #[sitemap(loc = "/", crate = 5)]
        struct Page;
    };
    for (direction, _) in BOTH {
        let code = derive(&input, direction).to_string();
        assert!(code.contains("compile_error") && !code.contains("impl"), "{code}");
    }
}

/// Tokens of valid and invalid attributes.
const PARTS: [&str; 28] = [
    "loc",
    "lastmod",
    "priority",
    "with",
    "read_with",
    "default",
    "write_with",
    "zone",
    "crate",
    "image",
    "languages",
    "alternate",
    "(\"de\")",
    "base",
    "x",
    "=",
    ",",
    "-",
    "::",
    "::x",
    "\"/\"",
    "\"é\"",
    "0.5",
    "5",
    "(x)",
    "[=]",
    "|a| b",
    "'a'",
];

/// Attributes give code or an error, never a panic: any two parts in any places, and half of the parts
/// allowed in the third.
fn assert_no_panic(source: fn(&str, &str, &str) -> String) {
    let mut tried = 0;
    for (i, a) in PARTS.iter().enumerate() {
        for (j, b) in PARTS.iter().enumerate() {
            for c in PARTS.iter().skip((i + j) % 2).step_by(2) {
                let source = source(a, b, c);
                // Some combinations are not Rust.
                if let Ok(input) = syn::parse_str::<DeriveInput>(&source) {
                    for (direction, _) in BOTH {
                        assert!(!derive(&input, direction).is_empty(), "{source}");
                    }
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 3_000, "{tried}");
}

#[test]
fn any_tokens_on_a_struct_are_taken_or_refused() {
    assert_no_panic(|a, b, c| format!("#[sitemap({a} {b} {c})] struct S {{ x: u8 }}"));
}

#[test]
fn any_tokens_on_a_variant_are_taken_or_refused() {
    assert_no_panic(|a, b, c| format!("enum E {{ #[sitemap({a} {b})] A(#[sitemap({c})] u8) }}"));
}

#[test]
fn any_tokens_on_a_field_are_taken_or_refused() {
    assert_no_panic(|a, b, c| format!("#[sitemap(loc = \"/\")] struct S(#[sitemap({a} {b} {c})] u8);"));
}

/// A defect of the derive is an error at the type, with the address of the project.
#[test]
fn a_panic_says_where_to_report_it() {
    let input: DeriveInput = parse_quote! { struct Page; };
    let code = unless_it_panics(&input, || panic!("a defect")).to_string();
    assert!(code.contains("compile_error"), "{code}");
    assert!(
        code.contains(concat!(env!("CARGO_PKG_REPOSITORY"), "/issues")),
        "{code}"
    );
}
