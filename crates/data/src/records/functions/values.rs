use serde_json::{Map, Value, json};

use crate::records::catalog::Catalog;
use crate::records::model::{Choice, Field, FieldType};
use crate::records::rights::{Grants, Operation};

/// The schema of the values that `create` or `update` of a model take. A tool has one schema for
/// everybody, so it names the fields that every role may set which may do it at all; those of
/// single roles are told by `describe_model`.
#[must_use]
pub fn values_schema(
    catalog: &Catalog,
    grants: &Grants,
    model: &str,
    operation: Operation,
) -> Value {
    let Some(model) = catalog.model(model) else {
        return json!({ "type": "object" });
    };
    let fields = model.holding().filter(|field| {
        let is_fixed =
            field.rules.read_only || (operation == Operation::Update && model.is_key(field));
        !is_fixed && grants.every_role_sets(&model.name, operation, field)
    });
    let fields: Vec<&Field> = fields.collect();
    let properties: Map<String, Value> = fields
        .iter()
        .map(|field| (field.name.clone(), schema(field)))
        .collect();
    let required: Vec<&str> = fields
        .iter()
        .filter(|field| operation == Operation::Create && is_needed(field))
        .map(|field| field.name.as_str())
        .collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

fn is_needed(field: &Field) -> bool {
    field.rules.required && field.default.is_none()
}

/// What a value of the field looks like. What is wrong with one in more detail is told when it is
/// read, in better words.
fn schema(field: &Field) -> Value {
    let (types, form): (&[&str], &str) = match &field.kind {
        FieldType::String | FieldType::Text => (&["string"], ""),
        FieldType::Integer => (&["integer"], ""),
        FieldType::Decimal { .. } => (&["string", "number"], "an exact number, e.g. \"12.50\""),
        FieldType::Float => (&["number"], ""),
        FieldType::Boolean => (&["boolean"], ""),
        FieldType::Date => (&["string"], "a date, e.g. 2026-01-31"),
        FieldType::Time => (&["string"], "a time of day, e.g. 14:30:00"),
        FieldType::Datetime => (&["string"], "a moment, e.g. 2026-01-31T14:30:00Z"),
        FieldType::Uuid => (&["string"], "a UUID"),
        FieldType::Selection { options } => return choice(field, options),
        FieldType::MultiSelection { .. } => (&["array"], "a list of options"),
        FieldType::ManyToOne { .. } => (&["integer", "string"], "the id of a record"),
        FieldType::ManyToMany { .. } => (&["array"], "the ids of records; replaces the list"),
        FieldType::Binary { .. } => (
            &["object", "string"],
            "a file: {\"name\", \"mediaType\", \"base64\"} or a data URL",
        ),
        FieldType::Json | FieldType::OneToMany { .. } => (&[], ""),
    };
    let mut out = Map::new();
    if !types.is_empty() {
        let mut types = types.to_vec();
        if !field.rules.required {
            types.push("null");
        }
        let one = types.first().filter(|_| types.len() == 1);
        out.insert(
            "type".into(),
            one.map_or_else(|| json!(types), |one| json!(one)),
        );
    }
    if let FieldType::MultiSelection { options } = &field.kind {
        out.insert("items".into(), json!({ "enum": values(options) }));
    }
    if let FieldType::ManyToMany { .. } = &field.kind {
        out.insert("items".into(), json!({ "type": ["integer", "string"] }));
    }
    out.insert("description".into(), described(field, form).into());
    out.into()
}

fn choice(field: &Field, options: &[Choice]) -> Value {
    let mut values = values(options);
    if !field.rules.required {
        values.push(Value::Null);
    }
    json!({ "enum": values, "description": field.help.as_ref().unwrap_or(&field.title) })
}

fn values(options: &[Choice]) -> Vec<Value> {
    let values = options.iter().map(|option| option.value.clone().into());
    values.collect()
}

fn described(field: &Field, form: &str) -> String {
    let what = field.help.as_ref().unwrap_or(&field.title);
    if form.is_empty() {
        what.clone()
    } else {
        format!("{what}: {form}")
    }
}
