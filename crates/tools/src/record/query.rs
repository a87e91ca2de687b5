use std::sync::Arc;

use toolcrib::ToolResult;
use toolcrib_counter::{CallContext, Caller, Level, SystemTool, Work};
use toolcrib_data::records::{self, Params, QueryInput, TagsOf, TitleOf};

use super::{RecordData, answered, no_database};

const DESCRIPTION: &str = concat!(
    "Joins, groups, counts and calculates over records; for plain lists use search_records. ",
    "Name fields with their alias, also over relations (`o.customer.city`). Decimals are strings ",
    "and stay exact; a relation is the other record's id; a selected column is named by its `as` ",
    "in groupBy, having, orderBy and summaries. At most 100 rows; `truncated` says whether there ",
    "are more. Example, revenue by country: ",
    r#"{"from": {"model": "order", "as": "o"}, "join": [{"field": "o.customer", "as": "c"}], "#,
    r#""select": [{"field": "c.country"}, {"fn": "sum", "field": "o.total", "as": "revenue"}], "#,
    r#""where": [{"field": "o.ordered_on", "operator": ">=", "value": "startOf:year"}], "#,
    r#""groupBy": ["c.country"], "orderBy": [{"as": "revenue", "direction": "desc"}]}"#,
);

pub(crate) struct QueryRecords {
    data: Arc<RecordData>,
}

impl QueryRecords {
    pub(crate) fn new(data: &Arc<RecordData>) -> Self {
        Self {
            data: Arc::clone(data),
        }
    }
}

impl SystemTool for QueryRecords {
    type Input = QueryInput;

    fn name(&self) -> &'static str {
        "query_records"
    }

    fn title(&self) -> &'static str {
        "Query records"
    }

    fn description(&self) -> &'static str {
        DESCRIPTION
    }

    fn kind(&self) -> &'static str {
        "record"
    }

    fn level(&self) -> Level {
        Level::ReadOnly
    }

    fn call_title(&self, caller: Caller<'_>, input: &QueryInput, _: &str) -> String {
        records::title(
            &self.data.access(caller.principal, caller.agent),
            TitleOf::Query(input),
        )
    }

    fn connection(&self, input: &QueryInput) -> Option<String> {
        self.data.connection(&input.from.model)
    }

    async fn run(&self, context: &mut CallContext<'_>, input: &QueryInput) -> ToolResult {
        let access = self.data.of(context);
        let none = Params::default();
        let answer = match &mut context.work {
            Work::Read(snapshot) => records::query(*snapshot, &access, input, &none).await,
            Work::Write(unit) => records::query(*unit, &access, input, &none).await,
            Work::Outside => return no_database(),
        };
        answered(context, &access, TagsOf::Query(input), answer)
    }
}
