use std::sync::Arc;

use toolcrib::ToolResult;
use toolcrib_counter::{
    AgentScope, CallContext, Caller, Level, Preview, Principal, Refusal, SystemTool, Work,
};
use toolcrib_data::records::{self, CreateInput, ModelFunction, Operation, TagsOf, TitleOf, Write};

use super::{RecordData, answered, check_no_marker, no_unit, noted, preview, unchanged};

pub(crate) struct CreateRecord {
    data: Arc<RecordData>,
}

impl CreateRecord {
    pub(crate) fn new(data: &Arc<RecordData>) -> Self {
        Self {
            data: Arc::clone(data),
        }
    }
}

impl SystemTool for CreateRecord {
    type Input = CreateInput;

    fn name(&self) -> &'static str {
        "create_record"
    }

    fn title(&self) -> &'static str {
        "Create records"
    }

    fn description(&self) -> &'static str {
        "Creates one record from `values`, or up to 100 from `records`: all of them or none. Returns the ids and the values as saved."
    }

    fn kind(&self) -> &'static str {
        "record"
    }

    fn level(&self) -> Level {
        Level::Write
    }

    fn call_title(&self, caller: Caller<'_>, input: &CreateInput, _: &str) -> String {
        records::title(
            &self.data.access(caller.principal, caller.agent),
            TitleOf::Create(input),
        )
    }

    fn check_rights(
        &self,
        principal: &Principal,
        agent: Option<&AgentScope>,
        input: &CreateInput,
    ) -> Result<(), Refusal> {
        let caller = (principal, agent);
        self.data
            .check_writable(caller, &input.model, Operation::Create)?;
        let one = input.values.iter();
        let many = input.records.iter().flatten();
        check_no_marker(one.chain(many).flat_map(serde_json::Map::values))
    }

    async fn before_approval(
        &self,
        context: &mut CallContext<'_>,
        input: &CreateInput,
    ) -> Result<Preview, Refusal> {
        preview(&self.data, context, Write::Create(input)).await
    }

    async fn check_unchanged(
        &self,
        context: &mut CallContext<'_>,
        input: &CreateInput,
        fingerprint: &str,
    ) -> Result<(), Refusal> {
        unchanged(&self.data, context, Write::Create(input), fingerprint).await
    }

    fn function(&self, input: &CreateInput) -> Option<(String, ModelFunction)> {
        Some((input.model.clone(), ModelFunction::Create))
    }

    fn connection(&self, input: &CreateInput) -> Option<String> {
        self.data.connection(&input.model)
    }

    async fn run(&self, context: &mut CallContext<'_>, input: &CreateInput) -> ToolResult {
        let access = self.data.of(context);
        let Work::Write(unit) = &mut context.work else {
            return no_unit();
        };
        let answer = records::create(unit, &access, input).await;
        let what = (input.model.as_str(), Operation::Create);
        let answer = noted(context, what, answer);
        answered(context, &access, TagsOf::Records(&input.model), answer)
    }
}
