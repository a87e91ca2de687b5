//! What a role may not read shows in nothing that the role can get.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use toolcrib_data::records::{Access, Catalog, Grants, RecordError};

use crate::databases::On;
use crate::oracle::ast::Kind;
use crate::oracle::generate::Generate;
use crate::oracle::rights::Known;
use crate::oracle::rng::Rng;
use crate::oracle::world::{MODELS, fields, led_to, lists, pairs, target, value};
use crate::support::{World, files};

/// To be raised by hand for a longer search.
const CASES: u64 = 600;
const CANARIES: &[&str] = &["CANARY", "987654", "98765.4", "1999-09-09"];

/// A role by the fields that it reads of the records whose name begins with a text, or of all.
type Role = &'static [(&'static str, Option<&'static str>, &'static [&'static str])];

const ROLES: &[Role] = &[
    &[
        (
            "task",
            Some("a"),
            &["title", "points", "owner", "team", "helpers"],
        ),
        ("task", Some("b"), &["title", "cost", "due", "done"]),
        ("person", Some("a"), &["name", "age", "team", "tasks"]),
        ("team", None, &["name", "people"]),
    ],
    &[
        ("task", None, &["title", "owner", "helpers"]),
        ("task", Some("a"), &["title", "points", "cost"]),
        ("person", Some("b"), &["name", "pay", "joined", "tasks"]),
    ],
    &[
        ("person", Some("a"), &["name", "age"]),
        ("person", Some("b"), &["name", "pay", "team"]),
        ("team", Some("b"), &["name", "level", "people"]),
    ],
];

fn name_of(model: &str) -> &'static str {
    if model == "task" { "title" } else { "name" }
}

fn role_json(role: Role) -> Value {
    let grants = role.iter().map(|(model, begins, fields)| {
        let mut grant = json!({ "models": model, "operations": ["read"], "read_fields": fields });
        if let Some(begins) = begins {
            grant["where"] =
                json!({ "field": name_of(model), "operator": "startsWith", "value": begins });
        }
        grant
    });
    json!({ "role": "r", "grants": grants.collect::<Vec<_>>() })
}

fn with_role(world: &World, catalog: &Arc<Catalog>, role: Role) -> Access {
    let text = role_json(role).to_string();
    let grants = Grants::load(&files(&[("permissions/r.yaml", &text)]), catalog).unwrap();
    Access {
        grants: Arc::new(grants),
        catalog: Arc::clone(catalog),
        ..world.access("u@x", &["r"])
    }
}

fn may_read(role: Role, model: &str, name: &str, field: &str) -> bool {
    role.iter().any(|(granted, begins, fields)| {
        *granted == model
            && begins.is_none_or(|begins| name.starts_with(begins))
            && (field == "id" || fields.contains(&field))
    })
}

fn canary(kind: Kind) -> Value {
    match kind {
        Kind::Int => json!(987_654),
        Kind::Dec(2) => json!("98765.43"),
        Kind::Dec(_) => json!("98765.432"),
        Kind::Text => json!("zz CANARY"),
        Kind::Date => json!("1999-09-09"),
        Kind::Bool => json!(true),
        Kind::Rel(_) => json!(1),
    }
}

/// The same data in two worlds; in the second one, what the role may not read is something else,
/// and there are more records that it may not read.
async fn two_worlds(on: On, seed: u64, role: Role) -> (World, World) {
    let worlds = (World::on(on, MODELS).await, World::on(on, MODELS).await);
    let mut rng = Rng::new(seed);
    let mut shown: BTreeSet<(&str, u64)> = BTreeSet::new();
    for (model, count) in [("team", 5), ("person", 12), ("task", 24)] {
        let (mut plain, mut changed) = (Vec::new(), Vec::new());
        for index in 0..count {
            // What conditions are about stays: it says who may read what.
            let name = format!("{}{index}", rng.pick(&["a", "b", "c"]));
            let (mut one, mut other) = (json!({}), json!({}));
            for (field, kind) in fields(model).iter().skip(1) {
                let value = if rng.chance(15) {
                    Value::Null
                } else {
                    value(&mut rng, *kind)
                };
                let hidden = !may_read(role, model, &name, field);
                other[*field] = if hidden { canary(*kind) } else { value.clone() };
                one[*field] = value;
            }
            let known = role.iter().any(|(granted, begins, _)| {
                *granted == model && begins.is_none_or(|begins| name.starts_with(begins))
            });
            if known {
                shown.insert((model, index + 1));
            }
            let hidden_name = if known {
                name.clone()
            } else {
                format!("{name} CANARY")
            };
            for (field, of) in pairs(model) {
                let hidden = !may_read(role, model, &name, field);
                let list = led_to(index + 1, 12);
                // Of what it leads to, only what the role may read is the same.
                let mut changed: Vec<u64> = list.clone();
                changed.retain(|id| !hidden && shown.contains(&(*of, *id)));
                changed.extend((1..=12).filter(|id| hidden || !shown.contains(&(*of, *id))));
                one[*field] = json!(list);
                other[*field] = json!(changed);
            }
            one[name_of(model)] = json!(name);
            other[name_of(model)] = json!(hidden_name);
            plain.push(one);
            changed.push(other);
        }
        let all_hidden = !role
            .iter()
            .any(|(granted, begins, _)| *granted == model && begins.is_none());
        if all_hidden {
            for _ in 0..4 {
                let mut more = json!({});
                for (field, kind) in fields(model).iter().skip(1) {
                    more[*field] = canary(*kind);
                }
                changed.push(more);
            }
        }
        for (world, records) in [(&worlds.0, plain), (&worlds.1, changed)] {
            let all = world.access("all@x", &["all"]);
            world
                .create(&all, json!({ "model": model, "records": records }))
                .await;
        }
    }
    worlds
}

/// Everything, so that queries also name what the role may not read.
fn everything() -> Known {
    let models = ["team", "person", "task"];
    let all = |model: &'static str| {
        let names = fields(model).iter().map(|(name, _)| *name);
        names
            .chain(pairs(model).iter().map(|(name, _)| *name))
            .collect()
    };
    models
        .into_iter()
        .map(|model| (model, all(model)))
        .collect()
}

fn readable(role: Role) -> Known {
    let mut known = Known::new();
    for (model, _, names) in role {
        let stored = fields(model).iter().map(|(name, _)| *name);
        let stored = stored.chain(pairs(model).iter().map(|(name, _)| *name));
        let names = stored.filter(|name| *name == "id" || names.contains(name));
        known.entry(model).or_default().extend(names);
    }
    known
}

fn told(answer: Result<Value, RecordError>) -> String {
    match answer {
        Ok(answer) => answer.to_string(),
        Err(error) => error.to_string(),
    }
}

on_each_prop!(what_a_role_may_not_read_changes_no_answer);

fn what_a_role_may_not_read_changes_no_answer(on: On) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let mut answered = 0;
    for (index, role) in ROLES.iter().enumerate() {
        let seed = index as u64;
        let (one, other) = runtime.block_on(two_worlds(on, seed, role));
        let users = (
            with_role(&one, &one.catalog, role),
            with_role(&other, &other.catalog, role),
        );
        for case in 0..CASES {
            let mut rng = Rng::new(seed * 1_000_000 + case);
            let known = if rng.chance(70) {
                readable(role)
            } else {
                everything()
            };
            let query = Generate::new(&mut rng, &known).query().whole_json();
            let answer = runtime.block_on(one.query(&users.0, query.clone()));
            let again = runtime.block_on(other.query(&users.1, query.clone()));
            answered += u64::from(answer.is_ok());
            let (answer, again) = (told(answer), told(again));
            assert_eq!(answer, again, "role {index}, case {case}: {query:#}");
            for canary in CANARIES {
                assert!(
                    !again.contains(canary),
                    "role {index}, case {case}: {canary} in {again}"
                );
            }
        }
    }
    assert!(answered > CASES, "too few queries are answered: {answered}");
}

/// The models without the fields, and whole models, that the role may read nowhere.
fn without_unreadable(world: &World, role: Role) -> Arc<Catalog> {
    let known = readable(role);
    let mut list = Vec::new();
    for (path, text) in MODELS {
        let model = path.trim_start_matches("models/").trim_end_matches(".yaml");
        let Some(fields) = known.get(model) else {
            continue;
        };
        let mut names: BTreeSet<&str> = fields.iter().copied().collect();
        let listed = role.iter().filter(|(granted, ..)| *granted == model);
        names.extend(listed.flat_map(|(_, _, fields)| *fields));
        let lines = text.lines().filter(|line| {
            let field = line
                .strip_prefix("  ")
                .and_then(|rest| rest.split(':').next());
            field.is_none_or(|field| names.contains(field))
        });
        list.push((*path, lines.collect::<Vec<_>>().join("\n")));
    }
    let list: Vec<(&str, &str)> = list
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    Arc::new(world.catalog_of(&list))
}

on_each_prop!(what_a_role_may_not_read_is_as_if_it_did_not_exist);

fn what_a_role_may_not_read_is_as_if_it_did_not_exist(on: On) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let mut refused = 0;
    for (index, role) in ROLES.iter().enumerate() {
        // Relations lead only to models that the role knows, here.
        for (model, known) in &readable(role) {
            let targets = known.iter().filter_map(|field| target(model, field));
            if targets
                .into_iter()
                .any(|target| !readable(role).contains_key(target))
            {
                panic!("role {index} knows a relation to an unknown model");
            }
            for (list, of, back) in lists(model) {
                let granted = role
                    .iter()
                    .any(|(granted, _, fields)| granted == model && fields.contains(list));
                assert!(
                    !granted || readable(role)[of].contains(back),
                    "role {index}: {list}"
                );
            }
        }
        let (world, _) = runtime.block_on(two_worlds(on, index as u64, role));
        let less = without_unreadable(&world, role);
        let users = (
            with_role(&world, &world.catalog, role),
            with_role(&world, &less, role),
        );
        for case in 0..CASES {
            let mut rng = Rng::new(index as u64 * 1_000_000 + case + 77);
            let query = Generate::new(&mut rng, &everything()).query().whole_json();
            let answer = runtime.block_on(world.query(&users.0, query.clone()));
            let as_if = runtime.block_on(world.query(&users.1, query.clone()));
            refused += u64::from(answer.is_err());
            assert_eq!(
                told(answer),
                told(as_if),
                "role {index}, case {case}: {query:#}"
            );
        }
    }
    assert!(refused > CASES, "too few queries are refused: {refused}");
}

/// Calls of every other record tool, which name what the role may and may not read alike.
fn calls(rng: &mut Rng, known: &Known) -> Vec<(&'static str, Value)> {
    let models: Vec<&'static str> = known.keys().copied().collect();
    let model = rng.pick(&models);
    let names: Vec<&str> = fields(model).iter().map(|(name, _)| *name).collect();
    let (field, kind) = *rng.pick(&fields(model).iter().collect::<Vec<_>>());
    let id = rng.below(14) + 1;
    let other = rng.below(14) + 1;
    let wanted = value(rng, kind);
    let operator = rng.pick(&["=", "!=", ">", "isNull", "in"]);
    let mut criteria = json!({ "field": field, "operator": operator });
    match operator {
        "isNull" => {}
        "in" => criteria["value"] = json!([wanted]),
        _ => criteria["value"] = wanted.clone(),
    }
    let direction = rng.pick(&["asc", "desc"]);
    let sorted = rng.pick(&names);
    vec![
        (
            "search",
            json!({ "model": model, "criteria": criteria, "limit": 100 }),
        ),
        (
            "search",
            json!({ "model": model, "fields": [field], "order": [{ "field": sorted, "direction": direction }] }),
        ),
        ("read", json!({ "model": model, "ids": [id, id + 20] })),
        (
            "read",
            json!({ "model": model, "id": id, "fields": [field] }),
        ),
        ("describe", json!({ "model": model })),
        (
            "update",
            json!({ "model": model, "id": id, "values": { field: wanted } }),
        ),
        (
            "create",
            json!({ "model": model, "values": { field: wanted } }),
        ),
        ("delete", json!({ "model": model, "ids": [id, id + 30] })),
        (
            "plan",
            json!({ "model": model, "id": other, "values": { field: wanted } }),
        ),
    ]
}

/// What a role gets of a call; what it writes is undone.
async fn got(world: &World, user: &Access, call: &str, input: Value) -> String {
    use toolcrib_data::records::{self, Write};
    match call {
        "search" => told(world.search(user, input).await),
        "read" => told(world.read(user, input).await),
        "describe" => told(records::describe_model(user, &crate::support::input(input))),
        "plan" => {
            let input = crate::support::input(input);
            let mut snapshot = world.snapshot().await;
            let plan = records::plan(&mut snapshot, user, Write::Update(&input));
            plan.await
                .map_or_else(|error| error.to_string(), |plan| format!("{plan:?}"))
        }
        write => {
            let mut unit = world.unit().await;
            let unit = &mut unit;
            told(match write {
                "update" => records::update(unit, user, &crate::support::input(input)).await,
                "create" => records::create(unit, user, &crate::support::input(input)).await,
                _ => records::delete(unit, user, &crate::support::input(input)).await,
            })
        }
    }
}

/// The role may write whatever of the records that it reads: then what it is told of a write is
/// told by what it may read alone.
fn may_write(role: Role) -> Value {
    let mut role = role_json(role);
    for grant in role["grants"].as_array_mut().unwrap() {
        grant["operations"] = json!(["read", "create", "update", "delete"]);
        grant["write_fields"] = grant["read_fields"].clone();
    }
    role
}

fn no_other_tool_tells_what_a_role_may_not_read(on: On) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let mut answered = 0;
    for (index, role) in ROLES.iter().enumerate() {
        let seed = index as u64 + 40;
        let (one, other) = runtime.block_on(two_worlds(on, seed, role));
        let text = may_write(role).to_string();
        let user = |world: &World| {
            let list = files(&[("permissions/r.yaml", text.as_str())]);
            Access {
                grants: Arc::new(Grants::load(&list, &world.catalog).unwrap()),
                ..world.access("u@x", &["r"])
            }
        };
        let users = (user(&one), user(&other));
        for case in 0..CASES / 6 {
            let mut rng = Rng::new(seed * 1_000_000 + case);
            let known = if rng.chance(70) {
                readable(role)
            } else {
                everything()
            };
            for (call, input) in calls(&mut rng, &known) {
                let answer = runtime.block_on(got(&one, &users.0, call, input.clone()));
                let again = runtime.block_on(got(&other, &users.1, call, input.clone()));
                // That something is in use is told whoever uses it, in one wording; and new ids
                // count up over all records.
                let stated = [&answer, &again]
                    .iter()
                    .any(|text| text.contains("still in use"));
                if !stated && (call != "create" || !answer.starts_with('{')) {
                    assert_eq!(answer, again, "role {index}, case {case}: {call} {input:#}");
                }
                answered += u64::from(answer.starts_with('{'));
                for canary in CANARIES {
                    let asked = input.to_string().contains(canary);
                    assert!(
                        asked || !again.contains(canary),
                        "role {index}, case {case}: {canary} in {again}"
                    );
                }
            }
        }
    }
    assert!(
        answered > CASES / 2,
        "too few calls are answered: {answered}"
    );
}

on_each_prop!(no_other_tool_tells_what_a_role_may_not_read);
