use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long the head of a request may take; a connection that is silent for longer is closed.
const HEAD: Duration = Duration::from_secs(30);
/// A pause when no connection can be accepted, which passes when others are closed.
const BREATH: Duration = Duration::from_millis(50);
/// How long requests under way may take once the server is to end.
const GRACE: Duration = Duration::from_secs(8);

/// Serves until `end`; then takes nothing new, and waits for what is under way.
pub async fn serve(listener: TcpListener, router: Router, end: CancellationToken) {
    let graceful = GracefulShutdown::new();
    let connections = TaskTracker::new();
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    tracing::warn!(%error, "no connection could be accepted");
                    tokio::time::sleep(BREATH).await;
                    continue;
                }
            },
            () = end.cancelled() => break,
        };
        connect(stream, router.clone(), &graceful, &connections);
    }
    drop(listener);
    if tokio::time::timeout(GRACE, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("some requests did not end in time");
    }
}

fn connect(
    stream: TcpStream,
    router: Router,
    graceful: &GracefulShutdown,
    connections: &TaskTracker,
) {
    // Answers are often small, and somebody waits for each.
    drop(stream.set_nodelay(true));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let connection = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let connection = graceful.watch(connection);
    connections.spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection ended early");
        }
    });
}
