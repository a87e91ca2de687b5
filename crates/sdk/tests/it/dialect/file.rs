//! The same over a file of schemas that people wrote.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use serde_json::Value;

use super::properties::there_and_back;
use super::{ALL, translate};

/// JSON lines with an `input_schema` each.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/schemas.jsonl");

#[test]
#[ignore = "needs a file of tool schemas"]
fn every_schema_of_a_file_survives_translation() {
    assert!(
        Path::new(FILE).exists(),
        "put JSON lines with an `input_schema` each at {FILE}"
    );
    let text = std::fs::read_to_string(FILE).unwrap();
    let mut seen = HashSet::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let tool: Value = serde_json::from_str(line).unwrap();
        let schema = tool.get("input_schema").unwrap();
        *counts.entry("schemas".to_owned()).or_default() += 1;
        if !seen.insert(schema.to_string()) {
            continue;
        }
        *counts.entry("distinct".to_owned()).or_default() += 1;
        let original = jsonschema::validator_for(schema).ok();
        for dialect in ALL {
            let translated = translate(dialect, schema);
            if translated.is_strict() {
                *counts.entry(format!("{dialect:?} strict")).or_default() += 1;
            }
            if let Some(original) = &original {
                let checked = there_and_back(schema, original, &translated, number as u64);
                let checked = checked.unwrap_or_else(|problem| panic!("line {number}: {problem}"));
                *counts.entry(format!("{dialect:?} values")).or_default() += checked;
            }
        }
    }
    println!("{counts:#?}");
    assert!(counts["schemas"] > 0, "the file is empty");
}
