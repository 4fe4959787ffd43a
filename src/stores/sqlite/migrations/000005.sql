-- Copies and stories: who says what others said, and what is kept of entries so that this is recognised.

-- Entries that have still to be placed, as `unindexed` is for the search index.
CREATE TABLE unplaced (
  place    INTEGER PRIMARY KEY AUTOINCREMENT,
  entry_id INTEGER NOT NULL UNIQUE
);

-- The index in memory is filled from here, in the order in which entries were placed. Dropped when it is out of the window.
CREATE TABLE signatures (
  place        INTEGER PRIMARY KEY AUTOINCREMENT,
  entry_id     INTEGER NOT NULL UNIQUE,
  at           INTEGER NOT NULL,
  placed_at    INTEGER NOT NULL,
  compared_by  INTEGER NOT NULL, -- see group-rows.ts
  simhash_high INTEGER NOT NULL, -- in halves: numbers of 64 bits are slow in JavaScript
  simhash_low  INTEGER NOT NULL,
  signature    BLOB NOT NULL
);
CREATE INDEX signatures_by_date ON signatures (placed_at);

CREATE TABLE groups (
  id           INTEGER PRIMARY KEY AUTOINCREMENT, -- an id is never given to another group
  level        INTEGER NOT NULL,
  primary_id   INTEGER NOT NULL,
  size         INTEGER NOT NULL,
  distance_sum INTEGER NOT NULL,
  first_at     INTEGER NOT NULL,
  last_at      INTEGER NOT NULL
);
CREATE INDEX groups_by_date ON groups (level, last_at);

CREATE TABLE members (
  entry_id     INTEGER NOT NULL,
  level        INTEGER NOT NULL,
  group_id     INTEGER NOT NULL,
  at           INTEGER NOT NULL,
  simhash_high INTEGER NOT NULL,
  simhash_low  INTEGER NOT NULL,
  distance     INTEGER NOT NULL,
  compared_by  INTEGER NOT NULL,
  like_id      INTEGER,
  likeness     REAL,
  reason       TEXT,
  PRIMARY KEY (entry_id, level)
) WITHOUT ROWID;
CREATE INDEX members_by_group ON members (group_id, at, entry_id);

CREATE TABLE group_moves (
  place       INTEGER PRIMARY KEY,
  entry_id    INTEGER NOT NULL,
  level       INTEGER NOT NULL,
  at          INTEGER NOT NULL,
  from_id     INTEGER,
  to_id       INTEGER,
  compared_by INTEGER NOT NULL
);
CREATE INDEX group_moves_by_entry ON group_moves (entry_id);

-- What is older than a week could hardly be a copy of what comes.
INSERT INTO unplaced (entry_id)
  SELECT id FROM entries WHERE sort_at > (SELECT max(sort_at) FROM entries) - 604800000 ORDER BY id;
