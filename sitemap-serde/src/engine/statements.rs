//! The engines' documentation, rule by rule.

use sitemap_values::Rule;

use super::Engine::{self, Baidu, Bing, Google, Seznam, Yandex};
use super::Stance::{self, Ignores, Refuses, Requires, Takes};

/// A page that documents an engine's behaviour.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) title: &'static str,
    pub(super) address: &'static str,
    /// When it was written or, if it has no date, read.
    pub(super) date: &'static str,
}

impl Source {
    const fn new(title: &'static str, address: &'static str, date: &'static str) -> Self {
        Source { title, address, date }
    }
}

/// What is known of a rule; an engine that is not listed says nothing about it.
pub(super) struct Row {
    pub(super) rule: Rule,
    pub(super) statements: &'static [(Engine, Stance, Source)],
}

const fn row(rule: Rule, statements: &'static [(Engine, Stance, Source)]) -> Row {
    Row { rule, statements }
}

pub(super) const NONE: Source = Source::new("no statement found", "", "2026-11");

const CONSOLE: Source = Source::new(
    "Search Console Help: Sitemaps report",
    "https://support.google.com/webmasters/answer/7451001",
    "2026-11",
);
const GOOGLE: Source = Source::new(
    "Google Search Central: Build and submit a sitemap",
    "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    "2026-11",
);
const GOOGLE_NEWS: Source = Source::new(
    "Google Search Central: News sitemaps",
    "https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",
    "2026-11",
);
const GOOGLE_LANGUAGES: Source = Source::new(
    "Google Search Central: Localized versions of your pages",
    "https://developers.google.com/search/docs/specialty/international/localized-versions",
    "2026-11",
);
const GOOGLE_TAGS: Source = Source::new(
    "Google Search Central Blog: Spring cleaning: some sitemap extension tags are going away",
    "https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions",
    "2022-05",
);
const BING: Source = Source::new(
    "Bing Webmaster Blog: Keeping Content Discoverable with Sitemaps in AI Powered Search",
    "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
    "2025-07",
);
const BING_DATES: Source = Source::new(
    "a report on Bing's sitemap guidelines",
    "https://www.etavrian.com/news/bing-lastmod-ai-recrawling",
    "2025-07",
);
const YANDEX: Source = Source::new(
    "Yandex Webmaster Help: Using the Sitemap file",
    "https://yandex.com/support/webmaster/en/controlling-robot/sitemap",
    "2026-11",
);
const YANDEX_STATUS: Source = Source::new(
    "Yandex Webmaster Help: Sitemap files",
    "https://yandex.ru/support/webmaster/en/indexing-options/sitemap",
    "2026-11",
);
const BAIDU: Source = Source::new(
    "a copy of Baidu's help on sitemaps",
    "http://wh0553.cn/news/842.html",
    "2021-05",
);
const SEZNAM: Source = Source::new(
    "Seznam Blog: Podpora sitemap.xml",
    "https://blog.seznam.cz/2007/11/podpora-sitemap-xml/",
    "2007-11",
);

/// One row a rule, in the order of [`Rule::ALL`].
#[rustfmt::skip]
pub(super) const ON_RULES: &[Row] = &[
    row(Rule::Xml, &[(Google, Refuses, CONSOLE), (Yandex, Refuses, YANDEX_STATUS)]),
    row(Rule::Ns, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Decl, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Utf8, &[(Google, Refuses, CONSOLE), (Yandex, Requires, YANDEX), (Baidu, Requires, BAIDU)]),
    row(Rule::Esc, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Empty, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Count, &[(Google, Refuses, CONSOLE), (Bing, Requires, BING), (Yandex, Requires, YANDEX), (Baidu, Requires, BAIDU)]),
    row(Rule::Size, &[(Google, Refuses, CONSOLE), (Yandex, Requires, YANDEX), (Baidu, Requires, BAIDU)]),
    row(Rule::Gzip, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Order, &[]),
    row(Rule::SitemapXsd, &[]),
    row(Rule::Dup, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Nest, &[(Google, Refuses, CONSOLE)]),
    row(Rule::IndexTags, &[]),
    row(Rule::Loc, &[(Google, Refuses, CONSOLE)]),
    row(Rule::LocLen, &[(Google, Refuses, CONSOLE), (Baidu, Requires, BAIDU)]),
    row(Rule::LocEnc, &[(Google, Refuses, CONSOLE), (Yandex, Takes, YANDEX)]),
    row(Rule::Idn, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Host, &[(Google, Refuses, CONSOLE), (Yandex, Requires, YANDEX)]),
    row(Rule::Path, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Lastmod, &[(Google, Refuses, CONSOLE), (Bing, Requires, BING)]),
    row(Rule::LastmodX, &[]),
    row(Rule::Freq, &[(Google, Refuses, CONSOLE), (Bing, Ignores, BING)]),
    row(Rule::Prio, &[(Google, Refuses, CONSOLE), (Bing, Ignores, BING), (Yandex, Requires, YANDEX)]),
    row(Rule::PrioAll, &[(Google, Ignores, GOOGLE), (Bing, Ignores, BING), (Seznam, Ignores, SEZNAM)]),
    row(Rule::Idx1, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Idx2, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Idx3, &[]),
    row(Rule::Img1, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Img2, &[(Google, Refuses, CONSOLE)]),
    row(Rule::News1, &[(Google, Refuses, CONSOLE)]),
    row(Rule::News2, &[(Google, Refuses, CONSOLE)]),
    row(Rule::News3, &[(Google, Refuses, CONSOLE)]),
    row(Rule::News4, &[(Google, Refuses, CONSOLE)]),
    row(Rule::News5, &[(Google, Requires, GOOGLE_NEWS)]),
    row(Rule::NewsXsd, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Vid1, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Vid2, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Vid3, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Vid4, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Vid5, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Vid6, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Vid7, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Vid8, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Vid9, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Vid10, &[(Google, Refuses, CONSOLE)]),
    row(Rule::VideoXsd, &[(Google, Ignores, GOOGLE_TAGS)]),
    row(Rule::Alt1, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Alt2, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Alt3, &[(Google, Requires, GOOGLE_LANGUAGES)]),
    row(Rule::Alt4, &[(Google, Ignores, GOOGLE_LANGUAGES)]),
    row(Rule::Alt5, &[(Google, Refuses, CONSOLE)]),
    row(Rule::PageMapXsd, &[]),
    row(Rule::Txt1, &[(Google, Refuses, CONSOLE), (Baidu, Requires, BAIDU)]),
    row(Rule::Txt2, &[(Google, Refuses, CONSOLE), (Baidu, Requires, BAIDU)]),
    row(Rule::DupLoc, &[]),
    row(Rule::Future, &[(Bing, Refuses, BING_DATES)]),
    row(Rule::SameLastmod, &[(Google, Ignores, GOOGLE), (Bing, Requires, BING)]),
    row(Rule::Newer, &[]),
    row(Rule::Http, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Www, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Fragment, &[]),
    row(Rule::Deprecated, &[(Google, Ignores, GOOGLE_TAGS)]),
    row(Rule::Ignored, &[(Google, Ignores, GOOGLE), (Bing, Ignores, BING), (Yandex, Takes, YANDEX), (Baidu, Takes, BAIDU), (Seznam, Takes, SEZNAM)]),
    row(Rule::XDefault, &[(Google, Takes, GOOGLE_LANGUAGES)]),
    row(Rule::Robots, &[(Google, Refuses, CONSOLE)]),
    row(Rule::Xslt, &[]),
    row(Rule::Engine, &[(Bing, Requires, BING), (Yandex, Ignores, YANDEX), (Baidu, Requires, BAIDU)]),
    row(Rule::NoIndex, &[]),
    row(Rule::Redirect, &[]),
    row(Rule::Canonical, &[]),
    row(Rule::Missing, &[]),
    row(Rule::Unlisted, &[]),
    row(Rule::Hreflang, &[]),
    row(Rule::PageDate, &[]),
    row(Rule::Moved, &[]),
    row(Rule::ContentType, &[]),
    row(Rule::Slow, &[]),
    row(Rule::Validator, &[]),
    row(Rule::Unnamed, &[]),
    row(Rule::Forbidden, &[]),
    row(Rule::Absent, &[]),
    row(Rule::Orphan, &[]),
    row(Rule::Private, &[]),
];

#[cfg(test)]
mod tests {
    use super::super::Engine;
    use super::*;

    #[test]
    fn every_rule_has_a_row_and_every_cell_a_source() {
        let rules: Vec<_> = ON_RULES.iter().map(|row| row.rule).collect();
        assert_eq!(rules, Rule::ALL);
        for rule in Rule::ALL {
            for engine in Engine::ALL {
                let statement = engine.on(*rule);
                assert!(
                    !statement.source().is_empty() && statement.date().len() == 7,
                    "{rule} {engine}"
                );
                let is_known = statement.stance() != Stance::Unknown;
                assert_eq!(statement.url().starts_with("http"), is_known, "{rule} {engine}");
            }
        }
    }

    #[test]
    fn no_cell_is_twice() {
        for row in ON_RULES {
            let mut engines: Vec<_> = row.statements.iter().map(|(engine, ..)| *engine).collect();
            engines.dedup();
            assert!(
                engines.is_sorted() && engines.len() == row.statements.len(),
                "{}",
                row.rule
            );
        }
    }
}
