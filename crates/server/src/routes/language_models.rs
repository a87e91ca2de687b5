//! The language model that agents use.

pub(crate) mod check;
pub(crate) mod save;

use toolcrib_counter::Principal;

use crate::error::{ApiError, Code};

/// Both routes make the server speak to an address of the caller's choice: for editors only.
fn editors_only(principal: &Principal) -> Result<(), ApiError> {
    if principal.may_edit() {
        Ok(())
    } else {
        Err(ApiError::new(
            Code::NotAllowed,
            "Only administrators and builders may set the language model.",
        ))
    }
}

fn base_url(text: &str) -> Result<String, ApiError> {
    let text = text.trim().trim_end_matches('/');
    let rest = text
        .strip_prefix("http://")
        .or_else(|| text.strip_prefix("https://"));
    // A key belongs in its own field, from which it is never shown again.
    if rest.is_some_and(|rest| rest.contains(['@', '?', '#'])) {
        let detail = "The address holds a user name or a query; put the key into its own field.";
        return Err(ApiError::new(Code::InvalidRequest, detail));
    }
    if rest.is_some_and(|rest| !rest.is_empty()) {
        Ok(text.to_owned())
    } else {
        let detail =
            "The address begins with http:// or https://, for example http://127.0.0.1:11434/v1.";
        Err(ApiError::new(Code::InvalidRequest, detail))
    }
}
