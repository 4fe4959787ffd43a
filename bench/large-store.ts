/**
 * The large store, beside the others in one run: `node bench/large-store.ts [--entries 20000]`. Entries of 1.2 kB are written through the store's own
 * ports, as a crawl does, and read again: into a file, into PostgreSQL, and into a file with a library on Cassandra, of which each is started for
 * this and is gone afterwards. Then the founding document's own question, which items of the last ten days are near a fingerprint: by the table of
 * bands, and by looking at all of them. Rates are by the clock on the wall: servers work, too.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { distance } from '../src/dedup/index.ts'
import { openCassandraLibrary, openPostgresStore, openSqliteStore, withLibrary } from '../src/drivers/index.ts'
import { address } from '../src/model/address.fixture.ts'
import type { EntryId, FeedId, Instant } from '../src/model/index.ts'
import type { FiledSignature, Library, NewFeed, PollRecord, Store } from '../src/ports/index.ts'
import { createChance } from '../test/nonsense.ts'
import { postgresForTests } from '../test/postgres-server.ts'
import { startCassandra } from '../tools/cassandra-node.ts'

const { values } = parseArgs({ options: { entries: { type: 'string', default: '20000' } } })
const ENTRIES = Number(values.entries)
const FEEDS = 200
const BATCH = 500
const LISTS = 200
const DAYS = 10
const DAY = 86_400_000
const END = Date.UTC(2026, 0, 31) as Instant
const STEP = Math.floor((DAYS * DAY) / ENTRIES)
const WORDS = 'ferry bridge council harbour winter school museum train garden market letter window river stone'.split(
  ' ',
)

const SCHEDULE = { strategy: 'fix', memory: new Uint8Array(0), dueAt: END, failures: 0 }

interface Row {
  store: string
  written: number
  read: number
  bytes: number
  list: number[]
  feedList: number[]
}

const folder = mkdtempSync(join(tmpdir(), 'freshet-large-'))
const rows: Row[] = []
try {
  rows.push(await inFile())
  const postgres = await inPostgres()
  if (postgres) rows.push(postgres)
  rows.push(...(await besideCassandra()))
  console.log(`${ENTRIES} entries of ${FEEDS} feeds\n`)
  console.log('| | written/s | read/s | bytes an entry | list of 50, p50 | p95 | of a feed, p50 | p95 |')
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|')
  for (const { store, written, read, bytes, list, feedList } of rows) {
    const times = [list, feedList].flatMap((all) => [part(all, 0.5), part(all, 0.95)])
    const cells = [
      store,
      written.toFixed(0),
      read.toFixed(0),
      bytes.toFixed(0),
      ...times.map((ms) => `${ms.toFixed(1)} ms`),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function inFile(): Promise<Row> {
  const file = join(folder, 'alone.db')
  const { store } = openSqliteStore({ file, mode: 'write', now: () => END })
  const measured = await measure('a file', store)
  await store.close()
  return { ...measured, bytes: statSync(file).size / ENTRIES }
}

async function inPostgres(): Promise<Row | undefined> {
  const { server, reason } = await postgresForTests({ fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' })
  if (!server) {
    console.log(`without PostgreSQL: ${reason}`)
    return undefined
  }
  try {
    const place = await server.freshStore()
    const { store } = await openPostgresStore({ address: place, mode: 'write' })
    const measured = await measure(`PostgreSQL ${server.version}`, store)
    await store.close()
    const client = new pg.Client({ connectionString: place })
    await client.connect()
    const { rows: sizes } = await client.query('SELECT pg_database_size(current_database()) AS bytes')
    await client.end()
    return { ...measured, bytes: Number(sizes[0].bytes) / ENTRIES }
  } finally {
    await server.close()
  }
}

async function besideCassandra(): Promise<Row[]> {
  const inner = join(folder, 'cassandra')
  const node = await startCassandra({ folder: inner, heapMegabytes: 1024 })
  const file = join(folder, 'beside.db')
  try {
    const library = await openCassandraLibrary(`cassandra://${node.contact}/large`)
    const ledger = openSqliteStore({ file, mode: 'write', now: () => END }).store
    const store = withLibrary(ledger, library, { now: () => END })
    const measured = await measure('a file, with Cassandra beside it', store)
    const stacks = await measureStacks(library)
    await seedsQuestion(library)
    await store.close()
    await node.stop('gently')
    const bytes = sizeOf(join(inner, 'data', 'large'))
    return [
      { ...measured, bytes: (bytes + statSync(file).size) / ENTRIES },
      { ...stacks, bytes: bytes / ENTRIES },
    ]
  } finally {
    await node.stop('kill')
  }
}

async function measure(name: string, store: Store): Promise<Row> {
  const feeds = await addFeeds(store)
  const startedAt = performance.now()
  for (let i = 0; i < ENTRIES; i += BATCH) await store.recordPolls(batchOf(i, feeds))
  for (;;) {
    const { marks } = await store.unindexed(BATCH)
    if (marks.length === 0) break
    await store.indexed(marks)
  }
  const written = ENTRIES / seconds(startedAt)

  const readAt = performance.now()
  let read = 0
  for await (const { content } of store.everyEntry({})) read += content ? 1 : 0
  const rate = read / seconds(readAt)
  const list = await timed(async (chance) => {
    await store.entries({
      after: { at: Math.round(END - chance * DAYS * DAY) as Instant, id: 0 as EntryId },
      limit: 50,
    })
  })
  const feedList = await timed(async (chance) => {
    await store.entries({ feedId: feeds[Math.floor(chance * FEEDS)]!, limit: 50 })
  })
  return { store: name, written, read: rate, bytes: 0, list, feedList }
}

/** The library's own lists. */
async function measureStacks(library: Library): Promise<Row> {
  const list = await timed(async (chance) => {
    await library.list({ until: Math.round(END - chance * DAYS * DAY) as Instant, limit: 50 })
  })
  const feedList = await timed(async (chance) => {
    await library.list({ feedId: (Math.floor(chance * FEEDS) + 1) as FeedId, until: END, limit: 50 })
  })
  const readAt = performance.now()
  let read = 0
  for (let id = 1; id <= Math.min(ENTRIES, 20_000); id += BATCH) {
    const cards = await library.filed(Array.from({ length: BATCH }, (_, i) => (id + i) as EntryId))
    read += cards.filter(Boolean).length
  }
  const rate = read / seconds(readAt)
  return { store: 'its stacks alone', written: Number.NaN, read: rate, bytes: 0, list, feedList }
}

async function seedsQuestion(library: Library): Promise<void> {
  const chance = createChance(1)
  const hash = () => (BigInt(Math.floor(chance.next() * 2 ** 32)) << 32n) | BigInt(Math.floor(chance.next() * 2 ** 32))
  const signature = new Uint8Array(180)
  const all: FiledSignature[] = Array.from({ length: ENTRIES }, (_, i) => {
    return { id: (i + 1) as EntryId, at: (END - i * STEP) as Instant, simhash: hash(), signature }
  })
  const startedAt = performance.now()
  for (let i = 0; i < ENTRIES; i += BATCH) {
    const some = all.slice(i, i + BATCH)
    await library.sign(some, some[0]!.at)
  }
  const signed = ENTRIES / seconds(startedAt)
  const near = (drawn: number) => all[Math.floor(drawn * ENTRIES)]!.simhash ^ 0b1001n
  const since = (END - DAYS * DAY) as Instant
  let found = 0
  const byBand = await timed(async (drawn) => {
    const answer = await library.near({ simhash: near(drawn), bits: 3, since, until: END })
    if (answer.length > 0) found++
  })
  const linear = await timed(async (drawn) => {
    const wanted = near(drawn)
    all.filter(({ simhash }) => distance(simhash, wanted) <= 3)
  })
  console.log(`which of the last ${DAYS} days' ${ENTRIES} items is near this fingerprint; ${found} of ${LISTS} found:`)
  console.log(`  by the table of bands ${part(byBand, 0.5).toFixed(1)} ms, p95 ${part(byBand, 0.95).toFixed(1)} ms`)
  console.log(`  linear, in memory     ${part(linear, 0.5).toFixed(1)} ms, p95 ${part(linear, 0.95).toFixed(1)} ms`)
  console.log(`  signed ${signed.toFixed(0)} a second\n`)
}

async function addFeeds(store: Store): Promise<FeedId[]> {
  const feeds = Array.from({ length: FEEDS }, (_, i): NewFeed => {
    const [url, root, title] = [address(`https://site${i}.example/feed`), `site${i}.example`, `Site ${i}`]
    const feed = { url, root, title, validators: {}, subscribers: 1, state: 'active', addedAt: END } as const
    return { feed, schedule: SCHEDULE }
  })
  return (await store.addFeeds(feeds)).map(({ id }) => id)
}

function batchOf(from: number, feeds: readonly FeedId[]): PollRecord[] {
  const records = new Map<FeedId, PollRecord>()
  for (let i = from; i < Math.min(ENTRIES, from + BATCH); i++) {
    const feedId = feeds[i % FEEDS]!
    const at = (END - DAYS * DAY + i * STEP) as Instant
    const record = records.get(feedId) ?? recordOf(feedId, at)
    record.fresh.push({
      key: `k${i}`,
      title: `${wordsOf(i, 7)}`,
      url: `https://site/${i}`,
      publishedAt: at,
      content: wordsOf(i, 170),
    })
    records.set(feedId, record)
  }
  return [...records.values()]
}

function recordOf(feedId: FeedId, at: Instant): PollRecord {
  const result = { kind: 'read', fresh: 1, changed: 0, window: 1, gap: false } as const
  const poll = { feedId, at, tookMs: 100, bytes: 900, conditional: true, result }
  return { poll, schedule: SCHEDULE, fresh: [], changed: [] }
}

function wordsOf(seed: number, many: number): string {
  const chance = createChance(seed)
  return Array.from({ length: many }, () => WORDS[Math.floor(chance.next() * WORDS.length)]).join(' ')
}

async function timed(ask: (chance: number) => Promise<void>): Promise<number[]> {
  const chance = createChance(7)
  const times: number[] = []
  for (let i = 0; i < LISTS; i++) {
    const startedAt = performance.now()
    await ask(chance.next())
    times.push(performance.now() - startedAt)
  }
  return times.sort((a, b) => a - b)
}

function part(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
}

function seconds(sinceMs: number): number {
  return (performance.now() - sinceMs) / 1000
}

function sizeOf(place: string): number {
  const all = readdirSync(place, { recursive: true, withFileTypes: true })
  return all.filter((one) => one.isFile()).reduce((sum, one) => sum + statSync(join(one.parentPath, one.name)).size, 0)
}
