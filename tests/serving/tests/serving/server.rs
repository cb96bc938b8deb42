//! axum with a site, until this is dropped.

use std::net::SocketAddr;

use axum::Router;
use axum::routing::get;
use sitemap_site::Site;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    runtime: Option<Runtime>,
}

impl Server {
    pub(crate) fn start(site: &Site) -> Self {
        let router = Router::new()
            .route("/product", get(|| async { "a product" }))
            .route_service("/sitemap.xml", site.clone())
            .route_service("/sitemap.html", site.clone())
            .route_service("/sitemap.css", site.clone())
            .route_service("/sitemap-{part}", site.clone());
        Server::of(router)
    }

    pub(crate) fn of(router: Router) -> Self {
        Server::on(std::net::TcpListener::bind("127.0.0.1:0").unwrap(), router)
    }

    /// An address that is already in use.
    pub(crate) fn on(listener: std::net::TcpListener, router: Router) -> Self {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let address = listener.local_addr().unwrap();
        listener.set_nonblocking(true).unwrap();
        let listener = {
            let _runtime = runtime.enter();
            TcpListener::from_std(listener).unwrap()
        };
        runtime.spawn(async move { axum::serve(listener, router).await });
        Server {
            address,
            runtime: Some(runtime),
        }
    }

    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        self.runtime.as_ref().unwrap().spawn(work)
    }

    pub(crate) fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.as_ref().unwrap().block_on(work)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
