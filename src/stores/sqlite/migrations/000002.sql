-- Feeds that are looked after: gaps are filled from older pages, feeds that are gone are sought at their sites. And what
-- entries said before they were changed.

ALTER TABLE feeds ADD COLUMN window_hash TEXT;
ALTER TABLE feeds ADD COLUMN hints TEXT; -- JSON
ALTER TABLE feeds ADD COLUMN moving TEXT; -- JSON
ALTER TABLE feeds ADD COLUMN title_prefix TEXT;
ALTER TABLE feeds ADD COLUMN gap_at INTEGER;
ALTER TABLE feeds ADD COLUMN errand TEXT; -- JSON
ALTER TABLE feeds ADD COLUMN sought_at INTEGER;
ALTER TABLE feeds ADD COLUMN successor_url TEXT;

ALTER TABLE schedules ADD COLUMN trust TEXT; -- JSON

ALTER TABLE polls ADD COLUMN asked INTEGER NOT NULL DEFAULT 2; -- see rows.ts; what is older says nothing of it
ALTER TABLE polls ADD COLUMN rest_until INTEGER;

ALTER TABLE sources ADD COLUMN others TEXT; -- JSON

ALTER TABLE entries ADD COLUMN date_only INTEGER; -- 1: the dates have no time of day

ALTER TABLE hosts ADD COLUMN budget TEXT; -- JSON

CREATE TABLE entry_versions (
  place    INTEGER PRIMARY KEY,
  entry_id INTEGER NOT NULL,
  until    INTEGER NOT NULL,
  title    TEXT NOT NULL,
  url      TEXT
);
CREATE INDEX entry_versions_by_entry ON entry_versions (entry_id);
