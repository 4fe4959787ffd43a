/**
 * Writes what feeds bring: entries that are new, say something else, are known by another key, or are told more of, and the pages
 * that they want. All feeds of a batch go in the same few statements, each feed once; their schedules are locked, so that
 * nobody else writes entries of theirs meanwhile.
 */
import { type EntryDraft, type EntryId, type FeedId, type Instant, sortAt } from '../../../model/index.ts'
import { KEPT_BODIES, KEPT_VERSIONS, LONGEST_BODY, type NewsRecord } from '../../../ports/index.ts'
import type { TypedColumn } from '../sql/dialect.ts'
import { dateColumns, wordColumns } from '../sql/news-columns.ts'
import { keyHash } from '../sql/rows.ts'
import { enlist } from './articles-enlisted.ts'
import { manyRows } from './columns.ts'
import { type BroughtInHour, countHours } from './feed-hours.ts'
import { entriesArrived } from './reading-writer.ts'
import type { RowAsker, Transaction } from './session.ts'
import { toLine } from './waiting-lines.ts'

/** In the order of `dateColumns` and `wordColumns`. */
const SAID_COLUMNS: TypedColumn[] = [
  'published_at bigint',
  'updated_at bigint',
  'date_only smallint',
  'date_fault text',
  'estimated_at bigint',
  'estimated_by text',
  'language text',
  'category text',
  'key text',
  'url text',
  'title text',
  'author text',
  'summary text',
  'content text',
  'extras text',
  'text_hash bigint',
]
const SAID = SAID_COLUMNS.map((column) => column.split(' ')[0]!)

function saidColumns(draft: EntryDraft): unknown[] {
  return [...dateColumns(draft), ...wordColumns(draft)]
}

/** `month` is that of `arrival_month`. */
export async function writeNews(tx: Transaction, news: NewsRecord[], month: number): Promise<void> {
  const brought = new Map<FeedId, BroughtInHour>(news.map(({ feedId, at }) => [feedId, { at, entries: 0, pages: 0 }]))
  await rekey(tx, news)
  const added = await addFresh(tx, news, month)
  await entriesArrived(tx, added)
  for (const { feed_id, count } of added) {
    brought.get(feed_id)!.entries = count
    tx.tally.entries += count
  }
  await changeEntries(tx, news)
  await completeEntries(tx, news)
  const wanted = await pagesOf(tx, news)
  if (wanted.length > 0) {
    const areDue = await enlist(
      tx,
      wanted.map(({ feedId: _, ...page }) => page),
    )
    wanted.forEach(({ feedId }, i) => {
      if (areDue[i]) brought.get(feedId)!.pages++
    })
  }
  await countHours(tx, brought)
}

interface KeyOfFeed {
  feedId: FeedId
  key: string
}

interface KeyedRow {
  n: number
  id: EntryId
  seen_at: Instant
  title: string
  url: string | null
}

/** The entries of these keys, in their order. */
async function findByKey(query: RowAsker, keys: KeyOfFeed[]): Promise<(KeyedRow | undefined)[]> {
  if (keys.length === 0) return []
  const { sql, values } = manyRows(
    'g',
    ['feed_id bigint', 'key_hash bigint'],
    keys.map(({ feedId, key }) => [feedId, keyHash(key)]),
  )
  const rows = await query.rows<KeyedRow>(
    `SELECT g.n, e.id, e.seen_at, e.title, e.url FROM ${sql}
     JOIN entry_keys k ON k.feed_id = g.feed_id AND k.key_hash = g.key_hash JOIN entries e ON e.id = k.entry_id`,
    values,
  )
  const byPlace = new Map(rows.map((row) => [row.n, row]))
  return keys.map((_, i) => byPlace.get(i + 1))
}

/** One after the other, as they are told; then written all at once. */
async function rekey(tx: Transaction, news: NewsRecord[]): Promise<void> {
  const all = news.flatMap(({ feedId, rekeyed = [] }) => rekeyed.map((one) => ({ feedId, ...one })))
  if (all.length === 0) return
  const name = (feedId: FeedId, key: string) => `${feedId} ${key}`
  const keys = all.flatMap(({ feedId, from, to }) => [
    { feedId, key: from },
    { feedId, key: to },
  ])
  const found = await findByKey(tx, keys)
  const held = new Map(keys.map(({ feedId, key }, i) => [name(feedId, key), found[i]?.id]))
  const moves = new Map<EntryId, { feedId: FeedId; key: string }>()
  for (const { feedId, from, to } of all) {
    const id = held.get(name(feedId, from))
    if (id === undefined || held.get(name(feedId, to)) !== undefined) continue
    held.set(name(feedId, from), undefined)
    held.set(name(feedId, to), id)
    moves.set(id, { feedId, key: to })
  }
  if (moves.size === 0) return
  const given = [...moves].map(([id, { feedId, key }]) => [id, feedId, key, keyHash(key)])
  const { sql, values } = manyRows('g', ['id bigint', 'feed_id bigint', 'key text', 'key_hash bigint'], given)
  // A key that was forgotten may be an entry's again.
  await tx.run(
    `DELETE FROM entry_keys k USING ${sql} JOIN entries e ON e.id = g.id WHERE k.feed_id = g.feed_id
     AND k.key_hash IN (e.key_hash, g.key_hash)`,
    values,
  )
  await tx.run(
    `WITH given AS MATERIALIZED (SELECT * FROM ${sql}),
     told AS (UPDATE entries e SET key = g.key, key_hash = g.key_hash FROM given g WHERE e.id = g.id)
     INSERT INTO entry_keys (feed_id, key_hash, entry_id) SELECT feed_id, key_hash, id FROM given`,
    values,
  )
}

async function addFresh(tx: Transaction, news: NewsRecord[], month: number) {
  const all = news.flatMap(({ feedId, at, fresh }) => fresh.map((draft) => ({ feedId, at, draft })))
  if (all.length === 0) return []
  const [row] = await tx.rows<{ ids: EntryId[] }>('SELECT new_entry_ids($1, $2) AS ids', [month, all.length])
  const given = all.map(({ feedId, at, draft }, i) => [
    row!.ids[i],
    feedId,
    keyHash(draft.key),
    sortAt(draft, at),
    at,
    ...saidColumns(draft),
  ])
  const own: TypedColumn[] = ['id bigint', 'feed_id bigint', 'key_hash bigint', 'sort_at bigint', 'seen_at bigint']
  const names = [...own, ...SAID_COLUMNS].map((column) => column.split(' ')[0]!)
  const { sql, values } = manyRows('g', [...own, ...SAID_COLUMNS], given)
  return tx.rows<{ feed_id: FeedId; count: number }>(
    `WITH given AS MATERIALIZED (SELECT * FROM ${sql}),
     keyed AS (INSERT INTO entry_keys (feed_id, key_hash, entry_id) SELECT feed_id, key_hash, id FROM given ORDER BY n
       ON CONFLICT (feed_id, key_hash) DO NOTHING RETURNING entry_id),
     kept AS (INSERT INTO entries (${names.join(', ')}) SELECT ${names.map((name) => `g.${name}`).join(', ')}
       FROM given g JOIN keyed ON keyed.entry_id = g.id RETURNING id, feed_id),
     to_index AS (INSERT INTO unindexed (entry_id) SELECT id FROM kept ORDER BY id),
     to_place AS (INSERT INTO unplaced (entry_id) SELECT id FROM kept ORDER BY id)
     SELECT feed_id, count(*) AS count FROM kept GROUP BY feed_id`,
    values,
  )
}

/** What they said before is kept; the oldest of that goes. */
async function changeEntries(tx: Transaction, news: NewsRecord[]): Promise<void> {
  const all = news.flatMap(({ feedId, at, changed }) => changed.map((draft) => ({ feedId, at, draft })))
  if (all.length === 0) return
  const found = await findByKey(
    tx,
    all.map(({ feedId, draft }) => ({ feedId, key: draft.key })),
  )
  const given = new Map<EntryId, unknown[]>()
  all.forEach(({ at, draft }, i) => {
    const old = found[i]
    if (old) given.set(old.id, [old.id, sortAt(draft, old.seen_at), at, ...saidColumns(draft)])
  })
  if (given.size === 0) return
  const { sql, values } = manyRows(
    'g',
    ['id bigint', 'sort_at bigint', 'changed_at bigint', ...SAID_COLUMNS],
    [...given.values()],
  )
  const set = ['sort_at', 'changed_at', ...SAID].map((name) => `${name} = g.${name}`).join(', ')
  await tx.run(
    `INSERT INTO entry_versions (entry_id, until, title, url, body)
     SELECT e.id, g.changed_at, e.title, e.url,
       CASE WHEN coalesce(e.content, e.summary) IS DISTINCT FROM coalesce(g.content, g.summary)
       THEN left(coalesce(e.content, e.summary), ${LONGEST_BODY}) END
     FROM ${sql} JOIN entries e ON e.id = g.id ORDER BY g.n`,
    values,
  )
  await tx.run(`UPDATE entries e SET ${set} FROM ${sql} WHERE e.id = g.id`, values)
  const ids = [...given.keys()]
  await tx.run(
    `DELETE FROM entry_versions WHERE place IN (SELECT v.place FROM unnest($1::bigint[]) AS t (id) CROSS JOIN LATERAL
       (SELECT place FROM entry_versions WHERE entry_id = t.id ORDER BY place DESC OFFSET ${KEPT_VERSIONS}) AS v)`,
    [ids],
  )
  await tx.run(
    `UPDATE entry_versions SET body = NULL WHERE place IN (SELECT v.place FROM unnest($1::bigint[]) AS t (id) CROSS JOIN LATERAL
       (SELECT place FROM entry_versions WHERE entry_id = t.id AND body IS NOT NULL ORDER BY place DESC OFFSET ${KEPT_BODIES}) AS v)`,
    [ids],
  )
  await toLine(tx, 'unindexed', ids)
  await toLine(tx, 'unplaced', ids)
}

async function completeEntries(tx: Transaction, news: NewsRecord[]): Promise<void> {
  const all = news.flatMap(({ feedId, completed = [] }) => completed.map((one) => ({ feedId, ...one })))
  if (all.length === 0) return
  const found = await findByKey(tx, all)
  const given = all.flatMap(({ extras }, i) => (found[i] ? [[found[i].id, JSON.stringify(extras)]] : []))
  const { sql, values } = manyRows('g', ['id bigint', 'extras text'], given)
  const rows = await tx.rows<{ id: EntryId }>(
    `UPDATE entries e SET extras = g.extras FROM ${sql} WHERE e.id = g.id AND e.extras IS NULL RETURNING e.id`,
    values,
  )
  await toLine(
    tx,
    'unindexed',
    rows.map(({ id }) => id).sort((a, b) => a - b),
  )
}

async function pagesOf(tx: Transaction, news: NewsRecord[]) {
  const all = news.flatMap(({ feedId, at, pages = [] }) => pages.map((page) => ({ feedId, at, page })))
  const found = await findByKey(
    tx,
    all.map(({ feedId, page }) => ({ feedId, key: page.key })),
  )
  return all.flatMap(({ feedId, at, page: { key: _, ...page } }, i) => {
    const entry = found[i]
    return entry ? [{ feedId, entryId: entry.id, at, ...page }] : []
  })
}
