-- An odd MariaDB (or MySQL) schema to try introspection on. For an empty database that is the session's:
--   mariadb --default-character-set=utf8mb4 odd < mysql-odd.sql
-- Makes a second database, `odd other`, and the user odd_reader@127.0.0.1, who may read most.
-- What MariaDB alone knows stands in /*M! ... */ comments, which MySQL skips.

SET sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';
SET time_zone = '+00:00';
DROP DATABASE IF EXISTS `odd other`;
CREATE DATABASE `odd other` CHARACTER SET utf8mb4;

CREATE TABLE all_types (
  id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  c_bool boolean DEFAULT true,
  c_tinyint tinyint,
  c_tinyint_1u tinyint(1) unsigned,
  c_tinyint_u tinyint unsigned,
  c_smallint smallint,
  c_mediumint mediumint,
  c_int int NOT NULL DEFAULT 7 COMMENT 'A number',
  c_int_u int unsigned,
  c_int_zero int(5) unsigned zerofill,
  c_bigint bigint,
  c_bigint_u bigint unsigned,
  c_decimal decimal,
  c_decimal_14_2 decimal(14,2) DEFAULT 0.00,
  c_decimal_u decimal(10,3) unsigned,
  c_decimal_big decimal(65,30),
  c_float float,
  c_float_7_3 float(7,3),
  c_double double,
  c_bit1 bit(1),
  c_bit10 bit(10) DEFAULT b'101',
  c_char char(5),
  c_char0 char(0),
  c_varchar varchar(20) DEFAULT 'it''s',
  c_varchar_latin1 varchar(20) CHARACTER SET latin1,
  c_varchar_bin varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  c_varchar_uni varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci,
  c_varchar_utf8mb3 varchar(20) CHARACTER SET utf8mb3,
  c_varchar_utf16 varchar(20) CHARACTER SET utf16,
  c_tinytext tinytext,
  c_text text,
  c_mediumtext mediumtext,
  c_longtext longtext,
  c_binary binary(16),
  c_varbinary varbinary(50),
  c_blob blob,
  c_longblob longblob,
  c_date date DEFAULT '2026-01-31',
  c_time time,
  c_time6 time(6),
  c_year year,
  c_datetime datetime DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  c_datetime6 datetime(6),
  c_timestamp timestamp NULL DEFAULT NULL,
  c_timestamp6 timestamp(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  c_enum enum('sad', 'ok', 'very happy', 'it''s, "odd"', 'ü', '') DEFAULT 'ok',
  c_set set('a', 'b', 'c d') NOT NULL DEFAULT 'a,b',
  c_json json,
  c_point point
  /*M! , c_uuid uuid DEFAULT uuid(), c_inet4 inet4, c_inet6 inet6, c_invisible int INVISIBLE DEFAULT 3 */
) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci COMMENT 'Every type.\nSecond line, it''s "quoted" ü';

CREATE TABLE not_quite_json (id int PRIMARY KEY, plain longtext, checked longtext CHECK (json_valid(checked)), both_checks longtext CHECK (json_valid(both_checks) AND length(both_checks) < 9));
CREATE TABLE uuid_key (`key` char(36) CHARACTER SET ascii PRIMARY KEY, v int);
/*M! CREATE TABLE uuid_key2 (`key` uuid PRIMARY KEY DEFAULT uuid(), v int) */;
CREATE TABLE composite_key (z varchar(9), b int, a date, v int, PRIMARY KEY (b, a, z));
CREATE TABLE no_key (a int, b text);
CREATE TABLE no_key_but_unique (a int NOT NULL UNIQUE, b text);
CREATE TABLE auto_not_key (id int PRIMARY KEY, n int NOT NULL AUTO_INCREMENT UNIQUE);
CREATE TABLE prefix_key (t varchar(200), PRIMARY KEY (t(10)));

CREATE TABLE uniques (
  id int PRIMARY KEY, constraint_unique int UNIQUE, index_unique int, prefix_unique varchar(200), two_a int, two_b int, just_index int,
  CONSTRAINT `two of them` UNIQUE (two_b, two_a), UNIQUE (prefix_unique(5)), KEY (just_index)
);
CREATE UNIQUE INDEX index_unique ON uniques (index_unique DESC);

CREATE TABLE `generated` (
  id int PRIMARY KEY, first varchar(20), last varchar(20),
  whole varchar(50) AS (concat(first, ' ', last)) STORED COMMENT 'The name',
  n decimal(10,2) CHECK (n >= 0),
  doubled decimal(12,2) AS (n * 2) VIRTUAL,
  state varchar(9) NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'done')),
  made_of int DEFAULT (1 + 1),
  text_null varchar(9) DEFAULT 'NULL',
  CONSTRAINT `both` CHECK (first IS NOT NULL OR last IS NOT NULL)
);

CREATE TABLE `odd other`.country (code varchar(9) PRIMARY KEY, name varchar(20) UNIQUE);
CREATE TABLE employee (
  id int AUTO_INCREMENT PRIMARY KEY, manager_id int, country varchar(9), secret int,
  FOREIGN KEY (manager_id) REFERENCES employee (id) ON DELETE SET NULL,
  CONSTRAINT `other's` FOREIGN KEY (country) REFERENCES `odd other`.country (code) ON UPDATE CASCADE
);
CREATE TABLE fk_multi (
  id int PRIMARY KEY, x varchar(9), y int, w date, manager int NOT NULL,
  CONSTRAINT `multi fk` FOREIGN KEY (y, w, x) REFERENCES composite_key (b, a, z),
  FOREIGN KEY (manager) REFERENCES employee (id) ON DELETE CASCADE
);
CREATE TABLE not_readable (id int PRIMARY KEY, v text);
CREATE TABLE half_readable (id int PRIMARY KEY, `open` text, closed text);

CREATE TABLE `Weird "Table`` näme, 日本` (
  `select` int PRIMARY KEY, `Mixed Case` text, `with "quote"` text, `with``tick` text, `with.dot` text, ` space` text,
  `ünï` text, `$dollar` text, `per%cent` text, `back\slash` text, `it's` text, `0` text
);
CREATE TABLE `order` (`group` int PRIMARY KEY, `user` int, `table` varchar(9) UNIQUE, FOREIGN KEY (`user`) REFERENCES `Weird "Table`` näme, 日本` (`select`));

CREATE VIEW plain_view AS SELECT id, c_decimal_14_2 AS total, c_enum, upper(c_text) AS up FROM all_types;
CREATE VIEW updatable_view AS SELECT id, manager_id FROM employee WHERE country IS NOT NULL;
CREATE VIEW grouped_view AS SELECT country, count(*) AS n FROM employee GROUP BY country;
CREATE TABLE goes_away (id int PRIMARY KEY);
CREATE VIEW broken_view AS SELECT * FROM goes_away;
DROP TABLE goes_away;

CREATE TABLE events (id bigint NOT NULL, happened date NOT NULL, PRIMARY KEY (id, happened)) PARTITION BY RANGE (year(happened)) (PARTITION p1 VALUES LESS THAN (2026), PARTITION p2 VALUES LESS THAN MAXVALUE);
CREATE TABLE in_myisam (id int PRIMARY KEY) ENGINE MyISAM;
CREATE TABLE in_memory (id int PRIMARY KEY) ENGINE MEMORY;
/*M! CREATE TABLE versioned (id int PRIMARY KEY, v int) WITH SYSTEM VERSIONING */;
/*M! CREATE SEQUENCE lone_sequence */;
CREATE TEMPORARY TABLE temporary_table (id int PRIMARY KEY);

CREATE USER IF NOT EXISTS odd_reader@'127.0.0.1';
GRANT SELECT ON all_types TO odd_reader@'127.0.0.1';
GRANT SELECT ON `generated` TO odd_reader@'127.0.0.1';
GRANT SELECT ON composite_key TO odd_reader@'127.0.0.1';
GRANT SELECT ON fk_multi TO odd_reader@'127.0.0.1';
GRANT SELECT ON employee TO odd_reader@'127.0.0.1';
GRANT SELECT ON uniques TO odd_reader@'127.0.0.1';
GRANT SELECT ON `order` TO odd_reader@'127.0.0.1';
GRANT SELECT ON `Weird "Table`` näme, 日本` TO odd_reader@'127.0.0.1';
GRANT SELECT ON plain_view TO odd_reader@'127.0.0.1';
GRANT SELECT ON updatable_view TO odd_reader@'127.0.0.1';
GRANT INSERT ON not_readable TO odd_reader@'127.0.0.1';
GRANT SELECT (id, `open`) ON half_readable TO odd_reader@'127.0.0.1';
GRANT INSERT, UPDATE (manager_id), DELETE ON employee TO odd_reader@'127.0.0.1';

SET sql_mode = '';
INSERT INTO all_types (c_bool, c_tinyint, c_bigint_u, c_decimal_14_2, c_decimal_big, c_float, c_double, c_bit10, c_char, c_varchar, c_varchar_latin1, c_binary, c_date, c_time, c_year, c_datetime, c_datetime6, c_timestamp, c_enum, c_set, c_json, c_int_zero) VALUES
  (2, -128, 18446744073709551615, -999999999999.99, 12345678901234567890123456789012345.123456789012345678901234567890, 1e38, -1e308, b'1111111111', 'ab  ', 'x  ', 'é', 'a', '0000-00-00', '-838:59:59', 0, '0000-00-00 00:00:00', '0000-00-00 00:00:00', '0000-00-00 00:00:00', 'not there', '', '{"a": 1e400}', 42),
  (0, 127, 0, 0, 0, 0.1, 0.1, 0, '', '', '', '', '2026-02-00', '838:59:59', 2155, '0001-01-01 00:00:00', '9999-12-31 23:59:59.999999', '2038-01-19 03:14:07', '', 'a,c d', 'null', 7),
  (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '1000-01-01', '00:00:00', 1901, '1969-12-31 23:59:59', '1969-12-31 23:59:59.999999', '1970-01-01 00:00:01', NULL, 'b', NULL, NULL);
