//! A site whose base says that it is elsewhere.

use rocket::local::asynchronous::Client;
use sitemap_rocket::Sitemap;
use sitemap_serving_tests::{MOUNTED_ELSEWHERE, MOUNTS, Rows, logged};
use sitemap_site::Site;

#[test]
fn a_mount_at_another_path_than_the_base_is_warned_about() {
    let ((), log) = logged(async {
        for (base, mount, index, status) in MOUNTS {
            let site = Site::builder(base)
                .section("pages", Rows::new(3))
                .build()
                .expect("a site");
            let quiet = rocket::Config::figment().merge(("log_level", "off"));
            let rocket = rocket::custom(quiet).mount(mount, Sitemap(site));
            let client = Client::untracked(rocket).await.expect("a client");
            for _ in 0..2 {
                let response = client.get(index).dispatch().await;
                assert_eq!(response.status().code, status, "{base} at {mount}");
            }
        }
    });
    assert_eq!(log, [MOUNTED_ELSEWHERE]);
}
