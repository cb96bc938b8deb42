//! The shop's connections: a client must send its request in time, and connections end when the shop closes.

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

/// Timeout for the head of a request, and between two requests.
const HEAD: Duration = Duration::from_secs(5);
/// Time for responses to finish when the shop closes.
const LAST: Duration = Duration::from_secs(20);

/// Answers requests until `closed` is ready, and finishes responses in progress.
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
            // There may be too many open files; some will be closed soon.
            sleep(Duration::from_millis(100)).await;
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        let connection = connections.watch(http.serve_connection(TokioIo::new(stream), service));
        // A client that disconnects is not a failure of the shop.
        tokio::spawn(async move { drop(connection.await) });
    }
    drop(listener);
    if timeout(LAST, connections.shutdown()).await.is_err() {
        eprintln!("some responses did not end within {LAST:?}");
    }
}

/// Waits for Ctrl-C, or the signal that stops services.
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
