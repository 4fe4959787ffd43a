/**
 * Every list of the API on a large store: the first page of each, and ever deeper pages, requested from the server without a socket. Any
 * page of any list should take less than 100 ms at the 95th percentile.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { systemClock } from '../../src/clocks/index.ts'
import type { Crawler } from '../../src/crawl/index.ts'
import { DAY, HOUR } from '../../src/model/index.ts'
import { rolesOf } from '../../src/ports/index.ts'
import { LIMITS } from '../../src/scheduling/index.ts'
import { createServer } from '../../src/server/index.ts'
import { openThreadedSqliteStore } from '../../src/stores/index.ts'
import { commit } from '../current-commit.ts'

const PAGES = 40
const NOW = Date.parse('2026-03-01')

export async function measureLists({
  folder,
  feeds,
  entries,
  only,
}: {
  folder: string
  feeds: number
  entries: number
  /** Only lists whose address contains this. */
  only: string
}): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'store.db')
  const isThere = existsSync(file)
  const clock = { ...systemClock(), now: () => NOW }
  const open = () => openThreadedSqliteStore({ file, now: clock.now })
  if (!isThere) {
    const made = await open()
    await made.store.firstUser()
    await made.store.close()
    fill(file, feeds, entries)
  }
  const { store, serving, search } = await open()
  try {
    const userId = await store.firstUser()
    const server = createServer({
      ...rolesOf(serving),
      search,
      clock,
      crawler: {
        activity: () => ({ startedAt: NOW, underWay: [], totals: {} as never, mistakes: [] }),
        onEvent: () => () => {},
      } as unknown as Crawler,
      limits: LIMITS,
      version: '0',
      getPageFolder: async () => '.',
      host: '127.0.0.1',
      onInternalError: (error) => console.error(error),
    })
    console.log(
      `${feeds} feeds, ${entries} entries, all followed by user ${userId}; commit ${commit()}, node ${process.version}\n`,
    )
    console.log(row('', '', '', 'CPU', ''))
    console.log(row('list', 'p50 ms', 'p95 ms', 'p50 ms', 'p95 ms'))
    for (const path of [...LISTS, ...READER_LISTS]) if (path.includes(only)) await measure(server.app, path)
  } finally {
    await store.close()
  }
}

const LISTS = [
  '/api/v1/feeds?limit=50',
  '/api/v1/feeds?limit=1000',
  '/api/v1/feeds?order=due&limit=50',
  '/api/v1/feeds?state=active&folder=Folder%207&limit=50',
  '/api/v1/feeds?troubled=true&limit=50',
  '/api/v1/feeds?text=number%2077&limit=50',
  '/api/v1/feeds?category=science&limit=50',
  '/api/v1/entries?limit=50',
  '/api/v1/entries?limit=1000',
  '/api/v1/entries?feed=17&limit=50',
  '/api/v1/entries?folder=Folder%207&limit=50',
  '/api/v1/entries?language=is&limit=50',
  '/api/v1/entries?category=science&limit=50',
  '/api/v1/entries?unique=copy&limit=50',
  '/api/v1/entries?since=2026-01-10&until=2026-01-11&limit=50',
  '/api/v1/polls?limit=50',
  '/api/v1/polls?feed=17&limit=50',
  '/api/v1/sources?limit=50',
  '/api/v1/groups?limit=50',
  '/api/v1/hosts?limit=50',
  '/api/v1/hubs',
  '/api/v1/folders',
  '/api/v1/status',
  '/api/v1/subscriptions?limit=50',
  '/api/v1/subscriptions?folder=Folder%207&limit=50',
  '/api/v1/subscriptions/pending?limit=50',
  '/api/v1/reading',
  '/api/v1/entries?mine=true&limit=50',
  '/api/v1/entries?unread=true&limit=50',
  '/api/v1/entries?unread=false&limit=50',
  '/api/v1/entries?starred=true&limit=50',
  '/api/v1/entries?mine=true&limit=1000',
  '/api/v1/hosts/known?limit=50',
  '/api/v1/sites/site-17.example',
  '/api/v1/searches',
  '/api/v1/webhooks',
]

/** Lists of the reader protocols, with their own kinds of paging. */
const READER_LISTS = [
  '/reader/api/0/stream/items/ids?n=1000',
  '/reader/api/0/stream/items/ids?n=1000&xt=user/-/state/com.google/read',
  '/reader/api/0/stream/contents?n=50',
  '/v1/entries?limit=50&direction=desc',
  '/v1/entries?status=unread&limit=50&direction=desc',
]

async function measure(app: ReturnType<typeof createServer>['app'], path: string): Promise<void> {
  const took: { ms: number; cpuMs: number }[] = []
  let next: string | undefined
  for (let page = 0; page < PAGES; page++) {
    const url = `http://localhost${path}${next === undefined ? '' : `${path.includes('?') ? '&' : '?'}${next}`}`
    const [began, cpuBefore] = [performance.now(), cpuMs()]
    const response = await app.request(url)
    const text = await response.text()
    took.push({ ms: performance.now() - began, cpuMs: cpuMs() - cpuBefore })
    if (!response.ok) return console.log(`${path.padEnd(64)}  ${response.status} ${text.slice(0, 100)}`)
    next = goesOn(path, JSON.parse(text)) // after the last page, starts again
    await yieldToEventLoop()
  }
  took.shift() // the first request prepares what the others reuse
  const at = (name: 'ms' | 'cpuMs', share: number) => {
    const sorted = took.map((one) => one[name]).toSorted((x, y) => x - y)
    return (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN).toFixed(1)
  }
  console.log(row(path, at('ms', 0.5), at('ms', 0.95), at('cpuMs', 0.5), at('cpuMs', 0.95)))
}

/** CPU of the main thread, because wall-clock time says little on a busy machine. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function row(what: string, ...cells: string[]): string {
  return what.padEnd(68) + cells.map((cell) => cell.padStart(9)).join('')
}

function goesOn(
  path: string,
  body: { next?: string; continuation?: string; entries?: { id: number }[] },
): string | undefined {
  if (body.next !== undefined) return `cursor=${encodeURIComponent(body.next)}`
  if (body.continuation !== undefined) return `c=${body.continuation}`
  const last = path.startsWith('/v1/') ? body.entries?.at(-1)?.id : undefined
  return last === undefined ? undefined : `before_entry_id=${last}`
}

/**
 * Filled by SQL, so that it takes minutes; short entries, because lists use indexes. Searches have a bench of their own (search.ts), on a
 * store that is filled like a crawl does it. One in ten entries is in a group of copies.
 */
function fill(file: string, feeds: number, entries: number): void {
  const db = new Database(file)
  db.pragma('synchronous = OFF')
  const numbers = (most: number) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${most})`
  const named = (names: string[], by: string) =>
    `CASE (${by}) % ${names.length} ${names.map((name, i) => `WHEN ${i} THEN '${name}'`).join(' ')} END`
  const seenAt = `${NOW} - (${entries} - i) * 5000`
  db.exec(`
    ${numbers(feeds)} INSERT INTO feeds (id, url, root, title, subscribers, added_at, haystack, folder, category)
      SELECT i, 'https://site-' || i || '.example/feed', 'site-' || i || '.example', 'The daily something of town number ' || i, 1, ${NOW - DAY},
        'the daily something of town number ' || i || ' https://site-' || i || '.example/feed', 'Folder ' || (i % 200),
        ${named(CATEGORIES, 'i')} FROM n;
    INSERT INTO schedules (feed_id, state, due_at, polled_at, succeeded_at, failures, trouble, strategy, memory)
      SELECT id, 'active', ${NOW} + id * 100, ${NOW - HOUR}, ${NOW - HOUR}, CASE id % 50 WHEN 0 THEN 3 ELSE 0 END,
        CASE id % 50 WHEN 0 THEN '{"kind":"http","status":503}' END, 'fixed:1h', x'' FROM feeds;
    ${numbers(entries)} INSERT INTO entries (id, feed_id, key_hash, sort_at, seen_at, published_at, key, url, title, summary, language, category)
      SELECT i, 1 + (i * 7919) % ${feeds}, i, ${seenAt} - (i * 31) % 86400000, ${seenAt}, ${seenAt} - (i * 31) % 86400000, 'k' || i,
        'https://site-' || (1 + (i * 7919) % ${feeds}) || '.example/' || i, 'Entry ' || i || ' of many', hex(randomblob(60)),
        ${named(LANGUAGES, 'i / 3')}, ${named(CATEGORIES, 'i')} FROM n;
    ${numbers(Math.round(entries / 20))} INSERT INTO groups (id, level, primary_id, size, distance_sum, first_at, last_at)
      SELECT i, ${COPY_LEVEL}, i * 20, 2, 3, ${NOW} - (${entries} - i * 20) * 5000, ${NOW} - (${entries} - i * 20) * 5000 + 1000 FROM n;
    ${numbers(feeds * 5)} INSERT INTO polls (feed_id, at, took_ms, bytes, result, fresh, changed, window_size)
      SELECT 1 + i % ${feeds}, ${NOW} - i * 1000, 87, 20480, 1, 1, 0, 20 FROM n;
    ${numbers(20_000)} INSERT INTO sources (url, root, added_at, state, due_at, failures)
      SELECT 'https://new-' || i || '.example/', 'new-' || i || '.example', ${NOW}, 'looking', ${NOW} + i, 0 FROM n;
    INSERT INTO subscriptions SELECT (SELECT min(id) FROM users), id, NULL, 'Folder ' || (id % 200), 'folder ' || (id % 200) || ' / ', 0, 0, 0, NULL,
      (SELECT count(*) FROM entries e WHERE e.feed_id = f.id), 0, 0 FROM feeds f;
    ANALYZE;`)
  db.close()
}

const LANGUAGES = ['en', 'en', 'en', 'en', 'en', 'de', 'de', 'fr', 'fr', 'is']
const CATEGORIES = ['world', 'politics', 'business', 'science', 'sports', 'culture', 'local']
const COPY_LEVEL = 0
