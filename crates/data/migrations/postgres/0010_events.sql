-- Who is told of calls, or asked before them. The key that signs what they are sent is not here.
CREATE TABLE tc_subscribers (
  org_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  url TEXT COLLATE "C" NOT NULL,
  -- The tools whose events it gets, as JSON; none for those of all.
  tools TEXT COLLATE "C" NOT NULL,
  pre TEXT COLLATE "C" NOT NULL,
  post BOOLEAN NOT NULL,
  timeout_ms BIGINT NOT NULL,
  enabled BOOLEAN NOT NULL,
  -- Raised when the key is made anew.
  key_version BIGINT NOT NULL,
  version BIGINT NOT NULL,
  created_by TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX tc_subscribers_named ON tc_subscribers (org_id, name);

-- Events on their way, one row a subscriber, stored with the transition that they tell of. What an event
-- says is written out when it is sent, from the call.
CREATE TABLE tc_deliveries (
  org_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  subscriber TEXT COLLATE "C" NOT NULL,
  call_id TEXT COLLATE "C" NOT NULL,
  tool TEXT COLLATE "C" NOT NULL,
  -- 0 before the call, 1 after it: the second waits for the first.
  moment BIGINT NOT NULL,
  with_data BOOLEAN NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  attempts BIGINT NOT NULL,
  next_at BIGINT NOT NULL,
  error TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  delivered_at BIGINT,
  PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX tc_deliveries_once ON tc_deliveries (org_id, call_id, subscriber, moment);
CREATE INDEX tc_deliveries_due ON tc_deliveries (org_id, subscriber, next_at) WHERE status = 'waiting';
CREATE INDEX tc_deliveries_of ON tc_deliveries (org_id, subscriber, status, id);
CREATE INDEX tc_deliveries_ended ON tc_deliveries (org_id, status, delivered_at);
