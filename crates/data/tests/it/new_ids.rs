//! Records that are made again, after what made them first was undone, keep their ids.

use serde_json::{Value, json};
use toolcrib_data::Unit;
use toolcrib_data::records::Access;

use crate::databases::On;
use crate::odd_tables::made;
use crate::support::World;

on_each!(records_made_again_keep_their_ids);
on_each_other!(ids_of_any_kind_are_kept);

async fn create(world: &World, unit: &mut Unit, access: &Access, value: Value) -> Vec<Value> {
    let made = world.create_in(unit, access, value).await.unwrap();
    let records = made["records"].as_array().unwrap().iter();
    records.map(|record| record["id"].clone()).collect()
}

async fn records_made_again_keep_their_ids(on: On) {
    let world = World::small_on(on).await;
    let manager = world.manager();
    let product = |sku: &str| json!({ "sku": sku, "name": sku, "category": "tools", "price": 1 });
    let several =
        json!({ "model": "product", "records": [product("C"), product("A"), product("B")] });
    let mut unit = world.unit().await;
    let first = create(&world, &mut unit, &manager, several.clone()).await;
    let given = unit.take_given();
    assert_eq!(given, first);
    assert!(unit.take_given().is_empty(), "they are told once");
    drop(unit);
    let mut unit = world.unit().await;
    unit.give_again(given);
    let again = create(&world, &mut unit, &manager, several).await;
    assert_eq!(again, first);
    let one = json!({ "model": "product", "values": product("D") });
    let next = create(&world, &mut unit, &manager, one).await;
    assert!(!first.contains(&next[0]), "{next:?} is new");
    drop(unit);
    // An id that somebody else has got in the meantime is not to be had again.
    let taken = json!({ "model": "product", "values": product("E") });
    let mut unit = world.unit().await;
    unit.give_again(vec![json!(1)]);
    assert!(world.create_in(&mut unit, &manager, taken).await.is_err());
}

async fn ids_of_any_kind_are_kept(on: On) {
    let tables: &[&str] = match on {
        On::Main | On::Sqlite => &["CREATE TABLE counted (id INTEGER PRIMARY KEY, v INTEGER)"],
        On::Postgres | On::MainPostgres => &[
            "CREATE TABLE counted (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, v int)",
            "CREATE TABLE named (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), v int)",
            "CREATE TABLE \"odd) VALUES (\" (\"it's\" serial PRIMARY KEY, \") VALUES (\" int, v int)",
        ],
        On::Mysql => &[
            "CREATE TABLE counted (id int AUTO_INCREMENT PRIMARY KEY, v int)",
            "CREATE TABLE named (id uuid PRIMARY KEY DEFAULT uuid(), v int)",
        ],
    };
    let script: Vec<String> = tables.iter().map(|table| (*table).to_owned()).collect();
    let world = made(on, &script).await;
    let user = world.access("u@x", &["all"]);
    for model in world.catalog.models() {
        let value = json!({ "model": model.name, "values": { "v": 7 } });
        let mut unit = world.unit().await;
        let first = create(&world, &mut unit, &user, value.clone()).await;
        let given = unit.take_given();
        drop(unit);
        let mut unit = world.unit().await;
        unit.give_again(given);
        let again = create(&world, &mut unit, &user, value).await;
        assert_eq!(again, first, "{}", model.name);
    }
}
