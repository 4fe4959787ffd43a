import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { box, type CrawlHarnessOptions, START } from '../../../test/crawl-harness.ts'
import { address } from '../../model/address.fixture.ts'
import { HOUR, type Instant, MINUTE, SECOND } from '../../model/index.ts'
import type { Net } from '../../ports/index.ts'
import { createMemoryStore, openSqliteStore } from '../../stores/index.ts'

/** Servers that take their time. */
function slowWeb(tookMs: number) {
  const asked: { url: string; at: Instant }[] = []
  const through: CrawlHarnessOptions['through'] = (_, clock) => {
    const get: Net['get'] = async ({ url, signal }) => {
      asked.push({ url, at: clock.now() })
      await clock.sleepUntil(clock.now() + tookMs, signal)
      if (signal?.aborted) return { ok: false, failure: { kind: 'unreachable' } }
      const body = new TextEncoder().encode(`<rss version="2.0"><channel><title>${url}</title></channel></rss>`)
      return { ok: true, status: 200, url: address(url), headers: {}, redirects: [], body, wireBytes: 0 }
    }
    return { get, post: get, close: async () => {} }
  }
  return { asked, through }
}

const urls = Array.from({ length: 32 }, (_, i) => `http://blog${i}.example/feed`)
const countsOf = (asked: { url: string }[]) => urls.map((url) => asked.filter((one) => one.url === url).length)

describe('a crawler that dies', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'freshet-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** As the operating system leaves it behind: nothing is handed back, the file is closed. */
  async function dieAfter(ms: number, startAt: Instant, web: ReturnType<typeof slowWeb>) {
    const { store } = openSqliteStore({ file: join(folder, 'store.db'), mode: 'write', now: () => startAt })
    const life = box([], { store, through: web.through, startAt, concurrency: 32 })
    if (startAt === START) await life.crawler.subscribe(urls.map((url) => ({ url, kind: 'feed' })))
    await life.clock.advance(ms)
    await life.die()
    await store.close()
  }

  it('again and again asks nobody twice for what was under way', async () => {
    const web = slowWeb(30 * SECOND)
    for (let life = 0; life < 4; life++) await dieAfter(20 * SECOND, START + life * 20 * SECOND, web)
    expect(countsOf(web.asked)).toEqual(urls.map(() => 1))
    await dieAfter(6 * MINUTE, START + 80 * SECOND, web)
    expect(countsOf(web.asked)).toEqual(urls.map(() => 2))
    expect(Math.min(...web.asked.slice(32).map(({ at }) => at - START))).toBeGreaterThanOrEqual(5 * MINUTE)
  })

  it('lets those who were not asked yet go at once', async () => {
    const web = slowWeb(30 * SECOND)
    await dieAfter(10 * SECOND, START, web)
    const { store } = openSqliteStore({ file: join(folder, 'store.db'), mode: 'write', now: () => START })
    const next = box([], { store, through: web.through, startAt: START + 11 * SECOND })
    await next.crawler.subscribe([{ url: 'http://new.example/feed', kind: 'feed' }])
    await next.clock.advance(SECOND)
    expect(web.asked.slice(32).map(({ url }) => url)).toEqual(['http://new.example/feed'])
    await next.stop()
    await store.close()
  })
})

describe('a crawler that is stopped', () => {
  it('does not ask again at once for what had no answer in time', async () => {
    const store = createMemoryStore()
    const web = slowWeb(30 * SECOND)
    const first = box([], { store, through: web.through, concurrency: 40 })
    await first.crawler.subscribe(urls.map((url) => ({ url, kind: 'feed' })))
    await first.crawler.subscribe([{ url: 'http://page.example/', kind: 'any' }])
    await first.clock.advance(10 * SECOND)
    await first.stop()
    expect(await store.leases()).toEqual([])
    const second = box([], { store, through: web.through, startAt: first.clock.now(), concurrency: 40 })
    await second.clock.advance(4 * MINUTE)
    expect(countsOf(web.asked)).toEqual(urls.map(() => 1))
    await second.clock.advance(10 * MINUTE)
    expect(countsOf(web.asked)).toEqual(urls.map(() => 2))
  })

  it('keeps to the shortest interval of a feed, if that is longer', async () => {
    const store = createMemoryStore()
    const web = slowWeb(30 * SECOND)
    const limits = { minMs: HOUR, maxMs: 2 * HOUR }
    const first = box([], { store, through: web.through, limits })
    await first.crawler.subscribe([{ url: urls[0]!, kind: 'feed' }])
    await first.clock.advance(10 * SECOND)
    await first.stop()
    const second = box([], { store, through: web.through, limits, startAt: first.clock.now() })
    await second.clock.advance(HOUR)
    expect(web.asked.map(({ at }) => at)).toEqual([START, START + HOUR])
  })
})
