//! An answer of a certain shape: how it is asked for, and how it is read.

use serde_json::{Value, json};

use super::{GenerateErrorKind, GenerateResult};
use crate::model::{Capabilities, OutputSchema, StructuredOutput};
use crate::read::{Problem, Reader};
use crate::schema::walk::each_mut;
use crate::{Definitions, ToolDefinition};

/// A final answer as a value of a type, with the run that led to it.
///
/// Comes of [`Client::generate_as`](crate::Client::generate_as); the example `structured_output` shows it.
#[derive(Clone, Debug)]
pub struct Typed<T> {
    /// The answer.
    pub value: T,
    /// The run.
    pub result: GenerateResult,
}

/// How the shape is brought about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// The provider holds the model to it.
    Native,
    /// A tool of this name takes it.
    Tool(String),
    /// The instructions say it.
    Words,
}

/// The shape that a run has to answer in.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) schema: OutputSchema,
    pub(super) way: Way,
    reader: Reader,
    pub(super) retried: bool,
    /// The tools of the last step with the one that takes the answer beside them.
    beside: Option<(usize, Definitions)>,
}

impl Shape {
    pub(super) fn new(
        schema: &OutputSchema,
        can: &Capabilities,
        tools: &[ToolDefinition],
    ) -> Result<Self, GenerateErrorKind> {
        let reader = Reader::new(&schema.schema).map_err(|error| {
            let text = format!("the schema of the final answer is {error}");
            GenerateErrorKind::InvalidRequest(text)
        })?;
        let has_tools = can.tools && !tools.is_empty();
        let way = match can.structured_output {
            StructuredOutput::WithTools => Way::Native,
            StructuredOutput::WithoutTools if !has_tools => Way::Native,
            StructuredOutput::WithoutTools | StructuredOutput::No if can.tools => {
                Way::Tool(free_name(tools))
            }
            StructuredOutput::WithoutTools | StructuredOutput::No => Way::Words,
        };
        Ok(Self {
            schema: schema.clone(),
            way,
            reader,
            retried: false,
            beside: None,
        })
    }

    /// The tool that takes the answer, where that is the way.
    pub(super) fn tool(&self) -> Option<ToolDefinition> {
        let Way::Tool(name) = &self.way else {
            return None;
        };
        Some(ToolDefinition {
            name: name.parse().ok()?,
            description: "Takes the final answer. Call this once, at the end, instead of answering with text.".to_owned(),
            input_schema: self.tool_schema(),
        })
    }

    /// These tools with the one that takes the answer, where that is the way. Built again only
    /// where their number has changed: steps narrow a set, they do not exchange its tools.
    pub(super) fn beside(&mut self, tools: &Definitions) -> Option<Definitions> {
        let tool = self.tool()?;
        if let Some((count, known)) = &self.beside
            && *count == tools.len()
            && known
                .iter()
                .zip(tools.iter())
                .all(|(a, b)| a.name == b.name)
        {
            return Some(known.clone());
        }
        let list: Vec<ToolDefinition> = tools.iter().cloned().chain([tool]).collect();
        let definitions = Definitions::from(list);
        self.beside = Some((tools.len(), definitions.clone()));
        Some(definitions)
    }

    fn tool_schema(&self) -> Value {
        if self.is_object() {
            self.schema.schema.clone()
        } else {
            in_an_object(self.schema.schema.clone())
        }
    }

    fn is_object(&self) -> bool {
        self.schema.schema.get("type").and_then(Value::as_str) == Some("object")
    }

    /// The way with a model that can do this: a step may ask another one than the run.
    pub(super) fn way_with(&self, can: &Capabilities, tools: &[ToolDefinition]) -> Way {
        let has_tools = can.tools && !tools.is_empty();
        match &self.way {
            Way::Native => match can.structured_output {
                StructuredOutput::WithTools => Way::Native,
                StructuredOutput::WithoutTools if !has_tools => Way::Native,
                StructuredOutput::WithoutTools | StructuredOutput::No => Way::Words,
            },
            Way::Tool(name) if can.tools => Way::Tool(name.clone()),
            Way::Tool(_) | Way::Words => Way::Words,
        }
    }

    /// What is added to the instructions where this is the way.
    pub(super) fn words(&self, way: &Way) -> Option<String> {
        match way {
            Way::Native => None,
            Way::Tool(name) => Some(format!(
                "Give your final answer by calling the tool `{name}`."
            )),
            Way::Words => Some(format!(
                "Answer with JSON alone, without any other text, that fits this JSON Schema:\n{}",
                self.schema.schema
            )),
        }
    }

    /// Reads an answer that came as text, also inside a Markdown fence.
    pub(super) fn read_text(&self, text: &str) -> Result<Value, Vec<Problem>> {
        let value = serde_json::from_str(text.trim())
            .or_else(|first| fenced(text).map_or(Err(first), serde_json::from_str))
            .map_err(|error| {
                vec![Problem {
                    pointer: String::new(),
                    message: format!("not valid JSON: {error}"),
                }]
            })?;
        self.check(value)
    }

    /// Reads an answer that came as a tool's arguments.
    pub(super) fn read_arguments(&self, arguments: &str) -> Result<Value, Vec<Problem>> {
        let mut read = crate::read::parse(arguments).map_err(|error| error.problems)?;
        if self.is_object() {
            return self.check(read.value.into());
        }
        match read.value.remove("value") {
            Some(value) => self.check(value),
            None => Err(vec![Problem {
                pointer: String::new(),
                message: "`value` is required and missing: it is the answer".to_owned(),
            }]),
        }
    }

    fn check(&self, value: Value) -> Result<Value, Vec<Problem>> {
        self.reader.check(&value).map_err(|error| error.problems)?;
        Ok(value)
    }
}

/// The arguments of a tool are an object; an answer that is none stands in one. What it refers to
/// in itself is found where it stands now.
fn in_an_object(mut schema: Value) -> Value {
    let mut whole = json!({
        "type": "object",
        "properties": {"value": null},
        "required": ["value"],
        "additionalProperties": false,
    });
    // What has an address of its own refers to that.
    if schema.get("$id").is_none() {
        each_mut(&mut schema, &mut |object| {
            let Some(Value::String(to)) = object.get_mut("$ref") else {
                return;
            };
            let is_kept = DEFINITIONS.iter().any(|(_, prefix)| to.starts_with(prefix));
            if let (false, Some(inside)) = (is_kept, to.strip_prefix('#')) {
                *to = format!("#/properties/value{inside}");
            }
        });
        for (keyword, _) in DEFINITIONS {
            let moved = schema
                .as_object_mut()
                .and_then(|it| it.shift_remove(keyword));
            if let (Some(moved), Some(whole)) = (moved, whole.as_object_mut()) {
                whole.insert(keyword.to_owned(), moved);
            }
        }
    }
    if let Some(value) = whole.pointer_mut("/properties/value") {
        *value = schema;
    }
    whole
}

/// Where a schema keeps what it refers to, and how such a reference begins.
const DEFINITIONS: [(&str, &str); 2] = [("$defs", "#/$defs/"), ("definitions", "#/definitions/")];

/// What the model is told whose answer does not fit.
pub(super) fn complaint(problems: &[Problem]) -> String {
    let list: String = problems
        .iter()
        .map(|problem| format!("\n- {problem}"))
        .collect();
    format!("That answer has not the shape that was asked for. Give it again, corrected.{list}")
}

/// What stands between the first pair of Markdown fences.
fn fenced(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("```")?;
    let (_, rest) = rest.split_once('\n')?;
    let (inside, _) = rest.split_once("```")?;
    Some(inside.trim())
}

fn free_name(tools: &[ToolDefinition]) -> String {
    let is_taken = |name: &str| tools.iter().any(|tool| tool.name.as_str() == name);
    let mut name = "final_answer".to_owned();
    while is_taken(&name) {
        name.push('_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::fenced;

    #[test]
    fn the_first_fence_is_read() {
        assert_eq!(
            fenced("Here:\n```json\n{\"a\":1}\n```\nDone."),
            Some("{\"a\":1}")
        );
        assert_eq!(fenced("```\n[]\n```"), Some("[]"));
        assert_eq!(fenced("no fence"), None);
        assert_eq!(fenced("```json\nnever closed"), None);
    }
}
