//! What a workspace makes of data models and tools.

use std::sync::Arc;

use toolcrib::id::OrgId;
use toolcrib_counter::{Hook, OwnedRow, Registry};
use toolcrib_data::platform::people;
use toolcrib_data::{Store, StoreError};
use toolcrib_tools::record::{Loaded, RecordData};

use crate::{RuntimeError, Workspace, WorkspaceError};

/// What a workspace says of data models.
pub(crate) fn loaded(workspace: &Workspace) -> Loaded {
    Loaded {
        catalog: Arc::clone(&workspace.catalog),
        grants: Arc::clone(&workspace.grants),
        queries: Arc::clone(&workspace.queries),
    }
}

/// The rows of tools that files say, with their people.
pub(crate) async fn owned_rows(
    store: &Store,
    org: OrgId,
    workspace: &Workspace,
) -> Result<Vec<OwnedRow>, StoreError> {
    let users = people::users(&mut store.snapshot().await?, org).await?;
    let user = |email: &str| {
        let found = users
            .iter()
            .find(|user| user.email.eq_ignore_ascii_case(email));
        found.map(|user| user.id)
    };
    Ok(workspace.rows.iter().map(|row| row.owned(user)).collect())
}

/// Whether the registry has all hooks that files name.
pub(crate) fn check_rows(registry: &Registry, workspace: &Workspace) -> Result<(), WorkspaceError> {
    let problems = workspace
        .rows
        .iter()
        .filter_map(|row| row.check_hooks(registry));
    let problems: Vec<_> = problems.collect();
    match problems.is_empty() {
        true => Ok(()),
        false => Err(WorkspaceError { problems }),
    }
}

/// The tools that there are: the built-in ones, and those of linked data models; and the hooks around them.
pub(crate) async fn load_registry(
    store: &Store,
    (org, hooks): (OrgId, Vec<Arc<dyn Hook>>),
    records: &Arc<RecordData>,
    workspace: &Workspace,
) -> Result<Arc<Registry>, RuntimeError> {
    let mut registry = Registry::new(org);
    for hook in hooks {
        if registry.hooks().any(|name| name == hook.name()) {
            return Err(RuntimeError::HookTwice(hook.name().to_owned()));
        }
        registry.add_hook(hook);
    }
    toolcrib_tools::register(&mut registry, records);
    toolcrib_tools::link(&registry, records, &workspace.linked);
    check_rows(&registry, workspace)?;
    registry.set_owned(owned_rows(store, org, workspace).await?);
    registry.load(store).await?;
    let registry = Arc::new(registry);
    records.bind(&registry);
    Ok(registry)
}
