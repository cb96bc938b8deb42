//! Every address of a site has a route, for any mount point.

use rocket::local::asynchronous::Client;
use sitemap_serving_tests::{MOUNTED_ELSEWHERE, MOUNTS, Mounting, NAMES, logged, mounted_site};

#[test]
fn every_address_has_a_route() {
    let ((), log) = logged(async {
        for (base, mounting, folder, status) in MOUNTS {
            let site = mounted_site(base);
            let quiet = rocket::Config::figment().merge(("log_level", "off"));
            let rocket = rocket::custom(quiet);
            let rocket = match mounting {
                Mounting::Routes => rocket.mount("/", sitemap_rocket::routes(&site)),
                Mounting::Nested(path) => rocket.mount(format!("{path}/"), sitemap_rocket::nested(&site)),
            };
            let client = Client::untracked(rocket).await.expect("a client");
            for name in NAMES.into_iter().chain(NAMES) {
                let response = client.get(format!("{folder}{name}")).dispatch().await;
                assert_eq!(response.status().code, status, "{name} of {base}, {mounting:?}");
            }
        }
    });
    assert_eq!(log, [MOUNTED_ELSEWHERE]);
}
