/** Fetching pictures: only those of an entry, only images, and within limits. */
import { describe, expect, test } from 'vitest'
import { createServerFixture } from '../../../test/server-fixture.ts'
import { createSteppedClock } from '../../clocks/index.ts'
import { address } from '../../model/address.fixture.ts'
import { DAY, HOUR } from '../../model/index.ts'
import type { Net, NetAnswer, NetRequest } from '../../ports/index.ts'
import { createImageProxy, MAX_CONCURRENT_PER_HOST, MAX_CONCURRENT_PICTURES, MAX_PICTURE_BYTES } from './image-proxy.ts'
import { imageType } from './image-type.ts'

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3)
const FEED = address('https://a.example/feed')
const wanted = (url: string, feedUrl = FEED) => ({ url, feedUrl })
const text = (words: string) => new TextEncoder().encode(words)

/** Answers by path, and records requests. */
function fakeNet(answers: Record<string, { status?: number; type?: string; body?: Uint8Array }> = {}) {
  const requests: NetRequest[] = []
  const net: Net = {
    async get(request): Promise<NetAnswer> {
      requests.push(request)
      const { pathname } = new URL(request.url)
      const { status = 200, type = 'image/png', body = PNG } = answers[pathname] ?? {}
      const headers = { 'content-type': type }
      const isSkipped = request.shouldSkipBody?.(headers)
      const shown = isSkipped ? new Uint8Array(0) : body
      return { ok: true, status, url: address(request.url), redirects: [], headers, body: shown, wireBytes: 0 }
    },
    post: () => Promise.reject(new Error('nothing is posted')),
    close: async () => {},
  }
  return { net, requests }
}

async function filled(net: Net) {
  const fixture = createServerFixture({ net })
  await fixture.addFeed({
    url: 'https://tides.example/feed',
    title: 'Tides',
    entries: [
      {
        title: 'High',
        agoMs: HOUR,
        url: 'https://tides.example/1',
        content: '<p>Look: <img src="/low.png?a=1&amp;b=2"></p>',
        media: [{ url: address('https://tides.example/high.png'), kind: 'image' }],
      },
      { title: 'Low', agoMs: 2 * HOUR },
    ],
  })
  return fixture
}

describe('a picture', () => {
  test('of an entry is fetched by the server, and cached by the browser for a day', async () => {
    const { net, requests } = fakeNet()
    const { app } = await filled(net)
    const response = await app.request('/api/v1/entries/1/picture')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(PNG)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, max-age=86400',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(requests).toMatchObject([
      { url: 'https://tides.example/high.png', named: 'https://tides.example/feed', maxBytes: MAX_PICTURE_BYTES },
    ])
  })

  test('is fetched only if the entry contains it', async () => {
    const { net, requests } = fakeNet()
    const { app } = await filled(net)
    const status = async (id: number, url: string) =>
      (await app.request(`/api/v1/entries/${id}/picture?url=${encodeURIComponent(url)}`)).status
    expect(await status(1, 'https://tides.example/low.png?a=1&b=2')).toBe(200)
    for (const url of ['https://tides.example/other.png', 'http://127.0.0.1/', 'file:///etc/passwd', 'data:,x', ''])
      expect(await status(1, url)).toBe(404)
    expect(await status(2, 'https://tides.example/high.png')).toBe(404)
    expect(await status(9, 'https://tides.example/high.png')).toBe(404)
    expect(requests.length).toBe(1)
  })

  test('of an entry is the first large one of its text, else the one of its article; small for lists, if there is one', async () => {
    const { net, requests } = fakeNet()
    const fixture = createServerFixture({ net })
    const media = (name: string, width: number) =>
      ({ url: address(`https://b.example/${name}.png`), kind: 'image', width, height: width }) as const
    await fixture.addFeed({
      url: 'https://b.example/feed',
      title: 'B',
      entries: [
        { title: 'Two sizes', agoMs: HOUR, media: [media('small', 150), media('full', 900)] },
        { title: 'Text', agoMs: 2 * HOUR, url: 'https://b.example/2', content: '<img src=i.svg><img src=b.png>' },
        { title: 'Bare', agoMs: 3 * HOUR, url: 'https://b.example/3', summary: 'No picture.' },
      ],
    })
    const paths = ['1/picture', '1/picture?size=small', '2/picture', '2/picture?size=small']
    for (const path of paths) expect((await fixture.app.request(`/api/v1/entries/${path}`)).status).toBe(200)
    expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(['/full.png', '/small.png', '/b.png'])
    const { entries } = (await (await fixture.app.request('/api/v1/entries?excerpts=true')).json()) as {
      entries: { picture?: string; excerpt?: string }[]
    }
    expect(entries.map((entry) => [entry.picture, entry.excerpt])).toEqual([
      ['https://b.example/full.png', undefined],
      ['https://b.example/b.png', undefined],
      [undefined, 'No picture.'],
    ])
    expect((await fixture.app.request('/api/v1/entries/3/picture')).status).toBe(404)
  })

  test('is rejected if its bytes are no picture, whatever its content type', async () => {
    const { net } = fakeNet({
      '/high.png': { body: text('<svg xmlns="http://www.w3.org/2000/svg"><script>x()</script></svg>') },
    })
    expect((await (await filled(net)).app.request('/api/v1/entries/1/picture')).status).toBe(404)
  })

  test('of a site is its icon', async () => {
    const body = Uint8Array.of(0, 0, 1, 0, 1, 0, 9)
    const { net, requests } = fakeNet({ '/favicon.ico': { body, type: 'image/vnd.microsoft.icon' } })
    const { app } = await filled(net)
    const { status, headers } = await app.request('/api/v1/feeds/1/icon')
    expect([status, headers.get('content-type')]).toEqual([200, 'image/x-icon'])
    expect(requests[0]?.url).toBe('https://tides.example/favicon.ico')
    expect((await app.request('/api/v1/feeds/9/icon')).status).toBe(404)
  })

  test('that is missing may be cached as missing for an hour', async () => {
    const { net } = fakeNet({ '/favicon.ico': { status: 404 } })
    const { status, headers } = await (await filled(net)).app.request('/api/v1/feeds/1/icon')
    expect([status, headers.get('cache-control')]).toEqual([404, 'private, max-age=3600'])
  })

  test('is not read if its content type is not an image', async () => {
    const { net, requests } = fakeNet({ '/high.png': { type: 'text/html' } })
    expect((await (await filled(net)).app.request('/api/v1/entries/1/picture')).status).toBe(404)
    expect(requests[0]?.shouldSkipBody?.({ 'content-type': 'text/html' })).toBe(true)
  })
})

test.each<[string, number[]]>([
  ['image/jpeg', [0xff, 0xd8, 0xff, 0xe0]],
  ['image/gif', [...Buffer.from('GIF89a')]],
  ['image/webp', [...Buffer.from('RIFF\n\0\xff\0WEBPVP8 ', 'latin1')]],
  ['image/avif', [0, 0, 0, 28, ...Buffer.from('ftypavif')]],
])('%s is detected by its first bytes', (type, start) => {
  expect(imageType(Uint8Array.from(start))).toBe(type)
})

describe('pictures', () => {
  test('are fetched once a day, even if requested concurrently', async () => {
    const { net, requests } = fakeNet()
    const clock = createSteppedClock(0)
    const pictures = createImageProxy({ net, clock })
    await Promise.all([pictures.get(wanted('https://a.example/1')), pictures.get(wanted('https://a.example/1'))])
    await pictures.get(wanted('https://a.example/1'))
    expect(requests.length).toBe(1)
    await clock.advance(DAY)
    await pictures.get(wanted('https://a.example/1'))
    expect(requests.length).toBe(2)
  })

  test('are requested on behalf of the feed, and shared only by feeds of its host', async () => {
    const { net, requests } = fakeNet()
    const pictures = createImageProxy({ net, clock: createSteppedClock(0) })
    const url = 'http://10.0.0.7/chart.png'
    const inside = ['http://10.0.0.7/feed', 'http://10.0.0.7/other-feed'].map(address)
    for (const feedUrl of [...inside, address('https://news.example/feed')]) await pictures.get({ url, feedUrl })
    expect(requests.map(({ named }) => named)).toEqual([inside[0], 'https://news.example/feed'])
  })

  test('that failed are not retried for a while, and a host that answers 429 is not asked again', async () => {
    const { net, requests } = fakeNet({ '/gone': { status: 404 }, '/much': { status: 429 } })
    const pictures = createImageProxy({ net, clock: createSteppedClock(0) })
    for (const path of ['gone', 'gone', 'fine', 'much', 'much', 'another'])
      await pictures.get(wanted(`https://a.example/${path}`))
    expect(requests.map(({ url }) => url.split('/').at(-1))).toEqual(['gone', 'fine', 'much'])
  })

  test('use at most 32 MB of memory, and evict the least recently used first', async () => {
    const large = new Uint8Array(2_000_000)
    large.set(PNG)
    const paths = Array.from({ length: 20 }, (_, i) => `/${i}`)
    const { net, requests } = fakeNet(Object.fromEntries(paths.map((path) => [path, { body: large }])))
    const pictures = createImageProxy({ net, clock: createSteppedClock(0) })
    for (const path of paths) {
      await pictures.get(wanted(`https://a.example${path}`))
      await pictures.get(wanted('https://a.example/0'))
    }
    expect(requests.length).toBe(20)
    await pictures.get(wanted('https://a.example/19'))
    await pictures.get(wanted('https://a.example/1'))
    expect(requests.slice(20).map(({ url }) => url)).toEqual(['https://a.example/1'])
  })

  test('are fetched at most sixteen at a time; further requests are rejected', async () => {
    const gate = Promise.withResolvers<void>()
    const { net } = fakeNet()
    const slow: Net = { ...net, get: (request) => gate.promise.then(() => net.get(request)) }
    const pictures = createImageProxy({ net: slow, clock: createSteppedClock(0) })
    const first = Array.from({ length: MAX_CONCURRENT_PICTURES }, (_, i) =>
      pictures.get(wanted(`https://a${i}.example/`)),
    )
    expect(await pictures.get(wanted('https://more.example/'))).toEqual({ kind: 'busy' })
    gate.resolve()
    expect((await Promise.all(first)).every(({ kind }) => kind === 'picture')).toBe(true)
  })

  test('of one host are fetched at most four at a time', async () => {
    const gate = Promise.withResolvers<void>()
    const { net } = fakeNet()
    const slow: Net = { ...net, get: (request) => gate.promise.then(() => net.get(request)) }
    const pictures = createImageProxy({ net: slow, clock: createSteppedClock(0) })
    const first = Array.from({ length: MAX_CONCURRENT_PER_HOST }, (_, i) =>
      pictures.get(wanted(`https://a.example/${i}`)),
    )
    expect(await pictures.get(wanted('https://a.example/more'))).toEqual({ kind: 'busy' })
    const other = pictures.get(wanted('https://b.example/'))
    gate.resolve()
    expect((await Promise.all([...first, other])).every(({ kind }) => kind === 'picture')).toBe(true)
  })
})
