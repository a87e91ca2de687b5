use serde_json::Value;

use crate::records::access::Subject;

/// What `${…}` in the condition of a grant stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Variables<'a> {
    /// Nothing: a caller's text is only text.
    None,
    /// Any known variable, of which the value is not known yet.
    Check,
    /// The user's own.
    Of(&'a Subject),
}

/// A value with its variable filled in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Filled {
    /// A value to be read like any other.
    Value(Value),
    /// The user has no such value, or it is not known yet: what is compared with it never matches.
    Nothing,
}

impl Variables<'_> {
    /// Fills in the variable, if the value is one.
    pub(crate) fn fill(self, value: &Value) -> Result<Filled, String> {
        let name = value
            .as_str()
            .and_then(|text| text.strip_prefix("${"))
            .and_then(|text| text.strip_suffix('}'));
        let (Some(name), false) = (name, matches!(self, Self::None)) else {
            return Ok(Filled::Value(value.clone()));
        };
        let attribute = name.strip_prefix("user.attributes.");
        if !matches!(name, "user.id" | "user.email" | "user.roles") && attribute.is_none() {
            return Err(format!(
                "unknown variable `${{{name}}}`; there are ${{user.id}}, ${{user.email}}, ${{user.roles}}, ${{user.attributes.…}}"
            ));
        }
        let Self::Of(user) = self else {
            return Ok(Filled::Nothing);
        };
        let found = match (name, attribute) {
            (_, Some(attribute)) => user
                .attributes
                .get(attribute)
                .cloned()
                .unwrap_or(Value::Null),
            ("user.id", _) => Value::String(user.id.to_string()),
            ("user.email", _) => Value::String(user.email.clone()),
            _ => Value::from(user.roles.clone()),
        };
        Ok(if found.is_null() {
            Filled::Nothing
        } else {
            Filled::Value(found)
        })
    }

    /// Whether a value that does not fit makes the comparison match nothing, rather than a problem.
    pub(crate) fn forgives(self, value: &Value) -> bool {
        matches!(self, Self::Of(_)) && value.as_str().is_some_and(|text| text.starts_with("${"))
    }
}
