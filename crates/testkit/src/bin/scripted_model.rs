//! The scripted language model as a program, for tests that are not written in Rust.

use std::process::ExitCode;

use toolcrib_testkit::ScriptedModel;

#[tokio::main]
#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program that tells its address"
)]
async fn main() -> ExitCode {
    match ScriptedModel::start().await {
        Ok(model) => {
            println!("SCRIPTED_MODEL_BASE_URL={}", model.base_url());
            drop(tokio::signal::ctrl_c().await);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("scripted-model: {error}");
            ExitCode::FAILURE
        }
    }
}
