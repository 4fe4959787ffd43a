-- How many entries each feed brought in which hour, and how much the robots.txt of each root take: nobody may fill the store.

CREATE TABLE feed_hours (
  feed_id INTEGER NOT NULL,
  hour    INTEGER NOT NULL, -- since 1970
  entries INTEGER NOT NULL,
  PRIMARY KEY (feed_id, hour)
) WITHOUT ROWID;
INSERT INTO feed_hours SELECT feed_id, seen_at / 3600000, count(*) FROM entries
  WHERE seen_at >= (SELECT max(seen_at) FROM entries) - 2 * 86400000 GROUP BY 1, 2;

ALTER TABLE robots ADD COLUMN root TEXT; -- none where it was not yet known
ALTER TABLE robots ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
UPDATE robots SET bytes = length(origin) + length(record);
CREATE INDEX robots_by_root ON robots (root, fetched_at, bytes);
