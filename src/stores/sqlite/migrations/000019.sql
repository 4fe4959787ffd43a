-- The search index in larger pages, for whatever is written from now on: when a merge ends, the list of all pages that went
-- into it is dropped in one step, which took 70 ms in a store of two million entries. An eighth of the pages take an eighth.

INSERT INTO entry_words (entry_words, rank) VALUES ('pgsz', 32000);
