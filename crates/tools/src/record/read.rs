use std::sync::Arc;

use toolcrib::ToolResult;
use toolcrib_counter::{CallContext, Caller, Level, SystemTool, Work};
use toolcrib_data::records::{self, ReadInput, TagsOf, TitleOf};

use super::{RecordData, answered, no_database};

pub(crate) struct ReadRecord {
    data: Arc<RecordData>,
}

impl ReadRecord {
    pub(crate) fn new(data: &Arc<RecordData>) -> Self {
        Self {
            data: Arc::clone(data),
        }
    }
}

impl SystemTool for ReadRecord {
    type Input = ReadInput;

    fn name(&self) -> &'static str {
        "read_record"
    }

    fn title(&self) -> &'static str {
        "Read records"
    }

    fn description(&self) -> &'static str {
        "Reads one record by `id`, or up to 100 by `ids`. Returns the records, and under `missing` the ids that matched none."
    }

    fn kind(&self) -> &'static str {
        "record"
    }

    fn level(&self) -> Level {
        Level::ReadOnly
    }

    fn call_title(&self, caller: Caller<'_>, input: &ReadInput, _: &str) -> String {
        records::title(
            &self.data.access(caller.principal, caller.agent),
            TitleOf::Read(input),
        )
    }

    fn connection(&self, input: &ReadInput) -> Option<String> {
        self.data.connection(&input.model)
    }

    async fn run(&self, context: &mut CallContext<'_>, input: &ReadInput) -> ToolResult {
        let access = self.data.of(context);
        let answer = match &mut context.work {
            Work::Read(snapshot) => records::read(*snapshot, &access, input).await,
            Work::Write(unit) => records::read(*unit, &access, input).await,
            Work::Outside => return no_database(),
        };
        answered(context, &access, TagsOf::Records(&input.model), answer)
    }
}
