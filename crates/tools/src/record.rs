//! Functions of data models: what they share.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod describe;
pub(crate) mod list;
pub(crate) mod query;
pub(crate) mod read;
pub(crate) mod search;
pub(crate) mod show;
pub(crate) mod update;

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError, RwLock};

use serde_json::Value;
use toolcrib::ToolResult;
use toolcrib::id::OrgId;
use toolcrib_counter::{
    AgentScope, CallContext, CardChange, CardField, CardFieldChange, CardRecord, Preview,
    Principal, Refusal, Work,
};
use toolcrib_data::Clock;
use toolcrib_data::records::{
    self, Access, Catalog, Grants, Operation, Plan, RecordError, SavedQueries, Subject, Write,
};

/// The data models of an organisation and who may do what with them.
#[derive(Debug)]
pub struct RecordData {
    org: OrgId,
    org_slug: String,
    clock: Clock,
    denied_operations: BTreeSet<Operation>,
    queries: Arc<SavedQueries>,
    loaded: RwLock<(Arc<Catalog>, Arc<Grants>)>,
}

impl RecordData {
    /// The models and grants as they were loaded.
    #[must_use]
    pub fn new(
        org: OrgId,
        org_slug: String,
        clock: Clock,
        catalog: Arc<Catalog>,
        grants: Arc<Grants>,
    ) -> Self {
        Self {
            org,
            org_slug,
            clock,
            denied_operations: BTreeSet::new(),
            queries: Arc::default(),
            loaded: RwLock::new((catalog, grants)),
        }
    }

    /// Takes operations away from everybody, whatever their grants.
    #[must_use]
    pub fn without(mut self, operations: BTreeSet<Operation>) -> Self {
        self.denied_operations = operations;
        self
    }

    /// Takes saved queries along.
    #[must_use]
    pub fn with_queries(mut self, queries: Arc<SavedQueries>) -> Self {
        self.queries = queries;
        self
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
        let loaded = self.loaded.read().unwrap_or_else(PoisonError::into_inner);
        let (catalog, grants) = loaded.clone();
        Access {
            org: self.org,
            org_slug: self.org_slug.clone(),
            subject,
            catalog,
            grants,
            narrowing,
            denied_operations: self.denied_operations.clone(),
            clock: self.clock.clone(),
        }
    }

    /// The connection that the records of a model are on; none for the platform's own database.
    fn connection(&self, model: &str) -> Option<String> {
        let loaded = self.loaded.read().unwrap_or_else(PoisonError::into_inner);
        let model = loaded.0.model(model)?;
        model.connection().map(str::to_owned)
    }

    fn of(&self, context: &CallContext<'_>) -> Access {
        self.access(context.principal, context.agent)
    }
}

/// What a record function answered, in the words of the counter.
fn result(answer: Result<Value, RecordError>) -> ToolResult {
    match answer {
        Ok(output) => ToolResult::success(output),
        Err(error) => ToolResult::failure(told(&error)),
    }
}

/// What a model is told. Trouble of the storage is for the log alone.
fn told(error: &RecordError) -> String {
    if let RecordError::Store(inner) = error {
        tracing::error!(error = %inner, "a record tool met a storage error");
        return "The database could not do this just now. Nothing was changed.".to_owned();
    }
    error.to_string()
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
        .map_err(|error| Refusal::new(told(&error)))
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
    checked.map_err(|error| Refusal::new(told(&error)))
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
