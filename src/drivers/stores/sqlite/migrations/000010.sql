-- A considerate guest: where redirects lead is kept, and who had been asked when the last owner died.

ALTER TABLE feeds ADD COLUMN ends TEXT; -- JSON: hosts

-- A page that was redirected to another host waits for that host's turn.
ALTER TABLE articles ADD COLUMN led_to TEXT;
ALTER TABLE articles ADD COLUMN hops INTEGER NOT NULL DEFAULT 0;
