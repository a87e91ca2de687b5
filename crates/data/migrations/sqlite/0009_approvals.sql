-- What a tool's row says beside its switches, as JSON; and all that an editor can set, version by version.
ALTER TABLE tc_tools ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
ALTER TABLE tc_tool_versions ADD COLUMN state TEXT;

-- The terms that a decision is made on, as they were when it was asked for; who may decide beside the
-- asker stands apart, to be found by; and the arguments before somebody edited them.
ALTER TABLE tc_approvals ADD COLUMN terms TEXT NOT NULL DEFAULT '{}';
ALTER TABLE tc_approvals ADD COLUMN approver_roles TEXT NOT NULL DEFAULT '[]';
ALTER TABLE tc_approvals ADD COLUMN arguments_before TEXT;
-- Keeps who sees the hash of arguments, and not all of them, from guessing the rest.
ALTER TABLE tc_approvals ADD COLUMN nonce TEXT NOT NULL DEFAULT '';

-- Decisions for later calls: of one user, agent, tool at one version, and scope.
CREATE TABLE tc_grants (
  org_id TEXT NOT NULL,
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  agent TEXT,
  tool TEXT NOT NULL,
  tool_digest TEXT NOT NULL,
  scope TEXT NOT NULL,
  -- The conversation it holds in; everywhere where there is none.
  conversation_id TEXT,
  approval_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  revoked_by TEXT,
  PRIMARY KEY (org_id, id)
) STRICT;
CREATE INDEX tc_grants_of ON tc_grants (org_id, user_id, tool) WHERE revoked_at IS NULL;

-- Which call ran by which grant.
CREATE TABLE tc_grant_uses (
  org_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  grant_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (org_id, call_id)
) STRICT;
