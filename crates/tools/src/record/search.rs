use std::sync::Arc;

use toolcrib::ToolResult;
use toolcrib_counter::{CallContext, Caller, Level, SystemTool, Work};
use toolcrib_data::records::{self, SearchInput, TagsOf, TitleOf};

use super::{RecordData, answered, no_database};

pub(crate) struct SearchRecords {
    data: Arc<RecordData>,
}

impl SearchRecords {
    pub(crate) fn new(data: &Arc<RecordData>) -> Self {
        Self {
            data: Arc::clone(data),
        }
    }
}

impl SystemTool for SearchRecords {
    type Input = SearchInput;

    fn name(&self) -> &'static str {
        "search_records"
    }

    fn title(&self) -> &'static str {
        "Search records"
    }

    fn description(&self) -> &'static str {
        "Finds records by nested criteria, with fields, order, limit (at most 100) and offset. Fields may reach over relations with dots, e.g. `customer.name`. Returns the rows and the total. Use it whenever you do not have an id."
    }

    fn kind(&self) -> &'static str {
        "record"
    }

    fn level(&self) -> Level {
        Level::ReadOnly
    }

    fn call_title(&self, caller: Caller<'_>, input: &SearchInput, _: &str) -> String {
        records::title(
            &self.data.access(caller.principal, caller.agent),
            TitleOf::Search(input),
        )
    }

    fn connection(&self, input: &SearchInput) -> Option<String> {
        self.data.connection(&input.model)
    }

    async fn run(&self, context: &mut CallContext<'_>, input: &SearchInput) -> ToolResult {
        let access = self.data.of(context);
        let answer = match &mut context.work {
            Work::Read(snapshot) => records::search(*snapshot, &access, input).await,
            Work::Write(unit) => records::search(*unit, &access, input).await,
            Work::Outside => return no_database(),
        };
        answered(context, &access, TagsOf::Search(input), answer)
    }
}
