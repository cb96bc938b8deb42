//! What derived types read.
#![allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "`with` and `exclude_if` hand over references"
)]

use std::borrow::Cow;
use std::fmt::Debug;
use std::rc::Rc;
use std::sync::Arc;
use std::time::SystemTime;

use sitemap_serde::{
    ChangeFreq, Error, FromChangeFreq, FromSitemapEntry, IndexEntry, Priority, Reader, ReaderBuilder, Record,
    SitemapEntry, ToChangeFreq, UrlEntry, W3cDateTime, WriterBuilder,
};

const BASE: &str = "https://example.com";

/// A urlset with one entry.
fn document(entry: &str) -> String {
    format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n<url>{entry}</url>\n</urlset>"
    )
}

/// The one entry of a urlset.
fn read<T: FromSitemapEntry>(entry: &str) -> Result<T, Error> {
    Reader::from_str(&document(entry)).read().next().unwrap()
}

fn read_loc<T: FromSitemapEntry>(loc: &str) -> Result<T, Error> {
    read(&format!("<loc>{loc}</loc>"))
}

#[track_caller]
fn assert_refused<T: FromSitemapEntry + Debug>(entry: &str, message: &str) {
    assert_eq!(read::<T>(entry).unwrap_err().to_string(), message);
}

/// What is written is read as what it was.
#[track_caller]
fn assert_same<T: SitemapEntry + FromSitemapEntry + PartialEq + Debug>(entry: &T) {
    let mut writer = WriterBuilder::new().base(BASE).from_writer(Vec::new());
    writer.write(entry).unwrap();
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    for builder in [&ReaderBuilder::new(), ReaderBuilder::new().base(BASE)] {
        let read: T = builder.from_str(&xml).read().next().unwrap().unwrap();
        assert_eq!(read, *entry, "{xml}");
    }
}

#[derive(SitemapEntry, FromSitemapEntry, Clone, PartialEq, Debug)]
#[sitemap(loc = "/products/{slug}", changefreq = "weekly", priority = 0.8)]
struct Product {
    id: i64,
    slug: String,
    #[sitemap(lastmod)]
    updated_at: Option<chrono::DateTime<chrono::Utc>>,
    #[sitemap(exclude_if)]
    draft: bool,
    #[sitemap(include_if)]
    public: bool,
}

fn product(slug: &str) -> Product {
    Product {
        id: 0,
        slug: slug.to_owned(),
        updated_at: None,
        draft: false,
        public: true,
    }
}

#[test]
fn a_row_and_back() {
    assert_same(&product("lamp & shade"));
    assert_same(&Product {
        updated_at: Some("2024-05-06T07:08:09.250Z".parse().unwrap()),
        ..product("50% サ/?#")
    });
    // The type's own literals say what is written, not what is expected.
    let other = read("<loc>http://shop.example/products/x</loc><changefreq>daily</changefreq>");
    assert_eq!(other.unwrap(), product("x") as Product);
}

#[test]
fn a_loc_that_does_not_match_says_why() {
    assert_refused::<Product>(
        "<loc>https://example.com/about</loc>",
        "`https://example.com/about` does not match the template `/products/{slug}`: its path does not begin with \
         `/products/`; an enum with a variant for each kind of page reads them all, at line 2, column 11 (byte 74), \
         entry 1 · loc",
    );
    assert_refused::<Product>(
        "<loc>https://example.com/products/a/b</loc>",
        "`https://example.com/products/a/b` does not match the template `/products/{slug}`: `{slug}` holds no `/`, and \
         `a/b` does; an enum with a variant for each kind of page reads them all, at line 2, column 11 (byte 74), \
         entry 1 · loc",
    );
    assert_refused::<Product>(
        "<loc>/products/a</loc>",
        "`/products/a` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` \
         (P-LOC); write it whole, or give the writer a base and begin it with `/`, at line 2, column 11 (byte 74), \
         entry 1 · loc",
    );
    assert_refused::<Product>(
        "<loc>https://example.com/products/%A5%B5</loc>",
        "`%A5%B5` is no value of `{slug}`: it is not percent-encoded as UTF-8 (P-LOCENC), at line 2, column 11 \
         (byte 74), entry 1 · loc",
    );
    assert_refused::<Product>(
        "<loc>https://example.com/products/a</loc><lastmod>2024-05-06</lastmod>",
        "`2024-05-06` does not convert to `chrono::DateTime<Utc>`: it has no time and no zone; write both, or call \
         `assume_utc` for the start of it in UTC, at line 2, column 59 (byte 122), entry 1 · lastmod",
    );
    assert_refused::<Product>(
        "<loc>https://example.com/products/a</loc><lastmod>yesterday</lastmod>",
        "`yesterday` is not a W3C Datetime: it is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm[:ss[.s]]` and a \
         zone, `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write it like that, as in `2024-05-06T07:08:09Z`, at line 2, \
         column 59 (byte 122), entry 1 · lastmod",
    );
}
