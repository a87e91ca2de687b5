-- Files of the workspace that were made in the web app. Each save is a row; the newest counts, and one
-- without text says that the file is gone.
CREATE TABLE tc_documents (
  org_id TEXT NOT NULL,
  path TEXT NOT NULL,
  version INTEGER NOT NULL,
  text TEXT,
  saved_by TEXT NOT NULL,
  saved_at INTEGER NOT NULL,
  PRIMARY KEY (org_id, path, version)
) STRICT;
