use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolcrib::ToolResult;
use toolcrib_counter::{CallContext, Caller, CardField, Level, Preview, Refusal, SystemTool, Work};
use toolcrib_data::platform::saved_queries::{self, SavedQueryRow};
use toolcrib_data::records::{QueryInput, RecordError, SavedQuery, Tags};
use toolcrib_data::{ReadFrom, StoreError};

use super::{RecordData, no_unit, told};

/// The most queries that people may save in one organisation.
const MOST: usize = 500;
/// The longest title and description: language models of other people read them.
const LONGEST: usize = 200;

/// A query to save.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct SaveInput {
    /// The name that it is run by: a-z, 0-9 and _, beginning with a letter.
    name: String,
    /// The name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// What it is for, in one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    /// What it takes, by name; `{"param": "name"}` in the query stands for the value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    params: BTreeMap<String, SaveParam>,
    /// The query, as `query_records` takes it.
    query: QueryInput,
}

/// A parameter of a saved query.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct SaveParam {
    /// `string`, `integer`, `decimal`, `float`, `boolean`, `date`, `time`, `datetime` or `uuid`.
    #[serde(rename = "type")]
    kind: String,
    /// The name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// Whether it must be given.
    #[serde(default)]
    required: bool,
    /// The value when none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    default: Option<Value>,
}

pub(crate) struct SaveQuery {
    data: Arc<RecordData>,
}

/// What would be saved, and what is there under that name.
struct Saving {
    query: SavedQuery,
    definition: Value,
    earlier: Option<SavedQueryRow>,
}

impl SaveQuery {
    pub(crate) fn new(data: &Arc<RecordData>) -> Self {
        Self {
            data: Arc::clone(data),
        }
    }

    /// Checks everything that stands against saving.
    async fn check(
        &self,
        from: &mut impl ReadFrom,
        caller: Caller<'_>,
        input: &SaveInput,
    ) -> Result<Saving, String> {
        let access = self.data.access(caller.principal, caller.agent);
        let definition = serde_json::to_value(input).unwrap_or_default();
        let query = SavedQuery::read(&definition, &access).map_err(|error| told(&error))?;
        check_words("title", input.title.as_deref())?;
        check_words("description", input.description.as_deref())?;
        let stored = |error: StoreError| told(&RecordError::Store(error));
        let org = caller.principal.org;
        let earlier = saved_queries::get(from, org, &input.name)
            .await
            .map_err(stored)?;
        let may_replace = |row: &SavedQueryRow| {
            row.owner == caller.principal.user || caller.principal.has_role("admin")
        };
        // Said alike of a query that the user can't see: only that the name can't be had.
        if self.data.as_loaded().queries.has(&input.name)
            || !earlier.as_ref().is_none_or(may_replace)
        {
            return Err(format!(
                "The name `{}` is taken; choose another one. Only its owner or an administrator may save it anew.",
                input.name
            ));
        }
        if earlier.is_none() {
            let count = saved_queries::all(from, org).await.map_err(stored)?.len();
            if count >= MOST {
                return Err(format!(
                    "There are {MOST} saved queries already; no more can be saved."
                ));
            }
        }
        Ok(Saving {
            query,
            definition,
            earlier,
        })
    }
}

/// Words for other people's language models are one short line.
fn check_words(name: &str, words: Option<&str>) -> Result<(), String> {
    let words = words.unwrap_or_default();
    if words.chars().count() > LONGEST || words.chars().any(char::is_control) {
        return Err(format!(
            "/{name}: must be one line of at most {LONGEST} letters"
        ));
    }
    Ok(())
}

impl Saving {
    /// What is under the name now: a save in between makes an approval stale.
    fn fingerprint(&self) -> String {
        let version = self.earlier.as_ref().map_or(0, |row| row.version);
        format!("version {version}")
    }

    fn preview(&self) -> Preview {
        let verb = match self.earlier {
            Some(_) => "Replace query",
            None => "Save query",
        };
        let field = |label: &str, value: String| CardField {
            label: label.to_owned(),
            value,
        };
        let params: Vec<String> = self
            .query
            .params
            .iter()
            .map(|param| format!("{} ({})", param.name, param.kind.name()))
            .collect();
        let written = self.definition.get("query").cloned().unwrap_or_default();
        let mut fields = vec![
            field("Name", self.query.name.clone()),
            field("Title", self.query.title.clone()),
        ];
        fields.extend(
            self.query
                .description
                .clone()
                .map(|text| field("Description", text)),
        );
        if !params.is_empty() {
            fields.push(field("Parameters", params.join(", ")));
        }
        let written = serde_json::to_string_pretty(&written).unwrap_or_default();
        fields.push(field("Query", written));
        Preview {
            title: format!("{verb} {}", self.query.title),
            verb: verb.to_owned(),
            summary: Some("Everybody who knows its data models can run it.".to_owned()),
            fields,
            fingerprint: Some(self.fingerprint()),
            ..Preview::default()
        }
    }
}

impl SystemTool for SaveQuery {
    type Input = SaveInput;

    fn name(&self) -> &'static str {
        "save_query"
    }

    fn title(&self) -> &'static str {
        "Save a query"
    }

    fn description(&self) -> &'static str {
        "Saves a query under a name for the whole organisation, to be run again with show_data (`queryName`). Run it with query_records first. Under the name of a query of one's own it takes that one's place."
    }

    fn kind(&self) -> &'static str {
        "record"
    }

    fn level(&self) -> Level {
        Level::Write
    }

    fn call_title(&self, _: Caller<'_>, input: &SaveInput, _: &str) -> String {
        let title = input.title.as_deref().unwrap_or(&input.name);
        let shown: String = title.chars().take(80).collect();
        format!("Save query {shown}")
    }

    async fn before_approval(
        &self,
        context: &mut CallContext<'_>,
        input: &SaveInput,
    ) -> Result<Preview, Refusal> {
        context.tags.set(Tags::Nothing);
        let caller = Caller {
            principal: context.principal,
            agent: context.agent,
        };
        let checked = match &mut context.work {
            Work::Read(snapshot) => self.check(*snapshot, caller, input).await,
            Work::Write(unit) => self.check(*unit, caller, input).await,
            Work::Outside => Err("The card can't be drawn without the database.".to_owned()),
        };
        checked.map(|saving| saving.preview()).map_err(Refusal::new)
    }

    async fn check_unchanged(
        &self,
        context: &mut CallContext<'_>,
        input: &SaveInput,
        fingerprint: &str,
    ) -> Result<(), Refusal> {
        context.tags.set(Tags::Nothing);
        let caller = Caller {
            principal: context.principal,
            agent: context.agent,
        };
        let Work::Write(unit) = &mut context.work else {
            return Err(Refusal::new(
                "The call can't be checked without a unit of work.",
            ));
        };
        let saving = self
            .check(*unit, caller, input)
            .await
            .map_err(Refusal::new)?;
        if saving.fingerprint() == fingerprint {
            return Ok(());
        }
        Err(Refusal::new(format!(
            "Not done: the query `{}` was saved by somebody since it was shown. Ask again.",
            input.name
        )))
    }

    async fn run(&self, context: &mut CallContext<'_>, input: &SaveInput) -> ToolResult {
        context.tags.set(Tags::Nothing);
        let caller = Caller {
            principal: context.principal,
            agent: context.agent,
        };
        let Work::Write(unit) = &mut context.work else {
            return no_unit();
        };
        let saving = match self.check(*unit, caller, input).await {
            Ok(saving) => saving,
            Err(problems) => return ToolResult::failure(problems),
        };
        let row = SavedQueryRow {
            name: saving.query.name.clone(),
            definition: saving.definition,
            owner: caller.principal.user,
            version: 1,
        };
        let now = self.data.now();
        if let Err(error) = saved_queries::save(unit, caller.principal.org, &row, now).await {
            return ToolResult::failure(told(&RecordError::Store(error)));
        }
        ToolResult::success(json!({
            "queryName": row.name,
            "title": saving.query.title,
            "replaced": saving.earlier.is_some(),
        }))
    }
}
