//! Queries that can't be, and what is told of them.

use serde_json::{Value, json};
use toolcrib_data::records::{Params, QueryInput, query};

use crate::databases::On;
use crate::query::orders;
use crate::support::{World, input};

on_each!(
    all_problems_come_at_once_with_their_place,
    names_are_told_apart,
    groups_and_aggregates_have_their_place,
    operands_fit_their_functions,
    conditions_are_whole,
    depth_and_size_have_limits,
    sql_in_names_and_values_is_only_text,
);

async fn told(world: &World, parts: Value) -> String {
    world.query_error(&world.manager(), orders(&parts)).await
}

fn number() -> Value {
    json!([{ "field": "o.number" }])
}

async fn all_problems_come_at_once_with_their_place(on: On) {
    let world = World::small_on(on).await;
    let query = json!({
        "from": { "model": "order", "as": "o" },
        "join": [
            { "field": "o.custmer", "as": "c" },
            { "field": "o.customer", "as": "o" },
            { "model": "invoce", "as": "i", "on": [] },
        ],
        "select": [{ "field": "o.nmber" }, { "field": "x.total" }, { "fn": "sum", "field": "o.status" }],
        "where": [{ "field": "o.total", "operator": "like", "value": "1%" }, { "field": "o.status", "operator": "=", "value": "shiped" }],
        "groupBy": ["o.ordred_on"],
        "orderBy": [{ "as": "totl" }],
        "limit": 1000,
    });
    let told = world.query_error(&world.manager(), query).await;
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(
        lines,
        [
            "/limit: must be from 1 to 100; got 1000",
            "/join/0/field: unknown field `custmer` of `order`, did you mean `customer`?",
            "/join/1/as: the alias `o` is there already; choose another one",
            "/join/2/model: unknown model `invoce`, did you mean `invoice`?",
            "/where/0/operator: `total` is decimal and can't be compared with `like`; it takes = != > >= < <= in notIn between notBetween isNull isNotNull",
            "/where/1/value: must be one of \"draft\", \"confirmed\", \"shipped\", \"delivered\", \"cancelled\"; got \"shiped\", did you mean \"shipped\"?",
            "/groupBy/0: unknown field `ordred_on` of `order`, did you mean `ordered_on`?",
            "/select/0/field: unknown field `nmber` of `order`, did you mean `number`?",
            "/select/1/field: unknown alias `x`; there are `o`",
            "/select/2: `status` is selection and can't be calculated with; it takes a number",
            "/orderBy/0/as: unknown column `totl`",
        ]
    );
}

async fn names_are_told_apart(on: On) {
    let world = World::small_on(on).await;
    let join = json!([{ "field": "o.customer", "as": "c" }]);
    let joined = |parts: Value| {
        let mut all = json!({ "join": join, "select": number() });
        all.as_object_mut()
            .unwrap()
            .extend(parts.as_object().unwrap().clone());
        all
    };
    for (parts, expected) in [
        (
            joined(json!({ "select": [{ "field": "id" }] })),
            "/select/0/field: `id` could be `o.id` or `c.id`; write which",
        ),
        (
            joined(json!({ "select": [{ "field": "nam" }] })),
            "/select/0/field: unknown field `nam`, did you mean `c.name`?",
        ),
        (
            joined(json!({ "select": [{ "field": "o.lines" }] })),
            "/select/0/field: `lines` is a list of records; join it: {\"field\": \"o.lines\", \"as\": …}",
        ),
        (
            joined(json!({ "select": [{ "field": "o.number" }, { "field": "o.number" }] })),
            "/select/1: the column `number` is there twice; give one of them another `as`",
        ),
        (
            joined(json!({ "select": [{ "field": "o.number", "as": "" }] })),
            "/select/0/as: must be a name of 1 to 100 letters",
        ),
        (
            joined(json!({ "select": [{ "value": 1 }] })),
            "/select/0: needs a name for its column in `as`",
        ),
        (
            json!({ "select": number(), "join": [{ "field": "o.customer", "as": "c; DROP" }] }),
            "/join/0/as: `c; DROP` is no alias: use letters, digits and _, beginning with a letter",
        ),
        (
            json!({ "select": number(), "join": [{ "field": "o.customer" }, { "field": "o.customer" }] }),
            "/join/1/as: the alias `customer` is there already; give this one another `as`",
        ),
        (
            json!({ "select": number(), "join": [{ "field": "o.status" }] }),
            "/join/0/field: `status` of `order` is selection; only many_to_one, one_to_many and many_to_many fields lead to records",
        ),
        (
            json!({ "select": number(), "join": [{ "field": "customer.name", "as": "c" }] }),
            "/join/0/field: `customer.name` is no field of an alias; a join goes over one relation",
        ),
        (
            json!({ "select": [{ "field": "c.name" }], "join": [{ "field": "o.custmer", "as": "c" }] }),
            "/join/0/field: unknown field `custmer` of `order`, did you mean `customer`?",
        ),
        (
            json!({ "select": number(), "join": [{}] }),
            "/join/0: a join needs either `field` or `model`",
        ),
        (
            json!({ "select": number(), "join": [{ "model": "invoice", "as": "i" }] }),
            "/join/0/on: must compare a field of the joined model with a field of an alias before it, e.g. {\"field\": \"i.order\", \"operator\": \"=\", \"right\": {\"field\": \"o.id\"}}",
        ),
        (
            json!({ "select": number(), "orderBy": [{ "field": "o.number", "as": "number" }] }),
            "/orderBy/0: needs either `field` or `as`",
        ),
        (
            json!({ "select": number(), "orderBy": [{ "as": "numbr" }] }),
            "/orderBy/0/as: unknown column `numbr`, did you mean `number`?",
        ),
        (
            json!({ "select": number(), "distinct": true, "orderBy": [{ "field": "o.total" }] }),
            "/orderBy/0/field: with `distinct`, rows are sorted by selected columns, and `o.total` is none; there are `number`",
        ),
        (
            json!({ "select": [{ "param": "x", "as": "x" }] }),
            "/select/0/param: unknown parameter `x`; this query has none, so write the value",
        ),
        (
            json!({ "select": [] }),
            "/select: needs at least one column",
        ),
    ] {
        assert_eq!(told(&world, parts.clone()).await, expected, "{parts}");
    }
}

async fn groups_and_aggregates_have_their_place(on: On) {
    let world = World::small_on(on).await;
    let sum = json!({ "fn": "sum", "field": "o.total" });
    let above = json!({ "left": sum, "operator": ">", "value": 1 });
    let many = "has many values in a group: name it in groupBy, or take an aggregate of it (count, sum, avg, min, max)";
    for (parts, expected) in [
        (json!({ "select": number(), "where": [above] }), "/where/0/left: `sum` is an aggregate and can't stand in `where`; put the condition into `having`".to_owned()),
        (json!({ "select": number(), "having": [above] }), "/having: is about groups: say in `groupBy` what makes one, or use `where` for records".into()),
        (json!({ "select": [{ "field": "o.number" }, sum] }), format!("/select/0/field: `o.number` {many}")),
        (json!({ "select": [{ "field": "o.status" }, sum], "groupBy": ["o.number"] }), format!("/select/0/field: `o.status` {many}")),
        (json!({ "select": [sum], "groupBy": ["sum_total"] }), "/groupBy/0: `sum_total` is an aggregate and can't be grouped by".into()),
        (json!({ "select": [{ "fn": "max", "args": [sum], "as": "x" }] }), "/select/0/args/0: `sum` is an aggregate and can't stand inside another one".into()),
        (json!({ "select": [sum], "groupBy": ["o.status"], "orderBy": [{ "field": "o.number" }] }), format!("/orderBy/0/field: `o.number` {many}")),
        (json!({ "select": [sum], "groupBy": ["o.status"], "having": [{ "field": "o.number", "operator": "=", "value": "x" }] }), format!("/having/0/field: `o.number` {many}")),
        (json!({ "select": number(), "summaries": [{ "field": "number" }] }), "/summaries/0: must be an aggregate: count, countDistinct, sum, avg, min or max".into()),
        (json!({ "select": [sum], "summaries": [{ "fn": "sum", "field": "o.total" }] }), "/summaries/0/field: unknown column `o.total`, did you mean `sum_total`?".into()),
        (json!({ "select": number(), "summaries": [{ "fn": "count" }, { "fn": "count" }] }), "/summaries/1: the summary `count` is there twice".into()),
        (json!({ "select": [sum], "groupBy": ["o.status"], "having": [{ "exists": { "from": { "model": "product" } } }] }), "/having/0/exists: a sub-query is about records, not groups; put it into `where`".into()),
    ] {
        assert_eq!(told(&world, parts.clone()).await, expected, "{parts}");
    }
}

async fn operands_fit_their_functions(on: On) {
    let world = World::small_on(on).await;
    let calc = |operands: Value| json!({ "calc": { "operator": "*", "operands": operands } });
    let tiny = json!({ "value": "0.0000000001" });
    for (operand, expected) in [
        (
            json!({}),
            "/select/0: must be one of `field`, `value`, `param`, `calc`, `case`, or a `fn`",
        ),
        (
            json!({ "field": "o.total", "value": 1 }),
            "/select/0: must be one of `field`, `value`, `param`, `calc`, `case`, or a `fn`",
        ),
        (
            json!({ "fn": "year", "field": "o.total" }),
            "/select/0: `year` takes a date or datetime; `total` is decimal",
        ),
        (
            json!({ "fn": "hour", "field": "o.ordered_on" }),
            "/select/0: `hour` takes a time or datetime; `ordered_on` is date",
        ),
        (
            json!({ "fn": "truncate", "field": "o.ordered_on" }),
            "/select/0: `truncate` needs a `unit`: year, quarter, month, week, day or hour",
        ),
        (
            json!({ "fn": "truncate", "field": "o.ordered_on", "unit": "hour" }),
            "/select/0: `ordered_on` is date and has no hours",
        ),
        (
            json!({ "fn": "lower", "field": "o.total" }),
            "/select/0: `lower` takes a text; `total` is decimal",
        ),
        (
            json!({ "fn": "lower" }),
            "/select/0: `lower` takes one argument; got 0",
        ),
        (
            json!({ "fn": "sum", "field": "o.total", "args": [{ "value": 1 }] }),
            "/select/0: `sum` takes one argument; got 2",
        ),
        (
            json!({ "fn": "sum", "field": "o.total", "unit": "year" }),
            "/select/0/unit: `sum` takes no `unit`",
        ),
        (
            json!({ "field": "o.total", "digits": 1 }),
            "/select/0/digits: `digits` needs a `fn`",
        ),
        (
            json!({ "fn": "round", "field": "o.total", "digits": 19 }),
            "/select/0: `digits` must be at most 18; got 19",
        ),
        (
            json!({ "fn": "coalesce", "field": "o.note" }),
            "/select/0: `coalesce` takes two or more arguments",
        ),
        (
            json!({ "fn": "coalesce", "field": "o.note", "args": [{ "field": "o.total" }] }),
            "/select/0: `note` is text and `total` is decimal; these can't be put together",
        ),
        (
            json!({ "fn": "coalesce", "field": "o.shipped_on", "args": [{ "value": "someday" }] }),
            "/select/0/args/0/value: must be a date like \"2026-01-31\"; got the string \"someday\"",
        ),
        (
            json!({ "fn": "min", "field": "o.customer" }),
            "/select/0: `min` takes a number, text, date or time; `customer` is many_to_one",
        ),
        (
            calc(json!([{ "field": "o.total" }])),
            "/select/0/calc/operands: needs two or more operands",
        ),
        (
            calc(json!([{ "field": "o.total" }, { "field": "o.number" }])),
            "/select/0/calc/operands/1: `number` is string and can't be calculated with; it takes a number",
        ),
        (
            calc(json!([{ "field": "o.total" }, { "value": "x" }])),
            "/select/0/calc/operands/1/value: must be a decimal as a string, e.g. \"1250\"; got \"x\"",
        ),
        (
            calc(json!([{ "field": "o.total" }, { "value": 1e30 }])),
            "/select/0/calc/operands/1/value: 1e+30 is not exact as a JSON number; write it as a string",
        ),
        (
            calc(json!([tiny, tiny])),
            "/select/0/calc/operands/1: would have 20 decimals; at most 18 are kept, so use `round` first",
        ),
        (
            calc(json!([{ "field": "o.total", "as": "t" }, { "value": 2 }])),
            "/select/0/calc/operands/0/as: only the columns of select and summaries have a name",
        ),
        (
            json!({ "case": { "when": [] } }),
            "/select/0/case/when: needs at least one branch",
        ),
        (
            json!({ "case": { "when": [{ "if": [], "then": { "value": 1 } }] } }),
            "/select/0/case/when/0/if: needs at least one condition",
        ),
        (
            json!({ "value": [1] }),
            "/select/0/value: must be a text, a number or a boolean; got an array",
        ),
        (
            json!({ "value": "a\u{0}b" }),
            "/select/0/value: holds a NUL character, which can't be stored",
        ),
    ] {
        let mut operand = operand;
        operand["as"] = json!("x");
        let parts = json!({ "select": [operand] });
        assert_eq!(told(&world, parts.clone()).await, expected, "{parts}");
    }
}

async fn conditions_are_whole(on: On) {
    let world = World::small_on(on).await;
    let lines = json!({ "from": { "model": "order_line", "as": "l" } });
    for (filter, expected) in [
        (
            json!({}),
            "/where/0/operator: needs an `operator`, or `exists`, or `notExists`",
        ),
        (
            json!({ "operator": "and" }),
            "/where/0/criteria: `and` needs at least one nested condition",
        ),
        (
            json!({ "operator": "or", "field": "o.id", "criteria": [{ "field": "o.id", "operator": "isNull" }] }),
            "/where/0/field: `or` takes no `field`",
        ),
        (
            json!({ "operator": "=", "value": 1 }),
            "/where/0: `=` needs either `field` or `left`",
        ),
        (
            json!({ "field": "o.total", "operator": "=" }),
            "/where/0/value: `=` needs a value; use isNull to find empty ones",
        ),
        (
            json!({ "field": "o.total", "operator": "=", "value": 1, "right": { "value": 1 } }),
            "/where/0: give one of `value`, `param`, `right`, `query`",
        ),
        (
            json!({ "field": "o.total", "operator": "between", "right": { "value": 1 } }),
            "/where/0/right: `between` compares with values alone",
        ),
        (
            json!({ "field": "o.total", "operator": "=", "right": { "field": "o.number" } }),
            "/where/0/right: `total` is decimal and `number` is string; these can't be put together",
        ),
        (
            json!({ "field": "o.ordered_on", "operator": "<", "value": "soon" }),
            "/where/0/value: must be a date like \"2026-01-31\"; got the string \"soon\"; or a relative date: today, -7d, +2w, startOf:month, endOf:year, startOf:month-1m (units d, w, m, y; all in UTC)",
        ),
        (
            json!({ "exists": lines, "field": "o.id" }),
            "/where/0/field: `exists` takes no `field`",
        ),
        (
            json!({ "exists": { "from": { "model": "order", "as": "o" } } }),
            "/where/0/exists/from/as: the alias `o` is there already; choose another one",
        ),
        (
            json!({ "field": "o.id", "operator": "in", "query": lines }),
            "/where/0/query/select: must have one column to compare with; got 0",
        ),
        (
            json!({ "field": "o.id", "operator": "=", "query": lines }),
            "/where/0/query: `=` takes no sub-query; use in, notIn, exists or notExists",
        ),
        (
            json!({ "field": "o.id", "operator": "in", "query": { "from": { "model": "order_line", "as": "l" }, "select": [{ "field": "l.product.name" }] } }),
            "/where/0/query: `id` is integer and `name` is string; these can't be put together",
        ),
    ] {
        let parts = json!({ "select": number(), "where": [filter] });
        assert_eq!(told(&world, parts.clone()).await, expected, "{parts}");
    }
}

async fn depth_and_size_have_limits(on: On) {
    let world = World::small_on(on).await;
    let leaf = json!({ "field": "o.id", "operator": ">", "value": 0 });
    let nest = |depth: usize| {
        let base: QueryInput = input(orders(&json!({ "select": number(), "where": [leaf] })));
        let mut filter = base.filters[0].clone();
        for _ in 1..depth {
            let mut outer: QueryInput = base.clone();
            outer.filters[0] = input(json!({ "operator": "not" }));
            outer.filters[0].criteria = vec![filter];
            filter = outer.filters.remove(0);
        }
        QueryInput {
            filters: vec![filter],
            ..base
        }
    };
    for (depth, fits) in [(8, true), (9, false), (10_000, false)] {
        let mut snapshot = world.snapshot().await;
        let found = query(
            &mut snapshot,
            &world.anna(),
            &nest(depth),
            &Params::default(),
        )
        .await;
        match found {
            Ok(_) => assert!(fits),
            Err(error) => {
                assert!(!fits);
                assert_eq!(error.to_string(), "/where: is nested deeper than 8 levels");
            }
        }
    }
    let deep = format!(
        "{}1{}",
        "{\"operator\":\"not\",\"criteria\":[".repeat(10_000),
        "]}".repeat(10_000)
    );
    let text = format!("{{\"from\":{{\"model\":\"order\"}},\"select\":[],\"where\":[{deep}]}}");
    let error = serde_json::from_str::<QueryInput>(&text).unwrap_err();
    assert!(error.to_string().contains("recursion limit"), "{error}");
    let joins = vec![json!({ "field": "o.customer" }); 9];
    let columns = vec![json!({ "field": "o.id" }); 41];
    let exists = json!({ "exists": { "from": { "model": "product", "as": "p" } } });
    for (parts, expected) in [
        (
            json!({ "select": number(), "join": joins }),
            "/join: has 9 entries; at most 8 are taken",
        ),
        (
            json!({ "select": columns }),
            "/select: has 41 entries; at most 40 are taken",
        ),
        (
            json!({ "select": number(), "where": vec![exists; 6] }),
            "the query has more than 5 sub-queries",
        ),
        (
            json!({ "select": number(), "where": vec![leaf.clone(); 300] }),
            "the query has more than 300 conditions and operands; use `in` with a list, or several queries",
        ),
        (
            json!({ "select": number(), "offset": 1_000_001 }),
            "/offset: must be at most 1000000; narrow `where` instead",
        ),
    ] {
        assert_eq!(told(&world, parts).await, expected);
    }
    let mut wide = number();
    for _ in 0..7 {
        wide = json!([{ "calc": { "operator": "/", "operands": [wide[0], { "value": 2 }] }, "as": "x" }]);
        wide[0]["calc"]["operands"][0]
            .as_object_mut()
            .unwrap()
            .remove("as");
    }
    let text = wide.to_string().replace("o.number", "o.total");
    let wide: Value = serde_json::from_str(&text).unwrap();
    let told = told(&world, json!({ "select": wide })).await;
    assert!(
        told.contains("is too large a calculation; make it simpler"),
        "{told}"
    );
}

async fn sql_in_names_and_values_is_only_text(on: On) {
    let world = World::small_on(on).await;
    let manager = world.manager();
    for name in [
        "order\"; DROP TABLE d_acme_order; --",
        "tc_users",
        "d_acme_order",
        "sqlite_master",
        "*",
        "",
        "o\u{0}",
    ] {
        let query =
            json!({ "from": { "model": name, "as": "o" }, "select": [{ "field": "o.id" }] });
        let told = world.query_error(&manager, query).await;
        assert!(told.starts_with("/from/model: unknown model"), "{told}");
        let query = orders(&json!({ "select": [{ "field": format!("o.{name}") }] }));
        let told = world.query_error(&manager, query).await;
        assert!(told.starts_with("/select/0/field: unknown "), "{told}");
    }
    for name in [
        "x\" FROM tc_users; --",
        "'; DROP TABLE d_acme_order; --",
        "имя",
        "rowid",
        "select",
    ] {
        let query = orders(
            &json!({ "select": [{ "field": "o.id", "as": name }], "groupBy": [name], "orderBy": [{ "as": name }], "limit": 1 }),
        );
        let answer = world.query(&manager, query).await.unwrap();
        assert_eq!(answer["rows"], json!([{ (name): 1 }]));
    }
    for value in ["x'; DELETE FROM d_acme_order; --", "%", "_", "\\", "ß", "🛠"] {
        for operator in ["=", "contains", "startsWith", "like"] {
            let filter = json!({ "field": "o.note", "operator": operator, "value": value });
            let query = orders(
                &json!({ "select": [{ "field": "o.id" }, { "value": value, "as": "v" }], "where": [filter] }),
            );
            assert_eq!(world.rows(&manager, query).await, [] as [Vec<Value>; 0]);
        }
    }
    let note = json!({ "model": "order", "id": 2, "values": { "note": "50% off" } });
    world.update(&manager, note).await.unwrap();
    for (operator, value, found) in [
        ("contains", "0%", 1),
        ("contains", "_", 0),
        ("startsWith", "%", 0),
        ("like", "5_\\% o%", 1),
    ] {
        let filter = json!({ "field": "o.note", "operator": operator, "value": value });
        let query = orders(&json!({ "select": [{ "fn": "count" }], "where": [filter] }));
        assert_eq!(
            world.rows(&manager, query).await,
            [[json!(found)]],
            "{operator} {value}"
        );
    }
    assert_eq!(
        world.ids(&manager, json!({ "model": "order" })).await,
        [1, 2, 3]
    );
}
