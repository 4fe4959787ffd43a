-- The search index anew: by date, with the names of authors and what narrows a search down as columns of their own, and with the
-- beginnings of words, two letters and three. A row's number says when its entry was published (search-places.ts), so that what is
-- newest comes first and a period is a range. All entries are indexed again, the newest first.

DROP TABLE entry_words;
CREATE VIRTUAL TABLE entry_words USING fts5 (
  title, text, names, facets,
  content = '', contentless_delete = 1, prefix = '2 3', tokenize = "unicode61 remove_diacritics 2"
);
INSERT INTO entry_words (entry_words, rank) VALUES ('automerge', 0);
INSERT INTO entry_words (entry_words, rank) VALUES ('crisismerge', 256);
INSERT INTO entry_words (entry_words, rank) VALUES ('deletemerge', 0);
INSERT INTO entry_words (entry_words, rank) VALUES ('pgsz', 32000);

CREATE TABLE entry_places (
  place    INTEGER PRIMARY KEY,
  entry_id INTEGER NOT NULL UNIQUE,
  feed_id  INTEGER NOT NULL
);

INSERT OR REPLACE INTO unindexed (entry_id) SELECT id FROM entries ORDER BY id DESC;

CREATE INDEX feeds_by_folder ON feeds (folder) WHERE folder IS NOT NULL;

-- Lists are narrowed down by these alone, without a look at the entries.
DROP INDEX entries_by_date;
CREATE INDEX entries_by_date ON entries (sort_at, id, feed_id, language, category);
