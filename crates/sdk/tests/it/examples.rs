//! Each example runs, with the scripted model, to the answer that it is there to show.

use toolcrib::model::SharedModel;
use toolcrib::testing::ScriptedModel;

macro_rules! examples {
    ($($name:ident in $path:literal),* $(,)?) => {$(
        #[path = $path]
        #[expect(dead_code, reason = "an example has a main function of its own")]
        mod $name;
    )*};
}

examples!(
    typed_tool in "../../examples/typed_tool.rs",
    attribute in "../../examples/attribute.rs",
    handler_pack in "../../examples/handler_pack.rs",
    named_executor in "../../examples/named_executor.rs",
    definition_object in "../../examples/definition_object.rs",
    mixed in "../../examples/mixed.rs",
    manual_continue in "../../examples/manual_continue.rs",
    structured_output in "../../examples/structured_output.rs",
    streaming in "../../examples/streaming.rs",
    approvals in "../../examples/approvals.rs",
);

/// Runs an example; answers with what it shows, once its whole script was used.
macro_rules! run {
    ($name:ident) => {{
        let model = ScriptedModel::new($name::script());
        let shown = $name::run(&SharedModel::new(model.clone())).await.unwrap();
        assert_eq!(model.acts_left(), 0);
        (shown, model)
    }};
}

#[tokio::test]
async fn typed_tool_shows_its_answer() {
    let (shown, model) = run!(typed_tool);
    assert_eq!(shown, "The echo tool returned: ping");
    assert_eq!(results(&model), ["ping"]);
}

#[tokio::test]
async fn attribute_shows_its_answer() {
    let (shown, model) = run!(attribute);
    assert_eq!(shown, "2 plus 3 is 5.");
    assert_eq!(results(&model), ["5.0"]);
}

#[tokio::test]
async fn handler_pack_shows_its_answer() {
    let (shown, model) = run!(handler_pack);
    assert_eq!(shown, "It is 20.");
    assert_eq!(results(&model), ["5.0", "20.0"]);
}

#[tokio::test]
async fn named_executor_shows_its_answer() {
    let (shown, model) = run!(named_executor);
    assert_eq!(shown, "It said ping.");
    assert_eq!(results(&model), ["ping"]);
}

#[tokio::test]
async fn definition_object_shows_its_answer() {
    let (shown, model) = run!(definition_object);
    assert_eq!(shown, "It said ping.");
    assert_eq!(results(&model), ["ping"]);
}

#[tokio::test]
async fn mixed_shows_its_answer() {
    let (shown, model) = run!(mixed);
    assert_eq!(shown, "They cost 7.");
    assert_eq!(results(&model), ["3", "4", "7"]);
}

#[tokio::test]
async fn manual_continue_shows_its_answer() {
    let (shown, model) = run!(manual_continue);
    assert_eq!(shown, "It said ping.");
    assert_eq!(results(&model), ["ping"]);
}

#[tokio::test]
async fn structured_output_shows_its_answer() {
    let (shown, model) = run!(structured_output);
    assert_eq!(shown, "Ulm: 3 degrees");
    assert_eq!(results(&model), ["3"]);
}

#[tokio::test]
async fn streaming_shows_its_answer() {
    let (shown, model) = run!(streaming);
    assert_eq!(
        shown,
        "[step 0] [echo succeeded: ping] [step 1] It said ping."
    );
    assert_eq!(results(&model), ["ping"]);
}

#[tokio::test]
async fn approvals_shows_its_answer() {
    let (shown, model) = run!(approvals);
    assert_eq!(shown, "Order 7 is deleted; order 8 is still needed.");
    assert_eq!(
        results(&model),
        [
            "Order 7 is gone.",
            "Rejected by the user. Reason: Order 8 is still needed."
        ]
    );
}

/// What the tools answered, as the model read it last.
fn results(model: &ScriptedModel) -> Vec<String> {
    let last = model.requests().pop().unwrap();
    crate::scripted::heard(&last.messages)
        .into_iter()
        .map(|(text, _)| text)
        .collect()
}
