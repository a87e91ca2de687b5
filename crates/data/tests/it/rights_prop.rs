//! Random grants: what a user finds is what an interpreter finds that first takes away, row by
//! row, what no grant shows, and only then filters and sorts.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use toolcrib_data::records::{Access, Grants};

use crate::databases::On;
use crate::interpreter::{
    FIELDS, Filter, comparison, filter, label, level, runner, things, typed, world,
};
use crate::support::files;

/// One grant: its condition, and the fields that it covers.
#[derive(Clone, Debug)]
struct Granted {
    condition: Filter,
    fields: BTreeSet<&'static str>,
}

#[derive(Clone, Debug)]
struct Case {
    things: Vec<Granted>,
    shelves: Vec<Granted>,
    filter: Filter,
    order: &'static str,
    descending: bool,
}

fn grants(
    condition: impl Strategy<Value = Filter> + Clone,
    fields: &'static [&'static str],
) -> impl Strategy<Value = Vec<Granted>> {
    let some = prop::sample::subsequence(fields.to_vec(), 0..=fields.len());
    let one = (condition.clone(), some).prop_map(|(condition, fields)| Granted {
        condition,
        fields: fields.into_iter().collect(),
    });
    // The last one covers every field somewhere, so that every field can be named.
    let last = condition.prop_map(|condition| Granted {
        condition,
        fields: fields.iter().copied().collect(),
    });
    (prop::collection::vec(one, 0..3), last).prop_map(|(mut grants, last)| {
        grants.push(last);
        grants
    })
}

fn case() -> impl Strategy<Value = Case> {
    let shelf = prop_oneof![
        comparison("label", label().boxed(), true),
        comparison("level", level().boxed(), false),
    ]
    .boxed();
    let things = grants(filter().boxed(), &["label", "level", "price", "shelf"]);
    let shelves = grants(shelf, &["label", "level"]);
    (
        things,
        shelves,
        filter(),
        prop::sample::select(FIELDS),
        any::<bool>(),
    )
        .prop_map(|(things, shelves, filter, order, descending)| Case {
            things,
            shelves,
            filter,
            order,
            descending,
        })
}

fn holding<'g>(grants: &'g [Granted], row: &Value) -> Vec<&'g Granted> {
    grants
        .iter()
        .filter(|grant| grant.condition.holds(row) == Some(true))
        .collect()
}

fn shown(holding: &[&Granted], field: &str, value: &Value) -> Value {
    if holding.iter().any(|grant| grant.fields.contains(field)) {
        value.clone()
    } else {
        Value::Null
    }
}

/// The thing as its reader sees it: a withheld relation is nothing to filter and order.
fn view(case: &Case, thing: &Value) -> Option<Value> {
    let mine = holding(&case.things, thing);
    if mine.is_empty() {
        return None;
    }
    let mut row = Map::from_iter([("id".to_owned(), thing["id"].clone())]);
    for field in ["label", "level", "price"] {
        row.insert(field.to_owned(), shown(&mine, field, &thing[field]));
    }
    let shelf = json!({ "label": thing["shelf.label"], "level": thing["shelf.level"] });
    let there = !shown(&mine, "shelf", &thing["shelf"]).is_null();
    let open = if there {
        holding(&case.shelves, &shelf)
    } else {
        Vec::new()
    };
    let relation = if open.is_empty() {
        Value::Null
    } else {
        thing["shelf"].clone()
    };
    row.insert("shelf".to_owned(), relation);
    row.insert("withheld".to_owned(), json!(there && open.is_empty()));
    for field in ["label", "level"] {
        row.insert(format!("shelf.{field}"), shown(&open, field, &shelf[field]));
    }
    Some(Value::Object(row))
}

fn compare(case: &Case, a: &Value, b: &Value) -> Ordering {
    let values = (
        typed(case.order, &a[case.order]),
        typed(case.order, &b[case.order]),
    );
    let by_value = match values {
        (None, None) => Ordering::Equal,
        (None, _) => Ordering::Greater,
        (_, None) => Ordering::Less,
        (Some(a), Some(b)) if case.descending => b.partial_cmp(&a).unwrap(),
        (Some(a), Some(b)) => a.partial_cmp(&b).unwrap(),
    };
    by_value.then_with(|| a["id"].as_i64().cmp(&b["id"].as_i64()))
}

fn role(case: &Case) -> String {
    let grant = |model: &str, grant: &Granted| json!({ "models": model, "operations": ["read"], "where": grant.condition.json(), "read_fields": grant.fields });
    let things = case.things.iter().map(|one| grant("thing", one));
    let grants: Vec<Value> = things
        .chain(case.shelves.iter().map(|one| grant("shelf", one)))
        .collect();
    // JSON is YAML.
    json!({ "role": "r", "grants": grants }).to_string()
}

on_each_prop!(a_user_finds_what_is_left_of_every_row);

fn a_user_finds_what_is_left_of_every_row(on: On) {
    let (runtime, world) = world(on);
    let rows = things(&runtime, &world);
    let run = |case: Case| {
        let text = role(&case);
        let grants =
            Grants::load(&files(&[("permissions/r.yaml", &text)]), &world.catalog).unwrap();
        let user = Access {
            grants: Arc::new(grants),
            ..world.access("u@x", &["r"])
        };
        let mut expected: Vec<Value> = rows.iter().filter_map(|thing| view(&case, thing)).collect();
        expected.retain(|row| case.filter.holds(row) == Some(true));
        expected.sort_by(|a, b| compare(&case, a, b));
        let direction = if case.descending { "desc" } else { "asc" };
        let search = json!({
            "model": "thing", "criteria": case.filter.json(), "fields": FIELDS, "limit": 100,
            "order": [{ "field": case.order, "direction": direction }],
        });
        let answer = runtime.block_on(world.search(&user, search)).unwrap();
        prop_assert_eq!(&answer["total"], &json!(expected.len()), "{}", text);
        for (found, expected) in answer["records"].as_array().unwrap().iter().zip(&expected) {
            for field in [
                "id",
                "label",
                "level",
                "price",
                "shelf.label",
                "shelf.level",
            ] {
                prop_assert_eq!(
                    &found[field],
                    &expected[field],
                    "{} of {} under {}",
                    field,
                    found,
                    text
                );
            }
            let withheld = found["shelf"] == json!({ "withheld": true });
            prop_assert_eq!(
                json!(withheld),
                expected["withheld"].clone(),
                "{} under {}",
                found,
                text
            );
            if !withheld {
                prop_assert_eq!(
                    &found["shelf"]["id"],
                    &expected["shelf"]["id"],
                    "{} under {}",
                    found,
                    text
                );
            }
        }
        Ok(())
    };
    runner(300).run(&case(), run).unwrap();
}
