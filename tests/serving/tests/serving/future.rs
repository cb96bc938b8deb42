//! Lastmods in the future: the index omits them, whatever their source, and they hide no later change.

use std::time::{Duration, SystemTime};

use http::Request;
use sitemap_serde::W3cDateTime;
use sitemap_serving_tests::{Page, Rows, body, logged, sitemaps};
use sitemap_site::source::{BoxError, DatedKey, Row, Source, Span};
use sitemap_site::{Site, SiteBuilder};

const AGE: Duration = Duration::from_millis(20);

/// Rows of a database that finds the newest lastmods.
#[derive(Clone)]
struct Table(Rows);

impl Source for Table {
    type Entry = Page;

    async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<Page>>, BoxError> {
        self.0.rows(span, limit).await
    }

    async fn latest(&self, limit: usize) -> Result<Option<Vec<DatedKey>>, BoxError> {
        let mut keys = self.keys(&Span::ALL, 100_000).await?;
        // As in PostgreSQL: `infinity`, which is no date, sorts before all dates.
        keys.sort_by_key(|row| {
            let lastmod = row.lastmod.lastmod();
            (lastmod.is_some(), std::cmp::Reverse(lastmod))
        });
        keys.truncate(limit);
        Ok(Some(keys))
    }
}

async fn lastmods(site: &Site) -> Vec<Option<String>> {
    let response = site
        .respond(&Request::get("/sitemap.xml").body(()).unwrap())
        .await;
    let index = body(response).await;
    sitemaps(&index).into_iter().map(|part| part.lastmod).collect()
}

fn date(text: &str) -> Option<W3cDateTime> {
    text.parse().ok()
}

/// A lastmod in the future counts as unknown, in counts and in renderings, and is reported once.
#[test]
fn the_index_has_no_lastmod_in_the_future() {
    for future in ["9999-12-31", "2999", "2199-01-01T00:00:00+14:00"] {
        let rows = Rows::new(30);
        rows.change(5, |page| page.updated = date(future));
        (11..=20).for_each(|id| rows.change(id, |page| page.updated = date(future)));
        let mut site = SiteBuilder::new("https://example.com");
        site.section("pages", Table(rows.clone())).part_rows(10);
        let site = site.max_age(AGE).build().unwrap();
        let ((), log) = logged(async {
            // The sixth and the tenth row have the newest other days of the month.
            let expected = |first: &str| [Some(first.to_owned()), None, Some("2026-05-28".to_owned())];
            assert_eq!(lastmods(&site).await, expected("2026-05-11"), "{future}");
            for part in ["~10", "10~20", "20~"] {
                let request = Request::get(format!("/sitemap-pages.{part}.xml"))
                    .body(())
                    .unwrap();
                assert_eq!(site.respond(&request).await.status(), 200);
            }
            assert_eq!(lastmods(&site).await, expected("2026-05-11"), "{future}");
            // Later changes are found, in the row's part and in a part without other dates.
            let now = W3cDateTime::try_from(SystemTime::now()).unwrap();
            for id in [3, 15] {
                rows.change(id, |page| page.updated = Some(now));
            }
            tokio::time::sleep(3 * AGE).await;
            let found = lastmods(&site).await;
            tokio::time::sleep(3 * AGE).await;
            let again = lastmods(&site).await;
            let now = Some(now.to_string());
            assert!(found[0] == now || again[0] == now, "{future}: {again:?}");
            site.refresh().await.unwrap();
            assert_eq!(lastmods(&site).await[..2], [now.clone(), now], "{future}");
        });
        assert_eq!(
            log,
            [format!(
                "WARN the row 5 has the lastmod {future}, which is in the future: until then the index ignores it, as it \
                 does those of other rows; correct the values, or name another column of lastmods"
            )],
            "{future}"
        );
    }
}

/// An invalid lastmod hides no change of another row.
#[tokio::test]
async fn a_row_without_a_date_hides_no_later_change() {
    let rows = Rows::new(30);
    rows.change(25, |page| page.updated = None);
    let mut site = SiteBuilder::new("https://example.com");
    site.section("pages", Table(rows.clone())).part_rows(10);
    let site = site.max_age(AGE).build().unwrap();
    site.ready().await.unwrap();
    let before = lastmods(&site).await;
    assert_eq!(before[2], None);
    let now = W3cDateTime::try_from(SystemTime::now()).unwrap();
    rows.change(3, |page| page.updated = Some(now));
    let expected = [Some(now.to_string()), before[1].clone(), None];
    let mut found = Vec::new();
    // On a slow machine, a query takes longer.
    for _ in 0..100 {
        tokio::time::sleep(3 * AGE).await;
        found = lastmods(&site).await;
        if found == expected {
            break;
        }
    }
    assert_eq!(found, expected);
}

/// Days begin fourteen hours earlier in the east, and clocks differ by seconds. Neither is reported.
#[test]
fn a_day_that_has_begun_somewhere_is_not_in_the_future() {
    let soon = SystemTime::now() + Duration::from_secs(20);
    let day = |seconds: u64| {
        let time = W3cDateTime::try_from(SystemTime::now() + Duration::from_secs(seconds)).unwrap();
        date(&time.to_string()[..10])
    };
    for (lastmod, is_listed) in [(day(13 * 3_600), true), (W3cDateTime::try_from(soon).ok(), false)] {
        let rows = Rows::new(1);
        rows.change(1, |page| page.updated = lastmod);
        let site = SiteBuilder::new("https://example.com")
            .section("pages", rows)
            .build()
            .unwrap();
        let (found, log) = logged(lastmods(&site));
        assert_eq!(
            found,
            [lastmod.filter(|_| is_listed).map(|lastmod| lastmod.to_string())]
        );
        assert_eq!(log, Vec::<String>::new());
    }
}
