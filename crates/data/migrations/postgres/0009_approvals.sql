-- What a tool's row says beside its switches, as JSON; and all that an editor can set, version by version.
ALTER TABLE tc_tools ADD COLUMN settings TEXT COLLATE "C" NOT NULL DEFAULT '{}';
ALTER TABLE tc_tool_versions ADD COLUMN state TEXT COLLATE "C";

-- The terms that a decision is made on, as they were when it was asked for; who may decide beside the
-- asker stands apart, to be found by; and the arguments before somebody edited them.
ALTER TABLE tc_approvals ADD COLUMN terms TEXT COLLATE "C" NOT NULL DEFAULT '{}';
ALTER TABLE tc_approvals ADD COLUMN approver_roles TEXT COLLATE "C" NOT NULL DEFAULT '[]';
ALTER TABLE tc_approvals ADD COLUMN arguments_before TEXT COLLATE "C";
-- Keeps who sees the hash of arguments, and not all of them, from guessing the rest.
ALTER TABLE tc_approvals ADD COLUMN nonce TEXT COLLATE "C" NOT NULL DEFAULT '';

-- Decisions for later calls: of one user, agent, tool at one version, and scope.
CREATE TABLE tc_grants (
  org_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL,
  agent TEXT COLLATE "C",
  tool TEXT COLLATE "C" NOT NULL,
  tool_digest TEXT COLLATE "C" NOT NULL,
  scope TEXT COLLATE "C" NOT NULL,
  -- The conversation it holds in; everywhere where there is none.
  conversation_id TEXT COLLATE "C",
  approval_id TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT,
  revoked_by TEXT COLLATE "C",
  PRIMARY KEY (org_id, id)
);
CREATE INDEX tc_grants_of ON tc_grants (org_id, user_id, tool) WHERE revoked_at IS NULL;

-- Which call ran by which grant.
CREATE TABLE tc_grant_uses (
  org_id TEXT COLLATE "C" NOT NULL,
  call_id TEXT COLLATE "C" NOT NULL,
  grant_id TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (org_id, call_id)
);
