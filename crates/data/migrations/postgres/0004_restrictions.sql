-- What of the data models a call's result or error holds, as JSON: by it a result is masked when it is encoded
-- for a reader. Null where nobody said; then nothing of it reaches a reader that anything is kept from.
ALTER TABLE tc_calls ADD COLUMN tags TEXT COLLATE "C";

-- What was kept from the language model in the request that a step answers, as a JSON list; null where nothing was.
ALTER TABLE tc_steps ADD COLUMN withheld TEXT COLLATE "C";

-- What of a call's result was kept from whose language models, once for each different set of fields.
CREATE TABLE tc_withheld (
  org_id TEXT COLLATE "C" NOT NULL,
  call_id TEXT COLLATE "C" NOT NULL,
  provider TEXT COLLATE "C" NOT NULL,
  fields TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (org_id, call_id, provider, fields)
);
