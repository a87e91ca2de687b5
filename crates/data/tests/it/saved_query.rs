//! Saved queries: loaded from files, run by name with typed parameters.

use std::sync::Arc;

use serde_json::{Value, json};
use toolcrib_data::records::{
    Access, Catalog, RecordError, SavedQueries, TitleOf, query_saved, sample, title,
};

use crate::support::{World, files};

const REVENUE: &str = "\
name: revenue
description: What the orders since a day come to, by status.
params:
  since: { type: date, default: 'startOf:year' }
  status: { type: string }
  least: { type: decimal, required: true, title: Least total }
query:
  from: { model: order, as: o }
  select:
    - { field: o.status }
    - { fn: sum, field: o.total, as: revenue }
    - { param: least, as: least }
  where:
    - { field: o.ordered_on, operator: '>=', param: since }
    - { field: o.total, operator: '>=', param: least }
    - { field: o.status, operator: '=', param: status }
  groupBy: [status, least]
";

const MARGIN: &str =
    "name: margin\nquery:\n  from: { model: order, as: o }\n  select: [{ field: o.margin }]\n";

fn load(world: &World, list: &[(&str, &str)]) -> SavedQueries {
    SavedQueries::load(&files(list), &world.catalog).unwrap()
}

async fn run(
    world: &World,
    access: &Access,
    queries: &SavedQueries,
    name: &str,
    params: Value,
) -> Result<Value, RecordError> {
    let mut snapshot = world.store.snapshot().await?;
    let params = params.as_object().unwrap();
    query_saved(&mut snapshot, access, queries, name, (params, Some(100))).await
}

#[tokio::test]
async fn a_saved_query_runs_with_its_parameters() {
    let world = World::small().await;
    let queries = load(
        &world,
        &[
            ("queries/revenue.yaml", REVENUE),
            ("queries/deep/x.yaml", "]"),
        ],
    );
    let manager = world.manager();
    let known: Vec<&str> = queries
        .known(&manager)
        .map(|query| query.title.as_str())
        .collect();
    assert_eq!(known, ["Revenue"]);
    let row = |status: &str, revenue: &str| json!({ "status": status, "revenue": revenue, "least": "60" });
    for (params, expected) in [
        (
            json!({ "least": "60" }),
            vec![row("confirmed", "75.00"), row("draft", "100.00")],
        ),
        (
            json!({ "least": "60", "since": null, "status": null }),
            vec![row("confirmed", "75.00"), row("draft", "100.00")],
        ),
        (
            json!({ "least": "60", "status": "draft" }),
            vec![row("draft", "100.00")],
        ),
        (
            json!({ "least": "60", "since": "2026-03-10" }),
            vec![row("draft", "100.00")],
        ),
        (json!({ "least": "60", "since": "today" }), vec![]),
    ] {
        let answer = run(&world, &manager, &queries, "revenue", params.clone())
            .await
            .unwrap();
        assert_eq!(answer["rows"], json!(expected), "{params}");
        assert_eq!(answer["limit"], json!(100));
    }
}

#[tokio::test]
async fn parameters_are_read_strictly() {
    let world = World::small().await;
    let queries = load(&world, &[("queries/revenue.yaml", REVENUE)]);
    for (params, expected) in [
        (json!({}), "/params/least: is required"),
        (json!({ "least": null }), "/params/least: is required"),
        (
            json!({ "least": "much", "since": 5, "statu": "x" }),
            "/params/statu: unknown parameter `statu`, did you mean `status`?\n\
             /params/since: must be a date like \"2026-01-31\"; got the number 5\n\
             /params/least: must be a decimal as a string, e.g. \"1250\"; got \"much\"",
        ),
        (
            json!({ "least": "1.234" }),
            "/params/least: has 3 decimals; at most 2 are kept",
        ),
        (
            json!({ "least": 1, "status": "drft" }),
            "/params/status: must be one of \"draft\", \"confirmed\", \"shipped\", \"delivered\", \"cancelled\"; got \"drft\", did you mean \"draft\"?",
        ),
    ] {
        let error = run(&world, &world.manager(), &queries, "revenue", params)
            .await
            .unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

#[tokio::test]
async fn a_saved_query_gives_no_rights() {
    let world = World::small().await;
    let list = [
        ("queries/revenue.yaml", REVENUE),
        ("queries/margin.yaml", MARGIN),
    ];
    let queries = load(&world, &list);
    let nobody = world.access("x@x", &[]);
    let anna = world.anna();
    let answer = run(&world, &anna, &queries, "revenue", json!({ "least": 0 }))
        .await
        .unwrap();
    assert_eq!(
        answer["rows"].as_array().unwrap().len(),
        2,
        "Bob's order is not hers"
    );
    let told = run(&world, &anna, &queries, "margin", json!({}))
        .await
        .unwrap_err();
    assert_eq!(
        told.to_string(),
        "/queryName: the query `margin` uses records or fields that you may not read"
    );
    for name in ["revenue", "made_up"] {
        let told = run(&world, &nobody, &queries, name, json!({}))
            .await
            .unwrap_err();
        assert_eq!(
            told.to_string(),
            format!("/queryName: unknown query `{name}`")
        );
    }
    let told = run(&world, &anna, &queries, "revenu", json!({}))
        .await
        .unwrap_err();
    assert_eq!(
        told.to_string(),
        "/queryName: unknown query `revenu`, did you mean `revenue`?"
    );
}

#[test]
fn every_mistake_in_a_query_is_told_with_its_place() {
    let text = "\
name: Bad name
tittle: x
params:
  since: { type: dat }
  many: { type: integer, default: x }
  day: { type: date }
query:
  from: { model: order, as: o }
  join:
    - { field: o.custmer, as: c }
  select:
    - { field: o.nmber }
  where:
    - { field: o.total, operator: '=', param: day }
    - { field: o.total, operator: in, param: many }
    - { field: o.total, operator: '=', param: mny }
";
    let catalog = Arc::new(Catalog::load(&files(sample::FILES)).unwrap());
    let told = |list: &[(&str, &str)]| -> Vec<String> {
        let problems = SavedQueries::load(&files(list), &catalog).unwrap_err();
        problems.iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        told(&[("queries/x.yaml", text)]),
        [
            "queries/x.yaml:1:7: `Bad name` is no name: use a-z, 0-9 and _, beginning with a letter",
            "queries/x.yaml:2:1: a query has no key `tittle`, did you mean `title`?",
            "queries/x.yaml:4:18: unknown type `dat` of a parameter, did you mean `date` or `datetime`?",
            "queries/x.yaml:5:35: `default` must be a whole number, e.g. 42; got the string \"x\"",
            "queries/x.yaml:10:16: unknown field `custmer` of `order`, did you mean `customer`?",
            "queries/x.yaml:12:16: unknown field `nmber` of `order`, did you mean `number`?",
            "queries/x.yaml:14:47: `total` is decimal and `day` is date; these can't be put together",
            "queries/x.yaml:15:46: `in` takes no `param` here",
            "queries/x.yaml:16:47: unknown parameter `mny`, did you mean `many`?",
        ]
    );
    let odd = "name: a\nquery:\n  from: { model: order }\n  select: [{ feld: id }]\n";
    assert_eq!(
        told(&[("queries/a.yaml", odd), ("queries/b.yaml", "name: b\n")]),
        [
            "queries/a.yaml:4:14: `query` can't be read: unknown field `feld`, expected one of `field`, `value`, `param`, `calc`, `case`, `fn`, `args`, `unit`, `digits`, `as`",
            "queries/b.yaml:1:1: `query` is missing",
        ]
    );
    let margin = MARGIN;
    assert_eq!(
        told(&[("queries/a.yaml", margin), ("queries/b.yml", margin)]),
        ["queries/b.yml:1:7: the query `margin` is there twice"]
    );
}

#[tokio::test]
async fn a_query_is_known_only_where_every_model_in_it_is() {
    const LATE: &str = "\
name: late
query:
  from: { model: order, as: o }
  select: [{ field: o.number }]
  where:
    - exists:
        from: { model: invoice, as: i }
        where: [{ field: i.order, operator: '=', right: { field: o.id } }]
";
    let world = World::with(
        &[
            sample::FILES,
            &[(
                "permissions/clerk.yaml",
                "role: clerk\ngrants: [{ models: order, operations: [read] }]\n",
            )],
        ]
        .concat(),
    )
    .await;
    let queries = load(&world, &[("queries/late.yaml", LATE)]);
    assert_eq!(queries.known(&world.manager()).count(), 1);
    let clerk = world.access("c@x", &["clerk"]);
    assert_eq!(
        queries.known(&clerk).count(),
        0,
        "the name of a query tells of what it is about"
    );
    let error = run(&world, &clerk, &queries, "late", json!({}))
        .await
        .unwrap_err();
    assert_eq!(error.to_string(), "/queryName: unknown query `late`");
}

#[tokio::test]
async fn a_query_keeps_its_own_limit() {
    let world = World::small().await;
    let one = "name: one\nquery:\n  from: { model: order, as: o }\n  select: [{ field: o.number }]\n  limit: 1\n";
    let queries = load(&world, &[("queries/one.yaml", one)]);
    let answer = run(&world, &world.manager(), &queries, "one", json!({}))
        .await
        .unwrap();
    assert_eq!(answer["rows"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_title_names_a_hidden_model_as_one_that_is_made_up() {
    let world = World::small().await;
    let title = |access: &Access, model: &str| {
        let input = json!({ "model": model });
        let input = serde_json::from_value(input).unwrap();
        title(access, TitleOf::Search(&input))
    };
    let nobody = world.access("x@x", &[]);
    assert_eq!(title(&nobody, "invoice"), "Search invoice records");
    assert_eq!(title(&nobody, "invoyce"), "Search invoyce records");
    assert_eq!(title(&world.manager(), "invoice"), "Search invoices");
}

#[tokio::test]
async fn a_saved_query_that_no_longer_fits_or_whose_name_a_file_has_is_left_out() {
    let world = World::small().await;
    let files = load(&world, &[("queries/margin.yaml", MARGIN)]);
    let sound = json!({ "name": "sound", "query": { "from": { "model": "order" }, "select": [{ "field": "number" }] } });
    let mut gone = sound.clone();
    gone["name"] = json!("gone");
    gone["query"]["select"][0]["field"] = json!("numbr");
    let mut taken = sound.clone();
    taken["name"] = json!("margin");
    let all = files.and([&sound, &gone, &taken, &json!("text")], &world.catalog);
    let names: Vec<&str> = all.all().map(|query| query.name.as_str()).collect();
    assert_eq!(names, ["margin", "sound"]);
    assert!(all.has("margin") && !all.has("gone"));
    let margin = all.all().next().unwrap();
    assert_eq!(margin.query.select[0].field.as_deref(), Some("o.margin"));
}
