-- additive
-- How and from where sessions were signed in, and values that can be used once, such as the state of a sign-in that is in progress.

ALTER TABLE credentials ADD COLUMN method text;
ALTER TABLE credentials ADD COLUMN address text;

CREATE TABLE one_time_values (
  purpose text NOT NULL,
  hash bytea NOT NULL,
  value text NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (purpose, hash)
);
CREATE INDEX one_time_values_by_end ON one_time_values (purpose, expires_at);
