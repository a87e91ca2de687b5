use toolcrib_data::records::{Catalog, FileProblem, Grants, sample};

use crate::support::files;

fn told(problems: &[FileProblem]) -> Vec<String> {
    problems.iter().map(ToString::to_string).collect()
}

fn model_problems(list: &[(&str, &str)]) -> Vec<String> {
    told(&Catalog::load(&files(list)).unwrap_err())
}

fn grant_problems(text: &str) -> Vec<String> {
    let list = files(sample::FILES);
    let catalog = Catalog::load(&list).unwrap();
    told(&Grants::load(&files(&[("permissions/x.yaml", text)]), &catalog).unwrap_err())
}

#[test]
fn the_sample_is_sound() {
    let list = files(sample::FILES);
    let catalog = Catalog::load(&list).unwrap();
    let names: Vec<&str> = catalog.models().map(|model| model.name.as_str()).collect();
    assert_eq!(
        names,
        ["customer", "invoice", "order", "order_line", "product"]
    );
    let grants = Grants::load(&list, &catalog).unwrap();
    assert_eq!(
        grants.roles().collect::<Vec<_>>(),
        ["admin", "manager", "sales"]
    );
}

#[test]
fn every_mistake_in_a_model_is_told_with_its_place() {
    let text = "\
name: order
tittle: Order
display: nmber
fields:
  number: { type: strng }
  total: { type: decimal, precision: 99, scale: 2, options: [a] }
  status: { type: selection }
  customer: { type: many_to_one, model: custmer }
  id: { type: integer }
  Bad Name: { type: text }
  when: { type: date, default: someday }
  code: { type: string, pattern: '[', required: yes please }
";
    let customer = "name: customer\nfields:\n  name: { type: string }\n  orders: { type: one_to_many, model: order, inverse: number }\n";
    assert_eq!(
        model_problems(&[
            ("models/order.yaml", text),
            ("models/customer.yaml", customer)
        ]),
        [
            "models/customer.yaml:4:55: `number` must be a many_to_one field of `order` that points to `customer`",
            "models/order.yaml:2:1: a model has no key `tittle`, did you mean `title` or `title_plural`?",
            "models/order.yaml:3:10: unknown field `nmber`; there are `id`, `total`, `status`, `customer`, `Bad Name`, `when`, `code`",
            "models/order.yaml:5:19: unknown type `strng`, did you mean `string`?",
            "models/order.yaml:6:38: `precision` must be a whole number from 1 to 38",
            "models/order.yaml:6:61: a field of type decimal has no `options`",
            "models/order.yaml:7:11: `options` must be a list with the values that can be chosen",
            "models/order.yaml:8:41: unknown model `custmer`, did you mean `customer`?",
            "models/order.yaml:9:3: `id` is kept by the platform; choose another name",
            "models/order.yaml:10:3: `Bad Name` is no name: use a-z, 0-9 and _, beginning with a letter",
            "models/order.yaml:11:32: `default` must be a date like \"2026-01-31\"; got the string \"someday\"",
            "models/order.yaml:12:34: the pattern [ is not a regular expression",
            "models/order.yaml:12:49: `required` must be true or false",
        ]
    );
}

#[test]
fn what_is_not_yaml_is_told_with_its_place() {
    let told = model_problems(&[
        ("models/a.yaml", "name: a\nfields: {\n  x: [1, 2\n"),
        ("models/b.yaml", "- 1\n"),
        ("models/c.yaml", ""),
    ]);
    assert_eq!(told.len(), 3, "{told:#?}");
    assert!(
        told[0].starts_with("models/a.yaml:") && told[0].contains("not valid YAML"),
        "{told:#?}"
    );
    assert!(
        told[1].starts_with("models/b.yaml:1:1: a model must be a map"),
        "{told:#?}"
    );
    assert!(told[2].starts_with("models/c.yaml:1:1:"), "{told:#?}");
}

#[test]
fn a_model_is_declared_once_and_other_files_are_left_alone() {
    let text = "name: a\nfields:\n  x: { type: string }\n";
    let told = model_problems(&[
        ("models/a.yaml", text),
        ("models/b.yml", text),
        ("models/very/deep/c.yaml", "]"),
        ("agents/d.yaml", "]"),
    ]);
    assert_eq!(told, ["models/b.yml:1:7: the model `a` is declared twice"]);
}

#[test]
fn every_mistake_in_a_permission_is_told_with_its_place() {
    let text = "\
role: x
grants:
  - models: [order, custmer]
    operations: [read, writ]
    read_fields: { except: [margn] }
  - models: order
    operations: read
    where:
      operator: and
      criteria:
        - { field: customer.sales_persn, operator: '=', value: x }
        - { field: status, operator: '=', value: shiped }
        - { field: note, operator: '=', value: '${user.emial}' }
  - operations: read
    filter: {}
";
    assert_eq!(
        grant_problems(text),
        [
            "permissions/x.yaml:3:21: unknown model `custmer`, did you mean `customer`?",
            "permissions/x.yaml:4:24: unknown operation `writ`; there are `read`, `create`, `update`, `delete`, `export`",
            "permissions/x.yaml:5:29: unknown field `margn`, did you mean `margin`?",
            "permissions/x.yaml:11:20: unknown field `sales_persn` of `customer`, did you mean `sales_person`?",
            "permissions/x.yaml:12:50: must be one of \"draft\", \"confirmed\", \"shipped\", \"delivered\", \"cancelled\"; got \"shiped\", did you mean \"shipped\"?",
            "permissions/x.yaml:13:48: unknown variable `${user.emial}`; there are ${user.id}, ${user.email}, ${user.roles}, ${user.attributes.…}",
            "permissions/x.yaml:14:5: `models` is missing: name models, a package like `crm.*`, or `*`",
            "permissions/x.yaml:15:5: a grant has no key `filter`; there are `models`, `operations`, `where`, `read_fields`, `write_fields`",
        ]
    );
}

#[test]
fn deep_and_endless_yaml_ends_in_a_problem() {
    let deep = format!("name: {}", "[".repeat(50_000));
    let bomb = "a: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c]\ne: &e [*d, *d, *d, *d, *d, *d, *d, *d]\nf: &f [*e, *e, *e, *e, *e, *e, *e, *e]\ng: [*f, *f, *f, *f, *f, *f, *f, *f]\n";
    for text in [deep.as_str(), bomb] {
        assert!(!model_problems(&[("models/a.yaml", text)]).is_empty());
    }
}
