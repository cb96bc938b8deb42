//! The types that `image`, `video`, `news` and `alternate` can be read as.
#![deny(warnings)]
#![allow(dead_code)]

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet, LinkedList, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use sitemap_serde::{Alternate, FromSitemapEntry, Image, News, Result, Video, convert::FromElements};

/// All four.
struct Ours;

impl FromElements<Image> for Ours {
    fn from_elements(_: Vec<Image>) -> Result<Self> {
        Ok(Ours)
    }
}

impl FromElements<Video> for Ours {
    fn from_elements(_: Vec<Video>) -> Result<Self> {
        Ok(Ours)
    }
}

impl FromElements<News> for Ours {
    fn from_elements(_: Vec<News>) -> Result<Self> {
        Ok(Ours)
    }
}

impl FromElements<Alternate> for Ours {
    fn from_elements(_: Vec<Alternate>) -> Result<Self> {
        Ok(Ours)
    }
}

macro_rules! fields {
    ($($key:ident: $($type:ty),*;)*) => {
        $($({
            #[derive(FromSitemapEntry)]
            #[sitemap(loc = "/")]
            struct Page {
                #[sitemap($key)]
                field: $type,
            }
            is_read::<Page>();

            #[derive(FromSitemapEntry)]
            enum Variant {
                #[sitemap(loc = "/{0}")]
                Page(u8, #[sitemap($key)] $type, #[sitemap(exclude_if)] bool),
            }
            is_read::<Variant>();
        })*)*
    };
}

fn is_read<T: FromSitemapEntry>() {}

pub(super) fn main() {
    fields! {
        image:
            Image, Option<Image>, Vec<Image>, [Image; 3], Box<Image>, Box<[Image]>, Arc<[String]>, Rc<str>, Cow<'static, str>,
            Cow<'static, [String]>, String, Option<url::Url>, VecDeque<String>, LinkedList<String>, HashSet<String>, Ours,
            Vec<Ours>, Option<Box<Ours>>;
        video: Video, Option<Box<Video>>, Vec<Video>, [Video; 2], Arc<[Video]>, VecDeque<Video>, Ours, Option<Ours>;
        news: News, Option<News>, Box<News>, Option<Box<News>>, Ours, Option<Ours>;
        alternate:
            Alternate, Option<Alternate>, Vec<Alternate>, (String, String), [(String, String); 2], Vec<(Box<str>, String)>,
            BTreeMap<String, String>, HashMap<String, Arc<str>>, Ours, Box<[Ours]>;
    }
}
