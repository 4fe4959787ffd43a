/** Bounds on what strangers make us ask, keep and remember, each with somebody who pushes against it. */
import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../clocks/index.ts'
import { address } from '../model/address.fixture.ts'
import { type ArticleId, DAY, type FeedId, HOUR, type Outcome, SECOND, type Task } from '../model/index.ts'
import type { Net, NetAnswer, NetRequest } from '../ports/index.ts'
import { discover } from './fetcher/discover.ts'
import { createFailedProbes } from './fetcher/failed-probes.ts'
import { createTerminal } from './fetcher/fetcher.ts'
import { readAnswer } from './fetcher/read-feed.ts'
import { createIncidents } from './scheduler/incidents.ts'

const START = Date.UTC(2026, 0, 5, 8)
const HOME = address('https://a.example/')

/** Answers everything, and remembers what it was asked. */
function netOf(answerTo: (url: string) => { status: number; text: string }) {
  const asked: NetRequest[] = []
  const answer = async (request: NetRequest): Promise<NetAnswer> => {
    asked.push(request)
    const { status, text } = answerTo(request.url)
    const body = Buffer.from(text)
    return { ok: true, status, url: address(request.url), redirects: [], headers: {}, body, wireBytes: body.length }
  }
  const net: Net = { get: answer, post: answer, close: async () => {} }
  return { net, asked }
}

describe('looking for a feed', () => {
  const link = (n: number) => `<link rel="alternate" type="application/rss+xml" href="/feed/${n}">`
  const anchor = (n: number) => `<a href="/rss/${n}.xml">RSS feed ${n}</a>`
  const many = (of: (n: number) => string) => Array.from({ length: 300 }, (_, n) => of(n)).join('')
  const feed = (n: string) =>
    `<rss version="2.0"><channel><title>${n}</title><item><guid>${n}</guid><title>${n}</title></item></channel></rss>`

  it.each([
    ['a page that names hundreds which are not there', many(link), 404],
    ['a page with hundreds of links to feeds which are not there', many(anchor), 404],
    ['a page that names hundreds of feeds', many(link), 200],
  ])('takes fifteen requests at most: %s', async (_, html, status) => {
    const { net, asked } = netOf((url) => {
      if (url === HOME) return { status: 200, text: `<html><head><title>A</title>${html}</head></html>` }
      return { status, text: status === 200 && !url.endsWith('robots.txt') ? feed(url) : '' }
    })
    const clock = createSteppedClock(START)
    const looking = discover(
      { url: HOME, gapMs: SECOND },
      { net, clock, obeyRobots: 'guesses' },
      new AbortController().signal,
    )
    await clock.advance(HOUR)
    const { feeds } = await looking
    expect(asked.length).toBeGreaterThan(5)
    expect(asked.length).toBeLessThanOrEqual(15)
    expect(feeds.length).toBeLessThanOrEqual(14)
  })
})

describe('what a terminal reads', () => {
  async function asked(task: Task): Promise<NetRequest[]> {
    const { net, asked } = netOf(() => ({ status: 404, text: '' }))
    const clock = createSteppedClock(START)
    const done = createTerminal({ net, clock, obeyRobots: 'guesses' })(task, new AbortController().signal)
    await clock.advance(HOUR)
    await done
    return asked
  }

  it('of a hub that answers is little', async () => {
    const callback = 'https://reader.example/websub/x'
    const hub = { kind: 'hub', token: 't', url: HOME, mode: 'subscribe', topic: HOME, callback, secret: 's' } as const
    expect(await asked({ ...hub, leaseMs: DAY })).toMatchObject([{ maxBytes: 100_000 }])
  })

  it('of a page is 5 MB', async () => {
    const requests = await asked({ kind: 'article', articleId: 1 as ArticleId, url: address(`${HOME}a`), gapMs: 0 })
    expect(requests.at(-1)).toMatchObject({ url: `${HOME}a`, maxBytes: 5_000_000 })
  })
})

it('of an entry a book is kept, and of what comes with it a bounded part', () => {
  const each = (count: number, one: (n: number) => string) => Array.from({ length: count }, (_, n) => one(n)).join('')
  const category = each(90, (n) => `<category>${n} ${'c'.repeat(300)}</category>`)
  const files = each(90, (n) => `<enclosure url="https://a.example/${n}.mp3" type="audio/mpeg"/>`)
  const people = each(90, (n) => `<podcast:person>${n} ${'p'.repeat(900)}</podcast:person>`)
  const transcripts = each(90, (n) => `<podcast:transcript url="https://a.example/${n}.vtt" type="text/vtt"/>`)
  const text = '<p>word</p> '.repeat(100_000)
  const item = `<item><title>T</title>${category}${files}${people}${transcripts}<description><![CDATA[${text}]]></description></item>`
  const body = Buffer.from(`<rss version="2.0"><channel><title>A</title>${item}</channel></rss>`)
  const answer = { ok: true as const, status: 200, url: HOME, redirects: [], headers: {}, body, wireBytes: 1 }
  const read = readAnswer(answer, START)
  const [entry] = read.kind === 'reading' ? read.reading.entries : []
  expect((entry?.summary ?? entry?.content)?.length).toBe(500_000)
  expect(entry?.tags?.map((tag) => tag.length)).toEqual(Array(50).fill(100))
  expect(entry?.media).toHaveLength(30)
  expect(entry?.people?.map(({ name }) => name?.length)).toEqual(Array(20).fill(300))
  expect(entry?.podcast?.transcripts).toHaveLength(5)
})

describe('what is remembered in memory alone', () => {
  it('of places that had nothing are the last ten thousand', () => {
    const misses = createFailedProbes()
    const url = (n: number) => address(`${HOME}${n}`)
    for (let n = 0; n <= 10_000; n++) misses.note(url(n), { kind: 'http', status: 404 }, START)
    expect([0, 1, 10_000].map((n) => misses.has(url(n), START))).toEqual([false, true, true])
  })

  it('of roots in trouble are the last twenty thousand', () => {
    const incidents = createIncidents(
      () => 0,
      () => {},
    )
    const trouble = { state: 'incident', sign: 'timeout', sinceAt: START, canaries: 1, canaryAt: START + DAY } as const
    const isHeld = (root: string) => incidents.mayGo(root, () => 0, START) !== undefined
    incidents.recall('first.example', trouble)
    incidents.recall('second.example', trouble)
    for (let n = 0; n < 19_999; n++) {
      const url = address(`https://a${n}.example/feed`)
      const task = { kind: 'poll', feedId: n as FeedId, url, validators: {}, subscribers: 1, gapMs: 0 } as const
      const result: Outcome['result'] = { kind: 'failed', failure: { kind: 'timeout' } }
      incidents.after(`a${n}.example`, { task, at: START, tookMs: 1, bytes: 0, result })
    }
    expect([isHeld('first.example'), isHeld('second.example')]).toEqual([false, true])
  })
})
