use toolcrib_data::records::{Catalog, LinkedModel, ModelFunction};

use crate::support::files;

fn load(list: &[(&str, &str)]) -> Result<Vec<LinkedModel>, Vec<String>> {
    let models = [
        (
            "models/order.yaml",
            "name: order\nfields:\n  n: { type: integer }\n",
        ),
        (
            "models/lead.yaml",
            "name: crm.lead\nfields:\n  n: { type: integer }\n",
        ),
        (
            "models/crm_lead.yaml",
            "name: crm_lead\nfields:\n  n: { type: integer }\n",
        ),
        (
            "models/list.yaml",
            "name: read\nfields:\n  n: { type: integer }\n",
        ),
    ];
    let catalog = Catalog::load(&files(&models)).unwrap();
    let loaded = LinkedModel::load(&files(list), &catalog, &["read_read"]);
    loaded.map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

#[test]
fn a_linked_model_brings_its_functions_by_name() {
    let linked = load(&[
        ("tools/a.yaml", "model: order\nfunctions: [read, query]\n"),
        ("tools/b.yaml", "model: crm.lead\n"),
        ("models/order.yaml", "model: ordr\n"),
    ]);
    let linked = linked.unwrap();
    let names: Vec<Vec<String>> = linked.iter().map(|one| one.tools().collect()).collect();
    assert_eq!(names[0], ["order_read", "order_query"]);
    assert_eq!(names[1].len(), ModelFunction::ALL.len());
    assert!(names[1].contains(&"crm_lead_create".to_owned()));
}

#[test]
fn what_can_t_be_linked_is_told_with_its_place() {
    let problems = load(&[
        ("tools/a.yaml", "model: ordr\n"),
        ("tools/b.yaml", "model: order\nfunctions: [raed]\nx: 1\n"),
        ("tools/c.yaml", "model: crm.lead\nfunctions: read\n"),
        ("tools/d.yaml", "model: crm_lead\nfunctions: read\n"),
        ("tools/e.yaml", "model: read\nfunctions: read\n"),
    ]);
    assert_eq!(
        problems.unwrap_err(),
        [
            "tools/a.yaml:1:8: unknown model `ordr`, did you mean `order`?",
            "tools/b.yaml:2:13: unknown function `raed`, did you mean `read`?",
            "tools/b.yaml:3:1: a linked data model has no key `x`; there are `model`, `functions`",
            "tools/d.yaml:1:8: `crm_lead_read` is a function of `crm.lead` already",
            "tools/e.yaml:1:8: `read_read` is a built-in tool already",
        ]
    );
}

#[test]
fn a_name_that_is_too_long_for_a_tool_is_told() {
    for (length, fits) in [(40, true), (60, false)] {
        let name = "m".repeat(length);
        let model = format!("name: {name}\nfields:\n  n: {{ type: integer }}\n");
        let catalog = Catalog::load(&files(&[("models/long.yaml", &model)])).unwrap();
        let link = format!("model: {name}\nfunctions: [read]\n");
        let loaded = LinkedModel::load(&files(&[("tools/long.yaml", &link)]), &catalog, &[]);
        assert_eq!(loaded.is_ok(), fits);
        if let Err(problems) = loaded {
            let told = problems[0].to_string();
            assert!(
                told.contains("is too long for a tool: at most 64 letters"),
                "{told}"
            );
        }
    }
}
