-- Subscriptions at hubs; and why a poll was made, where it was not due by itself.

CREATE TABLE pushes (
  token   TEXT PRIMARY KEY,
  feed_id INTEGER NOT NULL,
  state   TEXT NOT NULL,
  due_at  INTEGER NOT NULL,
  facts   TEXT NOT NULL -- JSON
) WITHOUT ROWID;
CREATE INDEX pushes_by_feed ON pushes (feed_id);
CREATE INDEX pushes_due ON pushes (due_at);

ALTER TABLE polls ADD COLUMN occasion INTEGER NOT NULL DEFAULT 0; -- see rows.ts
