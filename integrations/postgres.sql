CREATE TABLE smalls (id smallint PRIMARY KEY, slug text);
INSERT INTO smalls VALUES (5, 'a'), (-2, 'b'), (0, 'c');
CREATE TABLE bigs (id bigint PRIMARY KEY, slug text);
INSERT INTO bigs VALUES (9223372036854775807, 'a'), (-9223372036854775808, 'b'), (7, 'c');
CREATE TABLE uuids (id uuid PRIMARY KEY, slug text);
INSERT INTO uuids VALUES ('ff000000-0000-4000-8000-000000000000', 'a'), ('00000000-0000-0000-0000-000000000001', 'b'),
    ('7f000000-0000-4000-8000-000000000000', 'c');
CREATE TABLE texts (slug varchar(20) PRIMARY KEY);
INSERT INTO texts VALUES ('a'), ('B'), ('é'), ('7');
CREATE TABLE times (at timestamptz PRIMARY KEY, slug text);
INSERT INTO times VALUES ('2026-05-01 00:00:00Z', 'a'), ('2026-05-01 00:00:00.000001Z', 'b'), ('2026-06-01 00:00:00Z', 'c');
CREATE TABLE numbers (n numeric PRIMARY KEY, slug text);
INSERT INTO numbers VALUES (10, 'a'), (9.99, 'b'), (-0.5, 'c');
CREATE TABLE two (lang text, id int, slug text, at timestamptz, PRIMARY KEY (lang, id));
INSERT INTO two VALUES ('en', 1, 'a', '2026-05-01 23:00Z'), ('de', 2, 'b', '2026-05-02 01:00+09'), ('de', 10, 'c', '2026-04-01 00:00Z'),
    ('en', 0, 'd', '2026-04-01 00:00Z'), ('fr', 1, 'e', '2026-04-01 00:00Z');
CREATE TABLE none (id int PRIMARY KEY, slug text);
CREATE TABLE large (kind text, id int, slug text, at timestamptz, draft boolean, PRIMARY KEY (kind, id));
INSERT INTO large SELECT k, n, k || n, now(), n % 50 = 0 FROM generate_series(1, 20000) AS n, (VALUES ('a'), ('b'), ('c')) AS kinds (k);
CREATE TABLE blobs (id bytea PRIMARY KEY, slug text);
INSERT INTO blobs VALUES ('\xff', 'a'), ('', 'b'), ('\x00ff', 'c');
CREATE TABLE products (id bigint PRIMARY KEY, slug text, at timestamptz, draft boolean);
INSERT INTO products VALUES (900, 'desk', '2026-06-01 00:00Z', false), (-7, 'lamp', '2026-05-01 23:00Z', false),
    (5, 'stool', '2026-05-01 00:00Z', true), (3, 'chair', NULL, false);
CREATE TABLE translations (product bigint, lang text, slug text, PRIMARY KEY (product, lang));
INSERT INTO translations VALUES (-7, 'en', 'lamp'), (-7, 'de', 'lampe'), (900, 'de', 'tisch'), (5, 'de', 'hocker');
