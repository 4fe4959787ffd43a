/** How much is kept of robots.txt, where every name of a domain answers with as much as it may. */
import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { address } from '../../model/address.fixture.ts'
import { MINUTE, type Outcome, type SiteRobots } from '../../model/index.ts'
import { createPace } from '../../politeness/index.ts'
import type { Net } from '../../ports/index.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { createWall } from '../error-boundary.ts'
import { createHostMemory } from '../scheduler/host-memory.ts'
import { createRobotsCache } from './robots-cache.ts'

const START = Date.UTC(2026, 0, 5, 8)
const originOf = (n: number) => `https://${n}.wild.example`
const pageOf = (n: number) => address(`${originOf(n)}/a`)
const FULL = `User-agent: *\n${Array.from({ length: 9_000 }, (_, n) => `Disallow: /${'private'.repeat(5)}/${n}`).join('\n')}`
const USUAL = `# ${'Dear crawlers! '.repeat(100)}\nUser-agent: *\nDisallow: /admin/\nAllow: /admin/feed\nCrawl-delay: 1`

function keeperOf(text: string) {
  const asked: string[] = []
  const clock = createSteppedClock(START)
  const net: Net = {
    get: async ({ url }) => {
      asked.push(new URL(url).origin)
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
    post: () => Promise.reject(new Error('nobody is asked by POST')),
    close: async () => {},
  }
  const keeper = createRobotsCache({ net, clock })
  const asks = async (n: number) => {
    const before = asked.length
    const answer = keeper.allows(pageOf(n), 0, new AbortController().signal)
    await clock.advance(MINUTE)
    expect(await answer).toBe(true)
    return asked.length > before
  }
  return { keeper, asks }
}

describe('in memory', () => {
  it('thousands of sites with the usual few lines are kept', async () => {
    const { asks } = keeperOf(USUAL)
    for (let n = 0; n < 1000; n++) expect(await asks(n)).toBe(true)
    expect([await asks(0), await asks(500), await asks(999)]).toEqual([false, false, false])
  })

  it('of those with thousands of lines few are, those that were asked for last', async () => {
    const { asks } = keeperOf(FULL)
    for (let n = 0; n < 60; n++) {
      await asks(n)
      await asks(0)
    }
    expect([await asks(0), await asks(59), await asks(58)]).toEqual([false, false, false])
    expect([await asks(1), await asks(20)]).toEqual([true, true])
  })
})

it('in the store, one domain has four megabytes for all its names', async () => {
  const { keeper, asks } = keeperOf(FULL)
  const store = createMemoryStore()
  const wall = createWall({ clock: createSteppedClock(START), emit: () => {} })
  const pace = createPace({ gapMs: 0, random: () => 0 })
  const hosts = createHostMemory({ ledger: store, pace, random: () => 0, wall, emit: () => {} })
  const sites: SiteRobots[] = []
  for (let n = 0; n < 20; n++) {
    await asks(n)
    const robots = keeper.news()
    sites.push(...robots)
    const task = { kind: 'article', articleId: 1, url: `${originOf(n)}/a`, gapMs: 0 } as Outcome['task']
    const result: Outcome['result'] = { kind: 'failed', failure: { kind: 'not-a-page' } }
    hosts.learn([{ task, at: START, tookMs: 1, bytes: 1, result, robots }], START)
    await hosts.save(START)
  }
  const kept = (await store.robots(sites.map(({ origin }) => origin))).filter((record) => record !== undefined)
  expect(JSON.stringify(sites).length).toBeGreaterThan(8_000_000)
  expect(JSON.stringify(kept).length).toBeLessThan(4_000_000)
  expect(kept.at(-1)).toEqual(sites.at(-1)!.record)
})
