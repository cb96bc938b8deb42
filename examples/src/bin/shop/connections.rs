//! The shop's connections: they have to send their requests in time, and end when the shop closes.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::time::{sleep, timeout};

/// How long a client may take to send the head of a request, or to send another one.
const HEAD: Duration = Duration::from_secs(5);
/// How long responses may take to their end when the shop closes.
const LAST: Duration = Duration::from_secs(20);

/// Answers requests until `closed` is ready, and lets begun responses end.
pub(crate) async fn serve(listener: TcpListener, router: Router, closed: impl Future<Output = ()>) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let connections = GracefulShutdown::new();
    let mut closed = pin!(closed);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut closed => break,
        };
        let Ok((stream, _)) = accepted else {
            // There may be too many open files: some are closed soon.
            sleep(Duration::from_millis(100)).await;
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        let connection = connections.watch(http.serve_connection(TokioIo::new(stream), service));
        // A client that has left is no failure of the shop.
        tokio::spawn(async move { drop(connection.await) });
    }
    drop(listener);
    if timeout(LAST, connections.shutdown()).await.is_err() {
        eprintln!("some responses did not end within {LAST:?}");
    }
}

/// Waits for Ctrl-C, or the signal with which services are stopped.
pub(crate) async fn closed() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupted => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    let _ = interrupted.await;
}
