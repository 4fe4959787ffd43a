-- additive
-- Small JSON values of users, by kind and key.

CREATE TABLE user_values (
  user_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, kind, key)
) STRICT;
CREATE INDEX user_values_by_change ON user_values (user_id, kind, changed_at);
