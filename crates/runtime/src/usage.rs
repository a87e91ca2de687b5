//! How much of language models is used, and how much may be.

use jiff::civil::{Date, Time};
use jiff::tz::Offset;
use jiff::{Timestamp, ToSpan as _};
use serde::Serialize;
use toolcrib::id::{OrgId, UsagePolicyId, UserId};
use toolcrib_counter::Principal;
use toolcrib_data::platform::people::{self, UserRow};
use toolcrib_data::platform::usage::{self, DAY, PolicyRow, PolicySubject, UsageRow, Used};
use toolcrib_data::{ReadFrom, StoreError, Unit};
use utoipa::ToSchema;

use crate::{Runtime, time};

/// The most lines that are listed.
const MOST_LINES: usize = 10_000;
const MINUTE: i64 = 60 * 1_000_000;
/// The longest name of a role, in characters.
const LONGEST_ROLE: usize = 100;

/// Why something about usage was not done.
#[derive(Debug, thiserror::Error)]
pub enum UsageError {
    /// The user is no administrator.
    #[error("only administrators say how much may be used, and see what others used")]
    NotAllowed,
    /// There is no such policy.
    #[error("there is no such policy")]
    NotFound,
    /// What was to be saved is not sound.
    #[error("{0}")]
    Unsound(String),
    /// Somebody else saved in between.
    #[error("the policy was changed by somebody else; look at it again")]
    Changed,
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How much somebody may use.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyView {
    /// Its id.
    pub id: String,
    /// `org`, `role` or `user`.
    pub subject_kind: &'static str,
    /// Which role, or the id of which user; empty for everybody.
    pub subject: String,
    /// The most tokens of a calendar month (UTC); no limit when unset.
    pub monthly_tokens: Option<i64>,
    /// The most messages of a minute; no limit when unset.
    pub requests_per_minute: Option<i64>,
    /// The version.
    pub version: i64,
}

/// A policy to make.
#[derive(Clone, Debug)]
pub struct NewPolicy {
    /// Of whom it speaks.
    pub subject: PolicySubject,
    /// How much.
    pub limits: Limits,
}

/// How much may be used; no limit where nothing is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The most tokens of a calendar month.
    pub monthly_tokens: Option<i64>,
    /// The most messages of a minute.
    pub requests_per_minute: Option<i64>,
}

/// What was used of one model through one agent on one day.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageView {
    /// The day, in UTC.
    pub day: String,
    /// On whose behalf.
    pub user_id: String,
    /// The name of that user.
    pub user: String,
    /// The agent.
    pub agent: String,
    /// The language model.
    pub model: String,
    /// Messages that were answered.
    pub requests: i64,
    /// Calls of the model.
    pub steps: i64,
    /// Tokens that it read, those from a cache included.
    pub input_tokens: i64,
    /// Tokens that it wrote, those of reasoning included.
    pub output_tokens: i64,
    /// Of those read, from a cache.
    pub cached_tokens: i64,
    /// Of those written, for reasoning.
    pub reasoning_tokens: i64,
}

/// What a user may use, and has used.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AllowanceView {
    /// The most tokens of a calendar month; no limit when unset.
    pub monthly_tokens: Option<i64>,
    /// How many are used.
    pub used_tokens: i64,
    /// When the month ends, RFC 3339.
    pub renews_at: String,
    /// The most messages of a minute; no limit when unset.
    pub requests_per_minute: Option<i64>,
}

/// The month that a moment is in: its first day, and the moment at which the next one begins.
fn month(now: i64) -> (i64, i64) {
    let at = Timestamp::from_microsecond(now).unwrap_or_default();
    let first = Offset::UTC.to_datetime(at).date().first_of_month();
    let begins = |date: Date| {
        let midnight = Offset::UTC.to_timestamp(date.to_datetime(Time::midnight()));
        midnight.map_or(now, Timestamp::as_microsecond)
    };
    let next = first.checked_add(1.month()).unwrap_or(first);
    (begins(first).div_euclid(DAY), begins(next))
}

/// What holds of all policies that speak of a user: of each limit the most generous.
fn limits_of(policies: &[PolicyRow], user: UserId, roles: &[String]) -> Limits {
    let of_user = |policy: &&PolicyRow| match &policy.subject {
        PolicySubject::Org => true,
        PolicySubject::Role(role) => roles.contains(role),
        PolicySubject::User(id) => *id == user,
    };
    let policies = || policies.iter().filter(of_user);
    Limits {
        monthly_tokens: policies().filter_map(|policy| policy.monthly_tokens).max(),
        requests_per_minute: policies()
            .filter_map(|policy| policy.requests_per_minute)
            .max(),
    }
}

fn check_admin(principal: &Principal) -> Result<(), UsageError> {
    match principal.has_role("admin") {
        true => Ok(()),
        false => Err(UsageError::NotAllowed),
    }
}

fn check(limits: Limits) -> Result<(), UsageError> {
    let both = [limits.monthly_tokens, limits.requests_per_minute];
    if both.iter().flatten().any(|limit| *limit < 0) {
        return Err(UsageError::Unsound("a limit is 0 or more".to_owned()));
    }
    match both.iter().all(Option::is_none) {
        true => Err(UsageError::Unsound(
            "a policy says monthlyTokens, requestsPerMinute, or both".to_owned(),
        )),
        false => Ok(()),
    }
}

impl Runtime {
    /// Why a user may have no further answer now, in words for them; nothing if they may.
    ///
    /// # Errors
    /// When storage fails.
    pub(crate) async fn used_up(
        &self,
        from: &mut impl ReadFrom,
        org: OrgId,
        (user, roles): (UserId, &[String]),
        asked: Asked,
    ) -> Result<Option<String>, StoreError> {
        let policies = usage::policies(from, org).await?;
        let limits = limits_of(&policies, user, roles);
        let now = self.store().clock().micros();
        if let Some(most) = limits.monthly_tokens {
            let (first, next) = month(now);
            if usage::tokens_since(from, org, user, first).await? >= most {
                let day = time(next);
                let day = day.split('T').next().unwrap_or_default();
                return Ok(Some(format!(
                    "the tokens of this month ({most}) are used up; they renew on {day} (UTC)"
                )));
            }
        }
        if let Some(most) = limits
            .requests_per_minute
            .filter(|_| asked == Asked::ByMessage)
        {
            let asked = usage::requests_since(from, org, user, now - MINUTE).await?;
            if asked >= most {
                let told = match most {
                    1 => "one message a minute is answered".to_owned(),
                    most => format!("{most} messages a minute are answered"),
                };
                return Ok(Some(format!(
                    "at most {told}; wait a moment, and send it again"
                )));
            }
        }
        Ok(None)
    }

    /// Counts what was used.
    pub(crate) async fn count_usage(
        &self,
        unit: &mut Unit,
        (org, user): (OrgId, UserId),
        (agent, model): (&str, &str),
        used: Used,
    ) -> Result<(), StoreError> {
        let row = UsageRow {
            day: self.store().clock().micros().div_euclid(DAY),
            user,
            agent: agent.to_owned(),
            model: model.to_owned(),
            used,
        };
        usage::add(unit, org, &row).await
    }

    /// What this user may use, and has used.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn allowance(&self, principal: &Principal) -> Result<AllowanceView, UsageError> {
        let mut snapshot = self.store().snapshot().await?;
        let policies = usage::policies(&mut snapshot, principal.org).await?;
        let limits = limits_of(&policies, principal.user, &principal.roles);
        let (first, next) = month(self.store().clock().micros());
        let (org, user) = (principal.org, principal.user);
        Ok(AllowanceView {
            monthly_tokens: limits.monthly_tokens,
            used_tokens: usage::tokens_since(&mut snapshot, org, user, first).await?,
            renews_at: time(next),
            requests_per_minute: limits.requests_per_minute,
        })
    }

    /// What was used between two moments: of everybody for administrators, else of the user's own.
    ///
    /// # Errors
    /// When a user asks for somebody else's, or storage fails.
    pub async fn usage(
        &self,
        principal: &Principal,
        user: Option<UserId>,
        (from, to): (i64, i64),
    ) -> Result<Vec<UsageView>, UsageError> {
        let is_admin = principal.has_role("admin");
        let user = match user {
            Some(user) if user != principal.user && !is_admin => {
                return Err(UsageError::NotAllowed);
            }
            None if !is_admin => Some(principal.user),
            user => user,
        };
        let days = (from.div_euclid(DAY), to.div_euclid(DAY));
        let mut snapshot = self.store().snapshot().await?;
        let rows = usage::list(&mut snapshot, principal.org, user, days).await?;
        if rows.len() > MOST_LINES {
            let told = format!(
                "that is more than {MOST_LINES} lines; ask for a shorter time, or for one user"
            );
            return Err(UsageError::Unsound(told));
        }
        let users = people::users(&mut snapshot, principal.org).await?;
        Ok(rows
            .into_iter()
            .map(|row| usage_view(row, &users))
            .collect())
    }

    /// The policies.
    ///
    /// # Errors
    /// When the user is no administrator, or storage fails.
    pub async fn usage_policies(
        &self,
        principal: &Principal,
    ) -> Result<Vec<PolicyView>, UsageError> {
        check_admin(principal)?;
        let rows = usage::policies(&mut self.store().snapshot().await?, principal.org).await?;
        Ok(rows.iter().map(policy_view).collect())
    }

    /// Makes a policy.
    ///
    /// # Errors
    /// When the user is no administrator, there is one of that subject already, it is not sound, or
    /// storage fails.
    pub async fn new_usage_policy(
        &self,
        principal: &Principal,
        new: NewPolicy,
    ) -> Result<PolicyView, UsageError> {
        check_admin(principal)?;
        check(new.limits)?;
        let mut unit = self.store().unit().await?;
        match &new.subject {
            PolicySubject::Org => {}
            PolicySubject::Role(role) => {
                let length = role.trim().chars().count();
                if length == 0 || length > LONGEST_ROLE {
                    let told =
                        format!("the subject names a role, of at most {LONGEST_ROLE} characters");
                    return Err(UsageError::Unsound(told));
                }
            }
            PolicySubject::User(user) => {
                if people::user(&mut unit, principal.org, *user)
                    .await?
                    .is_none()
                {
                    return Err(UsageError::Unsound(
                        "the subject is the id of a user".to_owned(),
                    ));
                }
            }
        }
        let row = PolicyRow {
            id: UsagePolicyId::mint(),
            subject: new.subject,
            monthly_tokens: new.limits.monthly_tokens,
            requests_per_minute: new.limits.requests_per_minute,
            version: 0,
        };
        if !usage::save_policy(&mut unit, principal.org, &row).await? {
            let told = "there is a policy for that subject already; change it".to_owned();
            return Err(UsageError::Unsound(told));
        }
        unit.commit().await?;
        Ok(policy_view(&PolicyRow { version: 1, ..row }))
    }

    /// Changes a policy that stands at `version`.
    ///
    /// # Errors
    /// When the user is no administrator, there is no such policy, it is not at that version any more, it
    /// would not be sound, or storage fails.
    pub async fn change_usage_policy(
        &self,
        principal: &Principal,
        (id, version): (UsagePolicyId, i64),
        limits: Limits,
    ) -> Result<PolicyView, UsageError> {
        check_admin(principal)?;
        check(limits)?;
        let mut unit = self.store().unit().await?;
        let known = usage::policies(&mut unit, principal.org).await?;
        let known = known.into_iter().find(|policy| policy.id == id);
        let row = PolicyRow {
            monthly_tokens: limits.monthly_tokens,
            requests_per_minute: limits.requests_per_minute,
            version,
            ..known.ok_or(UsageError::NotFound)?
        };
        if !usage::save_policy(&mut unit, principal.org, &row).await? {
            return Err(UsageError::Changed);
        }
        unit.commit().await?;
        Ok(policy_view(&PolicyRow {
            version: version + 1,
            ..row
        }))
    }

    /// Deletes a policy.
    ///
    /// # Errors
    /// When the user is no administrator, there is no such policy, or storage fails.
    pub async fn delete_usage_policy(
        &self,
        principal: &Principal,
        id: UsagePolicyId,
    ) -> Result<(), UsageError> {
        check_admin(principal)?;
        let mut unit = self.store().unit().await?;
        if !usage::delete_policy(&mut unit, principal.org, id).await? {
            return Err(UsageError::NotFound);
        }
        Ok(unit.commit().await?)
    }
}

/// What makes a user ask for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// A message of theirs.
    ByMessage,
    /// A run of theirs that goes on.
    ByRun,
}

fn policy_view(row: &PolicyRow) -> PolicyView {
    PolicyView {
        id: row.id.to_string(),
        subject_kind: row.subject.kind(),
        subject: row.subject.which(),
        monthly_tokens: row.monthly_tokens,
        requests_per_minute: row.requests_per_minute,
        version: row.version,
    }
}

fn usage_view(row: UsageRow, users: &[UserRow]) -> UsageView {
    let day = time(row.day.saturating_mul(DAY));
    let user = users.iter().find(|user| user.id == row.user);
    UsageView {
        day: day.split('T').next().unwrap_or_default().to_owned(),
        user_id: row.user.to_string(),
        user: user.map(|user| user.name.clone()).unwrap_or_default(),
        agent: row.agent,
        model: row.model,
        requests: row.used.requests,
        steps: row.used.steps,
        input_tokens: row.used.input_tokens,
        output_tokens: row.used.output_tokens,
        cached_tokens: row.used.cached_tokens,
        reasoning_tokens: row.used.reasoning_tokens,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_begins_on_its_first_day_and_ends_at_the_next() {
        let at = |text: &str| {
            text.parse::<Timestamp>()
                .map(Timestamp::as_microsecond)
                .unwrap_or(0)
        };
        for (now, first, next) in [
            (
                "2026-02-28T23:59:59Z",
                "2026-02-01T00:00:00Z",
                "2026-03-01T00:00:00Z",
            ),
            (
                "2026-12-01T00:00:00Z",
                "2026-12-01T00:00:00Z",
                "2027-01-01T00:00:00Z",
            ),
            (
                "2024-02-29T12:00:00Z",
                "2024-02-01T00:00:00Z",
                "2024-03-01T00:00:00Z",
            ),
        ] {
            assert_eq!(month(at(now)), (at(first) / DAY, at(next)), "{now}");
        }
    }

    #[test]
    fn of_several_policies_the_most_generous_holds_for_each_limit() {
        let user = UserId::mint();
        let policy = |subject, monthly_tokens, requests_per_minute| PolicyRow {
            id: UsagePolicyId::mint(),
            subject,
            monthly_tokens,
            requests_per_minute,
            version: 1,
        };
        let policies = [
            policy(PolicySubject::Org, Some(100), Some(5)),
            policy(PolicySubject::Role("sales".to_owned()), Some(500), None),
            policy(
                PolicySubject::Role("admin".to_owned()),
                Some(9000),
                Some(90),
            ),
            policy(PolicySubject::User(user), Some(200), Some(7)),
        ];
        let roles = ["sales".to_owned()];
        let limits = limits_of(&policies, user, &roles);
        assert_eq!(
            (limits.monthly_tokens, limits.requests_per_minute),
            (Some(500), Some(7))
        );
        let limits = limits_of(&policies, UserId::mint(), &[]);
        assert_eq!(
            (limits.monthly_tokens, limits.requests_per_minute),
            (Some(100), Some(5))
        );
        assert_eq!(limits_of(&[], user, &roles), Limits::default());
    }
}
