/**
 * While there is one user, the rows of feeds have their titles and folders. With a second account these leave the rows, which are everybody's, and
 * stay in the readings, which are the user's. A feed without a title gets its publisher's with the next poll, which is not a conditional one.
 */
export const PERSONAL_LEAVES_FEEDS = [
  'UPDATE feeds SET folder = NULL WHERE folder IS NOT NULL AND listed IS NULL',
  'UPDATE sources SET folder = NULL WHERE folder IS NOT NULL AND listed IS NULL',
  `UPDATE feeds SET title = '', haystack = '\n' || lower(url), etag = NULL, last_modified = NULL, body_hash = NULL, window_hash = NULL
   WHERE title <> '' AND EXISTS (SELECT 1 FROM readings r WHERE r.feed_id = feeds.id AND r.title = feeds.title)`,
]
