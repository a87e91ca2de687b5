//! For tests: a scripted language model, and a whole application on a free port.

mod app;
mod databases;
mod scripted;
mod webhook;

pub use app::client::TestClient;
pub use app::{TestApp, TestAppOptions};
pub use databases::{OwnPostgres, postgres};
pub use scripted::ScriptedModel;
pub use scripted::rule::{Reply, Rule, Script, ScriptedCall, When};
pub use webhook::{Received, Webhook, WebhookAnswer};
