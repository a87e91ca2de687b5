-- What the session's database holds, as far as the user may read it: MariaDB 10.5 and later, MySQL 8.
-- No parameters. Result columns are char (utf8mb4), signed bigint, or 0 and 1 as bigint; names are as they
-- are, without quotes. Temporary tables and sequences are left out. The statement `json` is for MariaDB only.

-- name: relations
-- One row a table or view.
SELECT
  t.table_name AS name,
  CASE t.table_type WHEN 'VIEW' THEN 'view' ELSE 'table' END AS kind,
  CASE WHEN t.table_type = 'VIEW' THEN NULL ELSE nullif(t.table_comment, '') END AS comment,  -- char or null. A view has none
  CAST(coalesce(v.is_updatable = 'YES', 1) AS SIGNED) AS is_updatable,  -- 0: a view that can't be written
  CAST(coalesce(t.engine, 'InnoDB') IN ('InnoDB', 'RocksDB') AS SIGNED) AS is_transactional,  -- 0: writes can't be taken back
  CAST(least(t.table_rows, 9223372036854775807) AS SIGNED) AS `rows`    -- or null: an estimate
FROM information_schema.tables t
LEFT JOIN information_schema.views v ON v.table_schema = database() AND v.table_name = t.table_name AND t.table_type = 'VIEW'
WHERE t.table_schema = database() AND t.table_type IN ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')
ORDER BY t.table_name;

-- name: columns
-- One row a column, in the order of its table. Tables without a column here may not be read.
SELECT
  c.table_name AS relation,
  c.column_name AS name,
  CAST(c.ordinal_position AS SIGNED) AS position,
  c.data_type AS base,                                        -- int, decimal, varchar, enum, json, uuid
  c.column_type AS type,                                      -- all of it: bigint(20) unsigned, enum('a','it''s'), tinyint(1)
  CAST(c.column_type LIKE '%unsigned%' AND c.data_type NOT IN ('enum', 'set') AS SIGNED) AS is_unsigned,
  CAST(c.character_maximum_length AS SIGNED) AS length,       -- or null: characters; of binary types bytes
  CAST(c.numeric_precision AS SIGNED) AS `precision`,         -- or null; of bit: the bits
  CAST(c.numeric_scale AS SIGNED) AS scale,                   -- or null; of float and double null unless declared
  CAST(c.datetime_precision AS SIGNED) AS second_digits,      -- or null: 0 to 6
  CAST(c.is_nullable = 'YES' AS SIGNED) AS nullable,
  c.column_default AS default_expression,                     -- or null. MariaDB: SQL ('it''s', NULL for none); MySQL: the bare value
  CASE WHEN c.generation_expression <> '' THEN c.generation_expression END AS `generated`,  -- or null: SQL; never written
  CAST(c.extra LIKE '%auto_increment%' AS SIGNED) AS is_auto_increment,
  CAST(c.extra LIKE '%on update%' AS SIGNED) AS is_set_on_update,
  c.character_set_name AS charset,                            -- or null, for what is no text
  c.collation_name AS collation,                              -- or null
  nullif(c.column_comment, '') AS comment,                    -- or null
  CAST(find_in_set('insert', c.privileges) > 0 AS SIGNED) AS may_insert,
  CAST(find_in_set('update', c.privileges) > 0 AS SIGNED) AS may_update
FROM information_schema.columns c
WHERE c.table_schema = database() AND find_in_set('select', c.privileges) > 0
ORDER BY c.table_name, c.ordinal_position;

-- name: keys
-- Primary keys and what else is unique: one row a column, in the order of the key. is_whole is 0 in keys
-- of which a column counts by its first characters, or is an expression: to be left out as a whole.
SELECT
  s.table_name AS relation,
  s.index_name AS `key`,                                      -- PRIMARY for the primary key: errors tell it
  CAST(s.index_name = 'PRIMARY' AS SIGNED) AS is_primary,
  CAST(s.seq_in_index AS SIGNED) AS position,                 -- from 1
  s.column_name AS name,                                      -- null for an expression (MySQL)
  CAST(s.sub_part IS NULL AND s.column_name IS NOT NULL AS SIGNED) AS is_whole
FROM information_schema.statistics s
WHERE s.table_schema = database() AND s.non_unique = 0
ORDER BY s.table_name, s.index_name <> 'PRIMARY', s.index_name, s.seq_in_index;

-- name: foreign_keys
-- One row a column, in the order of the foreign key. The target may be one that was left out above.
SELECT
  k.table_name AS relation,
  k.constraint_name AS `key`,
  CAST(k.ordinal_position AS SIGNED) AS position,             -- from 1
  k.column_name AS name,
  k.referenced_table_schema AS target_schema,
  k.referenced_table_name AS target_relation,
  k.referenced_column_name AS target_name,
  lower(CASE r.delete_rule WHEN 'NO ACTION' THEN 'RESTRICT' ELSE r.delete_rule END) AS on_delete
    -- cascade, set null, restrict; null where the user may only select
FROM information_schema.key_column_usage k
LEFT JOIN information_schema.referential_constraints r
  ON r.constraint_schema = database() AND r.table_name = k.table_name AND r.constraint_name = k.constraint_name
WHERE k.table_schema = database() AND k.referenced_table_name IS NOT NULL
ORDER BY k.table_name, k.constraint_name, k.ordinal_position;

-- name: json
-- MariaDB only: its json is longtext with a check. One row a column that is such a json. A user who may
-- only select sees no checks here; then SHOW CREATE TABLE tells for tables that have a longtext in utf8mb4_bin:
-- its line for the column ends in CHECK (json_valid(`name`)).
SELECT c.table_name AS relation, c.constraint_name AS name
FROM information_schema.check_constraints c
WHERE c.constraint_schema = database() AND c.level = 'Column'
  AND c.check_clause = concat('json_valid(`', replace(c.constraint_name, '`', '``'), '`)');
