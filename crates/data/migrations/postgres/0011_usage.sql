-- What language models were used for, by day (days since 1970, UTC).
CREATE TABLE tc_usage (
  org_id TEXT COLLATE "C" NOT NULL,
  day BIGINT NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL,
  agent TEXT COLLATE "C" NOT NULL,
  model TEXT COLLATE "C" NOT NULL,
  requests BIGINT NOT NULL,
  steps BIGINT NOT NULL,
  input_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  cached_tokens BIGINT NOT NULL,
  reasoning_tokens BIGINT NOT NULL,
  PRIMARY KEY (org_id, user_id, day, agent, model)
);

-- How much of it there may be. Of several policies that speak of a user the most generous holds.
CREATE TABLE tc_usage_policies (
  org_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  -- org, role or user, and which.
  subject_kind TEXT COLLATE "C" NOT NULL,
  subject TEXT COLLATE "C" NOT NULL,
  monthly_tokens BIGINT,
  requests_per_minute BIGINT,
  version BIGINT NOT NULL,
  PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX tc_usage_policies_of ON tc_usage_policies (org_id, subject_kind, subject);
CREATE INDEX tc_runs_of_asker ON tc_runs (org_id, asker_id, created_at);
