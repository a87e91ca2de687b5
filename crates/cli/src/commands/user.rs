use std::process::ExitCode;

use crate::args::{User, UserCommand};
use crate::client::Client;

pub(crate) async fn run(arguments: User) -> anyhow::Result<ExitCode> {
    match arguments.command {
        UserCommand::Link { email, workspace } => {
            println!(
                "Sign in once: {}",
                Client::sign_in_link(&workspace.dir, &email).await?
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}
