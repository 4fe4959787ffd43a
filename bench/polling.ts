/**
 * The cost of deciding when to poll: `node bench/polling.ts [--feeds 1000000]`.
 *
 * A decision is what a strategy does with a poll: learn from it and set the next due date. Sixty days of an invented county are replayed,
 * and `sqrt-rate`, the simplest strategy that follows the price, is the peer. Selection is how the store finds the next feeds among all;
 * the peer scans the due dates of all of them, as a ranking has to. A round is the cost of a ranking strategy instead: all feeds are read
 * from the store, and the highest hundred become due.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createRankedSelection } from '../src/crawl/scheduler/ranked-selection.ts'
import { generateTraces, strategiesIn } from '../src/lab/index.ts'
import { runAlone } from '../src/lab/replay.ts'
import { address } from '../src/model/address.fixture.ts'
import { DAY, HOUR, type Memory } from '../src/model/index.ts'
import { type NewFeed, rolesOf } from '../src/ports/index.ts'
import { LIMITS, type Strategy, strategyNamed } from '../src/scheduling/index.ts'
import { openSqliteStore } from '../src/stores/index.ts'
import { commit } from './current-commit.ts'

const START = Date.UTC(2026, 0, 1)
const DAYS = 60
const PEER = 'sqrt-rate'
const RANKED = 'posting-history:training=0'
const BATCH = 1000
const TAKE = 100
const TAKES = 50

const { values } = parseArgs({ options: { feeds: { type: 'string', default: '1000000' } } })
const line = (what: string, ...columns: string[]) =>
  console.log(what.padEnd(28) + columns.map((column) => column.padStart(16)).join(''))

console.log(`commit ${commit()}, node ${process.version}\n`)
decisions()
for (const feeds of [1000, 100_000, Number(values.feeds)]) await choice(feeds)
for (const feeds of [1000, 10_000, 100_000]) await round(feeds)

function decisions(): void {
  const traces = [...generateTraces({ feeds: 60, days: 2 * DAYS, seed: 1, now: START + DAYS * DAY })]
  const measured = new Map(strategiesIn('all').map((name) => [name, measure(name)]))
  const peer = measured.get(PEER)!
  line('a decision', 'CPU us', `times ${PEER}`, 'bytes a feed', 'polls')
  for (const [name, { us, bytes, polls }] of measured)
    line(name, us.toFixed(2), (us / peer.us).toFixed(1), bytes.toFixed(0), `${polls}`)
  console.log()

  function measure(name: string): { us: number; bytes: number; polls: number } {
    const sizes: number[] = []
    const strategy = withSizes(strategyNamed(name), sizes)
    const replay = () => {
      let polls = 0
      const options = { strategy, limits: LIMITS, firstAt: START, onPoll: () => polls++ }
      for (const trace of traces) runAlone(trace, options, START + DAYS * DAY, HOUR)
      return polls
    }
    replay() // warm-up
    sizes.length = 0
    const cpu = process.cpuUsage()
    const polls = replay()
    const { user, system } = process.cpuUsage(cpu)
    return { us: (user + system) / polls, bytes: sizes.reduce((sum, one) => sum + one, 0) / sizes.length, polls }
  }
}

function withSizes(strategy: Strategy, sizes: number[]): Strategy {
  return {
    ...strategy,
    learn(memory: Memory, look) {
      const learnt = strategy.learn(memory, look)
      sizes.push(learnt.length)
      return learnt
    },
  }
}

/** Takes the next hundred feeds repeatedly; each take leases what it returns. */
async function choice(feeds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'freshet-bench-'))
  try {
    const { store } = openSqliteStore({ file: join(folder, 'store.db'), mode: 'write', now: () => START })
    for (let i = 0; i < feeds; i += BATCH)
      await store.addFeeds(Array.from({ length: Math.min(BATCH, feeds - i) }, (_, j) => feedNo(i + j, feeds)))
    const takes = Math.min(TAKES, Math.floor(feeds / TAKE))
    await store.leaseDue(START + HOUR, 1, START + DAY)
    let cpu = process.cpuUsage()
    for (let i = 0; i < takes; i++) await store.leaseDue(START + HOUR, TAKE, START + DAY)
    const ours = cpuMsSince(cpu) / takes
    await store.close()

    const dates = Float64Array.from({ length: feeds }, (_, i) => dueAt(i, feeds))
    cpu = process.cpuUsage()
    for (let i = 0; i < takes; i++) earliest(dates, TAKE)
    const scan = cpuMsSince(cpu) / takes
    line(
      `next ${TAKE} of ${feeds}`,
      `${ours.toFixed(2)} ms`,
      `a scan: ${scan.toFixed(2)} ms`,
      `ratio ${(ours / scan).toFixed(3)}`,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Ranks four times, to warm up and for the mean. */
async function round(feeds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'freshet-bench-'))
  try {
    const { store } = openSqliteStore({ file: join(folder, 'store.db'), mode: 'write', now: () => START })
    const strategy = strategyNamed(RANKED)
    const schedule = { strategy: RANKED, dueAt: START + DAY, failures: 0, polledAt: START, succeededAt: START }
    const memoryOf = (i: number) => {
      const window = Array.from({ length: 20 }, (_, j) => START - (20 - j) * (1 + (i % 100)) * HOUR)
      return strategy.learn(strategy.begin(), { at: START, window, fresh: 20 })
    }
    for (let i = 0; i < feeds; i += BATCH)
      await store.addFeeds(
        Array.from({ length: Math.min(BATCH, feeds - i) }, (_, j) => ({
          ...feedNo(i + j, feeds),
          schedule: { ...schedule, memory: memoryOf(i + j) },
        })),
      )
    const { everyMs } = strategy.rounds!
    const rounds = createRankedSelection({
      ...rolesOf(store),
      inFlight: { has: () => false },
      owned: () => undefined,
      startedAt: START,
      budget: {
        terms: () => ({ price: HOUR, limits: LIMITS, subscribers: 1, ranked: true }),
        remainingBudget: () => ({ pollsPerDay: (TAKE * DAY) / everyMs, minPrice: 0 }),
        updatePrice: async () => {},
      },
    })
    const spent: number[] = []
    for (let n = 1; n <= 4; n++) {
      const cpu = process.cpuUsage()
      await rounds.select(START + HOUR + n * everyMs)
      spent.push(cpuMsSince(cpu))
    }
    await store.close()
    const ms = spent.slice(1).reduce((sum, one) => sum + one, 0) / 3
    line(`a round, ${TAKE} of ${feeds}`, `${ms.toFixed(1)} ms`, `${((1000 * ms) / feeds).toFixed(2)} us a feed`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The peer: scans all dates and keeps the earliest ones sorted. */
function earliest(dates: Float64Array, count: number): number[] {
  const chosen: number[] = []
  let latest = Number.POSITIVE_INFINITY
  for (let i = 0; i < dates.length; i++) {
    const date = dates[i]!
    if (chosen.length === count && date >= latest) continue
    let place = chosen.length
    while (place > 0 && dates[chosen[place - 1]!]! > date) place--
    chosen.splice(place, 0, i)
    if (chosen.length > count) chosen.pop()
    latest = dates[chosen.at(-1)!]!
  }
  return chosen
}

/** Pseudo-random, all within an hour. */
function dueAt(i: number, feeds: number): number {
  return START + (((i * 7_368_787) % feeds) / feeds) * HOUR
}

function feedNo(i: number, feeds: number): NewFeed {
  const at = Math.floor(dueAt(i, feeds))
  return {
    feed: {
      url: address(`https://site-${i}.example/feed.xml`),
      root: `site-${i}.example`,
      title: `Feed ${i}`,
      validators: {},
      subscribers: 1,
      state: 'active',
      addedAt: START,
    },
    schedule: { strategy: 'tide', memory: new Uint8Array(252), dueAt: at, failures: 0 },
  }
}
