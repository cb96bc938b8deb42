//! Google's news extension: the news article on a page.

use sitemap_values::W3cDateTime;
use sitemap_values::schema::news as known;

use super::entry::NEWS;
use super::{Spellings, video};

/// P-NEWS4: the most news of a document.
pub(crate) const MOST_NEWS: u64 = 1000;

super::table::table! {
    after video::END;

    /// The news article on a page, its `news:news`. A document may have 1,000 of them (P-NEWS4).
    ///
    /// ```
    /// use sitemap_serde::{News, UrlEntry, news::Publication};
    ///
    /// let entry = UrlEntry::new("https://example.com/2008/12/23/merger");
    /// let times = Publication::new("The Example Times", "en");
    /// let entry = entry.with_news(News::new(times, "2008-12-23".parse()?, "Companies A, B in Merger Talks"));
    /// let xml = sitemap_serde::to_string(&[&entry])?;
    /// assert_eq!(sitemap_serde::from_str::<Vec<UrlEntry>>(&xml)?, [entry]);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub struct News in NEWS by News1 {
        /// Publication of the article (P-NEWS1).
        one publication: Publication => PUBLICATION "news:publication": Group;
        /// Access restriction of the article: `Subscription` or `Registration`. `None` if everybody can read it. Google no longer documents
        /// it.
        maybe access: Option<String> => ACCESS (known::ACCESS): Word(&ACCESSES) by NewsXsd;
        /// Genres of the article: `PressRelease`, `Satire`, `Blog`, `OpEd`, `Opinion`, `UserGenerated`. Google no longer documents them.
        list genres: Vec<String> => GENRES (known::GENRES): CommaWords(&GENRE_WORDS) by NewsXsd;
        /// Publication date: a date, or a date and time (P-NEWS3).
        one publication_date: W3cDateTime => PUBLICATION_DATE [known::PUBLICATION_DATE];
        /// Title (P-NEWS1).
        one title: String => TITLE (known::TITLE.name): Text;
        /// Keywords, separated by commas. Google no longer documents them.
        maybe keywords: Option<String> => KEYWORDS (known::KEYWORDS.name): Text;
        /// Stock tickers of the companies in the article, each with its exchange, such as `NASDAQ:AMAT`; at most 5. Google no
        /// longer documents them.
        list stock_tickers: Vec<String> => STOCK_TICKERS (known::STOCK_TICKERS): Tickers by NewsXsd;
    }

    /// The publication of a news article.
    pub struct Publication in PUBLICATION by News1 {
        /// Name of the publication.
        one name: String => NAME (known::NAME.name): Text;
        /// Language of the publication: an ISO 639 code of 2 or 3 letters, `zh-cn` or `zh-tw` (P-NEWS2).
        one language: String => LANGUAGE [known::LANGUAGE];
    }
}

/// The words of [`News::access`].
const ACCESSES: Spellings = Spellings::new(&["Subscription", "Registration"]);

/// The words of [`News::genres`].
const GENRE_WORDS: Spellings = Spellings::new(&[
    "PressRelease",
    "Satire",
    "Blog",
    "OpEd",
    "Opinion",
    "UserGenerated",
]);

impl News {
    /// Makes an article with the required parts. Convert a date of chrono, time or jiff first, since not every date can be
    /// written: `W3cDateTime::try_from(date)?`.
    pub fn new(publication: Publication, publication_date: W3cDateTime, title: impl Into<String>) -> Self {
        News {
            publication,
            access: None,
            genres: Vec::new(),
            publication_date,
            title: title.into(),
            keywords: None,
            stock_tickers: Vec::new(),
        }
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
