use std::sync::Arc;

use toolcrib::ToolResult;
use toolcrib_counter::{CallContext, Caller, Level, SystemTool, Work};
use toolcrib_data::records::{self, ActivityInput, TagsOf, TitleOf};

use super::{RecordData, answered, no_database, told};

pub(crate) struct ReadActivity {
    data: Arc<RecordData>,
}

impl ReadActivity {
    pub(crate) fn new(data: &Arc<RecordData>) -> Self {
        Self {
            data: Arc::clone(data),
        }
    }
}

impl SystemTool for ReadActivity {
    type Input = ActivityInput;

    fn name(&self) -> &'static str {
        "read_activity"
    }

    fn title(&self) -> &'static str {
        "Read a record's activity"
    }

    fn description(&self) -> &'static str {
        "Returns what was done with one record through tools, newest first: when, by whom, with which tool, and for each field the value before and after. An unknown id is told under `missing`."
    }

    fn kind(&self) -> &'static str {
        "record"
    }

    fn level(&self) -> Level {
        Level::ReadOnly
    }

    fn call_title(&self, caller: Caller<'_>, input: &ActivityInput, _: &str) -> String {
        records::title(
            &self.data.access(caller.principal, caller.agent),
            TitleOf::Activity(input),
        )
    }

    async fn run(&self, context: &mut CallContext<'_>, input: &ActivityInput) -> ToolResult {
        let access = self.data.of(context);
        let mut elsewhere = match self.data.view_of(&input.model).await {
            Ok(view) => view,
            Err(error) => return ToolResult::failure(told(&error.into())),
        };
        let place = elsewhere.as_mut();
        let answer = match &mut context.work {
            Work::Read(snapshot) => records::activity(*snapshot, place, &access, input).await,
            Work::Write(unit) => records::activity(*unit, place, &access, input).await,
            Work::Outside => return no_database(),
        };
        answered(context, &access, TagsOf::Activity(&input.model), answer)
    }
}
