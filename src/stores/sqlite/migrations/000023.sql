-- What a feed always says, so that it is not taken for what an entry says: learnt from its last entries, less than 2 KB each. Under 0,
-- what many feeds say.

CREATE TABLE feed_habits (
  feed_id INTEGER PRIMARY KEY,
  memory BLOB NOT NULL
);
