/** What the store promises about robots.txt. */
import { expect } from 'vitest'
import { address } from '../model/address.fixture.ts'
import type { RobotsRecord } from '../model/index.ts'
import { MOST_MISSES } from './store-bounds.ts'
import type { Promised } from './store-promise.contract.ts'
import { START } from './store-samples.contract.ts'

const read = (fetchedAt: number): RobotsRecord => ({
  found: 'read',
  robots: { rules: ['-/private', '+/'], crawlDelayMs: 5000 },
  fetchedAt,
  until: fetchedAt + 1000,
})

const ROOM = 1_000_000

export function robotsPromises(promised: Promised): void {
  promised('keeps what sites ask of crawlers, for each origin what was said last', async (store) => {
    const lost: RobotsRecord = { ...read(START + 1), found: 'unreachable', unreachableSince: START - 5 }
    await store.recordRobots(
      [
        { origin: address('https://a.example'), root: 'a.example', record: read(START) },
        { origin: address('http://a.example:8080'), root: 'a.example', record: lost },
      ],
      ROOM,
    )
    expect(await store.robots(['http://a.example:8080', 'http://a.example', 'https://a.example'])).toStrictEqual([
      lost,
      undefined,
      read(START),
    ])
    await store.recordRobots(
      [{ origin: address('https://a.example'), root: 'a.example', record: read(START + 9) }],
      ROOM,
    )
    expect(await store.robots(['https://a.example'])).toStrictEqual([read(START + 9)])
  })

  promised('forgets old robots.txt, a few at a time', async (store) => {
    const sites = [3, 1, 2, 9].map((n) => ({
      origin: address(`https://a${n}.example`),
      root: `a${n}.example`,
      record: read(START + n),
    }))
    await store.recordRobots(sites, ROOM)
    expect(await store.forgetRobots(START + 9, 2)).toBe(2)
    const left = await store.robots(sites.map(({ origin }) => origin))
    expect(left.map((record) => record && record.fetchedAt - START)).toEqual([3, undefined, undefined, 9])
    expect(await store.forgetRobots(START + 9, 9)).toBe(1)
  })

  promised(
    'keeps of a root no more bytes of robots.txt than it is told, those that were fetched last',
    async (store) => {
      const site = (n: number, root = 'a.example') => ({
        origin: address(`https://${n}.${root}`),
        root,
        record: read(START + n),
      })
      const bytes = JSON.stringify(read(START)).length
      const sites = [5, 1, 2, 4, 3].map((n) => site(n))
      await store.recordRobots([...sites, site(0, 'b.example')], ROOM)
      await store.recordRobots([site(6)], 4 * bytes)
      const left = await store.robots([1, 2, 3, 4, 5, 6].map((n) => site(n).origin))
      expect(left.map((record) => record && record.fetchedAt - START)).toEqual([
        undefined,
        undefined,
        undefined,
        4,
        5,
        6,
      ])
      expect(await store.robots(['https://0.b.example'])).toEqual([read(START)])
      await store.recordRobots([site(7)], 0)
      expect(await store.robots([site(6).origin, site(7).origin])).toEqual([undefined, read(START + 7)])
    },
  )

  promised('drops the oldest robots.txt until all together take no more than so much', async (store) => {
    const sites = [3, 1, 2, 9].map((n) => ({
      origin: address(`https://a${n}.example`),
      root: `a${n}.example`,
      record: read(START + n),
    }))
    await store.recordRobots(sites, ROOM)
    expect(await store.shrinkRobots(ROOM, 9)).toBe(0)
    expect(await store.shrinkRobots(0, 2)).toBe(2)
    expect(await store.shrinkRobots(JSON.stringify(read(START)).length + 50, 9)).toBe(1)
    const left = await store.robots(sites.map(({ origin }) => origin))
    expect(left.map((record) => record && record.fetchedAt - START)).toEqual([undefined, undefined, undefined, 9])
  })

  promised('tells of a host no more places without a feed than it may, the latest', async (store) => {
    const url = (n: number) => address(`https://a.example/${n}`)
    const many = Array.from({ length: MOST_MISSES + 9 }, (_, n) => ({ host: 'a.example', url: url(n), at: START + n }))
    await store.recordMisses([...many, { host: 'b.example', url: address('https://b.example/'), at: START }], START)
    const told = await store.misses(['a.example', 'b.example'], START)
    expect(told).toHaveLength(MOST_MISSES + 1)
    expect([told[0]?.url, told[MOST_MISSES - 1]?.url]).toEqual([url(MOST_MISSES + 8), url(9)])
  })

  promised('knows for a while where a host has no feed', async (store) => {
    const miss = (url: string, at: number) => ({ host: new URL(url).hostname, url: address(url), at: START + at })
    const [a, b, c] = [
      miss('https://a.example/rss', 1),
      miss('https://a.example/feed', 2),
      miss('https://b.example/', 3),
    ]
    await store.recordMisses([a, b, c], START)
    expect(await store.misses(['a.example', 'c.example'], START)).toStrictEqual([b, a])
    expect(await store.misses(['b.example', 'a.example'], START + 2)).toStrictEqual([c, b])
    await store.recordMisses([{ ...a, at: START + 9 }], START + 3)
    expect(await store.misses(['a.example', 'b.example'], START)).toStrictEqual([{ ...a, at: START + 9 }, c])
  })
}
