/**
 * What one poll touches: `node bench/poll-path.ts [--calls]`. A feed that was polled before has two new entries, one of which has a page.
 * From its due date until both entries are searchable and grouped, this counts our files and functions that run (precise coverage of V8),
 * and the calls of the store, by whether they write. `--calls` lists the calls in order.
 *
 * The store is SQLite and everything runs in this thread, so that all of it is counted.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { crawlSettings } from '../src/app/composition.ts'
import { defaultConfig } from '../src/app/index.ts'
import { systemClock } from '../src/clocks/index.ts'
import { createCrawler, createFetcher } from '../src/crawl/index.ts'
import { address } from '../src/model/address.fixture.ts'
import type { FeedId } from '../src/model/index.ts'
import type { Net } from '../src/ports/index.ts'
import { createInProcessQueue } from '../src/queues/index.ts'
import { openSqliteStore } from '../src/stores/index.ts'
import { commit } from './current-commit.ts'

const { values } = parseArgs({ options: { calls: { type: 'boolean', default: false } } })
const SOURCES = fileURLToPath(new URL('../src/', import.meta.url))
/** Longer than the idle second of the indexer. */
const SETTLED_MS = 2500
const DUE_AFTER_MS = 6000
const FEED = 1 as FeedId
/** Methods that write or lease. */
const WRITING =
  /^(record|lease(Due|These)|take|release|change|put|drop|tidy|settle|regroup|sweep|remove|forget|save|trim|compress|add|repair|set|mark|star|undo|begin|queueArticles|cancelArticles)/

const folder = mkdtempSync(join(tmpdir(), 'freshet-path-'))
const clock = systemClock()
const opened = openSqliteStore({ file: join(folder, 'path.db'), mode: 'write', now: clock.now })
const calls: string[] = []
const store = counted(opened.store)
const search = counted(opened.search)
let entries = 20
const config = { ...defaultConfig(), hostGap: 0, articles: 'always' as const, strategy: 'fixed:1d' }
const queue = createInProcessQueue({ concurrency: 8, gatherMs: 0 })
const net: Net = {
  get: async ({ url }) => ({
    ok: true,
    status: 200,
    url: address(url),
    redirects: [],
    ...answerAt(url),
    wireBytes: 1000,
  }),
  post: async () => ({ ok: false, failure: { kind: 'unreachable', detail: 'nobody is asked' } }),
  close: async () => {},
}
queue.serve(createFetcher({ net, clock, obeyRobots: 'guesses' }))
const crawler = createCrawler({ store, search, queue, clock, ...crawlSettings(config) })
if (values.calls) crawler.onEvent((event) => calls.push(`(${event.kind}${'error' in event ? ` ${event.error}` : ''})`))
const [session, end] = [new Session(), new AbortController()]
try {
  session.connect()
  await session.post('Profiler.enable')
  const running = crawler.run(end.signal)
  let polls = 0
  crawler.onEvent(({ kind }) => {
    if (kind === 'polled' && ++polls === 1) void opened.store.changeFeed(FEED, {}, { dueAt: Date.now() + DUE_AFTER_MS })
  })
  await crawler.subscribe([{ url: 'https://a.example/feed', kind: 'feed' }])
  await sleep(DUE_AFTER_MS - 500)
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  calls.length = 0
  entries += 2
  await sleep(2 * SETTLED_MS)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const ours = result
    .filter(({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(SOURCES))
    .map(({ functions }) => functions.filter(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0))
    .filter((functions) => functions.length > 0)
  const writes = calls.filter((call) => WRITING.test(call))
  console.log(`commit ${commit()}, node ${process.version}`)
  console.log(`files ${ours.length}`)
  console.log(`named functions ${ours.reduce((sum, { length }) => sum + length, 0)}`)
  console.log(`store calls that write ${writes.length}: ${summed(writes)}`)
  const reads = calls.filter((call) => !WRITING.test(call) && !call.startsWith('('))
  console.log(`store calls that read ${reads.length}: ${summed(reads)}`)
  if (values.calls) console.log(calls.join('\n'))
  const { entries: stored } = await opened.store.counts()
  if (stored !== entries) throw new Error(`${stored} entries are stored, and not ${entries}`)
  end.abort()
  await running
  await crawler.stop(0)
} finally {
  session.disconnect()
  await opened.store.close()
  rmSync(folder, { recursive: true })
}

function counted<Port extends object>(port: Port): Port {
  const methods = Object.entries(port).map(([name, method]) => [
    name,
    (...args: unknown[]) => {
      calls.push(name)
      return method.apply(port, args)
    },
  ])
  return Object.fromEntries(methods)
}

function summed(names: string[]): string {
  return Object.entries(Object.groupBy(names, (name) => name))
    .map(([name, { length } = []]) => (length! > 1 ? `${name} ${length}` : name))
    .join(', ')
}

function answerAt(url: string): { headers: Record<string, string>; body: Buffer } {
  if (url.endsWith('/robots.txt')) return { headers: { 'content-type': 'text/plain' }, body: Buffer.from('') }
  if (!url.endsWith('/feed')) return { headers: { 'content-type': 'text/html' }, body: Buffer.from(pageAt(url)) }
  const items = Array.from({ length: entries }, (_, i) => entries - 1 - i).map((i) => {
    const link = i === 20 ? `<link>https://a.example/${i}</link>` : ''
    const words = Array.from({ length: 12 }, (_, n) => `word${i}x${n}`).join(' ')
    const at = new Date(Date.now() - 60_000 * (30 - i)).toUTCString()
    return `<item><guid isPermaLink="false">${i}</guid>${link}<title>Headline ${i} ${words}</title><pubDate>${at}</pubDate><description>${words}</description></item>`
  })
  const body = `<rss version="2.0"><channel><title>A</title><link>https://a.example/</link>${items.join('')}</channel></rss>`
  return { headers: { 'content-type': 'application/rss+xml' }, body: Buffer.from(body) }
}

function pageAt(url: string): string {
  const paragraph = `<p>${'The council of Port Else voted to build a tram line from market to port. '.repeat(6)}</p>`
  return `<html><head><title>Headline at ${url}</title></head><body><article><h1>Headline</h1>${paragraph.repeat(5)}</article></body></html>`
}
