-- How many entries each feed brought in which hour: one feed may not fill the store.

CREATE TABLE feed_hours (
  feed_id INTEGER NOT NULL,
  hour    INTEGER NOT NULL, -- since 1970
  entries INTEGER NOT NULL,
  PRIMARY KEY (feed_id, hour)
) WITHOUT ROWID;
INSERT INTO feed_hours SELECT feed_id, seen_at / 3600000, count(*) FROM entries
  WHERE seen_at >= (SELECT max(seen_at) FROM entries) - 2 * 86400000 GROUP BY 1, 2;
