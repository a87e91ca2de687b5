//! Schemas written at the call site.

use serde_json::{Map, Value, json};

use super::walk::Schema;

/// A schema that is being written.
///
/// ```
/// use serde_json::Value;
/// use toolcrib::schema::{self, field, optional_field};
///
/// let schema: Value = schema::object([
///     field("city", schema::string().description("Where to look.")),
///     optional_field("days", schema::integer()),
/// ])
/// .into();
/// assert_eq!(schema["required"], serde_json::json!(["city"]));
/// assert_eq!(schema["properties"]["city"]["description"], "Where to look.");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaBuilder(Schema);

/// One property of an object that is being written.
///
/// Made by [`field`] and [`optional_field`], and shown there.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    name: String,
    schema: SchemaBuilder,
    presence: Presence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    Required,
    Optional,
}

impl SchemaBuilder {
    fn typed(kind: &str) -> Self {
        Self(Map::from_iter([("type".to_owned(), Value::from(kind))]))
    }

    /// Says what the value is for.
    ///
    /// ```
    /// let schema: serde_json::Value = toolcrib::schema::number().description("In metres.").into();
    /// assert_eq!(schema["description"], "In metres.");
    /// ```
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.0
            .insert("description".into(), Value::from(text.into()));
        self
    }

    /// Takes null too.
    ///
    /// ```
    /// let schema: serde_json::Value = toolcrib::schema::string().nullable().into();
    /// assert_eq!(schema["type"], serde_json::json!(["string", "null"]));
    /// ```
    #[must_use]
    pub fn nullable(mut self) -> Self {
        let null = Value::from("null");
        match self.0.get_mut("type") {
            Some(Value::Array(kinds)) if kinds.contains(&null) => return self,
            Some(Value::Array(kinds)) => kinds.push(null),
            Some(kind) => *kind = Value::Array(vec![kind.take(), null]),
            None => {}
        }
        if let Some(Value::Array(values)) = self.0.get_mut("enum") {
            values.push(Value::Null);
        }
        if let Some(Value::Array(options)) = self.0.get_mut("oneOf") {
            let branch = json!({ "type": "null" });
            if !options.contains(&branch) {
                options.push(branch);
            }
        }
        self
    }
}

impl From<SchemaBuilder> for Value {
    fn from(schema: SchemaBuilder) -> Self {
        Self::Object(schema.0)
    }
}

/// A text.
///
/// ```
/// let schema: serde_json::Value = toolcrib::schema::string().into();
/// assert_eq!(schema, serde_json::json!({ "type": "string" }));
/// ```
#[must_use]
pub fn string() -> SchemaBuilder {
    SchemaBuilder::typed("string")
}

/// A number.
///
/// ```
/// let schema: serde_json::Value = toolcrib::schema::number().into();
/// assert_eq!(schema, serde_json::json!({ "type": "number" }));
/// ```
#[must_use]
pub fn number() -> SchemaBuilder {
    SchemaBuilder::typed("number")
}

/// A whole number.
///
/// ```
/// let schema: serde_json::Value = toolcrib::schema::integer().into();
/// assert_eq!(schema, serde_json::json!({ "type": "integer" }));
/// ```
#[must_use]
pub fn integer() -> SchemaBuilder {
    SchemaBuilder::typed("integer")
}

/// True or false.
///
/// ```
/// let schema: serde_json::Value = toolcrib::schema::boolean().into();
/// assert_eq!(schema, serde_json::json!({ "type": "boolean" }));
/// ```
#[must_use]
pub fn boolean() -> SchemaBuilder {
    SchemaBuilder::typed("boolean")
}

/// A list of items of one kind.
///
/// ```
/// use toolcrib::schema::{array, string};
/// let schema: serde_json::Value = array(string()).into();
/// assert_eq!(schema["items"]["type"], "string");
/// ```
#[must_use]
pub fn array(items: SchemaBuilder) -> SchemaBuilder {
    let mut list = SchemaBuilder::typed("array");
    list.0.insert("items".into(), items.into());
    list
}

/// One of a few texts.
///
/// ```
/// let schema: serde_json::Value = toolcrib::schema::enumeration(["asc", "desc"]).into();
/// assert_eq!(schema["enum"], serde_json::json!(["asc", "desc"]));
/// ```
#[must_use]
pub fn enumeration<T: Into<String>>(values: impl IntoIterator<Item = T>) -> SchemaBuilder {
    let values: Vec<String> = values.into_iter().map(Into::into).collect();
    let mut list = SchemaBuilder::typed("string");
    list.0.insert("enum".into(), Value::from(values));
    list
}

/// One of a few texts, each with a description.
///
/// ```
/// let schema: serde_json::Value =
///     toolcrib::schema::choice([("asc", "Smallest first."), ("desc", "Largest first.")]).into();
/// assert_eq!(schema["oneOf"][1]["const"], "desc");
/// assert_eq!(schema["oneOf"][1]["description"], "Largest first.");
/// ```
#[must_use]
pub fn choice<T: Into<String>, D: Into<String>>(
    options: impl IntoIterator<Item = (T, D)>,
) -> SchemaBuilder {
    let options: Vec<Value> = options
        .into_iter()
        .map(|(value, description)| {
            let (value, description) = (value.into(), description.into());
            json!({ "type": "string", "const": value, "description": description })
        })
        .collect();
    let list = Value::Array(options);
    SchemaBuilder(Map::from_iter([("oneOf".to_owned(), list)]))
}

/// Any JSON value.
///
/// ```
/// let schema: serde_json::Value = toolcrib::schema::json().into();
/// assert!(!toolcrib::schema::is_closed(&schema));
/// ```
#[must_use]
pub fn json() -> SchemaBuilder {
    SchemaBuilder(Map::from_iter([("type".to_owned(), any_type())]))
}

/// An object with these properties and no others, in this order. Of two fields with one name the
/// later counts, in the place of the earlier.
///
/// ```
/// use toolcrib::schema::{field, integer, object, string};
/// let schema: serde_json::Value =
///     object([field("a", string()), field("b", string()), field("a", integer())]).into();
/// assert_eq!(schema["properties"]["a"]["type"], "integer");
/// assert_eq!(schema["required"], serde_json::json!(["a", "b"]));
/// assert_eq!(schema["additionalProperties"], false);
/// ```
#[must_use]
pub fn object(fields: impl IntoIterator<Item = Field>) -> SchemaBuilder {
    let mut named: Map<String, Value> = Map::new();
    let mut presences: Map<String, Value> = Map::new();
    for field in fields {
        let is_required = field.presence == Presence::Required;
        presences.insert(field.name.clone(), Value::Bool(is_required));
        named.insert(field.name, field.schema.into());
    }
    let required: Vec<&String> = presences
        .iter()
        .filter(|(_, is_required)| **is_required == true)
        .map(|(name, _)| name)
        .collect();
    let mut whole = SchemaBuilder::typed("object");
    whole.0.insert("properties".into(), Value::Object(named));
    if !required.is_empty() {
        whole.0.insert("required".into(), json!(required));
    }
    whole
        .0
        .insert("additionalProperties".into(), Value::Bool(false));
    whole
}

/// A property that must be there.
///
/// ```
/// use toolcrib::schema::{field, object, string};
/// let schema: serde_json::Value = object([field("name", string())]).into();
/// assert_eq!(schema["required"], serde_json::json!(["name"]));
/// ```
#[must_use]
pub fn field(name: impl Into<String>, schema: SchemaBuilder) -> Field {
    Field {
        name: name.into(),
        schema,
        presence: Presence::Required,
    }
}

/// A property that may be left out.
///
/// ```
/// use toolcrib::schema::{object, optional_field, string};
/// let schema: serde_json::Value = object([optional_field("name", string())]).into();
/// assert_eq!(schema.get("required"), None);
/// ```
#[must_use]
pub fn optional_field(name: impl Into<String>, schema: SchemaBuilder) -> Field {
    Field {
        name: name.into(),
        schema,
        presence: Presence::Optional,
    }
}

/// The `type` of an open JSON value: everything that JSON can hold.
pub(super) fn any_type() -> Value {
    json!(["null", "boolean", "number", "string", "array", "object"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_takes_null_where_it_is_told_to() {
        let enumeration: Value = enumeration(["a"]).nullable().nullable().into();
        assert_eq!(
            enumeration,
            json!({ "type": ["string", "null"], "enum": ["a", null] })
        );
        let choice: Value = choice([("a", "First.")]).nullable().nullable().into();
        assert_eq!(choice["oneOf"].as_array().map(Vec::len), Some(2));
        assert_eq!(choice["oneOf"][1], json!({ "type": "null" }));
        let json: Value = json().nullable().into();
        assert_eq!(json["type"], any_type());
        let object: Value = object([]).nullable().into();
        assert_eq!(object["type"], json!(["object", "null"]));
    }

    #[test]
    fn fields_stand_in_the_order_they_are_written() {
        let schema: Value = object([
            field("z", string()),
            optional_field("a", json()),
            field("m", boolean()),
        ])
        .into();
        let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["z", "a", "m"]);
        assert_eq!(schema["required"], json!(["z", "m"]));
    }

    #[test]
    fn of_two_fields_with_one_name_the_later_counts() {
        let schema: Value = object([field("a", string()), optional_field("a", integer())]).into();
        assert_eq!(schema["properties"], json!({ "a": { "type": "integer" } }));
        assert_eq!(schema.get("required"), None);
    }
}
