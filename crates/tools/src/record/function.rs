use std::sync::Arc;

use serde_json::{Map, Value, json};
use toolcrib::schema;
use toolcrib_counter::{AgentScope, FunctionSpec, OfModel, Principal, Registry};
use toolcrib_data::records::{
    CreateInput, DeleteInput, LinkedModel, ModelFunction, QueryInput, ReadInput, SearchInput,
    UpdateInput, values_schema,
};

use super::RecordData;

/// Makes the functions of data models tools, in place of those that were.
pub(crate) fn link(registry: &Registry, data: &Arc<RecordData>, linked: &[LinkedModel]) {
    let each = linked.iter().flat_map(|linked| {
        let functions = linked.functions.iter();
        functions.map(|function| FunctionOf {
            data: Arc::clone(data),
            model: linked.model.clone(),
            function: *function,
        })
    });
    registry.set_functions(each.map(|of| (of.spec(), of)));
}

/// A function of one data model: what a tool for all models does, with the model said already.
struct FunctionOf {
    data: Arc<RecordData>,
    model: String,
    function: ModelFunction,
}

impl FunctionOf {
    fn spec(&self) -> FunctionSpec {
        let (verb, by, does) = match self.function {
            ModelFunction::Create => (
                "Create",
                "create_record",
                "Creates one record from `values`, or up to 100 from `records`: all of them or none. Returns the ids and the values as saved.",
            ),
            ModelFunction::Read => (
                "Read",
                "read_record",
                "Reads one record by `id`, or up to 100 by `ids`. Returns the records, and under `missing` the ids that matched none.",
            ),
            ModelFunction::Update => (
                "Update",
                "update_record",
                "Changes fields of one record (`id` and `values`), or of up to 100 (`records`): all of them or none. Returns for each field set the value before and after.",
            ),
            ModelFunction::Delete => (
                "Delete",
                "delete_record",
                "Deletes one record by `id`, or up to 100 by `ids`: all of them or none.",
            ),
            ModelFunction::Search => (
                "Search",
                "search_records",
                "Finds records by `criteria`. Returns the records of one page, and how many there are in all.",
            ),
            ModelFunction::Query => (
                "Query",
                "query_records",
                "Joins, groups, counts and calculates, beginning with these records; takes what `query_records` takes, with the alias of the records in `as` in place of `from`. Fields are named with their alias.",
            ),
        };
        let model = &self.model;
        FunctionSpec {
            name: self.function.tool(model),
            title: format!("{verb}: {}", self.data.title_of(model)),
            description: format!(
                "{does} Of the data model `{model}`, which describe_model tells more of."
            ),
            input_schema: self.schema(),
            by,
        }
    }

    /// The schema of the tool for all models, without the model.
    fn schema(&self) -> Value {
        let mut schema = match self.function {
            ModelFunction::Create => schema::of::<CreateInput>(),
            ModelFunction::Read => schema::of::<ReadInput>(),
            ModelFunction::Update => schema::of::<UpdateInput>(),
            ModelFunction::Delete => schema::of::<DeleteInput>(),
            ModelFunction::Search => schema::of::<SearchInput>(),
            ModelFunction::Query => schema::of::<QueryInput>(),
        };
        without(&mut schema, "model");
        match self.function {
            ModelFunction::Query => {
                without(&mut schema, "from");
                if let Some(properties) = object(&mut schema, "/properties") {
                    let alias = "The alias that fields of the records are named by; the data model's name when left out.";
                    properties.insert("as".into(), json!({"type": "string", "description": alias}));
                }
            }
            ModelFunction::Create | ModelFunction::Update => {
                let values = self.data.values_of(&self.model, self.function.operation());
                typed(&mut schema, &values);
            }
            ModelFunction::Read | ModelFunction::Delete | ModelFunction::Search => {}
        }
        schema
    }
}

impl OfModel for FunctionOf {
    fn model(&self) -> &str {
        &self.model
    }

    fn function(&self) -> ModelFunction {
        self.function
    }

    fn whole(&self, mut arguments: Map<String, Value>) -> Map<String, Value> {
        let model = Value::from(self.model.clone());
        if self.function != ModelFunction::Query {
            arguments.insert("model".into(), model);
            return arguments;
        }
        let mut from = Map::from_iter([("model".to_owned(), model)]);
        from.extend(
            arguments
                .shift_remove("as")
                .map(|alias| ("as".to_owned(), alias)),
        );
        arguments.insert("from".into(), from.into());
        arguments
    }

    fn is_allowed(&self, principal: &Principal, agent: Option<&AgentScope>) -> bool {
        let access = self.data.access(principal, agent);
        access.allows(&self.model, self.function)
    }
}

impl RecordData {
    fn title_of(&self, model: &str) -> String {
        let loaded = self.as_loaded();
        let found = loaded.catalog.model(model);
        found.map_or_else(|| model.to_owned(), |model| model.title_plural.clone())
    }

    fn values_of(&self, model: &str, operation: toolcrib_data::records::Operation) -> Value {
        let loaded = self.as_loaded();
        values_schema(&loaded.catalog, &loaded.grants, model, operation)
    }
}

fn object<'s>(schema: &'s mut Value, at: &str) -> Option<&'s mut Map<String, Value>> {
    schema.pointer_mut(at)?.as_object_mut()
}

/// Takes a property out.
fn without(schema: &mut Value, name: &str) {
    if let Some(properties) = object(schema, "/properties") {
        properties.shift_remove(name);
    }
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|one| one != name);
    }
}

/// Says what values look like, wherever the schema has some: of one record, or of several.
fn typed(schema: &mut Value, values: &Value) {
    let with = |old: &mut Value| {
        let description = old.get("description").cloned();
        *old = values.clone();
        if let (Some(description), Some(new)) = (description, old.as_object_mut()) {
            new.insert("description".into(), description);
        }
    };
    if let Some(one) = schema.pointer_mut("/properties/values") {
        with(one);
    }
    for at in [
        "/properties/records/items",
        "/$defs/UpdateItem/properties/values",
    ] {
        if let Some(one) = schema.pointer_mut(at)
            && one.get("$ref").is_none()
        {
            with(one);
        }
    }
}
