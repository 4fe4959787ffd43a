-- People, and the passes by which programs and browsers speak for them. Of passwords and passes only hashes are kept.

CREATE TABLE people (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  -- Folded, so that no two names differ by their case alone.
  folded TEXT NOT NULL UNIQUE,
  allows TEXT NOT NULL,
  password TEXT NOT NULL,
  added_at INTEGER NOT NULL
);

CREATE TABLE passes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  person_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  allows TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  added_at INTEGER NOT NULL,
  used_at INTEGER,
  ends_at INTEGER
);

CREATE INDEX passes_of_person ON passes (person_id);
