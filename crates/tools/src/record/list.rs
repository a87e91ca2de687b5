use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use toolcrib::ToolResult;
use toolcrib_counter::{CallContext, Caller, Level, SystemTool};
use toolcrib_data::records::{self, TitleOf};

use super::{RecordData, described};

/// Lists the data models; takes nothing.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListInput {}

pub(crate) struct ListModels {
    data: Arc<RecordData>,
}

impl ListModels {
    pub(crate) fn new(data: &Arc<RecordData>) -> Self {
        Self {
            data: Arc::clone(data),
        }
    }
}

impl SystemTool for ListModels {
    type Input = ListInput;

    fn name(&self) -> &'static str {
        "list_models"
    }

    fn title(&self) -> &'static str {
        "List data models"
    }

    fn description(&self) -> &'static str {
        "Returns the data models that the user may read, with their titles and what they hold."
    }

    fn kind(&self) -> &'static str {
        "record"
    }

    fn level(&self) -> Level {
        Level::ReadOnly
    }

    fn call_title(&self, caller: Caller<'_>, _: &ListInput, _: &str) -> String {
        records::title(
            &self.data.access(caller.principal, caller.agent),
            TitleOf::List,
        )
    }

    async fn run(&self, context: &mut CallContext<'_>, _: &ListInput) -> ToolResult {
        described(context, Ok(records::list_models(&self.data.of(context))))
    }
}
