/** How many there are of everything, counted anew: by the name of its counter, the SQL that counts it. */
const feeds = (condition: string) => `SELECT count(*) FROM schedules WHERE ${condition}`
const articles = (state: string) => `SELECT count(*) FROM articles WHERE state = '${state}'`

/** `bytesIn`: of all that is packed in a table. `firstByte`: of a run of polls, which says how many there are. */
export function countedThings(bytesIn: (table: string) => string, firstByte: string): [name: string, sql: string][] {
  const bytes = (...tables: string[]) => `SELECT ${tables.map((table) => `(${bytesIn(table)})`).join(' + ')}`
  return [
    ['active', feeds("state = 'active'")],
    ['paused', feeds("state = 'paused'")],
    ['gone', feeds("state = 'gone'")],
    ['troubled', feeds("state = 'active' AND trouble IS NOT NULL")],
    ['unpolled', feeds("state = 'active' AND polled_at IS NULL")],
    ['looking', "SELECT count(*) FROM sources WHERE state = 'looking'"],
    ['entries', 'SELECT count(*) FROM entries WHERE feed_id NOT IN (SELECT feed_id FROM removals)'],
    [
      'polls',
      `SELECT (SELECT coalesce(sum(times), 0) FROM polls) + (SELECT coalesce(sum(${firstByte}), 0) FROM schedules)`,
    ],
    ...['waiting', 'read', 'refused', 'failed'].map((state): [string, string] => [state, articles(state)]),
    ['pages', 'SELECT count(*) FROM pages'],
    ['textBytes', bytes('article_texts')],
    ['pageBytes', bytes('pages', 'page_patterns')],
  ]
}
