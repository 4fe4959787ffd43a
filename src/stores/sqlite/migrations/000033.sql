-- The search index anew, in half the room. Its text comes first, with what narrows a search down in it, because FTS5 writes a mark for every
-- other column at each word; and the beginnings of words are no longer FTS5's own lists, which say where each stands, but words
-- that nobody can type (search-beginnings.ts). Its pages are those of the file again: of each list that is read the last page is unpacked, and
-- of the end of a merge nobody waits any more, because a thread does it. All entries are indexed again, the newest first.

DROP TABLE entry_words;
CREATE VIRTUAL TABLE entry_words USING fts5 (
  text, title, names,
  content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2"
);
INSERT INTO entry_words (entry_words, rank) VALUES ('automerge', 0);
INSERT INTO entry_words (entry_words, rank) VALUES ('crisismerge', 256);
INSERT INTO entry_words (entry_words, rank) VALUES ('deletemerge', 0);

-- What is asked for in the place of a beginning: lists of one letter to three, and words that are too common to be in a list.
CREATE TABLE entry_beginnings (
  word    TEXT NOT NULL,
  holders INTEGER NOT NULL, -- of a common word, among those it was learned from; 0: a list
  PRIMARY KEY (word, holders)
) WITHOUT ROWID;

INSERT OR REPLACE INTO unindexed (entry_id) SELECT id FROM entries ORDER BY id DESC;
