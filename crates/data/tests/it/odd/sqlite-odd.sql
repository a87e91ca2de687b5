-- An odd SQLite schema to try introspection on:  sqlite3 odd.db < sqlite-odd.sql   (3.38 or later)

PRAGMA foreign_keys = ON;

CREATE TABLE all_types (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  c_int INT NOT NULL DEFAULT 7,
  c_bigint BIGINT,
  c_unsigned UNSIGNED BIG INT,
  c_tinyint TINYINT(1),
  c_bool BOOLEAN DEFAULT TRUE,
  c_real REAL,
  c_double DOUBLE PRECISION,
  c_float FLOAT,
  c_numeric NUMERIC,
  c_decimal DECIMAL(14,2) DEFAULT 0.00,
  c_decimal_spaced decimal ( 10 , 3 ),
  c_char CHARACTER(5),
  c_varchar VARCHAR(20) DEFAULT 'it''s',
  c_nvarchar NVARCHAR(100) COLLATE NOCASE,
  c_text TEXT DEFAULT "old style",
  c_clob CLOB,
  c_blob BLOB,
  c_date DATE DEFAULT CURRENT_DATE,
  c_time TIME,
  c_datetime DATETIME DEFAULT CURRENT_TIMESTAMP,
  c_timestamp TIMESTAMP DEFAULT (strftime('%s', 'now')),
  c_json JSON DEFAULT ('{}'),
  c_uuid UUID,
  c_guid GUID,
  c_any ANY,
  c_nothing,
  c_strange "some thing (odd, 'type')",
  c_null_default TEXT DEFAULT NULL,
  c_negative INT DEFAULT -1
);

CREATE TABLE rowid_key (id INTEGER PRIMARY KEY, v TEXT);
CREATE TABLE not_rowid_key (id INT PRIMARY KEY, v TEXT);              -- no alias of the rowid: NULL is possible
CREATE TABLE desc_key (id INTEGER PRIMARY KEY DESC, v TEXT);          -- nor is this one, by an old mistake kept
CREATE TABLE text_key (code TEXT PRIMARY KEY, v TEXT);
CREATE TABLE composite_key (z TEXT, b INT, a TEXT, v INT, PRIMARY KEY (b, a, z));
CREATE TABLE without_rowid (k TEXT PRIMARY KEY, v INT) WITHOUT ROWID;
CREATE TABLE strict_table (id INTEGER PRIMARY KEY, i INT, t TEXT, r REAL, b BLOB, a ANY) STRICT;
CREATE TABLE no_key (a INT, b TEXT);
CREATE TABLE no_key_but_unique (a INT NOT NULL UNIQUE, b TEXT);
CREATE TABLE says_autoincrement (id INTEGER PRIMARY KEY, v TEXT DEFAULT 'AUTOINCREMENT');

CREATE TABLE uniques (
  id INTEGER PRIMARY KEY, constraint_unique INT UNIQUE, index_unique INT, partial_unique INT, expression_unique TEXT,
  two_a INT, two_b INT, nocase_unique TEXT COLLATE NOCASE UNIQUE, just_index INT,
  CONSTRAINT "two of them" UNIQUE (two_b, two_a)
);
CREATE UNIQUE INDEX uniques_index ON uniques (index_unique DESC);
CREATE UNIQUE INDEX uniques_partial ON uniques (partial_unique) WHERE partial_unique > 0;
CREATE UNIQUE INDEX uniques_expression ON uniques (lower(expression_unique));
CREATE INDEX uniques_just ON uniques (just_index);

CREATE TABLE generated (
  id INTEGER PRIMARY KEY, first TEXT, last TEXT,
  whole TEXT GENERATED ALWAYS AS (first || ' ' || last) STORED,
  n DECIMAL(10,2), doubled AS (n * 2),
  state TEXT NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'done'))
);

CREATE TABLE employee (id INTEGER PRIMARY KEY, manager_id INT REFERENCES employee ON DELETE SET NULL, country TEXT REFERENCES "Weird ""Table"" näme, 日本" ("Mixed Case"));
CREATE TABLE fk_multi (
  id INTEGER PRIMARY KEY, x TEXT, y INT, w TEXT, manager INT NOT NULL REFERENCES EMPLOYEE (ID) ON DELETE CASCADE, nowhere INT REFERENCES missing (id),
  unnamed_b INT, unnamed_a TEXT, unnamed_z TEXT,
  CONSTRAINT "multi fk" FOREIGN KEY (w, x, y) REFERENCES composite_key (a, z, b),
  FOREIGN KEY (unnamed_b, unnamed_a, unnamed_z) REFERENCES composite_key
);
CREATE TABLE "Weird ""Table"" näme, 日本" (
  "select" INTEGER PRIMARY KEY, "Mixed Case" TEXT UNIQUE, "with ""quote""" TEXT, [in brackets] TEXT, `ticks` TEXT, "with.dot" TEXT, " space " TEXT,
  "ünï" TEXT, "emoji 😀" TEXT, "$dollar" TEXT, "per%cent" TEXT, "back\slash" TEXT, "it's" TEXT, "0" TEXT, "" TEXT
);
CREATE TABLE "order" ("group" INTEGER PRIMARY KEY, "user" INT REFERENCES "Weird ""Table"" näme, 日本", "table" TEXT UNIQUE);

CREATE VIEW plain_view AS SELECT id, c_decimal AS total, upper(c_text) AS up FROM all_types;
CREATE VIEW broken_view AS SELECT * FROM goes_away;
CREATE VIRTUAL TABLE full_text USING fts5(title, body);
CREATE TEMPORARY TABLE temporary_table (id INTEGER PRIMARY KEY);

INSERT INTO all_types (c_int, c_bigint, c_bool, c_real, c_decimal, c_varchar, c_text, c_blob, c_date, c_datetime, c_json) VALUES
  (1, 9223372036854775807, 1, 1e308, '1250.50', 'x', 'a', x'00ff', '2026-01-31', '2026-01-31 14:30:00', '{"a":1}'),
  ('not a number', 9223372036854775808, 'yes', 'text', 0.1, 5, x'616263', 'text in a blob', 20260131, 1769869800, '{bad'),
  (-1, 1.5, NULL, 7, 123456789012345678.91, NULL, 42, NULL, '31.01.2026', '2026-01-31T14:30:00+05:30', NULL);
