/**
 * Every list of the API on a large store: the first page of each, and pages that lie ever further in, asked of the server without a socket. A
 * list is to take less than 100 ms, whatever page of it, nineteen times of twenty.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as letOthers } from 'node:timers/promises'
import type { Crawler } from '../../src/crawl/index.ts'
import { createThread, openSqliteStore, SEARCH_THREAD, systemClock } from '../../src/drivers/index.ts'
import { address } from '../../src/model/address.fixture.ts'
import { DAY, type EntryDraft, type FeedId, MINUTE, type PersonId, type Schedule } from '../../src/model/index.ts'
import { LIMITS } from '../../src/polling/index.ts'
import { type NewFeed, type PollRecord, rolesOf, type SearchDocument, type Store } from '../../src/ports/index.ts'
import { createServer } from '../../src/server/index.ts'
import { commit } from '../commit.ts'

const PORTION = 500
const PAGES = 40
const NOW = Date.parse('2026-03-01')

export async function measureLists({
  folder,
  feeds,
  entries,
}: {
  folder: string
  feeds: number
  entries: number
}): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'store.db')
  const isThere = existsSync(file)
  const clock = { ...systemClock(), now: () => NOW }
  const { store, search } = openSqliteStore({
    file,
    mode: 'write',
    now: clock.now,
    searchThread: createThread(SEARCH_THREAD),
  })
  try {
    if (!isThere) await fill(store, search, feeds, entries)
    const personId = await store.firstPerson()
    const server = createServer({
      ...rolesOf(store),
      search,
      clock,
      crawler: {
        activity: () => ({ startedAt: NOW, underWay: [], totals: {} as never, mistakes: [] }),
        onEvent: () => () => {},
      } as unknown as Crawler,
      limits: LIMITS,
      version: '0',
      pageFolder: async () => '.',
      host: '127.0.0.1',
      onMistake: (error) => console.error(error),
    })
    const { entries: all, feeds: counted } = await store.counts()
    console.log(
      `${counted.active} feeds, ${all} entries, commit ${commit()}, node ${process.version}; ${personId > 0 ? 'all of them followed by one person' : ''}\n`,
    )
    console.log('list'.padEnd(64) + ['pages', 'p50 ms', 'p95 ms', 'longest'].map((cell) => cell.padStart(9)).join(''))
    for (const path of LISTS) await measure(server.app, path)
    for (const path of READER_LISTS) await measure(server.app, path)
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
  '/api/v1/entries?q=word77&sort=date&limit=50',
  '/api/v1/entries?q=word77&limit=50',
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
  '/api/v1/subscriptions/waiting?limit=50',
  '/api/v1/reading',
  '/api/v1/entries?mine=true&limit=50',
  '/api/v1/searches',
  '/api/v1/webhooks',
]

/** Of the protocols of feed readers, by their own ways of going on. */
const READER_LISTS = [
  '/reader/api/0/stream/items/ids?n=1000',
  '/reader/api/0/stream/items/ids?n=1000&xt=user/-/state/com.google/read',
  '/reader/api/0/stream/contents?n=50',
  '/v1/entries?limit=50&direction=desc',
  '/v1/entries?status=unread&limit=50&direction=desc',
]

async function measure(app: ReturnType<typeof createServer>['app'], path: string): Promise<void> {
  const took: number[] = []
  let next: string | undefined
  for (let page = 0; page < PAGES; page++) {
    const url = `http://localhost${path}${next === undefined ? '' : `${path.includes('?') ? '&' : '?'}${next}`}`
    const began = performance.now()
    const response = await app.request(url)
    const text = await response.text()
    took.push(performance.now() - began)
    if (!response.ok) return console.log(`${path.padEnd(64)}  ${response.status} ${text.slice(0, 100)}`)
    const body = JSON.parse(text)
    next = goesOn(path, body)
    await letOthers()
    if (next === undefined) {
      if (took.length < PAGES && path.includes('limit')) continue // from the beginning again
      if (page >= 9) break
    }
  }
  took.shift() // prepares what the others find prepared
  const sorted = took.toSorted((a, b) => a - b)
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN).toFixed(1)
  console.log(
    path.padEnd(64) + [String(took.length), at(0.5), at(0.95), at(1)].map((cell) => cell.padStart(9)).join(''),
  )
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

const LANGUAGES = ['en', 'en', 'en', 'en', 'en', 'de', 'de', 'fr', 'fr', 'is']
const CATEGORIES = ['world', 'politics', 'business', 'science', 'sports', 'culture', 'local']

async function fill(
  store: Store,
  search: { put(documents: SearchDocument[]): Promise<void> },
  feeds: number,
  entries: number,
): Promise<void> {
  const ids: FeedId[] = []
  for (let i = 0; i < feeds; i += PORTION) {
    const some = Array.from({ length: Math.min(PORTION, feeds - i) }, (_, j) => newFeed(i + j))
    ids.push(...(await store.addFeeds(some)).map(({ id }) => id))
  }
  const personId: PersonId = await store.firstPerson()
  for (let i = 0; i < ids.length; i += PORTION)
    await store.follow(
      personId,
      ids.slice(i, i + PORTION).map((feedId) => ({ feedId, folder: `Folder ${feedId % 200}` })),
      NOW,
      30,
    )
  const each = Math.round(entries / feeds)
  for (let i = 0; i < ids.length; i += PORTION) {
    await store.recordPolls(ids.slice(i, i + PORTION).map((id) => recordOf(id, NOW - 120 * DAY + i * MINUTE, each)))
    for (;;) {
      const { marks, changes } = await store.unindexed(5000)
      if (marks.length === 0) break
      await search.put(
        changes.flatMap(({ id, entry }) =>
          entry
            ? [
                {
                  id,
                  feedId: entry.feedId,
                  at: entry.publishedAt ?? NOW,
                  title: entry.title,
                  text: entry.summary ?? '',
                  names: [],
                  language: entry.language ?? 'en',
                  category: entry.category ?? 'world',
                },
              ]
            : [],
        ),
      )
      await store.indexed(marks)
    }
    if (i % 10_000 === 0) console.error(`${i} of ${ids.length} feeds filled`)
  }
}

function newFeed(i: number): NewFeed {
  return {
    feed: {
      url: address(`https://site-${i}.example/feed`),
      root: `site-${i}.example`,
      title: `The daily something of town number ${i}`,
      folder: `Folder ${i % 200}`,
      validators: {},
      subscribers: 1,
      state: 'active',
      addedAt: NOW - DAY,
      category: CATEGORIES[i % CATEGORIES.length]!,
    },
    schedule: newSchedule(i),
  }
}

function newSchedule(i: number): Schedule {
  const isTroubled = i % 50 === 0
  return {
    strategy: 'fixed:1h',
    memory: new Uint8Array(0),
    dueAt: NOW + i * 100,
    failures: isTroubled ? 3 : 0,
    ...(isTroubled && { trouble: { kind: 'http', status: 503 } as const }),
  }
}

function recordOf(feedId: FeedId, at: number, entries: number): PollRecord {
  const fresh = Array.from({ length: entries }, (_, i): EntryDraft => {
    const key = `https://site-${feedId}.example/${i}`
    const words = Array.from({ length: 20 }, (_, j) => `word${(feedId * 7919 + i * 31 + j * j) % 5000}`)
    return {
      key,
      url: address(key),
      title: words.slice(0, 9).join(' '),
      summary: words.join(' '),
      publishedAt: at - ((i * 7919) % 1000) * MINUTE,
      language: LANGUAGES[(feedId + i) % LANGUAGES.length]!,
      category: CATEGORIES[(feedId + i) % CATEGORIES.length]!,
    }
  })
  const result = { kind: 'read', fresh: entries, changed: 0, window: entries, gap: false } as const
  return {
    poll: { feedId, at, tookMs: 87, bytes: 20_480, conditional: true, result },
    schedule: { ...newSchedule(feedId), polledAt: at, succeededAt: at, dueAt: NOW + feedId * 100 },
    fresh,
    changed: [],
  }
}
