//! What holds for every schema, over schemas that nobody wrote.

use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::Value;
use toolcrib::dialect::{Dialect, Translated};

use super::sample::{Dice, sample};
use super::schemas::{Kind, objects, unions};
use super::{ALL, invariants};

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 256,
        failure_persistence: None,
        max_shrink_iters: 2_000,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn arguments_survive_the_way_there_and_back(schema in objects(Kind::Full), seed: u64) {
        round_trip(&schema, seed)?;
    }

    #[test]
    fn arguments_of_a_plain_schema_survive_too(schema in objects(Kind::Plain), seed: u64) {
        round_trip(&schema, seed)?;
    }

    #[test]
    fn a_root_that_is_no_object_is_made_one(schema in unions(), seed: u64) {
        round_trip(&schema, seed)?;
    }

    #[test]
    fn what_strict_sampling_writes_is_valid_for_the_author(
        schema in objects(Kind::Plain),
        seed: u64,
    ) {
        let original = jsonschema::validator_for(&schema).unwrap();
        for dialect in [Dialect::OpenAi, Dialect::Anthropic] {
            let translated = dialect.translate(&schema);
            // What the provider does not take as a keyword it can't be held to.
            let is_told = dialect == Dialect::Anthropic && schema.to_string().contains("minimum");
            if translated.is_strict() && !is_told {
                written_is_valid(&schema, &original, &translated, seed)?;
            }
        }
    }

    #[test]
    fn an_answer_of_any_shape_survives(schema in unions(), seed: u64) {
        let original = jsonschema::validator_for(&schema).ok();
        for dialect in ALL {
            let translated = dialect.translate_output(&schema);
            let checked = invariants::check(dialect, &translated);
            prop_assert!(checked.is_ok(), "{checked:?} {:#}", translated.schema());
            if let Some(original) = &original {
                values_there_and_back(&schema, original, &translated, seed, |_| true)?;
            }
        }
    }

    #[test]
    fn translation_is_the_same_every_time(schema in objects(Kind::Full)) {
        for dialect in ALL {
            let (one, other) = (dialect.translate(&schema), dialect.translate(&schema));
            prop_assert_eq!(one.schema().to_string(), other.schema().to_string());
        }
    }

    #[test]
    fn arguments_that_fit_nothing_are_left_for_the_author(
        schema in objects(Kind::Full),
        other in objects(Kind::Full),
    ) {
        for dialect in ALL {
            let translated = dialect.translate(&schema);
            let _ = translated.back(other.clone());
            let _ = translated.forward(other.clone());
            prop_assert_eq!(translated.back(Value::from(7)), Value::from(7));
        }
    }
}

fn round_trip(schema: &Value, seed: u64) -> Result<(), TestCaseError> {
    let original = jsonschema::validator_for(schema).ok();
    for dialect in ALL {
        let translated = dialect.translate(schema);
        let checked = invariants::check(dialect, &translated);
        prop_assert!(
            checked.is_ok(),
            "{dialect:?} {checked:?} {:#}",
            translated.schema()
        );
        if let Some(original) = &original {
            there_and_back(schema, original, &translated, seed)?;
        }
    }
    Ok(())
}

/// Checks a few objects that a schema takes on their way there and back.
pub(crate) fn there_and_back(
    schema: &Value,
    original: &Validator,
    translated: &Translated,
    seed: u64,
) -> Result<usize, TestCaseError> {
    values_there_and_back(schema, original, translated, seed, Value::is_object)
}

fn values_there_and_back(
    schema: &Value,
    original: &Validator,
    translated: &Translated,
    seed: u64,
    counts: fn(&Value) -> bool,
) -> Result<usize, TestCaseError> {
    let sent = jsonschema::validator_for(translated.schema());
    prop_assert!(sent.is_ok(), "{sent:?}: {:#}", translated.schema());
    let sent = sent.unwrap();
    let text = schema.to_string();
    let has_union = text.contains("anyOf") || text.contains("oneOf");
    let mut checked = 0;
    for step in 0..6 {
        let Some(value) = sample(schema, &mut Dice(seed.wrapping_add(step))) else {
            continue;
        };
        if !counts(&value) || !original.is_valid(&value) {
            continue;
        }
        let written = translated.forward(value.clone());
        let error = sent
            .iter_errors(&written)
            .next()
            .map(|error| error.to_string());
        prop_assert!(
            error.is_none(),
            "{error:?}: {value} written as {written}, sent {:#}",
            translated.schema()
        );
        let back = translated.back(written.clone());
        let is_same = back == value || (has_union && original.is_valid(&back));
        prop_assert!(
            is_same,
            "{value} → {written} → {back}, sent {:#}",
            translated.schema()
        );
        if translated.is_identity() {
            prop_assert_eq!(&written, &value);
        }
        checked += 1;
    }
    Ok(checked)
}

fn written_is_valid(
    schema: &Value,
    original: &Validator,
    translated: &Translated,
    seed: u64,
) -> Result<(), TestCaseError> {
    let sent = jsonschema::validator_for(translated.schema()).unwrap();
    for step in 0..6 {
        let Some(written) = sample(translated.schema(), &mut Dice(seed.wrapping_add(step))) else {
            continue;
        };
        if !sent.is_valid(&written) {
            continue;
        }
        let back = translated.back(written.clone());
        let error = original
            .iter_errors(&back)
            .next()
            .map(|error| error.to_string());
        prop_assert!(
            error.is_none(),
            "{error:?}: {written} → {back} of {schema:#}"
        );
    }
    Ok(())
}
