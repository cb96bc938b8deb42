//! A site's sitemap in salvo, by its compatibility with tower.

use salvo::conn::{Acceptor, Listener, TcpListener};
use salvo::http::ReqBody;
use salvo::prelude::{Handler, Router, Server, TowerServiceCompat};
use sitemap_site::Site;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let site = sitemap_serving_tests::site(); // 25 rows in parts of ten
    let router = Router::new()
        .push(Router::with_path("sitemap.xml").goal(handler(site.clone())))
        .push(Router::with_path("sitemap-{part}").goal(handler(site)));
    let acceptor = TcpListener::new("127.0.0.1:0").bind().await;
    let address = acceptor.holdings()[0].local_addr.clone();
    println!("http://{}", address.into_std().ok_or("no address")?);
    Server::new(acceptor).serve(router).await;
    Ok(())
}

fn handler(site: Site) -> impl Handler {
    TowerServiceCompat::<ReqBody, _, _, _>::compat(site)
}
