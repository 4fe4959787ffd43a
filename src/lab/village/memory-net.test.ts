import { expect, test } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import type { Fault } from './spec.ts'
import { createVillage } from './village.ts'

const START = Date.UTC(2030, 2, 6, 15, 30)
const feedUrl = 'http://site.localhost/feed.xml'

function villageIn(fault?: Fault) {
  return createVillage({ clock: createSteppedClock(START), sites: [{ name: 'site', ...(fault && { fault }) }] })
}

test("returns the village's responses, with their length", async () => {
  const village = villageIn()
  const expected = village.answer({ method: 'GET', url: feedUrl, headers: {} }, START)!
  const answer = await village.net().get({ url: feedUrl, headers: { 'accept-encoding': 'gzip' } })
  const body = new TextEncoder().encode(expected.body as string)
  expect(answer).toEqual({
    ok: true,
    status: 200,
    url: feedUrl,
    redirects: [],
    headers: expected.headers,
    body,
    wireBytes: body.length,
  })
})

test.each<[Fault, string]>([
  [{ kind: 'slow' }, 'timeout'],
  [{ kind: 'endless' }, 'too-large'],
  [{ kind: 'cut' }, 'broken-body'],
  [{ kind: 'reset' }, 'unreachable'],
  [{ kind: 'huge', bytes: 20 * 2 ** 20 }, 'too-large'],
  [{ kind: 'moved', status: 302, to: '/feed.xml' }, 'redirects'],
  [{ kind: 'moved', status: 301, to: 'http://nowhere.localhost/' }, 'unreachable'],
])('%o results in the failure "%s"', async (fault, kind) => {
  expect(await villageIn(fault).net().get({ url: feedUrl })).toMatchObject({ ok: false, failure: { kind } })
})

test('respects the limit of a request', async () => {
  const answer = await villageIn().net().get({ url: feedUrl, maxBytes: 100 })
  expect(answer).toEqual({ ok: false, failure: { kind: 'too-large' } })
})

test('an aborted request is not sent', async () => {
  const village = villageIn()
  const answer = await village.net().get({ url: feedUrl, signal: AbortSignal.abort() })
  expect(answer).toMatchObject({ ok: false, failure: { kind: 'unreachable' } })
  expect(village.requests).toEqual([])
})

test('follows redirects, and the village logs every step with its headers', async () => {
  const village = villageIn()
  village.site('site').move('/feed.xml', '/new.xml')
  const answer = await village.net().get({ url: feedUrl, headers: { 'if-none-match': '"x"' } })
  const to = 'http://site.localhost/new.xml'
  expect(answer).toMatchObject({ ok: true, status: 200, url: to, redirects: [{ status: 301, to }] })
  const headers = { 'if-none-match': '"x"' }
  expect(village.requests).toEqual([
    { at: START, method: 'GET', url: feedUrl, headers, status: 301 },
    { at: START, method: 'GET', url: to, headers, status: 200 },
  ])
})

test('logs only the latest requests', async () => {
  const village = villageIn({ kind: 'status', status: 404 })
  const net = village.net()
  for (let i = 0; i < 10_005; i++) await net.get({ url: `http://site.localhost/${i}` })
  expect([village.requests.length, village.requests[0]?.url]).toEqual([10_000, 'http://site.localhost/5'])
})
