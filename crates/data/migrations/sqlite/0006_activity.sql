-- Which calls wrote which record; a row is written in the unit of its write.
CREATE TABLE tc_record_calls (
  org_id TEXT NOT NULL,
  model TEXT NOT NULL,
  record_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (org_id, model, record_id, at, call_id)
) STRICT;
