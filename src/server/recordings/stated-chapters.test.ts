/** Chapters: from the address in the feed, else from the show notes. */
import { describe, expect, test } from 'vitest'
import { createServerFixture } from '../../../test/server-fixture.ts'
import { createSteppedClock } from '../../clocks/index.ts'
import { address } from '../../model/address.fixture.ts'
import { DAY, HOUR, MINUTE } from '../../model/index.ts'
import type { Net, NetRequest } from '../../ports/index.ts'
import { createStatedChapters, MAX_CHAPTER_REQUESTS, MAX_CHAPTERS_BYTES } from './stated-chapters.ts'

const FEED = address('https://talks.example/feed')
const CHAPTERS = {
  version: '1.2.0',
  chapters: [
    { startTime: 0, title: 'Opening' },
    { startTime: 9.5, title: 'Tides' },
  ],
}

function fakeNet(document: unknown = CHAPTERS, status = 200) {
  const requests: NetRequest[] = []
  const net: Net = {
    async get(request) {
      requests.push(request)
      const body = new TextEncoder().encode(JSON.stringify(document))
      const headers = { 'content-type': 'application/json+chapters' }
      return { ok: true, status, url: address(request.url), redirects: [], headers, body, wireBytes: 0 }
    },
    post: () => Promise.reject(new Error('nothing is posted')),
    close: async () => {},
  }
  return { net, requests }
}

async function chaptersOf(net: Net) {
  const fixture = createServerFixture({ net })
  await fixture.addFeed({
    url: FEED,
    title: 'Talks',
    entries: [
      {
        title: 'Talk',
        agoMs: HOUR,
        content: 'About tides.\n\n0:00 Hello\n1:15 The moon\n12:00 After the end',
        podcast: { durationMs: 10 * MINUTE, chaptersUrl: address('https://talks.example/1.json') },
      },
    ],
  })
  return (await fixture.app.request('/api/v1/entries/1/chapters')).json()
}

describe('chapters', () => {
  test('are those at the address in the feed', async () => {
    const { net, requests } = fakeNet()
    expect(await chaptersOf(net)).toEqual({
      chapters: [
        { startSeconds: 0, title: 'Opening' },
        { startSeconds: 9.5, title: 'Tides' },
      ],
      from: 'feed',
    })
    expect(requests).toMatchObject([{ url: 'https://talks.example/1.json', named: FEED, maxBytes: MAX_CHAPTERS_BYTES }])
    expect(requests[0]?.shouldSkipBody?.({ 'content-type': 'text/html' })).toBe(true)
  })

  test.each([
    ['is missing', fakeNet({}, 404)],
    ['is something else', fakeNet({ chapters: 'none' })],
  ])('are lines of the show notes if the document %s', async (_, { net }) => {
    expect(await chaptersOf(net)).toEqual({
      chapters: [
        { startSeconds: 0, title: 'Hello' },
        { startSeconds: 75, title: 'The moon' },
      ],
      from: 'notes',
    })
  })

  test('are fetched once a day, and once in ten minutes if they are missing', async () => {
    const clock = createSteppedClock(0)
    const [there, missing] = [fakeNet(), fakeNet({}, 404)]
    const wanted = { url: 'https://talks.example/1.json', feedUrl: FEED }
    for (const [{ net, requests }, ms] of [
      [there, DAY],
      [missing, 10 * MINUTE],
    ] as const) {
      const chapters = createStatedChapters({ net, clock })
      await Promise.all([chapters.get(wanted), chapters.get(wanted)])
      await chapters.get(wanted)
      expect(requests.length).toBe(1)
      await clock.advance(ms)
      await chapters.get(wanted)
      expect(requests.length).toBe(2)
    }
  })

  test('are fetched for at most eight entries at a time', async () => {
    const gate = Promise.withResolvers<void>()
    const { net, requests } = fakeNet()
    const slow: Net = { ...net, get: (request) => gate.promise.then(() => net.get(request)) }
    const chapters = createStatedChapters({ net: slow, clock: createSteppedClock(0) })
    const get = (i: number) => chapters.get({ url: `https://talks.example/${i}.json`, feedUrl: FEED })
    const first = Array.from({ length: MAX_CHAPTER_REQUESTS }, (_, i) => get(i))
    expect(await get(99)).toBeUndefined()
    gate.resolve()
    for (const one of await Promise.all(first)) expect(one).toHaveLength(2)
    expect(requests.length).toBe(MAX_CHAPTER_REQUESTS)
  })
})
