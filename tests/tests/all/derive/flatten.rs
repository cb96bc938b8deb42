//! Fields whose own fields have the values: embedded, joined and nested by ORMs.

use std::fmt::Display;

use sitemap_serde::{Alternate, EntryWriter, Rule, SitemapEntry, SitemapFields, UrlEntry};

use crate::derive::tools::{entry, refused, writer};

#[derive(SitemapFields, SitemapEntry, Clone, Default)]
#[sitemap(loc = "/p/{slug}", image = "/img/{photo}.jpg", exclude_if = Self::is_hidden)]
struct Product {
    slug: String,
    #[sitemap(lastmod, precision = "day")]
    updated_at: Option<String>,
    #[sitemap(priority, default = 0.25)]
    rank: Option<f64>,
    photo: Option<u32>,
    #[sitemap(image)]
    pictures: Vec<String>,
    r#type: u8,
}

impl Product {
    fn is_hidden(&self) -> bool {
        self.slug.is_empty()
    }
}

#[derive(SitemapFields)]
struct Translations {
    #[sitemap(alternate)]
    links: Vec<Alternate>,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{shop}/{product.slug}-{product.type}", changefreq = "daily")]
struct Listing {
    shop: &'static str,
    #[sitemap(flatten)]
    product: Product,
    #[sitemap(flatten)]
    translations: Translations,
}

fn product() -> Product {
    Product {
        slug: "a/b".to_owned(),
        updated_at: Some("2024-05-06T07:08:09Z".to_owned()),
        rank: Some(0.1 + 0.2),
        photo: Some(7),
        pictures: vec!["/x.jpg".to_owned()],
        r#type: 3,
    }
}

#[test]
fn values_and_placeholders() {
    let listing = Listing {
        shop: "north",
        product: product(),
        translations: Translations {
            links: vec![Alternate::new("de", "https://example.com/de")],
        },
    };
    let mut expected = UrlEntry::new("https://example.com/north/a%2Fb-3");
    expected.lastmod = Some("2024-05-06".parse().unwrap());
    expected.changefreq = Some("daily".parse().unwrap());
    expected.priority = Some("0.3".parse().unwrap());
    expected.images = vec![
        sitemap_serde::Image::new("https://example.com/img/7.jpg"),
        sitemap_serde::Image::new("https://example.com/x.jpg"),
    ];
    expected.alternates = listing.translations.links.clone();
    assert_eq!(entry(&listing), expected);
    // It also has its own page, with the same attributes.
    assert_eq!(entry(&product()).loc, "https://example.com/p/a%2Fb");
    assert!(!Product::default().is_listed());
    // A part of a row is listed if the row is.
    let listing = Listing {
        product: Product::default(),
        ..listing
    };
    assert!(listing.is_listed());
    assert_eq!(entry(&listing).images, []);
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{product.slug}", image = "/big/{+product.photo}.jpg")]
struct Perhaps {
    #[sitemap(flatten)]
    product: Option<Box<Product>>,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", image = "/big/{product.photo}.jpg")]
struct Joined {
    id: u32,
    #[sitemap(flatten)]
    product: Option<Product>,
}

#[test]
fn an_option() {
    let perhaps = Perhaps {
        product: Some(Box::new(product())),
    };
    let found = entry(&perhaps);
    assert_eq!(found.loc, "https://example.com/a%2Fb");
    assert_eq!(found.images[0].loc, "https://example.com/big/7.jpg");
    let (message, rule) = refused(&Perhaps { product: None });
    assert_eq!(
        message,
        "`product` is `None`, and the template needs its `slug` (P-LOC); leave such entries out with \
         `#[sitemap(exclude_if = Option::is_none)]` on the field; where the page exists without it, write `{product.slug?}`, entry 1 · loc"
    );
    assert_eq!(rule, Some(Rule::Loc));
    // An image without its name is absent.
    assert_eq!(
        entry(&Joined { id: 1, product: None }),
        UrlEntry::new("https://example.com/1")
    );
    let without = Product {
        photo: None,
        ..product()
    };
    let joined = Joined {
        id: 1,
        product: Some(without),
    };
    let images: Vec<String> = entry(&joined).images.into_iter().map(|image| image.loc).collect();
    assert_eq!(images, ["https://example.com/x.jpg"]);
}

/// Like SeaORM's `HasOne`: not an `Option`, but it contains one.
enum HasOne<T> {
    Unloaded,
    Loaded(T),
}

impl<T> HasOne<T> {
    fn loaded(&self) -> Option<&T> {
        match self {
            HasOne::Unloaded => None,
            HasOne::Loaded(value) => Some(value),
        }
    }
}

#[derive(SitemapEntry)]
enum Page {
    #[sitemap(loc = "/{0.slug}/{1}")]
    Of(
        #[sitemap(flatten, write_with = HasOne::loaded)] HasOne<Product>,
        u8,
    ),
    #[sitemap(loc = "/all", lastmod = "2024")]
    All {
        #[sitemap(flatten, write_with = first)]
        products: Vec<Product>,
    },
}

fn first(products: &[Product]) -> Option<&Product> {
    products.first()
}

#[derive(SitemapFields)]
struct Deep<P> {
    #[sitemap(flatten)]
    inner: P,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{deep.inner.slug}")]
struct Generic<'a, P>
where
    P: AsRef<str>,
{
    #[sitemap(flatten)]
    deep: Deep<&'a Product>,
    name: P,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{0}")]
struct OfAny<T: Display, F>(T, #[sitemap(flatten)] Option<F>);

#[test]
fn functions_enums_and_generics() {
    let page = Page::Of(HasOne::Loaded(product()), 5);
    assert_eq!(entry(&page).loc, "https://example.com/a%2Fb/5");
    assert_eq!(entry(&page).images.len(), 2);
    let (message, _) = refused(&Page::Of(HasOne::Unloaded, 5));
    assert!(
        message.starts_with("`0` is `None`, and the template needs its `slug`"),
        "{message}"
    );
    // The result of a function is only known at run time, so two lastmods are an error of the entry.
    let (message, rule) = refused(&Page::All {
        products: vec![product()],
    });
    assert_eq!(
        message,
        "a second `lastmod`: an entry has at most one (P-DUP); write only one, entry 1 · lastmod, \
         loc `https://example.com/all`"
    );
    assert_eq!(rule, Some(Rule::Dup));
    assert_eq!(
        entry(&Page::All { products: vec![] }).loc,
        "https://example.com/all"
    );
    let product = product();
    let generic = Generic {
        deep: Deep { inner: &product },
        name: "x",
    };
    assert_eq!(entry(&generic).loc, "https://example.com/a%2Fb");
    assert_eq!(entry(&generic).priority, Some("0.3".parse().unwrap()));
    assert_eq!(generic.name, "x");
    assert_eq!(entry(&OfAny(1, Some(&product))).images.len(), 2);
}

struct ByHand(&'static str);

impl SitemapFields for ByHand {
    fn write_fields(&self, entry: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
        entry.lastmod(self.0)
    }
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/x", lastmod = "2024")]
struct OfHand(#[sitemap(flatten)] ByHand);

#[test]
fn what_is_not_known_before_is_found_when_it_is_written() {
    let (_, rule) = refused(&OfHand(ByHand("2025")));
    assert_eq!(rule, Some(Rule::Dup));
}

#[derive(SitemapEntry)]
#[sitemap(
    loc = "/{lang}/{product.slug}",
    languages("de", "en"),
    image = "/{lang}/{product.photo}.jpg"
)]
struct Everywhere {
    #[sitemap(flatten)]
    product: Product,
}

#[test]
fn in_every_language() {
    let entries = writer().to_entries(&Everywhere { product: product() }).unwrap();
    assert_eq!(entries.len(), 2);
    for (entry, language) in entries.iter().zip(["de", "en"]) {
        assert_eq!(entry.loc, format!("https://example.com/{language}/a%2Fb"));
        assert_eq!(
            entry.images[0].loc,
            format!("https://example.com/{language}/7.jpg")
        );
        assert_eq!(entry.alternates.len(), 2);
        assert_eq!(entry.lastmod, Some("2024-05-06".parse().unwrap()));
    }
}
