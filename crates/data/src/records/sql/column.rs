use serde::{Deserialize, Serialize};

use super::Dialect;
use crate::records::model::{FieldType, KeyType};

/// How a database holds the values of a field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnType {
    /// As canonical values, in a table that Toolcrib keeps itself.
    #[default]
    Canonical,
    /// Text.
    Text,
    /// Text that the database fills up with spaces.
    Char,
    /// Text that its column compares in a way of its own.
    Loose,
    /// One of the names of an enum type.
    Enum {
        /// The schema of the type.
        schema: String,
        /// The name of the type.
        name: String,
    },
    /// A UUID.
    Uuid,
    /// A whole number.
    Integer,
    /// A truth value.
    Boolean,
    /// An exact number.
    Numeric,
    /// A number in floating point.
    Float,
    /// A day.
    Date,
    /// A time of day.
    Time,
    /// A moment without a time zone, taken for UTC.
    Timestamp,
    /// A moment with a time zone.
    Timestamptz,
    /// JSON.
    Json,
    /// JSON in binary form.
    Jsonb,
    /// The content of a file.
    Bytes,
    /// Something else, which is shown as text and never written.
    Other,
    /// Several columns, each with what it holds, as one text.
    Several(Vec<(String, Self)>),
}

impl ColumnType {
    /// What a database usually has for the type.
    pub(crate) fn usual(dialect: Dialect, kind: &FieldType) -> Self {
        match kind {
            FieldType::String
            | FieldType::Text
            | FieldType::Selection { .. }
            | FieldType::OneToMany { .. }
            | FieldType::ManyToMany { .. } => Self::Text,
            FieldType::Binary { .. } => Self::Bytes,
            FieldType::Integer => Self::Integer,
            FieldType::Decimal { .. } => Self::Numeric,
            FieldType::Float => Self::Float,
            FieldType::Boolean => Self::Boolean,
            FieldType::Date => Self::Date,
            FieldType::Time => Self::Time,
            FieldType::Datetime if dialect == Dialect::Postgres => Self::Timestamptz,
            FieldType::Datetime => Self::Timestamp,
            FieldType::Uuid => Self::Uuid,
            FieldType::Json | FieldType::MultiSelection { .. } if dialect == Dialect::Postgres => {
                Self::Jsonb
            }
            FieldType::Json | FieldType::MultiSelection { .. } => Self::Json,
            FieldType::ManyToOne { key, .. } => match key {
                KeyType::Integer => Self::Integer,
                KeyType::Text => Self::Text,
                KeyType::Uuid => Self::Uuid,
            },
        }
    }

    /// Reads what a file says; none for a word that means nothing.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if let Some(name) = text.strip_prefix("enum:") {
            let (schema, name) = name.split_once('.')?;
            return Some(Self::Enum {
                schema: schema.to_owned(),
                name: name.to_owned(),
            });
        }
        let all = [
            Self::Text,
            Self::Char,
            Self::Loose,
            Self::Uuid,
            Self::Integer,
            Self::Boolean,
            Self::Numeric,
            Self::Float,
            Self::Date,
            Self::Time,
            Self::Timestamp,
            Self::Timestamptz,
            Self::Json,
            Self::Jsonb,
            Self::Bytes,
            Self::Other,
        ];
        all.into_iter().find(|one| one.word() == text)
    }

    /// As it is written in a file.
    pub(crate) fn word(&self) -> String {
        let word = match self {
            Self::Canonical => "canonical",
            Self::Text => "text",
            Self::Char => "char",
            Self::Loose => "loose",
            Self::Enum { schema, name } => return format!("enum:{schema}.{name}"),
            Self::Uuid => "uuid",
            Self::Integer => "integer",
            Self::Boolean => "boolean",
            Self::Numeric => "numeric",
            Self::Float => "float",
            Self::Date => "date",
            Self::Time => "time",
            Self::Timestamp => "timestamp",
            Self::Timestamptz => "timestamptz",
            Self::Json => "json",
            Self::Jsonb => "jsonb",
            Self::Bytes => "bytes",
            Self::Other => "other",
            Self::Several(_) => "several",
        };
        word.to_owned()
    }
}
