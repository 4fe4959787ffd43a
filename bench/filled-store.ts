/**
 * Creates a large store quickly: idle feeds, all followed by the first user, and entries, written by SQL into a file that already has its
 * tables. Lists use indexes, so the length of the entries makes no difference.
 */
import Database from 'better-sqlite3'

export interface Filling {
  feeds: number
  entries: number
  now: number
}

export function fillStore(file: string, { feeds, entries, now }: Filling): void {
  const db = new Database(file)
  db.pragma('synchronous = OFF')
  db.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${feeds})
    INSERT INTO feeds (id, url, root, title, subscribers, added_at, haystack)
      SELECT i, 'https://f' || i || '.example/', 'f' || i || '.example', 'Feed ' || i, 1, 0, 'feed ' || i FROM n;
    INSERT INTO schedules (feed_id, state, due_at, failures, strategy, memory) SELECT id, 'paused', 0, 0, 'fixed:1h', x'' FROM feeds;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${entries})
    INSERT INTO entries (id, feed_id, key_hash, sort_at, published_at, seen_at, key, title, content)
      SELECT i, 1 + (i * 7919) % ${feeds}, i, at, at, ${now} - (${entries} - i) * 60000, 'k' || i, 'Entry ' || i, hex(randomblob(100))
      FROM (SELECT i, ${now} - (${entries} - i) * 60000 - (i * 31) % 86400000 AS at FROM n);
    INSERT INTO subscriptions SELECT 1, id, NULL, 'Folder ' || (id % 40), 'folder ' || (id % 40) || ' / ', 0, 0, 0, NULL,
      (SELECT count(*) FROM entries e WHERE e.feed_id = f.id), 0, 0 FROM feeds f;`)
  db.close()
}
