use serde_json::{Map, Value, json};

use super::access::Access;
use super::criteria::path::Names;
use super::criteria::test_parse::operators;
use super::error::RecordError;
use super::functions::ModelFunction;
use super::input::DescribeInput;
use super::model::{Choice, Field, FieldType, Model};
use super::rights::Operation;
use super::rights::allowed::Readable;
use super::values::limits::max_length;

/// The models that the user may know of, each with what may be done with its records.
#[must_use]
pub fn list_models(access: &Access) -> Value {
    let models: Vec<Value> = access
        .known_models()
        .map(|model| {
            let mut entry = Map::new();
            entry.insert("name".into(), json!(model.name));
            entry.insert("title".into(), json!(model.title));
            if let Some(help) = &model.help {
                entry.insert("help".into(), json!(help));
            }
            entry.insert("operations".into(), json!(operations(access, model)));
            Value::Object(entry)
        })
        .collect();
    json!({ "models": models })
}

/// One model as the user may know it: the fields that can be read or set, and nothing of the others.
///
/// # Errors
/// When there is no such model, or the user has no right to any of it.
pub fn describe_model(access: &Access, input: &DescribeInput) -> Result<Value, RecordError> {
    let model = match access.model_for(&input.model, Operation::Read) {
        // Who may only create still has to learn of the fields.
        Err(denied @ RecordError::Denied { .. }) => {
            let known = access
                .known_models()
                .find(|model| model.name == input.model);
            known.ok_or(denied)?
        }
        other => other?,
    };
    let fields: Vec<Value> = model
        .fields
        .iter()
        .filter_map(|field| describe(access, model, field))
        .collect();
    Ok(json!({
        "name": model.name,
        "title": model.title,
        "help": model.help,
        "display": model.field(&model.display).filter(|f| Readable(access).knows(model, f)).map(|f| &f.name),
        "operations": operations(access, model),
        "fields": fields,
    }))
}

fn operations(access: &Access, model: &Model) -> Vec<&'static str> {
    let mine = Operation::ALL.into_iter().filter(|operation| {
        access.may(&model.name, *operation) && is_open(access, model, *operation)
    });
    mine.map(Operation::name).collect()
}

/// Whether some function that does it is not switched off.
fn is_open(access: &Access, model: &Model, operation: Operation) -> bool {
    let mut functions = ModelFunction::ALL
        .into_iter()
        .filter(|function| function.operation() == operation)
        .peekable();
    functions.peek().is_none() || functions.any(|one| !access.closes(&model.name, one))
}

fn describe(access: &Access, model: &Model, field: &Field) -> Option<Value> {
    let readable = Readable(access).knows(model, field);
    let settable = |operation| {
        field.holds_values()
            && !field.rules.read_only
            && !(operation == Operation::Update && model.is_key(field))
            && access
                .grants_for(&model.name, operation)
                .iter()
                .any(|grant| grant.write_fields.covers(field))
    };
    let (create, update) = (settable(Operation::Create), settable(Operation::Update));
    // The list of records is known only with the model that they are of.
    let hidden = match &field.kind {
        FieldType::OneToMany { model, .. } => !access.knows(model),
        _ => false,
    };
    if hidden || !(readable || create || update) {
        return None;
    }
    let mut out = Map::new();
    out.insert("name".into(), json!(field.name));
    out.insert("title".into(), json!(field.title));
    out.insert("type".into(), json!(field.kind.name()));
    shape(&mut out, field);
    if let Some(target) = field.kind.leads_to().filter(|target| access.knows(target)) {
        out.insert("model".into(), json!(target));
    }
    if let Some(help) = &field.help {
        out.insert("help".into(), json!(help));
    }
    for (key, flag) in [
        ("required", field.rules.required),
        ("unique", field.rules.unique),
        ("writeOnly", !readable),
        ("readOnly", !create && !update),
    ] {
        if flag {
            out.insert(key.into(), json!(true));
        }
    }
    if create != update {
        out.insert(
            "settableOn".into(),
            json!(if create { "create" } else { "update" }),
        );
    }
    if let Some(default) = &field.default {
        out.insert("default".into(), default.clone());
    }
    let operators: Vec<&str> = operators(field)
        .iter()
        .map(|operator| operator.name())
        .collect();
    if readable && !operators.is_empty() {
        out.insert("operators".into(), json!(operators.join(" ")));
    }
    Some(Value::Object(out))
}

/// What a value looks like, beside the name of its type.
fn shape(out: &mut Map<String, Value>, field: &Field) {
    match &field.kind {
        FieldType::Decimal { precision, scale } => {
            out.insert("precision".into(), json!(precision));
            out.insert("scale".into(), json!(scale));
        }
        FieldType::Selection { options } | FieldType::MultiSelection { options } => {
            out.insert("options".into(), options.iter().map(option).collect());
        }
        FieldType::Binary { media_types } => {
            out.insert(
                "takes".into(),
                json!("{\"name\", \"mediaType\", \"base64\"} or a data URL"),
            );
            if !media_types.is_empty() {
                out.insert("mediaTypes".into(), json!(media_types));
            }
        }
        FieldType::OneToMany { model, inverse } => {
            out.insert("model".into(), json!(model));
            out.insert("inverse".into(), json!(inverse));
        }
        _ => {}
    }
    let limits = &field.limits;
    let optional = [
        ("length", max_length(field).map(Value::from)),
        ("minLength", limits.min_length.map(Value::from)),
        ("min", limits.min.clone()),
        ("max", limits.max.clone()),
        (
            "pattern",
            limits
                .pattern
                .as_ref()
                .map(|pattern| Value::from(pattern.as_str())),
        ),
    ];
    out.extend(
        optional
            .into_iter()
            .filter_map(|(key, value)| value.map(|value| (key.to_owned(), value))),
    );
}

fn option(option: &Choice) -> Value {
    json!({ "value": option.value, "title": option.title })
}
