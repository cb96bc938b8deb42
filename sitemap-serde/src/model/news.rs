//! News articles.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};

use crate::datetime::W3cDateTime;

use super::listed::{joined, listed};

/// The news article that a page is: its `news:news`, of which a document may have 1,000 (P-NEWS4).
///
/// ```
/// use sitemap_serde::{News, Publication, UrlEntry};
///
/// let mut entry = UrlEntry::new("https://example.com/2008/12/23/merger");
/// entry.news = Some(News::new(
///     Publication::new("The Example Times", "en"),
///     "2008-12-23".parse()?,
///     "Companies A, B in Merger Talks",
/// ));
/// let xml = sitemap_serde::to_string(&[&entry])?;
/// assert_eq!(sitemap_serde::from_str::<Vec<UrlEntry>>(&xml)?, [entry]);
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
///
/// Its parts are those of a [`NewsArticle`], which it dereferences to: `news.title`, `news.keywords = None`. They are in a
/// box, since most entries have none of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct News(Box<NewsArticle>);

impl News {
    /// An article with what every article has.
    pub fn new(publication: Publication, publication_date: W3cDateTime, title: impl Into<String>) -> Self {
        News(Box::new(NewsArticle {
            publication,
            access: None,
            genres: Vec::new(),
            publication_date,
            title: title.into(),
            keywords: None,
            stock_tickers: Vec::new(),
        }))
    }
}

impl Deref for News {
    type Target = NewsArticle;

    fn deref(&self) -> &NewsArticle {
        &self.0
    }
}

impl DerefMut for News {
    fn deref_mut(&mut self) -> &mut NewsArticle {
        &mut self.0
    }
}

impl From<News> for NewsArticle {
    fn from(news: News) -> Self {
        *news.0
    }
}

impl From<NewsArticle> for News {
    fn from(article: NewsArticle) -> Self {
        News(Box::new(article))
    }
}

/// The parts of a [`News`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NewsArticle {
    /// Where it is published (P-NEWS1).
    #[serde(rename = "news:publication")]
    pub publication: Publication,
    /// Who can read it; `None` for everybody.
    #[serde(rename = "news:access", default, skip_serializing_if = "Option::is_none")]
    pub access: Option<NewsAccess>,
    /// What kind of article it is.
    #[serde(
        rename = "news:genres",
        default,
        skip_serializing_if = "Vec::is_empty",
        with = "genres"
    )]
    pub genres: Vec<NewsGenre>,
    /// When it was published: a date, or a date and time (P-NEWS3).
    #[serde(rename = "news:publication_date")]
    pub publication_date: W3cDateTime,
    /// Its title (P-NEWS1).
    #[serde(rename = "news:title")]
    pub title: String,
    /// What it is about, with commas between.
    #[serde(rename = "news:keywords", default, skip_serializing_if = "Option::is_none")]
    pub keywords: Option<String>,
    /// The companies that it is about, each with its exchange, such as `NASDAQ:AMAT`; at most 5.
    #[serde(
        rename = "news:stock_tickers",
        default,
        skip_serializing_if = "Vec::is_empty",
        with = "tickers"
    )]
    pub stock_tickers: Vec<String>,
}

/// The publication that a news article is in.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Publication {
    /// Its name.
    #[serde(rename = "news:name")]
    pub name: String,
    /// Its language: an ISO 639 code of 2 or 3 letters, `zh-cn` or `zh-tw` (P-NEWS2).
    #[serde(rename = "news:language")]
    pub language: String,
}

impl Publication {
    /// A publication with its name and language.
    pub fn new(name: impl Into<String>, language: impl Into<String>) -> Self {
        Publication {
            name: name.into(),
            language: language.into(),
        }
    }
}

listed! {
    /// Who can read an article that not everybody can.
    NewsAccess {
        /// Who pays.
        Subscription = "Subscription",
        /// Who is registered.
        Registration = "Registration",
    }
}

listed! {
    /// What kind of article it is.
    NewsGenre {
        /// An official press release.
        PressRelease = "PressRelease",
        /// Satire.
        Satire = "Satire",
        /// An article of a blog.
        Blog = "Blog",
        /// An opinion of somebody who does not belong to the publication.
        OpEd = "OpEd",
        /// An opinion.
        Opinion = "Opinion",
        /// Written by users.
        UserGenerated = "UserGenerated",
    }
}

joined!(genres, NewsGenre, ',', ", ");
joined!(tickers, String, ',', ", ");

pub(crate) use genres::{join as join_genres, split as split_genres};
pub(crate) use tickers::{join as join_tickers, split as split_tickers};
