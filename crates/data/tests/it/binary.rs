//! Files in records: told of, never in an answer, and handed over to who may read them.

use serde_json::{Value, json};
use toolcrib_data::records::{self, Access, FileContent, Write};

use crate::databases::On;
use crate::support::{World, input};

on_each!(
    a_file_is_told_of_and_its_content_handed_over,
    what_may_not_be_read_is_as_if_there_were_no_file,
    a_file_is_replaced_and_taken_away,
    a_file_is_asked_for_by_whether_there_is_one,
    an_approval_tells_of_the_file_and_not_what_is_in_it,
);

const MODEL: (&str, &str) = (
    "models/product.yaml",
    "name: product\ndisplay: name\nfields:\n  name: { type: string }\n  photo: { type: binary, length: 300, media_types: [image/png, image/gif] }\n  notes: { type: binary }\n",
);
const ALL: (&str, &str) = (
    "permissions/all.yaml",
    "role: all\ngrants:\n  - { models: '*', operations: '*' }\n",
);
const SOME: (&str, &str) = (
    "permissions/some.yaml",
    "role: some\ngrants:\n  - { models: product, operations: read, read_fields: [name, photo], where: { field: name, operator: '!=', value: B } }\n",
);
/// All bytes that there are, which is no text.
fn bytes() -> Vec<u8> {
    (0..=255).collect()
}

fn base64(bytes: &[u8]) -> String {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for part in bytes.chunks(3) {
        let number = part
            .iter()
            .fold(0_u32, |sum, byte| sum * 256 + u32::from(*byte))
            << (8 * (3 - part.len()));
        for at in 0..4 {
            let letter = letters[(number >> (18 - 6 * at)) as usize & 63];
            out.push(if at > part.len() { '=' } else { letter.into() });
        }
    }
    out
}

fn png() -> Value {
    json!({ "name": "fröhlich.png", "mediaType": "image/png", "base64": base64(&bytes()) })
}

/// Products A and B with a photo, and C without.
async fn world(on: On) -> (World, Access, Access) {
    let world = World::on(on, &[MODEL, ALL, SOME]).await;
    let (all, some) = (
        world.access("all@x", &["all"]),
        world.access("some@x", &["some"]),
    );
    let records =
        json!([{ "name": "A", "photo": png() }, { "name": "B", "photo": png() }, { "name": "C" }]);
    world
        .create(&all, json!({ "model": "product", "records": records }))
        .await;
    (world, all, some)
}

/// What is told of a photo: a database of others keeps the content alone.
fn told(on: On, id: i64, bytes: usize) -> Value {
    let href = format!("/api/records/product/{id}/files/photo");
    match on {
        On::Main | On::MainPostgres => {
            json!({ "name": "fröhlich.png", "mediaType": "image/png", "bytes": bytes, "sha256": "40aff2e9d2d8922e47afd4648e6967497158785fbd1da870e7110266bf944880", "href": href })
        }
        _ => json!({ "mediaType": "application/octet-stream", "bytes": bytes, "href": href }),
    }
}

async fn file(world: &World, access: &Access, id: &str, field: &str) -> Option<FileContent> {
    let mut snapshot = world.snapshot().await;
    records::file(&mut snapshot, access, ("product", id, field))
        .await
        .unwrap()
}

async fn a_file_is_told_of_and_its_content_handed_over(on: On) {
    let (world, all, _) = world(on).await;
    let read = json!({ "model": "product", "ids": [1, 3] });
    assert_eq!(
        world.read(&all, read).await.unwrap()["records"],
        json!([
            { "id": 1, "name": "A", "photo": { "file": told(on, 1, 256) }, "notes": null },
            { "id": 3, "name": "C", "photo": null, "notes": null },
        ])
    );
    let found = file(&world, &all, "1", "photo").await.unwrap();
    assert_eq!(found.bytes, bytes());
    let (name, media_type) = match on {
        On::Main | On::MainPostgres => ("fröhlich.png", "image/png"),
        _ => ("photo", "application/octet-stream"),
    };
    assert_eq!(
        (found.name.as_str(), found.media_type.as_str()),
        (name, media_type)
    );
    // Text is handed over as it is, and nothing is something.
    let values = json!({ "name": "D", "notes": "data:text/plain;base64,aMOkIA==", "photo": { "base64": "", "mediaType": "image/gif" } });
    world
        .create(&all, json!({ "model": "product", "values": values }))
        .await;
    let notes = file(&world, &all, "4", "notes").await.unwrap();
    assert_eq!(notes.bytes, "hä ".as_bytes());
    let photo = file(&world, &all, "4", "photo").await.unwrap();
    assert_eq!(photo.bytes, Vec::<u8>::new());
}

async fn what_may_not_be_read_is_as_if_there_were_no_file(on: On) {
    let (world, _, some) = world(on).await;
    assert!(file(&world, &some, "1", "photo").await.is_some());
    for (id, field) in [
        ("2", "photo"),
        ("3", "photo"),
        ("9", "photo"),
        ("x", "photo"),
        ("1", "notes"),
        ("1", "name"),
        ("1", "foto"),
    ] {
        assert_eq!(file(&world, &some, id, field).await, None, "{id} {field}");
    }
    let nobody = world.access("no@x", &[]);
    assert_eq!(file(&world, &nobody, "1", "photo").await, None);
}

async fn a_file_is_replaced_and_taken_away(on: On) {
    let (world, all, _) = world(on).await;
    let set = |photo: Value| json!({ "model": "product", "id": 1, "values": { "photo": photo } });
    let other = json!({ "mediaType": "image/gif", "name": "b.gif", "base64": "aGk=" });
    let answer = world.update(&all, set(other)).await.unwrap();
    let change = &answer["records"][0]["changes"][0];
    let mut before = told(on, 1, 256);
    before.as_object_mut().unwrap().shift_remove("href");
    assert_eq!(change["before"], json!({ "file": before }));
    assert_eq!(change["after"]["file"]["bytes"], json!(2));
    let found = file(&world, &all, "1", "photo").await.unwrap();
    assert_eq!(found.bytes, b"hi");
    // What is not set stays.
    let name = json!({ "model": "product", "id": 1, "values": { "name": "AA" } });
    world.update(&all, name).await.unwrap();
    assert!(file(&world, &all, "1", "photo").await.is_some());
    let error = world
        .update(&all, set(json!("data:text/plain;base64,aGk=")))
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "/values/photo: must be one of image/png, image/gif; got text/plain"
    );
    let large = json!({ "mediaType": "image/png", "base64": base64(&[0; 301]) });
    let error = world.update(&all, set(large)).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "/values/photo: is larger than 300 bytes, the most that is kept"
    );
    world.update(&all, set(Value::Null)).await.unwrap();
    assert_eq!(file(&world, &all, "1", "photo").await, None);
}

async fn a_file_is_asked_for_by_whether_there_is_one(on: On) {
    let (world, all, some) = world(on).await;
    let with =
        json!({ "model": "product", "criteria": { "field": "photo", "operator": "isNotNull" } });
    assert_eq!(world.ids(&all, with.clone()).await, [1, 2]);
    assert_eq!(world.ids(&some, with).await, [1]);
    let equal = json!({ "model": "product", "criteria": { "field": "photo", "operator": "=", "value": "x" } });
    assert_eq!(
        world.search_error(&all, equal).await,
        "/criteria/operator: `photo` is binary and can't be compared with `=`; it takes isNull isNotNull"
    );
    let order = json!({ "model": "product", "order": [{ "field": "photo" }] });
    assert_eq!(
        world.search_error(&all, order).await,
        "/order/0/field: `photo` is binary and can't be sorted by"
    );
    let ask = |select: Value, more: Value| {
        let mut query = json!({ "from": { "model": "product", "as": "p" }, "select": [select] });
        query
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        query
    };
    let count = ask(
        json!({ "fn": "count", "field": "p.photo", "as": "n" }),
        json!({ "where": [{ "field": "p.photo", "operator": "isNotNull" }] }),
    );
    assert_eq!(world.rows(&all, count).await, [[json!(2)]]);
    for (select, more) in [
        (json!({ "fn": "min", "field": "p.photo" }), json!({})),
        (
            json!({ "fn": "countDistinct", "field": "p.photo" }),
            json!({}),
        ),
        (
            json!({ "fn": "length", "field": "p.photo", "as": "n" }),
            json!({}),
        ),
        (
            json!({ "field": "p.photo" }),
            json!({ "groupBy": ["p.photo"] }),
        ),
        (
            json!({ "field": "p.photo" }),
            json!({ "orderBy": [{ "field": "p.photo" }] }),
        ),
    ] {
        let query = ask(select, more);
        let error = world.query_error(&all, query.clone()).await;
        assert!(error.contains("binary"), "{query}: {error}");
    }
}

async fn an_approval_tells_of_the_file_and_not_what_is_in_it(on: On) {
    let (world, all, _) = world(on).await;
    let wanted = input(json!({ "model": "product", "id": 3, "values": { "photo": png() } }));
    let plan = records::plan(&mut world.snapshot().await, &all, Write::Update(&wanted))
        .await
        .unwrap();
    let change = &plan.changes[0].fields[0];
    assert_eq!(change.before, None);
    assert_eq!(change.after.as_deref(), Some("fröhlich.png (256 bytes)"));
    let mut unit = world.unit().await;
    let swap = json!({ "model": "product", "id": 3, "values": { "photo": { "mediaType": "image/gif", "base64": "aGk=" } } });
    records::update(&mut unit, &all, &input(swap))
        .await
        .unwrap();
    let checked =
        records::check_unchanged(&mut unit, &all, Write::Update(&wanted), &plan.fingerprint).await;
    assert!(
        checked
            .unwrap_err()
            .to_string()
            .contains("C has been changed")
    );
}
