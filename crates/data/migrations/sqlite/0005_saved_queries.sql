-- Queries that people saved under a name; the definition is JSON, as a file in queries/ is YAML.
CREATE TABLE tc_saved_queries (
  org_id TEXT NOT NULL,
  name TEXT NOT NULL,
  definition TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (org_id, name)
) STRICT;
