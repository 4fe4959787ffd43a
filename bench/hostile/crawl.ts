/**
 * The crawl as `freshet run` composes it, for some seconds: healthy feeds that become due one after the other, and all hostile sites, if
 * there are any, at once at the start. Sends the results.
 */
import { join } from 'node:path'
import { keepHeapSmall } from '../../src/app/heap.ts'
import { excerpt, HOSTILE_SITES } from '../../src/lab/index.ts'
import { type FeedId, type Instant, MINUTE } from '../../src/model/index.ts'
import { watchTurns } from '../event-loop-turns.ts'

export interface Given {
  folder: string
  healthy: { port: number; feeds: number }
  hostile?: { port: number; dns: string }
  seconds: number
  /** Also wait for sites that are merely slow: half a minute. */
  patient: boolean
  /** Whether to print what ran in turns that were too long. */
  blame: boolean
}

export interface Came {
  /** Time from due to read for each healthy feed, ascending. */
  delaysMs: number[]
  /** Slow sites that had not finished when the last healthy feed was read. */
  stillWaiting: number
  /** Healthy feeds that were not read, and hostile sites with an unexpected result. */
  surprises: string[]
  peakMb: number
  cpuS: number
  /** The longest turn of the event loop: wall-clock time, CPU time of the main thread, garbage collection. */
  stallMs: number
  turnMs: number
  garbageMs: number
  blamed: string[]
}

const { folder, healthy, hostile, seconds, patient, blame } = JSON.parse(process.argv[2] ?? '') as Given
keepHeapSmall()
const { defaultConfig, openCrawl } = await import('../../src/app/index.ts')
const crawl = await openCrawl({
  ...defaultConfig(),
  store: join(folder, `${hostile ? 'with' : 'without'}.db`),
  allowNetworks: ['127.0.0.1/32'],
  dnsServers: hostile ? [hostile.dns] : [],
  hostGap: 0,
  ...(!patient && { timeout: 2 * MINUTE }),
})

interface Visited {
  url: string
  kind: 'healthy' | 'hostile' | 'slow'
  expected: string
  dueAt: Instant
  read?: { poll: string; readAt: Instant }
}
const visited = new Map<FeedId, Visited>()
const done = new AbortController()
crawl.crawler.onEvent((event) => {
  if (event.kind === 'internal-error') throw event.error
  const one = event.kind === 'polled' && visited.get(event.feedId)
  if (!one || one.read) return
  one.read = { poll: excerpt(event.result), readAt: event.at + event.tookMs }
  if ([...visited.values()].every(({ read, kind }) => read || (kind === 'slow' && !patient))) done.abort()
})

const startAt = Date.now() + 1000
for (let i = 0; i < healthy.feeds; i++) {
  const dueAt = startAt + Math.round((i / healthy.feeds) * seconds * 1000)
  await add({ url: `http://f${i}.localhost:${healthy.port}/feed`, kind: 'healthy', expected: 'read 20', dueAt })
}
for (const { name, polls, isSlow } of hostile ? HOSTILE_SITES : []) {
  const url = `http://${name}.localhost:${hostile?.port}/feed`
  await add({ url, kind: isSlow ? 'slow' : 'hostile', expected: polls[0] ?? '', dueAt: startAt })
}
const cpu = process.cpuUsage()
const signal = AbortSignal.any([done.signal, AbortSignal.timeout(seconds * 1000 + 60_000)])
const turns = await watchTurns(() => crawl.crawler.run(signal), blame)
const { user, system } = process.cpuUsage(cpu)
await crawl.close(0)

const all = [...visited.values()]
const lastAt = Math.max(...all.map(({ kind, read }) => (kind === 'healthy' ? (read?.readAt ?? 0) : 0)))
process.send?.({
  delaysMs: all
    .flatMap(({ kind, read, dueAt }) => (kind === 'healthy' && read ? [read.readAt - dueAt] : []))
    .sort((a, b) => a - b),
  stillWaiting: all.filter(({ kind, read }) => kind === 'slow' && (read?.readAt ?? lastAt) >= lastAt).length,
  surprises: all.flatMap(({ url, kind, expected, read }) => {
    const isExpected = read ? read.poll === expected : kind === 'slow' && !patient
    return isExpected ? [] : [`${url}: ${read?.poll ?? 'nothing'} instead of ${expected}`]
  }),
  peakMb: (process.resourceUsage().maxRSS * 1024) / 1e6,
  cpuS: (user + system) / 1e6,
  stallMs: turns.wallMs,
  turnMs: turns.turnMs,
  garbageMs: turns.garbageMs,
  blamed: turns.blame,
} satisfies Came)
process.disconnect?.()

async function add(one: Visited): Promise<void> {
  const [given] = await crawl.crawler.subscribe([{ url: one.url, kind: 'feed' }])
  if (given?.kind !== 'feed') throw new Error(`${one.url} was refused`)
  visited.set(given.feedId, one)
  await crawl.store.changeFeed(given.feedId, {}, { dueAt: one.dueAt })
}
