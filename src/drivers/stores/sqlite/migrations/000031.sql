-- Less room. What entries say is written by the words of a vocabulary, in one column (entry-texts.ts); learn_tokens(), use_tokens(),
-- said_of() and long_of() are ours: see migrate.ts. The search index has its largest column first, which costs nothing to name, and
-- beginnings of three letters only; those of two are put together from the three that there are. All entries are
-- indexed again, the newest first.

CREATE TABLE vocabularies (
  id         INTEGER PRIMARY KEY, -- entries name it, so it is never given to another
  entries    INTEGER NOT NULL, -- that there were when it was learnt
  written_to INTEGER, -- the last entry that was looked at to be written by it; none once all were
  tokens     BLOB NOT NULL -- JSON, by Zstandard
);
INSERT INTO vocabularies (id, entries, tokens)
  SELECT 1, (SELECT count(*) FROM entries), learn_tokens(key, url, title, author, summary, content, extras) FROM entries
  WHERE id % (SELECT 1 + count(*) / 10000 FROM entries) = 0;
SELECT use_tokens(id, tokens) FROM vocabularies;

CREATE TABLE entries_packed (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  feed_id      INTEGER NOT NULL,
  key_hash     INTEGER NOT NULL, -- the first 8 bytes of the key's SHA-256: keys may be long, an index should not be
  sort_at      INTEGER NOT NULL, -- published_at, but never later than seen_at; else seen_at
  seen_at      INTEGER NOT NULL,
  changed_at   INTEGER,
  published_at INTEGER,
  updated_at   INTEGER,
  date_only    INTEGER,
  date_fault   TEXT,
  estimated_at INTEGER,
  estimated_by TEXT,
  language     TEXT,
  category     TEXT,
  said         BLOB NOT NULL,
  long         TEXT -- last, because it is long and seldom read
);
INSERT INTO entries_packed
  SELECT id, feed_id, key_hash, sort_at, seen_at, changed_at, published_at, updated_at, date_only, date_fault, estimated_at,
    estimated_by, language, category, said_of(key, url, title, author, summary, content, extras),
    long_of(summary, content, extras)
  FROM entries ORDER BY id;
DELETE FROM sqlite_sequence WHERE name = 'entries_packed';
INSERT INTO sqlite_sequence SELECT 'entries_packed', seq FROM sqlite_sequence WHERE name = 'entries';
DROP TABLE entries;
ALTER TABLE entries_packed RENAME TO entries;
CREATE UNIQUE INDEX entries_by_key ON entries (feed_id, key_hash);
CREATE INDEX entries_by_date ON entries (sort_at, id, feed_id, language, category);
CREATE INDEX entries_by_feed ON entries (feed_id, sort_at);
CREATE INDEX entries_by_sight ON entries (seen_at);

DROP TABLE entry_words;
CREATE VIRTUAL TABLE entry_words USING fts5 (
  text, title, names,
  content = '', contentless_delete = 1, prefix = '3', tokenize = "unicode61 remove_diacritics 2"
);
INSERT INTO entry_words (entry_words, rank) VALUES ('automerge', 0);
INSERT INTO entry_words (entry_words, rank) VALUES ('crisismerge', 256);
INSERT INTO entry_words (entry_words, rank) VALUES ('deletemerge', 0);
INSERT INTO entry_words (entry_words, rank) VALUES ('pgsz', 32000);

DELETE FROM entry_places;

-- Three letters that words of the index begin with.
CREATE TABLE entry_beginnings (
  letters TEXT PRIMARY KEY
) WITHOUT ROWID;

INSERT OR REPLACE INTO unindexed (entry_id) SELECT id FROM entries ORDER BY id DESC;
