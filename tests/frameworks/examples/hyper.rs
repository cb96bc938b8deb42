//! Only hyper: a site is the service of every connection.

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let site = sitemap_serving_tests::site(); // 25 rows in parts of ten
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        let service = TowerToHyperService::new(site.clone());
        // An error here means that the client disconnected.
        tokio::spawn(async {
            http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await
                .ok()
        });
    }
}
