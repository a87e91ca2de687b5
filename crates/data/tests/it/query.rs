//! What queries answer.

use serde_json::{Value, json};

use crate::databases::On;
use crate::support::World;

on_each!(
    an_answer_has_columns_rows_and_a_window,
    joins_bring_related_records,
    functions_of_one_record,
    functions_of_many_records,
    calculations_are_exact,
    what_is_too_large_to_be_exact_is_told,
    a_case_takes_the_first_branch_that_holds,
    conditions_compare_fields_values_and_sub_queries,
    groups_are_filtered_sorted_and_cut,
    moments_and_the_rarer_types,
);

/// A query over orders as `o`.
pub(crate) fn orders(parts: &Value) -> Value {
    let mut query = json!({ "from": { "model": "order", "as": "o" } });
    let object = query.as_object_mut().unwrap();
    object.extend(parts.as_object().unwrap().clone());
    query
}

/// The one value of an order that an operand makes.
async fn of_order(world: &World, id: i64, operand: Value) -> Value {
    let mut operand = operand;
    operand["as"] = json!("x");
    let filter = json!({ "field": "o.id", "operator": "=", "value": id });
    let query = orders(&json!({ "select": [operand], "where": [filter] }));
    world.rows(&world.manager(), query).await[0][0].clone()
}

/// The one value that an aggregate over all orders makes.
async fn of_all(world: &World, operand: Value) -> Value {
    let mut operand = operand;
    operand["as"] = json!("x");
    let query = orders(&json!({ "select": [operand] }));
    let rows = world.rows(&world.manager(), query).await;
    assert_eq!(rows.len(), 1);
    rows[0][0].clone()
}

async fn an_answer_has_columns_rows_and_a_window(on: On) {
    let world = World::small_on(on).await;
    let query = orders(&json!({
        "join": [{ "field": "o.customer", "as": "c" }],
        "select": [
            { "field": "c.country" },
            { "fn": "sum", "field": "o.total", "as": "revenue" },
            { "fn": "count" },
            { "fn": "max", "field": "o.ordered_on" },
        ],
        "groupBy": ["c.country"],
        "orderBy": [{ "as": "revenue", "direction": "desc" }],
        "limit": 1,
        "summaries": [{ "fn": "sum", "field": "revenue", "as": "all" }, { "fn": "count" }],
    }));
    let answer = world.query(&world.manager(), query).await.unwrap();
    assert_eq!(
        answer,
        json!({
            "columns": [
                { "name": "country", "title": "Country", "type": "selection" },
                { "name": "revenue", "title": "Revenue", "type": "decimal" },
                { "name": "count", "title": "Count", "type": "integer" },
                { "name": "max_ordered_on", "title": "Max ordered on", "type": "date" },
            ],
            "rows": [{ "country": "de", "revenue": "150.50", "count": 2, "max_ordered_on": "2026-03-14" }],
            "truncated": true, "limit": 1, "offset": 0,
            "summaries": { "all": "225.50", "count": 2 },
        })
    );
}

async fn joins_bring_related_records(on: On) {
    let world = World::small_on(on).await;
    let manager = world.manager();
    let customers = |join: Value, select: Value| json!({ "from": { "model": "customer", "as": "c" }, "join": [join], "select": select });
    let names = json!([{ "field": "c.name" }, { "field": "o.number" }]);
    let inner = vec![
        vec![json!("Ada"), json!("SO-1")],
        vec![json!("Ada"), json!("SO-2")],
        vec![json!("Bob"), json!("SO-3")],
    ];
    let mut left = inner.clone();
    left.push(vec![json!("Aldo"), Value::Null]);
    let on = json!([{ "field": "o.customer", "operator": "=", "right": { "field": "c.id" } }]);
    for (join, expected) in [
        (json!({ "field": "c.orders", "as": "o" }), &inner),
        (json!({ "field": "orders", "as": "o" }), &inner),
        (
            json!({ "field": "c.orders", "as": "o", "type": "left" }),
            &left,
        ),
        (json!({ "model": "order", "as": "o", "on": on }), &inner),
        (
            json!({ "model": "order", "as": "o", "type": "left", "on": on }),
            &left,
        ),
    ] {
        let rows = world
            .rows(&manager, customers(join.clone(), names.clone()))
            .await;
        assert_eq!(&rows, expected, "{join}");
    }
    let shipped = json!({ "field": "c.orders", "as": "o", "type": "left", "on": [{ "field": "o.status", "operator": "=", "value": "shipped" }] });
    assert_eq!(
        world.rows(&manager, customers(shipped, names)).await,
        [
            vec![json!("Ada"), json!("SO-2")],
            vec![json!("Bob"), Value::Null],
            vec![json!("Aldo"), Value::Null],
        ]
    );
}

async fn functions_of_one_record(on: On) {
    let world = World::small_on(on).await;
    let field =
        |name: &str, function: &str| json!({ "fn": function, "field": format!("o.{name}") });
    let cut = |unit: &str| json!({ "fn": "truncate", "field": "o.ordered_on", "unit": unit });
    let with = |function: &str, value: Value| json!({ "fn": function, "value": value });
    for (operand, expected) in [
        (field("ordered_on", "year"), json!(2026)),
        (field("ordered_on", "quarter"), json!(1)),
        (field("ordered_on", "month"), json!(2)),
        (field("ordered_on", "week"), json!(7)),
        (field("ordered_on", "day"), json!(10)),
        (field("ordered_on", "weekday"), json!(2)),
        (field("shipped_on", "year"), Value::Null),
        (cut("year"), json!("2026-01-01")),
        (cut("quarter"), json!("2026-01-01")),
        (cut("month"), json!("2026-02-01")),
        (cut("week"), json!("2026-02-09")),
        (cut("day"), json!("2026-02-10")),
        (
            json!({ "fn": "truncate", "field": "o.shipped_on", "unit": "quarter" }),
            Value::Null,
        ),
        (field("number", "lower"), json!("so-2")),
        (field("customer.name", "upper"), json!("ADA")),
        (field("number", "length"), json!(4)),
        (with("length", json!("äöü")), json!(3)),
        (field("total", "round"), json!("51")),
        (
            json!({ "fn": "round", "field": "o.total", "digits": 1 }),
            json!("50.5"),
        ),
        (
            json!({ "fn": "round", "field": "o.total", "digits": 4 }),
            json!("50.50"),
        ),
        (with("round", json!(-2.5)), json!("-3")),
        (with("abs", json!(-2.5)), json!("2.5")),
        (with("abs", json!(i64::MAX)), json!(i64::MAX)),
        (
            json!({ "fn": "coalesce", "field": "o.shipped_on", "args": [{ "field": "o.ordered_on" }] }),
            json!("2026-02-10"),
        ),
        (
            json!({ "fn": "coalesce", "field": "o.shipped_on", "args": [{ "value": "today" }] }),
            json!("2026-03-15"),
        ),
        (
            json!({ "fn": "coalesce", "field": "o.total", "args": [{ "value": 0 }] }),
            json!("50.50"),
        ),
        (json!({ "value": "1' OR 1=1 --" }), json!("1' OR 1=1 --")),
        (json!({ "value": true }), json!(true)),
        (json!({ "field": "o.customer" }), json!(1)),
        (json!({ "field": "o.customer.name" }), json!("Ada")),
    ] {
        assert_eq!(
            of_order(&world, 2, operand.clone()).await,
            expected,
            "{operand}"
        );
    }
}

async fn functions_of_many_records(on: On) {
    let world = World::small_on(on).await;
    let field =
        |name: &str, function: &str| json!({ "fn": function, "field": format!("o.{name}") });
    for (operand, expected) in [
        (json!({ "fn": "count" }), json!(3)),
        (field("shipped_on", "count"), json!(0)),
        (field("customer", "countDistinct"), json!(2)),
        (field("total", "sum"), json!("225.50")),
        (field("version", "sum"), json!(3)),
        (field("shipped_on", "max"), Value::Null),
        (field("total", "avg"), json!("75.166667")),
        (field("version", "avg"), json!("1.000000")),
        (field("total", "min"), json!("50.50")),
        (field("number", "max"), json!("SO-3")),
        (field("ordered_on", "min"), json!("2026-02-10")),
    ] {
        assert_eq!(of_all(&world, operand.clone()).await, expected, "{operand}");
    }
    let nothing = json!({ "field": "o.id", "operator": "<", "value": 0 });
    let query = orders(
        &json!({ "select": [{ "fn": "sum", "field": "o.total" }, { "fn": "count" }], "where": [nothing] }),
    );
    assert_eq!(
        world.rows(&world.manager(), query).await,
        [[Value::Null, json!(0)]]
    );
}

async fn calculations_are_exact(on: On) {
    let world = World::small_on(on).await;
    let calc = |operator: &str, operands: Value| json!({ "calc": { "operator": operator, "operands": operands } });
    let of = |operator: &str, a: Value, b: Value| {
        calc(operator, json!([{ "value": a }, { "value": b }]))
    };
    for (operand, expected) in [
        (of("+", json!("0.1"), json!("0.2")), json!("0.3")),
        (of("-", json!(1), json!("0.05")), json!("0.95")),
        (of("*", json!("1.5"), json!("1.25")), json!("1.875")),
        (of("*", json!(6), json!(7)), json!(42)),
        (of("/", json!(1), json!(3)), json!("0.333333")),
        (of("/", json!(2), json!(3)), json!("0.666667")),
        (of("/", json!(-2), json!(3)), json!("-0.666667")),
        (of("/", json!("100"), json!("0.25")), json!("400.000000")),
        (of("/", json!("1.12345678"), json!(1)), json!("1.12345678")),
        (of("/", json!(1), json!(0)), Value::Null),
        (
            of("/", json!("9000000000000"), json!(9)),
            json!("1000000000000.000000"),
        ),
        (
            calc(
                "-",
                json!([{ "value": 10 }, { "value": 1 }, { "value": 2 }]),
            ),
            json!(7),
        ),
        (
            calc("*", json!([{ "field": "o.total" }, { "value": "0.19" }])),
            json!("9.5950"),
        ),
        (
            calc(
                "-",
                json!([{ "field": "o.total" }, { "field": "o.margin" }]),
            ),
            json!("45.50"),
        ),
        (
            calc(
                "+",
                json!([{ "field": "o.total" }, { "fn": "year", "field": "o.shipped_on" }]),
            ),
            Value::Null,
        ),
    ] {
        assert_eq!(
            of_order(&world, 2, operand.clone()).await,
            expected,
            "{operand}"
        );
    }
    let share = calc(
        "/",
        json!([{ "fn": "sum", "field": "o.margin" }, { "fn": "sum", "field": "o.total" }]),
    );
    assert_eq!(of_all(&world, share).await, json!("0.513392"));
}

async fn what_is_too_large_to_be_exact_is_told(on: On) {
    let world = World::small_on(on).await;
    let huge = json!({ "value": i64::MAX });
    let sum =
        json!({ "calc": { "operator": "+", "operands": [huge, { "value": 1 }] }, "as": "sum" });
    let told = world
        .query_error(&world.manager(), orders(&json!({ "select": [sum] })))
        .await;
    assert_eq!(
        told,
        "/select/0: a value of `sum` has more than 18 digits, too many to be exact; use fewer decimals or smaller numbers"
    );
    let sum = json!({ "fn": "sum", "value": i64::MAX, "as": "sum" });
    let query = orders(
        &json!({ "select": [{ "fn": "count" }], "summaries": [{ "fn": "count" }], "where": [] }),
    );
    assert_eq!(world.rows(&world.manager(), query).await, [[json!(3)]]);
    let told = world
        .query_error(&world.manager(), orders(&json!({ "select": [sum] })))
        .await;
    assert!(told.contains("more than 18 digits"), "{told}");
}

async fn a_case_takes_the_first_branch_that_holds(on: On) {
    let world = World::small_on(on).await;
    let above = |value: &str| json!([{ "field": "o.total", "operator": ">", "value": value }]);
    let size = json!({ "case": { "when": [
        { "if": above("90"), "then": { "value": "large" } },
        { "if": above("60"), "then": { "value": "medium" } },
    ], "else": { "value": "small" } }, "as": "size" });
    let no_else = json!({ "case": { "when": [{ "if": above("90"), "then": { "field": "o.total" } }] }, "as": "much" });
    let mixed = json!({ "case": { "when": [{ "if": above("90"), "then": { "value": 1 } }], "else": { "field": "o.total" } }, "as": "mixed" });
    let query = orders(&json!({ "select": [size, no_else, mixed] }));
    assert_eq!(
        world.rows(&world.manager(), query).await,
        [
            [json!("large"), json!("100.00"), json!("1.00")],
            [json!("small"), Value::Null, json!("50.50")],
            [json!("medium"), Value::Null, json!("75.00")],
        ]
    );
}

async fn conditions_compare_fields_values_and_sub_queries(on: On) {
    let world = World::small_on(on).await;
    let lines = |more: Value| json!({ "from": { "model": "order_line", "as": "l" }, "where": [{ "field": "l.order", "operator": "=", "right": { "field": "o.id" } }, more] });
    let many = json!({ "field": "l.quantity", "operator": ">", "value": 5 });
    let products =
        json!({ "from": { "model": "order_line", "as": "l" }, "select": [{ "field": "l.order" }] });
    let half = json!({ "calc": { "operator": "/", "operands": [{ "field": "o.total" }, { "value": 2 }] } });
    for (filter, expected) in [
        (
            json!({ "field": "o.status", "operator": "in", "value": ["draft", "shipped"] }),
            vec![1, 2],
        ),
        (
            json!({ "field": "o.margin", "operator": ">", "right": half }),
            vec![1],
        ),
        (
            json!({ "field": "o.ordered_on", "operator": ">=", "value": "startOf:month" }),
            vec![1, 3],
        ),
        (
            json!({ "left": { "fn": "month", "field": "o.ordered_on" }, "operator": "=", "value": 2 }),
            vec![2],
        ),
        (json!({ "exists": lines(many.clone()) }), vec![1]),
        (json!({ "notExists": lines(many.clone()) }), vec![2, 3]),
        (
            json!({ "field": "o.id", "operator": "in", "query": products }),
            vec![1, 3],
        ),
        (
            json!({ "field": "o.id", "operator": "notIn", "query": products }),
            vec![2],
        ),
        (
            json!({ "operator": "not", "criteria": [{ "exists": lines(many) }, { "field": "o.status", "operator": "=", "value": "shipped" }] }),
            vec![3],
        ),
        (
            json!({ "field": "customer.country", "operator": "=", "value": "fr" }),
            vec![3],
        ),
    ] {
        let query = orders(&json!({ "select": [{ "field": "o.id" }], "where": [filter] }));
        let rows = world.rows(&world.manager(), query).await;
        let ids: Vec<i64> = rows.iter().map(|row| row[0].as_i64().unwrap()).collect();
        assert_eq!(ids, expected, "{filter}");
    }
}

async fn groups_are_filtered_sorted_and_cut(on: On) {
    let world = World::small_on(on).await;
    let month =
        json!({ "fn": "truncate", "field": "o.ordered_on", "unit": "month", "as": "month" });
    let grouped = |parts: Value| {
        let mut query = orders(
            &json!({ "select": [month, { "fn": "count", "as": "n" }], "groupBy": ["month"] }),
        );
        query
            .as_object_mut()
            .unwrap()
            .extend(parts.as_object().unwrap().clone());
        query
    };
    let (february, march) = (
        [json!("2026-02-01"), json!(1)],
        [json!("2026-03-01"), json!(2)],
    );
    for (parts, expected) in [
        (json!({}), vec![&february, &march]),
        (
            json!({ "orderBy": [{ "as": "n", "direction": "desc" }] }),
            vec![&march, &february],
        ),
        (
            json!({ "orderBy": [{ "field": "month", "direction": "desc" }] }),
            vec![&march, &february],
        ),
        (
            json!({ "having": [{ "field": "n", "operator": ">", "value": 1 }] }),
            vec![&march],
        ),
        (
            json!({ "having": [{ "left": { "fn": "sum", "field": "o.total" }, "operator": "<", "value": "60" }] }),
            vec![&february],
        ),
        (
            json!({ "having": [{ "field": "month", "operator": "=", "value": "startOf:month" }] }),
            vec![&march],
        ),
        (json!({ "limit": 1, "offset": 1 }), vec![&march]),
    ] {
        let rows = world.rows(&world.manager(), grouped(parts.clone())).await;
        assert_eq!(rows, expected, "{parts}");
    }
    let distinct = orders(
        &json!({ "select": [{ "field": "o.customer.country" }], "distinct": true, "orderBy": [{ "field": "o.customer.country", "direction": "desc" }], "summaries": [{ "fn": "count" }, { "fn": "max", "field": "customer.country", "as": "x" }] }),
    );
    let told = world.query_error(&world.manager(), distinct).await;
    assert!(
        told.contains("`max` takes a number, text, date or time; `country` is selection"),
        "{told}"
    );
    let distinct = orders(
        &json!({ "select": [{ "field": "o.customer.country" }], "distinct": true, "orderBy": [{ "field": "o.customer.country", "direction": "desc" }], "summaries": [{ "fn": "count" }] }),
    );
    let answer = world.query(&world.manager(), distinct).await.unwrap();
    assert_eq!(
        answer["rows"],
        json!([{ "customer.country": "fr" }, { "customer.country": "de" }])
    );
    assert_eq!(answer["summaries"], json!({ "count": 2 }));
}

const VISITS: &[(&str, &str)] = &[
    (
        "models/visit.yaml",
        "name: visit\nfields:\n  at: { type: datetime }\n  opens: { type: time }\n  score: { type: float }\n  long: { type: decimal, precision: 30, scale: 2 }\n  tags: { type: multi_selection, options: [x, z] }\n  extra: { type: json }\n",
    ),
    (
        "permissions/r.yaml",
        "role: r\ngrants:\n  - { models: '*', operations: '*' }\n",
    ),
];

async fn moments_and_the_rarer_types(on: On) {
    let world = World::on(on, VISITS).await;
    let user = world.access("u@x", &["r"]);
    let records = json!([
        { "at": "2026-05-17T13:45:59.5Z", "opens": "08:30", "score": 2.5, "long": "1", "tags": ["z", "x"], "extra": { "a": 1 } },
        { "at": "1969-12-31T23:59:59.5Z", "score": 0.25, "long": "1", "tags": ["x", "z"] },
        { "at": null, "score": -1.5 },
    ]);
    world
        .create(&user, json!({ "model": "visit", "records": records }))
        .await;
    let at = |function: &str| json!({ "fn": function, "field": "at" });
    let cut = |unit: &str| json!({ "fn": "truncate", "field": "at", "unit": unit });
    let calc =
        json!({ "calc": { "operator": "/", "operands": [{ "field": "score" }, { "value": 2 }] } });
    for (operand, expected) in [
        (at("year"), json!([2026, 1969, null])),
        (at("quarter"), json!([2, 4, null])),
        (at("week"), json!([20, 1, null])),
        (at("weekday"), json!([7, 3, null])),
        (at("hour"), json!([13, 23, null])),
        (
            json!({ "fn": "hour", "field": "opens" }),
            json!([8, null, null]),
        ),
        (
            cut("year"),
            json!(["2026-01-01T00:00:00Z", "1969-01-01T00:00:00Z", null]),
        ),
        (
            cut("quarter"),
            json!(["2026-04-01T00:00:00Z", "1969-10-01T00:00:00Z", null]),
        ),
        (
            cut("month"),
            json!(["2026-05-01T00:00:00Z", "1969-12-01T00:00:00Z", null]),
        ),
        (
            cut("week"),
            json!(["2026-05-11T00:00:00Z", "1969-12-29T00:00:00Z", null]),
        ),
        (
            cut("day"),
            json!(["2026-05-17T00:00:00Z", "1969-12-31T00:00:00Z", null]),
        ),
        (
            cut("hour"),
            json!(["2026-05-17T13:00:00Z", "1969-12-31T23:00:00Z", null]),
        ),
        (calc, json!([1.25, 0.125, -0.75])),
        (
            json!({ "fn": "abs", "field": "score" }),
            json!([2.5, 0.25, 1.5]),
        ),
        (
            json!({ "fn": "round", "field": "score" }),
            json!([3.0, 0.0, -2.0]),
        ),
        (json!({ "field": "long" }), json!(["1.00", "1.00", null])),
        (
            json!({ "field": "tags" }),
            json!([["x", "z"], ["x", "z"], null]),
        ),
        (json!({ "field": "extra" }), json!([{ "a": 1 }, null, null])),
    ] {
        let mut operand = operand;
        operand["as"] = json!("x");
        let query = json!({ "from": { "model": "visit" }, "select": [operand] });
        let rows = world.rows(&user, query).await;
        let values: Vec<Value> = rows.into_iter().map(|mut row| row.remove(0)).collect();
        assert_eq!(json!(values), expected, "{operand}");
    }
    let by_tags = json!({ "from": { "model": "visit" }, "select": [{ "field": "tags" }, { "fn": "count" }, { "fn": "avg", "field": "score" }], "groupBy": ["tags"] });
    assert_eq!(
        world.rows(&user, by_tags).await,
        [
            [json!(["x", "z"]), json!(2), json!(1.375)],
            [Value::Null, json!(1), json!(-1.5)],
        ]
    );
    for (parts, expected) in [
        (
            json!({ "select": [{ "fn": "sum", "field": "long" }] }),
            "/select/0: `long` has more than 18 digits and can't be calculated with",
        ),
        (
            json!({ "select": [{ "fn": "count" }], "groupBy": ["extra"] }),
            "/groupBy/0: `extra` is json and can't be grouped by",
        ),
        (
            json!({ "select": [{ "field": "extra" }], "orderBy": [{ "as": "extra" }] }),
            "/orderBy/0/as: `extra` is json and can't be sorted by",
        ),
    ] {
        let mut query = json!({ "from": { "model": "visit" } });
        let object = query.as_object_mut().unwrap();
        object.extend(parts.as_object().unwrap().clone());
        assert_eq!(world.query_error(&user, query).await, expected);
    }
}
