//! Every address of a site has a route, for any mount point.

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use sitemap_serving_tests::{MOUNTED_ELSEWHERE, MOUNTS, Mounting, NAMES, logged, mounted_site};
use sitemap_site::SiteBuilder;
use tower_service::Service;

async fn status(router: &mut Router, path: &str) -> u16 {
    let request = Request::get(path).body(Body::empty()).expect("a request");
    let response = router.call(request).await.expect("a response");
    response.status().as_u16()
}

#[test]
fn every_address_has_a_route() {
    let ((), log) = logged(async {
        for (base, mounting, folder, expected) in MOUNTS {
            let site = mounted_site(base);
            let mut router: Router = match mounting {
                Mounting::Routes => Router::new().merge(sitemap_axum::routes(&site)),
                Mounting::Nested("") => sitemap_axum::nested(&site),
                Mounting::Nested(path) => Router::new().nest(path, sitemap_axum::nested(&site)),
            };
            for name in NAMES.into_iter().chain(NAMES) {
                let found = status(&mut router, &format!("{folder}{name}")).await;
                assert_eq!(found, expected, "{name} of {base}, {mounting:?}");
            }
        }
    });
    assert_eq!(log, [MOUNTED_ELSEWHERE]);
}

/// Disabled pages are left to the program's own routes.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_switched_off_has_no_route() {
    let site = SiteBuilder::new("https://example.com").build().expect("a site");
    let mut own = Router::new()
        .route("/sitemap.html", axum::routing::get(|| async { "our own" }))
        .merge(sitemap_axum::routes(&site));
    assert_eq!(status(&mut own, "/sitemap.html").await, 200);
}
