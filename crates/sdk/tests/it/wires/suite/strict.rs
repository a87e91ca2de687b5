//! What a provider needs otherwise than it is said, and how it comes back.

use serde_json::{Value, json};
use toolcrib::ToolSet;
use toolcrib::model::{Capabilities, ModelRequest, OutputSchema, ToolChoice};

use super::super::fake::Canned;
use super::super::said::{End, call, text};
use super::{Provider, ask_as, asking, capabilities, done, transcript, weather};

fn strict() -> Capabilities {
    Capabilities {
        strict: true,
        longest_tool_name: 40,
        ..capabilities()
    }
}

pub(super) async fn what_the_model_leaves_out_is_left_out<P: Provider>() {
    let written = if P::OPTIONAL_IS_NULL {
        "{\"city\":\"Ulm\",\"days\":null}"
    } else {
        "{\"city\":\"Ulm\"}"
    };
    let said = [call("call_a", "weather", written)];
    let stream = P::stream(&said, End::Done, true);
    let request = ModelRequest {
        tools: weather(),
        ..asking()
    };
    let outcome = ask_as::<P>(strict(), &request, [Canned::stream(&stream)]).await;
    let body = outcome.fake.asked();
    let tool = body.pointer("/tools/0").unwrap();
    let tool = tool.pointer("/functionDeclarations/0").unwrap_or(tool);
    assert_eq!(*tool, P::strict_tool());
    let answer = outcome.answer.unwrap();
    let call = answer.message.tool_calls().next().unwrap();
    assert_eq!(call.arguments, "{\"city\":\"Ulm\"}");
}

pub(super) async fn a_name_that_is_too_long_goes_out_shortened<P: Provider>() {
    let name = format!("read_{}", "x".repeat(59));
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let definition = ToolSet::tool_definition(&name, "Reads.", schema).unwrap();
    let mut request = ModelRequest {
        tools: vec![definition].into(),
        tool_choice: ToolChoice::Tool(name.clone()),
        ..asking()
    };
    let first = ask_as::<P>(strict(), &request, [done::<P>()]).await;
    let body = first.fake.asked();
    let alias = P::tool_names(&body).pop().unwrap();
    assert_eq!(alias.len(), 40);
    assert_eq!(*P::forced(&body), json!(alias));

    let stream = P::stream(&[call("call_a", &alias, "{\"a\":\"b\"}")], End::Done, true);
    let second = ask_as::<P>(strict(), &request, [Canned::stream(&stream)]).await;
    let answer = second.answer.unwrap();
    assert_eq!(answer.message.tool_calls().next().unwrap().name, name);
    second.told.check(&answer);

    request.messages = transcript(&answer, &[Ok("Read.")]);
    let third = ask_as::<P>(strict(), &request, [done::<P>()]).await;
    let body = third.fake.asked();
    assert!(!body.to_string().contains(&name), "{body}");
    let messages = body.pointer(P::MESSAGES).unwrap().to_string();
    assert!(messages.contains(&alias), "{messages}");
}

pub(super) async fn an_answer_may_have_a_shape<P: Provider>() {
    let verdict = json!({"type": "object", "properties": {"ok": {"type": "boolean"}},
        "required": ["ok"], "additionalProperties": false});
    let (answer, body) = shaped::<P>(&verdict, "{\"ok\":true}").await;
    assert_eq!(answer, "{\"ok\":true}");
    let (field, expected) = P::output(&verdict);
    assert_eq!(body[field], expected);
    // What is no object goes out inside one, and comes back without it.
    let list = json!({"type": "array", "items": {"type": "string"}});
    let (answer, body) = shaped::<P>(&list, "{\"value\":[\"a\",\"😀\"]}").await;
    assert_eq!(answer, "[\"a\",\"😀\"]");
    let wrapped = json!({"type": "object", "properties": {"value": list},
        "required": ["value"], "additionalProperties": false});
    assert_eq!(body[field], P::output(&wrapped).1);
}

async fn shaped<P: Provider>(schema: &Value, said: &str) -> (String, Value) {
    let request = ModelRequest {
        output: Some(OutputSchema {
            name: "verdict".to_owned(),
            schema: schema.clone(),
        }),
        ..asking()
    };
    let stream = P::stream(&[text(said)], End::Done, true);
    let outcome = ask_as::<P>(strict(), &request, [Canned::stream(&stream)]).await;
    let body = outcome.fake.asked();
    (outcome.answer.unwrap().message.text(), body)
}
