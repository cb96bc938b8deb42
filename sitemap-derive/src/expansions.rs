//! Snapshot tests of the generated code for some types.
//!
//! `EXPANSIONS=overwrite cargo test -p sitemap-derive expansions` updates them; review the diff.

use std::path::Path;
use std::{env, fs};

use proc_macro2::{Group, Ident, Spacing, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::DeriveInput;

use crate::derive;
use crate::validate::Direction;

/// The primitive types, and the names in the prelude.
const NAMES: &str = "bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 \
    Box Option Result String Vec Err None Ok Some drop size_of \
    AsMut AsRef Clone Copy Default DoubleEndedIterator Drop Eq ExactSizeIterator Extend Fn FnMut FnOnce From FromIterator Into \
    IntoIterator Iterator Ord PartialEq PartialOrd Send Sized Sync ToOwned ToString TryFrom TryInto Unpin \
    assert assert_eq concat debug_assert format matches panic stringify todo unimplemented unreachable vec write";

fn is_common(name: &Ident) -> bool {
    NAMES.split_whitespace().any(|known| name == known)
}

/// The user's code, with its own names instead of common names.
fn renamed(tokens: TokenStream) -> TokenStream {
    let tokens = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(name) if is_common(&name) => format_ident!("Own{name}").into(),
        TokenTree::Group(group) => Group::new(group.delimiter(), renamed(group.stream())).into(),
        token => token,
    });
    tokens.collect()
}

/// The common names written without a path: a user's item with the name would be used instead.
fn unqualified(tokens: TokenStream, found: &mut Vec<String>) {
    let is_colon = |token: &TokenTree, spacing| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':' && punct.spacing() == spacing);
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (i, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(name) if is_common(name) => {
                let is_qualified = matches!(&tokens[..i], [.., first, second]
                    if is_colon(first, Spacing::Joint) && is_colon(second, Spacing::Alone));
                if !is_qualified {
                    found.push(name.to_string());
                }
            }
            TokenTree::Group(group) => unqualified(group.stream(), found),
            _ => {}
        }
    }
}

/// A user's items may have any name, so generated code uses full paths for the standard library.
#[track_caller]
fn assert_hygienic(input: &TokenStream, directions: &[Direction]) {
    let parsed: DeriveInput = syn::parse2(renamed(input.clone())).unwrap();
    for direction in directions {
        let mut found = Vec::new();
        unqualified(derive(&parsed, *direction), &mut found);
        assert_eq!(found, [""; 0]);
    }
}

#[test]
fn names_without_paths_are_found() {
    let mut found = Vec::new();
    unqualified(
        quote!(
            fn f(x: bool) -> ::core::primitive::bool {
                Some::<::std::string::String>(x.ok())
            }
        ),
        &mut found,
    );
    assert_eq!(found, ["bool", "Some"]);
}

#[track_caller]
fn assert_written(name: &str, input: &TokenStream) {
    assert_hygienic(input, &[Direction::Write]);
    let parsed: DeriveInput = syn::parse2(input.clone()).unwrap();
    let code = prettyplease::unparse(&syn::parse2(derive(&parsed, Direction::Write)).unwrap());
    let input = prettyplease::unparse(&syn::parse2(quote!(#[derive(SitemapEntry)] #input)).unwrap());
    assert_file(name, &format!("{input}\n{code}"));
}

#[track_caller]
fn assert_expansion(name: &str, input: &TokenStream) {
    assert_hygienic(input, &[Direction::Write, Direction::Read]);
    let parsed: DeriveInput = syn::parse2(input.clone()).unwrap();
    let expansion = |direction| {
        let file = syn::parse2(derive(&parsed, direction)).unwrap();
        prettyplease::unparse(&file)
    };
    let input = prettyplease::unparse(
        &syn::parse2(quote!(#[derive(SitemapEntry, FromSitemapEntry)] #input)).unwrap(),
    );
    let found = format!(
        "{input}\n// `SitemapEntry`\n{}\n// `FromSitemapEntry`\n{}",
        expansion(Direction::Write),
        expansion(Direction::Read)
    );
    assert_file(name, &found);
}

#[track_caller]
fn assert_file(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("expansions")
        .join(name)
        .with_extension("rs");
    if env::var_os("EXPANSIONS").is_some_and(|value| value == "overwrite") {
        fs::write(&path, found).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap();
    assert_eq!(found, expected, "{}", path.display());
}

#[test]
fn a_row() {
    assert_expansion(
        "row",
        &quote! {
            #[sitemap(loc = "/products/{id}-{slug}", changefreq = "weekly", priority = 0.8)]
            struct Product {
                id: i64,
                slug: String,
                #[sitemap(lastmod)]
                updated_at: Option<DateTime<Utc>>,
                #[sitemap(exclude_if)]
                draft: bool,
                stock: u32,
            }
        },
    );
}

#[test]
fn a_row_with_a_part() {
    assert_written(
        "flatten",
        &quote! {
            #[sitemap(loc = "/{shop}/{product.slug}", priority = 0.5 + BOOST, image = "/img/{product.photo}.jpg")]
            struct Listing {
                shop: String,
                #[sitemap(flatten)]
                product: Option<Product>,
                #[sitemap(flatten, write_with = HasOne::loaded)]
                seller: HasOne<Seller>,
            }
        },
    );
}

#[test]
fn a_part_of_a_row() {
    let input = quote! {
        #[sitemap(changefreq = "daily")]
        struct Product<S> {
            slug: String,
            #[sitemap(lastmod, precision = "second")]
            updated_at: Option<DateTime<Utc>>,
            #[sitemap(flatten)]
            seller: S,
        }
    };
    assert_hygienic(&input, &[Direction::Fields, Direction::FromFields]);
    let parsed: DeriveInput = syn::parse2(input.clone()).unwrap();
    let [write, read] = [Direction::Fields, Direction::FromFields]
        .map(|direction| prettyplease::unparse(&syn::parse2(derive(&parsed, direction)).unwrap()));
    let input = quote!(#[derive(SitemapFields, FromSitemapFields)] #input);
    let input = prettyplease::unparse(&syn::parse2(input).unwrap());
    assert_file(
        "fields",
        &format!("{input}\n// `SitemapFields`\n{write}\n// `FromSitemapFields`\n{read}"),
    );
}

#[test]
fn a_row_of_several_entries_and_a_video() {
    assert_expansion(
        "film",
        &quote! {
            #[sitemap(
                loc = "/{lang}/{studio.id}/{+slug}?of={studio.id}",
                video(
                    thumbnail_loc = "/{studio.id}.jpg",
                    title = "{name} ({lang})",
                    description = Self::about,
                    content_loc = "/{id}.mp4",
                    player_loc = Self::player,
                    duration = "{seconds}",
                    publication_date = "{released}"
                )
            )]
            struct Film {
                id: u32,
                name: String,
                seconds: Option<u32>,
                released: NaiveDate,
                #[sitemap(flatten)]
                studio: Option<Studio>,
                #[sitemap(languages(slug))]
                slugs: Vec<(String, String)>,
            }
        },
    );
}

#[test]
fn a_generic_type_with_every_key() {
    assert_expansion(
        "every_key",
        &quote! {
            #[sitemap(crate = facade::sitemaps, include_if = Self::is_shown)]
            struct Page<'a, L, N: Clone>
            where
                L: AsRef<str>,
            {
                #[sitemap(loc, write_with = whole, read_with = path)]
                url: L,
                #[sitemap(lastmod, zone = "+09:00")]
                changed: N,
                #[sitemap(changefreq, default = "monthly")]
                often: Option<Often>,
                #[sitemap(priority, default = LOW)]
                boost: Option<f32>,
                #[sitemap(exclude_if = str::is_empty)]
                title: Cow<'a, str>,
            }
        },
    );
}

#[test]
fn an_article_of_a_server_in_another_encoding() {
    assert_expansion(
        "article",
        &quote! {
            #[sitemap(loc = "/地図/{id}", base = "https://example.com", encoding = "euc-jp")]
            struct Article<P> {
                id: u32,
                #[sitemap(image)]
                photo_url: Option<String>,
                #[sitemap(news, write_with = news, read_with = headline)]
                headline: String,
                #[sitemap(video)]
                films: Vec<Video>,
                #[sitemap(alternate)]
                translations: P,
            }
        },
    );
}

#[test]
fn an_enum() {
    assert_expansion(
        "enum",
        &quote! {
            enum Page {
                #[sitemap(loc = "/about", lastmod = "2024-05-06", priority = HIGH)]
                About,
                Product(Product),
                #[sitemap(loc = "/{+0}/{1}?page={2}&of={1}")]
                Listing(String, #[sitemap(write_with = slug, read_with = name)] String, Option<u8>),
                #[sitemap(loc = "/posts/{slug}")]
                Post {
                    slug: String,
                    #[sitemap(include_if)]
                    public: bool,
                },
            }
        },
    );
}

/// Attributes that only `SitemapEntry` accepts.
#[test]
fn pages_in_languages_and_functions() {
    assert_written(
        "languages",
        &quote! {
            enum Page {
                #[sitemap(loc = "/{lang}/{slug}", languages("de", "en"), x_default = "en", image = "/img/{id}.jpg")]
                Article { id: u32, slug: String },
                #[sitemap(loc = "/{lang}/{slug}")]
                Product {
                    #[sitemap(languages(slug), write_with = pairs)]
                    names: Vec<Name>,
                },
                #[sitemap(
                    loc = Self::url,
                    lastmod = Self::updated,
                    priority = rank,
                    image = Self::pictures,
                    news = Self::article,
                    alternate(template = "/{lang}", languages("de", "en"))
                )]
                Computed,
            }
        },
    );
}
