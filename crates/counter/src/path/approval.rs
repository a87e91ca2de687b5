//! Stages 7 and 8, before approval and approval: the tool may still refuse, or says what the card
//! shows; then the call waits as rows in the database.

use jiff::SignedDuration;
use rand::RngCore as _;
use serde_json::Value;
use toolcrib::id::ApprovalId;
use toolcrib::state::{CallState, WaitingFor};
use toolcrib_data::platform::approvals::{self, ApprovalRow, ApprovalStatus};
use toolcrib_data::platform::tools::ApprovalTerms;

use super::on_connection::out_of_reach;
use super::passage::{Passage, Stop, hash_arguments, shown_hash};
use super::{bind, close, grant, run};
use crate::tool::Work;
use crate::tool::erased::PreparedCall;
use crate::{Card, RegisteredTool};

pub(super) async fn pass(
    passage: &mut Passage<'_>,
    tool: &RegisteredTool,
    call: &dyn PreparedCall,
) -> Result<(), Stop> {
    if passage.is_approved() {
        return check_decision(passage, tool, call).await;
    }
    if !bind::asks(passage, tool, call) {
        return Ok(());
    }
    let terms = bind::terms(passage, tool, call);
    if grant::covers(passage, tool, &terms, call).await? {
        return Ok(());
    }
    if !passage.principal.is_attended() {
        let reason = format!(
            "Not run: {} needs a person's decision, and nobody can be asked here.",
            passage.row.tool
        );
        return Err(Stop::Refused(reason));
    }
    let connection = call.connection();
    let snapshot = passage.counter.snapshot_on(connection.as_deref()).await;
    let mut snapshot = snapshot.map_err(|error| match connection {
        Some(_) => Stop::Failed(out_of_reach(&error)),
        None => error.into(),
    })?;
    let (card, fingerprint) = draw_card(passage, Work::Read(&mut snapshot), tool, call).await?;
    drop(snapshot);
    wait(passage, &card, fingerprint, terms).await?;
    Err(Stop::Waiting)
}

/// A decided call: the decision has to be about exactly these bytes.
async fn check_decision(
    passage: &mut Passage<'_>,
    tool: &RegisteredTool,
    call: &dyn PreparedCall,
) -> Result<(), Stop> {
    let mut snapshot = passage.counter.store.snapshot().await?;
    let approval = approvals::of_call(&mut snapshot, passage.row.org, passage.row.id).await?;
    let arguments = passage.row.arguments.as_deref().unwrap_or_default();
    let hash = hash_arguments(&passage.row.tool, &tool.row.digest, arguments);
    let terms = bind::terms(passage, tool, call);
    match approval {
        // Whose terms were tightened meanwhile may have been decided by somebody else.
        Some(approval) if approval.terms != terms => Err(Stop::Refused(
            "Not run: who decides on it was changed after it was asked. Ask again.".to_owned(),
        )),
        Some(approval)
            if approval.status == ApprovalStatus::Approved
                && approval.arguments_hash == shown_hash(&approval.nonce, &hash) =>
        {
            passage.approval = Some(approval);
            Ok(())
        }
        _ => Err(Stop::Refused(
            "Not run: the decision is not about this request. Ask again.".to_owned(),
        )),
    }
}

pub(super) async fn draw_card(
    passage: &Passage<'_>,
    work: Work<'_>,
    tool: &RegisteredTool,
    call: &dyn PreparedCall,
) -> Result<(Card, Option<String>), Stop> {
    let mut context = passage.context(work);
    let preview = run::guarded(passage, call.before_approval(&mut context)).await;
    let preview = preview.map_err(|broken| Stop::Failed(broken.text().to_owned()))?;
    let preview = preview.map_err(|refusal| Stop::Refused(refusal.reason))?;
    let arguments: Value =
        serde_json::from_str(passage.row.arguments.as_deref().unwrap_or("{}")).unwrap_or_default();
    Ok(preview.into_card(tool.level(), arguments))
}

async fn wait(
    passage: &mut Passage<'_>,
    card: &Card,
    fingerprint: Option<String>,
    terms: ApprovalTerms,
) -> Result<(), Stop> {
    let counter = passage.counter;
    let now = counter.now();
    let usual = counter.options.approval_lifetime;
    let lifetime = terms
        .lifetime_seconds
        .map_or(usual, |seconds| SignedDuration::from_secs(seconds.into()));
    let lifetime = i64::try_from(lifetime.as_micros()).unwrap_or(i64::MAX / 2);
    let mut bits = [0_u8; 16];
    rand::rng().fill_bytes(&mut bits);
    let nonce = hex::encode(bits);
    let hash = passage.row.arguments_hash.as_deref().unwrap_or_default();
    let approval = ApprovalRow {
        org: passage.row.org,
        id: ApprovalId::mint(),
        call: passage.row.id,
        conversation: passage.row.conversation,
        asker: passage.row.asker,
        terms,
        arguments_before: None,
        status: ApprovalStatus::Pending,
        arguments_hash: shown_hash(&nonce, hash),
        nonce,
        card: serde_json::to_value(card).unwrap_or_default(),
        fingerprint,
        created_at: now,
        expires_at: now.saturating_add(lifetime),
        decided_at: None,
        decider: None,
        reason: None,
    };
    passage.row.title.clone_from(&card.title);
    let mut unit = counter.store.unit().await?;
    close::enter(
        passage,
        &mut unit,
        CallState::Waiting(WaitingFor::Approval),
        None,
    )
    .await?;
    approvals::insert(&mut unit, &approval).await?;
    unit.commit().await?;
    passage.approval = Some(approval);
    Ok(())
}
