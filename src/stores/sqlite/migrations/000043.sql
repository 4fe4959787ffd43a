-- additive
-- Labels of users, and the entries that have them. Entries with label 0 are muted.

CREATE TABLE labels (
  user_id INTEGER NOT NULL,
  label_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  folded_name TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, label_id),
  UNIQUE (user_id, folded_name)
) STRICT;

CREATE TABLE entry_labels (
  user_id INTEGER NOT NULL,
  entry_id INTEGER NOT NULL,
  label_id INTEGER NOT NULL,
  feed_id INTEGER NOT NULL,
  sort_at INTEGER NOT NULL, -- as it was when the label was added
  added_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, entry_id, label_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX entry_labels_by_date ON entry_labels (user_id, label_id, sort_at, entry_id);
CREATE INDEX entry_labels_of_entry ON entry_labels (entry_id);
