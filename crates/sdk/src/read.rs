//! Strict reading of arguments: nothing is guessed, every problem is told at once.

mod explain;

use std::fmt;

use jsonschema::Validator;
use serde::Serialize;
use serde_json::{Map, Value};

use self::explain::{double_encoded, kind_of};

/// At most this many problems are told; a model that got more wrong starts over anyway.
const MOST_PROBLEMS: usize = 20;

/// How much of text that is no JSON is shown, in characters.
const PREVIEW: usize = 120;

/// One thing that is wrong with the arguments.
///
/// Part of an [`Unreadable`]; shown at [`Reader`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// JSON pointer to the place; empty for the whole.
    pub pointer: String,
    /// What is wrong there, and what would be right.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.pointer, self.message)
        }
    }
}

/// Something that was put right on the way in; counted and logged.
///
/// Shown at [`parse`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Repair {
    /// Empty argument text, or `null`, was read as `{}`.
    EmptyText,
    /// A JSON string that held a JSON object or array was unwrapped once, where the schema takes no
    /// string.
    DoubleEncoded,
}

/// Arguments that were read.
///
/// Shown at [`parse`].
#[derive(Clone, Debug, PartialEq)]
pub struct Arguments {
    /// The object.
    pub value: Map<String, Value>,
    /// What was put right.
    pub repaired: Option<Repair>,
}

/// Arguments that could not be read: every problem found.
///
/// Shown at [`Reader`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Unreadable {
    /// The problems, at least one.
    pub problems: Vec<Problem>,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("The arguments could not be read.")?;
        for problem in &self.problems {
            write!(f, "\n- {problem}")?;
        }
        Ok(())
    }
}

impl Unreadable {
    fn one(pointer: &str, message: String) -> Self {
        Self {
            problems: vec![Problem {
                pointer: pointer.to_owned(),
                message,
            }],
        }
    }
}

impl Arguments {
    /// Notes in the log that a call's arguments had to be put right.
    pub(crate) fn logged(self, tool: &str) -> Self {
        if let Some(repair) = self.repaired {
            tracing::info!(tool, ?repair, "arguments were read as what they mean");
        }
        self
    }
}

/// A schema that is not one.
///
/// What [`Reader::new`] fails with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}not a JSON Schema: {text}")]
pub struct InvalidSchema {
    /// Whose schema it is, where that is known.
    what: String,
    text: String,
}

impl InvalidSchema {
    pub(crate) fn of_tool(self, name: &str) -> Self {
        Self {
            what: format!("the parameters of the tool {name} are "),
            ..self
        }
    }
}

/// Reads arguments against one schema, compiled once.
///
/// ```
/// use toolcrib::read::Reader;
///
/// let reader = Reader::new(&serde_json::json!({
///     "type": "object",
///     "properties": {"limit": {"type": "integer"}},
///     "required": ["limit"],
///     "additionalProperties": false,
/// }))?;
/// assert_eq!(reader.read(r#"{"limit": 5}"#).unwrap().value["limit"], 5);
/// let problems = reader.read(r#"{"limitt": 5}"#).unwrap_err().problems;
/// assert_eq!(problems.len(), 2);
/// # Ok::<(), toolcrib::read::InvalidSchema>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reader {
    validator: Validator,
    schema: Value,
}

impl Reader {
    /// Compiles the schema.
    ///
    /// # Errors
    /// When it is not a valid JSON Schema.
    pub fn new(schema: &Value) -> Result<Self, InvalidSchema> {
        let validator = jsonschema::validator_for(schema).map_err(|error| InvalidSchema {
            what: String::new(),
            text: error.to_string(),
        })?;
        Ok(Self {
            validator,
            schema: schema.clone(),
        })
    }

    /// Reads argument text as a model wrote it.
    ///
    /// # Errors
    /// Every problem, each with its place.
    pub fn read(&self, text: &str) -> Result<Arguments, Unreadable> {
        let Arguments { value, repaired } = parse(text)?;
        let mut value = Value::Object(value);
        let mut repaired = repaired;
        if !self.validator.is_valid(&value) {
            if self.unwrap_inside(&mut value) {
                repaired = repaired.or(Some(Repair::DoubleEncoded));
            }
            self.check(&value)?;
        }
        match value {
            Value::Object(value) => Ok(Arguments { value, repaired }),
            _ => Ok(Arguments {
                value: Map::new(),
                repaired,
            }),
        }
    }

    /// Unwraps strings that hold an object or array, once, where the schema wants one of those and
    /// takes no string. Answers whether there were any.
    fn unwrap_inside(&self, value: &mut Value) -> bool {
        let found: Vec<(String, Value)> = self
            .validator
            .iter_errors(value)
            .filter_map(|error| {
                let inner = double_encoded(&error)?;
                Some((error.instance_path().to_string(), inner))
            })
            .collect();
        for (pointer, inner) in &found {
            if let Some(place) = value.pointer_mut(pointer) {
                *place = inner.clone();
            }
        }
        !found.is_empty()
    }

    /// Checks a value that was parsed already.
    ///
    /// # Errors
    /// Every problem, each with its place.
    pub fn check(&self, value: &Value) -> Result<(), Unreadable> {
        let mut problems = Vec::new();
        for error in self.validator.iter_errors(value) {
            if problems.len() >= MOST_PROBLEMS {
                break;
            }
            self.explain(&error, &mut problems);
        }
        // One error may stand for many problems.
        problems.truncate(MOST_PROBLEMS);
        if problems.is_empty() {
            Ok(())
        } else {
            Err(Unreadable { problems })
        }
    }
}

/// Parses argument text into an object.
///
/// Empty text and `null` are `{}`, and a JSON string that holds a JSON object is unwrapped once;
/// nothing else is put right.
///
/// # Errors
/// When it is not JSON (with the position), or not an object.
///
/// ```
/// use toolcrib::read::{Repair, parse};
///
/// assert_eq!(parse(r#"{"a": 1}"#).unwrap().value["a"], 1);
/// assert_eq!(parse("").unwrap().repaired, Some(Repair::EmptyText));
/// assert!(parse("[1]").is_err());
/// ```
pub fn parse(text: &str) -> Result<Arguments, Unreadable> {
    if text.trim().is_empty() {
        return Ok(Arguments {
            value: Map::new(),
            repaired: Some(Repair::EmptyText),
        });
    }
    match parse_json(text)? {
        Value::Object(value) => Ok(Arguments {
            value,
            repaired: None,
        }),
        Value::Null => Ok(Arguments {
            value: Map::new(),
            repaired: Some(Repair::EmptyText),
        }),
        Value::String(inner) => match serde_json::from_str::<Value>(&inner) {
            Ok(Value::Object(value)) => Ok(Arguments {
                value,
                repaired: Some(Repair::DoubleEncoded),
            }),
            _ => Err(Unreadable::one(
                "",
                "expected an object of arguments, got a string".to_owned(),
            )),
        },
        other => Err(Unreadable::one(
            "",
            format!("expected an object of arguments, got {}", kind_of(&other)),
        )),
    }
}

fn parse_json(text: &str) -> Result<Value, Unreadable> {
    serde_json::from_str(text).map_err(|error| {
        let line = text
            .lines()
            .nth(error.line().saturating_sub(1))
            .unwrap_or_default();
        let from = error.column().saturating_sub(20);
        // Columns are counted in bytes.
        let near = line.char_indices().skip_while(|(at, _)| *at < from);
        let near: String = near.take(30).map(|(_, letter)| letter).collect();
        let beginning: String = text.chars().take(PREVIEW).collect();
        let what = error.to_string();
        let what = what.split(" at line").next().unwrap_or_default();
        Unreadable::one(
            "",
            format!(
                "not valid JSON: {what} at line {} column {}, near `{near}`; the text begins `{beginning}`",
                error.line(),
                error.column()
            ),
        )
    })
}
