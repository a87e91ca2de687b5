//! The examples of the user pages.

use serde_json::{Value, json};
use toolcrib_data::records::{Catalog, Grants, sample};

use crate::support::{World, files};

const PAGE: &str = include_str!("../../../../docs/data-models.md");

/// The examples of one language, in their order.
fn examples(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    PAGE.split(fence.as_str())
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect()
}

#[test]
fn the_files_are_sound() {
    let [model, role] = examples("yaml")[..] else {
        panic!("a model and a role")
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
    let [filter] = examples("json")[..] else {
        panic!("one filter")
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
