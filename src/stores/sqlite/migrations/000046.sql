-- additive
-- How and from where sessions were signed in, and values that can be used once, such as the state of a sign-in that is in progress.

ALTER TABLE credentials ADD COLUMN method TEXT;
ALTER TABLE credentials ADD COLUMN address TEXT;

CREATE TABLE one_time_values (
  purpose TEXT NOT NULL,
  hash BLOB NOT NULL,
  value TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (purpose, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX one_time_values_by_end ON one_time_values (purpose, expires_at);
