-- A lease has a token, without which nobody records or hands back under it; a feed with its schedule has a revision, so that
-- who has thought about an older one notices; and the bucket of the root that requests end at is kept, where it is not its own.

ALTER TABLE feed_leases ADD COLUMN token TEXT NOT NULL DEFAULT '';
ALTER TABLE source_leases ADD COLUMN token TEXT NOT NULL DEFAULT '';
ALTER TABLE article_lines ADD COLUMN lease TEXT;
ALTER TABLE schedules ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
ALTER TABLE feeds ADD COLUMN bucket INTEGER;
