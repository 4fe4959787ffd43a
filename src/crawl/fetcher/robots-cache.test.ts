/** Memory and storage limits of robots.txt when every host of a domain returns the largest allowed file. */
import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { address } from '../../model/address.fixture.ts'
import { MINUTE, type Outcome, type SiteRobots } from '../../model/index.ts'
import { createHostQueue } from '../../politeness/index.ts'
import type { Net } from '../../ports/index.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { createErrorBoundary } from '../error-boundary.ts'
import { createHostMemory } from '../scheduler/host-memory.ts'
import { createRobotsCache } from './robots-cache.ts'

const START = Date.UTC(2026, 0, 5, 8)
const originOf = (n: number) => `https://${n}.wild.example`
const pageOf = (n: number) => address(`${originOf(n)}/a`)
const FULL = `User-agent: *\n${Array.from({ length: 9_000 }, (_, n) => `Disallow: /${'private'.repeat(5)}/${n}`).join('\n')}`
const USUAL = `# ${'Dear crawlers! '.repeat(100)}\nUser-agent: *\nDisallow: /admin/\nAllow: /admin/feed\nCrawl-delay: 1`

function cacheOf(text: string) {
  const requested: string[] = []
  const clock = createSteppedClock(START)
  const net: Net = {
    get: async ({ url }) => {
      requested.push(new URL(url).origin)
      return {
        ok: true,
        status: 200,
        url: address(url),
        redirects: [],
        headers: {},
        body: Buffer.from(text),
        wireBytes: 1,
      }
    },
    post: () => Promise.reject(new Error('unexpected POST')),
    close: async () => {},
  }
  const cache = createRobotsCache({ net, clock })
  const isRequested = async (n: number) => {
    const before = requested.length
    const answer = cache.allows(pageOf(n), 0, new AbortController().signal)
    await clock.advance(MINUTE)
    expect(await answer).toBe(true)
    return requested.length > before
  }
  return { cache, isRequested }
}

describe('in memory', () => {
  it('caches thousands of sites with small files', async () => {
    const { isRequested } = cacheOf(USUAL)
    for (let n = 0; n < 1000; n++) expect(await isRequested(n)).toBe(true)
    expect([await isRequested(0), await isRequested(500), await isRequested(999)]).toEqual([false, false, false])
  })

  it('caches only the most recently used sites if their files have thousands of lines', async () => {
    const { isRequested } = cacheOf(FULL)
    for (let n = 0; n < 60; n++) {
      await isRequested(n)
      await isRequested(0)
    }
    expect([await isRequested(0), await isRequested(59), await isRequested(58)]).toEqual([false, false, false])
    expect([await isRequested(1), await isRequested(20)]).toEqual([true, true])
  })
})

it('stores at most four megabytes for all hosts of a domain', async () => {
  const { cache, isRequested } = cacheOf(FULL)
  const store = createMemoryStore()
  const errorBoundary = createErrorBoundary({ clock: createSteppedClock(START), emit: () => {} })
  const hostQueue = createHostQueue({ gapMs: 0, random: () => 0 })
  const hosts = createHostMemory({ pollResults: store, hostQueue, random: () => 0, errorBoundary, emit: () => {} })
  const sites: SiteRobots[] = []
  for (let n = 0; n < 20; n++) {
    await isRequested(n)
    const robots = cache.takeNew()
    sites.push(...robots)
    const task = { kind: 'article', articleId: 1, url: `${originOf(n)}/a`, gapMs: 0 } as Outcome['task']
    const result: Outcome['result'] = { kind: 'failed', failure: { kind: 'not-a-page' } }
    hosts.learn([{ task, at: START, tookMs: 1, bytes: 1, result, robots }], START)
    await hosts.save(START)
  }
  const stored = (await store.robots(sites.map(({ origin }) => origin))).filter((record) => record !== undefined)
  expect(JSON.stringify(sites).length).toBeGreaterThan(8_000_000)
  expect(JSON.stringify(stored).length).toBeLessThan(4_000_000)
  expect(stored.at(-1)).toEqual(sites.at(-1)!.record)
})
