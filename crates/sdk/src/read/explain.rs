//! What is wrong with arguments, in words for a model.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use super::{MOST_PROBLEMS, Problem, Reader};
use crate::nearest;

/// How much of a place is told, in characters: a key may be of any length.
const LONGEST_POINTER: usize = 300;

impl Reader {
    pub(super) fn explain(&self, error: &ValidationError<'_>, problems: &mut Vec<Problem>) {
        let pointer = place(error);
        match error.kind() {
            ValidationErrorKind::AdditionalProperties { unexpected }
            | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
                let known = self.properties_at(error.schema_path().as_str());
                for name in unexpected.iter().take(MOST_PROBLEMS) {
                    problems.push(Problem {
                        pointer: pointer.clone(),
                        message: unknown_parameter(name, &known),
                    });
                }
            }
            ValidationErrorKind::Required { property } => {
                let name = property.as_str().unwrap_or_default();
                problems.push(Problem {
                    pointer,
                    message: format!("`{name}` is required and missing"),
                });
            }
            ValidationErrorKind::Type { kind } => {
                let message = format!(
                    "expected {}, got {}",
                    expected(kind),
                    kind_of(error.instance())
                );
                problems.push(Problem { pointer, message });
            }
            ValidationErrorKind::Enum { options } => {
                let message = format!(
                    "{} is not one of {}",
                    brief(error.instance()),
                    brief(options)
                );
                problems.push(Problem { pointer, message });
            }
            ValidationErrorKind::AnyOf { context }
            | ValidationErrorKind::OneOfNotValid { context } => {
                self.explain_alternatives(error, context, problems);
            }
            _ => problems.push(Problem {
                pointer,
                message: short(&error.masked_with("the value").to_string()),
            }),
        }
    }

    /// Of several alternatives the one that was meant says the most.
    fn explain_alternatives(
        &self,
        error: &ValidationError<'_>,
        context: &[Vec<ValidationError<'static>>],
        problems: &mut Vec<Problem>,
    ) {
        let deeper: Vec<&Branch> = context
            .iter()
            .filter(|branch| !branch.is_empty() && !is_of_other_type(branch, error))
            .collect();
        if let Some(problem) = wrong_choice(&deeper) {
            problems.push(problem);
            return;
        }
        let meant = |branch: &&&Branch| (branch.iter().any(is_choice), branch.len());
        if let Some(branch) = deeper.iter().min_by_key(meant) {
            for error in branch.iter().take(MOST_PROBLEMS) {
                self.explain(error, problems);
            }
            return;
        }
        let mut kinds: Vec<String> = context
            .iter()
            .flatten()
            .filter_map(|error| match error.kind() {
                ValidationErrorKind::Type { kind } => Some(expected(kind)),
                _ => None,
            })
            .collect();
        kinds.dedup();
        let message = format!(
            "expected {}, got {}",
            kinds.join(" or "),
            kind_of(error.instance())
        );
        problems.push(Problem {
            pointer: place(error),
            message,
        });
    }

    /// The property names beside the `additionalProperties` keyword at `schema_path`.
    fn properties_at(&self, schema_path: &str) -> Vec<&str> {
        let parent = schema_path
            .rsplit_once('/')
            .map_or("", |(parent, _)| parent);
        let object = self
            .schema
            .pointer(parent)
            .and_then(|schema| schema.get("properties"));
        object
            .and_then(Value::as_object)
            .map(|map| map.keys().map(String::as_str).collect())
            .unwrap_or_default()
    }
}

/// What is wrong with a value in the eyes of one alternative.
type Branch = Vec<ValidationError<'static>>;

fn place(error: &ValidationError<'_>) -> String {
    let pointer = error.instance_path().as_str();
    if pointer.len() <= LONGEST_POINTER {
        return pointer.to_owned();
    }
    let beginning: String = pointer.chars().take(LONGEST_POINTER).collect();
    format!("{beginning}…")
}

/// Whether an alternative takes nothing of the value's type.
fn is_of_other_type(branch: &Branch, at: &ValidationError<'_>) -> bool {
    branch.iter().all(|error| {
        matches!(error.kind(), ValidationErrorKind::Type { .. })
            && error.instance_path() == at.instance_path()
    })
}

fn is_choice(error: &ValidationError<'static>) -> bool {
    choices(error).is_some()
}

/// The values that would be right, where there is a list of them.
fn choices(error: &ValidationError<'static>) -> Option<Vec<Value>> {
    match error.kind() {
        ValidationErrorKind::Constant { expected_value } => {
            Some(vec![Value::clone(expected_value)])
        }
        ValidationErrorKind::Enum { options } => options.as_array().cloned(),
        _ => None,
    }
}

/// Where each alternative wants another value at the same place, such as the tag that tells them
/// apart, that one place is what is wrong.
fn wrong_choice(branches: &[&Branch]) -> Option<Problem> {
    let first = branches.first()?.iter().find(|error| is_choice(error))?;
    let mut all = Vec::new();
    for branch in branches {
        let same = |error: &&ValidationError<'static>| {
            is_choice(error) && error.instance_path() == first.instance_path()
        };
        all.extend(branch.iter().find(same).and_then(choices)?);
    }
    Some(Problem {
        pointer: place(first),
        message: format!(
            "{} is not one of {}",
            brief(first.instance()),
            brief(&Value::Array(all))
        ),
    })
}

/// What a string holds that stands where the schema wants an object or array.
pub(super) fn double_encoded(error: &ValidationError<'_>) -> Option<Value> {
    match error.kind() {
        ValidationErrorKind::Type { kind } => held(error.instance(), kind),
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            // Each alternative wants something else than a string, and one wants what is in it.
            let wants_else =
                |branch: &Branch| !branch.is_empty() && is_of_other_type(branch, error);
            let found = context.iter().flatten().find_map(double_encoded);
            found.filter(|_| context.iter().all(wants_else))
        }
        _ => None,
    }
}

fn held(instance: &Value, kind: &TypeKind) -> Option<Value> {
    let text = instance.as_str()?;
    let inner: Value = serde_json::from_str(text).ok()?;
    let wanted = match &inner {
        Value::Object(_) => JsonType::Object,
        Value::Array(_) => JsonType::Array,
        _ => return None,
    };
    let takes = match kind {
        TypeKind::Single(one) => *one == wanted,
        TypeKind::Multiple(many) => many.contains(wanted),
    };
    takes.then_some(inner)
}

fn unknown_parameter(name: &str, known: &[&str]) -> String {
    let shown: String = name.chars().take(80).collect();
    if known.is_empty() {
        return format!("unknown parameter `{shown}`; no parameters are taken here");
    }
    let near = nearest(name, known.iter().copied(), 3);
    let mut listed = near.clone();
    listed.extend(
        known
            .iter()
            .copied()
            .filter(|name| !near.contains(name))
            .take(30),
    );
    format!(
        "unknown parameter `{shown}`; there are: {}",
        listed.join(", ")
    )
}

fn expected(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(one) => one.to_string(),
        TypeKind::Multiple(many) => many
            .iter()
            .map(|one| one.to_string())
            .collect::<Vec<_>>()
            .join(" or "),
    }
}

pub(super) fn kind_of(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => format!("boolean {value}"),
        Value::Number(_) => format!("number {value}"),
        Value::String(_) => format!("string {}", brief(value)),
        Value::Array(_) => "array".to_owned(),
        Value::Object(_) => "object".to_owned(),
    }
}

fn brief(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 300 {
        text
    } else {
        format!("{}…", text.chars().take(300).collect::<String>())
    }
}

fn short(text: &str) -> String {
    text.chars().take(400).collect()
}
