use std::collections::BTreeMap;

use toolcrib::id::CallId;
use toolcrib_counter::Principal;
use toolcrib_data::StoreError;
use toolcrib_data::platform::{audit, calls};

use super::{AuditError, check_auditor};
use crate::Runtime;

/// The longest reason, in characters.
const LONGEST: usize = 500;

impl Runtime {
    /// Takes what a call was asked with and what it answered out of the database, for good. That
    /// it was, by whom and why is a part of its story; the chain still verifies.
    ///
    /// # Errors
    /// When the user is no administrator, the call has not ended, or storage fails.
    pub async fn erase_payload(
        &self,
        principal: &Principal,
        id: CallId,
        reason: &str,
    ) -> Result<(), AuditError> {
        check_auditor(principal)?;
        if reason.trim().is_empty() || reason.chars().count() > LONGEST {
            return Err(AuditError::Reason(LONGEST));
        }
        let org = principal.org;
        // Nothing is sealed beside it.
        let mut unit = self.store().unit_alone().await?;
        let call = calls::get(&mut unit, org, id).await?;
        call.ok_or(AuditError::NotFound)?;
        if audit::is_erased(&mut unit, org, id).await? {
            return Err(AuditError::Erased);
        }
        let now = self.store().clock().micros();
        let erased = audit::erase(&mut unit, org, id, (principal.user, now), reason).await?;
        erased.ok_or(AuditError::NotEnded)?;
        // Without its salt a hash tells nothing of what it is of, also to who can guess.
        let name = id.to_string();
        for segment in audit::segment_of(&mut unit, org, &name).await? {
            let salts = serde_json::from_str::<BTreeMap<String, String>>(&segment.salts);
            let mut salts = salts.map_err(unreadable)?;
            salts.remove(&name);
            let salts = serde_json::to_string(&salts).map_err(unreadable)?;
            audit::replace_salts(&mut unit, org, segment.number, &salts).await?;
        }
        unit.commit().await?;
        Ok(())
    }
}

/// Salts that can't be read are not written over: they may be those of other calls.
fn unreadable(source: serde_json::Error) -> StoreError {
    StoreError::Stored {
        what: "the salts of the audit",
        source,
    }
}
