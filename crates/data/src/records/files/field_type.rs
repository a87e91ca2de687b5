use super::mapping;
use super::model::to_title;
use super::reader::FileReader;
use super::yaml::{Kind, Node};
use crate::records::content::LARGEST_LENGTH;
use crate::records::content::given::is_media_type;
use crate::records::model::{Choice, FieldType, KeyType};
use crate::records::nearest::did_you_mean;

const TYPES: &[&str] = &[
    "string",
    "text",
    "integer",
    "decimal",
    "float",
    "boolean",
    "date",
    "time",
    "datetime",
    "uuid",
    "selection",
    "multi_selection",
    "json",
    "binary",
    "many_to_one",
    "one_to_many",
    "many_to_many",
];

/// Reads what the values of a field are.
pub(super) fn read_type(reader: &mut FileReader<'_>, node: &Node) -> Option<FieldType> {
    let name = reader.required_text(node, "type")?;
    check_keys(reader, node, name);
    Some(match name {
        "string" => FieldType::String,
        "text" => FieldType::Text,
        "integer" => FieldType::Integer,
        "decimal" => read_decimal(reader, node),
        "float" => FieldType::Float,
        "boolean" => FieldType::Boolean,
        "date" => FieldType::Date,
        "time" => FieldType::Time,
        "datetime" => FieldType::Datetime,
        "uuid" => FieldType::Uuid,
        "selection" => FieldType::Selection {
            options: read_options(reader, node),
        },
        "multi_selection" => FieldType::MultiSelection {
            options: read_options(reader, node),
        },
        "json" => FieldType::Json,
        "binary" => FieldType::Binary {
            media_types: read_media_types(reader, node),
        },
        "many_to_one" => FieldType::ManyToOne {
            model: reader.required_text(node, "model")?.to_owned(),
            key: KeyType::default(),
        },
        "one_to_many" => FieldType::OneToMany {
            model: reader.required_text(node, "model")?.to_owned(),
            inverse: reader.required_text(node, "inverse")?.to_owned(),
        },
        "many_to_many" => FieldType::ManyToMany {
            model: reader.required_text(node, "model")?.to_owned(),
            key: KeyType::default(),
            inverse: reader.text(node, "inverse").map(str::to_owned),
            through: mapping::read_through(reader, node),
        },
        other => {
            let hint = did_you_mean(other, TYPES.iter().copied());
            reader.problem(
                node.place_at("/type"),
                format!("unknown type `{other}`{hint}"),
            );
            return None;
        }
    })
}

/// A problem for each key that is of other types.
fn check_keys(reader: &mut FileReader<'_>, node: &Node, name: &str) {
    let own_keys: &[&str] = match name {
        "decimal" => &["precision", "scale"],
        "selection" | "multi_selection" => &["options"],
        "binary" => &["media_types"],
        "many_to_one" => &["model"],
        "one_to_many" => &["model", "inverse"],
        "many_to_many" => &["model", "inverse", "through"],
        _ => &[],
    };
    for key in [
        "precision",
        "scale",
        "options",
        "model",
        "inverse",
        "through",
        "media_types",
    ] {
        if node.get(key).is_some() && !own_keys.contains(&key) {
            reader.problem(
                node.place_at(key),
                format!("a field of type {name} has no `{key}`"),
            );
        }
    }
}

/// The greatest length that a field can set.
pub(super) fn longest(kind: &FieldType) -> u32 {
    match kind {
        FieldType::Binary { .. } => LARGEST_LENGTH,
        _ => 1_000_000,
    }
}

fn read_media_types(reader: &mut FileReader<'_>, node: &Node) -> Vec<String> {
    let Some(list) = node.get("media_types") else {
        return Vec::new();
    };
    let mut types = Vec::new();
    for (text, place) in reader.texts(list, "`media_types`") {
        let is_kind = text.strip_suffix('*').unwrap_or(text);
        let sound = if is_kind == text {
            is_media_type(text)
        } else {
            is_media_type(&format!("{is_kind}x"))
        };
        if sound && text == text.to_ascii_lowercase() {
            types.push(text.to_owned());
        } else {
            let message = format!("`{text}` is no media type, like image/png or image/*");
            reader.problem(place, message);
        }
    }
    types
}

fn read_decimal(reader: &mut FileReader<'_>, node: &Node) -> FieldType {
    let precision = reader.number(node, "precision", 1..=38).unwrap_or(18);
    let scale = reader.number(node, "scale", 0..=18).unwrap_or(2);
    if scale > precision {
        reader.problem(
            node.place_at("/scale"),
            "`scale` must not be more than `precision`",
        );
    }
    FieldType::Decimal { precision, scale }
}

fn read_options(reader: &mut FileReader<'_>, node: &Node) -> Vec<Choice> {
    let items = match node.get("options").map(|options| &options.kind) {
        Some(Kind::List(items)) if !items.is_empty() => items,
        _ => {
            reader.problem(
                node.place_at("/options"),
                "`options` must be a list with the values that can be chosen",
            );
            return Vec::new();
        }
    };
    let mut options: Vec<Choice> = Vec::new();
    for item in items {
        let option = match &item.kind {
            Kind::Text(value) => Choice {
                value: value.clone(),
                title: to_title(value),
            },
            Kind::Map(_) => {
                reader.keys(item, "an option", &["value", "title"]);
                let Some(value) = reader.required_text(item, "value") else {
                    continue;
                };
                let title = reader
                    .text(item, "title")
                    .map_or_else(|| to_title(value), str::to_owned);
                Choice {
                    value: value.to_owned(),
                    title,
                }
            }
            _ => {
                reader.problem(
                    item.place,
                    "an option must be text, or a map with value and title",
                );
                continue;
            }
        };
        if options.iter().any(|other| other.value == option.value) {
            reader.problem(
                item.place,
                format!("the option `{}` is there twice", option.value),
            );
        }
        options.push(option);
    }
    options
}
