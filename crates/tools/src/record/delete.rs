use std::sync::Arc;

use toolcrib::ToolResult;
use toolcrib_counter::{
    AgentScope, CallContext, Caller, Level, Preview, Principal, Refusal, SystemTool, Work,
};
use toolcrib_data::records::{self, DeleteInput, ModelFunction, Operation, TagsOf, TitleOf, Write};

use super::{RecordData, answered, no_unit, noted, preview, unchanged};

pub(crate) struct DeleteRecord {
    data: Arc<RecordData>,
}

impl DeleteRecord {
    pub(crate) fn new(data: &Arc<RecordData>) -> Self {
        Self {
            data: Arc::clone(data),
        }
    }
}

impl SystemTool for DeleteRecord {
    type Input = DeleteInput;

    fn name(&self) -> &'static str {
        "delete_record"
    }

    fn title(&self) -> &'static str {
        "Delete records"
    }

    fn description(&self) -> &'static str {
        "Deletes one record by `id`, or up to 100 by `ids`: all of them or none. Returns the deleted ids, and under `missing` those that matched no record. This can't be undone."
    }

    fn kind(&self) -> &'static str {
        "record"
    }

    fn level(&self) -> Level {
        Level::Destructive
    }

    fn call_title(&self, caller: Caller<'_>, input: &DeleteInput, _: &str) -> String {
        records::title(
            &self.data.access(caller.principal, caller.agent),
            TitleOf::Delete(input),
        )
    }

    fn check_rights(
        &self,
        principal: &Principal,
        agent: Option<&AgentScope>,
        input: &DeleteInput,
    ) -> Result<(), Refusal> {
        let caller = (principal, agent);
        self.data
            .check_writable(caller, &input.model, Operation::Delete)
    }

    async fn before_approval(
        &self,
        context: &mut CallContext<'_>,
        input: &DeleteInput,
    ) -> Result<Preview, Refusal> {
        preview(&self.data, context, Write::Delete(input)).await
    }

    async fn check_unchanged(
        &self,
        context: &mut CallContext<'_>,
        input: &DeleteInput,
        fingerprint: &str,
    ) -> Result<(), Refusal> {
        unchanged(&self.data, context, Write::Delete(input), fingerprint).await
    }

    fn function(&self, input: &DeleteInput) -> Option<(String, ModelFunction)> {
        Some((input.model.clone(), ModelFunction::Delete))
    }

    fn connection(&self, input: &DeleteInput) -> Option<String> {
        self.data.connection(&input.model)
    }

    async fn run(&self, context: &mut CallContext<'_>, input: &DeleteInput) -> ToolResult {
        let access = self.data.of(context);
        let Work::Write(unit) = &mut context.work else {
            return no_unit();
        };
        let answer = records::delete(unit, &access, input).await;
        let what = (input.model.as_str(), Operation::Delete);
        let answer = noted(context, what, answer);
        answered(context, &access, TagsOf::Records(&input.model), answer)
    }
}
