//! Final answers of a certain shape.

use serde_json::json;
use toolcrib::message::{AssistantMessage, AssistantPart, check_pairs};
use toolcrib::model::{Capabilities, ModelRequest, SharedModel, StructuredOutput, ToolChoice};
use toolcrib::testing::{Scripted, ScriptedModel};
use toolcrib::{
    Client, GenerateError, GenerateErrorKind, GenerateResult, Request, ToolSet, Warning,
};

use crate::scripted::{calls, echo, heard, tools};

#[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
struct Weather {
    city: String,
    degrees: i32,
}

fn can(structured_output: StructuredOutput) -> Capabilities {
    Capabilities {
        structured_output,
        ..Capabilities::default()
    }
}

async fn ask(
    model: &ScriptedModel,
    tools: &ToolSet,
    max_steps: usize,
) -> Result<GenerateResult, GenerateError> {
    let request = Request::from_prompt("How is it?").with_output_of::<Weather>();
    let outcome = Client::new()
        .generate(&SharedModel::new(model.clone()), request, tools, max_steps)
        .await;
    let result = match &outcome {
        Ok(result) => result,
        Err(error) => error.partial(),
    };
    check_pairs(result.messages()).unwrap();
    outcome
}

const GOOD: &str = "{\"city\":\"Ulm\",\"degrees\":7}";

#[tokio::test]
async fn the_provider_holds_the_model_to_it_where_it_can() {
    let model = ScriptedModel::new([echo("ping"), Scripted::says(GOOD)])
        .with_capabilities(can(StructuredOutput::WithTools));
    let result = ask(&model, &tools(), 5).await.unwrap();
    assert_eq!(result.output(), GOOD);
    assert_eq!(result.output_json().unwrap()["degrees"], 7);
    let request = &model.requests()[0];
    assert_eq!(request.output.as_ref().unwrap().name, "Weather");
    assert_eq!(request.tools.len(), 1);
    let model = ScriptedModel::new([Scripted::says(GOOD)])
        .with_capabilities(can(StructuredOutput::WithoutTools));
    ask(&model, &ToolSet::new(), 5).await.unwrap();
    assert!(model.requests()[0].output.is_some());
}

#[tokio::test]
async fn else_a_tool_takes_the_answer() {
    for way in [StructuredOutput::No, StructuredOutput::WithoutTools] {
        let model = ScriptedModel::new([
            echo("ping"),
            calls(&[("echo", "{\"message\":\"unused\"}"), ("final_answer", GOOD)]),
        ])
        .with_capabilities(can(way));
        let result = ask(&model, &tools(), 5).await.unwrap();
        assert_eq!(result.output(), GOOD);
        assert_eq!(
            result.tool_calls().len(),
            1,
            "the answer is no call of yours"
        );
        let requests = model.requests();
        assert!(requests[0].output.is_none());
        assert_eq!(requests[0].tools.len(), 2);
        assert_eq!(requests[1].tool_choice, ToolChoice::Required);
        assert!(requests[0].system.contains("`final_answer`"));
        let heard = heard(result.messages());
        assert_eq!(heard.len(), 3);
        assert!(
            heard[1].0.contains("Not started"),
            "what came beside it is not run"
        );
    }
}

#[tokio::test]
async fn a_model_without_tools_is_told_in_words() {
    let words = Capabilities {
        tools: false,
        ..Capabilities::default()
    };
    let model = ScriptedModel::new([Scripted::says(format!("Sure:\n```json\n{GOOD}\n```\n"))])
        .with_capabilities(words);
    let result = ask(&model, &ToolSet::new(), 5).await.unwrap();
    assert_eq!(result.output(), GOOD, "read out of its fence");
    let request: &ModelRequest = &model.requests()[0];
    assert!(request.system.contains("JSON Schema") && request.system.contains("degrees"));
}

#[tokio::test]
async fn only_the_final_answer_is_validated() {
    let mut first = AssistantMessage::says("Let me look.");
    let call = toolcrib::message::ToolCall::new("echo", "{\"message\":\"ping\"}");
    first.parts.push(AssistantPart::ToolCall(call));
    let model = ScriptedModel::new([Scripted::answers(first), Scripted::says(GOOD)])
        .with_capabilities(can(StructuredOutput::WithTools));
    let result = ask(&model, &tools(), 5).await.unwrap();
    assert!(result.warnings().is_empty());
}

#[tokio::test]
async fn what_does_not_fit_is_asked_for_once_more() {
    let wrong = "{\"city\":\"Ulm\",\"degrees\":\"warm\"}";
    let native = ScriptedModel::new([Scripted::says(wrong), Scripted::says(GOOD)])
        .with_capabilities(can(StructuredOutput::WithTools));
    let result = ask(&native, &tools(), 5).await.unwrap();
    assert_eq!(result.warnings(), [Warning::OutputRetried]);
    assert_eq!(result.step_count(), 2);
    let by_tool = ScriptedModel::new([
        calls(&[("final_answer", wrong)]),
        calls(&[("final_answer", GOOD)]),
    ]);
    let result = ask(&by_tool, &tools(), 5).await.unwrap();
    assert_eq!(result.output(), GOOD);
    assert!(
        heard(result.messages())[0]
            .0
            .contains("/degrees: expected integer")
    );
}

#[tokio::test]
async fn what_does_not_fit_again_is_an_error_with_the_text() {
    let script = || {
        ScriptedModel::new([Scripted::says("warm"), Scripted::says("very warm")])
            .with_capabilities(can(StructuredOutput::WithTools))
    };
    for (max_steps, last) in [(5, "very warm"), (1, "warm")] {
        let error = ask(&script(), &tools(), max_steps).await.unwrap_err();
        let GenerateErrorKind::Output { text, problems } = error.kind() else {
            panic!("{error}");
        };
        assert_eq!(text, last);
        assert!(problems[0].message.contains("not valid JSON"));
        assert!(error.to_string().contains("shape"));
    }
}

#[tokio::test]
async fn a_refusal_is_no_wrong_answer() {
    let refusal = AssistantMessage {
        parts: vec![AssistantPart::Refusal {
            text: "I won't.".to_owned(),
        }],
    };
    let model = ScriptedModel::new([Scripted::answers(refusal.clone())])
        .with_capabilities(can(StructuredOutput::WithTools));
    let error = ask(&model, &tools(), 5).await.unwrap_err();
    assert!(matches!(error.kind(), GenerateErrorKind::Refused { text } if text == "I won't."));
    let model = ScriptedModel::new([Scripted::answers(refusal)]);
    let result = Client::new()
        .generate(
            &SharedModel::new(model),
            Request::from_prompt("Go"),
            &tools(),
            5,
        )
        .await
        .unwrap();
    assert_eq!(result.output(), "I won't.", "to a reader it is an answer");
    assert_eq!(result.refusal(), Some("I won't."));
}

#[tokio::test]
async fn a_bound_type_is_read_from_the_final_answer() {
    let model = ScriptedModel::new([echo("ping"), Scripted::says(GOOD)])
        .with_capabilities(can(StructuredOutput::WithTools));
    let typed = Client::new()
        .generate_as::<Weather>(
            &SharedModel::new(model),
            Request::from_prompt("?"),
            &tools(),
            5,
        )
        .await
        .unwrap();
    let expected = Weather {
        city: "Ulm".into(),
        degrees: 7,
    };
    assert_eq!(typed.value, expected);
    assert_eq!(typed.result.step_count(), 2);
}

#[tokio::test]
async fn an_answer_that_is_no_object_stands_in_one_where_a_tool_takes_it() {
    let model = ScriptedModel::new([calls(&[("final_answer", "{\"value\":[1,2]}")])]);
    let schema = json!({"type": "array", "items": {"type": "integer"}});
    let request = Request::from_prompt("Count").with_output("numbers", schema);
    let result = Client::new()
        .generate(&SharedModel::new(model), request, &tools(), 5)
        .await
        .unwrap();
    assert_eq!(result.output(), "[1,2]");
}

#[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
struct Branch {
    name: String,
    children: Vec<Self>,
}

#[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    /// It holds.
    Holds,
    /// It does not.
    Fails,
}

#[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Found {
    Tree { root: Branch },
    Nothing,
}

async fn answered<T: serde::de::DeserializeOwned + schemars::JsonSchema>(
    way: StructuredOutput,
    answer: &serde_json::Value,
) -> (T, ModelRequest) {
    let script = match way {
        StructuredOutput::WithTools => Scripted::says(answer.to_string()),
        _ => calls(&[("final_answer", &answer.to_string())]),
    };
    let model = ScriptedModel::new([script]).with_capabilities(can(way));
    let typed = Client::new()
        .generate_as::<T>(
            &SharedModel::new(model.clone()),
            Request::from_prompt("?"),
            &tools(),
            1,
        )
        .await
        .unwrap();
    (typed.value, model.requests().remove(0))
}

#[tokio::test]
async fn an_answer_of_any_type_can_be_given() {
    let leaf = || json!({"name": "leaf", "children": []});
    let branch = || Branch {
        name: "leaf".to_owned(),
        children: Vec::new(),
    };
    let native = StructuredOutput::WithTools;
    let (verdict, _) = answered::<Verdict>(native, &json!("holds")).await;
    assert_eq!(verdict, Verdict::Holds);
    let (none, _) = answered::<Option<Branch>>(native, &json!(null)).await;
    assert_eq!(none, None);
    let (list, _) = answered::<Vec<Branch>>(native, &json!([leaf()])).await;
    assert_eq!(list, [branch()]);
    let by_tool = StructuredOutput::No;
    let (verdict, _) = answered::<Verdict>(by_tool, &json!({"value": "fails"})).await;
    assert_eq!(verdict, Verdict::Fails);
    let found = json!({"value": {"kind": "tree", "root": leaf()}});
    let (found, _) = answered::<Found>(by_tool, &found).await;
    assert_eq!(found, Found::Tree { root: branch() });
    let (tree, _) = answered::<Branch>(by_tool, &leaf()).await;
    assert_eq!(tree, branch());
}

#[tokio::test]
async fn what_an_answer_refers_to_stands_where_it_is_looked_for() {
    let answer = json!({"value": [{"name": "leaf", "children": []}]});
    let (_, request) = answered::<Vec<Branch>>(StructuredOutput::No, &answer).await;
    let tool = request
        .tools
        .iter()
        .find(|tool| tool.name.as_str() == "final_answer");
    let reader = toolcrib::read::Reader::new(&tool.unwrap().input_schema).unwrap();
    reader.check(&answer).unwrap();
    let wrong = json!({"value": [{"name": 7, "children": []}]});
    assert!(
        reader.check(&wrong).is_err(),
        "{:?}",
        tool.unwrap().input_schema
    );
    let own = json!({"type": "array", "items": {"$ref": "#"}});
    let model = ScriptedModel::new([calls(&[("final_answer", "{\"value\":[[[]]]}")])]);
    let request = Request::from_prompt("?").with_output("nest", own);
    let shared = SharedModel::new(model.clone());
    let result = Client::new()
        .generate(&shared, request, &tools(), 1)
        .await
        .unwrap();
    assert_eq!(result.output(), "[[[]]]");
    let sent = model.requests().remove(0).tools;
    let reader = toolcrib::read::Reader::new(&sent.last().unwrap().input_schema).unwrap();
    reader.check(&json!({"value": [[]]})).unwrap();
    assert!(reader.check(&json!({"value": [7]})).is_err());
}

#[tokio::test]
async fn arguments_without_the_answer_are_told_what_is_missing() {
    let model = ScriptedModel::new([calls(&[("final_answer", "{\"wrong\":1}")])]);
    let request = Request::from_prompt("?").with_output("list", json!({"type": "array"}));
    let error = Client::new()
        .generate(&SharedModel::new(model), request, &tools(), 1)
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("`value` is required and missing"),
        "{error}"
    );
}

#[tokio::test]
async fn after_too_many_repeats_only_the_answer_may_be_given() {
    for tool_choice in [true, false] {
        let mut script: Vec<Scripted> = (0..4).map(|_| echo("again")).collect();
        script.push(calls(&[("final_answer", GOOD)]));
        let model = ScriptedModel::new(script).with_capabilities(Capabilities {
            tool_choice,
            ..Capabilities::default()
        });
        let result = ask(&model, &tools(), 9).await.unwrap();
        assert_eq!(result.output(), GOOD);
        let last = model.requests().pop().unwrap();
        let names: Vec<&str> = last.tools.iter().map(|tool| tool.name.as_str()).collect();
        if tool_choice {
            assert_eq!(names, ["echo", "final_answer"]);
            assert_eq!(
                last.tool_choice,
                ToolChoice::Tool("final_answer".to_owned())
            );
        } else {
            assert_eq!(names, ["final_answer"]);
            assert_eq!(last.tool_choice, ToolChoice::Auto);
        }
    }
}

#[tokio::test]
async fn the_final_answer_given_twice_counts_once() {
    let other = "{\"city\":\"Bonn\",\"degrees\":1}";
    let model = ScriptedModel::new([calls(&[("final_answer", GOOD), ("final_answer", other)])]);
    let result = ask(&model, &tools(), 5).await.unwrap();
    assert_eq!(result.output(), GOOD);
    let heard = heard(result.messages());
    assert_eq!(heard[0], ("Accepted.".to_owned(), false));
    assert!(heard[1].0.contains("Not started"));
}

#[tokio::test]
async fn another_model_in_one_step_is_asked_as_it_can_be() {
    let tools_alone = can(StructuredOutput::No);
    let words_alone = Capabilities {
        tools: false,
        ..Capabilities::default()
    };
    for (own, other) in [
        (can(StructuredOutput::WithTools), words_alone.clone()),
        (can(StructuredOutput::WithTools), tools_alone.clone()),
        (tools_alone, words_alone),
    ] {
        let own = ScriptedModel::new([]).with_capabilities(own);
        let other = ScriptedModel::new([Scripted::says(GOOD)]).with_capabilities(other);
        let shared = SharedModel::new(other.clone());
        let request = Request::from_prompt("?").with_output_of::<Weather>();
        let result = Client::new()
            .prepare_step(move |plan| plan.model = shared.clone())
            .generate(&SharedModel::new(own), request, &tools(), 3)
            .await
            .unwrap();
        assert_eq!(result.output(), GOOD);
        let asked = other.requests().remove(0);
        assert_eq!(asked.output, None, "it can't be held to it");
        assert!(asked.system.contains("JSON Schema") && asked.system.contains("degrees"));
    }
}
