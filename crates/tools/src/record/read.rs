use std::sync::Arc;

use toolcrib::ToolResult;
use toolcrib_counter::{CallContext, Caller, Level, SystemTool, Work};
use toolcrib_data::records::{self, ReadInput, TitleOf};

use super::{RecordData, result};

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
        match &mut context.work {
            Work::Read(snapshot) => result(records::read(*snapshot, &access, input).await),
            Work::Write(unit) => result(records::read(*unit, &access, input).await),
            Work::Outside => ToolResult::failure("The tool was started without the database."),
        }
    }
}
