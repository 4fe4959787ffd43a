-- Where a feed gives no date: when an entry was published as far as we can tell, and by what ('page', 'address', 'neighbours' or
-- 'order'). A date of change stands in for one of publication.

ALTER TABLE entries ADD COLUMN estimated_at INTEGER;
ALTER TABLE entries ADD COLUMN estimated_by TEXT;
UPDATE entries SET sort_at = min(updated_at, seen_at) WHERE published_at IS NULL AND updated_at IS NOT NULL;
