-- The data models as they were last applied to their tables, as JSON.
CREATE TABLE tc_models (
  org_slug TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  definition TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (org_slug, name)
);
