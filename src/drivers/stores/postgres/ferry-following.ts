/** What follows from all that was loaded into an empty store: when lines are due, how many there are of everything, and what waits. */

const counted = (name: string, sql: string) => `SELECT 0, '${name}', (${sql})`
const feeds = (name: string, condition: string) => counted(name, `SELECT count(*) FROM schedules WHERE ${condition}`)
const articles = (state: string) => counted(state, `SELECT count(*) FROM articles WHERE state = '${state}'`)
const bytes = (...tables: string[]) =>
  `SELECT ${tables.map((table) => `(SELECT coalesce(sum(octet_length(packed)), 0)::bigint FROM ${table})`).join(' + ')}`

export const FOLLOWING = [
  `UPDATE article_lines SET due_at = greatest(not_before_at, (SELECT min(a.due_at) FROM articles a
     WHERE a.root = article_lines.root AND a.due_at IS NOT NULL))`,
  'DELETE FROM counters',
  `INSERT INTO counters (slot, name, value) ${[
    feeds('active', "state = 'active'"),
    feeds('paused', "state = 'paused'"),
    feeds('gone', "state = 'gone'"),
    feeds('troubled', "state = 'active' AND trouble IS NOT NULL"),
    feeds('unpolled', "state = 'active' AND polled_at IS NULL"),
    counted('looking', "SELECT count(*) FROM sources WHERE state = 'looking'"),
    counted('entries', 'SELECT count(*) FROM entries WHERE feed_id NOT IN (SELECT feed_id FROM removals)'),
    counted('polls', 'SELECT count(*) FROM polls'),
    ...['waiting', 'read', 'refused', 'failed'].map(articles),
    counted('pages', 'SELECT count(*) FROM pages'),
    counted('textBytes', bytes('article_texts')),
    counted('pageBytes', bytes('pages', 'page_patterns')),
  ].join(' UNION ALL ')}`,
  `INSERT INTO unindexed (entry_id) SELECT id FROM entries ORDER BY id DESC
   ON CONFLICT (entry_id) DO UPDATE SET place = nextval('unindexed_places')`,
]
