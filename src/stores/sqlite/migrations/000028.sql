-- What belongs to people: feeds that they follow, what they have read and starred, searches, feeds of their own, webhooks.

-- Wanted by who runs the crawl, whoever follows it.
ALTER TABLE feeds ADD COLUMN listed INTEGER;
ALTER TABLE sources ADD COLUMN listed INTEGER;

-- There is always somebody: without an account it is he who has no name, and who becomes the first.
INSERT INTO people (name, folded, allows, password, added_at)
  SELECT '', '', 'admin', '', 0 WHERE NOT EXISTS (SELECT 1 FROM people);

-- All entries up to `up_to` are read, if no mark says otherwise. `unread` is kept in step by every transaction.
CREATE TABLE readings (
  person_id  INTEGER NOT NULL,
  feed_id    INTEGER NOT NULL,
  title      TEXT,
  folder     TEXT,
  folder_key TEXT, -- folded, with a separator behind it: those below begin with it
  added_at   INTEGER NOT NULL,
  up_to      INTEGER NOT NULL,
  was_up_to  INTEGER NOT NULL, -- before `change_id`
  change_id  INTEGER,
  unread     INTEGER NOT NULL,
  reads      REAL NOT NULL, -- as it was at `read_at`
  read_at    INTEGER NOT NULL,
  PRIMARY KEY (person_id, feed_id)
) WITHOUT ROWID;
CREATE INDEX readings_of_feed ON readings (feed_id, person_id);
CREATE INDEX readings_by_folder ON readings (person_id, folder_key, folder, unread);
CREATE INDEX readings_by_change ON readings (person_id, change_id) WHERE change_id IS NOT NULL;
CREATE INDEX readings_unread ON readings (person_id, feed_id) WHERE unread > 0;

CREATE TABLE waiting_readings (
  person_id INTEGER NOT NULL,
  source_id INTEGER NOT NULL,
  title     TEXT,
  folder    TEXT,
  added_at  INTEGER NOT NULL,
  PRIMARY KEY (person_id, source_id)
) WITHOUT ROWID;
CREATE INDEX waiting_readings_of_source ON waiting_readings (source_id, person_id);

-- Of single entries, which goes before `up_to`. Where `read` is NULL, only what it was before is remembered.
CREATE TABLE marks (
  person_id INTEGER NOT NULL,
  feed_id   INTEGER NOT NULL,
  entry_id  INTEGER NOT NULL,
  read      INTEGER,
  was       INTEGER,
  change_id INTEGER NOT NULL,
  PRIMARY KEY (person_id, feed_id, entry_id)
) WITHOUT ROWID;
CREATE INDEX marks_by_change ON marks (person_id, change_id, feed_id);

CREATE TABLE mark_changes (last INTEGER NOT NULL);
INSERT INTO mark_changes VALUES (0);

CREATE TABLE stars (
  person_id INTEGER NOT NULL,
  entry_id  INTEGER NOT NULL,
  feed_id   INTEGER NOT NULL,
  sort_at   INTEGER NOT NULL, -- as it was when the entry was starred
  added_at  INTEGER NOT NULL,
  PRIMARY KEY (person_id, entry_id)
) WITHOUT ROWID;
CREATE INDEX stars_by_date ON stars (person_id, sort_at, entry_id);
CREATE INDEX stars_of_entry ON stars (entry_id);

-- Feeds that somebody ceased to follow, and what is left of people, and of readings, that were removed.
CREATE TABLE left_feeds (feed_id INTEGER PRIMARY KEY);
CREATE TABLE removed_people (person_id INTEGER PRIMARY KEY);
CREATE TABLE removed_readings (
  person_id INTEGER NOT NULL,
  feed_id   INTEGER NOT NULL,
  PRIMARY KEY (person_id, feed_id)
) WITHOUT ROWID;

CREATE TABLE saved_searches (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  person_id     INTEGER NOT NULL,
  name          TEXT NOT NULL,
  folded        TEXT NOT NULL,
  query         TEXT NOT NULL,
  found_by      TEXT, -- its order
  unique_level  TEXT,
  added_at      INTEGER NOT NULL,
  UNIQUE (person_id, folded)
);

CREATE TABLE feeds_out (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  person_id    INTEGER NOT NULL,
  name         TEXT NOT NULL,
  what         TEXT NOT NULL, -- JSON
  feed_id      INTEGER, -- what it is of, if that can go
  search_id    INTEGER,
  text         TEXT NOT NULL,
  unique_level TEXT,
  key          TEXT NOT NULL UNIQUE,
  added_at     INTEGER NOT NULL,
  used_at      INTEGER
);
CREATE INDEX feeds_out_of_person ON feeds_out (person_id);
CREATE INDEX feeds_out_of_feed ON feeds_out (feed_id) WHERE feed_id IS NOT NULL;
CREATE INDEX feeds_out_of_search ON feeds_out (search_id) WHERE search_id IS NOT NULL;

CREATE TABLE webhooks (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  person_id INTEGER NOT NULL,
  name      TEXT NOT NULL,
  url       TEXT NOT NULL,
  secret    TEXT NOT NULL,
  search_id INTEGER NOT NULL,
  state     TEXT NOT NULL,
  added_at  INTEGER NOT NULL,
  due_at    INTEGER NOT NULL,
  cursor    INTEGER NOT NULL,
  failures  INTEGER NOT NULL,
  last      TEXT -- JSON
);
CREATE INDEX webhooks_of_person ON webhooks (person_id);
CREATE INDEX webhooks_of_search ON webhooks (search_id);
CREATE INDEX webhooks_due ON webhooks (due_at) WHERE state = 'active';

-- Entries of a feed as they arrived: what is unread is a stretch of it.
CREATE INDEX entries_of_feed ON entries (feed_id);

-- Folders and titles become the first person's, and what came until now is read.
INSERT INTO readings
  SELECT p.id, f.id, nullif(f.title, ''), nullif(f.folder, ''), folder_key(f.folder), f.added_at, e.newest, e.newest, NULL, 0, 0, f.added_at
  FROM feeds f, (SELECT min(id) AS id FROM people) p, (SELECT coalesce(max(id), 0) AS newest FROM entries) e;
INSERT INTO waiting_readings
  SELECT p.id, s.id, NULL, nullif(s.folder, ''), s.added_at
  FROM sources s, (SELECT min(id) AS id FROM people) p WHERE s.state = 'looking';
