//! Functions of data models: what they share.

pub(crate) mod activity;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod describe;
pub(crate) mod export;
mod file;
pub(crate) mod function;
pub(crate) mod list;
pub(crate) mod query;
pub(crate) mod read;
pub(crate) mod save_query;
pub(crate) mod search;
pub(crate) mod show;
pub(crate) mod update;
mod viewer;

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock, PoisonError, RwLock, Weak};

use serde_json::Value;
use toolcrib::ToolResult;
use toolcrib::id::OrgId;
use toolcrib_counter::{
    AgentScope, CallContext, CardChange, CardField, CardFieldChange, CardRecord, Preview,
    Principal, Refusal, Registry, Touched, Work,
};
use toolcrib_data::platform::saved_queries;
use toolcrib_data::records::{
    self, Access, Catalog, Grants, MARKER, ModelFunction, Operation, Plan, RecordError,
    SavedQueries, Subject, Tags, TagsOf, Write,
};
use toolcrib_data::{Clock, Connections, ReadFrom, Snapshot, Store, StoreError};

/// What the workspace says of data models, which may change while calls run: each takes what there
/// is when it begins.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The data models.
    pub catalog: Arc<Catalog>,
    /// Who may do what with them.
    pub grants: Arc<Grants>,
    /// The queries that can be run by name.
    pub queries: Arc<SavedQueries>,
}

/// The data models of an organisation and who may do what with them.
#[derive(Debug)]
pub struct RecordData {
    org: OrgId,
    org_slug: String,
    clock: Clock,
    denied_operations: BTreeSet<Operation>,
    connections: Connections,
    /// Where queries that people saved are read from, for those that run nothing yet.
    store: Option<Store>,
    loaded: RwLock<Loaded>,
    /// The tools that its functions are, which hold it themselves.
    registry: OnceLock<Weak<Registry>>,
}

impl RecordData {
    /// The models and grants as they were loaded.
    #[must_use]
    pub fn new(org: OrgId, org_slug: String, clock: Clock, loaded: Loaded) -> Self {
        Self {
            org,
            org_slug,
            clock,
            denied_operations: BTreeSet::new(),
            connections: Connections::default(),
            store: None,
            loaded: RwLock::new(loaded),
            registry: OnceLock::new(),
        }
    }

    /// Binds the record functions by the rows that functions of linked models have.
    pub fn bind(&self, registry: &Arc<Registry>) {
        // Said a second time, it is the same.
        drop(self.registry.set(Arc::downgrade(registry)));
    }

    /// The functions of models that this user may not use, whatever tool does them.
    fn closed(&self, principal: &Principal) -> BTreeSet<(String, ModelFunction)> {
        let Some(registry) = self.registry.get() else {
            return BTreeSet::new();
        };
        match registry.upgrade() {
            Some(registry) => registry.closed(principal),
            // Nobody can say any more what is open.
            None => self.all_functions(),
        }
    }

    fn all_functions(&self) -> BTreeSet<(String, ModelFunction)> {
        let catalog = self.as_loaded().catalog;
        let of_model = |name: &str| ModelFunction::ALL.map(|function| (name.to_owned(), function));
        let models = catalog.models();
        models.flat_map(|model| of_model(&model.name)).collect()
    }

    /// Takes operations away from everybody, whatever their grants.
    #[must_use]
    pub fn without(mut self, operations: BTreeSet<Operation>) -> Self {
        self.denied_operations = operations;
        self
    }

    /// Takes along the connections that data models are on.
    #[must_use]
    pub fn with_connections(mut self, connections: Connections) -> Self {
        self.connections = connections;
        self
    }

    /// Takes what the workspace says now, for all calls that begin from now on.
    pub fn replace(&self, loaded: Loaded) {
        *self.loaded.write().unwrap_or_else(PoisonError::into_inner) = loaded;
    }

    /// Takes the storage along, so that saved queries can be listed.
    #[must_use]
    pub fn with_store(mut self, store: Store) -> Self {
        self.store = Some(store);
        self
    }

    /// The queries of files and those that people saved.
    pub(crate) async fn all_queries(
        &self,
        from: &mut impl ReadFrom,
        access: &Access,
    ) -> Result<SavedQueries, StoreError> {
        let rows = saved_queries::all(from, self.org).await?;
        let definitions = rows.iter().map(|row| &row.definition);
        Ok(self.as_loaded().queries.and(definitions, &access.catalog))
    }

    pub(crate) fn now(&self) -> i64 {
        self.clock.micros()
    }

    /// What this user may do, narrowed by the agent.
    #[must_use]
    pub fn access(&self, principal: &Principal, agent: Option<&AgentScope>) -> Access {
        let narrowing = agent
            .map(|agent| agent.narrowing.clone())
            .unwrap_or_default();
        let subject = Subject {
            id: principal.user,
            email: principal.email.clone(),
            name: principal.name.clone(),
            roles: principal.roles.clone(),
            attributes: principal.attributes.clone(),
        };
        let loaded = self.as_loaded();
        Access {
            org: self.org,
            org_slug: self.org_slug.clone(),
            subject,
            catalog: loaded.catalog,
            grants: loaded.grants,
            narrowing,
            denied_operations: self.denied_operations.clone(),
            closed: self.closed(principal),
            clock: self.clock.clone(),
        }
    }

    /// Why no record of a model can be written, whoever asks: then nobody need be asked either.
    fn check_writable(
        &self,
        (principal, agent): (&Principal, Option<&AgentScope>),
        model: &str,
        operation: Operation,
    ) -> Result<(), Refusal> {
        if !self.access(principal, agent).only_reads(model) {
            return Ok(());
        }
        let reason =
            format!("The records of `{model}` can only be read: nobody can {operation} them here.");
        Err(Refusal::new(reason))
    }

    fn as_loaded(&self) -> Loaded {
        let loaded = self.loaded.read().unwrap_or_else(PoisonError::into_inner);
        loaded.clone()
    }

    /// A view of the database that the records of a model are in, if it is not the platform's own.
    async fn view_of(&self, model: &str) -> Result<Option<Snapshot>, StoreError> {
        match self.connection(model) {
            Some(name) => self.connections.snapshot(&name).await.map(Some),
            None => Ok(None),
        }
    }

    /// The connection that the records of a model are on; none for the platform's own database.
    fn connection(&self, model: &str) -> Option<String> {
        let loaded = self.loaded.read().unwrap_or_else(PoisonError::into_inner);
        let model = loaded.catalog.model(model)?;
        model.connection().map(str::to_owned)
    }

    fn of(&self, context: &CallContext<'_>) -> Access {
        let mut access = self.access(context.principal, context.agent);
        if let Some(stopped) = context.at.and_then(Clock::stopped_at) {
            access.clock = stopped;
        }
        access
    }
}

/// What a record function answered, in the words of the counter, with what it holds of the models.
fn answered(
    context: &CallContext<'_>,
    access: &Access,
    subject: TagsOf<'_>,
    answer: Result<Value, RecordError>,
) -> ToolResult {
    context.tags.set(match &answer {
        Ok(output) => Tags::of(&access.catalog, subject, output),
        Err(error) => Tags::of_error(error, subject.model()),
    });
    match answer {
        Ok(output) => ToolResult::success(output),
        Err(error) => ToolResult::failure(told(&error)),
    }
}

/// Says which records the call wrote, for their activity.
fn noted(
    context: &CallContext<'_>,
    (model, operation): (&str, Operation),
    answer: Result<Value, RecordError>,
) -> Result<Value, RecordError> {
    let output = answer?;
    context.touched.set(Touched {
        model: model.to_owned(),
        operation,
        ids: written_ids(&output),
    });
    Ok(output)
}

/// The ids of the records that an output tells of, as text.
fn written_ids(output: &Value) -> Vec<String> {
    let list = |key: &str| {
        let items = output.get(key).and_then(Value::as_array);
        items.into_iter().flatten()
    };
    let of_records = list("records").filter_map(|record| record.get("id"));
    let ids = of_records.chain(list("deleted"));
    ids.map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned))
        .collect()
}

/// What a function answered that tells of models and of no record.
fn described(context: &CallContext<'_>, answer: Result<Value, RecordError>) -> ToolResult {
    context.tags.set(Tags::Nothing);
    answer.map_or_else(
        |error| ToolResult::failure(told(&error)),
        ToolResult::success,
    )
}

/// What a model is told. Trouble of the storage is for the log alone.
fn told(error: &RecordError) -> String {
    if let RecordError::Store(inner) = error {
        tracing::error!(error = %inner, "a record tool met a storage error");
        return "The database could not do this just now. Nothing was changed.".to_owned();
    }
    error.to_string()
}

/// The counter lends the database to every tool that does not run outside.
fn no_database() -> ToolResult {
    ToolResult::failure("The tool was started without the database.")
}

/// The unit of a writing call. The counter opens one for every tool that is not read-only.
fn no_unit() -> ToolResult {
    ToolResult::failure("The tool was started without a unit of work.")
}

/// What the approval card shows of a write.
async fn preview(
    data: &RecordData,
    context: &mut CallContext<'_>,
    write: Write<'_>,
) -> Result<Preview, Refusal> {
    let access = data.of(context);
    let plan = match &mut context.work {
        Work::Read(snapshot) => records::plan(*snapshot, &access, write).await,
        Work::Write(unit) => records::plan(*unit, &access, write).await,
        Work::Outside => {
            return Err(Refusal::new(
                "The card can't be drawn without the database.",
            ));
        }
    };
    plan.map(into_preview)
        .map_err(|error| refused(context, write, &error))
}

async fn unchanged(
    data: &RecordData,
    context: &mut CallContext<'_>,
    write: Write<'_>,
    fingerprint: &str,
) -> Result<(), Refusal> {
    let access = data.of(context);
    let Work::Write(unit) = &mut context.work else {
        return Err(Refusal::new(
            "The call can't be checked without a unit of work.",
        ));
    };
    let checked = records::check_unchanged(unit, &access, write, fingerprint).await;
    checked.map_err(|error| refused(context, write, &error))
}

/// A refusal in the words of the error, with what they may quote.
fn refused(context: &CallContext<'_>, write: Write<'_>, error: &RecordError) -> Refusal {
    context.tags.set(Tags::of_error(error, write.model()));
    Refusal::new(told(error))
}

/// Refuses to write what stands in place of a value that the caller may not receive: it would
/// take the place of the value itself.
fn check_no_marker<'v>(values: impl IntoIterator<Item = &'v Value>) -> Result<(), Refusal> {
    if values
        .into_iter()
        .any(|value| value.as_str() == Some(MARKER))
    {
        return Err(Refusal::new(format!(
            "`{MARKER}` stands for a value that is not for you to read; leave the field out to keep the value as it is."
        )));
    }
    Ok(())
}

fn into_preview(plan: Plan) -> Preview {
    Preview {
        title: plan.title,
        verb: plan.verb,
        summary: Some(plan.summary),
        fields: plan
            .fields
            .into_iter()
            .map(|field| CardField {
                label: field.label,
                value: field.value,
            })
            .collect(),
        records: plan
            .records
            .into_iter()
            .map(|record| CardRecord {
                id: record.id,
                display: record.display,
            })
            .collect(),
        record_count: plan.record_count,
        changes: plan
            .changes
            .into_iter()
            .map(|change| CardChange {
                id: change.id.unwrap_or_default(),
                display: change.display,
                fields: change
                    .fields
                    .into_iter()
                    .map(|field| CardFieldChange {
                        field: field.field,
                        label: field.label,
                        before: field.before,
                        after: field.after,
                    })
                    .collect(),
            })
            .collect(),
        fingerprint: Some(plan.fingerprint),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Map;
    use toolcrib::id::UserId;
    use toolcrib_data::platform::people::UserRow;
    use toolcrib_data::records::sample;

    use super::*;

    #[test]
    fn without_its_registry_every_function_is_closed() {
        let file = |(path, text): &(&str, &str)| records::WorkspaceFile {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        };
        let files: Vec<_> = sample::FILES.iter().map(file).collect();
        let catalog = Arc::new(Catalog::load(&files).unwrap());
        let grants = Arc::new(Grants::load(&files, &catalog).unwrap());
        let org = OrgId::mint();
        let loaded = Loaded {
            catalog,
            grants,
            queries: Arc::default(),
        };
        let data = RecordData::new(org, "main".to_owned(), Clock::system(), loaded);
        let user = UserRow {
            org,
            id: UserId::mint(),
            email: "a@shop.test".to_owned(),
            name: "A".to_owned(),
            roles: vec!["sales".to_owned()],
            attributes: Map::new(),
            disabled: false,
        };
        let user = Principal::new(user, None);
        assert!(data.closed(&user).is_empty(), "nothing is bound yet");
        let registry = Arc::new(Registry::new(org));
        data.bind(&registry);
        assert!(data.closed(&user).is_empty(), "no function has a row");
        drop(registry);
        assert_eq!(data.closed(&user).len(), 5 * ModelFunction::ALL.len());
    }
}
