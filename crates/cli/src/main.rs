//! The `toolcrib` binary. The only place that reads the environment and the arguments.

mod args;
mod client;
mod commands;
mod config;
mod settings;
mod terminal;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

use crate::args::{Arguments, Command};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let Some(command) = arguments.command else {
        // Without a command there is nothing to do but to say what there is.
        return match Arguments::command().print_help() {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        };
    };
    settings::start_log(&command);
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("toolcrib: the async runtime could not be started: {error}");
            return ExitCode::FAILURE;
        }
    };
    match runtime.block_on(run(command)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("toolcrib: {}", told(&error));
            ExitCode::FAILURE
        }
    }
}

async fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Serve(serve) => commands::serve::run(serve).await,
        Command::Init(init) => commands::init::run(&init),
        Command::Check(check) => commands::check::run(&check),
        Command::Call(call) => commands::call::run(call).await,
        Command::Chat(chat) => commands::chat::run(chat).await,
        Command::Tools(tools) => commands::tools::run(tools).await,
        Command::Models(models) => commands::models::run(models).await,
        Command::Audit(audit) => commands::audit::run(audit).await,
        Command::Export(export) => commands::export::run(export).await,
        Command::User(user) => commands::user::run(user).await,
        Command::Token(token) => commands::token::run(token).await,
    }
}

/// An error with its causes, each said once.
fn told(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !text.contains(&cause) {
            if !text.is_empty() {
                text.push_str(": ");
            }
            text.push_str(&cause);
        }
    }
    text
}
