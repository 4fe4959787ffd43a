-- A considerate guest: where redirects lead is kept, and who had been asked when the last owner died.

ALTER TABLE feeds ADD COLUMN ends TEXT; -- JSON: hosts

-- A page that was redirected to another host waits for that host's turn.
ALTER TABLE articles ADD COLUMN led_to TEXT;
ALTER TABLE articles ADD COLUMN hops INTEGER NOT NULL DEFAULT 0;

-- Leases outlive their holder: what he had sent for when he died must not be asked for again at once. Until now they lasted
-- ten minutes.
ALTER TABLE feed_leases ADD COLUMN taken_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE source_leases ADD COLUMN taken_at INTEGER NOT NULL DEFAULT 0;
UPDATE feed_leases SET taken_at = until - 600000;
UPDATE source_leases SET taken_at = until - 600000;

-- Likely places for a feed that had none; a day old at most.
CREATE TABLE misses (
  url  TEXT PRIMARY KEY,
  host TEXT NOT NULL,
  at   INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX misses_by_host ON misses (host, at);
CREATE INDEX misses_by_age ON misses (at);

-- No rest is longer than a week any more.
UPDATE schedules SET due_at = (unixepoch() + 604800) * 1000 WHERE trouble IS NOT NULL AND due_at > (unixepoch() + 604800) * 1000;
