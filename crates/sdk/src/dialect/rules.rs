//! What the strict modes take.

use serde_json::Value;

/// What one provider's strict mode takes.
#[derive(Debug)]
pub(super) struct Rules {
    /// Whether every property is required, so that an optional one is made nullable.
    pub(super) all_required: bool,
    /// The string formats that it samples.
    formats: &'static [&'static str],
    /// The other keywords that it takes; each with its value.
    others: fn(&str, &Value) -> bool,
}

impl Rules {
    /// Whether a keyword can be sent with this value.
    pub(super) fn takes(&self, keyword: &str, value: &Value) -> bool {
        match (keyword, value) {
            ("format", Value::String(format)) => self.formats.contains(&format.as_str()),
            _ => (self.others)(keyword, value),
        }
    }
}

/// OpenAI's strict mode.
pub(super) const OPENAI: Rules = Rules {
    all_required: true,
    formats: &[
        "date-time",
        "time",
        "date",
        "duration",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "uuid",
    ],
    others: |keyword, value| match keyword {
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf"
        | "minItems" | "maxItems" | "title" => true,
        "pattern" => is_simple_pattern(value),
        _ => false,
    },
};

/// Anthropic's strict mode.
pub(super) const ANTHROPIC: Rules = Rules {
    all_required: false,
    formats: &[
        "date-time",
        "time",
        "date",
        "duration",
        "email",
        "hostname",
        "uri",
        "ipv4",
        "ipv6",
        "uuid",
    ],
    others: |keyword, value| match keyword {
        "minItems" => value.as_u64().is_some_and(|least| least <= 1),
        "title" | "default" => true,
        "pattern" => is_simple_pattern(value) && !has_word_boundary(value),
        _ => false,
    },
};

/// A pattern that a grammar can be made from: no looking around and no looking back.
fn is_simple_pattern(pattern: &Value) -> bool {
    let pattern = pattern.as_str().unwrap_or_default();
    let has_group_option = pattern
        .split("(?")
        .skip(1)
        .any(|rest| !rest.starts_with(':'));
    let has_back_reference = pattern
        .split('\\')
        .skip(1)
        .any(|rest| rest.starts_with(|c: char| ('1'..='9').contains(&c) || "kpPx".contains(c)));
    !has_group_option && !has_back_reference
}

fn has_word_boundary(pattern: &Value) -> bool {
    let pattern = pattern.as_str().unwrap_or_default();
    pattern.contains("\\b") || pattern.contains("\\B")
}
