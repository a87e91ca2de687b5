//! A slow and obvious interpreter of filters, and a small world to try it on.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::databases::On;
use crate::support::World;

const MODELS: &[(&str, &str)] = &[
    (
        "models/shelf.yaml",
        "name: shelf\nfields:\n  label: { type: string }\n  level: { type: integer }\n",
    ),
    (
        "models/thing.yaml",
        "name: thing\nfields:\n  label: { type: string }\n  level: { type: integer }\n  price: { type: decimal, precision: 8, scale: 2 }\n  shelf: { type: many_to_one, model: shelf }\n",
    ),
    (
        "permissions/r.yaml",
        "role: r\ngrants:\n  - { models: '*', operations: '*' }\n",
    ),
];

const LABELS: &[&str] = &["", "a", "A", "ab", "a%b", "a_b", "%", "\\", "bä", "'"];

/// A value as the interpreter compares it.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(crate) enum V {
    Number(i64),
    Text(String),
}

#[derive(Clone, Debug)]
pub(crate) enum Filter {
    Is {
        field: &'static str,
        operator: &'static str,
        value: Value,
        value2: Option<Value>,
    },
    Joined(&'static str, Vec<Self>),
}

impl Filter {
    pub(crate) fn json(&self) -> Value {
        match self {
            Self::Joined(operator, parts) => {
                json!({ "operator": operator, "criteria": parts.iter().map(Self::json).collect::<Vec<_>>() })
            }
            Self::Is {
                field,
                operator,
                value,
                value2,
            } => {
                let mut out = json!({ "field": field, "operator": operator });
                if !value.is_null() {
                    out["value"] = value.clone();
                }
                if let Some(value2) = value2 {
                    out["value2"] = value2.clone();
                }
                out
            }
        }
    }

    /// True, false, or nothing: a null in a comparison.
    pub(crate) fn holds(&self, row: &Value) -> Option<bool> {
        match self {
            Self::Joined("and", parts) => all(parts.iter().map(|part| part.holds(row))),
            Self::Joined("or", parts) => any(parts.iter().map(|part| part.holds(row))),
            Self::Joined(_, parts) => {
                any(parts.iter().map(|part| part.holds(row))).map(|held| !held)
            }
            Self::Is {
                field,
                operator,
                value,
                value2,
            } => compare(
                operator,
                typed(field, &row[*field]),
                |value| typed(field, value),
                value,
                value2.as_ref(),
            ),
        }
    }
}

fn all(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    any(parts.map(|part| part.map(|held| !held))).map(|held| !held)
}

fn any(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let parts: Vec<Option<bool>> = parts.collect();
    if parts.contains(&Some(true)) {
        Some(true)
    } else if parts.contains(&None) {
        None
    } else {
        Some(false)
    }
}

pub(crate) fn typed(field: &str, value: &Value) -> Option<V> {
    match value {
        Value::Null => None,
        Value::Object(relation) => typed(field, &relation["id"]),
        Value::Number(number) => Some(V::Number(number.as_i64().unwrap())),
        Value::String(text) if field == "price" => {
            Some(V::Number(text.replace('.', "").parse().unwrap()))
        }
        Value::String(text) => Some(V::Text(text.clone())),
        other => panic!("{other}"),
    }
}

fn compare(
    operator: &str,
    left: Option<V>,
    typed: impl Fn(&Value) -> Option<V>,
    value: &Value,
    value2: Option<&Value>,
) -> Option<bool> {
    match operator {
        "isNull" => return Some(left.is_none()),
        "isNotNull" => return Some(left.is_some()),
        _ => {}
    }
    let left = left?;
    if let Value::Array(items) = value {
        let found = items.iter().any(|item| typed(item).as_ref() == Some(&left));
        return Some(found == (operator == "in"));
    }
    let right = typed(value)?;
    let between = || right <= left && left <= value2.and_then(&typed).unwrap();
    Some(match operator {
        "=" => left == right,
        "!=" => left != right,
        "<" => left < right,
        "<=" => left <= right,
        ">" => left > right,
        ">=" => left >= right,
        "between" => between(),
        "notBetween" => !between(),
        text => {
            let (V::Text(left), V::Text(right)) = (left, right) else {
                panic!("{text} of a number")
            };
            let (left, right) = (left.to_ascii_lowercase(), right.to_ascii_lowercase());
            match text {
                "contains" => left.contains(&right),
                "startsWith" => left.starts_with(&right),
                "endsWith" => left.ends_with(&right),
                "like" => like(
                    &left.chars().collect::<Vec<_>>(),
                    &right.chars().collect::<Vec<_>>(),
                ),
                "notLike" => !like(
                    &left.chars().collect::<Vec<_>>(),
                    &right.chars().collect::<Vec<_>>(),
                ),
                other => panic!("{other}"),
            }
        }
    })
}

fn like(text: &[char], pattern: &[char]) -> bool {
    match pattern {
        [] => text.is_empty(),
        ['%', rest @ ..] => (0..=text.len()).any(|skip| like(&text[skip..], rest)),
        ['_', rest @ ..] => !text.is_empty() && like(&text[1..], rest),
        ['\\', escaped, rest @ ..] => text.first() == Some(escaped) && like(&text[1..], rest),
        ['\\'] => false,
        [c, rest @ ..] => text.first() == Some(c) && like(&text[1..], rest),
    }
}

pub(crate) fn label() -> impl Strategy<Value = Value> {
    prop::sample::select(LABELS).prop_map(|label| json!(label))
}

pub(crate) fn level() -> impl Strategy<Value = Value> {
    (-1_i64..5).prop_map(|level| json!(level))
}

fn price() -> impl Strategy<Value = Value> {
    (0_i64..6).prop_map(|half| json!(format!("{}.{}0", half / 2, half % 2 * 5)))
}

pub(crate) fn comparison(
    field: &'static str,
    value: BoxedStrategy<Value>,
    texts: bool,
) -> BoxedStrategy<Filter> {
    let single = ["=", "!=", "<", "<=", ">", ">="];
    let words = ["contains", "startsWith", "endsWith", "like", "notLike"];
    let operators: Vec<&'static str> = single
        .into_iter()
        .chain(words.into_iter().filter(|_| texts))
        .collect();
    let is = move |operator, value, value2| Filter::Is {
        field,
        operator,
        value,
        value2,
    };
    prop_oneof![
        6 => (prop::sample::select(operators), value.clone()).prop_map(move |(operator, value)| is(operator, value, None)),
        2 => (prop::sample::select(vec!["in", "notIn"]), prop::collection::vec(value.clone(), 1..4))
            .prop_map(move |(operator, values)| is(operator, Value::Array(values), None)),
        2 => (prop::sample::select(vec!["between", "notBetween"]), value.clone(), value)
            .prop_map(move |(operator, from, to)| is(operator, from, Some(to))),
        1 => prop::sample::select(vec!["isNull", "isNotNull"]).prop_map(move |operator| is(operator, Value::Null, None)),
    ]
    .boxed()
}

pub(crate) fn filter() -> impl Strategy<Value = Filter> {
    let leaf = prop_oneof![
        comparison("label", label().boxed(), true),
        comparison("level", level().boxed(), false),
        comparison("price", price().boxed(), false),
        comparison("shelf.label", label().boxed(), true),
        comparison("shelf.level", level().boxed(), false),
        (prop::sample::select(vec!["=", "!="]), 1_i64..6).prop_map(|(operator, id)| Filter::Is {
            field: "shelf",
            operator,
            value: json!(id),
            value2: None
        }),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        (
            prop::sample::select(vec!["and", "or", "not"]),
            prop::collection::vec(inner, 1..4),
        )
            .prop_map(|(operator, parts)| Filter::Joined(operator, parts))
    })
}

/// Six shelves and eighty things on them, with gaps.
pub(crate) fn world(on: On) -> (Runtime, World) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let world = runtime.block_on(async {
        let world = World::on(on, MODELS).await;
        let user = world.access("u@x", &["r"]);
        let shelves: Vec<Value> = (0..6_usize)
            .map(|n| json!({ "label": LABELS.get(n * 2), "level": (n % 3 != 0).then_some(n) }))
            .collect();
        world
            .create(&user, json!({ "model": "shelf", "records": shelves }))
            .await;
        let things: Vec<Value> = (0..80_usize)
            .map(|n| {
                json!({
                    "label": (n % 7 != 0).then(|| LABELS[n % LABELS.len()]),
                    "level": (n % 5 != 0).then_some(n % 4),
                    "price": (n % 6 != 0).then(|| format!("{}.{}0", n % 3, n % 2 * 5)),
                    "shelf": (n % 4 != 0).then_some(n % 6 + 1),
                })
            })
            .collect();
        world
            .create(&user, json!({ "model": "thing", "records": things }))
            .await;
        world
    });
    (runtime, world)
}

/// The fields of a thing that filters are about.
pub(crate) const FIELDS: &[&str] = &[
    "label",
    "level",
    "price",
    "shelf",
    "shelf.label",
    "shelf.level",
];

/// All things as who may read everything sees them.
pub(crate) fn things(runtime: &Runtime, world: &World) -> Vec<Value> {
    let user = world.access("u@x", &["r"]);
    let all = json!({ "model": "thing", "fields": FIELDS, "limit": 100 });
    let answer = runtime.block_on(world.search(&user, all)).unwrap();
    answer["records"].as_array().unwrap().clone()
}

/// The same cases every time: a failure here is one everywhere.
pub(crate) fn runner(cases: u32) -> TestRunner {
    let config = Config {
        failure_persistence: None,
        ..Config::with_cases(cases)
    };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}
