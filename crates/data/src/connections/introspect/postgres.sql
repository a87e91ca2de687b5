-- What a PostgreSQL database (12 or later) holds, as far as the user may read it. Four statements, each
-- with one parameter, $1: the schemas (text[]), or NULL for all but the system's. Every result column is
-- text, int8 or bool; names are as they are, without quotes. Temporary tables, partitions (their parent
-- stands for them), sequences and system schemas are left out, and so is what the user may not select.

-- name: relations
-- One row a table or view, by schema and name.
SELECT
  n.nspname::text AS schema,
  c.relname::text AS name,
  CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'f' THEN 'foreign table' ELSE 'table' END
    AS kind,                                                  -- text; a partitioned table is a 'table'
  d.description AS comment,                                   -- text or null; may hold line breaks
  (c.relkind <> 'm' AND has_any_column_privilege(c.oid, 'INSERT')
    AND (c.relkind <> 'v' OR pg_relation_is_updatable(c.oid, true)::int & 8 <> 0)) AS may_insert,                                            -- a right, and a view that takes it
  (c.relkind <> 'm' AND has_any_column_privilege(c.oid, 'UPDATE')
    AND (c.relkind <> 'v' OR pg_relation_is_updatable(c.oid, true)::int & 4 <> 0)) AS may_update,
  (c.relkind <> 'm' AND has_table_privilege(c.oid, 'DELETE')
    AND (c.relkind <> 'v' OR pg_relation_is_updatable(c.oid, true)::int & 16 <> 0)) AS may_delete,
  CASE WHEN c.reltuples >= 0 THEN c.reltuples::int8 END AS rows  -- int8 or null: an estimate; null if never counted
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_catalog.pg_description d
  ON d.objoid = c.oid AND d.classoid = 'pg_catalog.pg_class'::regclass AND d.objsubid = 0
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND c.relpersistence <> 't'
  AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND ($1::text[] IS NULL OR n.nspname = ANY ($1::text[]))
  AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C";

-- name: columns
-- One row a column, in the order of its table.
WITH RECURSIVE domain_chain AS (
  -- Domains may stand on domains: walk down to what is none. The first length met is the one that holds.
  SELECT t.oid AS domain, t.typbasetype AS base, t.typtypmod AS typmod, t.typnotnull AS not_null, t.typdefault AS expression, 1 AS step
  FROM pg_catalog.pg_type t WHERE t.typtype = 'd'
  UNION ALL
  SELECT d.domain, t.typbasetype, CASE WHEN d.typmod = -1 THEN t.typtypmod ELSE d.typmod END,
    d.not_null OR t.typnotnull, coalesce(d.expression, t.typdefault), d.step + 1
  FROM domain_chain d JOIN pg_catalog.pg_type t ON t.oid = d.base AND t.typtype = 'd'
), domains AS (
  SELECT DISTINCT ON (domain) * FROM domain_chain ORDER BY domain, step DESC
), enums AS (
  SELECT enumtypid, json_agg(enumlabel::text ORDER BY enumsortorder)::text AS labels
  FROM pg_catalog.pg_enum GROUP BY enumtypid
), owned AS (
  -- Sequences that go with a column: of serial (a), of identity (i).
  SELECT refobjid, refobjsubid, max(objid::int8)::oid AS sequence
  FROM pg_catalog.pg_depend d
  WHERE classid = 'pg_catalog.pg_class'::regclass AND refclassid = 'pg_catalog.pg_class'::regclass
    AND refobjsubid > 0 AND deptype IN ('a', 'i')
    AND EXISTS (SELECT FROM pg_catalog.pg_class s WHERE s.oid = d.objid AND s.relkind = 'S')
  GROUP BY 1, 2
)
SELECT
  n.nspname::text AS schema,
  c.relname::text AS relation,
  a.attname::text AS name,
  a.attnum::int8 AS position,                                 -- has gaps where columns were dropped
  pg_catalog.format_type(a.atttypid, a.atttypmod) AS type,    -- as it was declared: numeric(14,2), email, text[]
  (CASE WHEN e.oid IS NOT NULL THEN e.typname ELSE b.typname END)::text
    AS base,                                                  -- without domain and array: int4, numeric, varchar, bpchar, mood
  (SELECT s.nspname::text FROM pg_catalog.pg_namespace s
    WHERE s.oid = CASE WHEN e.oid IS NOT NULL THEN e.typnamespace ELSE b.typnamespace END)
    AS base_schema,                                           -- where that type is
  (CASE WHEN e.oid IS NOT NULL THEN e.typtype ELSE b.typtype END = 'e') AS is_enum,
  (e.oid IS NOT NULL) AS is_array,                            -- of any number of dimensions: PostgreSQL does not keep it
  CASE WHEN t.typtype = 'd' THEN pg_catalog.format_type(t.oid, NULL) END AS domain,       -- text or null
  (CASE WHEN e.oid IS NOT NULL THEN e.typnamespace ELSE b.typnamespace END
    = 'pg_catalog'::regnamespace) AS is_builtin,              -- false: citext, enums, types of extensions
  CASE WHEN coalesce(e.oid, b.oid) IN (1042, 1043) AND m.typmod > 4 THEN (m.typmod - 4)::int8
       WHEN coalesce(e.oid, b.oid) IN (1560, 1562) AND m.typmod > 0 THEN m.typmod::int8
  END AS length,                                              -- int8 or null: of char, varchar (characters), bit
  CASE WHEN coalesce(e.oid, b.oid) = 1700 AND m.typmod >= 4 THEN ((m.typmod - 4) >> 16 & 65535)::int8
       WHEN coalesce(e.oid, b.oid) IN (1083, 1266, 1114, 1184) AND m.typmod >= 0 THEN m.typmod::int8
  END AS precision,                                           -- int8 or null: digits of numeric; of a time: those of the second (null: 6)
  CASE WHEN coalesce(e.oid, b.oid) = 1700 AND m.typmod >= 4 THEN ((((m.typmod - 4) & 2047) # 1024) - 1024)::int8
  END AS scale,                                               -- int8 or null; may be below 0 or above the precision
  l.labels AS enum_values,                                    -- text or null: a JSON array, in the order of the enum
  NOT (a.attnotnull OR coalesce(m.not_null, false)) AS nullable,  -- of a view always true, unless a domain says otherwise
  CASE WHEN a.attgenerated = '' THEN coalesce(pg_catalog.pg_get_expr(f.adbin, f.adrelid), m.expression) END
    AS default_expression,                                    -- text or null: SQL
  CASE WHEN a.attgenerated <> '' THEN pg_catalog.pg_get_expr(f.adbin, f.adrelid) END
    AS generated,                                             -- text or null: SQL; such a column is never written
  CASE a.attidentity WHEN 'a' THEN 'always' WHEN 'd' THEN 'default' ELSE
    CASE WHEN o.sequence IS NOT NULL THEN 'serial'
         WHEN pg_catalog.pg_get_expr(f.adbin, f.adrelid) LIKE 'nextval(%' THEN 'sequence' END END
    AS automatic,                                             -- text or null; 'always' refuses a given value
  CASE WHEN a.attcollation NOT IN (0, 100) THEN
    (SELECT k.collname::text FROM pg_catalog.pg_collation k WHERE k.oid = a.attcollation) END
    AS collation,                                             -- text or null, which is the database's
  coalesce((SELECT k.collisdeterministic FROM pg_catalog.pg_collation k WHERE k.oid = a.attcollation), true)
    AS is_deterministic,                                      -- false: = takes different texts for equal (as does citext)
  (SELECT d.description FROM pg_catalog.pg_description d
    WHERE d.objoid = c.oid AND d.classoid = 'pg_catalog.pg_class'::regclass AND d.objsubid = a.attnum)
    AS comment,                                               -- text or null; not a join, which without statistics is slow
  has_column_privilege(c.oid, a.attnum, 'INSERT') AS may_insert,
  has_column_privilege(c.oid, a.attnum, 'UPDATE') AS may_update
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
LEFT JOIN domains g ON g.domain = t.oid
CROSS JOIN LATERAL (SELECT
  coalesce(g.base, a.atttypid) AS type,
  CASE WHEN g.domain IS NULL THEN a.atttypmod ELSE g.typmod END AS typmod,
  g.not_null, g.expression) m
JOIN pg_catalog.pg_type b ON b.oid = m.type
LEFT JOIN pg_catalog.pg_type e ON e.oid = b.typelem AND b.typcategory = 'A'
LEFT JOIN enums l ON l.enumtypid = coalesce(e.oid, b.oid)
LEFT JOIN pg_catalog.pg_attrdef f ON f.adrelid = c.oid AND f.adnum = a.attnum
LEFT JOIN owned o ON o.refobjid = c.oid AND o.refobjsubid = a.attnum
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND c.relpersistence <> 't'
  AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND ($1::text[] IS NULL OR n.nspname = ANY ($1::text[]))
  AND has_schema_privilege(n.oid, 'USAGE') AND has_column_privilege(c.oid, a.attnum, 'SELECT')
ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C", a.attnum;

-- name: keys
-- Primary keys and what else is unique: one row a column, in the order of the key. Only what is unique
-- of its columns as they are, for all rows: no partial indexes, none of expressions, none that is broken.
SELECT
  n.nspname::text AS schema,
  c.relname::text AS relation,
  i.relname::text AS key,                                     -- the constraint's name and the index's: errors tell it
  x.indisprimary AS is_primary,
  NOT x.indimmediate AS is_deferred,                          -- checked at the end of the transaction, not by the statement
  k.position::int8 AS position,                               -- from 1
  a.attname::text AS name
FROM pg_catalog.pg_index x
JOIN pg_catalog.pg_class c ON c.oid = x.indrelid
JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
CROSS JOIN LATERAL unnest(x.indkey::int2[]) WITH ORDINALITY AS k (attnum, position)
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
WHERE x.indisunique AND x.indisvalid AND x.indpred IS NULL AND x.indexprs IS NULL AND k.position <= x.indnkeyatts
  AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence <> 't'
  AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND ($1::text[] IS NULL OR n.nspname = ANY ($1::text[]))
  AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C", x.indisprimary DESC, i.relname COLLATE "C", k.position;

-- name: foreign_keys
-- One row a column, in the order of the foreign key. The target may be a relation that was left out above.
SELECT
  n.nspname::text AS schema,
  c.relname::text AS relation,
  o.conname::text AS key,
  k.position::int8 AS position,                               -- from 1
  a.attname::text AS name,
  tn.nspname::text AS target_schema,
  tc.relname::text AS target_relation,
  ta.attname::text AS target_name,
  CASE o.confdeltype WHEN 'c' THEN 'cascade' WHEN 'n' THEN 'set null' WHEN 'd' THEN 'set default' ELSE 'restrict' END
    AS on_delete,                                             -- text; no action is told as restrict
  o.convalidated AS is_checked                                -- false: old rows may lead nowhere
FROM pg_catalog.pg_constraint o
JOIN pg_catalog.pg_class c ON c.oid = o.conrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_class tc ON tc.oid = o.confrelid
JOIN pg_catalog.pg_namespace tn ON tn.oid = tc.relnamespace
CROSS JOIN LATERAL unnest(o.conkey, o.confkey) WITH ORDINALITY AS k (attnum, target, position)
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
JOIN pg_catalog.pg_attribute ta ON ta.attrelid = tc.oid AND ta.attnum = k.target
WHERE o.contype = 'f' AND o.conparentid = 0 AND NOT c.relispartition AND c.relpersistence <> 't'
  AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND ($1::text[] IS NULL OR n.nspname = ANY ($1::text[]))
  AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C", o.conname COLLATE "C", k.position;
