//! actix-web: a site's sitemap.

use actix_web::{App, HttpServer};

#[actix_web::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let site = sitemap_serving_tests::site(); // 25 rows in parts of ten
    site.ready().await?; // counts the rows; until then the index answers 503
    let server = HttpServer::new(move || App::new().configure(sitemap_actix::routes(&site)))
        .workers(2)
        .bind("127.0.0.1:0")?;
    println!("http://{}", server.addrs()[0]);
    server.run().await?;
    Ok(())
}
