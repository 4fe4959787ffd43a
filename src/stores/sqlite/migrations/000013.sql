-- What is dropped from the search index is left out when its parts are merged anyway, as entries come. To merge them for that
-- alone took tenths of a second, in the transaction of whoever dropped the last of many.

INSERT INTO entry_words (entry_words, rank) VALUES ('deletemerge', 0);
