CREATE TABLE products (
    id INTEGER PRIMARY KEY NOT NULL,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    updated_at TIMESTAMP,
    draft BOOLEAN NOT NULL
);

CREATE TABLE posts (
    id INTEGER PRIMARY KEY NOT NULL,
    slug TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    weight DOUBLE,
    updated_at TIMESTAMP,
    draft BOOLEAN NOT NULL
);

-- What `shop import` reads, as it stands in the file; a file may name a page twice.
CREATE TABLE pages (
    id INTEGER PRIMARY KEY NOT NULL,
    loc TEXT NOT NULL,
    lastmod TEXT,
    changefreq TEXT,
    priority DOUBLE
);
