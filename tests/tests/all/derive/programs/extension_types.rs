//! The types of `image`, `video`, `news` and `alternate` fields.
#![deny(warnings)]
#![allow(dead_code)]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use sitemap_serde::{Alternate, Image, News, Result, SitemapEntry, Video, EntryWriter, convert::ToElements};

/// All four.
struct Ours;

impl ToElements<Image> for Ours {
    fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.image("/a")
    }
}

impl ToElements<Video> for Ours {
    fn write_elements(&self, _: &mut EntryWriter<'_>) -> Result<()> {
        Ok(())
    }
}

impl ToElements<News> for Ours {
    fn write_elements(&self, _: &mut EntryWriter<'_>) -> Result<()> {
        Ok(())
    }
}

impl ToElements<Alternate> for Ours {
    fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.alternate(("de", "/de"))
    }
}

/// Types that can be iterated over by reference.
struct Pages<T>(Vec<T>);

impl<'a, T> IntoIterator for &'a Pages<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

macro_rules! fields {
    ($($name:ident $key:ident: $($type:ty),*;)*) => {
        $(mod $name {
            use super::*;

            fn is_entry<T: SitemapEntry>() {}

            pub(super) fn check() {
                $({
                    #[derive(SitemapEntry)]
                    #[sitemap(loc = "/")]
                    struct Page {
                        #[sitemap($key)]
                        field: $type,
                    }
                    is_entry::<Page>();

                    #[derive(SitemapEntry)]
                    enum Variant {
                        #[sitemap(loc = "/{0}")]
                        Page(u8, #[sitemap($key)] $type, #[sitemap(exclude_if)] bool),
                    }
                    is_entry::<Variant>();
                })*
            }
        })*
    };
}

fields! {
    images image:
        Image, &'static Image, Option<Image>, Vec<Image>, &'static [Image], [Image; 3], Box<Image>, Box<[Image]>,
        Arc<Vec<Image>>, Rc<str>, Cow<'static, str>, Cow<'static, [String]>, String, &'static str, Option<url::Url>,
        Vec<Option<&'static str>>, VecDeque<String>, LinkedList<String>, BTreeSet<String>, HashSet<String>, Ours, Vec<Ours>,
        Pages<Image>, Pages<String>, Pages<Option<Ours>>;
    videos video:
        Video, &'static Video, Option<Box<Video>>, Vec<Video>, [Video; 2], Arc<[Video]>, VecDeque<Video>, Ours, Option<Ours>,
        Pages<Video>;
    news news: News, &'static News, Option<News>, Option<Arc<News>>, Box<News>, Cow<'static, News>, Ours, Option<Ours>;
    alternates alternate:
        Alternate, Option<Alternate>, Vec<Alternate>, (&'static str, String), [(String, String); 2],
        Vec<(String, Cow<'static, str>)>, BTreeMap<String, String>, HashMap<&'static str, String>, Ours, Box<[Ours]>,
        Pages<Alternate>, Pages<(String, String)>;
}

pub(super) fn main() {
    images::check();
    videos::check();
    news::check();
    alternates::check();
}
