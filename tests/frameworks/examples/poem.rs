//! A site's sitemap in poem, by its compatibility with tower.

use poem::endpoint::TowerCompatExt;
use poem::listener::{Acceptor, Listener, TcpListener};
use poem::{Route, Server};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let site = sitemap_serving_tests::site(); // 25 rows in parts of ten
    let app = Route::new()
        .at("/sitemap.xml", site.clone().compat())
        .at("/:part<sitemap-.+>", site.compat());
    let acceptor = TcpListener::bind("127.0.0.1:0").into_acceptor().await?;
    println!(
        "http://{}",
        acceptor.local_addr()[0].as_socket_addr().ok_or("no address")?
    );
    Server::new_with_acceptor(acceptor).run(app).await?;
    Ok(())
}
