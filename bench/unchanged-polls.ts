/**
 * Cost of unchanged polls in the SQLite store: bytes that the process writes (write-ahead log and checkpoints together), CPU, and growth of
 * the poll log. Feeds are polled in random order, a few in each transaction, an hour apart and answered with 304: `node
 * bench/unchanged-polls.ts [--feeds 20000] [--rounds 20] [--batch 10]`. Bytes written are read from /proc, so it runs on Linux.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import { address } from '../src/model/address.fixture.ts'
import type { FeedId, Schedule } from '../src/model/index.ts'
import type { NewFeed, PollRecord, Store } from '../src/ports/index.ts'
import { openSqliteStore } from '../src/stores/index.ts'
import { commit } from './current-commit.ts'
import { feedFields } from './feed-fields.ts'

const { values } = parseArgs({
  options: {
    feeds: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '20' },
    batch: { type: 'string', default: '10' },
  },
})
const [feeds, rounds, batch] = [Number(values.feeds), Number(values.rounds), Number(values.batch)]
const START = 1_700_000_000_000
const HOUR = 3_600_000
const MEMORY_BYTES = 120 // the typical size of a strategy's memory of a feed

let seed = 1
function random(): number {
  seed = (seed * 48_271) % 2_147_483_647
  return seed / 2_147_483_647
}

function scheduleAt(at: number): Schedule {
  const dueAt = Math.round(at + HOUR * (0.5 + random()))
  return { strategy: 'tide', memory: new Uint8Array(MEMORY_BYTES).fill(7), dueAt, failures: 0, succeededAt: at }
}

function newFeed(i: number): NewFeed {
  const url = address(`https://host${i}.example/feed.xml`)
  const feed = { url, root: `host${i}.example`, title: `Feed ${i}`, ...feedFields(i), addedAt: START }
  return { feed, schedule: scheduleAt(START) }
}

function unchanged(feedId: FeedId, at: number): PollRecord {
  const tookMs = Math.round(40 + 300 * random())
  const result = { kind: 'not-modified', by: 'server' } as const
  return {
    poll: { feedId, at, tookMs, bytes: 0, conditional: true, result },
    schedule: scheduleAt(at),
    fresh: [],
    changed: [],
  }
}

async function round(store: Store, ids: FeedId[], nth: number): Promise<void> {
  for (let i = ids.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[ids[i], ids[j]] = [ids[j]!, ids[i]!]
  }
  for (let i = 0; i < ids.length; i += batch) {
    const at = Math.round(START + nth * HOUR + (HOUR * i) / ids.length)
    await store.recordPolls(ids.slice(i, i + batch).map((id, k) => unchanged(id, at + k)))
  }
}

function written(): number {
  return Number(/wchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))![1])
}

function bytesOf(file: string, tables: string[]): number {
  const db = new Database(file, { readonly: true })
  const sql = `SELECT ifnull(sum(pgsize), 0) FROM dbstat WHERE name IN (${tables.map((name) => `'${name}'`).join(', ')})`
  const bytes = db.prepare<[], number>(sql).pluck().get()!
  db.close()
  return bytes
}

const folder = mkdtempSync(join(tmpdir(), 'freshet-bench-'))
const file = join(folder, 'store.db')
const { store } = openSqliteStore({ file, mode: 'write', now: () => START })
const ids: FeedId[] = []
for (let i = 0; i < feeds; i += 1000) {
  const some = Array.from({ length: Math.min(1000, feeds - i) }, (_, k) => newFeed(i + k))
  ids.push(...(await store.addFeeds(some)).map(({ id }) => id))
}
const own = (): [log: number, schedules: number] => [
  bytesOf(file, ['polls', 'polls_by_date']),
  bytesOf(file, ['schedules']),
]
const before = own()
const [bytes, cpu] = [written(), process.cpuUsage()]
for (let nth = 1; nth <= rounds; nth++) await round(store, ids, nth)
const used = process.cpuUsage(cpu)
const polls = feeds * rounds
const after = own()
const cost = [
  ['bytes written a poll', (written() - bytes) / polls],
  ['CPU us a poll', (used.user + used.system) / polls],
  ['bytes of the log per 1,000 polls', ((after[0] - before[0]) / polls) * 1000],
  [
    'bytes of the log and the schedules per 1,000 polls',
    ((after[0] + after[1] - before[0] - before[1]) / polls) * 1000,
  ],
] as const
console.log(
  `${feeds} feeds, ${rounds} unchanged polls each, ${batch} in a transaction, commit ${commit()}, node ${process.version}`,
)
for (const [what, much] of cost) console.log(`${Math.round(much).toString().padStart(9)}  ${what}`)
await store.close()
rmSync(folder, { recursive: true })
