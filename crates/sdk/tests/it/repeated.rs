//! A model that asks for the same again and again.

use toolcrib::model::ToolChoice;
use toolcrib::testing::{Scripted, ScriptedModel};
use toolcrib::{Client, Warning};

use crate::scripted::{calls, echo, heard, run, tools};

#[tokio::test]
async fn it_is_warned_at_three_and_then_answers_without_tools() {
    let mut script: Vec<Scripted> = (0..4).map(|_| echo("again")).collect();
    script.push(Scripted::says("I have what I need."));
    let model = ScriptedModel::new(script);
    let result = run(&Client::new(), &model, &tools(), 20).await.unwrap();
    assert_eq!(result.output(), "I have what I need.");
    assert_eq!(result.warnings(), [Warning::RepeatedCall]);
    let heard = heard(result.messages());
    assert_eq!(heard[1].0, "again");
    assert!(heard[2].0.starts_with("again\n") && heard[2].0.contains("three times in a row"));
    assert!(heard[3].0.starts_with("Not started"));
    let last = model.requests().pop().unwrap();
    assert_eq!(last.tool_choice, ToolChoice::None);
    assert_eq!(
        last.tools.len(),
        1,
        "in sight, since the transcript speaks of it"
    );
}

#[tokio::test]
async fn one_that_still_asks_is_ended() {
    let model = ScriptedModel::new((0..9).map(|_| echo("again")));
    let result = run(&Client::new(), &model, &tools(), 20).await.unwrap();
    assert_eq!(result.step_count(), 5);
    assert_eq!(result.output(), "");
    assert!(result.has_tool_calls() && !result.stopped_at_step_limit());
    assert_eq!(result.warnings(), [Warning::RepeatedCall]);
}

#[tokio::test]
async fn other_arguments_are_another_call_and_the_limit_can_be_set() {
    let mut script: Vec<Scripted> = (0..8).map(|at| echo(&format!("{at}"))).collect();
    script.push(Scripted::says("done"));
    let model = ScriptedModel::new(script);
    let result = run(&Client::new(), &model, &tools(), 20).await.unwrap();
    assert!(result.warnings().is_empty());
    let same = |spaces: usize| {
        let arguments = format!("{{\"message\":{}\"x\"}}", " ".repeat(spaces));
        calls(&[("echo", &arguments)])
    };
    let mut script: Vec<Scripted> = (0..6).map(same).collect();
    script.push(Scripted::says("done"));
    let endless = Client::new().repeat_limit(0);
    let result = run(&endless, &ScriptedModel::new(script.clone()), &tools(), 20)
        .await
        .unwrap();
    assert_eq!(result.step_count(), 7);
    let result = run(&Client::new(), &ScriptedModel::new(script), &tools(), 20)
        .await
        .unwrap();
    assert_eq!(
        result.warnings(),
        [Warning::RepeatedCall],
        "spacing makes no difference"
    );
}

#[tokio::test]
async fn the_warning_speaks_of_the_limit_that_holds() {
    for (limit, words) in [
        (0, None),
        (1, None),
        (2, Some("twice in a row")),
        (5, Some("5 times")),
    ] {
        let mut script: Vec<Scripted> = (0..8).map(|_| echo("again")).collect();
        script.push(Scripted::says("done"));
        let client = Client::new().repeat_limit(limit);
        let result = run(&client, &ScriptedModel::new(script), &tools(), 20)
            .await
            .unwrap();
        let warned: Vec<String> = heard(result.messages())
            .into_iter()
            .map(|(text, _)| text)
            .filter(|text| text.contains("You have now made"))
            .collect();
        assert_eq!(
            warned.len(),
            usize::from(words.is_some()),
            "{limit}: {warned:?}"
        );
        assert!(
            warned.iter().all(|text| text.contains(words.unwrap())),
            "{warned:?}"
        );
        let ran = heard(result.messages())
            .iter()
            .filter(|(text, _)| text.starts_with("again"))
            .count();
        assert_eq!(ran, if limit == 0 { 8 } else { limit });
    }
}
