-- What sites ask of crawlers, and hosts in trouble, over a restart.

CREATE TABLE robots (
  origin     TEXT PRIMARY KEY,
  fetched_at INTEGER NOT NULL,
  record     TEXT NOT NULL -- JSON
) WITHOUT ROWID;
CREATE INDEX robots_by_age ON robots (fetched_at);

ALTER TABLE hosts ADD COLUMN crawl_delay TEXT; -- JSON
ALTER TABLE hosts ADD COLUMN incident TEXT; -- JSON
