//! What each provider is sent, and the way back from what it writes.

mod file;
mod hostile;
mod invariants;
mod properties;
mod references;
mod roots;
mod rules;
mod sample;
mod schemas;

use serde_json::Value;
use toolcrib::dialect::{Dialect, Translated};

const ALL: [Dialect; 4] = [
    Dialect::OpenAi,
    Dialect::Compatible,
    Dialect::Anthropic,
    Dialect::Gemini,
];

/// Translates, and checks that the provider takes the result.
#[track_caller]
fn translate(dialect: Dialect, schema: &Value) -> Translated {
    let translated = dialect.translate(schema);
    let checked = invariants::check(dialect, &translated);
    assert!(
        checked.is_ok(),
        "{dialect:?}: {checked:?}\nfrom {schema:#}\nsent {:#}",
        translated.schema()
    );
    translated
}

/// The one property `a` of an object, as it is sent.
#[track_caller]
fn property(dialect: Dialect, schema: &Value) -> Value {
    let whole = serde_json::json!({
        "type": "object", "properties": { "a": schema }, "required": ["a"],
    });
    translate(dialect, &whole).schema()["properties"]["a"].clone()
}
