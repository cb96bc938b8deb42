CREATE TABLE smalls (id smallint PRIMARY KEY, slug text);
INSERT INTO smalls VALUES (5, 'a'), (-2, 'b'), (0, 'c');
CREATE TABLE bigs (id bigint PRIMARY KEY, slug text);
INSERT INTO bigs VALUES (9223372036854775807, 'a'), (-9223372036854775808, 'b'), (7, 'c');
CREATE TABLE uuids (id binary(16) PRIMARY KEY, slug text);
INSERT INTO uuids VALUES (x'ff000000000040008000000000000000', 'a'), (x'00000000000000000000000000000001', 'b'),
    (x'7f000000000040008000000000000000', 'c');
CREATE TABLE texts (slug varchar(20) PRIMARY KEY);
INSERT INTO texts VALUES ('a'), ('b'), ('é'), ('7');
CREATE TABLE blobs (id varbinary(20) PRIMARY KEY, slug text);
INSERT INTO blobs VALUES (x'ff', 'a'), (x'', 'b'), (x'00ff', 'c');
CREATE TABLE two (lang varchar(2), id int, slug text, at timestamp NULL, PRIMARY KEY (lang, id));
INSERT INTO two VALUES ('en', 1, 'a', '2026-05-01 23:00:00'), ('de', 2, 'b', '2026-05-01 16:00:00'), ('de', 10, 'c', '2026-04-01 00:00:00'),
    ('en', 0, 'd', '2026-04-01 00:00:00'), ('fr', 1, 'e', '2026-04-01 00:00:00');
CREATE TABLE none (id int PRIMARY KEY, slug text);
CREATE TABLE products (id bigint PRIMARY KEY, slug varchar(20), at timestamp NULL, draft boolean);
INSERT INTO products VALUES (900, 'desk', '2026-06-01 00:00:00', false), (-7, 'lamp', '2026-05-01 23:00:00', false),
    (5, 'stool', '2026-05-01 00:00:00', true), (3, 'chair', NULL, false);
CREATE TABLE translations (product bigint, lang varchar(2), slug varchar(20), PRIMARY KEY (product, lang));
INSERT INTO translations VALUES (-7, 'en', 'lamp'), (-7, 'de', 'lampe'), (900, 'de', 'tisch'), (5, 'de', 'hocker');
