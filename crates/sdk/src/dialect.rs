//! What a schema is sent as, one translator per provider.
//!
//! A provider's strict mode samples only what its own part of JSON Schema can say. A schema that
//! can be said there is rewritten to it, and the arguments are translated back; any other is sent
//! open. Nothing is weakened by that: the original schema still validates what comes back.

mod clean;
mod codec;
mod either;
mod fits;
mod gemini;
mod inline;
mod join;
mod keyword;
mod legacy;
mod limits;
mod names;
mod normal;
mod open;
mod resolve;
mod root;
mod rules;
mod sheet;
mod strict;
mod translated;
mod typed;
mod value;
mod words;

use serde_json::{Map, Value, json};

use codec::{Absent, Codec};
use names::Names;
use sheet::Sheet;
pub use translated::Translated;

/// The part of JSON Schema that a provider takes.
///
/// ```
/// use serde_json::json;
/// use toolcrib::dialect::Dialect;
///
/// let schema = json!({
///     "type": "object",
///     "properties": { "city": { "type": "string" }, "days": { "type": "integer" } },
///     "required": ["city"],
/// });
/// let translated = Dialect::OpenAi.translate(&schema);
/// assert!(translated.is_strict());
/// let days = &translated.schema()["properties"]["days"];
/// assert_eq!(days["type"], json!(["integer", "null"]));
/// let written = json!({ "city": "Ulm", "days": null });
/// assert_eq!(translated.back(written), json!({ "city": "Ulm" }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// OpenAI, chat completions and Responses.
    OpenAi,
    /// Any server that speaks OpenAI's wire: Ollama, vLLM, llama.cpp, DeepSeek and others.
    Compatible,
    /// Anthropic.
    Anthropic,
    /// Gemini.
    Gemini,
}

impl Dialect {
    /// Translates the input schema of a tool. Whatever the schema is, the result is one that the
    /// provider takes: an object at the root, closed and strict where the schema allows it.
    ///
    /// ```
    /// use serde_json::json;
    /// use toolcrib::dialect::Dialect;
    ///
    /// let map = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    /// assert!(!Dialect::OpenAi.translate(&map).is_strict(), "a free-form map is sent open");
    /// let nonsense = Dialect::Anthropic.translate(&json!("dict"));
    /// assert_eq!(nonsense.schema()["type"], "object");
    /// ```
    #[must_use]
    pub fn translate(self, schema: &Value) -> Translated {
        let mut sheet = clean::clean(schema);
        root::flatten(&mut sheet);
        self.write(sheet, None)
    }

    /// Translates the schema of a structured answer.
    ///
    /// An answer may be anything, while providers want an object at the root. What is no plain
    /// object is sent as the only property `value` of one, which keeps a union exact, and
    /// [`Translated::back`] takes it out again.
    ///
    /// ```
    /// use serde_json::json;
    /// use toolcrib::dialect::Dialect;
    ///
    /// let list = json!({ "type": "array", "items": { "type": "string" } });
    /// let translated = Dialect::OpenAi.translate_output(&list);
    /// assert_eq!(translated.schema()["properties"]["value"]["type"], "array");
    /// assert_eq!(translated.back(json!({ "value": ["a"] })), json!(["a"]));
    /// ```
    #[must_use]
    pub fn translate_output(self, schema: &Value) -> Translated {
        let mut sheet = clean::clean(schema);
        if root::is_object(&sheet) {
            root::flatten(&mut sheet);
            return self.write(sheet, None);
        }
        let inner = Value::Object(std::mem::take(&mut sheet.root));
        sheet.root = Map::from_iter([
            ("type".to_owned(), json!("object")),
            ("properties".to_owned(), json!({ "value": inner })),
            ("required".to_owned(), json!(["value"])),
            ("additionalProperties".to_owned(), json!(false)),
        ]);
        self.write(sheet, Some("value"))
    }

    fn write(self, sheet: Sheet, wrapper: Option<&'static str>) -> Translated {
        let names = Names::of(&sheet, self);
        if let Some((mut schema, codec)) = self.strictly(&sheet, &names) {
            names.apply(&mut schema);
            return Translated::new(schema, true, codec, wrapper);
        }
        let codec = Codec {
            sheet: sheet.clone(),
            names,
            absent: Absent::Stays,
        };
        let mut schema = match self {
            // Both follow references, also recursive ones, where they sample freely.
            Self::OpenAi | Self::Anthropic => open::write(sheet),
            // Chat templates and grammars of small servers often print a reference as it stands.
            Self::Compatible => open::write(inline::inlined(sheet)),
            // References take no siblings there, and cycles only in optional properties.
            Self::Gemini => gemini::write(&inline::inlined(sheet)),
        };
        codec.names.apply(&mut schema);
        Translated::new(schema, false, codec, wrapper)
    }

    /// The schema for the provider's strict mode, where it has one that can say it.
    fn strictly(self, sheet: &Sheet, names: &Names) -> Option<(Value, Codec)> {
        let (rules, absent) = match self {
            Self::OpenAi => (&rules::OPENAI, Absent::Null),
            Self::Anthropic => (&rules::ANTHROPIC, Absent::Stays),
            Self::Compatible | Self::Gemini => return None,
        };
        let sheet = normal::normal(sheet)?;
        if self == Self::Anthropic && !sheet.cyclic().is_empty() {
            return None;
        }
        let schema = strict::write(&sheet, rules)?;
        let fits = match self {
            Self::Anthropic => limits::fits_anthropic(&schema),
            _ => limits::fits_openai(&schema),
        };
        let codec = Codec {
            sheet,
            names: names.clone(),
            absent,
        };
        fits.then_some((schema, codec))
    }
}
