-- A budget of polls: memories are bytes, a poll has one price for all feeds, people may want something of feeds and folders.

UPDATE schedules SET memory = x'', strategy = replace(strategy, 'fixed-', 'fixed:'); -- learnt anew from what is shown next
ALTER TABLE schedules ADD COLUMN because TEXT; -- JSON

ALTER TABLE feeds ADD COLUMN wants TEXT; -- JSON

CREATE INDEX feeds_by_root ON feeds (root);

CREATE TABLE folders (
  name  TEXT PRIMARY KEY,
  wants TEXT NOT NULL -- JSON
) WITHOUT ROWID;

CREATE TABLE market (
  id    INTEGER PRIMARY KEY CHECK (id = 1),
  state TEXT NOT NULL -- JSON
);
