-- Whether all runs of the conversation are trials: what they write is undone.
ALTER TABLE tc_conversations ADD COLUMN trial BOOLEAN NOT NULL DEFAULT false;
