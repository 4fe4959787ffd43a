-- additive
-- Small JSON values of users, by kind and key.

CREATE TABLE user_values (
  user_id bigint NOT NULL,
  kind text NOT NULL,
  key text COLLATE "C" NOT NULL,
  value text NOT NULL,
  changed_at bigint NOT NULL,
  PRIMARY KEY (user_id, kind, key)
);
CREATE INDEX user_values_by_change ON user_values (user_id, kind, changed_at);
