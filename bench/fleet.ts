/**
 * The PostgreSQL store with a million feeds, with the database on the same machine: `node bench/fleet.ts [--feeds 1000000] [--seconds 30]`.
 * Feeds are generated; then what a controller does for polls that find nothing new is repeated for some seconds: feeds that are due are
 * selected and leased in hundreds, and recorded in hundreds, by two loops that share the buckets. Then the lists of the API are read. The
 * server is found or started as in tests, but it syncs its log.
 *
 * `--settings name=value,...` is passed to a server that the bench starts.
 */
import { parseArgs } from 'node:util'
import pg from 'pg'
import { address } from '../src/model/address.fixture.ts'
import type { Bucket, Owned } from '../src/model/index.ts'
import type { LeasedItems, NewFeed, PollRecord, Store } from '../src/ports/index.ts'
import { openPostgresStore } from '../src/stores/postgres/index.ts'
import { postgresForTests } from '../test/postgres-server.ts'
import { commit } from './current-commit.ts'

const START = Date.UTC(2026, 0, 5, 8)
const HOUR = 3_600_000
const ADDED_AT_ONCE = 1000
const MEASURED = 10_000
const BATCH = 100
const LOOPS = 2
const MEMORY = new Uint8Array(60).fill(7)

/** Like `feed`, except for hashes and buckets, which only have to differ. */
const GENERATE = `WITH made AS (
    INSERT INTO feeds (url, url_hash, root, title, site_url, language, format, folder, etag, last_modified, body_hash, subscribers, haystack, added_at)
    SELECT 'https://site' || n / 10 || '.example/feeds/' || n || '.xml', hashint8extended(n, 7), 'site' || n / 10 || '.example',
      'Feed ' || n || ' of site' || n / 10 || '.example', 'https://site' || n / 10 || '.example/', 'en', 'rss', 'Folder ' || n % 500,
      '"' || to_hex(n) || '-' || n % 97 || '"', 'Mon, 05 Jan 2026 07:00:00 GMT', lpad(to_hex(n), 16, '0'), 1,
      'feed ' || n || ' of site' || n / 10 || '.example', $2::bigint - 3600000
    FROM generate_series(0, $1::bigint - 1) AS n RETURNING id)
  INSERT INTO schedules (feed_id, bucket, state, due_at, failures, strategy, memory)
  SELECT id, abs(hashint8(id / 10) % 256), 'active', $2::bigint - abs(hashint8extended(id, 3) % 3600000), 0, 'tide', decode(repeat('07', 60), 'hex') FROM made`

const { values } = parseArgs({
  options: {
    feeds: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '30' },
    settings: { type: 'string', default: '' },
  },
})
const feedCount = Number(values.feeds)
const seconds = Number(values.seconds)

const REAL = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '512MB',
  max_wal_size: '4GB',
}
const given = Object.fromEntries(values.settings.split(',').flatMap((one) => (one ? [one.split('=')] : [])))
const { server, reason } = await postgresForTests({ ...REAL, ...given })
if (!server) throw new Error(reason)

try {
  const to = await server.freshStore()
  const { store } = await openPostgresStore({ address: to, mode: 'write' })
  const fillMs = await fill(store, to)
  console.log(`PostgreSQL ${server.version}, ${feedCount.toLocaleString('en')} feeds, ${commit()}`)
  console.log(`adding feeds            ${rate(Math.min(feedCount, MEASURED), fillMs)} a second`)
  const { owned } = await store.claim('bench', START, START + HOUR)
  const { polls, took, ms, cpuMs } = await poll(store, owned)
  console.log(`unchanged polls         ${rate(polls, ms)} a second, ${(cpuMs / polls).toFixed(3)} ms of our CPU each`)
  console.log(`taking ${BATCH} that are due  p50 ${at(took.take, 0.5)} ms, p95 ${at(took.take, 0.95)} ms`)
  console.log(`recording ${BATCH}           p50 ${at(took.record, 0.5)} ms, p95 ${at(took.record, 0.95)} ms`)
  console.log(`memory of this process  ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB`)
  for (const [name, list] of lists(store)) {
    const times: number[] = []
    for (let i = 0; i < 40; i++) times.push(await timed(list))
    console.log(`${name.padEnd(23)} p50 ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms`)
  }
  await store.close()
} finally {
  await server.close()
}

/** The last feeds are added through the store, all others by SQL, which is much faster. */
async function fill(store: Store, to: string): Promise<number> {
  const rest = Math.max(0, feedCount - MEASURED)
  const client = new pg.Client({ connectionString: to })
  await client.connect()
  try {
    await client.query(GENERATE, [rest, START])
    await client.query('VACUUM ANALYZE feeds, schedules')
  } finally {
    await client.end()
  }
  return timed(async () => {
    for (let i = rest; i < feedCount; i += ADDED_AT_ONCE)
      await store.addFeeds(Array.from({ length: Math.min(ADDED_AT_ONCE, feedCount - i) }, (_, n) => feed(i + n)))
  })
}

/** Ten per root domain; due within the hour before the start. */
function feed(n: number): NewFeed {
  const root = `site${Math.floor(n / 10)}.example`
  return {
    feed: {
      url: address(`https://${root}/feeds/${n}.xml`),
      root,
      title: `Feed ${n} of ${root}`,
      siteUrl: address(`https://${root}/`),
      language: 'en',
      format: 'rss',
      folder: `Folder ${n % 500}`,
      validators: { etag: `"${n.toString(16)}-${n % 97}"`, lastModified: 'Mon, 05 Jan 2026 07:00:00 GMT' },
      bodyHash: n.toString(16).padStart(16, '0'),
      subscribers: 1,
      state: 'active',
      addedAt: START - HOUR,
    },
    schedule: { strategy: 'tide', memory: MEMORY, dueAt: START - (n % 3_600_000), failures: 0 },
  }
}

function unchanged(leased: LeasedItems['feeds'][number]): PollRecord {
  const { feed, schedule, lease, revision } = leased
  return {
    lease,
    revision,
    poll: {
      feedId: feed.id,
      at: START,
      tookMs: 80,
      bytes: 0,
      conditional: true,
      result: { kind: 'not-modified', by: 'server' },
    },
    schedule: { ...schedule, dueAt: START + HOUR + (feed.id % HOUR), succeededAt: START },
    fresh: [],
    changed: [],
  }
}

/** Each loop has half of the buckets. */
async function poll(store: Store, owned: Owned) {
  const took = { take: [] as number[], record: [] as number[] }
  const cpu = process.cpuUsage()
  const began = performance.now()
  const end = began + seconds * 1000
  let polls = 0
  await Promise.all(
    Array.from({ length: LOOPS }, async (_, loop) => {
      const mine = new Map([...owned].filter(([bucket]) => (bucket as Bucket) % LOOPS === loop))
      while (performance.now() < end) {
        let taken: LeasedItems | undefined
        took.take.push(
          await timed(async () => {
            taken = await store.leaseDue(START, BATCH, START + HOUR, mine)
          }),
        )
        if (taken!.feeds.length === 0) return
        took.record.push(await timed(() => store.recordPolls(taken!.feeds.map(unchanged))))
        polls += taken!.feeds.length
      }
    }),
  )
  const { user, system } = process.cpuUsage(cpu)
  return { polls, took, ms: performance.now() - began, cpuMs: (user + system) / 1000 }
}

function lists(store: Store): [string, () => Promise<unknown>][] {
  return [
    ['feeds, a page', () => store.feeds({ order: 'id', limit: 50 })],
    ['feeds, next due', () => store.feeds({ order: 'due', limit: 50 })],
    ['feeds of a folder', () => store.feeds({ order: 'id', folder: 'Folder 77', limit: 50 })],
    ['polls, the newest', () => store.polls({ limit: 50 })],
    ['counts', () => store.counts()],
    ['when something is due', () => store.nextDue()],
  ]
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function rate(count: number, ms: number): string {
  return Math.round((count / ms) * 1000).toLocaleString('en')
}

function at(times: number[], quantile: number): string {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))]!.toFixed(1)
}
