//! Bounds are added only for the types of used fields.
#![allow(dead_code)]

use std::borrow::Cow;
use std::fmt::Display;
use std::marker::PhantomData;

use sitemap_serde::SitemapEntry;

struct NotDisplayed;

struct News(sitemap_serde::News);

impl sitemap_serde::convert::ToElements<sitemap_serde::News> for News {
    fn write_elements(&self, entry: &mut sitemap_serde::EntryWriter<'_>) -> sitemap_serde::Result<()> {
        entry.news(&self.0)
    }
}

impl AsRef<str> for News {
    fn as_ref(&self) -> &str {
        "de"
    }
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}/{number}")]
struct Product<'a, S, N: ?Sized, Unused, const LEN: usize = 3>
where
    Unused: Clone,
{
    slug: S,
    number: &'a N,
    unused: PhantomData<Unused>,
    bytes: [u8; LEN],
}

#[derive(SitemapEntry)]
struct Fields<L, D, F, P> {
    #[sitemap(loc)]
    loc: L,
    #[sitemap(lastmod)]
    lastmod: Option<D>,
    #[sitemap(changefreq)]
    changefreq: F,
    #[sitemap(priority)]
    priority: Option<P>,
}

trait Shop {
    type Url;
}

struct Ours;

impl Shop for Ours {
    type Url = Cow<'static, str>;
}

#[derive(SitemapEntry)]
struct Associated<T: Shop>(#[sitemap(loc)] T::Url);

#[derive(SitemapEntry)]
#[sitemap(loc = "/{0}")]
struct Optional<T>(Option<T>);

#[derive(SitemapEntry)]
enum Either<A, B> {
    A(A),
    B(B),
    Boxed(Box<A>),
}

#[derive(SitemapEntry)]
enum Recursive<T> {
    Leaf(T),
    Node(Box<Recursive<T>>),
    Own(Box<Self>),
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{0}")]
struct Unsized<T: ?Sized>(T);

#[derive(SitemapEntry)]
struct UnsizedLoc<T: ?Sized>(#[sitemap(loc)] T);

#[derive(SitemapEntry)]
#[sitemap(loc = "/{0}")]
struct Dynamic<'a>(&'a (dyn Display + Send));

#[derive(SitemapEntry)]
#[sitemap(loc = "/{0}")]
struct Converted<T: AsRef<str>>(#[sitemap(write_with = AsRef::<str>::as_ref)] T);

#[derive(SitemapEntry)]
#[sitemap(loc = "/", priority = Self::HIGH)]
struct Constant<T>(T);

impl<T> Constant<T> {
    const HIGH: f64 = 1.0;
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/", base = "https://example.com/é", encoding = "latin1")]
struct Extended<'a, I, V: ?Sized, A, const N: usize> {
    #[sitemap(image)]
    images: [I; N],
    #[sitemap(video)]
    videos: &'a V,
    #[sitemap(news)]
    news: Option<A>,
    #[sitemap(alternate)]
    links: &'a [(A, &'a str)],
}

fn is_entry<T: SitemapEntry>() {}

fn is_unsized_entry<T: SitemapEntry + ?Sized>() {}

fn generic<T: Display>() {
    is_unsized_entry::<Unsized<str>>();
    is_unsized_entry::<UnsizedLoc<str>>();
    is_entry::<Product<'_, T, str, NotDisplayed2>>();
}

#[derive(Clone)]
struct NotDisplayed2;

pub(super) fn main() {
    generic::<u8>();
    is_entry::<Fields<String, String, sitemap_serde::ChangeFreq, f32>>();
    is_entry::<Associated<Ours>>();
    is_entry::<Optional<u8>>();
    is_entry::<Recursive<Optional<u8>>>();
    is_entry::<Either<Optional<u8>, Constant<NotDisplayed>>>();
    is_entry::<Extended<'_, Option<String>, [sitemap_serde::Video], News, 3>>();
    is_entry::<Dynamic<'_>>();
    is_entry::<Converted<String>>();
}
