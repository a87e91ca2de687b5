-- The audit chain: transitions of calls in the order in which they were stored, sealed in segments.
-- Entries are JSON lines. They hold payloads as salted hashes; the salts stand apart, so that a payload
-- can be erased. A mark says up to which row of tc_call_events a segment goes.
CREATE TABLE tc_audit_segments (
  org_id TEXT NOT NULL,
  segment INTEGER NOT NULL,
  first_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  entries TEXT NOT NULL,
  salts TEXT NOT NULL,
  key_id TEXT NOT NULL,
  mac TEXT NOT NULL,
  mark_unit INTEGER NOT NULL,
  mark_row INTEGER NOT NULL,
  sealed_at INTEGER NOT NULL,
  PRIMARY KEY (org_id, segment)
) STRICT;

-- Where the chain begins once older segments are pruned.
CREATE TABLE tc_audit_checkpoints (
  org_id TEXT NOT NULL,
  segment INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  mark_unit INTEGER NOT NULL,
  mark_row INTEGER NOT NULL,
  mac TEXT NOT NULL,
  key_id TEXT NOT NULL,
  signature TEXT NOT NULL,
  pruned_at INTEGER NOT NULL,
  PRIMARY KEY (org_id, segment)
) STRICT;

-- Work of which one server at a time does a kind.
CREATE TABLE tc_leases (
  org_id TEXT NOT NULL,
  name TEXT NOT NULL,
  owner TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (org_id, name)
) STRICT;
