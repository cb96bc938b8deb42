//! Written from the files of this folder, as the module above says. Only the order of the rules is this file's.

use super::Head;
use crate::engine::{Engine, Source, Stance};
use crate::severity::Severity;

// sources.md
const SEARCH_CONSOLE: Source = Source { title: "Search Console Help: Sitemaps report", url: "https://support.google.com/webmasters/answer/7451001", date: "2026-11" };
const GOOGLE: Source = Source { title: "Google Search Central: Build and submit a sitemap", url: "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap", date: "2026-11" };
const GOOGLE_NEWS: Source = Source { title: "Google Search Central: News sitemaps", url: "https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap", date: "2026-11" };
const GOOGLE_LANGUAGES: Source = Source { title: "Google Search Central: Localized versions of your pages", url: "https://developers.google.com/search/docs/specialty/international/localized-versions", date: "2026-11" };
const GOOGLE_TAGS: Source = Source { title: "Google Search Central Blog: Spring cleaning: some sitemap extension tags are going away", url: "https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions", date: "2022-05" };
const BING: Source = Source { title: "Bing Webmaster Blog: Keeping Content Discoverable with Sitemaps in AI Powered Search", url: "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search", date: "2025-07" };
const BING_DATES: Source = Source { title: "a report on Bing's sitemap guidelines", url: "https://www.etavrian.com/news/bing-lastmod-ai-recrawling", date: "2025-07" };
const YANDEX: Source = Source { title: "Yandex Webmaster Help: Using the Sitemap file", url: "https://yandex.com/support/webmaster/en/controlling-robot/sitemap", date: "2026-11" };
const YANDEX_STATUS: Source = Source { title: "Yandex Webmaster Help: Sitemap files", url: "https://yandex.ru/support/webmaster/en/indexing-options/sitemap", date: "2026-11" };
const BAIDU: Source = Source { title: "a copy of Baidu's help on sitemaps", url: "http://wh0553.cn/news/842.html", date: "2021-05" };
const SEZNAM: Source = Source { title: "Seznam Blog: Podpora sitemap.xml", url: "https://blog.seznam.cz/2007/11/podpora-sitemap-xml/", date: "2007-11" };

rules! {
    Xml "XML" "a document is well-formed XML 1.0 with namespaces" ("XML 1.0, Namespaces in XML 1.0") Error
        except [] console ["Parsing error"] engines [(Google Refuses SEARCH_CONSOLE)(Yandex Refuses YANDEX_STATUS)]
    Ns "P-NS" "the root is `urlset` or `sitemapindex` in `http://www.sitemaps.org/schemas/sitemap/0.9`, and its elements are of that schema" ("sitemaps.org, schema") Error
        except [(Warning "if a namespace is spelt in another way that readers accept (an error for Google), or an element of an entry is not in the schema")] console ["Incorrect namespace" "Unsupported format" "Parsing error"] engines [(Google Refuses SEARCH_CONSOLE)]
    Decl "P-DECL" "the document begins with `<?xml version=\"1.0\" encoding=\"UTF-8\"?>`" ("sitemaps.org") Note
        except [(Error "if the declaration is malformed, or something stands before it")] console ["Leading whitespace" "Parsing error"] engines [(Google Refuses SEARCH_CONSOLE)]
    Utf8 "P-UTF8" "the document is in UTF-8" ("sitemaps.org") Error
        except [] console ["Parsing error"] engines [(Google Refuses SEARCH_CONSOLE)(Yandex Requires YANDEX)(Baidu Requires BAIDU)]
    Esc "P-ESC" "`&`, `'`, `\"`, `<` and `>` in values are written as entities" ("sitemaps.org") Note
        except [(Warning "if a value is escaped twice")(Error "if an `&` is not escaped")] console ["Parsing error"] engines [(Google Refuses SEARCH_CONSOLE)]
    Empty "P-EMPTY" "a document has at least one `url` or `sitemap`" ("schema") Error
        except [(Note "if the document is a news sitemap, which may be empty on a quiet day")] console ["Empty sitemap"] engines [(Google Refuses SEARCH_CONSOLE)]
    Count "P-COUNT" "a document has at most 50,000 entries" ("sitemaps.org, Google") Error
        except [] console ["Too many URLs" "Too many sitemaps"] engines [(Google Refuses SEARCH_CONSOLE)(Bing Requires BING)(Yandex Requires YANDEX)(Baidu Requires BAIDU)]
    Size "P-SIZE" "a document has at most 52,428,800 bytes, uncompressed" ("sitemaps.org, Google") Error
        except [] console ["Sitemap file size error"] engines [(Google Refuses SEARCH_CONSOLE)(Yandex Requires YANDEX)(Baidu Requires BAIDU)]
    Gzip "P-GZIP" "gzip is the only compression" ("sitemaps.org") Error
        except [(Warning "if the name of a file does not say whether it is compressed")] console ["Compression error"] engines [(Google Refuses SEARCH_CONSOLE)]
    Order "P-ORDER" "an entry's children are in the order loc, lastmod, changefreq, priority, extensions" ("schema") Note
        except [] console [] engines []
    SitemapXsd "sitemap.xsd" "a document has the elements, attributes and text that its schema has, and no DOCTYPE" ("schema") Warning
        except [] console [] engines []
    Dup "P-DUP" "an entry has exactly one loc, and each of lastmod, changefreq and priority at most once" ("schema") Error
        except [] console ["Invalid XML: too many tags" "Missing XML tag"] engines [(Google Refuses SEARCH_CONSOLE)]
    Nest "P-NEST" "an index lists sitemaps, never another index" ("Google") Error
        except [(Warning "if an index lists a page, as its address shows")] console ["Nested sitemap indexes"] engines [(Google Refuses SEARCH_CONSOLE)]
    IndexTags "P-INDEXTAGS" "an entry of an index has a loc and a lastmod, nothing else" ("sitemaps.org, schema") Warning
        except [] console [] engines []
    Loc "P-LOC" "a loc is an absolute URL (RFC 3986); crawlers take http and https" ("sitemaps.org") Error
        except [] console ["Invalid URL" "Incomplete URL" "Missing XML tag"] engines [(Google Refuses SEARCH_CONSOLE)]
    LocLen "P-LOCLEN" "a loc has at most 2,048 characters" ("sitemaps.org, schema") Error
        except [] console ["Invalid URL"] engines [(Google Refuses SEARCH_CONSOLE)(Baidu Requires BAIDU)]
    LocEnc "P-LOCENC" "what is not ASCII in a loc is percent-encoded, in the encoding of the server" ("sitemaps.org") Warning
        except [] console ["Invalid URL"] engines [(Google Refuses SEARCH_CONSOLE)(Yandex Takes YANDEX)]
    Idn "P-IDN" "a host that is not ASCII is written as punycode" ("RFC 5891, UTS 46") Warning
        except [] console ["Invalid URL"] engines [(Google Refuses SEARCH_CONSOLE)]
    Host "P-HOST" "all URLs of a sitemap have one scheme, host and port, those of the sitemap itself" ("sitemaps.org") Error
        except [] console ["URL not allowed"] engines [(Google Refuses SEARCH_CONSOLE)(Yandex Requires YANDEX)]
    Path "P-PATH" "a sitemap lists URLs of its own directory and below it" ("sitemaps.org, Google") Error
        except [] console ["URL not allowed"] engines [(Google Refuses SEARCH_CONSOLE)]
    Lastmod "P-LASTMOD" "a lastmod is a W3C Datetime" ("sitemaps.org") Warning
        except [] console ["Invalid date"] engines [(Google Refuses SEARCH_CONSOLE)(Bing Requires BING)]
    LastmodX "P-LASTMODX" "a lastmod satisfies the schema too: a day, or a date and time with seconds" ("schema") Note
        except [] console [] engines []
    Freq "P-FREQ" "a changefreq is always, hourly, daily, weekly, monthly, yearly or never" ("sitemaps.org, schema") Warning
        except [] console ["Invalid tag value"] engines [(Google Refuses SEARCH_CONSOLE)(Bing Ignores BING)]
    Prio "P-PRIO" "a priority is a decimal from 0.0 to 1.0" ("sitemaps.org, schema") Warning
        except [] console ["Invalid tag value"] engines [(Google Refuses SEARCH_CONSOLE)(Bing Ignores BING)(Yandex Requires YANDEX)]
    PrioAll "P-PRIOALL" "priorities differ: a high priority for every page says nothing" ("sitemaps.org") Note
        except [] console [] engines [(Google Ignores GOOGLE)(Bing Ignores BING)(Seznam Ignores SEZNAM)]
    Idx1 "P-IDX1" "an index lists sitemaps of its own scheme, host and port" ("sitemaps.org, Google") Error
        except [] console ["URL not allowed"] engines [(Google Refuses SEARCH_CONSOLE)]
    Idx2 "P-IDX2" "an index lists sitemaps of its own directory and below it" ("Google") Error
        except [] console ["URL not allowed"] engines [(Google Refuses SEARCH_CONSOLE)]
    Idx3 "P-IDX3" "the lastmod of a listed sitemap is when that file changed, not when its pages did" ("sitemaps.org") Note
        except [] console [] engines []
    Img1 "P-IMG1" "an entry has at most 1,000 images" ("Google") Warning
        except [] console ["Invalid XML: too many tags"] engines [(Google Refuses SEARCH_CONSOLE)]
    Img2 "P-IMG2" "an image has a loc, an absolute URL on any site" ("Google") Warning
        except [] console ["Missing XML tag" "Invalid URL" "Invalid XML: too many tags"] engines [(Google Refuses SEARCH_CONSOLE)]
    News1 "P-NEWS1" "news has a publication (name, language), a publication date and a title" ("Google, schema") Error
        except [] console ["Missing publication" "Missing XML tag"] engines [(Google Refuses SEARCH_CONSOLE)]
    News2 "P-NEWS2" "a publication's language is an ISO 639 code of 2 or 3 letters, `zh-cn` or `zh-tw`" ("Google, schema") Warning
        except [] console ["Invalid tag value"] engines [(Google Refuses SEARCH_CONSOLE)]
    News3 "P-NEWS3" "a publication date of news is `YYYY-MM-DD`, or a date and time with its zone" ("Google") Warning
        except [] console ["Invalid date"] engines [(Google Refuses SEARCH_CONSOLE)]
    News4 "P-NEWS4" "an entry has at most one news, a document at most 1,000" ("Google") Error
        except [] console ["Too many News URLs" "Invalid XML: too many tags"] engines [(Google Refuses SEARCH_CONSOLE)]
    News5 "P-NEWS5" "news is of the last two days" ("Google") Warning
        except [] console [] engines [(Google Requires GOOGLE_NEWS)]
    NewsXsd "sitemap-news.xsd" "access, genres, keywords and stock tickers of news are as the schema has them" ("schema") Warning
        except [(Note "if only the order of elements is wrong")] console ["Invalid tag value" "Invalid XML: too many tags"] engines [(Google Refuses SEARCH_CONSOLE)]
    Vid1 "P-VID1" "a video has a thumbnail, a title (100 characters), a description (2,048), and a content or player URL" ("Google, schema") Error
        except [] console ["Missing thumbnail URL" "Missing video title" "Missing XML tag" "Invalid tag value" "Invalid URL"] engines [(Google Refuses SEARCH_CONSOLE)]
    Vid2 "P-VID2" "a video's content and player URL are not the page's" ("Google") Error
        except [] console ["Video location and play page location are the same"] engines [(Google Refuses SEARCH_CONSOLE)]
    Vid3 "P-VID3" "a video's duration is 1 to 28,800 seconds" ("Google, schema") Warning
        except [] console ["Invalid tag value"] engines [(Google Refuses SEARCH_CONSOLE)]
    Vid4 "P-VID4" "a video's dates are W3C Datetimes" ("Google") Warning
        except [] console ["Invalid date"] engines [(Google Refuses SEARCH_CONSOLE)]
    Vid5 "P-VID5" "a video's rating is 0.0 to 5.0, its view count a whole number" ("Google, schema") Warning
        except [] console ["Invalid tag value"] engines [(Google Refuses SEARCH_CONSOLE)]
    Vid6 "P-VID6" "family_friendly, requires_subscription and live are `yes` or `no`" ("Google, schema") Warning
        except [] console ["Invalid tag value"] engines [(Google Refuses SEARCH_CONSOLE)]
    Vid7 "P-VID7" "a video's restriction lists ISO 3166 codes, with the relationship `allow` or `deny`" ("Google, schema") Warning
        except [] console ["Invalid tag value" "Missing XML attribute" "Invalid XML attribute value"] engines [(Google Refuses SEARCH_CONSOLE)]
    Vid8 "P-VID8" "a video's platform lists `web`, `mobile`, `tv`, with the relationship `allow` or `deny`" ("Google, schema") Warning
        except [] console ["Invalid tag value" "Missing XML attribute" "Invalid XML attribute value"] engines [(Google Refuses SEARCH_CONSOLE)]
    Vid9 "P-VID9" "a video's uploader has at most 255 characters, and a page on the page's domain" ("Google, schema") Warning
        except [] console ["Invalid tag value" "Missing XML tag" "Invalid XML attribute value"] engines [(Google Refuses SEARCH_CONSOLE)]
    Vid10 "P-VID10" "a video has at most 32 tags" ("Google, schema") Warning
        except [] console ["Invalid XML: too many tags"] engines [(Google Refuses SEARCH_CONSOLE)]
    VideoXsd "sitemap-video.xsd" "category, gallery, price, player, segments, id and tvshow of a video are as the schema has them" ("schema") Warning
        except [(Note "if only the order of elements is wrong")] console ["Invalid tag value" "Missing XML tag" "Missing XML attribute" "Invalid XML attribute value" "Invalid XML: too many tags"] engines [(Google Ignores GOOGLE_TAGS)]
    Alt1 "P-ALT1" "an alternate has rel, hreflang (or media) and href" ("Google") Warning
        except [] console ["Missing XML attribute"] engines [(Google Refuses SEARCH_CONSOLE)]
    Alt2 "P-ALT2" "an alternate's href is an absolute URL, on any site" ("Google") Warning
        except [] console ["Invalid URL"] engines [(Google Refuses SEARCH_CONSOLE)]
    Alt3 "P-ALT3" "a page lists all its alternates, itself among them" ("Google") Warning
        except [] console [] engines [(Google Requires GOOGLE_LANGUAGES)]
    Alt4 "P-ALT4" "alternates list each other" ("Google") Warning
        except [(Note "if the other page is not listed")] console [] engines [(Google Ignores GOOGLE_LANGUAGES)]
    Alt5 "P-ALT5" "a hreflang is an ISO 639-1 code, perhaps with a script and an ISO 3166-1 or UN M.49 region, or `x-default`" ("Google") Warning
        except [] console ["Invalid XML attribute value"] engines [(Google Refuses SEARCH_CONSOLE)]
    PageMapXsd "sitemap-pagemap.xsd" "a page map is as its schema has it" ("schema") Warning
        except [] console [] engines []
    Txt1 "P-TXT1" "a text sitemap is one absolute URL a line in UTF-8, and nothing else" ("sitemaps.org") Error
        except [(Note "if the lines look like rows of a table")] console ["Invalid URL"] engines [(Google Refuses SEARCH_CONSOLE)(Baidu Requires BAIDU)]
    Txt2 "P-TXT2" "a text sitemap has at most 50,000 lines and 52,428,800 bytes, uncompressed" ("sitemaps.org") Error
        except [] console ["Too many URLs" "Sitemap file size error"] engines [(Google Refuses SEARCH_CONSOLE)(Baidu Requires BAIDU)]
    DupLoc "L-DUPLOC" "a loc is listed once in a document or a set of them" ("advice") Note
        except [] console [] engines []
    Future "L-FUTURE" "a lastmod is not in the future" ("advice, Bing") Warning
        except [] console [] engines [(Bing Refuses BING_DATES)]
    SameLastmod "L-SAMELASTMOD" "lastmods differ: one for all pages says nothing" ("advice") Note
        except [] console [] engines [(Google Ignores GOOGLE)(Bing Requires BING)]
    Newer "L-NEWER" "a lastmod is not newer than the document that says it" ("advice") Note
        except [] console [] engines []
    Http "L-HTTP" "locs have one scheme: http beside https lists a page twice" ("advice") Warning
        except [] console ["URL not allowed"] engines [(Google Refuses SEARCH_CONSOLE)]
    Www "L-WWW" "locs have one host: a host with and without `www.` lists a page twice" ("advice") Warning
        except [] console ["Path mismatch: Missing www" "Path mismatch: Includes www"] engines [(Google Refuses SEARCH_CONSOLE)]
    Fragment "L-FRAGMENT" "a loc has no `#`: crawlers leave out what follows it" ("advice") Note
        except [] console [] engines []
    Deprecated "L-DEPRECATED" "tags that Google ignores since August 2022 have no effect" ("advice, Google") Note
        except [] console [] engines [(Google Ignores GOOGLE_TAGS)]
    Ignored "L-IGNORED" "Google does not use changefreq and priority" ("advice, Google") Note
        except [] console [] engines [(Google Ignores GOOGLE)(Bing Ignores BING)(Yandex Takes YANDEX)(Baidu Takes BAIDU)(Seznam Takes SEZNAM)]
    XDefault "L-XDEFAULT" "alternates have one for `x-default`" ("advice, Google") Note
        except [] console [] engines [(Google Takes GOOGLE_LANGUAGES)]
    Robots "L-ROBOTS" "a listed page is not blocked by robots.txt" ("advice") Warning
        except [] console ["URL blocked by robots.txt"] engines [(Google Refuses SEARCH_CONSOLE)]
    Xslt "L-XSLT" "a document is not shown by an XSLT stylesheet, which browsers stop applying" ("advice, HTML standard, Chrome") Warning
        except [] console [] engines []
    Engine "L-ENGINE" "a named search engine reads all that a document says" ("advice, the engines") Warning
        except [(Note "if lastmods have no time, and Bing asks for one")] console [] engines [(Bing Requires BING)(Yandex Ignores YANDEX)(Baidu Requires BAIDU)]
    NoIndex "L-NOINDEX" "a listed page may be indexed by what it says itself" ("advice, Google") Warning
        except [] console [] engines []
    Redirect "L-REDIRECT" "a listed address does not redirect to another" ("advice, Google") Warning
        except [] console [] engines []
    Canonical "L-CANONICAL" "a listed address is the canonical one of its page" ("advice, Google") Warning
        except [] console [] engines []
    Missing "L-MISSING" "a listed page exists" ("advice") Warning
        except [] console ["URLs not accessible"] engines []
    Unlisted "L-UNLISTED" "a page that may be indexed is listed" ("advice") Note
        except [] console [] engines []
    Hreflang "L-HREFLANG" "an entry's alternates are those that its page links to" ("advice, Google") Warning
        except [] console [] engines []
    PageDate "L-PAGEDATE" "a lastmod is the date that the page states" ("advice") Note
        except [] console [] engines []
    Moved "L-MOVED" "a sitemap is served at its address, without a redirect" ("advice") Note
        except [] console [] engines []
    ContentType "L-TYPE" "a sitemap is served with a content type of XML, text, feeds or gzip" ("advice") Warning
        except [] console [] engines []
    Slow "L-SLOW" "a sitemap is loaded within ten seconds" ("advice") Warning
        except [] console [] engines []
    Validator "L-VALIDATOR" "a sitemap is served with an ETag or a Last-Modified header" ("advice") Note
        except [] console [] engines []
    Unnamed "L-UNNAMED" "a site's robots.txt names its sitemap" ("sitemaps.org, advice") Note
        except [] console [] engines []
    Forbidden "L-FORBIDDEN" "a site's robots.txt allows crawlers to read its sitemap" ("advice") Error
        except [] console [] engines []
    Absent "L-ABSENT" "a listed sitemap is in the folder that the site serves" ("advice") Error
        except [(Warning "if the folder has the file compressed")] console [] engines []
    Orphan "L-ORPHAN" "a sitemap in a folder with an index is listed" ("sitemaps.org, advice") Warning
        except [] console [] engines []
    Private "L-PRIVATE" "a loc has no password, and a host that everybody can reach" ("advice, RFC 9110, RFC 6761, RFC 6890") Warning
        except [] console [] engines []
    LangSwap "L-LANGSWAP" "an alternate has the language of its label: each page one, and the one that its address shows" ("advice, Google") Note
        except [] console [] engines []
    Old "L-OLD" "a lastmod is not before 1990" ("advice") Warning
        except [] console [] engines []
}
