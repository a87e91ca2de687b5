-- What an SQLite database holds: SQLite 3.38 or later, schema main. Results are text and integer, 0 and 1
-- for no and yes. Temporary tables, tables of SQLite and the shadow tables of virtual ones are left out.

-- name: relations
-- One row a table or view.
SELECT
  l.name AS name,
  CASE l.type WHEN 'view' THEN 'view' WHEN 'virtual' THEN 'virtual table' ELSE 'table' END AS kind,
  l.wr AS is_without_rowid,
  l.strict AS is_strict,                                      -- 0: any value in any column
  -- Told by the words of the statement, which a comment can mislead. It says that ids are never used twice;
  -- that they are given at all, is_rowid below.
  (l.type = 'table' AND EXISTS (SELECT 1 FROM sqlite_schema q WHERE q.name = 'sqlite_sequence')
    AND s.sql LIKE '%primary%key%autoincrement%') AS is_autoincrement
FROM pragma_table_list l
JOIN sqlite_schema s ON s.name = l.name AND s.type IN ('table', 'view')
WHERE l.schema = 'main' AND l.type IN ('table', 'view', 'virtual') AND l.name NOT LIKE 'sqlite\_%' ESCAPE '\'
ORDER BY l.name;

-- name: columns
-- One row a column, in the order of its table. Parameter ?1: NULL for all tables, or the name of one view.
-- Views come one by one, for one whose table is gone fails the statement.
SELECT
  l.name AS relation,
  c.name AS name,
  c.cid AS position,                                          -- from 0
  c.type AS type,                                             -- as it was declared; '' for none
  (c."notnull" = 0 AND NOT (c.pk > 0 AND (l.wr OR k.is_rowid))) AS nullable,
  c.dflt_value AS default_expression,                         -- or null: SQL
  (c.hidden IN (2, 3)) AS is_generated,                       -- never written
  c.pk AS key_position,                                       -- 0, or from 1: where it stands in the primary key
  (c.pk > 0 AND k.is_rowid) AS is_rowid                       -- the key that SQLite gives itself
FROM pragma_table_list l
JOIN pragma_table_xinfo(l.name, 'main') c
-- An INTEGER key that is the rowid has no index of its own.
LEFT JOIN (
  SELECT t.name, NOT t.wr AND count(*) = 1 AND lower(max(i.type)) = 'integer'
    AND NOT EXISTS (SELECT 1 FROM pragma_index_list(t.name, 'main') x WHERE x.origin = 'pk') AS is_rowid
  FROM pragma_table_list t JOIN pragma_table_xinfo(t.name, 'main') i ON i.pk > 0
  WHERE t.schema = 'main' AND t.type = 'table'
  GROUP BY t.name
) k ON k.name = l.name
WHERE l.schema = 'main' AND l.type IN ('table', 'view', 'virtual') AND l.name NOT LIKE 'sqlite\_%' ESCAPE '\'
  AND CASE WHEN ?1 IS NULL THEN l.type <> 'view' ELSE l.name = ?1 END AND c.hidden <> 1
ORDER BY l.name, c.cid;

-- name: keys
-- What is unique besides the primary key, which `columns` tells: one row a column, in the order of the key.
-- No partial indexes, none of expressions.
SELECT
  l.name AS relation,
  x.name AS "key",                                            -- the index's name, which errors do not tell
  i.seqno AS position,                                        -- from 0
  i.name AS name,
  i.coll AS collation                                         -- BINARY, NOCASE, RTRIM: unique in its sense
FROM pragma_table_list l
JOIN pragma_index_list(l.name, 'main') x ON x."unique" AND NOT x.partial AND x.origin <> 'pk'
JOIN pragma_index_xinfo(x.name, 'main') i ON i.key
WHERE l.schema = 'main' AND l.type = 'table' AND l.name NOT LIKE 'sqlite\_%' ESCAPE '\'
  AND NOT EXISTS (SELECT 1 FROM pragma_index_xinfo(x.name, 'main') e WHERE e.key AND e.cid < 0)
ORDER BY l.name, x.name, i.seqno;

-- name: foreign_keys
-- One row a column, in the order of the foreign key. Only what leads to a table that there is.
WITH tables AS MATERIALIZED (
  SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
)
SELECT
  l.name AS relation,
  f.id AS "key",                                              -- a number; names are not kept
  f.seq AS position,                                          -- from 0
  f."from" AS name,
  t.name AS target_relation,
  coalesce(c.name, f."to") AS target_name,                    -- without columns, it is the primary key that is meant
  lower(f.on_delete) AS on_delete                             -- no action, restrict, cascade, set null, set default
FROM tables l
JOIN pragma_foreign_key_list(l.name, 'main') f
JOIN tables t ON t.name = f."table" COLLATE NOCASE
LEFT JOIN pragma_table_xinfo(t.name, 'main') c
  ON CASE WHEN f."to" IS NULL THEN c.pk = f.seq + 1 ELSE c.name = f."to" COLLATE NOCASE END
ORDER BY l.name, f.id, f.seq;
