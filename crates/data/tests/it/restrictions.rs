//! What restrictions keep from language models: two shops that differ in nothing but kept values
//! look the same to a reader that they are kept from.

use serde_json::{Value, json};
use toolcrib_data::records::{
    Access, Audience, Catalog, Form, MARKER, Recipient, RecordError, Restrictions, Tags, TagsOf,
    WorkspaceFile, sample,
};

use crate::support::{World, files, input};

const PROVIDERS: &[&str] = &["openai", "openai-responses", "anthropic", "gemini"];
const EMAILS: &str = "restrictions:\n  - { model: customer, fields: [email, name] }\n";
const OPENAI: Audience<'_> = Audience::LanguageModel { provider: "openai" };

fn load(catalog: &Catalog, text: &str) -> Result<Restrictions, Vec<String>> {
    let file = WorkspaceFile {
        path: "restrictions.yaml".to_owned(),
        text: text.to_owned(),
    };
    let loaded = Restrictions::load(&file, catalog, PROVIDERS);
    loaded.map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

fn masked(world: &World, rules: &str, output: Value, tags: Option<&Tags>) -> (Value, Vec<String>) {
    let restrictions = load(&world.catalog, rules).unwrap();
    let reader = Recipient {
        restrictions: &restrictions,
        catalog: &world.catalog,
        audience: OPENAI,
    };
    let (output, withheld) = reader.output(output, tags, Form::Whole);
    (output, withheld.fields().map(str::to_owned).collect())
}

/// What a language model receives of a query.
async fn queried(world: &World, query: Value) -> Value {
    let output = world.query(&world.manager(), query.clone()).await.unwrap();
    let tags = Tags::of(&world.catalog, TagsOf::Query(&input(query)), &output);
    masked(world, EMAILS, output, Some(&tags)).0
}

/// The small shop, with other names and addresses of its customers.
async fn other_shop() -> World {
    let world = World::small().await;
    for (id, name) in [(1, "Zoe"), (2, "Yves"), (3, "Xaver")] {
        let values = json!({ "name": name, "email": format!("{name}@z.example") });
        let update = json!({ "model": "customer", "id": id, "values": values });
        let manager = world.manager();
        world.update(&manager, update).await.unwrap();
    }
    world
}

#[test]
fn the_file_is_checked_with_the_place_of_each_mistake() {
    let catalog = Catalog::load(&files(sample::FILES)).unwrap();
    let text = "\
restrictions:
  - { model: custmer, fields: [email] }
  - { model: customer, fields: [emial], providers: [opnai] }
  - { model: invoice, feilds: [total] }
  - { fields: [x] }
  - { model: order, fields: [] }
  - { model: customer, fields: [orders] }
";
    assert_eq!(
        load(&catalog, text).unwrap_err(),
        [
            "restrictions.yaml:2:14: unknown model `custmer`, did you mean `customer`?",
            "restrictions.yaml:3:33: unknown field `emial`, did you mean `email`?",
            "restrictions.yaml:3:53: unknown provider `opnai`, did you mean `openai` or `openai-responses`?",
            "restrictions.yaml:4:23: a restriction has no key `feilds`, did you mean `fields`?",
            "restrictions.yaml:5:5: `model` is missing",
            "restrictions.yaml:6:29: `fields` names nothing; leave it out for all",
            "restrictions.yaml:7:33: unknown field `orders`; there are `id`, `name`, `email`, `city`, `country`, `sales_person`, `since`, `credit_limit`, `version`",
        ]
    );
    let problem = |text: &str| load(&catalog, text).unwrap_err().remove(0);
    let both = load(&catalog, "restriction: []").unwrap_err();
    assert_eq!(
        both,
        [
            "restrictions.yaml:1:1: `restrictions` is missing",
            "restrictions.yaml:1:1: the file has no key `restriction`, did you mean `restrictions`?",
        ]
    );
    assert_eq!(
        problem("restrictions: none"),
        "restrictions.yaml:1:15: `restrictions` must be a list"
    );
}

#[tokio::test]
async fn a_kept_field_is_masked_in_records_and_nothing_else_is() {
    let world = World::small().await;
    let manager = world.manager();
    let read = json!({ "model": "customer", "id": 1, "fields": ["email", "city"] });
    let output = world.read(&manager, read).await.unwrap();
    let tags = Tags::of(&world.catalog, TagsOf::Records("customer"), &output);
    let (seen, fields) = masked(&world, EMAILS, output, Some(&tags));
    assert_eq!(
        seen["records"],
        json!([{ "id": 1, "email": MARKER, "city": "Ada" }])
    );
    assert_eq!(fields, ["customer.email"]);
    let read =
        json!({ "model": "order", "id": 1, "fields": ["number", "customer", "customer.email"] });
    let output = world.read(&manager, read).await.unwrap();
    let tags = Tags::of(&world.catalog, TagsOf::Records("order"), &output);
    let (seen, _) = masked(&world, EMAILS, output, Some(&tags));
    let record = json!({
        "id": 1, "number": "SO-1", "customer": { "id": 1, "display": MARKER }, "customer.email": MARKER,
    });
    assert_eq!(
        seen["records"],
        json!([record]),
        "a display name is a value"
    );
    let update =
        json!({ "model": "customer", "id": 1, "values": { "name": "Eve", "city": "Bonn" } });
    let output = world.update(&manager, update).await.unwrap();
    let tags = Tags::of(&world.catalog, TagsOf::Changes("customer"), &output);
    let (seen, _) = masked(&world, EMAILS, output, Some(&tags));
    assert_eq!(
        seen["records"][0]["changes"],
        json!([
            { "field": "name", "before": MARKER, "after": MARKER },
            { "field": "city", "before": "Ada", "after": "Bonn" },
        ])
    );
}

#[tokio::test]
async fn whatever_is_made_of_a_kept_field_is_masked() {
    let (world, other) = (World::small().await, other_shop().await);
    let of =
        |select: Value| json!({ "from": { "model": "customer", "as": "c" }, "select": select });
    let case = json!({ "when": [{ "if": [{ "field": "c.name", "operator": "startsWith", "value": "A" }], "then": { "value": 1 } }], "else": { "value": 0 } });
    let exists = json!({ "when": [{ "if": [{ "exists": { "from": { "model": "customer", "as": "d" },
        "where": [{ "field": "d.email", "operator": "contains", "value": "ada" }, { "field": "d.id", "operator": "=", "right": { "field": "c.id" } }] } }], "then": { "value": 1 } }] });
    let queries = [
        of(
            json!([{ "field": "c.id" }, { "field": "c.email" }, { "field": "c.name", "as": "city" }]),
        ),
        of(json!([{ "field": "name" }])),
        of(
            json!([{ "fn": "min", "field": "c.email" }, { "fn": "max", "field": "name", "as": "last" }]),
        ),
        of(json!([{ "fn": "countDistinct", "field": "c.name" }, { "fn": "count", "as": "rows" }])),
        of(
            json!([{ "field": "c.id" }, { "fn": "upper", "field": "c.email", "as": "loud" }, { "fn": "length", "field": "c.name", "as": "long" }]),
        ),
        of(json!([{ "field": "c.id" }, { "case": case, "as": "starts" }])),
        of(json!([{ "field": "c.id" }, { "case": exists, "as": "there" }])),
        of(
            json!([{ "field": "c.id" }, { "fn": "coalesce", "args": [{ "field": "c.email" }, { "field": "c.city" }], "as": "either" }]),
        ),
        json!({ "from": { "model": "order", "as": "o" }, "select": [{ "field": "o.number" }, { "field": "o.customer.email" }, { "field": "customer.name", "as": "who" }] }),
        json!({ "from": { "model": "order", "as": "o" }, "join": [{ "field": "o.customer", "as": "c" }],
            "select": [{ "field": "c.name" }, { "fn": "sum", "field": "o.total", "as": "revenue" }], "groupBy": ["c.name"] }),
        json!({ "from": { "model": "customer", "as": "c" }, "select": [{ "field": "c.name", "as": "n" }],
            "summaries": [{ "fn": "min", "field": "n", "as": "first" }, { "fn": "max", "field": "c.email" }, { "fn": "count" }] }),
    ];
    for query in queries {
        let mut seen = Vec::new();
        for world in [&world, &other] {
            let mut seen_of = queried(world, query.clone()).await;
            // The order of rows is not told of: no query here sorts.
            if let Some(rows) = seen_of["rows"].as_array_mut() {
                rows.sort_by_key(ToString::to_string);
            }
            seen.push(seen_of);
        }
        assert_eq!(seen[0], seen[1], "{query}");
        assert!(seen[0].to_string().contains(MARKER), "{query}: {}", seen[0]);
    }
    let plain = of(json!([{ "field": "c.city" }, { "field": "c.id", "as": "name" }]));
    let seen = queried(&world, plain).await;
    assert!(!seen.to_string().contains(MARKER), "{seen}");
}

#[tokio::test]
async fn a_result_found_or_sorted_by_a_kept_field_is_withheld_whole() {
    let world = World::small().await;
    let query = |more: Value| {
        let mut query =
            json!({ "from": { "model": "customer", "as": "c" }, "select": [{ "field": "c.id" }] });
        query
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        query
    };
    let withheld = [
        query(json!({ "where": [{ "field": "c.email", "operator": "startsWith", "value": "a" }] })),
        query(
            json!({ "where": [{ "operator": "or", "criteria": [{ "field": "name", "operator": ">", "value": "b" }] }] }),
        ),
        query(json!({ "orderBy": [{ "field": "c.email" }] })),
        query(
            json!({ "join": [{ "model": "customer", "as": "d", "on": [{ "field": "d.email", "operator": "<", "right": { "field": "c.email" } }] }] }),
        ),
        query(
            json!({ "where": [{ "exists": { "from": { "model": "customer", "as": "d" }, "where": [{ "field": "d.name", "operator": "like", "value": "A%" }] } }] }),
        ),
    ];
    for query in withheld {
        assert_eq!(
            queried(&world, query.clone()).await,
            json!(MARKER),
            "{query}"
        );
    }
    let given = query(
        json!({ "where": [{ "field": "c.email", "operator": "=", "value": "ada@x.example" }] }),
    );
    assert_eq!(queried(&world, given).await["rows"], json!([{ "id": 1 }]));
    let grouped = json!({ "from": { "model": "customer", "as": "c" }, "select": [{ "fn": "max", "field": "c.email", "as": "m" }, { "field": "c.city" }],
        "groupBy": ["c.city"], "having": [{ "field": "m", "operator": ">", "value": "b" }] });
    assert_eq!(queried(&world, grouped).await, json!(MARKER));
    for (more, whole) in [
        (
            json!({ "criteria": { "field": "email", "operator": "contains", "value": "a" } }),
            true,
        ),
        (json!({ "order": [{ "field": "name" }] }), true),
        (
            json!({ "criteria": { "field": "email", "operator": "in", "value": ["ada@x.example"] } }),
            false,
        ),
    ] {
        let mut search = json!({ "model": "customer", "fields": ["city"] });
        search
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let output = world
            .search(&world.manager(), search.clone())
            .await
            .unwrap();
        let tags = Tags::of(&world.catalog, TagsOf::Search(&input(search)), &output);
        let (seen, _) = masked(&world, EMAILS, output, Some(&tags));
        assert_eq!(seen == json!(MARKER), whole, "{more}: {seen}");
    }
}

#[tokio::test]
async fn nothing_of_a_kept_model_is_received() {
    const RULES: &str = "restrictions: [{ model: customer }]";
    let world = World::small().await;
    let manager = world.manager();
    let read = world
        .read(&manager, json!({ "model": "customer", "id": 1 }))
        .await
        .unwrap();
    let tags = Tags::of(&world.catalog, TagsOf::Records("customer"), &read);
    assert_eq!(masked(&world, RULES, read, Some(&tags)).0, json!(MARKER));
    let order = world
        .read(&manager, json!({ "model": "order", "id": 1 }))
        .await
        .unwrap();
    let tags = Tags::of(&world.catalog, TagsOf::Records("order"), &order);
    let (seen, fields) = masked(&world, RULES, order, Some(&tags));
    assert_eq!(seen["records"][0]["customer"], json!(MARKER));
    assert_eq!(seen["records"][0]["number"], json!("SO-1"));
    assert_eq!(fields, ["customer.id"]);
    let queries = [
        json!({ "from": { "model": "customer" }, "select": [{ "fn": "count" }] }),
        json!({ "from": { "model": "order", "as": "o" }, "join": [{ "field": "o.customer", "as": "c" }], "select": [{ "field": "o.number" }] }),
        json!({ "from": { "model": "order", "as": "o" }, "select": [{ "fn": "count" }], "groupBy": ["o.customer"] }),
        json!({ "from": { "model": "order", "as": "o" }, "select": [{ "field": "o.number" }], "where": [{ "field": "o.customer.city", "operator": "=", "value": "Ada" }] }),
    ];
    for query in queries {
        let output = world.query(&manager, query.clone()).await.unwrap();
        let tags = Tags::of(
            &world.catalog,
            TagsOf::Query(&input(query.clone())),
            &output,
        );
        assert_eq!(
            masked(&world, RULES, output, Some(&tags)).0,
            json!(MARKER),
            "{query}"
        );
    }
}

#[tokio::test]
async fn a_restriction_binds_the_providers_that_it_names() {
    let world = World::small().await;
    let rules = "restrictions: [{ model: customer, fields: email, providers: openai }]";
    let restrictions = load(&world.catalog, rules).unwrap();
    let output = json!({ "model": "customer", "records": [{ "email": "ada@x.example" }] });
    let tags = Tags::of(&world.catalog, TagsOf::Records("customer"), &output);
    for (audience, kept) in [
        (OPENAI, true),
        (
            Audience::LanguageModel {
                provider: "openai-responses",
            },
            true,
        ),
        (
            Audience::LanguageModel {
                provider: "anthropic",
            },
            false,
        ),
        (Audience::AnyLanguageModel, true),
    ] {
        let reader = Recipient {
            restrictions: &restrictions,
            catalog: &world.catalog,
            audience,
        };
        let (seen, _) = reader.output(output.clone(), Some(&tags), Form::Whole);
        assert_eq!(seen != output, kept, "{audience:?}");
    }
}

#[tokio::test]
async fn what_can_not_be_taken_apart_is_withheld_whole() {
    let world = World::small().await;
    let record = json!({ "model": "customer", "records": [{ "city": "x" }] });
    let tags = Tags::of(&world.catalog, TagsOf::Records("customer"), &record);
    let seen = |output: Value, tags: Option<&Tags>| masked(&world, EMAILS, output, tags).0;
    assert_eq!(
        seen(record.clone(), None),
        json!(MARKER),
        "nobody said what it holds"
    );
    assert_eq!(seen(json!("text"), Some(&tags)), json!(MARKER));
    assert_eq!(
        seen(json!({ "records": "text" }), Some(&tags)),
        json!({ "records": MARKER })
    );
    assert_eq!(
        seen(json!({ "new": "key" }), Some(&tags)),
        json!({ "new": MARKER })
    );
    assert_eq!(
        seen(json!({ "records": [{ "gone": 1 }] }), Some(&tags)),
        json!({ "records": [{ "gone": MARKER }] }),
        "a field that the model has no more"
    );
    assert_eq!(seen(record.clone(), Some(&tags)), record);
    assert_eq!(seen(json!("text"), Some(&Tags::Nothing)), json!("text"));
}

#[tokio::test]
async fn the_beginning_of_a_large_result_goes_if_anything_in_it_is_kept() {
    let world = World::small().await;
    let restrictions = load(&world.catalog, EMAILS).unwrap();
    let reader = Recipient {
        restrictions: &restrictions,
        catalog: &world.catalog,
        audience: OPENAI,
    };
    let large =
        json!({ "handle": "handle://x", "bytes": 9, "shape": "s", "preview": "{\"email\":\"ad" });
    let tags = |record: Value| {
        Tags::of(
            &world.catalog,
            TagsOf::Records("order"),
            &json!({ "records": [record] }),
        )
    };
    let (seen, withheld) = reader.output(
        large.clone(),
        Some(&tags(json!({ "customer": {} }))),
        Form::Preview,
    );
    assert_eq!(seen["preview"], json!(MARKER));
    assert_eq!(seen["handle"], large["handle"]);
    assert_eq!(withheld.fields().collect::<Vec<_>>(), ["customer.name"]);
    let (seen, _) = reader.output(
        large.clone(),
        Some(&tags(json!({ "number": 1 }))),
        Form::Preview,
    );
    assert_eq!(seen, large);
}

#[tokio::test]
async fn words_that_may_quote_a_kept_value_are_withheld() {
    let world = World::small().await;
    let restrictions = load(&world.catalog, EMAILS).unwrap();
    let reader = Recipient {
        restrictions: &restrictions,
        catalog: &world.catalog,
        audience: OPENAI,
    };
    let delete = |access: Access, id: i64| {
        let world = &world;
        async move {
            world
                .delete(&access, json!({ "model": "customer", "id": id }))
                .await
                .unwrap_err()
        }
    };
    let in_use = delete(world.manager(), 1).await;
    assert!(in_use.to_string().contains("Ada"), "{in_use}");
    assert!(
        reader
            .words(Some(&Tags::of_error(&in_use, "customer")))
            .is_err()
    );
    let withheld = reader.words(Some(&Tags::of_error(&in_use, "customer")));
    let withheld = withheld.unwrap_err();
    assert_eq!(withheld.fields().collect::<Vec<_>>(), ["customer.?"]);
    assert!(
        reader
            .words(Some(&Tags::of_error(&in_use, "order")))
            .is_ok()
    );
    let unknown = RecordError::NotFound { index: None };
    assert!(
        reader
            .words(Some(&Tags::of_error(&unknown, "customer")))
            .is_ok()
    );
    assert!(reader.words(None).is_err(), "nobody said what they hold");
}

#[test]
fn the_example_in_the_docs_is_sound() {
    let page = include_str!("../../../../docs/restrictions.md");
    let example = page.split("```yaml\n").nth(1).unwrap();
    let example = example.split("```").next().unwrap();
    let catalog = Catalog::load(&files(sample::FILES)).unwrap();
    load(&catalog, example).unwrap();
}

#[tokio::test]
async fn a_list_of_records_is_masked_as_a_relation_is() {
    let world = World::with(&[
        (
            "models/tag.yaml",
            "name: tag\ndisplay: name\nfields:\n  name: { type: string }\n",
        ),
        (
            "models/product.yaml",
            "name: product\nfields:\n  tags: { type: many_to_many, model: tag }\n",
        ),
        (
            "permissions/all.yaml",
            "role: all\ngrants:\n  - { models: '*', operations: '*' }\n",
        ),
    ])
    .await;
    let user = world.access("u@x", &["all"]);
    let tags = json!({ "model": "tag", "records": [{ "name": "red" }, { "name": "blue" }] });
    world.create(&user, tags).await;
    world
        .create(
            &user,
            json!({ "model": "product", "values": { "tags": [1, 2] } }),
        )
        .await;
    let read = json!({ "model": "product", "id": 1, "fields": ["tags"] });
    let output = world.read(&user, read).await.unwrap();
    let tagged = Tags::of(&world.catalog, TagsOf::Records("product"), &output);
    let names = "restrictions:\n  - { model: tag, fields: [name] }\n";
    let (seen, _) = masked(&world, names, output.clone(), Some(&tagged));
    let masked_tag = |id: i64| json!({ "id": id, "display": MARKER });
    assert_eq!(
        seen["records"][0]["tags"],
        json!([masked_tag(1), masked_tag(2)])
    );
    for rules in [
        "restrictions:\n  - { model: product, fields: [tags] }\n",
        "restrictions:\n  - { model: tag }\n",
    ] {
        let (seen, _) = masked(&world, rules, output.clone(), Some(&tagged));
        assert_eq!(seen["records"][0]["tags"], json!(MARKER), "{rules}");
    }
    let search = json!({ "model": "product", "criteria": { "field": "tags", "operator": "contains", "value": 1 } });
    let output = world.search(&user, search.clone()).await.unwrap();
    let tagged = Tags::of(&world.catalog, TagsOf::Search(&input(search)), &output);
    let rules = "restrictions:\n  - { model: tag }\n";
    assert_eq!(
        masked(&world, rules, output, Some(&tagged)).0,
        json!(MARKER),
        "what is found by a kept model"
    );
    let query = json!({ "from": { "model": "product", "as": "p" }, "join": [{ "field": "p.tags", "as": "t" }], "select": [{ "field": "p.id" }, { "field": "t.name" }] });
    let output = world.query(&user, query.clone()).await.unwrap();
    let tagged = Tags::of(&world.catalog, TagsOf::Query(&input(query)), &output);
    let rules = "restrictions:\n  - { model: product, fields: [tags] }\n";
    let (seen, _) = masked(&world, rules, output, Some(&tagged));
    assert_eq!(seen["rows"][0]["name"], json!(MARKER), "{seen}");
}
