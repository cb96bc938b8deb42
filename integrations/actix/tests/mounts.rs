//! Every address of a site has a route, for any mount point.

use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::{App, web};
use sitemap_serving_tests::{MOUNTED_ELSEWHERE, MOUNTS, Mounting, NAMES, logged, mounted_site};

#[test]
fn every_address_has_a_route() {
    let ((), log) = logged(async {
        for (base, mounting, folder, status) in MOUNTS {
            let site = mounted_site(base);
            let app = match mounting {
                Mounting::Routes => App::new().configure(sitemap_actix::routes(&site)),
                Mounting::Nested(path) => {
                    App::new().service(web::scope(path).configure(sitemap_actix::nested(&site)))
                }
            };
            let app = init_service(app).await;
            for name in NAMES.into_iter().chain(NAMES) {
                let request = TestRequest::get().uri(&format!("{folder}{name}"));
                let response = call_service(&app, request.to_request()).await;
                assert_eq!(response.status(), status, "{name} of {base}, {mounting:?}");
            }
        }
    });
    assert_eq!(log, [MOUNTED_ELSEWHERE]);
}
