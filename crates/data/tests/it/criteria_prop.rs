//! Filters against the interpreter.

use proptest::prelude::*;
use serde_json::json;

use crate::databases::On;
use crate::interpreter::{filter, runner, things, world};

on_each_prop!(filters_find_what_the_interpreter_finds);

fn filters_find_what_the_interpreter_finds(on: On) {
    let (runtime, world) = world(on);
    let user = world.access("u@x", &["r"]);
    let rows = things(&runtime, &world);
    assert_eq!(rows.len(), 80);
    let case = |filter: crate::interpreter::Filter| {
        let expected: Vec<i64> = rows
            .iter()
            .filter(|row| filter.holds(row) == Some(true))
            .map(|row| row["id"].as_i64().unwrap())
            .collect();
        let search =
            json!({ "model": "thing", "criteria": filter.json(), "fields": ["id"], "limit": 100 });
        prop_assert_eq!(
            runtime.block_on(world.ids(&user, search)),
            expected,
            "{}",
            filter.json()
        );
        Ok(())
    };
    runner(400).run(&filter(), case).unwrap();
}
