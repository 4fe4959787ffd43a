/**
 * While there is one user, feeds have that user's titles and folders. When a second account is added, they are cleared from the shared rows
 * and stay in the user's subscriptions. A feed without a title gets the publisher's title with the next poll, which is unconditional.
 */
export const CLEAR_PERSONAL_FIELDS = [
  'UPDATE feeds SET folder = NULL WHERE folder IS NOT NULL AND listed IS NULL',
  'UPDATE sources SET folder = NULL WHERE folder IS NOT NULL AND listed IS NULL',
  `UPDATE feeds SET title = '', haystack = '\n' || lower(url), etag = NULL, last_modified = NULL, body_hash = NULL, window_hash = NULL
   WHERE title <> '' AND EXISTS (SELECT 1 FROM subscriptions r WHERE r.feed_id = feeds.id AND r.title = feeds.title)`,
]
