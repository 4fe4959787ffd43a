-- Name and password of a private feed leave its address. login_in() and without_logins() are ours: see migrate.ts.

ALTER TABLE feeds ADD COLUMN credentials TEXT; -- JSON
ALTER TABLE sources ADD COLUMN credentials TEXT; -- JSON

UPDATE feeds SET credentials = login_in(url) WHERE instr(url, '@') > 0;
UPDATE sources SET credentials = login_in(url) WHERE instr(url, '@') > 0;

-- One address is one feed. A second one that differs by its login alone goes on under an address of its own: no server ever
-- sees what stands behind the #.
UPDATE OR IGNORE feeds SET url = without_logins(url) WHERE credentials IS NOT NULL;
UPDATE feeds SET url = without_logins(url) || '#' || id WHERE credentials IS NOT NULL AND url <> without_logins(url);
UPDATE OR IGNORE sources SET url = without_logins(url) WHERE credentials IS NOT NULL;
UPDATE sources SET url = without_logins(url) || '#' || id WHERE credentials IS NOT NULL AND url <> without_logins(url);

-- What was written down while it stood there.
UPDATE feeds SET haystack = without_logins(haystack), site_url = without_logins(site_url), hub = without_logins(hub),
  moving = without_logins(moving), errand = without_logins(errand), successor_url = without_logins(successor_url)
  WHERE credentials IS NOT NULL;
UPDATE sources SET others = without_logins(others), trouble = without_logins(trouble)
  WHERE instr(others, '@') > 0 OR instr(trouble, '@') > 0;
UPDATE schedules SET trouble = without_logins(trouble) WHERE instr(trouble, '@') > 0;
UPDATE polls SET failure = without_logins(failure) WHERE instr(failure, '@') > 0;
UPDATE OR IGNORE entries SET key = without_logins(key), key_hash = key_hash(without_logins(key))
  WHERE feed_id IN (SELECT id FROM feeds WHERE credentials IS NOT NULL) AND instr(key, '@') > 0;
UPDATE entries SET url = without_logins(url), summary = without_logins(summary), content = without_logins(content)
  WHERE feed_id IN (SELECT id FROM feeds WHERE credentials IS NOT NULL);
UPDATE entry_versions SET url = without_logins(url) WHERE instr(url, '@') > 0;
UPDATE OR IGNORE articles SET url = without_logins(url), url_hash = key_hash(without_logins(url)) WHERE instr(url, '@') > 0;
UPDATE articles SET page_url = without_logins(page_url), page_hash = key_hash(without_logins(page_url))
  WHERE page_hash IS NOT NULL AND instr(page_url, '@') > 0;

-- Hubs that were told a password as part of a topic are not told it again.
DELETE FROM pushes WHERE facts <> without_logins(facts);
