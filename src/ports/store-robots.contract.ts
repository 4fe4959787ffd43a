/** What the store promises about robots.txt. */
import { expect } from 'vitest'
import { address } from '../model/address.fixture.ts'
import type { RobotsRecord } from '../model/index.ts'
import type { Promised } from './store.contract.ts'
import { START } from './store-samples.contract.ts'

const read = (fetchedAt: number): RobotsRecord => ({
  found: 'read',
  robots: { rules: ['-/private', '+/'], crawlDelayMs: 5000 },
  fetchedAt,
  until: fetchedAt + 1000,
})

export function robotsPromises(promised: Promised): void {
  promised('keeps what sites ask of crawlers, for each origin what was said last', async (store) => {
    const lost: RobotsRecord = { ...read(START + 1), found: 'unreachable', unreachableSince: START - 5 }
    await store.recordRobots([
      { origin: address('https://a.example'), record: read(START) },
      { origin: address('http://a.example:8080'), record: lost },
    ])
    expect(await store.robots(['http://a.example:8080', 'http://a.example', 'https://a.example'])).toStrictEqual([
      lost,
      undefined,
      read(START),
    ])
    await store.recordRobots([{ origin: address('https://a.example'), record: read(START + 9) }])
    expect(await store.robots(['https://a.example'])).toStrictEqual([read(START + 9)])
  })

  promised('forgets old robots.txt, a few at a time', async (store) => {
    const sites = [3, 1, 2, 9].map((n) => ({ origin: address(`https://a${n}.example`), record: read(START + n) }))
    await store.recordRobots(sites)
    expect(await store.forgetRobots(START + 9, 2)).toBe(2)
    const left = await store.robots(sites.map(({ origin }) => origin))
    expect(left.map((record) => record && record.fetchedAt - START)).toEqual([3, undefined, undefined, 9])
    expect(await store.forgetRobots(START + 9, 9)).toBe(1)
  })
}
