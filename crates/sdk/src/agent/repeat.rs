use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::step::Step;
use crate::id::CallId;
use crate::message::ToolCall;

/// In how many steps in a row, up to the last one, the same tool was asked for with the same
/// arguments; 0 where the last step does not ask for it.
///
/// ```
/// use toolcrib::agent::repeats;
/// use toolcrib::agent::step::Step;
/// use toolcrib::message::{AssistantMessage, AssistantPart, ToolCall};
///
/// let call = ToolCall::new("status", r#"{"id":7}"#);
/// let step = Step::asked(AssistantMessage { parts: vec![AssistantPart::ToolCall(call.clone())] });
/// assert_eq!(repeats(&[step.clone(), step], &call), 2);
/// ```
#[must_use]
pub fn repeats(steps: &[Step], call: &ToolCall) -> usize {
    let wanted = meaning(call);
    steps
        .iter()
        .rev()
        .take_while(|step| asks_for_name(step, &call.name) && meanings(step).contains(&wanted))
        .count()
}

/// The calls of the last step that were asked for in at least `least` steps in a row. Each call of
/// a step is read once, since a step may hold thousands.
pub(super) fn repeated(steps: &[Step], least: usize) -> HashSet<CallId> {
    let Some((last, before)) = steps.split_last() else {
        return HashSet::new();
    };
    let mut alive: HashMap<Meaning<'_>, Vec<CallId>> = HashMap::new();
    let nearest = before.last();
    for call in last.answer.tool_calls() {
        // What was not asked for by name a step ago need not be read.
        if least <= 1 || nearest.is_some_and(|step| asks_for_name(step, &call.name)) {
            alive.entry(meaning(call)).or_default().push(call.id);
        }
    }
    for at in 1..least {
        let Some(step) = before.len().checked_sub(at).and_then(|at| before.get(at)) else {
            return HashSet::new();
        };
        if alive.is_empty() {
            break;
        }
        let asked = meanings(step);
        alive.retain(|meaning, _| asked.contains(meaning));
    }
    alive.into_values().flatten().collect()
}

fn asks_for_name(step: &Step, name: &str) -> bool {
    step.answer.tool_calls().any(|call| call.name == name)
}

/// The tool and what its arguments say, however they are spaced and ordered.
type Meaning<'a> = (&'a str, String);

fn meanings(step: &Step) -> HashSet<Meaning<'_>> {
    step.answer.tool_calls().map(meaning).collect()
}

fn meaning(call: &ToolCall) -> Meaning<'_> {
    let arguments = match serde_json::from_str::<Value>(&call.arguments) {
        Ok(mut value) => {
            value.sort_all_objects();
            value.to_string()
        }
        // What is not JSON is compared to the letter, and is like nothing that is.
        Err(_) => call.arguments.clone(),
    };
    (&call.name, arguments)
}
