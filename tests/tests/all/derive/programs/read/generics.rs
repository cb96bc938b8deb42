//! Bounds are added only for the types of used fields.
#![allow(dead_code)]

use std::borrow::Cow;
use std::marker::PhantomData;
use std::str::FromStr;

use sitemap_serde::{FromSitemapEntry, SitemapEntry};

struct NotDefault;

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/{slug}/{number}")]
struct Product<'a, S, N, Unused, const LEN: usize = 3>
where
    Unused: Clone,
{
    slug: S,
    number: Option<N>,
    text: Cow<'a, str>,
    unused: PhantomData<Unused>,
    rest: Vec<N>,
}

#[derive(SitemapEntry, FromSitemapEntry)]
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
    type Url = Box<str>;
}

#[derive(SitemapEntry, FromSitemapEntry)]
struct Associated<T: Shop>(#[sitemap(loc)] T::Url);

#[derive(SitemapEntry, FromSitemapEntry)]
enum Either<A, B> {
    A(A),
    Boxed(Box<A>),
    B(B),
}

#[derive(SitemapEntry, FromSitemapEntry)]
enum Recursive<T> {
    Leaf(T),
    Node(Box<Recursive<T>>),
    Own(Box<Self>),
}

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{0}")]
struct Converted<T: Default>(#[sitemap(read_with = ignore::<T>)] T);

fn ignore<T: Default>(_: &str) -> T {
    T::default()
}

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/")]
struct Constant<T>(#[sitemap(priority, default = Self::HIGH)] f64, PhantomData<T>);

impl<T> Constant<T> {
    const HIGH: f64 = 1.0;
}

fn is_read<T: FromSitemapEntry>() {}

fn generic<T: FromStr<Err: std::error::Error>>() {
    is_read::<Product<'_, T, T, NotCopy>>();
}

#[derive(Clone)]
struct NotCopy;

pub(super) fn main() {
    generic::<u8>();
    is_read::<Fields<String, String, sitemap_serde::ChangeFreq, f32>>();
    is_read::<Associated<Ours>>();
    is_read::<Either<Associated<Ours>, Constant<NotDefault>>>();
    is_read::<Recursive<Associated<Ours>>>();
    is_read::<Converted<Vec<u8>>>();
}
