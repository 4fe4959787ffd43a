-- The parts of the search index are merged in pieces by whoever keeps house, never by a transaction that happens to bring the
-- last of enough. The second is a net: so many parts of one kind are merged at once.

INSERT INTO entry_words (entry_words, rank) VALUES ('automerge', 0);
INSERT INTO entry_words (entry_words, rank) VALUES ('crisismerge', 256);
