use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use toolcrib_runtime::Runtime;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use crate::{guard, openapi, problem, routes, ui};

/// What a server is started with.
#[derive(Clone, Debug, Default)]
pub struct ServerOptions {
    /// Host names that requests may be addressed to, beside the loopback ones.
    pub hosts: Vec<String>,
    /// A secret by which somebody at the machine can open a session.
    pub local_secret: Option<String>,
}

/// What every route knows.
#[derive(Clone, Debug)]
pub(crate) struct App {
    pub(crate) runtime: Runtime,
    pub(crate) options: Arc<ServerOptions>,
}

/// The whole server, as a router.
pub fn router(runtime: Runtime, options: ServerOptions) -> Router {
    let app = App {
        runtime,
        options: Arc::new(options),
    };
    let (api, _) = routes::all().split_for_parts();
    let pages = Router::new()
        .route("/api/openapi.json", axum::routing::get(openapi::serve))
        .fallback(ui::serve)
        .layer(CompressionLayer::new());
    Router::new()
        .merge(api)
        .merge(pages)
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(from_fn_with_state(app.clone(), guard::check))
        .layer(from_fn(problem::render))
        .with_state(app)
}
