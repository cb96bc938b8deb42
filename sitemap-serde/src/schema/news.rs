//! Google's news extension: the news article that a page is.

use std::ops::{Deref, DerefMut};

use crate::datetime::W3cDateTime;
use crate::model::listed;

use super::element::Item;
use super::entry::NEWS;
use super::{Element, Name, Sink, Source, video};

/// P-NEWS4: the most news of a document.
pub(crate) const MOST_NEWS: u64 = 1000;

super::table::table! {
    after video::END;

    /// The parts of a [`News`].
    pub struct NewsArticle in NEWS by News1 {
        /// Publication that the article is in (P-NEWS1).
        one publication: Publication => PUBLICATION "news:publication": Group;
        /// Access restriction of the article; `None` if everybody can read it.
        maybe access: Option<NewsAccess> => ACCESS "news:access": Word(&NewsAccess::WORDS) by NewsXsd;
        /// Genres of the article.
        list genres: Vec<NewsGenre> => GENRES "news:genres": CommaWords(&NewsGenre::WORDS) by NewsXsd;
        /// Publication date: a date, or a date and time (P-NEWS3).
        one publication_date: W3cDateTime => PUBLICATION_DATE "news:publication_date": Day by News3;
        /// Title (P-NEWS1).
        one title: String => TITLE "news:title": Text;
        /// Keywords, with commas between them.
        maybe keywords: Option<String> => KEYWORDS "news:keywords": Text;
        /// Stock tickers of the companies in the article, each with its exchange, such as `NASDAQ:AMAT`; at most 5.
        list stock_tickers: Vec<String> => STOCK_TICKERS "news:stock_tickers": Tickers by NewsXsd;
    }

    /// The publication that a news article is in.
    pub struct Publication in PUBLICATION by News1 {
        /// Name of the publication.
        one name: String => NAME "news:name": Text;
        /// Language of the publication: an ISO 639 code of 2 or 3 letters, `zh-cn` or `zh-tw` (P-NEWS2).
        one language: String => LANGUAGE "news:language": Language by News2;
    }
}

/// News article on a page, its `news:news`. A document may have 1,000 of them (P-NEWS4).
///
/// ```
/// use sitemap_serde::{News, UrlEntry, news::Publication};
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
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct News(Box<NewsArticle>);

impl News {
    /// Makes an article with the required parts.
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

impl Publication {
    /// Makes a publication with its name and language.
    pub fn new(name: impl Into<String>, language: impl Into<String>) -> Self {
        Publication {
            name: name.into(),
            language: language.into(),
        }
    }
}

listed! {
    /// Access restriction of an article.
    NewsAccess {
        /// For readers who pay.
        Subscription = "Subscription",
        /// For readers who are registered.
        Registration = "Registration",
    }
}

listed! {
    /// Genre of an article.
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

impl Item for News {
    fn read_item<'de, S: Source<'de>>(source: S, _: Name) -> Result<Option<Self>, S::Error> {
        let mut article = Box::new(<NewsArticle as Element>::blank());
        Ok(source.fill(&mut *article)?.then_some(News(article)))
    }

    fn push_item<'de, S: Source<'de>>(source: S, name: Name, into: &mut Vec<Self>) -> Result<bool, S::Error> {
        let news = Self::read_item(source, name)?;
        let read = news.is_some();
        into.extend(news);
        Ok(read)
    }

    fn write_item<S: Sink>(&self, name: Name, sink: &mut S) -> Result<(), S::Error> {
        sink.element(name, &*self.0)
    }
}
