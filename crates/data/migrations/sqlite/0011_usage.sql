-- What language models were used for, by day (days since 1970, UTC).
CREATE TABLE tc_usage (
  org_id TEXT NOT NULL,
  day INTEGER NOT NULL,
  user_id TEXT NOT NULL,
  agent TEXT NOT NULL,
  model TEXT NOT NULL,
  requests INTEGER NOT NULL,
  steps INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cached_tokens INTEGER NOT NULL,
  reasoning_tokens INTEGER NOT NULL,
  PRIMARY KEY (org_id, user_id, day, agent, model)
) STRICT;

-- How much of it there may be. Of several policies that speak of a user the most generous holds.
CREATE TABLE tc_usage_policies (
  org_id TEXT NOT NULL,
  id TEXT NOT NULL,
  -- org, role or user, and which.
  subject_kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  monthly_tokens INTEGER,
  requests_per_minute INTEGER,
  version INTEGER NOT NULL,
  PRIMARY KEY (org_id, id)
) STRICT;
CREATE UNIQUE INDEX tc_usage_policies_of ON tc_usage_policies (org_id, subject_kind, subject);
CREATE INDEX tc_runs_of_asker ON tc_runs (org_id, asker_id, created_at);
