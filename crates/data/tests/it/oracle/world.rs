use serde_json::{Value, json};
use toolcrib_data::records::{Access, Grants};

use super::ast::Kind;
use super::eval::{Data, Row};
use super::rng::Rng;
use super::value::{V, literal};
use crate::databases::On;
use crate::support::{World, files};

pub(crate) const MODELS: &[(&str, &str)] = &[
    (
        "models/team.yaml",
        "name: team\nfields:\n  name: { type: string }\n  level: { type: integer }\n  people: { type: one_to_many, model: person, inverse: team }\n",
    ),
    (
        "models/person.yaml",
        "name: person\nfields:\n  name: { type: string }\n  age: { type: integer }\n  pay: { type: decimal, precision: 8, scale: 2 }\n  joined: { type: date }\n  team: { type: many_to_one, model: team }\n  tasks: { type: one_to_many, model: task, inverse: owner }\n",
    ),
    (
        "models/task.yaml",
        "name: task\nfields:\n  title: { type: string }\n  points: { type: integer }\n  cost: { type: decimal, precision: 9, scale: 3 }\n  due: { type: date }\n  done: { type: boolean }\n  owner: { type: many_to_one, model: person }\n  team: { type: many_to_one, model: team }\n  helpers: { type: many_to_many, model: person }\n",
    ),
    (
        "permissions/all.yaml",
        "role: all\ngrants:\n  - { models: '*', operations: '*' }\n",
    ),
];

const PEOPLE: u64 = 11;

pub(crate) const NAMES: &[&str] = &["team", "person", "task"];

/// The stored fields of a model.
pub(crate) fn fields(model: &str) -> &'static [(&'static str, Kind)] {
    match model {
        "team" => &[
            ("id", Kind::Int),
            ("name", Kind::Text),
            ("level", Kind::Int),
        ],
        "person" => &[
            ("id", Kind::Int),
            ("name", Kind::Text),
            ("age", Kind::Int),
            ("pay", Kind::Dec(2)),
            ("joined", Kind::Date),
            ("team", Kind::Rel("team")),
        ],
        _ => &[
            ("id", Kind::Int),
            ("title", Kind::Text),
            ("points", Kind::Int),
            ("cost", Kind::Dec(3)),
            ("due", Kind::Date),
            ("done", Kind::Bool),
            ("owner", Kind::Rel("person")),
            ("team", Kind::Rel("team")),
        ],
    }
}

/// The lists of a model: the field, the other model, and its field that points back.
pub(crate) fn lists(model: &str) -> &'static [(&'static str, &'static str, &'static str)] {
    match model {
        "team" => &[("people", "person", "team")],
        "person" => &[("tasks", "task", "owner")],
        _ => &[],
    }
}

/// The fields of a model that lead to many, with the other model.
pub(crate) fn pairs(model: &str) -> &'static [(&'static str, &'static str)] {
    match model {
        "task" => &[("helpers", "person")],
        _ => &[],
    }
}

/// Whether the one record leads to the other: nothing keeps it but their ids.
pub(crate) fn leads(from: u64, to: u64) -> bool {
    (from * 7 + to * 3).is_multiple_of(4)
}

/// The records that one leads to.
pub(crate) fn led_to(from: u64, count: u64) -> Vec<u64> {
    (1..=count).filter(|to| leads(from, *to)).collect()
}

pub(crate) fn target(model: &str, field: &str) -> Option<&'static str> {
    let mut all = fields(model).iter();
    match all.find(|(name, _)| *name == field)?.1 {
        Kind::Rel(target) => Some(target),
        _ => None,
    }
}

pub(crate) const TEXTS: &[&str] = &["", "a", "A", "ab", "a%b", "bä", "'", "Z"];
pub(crate) const DATES: &[&str] = &[
    "2023-12-31",
    "2024-01-01",
    "2024-02-29",
    "2024-06-15",
    "2025-12-29",
];

pub(crate) fn value(rng: &mut Rng, kind: Kind) -> Value {
    match kind {
        Kind::Int => json!(i64::try_from(rng.below(7)).unwrap() - 2),
        Kind::Dec(_) => json!(rng.pick(&["0.00", "0.50", "-1.25", "2.00", "10.10", "3.33"])),
        Kind::Text => json!(rng.pick(TEXTS)),
        Kind::Date => json!(rng.pick(DATES)),
        Kind::Bool => json!(rng.chance(50)),
        Kind::Rel(_) => json!(rng.below(5) + 1),
    }
}

/// Random records of all models, also as the interpreter has them.
pub(crate) async fn filled(on: On, seed: u64) -> (World, Data) {
    let world = World::on(on, MODELS).await;
    let all = world.access("all@x", &["all"]);
    let mut rng = Rng::new(seed);
    let mut data = Data::new();
    for (model, count) in [("team", 5), ("person", PEOPLE), ("task", 22)] {
        let mut records = Vec::new();
        let mut rows = Vec::new();
        for id in 1..=count {
            let mut record = json!({});
            let mut row = Row::from([("id", literal(Kind::Int, &json!(id)))]);
            for (name, kind) in fields(model).iter().skip(1) {
                let value = if rng.chance(20) {
                    Value::Null
                } else {
                    value(&mut rng, *kind)
                };
                row.insert(name, literal(*kind, &value));
                record[*name] = value;
            }
            for (name, _) in pairs(model) {
                record[*name] = json!(led_to(id, PEOPLE));
                // Only whether the list shows is kept of it.
                row.insert(name, V::Bool(true));
            }
            records.push(record);
            rows.push(row);
        }
        world
            .create(&all, json!({ "model": model, "records": records }))
            .await;
        data.insert(model, rows);
    }
    (world, data)
}

/// Whoever has these roles.
pub(crate) fn user(world: &World, roles: &[Value], names: &[&str]) -> Access {
    let texts: Vec<(String, String)> = roles
        .iter()
        // JSON is YAML.
        .map(|role| {
            (
                format!("permissions/{}.yaml", role["role"]),
                role.to_string(),
            )
        })
        .map(|(path, text)| (path.replace('"', ""), text))
        .collect();
    let list: Vec<(&str, &str)> = texts
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let grants = Grants::load(&files(&list), &world.catalog).unwrap();
    Access {
        grants: std::sync::Arc::new(grants),
        ..world.access("u@x", names)
    }
}

pub(crate) fn is_null(value: &V) -> bool {
    *value == V::Null
}
