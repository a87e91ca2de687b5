//! What an editor may say of a tool.

use std::ops::RangeInclusive;

use serde_json::Value;
use toolcrib_data::platform::tools::{ToolHooks, ToolSettings, ToolState};

use crate::{Level, ToolChange};

/// How long a tool may take, in milliseconds.
const TIMEOUT: RangeInclusive<u64> = 1..=600_000;
/// How long a call can be decided, in seconds: up to thirty days.
const LIFETIME: RangeInclusive<u32> = 1..=30 * 24 * 3600;
const LONGEST_WORDS: usize = 80;
const LARGEST_SCHEMA: usize = 64 * 1024;

/// Why what a file says of a tool of that level can't be saved, in a sentence.
///
/// # Errors
/// When it can't.
pub fn check_tool(change: &ToolChange, level: Level) -> Result<(), String> {
    let state = ToolState {
        enabled: true,
        requires_approval: true,
        composer: false,
        audience: change.audience.clone().flatten(),
        roles: change.roles.clone().unwrap_or_default(),
        settings: change.settings.clone().unwrap_or_default(),
    };
    check(&state, level)
}

/// Why those hooks can't be had around a tool that takes `schema`, if that is known, in a sentence.
pub(crate) fn check_hooks<'h>(
    hooks: &ToolHooks,
    known: impl Iterator<Item = &'h str> + Clone,
    schema: Option<&Value>,
) -> Result<(), String> {
    let used = hooks.before.iter().chain(&hooks.after);
    for uses in used {
        if !known.clone().any(|name| name == uses.name) {
            let names: Vec<&str> = known.collect();
            return Err(match names.is_empty() {
                true => format!("there is no hook `{}`: this server has none", uses.name),
                false => format!(
                    "there is no hook `{}`; there are: {}",
                    uses.name,
                    names.join(", ")
                ),
            });
        }
    }
    if hooks.before.is_none() && !hooks.fills.is_empty() {
        return Err("what a hook fills (fills) needs a hook before the call".to_owned());
    }
    let Some(schema) = schema else { return Ok(()) };
    for name in &hooks.fills {
        let properties = schema.get("properties");
        if properties.and_then(|all| all.get(name)).is_none() {
            return Err(format!(
                "the tool takes no parameter `{name}` that a hook could fill"
            ));
        }
    }
    Ok(())
}

/// Why that can't be saved, in a sentence.
pub(crate) fn check(state: &ToolState, level: Level) -> Result<(), String> {
    let ToolSettings {
        icon,
        button_label,
        timeout_ms,
        output_schema,
        approval,
        events: _,
        hooks: _,
    } = &state.settings;
    if timeout_ms.is_some_and(|timeout| !TIMEOUT.contains(&timeout)) {
        return Err("the timeout (timeoutMs) is between 1 and 600000".to_owned());
    }
    for (name, words) in [("icon", icon), ("buttonLabel", button_label)] {
        let is_unfit =
            |words: &String| words.trim().is_empty() || words.chars().count() > LONGEST_WORDS;
        if words.as_ref().is_some_and(is_unfit) {
            return Err(format!("the {name} has 1 to {LONGEST_WORDS} characters"));
        }
    }
    let is_icon = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-';
    if icon.as_ref().is_some_and(|icon| !icon.bytes().all(is_icon)) {
        return Err("the icon is a name of small letters, digits and -".to_owned());
    }
    if let Some(schema) = output_schema {
        if schema.to_string().len() > LARGEST_SCHEMA {
            return Err(format!(
                "the outputSchema has at most {LARGEST_SCHEMA} bytes"
            ));
        }
        toolcrib::read::Reader::new(schema)
            .map_err(|error| format!("the outputSchema is no JSON Schema: {error}"))?;
    }
    let lists = [&approval.approver_roles, &state.roles];
    let shared = state.audience.as_ref().map(|audience| &audience.roles);
    for roles in lists.into_iter().chain(shared) {
        if roles.iter().any(|role| role.trim().is_empty()) {
            return Err("a role has a name".to_owned());
        }
    }
    if approval.four_eyes && approval.approver_roles.is_empty() {
        return Err(
            "with fourEyes somebody else decides: name approverRoles, or nobody can".to_owned(),
        );
    }
    if approval.edit && level == Level::Destructive {
        return Err("what destroys is approved as it was asked for, and never edited".to_owned());
    }
    if approval.grants && level == Level::Destructive {
        return Err(
            "a destructive tool asks before each call; nobody decides for later ones".to_owned(),
        );
    }
    let lifetime = approval.lifetime_seconds;
    if lifetime.is_some_and(|lifetime| !LIFETIME.contains(&lifetime)) {
        return Err("the lifetime (lifetimeSeconds) is between 1 and 2592000".to_owned());
    }
    Ok(())
}
