use std::sync::Arc;

use toolcrib::ToolResult;
use toolcrib_counter::{CallContext, Caller, Level, SystemTool};
use toolcrib_data::records::{self, DescribeInput, TitleOf};

use super::{RecordData, described};

pub(crate) struct DescribeModel {
    data: Arc<RecordData>,
}

impl DescribeModel {
    pub(crate) fn new(data: &Arc<RecordData>) -> Self {
        Self {
            data: Arc::clone(data),
        }
    }
}

impl SystemTool for DescribeModel {
    type Input = DescribeInput;

    fn name(&self) -> &'static str {
        "describe_model"
    }

    fn title(&self) -> &'static str {
        "Describe a data model"
    }

    fn description(&self) -> &'static str {
        "Returns a data model's fields with their types and allowed values, its relations, and what you may do with it. Call it before you search or write."
    }

    fn kind(&self) -> &'static str {
        "record"
    }

    fn level(&self) -> Level {
        Level::ReadOnly
    }

    fn call_title(&self, caller: Caller<'_>, input: &DescribeInput, _: &str) -> String {
        records::title(
            &self.data.access(caller.principal, caller.agent),
            TitleOf::Describe(input),
        )
    }

    async fn run(&self, context: &mut CallContext<'_>, input: &DescribeInput) -> ToolResult {
        described(
            context,
            records::describe_model(&self.data.of(context), input),
        )
    }
}
