-- A caller's key against repetition holds for a day. Its call keeps it; from this moment on it is free.
ALTER TABLE tc_calls ADD COLUMN key_freed_at BIGINT;
DROP INDEX tc_calls_idempotency;
CREATE UNIQUE INDEX tc_calls_idempotency ON tc_calls (org_id, asker_id, tool, idempotency_key)
  WHERE idempotency_key IS NOT NULL AND key_freed_at IS NULL;
