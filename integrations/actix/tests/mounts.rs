//! A site whose base says that it is elsewhere.

use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::{App, web};
use sitemap_serving_tests::{MOUNTED_ELSEWHERE, MOUNTS, Rows, logged};
use sitemap_site::Site;

#[test]
fn a_scope_at_another_path_than_the_base_is_warned_about() {
    let ((), log) = logged(async {
        for (base, scope, status) in MOUNTS {
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
    assert_eq!(log, [MOUNTED_ELSEWHERE]);
}
