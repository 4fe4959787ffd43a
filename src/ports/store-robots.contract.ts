/** Store contract: robots.txt and failed probes. */
import { expect } from 'vitest'
import { address } from '../model/address.fixture.ts'
import type { RobotsRecord } from '../model/index.ts'
import { MAX_FAILED_PROBES } from './store-bounds.ts'
import type { Promised } from './store-promise.contract.ts'
import { START } from './store-samples.contract.ts'

const read = (fetchedAt: number): RobotsRecord => ({
  found: 'read',
  robots: { rules: ['-/private', '+/'], crawlDelayMs: 5000 },
  fetchedAt,
  until: fetchedAt + 1000,
})

const MAX_BYTES = 1_000_000

export function robotsPromises(promised: Promised): void {
  promised('stores the last robots.txt of each origin', async (store) => {
    const lost: RobotsRecord = { ...read(START + 1), found: 'unreachable', unreachableSince: START - 5 }
    await store.recordSites({
      robots: {
        sites: [
          { origin: address('https://a.example'), root: 'a.example', record: read(START) },
          { origin: address('http://a.example:8080'), root: 'a.example', record: lost },
        ],
        maxBytesPerRoot: MAX_BYTES,
      },
    })
    expect(await store.robots(['http://a.example:8080', 'http://a.example', 'https://a.example'])).toStrictEqual([
      lost,
      undefined,
      read(START),
    ])
    await store.recordSites({
      robots: {
        sites: [{ origin: address('https://a.example'), root: 'a.example', record: read(START + 9) }],
        maxBytesPerRoot: MAX_BYTES,
      },
    })
    expect(await store.robots(['https://a.example'])).toStrictEqual([read(START + 9)])
  })

  promised('deletes old robots.txt in batches', async (store) => {
    const sites = [3, 1, 2, 9].map((n) => ({
      origin: address(`https://a${n}.example`),
      root: `a${n}.example`,
      record: read(START + n),
    }))
    await store.recordSites({ robots: { sites, maxBytesPerRoot: MAX_BYTES } })
    expect(await store.forget('robots', START + 9, 2)).toBe(2)
    const left = await store.robots(sites.map(({ origin }) => origin))
    expect(left.map((record) => record && record.fetchedAt - START)).toEqual([3, undefined, undefined, 9])
    expect(await store.forget('robots', START + 9, 9)).toBe(1)
  })

  promised('keeps at most the given number of bytes of robots.txt per root, those fetched last', async (store) => {
    const site = (n: number, root = 'a.example') => ({
      origin: address(`https://${n}.${root}`),
      root,
      record: read(START + n),
    })
    const bytes = JSON.stringify(read(START)).length
    const sites = [5, 1, 2, 4, 3].map((n) => site(n))
    await store.recordSites({ robots: { sites: [...sites, site(0, 'b.example')], maxBytesPerRoot: MAX_BYTES } })
    await store.recordSites({ robots: { sites: [site(6)], maxBytesPerRoot: 4 * bytes } })
    const left = await store.robots([1, 2, 3, 4, 5, 6].map((n) => site(n).origin))
    expect(left.map((record) => record && record.fetchedAt - START)).toEqual([undefined, undefined, undefined, 4, 5, 6])
    expect(await store.robots(['https://0.b.example'])).toEqual([read(START)])
    await store.recordSites({ robots: { sites: [site(7)], maxBytesPerRoot: 0 } })
    expect(await store.robots([site(6).origin, site(7).origin])).toEqual([undefined, read(START + 7)])
  })

  promised('deletes the oldest robots.txt until the rest fits the limit', async (store) => {
    const sites = [3, 1, 2, 9].map((n) => ({
      origin: address(`https://a${n}.example`),
      root: `a${n}.example`,
      record: read(START + n),
    }))
    await store.recordSites({ robots: { sites, maxBytesPerRoot: MAX_BYTES } })
    expect(await store.trim('robots', MAX_BYTES, 9)).toBe(0)
    expect(await store.trim('robots', 0, 2)).toBe(2)
    expect(await store.trim('robots', JSON.stringify(read(START)).length + 50, 9)).toBe(1)
    const left = await store.robots(sites.map(({ origin }) => origin))
    expect(left.map((record) => record && record.fetchedAt - START)).toEqual([undefined, undefined, undefined, 9])
  })

  promised('returns the latest failed probes of a host, up to the limit', async (store) => {
    const url = (n: number) => address(`https://a.example/${n}`)
    const many = Array.from({ length: MAX_FAILED_PROBES + 9 }, (_, n) => ({
      host: 'a.example',
      url: url(n),
      at: START + n,
    }))
    await store.recordSites({
      failedProbes: {
        found: [...many, { host: 'b.example', url: address('https://b.example/'), at: START }],
        keepSince: START,
      },
    })
    const probes = await store.failedProbes(['a.example', 'b.example'], START)
    expect(probes).toHaveLength(MAX_FAILED_PROBES + 1)
    expect([probes[0]?.url, probes[MAX_FAILED_PROBES - 1]?.url]).toEqual([url(MAX_FAILED_PROBES + 8), url(9)])
  })

  promised('remembers failed probes for a while', async (store) => {
    const miss = (url: string, at: number) => ({ host: new URL(url).hostname, url: address(url), at: START + at })
    const [a, b, c] = [
      miss('https://a.example/rss', 1),
      miss('https://a.example/feed', 2),
      miss('https://b.example/', 3),
    ]
    await store.recordSites({ failedProbes: { found: [a, b, c], keepSince: START } })
    expect(await store.failedProbes(['a.example', 'c.example'], START)).toStrictEqual([b, a])
    expect(await store.failedProbes(['b.example', 'a.example'], START + 2)).toStrictEqual([c, b])
    await store.recordSites({ failedProbes: { found: [{ ...a, at: START + 9 }], keepSince: START + 3 } })
    expect(await store.failedProbes(['a.example', 'b.example'], START)).toStrictEqual([{ ...a, at: START + 9 }, c])
  })
}
