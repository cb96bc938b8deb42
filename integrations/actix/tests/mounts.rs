//! A site whose base says that it is elsewhere.

use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::{App, web};
use sitemap_serving_tests::{Rows, logged};
use sitemap_site::Site;

/// The links of its index would be dead, so it is not served there, and the log says why.
#[test]
fn a_scope_at_another_path_than_the_base_is_warned_about() {
    let ((), log) = logged(async {
        for (base, scope, status) in [
            ("https://example.com/shop", "/shop", 200),
            ("https://example.com", "/maps", 404),
        ] {
            let site = Site::builder(base)
                .section("pages", Rows::new(3))
                .build()
                .expect("a site");
            let app = App::new().service(web::scope(scope).configure(sitemap_actix::routes(&site)));
            let app = init_service(app).await;
            for _ in 0..2 {
                let request = TestRequest::get().uri(&format!("{scope}/sitemap.xml"));
                let response = call_service(&app, request.to_request()).await;
                assert_eq!(response.status(), status);
            }
        }
    });
    assert_eq!(
        log,
        [
            "WARN a sitemap was requested in another folder than that of the site's base, https://example.com, whose sitemap is \
             https://example.com/sitemap.xml: if the site is mounted at /maps, that belongs to the base path=\"/maps/sitemap.xml\""
        ]
    );
}
