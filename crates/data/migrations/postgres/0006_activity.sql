-- Which calls wrote which record; a row is written in the unit of its write.
CREATE TABLE tc_record_calls (
  org_id TEXT COLLATE "C" NOT NULL,
  model TEXT COLLATE "C" NOT NULL,
  record_id TEXT COLLATE "C" NOT NULL,
  call_id TEXT COLLATE "C" NOT NULL,
  operation TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (org_id, model, record_id, at, call_id)
);
