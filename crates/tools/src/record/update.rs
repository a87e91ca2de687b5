use std::sync::Arc;

use toolcrib::ToolResult;
use toolcrib_counter::{
    AgentScope, CallContext, Caller, Level, Preview, Principal, Refusal, SystemTool, Work,
};
use toolcrib_data::records::{self, ModelFunction, Operation, TagsOf, TitleOf, UpdateInput, Write};

use super::{RecordData, answered, check_no_marker, no_unit, noted, preview, unchanged};

pub(crate) struct UpdateRecord {
    data: Arc<RecordData>,
}

impl UpdateRecord {
    pub(crate) fn new(data: &Arc<RecordData>) -> Self {
        Self {
            data: Arc::clone(data),
        }
    }
}

impl SystemTool for UpdateRecord {
    type Input = UpdateInput;

    fn name(&self) -> &'static str {
        "update_record"
    }

    fn title(&self) -> &'static str {
        "Update records"
    }

    fn description(&self) -> &'static str {
        "Changes fields of one record (`id` and `values`), or of up to 100 (`records`): all of them or none. Returns for each field set the value before and after. Ids are needed: search first when you do not have them."
    }

    fn kind(&self) -> &'static str {
        "record"
    }

    fn level(&self) -> Level {
        Level::Write
    }

    fn call_title(&self, caller: Caller<'_>, input: &UpdateInput, _: &str) -> String {
        records::title(
            &self.data.access(caller.principal, caller.agent),
            TitleOf::Update(input),
        )
    }

    fn check_rights(
        &self,
        principal: &Principal,
        agent: Option<&AgentScope>,
        input: &UpdateInput,
    ) -> Result<(), Refusal> {
        let caller = (principal, agent);
        self.data
            .check_writable(caller, &input.model, Operation::Update)?;
        let one = input.values.iter();
        let many = input.records.iter().flatten().map(|item| &item.values);
        check_no_marker(one.chain(many).flat_map(serde_json::Map::values))
    }

    async fn before_approval(
        &self,
        context: &mut CallContext<'_>,
        input: &UpdateInput,
    ) -> Result<Preview, Refusal> {
        preview(&self.data, context, Write::Update(input)).await
    }

    async fn check_unchanged(
        &self,
        context: &mut CallContext<'_>,
        input: &UpdateInput,
        fingerprint: &str,
    ) -> Result<(), Refusal> {
        unchanged(&self.data, context, Write::Update(input), fingerprint).await
    }

    fn function(&self, input: &UpdateInput) -> Option<(String, ModelFunction)> {
        Some((input.model.clone(), ModelFunction::Update))
    }

    fn connection(&self, input: &UpdateInput) -> Option<String> {
        self.data.connection(&input.model)
    }

    async fn run(&self, context: &mut CallContext<'_>, input: &UpdateInput) -> ToolResult {
        let access = self.data.of(context);
        let Work::Write(unit) = &mut context.work else {
            return no_unit();
        };
        let answer = records::update(unit, &access, input).await;
        let what = (input.model.as_str(), Operation::Update);
        let answer = noted(context, what, answer);
        answered(context, &access, TagsOf::Changes(&input.model), answer)
    }
}
