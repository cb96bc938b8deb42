//! A site whose base says that it is elsewhere.

use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::{App, web};
use sitemap_serving_tests::{MOUNTED_ELSEWHERE, MOUNTS, Rows, logged};
use sitemap_site::Site;

#[test]
fn a_scope_at_another_path_than_the_base_is_warned_about() {
    let ((), log) = logged(async {
        for (base, mount, index, status) in MOUNTS {
            let site = Site::builder(base)
                .section("pages", Rows::new(3))
                .build()
                .expect("a site");
            let scope = web::scope(mount.trim_end_matches('/'));
            let app = App::new().service(scope.configure(sitemap_actix::routes(&site)));
            let app = init_service(app).await;
            for _ in 0..2 {
                let request = TestRequest::get().uri(index);
                let response = call_service(&app, request.to_request()).await;
                assert_eq!(response.status(), status, "{base} at {mount}");
            }
        }
    });
    assert_eq!(log, [MOUNTED_ELSEWHERE]);
}
