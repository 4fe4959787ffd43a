import { expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import type { FeedId } from '../../model/index.ts'
import type { Net } from '../../ports/index.ts'
import { createFetcher } from './fetcher.ts'

const clock = { now: () => 0, sleepUntil: async () => {} }
const feed = '<rss version="2.0"><channel><title>t</title><item><title>a</title></item></channel></rss>'

/** A site whose robots.txt is fetched first: two requests. */
function site(requested: string[]): Net {
  return {
    async get({ url }) {
      requested.push(new URL(url).pathname)
      const body = Buffer.from(url.endsWith('robots.txt') ? '' : feed)
      return { ok: true, url, status: 200, headers: {}, body, wireBytes: body.length, redirects: [] } as never
    },
    async post() {
      throw new Error('unexpected POST')
    },
    close: async () => {},
  }
}

const task = {
  kind: 'poll',
  feedId: 1 as FeedId,
  url: address('https://a.example/feed'),
  validators: {},
  subscribers: 1,
  gapMs: 0,
} as const

it('makes no further request after the deadline, and returns no outcome', async () => {
  const requested: string[] = []
  const perform = createFetcher({ net: site(requested), clock, obeyRobots: 'all' })
  const late = perform(task, new AbortController().signal, () => requested.length > 0)
  await expect(late).rejects.toThrow('the deadline of this task has passed')
  expect(requested).toEqual(['/robots.txt'])
})

it('makes all requests before the deadline', async () => {
  const requested: string[] = []
  const perform = createFetcher({ net: site(requested), clock, obeyRobots: 'all' })
  const { result } = await perform(task, new AbortController().signal, () => false)
  expect([requested, result.kind]).toEqual([['/robots.txt', '/feed'], 'window'])
})

it('does not report a failure after the deadline as a failure of the site', async () => {
  const requested: string[] = []
  const failure = { kind: 'unreachable', detail: 'the deadline has passed' } as const
  const net: Net = {
    ...site(requested),
    async get({ url, isLate }) {
      requested.push(url)
      expect(isLate?.()).toBe(true)
      return { ok: false, failure }
    },
  }
  const perform = createFetcher({ net, clock, obeyRobots: 'guesses' })
  const late = perform(task, new AbortController().signal, () => requested.length > 0)
  await expect(late).rejects.toThrow('the deadline of this task has passed')
})
