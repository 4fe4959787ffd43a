/** The bytes that a fetcher reports for a task: all bytes received for it, and for no other task. */
import { expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { address } from '../../model/address.fixture.ts'
import { type FeedId, MINUTE, type SourceId, type Task } from '../../model/index.ts'
import type { Net, NetAnswer } from '../../ports/index.ts'
import { createFetcher } from './fetcher.ts'

const HOME = address('https://a.example/')
const FEED = '<rss version="2.0"><channel><title>A</title><item><title>B</title></item></channel></rss>'
const SITE: Record<string, [text: string, wireBytes: number]> = {
  [HOME]: ['<html><head><link rel="alternate" type="application/rss+xml" href="/feed"></head></html>', 1_000_000],
  [`${HOME}feed`]: [FEED, 20_000],
}

async function bytesOf(task: Task) {
  const clock = createSteppedClock(Date.UTC(2026, 0, 5))
  const net: Net = {
    async get({ url }): Promise<NetAnswer> {
      const [text, wireBytes] = SITE[url] ?? ['', 300]
      if (url.endsWith('/broken')) return { ok: false, failure: { kind: 'unreachable' } }
      const status = url in SITE ? 200 : 404
      return { ok: true, status, url: address(url), redirects: [], headers: {}, body: Buffer.from(text), wireBytes }
    },
    post: () => Promise.reject(new Error('unexpected POST')),
    close: async () => {},
  }
  const done = createFetcher({ net, clock, obeyRobots: 'guesses' })(task, new AbortController().signal)
  await clock.advance(5 * MINUTE)
  return (await done).bytes
}

const poll = (path: string): Task => {
  const url = address(HOME + path)
  return { kind: 'poll', feedId: 1 as FeedId, url, validators: {}, subscribers: 1, gapMs: 0 }
}

it('counts the bytes of a poll, whatever its result', async () => {
  expect(await bytesOf(poll('feed'))).toBe(20_000)
  expect(await bytesOf(poll('missing'))).toBe(300)
  expect(await bytesOf(poll('broken'))).toBe(0)
})

it('counts every request of a task', async () => {
  const discover: Task = { kind: 'discover', sourceId: 1 as SourceId, url: HOME, failures: 0, gapMs: 0 }
  expect(await bytesOf(discover)).toBe(1_020_000)
})
