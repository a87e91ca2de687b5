//! The list of promises names tests that exist, and each promise once.

use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn every_test_that_a_rule_names_exists_and_ids_are_unique() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let rules = std::fs::read_to_string(root.join("docs/rules.md")).unwrap();
    let mut ids = BTreeSet::new();
    let mut proven = 0;
    for line in rules.lines().filter(|line| {
        line.starts_with("| ") && line.chars().nth(2).is_some_and(|c| c.is_ascii_digit())
    }) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [id, promise, tests] = cells[..] else {
            panic!("a rule has three cells: {line}")
        };
        assert!(ids.insert(id), "{id} stands twice");
        assert!(!promise.is_empty(), "{id} promises nothing");
        if tests == "*open*" {
            continue;
        }
        for test in tests.split(',').map(|test| test.trim().trim_matches('`')) {
            let (file, name) = test
                .split_once("::")
                .unwrap_or_else(|| panic!("{id}: {test} is not file::test"));
            let text = std::fs::read_to_string(root.join(file))
                .unwrap_or_else(|_| panic!("{id}: there is no {file}"));
            let is_rust =
                text.contains(&format!("fn {name}(")) || text.contains(&format!("fn {name}<"));
            let is_script =
                text.contains(&format!("'{name}'")) || text.contains(&format!("\"{name}\""));
            assert!(is_rust || is_script, "{id}: {file} has no test {name}");
        }
        proven += 1;
    }
    assert!(ids.len() > 500, "the list is whole");
    assert!(proven > 100, "{proven} rules have tests");
}
