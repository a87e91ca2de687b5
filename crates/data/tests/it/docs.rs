//! The examples of the user pages.

use serde_json::{Value, json};
use toolcrib_data::records::{Catalog, Grants, SavedQueries, sample};

use crate::support::{World, files};

const MODELS: &str = include_str!("../../../../docs/data-models.md");
const RIGHTS: &str = include_str!("../../../../docs/rights.md");
const QUERIES: &str = include_str!("../../../../docs/queries.md");

/// The examples of one language, in their order.
fn examples(page: &'static str, language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    page.split(fence.as_str())
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect()
}

#[test]
fn the_files_are_sound() {
    let [model] = examples(MODELS, "yaml")[..] else {
        panic!("a model")
    };
    let [role] = examples(RIGHTS, "yaml")[..] else {
        panic!("a role")
    };
    assert!(
        model.starts_with("# models/order.yaml") && role.starts_with("# permissions/sales.yaml")
    );
    let mut list: Vec<(&str, &str)> = sample::FILES.to_vec();
    list.retain(|(path, _)| path.starts_with("models/") && *path != "models/order.yaml");
    list.push(("models/order.yaml", model));
    list.push(("permissions/sales.yaml", role));
    let list = files(&list);
    let catalog = Catalog::load(&list).unwrap();
    let roles: Vec<String> = Grants::load(&list, &catalog)
        .unwrap()
        .roles()
        .map(str::to_owned)
        .collect();
    assert_eq!(roles, ["sales"]);
}

#[tokio::test]
async fn the_filter_finds() {
    let world = World::small().await;
    let [filter, _] = examples(QUERIES, "json")[..] else {
        panic!("a filter and a query")
    };
    let criteria: Value = serde_json::from_str(filter).unwrap();
    assert_eq!(
        world
            .ids(
                &world.manager(),
                json!({ "model": "order", "criteria": criteria })
            )
            .await,
        [2]
    );
}

#[tokio::test]
async fn the_query_answers() {
    let world = World::small().await;
    let [_, query] = examples(QUERIES, "json")[..] else {
        panic!("a filter and a query")
    };
    let query: Value = serde_json::from_str(query).unwrap();
    let answer = world.query(&world.manager(), query).await.unwrap();
    assert_eq!(
        answer["rows"],
        json!([
            { "country": "de", "revenue": "150.50", "orders": 2 },
            { "country": "fr", "revenue": "75.00", "orders": 1 },
        ])
    );
    assert_eq!(answer["summaries"], json!({ "all": "225.50" }));
}

#[test]
fn the_saved_queries_are_sound() {
    let [saved] = examples(QUERIES, "yaml")[..] else {
        panic!("one saved query")
    };
    assert!(saved.starts_with("# queries/late_orders.yaml"));
    let mut list = sample::FILES.to_vec();
    list.push(("queries/late_orders.yaml", saved));
    let list = files(&list);
    let catalog = std::sync::Arc::new(Catalog::load(&list).unwrap());
    let queries = SavedQueries::load(&list, &catalog).unwrap();
    let names: Vec<&str> = queries.all().map(|query| query.name.as_str()).collect();
    assert_eq!(names, ["late_orders", "revenue_by_country"]);
}
