import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CrawlHarnessOptions, createCrawlHarness, START } from '../../../test/crawl-harness.ts'
import { address } from '../../model/address.fixture.ts'
import { HOUR, type Instant, MINUTE, SECOND } from '../../model/index.ts'
import type { Net } from '../../ports/index.ts'
import { createMemoryStore, openSqliteStore } from '../../stores/index.ts'

/** Slow servers. */
function slowWeb(tookMs: number) {
  const requests: { url: string; at: Instant }[] = []
  const wrapNet: CrawlHarnessOptions['wrapNet'] = (_, clock) => {
    const get: Net['get'] = async ({ url, signal }) => {
      requests.push({ url, at: clock.now() })
      await clock.sleepUntil(clock.now() + tookMs, signal)
      if (signal?.aborted) return { ok: false, failure: { kind: 'unreachable' } }
      const body = new TextEncoder().encode(`<rss version="2.0"><channel><title>${url}</title></channel></rss>`)
      return { ok: true, status: 200, url: address(url), headers: {}, redirects: [], body, wireBytes: 0 }
    }
    return { get, post: get, close: async () => {} }
  }
  return { requests, wrapNet }
}

const urls = Array.from({ length: 32 }, (_, i) => `http://blog${i}.example/feed`)
const countsOf = (requests: { url: string }[]) => urls.map((url) => requests.filter((one) => one.url === url).length)

describe('a crawler that dies', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'freshet-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** Ends like a killed process: no leases are released, the file is closed. */
  async function dieAfter(ms: number, startAt: Instant, web: ReturnType<typeof slowWeb>) {
    const { store } = openSqliteStore({ file: join(folder, 'store.db'), mode: 'write', now: () => startAt })
    const life = createCrawlHarness([], { store, wrapNet: web.wrapNet, startAt, concurrency: 32 })
    if (startAt === START) await life.crawler.subscribe(urls.map((url) => ({ url, kind: 'feed' })))
    await life.clock.advance(ms)
    await life.kill()
    await store.close()
  }

  it('does not repeat requests in flight, even after several crashes', async () => {
    const web = slowWeb(30 * SECOND)
    for (let life = 0; life < 4; life++) await dieAfter(20 * SECOND, START + life * 20 * SECOND, web)
    expect(countsOf(web.requests)).toEqual(urls.map(() => 1))
    await dieAfter(6 * MINUTE, START + 80 * SECOND, web)
    expect(countsOf(web.requests)).toEqual(urls.map(() => 2))
    expect(Math.min(...web.requests.slice(32).map(({ at }) => at - START))).toBeGreaterThanOrEqual(5 * MINUTE)
  })

  it('polls new feeds at once', async () => {
    const web = slowWeb(30 * SECOND)
    await dieAfter(10 * SECOND, START, web)
    const { store } = openSqliteStore({ file: join(folder, 'store.db'), mode: 'write', now: () => START })
    const next = createCrawlHarness([], { store, wrapNet: web.wrapNet, startAt: START + 11 * SECOND })
    await next.crawler.subscribe([{ url: 'http://new.example/feed', kind: 'feed' }])
    await next.clock.advance(SECOND)
    expect(web.requests.slice(32).map(({ url }) => url)).toEqual(['http://new.example/feed'])
    await next.stop()
    await store.close()
  })
})

describe('a crawler that is stopped', () => {
  it('does not repeat requests at once that had no answer in time', async () => {
    const store = createMemoryStore()
    const web = slowWeb(30 * SECOND)
    const first = createCrawlHarness([], { store, wrapNet: web.wrapNet, concurrency: 40 })
    await first.crawler.subscribe(urls.map((url) => ({ url, kind: 'feed' })))
    await first.crawler.subscribe([{ url: 'http://page.example/', kind: 'any' }])
    await first.clock.advance(10 * SECOND)
    await first.stop()
    expect(await store.leases()).toEqual([])
    const second = createCrawlHarness([], { store, wrapNet: web.wrapNet, startAt: first.clock.now(), concurrency: 40 })
    await second.clock.advance(4 * MINUTE)
    expect(countsOf(web.requests)).toEqual(urls.map(() => 1))
    await second.clock.advance(10 * MINUTE)
    expect(countsOf(web.requests)).toEqual(urls.map(() => 2))
  })

  it('keeps the minimum interval of a feed, if that is longer', async () => {
    const store = createMemoryStore()
    const web = slowWeb(30 * SECOND)
    const limits = { minMs: HOUR, maxMs: 2 * HOUR }
    const first = createCrawlHarness([], { store, wrapNet: web.wrapNet, limits })
    await first.crawler.subscribe([{ url: urls[0]!, kind: 'feed' }])
    await first.clock.advance(10 * SECOND)
    await first.stop()
    const second = createCrawlHarness([], { store, wrapNet: web.wrapNet, limits, startAt: first.clock.now() })
    await second.clock.advance(HOUR)
    expect(web.requests.map(({ at }) => at)).toEqual([START, START + HOUR])
  })
})
