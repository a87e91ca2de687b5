//! The workspace: what a team keeps in a folder in git or makes in the web app, loaded whole or not
//! at all.

pub(crate) mod agent;
pub(crate) mod apply;
pub(crate) mod link;
pub(crate) mod tool_file;
mod yaml;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use toolcrib_data::platform::documents::DocumentRow;
use toolcrib_data::records::{
    Audience, Catalog, Databases, FileProblem, Grants, LinkedModel, Recipient, Restrictions,
    SavedQueries, WorkspaceFile,
};

use self::agent::Agent;
use self::tool_file::ToolFile;
use crate::language_model::provider::Provider;

/// The file of what is kept from language models.
pub(crate) const RESTRICTIONS: &str = "restrictions.yaml";
/// The folders of what a workspace is made of.
pub(crate) const FOLDERS: &[&str] = &["models", "permissions", "queries", "agents", "tools"];
/// How the names of most files end.
const YAML: &[&str] = &["yaml", "yml"];

/// A loaded folder.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// The agents, by name.
    pub agents: BTreeMap<String, Agent>,
    /// The data models.
    pub catalog: Arc<Catalog>,
    /// Who may do what with them.
    pub grants: Arc<Grants>,
    /// The queries that can be run by name.
    pub queries: Arc<SavedQueries>,
    /// The data models whose functions are tools of their own.
    pub linked: Vec<LinkedModel>,
    /// The rows of tools that files say.
    pub(crate) rows: Vec<ToolFile>,
    /// What is kept from language models.
    pub restrictions: Arc<Restrictions>,
    /// Where each file comes from, by path.
    pub origins: BTreeMap<String, FileOrigin>,
    /// What is sound, and yet not what its author seems to think.
    pub warnings: Vec<FileProblem>,
    /// The files of the folder, as they were read.
    folder: Arc<Vec<WorkspaceFile>>,
}

/// Where a file of the workspace comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileOrigin {
    /// The workspace folder, where alone it is changed.
    Folder,
    /// The web app.
    WebApp {
        /// The version that it is at.
        version: i64,
    },
}

impl FileOrigin {
    /// The name in the API.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Folder => "file",
            Self::WebApp { .. } => "web",
        }
    }

    /// The version that it is at; a file of the folder has none.
    #[must_use]
    pub fn version(self) -> Option<i64> {
        match self {
            Self::Folder => None,
            Self::WebApp { version } => Some(version),
        }
    }
}

/// A folder that can't be loaded: every problem found.
#[derive(Debug)]
pub struct WorkspaceError {
    /// The problems, each with file, line and column.
    pub problems: Vec<FileProblem>,
}

impl std::error::Error for WorkspaceError {}

impl fmt::Display for WorkspaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the workspace folder can't be loaded:")?;
        for problem in &self.problems {
            write!(f, "\n  {problem}")?;
        }
        Ok(())
    }
}

impl Workspace {
    /// Loads the folder; its data models may be in these databases beside the platform's own.
    ///
    /// # Errors
    /// Every problem in every file; nothing is loaded then.
    pub fn load(dir: &Path, databases: &Databases) -> Result<Self, WorkspaceError> {
        Self::load_with(dir, &[], databases)
    }

    /// Loads the folder and what was made in the web app. A file of the folder goes before a
    /// document of the same path.
    ///
    /// # Errors
    /// As [`Workspace::load`].
    pub fn load_with(
        dir: &Path,
        documents: &[DocumentRow],
        databases: &Databases,
    ) -> Result<Self, WorkspaceError> {
        Self::load_from(Folder::On(dir), documents, databases)
    }

    /// The same with other documents, and the files of the folder as they were read: what was written there since
    /// waits until the folder is taken anew.
    ///
    /// # Errors
    /// As [`Workspace::load`].
    pub(crate) fn with_documents(
        &self,
        documents: &[DocumentRow],
        databases: &Databases,
    ) -> Result<Self, WorkspaceError> {
        Self::load_from(Folder::AsRead(&self.folder), documents, databases)
    }

    fn load_from(
        folder: Folder<'_>,
        documents: &[DocumentRow],
        databases: &Databases,
    ) -> Result<Self, WorkspaceError> {
        let mut sources = Sources {
            folder,
            read: Vec::new(),
            documents,
            origins: BTreeMap::new(),
            problems: Vec::new(),
        };
        let models = sources.files("models", YAML);
        let permissions = sources.files("permissions", YAML);
        let queries = sources.files("queries", YAML);
        let agents = sources.files("agents", &["md", "yaml", "yml"]);
        let tools = sources.files("tools", YAML);
        let (rows, tools): (Vec<_>, Vec<_>) = tools.into_iter().partition(ToolFile::is_one);
        let kept = sources.one(RESTRICTIONS);
        let Sources {
            origins,
            mut problems,
            read,
            ..
        } = sources;
        let catalog = sound(Catalog::load_with(&models, databases), &mut problems).map(Arc::new);
        let known = catalog.as_ref();
        let linked = known.and_then(|catalog| {
            let linked = LinkedModel::load(&tools, catalog, toolcrib_tools::NAMES);
            sound(linked, &mut problems)
        });
        let rows = match &linked {
            Some(linked) => read_rows(&rows, linked, &mut problems),
            None => Vec::new(),
        };
        let (agents, warnings) = read_agents(&agents, linked.as_deref(), &mut problems);
        let queries =
            known.and_then(|catalog| sound(SavedQueries::load(&queries, catalog), &mut problems));
        let grants =
            known.and_then(|catalog| sound(Grants::load(&permissions, catalog), &mut problems));
        let restrictions =
            known.and_then(|catalog| sound(restricted(kept.as_ref(), catalog), &mut problems));
        match (catalog, grants, queries, restrictions) {
            (Some(catalog), Some(grants), Some(queries), Some(restrictions))
                if problems.is_empty() =>
            {
                Ok(Self {
                    agents,
                    catalog,
                    grants: Arc::new(grants),
                    queries: Arc::new(queries),
                    linked: linked.unwrap_or_default(),
                    rows,
                    restrictions: Arc::new(restrictions),
                    origins,
                    warnings,
                    folder: Arc::new(read),
                })
            }
            _ => Err(WorkspaceError { problems }),
        }
    }

    /// Writes down what is worth a warning.
    pub(crate) fn warn(&self) {
        for warning in &self.warnings {
            tracing::warn!(%warning, "a file of the workspace may not mean what it says");
        }
    }

    /// A reader of results, with what is kept from it.
    pub(crate) fn recipient<'a>(&'a self, audience: Audience<'a>) -> Recipient<'a> {
        Recipient {
            restrictions: &self.restrictions,
            catalog: &self.catalog,
            audience,
        }
    }
}

/// What was loaded, if it is sound; else its problems are noted.
fn sound<T>(loaded: Result<T, Vec<FileProblem>>, problems: &mut Vec<FileProblem>) -> Option<T> {
    loaded.map_err(|found| problems.extend(found)).ok()
}

/// What is kept from language models: nothing where there is no file.
fn restricted(
    file: Option<&WorkspaceFile>,
    catalog: &Catalog,
) -> Result<Restrictions, Vec<FileProblem>> {
    let providers = Provider::ALL.map(Provider::name);
    match file {
        None => Ok(Restrictions::default()),
        Some(file) => Restrictions::load(file, catalog, &providers),
    }
}

fn read_rows(
    files: &[WorkspaceFile],
    linked: &[LinkedModel],
    problems: &mut Vec<FileProblem>,
) -> Vec<ToolFile> {
    let mut rows: Vec<ToolFile> = Vec::new();
    for file in files {
        match ToolFile::read(file, linked) {
            Err(problem) => problems.push(problem),
            Ok(row) => match rows.iter().find(|other| other.tool() == row.tool()) {
                Some(other) => problems.push(FileProblem {
                    path: file.path.clone(),
                    line: 1,
                    column: 1,
                    message: format!("`{}` has a file already: {}", row.tool(), other.path()),
                }),
                None => rows.push(row),
            },
        }
    }
    rows
}

fn read_agents(
    files: &[WorkspaceFile],
    linked: Option<&[LinkedModel]>,
    problems: &mut Vec<FileProblem>,
) -> (BTreeMap<String, Agent>, Vec<FileProblem>) {
    let (mut agents, mut warnings) = (BTreeMap::new(), Vec::new());
    for file in files {
        match Agent::read(file, linked) {
            Err(problem) => problems.push(problem),
            Ok((agent, _)) if agents.contains_key(&agent.name) => problems.push(FileProblem {
                path: file.path.clone(),
                line: 1,
                column: 1,
                message: format!("there is another file of the agent `{}`", agent.name),
            }),
            Ok((agent, warned)) => {
                agents.insert(agent.name.clone(), agent);
                warnings.extend(warned);
            }
        }
    }
    (agents, warnings)
}

/// What a workspace is loaded from, with what was found out on the way.
/// Where the files of the folder come from.
#[derive(Clone, Copy, Debug)]
enum Folder<'a> {
    /// From the disk.
    On(&'a Path),
    /// From what was read of it earlier.
    AsRead(&'a [WorkspaceFile]),
}

struct Sources<'a> {
    folder: Folder<'a>,
    /// What the folder has.
    read: Vec<WorkspaceFile>,
    documents: &'a [DocumentRow],
    origins: BTreeMap<String, FileOrigin>,
    problems: Vec<FileProblem>,
}

impl Sources<'_> {
    /// The files of one sub-folder and those that were made as if in it, by path.
    fn files(&mut self, sub: &str, endings: &[&str]) -> Vec<WorkspaceFile> {
        let mut found = match self.folder {
            Folder::On(dir) => files(dir, sub, endings, &mut self.problems),
            Folder::AsRead(read) => {
                let of_sub = |file: &&WorkspaceFile| {
                    let rest = file.path.strip_prefix(sub);
                    rest.is_some_and(|rest| rest.starts_with('/'))
                };
                read.iter().filter(of_sub).cloned().collect()
            }
        };
        self.read.extend(found.iter().cloned());
        let paths: BTreeSet<String> = found.iter().map(|file| file.path.clone()).collect();
        for path in &paths {
            self.origins.insert(path.clone(), FileOrigin::Folder);
        }
        let made = self.documents.iter().filter(|row| {
            let rest = row.path.strip_prefix(sub);
            rest.is_some_and(|rest| rest.starts_with('/')) && !paths.contains(&row.path)
        });
        for row in made {
            let version = row.version;
            let origin = FileOrigin::WebApp { version };
            self.origins.insert(row.path.clone(), origin);
            found.extend(file_of(row));
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        found
    }

    /// One file; none where there is none. A file that is there and can't be read is a problem: it
    /// must not count as none.
    fn one(&mut self, path: &str) -> Option<WorkspaceFile> {
        let text = match self.folder {
            Folder::On(dir) => std::fs::read_to_string(dir.join(path)),
            Folder::AsRead(read) => {
                let file = read.iter().find(|file| file.path == path);
                file.map(|file| file.text.clone())
                    .ok_or_else(|| ErrorKind::NotFound.into())
            }
        };
        match text {
            Ok(text) => {
                self.origins.insert(path.to_owned(), FileOrigin::Folder);
                let path = path.to_owned();
                let file = WorkspaceFile { path, text };
                self.read.push(file.clone());
                return Some(file);
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => {
                self.problems.push(FileProblem {
                    path: path.to_owned(),
                    line: 1,
                    column: 1,
                    message: error.to_string(),
                });
                return None;
            }
        }
        let made = self.documents.iter().find(|row| row.path == path)?;
        let version = made.version;
        let origin = FileOrigin::WebApp { version };
        self.origins.insert(path.to_owned(), origin);
        file_of(made)
    }
}

fn file_of(row: &DocumentRow) -> Option<WorkspaceFile> {
    Some(WorkspaceFile {
        path: row.path.clone(),
        text: row.text.clone()?,
    })
}

/// The files of the data models, as they are.
#[must_use]
pub fn model_files(dir: &Path) -> Vec<WorkspaceFile> {
    files(dir, "models", YAML, &mut Vec::new())
}

/// The files of one sub-folder, and of the folders within it, by name. A missing one holds none.
fn files(
    dir: &Path,
    sub: &str,
    endings: &[&str],
    problems: &mut Vec<FileProblem>,
) -> Vec<WorkspaceFile> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(dir.join(sub)) else {
        return found;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if name.starts_with('.') {
            continue;
        }
        let shown = format!("{sub}/{name}");
        if path.is_dir() {
            if !sub.contains('/') {
                found.extend(files(dir, &shown, endings, problems));
            }
            continue;
        }
        let ending = path
            .extension()
            .and_then(|ending| ending.to_str())
            .unwrap_or_default();
        if endings.contains(&ending) {
            found.extend(read(&path, shown, problems));
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn read(path: &Path, shown: String, problems: &mut Vec<FileProblem>) -> Option<WorkspaceFile> {
    match std::fs::read_to_string(path) {
        Ok(text) => Some(WorkspaceFile { path: shown, text }),
        Err(error) => {
            problems.push(FileProblem {
                path: shown,
                line: 1,
                column: 1,
                message: error.to_string(),
            });
            None
        }
    }
}
