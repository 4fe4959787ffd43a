/** Limits on the requests, storage and memory that sites can cause, each with a site that tries to exceed it. */
import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../clocks/index.ts'
import { address } from '../model/address.fixture.ts'
import { type ArticleId, DAY, type FeedId, HOUR, type Outcome, SECOND, type Task } from '../model/index.ts'
import type { Net, NetAnswer, NetRequest } from '../ports/index.ts'
import { discover } from './fetcher/discover.ts'
import { createFailedProbes } from './fetcher/failed-probes.ts'
import { createFetcher } from './fetcher/fetcher.ts'
import { readAnswer } from './fetcher/read-feed.ts'
import { createIncidents } from './scheduler/incidents.ts'

const START = Date.UTC(2026, 0, 5, 8)
const HOME = address('https://a.example/')

/** Answers every request and records it. */
function netOf(answerTo: (url: string) => { status: number; text: string }) {
  const requests: NetRequest[] = []
  const answer = async (request: NetRequest): Promise<NetAnswer> => {
    requests.push(request)
    const { status, text } = answerTo(request.url)
    const body = Buffer.from(text)
    return { ok: true, status, url: address(request.url), redirects: [], headers: {}, body, wireBytes: body.length }
  }
  const net: Net = { get: answer, post: answer, close: async () => {} }
  return { net, requests }
}

describe('feed discovery', () => {
  const link = (n: number) => `<link rel="alternate" type="application/rss+xml" href="/feed/${n}">`
  const anchor = (n: number) => `<a href="/rss/${n}.xml">RSS feed ${n}</a>`
  const many = (of: (n: number) => string) => Array.from({ length: 300 }, (_, n) => of(n)).join('')
  const feed = (n: string) =>
    `<rss version="2.0"><channel><title>${n}</title><item><guid>${n}</guid><title>${n}</title></item></channel></rss>`

  it.each([
    ['a page that declares hundreds of feeds that do not exist', many(link), 404],
    ['a page with hundreds of links to feeds that do not exist', many(anchor), 404],
    ['a page that declares hundreds of feeds', many(link), 200],
  ])('makes at most fifteen requests: %s', async (_, html, status) => {
    const { net, requests } = netOf((url) => {
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
    expect(requests.length).toBeGreaterThan(5)
    expect(requests.length).toBeLessThanOrEqual(15)
    expect(feeds.length).toBeLessThanOrEqual(14)
  })
})

describe('response size limits of a fetcher', () => {
  async function requestsFor(task: Task): Promise<NetRequest[]> {
    const { net, requests } = netOf(() => ({ status: 404, text: '' }))
    const clock = createSteppedClock(START)
    const done = createFetcher({ net, clock, obeyRobots: 'guesses' })(task, new AbortController().signal)
    await clock.advance(HOUR)
    await done
    return requests
  }

  it('are low for answers of hubs', async () => {
    const callback = 'https://reader.example/websub/x'
    const hub = { kind: 'hub', token: 't', url: HOME, mode: 'subscribe', topic: HOME, callback, secret: 's' } as const
    expect(await requestsFor({ ...hub, leaseMs: DAY })).toMatchObject([{ maxBytes: 100_000 }])
  })

  it('are 5 MB for pages', async () => {
    const requests = await requestsFor({
      kind: 'article',
      articleId: 1 as ArticleId,
      url: address(`${HOME}a`),
      gapMs: 0,
    })
    expect(requests.at(-1)).toMatchObject({ url: `${HOME}a`, maxBytes: 5_000_000 })
  })
})

it('keeps the text of an entry up to the length of a book, and limits its other fields', () => {
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

describe('state that is only in memory', () => {
  it('includes the last ten thousand failed probes', () => {
    const misses = createFailedProbes()
    const url = (n: number) => address(`${HOME}${n}`)
    for (let n = 0; n <= 10_000; n++) misses.record(url(n), { kind: 'http', status: 404 }, START)
    expect([0, 1, 10_000].map((n) => misses.has(url(n), START))).toEqual([false, true, true])
  })

  it('includes the last twenty thousand roots with incidents', () => {
    const incidents = createIncidents(
      () => 0,
      () => {},
    )
    const incident = { state: 'incident', sign: 'timeout', sinceAt: START, canaries: 1, canaryAt: START + DAY } as const
    const isPaused = (root: string) => incidents.waitOf(root, () => 0, START) !== undefined
    incidents.load('first.example', incident)
    incidents.load('second.example', incident)
    for (let n = 0; n < 19_999; n++) {
      const url = address(`https://a${n}.example/feed`)
      const task = { kind: 'poll', feedId: n as FeedId, url, validators: {}, subscribers: 1, gapMs: 0 } as const
      const result: Outcome['result'] = { kind: 'failed', failure: { kind: 'timeout' } }
      incidents.learn(`a${n}.example`, { task, at: START, tookMs: 1, bytes: 0, result })
    }
    expect([isPaused('first.example'), isPaused('second.example')]).toEqual([false, true])
  })
})
