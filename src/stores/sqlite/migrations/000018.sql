-- What becomes of articles is decided and done by the program alone; and one table counts everything, a row for each name.

DROP TRIGGER entry_gone;
DROP TRIGGER article_link_gone;
DROP TRIGGER article_gone;
DROP TRIGGER page_gone;
DROP TRIGGER page_replaced;
DROP TRIGGER article_counted;
DROP TRIGGER article_recounted;
DROP TRIGGER article_uncounted;
DROP TRIGGER text_counted;
DROP TRIGGER text_uncounted;
DROP TRIGGER page_counted;
DROP TRIGGER page_recounted;
DROP TRIGGER page_uncounted;
DROP TRIGGER pattern_counted;
DROP TRIGGER pattern_uncounted;

ALTER TABLE counters RENAME TO counters_before;
CREATE TABLE counters (
  name  TEXT PRIMARY KEY, -- see tally.ts; none is 0
  value INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO counters
  SELECT 'active', active FROM counters_before UNION ALL
  SELECT 'paused', paused FROM counters_before UNION ALL
  SELECT 'gone', gone FROM counters_before UNION ALL
  SELECT 'troubled', troubled FROM counters_before UNION ALL
  SELECT 'unpolled', unpolled FROM counters_before UNION ALL
  SELECT 'looking', looking FROM counters_before UNION ALL
  SELECT 'entries', entries FROM counters_before UNION ALL
  SELECT 'polls', polls FROM counters_before UNION ALL
  SELECT 'waiting', waiting FROM article_counters UNION ALL
  SELECT 'read', read FROM article_counters UNION ALL
  SELECT 'refused', refused FROM article_counters UNION ALL
  SELECT 'failed', failed FROM article_counters UNION ALL
  SELECT 'pages', pages FROM article_counters UNION ALL
  SELECT 'textBytes', text_bytes FROM article_counters UNION ALL
  SELECT 'pageBytes', page_bytes FROM article_counters;
DROP TABLE counters_before;
DROP TABLE article_counters;
