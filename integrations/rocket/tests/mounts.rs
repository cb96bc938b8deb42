//! A site whose base says that it is elsewhere.

use rocket::local::asynchronous::Client;
use sitemap_rocket::Sitemap;
use sitemap_serving_tests::{Rows, logged};
use sitemap_site::Site;

/// The links of its index would be dead, so it is not served there, and the log says why.
#[test]
fn a_mount_at_another_path_than_the_base_is_warned_about() {
    let ((), log) = logged(async {
        for (base, mount, status) in [
            ("https://example.com/shop", "/shop", 200),
            ("https://example.com", "/maps", 404),
        ] {
            let site = Site::builder(base)
                .section("pages", Rows::new(3))
                .build()
                .expect("a site");
            let quiet = rocket::Config::figment().merge(("log_level", "off"));
            let rocket = rocket::custom(quiet).mount(mount, Sitemap(site));
            let client = Client::untracked(rocket).await.expect("a client");
            for _ in 0..2 {
                let response = client.get(format!("{mount}/sitemap.xml")).dispatch().await;
                assert_eq!(response.status().code, status);
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
