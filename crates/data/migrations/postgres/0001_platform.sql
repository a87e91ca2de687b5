-- The platform's own tables. Times are microseconds since 1970, UTC; ids are UUID text.
-- Every key begins with org_id: a row belongs to one organisation, and so does a query.

CREATE TABLE tc_orgs (
  id TEXT COLLATE "C" PRIMARY KEY,
  slug TEXT COLLATE "C" NOT NULL UNIQUE,
  name TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE tc_users (
  org_id TEXT COLLATE "C" NOT NULL REFERENCES tc_orgs (id),
  id TEXT COLLATE "C" NOT NULL,
  email TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  roles TEXT COLLATE "C" NOT NULL DEFAULT '[]',
  attributes TEXT COLLATE "C" NOT NULL DEFAULT '{}',
  disabled BOOLEAN NOT NULL DEFAULT false,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (org_id, id),
  UNIQUE (org_id, email)
);

-- Secrets are kept as SHA-256 of 256 random bits; the bits themselves are shown once.
CREATE TABLE tc_sign_in_links (
  org_id TEXT COLLATE "C" NOT NULL,
  hash TEXT COLLATE "C" NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL,
  expires_at BIGINT NOT NULL,
  spent_at BIGINT,
  PRIMARY KEY (org_id, hash)
);
CREATE UNIQUE INDEX tc_sign_in_links_hash ON tc_sign_in_links (hash);

CREATE TABLE tc_credentials (
  org_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('session', 'token')),
  hash TEXT COLLATE "C" NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C",
  scopes TEXT COLLATE "C" NOT NULL DEFAULT '[]',
  attended BOOLEAN NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  revoked_at BIGINT,
  last_used_at BIGINT,
  PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX tc_credentials_hash ON tc_credentials (hash);

CREATE TABLE tc_tools (
  org_id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  enabled BOOLEAN NOT NULL,
  requires_approval BOOLEAN NOT NULL,
  composer BOOLEAN NOT NULL,
  -- Who may use it without an agent: null means those who may edit it, else a JSON audience.
  audience TEXT COLLATE "C",
  -- Roles that may call it; empty means all.
  roles TEXT COLLATE "C" NOT NULL DEFAULT '[]',
  source TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (org_id, name)
);

-- One row a save; a call names the version that it ran.
CREATE TABLE tc_tool_versions (
  org_id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  digest TEXT COLLATE "C" NOT NULL,
  title TEXT COLLATE "C" NOT NULL,
  description TEXT COLLATE "C" NOT NULL,
  input_schema TEXT COLLATE "C" NOT NULL,
  config TEXT COLLATE "C" NOT NULL,
  saved_by TEXT COLLATE "C",
  saved_at BIGINT NOT NULL,
  PRIMARY KEY (org_id, name, version)
);

CREATE TABLE tc_settings (
  org_id TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  value TEXT COLLATE "C" NOT NULL,
  updated_at BIGINT NOT NULL,
  updated_by TEXT COLLATE "C",
  PRIMARY KEY (org_id, key)
);

CREATE TABLE tc_conversations (
  org_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  owner_id TEXT COLLATE "C" NOT NULL,
  agent TEXT COLLATE "C" NOT NULL,
  title TEXT COLLATE "C" NOT NULL,
  next_seq BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (org_id, id)
);
CREATE INDEX tc_conversations_owner ON tc_conversations (org_id, owner_id, updated_at);

-- What people wrote. What a language model answered stands in tc_steps, what tools answered in tc_calls.
CREATE TABLE tc_messages (
  org_id TEXT COLLATE "C" NOT NULL,
  conversation_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  seq BIGINT NOT NULL,
  author_id TEXT COLLATE "C" NOT NULL,
  parts TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (org_id, conversation_id, id),
  UNIQUE (org_id, conversation_id, seq)
);

CREATE TABLE tc_runs (
  org_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  conversation_id TEXT COLLATE "C" NOT NULL,
  seq BIGINT NOT NULL,
  agent TEXT COLLATE "C" NOT NULL,
  asker_id TEXT COLLATE "C" NOT NULL,
  credential_id TEXT COLLATE "C",
  message_id TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('active', 'waiting', 'done', 'failed', 'stopped')),
  epoch BIGINT NOT NULL DEFAULT 0,
  lease_owner TEXT COLLATE "C",
  lease_until BIGINT,
  stop_requested BOOLEAN NOT NULL DEFAULT false,
  finish TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (org_id, id),
  UNIQUE (org_id, conversation_id, seq)
);
-- At most one run of a conversation is under way.
CREATE UNIQUE INDEX tc_runs_one_open ON tc_runs (org_id, conversation_id) WHERE state IN ('active', 'waiting');
CREATE INDEX tc_runs_open ON tc_runs (state, lease_until) WHERE state = 'active';

CREATE TABLE tc_steps (
  org_id TEXT COLLATE "C" NOT NULL,
  run_id TEXT COLLATE "C" NOT NULL,
  step BIGINT NOT NULL,
  epoch BIGINT NOT NULL,
  answer TEXT COLLATE "C" NOT NULL,
  meta TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (org_id, run_id, step)
);

CREATE TABLE tc_calls (
  org_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  run_id TEXT COLLATE "C",
  step BIGINT,
  position BIGINT,
  provider_call_id TEXT COLLATE "C",
  parent_call_id TEXT COLLATE "C",
  conversation_id TEXT COLLATE "C",
  agent TEXT COLLATE "C",
  via TEXT COLLATE "C" NOT NULL,
  asker_id TEXT COLLATE "C" NOT NULL,
  credential_id TEXT COLLATE "C",
  tool TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C",
  tool_version BIGINT,
  tool_digest TEXT COLLATE "C",
  level TEXT COLLATE "C",
  title TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  waiting_for TEXT COLLATE "C",
  arguments_asked TEXT COLLATE "C" NOT NULL,
  arguments TEXT COLLATE "C",
  arguments_hash TEXT COLLATE "C",
  repairs TEXT COLLATE "C",
  result TEXT COLLATE "C",
  error TEXT COLLATE "C",
  shown BOOLEAN NOT NULL DEFAULT false,
  handle_id TEXT COLLATE "C",
  idempotency_key TEXT COLLATE "C",
  asked_at BIGINT NOT NULL,
  started_at BIGINT,
  ended_at BIGINT,
  PRIMARY KEY (org_id, id),
  UNIQUE (org_id, run_id, step, position)
);
CREATE INDEX tc_calls_recent ON tc_calls (org_id, asker_id, asked_at);
CREATE INDEX tc_calls_tool ON tc_calls (org_id, tool, asked_at);
CREATE INDEX tc_calls_conversation ON tc_calls (org_id, conversation_id, asked_at) WHERE conversation_id IS NOT NULL;
CREATE UNIQUE INDEX tc_calls_idempotency ON tc_calls (org_id, asker_id, tool, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TABLE tc_call_events (
  org_id TEXT COLLATE "C" NOT NULL,
  call_id TEXT COLLATE "C" NOT NULL,
  seq BIGINT NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  waiting_for TEXT COLLATE "C",
  at BIGINT NOT NULL,
  by_id TEXT COLLATE "C",
  reason TEXT COLLATE "C",
  PRIMARY KEY (org_id, call_id, seq)
);

CREATE TABLE tc_approvals (
  org_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  call_id TEXT COLLATE "C" NOT NULL,
  conversation_id TEXT COLLATE "C",
  asker_id TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'change_requested', 'expired', 'superseded', 'cancelled')),
  arguments_hash TEXT COLLATE "C" NOT NULL,
  card TEXT COLLATE "C" NOT NULL,
  fingerprint TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  decided_at BIGINT,
  decider_id TEXT COLLATE "C",
  decider_credential_id TEXT COLLATE "C",
  reason TEXT COLLATE "C",
  PRIMARY KEY (org_id, id),
  UNIQUE (org_id, call_id)
);
CREATE INDEX tc_approvals_pending ON tc_approvals (org_id, asker_id, created_at) WHERE status = 'pending';
CREATE INDEX tc_approvals_expiry ON tc_approvals (expires_at) WHERE status = 'pending';

CREATE TABLE tc_handles (
  org_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  owner_id TEXT COLLATE "C" NOT NULL,
  conversation_id TEXT COLLATE "C",
  call_id TEXT COLLATE "C" NOT NULL,
  content TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (org_id, id)
);

CREATE INDEX tc_handles_expiry ON tc_handles (expires_at);

-- What a client sees of a run, in the order sent; written in batches.
CREATE TABLE tc_stream_chunks (
  org_id TEXT COLLATE "C" NOT NULL,
  run_id TEXT COLLATE "C" NOT NULL,
  epoch BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  chunks TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (org_id, run_id, epoch, seq)
);
