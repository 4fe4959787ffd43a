/**
 * Serving while crawling: 200 readers that poll outgoing feeds and use the APIs of feed readers, 50 event streams, and a crawl of 2,000
 * feeds of the village, all in one process: `node bench/serving.ts [--readers 200] [--streams 50] [--feeds 2000] [--seconds 60] [--pause
 * 10000]`. Readers and village have processes of their own. With `--lists FOLDER` instead: every list of the API on a large store
 * (`--entries 2000000 --listed 100000`; it is created in the folder and reused), its first page and deep pages; `--only WORDS` for those
 * whose address contains the words.
 */
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { keepHeapSmall } from '../src/app/heap.ts'
import type { UserId } from '../src/model/index.ts'
import { commit } from './current-commit.ts'
import { nextMessageOf } from './poll/rounds.ts'
import type { ReadersCame, ReadersGiven } from './serving/readers.ts'

keepHeapSmall()
const { createLog, defaultConfig, openCrawl, startServer } = await import('../src/app/index.ts')
const { createAccounts } = await import('../src/server/index.ts')

const WARM_MS = 15_000
const RESOLUTION_MS = 5

const { values } = parseArgs({
  options: {
    readers: { type: 'string', default: '200' },
    streams: { type: 'string', default: '50' },
    feeds: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '60' },
    pause: { type: 'string', default: '10000' },
    lists: { type: 'string' },
    entries: { type: 'string', default: '2000000' },
    listed: { type: 'string', default: '100000' },
    only: { type: 'string', default: '' },
  },
})

if (values.lists) {
  const { measureLists } = await import('./serving/lists.ts')
  const { lists: folder, only } = values
  await measureLists({ folder, feeds: Number(values.listed), entries: Number(values.entries), only })
} else await serve()

async function serve(): Promise<void> {
  const [readers, streams, feeds, seconds, pauseMs] = [
    values.readers,
    values.streams,
    values.feeds,
    values.seconds,
    values.pause,
  ].map(Number) as [number, number, number, number, number]
  const folder = mkdtempSync(join(tmpdir(), 'freshet-serving-'))
  const here = (name: string) => new URL(name, import.meta.url)
  const village = fork(here('serving/village.ts'), [String(feeds)])
  const addresses = await nextMessageOf<string[]>(village)
  const config = {
    ...defaultConfig(),
    store: join(folder, 'store.db'),
    port: 0,
    strategy: 'fixed:1m',
    minInterval: 60_000,
    budget: 8_640_000,
    hostGapExcept: ['localhost'],
    allowNetworks: ['127.0.0.0/8', '::1/128'],
    articles: 'never' as const,
  }
  const mistakes: unknown[] = []
  const crawl = await openCrawl(config)
  crawl.crawler.onEvent((event) => event.kind === 'internal-error' && mistakes.push(event.error))
  const log = createLog({ level: 'error', format: 'text', write: (line) => mistakes.push(line), now: Date.now })
  const accounts = createAccounts({ users: crawl.store, clock: crawl.clock })
  const tokens: string[] = []
  // Nobody logs in by password here, so none is hashed.
  const addUser = async (i: number) =>
    (await crawl.store.addUser({
      name: `reader-${i}`,
      scope: i === 0 ? 'admin' : 'write',
      addedAt: Date.now(),
      password: '',
    })) as UserId
  const first = await addUser(0)
  await crawl.crawler.subscribe(addresses.map((url) => ({ url, kind: 'feed' as const })))
  const { feeds: known } = { feeds: await crawl.catalogue.feeds({ order: 'id', limit: feeds }) }
  for (let i = 0; i < readers; i++) {
    const id = i === 0 ? first : await addUser(i)
    // Each user follows a hundred of them.
    const own = known.filter((_, j) => (j * 7 + i * 13) % Math.max(1, Math.floor(feeds / 100)) === 0)
    await crawl.store.follow(
      id,
      own.map(({ feed }) => ({ feedId: feed.id })),
      Date.now(),
      30,
    )
    tokens.push((await accounts.addToken(id, { name: 'bench', scope: 'write' })).secret)
  }
  const server = await startServer(config, crawl, log)
  await crawl.crawler.runOnce(AbortSignal.timeout(600_000)) // polls all feeds once, and indexes the entries
  const ended = new AbortController()
  const running = crawl.crawler.run(ended.signal)
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  const stalls = watchStalls()
  const given: ReadersGiven = { url: server.url, tokens, streams, pauseMs, seconds }
  const child = fork(here('serving/readers.ts'), [JSON.stringify(given)])
  const memory: number[] = [rss()]
  const sampling = setInterval(() => memory.push(rss()), 1000)
  const [cpuBefore, beganAt] = [process.cpuUsage(), performance.now()]
  // bench/cold-start.ts measures the cost of a cold start.
  const warming = setTimeout(() => {
    delay.enable()
    stalls.begin()
  }, WARM_MS)
  const results = await nextMessageOf<ReadersCame>(child)
  delay.disable()
  const cpuStalls = stalls.end()
  clearTimeout(warming)
  clearInterval(sampling)
  const tookSeconds = (performance.now() - beganAt) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  const { totals } = crawl.crawler.activity()
  ended.abort()
  await running
  await server.close()
  await crawl.close(0)
  village.kill()
  rmSync(folder, { recursive: true })

  const all = Object.values(results.took).flat()
  console.log(
    `commit ${commit()}, node ${process.version}: ${readers} readers, ${streams} streams, ${feeds} feeds, ${tookSeconds.toFixed(0)} s\n`,
  )
  console.log(row('answers to', 'count', 'a second', 'p50 ms', 'p95 ms', 'p99 ms'))
  for (const [kind, took] of [...Object.entries(results.took), ['all', all] as const])
    console.log(
      row(
        kind,
        String(took.length),
        (took.length / tookSeconds).toFixed(1),
        ...[0.5, 0.95, 0.99].map((share) => at(took, share)),
      ),
    )
  // Node measures the time between two ticks, which includes the interval of the timer.
  const ms = (nanos: number) => Math.max(0, nanos / 1e6 - RESOLUTION_MS).toFixed(1)
  const quarter = Math.max(1, Math.floor(memory.length / 4))
  const mean = (list: number[]) => (list.reduce((sum, one) => sum + one, 0) / list.length).toFixed(0)
  console.log(
    `\nerrors ${results.errors.length}${results.errors.length > 0 ? `: ${[...new Set(results.errors)].slice(0, 5).join('; ')}` : ''}; mistakes of ours ${mistakes.length}`,
  )
  for (const mistake of mistakes.slice(0, 3)) console.log(mistake)
  console.log(
    `event-loop delay, from ${WARM_MS / 1000} s on: p50 ${ms(delay.percentile(50))} ms, p99 ${ms(delay.percentile(99))} ms, longest ${ms(delay.max)} ms`,
  )
  console.log(`  by CPU of the main thread alone: p99 ${at(cpuStalls, 0.99)} ms, longest ${at(cpuStalls, 1)} ms`)
  console.log(
    `memory: ${mean(memory.slice(0, quarter))} MB in the first quarter, ${mean(memory.slice(-quarter))} MB in the last, ${Math.max(...memory).toFixed(0)} MB at most`,
  )
  console.log(
    `crawl: ${totals.polls} polls, ${totals.fresh} new entries, ${totals.failures} failures; ${results.messages} messages to the streams`,
  )
  console.log(`CPU of the process: ${((user + system) / 1e4 / tookSeconds).toFixed(0)} % of one core`)
  if (results.errors.length > 0 || mistakes.length > 0) process.exitCode = 1
}

/** CPU of the main thread between two ticks, which excludes other processes. */
function watchStalls() {
  const between: number[] = []
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let timer: NodeJS.Timeout | undefined
  return {
    begin() {
      let last = cpuMs()
      timer = setInterval(() => {
        const now = cpuMs()
        between.push(now - last)
        last = now
      }, RESOLUTION_MS)
    },
    end() {
      clearInterval(timer)
      return between
    },
  }
}

function rss(): number {
  return process.memoryUsage.rss() / 1e6
}

function at(numbers: number[], share: number): string {
  const sorted = numbers.toSorted((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN).toFixed(1)
}

function row(what: string, ...cells: string[]): string {
  return what.padEnd(16) + cells.map((cell) => cell.padStart(11)).join('')
}
