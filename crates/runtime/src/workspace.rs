//! The workspace folder: what a team keeps in git, loaded whole or not at all.

pub(crate) mod agent;

use std::collections::BTreeMap;
use std::fmt;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use toolcrib_data::records::{
    Catalog, Databases, FileProblem, Grants, LinkedModel, Restrictions, SavedQueries, WorkspaceFile,
};

use self::agent::Agent;
use crate::language_model::provider::Provider;

/// The file of what is kept from language models.
const RESTRICTIONS: &str = "restrictions.yaml";

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
    /// What is kept from language models.
    pub restrictions: Arc<Restrictions>,
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
        let mut problems = Vec::new();
        let models = files(dir, "models", &["yaml", "yml"], &mut problems);
        let permissions = files(dir, "permissions", &["yaml", "yml"], &mut problems);
        let queries = files(dir, "queries", &["yaml", "yml"], &mut problems);
        let agents = files(dir, "agents", &["md"], &mut problems);
        let tools = files(dir, "tools", &["yaml", "yml"], &mut problems);
        let catalog = Catalog::load_with(&models, databases)
            .map_err(|found| problems.extend(found))
            .ok()
            .map(Arc::new);
        let linked = catalog.as_ref().and_then(|catalog| {
            LinkedModel::load(&tools, catalog, toolcrib_tools::NAMES)
                .map_err(|found| problems.extend(found))
                .ok()
        });
        let mut loaded = BTreeMap::new();
        for file in &agents {
            match Agent::read(file, linked.as_deref()) {
                Ok(agent) => drop(loaded.insert(agent.name.clone(), agent)),
                Err(problem) => problems.push(problem),
            }
        }
        let queries = catalog.as_ref().and_then(|catalog| {
            SavedQueries::load(&queries, catalog)
                .map_err(|found| problems.extend(found))
                .ok()
        });
        let grants = catalog.as_ref().and_then(|catalog| {
            Grants::load(&permissions, catalog)
                .map_err(|found| problems.extend(found))
                .ok()
        });
        let restrictions = catalog.as_ref().and_then(|catalog| {
            restrictions(dir, catalog)
                .map_err(|found| problems.extend(found))
                .ok()
        });
        match (catalog, grants, queries, restrictions) {
            (Some(catalog), Some(grants), Some(queries), Some(restrictions))
                if problems.is_empty() =>
            {
                Ok(Self {
                    agents: loaded,
                    catalog,
                    grants: Arc::new(grants),
                    queries: Arc::new(queries),
                    linked: linked.unwrap_or_default(),
                    restrictions: Arc::new(restrictions),
                })
            }
            _ => Err(WorkspaceError { problems }),
        }
    }
}

/// The files of the data models, as they are.
#[must_use]
pub fn model_files(dir: &Path) -> Vec<WorkspaceFile> {
    files(dir, "models", &["yaml", "yml"], &mut Vec::new())
}

/// What `restrictions.yaml` keeps from language models; without the file, nothing. A file that is
/// there and can't be read is a problem: it must not count as none.
fn restrictions(dir: &Path, catalog: &Catalog) -> Result<Restrictions, Vec<FileProblem>> {
    let path = RESTRICTIONS.to_owned();
    let providers = Provider::ALL.map(Provider::name);
    match std::fs::read_to_string(dir.join(RESTRICTIONS)) {
        Ok(text) => Restrictions::load(&WorkspaceFile { path, text }, catalog, &providers),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Restrictions::default()),
        Err(error) => Err(vec![FileProblem {
            path,
            line: 1,
            column: 1,
            message: error.to_string(),
        }]),
    }
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
