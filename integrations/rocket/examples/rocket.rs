//! Rocket: a site's sitemap.

use rocket::fairing::AdHoc;

#[rocket::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let site = sitemap_serving_tests::site(); // 25 rows in parts of ten
    site.ready().await?; // counts the rows; until then the index answers 503
    let config = rocket::Config {
        port: 0,
        log_level: rocket::config::LogLevel::Off,
        ..rocket::Config::debug_default()
    };
    let announce = AdHoc::on_liftoff("address", |rocket| {
        Box::pin(async move { println!("http://{}:{}", rocket.config().address, rocket.config().port) })
    });
    rocket::custom(config)
        .attach(announce)
        .mount("/", sitemap_rocket::routes(&site))
        .launch()
        .await?;
    Ok(())
}
