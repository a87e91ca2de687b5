-- Files of the workspace that were made in the web app. Each save is a row; the newest counts, and one
-- without text says that the file is gone.
CREATE TABLE tc_documents (
  org_id TEXT COLLATE "C" NOT NULL,
  path TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  text TEXT COLLATE "C",
  saved_by TEXT COLLATE "C" NOT NULL,
  saved_at BIGINT NOT NULL,
  PRIMARY KEY (org_id, path, version)
);
