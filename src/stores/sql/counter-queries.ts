/** SQL that recounts each counter from the tables. */
const feeds = (condition: string) => `SELECT count(*) FROM schedules WHERE ${condition}`
const articles = (state: string) => `SELECT count(*) FROM articles WHERE state = '${state}'`

const bytesIn = (table: string) => `(SELECT CAST(coalesce(sum(octet_length(packed)), 0) AS bigint) FROM ${table})`
const bytes = (...tables: string[]) => `SELECT ${tables.map(bytesIn).join(' + ')}`

/** `firstByte`: SQL for the first byte of a poll run, which is its number of polls. */
export function counterQueries(firstByte: string): [name: string, sql: string][] {
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
