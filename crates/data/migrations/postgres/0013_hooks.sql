-- What hooks did around a call, as JSON.
ALTER TABLE tc_calls ADD COLUMN hooks TEXT COLLATE "C";
