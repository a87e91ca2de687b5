-- What a trial would have changed, as JSON; null for a call that was not a trial.
ALTER TABLE tc_calls ADD COLUMN trial TEXT COLLATE "C";
