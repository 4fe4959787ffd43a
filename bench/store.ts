/**
 * Speed and size of the SQLite store, compared with the memory store on the same machine in the same run: `node bench/store.ts [--feeds
 * 100000]`. Each store runs in a process of its own, so that its memory can be measured; the last column is the ratio of SQLite to memory.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { address } from '../src/model/address.fixture.ts'
import type { EntryDraft, FeedId, Schedule } from '../src/model/index.ts'
import type { NewFeed, PollRecord, Store } from '../src/ports/index.ts'
import { createMemoryStore, openSqliteStore } from '../src/stores/index.ts'
import { commit } from './current-commit.ts'
import { feedFields } from './feed-fields.ts'

interface Measured {
  openMs?: number
  takeDueMs: number
  takeDueCpuMs: number
  unchanged: Rate
  entries: Rate
  bytesPerFeed?: number
  rssMb: number
}

/** Wall-clock time and CPU time of our process: on a busy machine only the second is meaningful. */
interface Rate {
  perS: number
  perCpuS: number
}

const START = 1_700_000_000_000
const HOUR = 3_600_000
const BATCH = 500
const TAKE = 1000
const POLLS = 50_000
const ENTRIES = 100_000
const ENTRIES_PER_POLL = 10

const { values } = parseArgs({ options: { feeds: { type: 'string', default: '100000' }, only: { type: 'string' } } })
const feedCount = Number(values.feeds)
if (values.only) console.log(JSON.stringify(await measure(values.only)))
else report(inOwnProcess('sqlite'), inOwnProcess('memory'))

function inOwnProcess(kind: string): Measured {
  const args = [fileURLToPath(import.meta.url), '--only', kind, '--feeds', String(feedCount)]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }))
}

async function measure(kind: string): Promise<Measured> {
  if (kind === 'memory') {
    const store = createMemoryStore()
    await fill(store)
    return work(store)
  }
  const folder = mkdtempSync(join(tmpdir(), 'freshet-bench-'))
  try {
    const options = { file: join(folder, 'store.db'), mode: 'write', now: () => START } as const
    const first = openSqliteStore(options).store
    await fill(first)
    await first.close()
    const bytesPerFeed = statSync(options.file).size / feedCount
    const startedAt = performance.now()
    const { store } = openSqliteStore(options)
    await store.counts()
    const openMs = performance.now() - startedAt
    const measured = await work(store)
    await store.close()
    return { openMs, bytesPerFeed, ...measured }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function fill(store: Store): Promise<void> {
  for (let i = 0; i < feedCount; i += BATCH) {
    await store.addFeeds(Array.from({ length: Math.min(BATCH, feedCount - i) }, (_, j) => newFeed(i + j)))
  }
}

async function work(store: Store): Promise<Omit<Measured, 'openMs' | 'bytesPerFeed'>> {
  const ids: FeedId[] = []
  for await (const { feed } of store.everyFeed()) ids.push(feed.id)

  const takes: { wallMs: number; cpuMs: number }[] = []
  for (let i = 0; i < 11; i++) {
    takes.push(await timed(() => store.leaseDue(START + HOUR, TAKE, START + 2 * HOUR)))
  }

  // A step that shares no factor with the number of feeds visits all of them in pseudo-random order.
  let turn = 0
  const anyFeed = () => ids[(turn++ * 7_368_787) % ids.length]!
  const rate = async (polls: number, each: number, drafts: (at: number) => EntryDraft[]): Promise<Rate> => {
    let wallMs = 0
    let cpuMs = 0
    for (let i = 0; i < polls; i += BATCH) {
      const batch = Array.from({ length: BATCH }, () => newRecord(anyFeed(), START + HOUR + turn, drafts))
      const took = await timed(() => store.recordPolls(batch))
      wallMs += took.wallMs
      cpuMs += took.cpuMs
    }
    return { perS: (polls * each * 1000) / wallMs, perCpuS: (polls * each * 1000) / cpuMs }
  }
  const unchanged = await rate(POLLS, 1, () => [])
  const entries = await rate(ENTRIES / ENTRIES_PER_POLL, ENTRIES_PER_POLL, (at) =>
    Array.from({ length: ENTRIES_PER_POLL }, (_, i) => newDraft(at * ENTRIES_PER_POLL + i)),
  )
  return {
    takeDueMs: middle(takes.map((take) => take.wallMs)),
    takeDueCpuMs: middle(takes.map((take) => take.cpuMs)),
    unchanged,
    entries,
    rssMb: process.memoryUsage.rss() / 1e6,
  }
}

async function timed(work: () => Promise<unknown>): Promise<{ wallMs: number; cpuMs: number }> {
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return { wallMs: performance.now() - startedAt, cpuMs: (user + system) / 1000 }
}

function middle(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!
}

function newFeed(i: number): NewFeed {
  return {
    feed: {
      url: address(`https://www.site-${i}.example/category/news/feed.xml`),
      root: `site-${i}.example`,
      title: `The daily something of town number ${i}`,
      description: 'What happens here, and what people say of it, told by those who live here',
      siteUrl: address(`https://www.site-${i}.example/`),
      ...feedFields(i),
      addedAt: START,
    },
    schedule: newSchedule(START + ((i * 7919) % HOUR)),
  }
}

function newSchedule(dueAt: number, polledAt?: number): Schedule {
  const memory = new Uint8Array(252).fill(7)
  return { strategy: 'tide', memory, dueAt, failures: 0, ...(polledAt && { polledAt, succeededAt: polledAt }) }
}

function newRecord(feedId: FeedId, at: number, drafts: (at: number) => EntryDraft[]): PollRecord {
  const fresh = drafts(at)
  const result: PollRecord['poll']['result'] =
    fresh.length > 0
      ? { kind: 'read', fresh: fresh.length, changed: 0, window: 20, gap: false }
      : { kind: 'not-modified', by: 'server' }
  return {
    poll: { feedId, at, tookMs: 87, bytes: 20_480, conditional: true, result },
    schedule: newSchedule(at + HOUR, at),
    fresh,
    changed: [],
  }
}

function newDraft(i: number): EntryDraft {
  const url = `https://www.some-site.example/2023/11/14/a-headline-of-some-length-${i}`.padEnd(100, '-x')
  return {
    key: url,
    url,
    title: `Headline ${i}: `.padEnd(100, 'something has happened '),
    summary: `<p>${i} `.padEnd(300, 'and this is what we know of it so far '),
    publishedAt: START + i,
  }
}

function report(sqlite: Measured, memory: Measured): void {
  const rows: [string, number | undefined, number | undefined, digits: number, moreIsBetter?: boolean][] = [
    ['open, ms', sqlite.openMs, memory.openMs, 1],
    [`takeDue(${TAKE}), ms`, sqlite.takeDueMs, memory.takeDueMs, 1],
    [`takeDue(${TAKE}), CPU ms`, sqlite.takeDueCpuMs, memory.takeDueCpuMs, 1],
    ['unchanged polls/s', sqlite.unchanged.perS, memory.unchanged.perS, 0, true],
    ['unchanged polls/CPU s', sqlite.unchanged.perCpuS, memory.unchanged.perCpuS, 0, true],
    ['new entries/s', sqlite.entries.perS, memory.entries.perS, 0, true],
    ['new entries/CPU s', sqlite.entries.perCpuS, memory.entries.perCpuS, 0, true],
    ['bytes a feed on disk', sqlite.bytesPerFeed, memory.bytesPerFeed, 0],
    ['resident memory, MB', sqlite.rssMb, memory.rssMb, 0],
  ]
  const line = (...[what, ...columns]: string[]) =>
    console.log(what!.padEnd(24) + columns.map((column) => column.padStart(12)).join(''))
  console.log(`${feedCount} feeds, batches of ${BATCH}, commit ${commit()}, node ${process.version}\n`)
  line('', 'sqlite', 'memory', 'ratio')
  for (const [what, a, b, digits, moreIsBetter] of rows) {
    const ratio = a && b ? (moreIsBetter ? b / a : a / b).toFixed(2) : '-'
    line(what, a?.toFixed(digits) ?? '-', b?.toFixed(digits) ?? '-', ratio)
  }
}
