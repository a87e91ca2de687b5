use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// The tool counter for AI agents.
#[derive(Debug, Parser)]
#[command(name = "toolcrib", version, about, arg_required_else_help = false)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve a workspace; an empty folder becomes a sample shop
    Serve(Serve),
    /// Make a folder with the sample workspace
    Init(Init),
    /// Check a workspace folder without serving it
    Check(Check),
    /// Call a tool once
    Call(Call),
    /// Talk to an agent, deciding at the prompt
    Chat(Chat),
    /// List tools
    Tools(Tools),
    /// Data models and the databases that they are in
    Models(Models),
    /// What everybody's calls were, and the chain that proves it
    Audit(Audit),
    /// Write what was made in the web app as files
    Export(Export),
    /// Users and their sign-in links
    User(User),
    /// API tokens
    Token(Token),
}

/// Where the workspace is.
#[derive(Args, Clone, Debug)]
pub(crate) struct Workspace {
    /// The workspace folder
    #[arg(long, env = "TOOLCRIB_DIR", default_value = "workspace")]
    pub(crate) dir: PathBuf,
}

/// Who acts.
#[derive(Args, Clone, Debug)]
pub(crate) struct Who {
    #[command(flatten)]
    pub(crate) workspace: Workspace,
    /// The e-mail address of the user to act as; the administrator when left out
    #[arg(long = "as", value_name = "EMAIL", env = "TOOLCRIB_USER")]
    pub(crate) email: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct Serve {
    #[command(flatten)]
    pub(crate) workspace: Workspace,
    /// The address to listen on; port 0 takes a free one
    #[arg(long, env = "TOOLCRIB_LISTEN")]
    pub(crate) listen: Option<String>,
    /// Let a migration drop data that no model names any more
    #[arg(long)]
    pub(crate) allow_data_loss: bool,
    /// Take the workspace anew whenever its files change
    #[arg(long)]
    pub(crate) watch: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Init {
    /// The folder to make
    #[arg(default_value = "workspace")]
    pub(crate) dir: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) workspace: Workspace,
}

#[derive(Args, Debug)]
pub(crate) struct Call {
    #[command(flatten)]
    pub(crate) who: Who,
    /// The tool's name
    pub(crate) tool: String,
    /// An argument; a value that is JSON is taken as JSON, another one as text
    #[arg(long = "arg", value_name = "NAME=VALUE", conflicts_with = "json")]
    pub(crate) arguments: Vec<String>,
    /// All arguments as one JSON object
    #[arg(long, value_name = "JSON")]
    pub(crate) json: Option<String>,
    /// Try it: the tool runs, everything it wrote is undone, and what would have changed is shown
    #[arg(long)]
    pub(crate) trial: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Chat {
    #[command(flatten)]
    pub(crate) who: Who,
    /// The agent's name
    pub(crate) agent: String,
    /// A first message; without one you are asked
    #[arg(long)]
    pub(crate) message: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct Tools {
    #[command(flatten)]
    pub(crate) who: Who,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) who: Who,
    /// The folder to write to; the workspace folder itself when left out
    #[arg(long)]
    pub(crate) to: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Audit {
    #[command(subcommand)]
    pub(crate) command: AuditCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Prove that nothing was changed or taken out since it was sealed
    Verify(AuditVerify),
    /// Write calls to a file, newest first
    Export(AuditExport),
}

#[derive(Args, Debug)]
pub(crate) struct AuditVerify {
    #[command(flatten)]
    pub(crate) who: Who,
    /// A head that was noted down: it has to be in the chain
    #[arg(long)]
    pub(crate) head: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct AuditExport {
    #[command(flatten)]
    pub(crate) who: Who,
    /// How it is written
    #[arg(long, default_value = "jsonl", value_parser = ["jsonl", "csv"])]
    pub(crate) format: String,
    /// The file; the terminal when left out
    #[arg(long)]
    pub(crate) output: Option<PathBuf>,
    /// Only calls of this tool
    #[arg(long)]
    pub(crate) tool: Option<String>,
    /// Only calls in this state
    #[arg(long)]
    pub(crate) status: Option<String>,
    /// Only calls that ended without doing what was asked
    #[arg(long)]
    pub(crate) not_done: bool,
    /// Only calls of this agent
    #[arg(long)]
    pub(crate) agent: Option<String>,
    /// Only calls that came in this way: chat, api or cli
    #[arg(long)]
    pub(crate) via: Option<String>,
    /// Only calls asked from then on, as 2026-01-31T00:00:00Z
    #[arg(long)]
    pub(crate) from: Option<String>,
    /// Only calls asked before then
    #[arg(long)]
    pub(crate) to: Option<String>,
    /// Only calls with this text in their error, or in the reason of a decision
    #[arg(long)]
    pub(crate) text: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct Models {
    #[command(subcommand)]
    pub(crate) command: ModelsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// Take up new tables and columns of a connection, and tell what else is different
    Sync(Sync),
}

#[derive(Args, Debug)]
pub(crate) struct Sync {
    #[command(flatten)]
    pub(crate) workspace: Workspace,
    /// The connection, as toolcrib.toml names it
    pub(crate) connection: String,
    /// Write nothing, only tell
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Args, Debug)]
pub(crate) struct User {
    #[command(subcommand)]
    pub(crate) command: UserCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Make a sign-in link that holds once, for half an hour
    Link {
        /// The user's e-mail address
        email: String,
        #[command(flatten)]
        workspace: Workspace,
    },
}

#[derive(Args, Debug)]
pub(crate) struct Token {
    #[command(subcommand)]
    pub(crate) command: TokenCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Make an API token; it is shown once
    Create {
        /// What to call it
        name: String,
        /// Let a person be asked when it is used; else what needs a person is refused
        #[arg(long)]
        attended: bool,
        /// A scope beyond calling tools, e.g. approvals:decide
        #[arg(long = "scope")]
        scopes: Vec<String>,
        #[command(flatten)]
        who: Who,
    },
}
