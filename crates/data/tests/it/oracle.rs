//! Random queries under random grants: the answer is that of a slow and obvious interpreter over
//! what the grants leave of the data.

pub(crate) mod ast;
pub(crate) mod eval;
pub(crate) mod generate;
pub(crate) mod queries;
pub(crate) mod rights;
pub(crate) mod rng;
pub(crate) mod value;
pub(crate) mod world;

use serde_json::json;

use self::eval::Eval;
use self::generate::Generate;
use self::rng::Rng;
use crate::databases::On;

/// To be raised by hand for a longer search.
const CASES: u64 = 2_500;
/// So many cases share their data and roles.
const PER_WORLD: u64 = 50;

on_each_prop!(queries_answer_what_the_interpreter_answers);

fn queries_answer_what_the_interpreter_answers(on: On) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let mut found = 0;
    for seed in 0..CASES / PER_WORLD {
        let (world, data) = runtime.block_on(world::filled(on, seed));
        for case in 0..PER_WORLD {
            let mut rng = Rng::new(seed * PER_WORLD + case + 1_000_000);
            let roles: Vec<_> = (0..3).map(|_| rights::role(&mut rng)).collect();
            let names = rng.pick(&[&["r0"][..], &["r1"], &["r2"], &["r0", "r2"]]);
            let held: Vec<&rights::Grant> = roles
                .iter()
                .enumerate()
                .filter(|(index, _)| names.contains(&format!("r{index}").as_str()))
                .flat_map(|(_, grants)| grants)
                .collect();
            let known = rights::known(&held);
            if known.is_empty() {
                continue;
            }
            let written: Vec<_> = roles
                .iter()
                .enumerate()
                .map(|(index, grants)| rights::json_of(&format!("r{index}"), grants))
                .collect();
            let user = world::user(&world, &written, names);
            let left = rights::view(&data, &held);
            let query = Generate::new(&mut rng, &known).query();
            let asked = query.whole_json();
            let expected = Eval { data: &left }.answer(&query);
            let answer = runtime.block_on(world.query(&user, asked.clone()));
            if let (On::Mysql, Err(error)) = (on, &answer)
                && error.to_string().contains("make no groups for each record")
            {
                // The one thing that this database does not do.
                continue;
            }
            let answer = answer.unwrap_or_else(|error| {
                panic!("{on:?} case {seed}/{case}: {error:?}\n{asked:#}\n{written:#?}")
            });
            for part in ["rows", "truncated"] {
                assert_eq!(
                    answer[part], expected[part],
                    "{on:?} case {seed}/{case}: {part} of {asked:#}\nas {names:?} of {written:?}"
                );
            }
            let summaries = answer.get("summaries").cloned().unwrap_or(json!({}));
            assert_eq!(
                summaries, expected["summaries"],
                "{on:?} case {seed}/{case}: {asked:#}\nas {names:?} of {written:?}"
            );
            found += u64::from(!answer["rows"].as_array().unwrap().is_empty());
        }
    }
    assert!(found * 2 > CASES, "too few cases find anything: {found}");
}
