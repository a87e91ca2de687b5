-- The data models as they were last applied to their tables, as JSON.
CREATE TABLE tc_models (
  org_slug TEXT NOT NULL,
  name TEXT NOT NULL,
  definition TEXT NOT NULL,
  PRIMARY KEY (org_slug, name)
) STRICT;
