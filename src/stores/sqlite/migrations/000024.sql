-- What a person calls a feed, and takes it for; when it was last built, by its own word; how it was found, and whether its links had
-- fragments. What is to be said of the feed that a source leads to. And when crawls ran.

ALTER TABLE feeds ADD COLUMN name TEXT;
ALTER TABLE feeds ADD COLUMN own_category TEXT;
ALTER TABLE feeds ADD COLUMN built_at INTEGER;
ALTER TABLE feeds ADD COLUMN found_by TEXT;
ALTER TABLE feeds ADD COLUMN fragments TEXT;
CREATE UNIQUE INDEX feeds_by_name ON feeds (name) WHERE name IS NOT NULL;

ALTER TABLE sources ADD COLUMN about TEXT; -- JSON

CREATE TABLE runs (
  began_at INTEGER PRIMARY KEY,
  last_at  INTEGER NOT NULL
);
