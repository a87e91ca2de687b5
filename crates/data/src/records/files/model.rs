use super::field_type::{longest, read_type};
use super::mapping;
use super::reader::FileReader;
use super::yaml::{Kind, Node, Place};
use crate::records::catalog::Databases;
use crate::records::model::{Field, FieldType, ID, Limits, Mapping, Model, Rules, VERSION};
use crate::records::nearest::did_you_mean;
use crate::records::sql::Dialect;
use crate::records::sql::column::ColumnType;
use crate::records::values::limits::parse_for;
use crate::records::values::pattern::Pattern;
use crate::records::values::relative;

const MODEL_KEYS: &[&str] = &[
    "name",
    "title",
    "title_plural",
    "help",
    "display",
    "versioned",
    "fields",
    "connection",
    "schema",
    "table",
    "read_only",
    "id",
    "left_out",
];
const FIELD_KEYS: &[&str] = &[
    "type",
    "title",
    "help",
    "required",
    "unique",
    "read_only",
    "sensitive",
    "index",
    "default",
    "min",
    "max",
    "min_length",
    "length",
    "pattern",
    "precision",
    "scale",
    "options",
    "model",
    "inverse",
    "through",
    "media_types",
    "column",
    "stored_as",
];
/// The longest name of a model or field.
const NAME_LENGTH: usize = 60;
/// The most fields of a model: no database has more columns than twice that.
const MOST_FIELDS: usize = 900;

/// A model with the places that checks against other models point at.
#[derive(Debug)]
pub(crate) struct PlacedModel {
    pub(crate) model: Model,
    pub(crate) name_at: Place,
    pub(crate) node: Node,
}

/// Reads the model of one file.
pub(crate) fn read(
    reader: &mut FileReader<'_>,
    node: Node,
    databases: &Databases,
) -> Option<PlacedModel> {
    if !reader.keys(&node, "a model", MODEL_KEYS) {
        return None;
    }
    let name = reader.required_text(&node, "name")?.to_owned();
    let name_at = node.place_at("/name");
    let parts_ok = name.split('.').all(is_name);
    if !parts_ok || name.len() > NAME_LENGTH {
        reader.problem(
            name_at,
            format!("`{name}` is no name: use a-z, 0-9 and _, beginning with a letter"),
        );
    }
    let title = reader
        .text(&node, "title")
        .map_or_else(|| to_title(&name), str::to_owned);
    let title_plural = reader
        .text(&node, "title_plural")
        .map_or_else(|| format!("{title}s"), str::to_owned);
    let help = reader.text(&node, "help").map(str::to_owned);
    let versioned = reader.flag(&node, "versioned");
    let mut mapping = mapping::read(reader, &node, databases);
    let mut fields = read_fields(reader, &node, mapping.as_ref());
    let id = match &mut mapping {
        Some(mapping) => mapping::read_id(reader, &node, mapping, &fields),
        None => Some(Field::id()),
    };
    if let Some(id) = id {
        fields.insert(0, id);
    }
    if versioned {
        let version = mapping.as_ref().map(mapping::version_of);
        fields.push(version.unwrap_or_else(Field::version));
    }
    let mut model = Model {
        name,
        title,
        title_plural,
        help,
        display: ID.to_owned(),
        versioned,
        fields,
        mapping,
        home: Dialect::default(),
    };
    if let Some(display) = reader.text(&node, "display") {
        check_display(reader, &model, display, node.place_at("/display"));
        display.clone_into(&mut model.display);
    }
    Some(PlacedModel {
        model,
        name_at,
        node,
    })
}

pub(crate) fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

/// `order_line` as "Order line".
pub(crate) fn to_title(name: &str) -> String {
    let words = name.rsplit('.').next().unwrap_or(name).replace('_', " ");
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

fn check_display(reader: &mut FileReader<'_>, model: &Model, display: &str, place: Place) {
    match model.field(display).map(|field| &field.kind) {
        Some(FieldType::String | FieldType::Integer | FieldType::Uuid | FieldType::Date) => {}
        Some(kind) => reader.problem(
            place,
            format!(
                "`display` must name a string, integer, uuid or date field; `{display}` is {}",
                kind.name()
            ),
        ),
        None => {
            let hint = did_you_mean(
                display,
                model.fields.iter().map(|field| field.name.as_str()),
            );
            reader.problem(place, format!("unknown field `{display}`{hint}"));
        }
    }
}

fn read_fields(reader: &mut FileReader<'_>, node: &Node, mapping: Option<&Mapping>) -> Vec<Field> {
    let Some(fields) = node.get("fields") else {
        reader.problem(node.place, "`fields` is missing");
        return Vec::new();
    };
    let Kind::Map(entries) = &fields.kind else {
        reader.problem(fields.place, "`fields` must be a map from names to fields");
        return Vec::new();
    };
    if entries.len() > MOST_FIELDS && mapping.is_none() {
        let message = format!(
            "a model has at most {MOST_FIELDS} fields; there are {}",
            entries.len()
        );
        reader.problem(fields.place, message);
    }
    entries
        .iter()
        .filter_map(|(key, value)| read_field(reader, key, value, mapping))
        .collect()
}

fn read_field(
    reader: &mut FileReader<'_>,
    key: &Node,
    node: &Node,
    mapping: Option<&Mapping>,
) -> Option<Field> {
    let name = key.as_text()?;
    if name == ID || name == VERSION {
        reader.problem(
            key.place,
            format!("`{name}` is kept by the platform; choose another name"),
        );
        return None;
    }
    if !is_name(name) || name.len() > NAME_LENGTH {
        reader.problem(
            key.place,
            format!("`{name}` is no name: use a-z, 0-9 and _, beginning with a letter"),
        );
    }
    if !reader.keys(node, "a field", FIELD_KEYS) {
        return None;
    }
    let kind = read_type(reader, node)?;
    let rules = Rules {
        required: reader.flag(node, "required"),
        unique: reader.flag(node, "unique"),
        read_only: reader.flag(node, "read_only"),
        sensitive: reader.flag(node, "sensitive"),
        index: reader.flag(node, "index"),
    };
    let limits = Limits {
        min: node.get("min").map(Node::to_json),
        max: node.get("max").map(Node::to_json),
        min_length: reader.number(node, "min_length", 0..=1_000_000),
        length: reader.number(node, "length", 1..=longest(&kind)),
        pattern: reader.text(node, "pattern").map(Pattern::new),
    };
    let mut field = Field {
        name: name.to_owned(),
        title: reader
            .text(node, "title")
            .map_or_else(|| to_title(name), str::to_owned),
        help: reader.text(node, "help").map(str::to_owned),
        kind,
        rules,
        limits,
        default: node.get("default").map(Node::to_json),
        column: None,
        column_type: ColumnType::Canonical,
    };
    mapping::read_column(
        reader,
        node,
        &mut field,
        mapping.map(|mapping| mapping.dialect),
    );
    check_field(reader, &field, node);
    Some(field)
}

fn check_field(reader: &mut FileReader<'_>, field: &Field, node: &Node) {
    if let Some(message) = field.limits.pattern.as_ref().and_then(Pattern::problem) {
        reader.problem(node.place_at("/pattern"), message);
    }
    let free = Field {
        limits: Limits::default(),
        ..field.clone()
    };
    for (key, bound) in [("min", &field.limits.min), ("max", &field.limits.max)] {
        if let Some(Err(message)) = bound.as_ref().map(|value| parse_for(&free, value)) {
            reader.problem(node.place_at(key), format!("`{key}` {message}"));
        }
    }
    if let Some(default) = field
        .default
        .as_ref()
        .filter(|_| field.is_stored() && !field.is_file())
    {
        let epoch = jiff::Timestamp::UNIX_EPOCH;
        let relative = default.as_str().and_then(|text| match field.kind {
            FieldType::Date => relative::date(text, epoch),
            FieldType::Datetime => relative::datetime(text, epoch),
            _ => None,
        });
        if let (None, Err(message)) = (relative, parse_for(field, default)) {
            reader.problem(node.place_at("/default"), format!("`default` {message}"));
        }
    }
    if field.rules.unique && !field.is_stored() {
        let message = format!("a {} field can't be unique", field.kind.name());
        reader.problem(node.place_at("/unique"), message);
    }
    let without: &[&str] = match &field.kind {
        FieldType::ManyToMany { .. } => &["required", "length"],
        FieldType::Binary { .. } => &["unique"],
        _ => &[],
    };
    if field.is_link() || field.is_file() {
        let never = ["index", "default", "min", "max", "min_length", "pattern"];
        for key in without.iter().chain(&never) {
            if node.get(key).is_some() {
                let message = format!("a {} field has no `{key}`", field.kind.name());
                reader.problem(node.place_at(&format!("/{key}")), message);
            }
        }
    }
}
