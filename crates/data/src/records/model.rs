use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::sql::Dialect;
use super::sql::column::ColumnType;
use super::values::pattern::Pattern;

/// A data model: what a record of one kind holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// The name in calls, for example `order`.
    pub name: String,
    /// The name for people, for example "Order".
    pub title: String,
    /// The same for several, for example "Orders".
    pub title_plural: String,
    /// What it is for.
    pub help: Option<String>,
    /// The field that names a record to people; `id` when there is no better one.
    pub display: String,
    /// Whether each save counts up the field `version`.
    pub versioned: bool,
    /// All fields, `id` first, and `version` last when there is one.
    pub fields: Vec<Field>,
    /// Where its records are, if not in a table that Toolcrib keeps itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mapping: Option<Mapping>,
    /// The language of the platform's own database, where its records else are.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub home: Dialect,
}

fn is_usual(home: &Dialect) -> bool {
    *home == Dialect::default()
}

/// A table or view of a connection that holds the records of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mapping {
    /// The connection.
    pub connection: String,
    /// The language of its database.
    pub dialect: Dialect,
    /// The schema of the table, where the database has them.
    pub schema: Option<String>,
    /// The table or view.
    pub table: String,
    /// Whether its records can be read alone.
    pub read_only: bool,
    /// The columns of the key: none, one, or several.
    pub key: Vec<String>,
    /// The columns that are no fields on purpose.
    pub left_out: Vec<String>,
}

/// One field of a data model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// The name in calls.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// What it means.
    pub help: Option<String>,
    /// What its values are.
    pub kind: FieldType,
    /// What holds beside the type.
    #[serde(default)]
    pub rules: Rules,
    /// What its values must keep to.
    #[serde(default)]
    pub limits: Limits,
    /// The value of a new record that gives none.
    pub default: Option<Value>,
    /// The column, where it has another name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// How the database holds the values.
    #[serde(default, skip_serializing_if = "is_canonical")]
    pub column_type: ColumnType,
}

fn is_canonical(column_type: &ColumnType) -> bool {
    *column_type == ColumnType::Canonical
}

/// What holds for a field beside its type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Rules {
    /// Every record has a value.
    pub required: bool,
    /// No two records have the same value.
    pub unique: bool,
    /// Set by the system, never by a call.
    pub read_only: bool,
    /// Covered only by grants that name it.
    pub sensitive: bool,
    /// Often filtered or sorted by, so that it is worth an index.
    pub index: bool,
}

/// What the values of a field must keep to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// The least value, as it would be written in a call.
    pub min: Option<Value>,
    /// The greatest value, as it would be written in a call.
    pub max: Option<Value>,
    /// The least number of characters.
    pub min_length: Option<u32>,
    /// The greatest number of characters.
    pub length: Option<u32>,
    /// A regular expression that the whole text matches.
    pub pattern: Option<Pattern>,
}

/// What the values of a field are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FieldType {
    /// Text of one line.
    String,
    /// Text of any number of lines.
    Text,
    /// A whole number of 64 bits.
    Integer,
    /// An exact number with a fixed number of decimals.
    Decimal {
        /// Digits in all.
        precision: u32,
        /// Digits after the point.
        scale: u32,
    },
    /// A number in floating point.
    Float,
    /// True or false.
    Boolean,
    /// A day.
    Date,
    /// A time of day, to the second.
    Time,
    /// A moment, in UTC, to the microsecond.
    Datetime,
    /// A UUID.
    Uuid,
    /// One of the options.
    Selection {
        /// What can be chosen.
        options: Vec<Choice>,
    },
    /// Any of the options.
    MultiSelection {
        /// What can be chosen.
        options: Vec<Choice>,
    },
    /// Any JSON.
    Json,
    /// A file.
    Binary {
        /// The media types that it may have, such as `image/png` or `image/*`; any if there are none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        media_types: Vec<String>,
    },
    /// One record of another model.
    ManyToOne {
        /// The other model.
        model: String,
        /// What its ids are.
        #[serde(default)]
        key: KeyType,
    },
    /// The records of another model that point here.
    OneToMany {
        /// The other model.
        model: String,
        /// Its field that points here.
        inverse: String,
    },
    /// Any number of records of another model, each of which any number may lead to.
    ManyToMany {
        /// The other model.
        model: String,
        /// What its ids are.
        #[serde(default)]
        key: KeyType,
        /// The field of the other model that is the same relation from its side, and keeps it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        inverse: Option<String>,
        /// The table of the pairs, if it is one of a connection.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        through: Option<Through>,
    },
}

/// A table of a connection in which each row leads to two records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Through {
    /// Its schema, where the database has several.
    pub schema: Option<String>,
    /// Its name.
    pub table: String,
    /// The column that leads to the record with the field.
    pub column: String,
    /// The column that leads to the other record.
    pub target_column: String,
}

/// What the ids of a model's records are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyType {
    /// Whole numbers.
    #[default]
    Integer,
    /// Texts; also several values as one.
    Text,
    /// UUIDs.
    Uuid,
}

/// One option of a selection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The value in calls.
    pub value: String,
    /// The name for people.
    pub title: String,
}

/// The name of the key field.
pub(super) const ID: &str = "id";
/// The name of the field that counts the saves.
pub(super) const VERSION: &str = "version";

impl Model {
    /// The field of that name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The fields that a call can set, if it may.
    pub(super) fn holding(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.holds_values())
    }

    /// The fields that have a column of their own.
    pub(super) fn stored(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.is_stored())
    }

    /// "order" or "orders", as it stands inside a sentence.
    pub(super) fn noun(&self, count: usize) -> String {
        let title = if count == 1 {
            &self.title
        } else {
            &self.title_plural
        };
        // An abbreviation ("SKU") keeps its capitals.
        let mut chars = title.chars();
        match (chars.next(), chars.clone().next()) {
            (Some(first), Some(second)) if second.is_lowercase() => {
                first.to_lowercase().chain(chars).collect()
            }
            _ => title.clone(),
        }
    }
}

impl Model {
    /// The language of the database that it is in.
    pub(super) fn dialect(&self) -> Dialect {
        self.mapping
            .as_ref()
            .map_or(self.home, |mapping| mapping.dialect)
    }

    /// The connection that it is in; none for the platform's own database.
    #[must_use]
    pub fn connection(&self) -> Option<&str> {
        self.mapping
            .as_ref()
            .map(|mapping| mapping.connection.as_str())
    }

    /// The key field, if its records have a key.
    pub(super) fn id(&self) -> Option<&Field> {
        self.field(ID)
    }

    /// Whether the field is the key or a part of it: it is given when a record is made, and stays.
    pub(super) fn is_key(&self, field: &Field) -> bool {
        let parts = self.mapping.iter().flat_map(|mapping| &mapping.key);
        field.name == ID || parts.into_iter().any(|part| part == field.column())
    }

    /// What its ids are.
    pub(super) fn key_type(&self) -> KeyType {
        match self.id().map(|id| &id.kind) {
            Some(FieldType::Integer) => KeyType::Integer,
            Some(FieldType::Uuid) => KeyType::Uuid,
            _ => KeyType::Text,
        }
    }

    /// A record in a sentence: "order SO-10482"; "order 7" where the display is that itself.
    pub(super) fn named(&self, display: &str) -> String {
        let noun = self.noun(1);
        let itself = display
            .strip_prefix(noun.as_str())
            .is_some_and(|rest| rest.starts_with(' '));
        if display.is_empty() {
            noun
        } else if itself {
            display.to_owned()
        } else {
            format!("{noun} {display}")
        }
    }
}

impl Field {
    /// The key field, which every model has.
    pub(super) fn id() -> Self {
        Self::system(ID, "Id")
    }

    /// The field that counts the saves of a record.
    pub(super) fn version() -> Self {
        Self::system(VERSION, "Version")
    }

    fn system(name: &str, title: &str) -> Self {
        Self {
            name: name.to_owned(),
            title: title.to_owned(),
            help: None,
            kind: FieldType::Integer,
            rules: Rules {
                read_only: true,
                ..Rules::default()
            },
            limits: Limits::default(),
            default: None,
            column: None,
            column_type: ColumnType::Canonical,
        }
    }

    /// Whether its values are files.
    pub(super) fn is_file(&self) -> bool {
        matches!(self.kind, FieldType::Binary { .. })
    }

    /// The name of its column.
    pub(super) fn column(&self) -> &str {
        self.column.as_deref().unwrap_or(&self.name)
    }

    /// Whether it has a column of its own.
    pub(super) fn is_stored(&self) -> bool {
        !matches!(
            self.kind,
            FieldType::OneToMany { .. } | FieldType::ManyToMany { .. }
        )
    }

    /// Whether it leads to any number of records that a call can set.
    pub(super) fn is_link(&self) -> bool {
        self.kind.linked().is_some()
    }

    /// Whether a call can set it at all.
    pub(super) fn holds_values(&self) -> bool {
        self.is_stored() || self.is_link()
    }

    /// Whether the platform keeps it, so that no grant need name it.
    pub(super) fn is_system(&self) -> bool {
        self.name == ID || self.name == VERSION
    }
}

impl FieldType {
    /// The name in files and descriptions.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Text => "text",
            Self::Integer => "integer",
            Self::Decimal { .. } => "decimal",
            Self::Float => "float",
            Self::Boolean => "boolean",
            Self::Date => "date",
            Self::Time => "time",
            Self::Datetime => "datetime",
            Self::Uuid => "uuid",
            Self::Selection { .. } => "selection",
            Self::MultiSelection { .. } => "multi_selection",
            Self::Json => "json",
            Self::Binary { .. } => "binary",
            Self::ManyToOne { .. } => "many_to_one",
            Self::OneToMany { .. } => "one_to_many",
            Self::ManyToMany { .. } => "many_to_many",
        }
    }

    /// The model that a value names a record of.
    pub(super) fn target(&self) -> Option<&str> {
        match self {
            Self::ManyToOne { model, .. } => Some(model),
            _ => None,
        }
    }

    /// The model that a value names any number of records of.
    pub(super) fn linked(&self) -> Option<&str> {
        match self {
            Self::ManyToMany { model, .. } => Some(model),
            _ => None,
        }
    }

    /// The model that a value names one or more records of.
    pub(super) fn leads_to(&self) -> Option<&str> {
        self.target().or_else(|| self.linked())
    }
}
