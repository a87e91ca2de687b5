-- Who is told of calls, or asked before them. The key that signs what they are sent is not here.
CREATE TABLE tc_subscribers (
  org_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  -- The tools whose events it gets, as JSON; none for those of all.
  tools TEXT NOT NULL,
  pre TEXT NOT NULL,
  post INTEGER NOT NULL,
  timeout_ms INTEGER NOT NULL,
  enabled INTEGER NOT NULL,
  -- Raised when the key is made anew.
  key_version INTEGER NOT NULL,
  version INTEGER NOT NULL,
  created_by TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (org_id, id)
) STRICT;
CREATE UNIQUE INDEX tc_subscribers_named ON tc_subscribers (org_id, name);

-- Events on their way, one row a subscriber, stored with the transition that they tell of. What an event
-- says is written out when it is sent, from the call.
CREATE TABLE tc_deliveries (
  org_id TEXT NOT NULL,
  id TEXT NOT NULL,
  subscriber TEXT NOT NULL,
  call_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  -- 0 before the call, 1 after it: the second waits for the first.
  moment INTEGER NOT NULL,
  with_data INTEGER NOT NULL,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  error TEXT,
  created_at INTEGER NOT NULL,
  delivered_at INTEGER,
  PRIMARY KEY (org_id, id)
) STRICT;
CREATE UNIQUE INDEX tc_deliveries_once ON tc_deliveries (org_id, call_id, subscriber, moment);
CREATE INDEX tc_deliveries_due ON tc_deliveries (org_id, subscriber, next_at) WHERE status = 'waiting';
CREATE INDEX tc_deliveries_of ON tc_deliveries (org_id, subscriber, status, id);
CREATE INDEX tc_deliveries_ended ON tc_deliveries (org_id, status, delivered_at);
