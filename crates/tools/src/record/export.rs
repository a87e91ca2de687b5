use std::sync::Arc;

use toolcrib::ToolResult;
use toolcrib_counter::{CallContext, Caller, Level, SystemTool, Work};
use toolcrib_data::records::{self, ExportInput, TagsOf, TitleOf};

use super::{RecordData, answered, no_database};

pub(crate) struct ExportRecords {
    data: Arc<RecordData>,
}

impl ExportRecords {
    pub(crate) fn new(data: &Arc<RecordData>) -> Self {
        Self {
            data: Arc::clone(data),
        }
    }
}

impl SystemTool for ExportRecords {
    type Input = ExportInput;

    fn name(&self) -> &'static str {
        "export_records"
    }

    fn title(&self) -> &'static str {
        "Export records"
    }

    fn description(&self) -> &'static str {
        "Exports up to 10,000 records, found as search_records finds them. The person who asked gets them as a file, CSV or JSON Lines; the answer shows only the first of them. Use it only when somebody asks for a file or an export."
    }

    fn kind(&self) -> &'static str {
        "record"
    }

    fn level(&self) -> Level {
        Level::ReadOnly
    }

    fn call_title(&self, caller: Caller<'_>, input: &ExportInput, _: &str) -> String {
        records::title(
            &self.data.access(caller.principal, caller.agent),
            TitleOf::Export(input),
        )
    }

    fn connection(&self, input: &ExportInput) -> Option<String> {
        self.data.connection(&input.model)
    }

    async fn run(&self, context: &mut CallContext<'_>, input: &ExportInput) -> ToolResult {
        let access = self.data.of(context);
        let answer = match &mut context.work {
            Work::Read(snapshot) => records::export(*snapshot, &access, input).await,
            Work::Write(unit) => records::export(*unit, &access, input).await,
            Work::Outside => return no_database(),
        };
        let search = input.as_search();
        answered(context, &access, TagsOf::Search(&search), answer)
    }
}
