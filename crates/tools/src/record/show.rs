mod columns;
mod saved;
mod widget;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use toolcrib::ToolResult;
use toolcrib_counter::{CallContext, Caller, Level, SystemTool, Work};
use toolcrib_data::ReadFrom;
use toolcrib_data::records::{self, Access, Params, QueryInput, RecordError, Tags, TagsOf};

use super::{RecordData, told};

/// The most rows that are shown.
const MOST_ROWS: u32 = 100;

/// What is shown, and how.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct ShowInput {
    /// The query whose rows are shown, as `query_records` takes it; at most 100 rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    query: Option<QueryInput>,
    /// The name of a saved query, in place of `query`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    query_name: Option<String>,
    /// Values for the parameters of the saved query.
    #[serde(default)]
    params: Map<String, Value>,
    /// How the rows are drawn: chart, table, kpi (large figures), card, list, progress, flow (boxes and arrows) or pivot (cross table).
    #[schemars(schema_with = "widget::names")]
    widget: String,
    /// What the widget draws, in the shape of that widget; columns are named as in `select`.
    #[serde(default)]
    #[schemars(schema_with = "widget::props")]
    props: Map<String, Value>,
    /// What is shown, in a few words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
}

pub(crate) struct ShowData {
    data: Arc<RecordData>,
}

impl ShowData {
    pub(crate) fn new(data: &Arc<RecordData>) -> Self {
        Self {
            data: Arc::clone(data),
        }
    }

    async fn rows(
        &self,
        context: &mut CallContext<'_>,
        input: &ShowInput,
    ) -> Result<Value, String> {
        context.tags.set(Tags::Nothing);
        let access = self.data.of(context);
        let asked = Asked::of(input)?;
        let (answer, query) = match &mut context.work {
            Work::Read(snapshot) => self.answer(*snapshot, &access, asked).await,
            Work::Write(unit) => self.answer(*unit, &access, asked).await,
            Work::Outside => {
                return Err("The tool was started without the database.".to_owned());
            }
        };
        // A query that is not there is told of in words that hold nothing.
        if let Some(query) = query {
            let subject = TagsOf::Query(&query);
            context.tags.set(match &answer {
                Ok(output) => Tags::of(&access.catalog, subject, output),
                Err(error) => Tags::of_error(error, subject.model()),
            });
        }
        answer.map_err(|error| told(&error))
    }

    /// The rows, and what was asked for them.
    async fn answer(
        &self,
        from: &mut impl ReadFrom,
        access: &Access,
        asked: Asked<'_>,
    ) -> (Result<Value, RecordError>, Option<QueryInput>) {
        match asked {
            Asked::Query(query) => {
                let answer = records::query(from, access, &query, &Params::default()).await;
                (answer, Some(*query))
            }
            Asked::Saved(name, params) => {
                let queries = match self.data.all_queries(from, access).await {
                    Ok(queries) => queries,
                    Err(error) => return (Err(error.into()), None),
                };
                let how = (params, Some(MOST_ROWS));
                let model = queries.model_of(name).unwrap_or_default();
                let answer = match self.data.view_of(model).await {
                    Ok(Some(mut view)) => {
                        records::query_saved(&mut view, access, &queries, name, how).await
                    }
                    Ok(None) => records::query_saved(from, access, &queries, name, how).await,
                    Err(error) => Err(error.into()),
                };
                let query = queries.known(access).find(|query| query.name == name);
                (answer, query.map(|query| query.query.clone()))
            }
        }
    }

    /// The saved queries that the caller may know of, as far as they can be read.
    async fn listed(&self, access: &Access) -> Option<String> {
        let Some(store) = &self.data.store else {
            return saved::listed(self.data.as_loaded().queries.known(access));
        };
        let all = match store.snapshot().await {
            Ok(mut snapshot) => self.data.all_queries(&mut snapshot, access).await,
            Err(error) => Err(error),
        };
        match all {
            Ok(queries) => saved::listed(queries.known(access)),
            Err(error) => {
                tracing::error!(%error, "the saved queries can't be listed");
                saved::listed(self.data.as_loaded().queries.known(access))
            }
        }
    }
}

/// Where the rows come from.
enum Asked<'a> {
    Query(Box<QueryInput>),
    Saved(&'a str, &'a Map<String, Value>),
}

impl<'a> Asked<'a> {
    fn of(input: &'a ShowInput) -> Result<Self, String> {
        match (&input.query, &input.query_name) {
            (Some(_), Some(_)) => Err("Give either `query` or `queryName`, not both.".to_owned()),
            (None, None) => Err("Give a `query`, or the `queryName` of a saved one.".to_owned()),
            (Some(_), None) if !input.params.is_empty() => {
                Err("`params` are those of a saved query; write values into `query`.".to_owned())
            }
            (Some(query), None) => Ok(Self::Query(Box::new(QueryInput {
                limit: Some(query.limit.unwrap_or(MOST_ROWS)),
                ..query.clone()
            }))),
            (None, Some(name)) => Ok(Self::Saved(name, &input.params)),
        }
    }
}

impl SystemTool for ShowData {
    type Input = ShowInput;

    fn name(&self) -> &'static str {
        "show_data"
    }

    fn title(&self) -> &'static str {
        "Show data"
    }

    fn description(&self) -> &'static str {
        "Draws the rows of a query in the answer, for the person to look at: a chart, table, KPI, card, list, progress, flow or pivot. Takes a query as `query_records` does (or the name of a saved one) and one widget with its props, which name columns of `select`. You read the same rows, so do not query them again, and do not repeat them in text. Example: {\"widget\": \"chart\", \"title\": \"Orders by status\", \"props\": {\"kind\": \"bar\", \"x\": \"status\", \"y\": [\"orders\"]}, \"query\": {\"from\": {\"model\": \"order\", \"as\": \"o\"}, \"select\": [{\"field\": \"o.status\", \"as\": \"status\"}, {\"fn\": \"count\", \"as\": \"orders\"}], \"groupBy\": [\"o.status\"]}}"
    }

    fn kind(&self) -> &'static str {
        "record"
    }

    fn level(&self) -> Level {
        Level::ReadOnly
    }

    fn call_title(&self, _: Caller<'_>, input: &ShowInput, configured: &str) -> String {
        let title = input.title.as_deref().map(str::trim).unwrap_or_default();
        if title.is_empty() {
            return configured.to_owned();
        }
        let shown: String = title.chars().take(80).collect();
        format!("Show {shown}")
    }

    fn connection(&self, input: &ShowInput) -> Option<String> {
        // A saved one is read from the platform's own database first.
        let query = input.query.as_ref()?;
        self.data.connection(&query.from.model)
    }

    async fn provide_context(&self, caller: Caller<'_>) -> Option<String> {
        let access = self.data.access(caller.principal, caller.agent);
        self.listed(&access).await
    }

    async fn run(&self, context: &mut CallContext<'_>, input: &ShowInput) -> ToolResult {
        context.tags.set(Tags::Nothing);
        if let Err(problems) = widget::check(input) {
            return ToolResult::failure(problems);
        }
        let mut answer = match self.rows(context, input).await {
            Ok(answer) => answer,
            Err(problems) => return ToolResult::failure(problems),
        };
        if let Err(problems) = columns::check(&input.widget, &input.props, &answer) {
            context.tags.set(Tags::Nothing);
            return ToolResult::failure(problems);
        }
        let mut take = |key: &str| answer.get_mut(key).map(Value::take).unwrap_or_default();
        let mut output = json!({
            "widget": input.widget,
            "title": input.title,
            "props": input.props,
            "columns": take("columns"),
            "rows": take("rows"),
            "truncated": take("truncated"),
        });
        // For the model to read: a widget draws rows.
        let summaries = take("summaries");
        if let (Some(fields), false) = (output.as_object_mut(), summaries.is_null()) {
            fields.insert("summaries".into(), summaries);
        }
        ToolResult::Success {
            output,
            shown: true,
        }
    }
}
