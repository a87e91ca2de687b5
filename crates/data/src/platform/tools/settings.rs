use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What an editor says of a tool, beside its switches, roles and sharing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct ToolSettings {
    /// The picture beside its name: the name of an icon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
    /// What its button in the composer says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub button_label: Option<String>,
    /// How long it may take, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// JSON Schema of its output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    /// How it is decided on, where it asks.
    #[serde(skip_serializing_if = "ApprovalTerms::is_usual")]
    pub approval: ApprovalTerms,
    /// Which events its calls give.
    #[serde(skip_serializing_if = "ToolEvents::are_off")]
    pub events: ToolEvents,
    /// The hooks around its calls.
    #[serde(skip_serializing_if = "ToolHooks::are_none")]
    pub hooks: ToolHooks,
}

/// The hooks around the calls of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct ToolHooks {
    /// May change the arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<HookUse>,
    /// May change the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<HookUse>,
    /// The parameters that the hook before the call fills: callers neither see nor send them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fills: Vec<String>,
}

/// A hook, as a tool's row uses it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct HookUse {
    /// The hook.
    pub name: String,
    /// Whether the call fails with it; else the call goes on as if there were no hook.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub must_succeed: bool,
}

impl ToolHooks {
    fn are_none(&self) -> bool {
        *self == Self::default()
    }
}

/// Which events the calls of a tool give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct ToolEvents {
    /// Before a call runs.
    pub pre: EventSwitch,
    /// After it ran.
    pub post: EventSwitch,
}

/// Whether there is an event, and what it says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EventSwitch {
    /// None.
    #[default]
    Off,
    /// It names the tool.
    Name,
    /// It has the arguments, or the result, as well.
    Data,
}

impl ToolEvents {
    fn are_off(&self) -> bool {
        *self == Self::default()
    }

    /// The events of a call that two rows speak of: all that either asks for.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            pre: self.pre.max(other.pre),
            post: self.post.max(other.post),
        }
    }
}

/// How a call is decided on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct ApprovalTerms {
    /// The roles whose members decide; the asker, where there are none.
    pub approver_roles: Vec<String>,
    /// Whether the asker is kept from deciding, also with such a role.
    pub four_eyes: bool,
    /// Whether who decides may change the arguments.
    pub edit: bool,
    /// Whether the asker may decide for later calls too.
    pub grants: bool,
    /// How long it can be decided, in seconds; as long as usual when unset.
    pub lifetime_seconds: Option<u32>,
}

impl ToolSettings {
    /// What of it makes another version of the tool for whoever decided on one.
    pub(super) fn digested(&self) -> Option<String> {
        let says_nothing = *self == Self::default();
        (!says_nothing).then(|| serde_json::to_string(self).unwrap_or_default())
    }
}

impl ApprovalTerms {
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// The terms of a call that two rows ask for: what both allow, and all that either demands. A row
    /// that says nothing of it gives `usual` seconds.
    #[must_use]
    pub fn and(&self, other: &Self, usual: u32) -> Self {
        let (mine, theirs) = (&self.approver_roles, &other.approver_roles);
        let approver_roles = match (mine.is_empty(), theirs.is_empty()) {
            (true, _) => theirs.clone(),
            (_, true) => mine.clone(),
            // Where no role is in both, nobody decides: better than somebody who may not.
            _ => {
                let both = mine.iter().filter(|role| theirs.contains(role));
                let mut both: Vec<String> = both.cloned().collect();
                if both.is_empty() {
                    both.push(String::new());
                }
                both
            }
        };
        Self {
            approver_roles,
            four_eyes: self.four_eyes || other.four_eyes,
            edit: self.edit && other.edit,
            grants: self.grants && other.grants,
            lifetime_seconds: match (self.lifetime_seconds, other.lifetime_seconds) {
                (None, None) => None,
                (mine, theirs) => Some(mine.unwrap_or(usual).min(theirs.unwrap_or(usual))),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_rows_the_stricter_holds() {
        let terms = |roles: &[&str]| ApprovalTerms {
            approver_roles: roles.iter().map(|role| (*role).to_owned()).collect(),
            edit: true,
            grants: true,
            ..ApprovalTerms::default()
        };
        let strict = ApprovalTerms {
            four_eyes: true,
            lifetime_seconds: Some(60),
            ..terms(&["a", "b"])
        };
        let both = terms(&["b", "c"]).and(&strict, 86_400);
        assert_eq!(both.approver_roles, ["b"]);
        assert!(both.four_eyes && both.edit && both.grants);
        assert_eq!(both.lifetime_seconds, Some(60));
        assert_eq!(terms(&[]).and(&strict, 86_400).approver_roles, ["a", "b"]);
        assert_eq!(terms(&["x"]).and(&strict, 86_400).approver_roles, [""]);
        assert!(!ApprovalTerms::default().and(&strict, 86_400).edit);
        let long = ApprovalTerms {
            lifetime_seconds: Some(30 * 86_400),
            ..ApprovalTerms::default()
        };
        let usual = ApprovalTerms::default().and(&long, 86_400);
        assert_eq!(usual.lifetime_seconds, Some(86_400));
    }
}
