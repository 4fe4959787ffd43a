/**
 * Large stores compared in one run: `node bench/large-store.ts [--entries 20000] [--sample 50000] [--chars 235]`. SQLite, PostgreSQL, and
 * SQLite with a content store on Cassandra are filled one after the other; each server is started for this and removed afterwards. All but
 * the last entries (`--sample`) are filled in bulk by the product's own code (see bench/large-store/fill-database.ts and
 * fill-content-store.ts). The last ones are written through the store's ports, like a crawl does, on top of everything else, and that is
 * what is measured: writes, reads, lists, bytes. Then the founding document's own query, which items of the last ten days are near a
 * fingerprint: by the content store's table of bands, by the copy index that stores without a content store use, and by a linear scan.
 *
 * Rates are in wall-clock time, because servers work too; beside them is the part that was our own process's CPU time.
 */
import { randomFillSync } from 'node:crypto'
import { mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { Client } from 'cassandra-driver'
import pg from 'pg'
import type { EntryId, FeedId, Instant } from '../src/model/index.ts'
import type { ContentStore, PollRecord, Store, StoreMigration } from '../src/ports/index.ts'
import { openCassandraContentStore, openPostgres, openSqliteStore, withContentStore } from '../src/stores/index.ts'
import { keyHash } from '../src/stores/sql/rows.ts'
import { postgresForTests } from '../test/postgres-server.ts'
import { startCassandra } from '../tools/cassandra-node.ts'
import { commit } from './current-commit.ts'
import { type BulkShare, markOf } from './large-store/fill-content-store.ts'
import { fillDatabase, sameAsPorts } from './large-store/fill-database.ts'
import { A_POLL, BEGIN, DAYS, END, madeUp, signedOf, simhashOf } from './large-store/generated-entries.ts'
import { ended, quantiles, type Row, seconds, sizesIn, sum, table, timed } from './large-store/measure.ts'
import type { NearInMemory } from './large-store/near-duplicates.ts'

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '20000' },
    sample: { type: 'string', default: '50000' },
    chars: { type: 'string', default: '235' },
    only: { type: 'string' },
  },
})
const ENTRIES = Number(values.entries)
const CHARS = Number(values.chars)
const SAMPLE = Math.min(Number(values.sample), Math.floor(ENTRIES / 2))
const FILLED = ENTRIES - SAMPLE
const BATCH = 500
const LISTS = 200
const NEAR = 200
const MONTH = 2 ** 40
const KEYSPACE = 'large'
const FILLERS = 2
/** Peak size of the largest of the three while it is filled, including rows that are about to be compacted. */
const BYTES_AN_ENTRY = 2200 + 3 * CHARS
const made = madeUp(ENTRIES, CHARS)
const noise = randomFillSync(new Uint8Array(1 << 20))
const SCHEDULE = { strategy: 'fix', memory: new Uint8Array(0), dueAt: END, failures: 0 }

/** With the default configuration: the log is synced every ten seconds, because replicas have the data. */
const SHIPPED = { commitlog_sync: 'periodic', commitlog_sync_period: '10000ms' }
/** So that a thread that waits for the disk does not block others. */
const SYNCED = { commitlog_sync: 'batch', concurrent_writes: '128' }
const LARGE_LIMITS = {
  memtable: '{ configurations: { trie: { class_name: TrieMemtable }, default: { inherits: trie } } }',
  memtable_allocation_type: 'offheap_objects',
  memtable_heap_space: '1024MiB',
  memtable_offheap_space: '2048MiB',
  // When filling in bulk, the writer waits until the server has caught up.
  write_request_timeout: '120s',
  // No other client sends such batches.
  unlogged_batch_across_partitions_warn_threshold: '1000',
  batch_size_warn_threshold: '10MiB',
  batch_size_fail_threshold: '16MiB',
}

refuseIfFull()
const folder = mkdtempSync(join(tmpdir(), 'freshet-large-'))
const rows: Row[] = []
const startedAt = Date.now()
say(`${ENTRIES} entries of ${made.feeds} feeds, texts of ${CHARS} characters; commit ${commit()}`)
say(`${FILLED} of them filled in bulk, ${SAMPLE} written through the ports on top of them`)
try {
  const wanted = (name: string) => values.only === undefined || values.only.split(',').includes(name)
  if (wanted('file')) rows.push(await inFile())
  if (wanted('postgres')) await inPostgres()
  if (wanted('cassandra')) await besideCassandra()
  if (wanted('near')) await nearInMemory()
  table(rows)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function refuseIfFull(): void {
  const { bavail, bsize } = statfsSync(tmpdir())
  const [free, needed] = [(bavail * bsize) / 1e9, (ENTRIES * BYTES_AN_ENTRY) / 1e9 + 5]
  if (free > needed) return
  console.error(
    `${ENTRIES} entries take about ${needed.toFixed(0)} GB while they are filled, and ${tmpdir()} has ${free.toFixed(0)} GB left. ` +
      'Name fewer entries, or another folder with TMPDIR.',
  )
  process.exit(1)
}

async function inFile(): Promise<Row> {
  const file = join(folder, 'alone.db')
  await fillFile(file, (number) => made.draftOf(number).content)
  const { store, migration } = openSqliteStore({ file, mode: 'write', now: () => END })
  const measured = await measure('a file', store, migration, 0)
  await store.close()
  const bytes = statSync(file).size / ENTRIES
  rmSync(file)
  return { ...measured, bytes }
}

async function fillFile(file: string, contentOf: (number: number) => string): Promise<void> {
  const filling = openSqliteStore({ file, mode: 'write', now: () => END, isMigrating: true })
  const db = new Database(file)
  db.function('key_hash_of', { deterministic: true }, (key) => keyHash(String(key)))
  db.function('content_of', { deterministic: true }, (number) => contentOf(Number(number)))
  const copy = async (statements: readonly string[]) =>
    db.transaction(() => statements.forEach((one) => void db.exec(one)))()
  const sql = { keyHash: 'key_hash_of(k)', content: (number: string) => `content_of(${number})`, hasKeyTable: false }
  await timedFilling(`a file of ${FILLED}`, () =>
    fillDatabase(filling.migration, { made, upTo: FILLED, base: 0, contentOf, copy, sql }),
  )
  await filling.store.close()
  // The search index is not fed here; bench/search.ts measures it.
  db.exec('DELETE FROM unindexed')
  db.close()
}

async function inPostgres(): Promise<void> {
  const synced = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
  const { server, reason } = await postgresForTests({ ...synced, shared_buffers: '2GB', max_wal_size: '4GB' })
  if (!server) return say(`without PostgreSQL: ${reason}`)
  try {
    const place = await server.freshStore()
    const client = new pg.Client({ connectionString: place })
    await client.connect()
    const { rows: months } = await client.query('SELECT month_of($1) AS month', [BEGIN])
    const base = Number(months[0].month) * MONTH
    const filling = await openPostgres({ address: place, mode: 'write', isMigrating: true })
    const contentOf = (number: number) => made.draftOf(number).content
    const pool = new pg.Pool({ connectionString: place, max: 2 })
    const copy = async (statements: readonly string[]) => void (await pool.query(statements.join(';\n')))
    const keyHash = "('x' || substr(encode(sha256(convert_to(k, 'UTF8')), 'hex'), 1, 16))::bit(64)::bigint"
    const content = (number: string) => `left(${number} || substr(content, strpos(content, ' ')), ${CHARS})`
    const sql = { keyHash, content, hasKeyTable: true }
    await timedFilling(`PostgreSQL of ${FILLED}`, () =>
      fillDatabase(filling.migration, { made, upTo: FILLED, base, contentOf, copy, sql }),
    )
    await pool.end()
    await filling.store.close()
    await client.query('TRUNCATE unindexed')
    await client.query('VACUUM ANALYZE entries')
    const { store, migration } = await openPostgres({ address: place, mode: 'write' })
    const measured = await measure(`PostgreSQL ${server.version}`, store, migration, base)
    await store.close()
    const { rows: sizes } = await client.query('SELECT pg_database_size(current_database()) AS bytes')
    await client.end()
    rows.push({ ...measured, bytes: Number(sizes[0].bytes) / ENTRIES })
  } finally {
    await server.close()
  }
}

async function besideCassandra(): Promise<void> {
  const inner = join(folder, 'cassandra')
  const settings = (own: Record<string, string>) => ({
    folder: inner,
    heapMegabytes: 4096,
    isForSpeed: true,
    settings: { ...LARGE_LIMITS, ...own },
  })
  const file = join(folder, 'beside.db')
  let node = await startCassandra(settings(SHIPPED))
  try {
    const address = () => `cassandra://${node.contact}/${KEYSPACE}`
    await (await openCassandraContentStore(address())).close() // creates the tables
    // Bulk data needs no log: if it were lost, it would be filled again.
    await administer(node.contact, `ALTER KEYSPACE ${KEYSPACE} WITH durable_writes = false`)
    await timedFilling(`Cassandra of ${FILLED}`, () => fillContentStore(node.contact))
    await administer(node.contact, `ALTER KEYSPACE ${KEYSPACE} WITH durable_writes = true`)
    await fillFile(file, (number) => markOf(made, number))
    await settled(node.contact)

    const opened = async () => {
      const contentStore = await openCassandraContentStore(address())
      const { store: pollResults, migration } = openSqliteStore({ file, mode: 'write', now: () => END })
      return { contentStore, migration, store: withContentStore(pollResults, contentStore, { now: () => END }) }
    }
    const half = Math.floor(SAMPLE / 2 / A_POLL) * A_POLL
    const shipped = await opened()
    const row = await measure('a file, with Cassandra beside it', shipped.store, shipped.migration, 0, [0, half])
    const signed = await signSample(shipped.contentStore, [0, half])
    say(`signed ${signed.toFixed(0)} a second`)
    const contentRecords = await measureContentRecords(shipped.contentStore)
    await nearByBands(shipped.contentStore)
    await shipped.store.close()

    await node.stop('gently')
    const bytes = sizesIn(join(inner, 'data', KEYSPACE))
    const whole = sum(bytes.values())
    for (const [name, size] of bytes) say(`  ${name.padEnd(20)} ${(size / ENTRIES).toFixed(1)} bytes an entry`)
    rows.push({ ...row, bytes: (whole + statSync(file).size) / ENTRIES }, { ...contentRecords, bytes: whole / ENTRIES })

    node = await startCassandra(settings(SYNCED))
    const synced = await opened()
    const again = 'the same, each write on the disk before it is acknowledged'
    const other = await measure(again, synced.store, synced.migration, 0, [half, SAMPLE])
    rows.push({ ...other, bytes: Number.NaN })
    await synced.store.close()
  } finally {
    await node.stop('kill')
    rmSync(inner, { recursive: true, force: true })
  }
}

async function fillContentStore(contact: string): Promise<void> {
  let filled = 0
  let message = Date.now()
  const shares = Array.from({ length: FILLERS }, async (_, share) => {
    const workerData: BulkShare = {
      contact,
      keyspace: KEYSPACE,
      entries: ENTRIES,
      chars: CHARS,
      upTo: FILLED,
      share,
      shares: FILLERS,
    }
    const worker = new Worker(new URL('./large-store/fill-content-store.ts', import.meta.url), { workerData })
    worker.on('message', (some: number) => {
      filled += some
      if (Date.now() - message < 60_000) return
      message = Date.now()
      say(`  ${filled} are there`)
    })
    await ended(worker)
  })
  await Promise.all(shares)
}

async function administer(contact: string, statement: string): Promise<void> {
  const client = new Client({ contactPoints: [contact], localDataCenter: 'datacenter1' })
  await client.connect()
  await client.execute(statement)
  await client.shutdown()
}

/** Waits until nothing is compacted any more. */
async function settled(contact: string): Promise<void> {
  const client = new Client({ contactPoints: [contact], localDataCenter: 'datacenter1' })
  await client.connect()
  const began = Date.now()
  for (let idle = 0; idle < 3 && Date.now() - began < 600_000; ) {
    await new Promise((resolve) => setTimeout(resolve, 2000))
    const { rows: tasks } = await client.execute('SELECT keyspace_name FROM system_views.sstable_tasks')
    idle = tasks.length === 0 ? idle + 1 : 0
  }
  await client.shutdown()
  say(`Cassandra had nothing left to merge after ${((Date.now() - began) / 1000).toFixed(0)} s`)
}

async function measure(
  name: string,
  store: Store,
  migration: StoreMigration,
  base: number,
  part = [0, SAMPLE],
): Promise<Row> {
  const [from, to] = part as [number, number]
  const [began, cpuBefore] = [performance.now(), process.cpuUsage()]
  for (let i = from; i < to; i += BATCH)
    await store.recordPolls(recordsOf(FILLED + i + 1, FILLED + Math.min(to, i + BATCH)))
  for (;;) {
    const { positions } = await store.unindexed(BATCH)
    if (positions.length === 0) break
    await store.markIndexed(positions)
  }
  const written = (to - from) / seconds(began)
  const { user, system } = process.cpuUsage(cpuBefore)
  await sameAsPorts(migration, base + FILLED)

  const readAt = performance.now()
  let read = 0
  for await (const { content } of store.everyEntry({})) {
    read += content ? 1 : 0
    if (read === SAMPLE) break
  }
  const rate = read / seconds(readAt)
  const list = await timed(LISTS, async (chance) => {
    const after = { at: Math.round(END - chance * DAYS * 86_400_000) as Instant, id: 0 as EntryId }
    await store.entries({ after, limit: 50 })
  })
  const feedList = await timed(LISTS, async (chance) => {
    await store.entries({ feedId: (1 + Math.floor(chance * made.feeds)) as FeedId, limit: 50 })
  })
  const row = { store: name, written, cpu: (user + system) / 1000 / (to - from), read: rate, bytes: 0, list, feedList }
  say(`${name}: ${written.toFixed(0)} written a second`)
  return row
}

/** The content store's own lists. */
async function measureContentRecords(contentStore: ContentStore): Promise<Row> {
  const list = await timed(LISTS, async (chance) => {
    await contentStore.listEntries({ until: Math.round(END - chance * DAYS * 86_400_000) as Instant, limit: 50 })
  })
  const feedList = await timed(LISTS, async (chance) => {
    await contentStore.listEntries({ feedId: (1 + Math.floor(chance * made.feeds)) as FeedId, until: END, limit: 50 })
  })
  const readAt = performance.now()
  let read = 0
  for (let id = 1; id <= SAMPLE; id += BATCH) {
    const records = await contentStore.getEntries(Array.from({ length: BATCH }, (_, i) => (id + i) as EntryId))
    read += records.filter(Boolean).length
  }
  const store = 'its records alone'
  return { store, written: Number.NaN, cpu: Number.NaN, read: read / seconds(readAt), bytes: 0, list, feedList }
}

async function signSample(contentStore: ContentStore, [from, to]: [number, number]): Promise<number> {
  const began = performance.now()
  for (let i = from; i < to; i += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, to - i) }, (_, k) => FILLED + i + k + 1)
    await contentStore.putSignatures(
      numbers.map((number) => signedOf(made, number, noise)),
      made.atOf(numbers[0]!),
    )
  }
  return (to - from) / seconds(began)
}

async function nearByBands(contentStore: ContentStore): Promise<void> {
  let found = 0
  const byBand = await timed(NEAR, async (drawn) => {
    const simhash = simhashOf(1 + Math.floor(drawn * FILLED)) ^ 0b1001n
    const answer = await contentStore.findSimilar({ simhash, bits: 3, since: BEGIN, until: END })
    if (answer.length > 0) found++
  })
  say(`which of the last ${DAYS} days' ${ENTRIES} items are near this fingerprint:`)
  say(`  by the table of bands ${quantiles(byBand)}, ${found} of ${NEAR} found`)
}

async function nearInMemory(): Promise<void> {
  const worker = new Worker(new URL('./large-store/near-duplicates.ts', import.meta.url), {
    workerData: { entries: ENTRIES },
    resourceLimits: { maxOldGenerationSizeMb: 8000 },
  })
  let answer: NearInMemory | undefined
  worker.on('message', (message: NearInMemory) => {
    answer = message
  })
  await ended(worker)
  const { linear, index, indexed, indexBytes, found } = answer!
  say(`  linear, in memory     ${quantiles(linear)}, ${found.linear} of ${NEAR} found`)
  const indexSize = `of ${indexed}, which take ${(indexBytes / 1e6).toFixed(0)} MB`
  say(`  by the index of copies ${quantiles(index)}, ${found.index} of ${NEAR} found; ${indexSize}`)
}

function recordsOf(from: number, to: number): PollRecord[] {
  const records: PollRecord[] = []
  for (let first = from; first <= to; first += A_POLL) {
    const numbers = Array.from({ length: Math.min(A_POLL, to - first + 1) }, (_, i) => first + i)
    records.push({ poll: made.pollOf(first), schedule: SCHEDULE, fresh: numbers.map(made.draftOf), changed: [] })
  }
  return records
}

async function timedFilling(what: string, work: () => Promise<void>): Promise<void> {
  const began = performance.now()
  await work()
  say(`filled ${what} in ${seconds(began).toFixed(0)} s, ${(FILLED / seconds(began)).toFixed(0)} a second`)
}

function say(words: string): void {
  const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1)
  console.log(`${minutes.padStart(5)} min, load ${loadavg()[0]!.toFixed(1)}: ${words}`)
}
