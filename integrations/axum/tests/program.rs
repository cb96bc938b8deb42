//! The example, from the outside.

use sitemap_serving_tests::{Program, check};

#[test]
fn the_site_is_served_as_everywhere() {
    check(Program::start("axum", &[]).address);
}
