-- Whether only its followers may see a feed: it needs a login, or its address is a secret (model/secret-address.ts).
ALTER TABLE feeds ADD COLUMN private INTEGER; -- 1, or NULL
UPDATE feeds SET private = 1 WHERE credentials IS NOT NULL OR is_secret_address(url) = 1;
CREATE INDEX feeds_private ON feeds (id) WHERE private = 1;
CREATE INDEX feeds_listed ON feeds (id) WHERE listed = 1;

-- The first user's own titles and folders were written to the rows that all users share. They stay with what that user follows. A feed without a
-- title gets its publisher's with the next poll, which is not a conditional one.
UPDATE feeds SET folder = NULL WHERE folder IS NOT NULL AND listed IS NULL AND (SELECT count(*) FROM people WHERE folded <> '') > 1;
UPDATE sources SET folder = NULL WHERE folder IS NOT NULL AND listed IS NULL AND (SELECT count(*) FROM people WHERE folded <> '') > 1;
UPDATE feeds SET title = '', haystack = char(10) || lower(url), etag = NULL, last_modified = NULL, body_hash = NULL, window_hash = NULL
  WHERE title <> '' AND (SELECT count(*) FROM people WHERE folded <> '') > 1
  AND EXISTS (SELECT 1 FROM readings r WHERE r.feed_id = feeds.id AND r.title = feeds.title);
