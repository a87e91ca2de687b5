use serde_json::Value;

use super::step::Step;
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
    steps
        .iter()
        .rev()
        .take_while(|step| step.answer.tool_calls().any(|other| is_same(other, call)))
        .count()
}

fn is_same(a: &ToolCall, b: &ToolCall) -> bool {
    if a.name != b.name {
        return false;
    }
    if a.arguments == b.arguments {
        return true;
    }
    let read = |call: &ToolCall| serde_json::from_str::<Value>(&call.arguments).ok();
    matches!((read(a), read(b)), (Some(a), Some(b)) if a == b)
}
