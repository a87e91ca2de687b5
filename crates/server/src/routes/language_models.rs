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
    if text.starts_with("http://") || text.starts_with("https://") {
        Ok(text.to_owned())
    } else {
        let detail =
            "The address begins with http:// or https://, for example http://127.0.0.1:11434/v1.";
        Err(ApiError::new(Code::InvalidRequest, detail))
    }
}
