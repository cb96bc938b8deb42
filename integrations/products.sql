-- 25,000 products; every hundredth is a draft.
CREATE TABLE products (
    id INTEGER PRIMARY KEY NOT NULL,
    slug TEXT NOT NULL UNIQUE,
    updated_at TEXT,
    draft BOOLEAN NOT NULL
);
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 25000)
INSERT INTO products
SELECT n, 'product ' || n, datetime(1767225600 + n * 600, 'unixepoch'), n % 100 = 0 FROM numbers;
