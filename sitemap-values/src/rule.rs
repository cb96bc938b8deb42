//! The rules of the format. The enum, its documentation and its lookups are generated from one table.

use std::fmt;
use std::str::FromStr;

use crate::error::{Advice, Message, Result, ValueError};
use crate::quote::quote;

macro_rules! rules {
    ($($variant:ident, $id:literal, $summary:literal, $source:literal;)*) => {
        /// A rule of the format. [`rule`](crate::ValueError::rule) of an error returns the rule that was broken.
        ///
        /// ```
        /// use sitemap_serde::{Priority, Rule};
        ///
        /// let error = "1.5".parse::<Priority>().unwrap_err();
        /// assert_eq!(error.rule(), Some(Rule::Prio));
        /// assert_eq!(Rule::Prio.as_str(), "P-PRIO");
        /// assert_eq!("P-PRIO".parse::<Rule>().unwrap(), Rule::Prio);
        /// ```
        ///
        /// Ids that begin with `P-` are rules of the protocol and its extensions. Ids that begin with `L-` are advice that
        /// only a lint gives. A rule that only a published schema contains has the schema's file name as its id.
        ///
        /// | id | rule | source |
        /// |---|---|---|
        $(#[doc = concat!("| `", $id, "` | ", $summary, " | ", $source, " |")])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $(
                #[doc = concat!("`", $id, "`: ", $summary, " (", $source, ").")]
                $variant,
            )*
        }

        impl Rule {
            /// All rules, in the order of the table above.
            pub const ALL: &'static [Rule] = &[$(Rule::$variant),*];

            /// The id, the summary and the source of each rule.
            const TEXTS: &[[&str; 3]] = &[$([$id, $summary, $source]),*];

            /// The id, such as `P-PRIO`, as messages show it.
            #[doc(alias = "id")]
            pub const fn as_str(self) -> &'static str {
                Rule::TEXTS[self as usize][0]
            }

            /// The rule in one clause, with Markdown backticks around code.
            pub const fn summary(self) -> &'static str {
                Rule::TEXTS[self as usize][1]
            }

            /// The source of the rule: the protocol (sitemaps.org), a schema, Google's documentation, or another standard.
            pub const fn source(self) -> &'static str {
                Rule::TEXTS[self as usize][2]
            }
        }
    };
}

rules! {
    Xml, "XML", "a document is well-formed XML 1.0 with namespaces", "XML 1.0, Namespaces in XML 1.0";
    Ns, "P-NS", "the root is `urlset` or `sitemapindex` in `http://www.sitemaps.org/schemas/sitemap/0.9`, and its elements are of that schema", "sitemaps.org, schema";
    Decl, "P-DECL", "the document begins with `<?xml version=\"1.0\" encoding=\"UTF-8\"?>`", "sitemaps.org";
    Utf8, "P-UTF8", "the document is in UTF-8", "sitemaps.org";
    Esc, "P-ESC", "`&`, `'`, `\"`, `<` and `>` in values are written as entities", "sitemaps.org";
    Empty, "P-EMPTY", "a document has at least one `url` or `sitemap`", "schema";
    Count, "P-COUNT", "a document has at most 50,000 entries", "sitemaps.org, Google";
    Size, "P-SIZE", "a document has at most 52,428,800 bytes, uncompressed", "sitemaps.org, Google";
    Gzip, "P-GZIP", "gzip is the only compression", "sitemaps.org";
    Order, "P-ORDER", "an entry's children are in the order loc, lastmod, changefreq, priority, extensions", "schema";
    SitemapXsd, "sitemap.xsd", "a document has the elements, attributes and text that its schema has, and no DOCTYPE", "schema";
    Dup, "P-DUP", "an entry has exactly one loc, and each of lastmod, changefreq and priority at most once", "schema";
    Nest, "P-NEST", "an index lists sitemaps, never another index", "Google";
    IndexTags, "P-INDEXTAGS", "an entry of an index has a loc and a lastmod, nothing else", "sitemaps.org, schema";
    Loc, "P-LOC", "a loc is an absolute URL (RFC 3986); crawlers take http and https", "sitemaps.org";
    LocLen, "P-LOCLEN", "a loc has at most 2,048 characters", "sitemaps.org, schema";
    LocEnc, "P-LOCENC", "what is not ASCII in a loc is percent-encoded, in the encoding of the server", "sitemaps.org";
    Idn, "P-IDN", "a host that is not ASCII is written as punycode", "RFC 5891, UTS 46";
    Host, "P-HOST", "all URLs of a sitemap have one scheme, host and port, those of the sitemap itself", "sitemaps.org";
    Path, "P-PATH", "a sitemap lists URLs of its own directory and below it", "sitemaps.org, Google";
    Lastmod, "P-LASTMOD", "a lastmod is a W3C Datetime", "sitemaps.org";
    LastmodX, "P-LASTMODX", "a lastmod satisfies the schema too: a day, or a date and time with seconds", "schema";
    Freq, "P-FREQ", "a changefreq is always, hourly, daily, weekly, monthly, yearly or never", "sitemaps.org, schema";
    Prio, "P-PRIO", "a priority is a decimal from 0.0 to 1.0", "sitemaps.org, schema";
    PrioAll, "P-PRIOALL", "priorities differ: a high priority for every page says nothing", "sitemaps.org";
    Idx1, "P-IDX1", "an index lists sitemaps of its own scheme, host and port", "sitemaps.org, Google";
    Idx2, "P-IDX2", "an index lists sitemaps of its own directory and below it", "Google";
    Idx3, "P-IDX3", "the lastmod of a listed sitemap is when that file changed, not when its pages did", "sitemaps.org";
    Img1, "P-IMG1", "an entry has at most 1,000 images", "Google";
    Img2, "P-IMG2", "an image has a loc, an absolute URL on any site", "Google";
    News1, "P-NEWS1", "news has a publication (name, language), a publication date and a title", "Google, schema";
    News2, "P-NEWS2", "a publication's language is an ISO 639 code of 2 or 3 letters, `zh-cn` or `zh-tw`", "Google, schema";
    News3, "P-NEWS3", "a publication date of news is `YYYY-MM-DD`, or a date and time with its zone", "Google";
    News4, "P-NEWS4", "an entry has at most one news, a document at most 1,000", "Google";
    News5, "P-NEWS5", "news is of the last two days", "Google";
    NewsXsd, "sitemap-news.xsd", "access, genres, keywords and stock tickers of news are as the schema has them", "schema";
    Vid1, "P-VID1", "a video has a thumbnail, a title (100 characters), a description (2,048), and a content or player URL", "Google, schema";
    Vid2, "P-VID2", "a video's content and player URL are not the page's", "Google";
    Vid3, "P-VID3", "a video's duration is 1 to 28,800 seconds", "Google, schema";
    Vid4, "P-VID4", "a video's dates are W3C Datetimes", "Google";
    Vid5, "P-VID5", "a video's rating is 0.0 to 5.0, its view count a whole number", "Google, schema";
    Vid6, "P-VID6", "family_friendly, requires_subscription and live are `yes` or `no`", "Google, schema";
    Vid7, "P-VID7", "a video's restriction lists ISO 3166 codes, with the relationship `allow` or `deny`", "Google, schema";
    Vid8, "P-VID8", "a video's platform lists `web`, `mobile`, `tv`, with the relationship `allow` or `deny`", "Google, schema";
    Vid9, "P-VID9", "a video's uploader has at most 255 characters, and a page on the page's domain", "Google, schema";
    Vid10, "P-VID10", "a video has at most 32 tags", "Google, schema";
    VideoXsd, "sitemap-video.xsd", "category, gallery, price, player, segments, id and tvshow of a video are as the schema has them", "schema";
    Alt1, "P-ALT1", "an alternate has rel, hreflang (or media) and href", "Google";
    Alt2, "P-ALT2", "an alternate's href is an absolute URL, on any site", "Google";
    Alt3, "P-ALT3", "a page lists all its alternates, itself among them", "Google";
    Alt4, "P-ALT4", "alternates list each other", "Google";
    Alt5, "P-ALT5", "a hreflang is an ISO 639-1 code, perhaps with a script and an ISO 3166-1 or UN M.49 region, or `x-default`", "Google";
    PageMapXsd, "sitemap-pagemap.xsd", "a page map is as its schema has it", "schema";
    Txt1, "P-TXT1", "a text sitemap is one absolute URL a line in UTF-8, and nothing else", "sitemaps.org";
    Txt2, "P-TXT2", "a text sitemap has at most 50,000 lines and 52,428,800 bytes, uncompressed", "sitemaps.org";
    DupLoc, "L-DUPLOC", "a loc is listed once in a document or a set of them", "advice";
    Future, "L-FUTURE", "a lastmod is not in the future", "advice, Bing";
    SameLastmod, "L-SAMELASTMOD", "lastmods differ: one for all pages says nothing", "advice";
    Newer, "L-NEWER", "a lastmod is not newer than the document that says it", "advice";
    Http, "L-HTTP", "locs have one scheme: http beside https lists a page twice", "advice";
    Www, "L-WWW", "locs have one host: a host with and without `www.` lists a page twice", "advice";
    Fragment, "L-FRAGMENT", "a loc has no `#`: crawlers leave out what follows it", "advice";
    Deprecated, "L-DEPRECATED", "tags that Google ignores since August 2022 have no effect", "advice, Google";
    Ignored, "L-IGNORED", "Google does not use changefreq and priority", "advice, Google";
    XDefault, "L-XDEFAULT", "alternates have one for `x-default`", "advice, Google";
    Robots, "L-ROBOTS", "a listed page is not blocked by robots.txt", "advice";
    Xslt, "L-XSLT", "a document is not shown by an XSLT stylesheet, which browsers stop applying", "advice, Chrome";
    Engine, "L-ENGINE", "a named search engine reads all that a document says", "advice, the engines";
    NoIndex, "L-NOINDEX", "a listed page may be indexed by what it says itself", "advice, Google";
    Redirect, "L-REDIRECT", "a listed address does not redirect to another", "advice, Google";
    Canonical, "L-CANONICAL", "a listed address is the canonical one of its page", "advice, Google";
    Missing, "L-MISSING", "a listed page exists", "advice";
    Unlisted, "L-UNLISTED", "a page that may be indexed is listed", "advice";
    Hreflang, "L-HREFLANG", "an entry's alternates are those that its page links to", "advice, Google";
    PageDate, "L-PAGEDATE", "a lastmod is the date that the page states", "advice";
    Moved, "L-MOVED", "a sitemap is served at its address, without a redirect", "advice";
    ContentType, "L-TYPE", "a sitemap is served with a content type of XML, text, feeds or gzip", "advice";
    Slow, "L-SLOW", "a sitemap is loaded within ten seconds", "advice";
    Validator, "L-VALIDATOR", "a sitemap is served with an ETag or a Last-Modified header", "advice";
    Unnamed, "L-UNNAMED", "a site's robots.txt names its sitemap", "sitemaps.org, advice";
    Forbidden, "L-FORBIDDEN", "a site's robots.txt allows crawlers to read its sitemap", "advice";
    Absent, "L-ABSENT", "a listed sitemap is in the folder that the site serves", "advice";
    Orphan, "L-ORPHAN", "a sitemap in a folder with an index is listed", "sitemaps.org, advice";
    Private, "L-PRIVATE", "a loc has no password, and a host that everybody can reach", "advice, RFC 9110, RFC 6761, RFC 6890";
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Parses a rule's id, in upper or lower case.
///
/// # Errors
///
/// A [`ValueError`] if no rule has that id.
impl FromStr for Rule {
    type Err = ValueError;

    fn from_str(id: &str) -> Result<Self> {
        Rule::ALL
            .iter()
            .copied()
            .find(|rule| rule.as_str().eq_ignore_ascii_case(id))
            .ok_or_else(|| {
                let message = Message::new(format!("{} is not the id of a rule", quote(id)));
                ValueError::new(message.advice(Advice::of_api(
                    "Rule",
                    "write one from the table in the documentation of `Rule`, such as `P-LOC`",
                )))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_parse_back() {
        for (index, rule) in Rule::ALL.iter().enumerate() {
            assert_eq!(rule.as_str().parse::<Rule>().unwrap(), *rule);
            assert_eq!(rule.as_str().to_lowercase().parse::<Rule>().unwrap(), *rule);
            assert_eq!(rule.to_string(), rule.as_str());
            for other in &Rule::ALL[..index] {
                assert!(!other.as_str().eq_ignore_ascii_case(rule.as_str()));
                assert_ne!(other.summary(), rule.summary());
            }
        }
    }

    #[test]
    fn another_id_is_refused() {
        assert_eq!(
            "P-LOCK".parse::<Rule>().unwrap_err().to_string(),
            "`P-LOCK` is not the id of a rule; write one from the table in the documentation of `Rule`, such as `P-LOC`"
        );
        assert!("".parse::<Rule>().is_err());
    }

    #[test]
    fn fits_a_table() {
        for rule in Rule::ALL {
            for text in [rule.as_str(), rule.summary(), rule.source()] {
                assert!(
                    !text.is_empty() && !text.contains(['|', '\n']) && !text.ends_with('.'),
                    "{text}"
                );
            }
        }
    }
}
