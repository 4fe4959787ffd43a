import { expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import type { FeedId } from '../../model/index.ts'
import type { Net } from '../../ports/index.ts'
import { createTerminal } from './fetcher.ts'

const clock = { now: () => 0, sleepUntil: async () => {} }
const feed = '<rss version="2.0"><channel><title>t</title><item><title>a</title></item></channel></rss>'

/** A site whose robots.txt is asked for first: two requests. */
function site(asked: string[]): Net {
  return {
    async get({ url }) {
      asked.push(new URL(url).pathname)
      const body = Buffer.from(url.endsWith('robots.txt') ? '' : feed)
      return { ok: true, url, status: 200, headers: {}, body, wireBytes: body.length, redirects: [] } as never
    },
    async post() {
      throw new Error('nobody is told anything')
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

it('makes no further request once its turn is over, and answers nothing', async () => {
  const asked: string[] = []
  const perform = createTerminal({ net: site(asked), clock, obeyRobots: 'all' })
  const late = perform(task, new AbortController().signal, () => asked.length > 0)
  await expect(late).rejects.toThrow('the turn of this task is over')
  expect(asked).toEqual(['/robots.txt'])
})

it('goes as far as it has to while it is in time', async () => {
  const asked: string[] = []
  const perform = createTerminal({ net: site(asked), clock, obeyRobots: 'all' })
  const { result } = await perform(task, new AbortController().signal, () => false)
  expect([asked, result.kind]).toEqual([['/robots.txt', '/feed'], 'window'])
})

it('takes what failed because it was late for no failure of the site', async () => {
  const asked: string[] = []
  const failure = { kind: 'unreachable', detail: 'it was too late to ask' } as const
  const net: Net = {
    ...site(asked),
    async get({ url, isLate }) {
      asked.push(url)
      expect(isLate?.()).toBe(true)
      return { ok: false, failure }
    },
  }
  const perform = createTerminal({ net, clock, obeyRobots: 'guesses' })
  const late = perform(task, new AbortController().signal, () => asked.length > 0)
  await expect(late).rejects.toThrow('the turn of this task is over')
})
