-- Feeds that were removed, while something is left of them: nobody sees it, and it is swept out in bites.
CREATE TABLE removals (
  feed_id   INTEGER PRIMARY KEY,
  last_poll INTEGER -- the newest line in the log that is left
);
