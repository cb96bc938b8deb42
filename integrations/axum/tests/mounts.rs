//! Every address of a site has a route, wherever the site is.

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use sitemap_serving_tests::{Rows, get, logged};
use sitemap_site::Site;
use tokio::net::TcpListener;
use tower_service::Service;

/// The statuses of the paths on a server of the router.
async fn statuses(router: Router, paths: &[&'static str]) -> Vec<u16> {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let server = tokio::spawn(async move { axum::serve(listener, router).await });
    let mut statuses = Vec::new();
    for path in paths {
        let asked = tokio::task::block_in_place(|| get(address, path, &[]));
        statuses.push(asked.status);
    }
    server.abort();
    statuses
}

#[tokio::test(flavor = "multi_thread")]
async fn every_address_has_a_route() {
    let site = |base| {
        Site::builder(base)
            .section("pages", Rows::new(3))
            .html(true)
            .stylesheet(true)
            .index_now_key("0123-abcd")
            .build()
            .expect("a site")
    };
    let names = [
        "/sitemap.xml",
        "/sitemap-pages.xml",
        "/sitemap.html",
        "/sitemap.css",
        "/0123-abcd.txt",
    ];
    let below = [
        "/shop/sitemap.xml",
        "/shop/sitemap-pages.xml",
        "/shop/sitemap.html",
        "/shop/sitemap.css",
        "/shop/0123-abcd.txt",
    ];
    let root = Router::new().merge(sitemap_axum::router(&site("https://example.com")));
    assert_eq!(statuses(root, &names).await, [200; 5]);

    let shop = site("https://example.com/shop");
    let merged = Router::new().merge(sitemap_axum::router(&shop));
    assert_eq!(statuses(merged.clone(), &below).await, [200; 5]);
    assert_eq!(statuses(merged, &names).await, [404; 5]);
    let nested = Router::new().nest("/shop", sitemap_axum::nested(&shop));
    assert_eq!(statuses(nested, &below).await, [200; 5]);
}

/// What is not switched on is left to the program's own routes.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_switched_off_has_no_route() {
    let site = Site::builder("https://example.com").build().expect("a site");
    let own = Router::new()
        .route("/sitemap.html", axum::routing::get(|| async { "our own" }))
        .merge(sitemap_axum::router(&site));
    assert_eq!(statuses(own, &["/sitemap.html"]).await, [200]);
}

/// Its links lead elsewhere, which nobody sees in the response.
#[test]
fn a_nest_at_another_path_than_the_base_is_warned_about() {
    let ((), log) = logged(async {
        for (base, path) in [
            ("https://example.com/shop", "/shop"),
            ("https://example.com", "/maps"),
        ] {
            let site = Site::builder(base)
                .section("pages", Rows::new(3))
                .build()
                .expect("a site");
            let mut router: Router = Router::new().nest(path, sitemap_axum::nested(&site));
            for _ in 0..2 {
                let request = Request::get(format!("{path}/sitemap.xml"))
                    .body(Body::empty())
                    .expect("a request");
                assert_eq!(router.call(request).await.expect("a response").status(), 200);
            }
        }
    });
    assert_eq!(
        log,
        [
            "WARN the sitemap is nested at /maps, and the site's base says that it is at https://example.com/sitemap.xml, where its links lead: \
             nest it at the path of the base, or change the base path=\"/maps/sitemap.xml\""
        ]
    );
}
