-- The first shape of a store. Instants are milliseconds since 1970; what is written as JSON text is nobody's to query.

CREATE TABLE feeds (
  id            INTEGER PRIMARY KEY AUTOINCREMENT, -- an id is never given to another feed
  url           TEXT NOT NULL UNIQUE,
  root          TEXT NOT NULL,
  title         TEXT NOT NULL,
  description   TEXT,
  site_url      TEXT,
  language      TEXT,
  hub           TEXT,
  format        TEXT,
  folder        TEXT,
  etag          TEXT,
  last_modified TEXT,
  body_hash     TEXT,
  subscribers   INTEGER NOT NULL,
  added_at      INTEGER NOT NULL,
  haystack      TEXT NOT NULL -- title and address in lower case, to find parts of them in
);

-- Apart from the feeds, because every poll writes here and few write there.
CREATE TABLE schedules (
  feed_id      INTEGER PRIMARY KEY,
  state        TEXT NOT NULL,
  due_at       INTEGER NOT NULL,
  polled_at    INTEGER,
  succeeded_at INTEGER,
  failures     INTEGER NOT NULL,
  trouble      TEXT, -- JSON
  last_poll    INTEGER, -- the place of its newest line in the log
  strategy     TEXT NOT NULL,
  memory       TEXT NOT NULL -- JSON
);
CREATE INDEX schedules_due ON schedules (due_at) WHERE state = 'active';

-- Feeds that somebody has at the moment. Their own table, as small as the work under way: to take a thousand feeds out of
-- a hundred thousand must not write a thousand pages.
CREATE TABLE feed_leases (
  id    INTEGER PRIMARY KEY,
  until INTEGER NOT NULL
);
CREATE INDEX feed_leases_until ON feed_leases (until);

CREATE TABLE sources (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  url          TEXT NOT NULL UNIQUE,
  root         TEXT NOT NULL,
  folder       TEXT,
  added_at     INTEGER NOT NULL,
  state        TEXT NOT NULL,
  feed_id      INTEGER,
  due_at       INTEGER NOT NULL,
  failures     INTEGER NOT NULL,
  trouble      TEXT -- JSON
);
CREATE INDEX sources_due ON sources (due_at) WHERE state = 'looking';
CREATE INDEX sources_by_feed ON sources (feed_id) WHERE feed_id IS NOT NULL;

CREATE TABLE source_leases (
  id    INTEGER PRIMARY KEY,
  until INTEGER NOT NULL
);
CREATE INDEX source_leases_until ON source_leases (until);

CREATE TABLE entries (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  feed_id      INTEGER NOT NULL,
  key_hash     INTEGER NOT NULL, -- the first 8 bytes of the key's SHA-256: keys may be long, an index should not be
  sort_at      INTEGER NOT NULL, -- published_at, but never later than seen_at; else seen_at
  seen_at      INTEGER NOT NULL,
  changed_at   INTEGER,
  published_at INTEGER,
  updated_at   INTEGER,
  key          TEXT NOT NULL,
  url          TEXT,
  title        TEXT NOT NULL,
  author       TEXT,
  summary      TEXT,
  content      TEXT -- last, because it is long and seldom read
);
CREATE UNIQUE INDEX entries_by_key ON entries (feed_id, key_hash);
CREATE INDEX entries_by_date ON entries (sort_at);
CREATE INDEX entries_by_feed ON entries (feed_id, sort_at);
CREATE INDEX entries_by_sight ON entries (seen_at);

-- The keys of entries that retention has removed: they must not come back as news.
CREATE TABLE forgotten (
  feed_id  INTEGER NOT NULL,
  key_hash INTEGER NOT NULL,
  PRIMARY KEY (feed_id, key_hash)
) WITHOUT ROWID;

-- The lines of one feed are a chain from the newest to the oldest: an index by feed would cost every poll another page.
CREATE TABLE polls (
  place       INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of arrival; never given twice, or chains would cross
  previous    INTEGER, -- the feed's line before this one, which may have been forgotten
  feed_id     INTEGER NOT NULL,
  at          INTEGER NOT NULL,
  took_ms     INTEGER NOT NULL,
  bytes       INTEGER NOT NULL,
  result      INTEGER NOT NULL, -- see rows.ts
  fresh       INTEGER,
  changed     INTEGER,
  window_size INTEGER,
  failure     TEXT -- JSON
);
CREATE INDEX polls_by_date ON polls (at);

CREATE TABLE hosts (
  root          TEXT PRIMARY KEY,
  not_before_at INTEGER NOT NULL,
  strikes       INTEGER NOT NULL,
  trouble       TEXT -- JSON
) WITHOUT ROWID;

-- Entries that the search index has to hear of. A change gives an entry a new place at the end of the line, so that
-- dealing with an earlier state of it does not take the later one out.
CREATE TABLE unindexed (
  place    INTEGER PRIMARY KEY AUTOINCREMENT,
  entry_id INTEGER NOT NULL UNIQUE
);

-- Contentless: the text itself stands in the entries.
CREATE VIRTUAL TABLE entry_words USING fts5 (
  title, text, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2"
);

-- Kept in step by every transaction, so that nobody has to count.
CREATE TABLE counters (
  active   INTEGER NOT NULL DEFAULT 0,
  paused   INTEGER NOT NULL DEFAULT 0,
  gone     INTEGER NOT NULL DEFAULT 0,
  troubled INTEGER NOT NULL DEFAULT 0,
  unpolled INTEGER NOT NULL DEFAULT 0,
  looking  INTEGER NOT NULL DEFAULT 0,
  entries  INTEGER NOT NULL DEFAULT 0,
  polls    INTEGER NOT NULL DEFAULT 0
);
INSERT INTO counters DEFAULT VALUES;

-- Who opened the store for writing last. Whether he still does, a lock tells.
CREATE TABLE owner (
  pid      INTEGER NOT NULL,
  since_at INTEGER NOT NULL,
  url      TEXT
);
