//! The program of the README, from the outside.

use sitemap_serving_tests::{Program, assert_products};

#[test]
fn the_table_is_served() {
    // The machine's zone must not affect a lastmod.
    for zone in ["UTC", "Asia/Tokyo", "America/St_Johns"] {
        let program = Program::start("axum_seaorm", &[("TZ", zone)]);
        assert_products(program.address, &["/", "/about"]);
    }
}
