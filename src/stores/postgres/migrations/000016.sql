-- additive
-- Labels of users, and the entries that have them. Entries with label 0 are muted.

CREATE TABLE labels (
  user_id bigint NOT NULL,
  label_id bigint NOT NULL,
  name text NOT NULL,
  folded_name text COLLATE "C" NOT NULL,
  added_at bigint NOT NULL,
  PRIMARY KEY (user_id, label_id),
  UNIQUE (user_id, folded_name)
);

CREATE TABLE entry_labels (
  user_id bigint NOT NULL,
  entry_id bigint NOT NULL,
  label_id bigint NOT NULL,
  feed_id bigint NOT NULL,
  sort_at bigint NOT NULL, -- as it was when the label was added
  added_at bigint NOT NULL,
  PRIMARY KEY (user_id, entry_id, label_id)
);
CREATE INDEX entry_labels_by_date ON entry_labels (user_id, label_id, sort_at, entry_id);
CREATE INDEX entry_labels_of_entry ON entry_labels (entry_id);
