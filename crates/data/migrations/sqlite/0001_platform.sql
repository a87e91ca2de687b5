-- The platform's own tables. Times are microseconds since 1970, UTC; ids are UUID text.
-- Every key begins with org_id: a row belongs to one organisation, and so does a query.

CREATE TABLE tc_orgs (
  id TEXT PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE tc_users (
  org_id TEXT NOT NULL REFERENCES tc_orgs (id),
  id TEXT NOT NULL,
  email TEXT NOT NULL,
  name TEXT NOT NULL,
  roles TEXT NOT NULL DEFAULT '[]',
  attributes TEXT NOT NULL DEFAULT '{}',
  disabled INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (org_id, id),
  UNIQUE (org_id, email)
) STRICT;

-- Secrets are kept as SHA-256 of 256 random bits; the bits themselves are shown once.
CREATE TABLE tc_sign_in_links (
  org_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  user_id TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  spent_at INTEGER,
  PRIMARY KEY (org_id, hash)
) STRICT;
CREATE UNIQUE INDEX tc_sign_in_links_hash ON tc_sign_in_links (hash);

CREATE TABLE tc_credentials (
  org_id TEXT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('session', 'token')),
  hash TEXT NOT NULL,
  user_id TEXT NOT NULL,
  name TEXT,
  scopes TEXT NOT NULL DEFAULT '[]',
  attended INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER,
  PRIMARY KEY (org_id, id)
) STRICT;
CREATE UNIQUE INDEX tc_credentials_hash ON tc_credentials (hash);

CREATE TABLE tc_tools (
  org_id TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  version INTEGER NOT NULL,
  enabled INTEGER NOT NULL,
  requires_approval INTEGER NOT NULL,
  composer INTEGER NOT NULL,
  -- Who may use it without an agent: null means those who may edit it, else a JSON audience.
  audience TEXT,
  -- Roles that may call it; empty means all.
  roles TEXT NOT NULL DEFAULT '[]',
  source TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (org_id, name)
) STRICT;

-- One row a save; a call names the version that it ran.
CREATE TABLE tc_tool_versions (
  org_id TEXT NOT NULL,
  name TEXT NOT NULL,
  version INTEGER NOT NULL,
  digest TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  input_schema TEXT NOT NULL,
  config TEXT NOT NULL,
  saved_by TEXT,
  saved_at INTEGER NOT NULL,
  PRIMARY KEY (org_id, name, version)
) STRICT;

CREATE TABLE tc_settings (
  org_id TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT,
  PRIMARY KEY (org_id, key)
) STRICT;

CREATE TABLE tc_conversations (
  org_id TEXT NOT NULL,
  id TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  agent TEXT NOT NULL,
  title TEXT NOT NULL,
  next_seq INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (org_id, id)
) STRICT;
CREATE INDEX tc_conversations_owner ON tc_conversations (org_id, owner_id, updated_at);

-- What people wrote. What a language model answered stands in tc_steps, what tools answered in tc_calls.
CREATE TABLE tc_messages (
  org_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  author_id TEXT NOT NULL,
  parts TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (org_id, conversation_id, id),
  UNIQUE (org_id, conversation_id, seq)
) STRICT;

CREATE TABLE tc_runs (
  org_id TEXT NOT NULL,
  id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  agent TEXT NOT NULL,
  asker_id TEXT NOT NULL,
  credential_id TEXT,
  message_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('active', 'waiting', 'done', 'failed', 'stopped')),
  epoch INTEGER NOT NULL DEFAULT 0,
  lease_owner TEXT,
  lease_until INTEGER,
  stop_requested INTEGER NOT NULL DEFAULT 0,
  finish TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (org_id, id),
  UNIQUE (org_id, conversation_id, seq)
) STRICT;
-- At most one run of a conversation is under way.
CREATE UNIQUE INDEX tc_runs_one_open ON tc_runs (org_id, conversation_id) WHERE state IN ('active', 'waiting');
CREATE INDEX tc_runs_open ON tc_runs (state, lease_until) WHERE state = 'active';

CREATE TABLE tc_steps (
  org_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  step INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  answer TEXT NOT NULL,
  meta TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (org_id, run_id, step)
) STRICT;

CREATE TABLE tc_calls (
  org_id TEXT NOT NULL,
  id TEXT NOT NULL,
  run_id TEXT,
  step INTEGER,
  position INTEGER,
  provider_call_id TEXT,
  parent_call_id TEXT,
  conversation_id TEXT,
  agent TEXT,
  via TEXT NOT NULL,
  asker_id TEXT NOT NULL,
  credential_id TEXT,
  tool TEXT NOT NULL,
  kind TEXT,
  tool_version INTEGER,
  tool_digest TEXT,
  level TEXT,
  title TEXT NOT NULL,
  state TEXT NOT NULL,
  waiting_for TEXT,
  arguments_asked TEXT NOT NULL,
  arguments TEXT,
  arguments_hash TEXT,
  repairs TEXT,
  result TEXT,
  error TEXT,
  shown INTEGER NOT NULL DEFAULT 0,
  handle_id TEXT,
  idempotency_key TEXT,
  asked_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  PRIMARY KEY (org_id, id),
  UNIQUE (org_id, run_id, step, position)
) STRICT;
CREATE INDEX tc_calls_recent ON tc_calls (org_id, asker_id, asked_at);
CREATE INDEX tc_calls_tool ON tc_calls (org_id, tool, asked_at);
CREATE INDEX tc_calls_conversation ON tc_calls (org_id, conversation_id, asked_at) WHERE conversation_id IS NOT NULL;
CREATE UNIQUE INDEX tc_calls_idempotency ON tc_calls (org_id, asker_id, tool, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TABLE tc_call_events (
  org_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  state TEXT NOT NULL,
  waiting_for TEXT,
  at INTEGER NOT NULL,
  by_id TEXT,
  reason TEXT,
  PRIMARY KEY (org_id, call_id, seq)
) STRICT;

CREATE TABLE tc_approvals (
  org_id TEXT NOT NULL,
  id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  conversation_id TEXT,
  asker_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'change_requested', 'expired', 'superseded', 'cancelled')),
  arguments_hash TEXT NOT NULL,
  card TEXT NOT NULL,
  fingerprint TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  decided_at INTEGER,
  decider_id TEXT,
  decider_credential_id TEXT,
  reason TEXT,
  PRIMARY KEY (org_id, id),
  UNIQUE (org_id, call_id)
) STRICT;
CREATE INDEX tc_approvals_pending ON tc_approvals (org_id, asker_id, created_at) WHERE status = 'pending';
CREATE INDEX tc_approvals_expiry ON tc_approvals (expires_at) WHERE status = 'pending';

CREATE TABLE tc_handles (
  org_id TEXT NOT NULL,
  id TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  conversation_id TEXT,
  call_id TEXT NOT NULL,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (org_id, id)
) STRICT;

CREATE INDEX tc_handles_expiry ON tc_handles (expires_at);

-- What a client sees of a run, in the order sent; written in batches.
CREATE TABLE tc_stream_chunks (
  org_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  chunks TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (org_id, run_id, epoch, seq)
) STRICT;
