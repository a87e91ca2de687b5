//! Who decides: the asker, or members of the roles that the tool's row names.

use toolcrib::id::{ApprovalId, UserId};
use toolcrib_data::ReadFrom;
use toolcrib_data::platform::approvals::{self, ApprovalRow};
use toolcrib_data::platform::calls::{self, CallRow};
use toolcrib_data::platform::people::CredentialKind;

use super::DecideError;
use crate::{Level, Principal, Scope};

/// The approval and its call, if this user asked or may be asked to decide. Somebody else's is as
/// good as none.
pub(super) async fn seen(
    from: &mut impl ReadFrom,
    principal: &Principal,
    id: ApprovalId,
) -> Result<(ApprovalRow, CallRow), DecideError> {
    let approval = approvals::get(from, principal.org, id).await?;
    let approval = approval
        .filter(|approval| may_see(principal, approval))
        .ok_or(DecideError::NotFound)?;
    let call = calls::get(from, principal.org, approval.call).await?;
    Ok((approval, call.ok_or(DecideError::NotFound)?))
}

/// Whether an approval is this user's to see.
#[must_use]
pub fn may_see(principal: &Principal, approval: &ApprovalRow) -> bool {
    approval.asker == principal.user || is_approver(principal, approval)
}

/// Whether this person is one who decides it, whatever they came in with.
///
/// # Errors
/// Why they are not.
pub fn is_decider(principal: &Principal, approval: &ApprovalRow) -> Result<(), &'static str> {
    let is_asker = approval.asker == principal.user;
    if approval.terms.four_eyes && is_asker {
        return Err("somebody else has to decide this");
    }
    let decides = match approval.terms.approver_roles.is_empty() {
        true => is_asker,
        false => is_approver(principal, approval),
    };
    match decides {
        true => Ok(()),
        false => Err("this is for somebody with another role to decide"),
    }
}

/// Whether this person may decide for later calls too: for their own, of a tool whose row allows it and
/// that does not destroy. Of what level nobody knows, nobody does.
///
/// # Errors
/// Why they may not.
pub fn may_grant(
    principal: UserId,
    approval: &ApprovalRow,
    call: &CallRow,
) -> Result<(), &'static str> {
    let level = call.found.as_ref().map(|found| found.level.as_str());
    let is_usual = level.is_some_and(|level| level != Level::Destructive.name());
    if !approval.terms.grants || !is_usual {
        return Err("this tool is decided on each time");
    }
    if approval.asker != principal {
        return Err("only the one who asked decides for their later calls");
    }
    Ok(())
}

fn is_approver(principal: &Principal, approval: &ApprovalRow) -> bool {
    let mut roles = approval.terms.approver_roles.iter();
    roles.any(|role| principal.has_role(role))
}

/// A decision needs a person's session, or a token that was given the scope on purpose; and the
/// token that made a call never decides it.
pub(super) fn may_decide(
    principal: &Principal,
    approval: &ApprovalRow,
    call: &CallRow,
) -> Result<(), DecideError> {
    is_decider(principal, approval).map_err(DecideError::NotAllowed)?;
    let Some(credential) = &principal.credential else {
        return Err(DecideError::NotAllowed(
            "a decision needs a person who is signed in",
        ));
    };
    match credential.kind {
        CredentialKind::Session => Ok(()),
        CredentialKind::Token if !credential.scopes.contains(&Scope::DecideApprovals) => {
            Err(DecideError::NotAllowed(
                "this token may not decide; sign in, or use a token with the scope approvals:decide",
            ))
        }
        CredentialKind::Token if call.credential == Some(credential.id) => Err(
            DecideError::NotAllowed("the token that made a call can't decide it"),
        ),
        CredentialKind::Token => Ok(()),
    }
}
