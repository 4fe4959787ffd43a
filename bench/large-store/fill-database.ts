/**
 * Fills a database in bulk: the first round by the store migration that `freshet migrate` uses, which writes the same rows into the same
 * tables and indexes as a crawl does; the other rounds by SQL, which copies the first one with other numbers, dates and keys, with indexes
 * in place. Afterwards the rows are compared with one that was written through the ports.
 */
import { textHash } from '../../src/model/index.ts'
import {
  type ColumnValue,
  EXPORT_COLUMNS,
  type ExportedRow,
  type RowKind,
  type StoreMigration,
} from '../../src/ports/index.ts'
import { A_POLL, DAYS, END, type MadeUp } from './generated-entries.ts'

const CHUNK = 5000
const HOUR = 3_600_000
const DAY = 24 * HOUR

export interface DatabaseFilling {
  made: MadeUp
  /** Number of entries. */
  upTo: number
  /** Added to the ids of entries and polls; in PostgreSQL it includes the month. */
  base: number
  /** Stored instead of the text. */
  contentOf(number: number): string
  /** Runs these statements in one transaction. */
  copy(statements: readonly string[]): Promise<void>
  /** SQL for the hash of a key, and for what replaces a text. */
  sql: { keyHash: string; content(number: string): string; hasKeyTable: boolean }
}

export async function fillDatabase(migration: StoreMigration, filling: DatabaseFilling): Promise<void> {
  const { made, upTo, base, contentOf } = filling
  const firstRound = Math.min(made.round, upTo)
  await migration.begin('made up')
  const polls = Math.ceil(upTo / A_POLL)
  const first = (poll: number) => (poll - 1) * A_POLL + 1
  await load(migration, 'users', 1, (id) => ({
    id,
    name: '',
    folded_name: '',
    scope: 'admin',
    password: '',
    added_at: 0,
  }))
  await load(migration, 'feeds', made.feeds, (id) => {
    const root = `site${id}.example`
    return { id, url: `https://${root}/feed`, root, title: `Site ${id}`, subscribers: 1, added_at: END }
  })
  await load(migration, 'schedules', made.feeds, (feed_id) => {
    const last = polls - ((((polls - feed_id) % made.feeds) + made.feeds) % made.feeds)
    const polled = last > 0 ? { polled_at: made.atOf(first(last)), last_poll: base + last } : {}
    const due = { state: 'active', due_at: END, failures: 0, strategy: 'fix' }
    return { feed_id, ...due, ...polled, memory: new Uint8Array(), revision: 1 }
  })
  await load(migration, 'entries', firstRound, (number) => {
    const { content, key, url, title } = made.draftOf(number)
    const at = made.atOf(number)
    const dates = { sort_at: at, seen_at: at, published_at: at }
    const own = { key, url, title, content: contentOf(number), text_hash: textHash({ content }) ?? null }
    return { id: base + number, feed_id: made.feedOf(number), ...dates, ...own }
  })
  await load(migration, 'polls', firstRound / A_POLL, (poll) => {
    const { feedId, at, tookMs, bytes } = made.pollOf(first(poll))
    const counts = { fresh: A_POLL, changed: 0, window_size: A_POLL, result: 0 }
    const previous = poll > made.feeds ? base + poll - made.feeds : null
    const request = { took_ms: tookMs, bytes, asked: 1, occasion: 0, times: 1 }
    return { place: base + poll, previous, feed_id: feedId, at, ...request, ...counts }
  })
  await load(migration, 'feed_hours', firstRound / A_POLL, (poll) => {
    const hour = Math.floor(made.atOf(first(poll)) / HOUR)
    return { feed_id: made.feedOf(first(poll)), hour, entries: A_POLL, pages: 0 }
  })
  const rounds = Array.from({ length: Math.ceil(upTo / made.round) - 1 }, (_, i) => i + 1).values()
  const send = async () => {
    for (const round of rounds) await filling.copy(roundCopied(filling, round))
  }
  await Promise.all([send(), send()])
  await migration.finish({ ...NONE, feeds: made.feeds, entries: base + upTo, users: 1 })
}

function roundCopied({ made, upTo, base, sql }: DatabaseFilling, round: number): string[] {
  const [entries, polls, later] = [
    made.round * round,
    made.feeds * round,
    ((DAYS * DAY) / made.entries) * made.round * round,
  ]
  const own = `id - ${base} + ${entries}`
  const isOfFirst = (key: string, count: number, shift: number, end: number) =>
    `${key} > ${base} AND ${key} <= ${base + count} AND ${key} + ${shift} <= ${base + end}`
  const news = `INSERT INTO entries (id, feed_id, key_hash, sort_at, seen_at, published_at, key, url, title, content, text_hash)
    SELECT id + ${entries}, feed_id, ${sql.keyHash}, sort_at + ${later}, seen_at + ${later}, published_at + ${later}, k, k, title,
      ${sql.content(`(${own})`)}, text_hash
    FROM (SELECT *, 'https://site' || feed_id || '.example/news/' || (${own}) AS k FROM entries
      WHERE ${isOfFirst('id', made.round, entries, upTo)}) AS r`
  const keys = `INSERT INTO entry_keys (feed_id, key_hash, entry_id) SELECT feed_id, key_hash, id FROM entries
    WHERE id > ${base + entries} AND id <= ${base + entries + made.round}`
  const log = `INSERT INTO polls (place, previous, feed_id, at, took_ms, bytes, asked, occasion, result, fresh, changed, window_size)
    SELECT place + ${polls}, place + ${polls - made.feeds}, feed_id, at + ${later}, took_ms, bytes, asked, occasion, result, fresh,
      changed, window_size FROM polls WHERE ${isOfFirst('place', made.feeds, polls, upTo / A_POLL)}`
  const hours = `INSERT INTO feed_hours (feed_id, hour, entries, pages) SELECT feed_id, at / ${HOUR}, ${A_POLL}, 0 FROM polls
    WHERE place > ${base + polls} AND place <= ${base + polls + made.feeds}`
  return [news, ...(sql.hasKeyTable ? [keys] : []), log, hours]
}

const NONE = {
  sources: 0,
  articles: 0,
  groups: 0,
  credentials: 0,
  saved_searches: 0,
  outgoing_feeds: 0,
  webhooks: 0,
  read_state_changes: 0,
}

async function load(
  migration: StoreMigration,
  kind: RowKind,
  count: number,
  rowOf: (number: number) => Record<string, ColumnValue>,
): Promise<void> {
  for (let from = 1; from <= count; from += CHUNK) {
    const to = Math.min(count, from + CHUNK - 1)
    const rows: ExportedRow[] = []
    for (let number = from; number <= to; number++) {
      const row = rowOf(number)
      rows.push(EXPORT_COLUMNS[kind].map((name) => row[name] ?? null))
    }
    await migration.writeRows(kind, rows, to === count ? null : String(to))
  }
}

/** Throws unless the last row filled in bulk and the first row written through the ports have the same columns, with the same lengths. */
export async function sameAsPorts(migration: StoreMigration, last: number): Promise<void> {
  const { rows } = await migration.readRows('entries', JSON.stringify([last - 1]), 2)
  const [filled, written] = rows.map((row) => row.map(shapeOf).join(' '))
  if (filled === undefined || filled !== written)
    throw new Error(`what was filled in bulk is not what the ports write: ${filled} beside ${written}`)
}

function shapeOf(value: ColumnValue): string {
  if (typeof value === 'string') return value.length > 100 ? 'long' : 'short'
  return value === null ? '-' : typeof value
}
