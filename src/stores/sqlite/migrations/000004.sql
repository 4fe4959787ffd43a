-- Articles: the pages that entries point at, the lines in which they wait, what was read of them, and the pages themselves.

ALTER TABLE feeds ADD COLUMN articles TEXT; -- 'auto', 'always' or 'never', where a person said so

ALTER TABLE feeds ADD COLUMN category TEXT;

ALTER TABLE entries ADD COLUMN date_fault TEXT;
ALTER TABLE entries ADD COLUMN language TEXT;
ALTER TABLE entries ADD COLUMN category TEXT;

CREATE TABLE articles (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  url_hash   INTEGER NOT NULL, -- as with entries' keys: the first 8 bytes of the address's SHA-256
  page_hash  INTEGER, -- of the page's address, while it is read
  state      TEXT NOT NULL,
  wanted_at  INTEGER NOT NULL,
  news_at    INTEGER NOT NULL,
  due_at     INTEGER,
  failures   INTEGER NOT NULL DEFAULT 0,
  tried_at   INTEGER,
  reads      INTEGER NOT NULL DEFAULT 0,
  fetched_at INTEGER,
  same_as    INTEGER,
  no_archive INTEGER,
  root       TEXT NOT NULL,
  url        TEXT NOT NULL,
  page_url   TEXT, -- '' if it is the url
  trouble    TEXT -- JSON
);
CREATE UNIQUE INDEX articles_by_url ON articles (url_hash);
CREATE INDEX articles_by_page ON articles (page_hash) WHERE page_hash IS NOT NULL;
CREATE INDEX articles_by_original ON articles (same_as) WHERE same_as IS NOT NULL;
-- The lines: who is the newest of a root, and when the first of them is due.
CREATE INDEX articles_newest ON articles (root, news_at, id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX articles_first_due ON articles (root, due_at) WHERE due_at IS NOT NULL;

-- A line is there while somebody waits in it. due_at is the later of not_before_at and the first that is due in it.
CREATE TABLE article_lines (
  root          TEXT PRIMARY KEY,
  not_before_at INTEGER NOT NULL,
  due_at        INTEGER NOT NULL,
  leased_until  INTEGER
) WITHOUT ROWID;
CREATE INDEX article_lines_free ON article_lines (due_at) WHERE leased_until IS NULL;
CREATE INDEX article_lines_leased ON article_lines (leased_until) WHERE leased_until IS NOT NULL;

CREATE TABLE article_entries (
  entry_id   INTEGER PRIMARY KEY,
  article_id INTEGER NOT NULL
);
CREATE INDEX article_entries_by_article ON article_entries (article_id);

-- Facts, text and HTML of an article, packed together; see packing.ts for the codecs.
CREATE TABLE article_texts (
  article_id INTEGER PRIMARY KEY,
  fetched_at INTEGER NOT NULL,
  codec      INTEGER NOT NULL,
  packed     BLOB NOT NULL
);
CREATE INDEX article_texts_by_date ON article_texts (fetched_at);

-- Pages as they came. Pages of one site are much alike: each is packed as what it has that the site's pattern has not.
CREATE TABLE pages (
  article_id INTEGER PRIMARY KEY,
  at         INTEGER NOT NULL,
  pattern_id INTEGER,
  codec      INTEGER NOT NULL,
  packed     BLOB NOT NULL
);
CREATE INDEX pages_by_date ON pages (at);
CREATE INDEX pages_by_pattern ON pages (pattern_id) WHERE pattern_id IS NOT NULL;

-- A page of a site that later ones are compared with. It stays while a page needs it.
CREATE TABLE page_patterns (
  id     INTEGER PRIMARY KEY,
  site   TEXT NOT NULL,
  codec  INTEGER NOT NULL,
  packed BLOB NOT NULL
);
CREATE INDEX page_patterns_by_site ON page_patterns (site);

CREATE TABLE article_counters (
  waiting    INTEGER NOT NULL DEFAULT 0,
  read       INTEGER NOT NULL DEFAULT 0,
  refused    INTEGER NOT NULL DEFAULT 0,
  failed     INTEGER NOT NULL DEFAULT 0,
  pages      INTEGER NOT NULL DEFAULT 0,
  text_bytes INTEGER NOT NULL DEFAULT 0,
  page_bytes INTEGER NOT NULL DEFAULT 0
);
INSERT INTO article_counters DEFAULT VALUES;

-- An article goes with the last entry that points at it, whoever removes that entry, and takes all that is kept of it.
CREATE TRIGGER entry_gone AFTER DELETE ON entries BEGIN
  DELETE FROM article_entries WHERE entry_id = old.id;
END;
CREATE TRIGGER article_link_gone AFTER DELETE ON article_entries
WHEN NOT EXISTS (SELECT 1 FROM article_entries WHERE article_id = old.article_id) BEGIN
  DELETE FROM articles WHERE id = old.article_id;
END;
CREATE TRIGGER article_gone AFTER DELETE ON articles BEGIN
  DELETE FROM articles WHERE same_as = old.id;
  DELETE FROM article_texts WHERE article_id = old.id;
  DELETE FROM pages WHERE article_id = old.id;
  DELETE FROM article_lines WHERE root = old.root
    AND NOT EXISTS (SELECT 1 FROM articles WHERE root = old.root AND due_at IS NOT NULL);
  UPDATE article_lines SET due_at = max(not_before_at, (SELECT min(due_at) FROM articles WHERE root = old.root AND due_at IS NOT NULL))
    WHERE root = old.root;
END;
CREATE TRIGGER page_gone AFTER DELETE ON pages WHEN old.pattern_id IS NOT NULL BEGIN
  DELETE FROM page_patterns WHERE id = old.pattern_id AND NOT EXISTS (SELECT 1 FROM pages WHERE pattern_id = old.pattern_id);
END;
CREATE TRIGGER page_replaced AFTER UPDATE OF pattern_id ON pages WHEN old.pattern_id IS NOT new.pattern_id BEGIN
  DELETE FROM page_patterns WHERE id = old.pattern_id AND NOT EXISTS (SELECT 1 FROM pages WHERE pattern_id = old.pattern_id);
END;

-- The counters, kept in step by whatever happens.
CREATE TRIGGER article_counted AFTER INSERT ON articles BEGIN
  UPDATE article_counters SET waiting = waiting + (new.state = 'waiting'), read = read + (new.state = 'read'),
    refused = refused + (new.state = 'refused'), failed = failed + (new.state = 'failed');
END;
CREATE TRIGGER article_recounted AFTER UPDATE OF state ON articles WHEN new.state <> old.state BEGIN
  UPDATE article_counters SET
    waiting = waiting + (new.state = 'waiting') - (old.state = 'waiting'),
    read = read + (new.state = 'read') - (old.state = 'read'),
    refused = refused + (new.state = 'refused') - (old.state = 'refused'),
    failed = failed + (new.state = 'failed') - (old.state = 'failed');
END;
CREATE TRIGGER article_uncounted AFTER DELETE ON articles BEGIN
  UPDATE article_counters SET waiting = waiting - (old.state = 'waiting'), read = read - (old.state = 'read'),
    refused = refused - (old.state = 'refused'), failed = failed - (old.state = 'failed');
END;
CREATE TRIGGER text_counted AFTER INSERT ON article_texts BEGIN
  UPDATE article_counters SET text_bytes = text_bytes + length(new.packed);
END;
CREATE TRIGGER text_uncounted AFTER DELETE ON article_texts BEGIN
  UPDATE article_counters SET text_bytes = text_bytes - length(old.packed);
END;
CREATE TRIGGER page_counted AFTER INSERT ON pages BEGIN
  UPDATE article_counters SET pages = pages + 1, page_bytes = page_bytes + length(new.packed);
END;
CREATE TRIGGER page_recounted AFTER UPDATE OF packed ON pages BEGIN
  UPDATE article_counters SET page_bytes = page_bytes + length(new.packed) - length(old.packed);
END;
CREATE TRIGGER page_uncounted AFTER DELETE ON pages BEGIN
  UPDATE article_counters SET pages = pages - 1, page_bytes = page_bytes - length(old.packed);
END;
CREATE TRIGGER pattern_counted AFTER INSERT ON page_patterns BEGIN
  UPDATE article_counters SET page_bytes = page_bytes + length(new.packed);
END;
CREATE TRIGGER pattern_uncounted AFTER DELETE ON page_patterns BEGIN
  UPDATE article_counters SET page_bytes = page_bytes - length(old.packed);
END;
